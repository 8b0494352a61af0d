# What each person has in a table makes one row for each, and these are counted.
SELECT n, count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY n
----
answer
question: count(*) FROM (public.visits PER member_id) GROUP BY count(*) OF (public.visits PER member_id)
count: SELECT t."value 1" AS k1, pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT n, t."count 1" AS count FROM unnest($1::bigint[], $2::bigint[]) t(n, "count 1")

SELECT LEAST(n, 10) AS visits, count(*) AS persons FROM (SELECT member_id, count(*) AS n FROM visits WHERE house = 'red' GROUP BY 1 HAVING count(*) > 1 AND bool_or(stars = 5)) AS t GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM (public.visits PER member_id WHERE house = 'red') WHERE (bool_or(CASE WHEN stars = 5 THEN true WHEN stars <> 5 THEN false END) OF (public.visits PER member_id WHERE house = 'red') = true AND count(*) OF (public.visits PER member_id WHERE house = 'red') >= 2) GROUP BY LEAST(count(*) OF (public.visits PER member_id WHERE house = 'red'), 10)
count: SELECT (LEAST(t."value 1"::pg_catalog.int8, $1::pg_catalog.int8))::pg_catalog.int8 AS k1, pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1", pg_catalog.bool_or((CASE WHEN t."stars" OPERATOR(pg_catalog.=) $2::pg_catalog.int4 THEN TRUE WHEN t."stars" OPERATOR(pg_catalog.<>) $3::pg_catalog.int4 THEN FALSE END)::pg_catalog.bool) AS "value 2" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."house" OPERATOR(pg_catalog.=) $4::pg_catalog.text GROUP BY t."member_id") AS t WHERE (t."value 2" OPERATOR(pg_catalog.=) $5::pg_catalog.bool AND t."value 1" OPERATOR(pg_catalog.>=) $6::pg_catalog.int8) GROUP BY 1
args: ["10" "5" "5" "red" "t" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT t."key 1" AS visits, t."count 1" AS persons FROM unnest($1::bigint[], $2::bigint[]) t("key 1", "count 1") ORDER BY 1

WITH t AS (SELECT v.member_id AS who, count(*) FILTER (WHERE stars > 3) AS good, count(DISTINCT house), max(stars) FROM visits v GROUP BY who) SELECT CASE WHEN good > 5 THEN 'many' WHEN good >= 3 THEN 'some' ELSE 'few' END, count(*), count(*) FILTER (WHERE count > 1 OR max = 5) FROM t GROUP BY 1 HAVING count(*) > 10
----
answer
question: count(*) FROM (public.visits PER member_id) GROUP BY CASE WHEN count(*) FILTER (WHERE stars >= 4) OF (public.visits PER member_id) >= 6 THEN 'many' WHEN count(*) FILTER (WHERE stars >= 4) OF (public.visits PER member_id) >= 3 THEN 'some' ELSE 'few' END
question: count(*) FILTER (WHERE (count(DISTINCT house) OF (public.visits PER member_id) >= 2 OR max(stars) OF (public.visits PER member_id) = 5)) FROM (public.visits PER member_id) GROUP BY CASE WHEN count(*) FILTER (WHERE stars >= 4) OF (public.visits PER member_id) >= 6 THEN 'many' WHEN count(*) FILTER (WHERE stars >= 4) OF (public.visits PER member_id) >= 3 THEN 'some' ELSE 'few' END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."value 3" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 THEN $2::pg_catalog.text WHEN t."value 3" OPERATOR(pg_catalog.>=) $3::pg_catalog.int8 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."value 3" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 THEN $2::pg_catalog.text WHEN t."value 3" OPERATOR(pg_catalog.>=) $3::pg_catalog.int8 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."value 3" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 THEN $2::pg_catalog.text WHEN t."value 3" OPERATOR(pg_catalog.>=) $3::pg_catalog.int8 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE (t."value 1" OPERATOR(pg_catalog.>=) $6::pg_catalog.int8 OR t."value 2" OPERATOR(pg_catalog.=) $7::pg_catalog.int4)) AS c2 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(DISTINCT t."house"), 2147483647) AS "value 1", pg_catalog.max(t."stars") AS "value 2", LEAST(pg_catalog.count(*) FILTER (WHERE t."stars" OPERATOR(pg_catalog.>=) $8::pg_catalog.int4), 2147483647) AS "value 3" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t GROUP BY (CASE WHEN t."value 3" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 THEN $2::pg_catalog.text WHEN t."value 3" OPERATOR(pg_catalog.>=) $3::pg_catalog.int8 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text
args: ["6" "many" "3" "some" "few" "2" "5" "4"]
charge: 2 counts, 0 thresholds
rest: SELECT t."key 1" AS "case", t."count 1" AS count, t."count 2" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) t("key 1", "count 1", "count 2") WHERE t."count 1" > 10

