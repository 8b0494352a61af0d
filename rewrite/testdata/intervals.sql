SELECT city, count(*), tacit.low(count(*)), tacit.high(count(*)) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, members."lower 1" AS low, members."upper 1" AS high FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")

SELECT tacit.within(count(*)) AS within, tacit.suppressed(count(*)) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT GREATEST(members."upper 1" - members."count 1", members."count 1" - members."lower 1") AS within, members."count 1" IS NULL AS suppressed FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")

SELECT city, tacit.low(count(*), 0.99) AS l, TACIT.High(count(*), '0.99') FROM members GROUP BY city
----
refuse 22023 at 46: the level of tacit.high must be a constant number of at least 0.5 and below 1
hint: Write 0.99, for example.

SELECT city, tacit.low(count(*), 0.99) AS l, TACIT.High(count(*), 0.99) FROM members GROUP BY city HAVING tacit.low(count(*)) > 10 ORDER BY tacit.within(count(DISTINCT level))
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(DISTINCT level) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(DISTINCT t."level") AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 2 counts, 0 thresholds
rest: SELECT city, members."lower 1" AS l, members."upper 1" AS high FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[]) members(city, "count 1", "count 2", "lower 1", "upper 1", "lower 2", "upper 2", "lower 3", "upper 3") WHERE members."lower 2" > 10 ORDER BY GREATEST(members."upper 3" - members."count 2", members."count 2" - members."lower 3")

SELECT city, avg(active::int), tacit.low(avg(active::int)), tacit.high(avg(active::int)) FROM members GROUP BY city
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT city, members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg, CASE WHEN members."upper 2" > 0 THEN LEAST(members."lower 1"::numeric / members."upper 2"::numeric, 1::numeric) END AS low, CASE WHEN members."upper 2" > 0 THEN CASE WHEN members."lower 2" > 0 THEN LEAST(members."upper 1"::numeric / members."lower 2"::numeric, 1::numeric) ELSE 1::numeric END END AS high FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[]) members(city, "count 1", "count 2", "lower 1", "upper 1", "lower 2", "upper 2")

SELECT tacit.low(100.0 * count(*) FILTER (WHERE active) / nullif(count(*), 0)), tacit.high(round(sum(active::int)::numeric * -2, 1) - count(*)) FROM members
----
answer
question: count(*) FROM public.members WHERE active = true
question: count(*) FROM public.members
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool) AS c3 FROM "public"."members" AS t
args: ["t" "t"]
charge: 2 counts, 0 thresholds
rest: SELECT CASE WHEN members."lower 2" > 0 THEN LEAST((members."lower 1" * 100.0) / members."lower 2", (members."lower 1" * 100.0) / members."upper 2") END AS low, round(members."lower 3"::numeric * -2, 1) - members."lower 2" AS high FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[]) members("count 1", "count 2", "count 3", "lower 1", "upper 1", "lower 2", "upper 2", "lower 3", "upper 3")

SELECT tacit.within(count(*) * count(level)) FROM members
----
answer
question: count(*) FROM public.members
question: count(*) FROM public.members WHERE level IS NOT NULL
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."level" IS NOT NULL) AS c2 FROM "public"."members" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT GREATEST(GREATEST(members."lower 1" * members."lower 2", members."lower 1" * members."upper 2", members."upper 1" * members."lower 2", members."upper 1" * members."upper 2") - (members."count 1" * members."count 2"), (members."count 1" * members."count 2") - LEAST(members."lower 1" * members."lower 2", members."lower 1" * members."upper 2", members."upper 1" * members."lower 2", members."upper 1" * members."upper 2")) AS within FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) members("count 1", "count 2", "lower 1", "upper 1", "lower 2", "upper 2")

SELECT city, plan, count(*), tacit.low(count(*)), tacit.suppressed(count(*)) FROM members GROUP BY ROLLUP (city, plan)
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count, pg_catalog.int8larger(0::bigint, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint - ($1::bigint[])[pg_catalog.count(*)::int]) AS low, COALESCE(pg_catalog.bool_or(members."count 1" IS NULL), false) AS suppressed FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($2::pg_catalog.text[], $3::varchar[], $4::bigint[]) u(k1, k2, c1)) members GROUP BY ROLLUP (members.city, members.plan)

