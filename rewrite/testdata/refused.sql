SELECT * FROM members
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT full_name FROM members
----
refuse 42501 at 8: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT city FROM members WHERE birth_year > 2000 LIMIT 5
----
refuse 42501 at 18: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

TABLE members
----
refuse 42501 at 7: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT 1 FROM members
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city FROM cities WHERE city NOT IN (SELECT city FROM members)
----
refuse 42501 at 61: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT (SELECT city FROM members LIMIT 1)
----
refuse 42501 at 26: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM cities, members
----
refuse 0A000 at 15: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT members.city, count(*) FROM members, cities GROUP BY 1
----
refuse 0A000 at 45: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members JOIN cities ON cities.country = 'FR'
----
refuse 0A000 at 35: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

SELECT count(*) FROM members a JOIN members b USING (id)
----
refuse 0A000 at 22: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

SELECT count(*) FROM cities c, LATERAL (SELECT count(*) FROM members) x
----
refuse 0A000 at 62: LATERAL is not supported around a protected table
hint: Leave out LATERAL.

SELECT * FROM cities c, LATERAL (SELECT count(*) FROM members WHERE city = c.city) x
----
refuse 0A000 at 55: LATERAL is not supported around a protected table
hint: Leave out LATERAL.

SELECT city, (SELECT count(*) FROM members m WHERE m.city = c.city) FROM cities c
----
answer
reads: SELECT FROM "public"."cities" LIMIT 0
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: SELECT city, (SELECT CASE WHEN pg_catalog.count(*) = pg_catalog.count(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END) THEN COALESCE(pg_catalog.sum(CASE WHEN m."join 1" IS NOT NULL THEN m."measure 1" WHEN c.city IS NULL THEN 0 END), 0)::bigint END AS count FROM (SELECT 1 AS "one row") "one row" LEFT JOIN (SELECT m.city AS "join 1", m."count 1" AS "measure 1" FROM unnest($1::pg_catalog.text[], $2::bigint[]) m(city, "count 1")) m ON m."join 1" = c.city) FROM cities c

SELECT city, (SELECT c.country FROM members HAVING count(*) > 1) FROM cities c
----
refuse 42P01 at 22: missing FROM-clause entry for table "c"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT (SELECT country FROM members HAVING count(*) > 1) FROM cities
----
refuse 42703 at 16: column "country" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

WITH never AS (SELECT * FROM members) SELECT 1
----
refuse 42501 at 30: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT 1 WHERE false AND EXISTS (SELECT 1 FROM members)
----
refuse 42501 at 48: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT CASE WHEN true THEN 1 ELSE (SELECT max(salary) FROM members) END
----
refuse 0A000 at 43: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

WITH members AS (SELECT * FROM members) SELECT count(*) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

WITH x AS (SELECT * FROM members), members AS (SELECT 1) SELECT * FROM x
----
refuse 42501 at 26: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

WITH members AS (SELECT 1 AS a) SELECT * FROM public.members
----
refuse 42501 at 47: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

WITH members AS (SELECT 1) INSERT INTO members SELECT * FROM members
----
refuse 42501 at 40: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

SELECT * FROM (WITH members AS (SELECT 1) SELECT * FROM members) x, members
----
refuse 0A000 at 69: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

SELECT count(m.*) FROM members m
----
refuse 42501 at 14: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(m) FROM members m
----
refuse 42501 at 14: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT m FROM members m
----
refuse 42501 at 8: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT row_to_json(m), count(*) FROM members m GROUP BY city
----
refuse 42501 at 20: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT (m).city, count(*) FROM members m GROUP BY city
----
refuse 42501 at 9: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT *, count(*) FROM members GROUP BY city
----
refuse 42501 at 8: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city, count(*), (SELECT m.plan) FROM members m GROUP BY city
----
refuse 42803 at 32: subquery uses ungrouped column "m.plan" from outer query
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*), (SELECT m) FROM members m GROUP BY city
----
refuse 42501 at 32: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city, count(*), (SELECT max(m.birth_year) FROM mine) FROM members m GROUP BY city
----
refuse 0A000 at 32: an aggregate in this sub-select may be one over rows of a protected table
hint: Qualify its columns with the name of their own table.

SELECT city, count(*), (SELECT sum(birth_year) FROM mine) FROM members GROUP BY city
----
refuse 0A000 at 32: an aggregate in this sub-select may be one over rows of a protected table
hint: Qualify its columns with the name of their own table.