SELECT count(DISTINCT member_id), count(*), count(member_id) FROM (SELECT member_id, min(stars) AS low, every(stars > 2) FROM (SELECT * FROM visits) AS v GROUP BY member_id) AS t WHERE low > 1 AND every
----
answer
question: count(*) FROM (public.visits PER member_id) WHERE (bool_and(CASE WHEN stars >= 3 THEN true WHEN stars <= 2 THEN false END) OF (public.visits PER member_id) = true AND min(stars) OF (public.visits PER member_id) >= 2)
question: count(*) FROM (public.visits PER member_id) WHERE (bool_and(CASE WHEN stars >= 3 THEN true WHEN stars <= 2 THEN false END) OF (public.visits PER member_id) = true AND min(stars) OF (public.visits PER member_id) >= 2)
question: count(*) FROM (public.visits PER member_id) WHERE (bool_and(CASE WHEN stars >= 3 THEN true WHEN stars <= 2 THEN false END) OF (public.visits PER member_id) = true AND min(stars) OF (public.visits PER member_id) >= 2)
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) AS c3 FROM (SELECT t."member_id" AS "member_id", pg_catalog.min(t."stars") AS "value 1", pg_catalog.bool_and((CASE WHEN t."stars" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 THEN TRUE WHEN t."stars" OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN FALSE END)::pg_catalog.bool) AS "value 2" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t WHERE (t."value 2" OPERATOR(pg_catalog.=) $3::pg_catalog.bool AND t."value 1" OPERATOR(pg_catalog.>=) $4::pg_catalog.int4)
args: ["3" "2" "t" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT t."count 1" AS count, t."count 2" AS count, t."count 3" AS count FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) t("count 1", "count 2", "count 3")

SELECT avg(n), sum(n) FROM (SELECT member_id, count(stars) AS n FROM visits GROUP BY member_id) AS t
----
answer
question: sum(count(*) FILTER (WHERE stars IS NOT NULL) OF (public.visits PER member_id) FROM 0 TO 500) FROM (public.visits PER member_id)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."value 1" IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int8smaller(pg_catalog.int8larger(t."value 1"::pg_catalog.int8, $1::pg_catalog.int8), $2::pg_catalog.int8)) FILTER (WHERE t."value 1" IS NOT NULL), 0) FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*) FILTER (WHERE t."stars" IS NOT NULL), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t
args: ["0" "500"]
charge: 1 counts, 0 thresholds
rest: SELECT (pg_catalog.trim_scale(t."count 2"::numeric) / (NULLIF(GREATEST(pg_catalog.trim_scale((t."count 1"::numeric + t."count 2"::numeric) / '500'::numeric), '0'::numeric), '0'::numeric)))::numeric AS avg, pg_catalog.round(t."count 2"::numeric, 0)::numeric AS sum FROM unnest($1::bigint[], $2::bigint[]) t("count 1", "count 2")

