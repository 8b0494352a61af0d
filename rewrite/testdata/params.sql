SELECT count(*) FROM members WHERE birth_year > $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE $1 < birth_year AND city = $2
----
answer
params: [23 25]
question: count(*) FROM public.members WHERE (birth_year >= 2 AND city = 'v2')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["2" "v2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = $1
----
answer
params: [25]
question: count(*) FROM public.members WHERE plan = 'v1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["v1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan IN ($1, $2)
----
answer
params: [1043 1043]
question: count(*) FROM public.members WHERE plan IN ('v1', 'v2')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"v1\",\"v2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan IN ($1)
----
answer
params: [25]
question: count(*) FROM public.members WHERE plan = 'v1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["v1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IN ($1, 'Oslo')
----
answer
params: [25]
question: count(*) FROM public.members WHERE city IN ('Oslo', 'v1')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"v1\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year IN ($1, 5000000000)
----
answer
params: [20]
question: count(*) FROM public.members WHERE birth_year = 1
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year IN ($1, 2.5)
----
answer
params: [1700]
question: count(*) FROM public.members WHERE birth_year = 1
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year BETWEEN $1 AND $2
----
answer
params: [23 23]
question: count(*) FROM public.members WHERE (birth_year <= 2 AND birth_year >= 1)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 AND t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)
args: ["2" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > $1::int8
----
answer
params: [20]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > CAST($1 AS numeric)
----
answer
params: [1700]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = $1 OR id = $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE (birth_year = 1 OR id = 1)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4 OR t."id" OPERATOR(pg_catalog.=) $2::pg_catalog.int4)
args: ["1" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = $1 OR level = $1 OR points = $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE (birth_year = 1 OR level = 1 OR points = 1)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4 OR t."level" OPERATOR(pg_catalog.=) $2::pg_catalog.int2 OR t."points" OPERATOR(pg_catalog.=) $3::pg_catalog.int8)
args: ["1" "1" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = $1 OR $1 IS NULL
----
answer
params: [23]
question: count(*) FROM public.members WHERE birth_year = 1
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE $1::int IS NULL OR birth_year = $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE birth_year = 1
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ANY ($1)
----
answer
params: [1007]
question: count(*) FROM public.members WHERE birth_year IN (1, 2)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1\",\"2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = ANY ($1) AND city <> ALL ($2)
----
answer
params: [1009 1009]
question: count(*) FROM public.members WHERE (city NOT IN ('1', '2') AND plan IN ('1', '2'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.text[]) AND t."plan" OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[]))
args: ["{\"1\",\"2\"}" "{\"1\",\"2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ANY ($1::int8[])
----
answer
params: [1016]
question: count(*) FROM public.members WHERE birth_year IN (1, 2)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1\",\"2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = ANY (ARRAY[$1, $2]::varchar[])
----
answer
params: [1043 1043]
question: count(*) FROM public.members WHERE plan IN ('v1', 'v2')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"v1\",\"v2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE level = $1 AND points = $2 AND salary = $3 AND score = $4 AND weight = $5 AND active = $6 AND code = $7
----
answer
params: [21 20 1700 701 700 16 1042]
question: count(*) FROM public.members WHERE (active = true AND code = 'v7' AND level = 1 AND points = 2 AND salary = 3 AND score = float8 '4' AND weight = float4 '5')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool AND t."code" OPERATOR(pg_catalog.=) $2::pg_catalog.bpchar AND t."level" OPERATOR(pg_catalog.=) $3::pg_catalog.int2 AND t."points" OPERATOR(pg_catalog.=) $4::pg_catalog.int8 AND t."salary" OPERATOR(pg_catalog.=) $5::pg_catalog.numeric AND t."score" OPERATOR(pg_catalog.=) $6::pg_catalog.float8 AND t."weight" OPERATOR(pg_catalog.=) $7::pg_catalog.float4)
args: ["t" "v7" "1" "2" "3" "4" "5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($8::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined = $1 AND seen = $2 AND paid = $3 AND token = $4
----
answer
params: [1082 1114 1184 2950]
question: count(*) FROM public.members WHERE (joined = date '2020-01-01' AND paid = timestamptz '2020-01-01 00:00:00+00' AND seen = timestamp '2020-01-01 00:00:00' AND token = uuid '00000000-0000-0000-0000-000000000001')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.=) $1::pg_catalog.date AND t."paid" OPERATOR(pg_catalog.=) $2::pg_catalog.timestamptz AND t."seen" OPERATOR(pg_catalog.=) $3::pg_catalog.timestamp AND t."token" OPERATOR(pg_catalog.=) $4::pg_catalog.uuid)
args: ["2020-01-01" "2020-01-01 00:00:00+00" "2020-01-01 00:00:00" "00000000-0000-0000-0000-000000000001"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($5::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active = $1 AND $2
----
answer
params: [16 16]
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS DISTINCT FROM $1
----
answer
params: [25]
question: count(*) FROM public.members WHERE (city <> 'v1' OR city IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."city" IS NULL)
args: ["v1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT city, count(*) FROM members WHERE city = $2 GROUP BY city HAVING count(*) > $1 LIMIT $3
----
answer
params: [0 25 0]
question: count(*) FROM public.members WHERE city = 'v2' GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."city"
args: ["v2"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.=) $2::pg_catalog.text ORDER BY u.o
args: ["{}" "v2"]
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($4::pg_catalog.text[], $5::bigint[]) members(city, "count 1") WHERE members."count 1" > $1 LIMIT $3

SELECT count(*) FILTER (WHERE birth_year > $1) FROM members WHERE points > $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE (birth_year >= 2 AND points >= 2)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4) AS c1 FROM "public"."members" AS t WHERE t."points" OPERATOR(pg_catalog.>=) $2::pg_catalog.int8
args: ["2" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT $1::text AS label, city, count(*) FROM members WHERE city = $1 GROUP BY city
----
answer
params: [25]
question: count(*) FROM public.members WHERE city = 'v1' GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."city"
args: ["v1"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.=) $2::pg_catalog.text ORDER BY u.o
args: ["{}" "v1"]
charge: 1 counts, 0 thresholds
rest: SELECT $1::text AS label, city, members."count 1" AS count FROM unnest($2::pg_catalog.text[], $3::bigint[]) members(city, "count 1")

SELECT city, count(*) FROM members WHERE birth_year > $1 GROUP BY city LIMIT $1
----
refuse 42P08 at 78: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::integer.

SELECT count(*) FROM members WHERE seen >= $1::date
----
answer
params: [1082]
question: count(*) FROM public.members WHERE seen >= timestamp '2020-01-01 00:00:00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp
args: ["2020-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > $0
----
refuse 42P02 at 49: there is no parameter $0

SELECT x.n + $1 FROM (SELECT count(*) AS n FROM members WHERE birth_year > $2) x
----
answer
params: [0 23]
question: count(*) FROM public.members WHERE birth_year >= 3
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["3"]
charge: 1 counts, 0 thresholds
rest: SELECT x.n + $1 FROM (SELECT members."count 1" AS n FROM pg_catalog.unnest($3::bigint[]) members("count 1")) x

# a parameter inside and outside
SELECT $1 + 1, (SELECT count(*) FROM members WHERE points > $1)
----
refuse 42P08 at 8: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::bigint.

SELECT $1::int8 + 1, (SELECT count(*) FROM members WHERE points > $1)
----
answer
params: [20]
question: count(*) FROM public.members WHERE points >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."points" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT $1::int8 + 1, (SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1"))

SELECT city, count(*) + $1 FROM members WHERE birth_year > $1 GROUP BY city
----
refuse 42P08 at 25: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::integer.

SELECT $1 || 'x', (SELECT count(*) FROM members WHERE birth_year > $1)
----
refuse 42P08 at 8: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::integer.

SELECT n FROM mine WHERE n > $1 AND n > (SELECT count(*) FROM members WHERE level > $1)
----
refuse 42P08 at 30: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::smallint.

INSERT INTO mine SELECT city, $1 FROM members WHERE birth_year > $1 GROUP BY city HAVING count(*) > 1
----
refuse 42P08 at 31: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::integer.

SELECT n FROM mine WHERE n > $1::int4 AND n > (SELECT count(*) FROM members WHERE level > $1::int4)
----
answer
params: [23]
question: count(*) FROM public.members WHERE level >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."level" OPERATOR(pg_catalog.>=) $1::pg_catalog.int2
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT n FROM mine WHERE n > $1::int4 AND n > (SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1"))

SELECT count(*) FROM members WHERE birth_year > $1 UNION ALL SELECT count(*) FROM members WHERE id > $1
----
answer
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
question: count(*) FROM public.members WHERE id >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."id" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1") UNION ALL SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > $1 UNION ALL SELECT count(*) FROM members WHERE points > $1
----
refuse 42P08 at 49: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::bigint.