SELECT tacit.high(avg(active::int)) FROM members GROUP BY CUBE (city)
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT CASE WHEN pg_catalog.int8larger(0::bigint, COALESCE(pg_catalog.sum(members."count 2"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint + ($2::bigint[])[pg_catalog.count(*)::int]) > 0 THEN CASE WHEN pg_catalog.int8larger(0::bigint, COALESCE(pg_catalog.sum(members."count 2"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint - ($2::bigint[])[pg_catalog.count(*)::int]) > 0 THEN LEAST(pg_catalog.int8larger(0::bigint, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint + ($1::bigint[])[pg_catalog.count(*)::int])::numeric / pg_catalog.int8larger(0::bigint, COALESCE(pg_catalog.sum(members."count 2"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint - ($2::bigint[])[pg_catalog.count(*)::int])::numeric, 1::numeric) ELSE 1::numeric END END AS high FROM unnest($3::pg_catalog.text[], $4::bigint[], $5::bigint[]) members(city, "count 1", "count 2") GROUP BY CUBE (members.city)

SELECT hair, count(*), tacit.low(count(*)), tacit.suppressed(count(*)), tacit.suppressed(count(*) - count(age)) FROM carriers GROUP BY ROLLUP (hair)
----
answer
question: count(*) FROM public.carriers GROUP BY hair
question: count(*) FROM public.carriers GROUP BY hair
membership: SELECT u.o AS fact, p.o AS value, t."hair" AS k1, (TRUE) AS c1, (TRUE) AS c2 FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(c1, o) CROSS JOIN pg_catalog.unnest($2::pg_catalog.bool[]) WITH ORDINALITY AS p(v, o) CROSS JOIN LATERAL (SELECT u.c1 AS "hair", p.v AS "gene") AS t
args: ["{\"1\",NULL}" "{\"f\",\"t\"}"]
margin 0 of keys [0]
margin 1 of keys []
rest: SELECT hair, carriers."count 1" AS count, carriers."lower 1" AS low, carriers."count 1" IS NULL AS suppressed, carriers."count 1" IS NULL OR carriers."count 2" IS NULL AS suppressed FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) carriers(hair, "count 1", "count 2", "lower 1", "upper 1", "grouping set")

SELECT n, tacit.low(n) FROM (SELECT count(*) AS n FROM members) q
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT n, q."low 1" AS low FROM (SELECT members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2" FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")) q

SELECT *, tacit.low(n), tacit.high(q.n, 0.9) FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS q(town) WHERE tacit.low(n) > 3 AND n > 0 ORDER BY town
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT q.town AS town, q.n AS n, q."low 1" AS low, q."high 4" AS high FROM (SELECT city, members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2", members."lower 2" AS "low 3", members."upper 2" AS "high 4" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) members(city, "count 1", "lower 1", "upper 1", "lower 2", "upper 2")) q(town) WHERE q."low 1" > 3 AND n > 0 ORDER BY town

WITH q(town, n) AS (SELECT city, count(*) FROM members GROUP BY city), r AS (SELECT * FROM q WHERE n > 5) SELECT r.*, tacit.within(r.n), m.n AS mine FROM r JOIN mine m ON m.city = r.town
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH q(town, n) AS (SELECT city, members."count 1" AS count, members."lower 1" AS "low 3", members."upper 1" AS "high 4" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")), r AS (SELECT q.town AS town, q.n AS n, q."low 3" AS "low 1", q."high 4" AS "high 2" FROM q WHERE n > 5) SELECT r.town AS town, r.n AS n, GREATEST(r."high 2" - r.n, r.n - r."low 1") AS within, m.n AS mine FROM r JOIN mine m ON m.city = r.town

SELECT a.n - b.n, tacit.low(a.n - b.n) FROM (SELECT count(*) AS n FROM members) a, (SELECT count(*) AS n FROM logins) b
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.logins
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."logins" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT a.n - b.n, a."low 1" - b."high 4" AS low FROM (SELECT members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2" FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")) a, (SELECT logins."count 1" AS n, logins."lower 1" AS "low 3", logins."upper 1" AS "high 4" FROM unnest($4::bigint[], $5::bigint[], $6::bigint[]) logins("count 1", "lower 1", "upper 1")) b

SELECT what, tacit.low(n) FROM (SELECT 'members' AS what, count(*) AS n FROM members UNION ALL SELECT 'logins', count(*) FROM logins) AS q
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.logins
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."logins" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT what, q."low 1" AS low FROM (SELECT 'members' AS what, members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2" FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1") UNION ALL SELECT 'logins', logins."count 1" AS count, logins."lower 1" AS "low 1", logins."upper 1" AS "high 2" FROM unnest($4::bigint[], $5::bigint[], $6::bigint[]) logins("count 1", "lower 1", "upper 1")) q

SELECT share, tacit.low(share) FROM (SELECT n::numeric / m AS share FROM (SELECT count(*) FILTER (WHERE active) AS n, count(*) AS m FROM members) a) b
----
answer
question: count(*) FROM public.members WHERE active = true
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT share, b."low 1" AS low FROM (SELECT n::numeric / m AS share, CASE WHEN a."low 5" > 0 THEN LEAST(a."low 3"::numeric / a."low 5", a."low 3"::numeric / a."high 6") END AS "low 1", CASE WHEN a."low 5" > 0 THEN GREATEST(a."high 4"::numeric / a."low 5", a."high 4"::numeric / a."high 6") END AS "high 2" FROM (SELECT members."count 1" AS n, members."count 2" AS m, members."lower 1" AS "low 3", members."upper 1" AS "high 4", members."lower 2" AS "low 5", members."upper 2" AS "high 6" FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) members("count 1", "count 2", "lower 1", "upper 1", "lower 2", "upper 2")) a) b

SELECT tacit.low((SELECT count(*) FROM members)), (SELECT tacit.low(q.n) FROM mine LIMIT 1) FROM (SELECT count(*) AS n FROM members) q
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT members."lower 1" AS low FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")) AS low, (SELECT q."low 1" AS low FROM mine LIMIT 1) FROM (SELECT members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2" FROM unnest($4::bigint[], $5::bigint[], $6::bigint[]) members("count 1", "lower 1", "upper 1")) q

CREATE TABLE kept AS SELECT tacit.low(count(*)), tacit.high(count(*)) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TABLE kept AS SELECT members."lower 1" AS low, members."upper 1" AS high FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")

DECLARE c CURSOR FOR SELECT tacit.low(count(*)) FROM members
----
answer cursor=true inline=false trial=["DECLARE c CURSOR FOR SELECT 1" "CLOSE \"c\""]
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: DECLARE c CURSOR FOR SELECT members."lower 1" AS low FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")

COPY (SELECT city, tacit.low(count(*)) FROM members GROUP BY city) TO STDOUT
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT city, members."lower 1" AS low FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")) TO STDOUT
rehearsal: SELECT city, members."lower 1" AS low FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")

PREPARE p(text) AS SELECT tacit.low(count(*)) FROM members WHERE city = $1
----
answer prepare "p"
params: [25]
question: count(*) FROM public.members WHERE city = 'v1'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["v1"]
charge: 1 counts, 0 thresholds
rest: PREPARE p(text, bigint[], bigint[], bigint[]) AS SELECT members."lower 1" AS low FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) members("count 1", "lower 1", "upper 1")

EXPLAIN SELECT tacit.low(count(*)) FROM members
----
answer explain json=false
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
rest: SELECT members."lower 1" AS low FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "lower 1", "upper 1")