SELECT n > 5, count(*) FROM (SELECT n, member_id FROM (SELECT member_id, count(*) AS n FROM visits WHERE stars = $1 GROUP BY member_id) AS t WHERE n < 100) AS u GROUP BY 1
----
answer
params: [23]
question: count(*) FROM (public.visits PER member_id WHERE stars = 1) WHERE count(*) OF (public.visits PER member_id WHERE stars = 1) <= 99 GROUP BY CASE WHEN count(*) OF (public.visits PER member_id WHERE stars = 1) >= 6 THEN true WHEN count(*) OF (public.visits PER member_id WHERE stars = 1) <= 5 THEN false END
count: SELECT (CASE WHEN t."value 1" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 THEN TRUE WHEN t."value 1" OPERATOR(pg_catalog.<=) $2::pg_catalog.int8 THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.=) $3::pg_catalog.int4 GROUP BY t."member_id") AS t WHERE t."value 1" OPERATOR(pg_catalog.<=) $4::pg_catalog.int8 GROUP BY 1
args: ["6" "5" "1" "99"]
charge: 1 counts, 0 thresholds
rest: SELECT u."key 1" AS "?column?", u."count 1" AS count FROM unnest($2::boolean[], $3::bigint[]) u("key 1", "count 1")

# However it is written, it is one question.
SELECT count FROM (SELECT a.b, count(*) FROM (SELECT member_id, count(1) FROM visits GROUP BY visits.member_id) AS a(c, b) GROUP BY a.b) AS t
----
answer
question: count(*) FROM (public.visits PER member_id) GROUP BY count(*) OF (public.visits PER member_id)
count: SELECT t."value 1" AS k1, pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT count FROM (SELECT a.b, a."count 1" AS count FROM unnest($1::bigint[], $2::bigint[]) a(b, "count 1")) t

# Persons by what they have in two tables.
SELECT count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t WHERE n > 1 AND EXISTS (SELECT FROM payments p WHERE p.payer = t.member_id)
----
answer
question: count(*) FROM (public.visits PER member_id) WHERE (EXISTS (public.payments PER payer) AND count(*) OF (public.visits PER member_id) >= 2)
count: SELECT pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL GROUP BY t."payer") AS g2 ON t."member_id" OPERATOR(pg_catalog.=) g2.person WHERE (g2.present IS NOT NULL AND t."value 1" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8)
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT t."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) t("count 1")

# What does not make one value of each person's rows is refused.
SELECT n, count(*) FROM (SELECT member_id, house, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY n
----
refuse 42803 at 44: column "house" of the rows of each person must be used in an aggregate function
hint: A sub-select by persons has one row for each, of aggregates of her rows: SELECT least(n, 10), count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1

SELECT n, count(*) FROM (SELECT member_id, house, count(*) AS n FROM visits GROUP BY member_id, house) AS t GROUP BY n
----
refuse 42501 at 86: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT n, count(*) FROM (SELECT member_id, string_agg(house, '') AS n FROM visits GROUP BY member_id) AS t GROUP BY n
----
refuse 0A000 at 44: string_agg of this is not supported of the rows of each person in public.visits
hint: Of the rows of each person there are count, sum and avg of whole numbers and decimals with known bounds, min and max of numbers and times, bool_and and bool_or, each with or without FILTER: SELECT least(n, 10), count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1

SELECT n, count(*) FROM (SELECT member_id, min(house) AS n FROM visits GROUP BY member_id) AS t GROUP BY n
----
refuse 0A000 at 44: min of this is not supported of the rows of each person in public.visits
hint: Of the rows of each person there are count, sum and avg of whole numbers and decimals with known bounds, min and max of numbers and times, bool_and and bool_or, each with or without FILTER: SELECT least(n, 10), count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1

SELECT n, count(*) FROM (SELECT member_id, count(*) AS n, rank() OVER (ORDER BY count(*)) FROM visits GROUP BY member_id) AS t GROUP BY n
----
refuse 42501 at 112: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT n, count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id ORDER BY 2 LIMIT 3) AS t GROUP BY n
----
refuse 42501 at 79: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT * FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t
----
refuse 42501 at 53: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(*) FROM visits GROUP BY house

SELECT member_id, n, count(*) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1, 2
----
refuse 42501 at 8: column "member_id" of protected table visits cannot be used
hint: Usable columns are member_id in count(DISTINCT member_id), n.

SELECT member_id, max(n) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1
----
refuse 42501 at 8: column "member_id" of protected table visits cannot be used
hint: Usable columns are member_id in count(DISTINCT member_id), n.

