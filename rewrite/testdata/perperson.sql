# What persons have in another protected table, along their persons, is a condition.
SELECT count(*) FROM visits v WHERE stars > 3 AND EXISTS (SELECT 1 FROM payments AS p WHERE p.payer = v.member_id AND method = 'cash')
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS WHERE (EXISTS (public.payments PER payer WHERE method = 'cash') AND stars >= 4)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND (g1.present IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4)) AS t) AS t
args: ["cash" "4"]
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

SELECT v.house, count(*) FROM visits v WHERE v.member_id IN (SELECT payer FROM payments WHERE method = 'cash') GROUP BY v.house
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE EXISTS (public.payments PER payer WHERE method = 'cash') GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: ["cash"]
charge: 1 counts, 0 thresholds
rest: SELECT v.house, v."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) v(house, "count 1")

SELECT count(DISTINCT member_id) FROM visits v WHERE NOT EXISTS (SELECT FROM payments AS p WHERE v.member_id = payer)
----
answer
question: count(DISTINCT member_id) FROM public.visits WHERE EXISTS (public.payments PER payer) IS FALSE
count: SELECT pg_catalog.count(DISTINCT t."member_id") AS c1 FROM (SELECT t."house", t."stars", t."member_id" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NULL) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

# One sub-select, however it is written, is one question.
SELECT v.house, count(*) FROM visits v WHERE EXISTS (SELECT p.stars, * FROM payments p WHERE 'cash' = p.method AND p.payer = v.member_id) GROUP BY 1
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE EXISTS (public.payments PER payer WHERE method = 'cash') GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: ["cash"]
charge: 1 counts, 0 thresholds
rest: SELECT v.house, v."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) v(house, "count 1")

SELECT house, count(*) FROM visits WHERE member_id = ANY (SELECT DISTINCT p.payer FROM payments p WHERE p.method IN ('cash')) GROUP BY 1
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE EXISTS (public.payments PER payer WHERE method = 'cash') GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: ["cash"]
charge: 1 counts, 0 thresholds
rest: SELECT house, visits."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) visits(house, "count 1")

SELECT house, count(*) FROM (SELECT house, member_id AS who FROM visits) AS v WHERE who IN (SELECT x FROM (SELECT payer AS x, method FROM payments) AS p WHERE method = $1) GROUP BY 1
----
answer
params: [25]
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE EXISTS (public.payments PER payer WHERE method = 'v1') GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: ["v1"]
charge: 1 counts, 0 thresholds
rest: SELECT house, v."count 1" AS count FROM unnest($2::pg_catalog.text[], $3::bigint[]) v(house, "count 1")

# NOT IN and <> ALL are unknown where a row has no person, so that it must be said that there is none.
SELECT count(*) FROM visits WHERE member_id NOT IN (SELECT payer FROM payments)
----
refuse 0A000 at 71: NOT IN is true of nobody if one row has no payer, which can be NULL in public.payments
hint: Leave these rows out by WHERE payer IS NOT NULL in the sub-select, or ask by NOT EXISTS: SELECT count(*) FROM public.visits AS a WHERE NOT EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits WHERE member_id NOT IN (SELECT payer FROM payments WHERE payer IS NOT NULL AND stars > 2)
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS WHERE EXISTS (public.payments PER payer WHERE stars >= 3) IS FALSE
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NULL) AS t) AS t
args: ["3"]
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

SELECT count(*) FROM visits WHERE member_id <> ALL (SELECT payer FROM payments)
----
refuse 0A000 at 71: NOT IN is true of nobody if one row has no payer, which can be NULL in public.payments
hint: Leave these rows out by WHERE payer IS NOT NULL in the sub-select, or ask by NOT EXISTS: SELECT count(*) FROM public.visits AS a WHERE NOT EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits WHERE (member_id IN (SELECT payer FROM payments)) IS NOT TRUE
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS WHERE EXISTS (public.payments PER payer) IS FALSE
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND g1.present IS NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

