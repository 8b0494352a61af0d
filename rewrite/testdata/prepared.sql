PREPARE q AS SELECT plan, count(*) FROM members WHERE birth_year > $1 GROUP BY plan
----
answer prepare "q"
params: [23]
question: count(*) FROM public.members WHERE birth_year >= 2 GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY 1
args: ["2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int, varchar[], bigint[]) AS SELECT plan, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($2::varchar[], $3::bigint[]) u(k1, c1)) members

PREPARE q (int8, text) AS SELECT city, count(*) FROM members WHERE birth_year > $1 AND city <> $2 GROUP BY city
----
answer prepare "q"
params: [20 25]
question: count(*) FROM public.members WHERE (birth_year >= 2 AND city <> 'v2') GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.<>) $2::pg_catalog.text) GROUP BY t."city"
args: ["2" "v2"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.<>) $2::pg_catalog.text ORDER BY u.o
args: ["{}" "v2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int8, text, pg_catalog.text[], bigint[]) AS SELECT city, members."count 1" AS count FROM unnest($3::pg_catalog.text[], $4::bigint[]) members(city, "count 1")

PREPARE q (int) AS SELECT city, count(*) FROM members WHERE birth_year > $1 AND code = $2 GROUP BY city LIMIT $3
----
answer prepare "q"
params: [23 1042 0]
question: count(*) FROM public.members WHERE (birth_year >= 2 AND code = 'v2') GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."code" OPERATOR(pg_catalog.=) $2::pg_catalog.bpchar) GROUP BY t."city"
args: ["2" "v2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int, bpchar, unknown, pg_catalog.text[], bigint[]) AS SELECT city, members."count 1" AS count FROM unnest($4::pg_catalog.text[], $5::bigint[]) members(city, "count 1") LIMIT $3

PREPARE q (unknown, varchar(5)) AS SELECT count(*) FROM members WHERE birth_year > $1 AND city = $2
----
answer prepare "q"
params: [23 1043]
question: count(*) FROM public.members WHERE (birth_year >= 2 AND city = 'v2')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["2" "v2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int, varchar(5), bigint[]) AS SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

PREPARE q (text) AS SELECT count(*) FROM members WHERE birth_year > $1
----
refuse 42883 at 67: operator does not exist: integer > text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

PREPARE q (mytype) AS SELECT count(*) FROM members WHERE birth_year > $1
----
refuse 42883 at 69: operator does not exist: integer > type 2276
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

PREPARE q (int[]) AS SELECT count(*) FROM members WHERE birth_year = ANY ($1)
----
answer prepare "q"
params: [1007]
question: count(*) FROM public.members WHERE birth_year IN (1, 2)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.int4[])
args: ["{\"1\",\"2\"}"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int[], bigint[]) AS SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

PREPARE q AS INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city
----
answer prepare "q"
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: PREPARE q(pg_catalog.text[], bigint[]) AS INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

PREPARE q AS SELECT * FROM members
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

PREPARE q AS SELECT 1
----
relay

EXECUTE q
----
execute "q" []
rest: EXECUTE q('{1}')

EXECUTE q(18, 'x', -5, 1.5, true, NULL, '2020-01-01'::date, - 3::int8)
----
execute "q" [{18 false 23} {x false 0} {-5 false 23} {1.5 false 1700} {true false 16} { true 0} {2020-01-01 false 1082} {-3 false 20}]
rest: EXECUTE q(18, 'x', -5, 1.5, true, NULL, '2020-01-01'::date, - 3::int8, '{1}')

EXECUTE q(1 + 1)
----
execute "q" []
refuse 0A000 at 13: argument 1 of EXECUTE of a prepared statement about a protected table is not a constant
hint: Write the value itself.

EXECUTE q((SELECT 1))
----
execute "q" []
refuse 0A000 at 11: argument 1 of EXECUTE of a prepared statement about a protected table is not a constant
hint: Write the value itself.

EXECUTE q(now())
----
execute "q" []
refuse 0A000 at 11: argument 1 of EXECUTE of a prepared statement about a protected table is not a constant
hint: Write the value itself.

EXECUTE "Q"('it''s', E'back\\slash')
----
execute "Q" [{it's false 0} {back\slash false 0}]
rest: EXECUTE "Q"('it''s', E'back\\slash', '{1}')

CREATE TEMP TABLE t AS EXECUTE q(1)
----
execute "q" [{1 false 23}]
rest: CREATE TEMPORARY TABLE t AS EXECUTE q(1, '{1}')

EXPLAIN EXECUTE q(1)
----
execute "q" [{1 false 23}]
explain json=false

EXECUTE q; SELECT 1
----
sketch of a script
execute "q"

SELECT 1; EXECUTE q(5)
----
sketch of a script
execute "q"

PREPARE q (int8) AS SELECT count(*) + $1 FROM members WHERE birth_year > $1
----
answer prepare "q"
params: [20]
question: count(*) FROM public.members WHERE birth_year >= 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4
args: ["2"]
charge: 1 counts, 0 thresholds
rest: PREPARE q(int8, bigint[]) AS SELECT members."count 1" + $1 AS "?column?" FROM pg_catalog.unnest($2::bigint[]) members("count 1")

PREPARE q AS SELECT count(*) + $1 FROM members WHERE birth_year > $1
----
refuse 42P08 at 32: could not determine the data type of parameter $1, which stands inside and outside of a condition on a protected table
hint: Cast it wherever it stands: $1::integer.

EXECUTE q(n / w())
----
execute "q" []
refuse 0A000 at 13: argument 1 of EXECUTE of a prepared statement about a protected table is not a constant
hint: Write the value itself.

EXECUTE q(a.n + 1)
----
execute "q" []
refuse 0A000 at 15: argument 1 of EXECUTE of a prepared statement about a protected table is not a constant
hint: Write the value itself.