SELECT count(*) FROM (SELECT member_id, max(n) FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1) AS u
----
refuse 42501 at 30: column "member_id" of protected table visits cannot be used
hint: Usable columns are member_id in count(DISTINCT member_id), n.

SELECT member_id, count(*) AS n FROM visits GROUP BY member_id
----
refuse 42501 at 54: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT n, count(*) FROM (SELECT id, count(*) AS n FROM carriers GROUP BY id) AS t GROUP BY n
----
refuse 42703 at 33: column "id" does not exist
hint: Usable columns are hair, eye, age, city, gene; not those of an outer query, if there is one.

SELECT n, count(*) FROM (SELECT member_id AS house, count(*) AS n FROM visits GROUP BY house) AS t GROUP BY n
----
refuse 0A000 at 72: a sub-select of FROM must group the rows of public.visits by member_id, and once
hint: One SELECT has all aggregates of the rows of each person: SELECT least(n, 10), count(*) FROM (SELECT member_id, count(*) AS n FROM public.visits GROUP BY member_id) AS t GROUP BY 1

# What persons have by aggregates of their rows is a condition, as IN and EXISTS are.
SELECT count(*) FROM payments p WHERE payer IN (SELECT member_id FROM visits WHERE stars = 5 GROUP BY member_id HAVING count(*) >= 3 OR max(stars) > 4)
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS WHERE ((count(*) OF (public.visits PER member_id WHERE stars = 5) >= 3 OR max(stars) OF (public.visits PER member_id WHERE stars = 5) >= 5) AND EXISTS (public.visits PER member_id WHERE stars = 5))
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1", pg_catalog.max(t."stars") AS "value 2" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.=) $1::pg_catalog.int4 GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND ((COALESCE(g1."value 1", 0) OPERATOR(pg_catalog.>=) $2::pg_catalog.int8 OR g1."value 2" OPERATOR(pg_catalog.>=) $3::pg_catalog.int4) AND g1.present IS NOT NULL)) AS t) AS t
args: ["5" "3" "5"]
charge: 1 counts, 0 thresholds
rest: SELECT p."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) p("count 1")

SELECT method, count(*) FROM payments p WHERE payer NOT IN (SELECT member_id FROM visits GROUP BY member_id HAVING count(*) >= 3) GROUP BY 1
----
refuse 0A000 at 83: NOT IN is true of nobody if one row has no member_id, which can be NULL in public.visits
hint: Leave these rows out by WHERE member_id IS NOT NULL in the sub-select, or ask by NOT EXISTS: SELECT count(*) FROM public.payments AS a WHERE NOT EXISTS (SELECT FROM public.visits AS b WHERE b.member_id = a.payer)

SELECT method, count(*) FROM payments p WHERE NOT EXISTS (SELECT 1 FROM visits v WHERE v.member_id = p.payer GROUP BY member_id HAVING count(*) >= 3) GROUP BY 1
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS IN 450 GROUPS WHERE (EXISTS (public.visits PER member_id) IS FALSE OR count(*) OF (public.visits PER member_id) <= 2) GROUP BY method
count: SELECT CASE WHEN pg_catalog.octet_length(t."method") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."method"), 65537)) ELSE t."method" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."method" COLLATE pg_catalog."C")) AS "group" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND (g1.present IS NULL OR COALESCE(g1."value 1", 0) OPERATOR(pg_catalog.<=) $1::pg_catalog.int8)) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."method"
args: ["2"]
charge: 1 counts, 0 thresholds
rest: SELECT method, p."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) p(method, "count 1")

SELECT count(*) FROM payments p WHERE payer IN (SELECT member_id FROM (SELECT member_id, max(stars) AS best FROM visits GROUP BY member_id) AS v WHERE best = 5)
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS WHERE (EXISTS (public.visits PER member_id) AND max(stars) OF (public.visits PER member_id) = 5)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, pg_catalog.max(t."stars") AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND (g1.present IS NOT NULL AND g1."value 1" OPERATOR(pg_catalog.=) $1::pg_catalog.int4)) AS t) AS t
args: ["5"]
charge: 1 counts, 0 thresholds
rest: SELECT p."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) p("count 1")

