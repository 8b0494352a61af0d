SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY c.city ORDER BY 1

# RIGHT JOIN is the same turned round.
SELECT c.city, count(m.id) FROM members m RIGHT JOIN cities c ON m.city = c.city GROUP BY c.city ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m RIGHT JOIN cities c ON m."join 1" = c.city GROUP BY c.city ORDER BY 1

SELECT city, count(m.id) AS n FROM cities c LEFT JOIN members m USING (city) GROUP BY city ORDER BY n DESC, city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m.city IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m.city IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS n FROM cities c LEFT JOIN (SELECT m.city AS city, m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m USING (city) GROUP BY city ORDER BY n DESC, city

# Several cities of a country: counts are added up.
SELECT c.country, count(m.id), count(*) FILTER (WHERE m.active) AS active FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.country ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT c.country, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS active FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1", m."count 2" AS "measure 2" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) m(city, "count 1", "count 2")) m ON m."join 1" = c.city GROUP BY c.country ORDER BY 1

SELECT c.city, max(c.country), count(*), sum(CASE WHEN m.plan = 'gold' THEN 1 ELSE 0 END) AS gold, round(count(m.id)::numeric / max(length(c.city)), 2) FROM cities c LEFT JOIN members m ON c.city = m.city AND m.plan <> 'free' AND c.country > 'A' GROUP BY 1 HAVING count(m.id) > 0 ORDER BY count(m.id) DESC, 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE plan <> 'free' GROUP BY city
question: count(*) FILTER (WHERE plan = 'gold') FROM public.members WHERE plan <> 'free' GROUP BY city
question: count(*) FROM public.members WHERE plan <> 'free' GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c2, pg_catalog.count(*) AS c3 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.<>) $2::pg_catalog.text GROUP BY t."city"
args: ["gold" "free"]
charge: 2 counts, 0 thresholds
rest: SELECT c.city, max(c.country), CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN CASE WHEN m."measure 1" IS NOT NULL THEN GREATEST(m."measure 1", 1) END WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 1 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN CASE WHEN m."measure 1" IS NOT NULL THEN GREATEST(m."measure 1", 1) END WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 1 END), 0)::bigint END AS count, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END), 0)::bigint END AS gold, round(CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END), 0)::bigint END::numeric / max(length(c.city)), 2) AS round FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1", m."count 2" AS "measure 2", m."count 3" AS "measure 3" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) m(city, "count 1", "count 2", "count 3")) m ON m."join 1" = c.city AND c.country > 'A' GROUP BY 1 HAVING CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END), 0)::bigint END > 0 ORDER BY CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL OR c.country > 'A' IS NOT TRUE THEN 0 END), 0)::bigint END DESC, 1

