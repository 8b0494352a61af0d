# Sub-selects of the analyst's own tables yield constants.
SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine WHERE city IS NOT NULL)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine WHERE city IS NOT NULL) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT IN (SELECT m.city FROM mine m WHERE m.n < 5 ORDER BY m.n DESC LIMIT 1)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT m.city FROM mine m WHERE m.n < 5 ORDER BY m.n DESC LIMIT 1) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# A NULL in the list.
SELECT count(*) FROM members WHERE city NOT IN (SELECT city FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT city = ANY (SELECT city FROM mine) OR city <> ALL (SELECT city FROM cities) OR city = ANY (ARRAY(SELECT city FROM mine))
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM cities) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city <> ALL (ARRAY(SELECT city FROM mine))
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# No values.
SELECT plan, count(*) FROM members WHERE city IN (SELECT city FROM mine WHERE false) GROUP BY plan
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine WHERE false) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a' GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY 1
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, count(*) FROM members WHERE city NOT IN (SELECT city FROM mine WHERE false) GROUP BY plan
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine WHERE false) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE false GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE GROUP BY 1
args: []
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.varchar[])) WITH ORDINALITY AS u(k1, o) WHERE FALSE ORDER BY u.o
args: ["{}"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

# The values keep their types.
SELECT count(*) FROM members WHERE id IN (SELECT n FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT n FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE id IN (3, 40)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."id" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"3\",\"40\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE id IN (SELECT n / 2.0 AS n FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT n / 2.0 AS n FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE id IN (3, 40)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."id" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"3\",\"40\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE level = ANY (SELECT n::float8 FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT n::float8 FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: smallint = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE points IN (VALUES (1), (3), (NULL))
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(VALUES (1), (3), (NULL)) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: bigint = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan IN (SELECT 'gold' UNION ALL SELECT city FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT 'gold' UNION ALL SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE plan = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code IN (SELECT left(city, 1)::char(3) FROM mine) OR code IN (SELECT 'a')
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT "left"(city, 1)::char(3) FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT 'a') AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE code = text 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid IN (SELECT '2020-01-31 09:00:00+01'::timestamptz)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT '2020-01-31 09:00:00+01'::timestamptz) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: timestamp with time zone = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined IN (SELECT ('2020-01-' || n)::date FROM mine WHERE n < 30) OR joined IN (SELECT 'infinity'::date)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT ('2020-01-' || n)::date FROM mine WHERE n < 30) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT 'infinity'::date) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: date = bigint
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IN (SELECT n > 4 FROM mine) OR token IN (SELECT '00000000-0000-0000-0000-000000000001'::uuid)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT n > 4 FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT '00000000-0000-0000-0000-000000000001'::uuid) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: boolean = bigint
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE ratio IN (SELECT 'NaN'::numeric) OR score IN (SELECT 'NaN'::float8 UNION SELECT 0.1) OR weight IN (SELECT 0.1::float4)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT 'NaN'::numeric) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT 'NaN'::float8 UNION SELECT 0.1) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT (0.1)::float4) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: numeric = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# One value.
SELECT count(*) FROM members WHERE birth_year > (SELECT max(n) FROM mine) AND (SELECT 2000 + min(n) AS n FROM mine) >= birth_year
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT max(n) FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT 2000 + min(n) AS n FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: integer > text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined > (SELECT max('2020-01-01'::date + n::int) FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT max('2020-01-01'::date + n::int) FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: date > text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = (SELECT city FROM mine WHERE n = 4)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT city FROM mine WHERE n = 4)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: text = bigint
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year BETWEEN (SELECT min(n) FROM mine) AND (SELECT max(50 * n) AS n FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT min(n) FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT max(50 * n) AS n FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: integer >= text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# With a cast it is a constant like any other.
SELECT count(*) FROM members WHERE round(ratio) = round((SELECT min(n) / 2.0 AS n FROM mine)::numeric) OR joined < (SELECT min('2020-01-01'::date + n::int) FROM mine)::timestamp + interval '1 day'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT min(n) / 2.0 AS n FROM mine)::pg_catalog.numeric) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(pg_catalog.round(((SELECT min(n) / 2.0 AS n FROM mine)::pg_catalog.numeric)::pg_catalog.numeric)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb((SELECT min('2020-01-01'::date + n::int) FROM mine)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3, pg_catalog.to_jsonb((((SELECT min('2020-01-01'::date + n::int) FROM mine)::pg_catalog.timestamp)::pg_catalog.timestamp OPERATOR(pg_catalog.+) $1::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{1 day false 0}]
question: count(*) FROM public.members WHERE (joined < date '2020-01-01' OR round(ratio) = 2)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date OR (pg_catalog.round((CASE WHEN (t."ratio" OPERATOR(pg_catalog.>=) $2::pg_catalog.numeric AND t."ratio" OPERATOR(pg_catalog.<=) $3::pg_catalog.numeric OR t."ratio" OPERATOR(pg_catalog.>=) $4::pg_catalog.numeric AND t."ratio" OPERATOR(pg_catalog.<=) $5::pg_catalog.numeric OR t."ratio" OPERATOR(pg_catalog.=) $6::pg_catalog.numeric) THEN t."ratio" END)::pg_catalog.numeric))::pg_catalog.numeric OPERATOR(pg_catalog.=) $7::pg_catalog.numeric)
args: ["2020-01-01" "1e-100" "1e100" "-1e100" "-1e-100" "0" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = (SELECT '%s' || min(city) AS s FROM mine) OR city IN (SELECT '%d')
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT '%s' || min(city) AS s FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT '%d') AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 0A000 at 0: a sub-select in a condition on a protected table yields arrays, or more than 10000 values or 1048576 bytes
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# In keys, counts, sub-selects that keep rows, with WITH queries of its own, with parameters elsewhere.
SELECT city IN (SELECT city FROM mine WHERE n > 2 AND city IS NOT NULL) AS target, count(*) FROM members GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine WHERE n > 2 AND city IS NOT NULL) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: text = bigint
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."key 1" AS target, members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members("key 1", "count 1")

SELECT count(*) FILTER (WHERE city IN (SELECT city FROM mine)), sum(CASE WHEN birth_year > (SELECT min(n) FROM mine) THEN 1 ELSE 0 END) FROM members
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT min(n) FROM mine)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: integer > text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

