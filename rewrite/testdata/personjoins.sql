# Protected tables are joined along their persons. Which is written first makes no difference.
SELECT count(*) FROM visits v JOIN payments p ON p.payer = v.member_id
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" WHERE t."payer" IS NOT NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

SELECT count(*) FROM payments, visits WHERE member_id = payer
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" WHERE t."payer" IS NOT NULL) AS t) AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT payments."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) payments("count 1")

SELECT method, house, count(*), count(DISTINCT v.member_id), count(DISTINCT payer) FILTER (WHERE v.stars > p.stars) FROM visits AS v JOIN payments AS p ON v.member_id = p.payer AND v.stars > 1 WHERE p.stars < $1 GROUP BY 1, v.house HAVING count(*) > 3 ORDER BY v.house
----
answer
params: [23]
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS IN 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id WHERE (stars <= 0 AND t2.stars >= 2) GROUP BY method, t2.house
question: count(DISTINCT payer) FROM public.payments PER payer AT MOST 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id WHERE (stars <= 0 AND t2.stars >= 2) GROUP BY method, t2.house
question: count(DISTINCT payer) FILTER (WHERE stars < t2.stars) FROM public.payments PER payer AT MOST 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id WHERE (stars <= 0 AND t2.stars >= 2) GROUP BY method, t2.house
count: SELECT CASE WHEN pg_catalog.octet_length(t."method") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."method"), 65537)) ELSE t."method" END AS k1, CASE WHEN pg_catalog.octet_length(t."joined 1") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."joined 1"), 65537)) ELSE t."joined 1" END AS k2, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1, pg_catalog.count(DISTINCT t."payer") AS c2, pg_catalog.count(DISTINCT t."payer") FILTER (WHERE t."stars" OPERATOR(pg_catalog.<) t."joined 2") AS c3 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", t2."house" AS "joined 1", t2."stars" AS "joined 2", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."method" COLLATE pg_catalog."C"), (t2."house" COLLATE pg_catalog."C")) AS "group" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."stars" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL AND t2."stars" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" WHERE t."payer" IS NOT NULL AND (t."stars" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 AND t2."stars" OPERATOR(pg_catalog.>=) $4::pg_catalog.int4)) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."method", t."joined 1"
args: ["0" "2" "0" "2"]
charge: 3 counts, 0 thresholds
rest: SELECT v."key 1" AS method, v."key 2" AS house, v."count 1" AS count, v."count 2" AS count, v."count 3" AS count FROM unnest($2::pg_catalog.text[], $3::pg_catalog.text[], $4::bigint[], $5::bigint[], $6::bigint[]) v("key 1", "key 2", "count 1", "count 2", "count 3") WHERE v."count 1" > 3 ORDER BY v."key 2"

# The column of persons is listed in one table alone.
SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer WHERE payer > 3
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id WHERE payer >= 4
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."payer" OPERATOR(pg_catalog.>=) $1::pg_catalog.int8) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" WHERE t."payer" IS NOT NULL AND t."payer" OPERATOR(pg_catalog.>=) $2::pg_catalog.int8) AS t) AS t
args: ["4" "4"]
charge: 1 counts, 0 thresholds
rest: SELECT v."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) v("count 1")

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer WHERE member_id > 3
----
refuse 42501 at 78: column "member_id" of protected table public.visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

# Public tables besides, and sub-selects that keep rows.
SELECT country, count(*) FROM (SELECT member_id AS who, stars, house FROM visits WHERE stars > 2) v LEFT JOIN cities c ON c.city = v.house JOIN payments p ON p.payer = v.who GROUP BY 1
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS IN 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id LEFT JOIN public.cities AS p1 ON t2.house = p1.city WHERE t2.stars >= 3 GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(t."joined 1") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."joined 1"), 65537)) ELSE t."joined 1" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", p1."country" AS "joined 1", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(p1."country" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (p1."country" COLLATE pg_catalog."C")) AS "group" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL AND t2."stars" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" LEFT JOIN "public"."cities" AS p1 ON t2."house" OPERATOR(pg_catalog.=) p1."city" WHERE t."payer" IS NOT NULL AND t2."stars" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."joined 1"
args: ["3" "3"]
charge: 1 counts, 0 thresholds
rest: SELECT v."key 1" AS country, v."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) v("key 1", "count 1")