# So is what a join or a scalar sub-select has.
SELECT p.method, LEAST(v.n, 3) AS visits, count(*) FROM payments p JOIN (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id HAVING count(*) < 10) AS v ON v.member_id = p.payer GROUP BY 1, 2
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS IN 450 GROUPS WHERE (EXISTS (public.visits PER member_id) AND count(*) OF (public.visits PER member_id) <= 9) GROUP BY LEAST(count(*) OF (public.visits PER member_id), 3), method
count: SELECT (LEAST(t."joined 1"::pg_catalog.int8, $1::pg_catalog.int8))::pg_catalog.int8 AS k1, CASE WHEN pg_catalog.octet_length(t."method") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."method"), 65537)) ELSE t."method" END AS k2, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", COALESCE(g1."value 1", 0) AS "joined 1", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (LEAST(COALESCE(g1."value 1", 0)::pg_catalog.int8, $2::pg_catalog.int8))::pg_catalog.int8, pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (LEAST(COALESCE(g1."value 1", 0)::pg_catalog.int8, $3::pg_catalog.int8))::pg_catalog.int8, (t."method" COLLATE pg_catalog."C")) AS "group" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND (g1.present IS NOT NULL AND COALESCE(g1."value 1", 0) OPERATOR(pg_catalog.<=) $4::pg_catalog.int8)) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY 1, t."method"
args: ["3" "3" "3" "9"]
charge: 1 counts, 0 thresholds
rest: SELECT p."key 1" AS method, p."key 2" AS visits, p."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) p("key 1", "key 2", "count 1")

SELECT count(DISTINCT a.member_id), count(*) FILTER (WHERE a.n > b.n) FROM (SELECT member_id, count(*) AS n FROM visits WHERE stars = 1 GROUP BY 1) AS a, (SELECT member_id, count(*) AS n FROM visits WHERE stars = 5 GROUP BY 1) AS b WHERE a.member_id = b.member_id
----
answer
question: count(*) FROM (public.visits PER member_id WHERE stars = 1) WHERE EXISTS (public.visits PER member_id WHERE stars = 5)
question: count(*) FILTER (WHERE count(*) OF (public.visits PER member_id WHERE stars = 1) > count(*) OF (public.visits PER member_id WHERE stars = 5)) FROM (public.visits PER member_id WHERE stars = 1) WHERE EXISTS (public.visits PER member_id WHERE stars = 5)
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."value 1" OPERATOR(pg_catalog.>) COALESCE(g2."value 1", 0)) AS c2 FROM (SELECT t."member_id" AS "member_id", LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.=) $1::pg_catalog.int4 GROUP BY t."member_id") AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.=) $2::pg_catalog.int4 GROUP BY t."member_id") AS g2 ON t."member_id" OPERATOR(pg_catalog.=) g2.person WHERE g2.present IS NOT NULL
args: ["1" "5"]
charge: 2 counts, 0 thresholds
rest: SELECT a."count 1" AS count, a."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) a("count 1", "count 2")

SELECT n, count(*) FROM (SELECT LEAST((SELECT count(*) FROM visits v WHERE v.member_id = p.payer AND stars > 2), 5) AS n FROM payments p) AS t GROUP BY n
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS IN 450 GROUPS GROUP BY LEAST(count(*) OF (public.visits PER member_id WHERE stars >= 3), 5)
count: SELECT (LEAST(t."joined 1"::pg_catalog.int8, $1::pg_catalog.int8))::pg_catalog.int8 AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", COALESCE(g1."value 1", 0) AS "joined 1", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (LEAST(COALESCE(g1."value 1", 0)::pg_catalog.int8, $2::pg_catalog.int8))::pg_catalog.int8)::pg_catalog.text COLLATE pg_catalog."C"), 0), (LEAST(COALESCE(g1."value 1", 0)::pg_catalog.int8, $3::pg_catalog.int8))::pg_catalog.int8) AS "group" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $4::pg_catalog.int4 GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY 1
args: ["5" "5" "5" "3"]
charge: 1 counts, 0 thresholds
rest: SELECT n, t."count 1" AS count FROM unnest($1::bigint[], $2::bigint[]) t(n, "count 1")