WITH m AS (SELECT plan FROM members WHERE city IN (SELECT city FROM mine)) SELECT plan, count(*) FROM m GROUP BY plan
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a' GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY 1
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, m."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) m

WITH m AS (SELECT plan FROM members WHERE city IN (SELECT cities.city FROM mine JOIN cities USING (city))) SELECT plan, count(*) FROM m GROUP BY plan
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT cities.city FROM mine JOIN public.cities USING (city)) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a' GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY 1
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, m."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) m

SELECT plan, count(*) FROM (SELECT plan FROM members WHERE city IN (SELECT city FROM mine)) m GROUP BY plan
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a' GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY 1
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, m."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) m

SELECT count(*) FROM members WHERE city IN (WITH w AS (SELECT city FROM mine) SELECT city FROM w) AND birth_year > $1
----
answer
params: [23]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(WITH w AS (SELECT city FROM mine) SELECT city FROM w) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE (birth_year >= 2 AND city = 'a')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["2" "a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT city, n, (SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine)) AS members FROM mine
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT city, n, (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) AS members FROM mine

INSERT INTO mine (n) SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM mine) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: INSERT INTO mine (n) SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# Refused: protected rows, names of WITH queries around, parameters, columns of the protected table, other forms.
SELECT count(*) FROM members WHERE city IN (SELECT city FROM logins)
----
refuse 0A000 at 62: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM logins GROUP BY city)
----
refuse 0A000 at 62: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine WHERE n > (SELECT count(*) FROM logins))
----
refuse 0A000 at 99: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM public.adults)
----
refuse 42501 at 1: relation public.adults belongs to a protected table and cannot be used
hint: Ask for counts of the protected table itself.