WITH v AS (SELECT member_id AS payer, country FROM visits JOIN cities ON city = house), p AS (SELECT payer::int8, name FROM payments JOIN countries ON country = method) SELECT count(*) FROM v JOIN p USING (payer)
----
refuse 0A000 at 52: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

WITH v AS (SELECT member_id AS who, country FROM visits JOIN cities ON city = house), p AS (SELECT payer, name FROM payments JOIN countries ON country = method) SELECT country, name, count(*) FROM v JOIN p ON v.who = p.payer GROUP BY 1, 2
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS IN 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.countries AS p2 ON method = p2.country JOIN public.visits AS t2 ON payer = t2.member_id JOIN public.cities AS p1 ON t2.house = p1.city GROUP BY p1.country, p2.name
count: SELECT CASE WHEN pg_catalog.octet_length(t."joined 1") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."joined 1"), 65537)) ELSE t."joined 1" END AS k1, CASE WHEN pg_catalog.octet_length(t."joined 2") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."joined 2"), 65537)) ELSE t."joined 2" END AS k2, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", p1."country" AS "joined 1", p2."name" AS "joined 2", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(p1."country" COLLATE pg_catalog."C", 0), pg_catalog.hashtextextended(p2."name" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (p1."country" COLLATE pg_catalog."C"), (p2."name" COLLATE pg_catalog."C")) AS "group" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN "public"."countries" AS p2 ON t."method" OPERATOR(pg_catalog.=) p2."country" JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" JOIN "public"."cities" AS p1 ON t2."house" OPERATOR(pg_catalog.=) p1."city" WHERE t."payer" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."joined 1", t."joined 2"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT v."key 1" AS country, v."key 2" AS name, v."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) v("key 1", "key 2", "count 1")

