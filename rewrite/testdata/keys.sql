SELECT city AS plan, count(*) FROM members GROUP BY plan, city
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.k2 AS city, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::pg_catalog.text[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city AS town, count(*) FROM members GROUP BY town
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS town, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT plan AS city, count(*) FROM members GROUP BY city, 1
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan AS city, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city, plan, count(*) FROM members GROUP BY (city, plan)
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city, plan, count(*) FROM members GROUP BY (1, (plan))
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city AS x, city AS x, count(*) FROM members GROUP BY x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
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
refuse 0A000 at 39: a protected table cannot be grouped by a value of type text[]
hint: Take a part of it: extract(day FROM ...) of an interval, document ->> 'key' of jsonb, list[1] of an array.

SELECT upper(city), count(*) FROM members GROUP BY upper(city)
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS upper, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT city || 'x' AS z, count(*) FROM members GROUP BY z
----
answer
question: count(*) FROM public.members GROUP BY (city || 'x')
count: SELECT CASE WHEN pg_catalog.octet_length((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text
args: ["65536" "x"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS z, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT city, count(*) FROM members GROUP BY ROW(city)
----
refuse 0A000 at 45: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT city, count(*) FROM members GROUP BY ROLLUP (city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY ROLLUP (members.city)

SELECT city, plan, count(*) FROM members GROUP BY GROUPING SETS ((city), (plan))
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
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
answer
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 0 counts, 0 thresholds
rest: SELECT city FROM pg_catalog.unnest($1::pg_catalog.text[]) members(city)

SELECT DISTINCT city, plan FROM members
----
answer
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT city, plan FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan FROM unnest($1::pg_catalog.text[], $2::varchar[]) u(k1, k2)) members

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

SELECT DISTINCT active FROM members ORDER BY 1
----
answer
count: SELECT t."active" AS k1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT active FROM pg_catalog.unnest($1::boolean[]) members(active) ORDER BY 1

SELECT DISTINCT birth_year FROM members WHERE birth_year IN (1990, 1991)
----
answer
count: SELECT t."birth_year" AS k1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[]) GROUP BY 1
args: ["{\"1990\",\"1991\"}"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.int4[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.int4[]) ORDER BY u.o
args: ["{}" "{\"1990\",\"1991\"}"]
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT birth_year FROM pg_catalog.unnest($1::int[]) members(birth_year)

SELECT DISTINCT city AS town FROM members WHERE city LIKE 'O%' ORDER BY city LIMIT 5
----
answer
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool GROUP BY t."city"
args: ["65536" "O%" "t"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE (((CASE WHEN pg_catalog.octet_length(u.k1::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN u.k1 END)::pg_catalog.text OPERATOR(pg_catalog.~~) $3::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $4::pg_catalog.bool ORDER BY u.o
args: ["{}" "65536" "O%" "t"]
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT city AS town FROM pg_catalog.unnest($1::pg_catalog.text[]) members(city) ORDER BY city LIMIT 5

SELECT DISTINCT city FROM members WHERE birth_year > 1990
----
refuse 42501 at 27: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT city, lower(code) FROM members
----
refuse 42501 at 40: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT 1 FROM members
----
refuse 42501 at 24: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT * FROM members
----
refuse 42501 at 24: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT city, row_number() OVER () FROM members
----
refuse 42501 at 49: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT city FROM members GROUP BY city, plan
----
answer
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT city FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan FROM unnest($1::pg_catalog.text[], $2::varchar[]) u(k1, k2)) members

SELECT count(*) FROM (SELECT DISTINCT city FROM members) AS x
----
refuse 42501 at 49: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city FROM members GROUP BY ROLLUP (city)
----
refuse 42501 at 18: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT DISTINCT city FROM members WHERE city = $1
----
answer
params: [25]
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."city"
args: ["v1"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.=) $2::pg_catalog.text ORDER BY u.o
args: ["{}" "v1"]
charge: 0 counts, 0 thresholds
rest: SELECT DISTINCT city FROM pg_catalog.unnest($2::pg_catalog.text[]) members(city)

SELECT width_bucket(birth_year, ARRAY[1980, 1990.5, 2000]), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN birth_year <= 1979 THEN 0 WHEN birth_year <= 1990 THEN 1 WHEN birth_year <= 1999 THEN 2 WHEN birth_year IS NOT NULL THEN 3 ELSE NULL END
count: SELECT (CASE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN $2::pg_catalog.int4 WHEN t."birth_year" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN $4::pg_catalog.int4 WHEN t."birth_year" OPERATOR(pg_catalog.<=) $5::pg_catalog.int4 THEN $6::pg_catalog.int4 WHEN t."birth_year" IS NOT NULL THEN $7::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1979" "0" "1990" "1" "1999" "2" "3"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT width_bucket(joined, '{2020-01-01,2021-01-01}'::date[]), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN joined < date '2020-01-01' THEN 0 WHEN joined < date '2021-01-01' THEN 1 WHEN joined IS NOT NULL THEN 2 ELSE NULL END
count: SELECT (CASE WHEN t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date THEN $2::pg_catalog.int4 WHEN t."joined" OPERATOR(pg_catalog.<) $3::pg_catalog.date THEN $4::pg_catalog.int4 WHEN t."joined" IS NOT NULL THEN $5::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["2020-01-01" "0" "2021-01-01" "1" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT width_bucket(joined, ARRAY['2020-01-01', '2021-01-01']::date[]), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN joined < date '2020-01-01' THEN 0 WHEN joined < date '2021-01-01' THEN 1 WHEN joined IS NOT NULL THEN 2 ELSE NULL END
count: SELECT (CASE WHEN t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date THEN $2::pg_catalog.int4 WHEN t."joined" OPERATOR(pg_catalog.<) $3::pg_catalog.date THEN $4::pg_catalog.int4 WHEN t."joined" IS NOT NULL THEN $5::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["2020-01-01" "0" "2021-01-01" "1" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT width_bucket(birth_year, ARRAY[1990, 1980]), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this form of width_bucket is not supported on a protected table
hint: Write the thresholds as an array of at most 100 rising constants, such as ARRAY[18, 65].

SELECT width_bucket(birth_year, ARRAY[$1, 1980]), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this form of width_bucket is not supported on a protected table
hint: Write the thresholds as an array of at most 100 rising constants, such as ARRAY[18, 65].

SELECT width_bucket(weight, ARRAY[0.5, 1]), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this form of width_bucket is not supported on a protected table
hint: Write the thresholds as an array of at most 100 rising constants, such as ARRAY[18, 65].

SELECT count(*) FROM members WHERE city SIMILAR TO $1
----
answer
params: [25]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.similar_to_escape($1::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1, (((''::pg_catalog.text OPERATOR(pg_catalog.~) (pg_catalog.similar_to_escape($2::pg_catalog.text::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) (pg_catalog.similar_to_escape($2::pg_catalog.text::pg_catalog.text))::pg_catalog.text)) IS NULL)::pg_catalog.text AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{v1 false 0} {v1 false 0}]
question: count(*) FROM public.members WHERE (city ~ 'UTC')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "UTC" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT SIMILAR TO 'O!_%' ESCAPE '!'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.similar_to_escape($1::pg_catalog.text::pg_catalog.text, $2::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1, (((''::pg_catalog.text OPERATOR(pg_catalog.~) (pg_catalog.similar_to_escape($3::pg_catalog.text::pg_catalog.text, $4::pg_catalog.text::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) (pg_catalog.similar_to_escape($3::pg_catalog.text::pg_catalog.text, $4::pg_catalog.text::pg_catalog.text))::pg_catalog.text)) IS NULL)::pg_catalog.text AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{O!_% false 0} {! false 0} {O!_% false 0} {! false 0}]
question: count(*) FROM public.members WHERE (city !~ 'UTC')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "UTC" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined >= 'Jan 5, 2024' AND seen < '2024-01-05 10:00 PM' AND paid >= '05.01.2024' AND joined <> date '20240105'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($2::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(($3::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c3, pg_catalog.to_jsonb(($4::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{Jan 5, 2024 false 0} {2024-01-05 10:00 PM false 0} {05.01.2024 false 0} {20240105 false 0}]
question: count(*) FROM public.members WHERE (joined <> date '2020-01-01' AND joined >= date '2020-01-01' AND paid >= timestamptz '2020-01-01 00:00:00+00' AND seen < timestamp '2020-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<>) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."paid" OPERATOR(pg_catalog.>=) $3::pg_catalog.timestamptz AND t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp)
args: ["2020-01-01" "2020-01-01" "2020-01-01 00:00:00+00" "2020-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# times that go through the session's zone, as Cube writes them: in UTC they are what they were
SELECT date_trunc('hour', (members.seen::timestamptz AT TIME ZONE 'UTC')) AS hour, count(*) FROM members WHERE seen >= '2020-01-31T00:00:00.000Z'::timestamptz AND seen <= '2020-01-31T23:59:59.999Z'::timestamptz GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($1::pg_catalog.timestamptz::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(($2::pg_catalog.timestamptz::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3, (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($3::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-31 00:00:00+00 false 0} {2020-01-31 23:59:59.999+00 false 0} {UTC false 0}]
question: count(*) FROM public.members WHERE (seen <= timestamp '2020-01-01 00:00:00' AND seen >= timestamp '2020-01-01 00:00:00') GROUP BY date_trunc('hour', seen)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."seen" OPERATOR(pg_catalog.<=) $4::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamp) GROUP BY 1
args: ["hour" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "2020-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS hour, members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT date_trunc('month', (members.joined::timestamptz AT TIME ZONE 'UTC')) AS month, count(*) FROM members WHERE joined >= '2020-01-01T00:00:00.000Z'::timestamptz AND joined <= '2020-02-29T23:59:59.999Z'::timestamptz GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($1::pg_catalog.timestamptz::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(($2::pg_catalog.timestamptz::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3, (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($3::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-01 00:00:00+00 false 0} {2020-02-29 23:59:59.999+00 false 0} {UTC false 0}]
question: count(*) FROM public.members WHERE (joined <= date '2020-01-01' AND joined >= date '2020-01-01') GROUP BY date_trunc('month', joined::timestamp without time zone)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["month" "0001-01-01" "9999-12-31" "2020-01-01" "2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS month, members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT date_trunc('month', (members.joined::timestamptz AT TIME ZONE 'Europe/Rome')) AS month, count(*) FROM members WHERE joined >= '2020-01-01' AND joined < '2020-01-03' GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1, (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($1::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{Europe/Rome false 0}]
question: count(*) FROM public.members WHERE (joined < date '2020-01-03' AND joined >= date '2020-01-01') GROUP BY date_trunc('month', timezone('Europe/Rome', timezone('UTC', joined::timestamp without time zone)))
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, ((pg_catalog.timezone($2::pg_catalog.text, ((pg_catalog.timezone($3::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamptz)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $6::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date) GROUP BY 1
args: ["month" "Europe/Rome" "UTC" "0001-01-01" "9999-12-31" "2020-01-03" "2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS month, members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT seen::timestamptz, count(*) FROM members WHERE seen < '2021-01-01' GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE seen < timestamp '2021-01-01 00:00:00' GROUP BY timezone('UTC', seen)
count: SELECT (pg_catalog.timezone($1::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp))::pg_catalog.timestamptz AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp GROUP BY 1
args: ["UTC" "0001-01-01" "9999-12-31" "2021-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS seen, members."count 1" AS count FROM unnest($1::timestamp with time zone[], $2::bigint[]) members("key 1", "count 1")