WITH m AS (SELECT city FROM mine) SELECT count(*) FROM members WHERE city IN (SELECT city FROM m)
----
refuse 0A000 at 96: a sub-select in a condition on a protected table cannot read the WITH query m around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH m AS (SELECT plan FROM members WHERE city IN (SELECT city FROM mine)), mine AS (SELECT 'Oslo'::text AS city) SELECT plan, count(*) FROM m, mine GROUP BY plan
----
refuse 0A000 at 69: a sub-select in a condition on a protected table cannot read the WITH query mine around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH mine AS (SELECT 'Oslo'::text AS city), m AS (SELECT plan FROM members WHERE city IN (SELECT city FROM mine)) SELECT plan, count(*) FROM m GROUP BY plan
----
refuse 0A000 at 108: a sub-select in a condition on a protected table cannot read the WITH query mine around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH m AS (SELECT plan FROM members WHERE city IN (SELECT city FROM mine)) SELECT plan, count(*), (WITH mine AS (SELECT 'Bern'::text AS city) SELECT count(*) FROM m) FROM m GROUP BY plan
----
refuse 0A000 at 69: a sub-select in a condition on a protected table cannot read the WITH query mine around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH m AS (SELECT plan FROM members WHERE city IN (SELECT city FROM logins)) SELECT plan, count(*) FROM m GROUP BY plan
----
refuse 0A000 at 69: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

WITH logins AS (SELECT city FROM mine) SELECT count(*) FROM members WHERE city IN (SELECT city FROM logins)
----
refuse 0A000 at 101: a sub-select in a condition on a protected table cannot read the WITH query logins around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH logins AS (SELECT city FROM mine) SELECT city IN (SELECT city FROM logins), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 73: a sub-select in a condition on a protected table cannot read the WITH query logins around it
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

WITH logins AS (SELECT city FROM members) SELECT count(*) FROM logins WHERE city IN (SELECT city FROM logins)
----
refuse 0A000 at 34: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine WHERE n > $1)
----
refuse 0A000 at 77: a parameter in a sub-select in a condition on a protected table is not supported
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE city IN (SELECT m.city FROM mine m WHERE m.n = members.birth_year)
----
refuse 0A000 at 83: a sub-select in a condition on a protected table cannot refer to its columns
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members m WHERE city IN (SELECT x.city FROM mine x WHERE x.n = m.birth_year)
----
refuse 0A000 at 85: a sub-select in a condition on a protected table cannot refer to its columns
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE lower(city) = lower((SELECT min(city) FROM mine)::text)
----
refuse 0A000 at 56: casting a sub-select to text is not supported in a condition on a protected table; compare it as it is
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE EXISTS (SELECT 1 FROM mine)
----
refuse 0A000 at 36: this use of a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE birth_year > ALL (SELECT n FROM mine)
----
refuse 0A000 at 47: this use of a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE (city, plan) IN (SELECT city, 'gold' FROM mine)
----
refuse 0A000 at 36: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FROM members WHERE 'Oslo' IN (SELECT city FROM mine)
----
refuse 0A000 at 43: a comparison of a constant with a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE birth_year + (SELECT 1) > 3
----
refuse 0A000 at 49: sub-selects are not supported in a condition on a protected table
hint: Write the values as a list, or by IN with a sub-select of your own table, or join with a public table along a unique key of it.

SELECT count(*) FROM members WHERE city IN (SELECT analyst FROM tacit.history)
----
refuse 0A000 at 41: a report of the proxy cannot be read in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM mine) AND 1 = (SELECT 1)
----
refuse 0A000 at 76: a comparison of a constant with a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE city IS NOT DISTINCT FROM (SELECT min(city) FROM mine)
----
refuse 0A000 at 36: this expression is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.