SELECT method, count(*) FROM (SELECT v.*, p.method FROM visits v, payments p WHERE v.member_id = p.payer) AS both_of_them GROUP BY 1
----
answer
question: count(*) FROM public.payments PER payer AT MOST 500 ROWS IN 450 GROUPS JOINING 300 AND 500 ROWS JOIN public.visits AS t2 ON payer = t2.member_id GROUP BY method
count: SELECT CASE WHEN pg_catalog.octet_length(t."method") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."method"), 65537)) ELSE t."method" END AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."house" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0))::pg_catalog.text COLLATE pg_catalog."C"), 0), (t."method" COLLATE pg_catalog."C")) AS "group" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."house", t2."stars", t2."member_id" FROM (SELECT t2."house", t2."stars", t2."member_id", pg_catalog.row_number() OVER (PARTITION BY t2."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t2."member_id", (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."house" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."house" COLLATE pg_catalog."C") AS "row" FROM "public"."visits" AS t2 WHERE t2."member_id" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 500) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."member_id" WHERE t."payer" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY t."method"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT method, both_of_them."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) both_of_them(method, "count 1")

# A table with itself.
SELECT count(DISTINCT a.payer) FROM payments a JOIN payments b ON a.payer = b.payer WHERE a.method = 'card' AND b.method = 'cash'
----
answer
question: count(DISTINCT payer) FROM public.payments PER payer JOINING 300 AND 300 ROWS JOIN public.payments AS t2 ON payer = t2.payer WHERE (method = 'card' AND t2.method = 'cash')
count: SELECT pg_catalog.count(DISTINCT t."payer") AS c1 FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL AND t."method" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."payer", t2."method", t2."stars" FROM (SELECT t2."payer", t2."method", t2."stars", pg_catalog.row_number() OVER (PARTITION BY t2."payer" ORDER BY pg_catalog.hashtextextended((ROW(t2."payer", (ROW(pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t2 WHERE t2."payer" IS NOT NULL AND t2."method" OPERATOR(pg_catalog.=) $2::pg_catalog.text) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 300) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."payer" WHERE t."payer" IS NOT NULL AND (t."method" OPERATOR(pg_catalog.=) $3::pg_catalog.text AND t2."method" OPERATOR(pg_catalog.=) $4::pg_catalog.text)) AS t
args: ["card" "cash" "card" "cash"]
charge: 1 counts, 0 thresholds
rest: SELECT a."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) a("count 1")

SELECT payer, count(*) FROM payments a JOIN payments b USING (payer) GROUP BY payer
----
answer
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS IN 450 GROUPS JOINING 300 AND 300 ROWS JOIN public.payments AS t2 ON payer = t2.payer GROUP BY payer
count: SELECT t."payer" AS k1, pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars", pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C", t2."method" COLLATE pg_catalog."C") AS "alike", pg_catalog.dense_rank() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."payer")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."payer") AS "group" FROM (SELECT t."payer", t."method", t."stars" FROM (SELECT t."payer", t."method", t."stars", pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C"), t."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS t JOIN (SELECT t2."payer", t2."method", t2."stars" FROM (SELECT t2."payer", t2."method", t2."stars", pg_catalog.row_number() OVER (PARTITION BY t2."payer" ORDER BY pg_catalog.hashtextextended((ROW(t2."payer", (ROW(pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"))::pg_catalog.text COLLATE pg_catalog."C"), 0), (ROW(pg_catalog.hashtextextended(t2."method" COLLATE pg_catalog."C", 0), t2."stars")::pg_catalog.text COLLATE pg_catalog."C"), t2."method" COLLATE pg_catalog."C") AS "row" FROM "public"."payments" AS t2 WHERE t2."payer" IS NOT NULL) AS t2 WHERE t2."row" OPERATOR(pg_catalog.<=) 300) AS t2 ON t."payer" OPERATOR(pg_catalog.=) t2."payer" WHERE t."payer" IS NOT NULL) AS t WHERE t."group" OPERATOR(pg_catalog.<=) 450) AS t GROUP BY 1
args: []
charge: 2 counts, 1 thresholds
rest: SELECT a."key 1" AS payer, a."count 1" AS count FROM unnest($1::bigint[], $2::bigint[]) a("key 1", "count 1")

# USING would give the column a type of both.
SELECT count(*) FROM (SELECT member_id AS payer FROM visits) v JOIN payments p USING (payer)
----
refuse 0A000 at 54: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM payments a JOIN payments b USING (payer, method)
----
refuse 0A000 at 22: the join of protected tables public.payments and public.payments is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.payments AS b ON a.payer = b.payer

# Not along persons, or not alone.
SELECT count(*) FROM visits v JOIN payments p ON v.stars = p.stars
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v, payments p
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer OR v.stars = 1
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON v.member_id >= p.payer
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer + 1
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = v.member_id
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON p.payer = p.payer
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM (SELECT member_id + 1 AS member_id FROM visits) v JOIN payments p ON v.member_id = p.payer
----
refuse 42501 at 30: column "member_id" of protected table visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT count(*) FROM (SELECT payer + 1 AS payer FROM payments) v JOIN payments p ON v.payer = p.payer
----
refuse 0A000 at 54: the join of protected tables public.payments and public.payments is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.payments AS b ON a.payer = b.payer

SELECT count(*) FROM visits v LEFT JOIN payments p ON v.member_id = p.payer
----
refuse 0A000 at 22: an outer join of protected tables is not supported
hint: Use JOIN, or count in sub-selects and join their results.

SELECT count(*) FROM visits v FULL JOIN payments p ON v.member_id = p.payer
----
refuse 0A000 at 22: this kind of JOIN is not supported on protected tables
hint: Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it.

SELECT count(*) FROM visits v NATURAL JOIN payments p
----
refuse 0A000 at 22: this form of JOIN is not supported on protected tables
hint: Write JOIN ... ON with an equality.

SELECT count(*) FROM visits v CROSS JOIN payments p
----
refuse 0A000 at 22: the join of protected tables public.payments and public.visits is not along their persons
hint: Count in sub-selects and join their results. Or equate the columns that tell persons apart, with further conditions as you like: SELECT count(DISTINCT a.payer) FROM public.payments AS a JOIN public.visits AS b ON a.payer = b.member_id

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer JOIN payments q ON q.payer = p.payer
----
refuse 0A000 at 77: a join of more than two protected tables is not supported
hint: Count in sub-selects and join their results.

SELECT count(*) FROM visits v JOIN members m ON v.member_id = m.id
----
refuse 0A000 at 22: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer JOIN mine ON mine.city = v.house
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT house, count(*) AS n FROM visits GROUP BY house) AS c

SELECT stars, count(*) FROM visits v JOIN payments p ON v.member_id = p.payer GROUP BY stars
----
refuse 42702 at 88: column reference "stars" is ambiguous

SELECT v.member_id, count(*) FROM visits v JOIN payments p ON v.member_id = p.payer GROUP BY 1
----
refuse 42501 at 8: column "member_id" of protected table public.visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT v.house FROM visits v JOIN payments p ON v.member_id = p.payer
----
refuse 42501 at 21: rows of protected table payments cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT method, count(*) FROM payments GROUP BY method

SELECT xmin, count(*) FROM visits v JOIN payments p ON v.member_id = p.payer GROUP BY 1
----
refuse 42501 at 8: system column "xmin" of protected table public.visits cannot be used
hint: Usable columns are house, stars, member_id in count(DISTINCT member_id).

SELECT count(*) FROM visits v JOIN payments p ON v.member_id = p.payer FOR UPDATE
----
refuse 42501 at 22: rows of protected table payments cannot be locked
hint: Leave out FOR UPDATE or FOR SHARE.

# Outside of the sub-selects that are counted, protected tables stay apart.
SELECT a.n, b.n FROM (SELECT count(*) AS n FROM visits) a, (SELECT count(*) AS n FROM payments) b
----
answer
question: count(*) FROM public.visits PER member_id AT MOST 500 ROWS
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 500) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."member_id" ORDER BY pg_catalog.hashtextextended((ROW(t."member_id", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."house", t."stars", t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."member_id", (ROW(pg_catalog.hashtextextended(t."house" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."house" COLLATE pg_catalog."C") AS "alike" FROM "public"."visits" AS t WHERE t."member_id" IS NOT NULL) AS t) AS t
args: []
question: count(*) FROM public.payments PER payer AT MOST 300 ROWS
count: SELECT pg_catalog.count(*) FILTER (WHERE t."row" OPERATOR(pg_catalog.<=) 300) AS c1 FROM (SELECT t.*, pg_catalog.row_number() OVER (PARTITION BY t."payer" ORDER BY pg_catalog.hashtextextended((ROW(t."payer", t."content", t."alike")::pg_catalog.text COLLATE pg_catalog."C"), 0), t."content", t."alike") AS "row" FROM (SELECT t."payer", t."method", t."stars", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") AS "content", pg_catalog.row_number() OVER (PARTITION BY t."payer", (ROW(pg_catalog.hashtextextended(t."method" COLLATE pg_catalog."C", 0), t."stars")::pg_catalog.text COLLATE pg_catalog."C") ORDER BY t."method" COLLATE pg_catalog."C") AS "alike" FROM "public"."payments" AS t WHERE t."payer" IS NOT NULL) AS t) AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT a.n, b.n FROM (SELECT visits."count 1" AS n FROM pg_catalog.unnest($1::bigint[]) visits("count 1")) a, (SELECT payments."count 1" AS n FROM pg_catalog.unnest($2::bigint[]) payments("count 1")) b
