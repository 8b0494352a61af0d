# Percentiles of rows, per group.
SELECT city, percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) FROM members GROUP BY city
----
answer
question: percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
sample: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, t."birth_year" AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city", 2 ORDER BY t."city", 2
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, members."count 1" AS percentile_disc FROM unnest($1::pg_catalog.text[], $2::int[]) members(city, "count 1")

SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY birth_year ASC) FILTER (WHERE plan = 'gold') AS p99, count(*) FROM members WHERE level > 1
----
answer
question: percentile_disc(0.99) WITHIN GROUP (ORDER BY birth_year) FROM public.members WHERE (level >= 2 AND plan = 'gold')
question: count(*) FROM public.members WHERE level >= 2
count: SELECT pg_catalog.count(*) FILTER (WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t WHERE t."level" OPERATOR(pg_catalog.>=) $2::pg_catalog.int2
args: ["gold" "2"]
sample: SELECT t."birth_year" AS k1, pg_catalog.count(*) FILTER (WHERE t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text) AS c1 FROM "public"."members" AS t WHERE t."level" OPERATOR(pg_catalog.>=) $2::pg_catalog.int2 GROUP BY 1 ORDER BY 1
args: ["gold" "2"]
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS p99, members."count 2" AS count FROM unnest($1::int[], $2::bigint[]) members("count 1", "count 2")

SELECT percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY birth_year) FROM members HAVING percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) > 1970
----
answer
question: percentile_disc(0.25) WITHIN GROUP (ORDER BY birth_year) FROM public.members
question: percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) FROM public.members
question: percentile_disc(0.75) WITHIN GROUP (ORDER BY birth_year) FROM public.members
question: percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) FROM public.members
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2, pg_catalog.count(*) AS c3, pg_catalog.count(*) AS c4 FROM "public"."members" AS t
args: []
sample: SELECT t."birth_year" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
sample: SELECT t."birth_year" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
sample: SELECT t."birth_year" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
sample: SELECT t."birth_year" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
charge: 3 counts, 0 thresholds
rest: SELECT ARRAY[members."count 1"::double precision, members."count 2"::double precision, members."count 3"::double precision] AS percentile_cont FROM unnest($1::int[], $2::int[], $3::int[], $4::int[]) members("count 1", "count 2", "count 3", "count 4") WHERE members."count 4" > 1970

SELECT percentile_disc('{0.1,0.9}'::double precision[]) WITHIN GROUP (ORDER BY joined) FROM members WHERE joined BETWEEN '2019-01-01' AND '2021-12-31'
----
answer
question: percentile_disc(0.1) WITHIN GROUP (ORDER BY joined) FROM public.members WHERE (joined <= date '2021-12-31' AND joined >= date '2019-01-01')
question: percentile_disc(0.9) WITHIN GROUP (ORDER BY joined) FROM public.members WHERE (joined <= date '2021-12-31' AND joined >= date '2019-01-01')
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date)
args: ["2021-12-31" "2019-01-01"]
sample: SELECT t."joined" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date) GROUP BY 1 ORDER BY 1
args: ["2021-12-31" "2019-01-01"]
sample: SELECT t."joined" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (t."joined" OPERATOR(pg_catalog.<=) $1::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date) GROUP BY 1 ORDER BY 1
args: ["2021-12-31" "2019-01-01"]
charge: 2 counts, 0 thresholds
rest: SELECT ARRAY[members."count 1", members."count 2"] AS percentile_disc FROM unnest($1::pg_catalog.date[], $2::pg_catalog.date[]) members("count 1", "count 2")

SELECT mode() WITHIN GROUP (ORDER BY city), mode() WITHIN GROUP (ORDER BY plan) FROM members
----
answer
question: mode() WITHIN GROUP (ORDER BY city) FROM public.members
question: mode() WITHIN GROUP (ORDER BY plan) FROM public.members
count: SELECT pg_catalog.count(*) AS c1, pg_catalog.count(*) AS c2 FROM "public"."members" AS t
args: []
sample: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city" ORDER BY t."city"
args: []
sample: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
charge: 2 counts, 0 thresholds
rest: SELECT members."count 1" AS mode, members."count 2" AS mode FROM unnest($1::pg_catalog.text[], $2::varchar[]) members("count 1", "count 2")