SELECT ctid, count(*) FROM members GROUP BY city
----
refuse 42501 at 8: system column "ctid" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(xmin) FROM members
----
refuse 42501 at 14: system column "xmin" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members TABLESAMPLE SYSTEM (50)
----
refuse 0A000 at 42: TABLESAMPLE is not supported on protected tables
hint: Leave out TABLESAMPLE.

SELECT count(*) FROM members FOR UPDATE
----
refuse 42501 at 22: rows of protected table members cannot be locked
hint: Leave out FOR UPDATE or FOR SHARE.

SELECT count(*) FROM ONLY members
----
refuse 0A000 at 27: ONLY is not supported on protected tables
hint: Leave out ONLY.

SELECT count(*) FROM members AS m(a, b)
----
refuse 0A000 at 22: renaming the columns of a protected table in FROM is not supported
hint: Use the table's own column names.

SELECT count(*) FROM hospital.public.members
----
refuse 0A000 at 22: a protected table cannot be named with its database
hint: Leave out the name of the database.

SELECT DISTINCT ON (city) city, plan FROM members ORDER BY city
----
refuse 42501 at 43: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, rank() OVER (ORDER BY salary) FROM members
----
refuse 42501 at 49: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) OVER () FROM members
----
refuse 42501 at 30: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT avg(salary) FROM members
----
refuse 0A000 at 8: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT avg(city) FROM members
----
refuse 42883 at 8: function avg(text) does not exist
hint: Numbers of the rows are added up, and conditions as sum(CASE WHEN ... THEN 1 ELSE 0 END) or avg((...)::int).

SELECT var_pop(active) FROM members
----
refuse 42883 at 8: function var_pop(boolean) does not exist
hint: Numbers of the rows are added up, and conditions as sum(CASE WHEN ... THEN 1 ELSE 0 END) or avg((...)::int).

SELECT sum($1) FROM members
----
refuse 0A000 at 8: sum of a value that is the same for all rows is not supported on protected tables
hint: What it adds up to is the number of rows times the value. Ask for count(*).

SELECT avg(now()) FROM members
----
refuse 0A000 at 8: avg of a value that is the same for all rows is not supported on protected tables
hint: What it adds up to is the number of rows times the value. Ask for count(*).

SELECT sum(current_date - date '2000-01-01') FROM members
----
refuse 0A000 at 8: sum of a value that is the same for all rows is not supported on protected tables
hint: What it adds up to is the number of rows times the value. Ask for count(*).

SELECT sum(joined) FROM members
----
refuse 42883 at 8: function sum(date) does not exist
hint: Numbers of the rows are added up, and conditions as sum(CASE WHEN ... THEN 1 ELSE 0 END) or avg((...)::int).

SELECT avg(2.5) FROM members
----
refuse 0A000 at 8: avg of a value that is the same for all rows is not supported on protected tables
hint: What it adds up to is the number of rows times the value. Ask for count(*).

