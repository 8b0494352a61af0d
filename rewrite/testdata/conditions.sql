SELECT count(*) FROM members WHERE city = 'Oslo'
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE 'Oslo' = city
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city <> 'Oslo' AND city != 'Rome'
----
answer
question: count(*) FROM public.members WHERE city NOT IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IN ('Rome', 'Oslo', 'Rome')
----
answer
question: count(*) FROM public.members WHERE city IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IN ('Oslo')
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT IN ('Rome', 'Oslo')
----
answer
question: count(*) FROM public.members WHERE city NOT IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IN ('Rome', NULL)
----
answer
question: count(*) FROM public.members WHERE city = 'Rome'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Rome"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT IN ('Rome', NULL)
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT city IN ('Rome', 'Oslo')
----
answer
question: count(*) FROM public.members WHERE city NOT IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = 'Rome' OR city = 'Oslo' OR city IN ('Bern')
----
answer
question: count(*) FROM public.members WHERE city IN ('Bern', 'Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"Bern\",\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = NULL
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS NULL
----
answer
question: count(*) FROM public.members WHERE city IS NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" IS NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS NOT NULL AND city > 'M'
----
answer
question: count(*) FROM public.members WHERE city > 'M'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.>) $1::pg_catalog.text
args: ["M"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE id IS NULL OR NOT id IS NOT NULL
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS DISTINCT FROM 'Oslo'
----
answer
question: count(*) FROM public.members WHERE (city <> 'Oslo' OR city IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."city" IS NULL)
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS NOT DISTINCT FROM 'Oslo'
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS DISTINCT FROM NULL
----
answer
question: count(*) FROM public.members WHERE city IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS NOT DISTINCT FROM NULL
----
answer
question: count(*) FROM public.members WHERE city IS NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" IS NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS DISTINCT FROM plan
----
answer
question: count(*) FROM public.members WHERE (city <> plan OR city IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) t."plan" OR t."city" IS NULL)
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city IS NOT DISTINCT FROM plan
----
answer
question: count(*) FROM public.members WHERE city = plan
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) t."plan"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = 'gold'
----
answer
question: count(*) FROM public.members WHERE plan = 'gold'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["gold"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = 'gold'::varchar AND plan >= 'a'::text
----
answer
question: count(*) FROM public.members WHERE (plan = 'gold' AND plan >= 'a')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text AND t."plan" OPERATOR(pg_catalog.>=) $2::pg_catalog.text)
args: ["gold" "a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code = 'a'
----
answer
question: count(*) FROM public.members WHERE code = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code = 'a  '
----
answer
question: count(*) FROM public.members WHERE code = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code IN ('a', 'b   ')
----
answer
question: count(*) FROM public.members WHERE code IN ('a', 'b')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.bpchar[])
args: ["{\"a\",\"b\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code < 'b'
----
answer
question: count(*) FROM public.members WHERE code < 'b'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.<) $1::pg_catalog.bpchar
args: ["b"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code = 'a  '::text
----
answer
question: count(*) FROM public.members WHERE code = text 'a  '
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a  "]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE code = 'a  '::bpchar
----
answer
question: count(*) FROM public.members WHERE code = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > 17
----
answer
question: count(*) FROM public.members WHERE birth_year >= 18
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["18"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year >= 18
----
answer
question: count(*) FROM public.members WHERE birth_year >= 18
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["18"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > 17.5
----
answer
question: count(*) FROM public.members WHERE birth_year >= 18
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["18"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year < 18.0
----
answer
question: count(*) FROM public.members WHERE birth_year <= 17
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4
args: ["17"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = 5.5
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year <> 5.5
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = 2000.0
----
answer
question: count(*) FROM public.members WHERE birth_year = 2000
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["2000"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = 007
----
answer
question: count(*) FROM public.members WHERE birth_year = 7
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["7"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ' 0010 '
----
answer
question: count(*) FROM public.members WHERE birth_year = 10
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["10"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > 99999999999
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year < 99999999999
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year <= 2147483647
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > -2147483649
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > 1e3
----
answer
question: count(*) FROM public.members WHERE birth_year >= 1001
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["1001"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = -5 OR birth_year = +5 OR birth_year = - 5::int8
----
answer
question: count(*) FROM public.members WHERE birth_year IN (-5, 5)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"-5\",\"5\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > 1990.5::float8
----
answer
question: count(*) FROM public.members WHERE birth_year >= 1991
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["1991"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year < 'NaN'::float8
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year IN (1990, 1991.0, '1992', 1993.5)
----
answer
question: count(*) FROM public.members WHERE birth_year IN (1990, 1991, 1992)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1990\",\"1991\",\"1992\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year IN (1990, 5000000000)
----
answer
question: count(*) FROM public.members WHERE birth_year = 1990
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1990"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year NOT IN (1, 2)
----
answer
question: count(*) FROM public.members WHERE birth_year NOT IN (1, 2)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.int4[])
args: ["{\"1\",\"2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year BETWEEN 1980 AND 1990
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1990 AND birth_year >= 1980)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 AND t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)
args: ["1990" "1980"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year NOT BETWEEN 1980 AND 1990
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1979 OR birth_year >= 1991)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 OR t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)
args: ["1979" "1991"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year BETWEEN SYMMETRIC 1990 AND 1980
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1990 AND birth_year >= 1980)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 AND t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)
args: ["1990" "1980"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year NOT BETWEEN SYMMETRIC 1990 AND 1980
----
answer
question: count(*) FROM public.members WHERE ((birth_year <= 1979 OR birth_year >= 1991) AND birth_year IS NOT NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 OR t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4) AND t."birth_year" IS NOT NULL)
args: ["1979" "1991"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE 1985 BETWEEN birth_year AND id
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1985 AND id >= 1985)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 AND t."id" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)
args: ["1985" "1985"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year > id
----
answer
question: count(*) FROM public.members WHERE birth_year > id
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>) t."id"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE level < birth_year AND birth_year > level
----
answer
question: count(*) FROM public.members WHERE birth_year > level
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>) t."level"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = birth_year
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year < birth_year
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE level > 3
----
answer
question: count(*) FROM public.members WHERE level >= 4
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."level" OPERATOR(pg_catalog.>=) $1::pg_catalog.int2
args: ["4"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE level > 40000
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE points > 9007199254740993
----
answer
question: count(*) FROM public.members WHERE points >= 9007199254740994
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."points" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8
args: ["9007199254740994"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE points = 9007199254740993.0::float8
----
answer
question: count(*) FROM public.members WHERE points = float8 '9.007199254740992e+15'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."points" OPERATOR(pg_catalog.=) $1::pg_catalog.float8
args: ["9.007199254740992e+15"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE points IN (1, 2.5::float8)
----
answer
question: count(*) FROM public.members WHERE points IN (float8 '1', float8 '2.5')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."points" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.float8[])
args: ["{\"1\",\"2.5\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE salary = 1.50
----
answer
question: count(*) FROM public.members WHERE salary = 1.5
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.=) $1::pg_catalog.numeric
args: ["1.5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE salary = 1.5
----
answer
question: count(*) FROM public.members WHERE salary = 1.5
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.=) $1::pg_catalog.numeric
args: ["1.5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE salary > 1000
----
answer
question: count(*) FROM public.members WHERE salary > 1000
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.>) $1::pg_catalog.numeric
args: ["1000"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE salary = 'NaN'
----
answer
question: count(*) FROM public.members WHERE salary = numeric 'NaN'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.=) $1::pg_catalog.numeric
args: ["NaN"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE salary > birth_year
----
answer
question: count(*) FROM public.members WHERE birth_year < salary
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.<) t."salary"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE ratio <> 0.333
----
answer
question: count(*) FROM public.members WHERE ratio <> 0.333
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."ratio" OPERATOR(pg_catalog.<>) $1::pg_catalog.numeric
args: ["0.333"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE score = 0.1
----
answer
question: count(*) FROM public.members WHERE score = float8 '0.1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."score" OPERATOR(pg_catalog.=) $1::pg_catalog.float8
args: ["0.1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE score > 1
----
answer
question: count(*) FROM public.members WHERE score > float8 '1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."score" OPERATOR(pg_catalog.>) $1::pg_catalog.float8
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE score < 'Infinity'
----
answer
question: count(*) FROM public.members WHERE score < float8 'Infinity'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."score" OPERATOR(pg_catalog.<) $1::pg_catalog.float8
args: ["Infinity"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE score = '-0'
----
answer
question: count(*) FROM public.members WHERE score = float8 '0'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."score" OPERATOR(pg_catalog.=) $1::pg_catalog.float8
args: ["0"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE score = 1e-3::numeric
----
answer
question: count(*) FROM public.members WHERE score = float8 '0.001'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."score" OPERATOR(pg_catalog.=) $1::pg_catalog.float8
args: ["0.001"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE weight = 0.1
----
answer
question: count(*) FROM public.members WHERE weight = float8 '0.1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."weight" OPERATOR(pg_catalog.=) $1::pg_catalog.float8
args: ["0.1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE weight = '0.1'
----
answer
question: count(*) FROM public.members WHERE weight = float4 '0.1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."weight" OPERATOR(pg_catalog.=) $1::pg_catalog.float4
args: ["0.1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE weight IN (0.1, 0.2)
----
answer
question: count(*) FROM public.members WHERE weight IN (float4 '0.1', float4 '0.2')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."weight" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.float4[])
args: ["{\"0.1\",\"0.2\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE weight = 0.1::float4
----
answer
question: count(*) FROM public.members WHERE weight = float4 '0.1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."weight" OPERATOR(pg_catalog.=) $1::pg_catalog.float4
args: ["0.1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE weight > 0.1::float8
----
answer
question: count(*) FROM public.members WHERE weight > float8 '0.1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."weight" OPERATOR(pg_catalog.>) $1::pg_catalog.float8
args: ["0.1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT active
----
answer
question: count(*) FROM public.members WHERE active = false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active = true
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active = 'yes'
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active <> true
----
answer
question: count(*) FROM public.members WHERE active = false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active < true
----
answer
question: count(*) FROM public.members WHERE active = false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active >= false
----
answer
question: count(*) FROM public.members WHERE active IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS TRUE
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS NOT TRUE
----
answer
question: count(*) FROM public.members WHERE (active = false OR active IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool OR t."active" IS NULL)
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS FALSE
----
answer
question: count(*) FROM public.members WHERE active = false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS NOT FALSE
----
answer
question: count(*) FROM public.members WHERE (active = true OR active IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool OR t."active" IS NULL)
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS UNKNOWN
----
answer
question: count(*) FROM public.members WHERE active IS NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" IS NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active IS NOT UNKNOWN
----
answer
question: count(*) FROM public.members WHERE active IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (birth_year > 1990 AND city = 'Oslo') IS NOT TRUE
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1990 OR birth_year IS NULL OR city <> 'Oslo' OR city IS NULL)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 OR t."birth_year" IS NULL OR t."city" OPERATOR(pg_catalog.<>) $2::pg_catalog.text OR t."city" IS NULL)
args: ["1990" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (birth_year > 1990 OR city = 'Oslo') IS UNKNOWN
----
answer
question: count(*) FROM public.members WHERE ((birth_year <= 1990 OR birth_year IS NULL) AND (birth_year >= 1991 OR birth_year IS NULL OR city = 'Oslo' OR city IS NULL) AND (city <> 'Oslo' OR city IS NULL))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 OR t."birth_year" IS NULL) AND (t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4 OR t."birth_year" IS NULL OR t."city" OPERATOR(pg_catalog.=) $3::pg_catalog.text OR t."city" IS NULL) AND (t."city" OPERATOR(pg_catalog.<>) $4::pg_catalog.text OR t."city" IS NULL))
args: ["1990" "1991" "Oslo" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (birth_year > 1990) IS NOT UNKNOWN
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" IS NOT NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT (birth_year > 1990 OR city = 'Oslo')
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1990 AND city <> 'Oslo')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.<>) $2::pg_catalog.text)
args: ["1990" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT (birth_year > 1990 AND NOT (city = 'Oslo' OR plan = 'gold'))
----
answer
question: count(*) FROM public.members WHERE (birth_year <= 1990 OR city = 'Oslo' OR plan = 'gold')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 OR t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text OR t."plan" OPERATOR(pg_catalog.=) $3::pg_catalog.text)
args: ["1990" "Oslo" "gold"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE true
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE false
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NULL
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT NULL
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE active OR true
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE 1 = 1 AND active
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE 'a' = 'b'
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE 2 > 1.5
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined = '2020-01-31'
----
answer
question: count(*) FROM public.members WHERE joined = date '2020-01-31'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.=) $1::pg_catalog.date
args: ["2020-01-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined > date '2020-01-31'
----
answer
question: count(*) FROM public.members WHERE joined > date '2020-01-31'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined >= '2020-01-01' AND joined < '2021-01-01'
----
answer
question: count(*) FROM public.members WHERE (joined < date '2021-01-01' AND joined >= date '2020-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date)
args: ["2021-01-01" "2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined = '2020-01-31 12:00:00'::timestamp
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined > '2020-01-31 12:00:00'::timestamp
----
answer
question: count(*) FROM public.members WHERE joined > date '2020-01-31'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined < timestamp '2020-01-31 00:00:00'
----
answer
question: count(*) FROM public.members WHERE joined < date '2020-01-31'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date
args: ["2020-01-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined < 'infinity'
----
answer
question: count(*) FROM public.members WHERE joined < date 'infinity'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date
args: ["infinity"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen >= '2020-01-31'
----
answer
question: count(*) FROM public.members WHERE seen >= timestamp '2020-01-31 00:00:00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp
args: ["2020-01-31 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen >= date '2020-01-31'
----
answer
question: count(*) FROM public.members WHERE seen >= timestamp '2020-01-31 00:00:00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp
args: ["2020-01-31 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen = '2020-01-31T10:11:12.500'
----
answer
question: count(*) FROM public.members WHERE seen = timestamp '2020-01-31 10:11:12.5'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.=) $1::pg_catalog.timestamp
args: ["2020-01-31 10:11:12.5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen IN ('2020-01-31', date '2020-02-01')
----
answer
question: count(*) FROM public.members WHERE seen IN (timestamp '2020-01-31 00:00:00', timestamp '2020-02-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.timestamp[])
args: ["{\"2020-01-31 00:00:00\",\"2020-02-01 00:00:00\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid > '2020-01-31 10:00:00+02:00'
----
answer
question: count(*) FROM public.members WHERE paid > timestamptz '2020-01-31 08:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.>) $1::pg_catalog.timestamptz
args: ["2020-01-31 08:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid <= '2020-01-31 10:00:00Z'
----
answer
question: count(*) FROM public.members WHERE paid <= timestamptz '2020-01-31 10:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.<=) $1::pg_catalog.timestamptz
args: ["2020-01-31 10:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE token = '{A0EEBC99-9c0b4ef8-bb6d6bb9-bd380a11}'
----
answer
question: count(*) FROM public.members WHERE token = uuid 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."token" OPERATOR(pg_catalog.=) $1::pg_catalog.uuid
args: ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = ANY (ARRAY['Oslo', 'Rome'])
----
answer
question: count(*) FROM public.members WHERE city IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city <> ALL (ARRAY['Oslo', 'Rome'])
----
answer
question: count(*) FROM public.members WHERE city NOT IN ('Oslo', 'Rome')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.<>) ALL ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = ANY ('{Oslo,"Ro me",NULL}')
----
answer
question: count(*) FROM public.members WHERE city IN ('Oslo', 'Ro me')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"Oslo\",\"Ro me\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = ANY ('{}')
----
answer
question: count(*) FROM public.members WHERE false
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE FALSE
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city <> ALL ('{}')
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ANY (ARRAY[1990, 1991]::int8[])
----
answer
question: count(*) FROM public.members WHERE birth_year IN (1990, 1991)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1990\",\"1991\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ANY ('{1990,1991}'::int4[])
----
answer
question: count(*) FROM public.members WHERE birth_year IN (1990, 1991)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1990\",\"1991\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = ANY (ARRAY[1990, 1991.5])
----
answer
question: count(*) FROM public.members WHERE birth_year = 1990
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1990"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE "Odd Name" >= 'b'
----
answer
question: count(*) FROM public.members WHERE "Odd Name" >= 'b'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."Odd Name" OPERATOR(pg_catalog.>=) $1::pg_catalog.text
args: ["b"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = E'O\'slo' OR city = $$x$$ OR city = U&'\00d6'
----
answer
question: count(*) FROM public.members WHERE city IN ('O''slo', 'x', 'Ö')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
args: ["{\"O'slo\",\"x\",\"Ö\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE members.city = 'Oslo' AND public.members.birth_year > 1
----
answer
question: count(*) FROM public.members WHERE (birth_year >= 2 AND city = 'Oslo')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["2" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE OPERATOR(pg_catalog.-) 5 < birth_year
----
answer
question: count(*) FROM public.members WHERE birth_year >= -4
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["-4"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year OPERATOR(pg_catalog.>=) 1990
----
answer
question: count(*) FROM public.members WHERE birth_year >= 1990
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["1990"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