SELECT d::date AS day, count(m.seen) FROM generate_series(date '2024-03-01', date '2024-03-31', interval '1 day') AS d LEFT JOIN members m ON m.seen::date = d::date AND m.plan = 'gold' GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FILTER (WHERE seen IS NOT NULL) FROM public.members WHERE (plan = 'gold' AND seen < timestamp '2024-04-01 00:00:00' AND seen >= timestamp '2024-03-01 00:00:00') GROUP BY seen::date
count: SELECT (((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) FILTER (WHERE t."seen" IS NOT NULL) AS c1 FROM "public"."members" AS t WHERE (t."plan" OPERATOR(pg_catalog.=) $3::pg_catalog.text AND t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamp) GROUP BY 1
args: ["0001-01-01" "9999-12-31" "gold" "2024-04-01 00:00:00" "2024-03-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT d::date AS day, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN d::date IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN d::date IS NULL THEN 0 END), 0)::bigint END AS count FROM generate_series('2024-03-01'::date, '2024-03-31'::date, '1 day'::interval) d LEFT JOIN (SELECT m."key 1" AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.date[], $2::bigint[]) m("key 1", "count 1")) m ON m."join 1" = d::date GROUP BY 1 ORDER BY 1

SELECT month, count(m.paid) FROM generate_series('2024-01-01'::timestamptz, '2024-12-01', '1 month') AS month LEFT JOIN members m ON date_trunc('month', m.paid) = month GROUP BY month ORDER BY month
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(($2::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c3, (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone((CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END)::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2024-01-01 false 0} {2025-01-01 false 0}]
question: count(*) FILTER (WHERE paid IS NOT NULL) FROM public.members WHERE (paid < timestamptz '2020-01-01 00:00:00+00' AND paid >= timestamptz '2020-01-01 00:00:00+00') GROUP BY date_trunc('month', paid, 'UTC')
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz, $4::pg_catalog.text))::pg_catalog.timestamptz AS k1, pg_catalog.count(*) FILTER (WHERE t."paid" IS NOT NULL) AS c1 FROM "public"."members" AS t WHERE (t."paid" OPERATOR(pg_catalog.<) $5::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.>=) $6::pg_catalog.timestamptz) GROUP BY 1
args: ["month" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "UTC" "2020-01-01 00:00:00+00" "2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT month, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN month IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN month IS NULL THEN 0 END), 0)::bigint END AS count FROM generate_series('2024-01-01'::timestamptz, '2024-12-01', '1 month') month LEFT JOIN (SELECT m."key 1" AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::timestamp with time zone[], $2::bigint[]) m("key 1", "count 1")) m ON m."join 1" = month GROUP BY month ORDER BY month

WITH days AS (SELECT generate_series('2024-03-01'::date, '2024-03-31'::date, '1 day')::date AS day) SELECT day, count(m.id) FROM days LEFT JOIN members m ON m.joined = day GROUP BY day ORDER BY day
----
answer
question: count(*) FROM public.members WHERE (joined < date '2024-04-01' AND joined >= date '2024-03-01') GROUP BY joined
count: SELECT t."joined" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date) GROUP BY 1
args: ["2024-04-01" "2024-03-01"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.date[])) WITH ORDINALITY AS u(k1, o) WHERE (u.k1 OPERATOR(pg_catalog.<) $2::pg_catalog.date AND u.k1 OPERATOR(pg_catalog.>=) $3::pg_catalog.date) ORDER BY u.o
args: ["{}" "2024-04-01" "2024-03-01"]
charge: 1 counts, 0 thresholds
rest: WITH days AS (SELECT generate_series('2024-03-01'::date, '2024-03-31'::date, '1 day')::date AS day) SELECT day, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN day IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN day IS NULL THEN 0 END), 0)::bigint END AS count FROM days LEFT JOIN (SELECT m.joined AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.date[], $2::bigint[]) m(joined, "count 1")) m ON m."join 1" = day GROUP BY day ORDER BY day

