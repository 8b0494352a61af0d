SELECT count(*) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT COUNT ( * ) AS "How Many" FROM public . members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS "How Many" FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT plan, count(*) FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT code, salary, count(*) FROM members GROUP BY code, salary
----
answer
question: count(*) FROM public.members GROUP BY code, salary
count: SELECT (t."code")::pg_catalog.text AS k1, pg_catalog.trim_scale(t."salary") AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: []
charge: 1 counts, 1 thresholds
rest: SELECT code, salary, members."count 1" AS count FROM (SELECT u.k1::char(3) AS code, u.k2::numeric(10, 2) AS salary, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::numeric[], $3::bigint[]) u(k1, k2, c1)) members

SELECT "Odd Name", count(*) FROM members GROUP BY "Odd Name"
----
answer
question: count(*) FROM public.members GROUP BY "Odd Name"
count: SELECT CASE WHEN pg_catalog.octet_length((t."Odd Name" COLLATE pg_catalog."C")) OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((t."Odd Name" COLLATE pg_catalog."C")), 65537)) ELSE (t."Odd Name" COLLATE pg_catalog."C") END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (t."Odd Name" COLLATE pg_catalog."C")
args: []
charge: 1 counts, 1 thresholds
rest: SELECT "Odd Name", members."count 1" AS count FROM (SELECT u.k1 COLLATE pg_catalog."C" AS "Odd Name", u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) u(k1, c1)) members

SELECT ratio, score, weight, count(*) FROM members GROUP BY 1, 2, 3
----
answer
question: count(*) FROM public.members GROUP BY ratio, score, weight
count: SELECT pg_catalog.trim_scale(t."ratio") AS k1, (t."score" OPERATOR(pg_catalog.+) '0'::pg_catalog.float8) AS k2, (t."weight" OPERATOR(pg_catalog.+) '0'::pg_catalog.float4) AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2, 3
args: []
charge: 1 counts, 1 thresholds
rest: SELECT ratio, score, weight, members."count 1" AS count FROM unnest($1::numeric[], $2::double precision[], $3::real[], $4::bigint[]) members(ratio, score, weight, "count 1")

SELECT joined, seen, paid, token, active, level, points, count(*) FROM members GROUP BY 1, 2, 3, 4, 5, 6, 7
----
answer
question: count(*) FROM public.members GROUP BY active, joined, level, paid, points, seen, token
count: SELECT t."active" AS k1, t."joined" AS k2, t."level" AS k3, t."paid" AS k4, t."points" AS k5, t."seen" AS k6, t."token" AS k7, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2, 3, 4, 5, 6, 7
args: []
charge: 1 counts, 1 thresholds
rest: SELECT joined, seen, paid, token, active, level, points, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::timestamp[], $3::timestamp with time zone[], $4::pg_catalog.uuid[], $5::boolean[], $6::smallint[], $7::bigint[], $8::bigint[]) members(joined, seen, paid, token, active, level, points, "count 1")

SELECT m.city AS town, count(*) AS n, count(salary), count(m.id), count(*) FILTER (WHERE active) AS act FROM public.members m GROUP BY m.city ORDER BY n DESC, town
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE salary IS NOT NULL) FROM public.members GROUP BY city
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."salary" IS NOT NULL) AS c2, pg_catalog.count(*) AS c3, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c4 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 3 counts, 0 thresholds
rest: SELECT m.city AS town, m."count 1" AS n, m."count 2" AS count, m."count 3" AS count, m."count 4" AS act FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) m(city, "count 1", "count 2", "count 3", "count 4") ORDER BY n DESC, town

SELECT public.members.city, count(public.members.salary) FROM members GROUP BY members.city ORDER BY public.members.city
----
answer
question: count(*) FILTER (WHERE salary IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE t."salary" IS NOT NULL) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members.city AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY members.city

