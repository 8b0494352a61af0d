SELECT city AS plan, count(*) FROM members GROUP BY plan, city
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT t."city" AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.k2 AS city, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::pg_catalog.text[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city AS town, count(*) FROM members GROUP BY town
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT t."city" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS town, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT plan AS city, count(*) FROM members GROUP BY city, 1
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT t."city" AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan AS city, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city, plan, count(*) FROM members GROUP BY (city, plan)
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT t."city" AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city, plan, count(*) FROM members GROUP BY (1, (plan))
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT t."city" AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city AS x, city AS x, count(*) FROM members GROUP BY x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT t."city" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS x, city AS x, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city AS x, plan AS x, count(*) FROM members GROUP BY x
----
refuse 42702 at 61: GROUP BY "x" is ambiguous

SELECT city, count(*) FROM members GROUP BY 3
----
refuse 42P10 at 45: GROUP BY position 3 is not in select list

SELECT city, count(*) FROM members GROUP BY 0
----
refuse 42P10 at 45: GROUP BY position 0 is not in select list

SELECT city, count(*) FROM members GROUP BY 'city'
----
refuse 42601 at 45: non-integer constant in GROUP BY

SELECT city, count(*) FROM members GROUP BY 1.5
----
refuse 42601 at 45: non-integer constant in GROUP BY

SELECT city, count(*) FROM members GROUP BY 2
----
refuse 42803 at 14: aggregate functions are not allowed in GROUP BY

SELECT city, count(*) AS n FROM members GROUP BY n
----
refuse 42803 at 14: aggregate functions are not allowed in GROUP BY

SELECT city, count(*) FROM members GROUP BY nothing
----
refuse 42703 at 45: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT city, count(*) FROM members GROUP BY m.city
----
refuse 42P01 at 45: missing FROM-clause entry for table "m"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT city, count(*) FROM members m GROUP BY members.city
----
refuse 42P01 at 47: invalid reference to FROM-clause entry for table "members"
hint: Perhaps you meant to reference the table alias "m".

SELECT city, count(*) FROM members GROUP BY full_name
----
refuse 42501 at 45: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members GROUP BY cmin
----
refuse 42501 at 39: system column "cmin" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members GROUP BY members
----
refuse 42501 at 39: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members GROUP BY members.*
----
refuse 42501 at 39: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members GROUP BY tags
----
refuse 0A000 at 39: column "tags" of type text[] cannot be used in conditions or as a key on a protected table
hint: Usable types are boolean, integers, numeric, real, double precision, text, varchar, char, date, timestamp and uuid.

SELECT upper(city), count(*) FROM members GROUP BY upper(city)
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS upper, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT city || 'x' AS z, count(*) FROM members GROUP BY z
----
answer
question: count(*) FROM public.members GROUP BY (city || 'x')
count: SELECT (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["65536" "x"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS z, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT city, count(*) FROM members GROUP BY ROW(city)
----
refuse 0A000 at 45: row values are not supported on protected tables
hint: Write their parts by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT city, count(*) FROM members GROUP BY ROLLUP (city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT t."city" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY ROLLUP (members.city)

SELECT city, plan, count(*) FROM members GROUP BY GROUPING SETS ((city), (plan))
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT t."city" AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members GROUP BY GROUPING SETS (members.city, members.plan)

SELECT count(*) FROM members GROUP BY ()
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1") GROUP BY ()

SELECT city, count(*) FROM members GROUP BY DISTINCT city
----
refuse 0A000 at 54: GROUP BY DISTINCT is not supported on protected tables
hint: Leave out DISTINCT.

SELECT plan, count(*) FROM members GROUP BY city
----
refuse 42803 at 8: column "members.plan" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*) FROM members ORDER BY plan
----
refuse 42803 at 8: column "members.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city FROM members GROUP BY city
----
refuse 42501 at 18: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT city, plan FROM members
----
refuse 42501 at 33: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*) FROM members GROUP BY city HAVING birth_year > 3
----
refuse 42803 at 57: column "members.birth_year" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

SELECT count(*) FROM members ORDER BY city
----
refuse 42803 at 39: column "members.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city, count(*) FROM members GROUP BY city ORDER BY count + 1
----
refuse 42703 at 59: column "count" does not exist
hint: Perhaps you meant to reference the column "members.points". Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT city AS c, count(*) FROM members GROUP BY city ORDER BY c || 'x'
----
refuse 42703 at 64: column "c" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT m.to_jsonb, count(*) FROM members m GROUP BY 1
----
refuse 42703 at 8: column m.to_jsonb does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT m.city.x, count(*) FROM members m GROUP BY 1
----
refuse 42P01 at 8: missing FROM-clause entry for table "city"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT other.public.members.city, count(*) FROM members GROUP BY 1
----
refuse 42P01 at 8: missing FROM-clause entry for table "members"
hint: A count of a protected table cannot refer to columns of an outer query.
