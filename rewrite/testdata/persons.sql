SELECT count(*) FROM visits
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

SELECT count(DISTINCT member_id) FROM visits
----
answer
question: count(DISTINCT member_id) FROM public.visits
count: SELECT pg_catalog.count(DISTINCT t."member_id") AS c1 FROM (SELECT t."house", t."stars", t."member_id" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

# Persons without keys need no bounds, and their FILTER is a WHERE.
SELECT count(DISTINCT v.member_id) FILTER (WHERE stars > 3) AS n FROM visits v WHERE house IS NOT NULL
----
answer
question: count(DISTINCT member_id) FROM public.visits WHERE (house IS NOT NULL AND stars >= 4)
count: SELECT pg_catalog.count(DISTINCT t."member_id") FILTER (WHERE t."stars" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4) AS c1 FROM (SELECT t."house", t."stars", t."member_id" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."house" IS NOT NULL) AS t
args: ["4"]
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS n FROM pg_catalog.unnest($1::bigint[]) v("count 1")

SELECT house, count(DISTINCT member_id) FROM visits GROUP BY house ORDER BY 2 DESC
----
answer
question: count(DISTINCT member_id) FROM public.visits PER member_id AT MOST 400 GROUPS GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(DISTINCT t."member_id") AS c1 FROM (SELECT t.* FROM (SELECT t."house", t."stars", t."member_id", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT house, visits."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) visits(house, "count 1") ORDER BY 2 DESC

# Rows are bounded after WHERE and before FILTER.
SELECT house, count(*), count(stars) FILTER (WHERE stars < 5), count(DISTINCT member_id) FROM visits WHERE stars > $1 GROUP BY 1 HAVING count(*) > 2
----
answer
params: [23]
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE stars >= 2 GROUP BY house
question: count(*) FILTER (WHERE stars <= 4) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS WHERE stars >= 2 GROUP BY house
question: count(DISTINCT member_id) FROM public.visits PER member_id AT MOST 400 GROUPS WHERE stars >= 2 GROUP BY house
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500 AND t."stars" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4) AS c2, pg_catalog.count(DISTINCT t."member_id") AS c3 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C")) AS "group" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house"
args: ["4" "2"]
charge: 3 counts, 0 thresholds
rest: SELECT house, visits."count 1" AS count, visits."count 2" AS count, visits."count 3" AS count FROM unnest($2::pg_catalog.text[], $3::bigint[], $4::bigint[], $5::bigint[]) visits(house, "count 1", "count 2", "count 3") WHERE visits."count 1" > 2

SELECT count(*) FILTER (WHERE stars < 5) FROM visits WHERE house = 'east'
----
answer
question: count(*) FILTER (WHERE stars <= 4) FROM public.visits PER member_id AT MOST 500 ROWS WHERE house = 'east'
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500 AND t."stars" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL AND t."house" OPERATOR(pg_catalog.=) $2::pg_catalog.text) AS t) AS t
args: ["4" "east"]
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

SELECT house, 1.0 * count(*) / count(DISTINCT member_id) AS each FROM visits GROUP BY house, stars
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS IN 400 GROUPS GROUP BY house, stars
question: count(DISTINCT member_id) FROM public.visits PER member_id AT MOST 400 GROUPS GROUP BY house, stars
count: SELECT CASE WHEN pg_catalog.octet_length(t."house") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."house"), 65537)) ELSE t."house" END AS k1, t."stars" AS k2, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1, pg_catalog.count(DISTINCT t."member_id") AS c2 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."house" COLLATE pg_catalog."C"), t."stars") AS "group" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 400) AS t GROUP BY t."house", 2
args: []
charge: 2 counts, 1 thresholds
rest: SELECT house, (1.0 * visits."count 1") / visits."count 2" AS each FROM unnest($1::pg_catalog.text[], $2::int[], $3::bigint[], $4::bigint[]) visits(house, stars, "count 1", "count 2")

SELECT count(member_id) FROM visits
----
answer
question: count(*) FILTER (WHERE member_id IS NOT NULL) FROM public.visits PER member_id AT MOST 500 ROWS
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500 AND t."member_id" IS NOT NULL) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")

SELECT member_id, count(*) FROM visits GROUP BY 1
----
refuse 42501 at 8: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT count(DISTINCT house) FROM visits
----
answer
question: count(DISTINCT house) FROM public.visits PER member_id AT MOST 500 ROWS
count: SELECT pg_catalog.count(DISTINCT t."house") FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT visits."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) visits("count 1")