SELECT pg_catalog.count(*), "count"(city), count(ALL city) FROM members
----
answer
question: count(*) FROM public.members
question: count(*) FROM public.members WHERE city IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."city" IS NOT NULL) AS c2 FROM "public"."members" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS count, members."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(city) FILTER (WHERE plan = 'gold' AND level > 1) FROM members
----
answer
question: count(*) FROM public.members WHERE (city IS NOT NULL AND level >= 2 AND plan = 'gold')
count: SELECT pg_catalog.count(*) FILTER (WHERE (t."city" IS NOT NULL AND t."level" OPERATOR(pg_catalog.>=) $1::pg_catalog.int2 AND t."plan" OPERATOR(pg_catalog.=) $2::pg_catalog.text)) AS c1 FROM "public"."members" AS t
args: ["2" "gold"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT city, count(*) FROM members GROUP BY city HAVING count(*) > 5 AND count(salary) > 0 ORDER BY 2 DESC, 1 LIMIT 3 OFFSET 1
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE salary IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."salary" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 2 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) members(city, "count 1", "count 2") WHERE members."count 1" > 5 AND members."count 2" > 0 ORDER BY 2 DESC, 1 LIMIT 3 OFFSET 1

SELECT city FROM members GROUP BY city HAVING count(*) > 20
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE members."count 1" > 20

SELECT city FROM members GROUP BY city ORDER BY count(*) DESC, city NULLS FIRST
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY members."count 1" DESC, city NULLS FIRST

SELECT count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT 1 AS one, 'x'::text FROM members HAVING count(*) > 0
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT 1 AS one, 'x'::text FROM pg_catalog.unnest($1::bigint[]) members("count 1") WHERE members."count 1" > 0

SELECT DISTINCT plan, count(*) > 10 FROM members GROUP BY city, plan
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT DISTINCT plan, members."count 1" > 10 AS "?column?" FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members

SELECT DISTINCT ON (plan) plan, city, count(*) FROM members GROUP BY city, plan ORDER BY plan, count(*) DESC, city
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT DISTINCT ON (plan) plan, city, members."count 1" AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members ORDER BY plan, members."count 1" DESC, city

SELECT plan, count(*), 100.0 * count(*) / sum(count(*)) OVER () AS percent FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, (100.0 * members."count 1") / sum(members."count 1") OVER () AS percent FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, city, count(*), rank() OVER (PARTITION BY plan ORDER BY count(*) DESC, city), count(*) OVER () AS groups FROM members GROUP BY plan, city
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, city, members."count 1" AS count, rank() OVER (PARTITION BY plan ORDER BY members."count 1" DESC, city) AS rank, count(*) OVER () AS groups FROM (SELECT u.k1::varchar(10) AS plan, u.k2 AS city, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::pg_catalog.text[], $3::bigint[]) u(k1, k2, c1)) members

SELECT city, sum(count(*)) OVER w, row_number() OVER w FROM members GROUP BY city WINDOW w AS (ORDER BY count(*), city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, sum(members."count 1") OVER w AS sum, row_number() OVER w FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WINDOW w AS (ORDER BY members."count 1", city)

SELECT upper(city) || '!' AS loud, coalesce(city, 'none'), count(*)::int, count(*)::numeric(10,1), (count(*) + 1) * 2, -count(*), CASE WHEN count(*) > 10 THEN 'many' END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT upper(city) || '!' AS loud, COALESCE(city, 'none'), members."count 1"::int AS count, members."count 1"::numeric(10, 1) AS count, (members."count 1" + 1) * 2 AS "?column?", - members."count 1" AS "?column?", CASE WHEN members."count 1" > 10 THEN 'many' END AS "case" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) + count(salary), greatest(count(*), 3), nullif(count(*), 0), ARRAY[count(*)], ROW(count(*), city), count(*) IS NULL, NOT count(*) > 3, count(*) BETWEEN 1 AND 9, count(*) IN (1, 2) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE salary IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."salary" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" + members."count 2" AS "?column?", GREATEST(members."count 1", 3) AS "greatest", NULLIF(members."count 1", 0) AS "nullif", ARRAY[members."count 1"] AS "array", ROW(members."count 1", city) AS "row", members."count 1" IS NULL AS "?column?", NOT members."count 1" > 3 AS "?column?", members."count 1" BETWEEN 1 AND 9 AS "?column?", members."count 1" IN (1, 2) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) members(city, "count 1", "count 2")

