SELECT c.country, sum(x.count) FROM (SELECT city, count(*) FROM members GROUP BY city) x JOIN cities c USING (city) GROUP BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.country, sum(x.count) FROM (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) x JOIN cities c USING (city) GROUP BY 1

SELECT * FROM (SELECT plan, count(*) FROM members GROUP BY plan) AS s WHERE count > 3
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT * FROM (SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members) s WHERE count > 3

WITH x AS (SELECT city, count(*) FROM members GROUP BY city) SELECT * FROM x WHERE count > 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH x AS (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) SELECT * FROM x WHERE count > 1

WITH x AS MATERIALIZED (SELECT city, count(*) n FROM members GROUP BY city) SELECT a.city, a.n - b.n FROM x a JOIN x b USING (city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH x AS MATERIALIZED (SELECT city, members."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) SELECT a.city, a.n - b.n FROM x a JOIN x b USING (city)

WITH x(a, b) AS (SELECT city, count(*) FROM members GROUP BY city) SELECT b, a FROM x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH x(a, b) AS (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) SELECT b, a FROM x

WITH cities AS (SELECT 'Oslo' AS city) SELECT cities.city, count(*) FROM cities GROUP BY 1 UNION ALL SELECT city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH cities AS (SELECT 'Oslo' AS city) SELECT cities.city, count(*) FROM cities GROUP BY 1 UNION ALL SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

WITH own AS (SELECT city FROM mine) SELECT city, count(*), city IN (SELECT city FROM own) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH own AS (SELECT city FROM mine) SELECT city, members."count 1" AS count, city IN (SELECT city FROM own) FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*) FROM members GROUP BY city UNION SELECT plan, count(*) FROM members GROUP BY plan UNION ALL SELECT city, n FROM mine
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 2 counts, 0 thresholds
rest: (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") UNION SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($3::varchar[], $4::bigint[]) u(k1, c1)) members) UNION ALL SELECT city, n FROM mine

(SELECT city, count(*) FROM members GROUP BY city) EXCEPT SELECT city, n FROM mine ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") EXCEPT SELECT city, n FROM mine ORDER BY 1

SELECT (SELECT count(*) FROM members) - (SELECT count(*) FROM members WHERE active) AS inactive
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) - (SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")) AS inactive

SELECT EXISTS (SELECT city, count(*) FROM members GROUP BY city HAVING count(*) > 5), ARRAY(SELECT count(*) FROM members GROUP BY city ORDER BY 1), 3 IN (SELECT count(*) FROM members GROUP BY city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT EXISTS (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE members."count 1" > 5), ARRAY(SELECT members."count 1" AS count FROM unnest($3::pg_catalog.text[], $4::bigint[]) members(city, "count 1") ORDER BY 1), 3 IN (SELECT members."count 1" AS count FROM unnest($5::pg_catalog.text[], $6::bigint[]) members(city, "count 1"))

VALUES ((SELECT count(*) FROM members), 'x')
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: VALUES ((SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")), 'x')

SELECT city FROM cities WHERE (SELECT count(*) FROM members) > 10
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city FROM cities WHERE (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) > 10

SELECT city, (SELECT count(*) FROM logins) FROM members GROUP BY city HAVING count(*) > 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.logins
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."logins" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT city, (SELECT logins."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) logins("count 1")) FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE members."count 1" > 1

INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

INSERT INTO mine (n) VALUES ((SELECT count(*) FROM members)) RETURNING n, (SELECT count(*) FROM members WHERE active)
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 2 counts, 0 thresholds
rest: INSERT INTO mine (n) VALUES ((SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1"))) RETURNING n, (SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1"))

UPDATE mine SET n = c.count FROM (SELECT city, count(*) FROM members GROUP BY city) c WHERE c.city = mine.city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: UPDATE mine SET n = c.count FROM (SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) c WHERE c.city = mine.city

DELETE FROM mine WHERE n > (SELECT count(*) FROM members)
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: DELETE FROM mine WHERE n > (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1"))

CREATE TABLE own AS SELECT city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TABLE own AS SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

CREATE TEMP TABLE own AS SELECT city, count(*) FROM members WHERE birth_year > 1990 GROUP BY city WITH DATA
----
answer
question: count(*) FROM public.members WHERE birth_year >= 1991 GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY t."city"
args: ["1991"]
charge: 1 counts, 0 thresholds
rest: CREATE TEMPORARY TABLE own AS SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*) INTO TEMP own FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count INTO TEMPORARY own FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT a.count, b.count FROM (SELECT count(*) FROM members) a, (SELECT count(*) FROM members) b
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT a.count, b.count FROM (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) a, (SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")) b

SELECT l.device, m.count FROM (SELECT device, city, count(*) FROM logins GROUP BY device, city) l LEFT JOIN (SELECT city, count(*) FROM members GROUP BY city) m USING (city)
----
answer
question: count(*) FROM public.logins GROUP BY city, device
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, CASE WHEN pg_catalog.octet_length(t."device") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."device"), 65537)) ELSE t."device" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."logins" AS t GROUP BY t."city", t."device"
args: []
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 2 counts, 1 thresholds
rest: SELECT l.device, m.count FROM (SELECT device, city, logins."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) logins(device, city, "count 1")) l LEFT JOIN (SELECT city, members."count 1" AS count FROM unnest($4::pg_catalog.text[], $5::bigint[]) members(city, "count 1")) m USING (city)

SELECT x.* FROM (SELECT city, (SELECT count(*) FROM members) FROM cities) x
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x.* FROM (SELECT city, (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) FROM cities) x

SELECT count(*) FROM (SELECT city FROM members GROUP BY city HAVING count(*) > 5) x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT count(*) FROM (SELECT city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE members."count 1" > 5) x

SELECT city, count(*) FROM members GROUP BY city; 
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

WITH x AS (INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city RETURNING *) SELECT sum(n) FROM x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH x AS (INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") RETURNING *) SELECT sum(n) FROM x

INSERT INTO mine VALUES ('x', 1) RETURNING n, (SELECT count(*) FROM members)
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: INSERT INTO mine VALUES ('x', 1) RETURNING n, (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1"))

SELECT * FROM cities c LEFT JOIN (SELECT m.city, count(*) AS n FROM members m WHERE NOT m.active GROUP BY m.city) AS x ON x.city = c.city ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE active = false GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY t."city"
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT * FROM cities c LEFT JOIN (SELECT m.city, m."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) x ON x.city = c.city ORDER BY 1

SELECT city FROM mine WHERE city IN (SELECT city FROM members GROUP BY city HAVING count(*) > 3)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city FROM mine WHERE city IN (SELECT city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE members."count 1" > 3)

SELECT (SELECT count(*) FROM members WHERE city = 'Oslo')::text || '!' AS x, (SELECT count(*) FROM logins)
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
question: count(*) FROM public.logins
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."logins" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1"))::text || '!' AS x, (SELECT logins."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) logins("count 1"))

WITH RECURSIVE t(n) AS (SELECT count(*) FROM members UNION ALL SELECT n - 1 FROM t WHERE n > 295) SELECT * FROM t
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: WITH RECURSIVE t(n) AS (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1") UNION ALL SELECT n - 1 FROM t WHERE n > 295) SELECT * FROM t

SELECT (SELECT plan FROM members GROUP BY plan ORDER BY count(*) DESC, plan LIMIT 1)
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT plan FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members ORDER BY members."count 1" DESC, plan LIMIT 1)

SELECT x FROM generate_series(1, (SELECT count(*) FROM members WHERE birth_year = 5)) AS x
----
answer
question: count(*) FROM public.members WHERE birth_year = 5
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["5"]
charge: 1 counts, 0 thresholds
rest: SELECT x FROM generate_series(1, (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1"))) x

SELECT ((SELECT ROW(count(*), 'a') FROM members)) IS NOT NULL
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT ROW(members."count 1", 'a') AS "row" FROM pg_catalog.unnest($1::bigint[]) members("count 1")) IS NOT NULL

(((SELECT count(*) FROM members)))
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT plan, count(*), (SELECT max(n) FROM mine WHERE mine.city = 'Oslo') FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, (SELECT max(n) FROM mine WHERE mine.city = 'Oslo') FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, count(*), (SELECT count(*) FROM members WHERE active AND city = 'Oslo') FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
question: count(*) FROM public.members WHERE (active = true AND city = 'Oslo')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["t" "Oslo"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, (SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")) FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, count(*), (SELECT max(n) FROM mine WHERE mine.city <> plan) FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, (SELECT max(n) FROM mine WHERE mine.city <> plan) FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

# counts that are not in the select list
SELECT plan FROM members GROUP BY plan HAVING count(*) > 3 AND count(*) < 1000 ORDER BY count(*) DESC, count(salary), rank() OVER (ORDER BY count(*), count(salary))
----
answer
question: count(*) FROM public.members GROUP BY plan
question: count(*) FILTER (WHERE salary IS NOT NULL) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."salary" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 2 counts, 0 thresholds
rest: SELECT plan FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members WHERE members."count 1" > 3 AND members."count 1" < 1000 ORDER BY members."count 1" DESC, members."count 2", rank() OVER (ORDER BY members."count 1", members."count 2")