SELECT count(*) FROM visits WHERE (member_id IN (SELECT payer FROM payments)) IS UNKNOWN
----
refuse 0A000 at 68: NOT IN is true of nobody if one row has no payer, which can be NULL in public.payments
hint: Leave these rows out by WHERE payer IS NOT NULL in the sub-select, or ask by NOT EXISTS: SELECT count(*) FROM public.visits AS a WHERE NOT EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

# It may stand wherever a condition may, and with public tables in it. A key of it has known values.
SELECT member_id IN (SELECT payer FROM payments WHERE payer IS NOT NULL) AS pays, count(*) FILTER (WHERE EXISTS (SELECT FROM payments JOIN cities ON city = method WHERE payer = member_id AND country = 'IT')) FROM visits GROUP BY 1
----
answer
question: count(*) FILTER (WHERE EXISTS (public.payments PER payer JOIN public.cities AS p1 ON method = p1.city WHERE p1.country = 'IT')) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS GROUP BY (EXISTS (public.payments PER payer))
count: SELECT (CASE WHEN t."joined 1" IS NOT NULL THEN TRUE WHEN t."joined 1" IS NULL THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500 AND t."joined 2" IS NOT NULL) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", g2.present AS "joined 1", g1.present AS "joined 2", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", (CASE WHEN g2.present IS NOT NULL THEN TRUE WHEN g2.present IS NULL THEN FALSE END)::pg_catalog.bool)::pg_catalog.text COLLATE pg_catalog."C"), 0), (CASE WHEN g2.present IS NOT NULL THEN TRUE WHEN g2.present IS NULL THEN FALSE END)::pg_catalog.bool) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t JOIN "public"."cities" AS p1 ON t."method" OPERATOR(pg_catalog.=) p1."city" WHERE t."payer" IS NOT NULL AND p1."country" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL GROUP BY t."payer") AS g2 ON t."member_id" OPERATOR(pg_catalog.=) g2.person WHERE t."member_id" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY 1
args: ["IT"]
charge: 1 counts, 0 thresholds
rest: SELECT visits."key 1" AS pays, visits."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) visits("key 1", "count 1")

SELECT CASE WHEN EXISTS (SELECT FROM payments WHERE payer = member_id AND stars > 3) THEN 'often' ELSE 'seldom' END, avg(EXISTS (SELECT FROM payments WHERE payer = member_id)::int) FROM visits WHERE stars > 1 OR EXISTS (SELECT FROM payments WHERE payer = member_id) GROUP BY 1
----
answer
question: count(*) FILTER (WHERE EXISTS (public.payments PER payer)) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE (EXISTS (public.payments PER payer) OR stars >= 2) GROUP BY CASE WHEN EXISTS (public.payments PER payer WHERE stars >= 4) THEN 'often' ELSE 'seldom' END
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE (EXISTS (public.payments PER payer) OR stars >= 2) GROUP BY CASE WHEN EXISTS (public.payments PER payer WHERE stars >= 4) THEN 'often' ELSE 'seldom' END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."joined 1" IS NOT NULL THEN $1::pg_catalog.text ELSE $2::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."joined 1" IS NOT NULL THEN $1::pg_catalog.text ELSE $2::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."joined 1" IS NOT NULL THEN $1::pg_catalog.text ELSE $2::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500 AND t."joined 2" IS NOT NULL) AS c1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c2 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", g2.present AS "joined 1", g1.present AS "joined 2", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended((CASE WHEN g2.present IS NOT NULL THEN $3::pg_catalog.text ELSE $4::pg_catalog.text END)::pg_catalog.text COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), ((CASE WHEN g2.present IS NOT NULL THEN $5::pg_catalog.text ELSE $6::pg_catalog.text END)::pg_catalog.text COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $7::pg_catalog.int4 GROUP BY t."payer") AS g2 ON t."member_id" OPERATOR(pg_catalog.=) g2.person LEFT JOIN (SELECT t."payer" AS person, TRUE AS present FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL GROUP BY t."payer") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND (g1.present IS NOT NULL OR t."stars" OPERATOR(pg_catalog.>=) $8::pg_catalog.int4)) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY (CASE WHEN t."joined 1" IS NOT NULL THEN $1::pg_catalog.text ELSE $2::pg_catalog.text END)::pg_catalog.text
args: ["often" "seldom" "often" "seldom" "often" "seldom" "4" "2"]
charge: 2 counts, 0 thresholds
rest: SELECT visits."key 1" AS "case", visits."count 1"::numeric / (NULLIF(visits."count 2", 0))::numeric AS avg FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) visits("key 1", "count 1", "count 2")

