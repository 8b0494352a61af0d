# counts in all spellings
SELECT count(1) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count('x'), count(true), count(2.5) FROM members
----
answer
question: count(*) FROM public.members
question: count(*) FROM public.members
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) AS c3 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS count, members."count 3" AS count FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "count 2", "count 3")

SELECT city, count(1) AS n FROM members GROUP BY city ORDER BY n DESC, city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") ORDER BY n DESC, city

SELECT count(DISTINCT city) FROM members
----
answer
question: count(DISTINCT city) FROM public.members
count: SELECT pg_catalog.count(DISTINCT t."city") AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT plan, count(DISTINCT city), count(*) FROM members GROUP BY plan ORDER BY plan
----
answer
question: count(DISTINCT city) FROM public.members GROUP BY plan
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(DISTINCT t."city") AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, members."count 2" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members ORDER BY plan

SELECT count(DISTINCT lower(city)) FILTER (WHERE active) FROM members
----
answer
question: count(DISTINCT lower(city)) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(DISTINCT (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool) AS c1 FROM "public"."members" AS t
args: ["65536" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(DISTINCT CASE WHEN active THEN birth_year END) FROM members
----
answer
question: count(DISTINCT CASE WHEN active = true THEN birth_year ELSE NULL END) FROM public.members
count: SELECT pg_catalog.count(DISTINCT (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN t."birth_year"::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4) AS c1 FROM "public"."members" AS t
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT sum(CASE WHEN active THEN 1 ELSE 0 END) FROM members
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1 FROM "public"."members" AS t
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS sum FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT plan, sum(CASE WHEN city = 'Oslo' THEN 1 ELSE 0 END) AS oslo, sum(CASE WHEN city = 'Rome' THEN 1 ELSE 0 END) AS rome, count(*) FROM members GROUP BY plan ORDER BY plan
----
answer
question: count(*) FILTER (WHERE city = 'Oslo') FROM public.members GROUP BY plan
question: count(*) FILTER (WHERE city = 'Rome') FROM public.members GROUP BY plan
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1, pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text) AS c2, pg_catalog.count(*) AS c3 FROM "public"."members" AS t GROUP BY 1
args: ["Oslo" "Rome"]
charge: 3 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS oslo, members."count 2" AS rome, members."count 3" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2", u.c3 AS "count 3" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[], $4::bigint[]) u(k1, c1, c2, c3)) members ORDER BY plan

SELECT plan, sum(CASE city WHEN 'Oslo' THEN 1 WHEN 'Rome' THEN 1 ELSE 0 END) FROM members GROUP BY plan
----
answer
question: count(*) FILTER (WHERE (((city <> 'Oslo' OR city IS NULL) AND city = 'Rome') OR city = 'Oslo')) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE (((t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."city" IS NULL) AND t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text) OR t."city" OPERATOR(pg_catalog.=) $3::pg_catalog.text)) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["Oslo" "Rome" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS sum FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, sum(CASE WHEN city IS NULL THEN 0 WHEN city < 'P' THEN 1 ELSE 0 END) FROM members GROUP BY plan
----
answer
question: count(*) FILTER (WHERE city < 'P') FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.<) $1::pg_catalog.text) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["P"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS sum FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, sum((active)::int) FROM members WHERE active IS NOT NULL GROUP BY plan
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members WHERE active IS NOT NULL GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1 FROM "public"."members" AS t WHERE t."active" IS NOT NULL GROUP BY 1
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS sum FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, sum((city = 'Oslo')::int) FROM members WHERE city IS NOT NULL GROUP BY plan
----
answer
question: count(*) FILTER (WHERE city = 'Oslo') FROM public.members WHERE city IS NOT NULL GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1 FROM "public"."members" AS t WHERE t."city" IS NOT NULL GROUP BY 1
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS sum FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT plan, avg(active::int) FROM members GROUP BY plan ORDER BY plan
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY plan
question: count(*) FILTER (WHERE active IS NOT NULL) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY 1
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members ORDER BY plan

SELECT plan, avg((birth_year < 1990)::int), round(100 * avg((birth_year < 1990)::int), 1) AS percent FROM members GROUP BY plan ORDER BY plan
----
answer
question: count(*) FILTER (WHERE birth_year <= 1989) FROM public.members GROUP BY plan
question: count(*) FILTER (WHERE birth_year IS NOT NULL) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4) AS c1, pg_catalog.count(*) FILTER (WHERE t."birth_year" IS NOT NULL) AS c2 FROM "public"."members" AS t GROUP BY 1
args: ["1989"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg, round(100 * (members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric), 1) AS percent FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members ORDER BY plan

SELECT avg(CASE WHEN city = 'Oslo' THEN 1 ELSE 0 END) FROM members
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
question: count(*) FROM public.members WHERE (city <> 'Oslo' OR city = 'Oslo' OR city IS NULL)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1, pg_catalog.count(*) FILTER (WHERE (t."city" OPERATOR(pg_catalog.<>) $2::pg_catalog.text OR t."city" OPERATOR(pg_catalog.=) $3::pg_catalog.text OR t."city" IS NULL)) AS c2 FROM "public"."members" AS t
args: ["Oslo" "Oslo" "Oslo"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT avg(CASE WHEN city = 'Oslo' THEN 1.0 ELSE 0 END) FROM members
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
question: count(*) FROM public.members WHERE (city <> 'Oslo' OR city = 'Oslo' OR city IS NULL)
count: SELECT pg_catalog.count(*) FILTER (WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1, pg_catalog.count(*) FILTER (WHERE (t."city" OPERATOR(pg_catalog.<>) $2::pg_catalog.text OR t."city" OPERATOR(pg_catalog.=) $3::pg_catalog.text OR t."city" IS NULL)) AS c2 FROM "public"."members" AS t
args: ["Oslo" "Oslo" "Oslo"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT plan, sum(CASE WHEN active THEN 1 ELSE 0 END)::numeric / count(*) AS share FROM members GROUP BY plan ORDER BY 1
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members GROUP BY plan
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t GROUP BY 1
args: ["t"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1"::numeric / members."count 2" AS share FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members ORDER BY 1

SELECT count(CASE WHEN active THEN 1 END) FROM members
----
answer
question: count(*) FROM public.members WHERE active = true
count: SELECT pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1 FROM "public"."members" AS t
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(CASE WHEN active THEN city END), count(CASE WHEN active THEN 0 ELSE 1 END) FROM members
----
answer
question: count(*) FROM public.members WHERE (active = true AND city IS NOT NULL)
question: count(*) FROM public.members WHERE (active IN (false, true) OR active IS NULL)
count: SELECT pg_catalog.count(*) FILTER (WHERE (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool AND t."city" IS NOT NULL)) AS c1, pg_catalog.count(*) FILTER (WHERE (t."active" OPERATOR(pg_catalog.=) ANY ($2::pg_catalog.bool[]) OR t."active" IS NULL)) AS c2 FROM "public"."members" AS t
args: ["t" "{\"f\",\"t\"}"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(nullif(city, 'Oslo')), count(nullif(active, false)) FROM members
----
answer
question: count(*) FROM public.members WHERE ((city <> 'Oslo' OR city IS NULL) AND city IS NOT NULL)
question: count(*) FROM public.members WHERE ((active = true OR active IS NULL) AND active IS NOT NULL)
count: SELECT pg_catalog.count(*) FILTER (WHERE ((t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."city" IS NULL) AND t."city" IS NOT NULL)) AS c1, pg_catalog.count(*) FILTER (WHERE ((t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool OR t."active" IS NULL) AND t."active" IS NOT NULL)) AS c2 FROM "public"."members" AS t
args: ["Oslo" "t"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(coalesce(city, plan)) FROM members
----
answer
question: count(*) FROM public.members WHERE (city IS NOT NULL OR city IS NULL)
count: SELECT pg_catalog.count(*) FILTER (WHERE (t."city" IS NOT NULL OR t."city" IS NULL)) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(birth_year > 1985), count(lower(city)) FROM members
----
answer
question: count(*) FROM public.members WHERE birth_year IS NOT NULL
question: count(*) FROM public.members WHERE lower(city) IS NOT NULL
count: SELECT pg_catalog.count(*) FILTER (WHERE t."birth_year" IS NOT NULL) AS c1, pg_catalog.count(*) FILTER (WHERE (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text IS NOT NULL) AS c2 FROM "public"."members" AS t
args: ["65536"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS count, members."count 2" AS count FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(full_name) FROM members
----
refuse 42501 at 14: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(tags) FROM members
----
answer
question: count(*) FROM public.members WHERE tags IS NOT NULL
count: SELECT pg_catalog.count(*) FILTER (WHERE t."tags" IS NOT NULL) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT plan, count(*) FILTER (WHERE city LIKE 'O%'), count(*) FILTER (WHERE lower(city) IN ('oslo', 'rome')) FROM members GROUP BY plan
----
answer
question: count(*) FILTER (WHERE (city LIKE 'O%')) FROM public.members GROUP BY plan
question: count(*) FILTER (WHERE lower(city) IN ('oslo', 'rome')) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) FILTER (WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text OPERATOR(pg_catalog.=) ANY ($5::pg_catalog.text[])) AS c2 FROM "public"."members" AS t GROUP BY 1
args: ["65536" "O%" "t" "65536" "{\"oslo\",\"rome\"}"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, members."count 1" AS count, members."count 2" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1", u.c2 AS "count 2" FROM unnest($1::varchar[], $2::bigint[], $3::bigint[]) u(k1, c1, c2)) members

SELECT sum(1) FROM members HAVING count(*) > 0
----
answer
question: count(*) FROM public.members
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2") WHERE members."count 2" > 0

SELECT city, sum(1) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS sum FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT sum(CASE WHEN active THEN salary ELSE 0 END) FROM members
----
refuse 0A000 at 8: sum of a number without known bounds is not supported on protected tables
detail: The noise of a sum must hide the largest number that one row could have.
hint: Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18.

SELECT sum(CASE WHEN active THEN 2 ELSE 0 END) FROM members
----
answer
question: sum(CASE WHEN active = true THEN 2 ELSE 0 END FROM 0 TO 2) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4::pg_catalog.int4, $4::pg_catalog.int4), $5::pg_catalog.int4)) FILTER (WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["t" "2" "0" "0" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT sum(CASE WHEN active THEN 1 ELSE -1 END) FROM members
----
answer
question: sum(CASE WHEN active = true THEN 1 ELSE -1 END FROM -1 TO 1) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4::pg_catalog.int4, $4::pg_catalog.int4), $5::pg_catalog.int4)) FILTER (WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["t" "1" "-1" "-1" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(('-1'::numeric * pg_catalog.trim_scale((members."count 1"::numeric + members."count 2"::numeric) / '2'::numeric)) + members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT avg(salary) FROM members
----
refuse 0A000 at 8: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT sum(birth_year) FROM members
----
refuse 0A000 at 8: sum of birth_year is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) FROM (SELECT CASE WHEN abs(birth_year::numeric) < 10 THEN round(birth_year::numeric, 0) WHEN abs(birth_year::numeric) < 100 THEN round(birth_year::numeric, -1) WHEN abs(birth_year::numeric) < 1000 THEN round(birth_year::numeric, -2) WHEN abs(birth_year::numeric) < 10000 THEN round(birth_year::numeric, -3) WHEN abs(birth_year::numeric) < 100000 THEN round(birth_year::numeric, -4) WHEN abs(birth_year::numeric) < 1000000 THEN round(birth_year::numeric, -5) ELSE round(birth_year::numeric, -6) END AS rounded, count(*) AS n FROM members WHERE birth_year IS NOT NULL GROUP BY 1) AS c

SELECT sum(DISTINCT CASE WHEN active THEN 1 ELSE 0 END) FROM members
----
refuse 0A000 at 8: this form of sum is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT max(birth_year) FROM members
----
refuse 0A000 at 8: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT bool_or(active) FROM members
----
refuse 0A000 at 8: aggregate bool_or is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT string_agg(city, ',') FROM members
----
refuse 0A000 at 8: aggregate string_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(NULL) FROM members
----
refuse 0A000 at 8: count of NULL or of a parameter is not supported on protected tables
hint: count(*) counts rows.

SELECT count(DISTINCT 1) FROM members
----
refuse 0A000 at 8: count(DISTINCT constant) is not supported on protected tables
hint: count(*) counts rows.

SELECT count((city, plan)) FROM members
----
refuse 0A000 at 14: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(DISTINCT (city, plan)) FROM members
----
refuse 0A000 at 23: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FILTER (WHERE count(*) > 1) FROM members
----
refuse 42803 at 31: aggregate functions are not allowed in WHERE

SELECT sum(count(*)) FROM members
----
refuse 42803 at 12: aggregate functions are not allowed in WHERE

SELECT city, sum(count(*)) OVER (), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, sum(members."count 1") OVER () AS sum, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

# keys that are computed
SELECT upper(city), count(*) FROM members GROUP BY upper(city) ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS upper, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT upper(city) AS c, count(*) FROM members GROUP BY c ORDER BY c
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS c, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY c

SELECT upper(m.city), count(*) FROM members m GROUP BY upper(city) ORDER BY upper(m.city)
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS upper, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1") ORDER BY m."key 1"

SELECT upper(city) || '!' AS loud, count(*) FROM members GROUP BY upper(city)
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" || '!' AS loud, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT left(city, 1), count(*) FROM members GROUP BY 1 HAVING count(*) > 2 ORDER BY 2 DESC, 1
----
answer
question: count(*) FROM public.members GROUP BY left(city, 1)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text
args: ["65536" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "left", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") WHERE members."count 1" > 2 ORDER BY 2 DESC, 1

SELECT birth_year / 10 * 10 AS decade, count(*) FROM members GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY ((birth_year / 10) * 10)
count: SELECT (((((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog./) $1::pg_catalog.int4))::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.*) $2::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["10" "10"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS decade, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT birth_year / 10, count(*) FROM members GROUP BY birth_year / 10 ORDER BY birth_year / 10
----
answer
question: count(*) FROM public.members GROUP BY (birth_year / 10)
count: SELECT ((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog./) $1::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["10"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1") ORDER BY members."key 1"

SELECT birth_year % 10, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (birth_year % 10)
count: SELECT ((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog.%) $1::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["10"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT mod(birth_year, 7), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY mod(birth_year, 7)
count: SELECT (pg_catalog.mod(t."birth_year"::pg_catalog.int4, $1::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["7"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS mod, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT abs(level), sign(level), count(*) FROM members GROUP BY 1, 2
----
refuse 0A000 at 8: abs could fail on a row of the protected table, for a value out of the range of type smallint, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT level + 0.5, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (level::numeric + 0.5)
count: SELECT pg_catalog.trim_scale((((((t."level"::pg_catalog.int2)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.+) $1::pg_catalog.numeric))::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["0.5"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT floor(salary / 100) * 100 AS band, count(*) FROM members WHERE salary <> 'NaN' GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members WHERE salary <> numeric 'NaN' GROUP BY (floor((salary / 100)) * 100)
count: SELECT pg_catalog.trim_scale(((((pg_catalog.floor(((((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $1::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $2::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $3::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $4::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $5::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric OPERATOR(pg_catalog./) $6::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.*) $7::pg_catalog.numeric))::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.<>) $8::pg_catalog.numeric GROUP BY 1
args: ["1e-100" "1e100" "-1e100" "-1e-100" "0" "100" "100" "NaN"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS band, members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT round(salary), trunc(salary), ceil(salary), count(*) FROM members WHERE salary < 5000 GROUP BY 1, 2, 3
----
answer
question: count(*) FROM public.members WHERE salary < 5000 GROUP BY ceil(salary), round(salary), trunc(salary)
count: SELECT pg_catalog.trim_scale((pg_catalog.ceil((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $1::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $2::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $3::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $4::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $5::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric))::pg_catalog.numeric) AS k1, pg_catalog.trim_scale((pg_catalog.round((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $6::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $7::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $8::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $9::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $10::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric))::pg_catalog.numeric) AS k2, pg_catalog.trim_scale((pg_catalog.trunc((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $11::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $12::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $13::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $14::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $15::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric))::pg_catalog.numeric) AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.<) $16::pg_catalog.numeric GROUP BY 1, 2, 3
args: ["1e-100" "1e100" "-1e100" "-1e-100" "0" "1e-100" "1e100" "-1e100" "-1e-100" "0" "1e-100" "1e100" "-1e100" "-1e-100" "0" "5000"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS round, members."key 2" AS trunc, members."key 3" AS ceil, members."count 1" AS count FROM unnest($1::numeric[], $2::numeric[], $3::numeric[], $4::bigint[]) members("key 1", "key 2", "key 3", "count 1")

SELECT round(salary, -2), count(*) FROM members WHERE salary < 5000 GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE salary < 5000 GROUP BY round(salary, -2)
count: SELECT pg_catalog.trim_scale((pg_catalog.round((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $1::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $2::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $3::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $4::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $5::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric, $6::pg_catalog.int4))::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.<) $7::pg_catalog.numeric GROUP BY 1
args: ["1e-100" "1e100" "-1e100" "-1e-100" "0" "-2" "5000"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS round, members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT round(score), floor(score * 2), count(*) FROM members WHERE score BETWEEN -100 AND 100 GROUP BY 1, 2
----
answer
question: count(*) FROM public.members WHERE (score <= float8 '100' AND score >= float8 '-100') GROUP BY floor((score * float8 '2')), round(score)
count: SELECT ((pg_catalog.floor(((((CASE WHEN (t."score" OPERATOR(pg_catalog.>=) $1::pg_catalog.float8 AND t."score" OPERATOR(pg_catalog.<=) $2::pg_catalog.float8 OR t."score" OPERATOR(pg_catalog.>=) $3::pg_catalog.float8 AND t."score" OPERATOR(pg_catalog.<=) $4::pg_catalog.float8 OR t."score" OPERATOR(pg_catalog.=) $5::pg_catalog.float8) THEN t."score" END)::pg_catalog.float8 OPERATOR(pg_catalog.*) $6::pg_catalog.float8))::pg_catalog.float8)::pg_catalog.float8))::pg_catalog.float8 OPERATOR(pg_catalog.+) '0'::pg_catalog.float8) AS k1, ((pg_catalog.round((CASE WHEN (t."score" OPERATOR(pg_catalog.>=) $7::pg_catalog.float8 AND t."score" OPERATOR(pg_catalog.<=) $8::pg_catalog.float8 OR t."score" OPERATOR(pg_catalog.>=) $9::pg_catalog.float8 AND t."score" OPERATOR(pg_catalog.<=) $10::pg_catalog.float8 OR t."score" OPERATOR(pg_catalog.=) $11::pg_catalog.float8) THEN t."score" END)::pg_catalog.float8))::pg_catalog.float8 OPERATOR(pg_catalog.+) '0'::pg_catalog.float8) AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."score" OPERATOR(pg_catalog.<=) $12::pg_catalog.float8 AND t."score" OPERATOR(pg_catalog.>=) $13::pg_catalog.float8) GROUP BY 1, 2
args: ["1e-100" "1e100" "-1e100" "-1e-100" "0" "2" "1e-100" "1e100" "-1e100" "-1e-100" "0" "100" "-100"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS round, members."key 2" AS floor, members."count 1" AS count FROM unnest($1::double precision[], $2::double precision[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT width_bucket(birth_year, 1950, 2000, 5), count(*) FROM members GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY width_bucket(birth_year::double precision, float8 '1950', float8 '2000', 5)
count: SELECT (pg_catalog.width_bucket((((t."birth_year"::pg_catalog.int4)::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.float8, $1::pg_catalog.float8, $2::pg_catalog.float8, $3::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1950" "2000" "5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT width_bucket(salary, 0, 2000, 4), count(*) FROM members WHERE salary < 5000 GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members WHERE salary < 5000 GROUP BY width_bucket(salary, 0, 2000, 4)
count: SELECT (pg_catalog.width_bucket((CASE WHEN (t."salary" OPERATOR(pg_catalog.>=) $1::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $2::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.>=) $3::pg_catalog.numeric AND t."salary" OPERATOR(pg_catalog.<=) $4::pg_catalog.numeric OR t."salary" OPERATOR(pg_catalog.=) $5::pg_catalog.numeric) THEN t."salary" END)::pg_catalog.numeric, $6::pg_catalog.numeric, $7::pg_catalog.numeric, $8::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."salary" OPERATOR(pg_catalog.<) $9::pg_catalog.numeric GROUP BY 1
args: ["1e-100" "1e100" "-1e100" "-1e-100" "0" "0" "2000" "4" "5000"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT CASE WHEN birth_year < 1985 THEN 'old' WHEN birth_year < 1992 THEN 'mid' ELSE 'young' END AS age, count(*) FROM members GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN birth_year <= 1984 THEN 'old' WHEN birth_year <= 1991 THEN 'mid' ELSE 'young' END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN $2::pg_catalog.text WHEN t."birth_year" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN $2::pg_catalog.text WHEN t."birth_year" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN $2::pg_catalog.text WHEN t."birth_year" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (CASE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN $2::pg_catalog.text WHEN t."birth_year" OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN $4::pg_catalog.text ELSE $5::pg_catalog.text END)::pg_catalog.text
args: ["1984" "old" "1991" "mid" "young"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS age, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT CASE plan WHEN 'free' THEN 0 WHEN 'gold' THEN 1 END, count(*) FROM members GROUP BY CASE plan WHEN 'free' THEN 0 WHEN 'gold' THEN 1 END
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN plan = 'free' THEN 0 WHEN plan = 'gold' THEN 1 ELSE NULL END
count: SELECT (CASE WHEN t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN $2::pg_catalog.int4 WHEN t."plan" OPERATOR(pg_catalog.=) $3::pg_catalog.text THEN $4::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["free" "0" "gold" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "case", members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT coalesce(city, 'unknown') AS city, count(*) FROM members GROUP BY coalesce(city, 'unknown') ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN city IS NOT NULL THEN city ELSE 'unknown' END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text
args: ["unknown"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT coalesce(city, 'unknown') AS place, count(*) FROM members GROUP BY place ORDER BY place
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN city IS NOT NULL THEN city ELSE 'unknown' END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text
args: ["unknown"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS place, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY place

SELECT nullif(city, ''), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN city = '' THEN NULL ELSE city END
count: SELECT CASE WHEN pg_catalog.octet_length((CASE WHEN t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN NULL::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN NULL::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN NULL::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (CASE WHEN t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN NULL::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text
args: [""]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "nullif", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT greatest(birth_year, 1985), least(level, 3), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY GREATEST(birth_year, 1985), LEAST(level::integer, 3)
count: SELECT (GREATEST(t."birth_year"::pg_catalog.int4, $1::pg_catalog.int4))::pg_catalog.int4 AS k1, (LEAST((((t."level"::pg_catalog.int2)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4, $2::pg_catalog.int4))::pg_catalog.int4 AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: ["1985" "3"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "greatest", members."key 2" AS "least", members."count 1" AS count FROM unnest($1::int[], $2::int[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT birth_year > 1985, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN birth_year >= 1986 THEN true WHEN birth_year <= 1985 THEN false END
count: SELECT (CASE WHEN t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 THEN TRUE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1986" "1985"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members("key 1", "count 1")

SELECT birth_year > 1985 AS young, active, count(*) FROM members GROUP BY birth_year > 1985, active
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN birth_year >= 1986 THEN true WHEN birth_year <= 1985 THEN false END, active
count: SELECT (CASE WHEN t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 THEN TRUE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN FALSE END)::pg_catalog.bool AS k1, t."active" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: ["1986" "1985"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS young, active, members."count 1" AS count FROM unnest($1::boolean[], $2::boolean[], $3::bigint[]) members("key 1", active, "count 1")

SELECT city IS NULL, count(*) FROM members GROUP BY city IS NULL
----
answer
question: count(*) FROM public.members GROUP BY (city IS NULL)
count: SELECT (CASE WHEN t."city" IS NULL THEN TRUE WHEN t."city" IS NOT NULL THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members("key 1", "count 1")

SELECT active OR birth_year < 1985, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN (active = true OR birth_year <= 1984) THEN true WHEN (active = false AND birth_year >= 1985) THEN false END
count: SELECT (CASE WHEN (t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool OR t."birth_year" OPERATOR(pg_catalog.<=) $2::pg_catalog.int4) THEN TRUE WHEN (t."active" OPERATOR(pg_catalog.=) $3::pg_catalog.bool AND t."birth_year" OPERATOR(pg_catalog.>=) $4::pg_catalog.int4) THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["t" "1984" "f" "1985"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members("key 1", "count 1")

SELECT city IN ('Oslo', 'Rome') AS capital, count(*) FROM members GROUP BY capital
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN city IN ('Oslo', 'Rome') THEN true WHEN city NOT IN ('Oslo', 'Rome') THEN false END
count: SELECT (CASE WHEN t."city" OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]) THEN TRUE WHEN t."city" OPERATOR(pg_catalog.<>) ALL ($2::pg_catalog.text[]) THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["{\"Oslo\",\"Rome\"}" "{\"Oslo\",\"Rome\"}"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS capital, members."count 1" AS count FROM unnest($1::boolean[], $2::bigint[]) members("key 1", "count 1")

SELECT birth_year::text, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY birth_year::text
count: SELECT CASE WHEN pg_catalog.octet_length(((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text
args: []
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS birth_year, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT birth_year::numeric, level::bigint, active::int, active::text, count(*) FROM members GROUP BY 1, 2, 3, 4
----
answer
question: count(*) FROM public.members GROUP BY active::integer, active::text, birth_year::numeric, level::bigint
count: SELECT ((t."active"::pg_catalog.bool)::pg_catalog.int4)::pg_catalog.int4 AS k1, CASE WHEN pg_catalog.octet_length(((t."active"::pg_catalog.bool)::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((t."active"::pg_catalog.bool)::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE ((t."active"::pg_catalog.bool)::pg_catalog.text)::pg_catalog.text END AS k2, pg_catalog.trim_scale(((t."birth_year"::pg_catalog.int4)::pg_catalog.numeric)::pg_catalog.numeric) AS k3, ((t."level"::pg_catalog.int2)::pg_catalog.int8)::pg_catalog.int8 AS k4, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, ((t."active"::pg_catalog.bool)::pg_catalog.text)::pg_catalog.text, 3, 4
args: []
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS birth_year, members."key 2" AS level, members."key 3" AS active, members."key 4" AS active, members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[], $3::int[], $4::pg_catalog.text[], $5::bigint[]) members("key 1", "key 2", "key 3", "key 4", "count 1")

SELECT CAST(plan AS text), count(*) FROM members GROUP BY CAST(plan AS text)
----
answer
question: count(*) FROM public.members GROUP BY plan::text
count: SELECT CASE WHEN pg_catalog.octet_length(((t."plan"::pg_catalog.varchar)::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((t."plan"::pg_catalog.varchar)::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE ((t."plan"::pg_catalog.varchar)::pg_catalog.text)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((t."plan"::pg_catalog.varchar)::pg_catalog.text)::pg_catalog.text
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS plan, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT length(city), count(*) FROM members GROUP BY length(city)
----
answer
question: count(*) FROM public.members GROUP BY length(city)
count: SELECT (pg_catalog.length((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS length, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT substring(city from 1 for 2), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY substring(city, 1, 2)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.int4))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.int4))::pg_catalog.text
args: ["65536" "1" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "substring", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT substring(city, 2), right(city, 1), initcap(city), trim(both 'O' from city), count(*) FROM members GROUP BY 1, 2, 3, 4
----
answer
question: count(*) FROM public.members GROUP BY btrim(city, 'O'), initcap(city), right(city, 1), substring(city, 2)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.btrim((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.btrim((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.btrim((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.initcap((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.initcap((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.initcap((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k2, CASE WHEN pg_catalog.octet_length((pg_catalog.right((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.right((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.right((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text END AS k3, CASE WHEN pg_catalog.octet_length((pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $6::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $7::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $6::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $7::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $6::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $7::pg_catalog.int4))::pg_catalog.text END AS k4, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.btrim((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.text, (pg_catalog.initcap((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text, (pg_catalog.right((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text, (pg_catalog.substring((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $6::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $7::pg_catalog.int4))::pg_catalog.text
args: ["65536" "O" "65536" "65536" "1" "65536" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "substring", members."key 2" AS "right", members."key 3" AS initcap, members."key 4" AS btrim, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::pg_catalog.text[], $5::bigint[]) members("key 1", "key 2", "key 3", "key 4", "count 1")

SELECT replace(city, 's', 'z'), translate(city, 'lo', 'LO'), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY replace(city, 's', 'z'), translate(city, 'lo', 'LO')
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.replace((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.replace((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.replace((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.translate((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.translate((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.translate((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.replace((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text, $3::pg_catalog.text))::pg_catalog.text, (pg_catalog.translate((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $5::pg_catalog.text, $6::pg_catalog.text))::pg_catalog.text
args: ["65536" "s" "z" "65536" "lo" "LO"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS replace, members."key 2" AS translate, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT split_part(city, 's', 1), strpos(city, 's'), position('s' in city), count(*) FROM members GROUP BY 1, 2, 3
----
answer
question: count(*) FROM public.members GROUP BY position(city, 's'), split_part(city, 's', 1), strpos(city, 's')
count: SELECT (pg_catalog.position((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.int4 AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.split_part((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.split_part((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.split_part((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text END AS k2, (pg_catalog.strpos((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $6::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $7::pg_catalog.text))::pg_catalog.int4 AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, (pg_catalog.split_part((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $4::pg_catalog.text, $5::pg_catalog.int4))::pg_catalog.text, 3
args: ["65536" "s" "65536" "s" "1" "65536" "s"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS split_part, members."key 2" AS strpos, members."key 3" AS "position", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::int[], $3::int[], $4::bigint[]) members("key 1", "key 2", "key 3", "count 1")

SELECT lpad(city, 6, '.'), reverse(city), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY lpad(city, 6, '.'), reverse(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.lpad((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.lpad((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.lpad((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.reverse((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.reverse((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.reverse((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.lpad((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4, $3::pg_catalog.text))::pg_catalog.text, (pg_catalog.reverse((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536" "6" "." "65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS lpad, members."key 2" AS reverse, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT regexp_replace(city, '[aeiou]', '', 'g'), count(*) FROM members GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{[aeiou] false 0}]
question: count(*) FROM public.members GROUP BY regexp_replace(city, '[aeiou]', '', 'g')
count: SELECT CASE WHEN pg_catalog.octet_length(((SELECT pg_catalog.regexp_replace(x.v, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text) FROM (SELECT (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text AS v OFFSET 0) AS x WHERE pg_catalog.octet_length(x.v) OPERATOR(pg_catalog.<=) 4096))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((SELECT pg_catalog.regexp_replace(x.v, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text) FROM (SELECT (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text AS v OFFSET 0) AS x WHERE pg_catalog.octet_length(x.v) OPERATOR(pg_catalog.<=) 4096))::pg_catalog.text), 1048577)) ELSE ((SELECT pg_catalog.regexp_replace(x.v, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text) FROM (SELECT (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text AS v OFFSET 0) AS x WHERE pg_catalog.octet_length(x.v) OPERATOR(pg_catalog.<=) 4096))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((SELECT pg_catalog.regexp_replace(x.v, $2::pg_catalog.text, $3::pg_catalog.text, $4::pg_catalog.text) FROM (SELECT (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text AS v OFFSET 0) AS x WHERE pg_catalog.octet_length(x.v) OPERATOR(pg_catalog.<=) 4096))::pg_catalog.text
args: ["65536" "[aeiou]" "" "g"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS regexp_replace, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT city || '-' || plan AS k, count(*) FROM members GROUP BY k
----
answer
question: count(*) FROM public.members GROUP BY ((city || '-') || plan)
count: SELECT CASE WHEN pg_catalog.octet_length(((((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) t."plan"::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) t."plan"::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE ((((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) t."plan"::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) t."plan"::pg_catalog.text))::pg_catalog.text
args: ["65536" "-"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS k, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT plan, 'all' AS which, count(*) FROM members GROUP BY plan, which
----
answer
question: count(*) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT plan, 'all' AS which, members."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) members

SELECT city, count(*) FROM members GROUP BY city, lower(city)
----
answer
question: count(*) FROM public.members GROUP BY city, lower(city)
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members(city, "key 2", "count 1")

SELECT lower(city), count(*) FROM members GROUP BY city
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT lower(city), members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

SELECT birth_year + 1, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 19: operator + could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT birth_year * 2, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 19: operator * could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT birth_year::bigint * 2, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (birth_year::bigint * 2)
count: SELECT (((((t."birth_year"::pg_catalog.int4)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8 OPERATOR(pg_catalog.*) $1::pg_catalog.int8))::pg_catalog.int8 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["2"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::bigint[], $2::bigint[]) members("key 1", "count 1")

SELECT points + 1, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 15: operator + could fail on a row of the protected table, for a value out of the range of type bigint, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT points::numeric + 1, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (points::numeric + 1)
count: SELECT pg_catalog.trim_scale((((((t."points"::pg_catalog.int8)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.+) $1::pg_catalog.numeric))::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT 100 / birth_year, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 12: operator / could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT abs(birth_year), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: abs could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT -level::int, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (- level::integer)
count: SELECT ((OPERATOR(pg_catalog.-) (((t."level"::pg_catalog.int2)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT sqrt(score), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this use of sqrt is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT salary::int, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 14: ::integer could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT city::int, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 12: casting text to integer is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT md5(city), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function md5 is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT random(), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function random is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT "Odd Name" || 'x', count(*) FROM members GROUP BY 1
----
refuse 0A000 at 19: this use of || is not supported on protected tables: column "Odd Name" has a collation of its own
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT lower("Odd Name"), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this use of lower is not supported on protected tables: column "Odd Name" has a collation of its own
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT full_name || 'x', count(*) FROM members GROUP BY 1
----
refuse 42501 at 8: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT tags[1], count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY tags[1]
count: SELECT CASE WHEN pg_catalog.octet_length(((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$1::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$1::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text), 1048577)) ELSE ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$1::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$1::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text
args: ["1"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS tags, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT tags[2] = 'new', count(*) FILTER (WHERE 'new' = ANY (tags)), sum(('old' <> ALL (tags))::int) FROM members WHERE tags[1] IN ('a', 'b') AND cardinality(tags) < 5 AND array_length(tags, 1) > 0 GROUP BY 1
----
answer
question: count(*) FILTER (WHERE ('new' = ANY (tags))) FROM public.members WHERE (array_length(tags, 1) >= 1 AND cardinality(tags) <= 4 AND tags[1] IN ('a', 'b')) GROUP BY CASE WHEN tags[2] = 'new' THEN true WHEN tags[2] <> 'new' THEN false END
question: count(*) FILTER (WHERE NOT ('old' = ANY (tags))) FROM public.members WHERE (array_length(tags, 1) >= 1 AND cardinality(tags) <= 4 AND tags[1] IN ('a', 'b')) GROUP BY CASE WHEN tags[2] = 'new' THEN true WHEN tags[2] <> 'new' THEN false END
count: SELECT (CASE WHEN ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$1::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text OPERATOR(pg_catalog.=) $2::pg_catalog.text THEN TRUE WHEN ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$3::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text OPERATOR(pg_catalog.<>) $4::pg_catalog.text THEN FALSE END)::pg_catalog.bool AS k1, pg_catalog.count(*) FILTER (WHERE (($5::pg_catalog.text OPERATOR(pg_catalog.=) ANY ((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)))::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE (($7::pg_catalog.text OPERATOR(pg_catalog.=) ANY ((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)))::pg_catalog.bool OPERATOR(pg_catalog.=) $8::pg_catalog.bool) AS c2 FROM "public"."members" AS t WHERE ((pg_catalog.array_length((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text, $9::pg_catalog.int4))::pg_catalog.int4 OPERATOR(pg_catalog.>=) $10::pg_catalog.int4 AND (pg_catalog.cardinality((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text))::pg_catalog.int4 OPERATOR(pg_catalog.<=) $11::pg_catalog.int4 AND ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$12::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text OPERATOR(pg_catalog.=) ANY ($13::pg_catalog.text[])) GROUP BY 1
args: ["2" "new" "2" "new" "new" "t" "old" "f" "1" "1" "4" "1" "{\"a\",\"b\"}"]
charge: 2 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count, members."count 2" AS sum FROM unnest($1::boolean[], $2::bigint[], $3::bigint[]) members("key 1", "count 1", "count 2")

SELECT 'new' = ANY (tags), tags[1], count(*) FROM members WHERE tags[1] = 'a' GROUP BY 1, 2
----
answer
question: count(*) FROM public.members WHERE tags[1] = 'a' GROUP BY CASE WHEN ('new' = ANY (tags)) THEN true WHEN NOT ('new' = ANY (tags)) THEN false END, tags[1]
count: SELECT (CASE WHEN (($1::pg_catalog.text OPERATOR(pg_catalog.=) ANY ((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)))::pg_catalog.bool OPERATOR(pg_catalog.=) $2::pg_catalog.bool THEN TRUE WHEN (($3::pg_catalog.text OPERATOR(pg_catalog.=) ANY ((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)))::pg_catalog.bool OPERATOR(pg_catalog.=) $4::pg_catalog.bool THEN FALSE END)::pg_catalog.bool AS k1, CASE WHEN pg_catalog.octet_length(((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$5::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$5::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text), 1048577)) ELSE ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$5::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$6::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text OPERATOR(pg_catalog.=) $7::pg_catalog.text GROUP BY 1, ((SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) 65536 THEN y.t END FROM (SELECT (((CASE WHEN CASE WHEN pg_catalog.pg_column_size(t."tags") OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(t."tags") IS NULL THEN 65536 ELSE 8192 END THEN pg_catalog.cardinality(t."tags") OPERATOR(pg_catalog.<=) 10000 END THEN t."tags" END)::pg_catalog._text)[$5::pg_catalog.int4]) AS t OFFSET 0) AS y))::pg_catalog.text
args: ["new" "t" "new" "f" "1" "1" "a"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.bool[]), pg_catalog.unnest($2::pg_catalog.text[])) WITH ORDINALITY AS u(k1, k2, o) WHERE u.k2 OPERATOR(pg_catalog.=) $3::pg_catalog.text ORDER BY u.o
args: ["{}" "{}" "a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."key 2" AS tags, members."count 1" AS count FROM unnest($1::boolean[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT count(*) FROM members WHERE NULL = ANY (tags)
----
refuse 0A000 at 41: this use of ANY or ALL is not supported in a condition on a protected table
hint: Write column = ANY (array), column <> ALL (array), or IN and NOT IN with a list.

SELECT count(*) FROM members WHERE city = ANY (tags) OR tags[level] = 'a'
----
refuse 0A000 at 48: this expression is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT count(*) FROM members WHERE 'a' < ANY (tags)
----
refuse 0A000 at 40: this use of ANY or ALL is not supported in a condition on a protected table
hint: Write column = ANY (array), column <> ALL (array), or IN and NOT IN with a list.

SELECT count(*) FROM members WHERE tags[1:2] IS NULL
----
refuse 0A000 at 36: this expression is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT generate_series(1, level), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function generate_series is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT lpad(city, 100000), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: a length of more than 100 is not supported in a function on protected tables
hint: Use a shorter one.

SELECT repeat(city, 1000000), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function repeat is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT public.lower(city), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function lower is not supported on protected tables
hint: Perhaps you meant lower. Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT left(city, birth_year), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: argument 2 of left must be a constant on a protected table
hint: Write the value itself.

# dates and times
SELECT date_trunc('month', joined), count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY date_trunc('month', joined::timestamp without time zone)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["month" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS date_trunc, members."count 1" AS count FROM (SELECT u.k1::timestamp with time zone AS "key 1", u.c1 AS "count 1" FROM unnest($1::timestamp[], $2::bigint[]) u(k1, c1)) members ORDER BY 1

SELECT date_trunc('month', joined)::date AS month, count(*) FROM members WHERE joined > '2000-01-01' AND joined < '2030-01-01' GROUP BY 1 ORDER BY 1
----
answer
question: count(*) FROM public.members WHERE (joined < date '2030-01-01' AND joined > date '2000-01-01') GROUP BY date_trunc('month', joined::timestamp without time zone)::date
count: SELECT ((((pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>) $5::pg_catalog.date) GROUP BY 1
args: ["month" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS month, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT date_trunc('quarter', seen), count(*) FROM members WHERE seen < '2030-01-01' GROUP BY date_trunc('quarter', seen)
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY date_trunc('quarter', seen)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp GROUP BY 1
args: ["quarter" "0001-01-01" "9999-12-31" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS date_trunc, members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT date_trunc('day', paid), count(*) FROM members GROUP BY 1 ORDER BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1, (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone((CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END)::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members GROUP BY date_trunc('day', paid, 'UTC')
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz, $4::pg_catalog.text))::pg_catalog.timestamptz AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["day" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "UTC"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS date_trunc, members."count 1" AS count FROM unnest($1::timestamp with time zone[], $2::bigint[]) members("key 1", "count 1") ORDER BY 1

SELECT date_trunc('day', paid, 'Europe/Berlin'), count(*) FROM members GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($1::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{Europe/Berlin false 0}]
question: count(*) FROM public.members GROUP BY date_trunc('day', paid, 'Europe/Berlin')
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz, $4::pg_catalog.text))::pg_catalog.timestamptz AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["day" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "Europe/Berlin"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS date_trunc, members."count 1" AS count FROM unnest($1::timestamp with time zone[], $2::bigint[]) members("key 1", "count 1")

SELECT (paid AT TIME ZONE 'Europe/Berlin')::date, count(*) FROM members GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($1::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{Europe/Berlin false 0}]
question: count(*) FROM public.members GROUP BY timezone('Europe/Berlin', paid)::date
count: SELECT ((((pg_catalog.timezone($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["Europe/Berlin" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS timezone, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members("key 1", "count 1")

SELECT paid::date, count(*) FROM members GROUP BY paid::date
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members GROUP BY timezone('UTC', paid)::date
count: SELECT ((((pg_catalog.timezone($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS paid, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members("key 1", "count 1")

SELECT extract(year FROM joined), count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY extract('year', joined)
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["year" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "extract", members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT extract(year FROM joined)::int AS y, extract(month FROM joined) AS m, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1, 2
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY extract('month', joined), extract('year', joined)::integer
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, ((((pg_catalog.date_part($4::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $6::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int4)::pg_catalog.int4 AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date) GROUP BY 1, 2
args: ["month" "0001-01-01" "9999-12-31" "year" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS y, members."key 2" AS m, members."count 1" AS count FROM unnest($1::int[], $2::numeric[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT date_part('dow', joined), count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY date_part('dow', joined)
count: SELECT ((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8 OPERATOR(pg_catalog.+) '0'::pg_catalog.float8) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["dow" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS date_part, members."count 1" AS count FROM unnest($1::double precision[], $2::bigint[]) members("key 1", "count 1")

SELECT extract(hour FROM seen), extract(hour FROM paid), count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1, 2
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY extract('hour', seen), extract('hour', timezone('UTC', paid))
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, pg_catalog.trim_scale((pg_catalog.date_part($4::pg_catalog.text, ((pg_catalog.timezone($5::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $6::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $7::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.numeric)::pg_catalog.numeric) AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $8::pg_catalog.timestamp GROUP BY 1, 2
args: ["hour" "0001-01-01" "9999-12-31" "hour" "UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "extract", members."key 2" AS "extract", members."count 1" AS count FROM unnest($1::numeric[], $2::numeric[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT to_char(joined, 'YYYY-MM') AS month, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY month ORDER BY month
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY to_char(joined::timestamp without time zone, 'YYYY-MM')
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.to_char(((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.to_char(((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.to_char(((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY (pg_catalog.to_char(((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text
args: ["0001-01-01" "9999-12-31" "YYYY-MM" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS month, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY month

SELECT to_char(paid, 'HH24:MI'), to_char(seen, 'Dy DD Mon'), count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1, 2
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY to_char(seen, 'Dy DD Mon'), to_char(timezone('UTC', paid), 'HH24:MI')
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.to_char((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.to_char((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.to_char((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.to_char(((pg_catalog.timezone($4::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $6::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp, $7::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.to_char(((pg_catalog.timezone($4::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $6::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp, $7::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.to_char(((pg_catalog.timezone($4::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $6::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp, $7::pg_catalog.text))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $8::pg_catalog.timestamp GROUP BY (pg_catalog.to_char((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, $3::pg_catalog.text))::pg_catalog.text, (pg_catalog.to_char(((pg_catalog.timezone($4::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $6::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp, $7::pg_catalog.text))::pg_catalog.text
args: ["0001-01-01" "9999-12-31" "Dy DD Mon" "UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "HH24:MI" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS to_char, members."key 2" AS to_char, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT joined + 7, joined - 1, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1, 2
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY (joined + 7), (joined - 1)
count: SELECT (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.+) $3::pg_catalog.int4))::pg_catalog.date AS k1, (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.-) $6::pg_catalog.int4))::pg_catalog.date AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date) GROUP BY 1, 2
args: ["0001-01-01" "9999-12-31" "7" "0001-01-01" "9999-12-31" "1" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."key 2" AS "?column?", members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::pg_catalog.date[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT joined - date '2020-01-01' AS days, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY (joined - date '2020-01-01')
count: SELECT (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.-) $3::pg_catalog.date))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["0001-01-01" "9999-12-31" "2020-01-01" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS days, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT (joined - '2020-01-01') / 7 AS weeks, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY ((joined - date '2020-01-01') / 7)
count: SELECT ((((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.-) $3::pg_catalog.date))::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog./) $4::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $6::pg_catalog.date) GROUP BY 1
args: ["0001-01-01" "9999-12-31" "2020-01-01" "7" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS weeks, members."count 1" AS count FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT joined + interval '1 month', count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY (joined + interval '1 month')
count: SELECT (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.+) $3::pg_catalog.interval))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["0001-01-01" "9999-12-31" "1 month" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT seen - interval '90 minutes', count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY (seen - interval '90 minutes')
count: SELECT (((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) $3::pg_catalog.interval))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp GROUP BY 1
args: ["0001-01-01" "9999-12-31" "90 minutes" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT seen::date, joined::timestamp, count(*) FROM members WHERE seen < '2030-01-01' AND joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1, 2
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01' AND seen < timestamp '2030-01-01 00:00:00') GROUP BY joined::timestamp without time zone, seen::date
count: SELECT (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp AS k1, (((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $3::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $4::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $6::pg_catalog.date AND t."seen" OPERATOR(pg_catalog.<) $7::pg_catalog.timestamp) GROUP BY 1, 2
args: ["0001-01-01" "9999-12-31" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS seen, members."key 2" AS joined, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::timestamp[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT extract(year FROM age(date '2026-01-01', joined)) AS years, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.date::pg_catalog.date)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2026-01-01 false 0}]
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY extract('year', age(timestamp '2020-01-01 00:00:00', joined::timestamp without time zone))
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, ((pg_catalog.age($2::pg_catalog.timestamp, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval)::pg_catalog.interval)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $6::pg_catalog.date) GROUP BY 1
args: ["year" "2020-01-01 00:00:00" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS years, members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT extract(year FROM age(joined)) AS years, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CURRENT_DATE) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((CURRENT_DATE)::pg_catalog.date)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY extract('year', age(timestamp '2020-01-01 00:00:00', joined::timestamp without time zone))
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, ((pg_catalog.age($2::pg_catalog.timestamp, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval)::pg_catalog.interval)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $6::pg_catalog.date) GROUP BY 1
args: ["year" "2020-01-01 00:00:00" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS years, members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT extract(day FROM seen - timestamp '2020-01-01'), count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY extract('day', (seen - timestamp '2020-01-01 00:00:00'))
count: SELECT pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, ((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) $4::pg_catalog.timestamp))::pg_catalog.interval)::pg_catalog.interval)::pg_catalog.numeric)::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $5::pg_catalog.timestamp GROUP BY 1
args: ["day" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "extract", members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT count(*) FROM members WHERE joined >= current_date - 10000
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CURRENT_DATE) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((CURRENT_DATE)::pg_catalog.date OPERATOR(pg_catalog.-) $1::pg_catalog.int4::pg_catalog.int4)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{10000 false 0}]
question: count(*) FROM public.members WHERE joined >= date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined > now() - interval '10 years'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.now()) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((pg_catalog.now())::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $1::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(((((pg_catalog.now())::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $2::pg_catalog.interval::pg_catalog.interval))::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{10 years false 0} {10 years false 0}]
question: count(*) FROM public.members WHERE joined > date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid > now() - interval '10 years' AND seen < now()
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.now()) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((pg_catalog.now())::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $1::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(pg_catalog.now()) OPERATOR(pg_catalog.#>>) '{}' AS c3, pg_catalog.to_jsonb(((pg_catalog.now())::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c4 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c4), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{10 years false 0}]
question: count(*) FROM public.members WHERE (paid > timestamptz '2020-01-01 00:00:00+00' AND seen < timestamp '2020-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."paid" OPERATOR(pg_catalog.>) $1::pg_catalog.timestamptz AND t."seen" OPERATOR(pg_catalog.<) $2::pg_catalog.timestamp)
args: ["2020-01-01 00:00:00+00" "2020-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid >= '2020-01-31'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-31 false 0}]
question: count(*) FROM public.members WHERE paid >= timestamptz '2020-01-01 00:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamptz
args: ["2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid >= '2020-01-31' AND paid < date '2020-02-01'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($2::pg_catalog.date::pg_catalog.date)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-31 false 0} {2020-02-01 false 0}]
question: count(*) FROM public.members WHERE (paid < timestamptz '2020-01-01 00:00:00+00' AND paid >= timestamptz '2020-01-01 00:00:00+00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."paid" OPERATOR(pg_catalog.<) $1::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz)
args: ["2020-01-01 00:00:00+00" "2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid IN ('2020-01-31 08:00', '2020-01-01')
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($2::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-31 08:00 false 0} {2020-01-01 false 0}]
question: count(*) FROM public.members WHERE paid = timestamptz '2020-01-01 00:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.=) $1::pg_catalog.timestamptz
args: ["2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid::date = '2020-01-31'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CASE WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) ANY ('{CET,MET}') THEN 'Europe/Brussels' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'EET' THEN 'Europe/Athens' WHEN pg_catalog.current_setting('TimeZone') OPERATOR(pg_catalog.=) 'WET' THEN 'Europe/Lisbon' ELSE pg_catalog.current_setting('TimeZone') END) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE timezone('UTC', paid)::date = date '2020-01-31'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((pg_catalog.timezone($1::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date OPERATOR(pg_catalog.=) $4::pg_catalog.date
args: ["UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "2020-01-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE date_trunc('month', joined) = '2020-01-01' AND joined < '2030-01-01'
----
answer
question: count(*) FROM public.members WHERE (date_trunc('month', joined::timestamp without time zone) = timestamp '2020-01-01 00:00:00' AND joined < date '2030-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp OPERATOR(pg_catalog.=) $4::pg_catalog.timestamp AND t."joined" OPERATOR(pg_catalog.<) $5::pg_catalog.date)
args: ["month" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "2030-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE date_trunc('month', joined) = date '2020-01-01' AND joined < '2030-01-01'
----
answer
question: count(*) FROM public.members WHERE (date_trunc('month', joined::timestamp without time zone) = timestamp '2020-01-01 00:00:00' AND joined < date '2030-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp OPERATOR(pg_catalog.=) $4::pg_catalog.timestamp AND t."joined" OPERATOR(pg_catalog.<) $5::pg_catalog.date)
args: ["month" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "2030-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE extract(year FROM joined) = 2020 AND joined < '2030-01-01'
----
answer
question: count(*) FROM public.members WHERE (extract('year', joined) = 2020 AND joined < date '2030-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.=) $4::pg_catalog.numeric AND t."joined" OPERATOR(pg_catalog.<) $5::pg_catalog.date)
args: ["year" "0001-01-01" "9999-12-31" "2020" "2030-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined < 'today' AND joined > date 'yesterday' - 9999
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(($2::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(((($3::pg_catalog.text::pg_catalog.text)::pg_catalog.date)::pg_catalog.date OPERATOR(pg_catalog.-) $4::pg_catalog.int4::pg_catalog.int4)) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{today false 0} {yesterday false 0} {yesterday false 0} {9999 false 0}]
question: count(*) FROM public.members WHERE (joined < date '2020-01-01' AND joined > date '2020-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>) $2::pg_catalog.date)
args: ["2020-01-01" "2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE date_trunc('month', joined) = '2020-01-01 00:00:00+02'
----
refuse 0A000 at 66: date_trunc of a date is a timestamp with time zone, and this use of it on a protected table would depend on the time zone of the session
hint: Cast its result to date, and compare it with dates.

SELECT count(*) FROM members WHERE date_trunc('month', joined) = $1
----
refuse 0A000 at 66: date_trunc of a date is a timestamp with time zone, and this use of it on a protected table would depend on the time zone of the session
hint: Cast its result to date, and compare it with dates.

SELECT date_trunc('fortnight', joined), count(*) FROM members GROUP BY 1
----
refuse 22023 at 8: unit "fortnight" is not supported on a protected table
hint: Supported are microseconds, milliseconds, second, minute, hour, day, week, month, quarter, year, decade, century, millennium.

SELECT date_trunc(city, joined), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: argument 1 of date_trunc must be a constant on a protected table
hint: Write the value itself.

SELECT extract(hour FROM joined), count(*) FROM members GROUP BY 1
----
refuse 22023 at 8: unit "hour" is not supported on a protected table
hint: Supported are century, day, decade, dow, doy, epoch, isodow, isoyear, julian, millennium, month, quarter, week, year.

SELECT to_char(joined, 'TMMonth'), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: format "TMMonth" is not supported on a protected table
hint: Supported are YYYY, YY, IYYY, Q, MM, Month, Mon, WW, IW, W, DDD, DD, D, ID, Day, Dy, HH24, HH12, MI, SS, MS, US, AM, text in double quotes and punctuation.

SELECT to_char(salary, '999'), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this use of to_char is not supported on protected tables: number formats are not supported
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT joined - seen, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 15: a protected table cannot be grouped by a value of type interval
hint: Take a part of it: extract(day FROM ...) of an interval, document ->> 'key' of jsonb, list[1] of an array.

SELECT paid + interval '1 day', count(*) FROM members GROUP BY 1
----
refuse 0A000 at 13: this use of an interval is not supported on protected tables: its result depends on the time zone of the session
hint: Count days as hours, such as interval '168 hours', or write the time zone: (column AT TIME ZONE 'Europe/Rome') + interval '7 days'.

SELECT joined + level, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY (joined + level::integer)
count: SELECT (((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $2::pg_catalog.date THEN t."joined" END)::pg_catalog.date OPERATOR(pg_catalog.+) (((t."level"::pg_catalog.int2)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4))::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date) GROUP BY 1
args: ["0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members("key 1", "count 1")

SELECT joined + birth_year, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 15: operator + could fail on a row of the protected table, for a value out of the range of type date, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT age(joined), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: a protected table cannot be grouped by a value of type interval
hint: Take a part of it: extract(day FROM ...) of an interval, document ->> 'key' of jsonb, list[1] of an array.

SELECT clock_timestamp() > joined, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function clock_timestamp is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT current_user = city, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: the current time and user are not supported in this form on a protected table
hint: Use current_date, current_timestamp, now() or localtimestamp, or write the value as a constant or a parameter.

SELECT to_date(city, 'YYYY'), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this use of to_date is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT joined AT TIME ZONE 'Mars/Olympus', count(*) FROM members GROUP BY 1
----
refuse 0A000 at 15: taking date for timestamp with time zone is not supported on protected tables
hint: Cast the values to one type, for example both to date: column::date.

# patterns
SELECT count(*) FROM members WHERE city LIKE 'O%' AND city NOT LIKE '%x%' AND plan ILIKE 'FR_E'
----
answer
question: count(*) FROM public.members WHERE ((city LIKE 'O%') AND (city NOT LIKE '%x%') AND (plan ILIKE 'FR_E'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool AND (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~~) $5::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool AND ((t."plan"::pg_catalog.text OPERATOR(pg_catalog.~~*) $7::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $8::pg_catalog.bool)
args: ["65536" "O%" "t" "65536" "%x%" "t" "FR_E" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city ~ '^O' OR city ~* 'ROME' OR city !~ '[a-z]'
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1, (((''::pg_catalog.text OPERATOR(pg_catalog.~) $2::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $2::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c2, (((''::pg_catalog.text OPERATOR(pg_catalog.~) $3::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $3::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{^O false 0} {ROME false 0} {[a-z] false 0}]
question: count(*) FROM public.members WHERE ((city !~ '[a-z]') OR (city ~ '^O') OR (city ~* 'ROME'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool OR (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~) $5::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool OR (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $7::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~*) $8::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $9::pg_catalog.bool)
args: ["65536" "[a-z]" "t" "65536" "^O" "t" "65536" "ROME" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city SIMILAR TO '(Oslo|Rome)'
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{^(?:(?:Oslo|Rome))$ false 0}]
question: count(*) FROM public.members WHERE (city ~ '^(?:(?:Oslo|Rome))$')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "^(?:(?:Oslo|Rome))$" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT SIMILAR TO 'O%'
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{^(?:O.*)$ false 0}]
question: count(*) FROM public.members WHERE (city !~ '^(?:O.*)$')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "^(?:O.*)$" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE NOT (city LIKE 'O%')
----
answer
question: count(*) FROM public.members WHERE NOT (city LIKE 'O%')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "O%" "f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (city LIKE 'O%') IS NOT TRUE
----
answer
question: count(*) FROM public.members WHERE ((city LIKE 'O%') IS NULL OR NOT (city LIKE 'O%'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool IS NULL OR (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $4::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $5::pg_catalog.bool)
args: ["65536" "O%" "65536" "O%" "f"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE starts_with(city, 'O')
----
answer
question: count(*) FROM public.members WHERE starts_with(city, 'O')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (pg_catalog.starts_with((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "O" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city LIKE $1
----
answer
params: [25]
question: count(*) FROM public.members WHERE (city LIKE 'v1')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "v1" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE lower(city) = lower($1)
----
answer
params: [25]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.lower($1::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{v1 false 0}]
question: count(*) FROM public.members WHERE lower(city) = 'UTC'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text OPERATOR(pg_catalog.=) $2::pg_catalog.text
args: ["65536" "UTC"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE lower(city) = lower('OSLO')
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.lower($1::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{OSLO false 0}]
question: count(*) FROM public.members WHERE lower(city) = 'UTC'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text OPERATOR(pg_catalog.=) $2::pg_catalog.text
args: ["65536" "UTC"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city LIKE '%\'
----
refuse 22025 at 41: LIKE pattern must not end with escape character

SELECT count(*) FROM members WHERE city LIKE plan
----
refuse 0A000 at 41: argument 2 of LIKE must be a constant on a protected table
hint: Write the value itself.

SELECT count(*) FROM members WHERE city ~ '(a)\1'
----
refuse 0A000 at 41: this pattern of 5 bytes is not supported on a protected table
hint: Patterns are at most 1000 bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.

SELECT count(*) FROM members WHERE city ~ '(?=a)'
----
refuse 0A000 at 41: this pattern of 5 bytes is not supported on a protected table
hint: Patterns are at most 1000 bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.

SELECT count(*) FROM members WHERE city ~ '(a{1,100}){1,100}'
----
refuse 0A000 at 41: this pattern of 17 bytes is not supported on a protected table
hint: Patterns are at most 1000 bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.

SELECT count(*) FROM members WHERE city ~ plan
----
refuse 0A000 at 41: argument 2 of ~ must be a constant on a protected table
hint: Write the value itself.

SELECT count(*) FROM members WHERE city LIKE '%a%a%a%a%a%a%a%a%a%a%a%'
----
refuse 0A000 at 41: a LIKE pattern with more than 10 % is not supported on protected tables
hint: Use a shorter pattern.

SELECT count(*) FROM members WHERE code LIKE 'a%'
----
refuse 0A000 at 41: this use of LIKE is not supported on protected tables: it heeds the blanks at the end of values of type character; cast them to text
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE city LIKE 'O#%' ESCAPE '#'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.like_escape($1::pg_catalog.text::pg_catalog.text, $2::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{O#% false 0} {# false 0}]
question: count(*) FROM public.members WHERE (city LIKE 'UTC')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "UTC" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# grouping sets
SELECT city, plan, count(*) FROM members GROUP BY ROLLUP (city, plan) ORDER BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members GROUP BY ROLLUP (members.city, members.plan) ORDER BY 1, 2

SELECT city, plan, count(*), grouping(city, plan) FROM members GROUP BY CUBE (city, plan) ORDER BY 4, 1, 2
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count, GROUPING(city, plan) FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members GROUP BY CUBE (members.city, members.plan) ORDER BY 4, 1, 2

SELECT city, plan, count(*) FROM members GROUP BY GROUPING SETS ((city), (plan), ()) HAVING count(*) > 3
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members GROUP BY GROUPING SETS (members.city, members.plan, ()) HAVING COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint > 3

SELECT upper(city), grouping(upper(city)), count(*) AS n FROM members GROUP BY ROLLUP (upper(city)) ORDER BY n DESC
----
answer
question: count(*) FROM public.members GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS upper, GROUPING(members."key 1") AS "grouping", COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") GROUP BY ROLLUP (members."key 1") ORDER BY n DESC

SELECT city AS c, count(*) FROM members GROUP BY ROLLUP (c)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city AS c, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY ROLLUP (c)

SELECT city, plan, count(*) FROM members GROUP BY ROLLUP (1, 2)
----
answer
question: count(*) FROM public.members GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) members GROUP BY ROLLUP (1, 2)

SELECT plan, city, count(*) FILTER (WHERE active), sum(CASE WHEN active THEN 1 ELSE 0 END), avg(active::int) FROM members WHERE active IS NOT NULL GROUP BY plan, ROLLUP (city)
----
answer
question: count(*) FILTER (WHERE active = true) FROM public.members WHERE active IS NOT NULL GROUP BY city, plan
question: count(*) FILTER (WHERE active = true) FROM public.members WHERE active IS NOT NULL GROUP BY city, plan
question: count(*) FILTER (WHERE active = true) FROM public.members WHERE active IS NOT NULL GROUP BY city, plan
question: count(*) FILTER (WHERE active IS NOT NULL) FROM public.members WHERE active IS NOT NULL GROUP BY city, plan
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."plan" AS k2, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool) AS c1, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $2::pg_catalog.bool) AS c2, pg_catalog.count(*) FILTER (WHERE t."active" OPERATOR(pg_catalog.=) $3::pg_catalog.bool) AS c3, pg_catalog.count(*) FILTER (WHERE t."active" IS NOT NULL) AS c4 FROM "public"."members" AS t WHERE t."active" IS NOT NULL GROUP BY t."city", 2
args: ["t" "t" "t"]
charge: 2 counts, 0 thresholds
rest: SELECT plan, city, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count, COALESCE(pg_catalog.sum(members."count 2"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS sum, pg_catalog.sum(members."count 3") FILTER (WHERE members."count 4" IS NOT NULL)::numeric / (NULLIF(pg_catalog.sum(members."count 4") FILTER (WHERE members."count 3" IS NOT NULL), 0))::numeric AS avg FROM (SELECT u.k1::varchar(10) AS plan, u.k2 AS city, u.c1 AS "count 1", u.c2 AS "count 2", u.c3 AS "count 3", u.c4 AS "count 4" FROM unnest($1::varchar[], $2::pg_catalog.text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) u(k1, k2, c1, c2, c3, c4)) members GROUP BY members.plan, ROLLUP (members.city)

SELECT coalesce(city, 'total'), count(*) FROM members WHERE city IS NOT NULL GROUP BY ROLLUP (city) ORDER BY city
----
answer
question: count(*) FROM public.members WHERE city IS NOT NULL GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" IS NOT NULL GROUP BY t."city"
args: []
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 IS NOT NULL ORDER BY u.o
args: ["{}"]
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(city, 'total'), COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY ROLLUP (members.city) ORDER BY city

SELECT city, rank() OVER (PARTITION BY grouping(city) ORDER BY count(*) DESC), count(*) FROM members GROUP BY CUBE (city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, rank() OVER (PARTITION BY GROUPING(city) ORDER BY COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint DESC) AS rank, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY CUBE (members.city)

SELECT city, count(DISTINCT plan) FROM members GROUP BY ROLLUP (city)
----
refuse 0A000 at 14: count(DISTINCT ...) with grouping sets is not supported on protected tables
hint: The totals of different values do not follow from those of the groups. Ask for each grouping in a SELECT of its own.

SELECT city, plan, count(*) FROM members GROUP BY ROLLUP (city)
----
refuse 42803 at 14: column "members.plan" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT count(*) FROM members GROUP BY ()
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1") GROUP BY ()

SELECT count(*) FROM members GROUP BY GROUPING SETS ((), ())
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1") GROUP BY GROUPING SETS ((), ())

SELECT city, count(*) FROM members GROUP BY DISTINCT ROLLUP (city), ROLLUP (city)
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1") GROUP BY DISTINCT ROLLUP (members.city), ROLLUP (members.city)

SELECT city, grouping(plan), count(*) FROM members GROUP BY ROLLUP (city)
----
refuse 42803 at 23: column "members.plan" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

# sub-selects and WITH queries that keep rows
SELECT count(*) FROM (SELECT * FROM members) s
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT s."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) s("count 1")

SELECT s.city, count(*) FROM (SELECT city, plan FROM members WHERE active) s GROUP BY s.city ORDER BY 1
----
answer
question: count(*) FROM public.members WHERE active = true GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY t."city"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT s.city, s."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) s(city, "count 1") ORDER BY 1

SELECT "source"."city" AS "city", count(*) AS "count" FROM (SELECT "public"."members"."city" AS "city", "public"."members"."birth_year" AS "birth_year" FROM "public"."members") "source" WHERE "source"."birth_year" > 1985 GROUP BY "source"."city" ORDER BY "source"."city" ASC
----
answer
question: count(*) FROM public.members WHERE birth_year >= 1986 GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY t."city"
args: ["1986"]
charge: 1 counts, 0 thresholds
rest: SELECT source.city AS city, source."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) source(city, "count 1") ORDER BY source.city ASC

SELECT bucket, count(*) FROM (SELECT birth_year / 10 * 10 AS bucket FROM members) AS t GROUP BY bucket ORDER BY bucket
----
answer
question: count(*) FROM public.members GROUP BY ((birth_year / 10) * 10)
count: SELECT (((((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog./) $1::pg_catalog.int4))::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.*) $2::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["10" "10"]
charge: 1 counts, 1 thresholds
rest: SELECT bucket, t."count 1" AS count FROM unnest($1::int[], $2::bigint[]) t(bucket, "count 1") ORDER BY bucket

SELECT t.b + 1, count(*) FROM (SELECT birth_year % 10 AS b FROM members) AS t GROUP BY t.b + 1
----
answer
question: count(*) FROM public.members GROUP BY ((birth_year % 10) + 1)
count: SELECT (((((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog.%) $1::pg_catalog.int4))::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.+) $2::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["10" "1"]
charge: 1 counts, 1 thresholds
rest: SELECT t."key 1" AS "?column?", t."count 1" AS count FROM unnest($1::int[], $2::bigint[]) t("key 1", "count 1")

SELECT a.c, count(*) FROM (SELECT b.c FROM (SELECT upper(city) AS c, plan AS p FROM members WHERE birth_year > 1980) b WHERE b.p = 'free') a GROUP BY a.c
----
answer
question: count(*) FROM public.members WHERE (birth_year >= 1981 AND plan = 'free') GROUP BY upper(city)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."birth_year" OPERATOR(pg_catalog.>=) $2::pg_catalog.int4 AND t."plan" OPERATOR(pg_catalog.=) $3::pg_catalog.text) GROUP BY (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text
args: ["65536" "1981" "free"]
charge: 1 counts, 0 thresholds
rest: SELECT a.c, a."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) a(c, "count 1")

SELECT x, count(*) FROM (SELECT city, plan FROM members) AS t(x, y) GROUP BY x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x, t."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) t(x, "count 1")

SELECT SUM(1) AS "sum:Number of Records:ok", "Custom SQL Query"."city" AS "city" FROM (select * from members) "Custom SQL Query" GROUP BY 2
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT "Custom SQL Query"."count 1" AS "sum:Number of Records:ok", "Custom SQL Query".city AS city FROM unnest($1::pg_catalog.text[], $2::bigint[]) "Custom SQL Query"(city, "count 1")

WITH base AS (SELECT city, plan FROM members WHERE active) SELECT plan, count(*) FROM base GROUP BY plan
----
answer
question: count(*) FROM public.members WHERE active = true GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY 1
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, base."count 1" AS count FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::bigint[]) u(k1, c1)) base

WITH base AS (SELECT * FROM members), old AS (SELECT * FROM base WHERE birth_year < 1990) SELECT city, count(*) FROM old GROUP BY city ORDER BY city
----
answer
question: count(*) FROM public.members WHERE birth_year <= 1989 GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 GROUP BY t."city"
args: ["1989"]
charge: 1 counts, 0 thresholds
rest: SELECT city, old."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) old(city, "count 1") ORDER BY city

WITH b AS (SELECT city AS c FROM members) SELECT (SELECT count(*) FROM b) AS total, c, count(*) FROM b GROUP BY c ORDER BY c
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 2 counts, 0 thresholds
rest: SELECT (SELECT b."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) b("count 1")) AS total, c, b."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) b(c, "count 1") ORDER BY c

WITH b(x) AS (SELECT city FROM members) SELECT x, count(*) FROM b GROUP BY x
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x, b."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) b(x, "count 1")

WITH b AS (SELECT city FROM members), n AS (SELECT city, count(*) AS n FROM b GROUP BY city) SELECT n.*, mine.n AS target FROM n JOIN mine USING (city) ORDER BY 1
----
answer
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: WITH n AS (SELECT city, b."count 1" AS n FROM unnest($1::pg_catalog.text[], $2::bigint[]) b(city, "count 1")) SELECT n.*, mine.n AS target FROM n JOIN mine USING (city) ORDER BY 1

WITH b AS (SELECT city FROM members), members AS (SELECT 'x' AS city) SELECT count(*) FROM b
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: WITH members AS (SELECT 'x' AS city) SELECT b."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) b("count 1")

WITH b AS (SELECT city FROM members) SELECT b.city, count(*) FROM b AS b2 GROUP BY 1
----
refuse 42P01 at 45: missing FROM-clause entry for table "b"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT count(*) FROM (SELECT * FROM members LIMIT 10) s
----
refuse 42501 at 37: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM (SELECT DISTINCT city FROM members) s
----
refuse 42501 at 49: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM (SELECT * FROM members UNION ALL SELECT * FROM members) s
----
refuse 42501 at 37: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM (SELECT row_number() OVER () AS n FROM members) s WHERE n < 5
----
refuse 0A000 at 30: this call of row_number is not supported on the rows of a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT count(*) FROM (SELECT generate_series(1, 3) FROM members) s
----
refuse 0A000 at 30: function generate_series is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT * FROM (SELECT city FROM members) s
----
refuse 42501 at 33: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT s.full_name, count(*) FROM (SELECT * FROM members) s GROUP BY 1
----
refuse 42501 at 8: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT s.city, count(*) FROM (SELECT plan FROM members) s GROUP BY 1
----
refuse 42703 at 8: column s.city does not exist
hint: Usable columns are plan.

SELECT members.city, count(*) FROM (SELECT city FROM members) s GROUP BY 1
----
refuse 42P01 at 8: missing FROM-clause entry for table "members"
hint: A count of a protected table cannot refer to columns of an outer query.

WITH RECURSIVE b AS (SELECT city FROM members) SELECT count(*) FROM b
----
refuse 42501 at 39: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

WITH b AS (SELECT city FROM members) SELECT 1
----
refuse 42501 at 29: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

WITH b AS (SELECT city FROM members) SELECT count(*) FROM b, b AS c
----
refuse 0A000 at 29: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT src, count(*) FROM (SELECT 'm' AS src, city FROM members) s GROUP BY src
----
answer
question: count(*) FROM public.members GROUP BY 'm'
count: SELECT CASE WHEN pg_catalog.octet_length(($1::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(($1::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE ($1::pg_catalog.text)::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ($1::pg_catalog.text)::pg_catalog.text
args: ["m"]
charge: 1 counts, 0 thresholds
rest: SELECT src, s."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) s(src, "count 1")

SELECT count(*) FROM (SELECT city FROM members ORDER BY birth_year) s
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT s."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) s("count 1")

SELECT m.city, count(*) FROM (members) m GROUP BY 1
----
refuse 42601 at 38: syntax error at or near ")"

SELECT (SELECT count(*) FROM (SELECT city FROM members) s WHERE s.city = 'Oslo') AS oslo
----
answer
question: count(*) FROM public.members WHERE city = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT s."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) s("count 1")) AS oslo

SELECT date_trunc('month', "t"."joined") AS "__timestamp", count(*) AS "count" FROM (SELECT joined, city FROM public.members) AS "t" WHERE "t"."joined" >= '2000-01-01' AND "t"."joined" < '2030-01-01' GROUP BY date_trunc('month', "t"."joined") ORDER BY "count" DESC LIMIT 1000
----
answer
question: count(*) FROM public.members WHERE (joined < date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY date_trunc('month', joined::timestamp without time zone)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["month" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT t."key 1" AS __timestamp, t."count 1" AS count FROM (SELECT u.k1::timestamp with time zone AS "key 1", u.c1 AS "count 1" FROM unnest($1::timestamp[], $2::bigint[]) u(k1, c1)) t ORDER BY count DESC LIMIT 1000

# joins with public tables
SELECT c.country, count(*) FROM members m JOIN cities c ON c.city = m.city GROUP BY c.country ORDER BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1") ORDER BY 1

SELECT c.country, count(*) FROM members m LEFT JOIN cities c ON m.city = c.city GROUP BY c.country ORDER BY 1
----
answer
question: count(*) FROM public.members LEFT JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t LEFT JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1") ORDER BY 1

SELECT country, count(*) FROM members JOIN cities USING (city) GROUP BY country ORDER BY country
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS country, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1") ORDER BY country

SELECT c.city, upper(c.country) AS land, count(*) FROM members m JOIN cities c ON c.city = m.city GROUP BY c.city HAVING count(*) > 3 ORDER BY c.country, 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.city, p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."city", p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS city, upper(m."key 2") AS land, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) m("key 1", "key 2", "count 1") WHERE m."count 1" > 3 ORDER BY m."key 2", 1

SELECT c.country, count(*) FROM members m LEFT JOIN cities c ON c.city = m.city GROUP BY c.city
----
answer
question: count(*) FROM public.members LEFT JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.city, p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t LEFT JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."city", p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 2" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) m("key 1", "key 2", "count 1")

SELECT c.city, count(*), max(c.country) FROM members m JOIN cities c ON c.city = m.city WHERE c.country <> 'x' GROUP BY c.city
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city WHERE p1.country <> 'x' GROUP BY p1.city, p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE p1."country" OPERATOR(pg_catalog.<>) $1::pg_catalog.text GROUP BY p1."city", p1."country"
args: ["x"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) WITH ORDINALITY AS u(k1, k2, o) WHERE u.k2 OPERATOR(pg_catalog.<>) $3::pg_catalog.text ORDER BY u.o
args: ["{}" "{}" "x"]
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS city, m."count 1" AS count, m."key 2" AS max FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) m("key 1", "key 2", "count 1")

SELECT active, max(active), count(*) FROM members GROUP BY active
----
refuse 0A000 at 16: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT active, count(*) FROM members GROUP BY active

SELECT c.city, max(c.country) FROM members m JOIN cities c ON c.city = m.city GROUP BY c.city
----
refuse 42501 at 36: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT c.city, count(*), max(c.country) FROM members m JOIN cities c ON c.city = m.city GROUP BY ROLLUP (c.city)
----
refuse 0A000 at 26: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT c.country, count(*) FROM members m LEFT JOIN cities c ON c.city = m.city GROUP BY m.city
----
refuse 42803 at 8: column "c.country" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT c.country, count(*) FROM members m JOIN cities c ON c.city = m.city GROUP BY m.plan
----
refuse 42803 at 8: column "c.country" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT plan, count(*) FROM members GROUP BY plan

SELECT city, country, count(*) FROM members JOIN cities USING (city) GROUP BY city, country
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY city, p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY t."city", p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS city, members."key 2" AS country, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

# A column that USING has merged is also one of the public table.
SELECT c.city, count(*) FROM members m JOIN cities c USING (city) GROUP BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.city
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS city, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT cities.city, count(*) FROM members JOIN cities USING (city) WHERE public.cities.city <> 'Oslo' GROUP BY cities.city
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city WHERE p1.city <> 'Oslo' GROUP BY p1.city
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE p1."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text GROUP BY p1."city"
args: ["Oslo"]
domain: SELECT u.o FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[])) WITH ORDINALITY AS u(k1, o) WHERE u.k1 OPERATOR(pg_catalog.<>) $2::pg_catalog.text ORDER BY u.o
args: ["{}" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT c.city, count(*) FROM members m JOIN cities c ON m.city = c.city GROUP BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.city
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS city, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT c.city, m.city, count(*) FROM members m LEFT JOIN cities c USING (city) GROUP BY 1, 2
----
answer
question: count(*) FROM public.members LEFT JOIN public.cities AS p1 ON city = p1.city GROUP BY city, p1.city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t LEFT JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY t."city", p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS city, m."key 2" AS city, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) m("key 1", "key 2", "count 1")

SELECT count(*) FROM members m LEFT JOIN cities c USING (city) WHERE c.city IS NULL
----
answer
question: count(*) FROM public.members LEFT JOIN public.cities AS p1 ON city = p1.city WHERE p1.city IS NULL
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t LEFT JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE p1."city" IS NULL
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) m("count 1")

SELECT c.city, city, count(*) FROM members m JOIN cities c USING (city) GROUP BY c.city
----
refuse 42803 at 16: column "m.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city, count(*) FROM members m JOIN cities c USING (city) GROUP BY c.city
----
refuse 42803 at 8: column "m.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT x.city, count(*) FROM (SELECT c.city FROM members m JOIN cities c USING (city)) AS x GROUP BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.city
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT x.city, x."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) x(city, "count 1")

SELECT n.country, count(*) FROM members m JOIN cities c USING (city) JOIN countries n USING (country) GROUP BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city JOIN public.countries AS p2 ON p1.country = p2.country GROUP BY p2.country
count: SELECT CASE WHEN pg_catalog.octet_length(p2."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p2."country"), 65537)) ELSE p2."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" JOIN "public"."countries" AS p2 ON p1."country" OPERATOR(pg_catalog.=) p2."country" GROUP BY p2."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT c.country, count(*) FROM members m, cities c WHERE m.city = c.city AND m.active GROUP BY 1
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city WHERE active = true GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool GROUP BY p1."country"
args: ["t"]
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT n.name, count(*) FROM members m JOIN cities c ON m.city = c.city JOIN countries n ON n.country = c.country WHERE n.since > 1800 GROUP BY n.name
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city JOIN public.countries AS p2 ON p1.country = p2.country WHERE p2.since >= 1801 GROUP BY p2.name
count: SELECT CASE WHEN pg_catalog.octet_length(p2."name") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p2."name"), 65537)) ELSE p2."name" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" JOIN "public"."countries" AS p2 ON p1."country" OPERATOR(pg_catalog.=) p2."country" WHERE p2."since" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 GROUP BY p2."name"
args: ["1801"]
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS name, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT n.name, c.city, count(*) FROM cities c JOIN members m ON m.city = c.city JOIN countries n USING (country) GROUP BY 1, 2
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city JOIN public.countries AS p2 ON p1.country = p2.country GROUP BY p1.city, p2.name
count: SELECT CASE WHEN pg_catalog.octet_length(p1."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."city"), 65537)) ELSE p1."city" END AS k1, CASE WHEN pg_catalog.octet_length(p2."name") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p2."name"), 65537)) ELSE p2."name" END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" JOIN "public"."countries" AS p2 ON p1."country" OPERATOR(pg_catalog.=) p2."country" GROUP BY p1."city", p2."name"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS name, m."key 2" AS city, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) m("key 1", "key 2", "count 1")

SELECT upper(c.country), m.plan, count(*) FROM members m JOIN cities c ON c.city = m.city WHERE c.country LIKE 'N%' OR m.active GROUP BY 1, 2
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city WHERE ((p1.country LIKE 'N%') OR active = true) GROUP BY plan, upper(p1.country)
count: SELECT t."plan" AS k1, CASE WHEN pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(p1."country"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN p1."country" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper((CASE WHEN pg_catalog.octet_length(p1."country"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN p1."country" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(p1."country"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN p1."country" END)::pg_catalog.text))::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" WHERE ((((CASE WHEN pg_catalog.octet_length(p1."country"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN p1."country" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $3::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $4::pg_catalog.bool OR t."active" OPERATOR(pg_catalog.=) $5::pg_catalog.bool) GROUP BY 1, (pg_catalog.upper((CASE WHEN pg_catalog.octet_length(p1."country"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN p1."country" END)::pg_catalog.text))::pg_catalog.text
args: ["65536" "65536" "N%" "t" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS upper, m."key 2" AS plan, m."count 1" AS count FROM (SELECT u.k1 AS "key 1", u.k2::varchar(10) AS "key 2", u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::bigint[]) u(k1, k2, c1)) m

SELECT c.country, count(*) FROM cities c RIGHT JOIN members m ON m.city = c.city GROUP BY 1
----
answer
question: count(*) FROM public.members LEFT JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t LEFT JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT count(*) FROM members JOIN cities ON cities.city = members.city
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT s.country, count(*) FROM (SELECT m.plan, c.country FROM members m JOIN cities c ON c.city = m.city) s GROUP BY s.country
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT s.country, s."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) s(country, "count 1")

SELECT c.country, count(DISTINCT m.city) FROM members m JOIN cities c ON c.city = m.city GROUP BY 1
----
answer
question: count(DISTINCT city) FROM public.members JOIN public.cities AS p1 ON city = p1.city GROUP BY p1.country
count: SELECT CASE WHEN pg_catalog.octet_length(p1."country") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(p1."country"), 65537)) ELSE p1."country" END AS k1, pg_catalog.count(DISTINCT t."city") AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."city" GROUP BY p1."country"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."key 1" AS country, m."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) m("key 1", "count 1")

SELECT count(*) FROM members m JOIN cities c ON c.country = m.city
----
refuse 0A000 at 37: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members m JOIN cities c ON c.city = m.city OR true
----
refuse 0A000 at 37: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members m JOIN cities c ON true
----
refuse 0A000 at 37: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members m CROSS JOIN cities c
----
refuse 0A000 at 43: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members m NATURAL JOIN cities c
----
refuse 0A000 at 22: this form of JOIN is not supported on protected tables
hint: Write JOIN ... ON with an equality.

SELECT count(*) FROM cities c LEFT JOIN members m ON m.city = c.city
----
refuse 0A000 at 8: count(*) is not supported where a group of an outer join may be of several rows of the other side
hint: It counts 1 for each row that nobody belongs to, and noise would make more of it. Use count of a column of the protected table.

SELECT count(*) FROM members m FULL JOIN cities c ON m.city = c.city
----
refuse 0A000 at 22: this kind of JOIN is not supported on protected tables
hint: Use JOIN or LEFT JOIN with a public table, by equality with a unique key of it.

SELECT count(*) FROM members m JOIN mine ON mine.city = m.city
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

SELECT count(*) FROM members m JOIN countries n ON n.name = m.city
----
refuse 0A000 at 37: the join with public.countries is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (country), (name, since); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members m JOIN countries n ON n.name = m.city AND n.since = m.birth_year
----
answer
question: count(*) FROM public.members JOIN public.countries AS p1 ON city = p1.name AND birth_year = p1.since
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."countries" AS p1 ON t."city" OPERATOR(pg_catalog.=) p1."name" AND t."birth_year" OPERATOR(pg_catalog.=) p1."since"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) m("count 1")

SELECT city, count(*) FROM members m JOIN cities c ON c.city = m.city GROUP BY 1
----
refuse 42702 at 8: column reference "city" is ambiguous

SELECT m.*, c.country FROM members m JOIN cities c ON c.city = m.city
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT c.country, count(*), (SELECT max(n) FROM mine WHERE mine.city = c.country) FROM members m JOIN cities c ON c.city = m.city GROUP BY 1
----
refuse 0A000 at 37: a sub-select in an expression beside a join of a protected table is not supported
hint: Count in a sub-select in FROM, and use its result in the expression.

SELECT count(*) FROM members m LEFT JOIN cities c ON c.city = m.city AND m.active
----
refuse 0A000 at 74: this condition of an outer join is not supported on protected tables
hint: Use equalities with the unique key of the public table alone, and WHERE for the rest.

SELECT count(*) FROM members a JOIN members b ON a.id = b.id
----
refuse 0A000 at 22: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM members m JOIN LATERAL (SELECT 1) l ON true
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

SELECT count(*) FROM members m JOIN cities c ON c.city = m.plan
----
answer
question: count(*) FROM public.members JOIN public.cities AS p1 ON plan = p1.city
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t JOIN "public"."cities" AS p1 ON t."plan" OPERATOR(pg_catalog.=) p1."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT m."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) m("count 1")

SELECT count(*) FROM members m JOIN cities c ON c.city = lower(m.city)
----
refuse 0A000 at 37: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

# parameters
SELECT birth_year / $1, count(*) FROM members GROUP BY birth_year / $1
----
answer
params: [23]
question: count(*) FROM public.members GROUP BY (birth_year / 1)
count: SELECT ((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog./) $1::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "?column?", members."count 1" AS count FROM unnest($2::int[], $3::bigint[]) members("key 1", "count 1")

SELECT count(*) FROM members WHERE birth_year % $1 = $2
----
answer
params: [23 23]
question: count(*) FROM public.members WHERE (birth_year % 1) = 2
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((t."birth_year"::pg_catalog.int4 OPERATOR(pg_catalog.%) $1::pg_catalog.int4))::pg_catalog.int4 OPERATOR(pg_catalog.=) $2::pg_catalog.int4
args: ["1" "2"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT left(city, $1), count(*) FROM members GROUP BY left(city, $1)
----
answer
params: [23]
question: count(*) FROM public.members GROUP BY left(city, 1)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text), 1048577)) ELSE (pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.left((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text, $2::pg_catalog.int4))::pg_catalog.text
args: ["65536" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "left", members."count 1" AS count FROM unnest($2::pg_catalog.text[], $3::bigint[]) members("key 1", "count 1")

SELECT count(*) FROM members WHERE joined > date_trunc('month', $1::date) - interval '1 month'
----
answer
params: [1082]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.date_trunc($1::pg_catalog.text::pg_catalog.text, $2::pg_catalog.date::pg_catalog.date::pg_catalog.timestamptz)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((pg_catalog.date_trunc($3::pg_catalog.text::pg_catalog.text, $4::pg_catalog.date::pg_catalog.date::pg_catalog.timestamptz))::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $5::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(((((pg_catalog.date_trunc($6::pg_catalog.text::pg_catalog.text, $7::pg_catalog.date::pg_catalog.date::pg_catalog.timestamptz))::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $8::pg_catalog.interval::pg_catalog.interval))::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{month false 0} {2020-01-01 false 0} {month false 0} {2020-01-01 false 0} {1 month false 0} {month false 0} {2020-01-01 false 0} {1 month false 0}]
question: count(*) FROM public.members WHERE joined > date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")


SELECT count(*) FROM members WHERE joined > $1::date - 30
----
answer
params: [1082]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.date::pg_catalog.date::pg_catalog.date OPERATOR(pg_catalog.-) $2::pg_catalog.int4::pg_catalog.int4)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-01 false 0} {30 false 0}]
question: count(*) FROM public.members WHERE joined > date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined BETWEEN $1 AND $2 AND coalesce(city, $3) = $3
----
answer
params: [1082 1082 25]
question: count(*) FROM public.members WHERE (CASE WHEN city IS NOT NULL THEN city ELSE 'v3' END = 'v3' AND joined <= date '2020-01-01' AND joined >= date '2020-01-01')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text OPERATOR(pg_catalog.=) $2::pg_catalog.text AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date)
args: ["v3" "v3" "2020-01-01" "2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($4::bigint[]) members("count 1")

SELECT width_bucket(birth_year, $1, $2, $3), count(*) FROM members GROUP BY 1
----
answer
params: [701 701 23]
question: count(*) FROM public.members GROUP BY width_bucket(birth_year::double precision, float8 '1', float8 '2', 3)
count: SELECT (pg_catalog.width_bucket((((t."birth_year"::pg_catalog.int4)::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.float8, $1::pg_catalog.float8, $2::pg_catalog.float8, $3::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["1" "2" "3"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS width_bucket, members."count 1" AS count FROM unnest($4::int[], $5::bigint[]) members("key 1", "count 1")

SELECT count(*) FROM members WHERE CASE WHEN active THEN city = $1 ELSE plan = $2 END
----
answer
params: [25 25]
question: count(*) FROM public.members WHERE CASE WHEN active = true THEN CASE WHEN city = 'v1' THEN true WHEN city <> 'v1' THEN false END ELSE CASE WHEN plan = 'v2' THEN true WHEN plan <> 'v2' THEN false END END
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN ((CASE WHEN t."city" OPERATOR(pg_catalog.=) $2::pg_catalog.text THEN TRUE WHEN t."city" OPERATOR(pg_catalog.<>) $3::pg_catalog.text THEN FALSE END)::pg_catalog.bool)::pg_catalog.bool ELSE ((CASE WHEN t."plan" OPERATOR(pg_catalog.=) $4::pg_catalog.text THEN TRUE WHEN t."plan" OPERATOR(pg_catalog.<>) $5::pg_catalog.text THEN FALSE END)::pg_catalog.bool)::pg_catalog.bool END)::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool
args: ["t" "v1" "v1" "v2" "v2" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($3::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE birth_year = $1 + 1
----
answer
params: [23]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.int4::pg_catalog.int4 OPERATOR(pg_catalog.+) $2::pg_catalog.int4::pg_catalog.int4)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{1 false 0} {1 false 0}]
question: count(*) FROM public.members WHERE birth_year = 1
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."birth_year" OPERATOR(pg_catalog.=) $1::pg_catalog.int4
args: ["1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE lower(city) LIKE lower($1) || '%'
----
answer
params: [25]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.lower($1::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((pg_catalog.lower($2::pg_catalog.text::pg_catalog.text))::pg_catalog.text OPERATOR(pg_catalog.||) $3::pg_catalog.text::pg_catalog.text)) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{v1 false 0} {v1 false 0} {% false 0}]
question: count(*) FROM public.members WHERE (lower(city) LIKE 'UTC')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((pg_catalog.lower((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "UTC" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

# more of what tools write
SELECT date_bin('15 minutes', seen, timestamp '2020-01-01'), count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY date_bin(interval '15 minutes', seen, timestamp '2020-01-01 00:00:00')
count: SELECT (pg_catalog.date_bin($1::pg_catalog.interval, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, $4::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $5::pg_catalog.timestamp GROUP BY 1
args: ["15 minutes" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS date_bin, members."count 1" AS count FROM unnest($1::timestamp[], $2::bigint[]) members("key 1", "count 1")

SELECT date_bin('1 month', seen, timestamp '2020-01-01'), count(*) FROM members GROUP BY 1
----
refuse 22023 at 8: the stride of date_bin must be more than zero, and have no months or years

SELECT floor(extract(epoch FROM paid) / 300) * 300 AS time, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY (floor((extract('epoch', timezone('UTC', paid)) / 300)) * 300)
count: SELECT pg_catalog.trim_scale(((((pg_catalog.floor((((((pg_catalog.date_part($1::pg_catalog.text, ((pg_catalog.timezone($2::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $3::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $4::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog./) $5::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.*) $6::pg_catalog.numeric))::pg_catalog.numeric) AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["epoch" "UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "300" "300"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "time", members."count 1" AS count FROM unnest($1::numeric[], $2::bigint[]) members("key 1", "count 1")

SELECT to_timestamp(floor(extract(epoch FROM paid) / 86400) * 86400) AS time, count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY to_timestamp((floor((extract('epoch', timezone('UTC', paid)) / 86400)) * 86400)::double precision)
count: SELECT (pg_catalog.to_timestamp(((pg_catalog.round((((((pg_catalog.floor((((((pg_catalog.date_part($1::pg_catalog.text, ((pg_catalog.timezone($2::pg_catalog.text, (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $3::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $4::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog./) $5::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog.*) $6::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric, 120)::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.float8))::pg_catalog.timestamptz AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: ["epoch" "UTC" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "86400" "86400"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "time", members."count 1" AS count FROM unnest($1::timestamp with time zone[], $2::bigint[]) members("key 1", "count 1")

SELECT DATE(seen) AS day, count(*) FROM members WHERE seen < '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY seen::date
count: SELECT (((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $3::pg_catalog.timestamp GROUP BY 1
args: ["0001-01-01" "9999-12-31" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS day, members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::bigint[]) members("key 1", "count 1")

SELECT text(level), int8(level), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY level::bigint, level::text
count: SELECT ((t."level"::pg_catalog.int2)::pg_catalog.int8)::pg_catalog.int8 AS k1, CASE WHEN pg_catalog.octet_length(((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text
args: []
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS text, members."key 2" AS int8, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[], $3::bigint[]) members("key 1", "key 2", "count 1")

SELECT concat(city, '/', plan, level) AS k, count(*) FROM members GROUP BY k
----
answer
question: count(*) FROM public.members GROUP BY (((CASE WHEN city IS NULL THEN '' ELSE city END || '/') || CASE WHEN false THEN '' ELSE plan END) || CASE WHEN level::text IS NULL THEN '' ELSE level::text END)
count: SELECT CASE WHEN pg_catalog.octet_length(((((((((((CASE WHEN t."city" IS NULL THEN $1::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $3::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN FALSE THEN $4::pg_catalog.text ELSE t."plan"::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text IS NULL THEN $5::pg_catalog.text ELSE (((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((((((((((CASE WHEN t."city" IS NULL THEN $1::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $3::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN FALSE THEN $4::pg_catalog.text ELSE t."plan"::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text IS NULL THEN $5::pg_catalog.text ELSE (((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE ((((((((((CASE WHEN t."city" IS NULL THEN $1::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $3::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN FALSE THEN $4::pg_catalog.text ELSE t."plan"::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text IS NULL THEN $5::pg_catalog.text ELSE (((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY ((((((((((CASE WHEN t."city" IS NULL THEN $1::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $3::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN FALSE THEN $4::pg_catalog.text ELSE t."plan"::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN ((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text IS NULL THEN $5::pg_catalog.text ELSE (((t."level"::pg_catalog.int2)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text
args: ["" "65536" "/" "" ""]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS k, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT concat(city, NULL), concat('a', city), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY ('a' || CASE WHEN city IS NULL THEN '' ELSE city END), CASE WHEN city IS NULL THEN '' ELSE city END
count: SELECT CASE WHEN pg_catalog.octet_length((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN t."city" IS NULL THEN $2::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN t."city" IS NULL THEN $2::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (($1::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN t."city" IS NULL THEN $2::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length((CASE WHEN t."city" IS NULL THEN $4::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((CASE WHEN t."city" IS NULL THEN $4::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text), 1048577)) ELSE (CASE WHEN t."city" IS NULL THEN $4::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text END AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (($1::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN t."city" IS NULL THEN $2::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $3::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text, (CASE WHEN t."city" IS NULL THEN $4::pg_catalog.text ELSE t."city"::pg_catalog.text END)::pg_catalog.text
args: ["a" "" "65536" ""]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS concat, members."key 2" AS concat, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::bigint[]) members("key 1", "key 2", "count 1")

# A parameter that is NULL counts as no text, as one of a row does.
SELECT count(*) FROM members WHERE concat(city, $1::text) = 'Oslo'
----
answer
params: [25]
question: count(*) FROM public.members WHERE (CASE WHEN city IS NULL THEN '' ELSE city END || CASE WHEN false THEN '' ELSE 'v1' END) = 'Oslo'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN t."city" IS NULL THEN $1::pg_catalog.text ELSE (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN FALSE THEN $3::pg_catalog.text ELSE $4::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text OPERATOR(pg_catalog.=) $5::pg_catalog.text
args: ["" "65536" "" "v1" "Oslo"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT concat(city, salary), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this use of concat is not supported on protected tables: its arguments must be texts or integers, and constants be texts
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE city LIKE ANY (ARRAY['O%', 'R%'])
----
answer
question: count(*) FROM public.members WHERE ((city LIKE 'O%') OR (city LIKE 'R%'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool OR (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $5::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool)
args: ["65536" "O%" "t" "65536" "R%" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city NOT ILIKE ALL (ARRAY['o%', 'r%']) AND birth_year > ANY (ARRAY[1985, 1990])
----
answer
question: count(*) FROM public.members WHERE ((city NOT ILIKE 'o%') AND (city NOT ILIKE 'r%') AND birth_year >= 1986)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~~*) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool AND (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $4::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.!~~*) $5::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $6::pg_catalog.bool AND t."birth_year" OPERATOR(pg_catalog.>=) $7::pg_catalog.int4)
args: ["65536" "o%" "t" "65536" "r%" "t" "1986"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT CAST(TRUNC(EXTRACT(YEAR FROM members.joined)) AS INTEGER) AS y, COUNT(1) AS n FROM public.members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY trunc(extract('year', joined))::integer
count: SELECT ((((pg_catalog.trunc(((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int4)::pg_catalog.int4 AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $5::pg_catalog.date) GROUP BY 1
args: ["year" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS y, members."count 1" AS n FROM unnest($1::int[], $2::bigint[]) members("key 1", "count 1")

SELECT DATE_TRUNC('MONTH', CAST(members.seen AS DATE)) AS m, SUM(1) AS n FROM members WHERE seen < '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE seen < timestamp '2030-01-01 00:00:00' GROUP BY date_trunc('MONTH', seen::date::timestamp without time zone)
count: SELECT (pg_catalog.date_trunc($1::pg_catalog.text, (((((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp)::pg_catalog.date)::pg_catalog.date)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.timestamp AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.<) $4::pg_catalog.timestamp GROUP BY 1
args: ["MONTH" "0001-01-01" "9999-12-31" "2030-01-01 00:00:00"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS m, members."count 1" AS n FROM (SELECT u.k1::timestamp with time zone AS "key 1", u.c1 AS "count 1" FROM unnest($1::timestamp[], $2::bigint[]) u(k1, c1)) members

select "_"."city" as "c1", count(1) as "a0" from (select "$Table"."city" as "city", "$Table"."plan" as "plan" from "public"."members" "$Table") "_" where "_"."plan" = 'free' group by "_"."city" limit 1000001
----
answer
question: count(*) FROM public.members WHERE plan = 'free' GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text GROUP BY t."city"
args: ["free"]
charge: 1 counts, 0 thresholds
rest: SELECT _.city AS c1, _."count 1" AS a0 FROM unnest($1::pg_catalog.text[], $2::bigint[]) _(city, "count 1") LIMIT 1000001

# where a condition is never unknown, its average shares the count of all rows
SELECT avg((plan = 'free')::int), count(*) FROM members
----
answer
question: count(*) FROM public.members WHERE plan = 'free'
question: count(*) FROM public.members
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) AS c3 FROM "public"."members" AS t
args: ["free"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1"::numeric / (NULLIF(members."count 2", 0))::numeric AS avg, members."count 3" AS count FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) members("count 1", "count 2", "count 3")

# values that are only passed on are not guarded
SELECT coalesce(joined, '2000-01-01'), CASE WHEN active THEN seen END, greatest(score, 0), count(*) FROM members GROUP BY 1, 2, 3
----
answer
question: count(*) FROM public.members GROUP BY CASE WHEN active = true THEN seen ELSE NULL END, CASE WHEN joined IS NOT NULL THEN joined ELSE date '2000-01-01' END, GREATEST(score, float8 '0')
count: SELECT (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN t."seen"::pg_catalog.timestamp ELSE NULL::pg_catalog.timestamp END)::pg_catalog.timestamp AS k1, (CASE WHEN t."joined" IS NOT NULL THEN t."joined"::pg_catalog.date ELSE $2::pg_catalog.date END)::pg_catalog.date AS k2, ((GREATEST(t."score"::pg_catalog.float8, $3::pg_catalog.float8))::pg_catalog.float8 OPERATOR(pg_catalog.+) '0'::pg_catalog.float8) AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2, 3
args: ["t" "2000-01-01" "0"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS "coalesce", members."key 2" AS "case", members."key 3" AS "greatest", members."count 1" AS count FROM unnest($1::pg_catalog.date[], $2::timestamp[], $3::double precision[], $4::bigint[]) members("key 1", "key 2", "key 3", "count 1")

SELECT upper(CASE WHEN active THEN city END), count(*) FROM members GROUP BY 1
----
answer
question: count(*) FROM public.members GROUP BY upper(CASE WHEN active = true THEN city ELSE NULL END)
count: SELECT CASE WHEN pg_catalog.octet_length((pg_catalog.upper(((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text ELSE NULL::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((pg_catalog.upper(((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text ELSE NULL::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (pg_catalog.upper(((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text ELSE NULL::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY (pg_catalog.upper(((CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN t."city" END)::pg_catalog.text ELSE NULL::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text
args: ["t" "65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS upper, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

# decimals are divided otherwise than integers, so that these are two questions, and two keys
SELECT (CASE WHEN level = 1 THEN 7 ELSE 3 END) / 2, round((CASE WHEN level = 1 THEN 7.0 ELSE 3.0 END) / 2.0, 1), count(*) FROM members GROUP BY 1, 2
----
answer
question: count(*) FROM public.members GROUP BY (CASE WHEN level = 1 THEN 7 ELSE 3 END / 2), round((CASE WHEN level = 1 THEN 7.0 ELSE 3.0 END / 2), 1)
count: SELECT ((((CASE WHEN t."level" OPERATOR(pg_catalog.=) $1::pg_catalog.int2 THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog./) $4::pg_catalog.int4))::pg_catalog.int4 AS k1, pg_catalog.trim_scale((pg_catalog.round((((((CASE WHEN t."level" OPERATOR(pg_catalog.=) $5::pg_catalog.int2 THEN $6::pg_catalog.numeric ELSE $7::pg_catalog.numeric END)::pg_catalog.numeric)::pg_catalog.numeric OPERATOR(pg_catalog./) $8::pg_catalog.numeric))::pg_catalog.numeric)::pg_catalog.numeric, $9::pg_catalog.int4))::pg_catalog.numeric) AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2
args: ["1" "7" "3" "2" "1" "7" "3" "2" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS "?column?", members."key 2" AS round, members."count 1" AS count FROM unnest($1::int[], $2::numeric[], $3::bigint[]) members("key 1", "key 2", "count 1")

# NULL of two types
SELECT count(*) FROM members WHERE (CASE WHEN level = 1 THEN NULL::int END) = id OR (CASE WHEN level = 1 THEN NULL::text END) = city
----
answer
question: count(*) FROM public.members WHERE (CASE WHEN level = 1 THEN NULL ELSE NULL END = city OR CASE WHEN level = 1 THEN NULL ELSE NULL END = id)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((CASE WHEN t."level" OPERATOR(pg_catalog.=) $1::pg_catalog.int2 THEN NULL::pg_catalog.text ELSE NULL::pg_catalog.text END)::pg_catalog.text OPERATOR(pg_catalog.=) t."city" OR (CASE WHEN t."level" OPERATOR(pg_catalog.=) $2::pg_catalog.int2 THEN NULL::pg_catalog.int4 ELSE NULL::pg_catalog.int4 END)::pg_catalog.int4 OPERATOR(pg_catalog.=) t."id")
args: ["1" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# a list of columns after grouping sets
SELECT city, plan, active, count(*) FROM members GROUP BY ROLLUP (city), (plan, active)
----
answer
question: count(*) FROM public.members GROUP BY active, city, plan
count: SELECT t."active" AS k1, CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k2, t."plan" AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, t."city", 3
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, plan, active, COALESCE(pg_catalog.sum(members."count 1"), CASE WHEN pg_catalog.count(*) = 0 THEN 0 END)::bigint AS count FROM (SELECT u.k1 AS city, u.k2::varchar(10) AS plan, u.k3 AS active, u.c1 AS "count 1" FROM unnest($1::pg_catalog.text[], $2::varchar[], $3::boolean[], $4::bigint[]) u(k1, k2, k3, c1)) members GROUP BY ROLLUP (members.city), (members.plan, members.active)

# intervals are compared as the server does, by which 7 days are 168 hours: one question
SELECT count(*) FROM members WHERE seen < '2030-01-01' AND seen - timestamp '2024-01-01' > interval '7 days'
----
answer
question: count(*) FROM public.members WHERE ((seen - timestamp '2024-01-01 00:00:00') > interval '7 days' AND seen < timestamp '2030-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) $3::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.>) $4::pg_catalog.interval AND t."seen" OPERATOR(pg_catalog.<) $5::pg_catalog.timestamp)
args: ["0001-01-01" "9999-12-31" "2024-01-01 00:00:00" "7 days" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen < '2030-01-01' AND NOT seen - timestamp '2024-01-01' <= '168:00:00'
----
answer
question: count(*) FROM public.members WHERE ((seen - timestamp '2024-01-01 00:00:00') > interval '7 days' AND seen < timestamp '2030-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) $3::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.>) $4::pg_catalog.interval AND t."seen" OPERATOR(pg_catalog.<) $5::pg_catalog.timestamp)
args: ["0001-01-01" "9999-12-31" "2024-01-01 00:00:00" "7 days" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE interval '-1 month 2 days 03:04:05.5' < paid - paid
----
answer
question: count(*) FROM public.members WHERE (paid - paid) > interval '-27 days -20:55:54.500000'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz OPERATOR(pg_catalog.-) (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $3::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $4::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.interval OPERATOR(pg_catalog.>) $5::pg_catalog.interval
args: ["0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "-27 days -20:55:54.500000"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen < '2030-01-01' AND joined BETWEEN '2000-01-01' AND '2030-01-01' AND (age(seen, joined) >= interval '0' OR seen - joined > $1::interval + '1 day')
----
answer
params: [1186]
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.interval::pg_catalog.interval::pg_catalog.interval OPERATOR(pg_catalog.+) $2::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{v1 false 0} {1 day false 0}]
question: count(*) FROM public.members WHERE (((seen - joined::timestamp without time zone) > interval '30 days' OR age(seen, joined::timestamp without time zone) >= interval '00:00:00') AND joined <= date '2030-01-01' AND joined >= date '2000-01-01' AND seen < timestamp '2030-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.>) $5::pg_catalog.interval OR (pg_catalog.age((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $6::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $7::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.>=) $10::pg_catalog.interval) AND t."joined" OPERATOR(pg_catalog.<=) $11::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $12::pg_catalog.date AND t."seen" OPERATOR(pg_catalog.<) $13::pg_catalog.timestamp)
args: ["0001-01-01" "9999-12-31" "0001-01-01" "9999-12-31" "30 days" "0001-01-01" "9999-12-31" "0001-01-01" "9999-12-31" "00:00:00" "2030-01-01" "2000-01-01" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($2::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen < '2030-01-01' AND joined BETWEEN '2000-01-01' AND '2030-01-01' AND seen - joined <> ALL (ARRAY[interval '1 day', '24 hours', '1.5 hours'])
----
answer
question: count(*) FROM public.members WHERE ((seen - joined::timestamp without time zone) NOT IN (interval '01:30:00', interval '1 days') AND joined <= date '2030-01-01' AND joined >= date '2000-01-01' AND seen < timestamp '2030-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.<>) ALL ($5::pg_catalog.interval[]) AND t."joined" OPERATOR(pg_catalog.<=) $6::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date AND t."seen" OPERATOR(pg_catalog.<) $8::pg_catalog.timestamp)
args: ["0001-01-01" "9999-12-31" "0001-01-01" "9999-12-31" "{\"01:30:00\",\"1 days\"}" "2030-01-01" "2000-01-01" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE seen < '2030-01-01' AND joined BETWEEN '2000-01-01' AND '2030-01-01' AND seen - joined < age(joined)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CURRENT_DATE) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((CURRENT_DATE)::pg_catalog.date)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c2 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE ((seen - joined::timestamp without time zone) < age(timestamp '2020-01-01 00:00:00', joined::timestamp without time zone) AND joined <= date '2030-01-01' AND joined >= date '2000-01-01' AND seen < timestamp '2030-01-01 00:00:00')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((((CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp OPERATOR(pg_catalog.-) ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval OPERATOR(pg_catalog.<) (pg_catalog.age($5::pg_catalog.timestamp, ((((CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $6::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $7::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.timestamp)::pg_catalog.timestamp)::pg_catalog.timestamp))::pg_catalog.interval AND t."joined" OPERATOR(pg_catalog.<=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $9::pg_catalog.date AND t."seen" OPERATOR(pg_catalog.<) $10::pg_catalog.timestamp)
args: ["0001-01-01" "9999-12-31" "0001-01-01" "9999-12-31" "2020-01-01 00:00:00" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01" "2030-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# the server of some versions rounds fractions of years otherwise
SELECT count(*) FROM members WHERE seen - joined < interval '1.5 years'
----
refuse 0A000 at 61: "1.5 years" is not supported as a constant of type interval
hint: Write numbers with units, such as '1 year 6 months', '30 days' or '04:30:00'.

SELECT count(*) FROM members WHERE seen - joined > 7
----
refuse 42883 at 50: operator does not exist: interval > integer
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

# hours are as long in every time zone
SELECT count(*) FROM members WHERE paid + interval '168 hours' > seen AT TIME ZONE 'UTC'
----
answer
constants: SELECT f.* FROM (SELECT (pg_catalog.to_jsonb(ARRAY(SELECT pg_catalog.timezone($1::pg_catalog.text::pg_catalog.text, x.t) FROM pg_catalog.unnest('{1950-01-01 00:00:00+00,1970-07-01 00:00:00+00,1990-01-01 00:00:00+00,2010-07-01 00:00:00+00,2025-01-01 00:00:00+00,2025-07-01 00:00:00+00}'::pg_catalog.timestamptz[]) AS x(t))))::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{UTC false 0}]
question: count(*) FROM public.members WHERE (paid + interval '168 hours') > timezone('UTC', seen)
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $1::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $2::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz OPERATOR(pg_catalog.+) $3::pg_catalog.interval))::pg_catalog.timestamptz OPERATOR(pg_catalog.>) (pg_catalog.timezone($4::pg_catalog.text, (CASE WHEN t."seen" OPERATOR(pg_catalog.>=) $5::pg_catalog.timestamp AND t."seen" OPERATOR(pg_catalog.<=) $6::pg_catalog.timestamp THEN t."seen" END)::pg_catalog.timestamp))::pg_catalog.timestamptz
args: ["0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "168 hours" "UTC" "0001-01-01" "9999-12-31"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE '30 minutes' + paid < '2024-01-01 00:00:00Z'
----
answer
question: count(*) FROM public.members WHERE (interval '30 minutes' + paid) < timestamptz '2024-01-01 00:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (($1::pg_catalog.interval OPERATOR(pg_catalog.+) (CASE WHEN t."paid" OPERATOR(pg_catalog.>=) $2::pg_catalog.timestamptz AND t."paid" OPERATOR(pg_catalog.<=) $3::pg_catalog.timestamptz THEN t."paid" END)::pg_catalog.timestamptz))::pg_catalog.timestamptz OPERATOR(pg_catalog.<) $4::pg_catalog.timestamptz
args: ["30 minutes" "0001-01-01 00:00:00+00" "9999-12-31 00:00:00+00" "2024-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid - interval '7 days' < '2024-01-01 00:00:00Z'
----
refuse 0A000 at 41: this use of an interval is not supported on protected tables: its result depends on the time zone of the session
hint: Count days as hours, such as interval '168 hours', or write the time zone: (column AT TIME ZONE 'Europe/Rome') + interval '7 days'.

# equal intervals look different
SELECT GREATEST(seen - joined, interval '1 day'), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: a protected table cannot be grouped by a value of type interval
hint: Take a part of it: extract(day FROM ...) of an interval, document ->> 'key' of jsonb, list[1] of an array.

SELECT sum(CASE WHEN code = 'F' THEN 50 ELSE 0 END) FROM members
----
answer
question: sum(CASE WHEN code = 'F' THEN 50 ELSE 0 END FROM 0 TO 50) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4::pg_catalog.int4, $4::pg_catalog.int4), $5::pg_catalog.int4)) FILTER (WHERE (CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["F" "50" "0" "0" "50"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT sum(CASE WHEN code = 'F' THEN 1 ELSE -1 END) FROM members
----
answer
question: sum(CASE WHEN code = 'F' THEN 1 ELSE -1 END FROM -1 TO 1) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4::pg_catalog.int4, $4::pg_catalog.int4), $5::pg_catalog.int4)) FILTER (WHERE (CASE WHEN t."code" OPERATOR(pg_catalog.=) $1::pg_catalog.bpchar THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["F" "1" "-1" "-1" "1"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(('-1'::numeric * pg_catalog.trim_scale((members."count 1"::numeric + members."count 2"::numeric) / '2'::numeric)) + members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT sum(active::int * 100) FROM members
----
answer
question: sum((active::integer * 100) FROM 0 TO 100) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (((((t."active"::pg_catalog.bool)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.*) $1::pg_catalog.int4))::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((((((t."active"::pg_catalog.bool)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.*) $1::pg_catalog.int4))::pg_catalog.int4::pg_catalog.int4, $2::pg_catalog.int4), $3::pg_catalog.int4)) FILTER (WHERE (((((t."active"::pg_catalog.bool)::pg_catalog.int4)::pg_catalog.int4)::pg_catalog.int4 OPERATOR(pg_catalog.*) $1::pg_catalog.int4))::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["100" "0" "100"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

# rows of values
SELECT count(*) FROM members WHERE (city, plan) = ('a', 'b')
----
answer
question: count(*) FROM public.members WHERE (city = 'a' AND plan = 'b')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text AND t."plan" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["a" "b"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE ROW(city, plan) <> ROW('a', 'b')
----
answer
question: count(*) FROM public.members WHERE (city <> 'a' OR plan <> 'b')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."plan" OPERATOR(pg_catalog.<>) $2::pg_catalog.text)
args: ["a" "b"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (city, plan) IN (('a', 'b'), ('c', NULL))
----
answer
question: count(*) FROM public.members WHERE (city = 'a' AND plan = 'b')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text AND t."plan" OPERATOR(pg_catalog.=) $2::pg_catalog.text)
args: ["a" "b"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (city, plan) NOT IN (('a', 'b'), ('c', 'd'))
----
answer
question: count(*) FROM public.members WHERE ((city <> 'a' OR plan <> 'b') AND (city <> 'c' OR plan <> 'd'))
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((t."city" OPERATOR(pg_catalog.<>) $1::pg_catalog.text OR t."plan" OPERATOR(pg_catalog.<>) $2::pg_catalog.text) AND (t."city" OPERATOR(pg_catalog.<>) $3::pg_catalog.text OR t."plan" OPERATOR(pg_catalog.<>) $4::pg_catalog.text))
args: ["a" "b" "c" "d"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

# whole numbers beside texts
SELECT 'Q' || extract(quarter FROM joined) || '/' || extract(year FROM joined) AS quarter, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY ((('Q' || extract('quarter', joined)::bigint::text) || '/') || extract('year', joined)::bigint::text)
count: SELECT CASE WHEN pg_catalog.octet_length((((((((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($2::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $5::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($6::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $8::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((((((((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($2::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $5::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($6::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $8::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (((((((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($2::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $5::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($6::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $8::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $10::pg_catalog.date) GROUP BY (((((((($1::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($2::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $3::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $4::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $5::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((((((((pg_catalog.date_part($6::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $7::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $8::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text
args: ["Q" "quarter" "0001-01-01" "9999-12-31" "/" "year" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."key 1" AS quarter, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members("key 1", "count 1")

SELECT concat(birth_year, '-', date_part('month', joined)), birth_year || ' ' || city, extract(years FROM joined)::text, count(*) FROM members WHERE joined BETWEEN '2000-01-01' AND '2030-01-01' GROUP BY 1, 2, 3
----
answer
question: count(*) FROM public.members WHERE (joined <= date '2030-01-01' AND joined >= date '2000-01-01') GROUP BY ((CASE WHEN birth_year::text IS NULL THEN '' ELSE birth_year::text END || '-') || CASE WHEN date_part('month', joined)::bigint::text IS NULL THEN '' ELSE date_part('month', joined)::bigint::text END), ((birth_year::text || ' ') || city), extract('years', joined)::bigint::text
count: SELECT CASE WHEN pg_catalog.octet_length((((((((CASE WHEN ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text IS NULL THEN $1::pg_catalog.text ELSE (((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN (((((((pg_catalog.date_part($3::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text IS NULL THEN $6::pg_catalog.text ELSE ((((((((pg_catalog.date_part($7::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((((((((CASE WHEN ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text IS NULL THEN $1::pg_catalog.text ELSE (((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN (((((((pg_catalog.date_part($3::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text IS NULL THEN $6::pg_catalog.text ELSE ((((((((pg_catalog.date_part($7::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE (((((((CASE WHEN ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text IS NULL THEN $1::pg_catalog.text ELSE (((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN (((((((pg_catalog.date_part($3::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text IS NULL THEN $6::pg_catalog.text ELSE ((((((((pg_catalog.date_part($7::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text END AS k1, CASE WHEN pg_catalog.octet_length(((((((((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $10::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $11::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(((((((((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $10::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $11::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text), 1048577)) ELSE ((((((((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $10::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $11::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text END AS k2, CASE WHEN pg_catalog.octet_length((((((((pg_catalog.date_part($12::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $13::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $14::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text) OPERATOR(pg_catalog.>) 1048576 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length((((((((pg_catalog.date_part($12::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $13::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $14::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text), 1048577)) ELSE (((((((pg_catalog.date_part($12::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $13::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $14::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text END AS k3, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $15::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $16::pg_catalog.date) GROUP BY (((((((CASE WHEN ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text IS NULL THEN $1::pg_catalog.text ELSE (((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $2::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) ((CASE WHEN (((((((pg_catalog.date_part($3::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $4::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $5::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text IS NULL THEN $6::pg_catalog.text ELSE ((((((((pg_catalog.date_part($7::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $8::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $9::pg_catalog.date THEN t."joined" END)::pg_catalog.date))::pg_catalog.float8)::pg_catalog.float8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text END)::pg_catalog.text)::pg_catalog.text))::pg_catalog.text, ((((((((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) $10::pg_catalog.text))::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.||) (CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $11::pg_catalog.int4 THEN t."city" END)::pg_catalog.text))::pg_catalog.text, (((((((pg_catalog.date_part($12::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $13::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $14::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.numeric)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.int8)::pg_catalog.text)::pg_catalog.text
args: ["" "-" "month" "0001-01-01" "9999-12-31" "" "month" "0001-01-01" "9999-12-31" " " "65536" "years" "0001-01-01" "9999-12-31" "2030-01-01" "2000-01-01"]
charge: 1 counts, 1 thresholds
rest: SELECT members."key 1" AS concat, members."key 2" AS "?column?", members."key 3" AS "extract", members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::pg_catalog.text[], $3::pg_catalog.text[], $4::bigint[]) members("key 1", "key 2", "key 3", "count 1")

SELECT extract(second FROM joined::timestamp)::text, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 46: casting numeric to text is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT active || city, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 15: operator || is not supported for boolean, text on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

# divisors
SELECT birth_year / nullif(level, 0), birth_year % nullif(level, 0), count(*) FROM members GROUP BY 1, 2
----
refuse 0A000 at 19: operator / could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT count(*) FROM members WHERE 100 / level > 3
----
refuse 0A000 at 40: operator / could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.