SELECT plan, percentile_disc(0.5) WITHIN GROUP (ORDER BY extract(year FROM joined)) - 2000 AS years FROM members GROUP BY plan ORDER BY 2
----
answer
question: percentile_disc(0.5) WITHIN GROUP (ORDER BY extract('year', joined)) FROM public.members GROUP BY plan
count: SELECT t."plan" AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1
args: []
sample: SELECT t."plan" AS k1, pg_catalog.trim_scale((pg_catalog.date_part($1::pg_catalog.text, (CASE WHEN t."joined" OPERATOR(pg_catalog.>=) $2::pg_catalog.date AND t."joined" OPERATOR(pg_catalog.<=) $3::pg_catalog.date THEN t."joined" END)::pg_catalog.date)::pg_catalog.numeric)::pg_catalog.numeric) AS k2, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1, 2 ORDER BY 1, 2
args: ["year" "0001-01-01" "9999-12-31"]
charge: 1 counts, 0 thresholds
rest: SELECT plan, members."count 1" - 2000 AS years FROM (SELECT u.k1::varchar(10) AS plan, u.c1 AS "count 1" FROM unnest($1::varchar[], $2::numeric[]) u(k1, c1)) members ORDER BY 2

# The least and the greatest value are those of one row.
SELECT max(birth_year) FROM members
----
refuse 0A000 at 8: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT min(joined), max(id) FROM members
----
refuse 0A000 at 8: aggregate min is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT percentile_disc(0) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(1.0) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(0.0000001) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(ARRAY[0.5, NULL]) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(ARRAY[]::float8[]) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 31: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc('{0.5') WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc($1) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(birth_year / 3000.0) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 35: the fraction of percentile_disc on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year DESC) FROM members
----
refuse 0A000 at 8: percentile_disc on a protected table takes rows in rising order alone
hint: Leave out DESC and NULLS. The 10th percentile from above is percentile_disc(0.9).

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year NULLS FIRST) FROM members
----
refuse 0A000 at 8: percentile_disc on a protected table takes rows in rising order alone
hint: Leave out DESC and NULLS. The 10th percentile from above is percentile_disc(0.9).

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY city) FROM members
----
refuse 0A000 at 52: percentile_disc of values of type text is not supported on protected tables
hint: Use it with numbers whose values the policy declares. mode() finds the most frequent one of other values.

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY joined) FROM members
----
refuse 0A000 at 52: percentile_cont of values of type date is not supported on protected tables
hint: Use it with numbers whose values the policy declares. percentile_disc orders dates and times, too.

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY 1) FROM members
----
refuse 0A000 at 8: this form of percentile_disc is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year, level) FROM members
----
refuse 0A000 at 8: this form of percentile_disc is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT percentile_disc(0.5) FROM members
----
refuse 0A000 at 8: this form of percentile_disc is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT median(DISTINCT birth_year) FROM members
----
refuse 0A000 at 8: this form of median is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT mode() WITHIN GROUP (ORDER BY full_name) FROM members
----
refuse 42501 at 38: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT mode() WITHIN GROUP (ORDER BY tags) FROM members
----
refuse 0A000 at 38: mode of values of type text[] is not supported on protected tables
hint: Use it with numbers whose values the policy declares.

SELECT rank(3) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 8: aggregate rank is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# What holds for groups does not add up to what holds for all.
SELECT city, percentile_disc(0.5) WITHIN GROUP (ORDER BY birth_year) FROM members GROUP BY ROLLUP (city)
----
refuse 0A000 at 14: percentile_disc with grouping sets is not supported on protected tables
hint: The value of all does not follow from those of the groups. Ask for each grouping in a SELECT of its own.

# An interval of a percentile would be one of values.
SELECT tacit.low(median(birth_year)) FROM members
----
refuse 0A000 at 18: no interval of median is told, since its error is one of ranks
hint: The notice and EXPLAIN say within how many ranks it is.