SELECT generate_series(1, 2), count(*) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT generate_series(1, 2), members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT city, count(*), (SELECT country FROM cities WHERE cities.city = members.city LIMIT 1) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, (SELECT country FROM cities WHERE cities.city = members.city LIMIT 1) FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*), (SELECT max(n) FROM mine) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, (SELECT max(n) FROM mine) FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*)::float8 / (SELECT count(*) FROM members) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT city, members."count 1"::float8 / (SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT m.city, count(*) FROM members AS m WHERE m.active GROUP BY m.city ORDER BY m.city COLLATE "C"
----
answer
question: count(*) FROM public.members WHERE active = true GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY t."city"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT m.city, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1") ORDER BY m.city COLLATE "C"

SELECT id, count(*) FROM members GROUP BY id, id HAVING id < 4
----
answer
question: count(*) FROM public.members GROUP BY id
count: SELECT t."id" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT id, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members(id, "count 1") WHERE id < 4

SELECT count(*), count(*), count(*) FILTER (WHERE true) FROM members
----
answer
question: count(*) FROM public.members
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 1" AS count, members."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(*) FROM members LIMIT ALL
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1") LIMIT ALL

SELECT city, count(*) FROM members GROUP BY city ORDER BY count(*) DESC, city FETCH FIRST 2 ROWS WITH TIES
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY members."count 1" DESC, city FETCH FIRST 2 ROWS WITH TIES

SELECT city AS "count", count(*) AS city FROM members GROUP BY city ORDER BY "count", city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS count, members."count 1" AS city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY count, city

SELECT active, count(*) FROM members GROUP BY active HAVING active ORDER BY active
----
answer
question: count(*) FROM public.members GROUP BY active
count: SELECT t."active" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT active, members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members(active, "count 1") WHERE active ORDER BY active

SELECT extract(year FROM joined) AS y, count(*) FROM members GROUP BY joined
----
answer
question: count(*) FROM public.members GROUP BY joined
count: SELECT t."joined" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT extract ('year' FROM joined) AS y, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members(joined, "count 1")

SELECT count(*) n FROM members WHERE 1 = 0
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS n FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT city, count(*) FROM members WHERE 1 = 0 GROUP BY city
----
answer
question: count(*) FROM public.members WHERE false GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE GROUP BY t."city"
args: []
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE FALSE ORDER BY u.o
args: ["{}"]
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*) FILTER (WHERE city = 'Oslo') OVER (), sum(count(*)) FILTER (WHERE city > 'O') OVER (ORDER BY city NULLS FIRST) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, count(*) FILTER (WHERE city = 'Oslo') OVER (), sum(members."count 1") FILTER (WHERE city > 'O') OVER (ORDER BY city NULLS FIRST) AS sum FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, count(*), lag(count(*), 1, 0::bigint) OVER w, first_value(city) OVER (PARTITION BY count(*) > 20 ORDER BY city) FROM members GROUP BY city WINDOW w AS (ORDER BY city DESC)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, lag(members."count 1", 1, 0::bigint) OVER w AS lag, first_value(city) OVER (PARTITION BY members."count 1" > 20 ORDER BY city) AS first_value FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WINDOW w AS (ORDER BY city DESC)

SELECT city, count(*) AS n, ntile(2) OVER (ORDER BY count(*), city) FROM members GROUP BY city ORDER BY sum(count(*)) OVER (ORDER BY city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS n, ntile(2) OVER (ORDER BY members."count 1", city) AS ntile FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY sum(members."count 1") OVER (ORDER BY city)

SELECT city IN ('Oslo', 'Rome') AS nordic, count(*) FROM members GROUP BY city HAVING count(*) FILTER (WHERE active) >= count(*) FILTER (WHERE NOT active) OR city IS NULL
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active = false) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c2, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool) AS c3 FROM "public"."members" AS t GROUP BY t."city"
args: ["t" "f"]
charge: 3 counts, 0 thresholds
rest: SELECT city IN ('Oslo', 'Rome') AS nordic, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "count 2", "count 3") WHERE members."count 2" >= members."count 3" OR city IS NULL