# The same table, and joins of two.
SELECT count(DISTINCT member_id) FROM visits v WHERE house = 'red' AND EXISTS (SELECT FROM visits w WHERE w.member_id = v.member_id AND w.house = 'blue')
----
answer
question: count(DISTINCT member_id) FROM public.visits WHERE (EXISTS (public.visits PER member_id WHERE house = 'blue') AND house = 'red')
count: SELECT pg_catalog.count(DISTINCT t."member_id") AS c1 FROM (SELECT t."house", t."stars", t."member_id" FROM "public"."visits" AS t LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."house" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."member_id") AS g1 ON t."member_id" OPERATOR(pg_catalog.=) g1.person WHERE t."member_id" IS NOT NULL AND (g1.present IS NOT NULL AND t."house" OPERATOR(pg_catalog.=) $2::pg_catalog.text)) AS t
args: ["blue" "red"]
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

SELECT count(*) FROM visits v JOIN payments p ON p.payer = v.member_id WHERE EXISTS (SELECT FROM visits w WHERE w.member_id = p.payer AND w.stars = 5)
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id WHERE EXISTS (public.visits PER member_id WHERE stars = 5)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" LEFT JOIN (SELECT t."member_id" AS person, TRUE AS present FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.=) $1::pg_catalog.int4 GROUP BY t."member_id") AS g1 ON t."payer" OPERATOR(pg_catalog.=) g1.person WHERE t."payer" IS NOT NULL AND g1.present IS NOT NULL) AS t) AS t
args: ["5"]
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

# What is not about the person, or would count, is refused.
SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE p.payer = v.member_id AND p.stars > v.stars)
----
refuse 0A000 at 111: a sub-select of public.payments cannot compare its rows with the row around it, but for the persons of both
hint: Compare what is computed of all rows of each person: their number, sums, the least and the greatest: SELECT least(n, 10), count(*) FROM (SELECT payer, count(*) AS n FROM public.payments GROUP BY payer) AS t GROUP BY 1

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE payer = payer)
----
refuse 0A000 at 57: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT count(*) FROM payments AS p WHERE payer = member_id)
----
refuse 0A000 at 66: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE payer = member_id LIMIT 1 OFFSET 1)
----
refuse 0A000 at 57: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE stars IN (SELECT stars FROM payments)
----
refuse 0A000 at 65: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE member_id > ALL (SELECT payer FROM payments)
----
refuse 0A000 at 72: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT nonsense FROM payments AS p WHERE payer = member_id)
----
refuse 42703 at 52: column "nonsense" does not exist
hint: Usable columns are payer, method, stars; not those of an outer query, if there is one.

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE payer = member_id AND 1 / stars > 2)
----
refuse 0A000 at 101: operator / could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments p JOIN visits w ON w.member_id = p.payer WHERE payer = v.member_id)
----
refuse 0A000 at 57: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM members WHERE id = v.member_id)
----
refuse 0A000 at 57: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE payer = member_id AND EXISTS (SELECT FROM visits w WHERE w.member_id = payer AND w.stars = 5))
----
refuse 0A000 at 119: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.payments AS a WHERE EXISTS (SELECT FROM public.visits AS b WHERE b.member_id = a.payer)