SELECT day::date, count(m.id) FROM generate_series('2024-01-01'::date, '2024-03-31', '1 month') AS day LEFT JOIN members m ON m.seen >= day AND m.seen < day + interval '1 month' GROUP BY day ORDER BY day
----
answer
question: count(*) FROM public.members WHERE (seen < timestamp '2024-05-01 00:00:00' AND seen >= timestamp '2024-01-01 00:00:00') GROUP BY date_trunc('month', seen)::date
count: SELECT ((((pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamp) GROUP BY 1
args: ["month" "0001-01-01" "9999-12-31" "2024-05-01 00:00:00" "2024-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT day::date, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN day::pg_catalog.date IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN day::pg_catalog.date IS NULL THEN 0 END), 0)::bigint END AS count FROM generate_series('2024-01-01'::date, '2024-03-31', '1 month') day LEFT JOIN (SELECT m."key 1" AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.date[], $2::bigint[]) m("key 1", "count 1")) m ON m."join 1" = day::pg_catalog.date GROUP BY day ORDER BY day

SELECT c.city, (SELECT count(*) FROM members m WHERE m.city = c.city AND m.active) AS members FROM cities c ORDER BY c.city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE active = true GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY t."city"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, (SELECT CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM (SELECT 1 AS "one row") "one row" LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city) AS members FROM cities c ORDER BY c.city

SELECT seen::date, city, count(*) AS n FROM members JOIN (SELECT city AS city__, count(*) AS mme_inner__ FROM members WHERE seen >= '2024-01-01' AND seen < '2024-02-01' GROUP BY city ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON city = city__ WHERE seen >= '2024-01-01' AND seen < '2024-02-01' GROUP BY seen::date, city ORDER BY n DESC LIMIT 100
----
answer
question: count(*) FROM public.members WHERE (seen < timestamp '2024-02-01 00:00:00' AND seen >= timestamp '2024-01-01 00:00:00') GROUP BY city, seen::date
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, (((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."seen" OPERATOR(pg_catalog.<) $3::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.>=) $4::pg_catalog.timestamp) GROUP BY t."city", 2
args: ["0001-01-01" "9999-12-31" "2024-02-01 00:00:00" "2024-01-01 00:00:00"]
question: count(*) FROM public.members WHERE (seen < timestamp '2024-02-01 00:00:00' AND seen >= timestamp '2024-01-01 00:00:00') GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."seen" OPERATOR(pg_catalog.<) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp) GROUP BY t."city"
args: ["2024-02-01 00:00:00" "2024-01-01 00:00:00"]
charge: 2 counts, 0 thresholds
rest: SELECT members."key 1" AS seen, members."key 2" AS city, members."measure 1" AS n FROM (SELECT city AS "join 1", members."key 2'" AS "key 1", city AS "key 2", members."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::pg_catalog.date[], $3::bigint[]) members(city, "key 2'", "count 1")) members JOIN (SELECT city AS city__, members."count 1" AS mme_inner__ FROM unnest($4::pg_catalog.text[], $5::bigint[]) members(city, "count 1") ORDER BY mme_inner__ DESC LIMIT 2) series_limit ON members."join 1" = city__ ORDER BY n DESC LIMIT 100

# Rows of the analyst's own, with a key twice and NULL: each adds its count.
SELECT x.city, count(m.id) FROM mine x LEFT JOIN members m ON m.city = x.city GROUP BY x.city ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN x.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN x.city IS NULL THEN 0 END), 0)::bigint END AS count FROM mine x LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = x.city GROUP BY x.city ORDER BY 1

SELECT x.n, count(m.id) AS members, max(x.city) FROM (VALUES ('Oslo', 1), ('Oslo', 1), ('Rome', 2), (NULL, 3)) AS x(city, n) LEFT JOIN members m ON m.city = x.city GROUP BY x.n ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x.n, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN x.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN x.city IS NULL THEN 0 END), 0)::bigint END AS members, max(x.city) FROM (VALUES ('Oslo', 1), ('Oslo', 1), ('Rome', 2), (NULL, 3)) x(city, n) LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = x.city GROUP BY x.n ORDER BY 1

# A city that no member can have matches nobody, by a condition on keys.
SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city AND m.city <> 'Rome' AND m.city IN ('Oslo', 'Rome') GROUP BY c.city ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE (city <> 'Rome' AND city IN ('Oslo', 'Rome')) GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text AND t."city" OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.text[])) GROUP BY t."city"
args: ["Rome" "{\"Oslo\",\"Rome\"}"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE (u.k1 OPERATOR(pg_catalog.<>) $2::pg_catalog.text AND u.k1 OPERATOR(pg_catalog.=) ANY ($3::pg_catalog.text[])) ORDER BY u.o
args: ["{}" "Rome" "{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR c.city <> 'Rome' IS NOT TRUE OR c.city IN ('Oslo', 'Rome') IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR c.city <> 'Rome' IS NOT TRUE OR c.city IN ('Oslo', 'Rome') IS NOT TRUE THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY c.city ORDER BY 1

SELECT c.city, count(m.id), sum(count(m.id)) OVER () FROM cities c LEFT JOIN members m ON m.city = c.city AND m.active WHERE c.country > 'D' GROUP BY c.city ORDER BY 2 DESC, 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE active = true GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY t."city"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count, sum(CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END) OVER () AS sum FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city WHERE c.country > 'D' GROUP BY c.city ORDER BY 2 DESC, 1

SELECT c.country, c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY ROLLUP (c.country, c.city) ORDER BY 1, 2
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.country, c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY ROLLUP (c.country, c.city) ORDER BY 1, 2

SELECT c.city, x.n, count(m.id) FROM cities c JOIN mine x ON x.city = c.city LEFT JOIN members m ON m.city = c.city GROUP BY c.city, x.n ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, x.n, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c JOIN mine x ON x.city = c.city LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY c.city, x.n ORDER BY 1

SELECT c.city, x.n, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city LEFT JOIN mine x ON x.city = c.city GROUP BY c.city, x.n ORDER BY 1, 2
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, x.n, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city LEFT JOIN mine x ON x.city = c.city GROUP BY c.city, x.n ORDER BY 1, 2

SELECT c.city, count(m.plan) FILTER (WHERE m.plan = $1) FROM cities c LEFT JOIN members m ON m.city = c.city AND m.active = $2 WHERE c.country <> $3 GROUP BY c.city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
params: [25 16 0]
question: count(*) FILTER (WHERE plan = 'v1') FROM public.members WHERE active = true GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool GROUP BY t."city"
args: ["v1" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($4::pg_catalog.text[], $5::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city WHERE c.country <> $3 GROUP BY c.city

SELECT c.city, tacit.low(count(m.id)), count(m.id), tacit.high(count(m.id)) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city ORDER BY 1
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, pg_catalog.max(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) AS low, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 2" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count, pg_catalog.max(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 3" WHEN c.city IS NULL THEN 0 END) AS high FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."lower 1" AS "measure 1", m."count 1" AS "measure 2", m."upper 1" AS "measure 3" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) m(city, "count 1", "lower 1", "upper 1")) m ON m."join 1" = c.city GROUP BY c.city ORDER BY 1

SELECT t.city, t.n, tacit.low(t.n) FROM (SELECT c.city, count(m.id) AS n FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city) AS t
----
refuse 0A000 at 21: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT c.country, count(m.id), tacit.within(count(m.id)) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.country
----
refuse 0A000 at 32: tacit.within is supported in an outer join for counts of a column of the protected side alone, where a group is one row of the other side
hint: Count in a sub-select, and join its counts.

SELECT c.country, count(*) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.country
----
refuse 0A000 at 19: count(*) is not supported where a group of an outer join may be of several rows of the other side
hint: It counts 1 for each row that nobody belongs to, and noise would make more of it. Use count of a column of the protected table.

SELECT c.city, m.plan, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city, m.plan
----
refuse 42803 at 16: a column of the protected side of an outer join stands outside of aggregates
hint: Group by columns of the other side, and show those.

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city WHERE m.active GROUP BY c.city
----
refuse 0A000 at 87: a condition in WHERE on the protected side of an outer join is not supported, since it would leave out the rows that nobody belongs to
hint: Write it in ON, where it leaves out rows of the protected table alone.

SELECT c.city FROM cities c LEFT JOIN members m ON m.city = c.city WHERE m.id IS NULL
----
refuse 0A000 at 79: a condition in WHERE on the protected side of an outer join is not supported, since it would leave out the rows that nobody belongs to
hint: Write it in ON, where it leaves out rows of the protected table alone.

SELECT * FROM cities c LEFT JOIN members m ON m.city = c.city
----
refuse 42501 at 8: * shows rows of the protected side of an outer join
hint: Name the columns of the other side, or write their table's name before the star.

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city < c.city GROUP BY c.city
----
refuse 0A000 at 72: this condition on both sides of an outer join of a protected table is not supported
hint: Use equalities of an expression of the protected table's columns with one of the other side's, conditions on one side alone, or x >= day AND x < day + interval '1 day' where day is generate_series of whole days.

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.plan = 'gold' GROUP BY c.city
----
refuse 0A000 at 52: this join keeps rows beside a protected table, and no equality says which of its rows belong to which
hint: Equate a column of the protected table, or an expression of its columns, with one of the other side, in ON.

SELECT c.city, sum(length(c.country)), count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city
----
refuse 0A000 at 16: sum of columns of the other side is not supported in a join with a protected table, since each row of it would come once for each protected row
hint: Use max or min of a column that is the same in the whole group, or DISTINCT.

SELECT c.city, count(coalesce(m.plan, 'none')) FROM cities c LEFT JOIN members m ON m.city = c.city GROUP BY c.city
----
refuse 0A000 at 16: this form of count is not supported in an outer join, since it may count rows that nobody belongs to
hint: Use count of a column of the protected table, or FILTER with comparisons of its columns, which are not true for such rows.

# Keys that a threshold would decide about.
SELECT x.n, count(m.id) FROM mine x LEFT JOIN members m ON m.birth_year = x.n GROUP BY x.n
----
refuse 42501 at 47: rows of other tables cannot stand beside counts of table public.members by keys whose values are not known
detail: A threshold would decide by its rows which keys have a count. Nothing was charged.
hint: Equate columns whose values are declared, or a time with a calendar (generate_series) from a constant date to another. Or ask the steward to declare the values. Or count without keys: SELECT count(*) FROM public.members

SELECT d, count(m.id) FROM generate_series(current_date, current_date - 30, interval '-1 day') AS d LEFT JOIN members m ON m.seen::date = d GROUP BY d
----
refuse 42501 at 111: rows of other tables cannot stand beside counts of table public.members by keys whose values are not known
detail: A threshold would decide by its rows which keys have a count. Nothing was charged.
hint: Equate columns whose values are declared, or a time with a calendar (generate_series) from a constant date to another. Or ask the steward to declare the values. Or count without keys: SELECT count(*) FROM public.members

SELECT d, count(m.id) FROM generate_series($1::date, $2::date, interval '1 day') AS d LEFT JOIN members m ON m.seen::date = d GROUP BY d
----
refuse 42501 at 97: rows of other tables cannot stand beside counts of table public.members by keys whose values are not known
detail: A threshold would decide by its rows which keys have a count. Nothing was charged.
hint: Equate columns whose values are declared, or a time with a calendar (generate_series) from a constant date to another. Or ask the steward to declare the values. Or count without keys: SELECT count(*) FROM public.members

# Expressions of the other side that may have another value each time.
SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = CASE WHEN random() < 0.5 THEN c.city END GROUP BY c.city
----
refuse 0A000 at 84: this expression of the other side of an outer join is not supported, since it may have another value each time
hint: Use columns, constants, operators, casts, and functions such as date_trunc, lower or coalesce. Compute others in a sub-select, and join that.

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city AND c.city IN (SELECT city FROM mine) GROUP BY c.city
----
refuse 0A000 at 92: this expression of the other side of an outer join is not supported, since it may have another value each time
hint: Use columns, constants, operators, casts, and functions such as date_trunc, lower or coalesce. Compute others in a sub-select, and join that.

# An outer query's column without an equality.
SELECT (SELECT count(*) FROM members m WHERE m.birth_year < x.n) FROM mine x
----
refuse 42P01 at 61: missing FROM-clause entry for table "x"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT c.city, (SELECT count(*) FROM members m WHERE m.city = c.city AND m.birth_year > c.country) FROM cities c
----
refuse 0A000 at 38: this count for each row of an outer query is not supported
hint: Equate an expression of the protected table's columns with columns of the outer query in WHERE, and select one count of its rows.

SELECT c.city, (SELECT count(*) FROM members m WHERE m.city = c.city) * 2 AS twice FROM mine c WHERE (SELECT count(*) FROM members m WHERE m.city = c.city AND m.plan = 'gold') > 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members WHERE plan = 'gold' GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."city"
args: ["gold"]
charge: 2 counts, 0 thresholds
rest: SELECT c.city, (SELECT CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM (SELECT 1 AS "one row") "one row" LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city) * 2 AS twice FROM mine c WHERE (SELECT CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM (SELECT 1 AS "one row") "one row" LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($3::pg_catalog.text[], $4::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city) > 1

# Two tables of persons.
SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city LEFT JOIN logins l ON l.member_id = m.id GROUP BY c.city
----
refuse 0A000 at 33: an outer join of protected tables is not supported
hint: Use JOIN, or count in sub-selects and join their results.

SELECT c.city, count(m.id) FROM cities c FULL JOIN members m ON m.city = c.city GROUP BY c.city
----
refuse 0A000 at 33: this kind of JOIN is not supported on protected tables
hint: Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it.

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city AND (c.country = 'NO' OR c.country = 'IT' AND NOT c.city = 'Rome') GROUP BY c.city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR (c.country = 'NO' OR (c.country = 'IT' AND NOT c.city = 'Rome')) IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR (c.country = 'NO' OR (c.country = 'IT' AND NOT c.city = 'Rome')) IS NOT TRUE THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city AND (c.country = 'NO' OR (c.country = 'IT' AND NOT c.city = 'Rome')) GROUP BY c.city

SELECT c.city, count(m.id) FROM cities c LEFT JOIN members m ON m.city = c.city AND (m.city = 'Oslo' OR NOT m.city = 'Rome' AND m.city IS NOT NULL) GROUP BY c.city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members WHERE (city <> 'Rome' OR city = 'Oslo') GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text) GROUP BY t."city"
args: ["Rome" "Oslo"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE (u.k1 OPERATOR(pg_catalog.<>) $2::pg_catalog.text OR u.k1 OPERATOR(pg_catalog.=) $3::pg_catalog.text) ORDER BY u.o
args: ["{}" "Rome" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR (c.city = 'Oslo' OR (NOT c.city = 'Rome' AND c.city IS NOT NULL)) IS NOT TRUE THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL OR (c.city = 'Oslo' OR (NOT c.city = 'Rome' AND c.city IS NOT NULL)) IS NOT TRUE THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY c.city

# The largest groups of a table with exact counts.
SELECT hair, eye, count(*) FROM carriers JOIN (SELECT hair AS h, count(*) AS n FROM carriers GROUP BY hair ORDER BY n DESC LIMIT 2) AS t ON hair = h GROUP BY hair, eye
----
refuse 0A000 at 85: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT hair, count(*) AS n FROM carriers GROUP BY hair) AS c

# NULL is not among the elements of an empty array: the condition is false, and not NULL
SELECT c.city, count(v.house = ANY ('{}')) FROM cities AS c LEFT JOIN visits AS v ON v.house = c.city GROUP BY c.city
----
refuse 0A000 at 16: this form of count is not supported in an outer join, since it may count rows that nobody belongs to
hint: Use count of a column of the protected table, or FILTER with comparisons of its columns, which are not true for such rows.

SELECT c.city, count(m.city) FILTER (WHERE m.plan = ANY ('{gold}')) FROM cities AS c LEFT JOIN members AS m ON m.city = c.city GROUP BY c.city
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FILTER (WHERE (city IS NOT NULL AND plan = 'gold')) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE (t."city" IS NOT NULL AND t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text)) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: ["gold"]
charge: 1 counts, 0 thresholds
rest: SELECT c.city, CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM cities c LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city GROUP BY c.city
