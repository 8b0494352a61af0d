# The names that PostgreSQL gives to columns without AS.
SELECT count(*) || 'x' FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" || 'x' AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT -count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT - members."count 1" AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT + count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT + members."count 1" AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*)::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1"::text AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*)::int::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1"::int::text AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CAST(count(*) AS double precision) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1"::double precision AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (count(*) + 1)::numeric(10,2) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (members."count 1" + 1)::numeric(10, 2) AS "numeric" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT int4(count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT int4(members."count 1") AS int4 FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT abs(count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT abs(members."count 1") AS abs FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT coalesce(count(*), 0) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(members."count 1", 0) AS "coalesce" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT greatest(count(*), 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT GREATEST(members."count 1", 1) AS "greatest" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT least(count(*), 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT LEAST(members."count 1", 1) AS "least" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT nullif(count(*), 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT NULLIF(members."count 1", 1) AS "nullif" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 1 THEN 1 END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 1 THEN 1 END AS "case" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 1 THEN 1 ELSE 2 END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 1 THEN 1 ELSE 2 END AS "case" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN true THEN 1 ELSE count(*) END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN true THEN 1 ELSE members."count 1" END AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 1 THEN city ELSE city END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 1 THEN city ELSE city END AS city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE count(*) WHEN 1 THEN 'a' ELSE city::varchar END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE members."count 1" WHEN 1 THEN 'a' ELSE city::varchar END AS city FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 1 THEN 1 ELSE CASE WHEN true THEN 1 ELSE greatest(1, 2) END END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 1 THEN 1 ELSE CASE WHEN true THEN 1 ELSE GREATEST(1, 2) END END AS "greatest" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT ARRAY[count(*)] FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT ARRAY[members."count 1"] AS "array" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT ARRAY[count(*)]::int[] FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT ARRAY[members."count 1"]::int[] AS "array" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (ARRAY[count(*)])[1] FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (ARRAY[members."count 1"])[1] AS "array" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (ARRAY[count(*), 2])[1:2] FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (ARRAY[members."count 1", 2])[1:2] AS "array" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT ROW(count(*), 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT ROW(members."count 1", 1) AS "row" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (count(*), 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (members."count 1", 1) AS "row" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (ROW(count(*), 1)).f1 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (ROW(members."count 1", 1)).f1 AS f1 FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) > 1 AND true FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" > 1 AND true AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT NOT count(*) > 1 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT NOT members."count 1" > 1 AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) IS NULL FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" IS NULL AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (count(*) > 1) IS TRUE FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" > 1 IS TRUE AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) IN (1, 2) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" IN (1, 2) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) IN (SELECT n FROM mine) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" IN (SELECT n FROM mine) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) = ANY (ARRAY[1, 2]) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" = ANY(ARRAY[1, 2]) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) BETWEEN 1 AND 2 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" BETWEEN 1 AND 2 AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) IS DISTINCT FROM 1 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" IS DISTINCT FROM 1 AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city LIKE count(*)::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city LIKE members."count 1"::text AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT city COLLATE "C" || count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city COLLATE "C" || members."count 1" AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (city || count(*)) COLLATE "C" FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (city || members."count 1") COLLATE "C" AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT extract(epoch FROM now() - count(*) * interval '1 second') > 0 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT extract ('epoch' FROM now() - (members."count 1" * '1 second'::interval)) > 0 AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT substring(city FROM count(*)::int FOR 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT SUBSTRING(city FROM members."count 1"::int FOR 1) AS "substring" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT position('a' IN city || count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT POSITION('a' IN city || members."count 1") AS "position" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT trim(both 'x' FROM city || count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT TRIM (BOTH 'x' FROM city || members."count 1") AS btrim FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT overlay(city placing 'x' FROM count(*)::int) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT overlay(city placing 'x' from members."count 1"::int) AS "overlay" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT to_char(count(*), '999') FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT to_char(members."count 1", '999') AS to_char FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT format('%s', count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT format('%s', members."count 1") AS format FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT pg_catalog.int8(count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.int8(members."count 1") AS int8 FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT EXISTS (SELECT 1 WHERE 1 = 2) = (count(*) > 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT EXISTS (SELECT 1 WHERE 1 = 2) = (members."count 1" > 1) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) + (SELECT 1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" + (SELECT 1) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) > ALL (SELECT n FROM mine) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" > ALL (SELECT n FROM mine) AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT xmlelement(name foo, count(*)) IS DOCUMENT FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT xmlelement(name foo, members."count 1") IS DOCUMENT AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT xmlelement(name foo, count(*))::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT xmlelement(name foo, members."count 1")::text AS "xmlelement" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT xmlforest(count(*) AS x)::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT xmlforest(members."count 1" AS x)::text AS "xmlforest" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT xmlserialize(content xmlelement(name foo, count(*)) AS text) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT xmlserialize(content xmlelement(name foo, members."count 1") AS text) AS "xmlserialize" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT xmlconcat(xmlelement(name foo, count(*)))::text FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT xmlconcat(xmlelement(name foo, members."count 1"))::text AS "xmlconcat" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT now() AT TIME ZONE 'UTC' + count(*) * interval '0' IS NULL FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT now() AT TIME ZONE 'UTC' + (members."count 1" * '0'::interval) IS NULL AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT sum(count(*)) OVER () FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT sum(members."count 1") OVER () AS sum FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(count(*)) OVER () FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT count(members."count 1") OVER () AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT rank() OVER (ORDER BY count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT rank() OVER (ORDER BY members."count 1") AS rank FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) FILTER (WHERE active) FROM members GROUP BY city
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT count(*) OPERATOR(pg_catalog.+) 1 FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" OPERATOR(pg_catalog.+) 1 AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT generate_series(1, least(count(*), 2)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT generate_series(1, LEAST(members."count 1", 2)) AS generate_series FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (SELECT country FROM cities WHERE cities.city = public.members.city), count(*) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT country FROM cities WHERE cities.city = members.city), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT EXISTS (SELECT FROM cities WHERE cities.city = public.members.city), count(*) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT EXISTS (SELECT FROM cities WHERE cities.city = members.city), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT ARRAY(SELECT country FROM cities WHERE cities.city = public.members.city), count(*) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT ARRAY(SELECT country FROM cities WHERE cities.city = members.city), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (SELECT country AS x FROM cities WHERE cities.city = public.members.city), count(*) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT country AS x FROM cities WHERE cities.city = members.city), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (VALUES (public.members.city)), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (VALUES (members.city)), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (SELECT 1 WHERE public.members.city = 'x' UNION SELECT 2 WHERE public.members.city = 'x'), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT 1 WHERE members.city = 'x' UNION SELECT 2 WHERE members.city = 'x'), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (SELECT 1 WHERE public.members.city = 'x')::text, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT 1 WHERE members.city = 'x')::text, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (SELECT coalesce(country) FROM cities WHERE cities.city = public.members.city) || 'x', count(*) FROM members GROUP BY city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT COALESCE(country) FROM cities WHERE cities.city = members.city) || 'x', members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT jsonb_build_object('a', count(*)) -> 'a' FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT jsonb_build_object('a', members."count 1") -> 'a' AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (jsonb_build_object('a', count(*)))['a'] FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (jsonb_build_object('a', members."count 1"))['a'] AS jsonb_build_object FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT current_date - count(*)::int > '2000-01-01' FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (current_date - members."count 1"::int) > '2000-01-01' AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN current_user ELSE current_user END IS NULL FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN current_user ELSE current_user END IS NULL AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN '' ELSE current_schema END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN '' ELSE current_schema END AS "current_schema" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN '' ELSE session_user END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN '' ELSE session_user END AS "session_user" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN '' ELSE user END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN '' ELSE user END AS "user" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN '' ELSE current_catalog END FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN '' ELSE current_catalog END AS "current_catalog" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT CASE WHEN count(*) > 0 THEN null ELSE localtime(0) END IS NULL FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT CASE WHEN members."count 1" > 0 THEN NULL ELSE localtime(0) END IS NULL AS "?column?" FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT U&"public".members.city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members.city AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (public.members.city), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members.city AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT (public.members.city)::varchar, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members.city::varchar AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT coalesce(public.members.city, 'x'), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(members.city, 'x') AS "coalesce", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")