# SET tacit.intervals = on
SELECT city, count(*), count(level) AS l, avg(active::int) FROM members GROUP BY city ORDER BY 2
----
answer
question: count(*) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE level IS NOT NULL) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY city
question: count(*) FILTER (WHERE active IS NOT NULL) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1, pg_catalog.count(*) FILTER (WHERE t."level" IS NOT NULL) AS c2, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c3, pg_catalog.count(*) FILTER (WHERE t."active" IS NOT NULL) AS c4 FROM "public"."members" AS t GROUP BY t."city"
args: ["t"]
charge: 4 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count, members."count 2" AS l, members."count 3"::numeric / (NULLIF(members."count 4", 0))::numeric AS avg, members."lower 1" AS count_low, members."upper 1" AS count_high, members."lower 2" AS l_low, members."upper 2" AS l_high FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[]) members(city, "count 1", "count 2", "count 3", "count 4", "lower 1", "upper 1", "lower 2", "upper 2") ORDER BY 2

# SET tacit.intervals = on
SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS "Custom SQL" LIMIT 1000
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT "Custom SQL".city AS city, "Custom SQL".n AS n, "Custom SQL"."low 1" AS n_low, "Custom SQL"."high 2" AS n_high FROM (SELECT city, members."count 1" AS n, members."lower 1" AS "low 1", members."upper 1" AS "high 2" FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")) "Custom SQL" LIMIT 1000

# SET tacit.intervals = on
CREATE TABLE kept AS SELECT city, count(*) AS n FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TABLE kept AS SELECT city, members."count 1" AS n, members."lower 1" AS n_low, members."upper 1" AS n_high FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[], $4::bigint[]) members(city, "count 1", "lower 1", "upper 1")