SELECT method, count(*) FROM payments p WHERE (SELECT count(*) FROM visits v WHERE v.member_id = p.payer) >= 3 AND (SELECT max(stars) FROM visits WHERE member_id = payer)::bigint = 5 GROUP BY method
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS IN 450 GROUPS WHERE (count(*) OF (public.visits PER member_id) >= 3 AND max(stars) OF (public.visits PER member_id)::bigint = 5) GROUP BY method
count: SELECT CASE WHEN pg_catalog.octet_length(t."method") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."method"), 65537)) ELSE t."method" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."method" COLLATE pg_catalog."C")) AS "group" FROM "public"."payments" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present, LEAST(pg_catalog.count(*), 2147483647) AS "value 1", pg_catalog.max(t."stars") AS "value 2" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND (COALESCE(g1."value 1", 0) OPERATOR(pg_catalog.>=) $1::pg_catalog.int8 AND ((g1."value 2"::pg_catalog.int4)::pg_catalog.int8)::pg_catalog.int8 OPERATOR(pg_catalog.=) $2::pg_catalog.int8)) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."method"
args: ["3" "5"]
charge: 1 counts, 0 thresholds
rest: SELECT method, p."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) p(method, "count 1")

SELECT count(*) FROM payments p WHERE (SELECT count(*) FROM visits v) >= 3
----
refuse 0A000 at 61: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.payments AS a WHERE EXISTS (SELECT FROM public.visits AS b WHERE b.member_id = a.payer)

SELECT count(*) FROM payments p WHERE (SELECT count(*) FROM visits v WHERE v.member_id = p.payer GROUP BY v.member_id) >= 3
----
refuse 0A000 at 61: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.payments AS a WHERE EXISTS (SELECT FROM public.visits AS b WHERE b.member_id = a.payer)