SELECT city, count(*) FROM members GROUP BY city HAVING city IN (SELECT city FROM cities) AND count(*) > (SELECT min(n) FROM mine)
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") WHERE city IN (SELECT city FROM cities) AND members."count 1" > (SELECT min(n) FROM mine)

SELECT city, count(*) FROM members GROUP BY city ORDER BY CASE WHEN city = 'Oslo' THEN 0 ELSE 1 END, city DESC NULLS LAST LIMIT 2
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY CASE WHEN city = 'Oslo' THEN 0 ELSE 1 END, city DESC NULLS LAST LIMIT 2

SELECT 'Oslo' = city, count(*) * 2 AS "count 1" FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT 'Oslo' = city, members."count 1" * 2 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city, plan, count(*) FROM members WHERE plan <> 'a' GROUP BY plan, city ORDER BY plan, city
----
answer
question: count(*) FROM public.members WHERE plan <> 'a' GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.<>) $1::pg_catalog.text GROUP BY t."city", 2
args: ["a"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.varchar[])) WITH ORDINALITY AS u(k1, k2, o) WHERE u.k2 OPERATOR(pg_catalog.<>) $3::pg_catalog.text ORDER BY u.o
args: ["{}" "{}" "a"]
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.k2 AS city, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::pg_catalog.text[], $3::bigint[]) u(k1, k2, c1)) members ORDER BY plan, city

SELECT lower(plan), length(plan), count(*) FROM members GROUP BY plan
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT lower(plan), length(plan), members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT salary * 2, salary, round(salary), count(*) FROM members GROUP BY salary
----
answer
question: count(*) FROM public.members GROUP BY salary
count: SELECT pg_catalog.trim_scale(t."salary") AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT salary * 2, salary, round(salary), members."count 1" AS count FROM (SELECT u.k1::numeric(10, 2) AS salary, u.c1 AS "count 1" FROM unnest($1::numeric[], $2::bigint[]) u(k1, c1)) members

SELECT code || '|', code = 'a', length(code), count(*) FROM members GROUP BY code
----
answer
question: count(*) FROM public.members GROUP BY code
count: SELECT (t."code")::pg_catalog.text AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT code || '|', code = 'a', length(code), members."count 1" AS count FROM (SELECT u.k1::char(3) AS code, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) u(k1, c1)) members

# a key that is not listed
SELECT count(login_id), count(public.logins.login_id), count(login_id) FILTER (WHERE city = 'Oslo') FROM logins
----
answer
question: count(*) FROM public.logins
question: count(*) FROM public.logins
question: count(*) FROM public.logins WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c3 FROM "public"."logins" AS t
args: ["Oslo"]
charge: 2 counts, 0 thresholds
rest: SELECT logins."count 1" AS count, logins."count 2" AS count, logins."count 3" AS count FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) logins("count 1", "count 2", "count 3")

SELECT count(l.login_id) AS n, l.device FROM logins AS l GROUP BY l.device
----
answer
question: count(*) FROM public.logins GROUP BY device
count: SELECT CASE WHEN pg_catalog.octet_length(t."device") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."device"), 65537)) ELSE t."device" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."logins" AS t GROUP BY t."device"
args: []
charge: 1 counts, 1 thresholds
rest: SELECT l."count 1" AS n, l.device FROM unnest($1::pg_catalog.text[], $2::bigint[]) l(device, "count 1")

SELECT count(DISTINCT login_id) FROM logins
----
refuse 42501 at 23: column "login_id" of protected table logins cannot be used
hint: Usable columns are device, city.

SELECT count(member_id) FROM logins
----
refuse 42501 at 14: column "member_id" of protected table logins cannot be used
hint: Usable columns are device, city.

SELECT count(login_id + 1) FROM logins
----
refuse 42501 at 14: column "login_id" of protected table logins cannot be used
hint: Usable columns are device, city.

SELECT count(login_id) FROM logins WHERE login_id > 3
----
refuse 42501 at 42: column "login_id" of protected table logins cannot be used
hint: Usable columns are device, city.