# SET tacit.intervals = on
CREATE TABLE kept(a, b) AS SELECT city, count(*) AS n FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: CREATE TABLE kept(a, b) AS SELECT city, members."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

# SET tacit.intervals = on
INSERT INTO mine SELECT city, count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: INSERT INTO mine SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

# SET tacit.intervals = on
SELECT DISTINCT count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT DISTINCT members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

# SET tacit.intervals = on
SELECT count(*) AS n, 1 AS n_low FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS n, 1 AS n_low FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# SET tacit.intervals = on
SELECT sum(n) FROM (SELECT count(*) AS n FROM members GROUP BY city) q
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT sum(n) FROM (SELECT members."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")) q

SELECT tacit.low(3)
----
refuse 0A000 at 8: tacit.low tells how exact a count of a protected table is, and there is none in this statement
hint: Its argument is a count in the same SELECT, or a column that is one in a sub-select, for example: SELECT count(*), tacit.low(count(*)), tacit.high(count(*)) FROM public.carriers

SELECT tacit.hihg(count(*)) FROM mine
----
refuse 42883 at 8: function tacit.hihg does not exist
detail: The schema tacit is the proxy's own. It has the functions low, high, within and suppressed.
hint: Perhaps you meant tacit.high.

SELECT tacit.low(epsilon_left) FROM tacit.budget
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT 1; SELECT tacit.low(count(*)) FROM members; SELECT tacit.low(2)
----
refuse 0A000 at 59: tacit.low tells how exact a count of a protected table is, and there is none in this statement
hint: Its argument is a count in the same SELECT, or a column that is one in a sub-select, for example: SELECT count(*), tacit.low(count(*)), tacit.high(count(*)) FROM public.carriers

SELECT tacit.lo(count(*)) FROM members
----
refuse 42883 at 8: function tacit.lo does not exist
detail: The schema tacit is the proxy's own. It has the functions low, high, within and suppressed.
hint: Perhaps you meant tacit.low.

SELECT tacit.weather(count(*)) FROM members
----
refuse 42883 at 8: function tacit.weather does not exist
detail: The schema tacit is the proxy's own. It has the functions low, high, within and suppressed.

SELECT tacit.low() FROM members
----
refuse 42501 at 25: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT tacit.low(DISTINCT count(*)) FROM members
----
refuse 0A000 at 8: this call of tacit.low is not supported
hint: Its arguments are a count, and the level of the interval if that is not to be 0.95.

SELECT tacit.suppressed(count(*), 0.9) FROM members
----
refuse 0A000 at 8: this call of tacit.suppressed is not supported
hint: Its arguments are a count, and the level of the interval if that is not to be 0.95.

SELECT tacit.low(count(*), 1) FROM members
----
refuse 22023 at 8: the level of tacit.low must be a constant number of at least 0.5 and below 1
hint: Write 0.99, for example.