SELECT city, count(*), avg(salary) FROM members GROUP BY city
----
refuse 0A000 at 24: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT sum(CASE WHEN plan = 'gold' THEN 50 ELSE 0 END) FROM members
----
answer
question: sum(CASE WHEN plan = 'gold' THEN 50 ELSE 0 END FROM 0 TO 50) FROM public.members
count: SELECT pg_catalog.count(*) FILTER (WHERE (CASE WHEN t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), COALESCE(pg_catalog.sum(pg_catalog.int4smaller(pg_catalog.int4larger((CASE WHEN t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4::pg_catalog.int4, $4::pg_catalog.int4), $5::pg_catalog.int4)) FILTER (WHERE (CASE WHEN t."plan" OPERATOR(pg_catalog.=) $1::pg_catalog.text THEN $2::pg_catalog.int4 ELSE $3::pg_catalog.int4 END)::pg_catalog.int4 IS NOT NULL), 0) FROM "public"."members" AS t
args: ["gold" "50" "0" "0" "50"]
charge: 1 counts, 0 thresholds
rest: SELECT pg_catalog.round(members."count 2"::numeric, 0)::bigint AS sum FROM unnest($1::bigint[], $2::bigint[]) members("count 1", "count 2")

SELECT count(*), max(salary) FILTER (WHERE active) FROM members
----
refuse 0A000 at 18: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY salary) FROM members
----
answer
question: percentile_disc(0.5) WITHIN GROUP (ORDER BY salary) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
sample: SELECT pg_catalog.trim_scale(t."salary") AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY 1 ORDER BY 1
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1"::double precision AS percentile_cont FROM pg_catalog.unnest($1::numeric[]) members("count 1")

SELECT string_agg(full_name, ',') FROM members
----
refuse 0A000 at 8: aggregate string_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT coutn(*) FROM members
----
refuse 0A000 at 8: aggregate coutn is not supported on protected tables
hint: Perhaps you meant count. Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT array_agg(city ORDER BY city), count(*) FROM members
----
refuse 0A000 at 8: aggregate array_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT my_aggregate(DISTINCT city), count(*) FROM members
----
refuse 0A000 at 8: aggregate my_aggregate is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(DISTINCT city) FROM members
----
answer
question: count(DISTINCT city) FROM public.members
count: SELECT pg_catalog.count(DISTINCT t."city") AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(1) FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count('x') FROM members
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(city || plan) FROM members
----
answer
question: count(*) FROM public.members WHERE (city || plan) IS NOT NULL
count: SELECT pg_catalog.count(*) FILTER (WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.||) t."plan"::pg_catalog.text))::pg_catalog.text IS NOT NULL) AS c1 FROM "public"."members" AS t
args: ["65536"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(city, plan) FROM members
----
refuse 0A000 at 8: this form of count is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count() FROM members
----
refuse 0A000 at 8: this form of count is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members GROUP BY city HAVING sum(salary) > 5
----
refuse 0A000 at 51: sum of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT city, count(*) FROM members GROUP BY city ORDER BY avg(salary)
----
refuse 0A000 at 59: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT grouping(city), count(*) FROM members GROUP BY city
----
refuse 0A000 at 8: GROUPING is supported on protected tables with grouping sets only
hint: Use ROLLUP, CUBE or GROUPING SETS.

SELECT count(*) FROM members WHERE ln(salary) > 3
----
refuse 0A000 at 36: this use of ln is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE 1 / (id - 5) > 0
----
refuse 0A000 at 44: operator - could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT count(*) FROM members WHERE salary / 0 > 1
----
refuse 0A000 at 43: operator / could fail on a row of the protected table, for a value out of the range of type numeric, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT count(*) FROM members WHERE birth_year + 1 > 5
----
refuse 0A000 at 47: operator + could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

SELECT count(*) FROM members WHERE birth_year::text = '5'
----
answer
question: count(*) FROM public.members WHERE birth_year::text = '5'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE ((t."birth_year"::pg_catalog.int4)::pg_catalog.text)::pg_catalog.text OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["5"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE plan = 'x' AND to_char(salary, 'bad fmt EEEE9') = ''
----
refuse 0A000 at 51: this use of to_char is not supported on protected tables: number formats are not supported
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE city LIKE 'O%'
----
answer
question: count(*) FROM public.members WHERE (city LIKE 'O%')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "O%" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city ~ '(a+)+$'
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{(a+)+$ false 0}]
question: count(*) FROM public.members WHERE (city ~ '(a+)+$')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "(a+)+$" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city SIMILAR TO 'x'
----
answer
constants: SELECT f.* FROM (SELECT (((''::pg_catalog.text OPERATOR(pg_catalog.~) $1::pg_catalog.text::pg_catalog.text) OPERATOR(pg_catalog.=) (''::pg_catalog.text OPERATOR(pg_catalog.~*) $1::pg_catalog.text::pg_catalog.text)) IS NULL)::pg_catalog.text AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{^(?:x)$ false 0}]
question: count(*) FROM public.members WHERE (city ~ '^(?:x)$')
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (((CASE WHEN pg_catalog.octet_length(t."city"::pg_catalog.text) OPERATOR(pg_catalog.<=) $1::pg_catalog.int4 THEN t."city" END)::pg_catalog.text OPERATOR(pg_catalog.~) $2::pg_catalog.text))::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["65536" "^(?:x)$" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city COLLATE "C" > 'x'
----
refuse 0A000 at 41: COLLATE is not supported on a protected table
hint: Leave out COLLATE, and sort the answer by it: ORDER BY key COLLATE ...

SELECT count(*) FROM members WHERE clock_timestamp() > paid
----
refuse 0A000 at 36: function clock_timestamp is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE joined > current_date
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(CURRENT_DATE) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE joined > date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined > now() - interval '1 day'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(pg_catalog.now()) OPERATOR(pg_catalog.#>>) '{}' AS c1, pg_catalog.to_jsonb(((pg_catalog.now())::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $1::pg_catalog.interval::pg_catalog.interval)) OPERATOR(pg_catalog.#>>) '{}' AS c2, pg_catalog.to_jsonb(((((pg_catalog.now())::pg_catalog.timestamptz OPERATOR(pg_catalog.-) $2::pg_catalog.interval::pg_catalog.interval))::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c3 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c2), 0)::pg_catalog.int8 OPERATOR(pg_catalog.+) coalesce(pg_catalog.octet_length(f.c3), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{1 day false 0} {1 day false 0}]
question: count(*) FROM public.members WHERE joined > date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.>) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE md5(lpad(full_name, 10000000)) = ''
----
refuse 0A000 at 36: function md5 is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT count(*) FROM members WHERE full_name = 'x'
----
refuse 42501 at 36: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members WHERE tags = '{}'
----
refuse 0A000 at 43: constants of text[] are not supported on protected tables
hint: Compare listed columns with constants of their own type.

SELECT count(*) FROM members WHERE ctid = '(0,1)'
----
refuse 42501 at 36: system column "ctid" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members WHERE city OPERATOR(mine.=) 'x'
----
refuse 0A000 at 41: operator = is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT count(*) FROM members WHERE city IN (SELECT city FROM cities)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY(SELECT city FROM cities) AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
question: count(*) FROM public.members WHERE city = 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.=) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE EXISTS (SELECT 1)
----
refuse 0A000 at 36: this use of a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT count(*) FROM members WHERE id = (SELECT 5)
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb((SELECT CASE WHEN pg_catalog.array_ndims(s.a) OPERATOR(pg_catalog.>) 1 OR pg_catalog.octet_length(s.t) OPERATOR(pg_catalog.>) 1048576 OR pg_catalog.cardinality(s.a) OPERATOR(pg_catalog.>) 10000 THEN '' ELSE pg_catalog.concat(pg_catalog.pg_typeof(s.a)::pg_catalog.oid, ' ', s.t) END FROM (SELECT o.a, ARRAY(SELECT pg_catalog.to_jsonb(u.v) OPERATOR(pg_catalog.#>>) '{}' FROM pg_catalog.unnest(o.a) WITH ORDINALITY AS u(v, n) ORDER BY u.n)::pg_catalog.text AS t FROM (SELECT ARRAY[(SELECT 5)] AS a OFFSET 0) AS o OFFSET 0) AS s)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: []
bind: refuse 42883 at 0: operator does not exist: integer = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.
charge: 0 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE CASE WHEN active THEN 1/0 = 1 ELSE true END
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.int4::pg_catalog.int4 OPERATOR(pg_catalog./) $2::pg_catalog.int4::pg_catalog.int4)) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{1 false 0} {0 false 0}]
question: count(*) FROM public.members WHERE CASE WHEN active = true THEN CASE WHEN true THEN true WHEN false THEN false END ELSE true END
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (CASE WHEN t."active" OPERATOR(pg_catalog.=) $1::pg_catalog.bool THEN ((CASE WHEN TRUE THEN TRUE WHEN FALSE THEN FALSE END)::pg_catalog.bool)::pg_catalog.bool ELSE $2::pg_catalog.bool END)::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["t" "t" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE coalesce(city, 'x') = 'x'
----
answer
question: count(*) FROM public.members WHERE CASE WHEN city IS NOT NULL THEN city ELSE 'x' END = 'x'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (CASE WHEN t."city" IS NOT NULL THEN t."city"::pg_catalog.text ELSE $1::pg_catalog.text END)::pg_catalog.text OPERATOR(pg_catalog.=) $2::pg_catalog.text
args: ["x" "x"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE (city, plan) < ('a', 'b')
----
refuse 0A000 at 49: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FROM members WHERE (city, plan) = ('a', 'b', 'c')
----
refuse 0A000 at 49: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FROM members WHERE (city, plan) IN (('a', 'b'), 'c')
----
refuse 0A000 at 49: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FROM members WHERE (city, plan) IS DISTINCT FROM ('a', 'b')
----
refuse 0A000 at 36: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(DISTINCT (city, plan)) FROM members
----
refuse 0A000 at 23: row values are not supported here on protected tables
hint: They are compared by =, <> and IN with rows of as many values. Write the parts of others by themselves: WHERE a = 1 AND b = 2 GROUP BY a, b.

SELECT count(*) FROM members WHERE (birth_year > 5) = true
----
answer
question: count(*) FROM public.members WHERE CASE WHEN birth_year >= 6 THEN true WHEN birth_year <= 5 THEN false END
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE (CASE WHEN t."birth_year" OPERATOR(pg_catalog.>=) $1::pg_catalog.int4 THEN TRUE WHEN t."birth_year" OPERATOR(pg_catalog.<=) $2::pg_catalog.int4 THEN FALSE END)::pg_catalog.bool OPERATOR(pg_catalog.=) $3::pg_catalog.bool
args: ["6" "5" "t"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE count(*) > 5
----
refuse 42803 at 36: aggregate functions are not allowed in WHERE

SELECT count(*) FROM members WHERE members IS NULL
----
refuse 42501 at 36: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members WHERE members.* IS NULL
----
refuse 42501 at 36: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members WHERE city > ANY (ARRAY['a'])
----
answer
question: count(*) FROM public.members WHERE city > 'a'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."city" OPERATOR(pg_catalog.>) $1::pg_catalog.text
args: ["a"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE id = ANY (tags)
----
refuse 0A000 at 46: this expression is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

SELECT count(*) FROM members WHERE salary > 1.5::float8
----
refuse 0A000 at 43: comparing numeric with double precision is not supported on protected tables
hint: Cast the constant to numeric.

SELECT count(*) FROM members WHERE seen > '2020-01-01 00:00:00+00'::timestamptz
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.timestamptz::pg_catalog.timestamptz)::pg_catalog.timestamp) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-01 00:00:00+00 false 0}]
question: count(*) FROM public.members WHERE seen > timestamp '2020-01-01 00:00:00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."seen" OPERATOR(pg_catalog.>) $1::pg_catalog.timestamp
args: ["2020-01-01 00:00:00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid > date '2020-01-01'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.date::pg_catalog.date)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-01 false 0}]
question: count(*) FROM public.members WHERE paid > timestamptz '2020-01-01 00:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.>) $1::pg_catalog.timestamptz
args: ["2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE paid > '2020-01-01'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.timestamptz) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{2020-01-01 false 0}]
question: count(*) FROM public.members WHERE paid > timestamptz '2020-01-01 00:00:00+00'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."paid" OPERATOR(pg_catalog.>) $1::pg_catalog.timestamptz
args: ["2020-01-01 00:00:00+00"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined = '01/02/2020'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{01/02/2020 false 0}]
question: count(*) FROM public.members WHERE joined = date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.=) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE joined = 'yesterday'
----
answer
constants: SELECT f.* FROM (SELECT pg_catalog.to_jsonb(($1::pg_catalog.text::pg_catalog.text)::pg_catalog.date) OPERATOR(pg_catalog.#>>) '{}' AS c1 OFFSET 0) AS f WHERE coalesce(pg_catalog.octet_length(f.c1), 0)::pg_catalog.int8 OPERATOR(pg_catalog.<=) 1064960
args: [{yesterday false 0}]
question: count(*) FROM public.members WHERE joined = date '2020-01-01'
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t WHERE t."joined" OPERATOR(pg_catalog.=) $1::pg_catalog.date
args: ["2020-01-01"]
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT count(*) FROM members WHERE city = 'x'::varchar(3)
----
refuse 0A000 at 48: this cast is not supported in a condition on a protected table
hint: Constants may be cast to bool, int2, int4, int8, numeric, float4, float8, text, varchar, bpchar, date, timestamp, timestamptz, uuid, interval, without a length or precision.

SELECT count(*) FROM members WHERE birth_year = '5'::mytype
----
refuse 0A000 at 54: this cast is not supported in a condition on a protected table
hint: Constants may be cast to bool, int2, int4, int8, numeric, float4, float8, text, varchar, bpchar, date, timestamp, timestamptz, uuid, interval, without a length or precision.

SELECT count(*) FROM members WHERE birth_year = 1_0
----
refuse 0A000 at 50: this way to write a number is not supported beside a protected table
hint: Use decimal digits alone.

SELECT count(*) FROM members WHERE birth_year = 0x10
----
refuse 0A000 at 50: this way to write a number is not supported beside a protected table
hint: Use decimal digits alone.

SELECT count(*) FROM members WHERE birth_year = B'101'
----
refuse 0A000 at 49: bit string constants are not supported on protected tables
hint: Write a number or a text.

SELECT count(*) FROM members WHERE code = city
----
refuse 0A000 at 41: comparing character with text is not supported on protected tables
hint: Cast one to the type of the other.

SELECT count(*) FROM members WHERE "Odd Name" = city
----
refuse 42P22 at 47: could not determine which collation to use for string comparison

SELECT count(*) FROM members WHERE seen = joined
----
refuse 0A000 at 41: comparing timestamp without time zone with date is not supported on protected tables
hint: Cast one to the type of the other.

SELECT count(*) FROM members WHERE salary = score
----
refuse 0A000 at 43: comparing numeric with double precision is not supported on protected tables
hint: Cast one to the type of the other.

SELECT count(*) FILTER (WHERE ln(salary) > 1) FROM members
----
refuse 0A000 at 31: this use of ln is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

EXPLAIN SELECT count(*) FROM members
----
answer explain json=false
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

EXPLAIN (ANALYZE) SELECT count(*) FROM members
----
refuse 0A000 at 10: EXPLAIN ANALYZE is not supported for statements about protected tables
hint: EXPLAIN without ANALYZE tells what an answer costs; send the statement itself to run it.

DECLARE c CURSOR FOR SELECT city, count(*) FROM members GROUP BY city
----
answer cursor=true inline=false trial=["DECLARE c CURSOR FOR SELECT 1" "CLOSE \"c\""]
question: count(*) FROM public.members GROUP BY city
count: SELECT CASE WHEN pg_catalog.octet_length(t."city") OPERATOR(pg_catalog.>) 65536 THEN pg_catalog.repeat('x', LEAST(pg_catalog.octet_length(t."city"), 65537)) ELSE t."city" END AS k1, pg_catalog.count(*) AS c1 FROM "public"."members" AS t GROUP BY t."city"
args: []
charge: 1 counts, 0 thresholds
rest: DECLARE c CURSOR FOR SELECT city, members."count 1" AS count FROM unnest($1::pg_catalog.text[], $2::bigint[]) members(city, "count 1")

COPY members TO STDOUT
----
refuse 42501 at 6: COPY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

COPY (SELECT count(*) FROM members) TO STDOUT
----
answer cursor=false inline=true trial=["COPY (SELECT 1 WHERE false) TO STDOUT"]
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: COPY (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")) TO STDOUT
rehearsal: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

COPY (SELECT * FROM members) TO STDOUT
----
refuse 42501 at 21: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

CREATE VIEW v AS SELECT city, count(*) FROM members GROUP BY city
----
refuse 0A000 at 1: views of protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

CREATE MATERIALIZED VIEW v AS SELECT count(*) FROM members
----
refuse 42501 at 1: materialized views cannot be created through the proxy
hint: Use CREATE TABLE AS.

CREATE RULE r AS ON INSERT TO mine DO ALSO SELECT * FROM members
----
refuse 0A000 at 1: rules about protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

CREATE TABLE mine2 (LIKE members)
----
refuse 42501 at 26: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE TABLE child () INHERITS (members)
----
refuse 42501 at 33: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE TABLE mine2 (id int REFERENCES members)
----
refuse 42501 at 39: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE TABLE t OF members
----
refuse 42501 at 1: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE TABLE t (m members)
----
refuse 42501 at 1: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

SELECT NULL::members
----
refuse 42501 at 1: the use of its row type is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE INDEX ON members (city)
----
refuse 42501 at 17: CREATE INDEX is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE TRIGGER t AFTER INSERT ON members FOR EACH ROW EXECUTE FUNCTION f()
----
refuse 42501 at 34: CREATE TRIGGER is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE POLICY p ON members USING (true)
----
refuse 42501 at 20: CREATE POLICY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE STATISTICS s ON city, plan FROM members
----
refuse 42501 at 40: CREATE STATISTICS is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

ALTER TABLE members ADD COLUMN x int
----
refuse 42501 at 13: ALTER TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

ALTER TABLE members RENAME TO other
----
refuse 42501 at 13: ALTER ... RENAME is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

ALTER TABLE members SET SCHEMA other
----
refuse 42501 at 13: ALTER ... SET SCHEMA is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

DROP TABLE public.members
----
refuse 42501 at 1: DROP is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

DROP TABLE IF EXISTS cities, members CASCADE
----
refuse 42501 at 1: DROP is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

DROP TRIGGER t ON members
----
refuse 42501 at 1: DROP is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

DROP POLICY p ON public.members
----
refuse 42501 at 1: DROP is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

TRUNCATE members
----
refuse 42501 at 10: TRUNCATE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

LOCK TABLE members
----
refuse 42501 at 12: LOCK is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

VACUUM members
----
refuse 42501 at 8: VACUUM is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

ANALYZE members (city)
----
refuse 42501 at 9: ANALYZE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CLUSTER members
----
refuse 42501 at 9: CLUSTER is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

REINDEX TABLE members
----
refuse 42501 at 15: REINDEX is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

REFRESH MATERIALIZED VIEW members
----
refuse 42501 at 27: REFRESH MATERIALIZED VIEW is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

COMMENT ON TABLE members IS 'x'
----
refuse 42501 at 1: COMMENT is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

COMMENT ON COLUMN public.members.city IS 'x'
----
refuse 42501 at 1: COMMENT is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

GRANT SELECT ON members TO bob
----
refuse 42501 at 17: GRANT is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

SECURITY LABEL ON TABLE members IS 'x'
----
refuse 42501 at 1: security labels cannot be set through the proxy
hint: Ask the steward of the database.

CREATE SEQUENCE s OWNED BY members.id
----
refuse 42501 at 1: CREATE SEQUENCE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CREATE PUBLICATION p FOR TABLE members
----
refuse 42501 at 32: CREATE PUBLICATION is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

INSERT INTO members VALUES (1)
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

INSERT INTO mine SELECT city, 1 FROM members
----
refuse 42501 at 38: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

UPDATE members SET city = 'x'
----
refuse 42501 at 8: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

UPDATE mine SET n = 1 FROM members WHERE members.city = mine.city
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

DELETE FROM members
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

DELETE FROM mine USING members WHERE members.city = mine.city
----
refuse 42501 at 24: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

MERGE INTO members USING mine ON true WHEN MATCHED THEN DELETE
----
refuse 0A000 at 1: MERGE with a protected table is not supported
hint: Use INSERT with a SELECT, or UPDATE.

MERGE INTO mine USING (SELECT city, count(*) FROM members GROUP BY city) x ON true WHEN MATCHED THEN DELETE
----
refuse 0A000 at 1: MERGE with a protected table is not supported
hint: Use INSERT with a SELECT, or UPDATE.

WITH x AS (DELETE FROM members RETURNING *) SELECT 1
----
refuse 42501 at 24: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

CALL p((SELECT count(*) FROM members))
----
refuse 42501 at 30: CALL is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

SELECT count(*) FROM U&"membe\0072s" WHERE ln(id) > 1
----
refuse 0A000 at 44: this use of ln is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

SELECT * FROM U&"!006dembers" UESCAPE '!'
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM "members"
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM MEMBERS
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT * FROM pUbLiC/**/./* members */members
----
refuse 42501 at 15: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

BEGIN; SELECT count(*) FROM members; COMMIT
----
script, 1 of prologue: BEGIN
step settled=true: BEGIN
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: COMMIT

SELECT count(*) FROM members; SELECT 1
----
script, 0 of prologue: 
step settled=true: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")
step settled=true: SELECT 1

SELECT * FROM f(), members
----
refuse 0A000 at 20: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

SELECT * FROM ROWS FROM (f()), ONLY (members)
----
refuse 0A000 at 38: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

SELECT JSON_ARRAYAGG(city) FROM members
----
refuse 0A000 at 1: this syntax (JsonArrayAgg) is not supported in a statement about a protected table
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

SELECT city, count(*), JSON_OBJECT('a': 1) FROM members GROUP BY city
----
refuse 0A000 at 24: this syntax (JsonObjectConstructor) is not supported in a statement about a protected table
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

SELECT city, CASE WHEN count(*) > 1 THEN 1 ELSE (SELECT * FROM mine) END FROM members GROUP BY city
----
refuse 0A000 at 14: this column of the select list needs a name
hint: Name it with AS.

SELECT FROM members
----
refuse 42501 at 13: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members WINDOW w AS (ORDER BY salary)
----
refuse 42803 at 52: column "members.salary" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT count(*) FROM members LIMIT (SELECT max(salary) FROM members)
----
refuse 0A000 at 44: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# a name that would be bound further out
SELECT (SELECT count(*) + (SELECT full_name) FROM members) FROM (SELECT 1 AS full_name) x
----
refuse 42702 at 35: column reference "full_name" in a sub-select may be to protected table members
hint: Qualify it with the name of its own table.

SELECT plan, count(*), (SELECT max(n) FROM mine WHERE city = 'x') FROM members GROUP BY plan
----
refuse 42702 at 55: column reference "city" in a sub-select may be to protected table members
hint: Qualify it with the name of its own table.

SELECT count(*) + (SELECT ctid) FROM members
----
refuse 42702 at 27: column reference "ctid" in a sub-select may be to protected table members
hint: Qualify it with the name of its own table.

SELECT plan, count(*), (SELECT max(n) FROM mine x WHERE EXISTS (SELECT 1 WHERE city = 'x')) FROM members GROUP BY plan
----
refuse 42702 at 80: column reference "city" in a sub-select may be to protected table members
hint: Qualify it with the name of its own table.

# the equality of a type that is not known here could be anything, and fail
SELECT count(DISTINCT tags) FROM members
----
refuse 0A000 at 23: column "tags" of type text[] cannot be used in conditions or as a key on a protected table
hint: Usable types are boolean, integers, numeric, real, double precision, text, varchar, char, date, timestamp, interval and uuid, and parts of jsonb and arrays.

# groups that PostgreSQL finds by trying all ways
SELECT count(*) FROM members WHERE substring('b' || lpad(city, 100, 'a') from '^(b|ba|aa|aaaa)*$') = 'q'
----
refuse 0A000 at 36: this pattern of 17 bytes repeats something in parentheses, which is not supported where a part of the text is taken on a protected table
hint: Write (?:...) for all groups but one that is not repeated, or use ~ to test whether the text matches.

SELECT regexp_replace(city, '^(b|ba)+$', '\1'), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: this pattern of 9 bytes repeats something in parentheses, which is not supported where a part of the text is taken on a protected table
hint: Write (?:...) for all groups but one that is not repeated, or use ~ to test whether the text matches.

SELECT count(*) FROM members WHERE substring(city from '%#"o#"%' for '#') IS NULL
----
refuse 0A000 at 36: this use of substring is not supported on protected tables: patterns with # are not supported: write a regular expression, substring(text FROM '...')
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# rows of one person compared with each other
SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM visits AS w WHERE w.member_id = v.member_id AND w.stars > v.stars)
----
refuse 0A000 at 113: a sub-select of public.visits cannot compare its rows with the row around it, but for the persons of both
hint: Compare what is computed of all rows of each person: their number, sums, the least and the greatest: SELECT least(n, 10), count(*) FROM (SELECT member_id, count(*) AS n FROM public.visits GROUP BY member_id) AS t GROUP BY 1

# not along the persons
SELECT count(*) FROM visits v WHERE EXISTS (SELECT FROM payments AS p WHERE p.stars = v.stars)
----
refuse 0A000 at 57: a sub-select of a protected table cannot stand in a condition on one
hint: It may ask whether a person has rows that meet a condition of their own, along the columns that tell persons apart in both tables: SELECT count(*) FROM public.visits AS a WHERE EXISTS (SELECT FROM public.payments AS b WHERE b.payer = a.member_id)

SELECT DISTINCT ON (member_id) member_id, house FROM visits
----
refuse 42501 at 54: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(DISTINCT member_id) FROM visits GROUP BY house

SELECT DISTINCT ON (stars, house) * FROM visits
----
refuse 42501 at 42: rows of protected table visits cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT house, count(*) FROM visits GROUP BY house

SELECT sum(stars), avg(stars) FROM visits
----
refuse 0A000 at 8: sum of stars is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}.

SELECT avg(salary * 2) FROM members
----
refuse 0A000 at 8: avg of a number without known bounds is not supported on protected tables
detail: The noise of a sum must hide the largest number that one row could have.
hint: Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18.

SELECT avg(salary) FROM members
----
refuse 0A000 at 8: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

SELECT count(*) FROM members WHERE level > ALL (SELECT n FROM mine)
----
refuse 0A000 at 42: this use of a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

SELECT sum(birth_year) FROM members AS m
----
refuse 0A000 at 8: sum of birth_year is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) FROM (SELECT CASE WHEN abs(birth_year::numeric) < 10 THEN round(birth_year::numeric, 0) WHEN abs(birth_year::numeric) < 100 THEN round(birth_year::numeric, -1) WHEN abs(birth_year::numeric) < 1000 THEN round(birth_year::numeric, -2) WHEN abs(birth_year::numeric) < 10000 THEN round(birth_year::numeric, -3) WHEN abs(birth_year::numeric) < 100000 THEN round(birth_year::numeric, -4) WHEN abs(birth_year::numeric) < 1000000 THEN round(birth_year::numeric, -5) ELSE round(birth_year::numeric, -6) END AS rounded, count(*) AS n FROM members WHERE birth_year IS NOT NULL GROUP BY 1) AS c