SELECT count(*) FROM payments p JOIN (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS v ON v.n = p.stars
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM payments p LEFT JOIN (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS v ON v.member_id = p.payer
----
refuse 0A000 at 22: an outer join that adds rows to those of a protected table is not supported
hint: Put the protected table on the side whose rows are kept: FROM protected LEFT JOIN public ON ...; groups without rows are shown all the same if the keys' values are declared.

SELECT count(*) FROM payments p JOIN (SELECT * FROM (SELECT member_id, count(*) AS n FROM visits GROUP BY member_id) AS u) AS v ON v.member_id = p.payer
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

# Sums for each person are of values between bounds.
SELECT CASE WHEN s < 10 THEN 'little' ELSE 'much' END, count(*), avg(s) FROM (SELECT member_id, sum(CASE WHEN stars > 3 THEN 2 ELSE 1 END) AS s, avg(length(left(house, 5))) AS l FROM visits GROUP BY member_id) AS t WHERE l > 2.5 GROUP BY 1
----
refuse 0A000 at 146: avg of a number without known bounds is not supported on protected tables
detail: The noise of a sum must hide the largest number that one row could have.
hint: Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18.

SELECT n, count(*) FROM (SELECT member_id, sum(stars) AS n FROM visits GROUP BY member_id) AS t GROUP BY n
----
refuse 0A000 at 44: sum of a number without known bounds is not supported on protected tables
detail: The noise of a sum must hide the largest number that one row could have.
hint: Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18.

SELECT n > 3, count(*) FROM (SELECT member_id, sum(CASE WHEN stars > 3 THEN $1 ELSE 1 END) AS n FROM visits GROUP BY member_id) AS t GROUP BY 1
----
refuse 0A000 at 48: sum of a number whose bounds depend on a parameter is not supported on protected tables
hint: Write the value as a constant, or multiply the sum in an outer query.

# persons once each
SELECT count(*) FROM (SELECT DISTINCT member_id FROM visits WHERE stars > 3) AS t
----
answer
question: count(*) FROM (public.visits PER member_id WHERE stars >= 4)
count: SELECT pg_catalog.count(*) AS c1 FROM (SELECT t."member_id" AS "member_id" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY t."member_id") AS t
args: ["4"]
charge: 1 counts, 0 thresholds
rest: SELECT t."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) t("count 1")

WITH t AS (SELECT DISTINCT v.member_id AS who FROM visits AS v) SELECT count(*), count(DISTINCT who) FROM t
----
answer
question: count(*) FROM (public.visits PER member_id)
question: count(*) FROM (public.visits PER member_id)
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2 FROM (SELECT t."member_id" AS "member_id" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL GROUP BY t."member_id") AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT t."count 1" AS count, t."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) t("count 1", "count 2")

SELECT count(*) FROM (SELECT DISTINCT member_id, house FROM visits) AS t
----
refuse 42501 at 61: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(DISTINCT member_id) FROM visits GROUP BY house

SELECT count(*) FROM (SELECT DISTINCT ON (member_id) member_id FROM visits) AS t
----
refuse 42501 at 69: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(DISTINCT member_id) FROM visits GROUP BY house

SELECT count(*) FROM (SELECT DISTINCT house FROM visits) AS t
----
refuse 42501 at 50: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(*) FROM visits GROUP BY house

# what is asked of one table within another, and persons outside of aggregates
SELECT n, count(*) FROM (SELECT member_id, count(*) AS n FROM (SELECT * FROM visits WHERE EXISTS (SELECT FROM payments AS p WHERE p.payer = member_id)) AS v GROUP BY 1) AS t GROUP BY n
----
refuse 0A000 at 111: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM (SELECT member_id, bool_or(member_id IN (SELECT payer FROM payments)) AS b FROM visits GROUP BY member_id) AS t WHERE b
----
refuse 0A000 at 81: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT FROM payments AS p JOIN (SELECT member_id, count(*) FROM visits GROUP BY member_id) AS t ON t.member_id = p.payer WHERE p.payer = v.member_id)
----
refuse 0A000 at 60: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits AS v JOIN (SELECT payer, count(*) FROM payments GROUP BY payer HAVING payer > 5) AS t ON t.payer = v.member_id
----
refuse 42803 at 99: column "payer" of the rows of each person must be used in an aggregate function
hint: A sub-select by persons has one row for each, of aggregates of her rows: SELECT least(n, 10), count(*) FROM (SELECT payer, count(*) AS n FROM payments GROUP BY payer) AS t GROUP BY 1

SELECT count(*) FROM visits AS v JOIN (SELECT payer, payer > 5 AS k FROM payments GROUP BY payer) AS t ON t.payer = v.member_id WHERE k
----
refuse 42803 at 54: column "payer" of the rows of each person must be used in an aggregate function
hint: A sub-select by persons has one row for each, of aggregates of her rows: SELECT least(n, 10), count(*) FROM (SELECT payer, count(*) AS n FROM payments GROUP BY payer) AS t GROUP BY 1

SELECT count(*) FROM visits AS v WHERE EXISTS (SELECT FROM (SELECT payer, count(*) AS n FROM payments GROUP BY payer) AS t WHERE t.payer = v.member_id AND t.payer > 5)
----
refuse 0A000 at 1: column "payer" cannot be used here, beside what persons have in another table
hint: Put a condition on it into the WHERE clause of the sub-select that reads its table.

SELECT count(*) FROM visits WHERE member_id IN (SELECT payer FROM payments WHERE payer IS NOT NULL GROUP BY payer HAVING payer > 5)
----
refuse 42803 at 122: column "payer" of the rows of each person must be used in an aggregate function
hint: A sub-select by persons has one row for each, of aggregates of her rows: SELECT least(n, 10), count(*) FROM (SELECT payer, count(*) AS n FROM payments GROUP BY payer) AS t GROUP BY 1

SELECT (SELECT CASE WHEN payer > 5 THEN count(*) END FROM payments AS p WHERE p.payer = v.member_id) > 3, count(*) FROM visits AS v GROUP BY 1
----
refuse 42803 at 26: column "payer" of the rows of each person must be used in an aggregate function
hint: A sub-select by persons has one row for each, of aggregates of her rows: SELECT least(n, 10), count(*) FROM (SELECT payer, count(*) AS n FROM payments GROUP BY payer) AS t GROUP BY 1