SELECT tacit.low(count(*), $1) FROM members
----
refuse 22023 at 8: the level of tacit.low must be a constant number of at least 0.5 and below 1
hint: Write 0.99, for example.

SELECT tacit.low(5) FROM members GROUP BY city
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT city, tacit.low(city) FROM members GROUP BY city
----
refuse 0A000 at 14: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT tacit.low(max(level)) FROM members
----
refuse 0A000 at 18: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT tacit.low(sqrt(count(*))) FROM members
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT tacit.low(count(*)) OVER () FROM members
----
refuse 0A000 at 8: this call of tacit.low is not supported
hint: Its arguments are a count, and the level of the interval if that is not to be 0.95.

SELECT tacit.low(tacit.high(count(*))) FROM members
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT count(*) FROM members WHERE tacit.low(level) > 3
----
refuse 0A000 at 36: tacit.low cannot stand here
hint: Call it beside a count: in the select list, HAVING or ORDER BY of a SELECT, or in a SELECT around it.

SELECT city, count(*) FROM members GROUP BY city, tacit.low(level)
----
refuse 0A000 at 51: tacit.low cannot stand here
hint: Call it beside a count: in the select list, HAVING or ORDER BY of a SELECT, or in a SELECT around it.

SELECT tacit.low(sum(n)) FROM (SELECT city, count(*) AS n FROM members GROUP BY city) q
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT tacit.low(n) FROM (SELECT DISTINCT count(*) AS n FROM members) q
----
refuse 0A000 at 8: tacit.low cannot be told of this column beside DISTINCT, GROUP BY, or a set operation other than UNION ALL
hint: Call it in the SELECT that has the count, and give the result a name.

SELECT tacit.low(n) FROM (SELECT count(*) AS n FROM members UNION SELECT count(*) FROM logins) q
----
refuse 0A000 at 8: tacit.low cannot be told of this column beside DISTINCT, GROUP BY, or a set operation other than UNION ALL
hint: Call it in the SELECT that has the count, and give the result a name.

SELECT tacit.low(n) FROM (SELECT n FROM (SELECT city, count(*) AS n FROM members GROUP BY city) a GROUP BY n) q
----
refuse 0A000 at 8: tacit.low cannot be told of this column beside DISTINCT, GROUP BY, or a set operation other than UNION ALL
hint: Call it in the SELECT that has the count, and give the result a name.

SELECT tacit.low(x) FROM mine, (SELECT count(*) AS n FROM members) q
----
refuse 0A000 at 8: tacit.low knows no error of this argument
hint: It takes a count, a column that is a count in a sub-select, and sums, differences, products and quotients of such. Of totals, ask for their count: it follows from recorded counts for free.

SELECT q, tacit.low(n) FROM (SELECT count(*) AS n FROM members) q
----
refuse 0A000 at 8: a star or a whole row is not supported here beside tacit.low, tacit.high and the like
hint: Name the columns.

SELECT *, tacit.low(n) FROM (SELECT count(*) AS n FROM members) q, mine
----
refuse 0A000 at 8: a star or a whole row is not supported here beside tacit.low, tacit.high and the like
hint: Name the columns.

SELECT tacit.low(n), count(q.*) FROM (SELECT count(*) AS n FROM members) q
----
refuse 0A000 at 28: a star or a whole row is not supported here beside tacit.low, tacit.high and the like
hint: Name the columns.

WITH q AS (SELECT count(*) AS n FROM members), r AS (SELECT tacit.low(n) FROM q) UPDATE mine SET x = (SELECT * FROM r) FROM q RETURNING *
----
refuse 0A000 at 137: a star or a whole row is not supported here beside tacit.low, tacit.high and the like
hint: Name the columns.

UPDATE mine SET x = tacit.low(q.n) FROM (SELECT count(*) AS n FROM members) q
----
refuse 0A000 at 21: tacit.low cannot stand here
hint: Call it beside a count: in the select list, HAVING or ORDER BY of a SELECT, or in a SELECT around it.
