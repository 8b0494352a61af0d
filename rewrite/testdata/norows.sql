# Tools ask for columns where no row can come out. Nothing is counted, and unlisted columns do not appear.
SELECT * FROM members LIMIT 0
----
answer nothing
rest: SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members LIMIT 0

SELECT TRUE AS "_" FROM "public"."members" WHERE 1 <> 1 LIMIT 0
----
answer nothing
rest: SELECT true AS _ FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members WHERE 1 <> 1 LIMIT 0

SELECT m.city, m.plan FROM members AS m WHERE 1 = 0
----
answer
rest: SELECT m.city, m.plan FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) m WHERE 1 = 0

SELECT * FROM (SELECT city, salary FROM members) AS "Custom SQL Query" LIMIT 0
----
answer nothing
rest: SELECT * FROM (SELECT city, salary FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members) "Custom SQL Query" LIMIT 0

SELECT * FROM (SELECT * FROM members) t WHERE false AND city = 'x'
----
answer
rest: SELECT * FROM (SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members) t WHERE false AND city = 'x'

WITH q AS (SELECT * FROM members) SELECT * FROM q LIMIT 0
----
answer nothing
rest: SELECT * FROM (SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members) q LIMIT 0

SELECT * FROM members AS m(a, b) LEFT JOIN cities AS c ON c.city = b FETCH FIRST 0 ROWS ONLY
----
answer nothing
reads: SELECT FROM "public"."cities" LIMIT 0
rest: SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) m(a, b) LEFT JOIN cities c ON c.city = b LIMIT 0

CREATE TABLE t AS SELECT * FROM members WHERE false
----
answer
rest: CREATE TABLE t AS SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members WHERE false

EXPLAIN SELECT * FROM members LIMIT 0
----
answer explain json=false nothing
rest: SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members LIMIT 0

COPY (SELECT * FROM members LIMIT 0) TO STDOUT
----
answer nothing cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
rest: COPY (SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members LIMIT 0) TO STDOUT
rehearsal: SELECT * FROM (SELECT NULL::int AS id, NULL::text AS city, NULL::varchar(10) AS plan, NULL::int AS birth_year, NULL::smallint AS level, NULL::bigint AS points, NULL::numeric(10, 2) AS salary, NULL::numeric AS ratio, NULL::double precision AS score, NULL::real AS weight, NULL::boolean AS active, NULL::char(3) AS code, NULL::date AS joined, NULL::timestamp AS seen, NULL::timestamp with time zone AS paid, NULL::uuid AS token, NULL::text[] AS tags, NULL::text AS "Odd Name" WHERE false) members LIMIT 0

# Rows may come out of these.
SELECT * FROM members LIMIT 1
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM members WHERE 1 = 1
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM members WHERE false OR city = 'x'
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

WITH q AS (INSERT INTO mine SELECT city FROM members RETURNING *) SELECT * FROM q LIMIT 0
----
refuse 42501 at 46: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT (SELECT full_name FROM members WHERE id = 1) FROM mine WHERE false
----
refuse 42501 at 16: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

DELETE FROM members WHERE false
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

INSERT INTO members SELECT * FROM members WHERE false
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members
