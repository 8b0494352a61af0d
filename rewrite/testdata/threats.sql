# 1
SELECT * FROM members
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 1
SELECT full_name FROM members
----
refuse 42501 at 8: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 1
TABLE members
----
refuse 42501 at 7: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 1
SELECT birth_year FROM public.members WHERE city = 'planted' LIMIT 1
----
refuse 42501 at 24: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM public.members GROUP BY birth_year

# 1: the name with its database
SELECT birth_year FROM copy.public.members
----
refuse 0A000 at 24: a protected table cannot be named with its database
hint: Leave out the name of the database.

# 1
SELECT U&"\0061ge" FROM "members"
----
refuse 42703 at 8: column "age" does not exist
hint: Perhaps you meant to reference the column "members.tags". Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

# 1: a name in Unicode escapes
SELECT 1 FROM U&"m\0065mbers"
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 1: a comment within
SELECT/**/birth_year/* */FROM/* FROM mine -- */members
----
refuse 42501 at 48: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 1
SELECT FROM members
----
refuse 42501 at 13: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 1
SELECT 1 FROM members WHERE birth_year = 2147483647
----
refuse 42501 at 15: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 1
SELECT ARRAY(SELECT birth_year FROM members)
----
refuse 42501 at 37: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 1
VALUES ((SELECT full_name FROM members LIMIT 1))
----
refuse 42501 at 17: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 1
SELECT * FROM ONLY members
----
refuse 0A000 at 20: ONLY is not supported on protected tables
hint: Leave out ONLY.

# 1
SELECT DISTINCT birth_year FROM members
----
refuse 42501 at 33: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 1
(SELECT birth_year FROM members) UNION SELECT 1
----
refuse 42501 at 25: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT city FROM cities WHERE city NOT IN (SELECT city FROM members)
----
refuse 42501 at 61: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
SELECT EXISTS (SELECT 1 FROM members WHERE full_name = 'Ann')
----
refuse 42501 at 30: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
SELECT 1 WHERE EXISTS (SELECT FROM members WHERE birth_year > 100)
----
refuse 42501 at 36: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
SELECT CASE WHEN 5 > ALL (SELECT birth_year FROM members) THEN 1 END
----
refuse 42501 at 50: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
INSERT INTO mine SELECT city, city FROM members
----
refuse 42501 at 41: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
UPDATE mine SET city = members.city FROM members WHERE members.city = mine.city
----
refuse 42501 at 42: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
DELETE FROM mine USING members WHERE members.city = mine.city
----
refuse 42501 at 24: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
INSERT INTO members (id, city, birth_year, joined, full_name) VALUES (1, 'x', 1, '2024-01-01', 'x')
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 2
UPDATE members SET birth_year = 1
----
refuse 42501 at 8: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 2
DELETE FROM members WHERE city = 'planted'
----
refuse 42501 at 13: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 2
INSERT INTO notes (city) VALUES ('x') RETURNING (SELECT max(full_name) FROM members)
----
refuse 42501 at 61: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 2
SELECT * FROM mine ORDER BY (SELECT birth_year FROM members LIMIT 1)
----
refuse 42501 at 53: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT * FROM mine LIMIT (SELECT birth_year FROM members WHERE full_name = 'Ann')
----
refuse 42501 at 50: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT sum(n) OVER (PARTITION BY (SELECT birth_year FROM members LIMIT 1)) FROM mine
----
refuse 42501 at 58: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT * FROM generate_series(1, (SELECT max(birth_year) FROM members))
----
refuse 0A000 at 42: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 2
SELECT city FROM mine GROUP BY city, (SELECT birth_year FROM members LIMIT 1)
----
refuse 42501 at 62: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT n FROM mine WHERE n = ANY (SELECT birth_year FROM members)
----
refuse 42501 at 58: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 2
SELECT count(*) FROM mine HAVING count(*) > (SELECT birth_year FROM members LIMIT 1)
----
refuse 42501 at 69: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 3
SELECT 1 WHERE false AND EXISTS (SELECT 1 FROM members)
----
refuse 42501 at 48: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 3
WITH unused AS (SELECT * FROM members) SELECT 1
----
refuse 42501 at 31: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 3
SELECT 1 UNION ALL SELECT birth_year FROM members LIMIT 1
----
refuse 42501 at 43: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 3
SELECT CASE WHEN true THEN 1 ELSE (SELECT birth_year FROM members LIMIT 1) END
----
refuse 42501 at 59: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 3
SELECT 1 LIMIT CASE WHEN true THEN 1 ELSE (SELECT birth_year FROM members LIMIT 1) END
----
refuse 42501 at 67: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 3
SELECT n FROM (SELECT n, (SELECT birth_year FROM members LIMIT 1) AS unused FROM mine) AS x
----
refuse 42501 at 50: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 4
WITH mine AS (SELECT * FROM members) SELECT * FROM mine
----
refuse 42501 at 29: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

# 4: the name of the query is not yet known in the query itself
WITH members AS (SELECT * FROM members) SELECT * FROM members
----
refuse 42501 at 32: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

# 4: a WITH query does not hide a name with its schema
WITH members AS (SELECT 1 AS birth_year) SELECT * FROM public.members
----
refuse 42501 at 56: rows of protected table public.members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM public.members GROUP BY city

# 4
WITH RECURSIVE r AS (SELECT birth_year FROM members UNION SELECT 1 FROM r) SELECT * FROM r
----
refuse 42501 at 45: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 4: a scope ends
SELECT * FROM (WITH members AS (SELECT 1 AS birth_year) SELECT * FROM members) AS a, members
----
refuse 0A000 at 86: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

# 4: the target of INSERT is no WITH query
WITH members AS (SELECT 1 AS birth_year) DELETE FROM members
----
refuse 42501 at 54: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 4
WITH x AS (SELECT 1), members2 AS (SELECT * FROM members) SELECT * FROM x
----
refuse 42501 at 50: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
SELECT count(m.*) FROM members m WHERE m.* IS NOT NULL
----
refuse 42501 at 14: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
SELECT members FROM members
----
refuse 42501 at 8: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
SELECT m::text, count(*) FROM members m GROUP BY m
----
refuse 42501 at 8: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
SELECT count(*) FROM members m WHERE m = ROW(1)
----
refuse 42501 at 38: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
SELECT (members).birth_year, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 9: this expression is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

# 5
SELECT row_to_json(p) FROM members AS p
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 5
CREATE TABLE ana.t OF members
----
refuse 42501 at 1: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 5
SELECT NULL::members
----
refuse 42501 at 1: the use of its row type is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 5
SELECT NULL::public.members[]
----
refuse 42501 at 1: the use of its row type is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 6
SELECT m.to_jsonb FROM members m
----
refuse 42703 at 8: column m.to_jsonb does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 6
SELECT p.count FROM members p
----
refuse 42703 at 8: column p.count does not exist
hint: Perhaps you meant to reference the column "p.points". Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 6
SELECT p.nothing, count(*) FROM members p GROUP BY 1
----
refuse 42703 at 8: column p.nothing does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 6
SELECT count(*) FROM members p WHERE p.text = ''
----
refuse 42703 at 38: column p.text does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 6
SELECT city, count(*) FROM members GROUP BY city, full_name
----
refuse 42501 at 51: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 6: of an outer query
SELECT (SELECT count(*) FROM members WHERE birth_year = n) FROM mine
----
refuse 42501 at 30: rows of other tables cannot stand beside counts of table public.members by keys whose values are not known
detail: A threshold would decide by its rows which keys have a count. Nothing was charged.
hint: Equate columns whose values are declared, or a time with a calendar (generate_series) from a constant date to another. Or ask the steward to declare the values. Or count without keys: SELECT count(*) FROM public.members

# 7
SELECT cmin, count(*) FROM members GROUP BY cmin
----
refuse 42501 at 45: system column "cmin" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 7
SELECT count(*) FROM members WHERE ctid = '(0,1)'
----
refuse 42501 at 36: system column "ctid" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 7
SELECT tableoid, xmin, xmax FROM members
----
refuse 42501 at 8: system column "tableoid" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 7
SELECT count(*) FILTER (WHERE xmin::text::int > 100) FROM members
----
refuse 42501 at 31: system column "xmin" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 8
SELECT count(*) FROM members TABLESAMPLE SYSTEM (50)
----
refuse 0A000 at 42: TABLESAMPLE is not supported on protected tables
hint: Leave out TABLESAMPLE.

# 8
SELECT count(*) FROM members TABLESAMPLE BERNOULLI (50) REPEATABLE (1)
----
refuse 0A000 at 42: TABLESAMPLE is not supported on protected tables
hint: Leave out TABLESAMPLE.

# 8
SELECT birth_year FROM members FOR UPDATE
----
refuse 42501 at 24: rows of protected table members cannot be locked
hint: Leave out FOR UPDATE or FOR SHARE.

# 8
SELECT count(*) FROM (SELECT 1 FROM members FOR SHARE) AS x
----
refuse 42501 at 37: rows of protected table members cannot be locked
hint: Leave out FOR UPDATE or FOR SHARE.

# 8
SELECT DISTINCT ON (city) birth_year FROM members
----
refuse 42501 at 43: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 8
SELECT count(*) OVER (PARTITION BY full_name) FROM members
----
refuse 42501 at 52: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 8
SELECT birth_year, row_number() OVER (ORDER BY birth_year) FROM members
----
refuse 42501 at 65: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 8
SELECT lag(birth_year) OVER (), count(*) FROM members GROUP BY city
----
refuse 42803 at 12: column "members.birth_year" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

# 9
SELECT avg(salary) FROM members
----
refuse 0A000 at 8: avg of salary is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(salary) < 0.01 THEN round(salary, 3) WHEN abs(salary) < 0.1 THEN round(salary, 2) WHEN abs(salary) < 1 THEN round(salary, 1) WHEN abs(salary) < 10 THEN round(salary, 0) WHEN abs(salary) < 100 THEN round(salary, -1) WHEN abs(salary) < 1000 THEN round(salary, -2) WHEN abs(salary) < 10000 THEN round(salary, -3) WHEN abs(salary) < 100000 THEN round(salary, -4) WHEN abs(salary) < 1000000 THEN round(salary, -5) ELSE round(salary, -6) END AS rounded, count(*) AS n FROM members WHERE salary IS NOT NULL GROUP BY 1) AS c

# 9
SELECT max(birth_year), count(*) FROM members
----
refuse 0A000 at 8: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT city, min(full_name) FROM members GROUP BY city
----
refuse 42501 at 18: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 9
SELECT array_agg(city) FROM members
----
refuse 0A000 at 8: aggregate array_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT string_agg(full_name, ',' ORDER BY birth_year) FILTER (WHERE birth_year > 3) FROM members
----
refuse 0A000 at 8: aggregate string_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT percentile_cont(0) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 24: the fraction of percentile_cont on a protected table must be a constant above 0 and below 1, of at most 6 decimal places
detail: At 0 and 1 the value would be that of one row.
hint: Write the fraction itself, 0.01 or 0.99 for instance. Several are written as an array: ARRAY[0.25, 0.5, 0.75].

# 9
SELECT json_agg(p) FROM members AS p
----
refuse 0A000 at 8: aggregate json_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT bool_or(birth_year > 1000) FROM members
----
refuse 0A000 at 8: aggregate bool_or is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT stddev(score), count(*) FROM members
----
refuse 0A000 at 8: stddev of score is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}.

# 9
SELECT rank(5) WITHIN GROUP (ORDER BY birth_year) FROM members
----
refuse 0A000 at 8: aggregate rank is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT mode() WITHIN GROUP (ORDER BY full_name) FROM members
----
refuse 42501 at 38: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 9: a count of another schema
SELECT ana.count(*) FROM members
----
refuse 0A000 at 8: aggregate count is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 9
SELECT any_value(full_name), count(*) FROM members
----
refuse 0A000 at 8: aggregate any_value is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
COPY members TO STDOUT
----
refuse 42501 at 6: COPY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
COPY members (birth_year) FROM STDIN
----
refuse 42501 at 6: COPY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
COPY (SELECT * FROM members) TO STDOUT
----
refuse 42501 at 21: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
COPY (SELECT count(*) FROM mine WHERE n IN (SELECT birth_year FROM members)) TO STDOUT
----
refuse 42501 at 68: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 10
DECLARE c CURSOR FOR SELECT * FROM members
----
refuse 42501 at 36: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
PREPARE p AS SELECT * FROM members
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
CREATE VIEW ana.v AS SELECT birth_year FROM members
----
refuse 0A000 at 1: views of protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

# 10
CREATE MATERIALIZED VIEW ana.v AS SELECT city, count(*) FROM members GROUP BY city
----
refuse 42501 at 1: materialized views cannot be created through the proxy
hint: Use CREATE TABLE AS.

# 10
CREATE TABLE ana.t AS SELECT * FROM members
----
refuse 42501 at 37: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
SELECT * INTO ana.t FROM members
----
refuse 42501 at 26: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 10
CREATE TABLE ana.t (LIKE members INCLUDING ALL)
----
refuse 42501 at 26: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
TRUNCATE members
----
refuse 42501 at 10: TRUNCATE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
DROP TABLE IF EXISTS mine, members
----
refuse 42501 at 1: DROP is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
ALTER TABLE members ADD COLUMN x int
----
refuse 42501 at 13: ALTER TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
CREATE INDEX ON members (birth_year)
----
refuse 42501 at 17: CREATE INDEX is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
COMMENT ON COLUMN members.birth_year IS 'x'
----
refuse 42501 at 1: COMMENT is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
CREATE STATISTICS s ON birth_year, city FROM members
----
refuse 42501 at 46: CREATE STATISTICS is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
MERGE INTO mine USING members ON mine.n = members.birth_year WHEN MATCHED THEN DELETE
----
refuse 0A000 at 1: MERGE with a protected table is not supported
hint: Use INSERT with a SELECT, or UPDATE.

# 10
CREATE RULE r AS ON INSERT TO mine DO ALSO SELECT * FROM members
----
refuse 0A000 at 1: rules about protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

# 10
CREATE TRIGGER t AFTER INSERT ON members EXECUTE FUNCTION suppress_redundant_updates_trigger()
----
refuse 42501 at 34: CREATE TRIGGER is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
REFRESH MATERIALIZED VIEW members
----
refuse 42501 at 27: REFRESH MATERIALIZED VIEW is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 10
CREATE FUNCTION ana.f() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM members'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

# 11
DO $$BEGIN PERFORM * FROM members; END$$
----
refuse 42501 at 1: DO is not allowed through the proxy
hint: Send the statements of the block one by one.

# 11
CREATE FUNCTION ana.f() RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN (SELECT birth_year FROM members); END'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

# 11
CREATE PROCEDURE ana.p() LANGUAGE sql AS $$DELETE FROM members$$
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

# 12
SET search_path = ana, public; SELECT birth_year FROM members
----
refuse 42501 at 55: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 13
SELECT * FROM public.adults
----
refuse 42501 at 1: relation public.adults belongs to a protected table and cannot be used
hint: Ask for counts of the protected table itself.

# 13
SELECT count(*) FROM public.adults
----
refuse 42501 at 1: relation public.adults belongs to a protected table and cannot be used
hint: Ask for counts of the protected table itself.

# 13
CREATE VIEW ana.v AS SELECT 1 FROM public.adults
----
refuse 42501 at 1: relation public.adults belongs to a protected table and cannot be used
hint: Ask for counts of the protected table itself.

# 13
CREATE TABLE ana.child () INHERITS (members)
----
refuse 42501 at 37: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 13
CREATE TABLE ana.part PARTITION OF members FOR VALUES IN (1)
----
refuse 42501 at 36: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 13
CREATE TABLE ana.t (id int REFERENCES members (id))
----
refuse 42501 at 39: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 13
ALTER TABLE mine ADD FOREIGN KEY (n) REFERENCES members (id)
----
refuse 42501 at 49: ALTER TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 13
IMPORT FOREIGN SCHEMA public LIMIT TO (members) FROM SERVER s INTO ana
----
refuse 42501 at 40: IMPORT FOREIGN SCHEMA is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 14
GRANT SELECT ON members TO ana
----
refuse 42501 at 17: GRANT is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 14
GRANT tacit_curator TO ana
----
refuse 42501 at 1: membership in roles cannot be granted or revoked through the proxy
hint: Ask the steward of the database.

# 14
LOCK TABLE members IN ACCESS EXCLUSIVE MODE
----
refuse 42501 at 12: LOCK is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 14
ALTER TABLE members OWNER TO ana
----
refuse 42501 at 30: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

# 14
REASSIGN OWNED BY tacit_curator TO ana
----
refuse 42501 at 1: what a role owns cannot be reassigned or dropped as a whole through the proxy
hint: DROP objects one by one.

# 14
ALTER DEFAULT PRIVILEGES FOR ROLE tacit_curator GRANT SELECT ON TABLES TO ana
----
refuse 42501 at 1: default privileges cannot be altered through the proxy
hint: GRANT on each of your tables.

# 15, 43
SET SESSION AUTHORIZATION postgres
----
refuse 42501 at 1: parameter "session_authorization" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 15, 43
SET ROLE tacit_curator
----
refuse 42501 at 1: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 15, 43
SELECT set_config('role', 'tacit_curator', false)
----
refuse 42501 at 8: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 16
SELECT count(*) FROM members WHERE nextval('s') > birth_year
----
refuse 0A000 at 36: function nextval is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 16
SELECT count(*) FROM members WHERE pg_advisory_lock(birth_year) IS NULL
----
refuse 0A000 at 36: function pg_advisory_lock is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 16
SELECT count(*) FROM members WHERE pg_notify('c', full_name) IS NULL
----
refuse 0A000 at 36: function pg_notify is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 16
SELECT count(*) FROM members WHERE set_config('a.b', full_name, false) = ''
----
refuse 0A000 at 36: function set_config is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 16
SELECT count(*) FROM members WHERE lo_from_bytea(0, full_name::bytea) > 0
----
refuse 0A000 at 36: function lo_from_bytea is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 16
SELECT pg_sleep(birth_year), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function pg_sleep is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 17
ANALYZE members
----
refuse 42501 at 9: ANALYZE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 17
VACUUM (VERBOSE) members
----
refuse 42501 at 18: VACUUM is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 17
CLUSTER members
----
refuse 42501 at 9: CLUSTER is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 18
EXPLAIN SELECT * FROM members WHERE birth_year > 5
----
refuse 42501 at 23: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 18
EXPLAIN (ANALYZE, VERBOSE) SELECT count(*) FROM members, cities
----
refuse 0A000 at 10: EXPLAIN ANALYZE is not supported for statements about protected tables
hint: EXPLAIN without ANALYZE tells what an answer costs; send the statement itself to run it.

# 18
EXPLAIN INSERT INTO mine SELECT full_name FROM members
----
refuse 42501 at 33: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 18
SET debug_print_plan = on
----
refuse 42501 at 1: parameter "debug_print_plan" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 19
LOCK public.members IN ROW SHARE MODE
----
refuse 42501 at 6: LOCK is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 20
SELECT count(*) FROM members WHERE ln(salary) > 3
----
refuse 0A000 at 36: this use of ln is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 20
SELECT count(*) FROM members WHERE city::int = 3
----
refuse 0A000 at 40: casting text to integer is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

# 20
SELECT count(*) FROM members WHERE sqrt(score) < 2
----
refuse 0A000 at 36: this use of sqrt is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 20
SELECT 10 / birth_year, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 11: operator / could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 20
SELECT count(*) FROM members WHERE city::date > '2024-01-01'
----
refuse 0A000 at 40: casting text to date is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

# 20
SELECT plan::json, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 14: this cast is not supported in a condition on a protected table
hint: Constants may be cast to bool, int2, int4, int8, numeric, float4, float8, text, varchar, bpchar, date, timestamp, timestamptz, uuid, interval, without a length or precision.

# 20
SELECT count(*) FROM members WHERE power(salary, 1000) > 1
----
refuse 0A000 at 36: this use of power is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 21
SELECT count(*) FROM members WHERE points + 1 > 0
----
refuse 0A000 at 43: operator + could fail on a row of the protected table, for a value out of the range of type bigint, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT count(*) FROM members WHERE -level > 0 AND abs(points) > 1
----
refuse 0A000 at 36: operator - could fail on a row of the protected table, for a value out of the range of type smallint, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT points::int, count(*) FROM members GROUP BY 1
----
refuse 0A000 at 14: ::integer could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT count(*) FROM members WHERE score::int = 1
----
refuse 0A000 at 41: ::integer could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT count(*) FROM members WHERE city = 'planted' AND to_char(salary, 'bad fmt EEEE9') = ''
----
refuse 0A000 at 57: this use of to_char is not supported on protected tables: number formats are not supported
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 21
SELECT count(*) FROM members WHERE city = 'planted' AND to_date(city, 'YYYY') > '2024-01-01'
----
refuse 0A000 at 57: this use of to_date is not supported on protected tables: it fails for some values
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 21
SELECT count(*) FROM members WHERE chr(birth_year) = 'x'
----
refuse 0A000 at 36: function chr is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 21
SELECT repeat(city, points::int), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function repeat is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 21
SELECT count(*) FROM members WHERE extract(epoch FROM paid)::int > 0
----
refuse 0A000 at 60: ::integer could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT paid + interval '1000000 years', count(*) FROM members GROUP BY 1
----
refuse 0A000 at 24: "1000000 years" is not supported as a constant of type interval
hint: Write numbers with units, such as '1 year 6 months', '30 days' or '04:30:00'.

# 21
SELECT count(*) FROM members WHERE salary * 1e10 > 1e20 AND salary::numeric(3,2) = 1
----
refuse 0A000 at 69: this cast is not supported in a condition on a protected table
hint: Constants may be cast to bool, int2, int4, int8, numeric, float4, float8, text, varchar, bpchar, date, timestamp, timestamptz, uuid, interval, without a length or precision.

# 21
SELECT count(*) FROM members WHERE CASE WHEN city = 'planted' THEN 1 / (birth_year - birth_year) ELSE 1 END = 1
----
refuse 0A000 at 84: operator - could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT count(*) FROM members WHERE city = 'x' COLLATE "nothing"
----
refuse 0A000 at 47: COLLATE is not supported on a protected table
hint: Leave out COLLATE, and sort the answer by it: ORDER BY key COLLATE ...

# 21
SELECT count(*) FROM members WHERE city = 'planted' AND (SELECT n FROM mine) = 1
----
refuse 0A000 at 57: a comparison of a constant with a sub-select is not supported in a condition on a protected table
hint: A sub-select in a condition may read your own tables alone, is evaluated before the count and yields constants: WHERE city IN (SELECT city FROM mine). For anything else keep its result in a table of your own first, or give the values as a list.

# 21
SELECT count(*) FROM members WHERE substring(city FROM 1 FOR birth_year - 5) = 'x'
----
refuse 0A000 at 73: operator - could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 21
SELECT count(*) FROM members WHERE convert_from(city::bytea, 'UTF8') = ''
----
refuse 0A000 at 36: function convert_from is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 22
SELECT count(*) FROM members WHERE full_name ~ city
----
refuse 42501 at 36: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 22
SELECT count(*) FROM members WHERE city ~ plan
----
refuse 0A000 at 41: argument 2 of ~ must be a constant on a protected table
hint: Write the value itself.

# 22
SELECT count(*) FROM members WHERE city ~ '(a)\1'
----
refuse 0A000 at 41: this pattern of 5 bytes is not supported on a protected table
hint: Patterns are at most 1000 bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.

# 22
SELECT count(*) FROM members WHERE city ~ '(((a*)*)*)*b{250}{250}'
----
refuse 0A000 at 41: this pattern of 22 bytes is not supported on a protected table
hint: Patterns are at most 1000 bytes long; regular expressions have no back references, no look-around and no embedded options, and repeat a part at most 100 times, not in nested repetitions.

# 22
SELECT count(*) FROM members WHERE city LIKE 'x\'
----
refuse 22025 at 41: LIKE pattern must not end with escape character

# 22
SELECT count(*) FROM members WHERE city LIKE city ESCAPE plan
----
refuse 0A000 at 41: this use of like_escape is not supported on protected tables: patterns must be constants
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 22
SELECT count(*) FROM members WHERE 'abc' SIMILAR TO city
----
refuse 0A000 at 42: this form of SIMILAR TO is not supported on a protected table
hint: Use LIKE, or ~ with a regular expression.

# 22
SELECT regexp_replace(city, '(.)', plan), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: argument 3 of regexp_replace must be a constant on a protected table
hint: Write the value itself.

# 23
SELECT count(*) FROM members WHERE clock_timestamp() > paid
----
refuse 0A000 at 36: function clock_timestamp is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 23
SELECT count(*) FROM members WHERE random() < 0.5
----
refuse 0A000 at 36: function random is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 23
SELECT count(*) FROM members WHERE ana.f(birth_year)
----
refuse 0A000 at 36: function f is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 23
SELECT count(*) FROM members WHERE birth_year OPERATOR(ana.=) 3
----
refuse 0A000 at 47: operator = is not supported on a protected table
hint: Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists.

# 23
SELECT count(*) FROM members WHERE birth_year::ana.mytype = 3
----
refuse 0A000 at 48: this cast is not supported in a condition on a protected table
hint: Constants may be cast to bool, int2, int4, int8, numeric, float4, float8, text, varchar, bpchar, date, timestamp, timestamptz, uuid, interval, without a length or precision.

# 23
SELECT gen_random_uuid(), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function gen_random_uuid is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 23
SELECT count(*) FROM members WHERE city < 'x' COLLATE ana.mine
----
refuse 0A000 at 47: COLLATE is not supported on a protected table
hint: Leave out COLLATE, and sort the answer by it: ORDER BY key COLLATE ...

# 24
SELECT count(*) FROM members WHERE md5(lpad(city, 100000000)) = ''
----
refuse 0A000 at 36: function md5 is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 24
SELECT count(*) FROM members WHERE repeat(city, 1000000) = ''
----
refuse 0A000 at 36: function repeat is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 24
SELECT count(*) FROM members WHERE length(rpad(city, birth_year * 1000000)) > 1
----
refuse 0A000 at 65: operator * could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 24
SELECT count(*) FROM members WHERE factorial(birth_year) > 1
----
refuse 0A000 at 36: function factorial is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 24
SELECT count(*) FROM members, generate_series(1, birth_year)
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

# 25
SELECT count(*) FROM members WHERE city IN (pg_read_file('x'))
----
refuse 0A000 at 45: function pg_read_file is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 26, 38
SELECT count(*) FROM members WHERE (1 / (birth_year - 2147483647)) = 1
----
refuse 0A000 at 53: operator - could fail on a row of the protected table, for a value out of the range of type integer, or a division by zero
hint: The steward can declare the range of the columns in the policy, which proves that it cannot. Casting to numeric helps against overflow.

# 27
SELECT count(*) FROM members JOIN cities ON cities.country = 'A'
----
refuse 0A000 at 35: the join with public.cities is not along a unique key of it, so that one row of the protected table could become several
hint: Unique keys are (city); equate all columns of one with columns of the protected table, of the same type.

# 27
SELECT count(*) FROM members a JOIN members b USING (city)
----
refuse 0A000 at 22: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

# 27
SELECT count(*) FROM members CROSS JOIN mine
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

# 27
SELECT count(*) FROM members, LATERAL (SELECT generate_series(1, members.birth_year)) AS x
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

# 27
SELECT count(*) FROM (SELECT city FROM members UNION ALL SELECT city FROM members) AS x
----
refuse 42501 at 40: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 27
SELECT count(*) FROM (SELECT city FROM members ORDER BY birth_year LIMIT 10) AS x
----
refuse 42501 at 40: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 27
SELECT count(*) FROM (SELECT city FROM members OFFSET 3) AS x
----
refuse 42501 at 40: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 27
SELECT unnest(ARRAY[1, 2]), count(*) FROM members GROUP BY 1
----
refuse 0A000 at 8: function unnest is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 27
SELECT count(*) FROM members RIGHT JOIN cities ON true
----
refuse 0A000 at 22: this join keeps rows beside a protected table, and no equality says which of its rows belong to which
hint: Equate a column of the protected table, or an expression of its columns, with one of the other side, in ON.

# 27
SELECT count(*) FROM (SELECT DISTINCT full_name FROM members) AS x
----
refuse 42501 at 39: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 28
SELECT member_id, count(*) FROM logins GROUP BY member_id
----
refuse 42501 at 49: column "member_id" of protected table logins cannot be used
hint: Usable columns are device, city.

# 28
SELECT count(DISTINCT member_id) FROM logins
----
refuse 42501 at 23: column "member_id" of protected table logins cannot be used
hint: Usable columns are device, city.

# 28
SELECT count(*) FROM logins JOIN members ON logins.member_id = members.id
----
refuse 0A000 at 22: protected table public.logins cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.logins.

# 29
SELECT sum(birth_year) FROM members
----
refuse 0A000 at 8: sum of birth_year is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) FROM (SELECT CASE WHEN abs(birth_year::numeric) < 10 THEN round(birth_year::numeric, 0) WHEN abs(birth_year::numeric) < 100 THEN round(birth_year::numeric, -1) WHEN abs(birth_year::numeric) < 1000 THEN round(birth_year::numeric, -2) WHEN abs(birth_year::numeric) < 10000 THEN round(birth_year::numeric, -3) WHEN abs(birth_year::numeric) < 100000 THEN round(birth_year::numeric, -4) WHEN abs(birth_year::numeric) < 1000000 THEN round(birth_year::numeric, -5) ELSE round(birth_year::numeric, -6) END AS rounded, count(*) AS n FROM members WHERE birth_year IS NOT NULL GROUP BY 1) AS c

# 29
SELECT sum(birth_year) FILTER (WHERE birth_year < 10), count(*) FROM members
----
refuse 0A000 at 8: sum of birth_year is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) FROM (SELECT CASE WHEN abs(birth_year::numeric) < 10 THEN round(birth_year::numeric, 0) WHEN abs(birth_year::numeric) < 100 THEN round(birth_year::numeric, -1) WHEN abs(birth_year::numeric) < 1000 THEN round(birth_year::numeric, -2) WHEN abs(birth_year::numeric) < 10000 THEN round(birth_year::numeric, -3) WHEN abs(birth_year::numeric) < 100000 THEN round(birth_year::numeric, -4) WHEN abs(birth_year::numeric) < 1000000 THEN round(birth_year::numeric, -5) ELSE round(birth_year::numeric, -6) END AS rounded, count(*) AS n FROM members WHERE birth_year IS NOT NULL GROUP BY 1) AS c

# 29
SELECT avg(birth_year) FROM members WHERE city = 'east'
----
refuse 0A000 at 8: avg of birth_year is not supported, since the policy declares no range for the column
detail: The noise of a sum must hide the largest number that one row could have.
hint: Ask the steward to declare one, such as {range: [0, 120]}. Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, and values that few rows have are left out): SELECT sum(rounded * n) / nullif(sum(n), 0) FROM (SELECT CASE WHEN abs(birth_year::numeric) < 10 THEN round(birth_year::numeric, 0) WHEN abs(birth_year::numeric) < 100 THEN round(birth_year::numeric, -1) WHEN abs(birth_year::numeric) < 1000 THEN round(birth_year::numeric, -2) WHEN abs(birth_year::numeric) < 10000 THEN round(birth_year::numeric, -3) WHEN abs(birth_year::numeric) < 100000 THEN round(birth_year::numeric, -4) WHEN abs(birth_year::numeric) < 1000000 THEN round(birth_year::numeric, -5) ELSE round(birth_year::numeric, -6) END AS rounded, count(*) AS n FROM members WHERE birth_year IS NOT NULL GROUP BY 1) AS c

# 29
SELECT sum(CASE WHEN code = 'F' THEN birth_year ELSE 0 END) FROM members
----
refuse 0A000 at 8: sum of a number without known bounds is not supported on protected tables
detail: The noise of a sum must hide the largest number that one row could have.
hint: Add up columns whose range the steward has declared in the policy, or expressions of such columns, whose values are not beyond 1e18.

# 30
SELECT birth_year FROM members GROUP BY birth_year
----
refuse 42501 at 24: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 30
SELECT count(*) FROM (SELECT city FROM members GROUP BY city) AS x
----
refuse 42501 at 40: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 31
SELECT city, count(*) FROM members GROUP BY city HAVING max(birth_year) < 3
----
refuse 0A000 at 57: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 31
SELECT city, count(*) FROM members GROUP BY city ORDER BY min(birth_year)
----
refuse 0A000 at 59: aggregate min is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 31
SELECT city, count(*), first_value(min(birth_year)) OVER () FROM members GROUP BY city
----
refuse 0A000 at 36: aggregate min is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 31
SELECT city, count(*) FROM members GROUP BY city LIMIT (SELECT min(birth_year) FROM members)
----
refuse 0A000 at 64: aggregate min is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 31
SELECT city, count(*) FROM members GROUP BY city HAVING bool_and(active)
----
refuse 0A000 at 57: aggregate bool_and is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 32
SELECT birth_year AS city, count(*) FROM members GROUP BY city
----
refuse 42803 at 8: column "members.birth_year" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

# 32
SELECT city, count(*) FROM members GROUP BY city ORDER BY birth_year
----
refuse 42803 at 59: column "members.birth_year" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

# 32
SELECT count(*) FROM members GROUP BY 1
----
refuse 42803 at 8: aggregate functions are not allowed in GROUP BY

# 32
SELECT city, count(*) FROM members GROUP BY 3
----
refuse 42P10 at 45: GROUP BY position 3 is not in select list

# 32
SELECT city, code, count(*) FROM members GROUP BY city
----
refuse 42803 at 14: column "members.code" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, code, count(*) FROM members GROUP BY city, code

# 32
SELECT city, count(*) FROM members ORDER BY 1
----
refuse 42803 at 8: column "members.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

# 33
SELECT min(city), count(*) FROM members GROUP BY lower(city)
----
refuse 0A000 at 8: aggregate min is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 33
SELECT (array_agg("Odd Name"))[1], count(*) FROM members GROUP BY "Odd Name"
----
refuse 0A000 at 9: aggregate array_agg is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT "Odd Name", count(*) FROM members GROUP BY "Odd Name"

# 33
SELECT city, count(*) FROM members GROUP BY lower(city)
----
refuse 42803 at 8: column "members.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

# 34
SELECT x.* FROM cities r, LATERAL (SELECT birth_year, count(*) FROM members WHERE city = r.city GROUP BY birth_year) AS x
----
refuse 0A000 at 69: LATERAL is not supported around a protected table
hint: Leave out LATERAL.

# 34
SELECT count(*), (SELECT full_name FROM members LIMIT 1) FROM members
----
refuse 42501 at 26: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 34
SELECT count(*) FROM members UNION ALL SELECT birth_year FROM members
----
refuse 42501 at 63: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 34
WITH a AS (SELECT count(*) FROM members), b AS (SELECT max(birth_year) FROM members) SELECT * FROM a, b
----
refuse 0A000 at 56: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 35
SELECT count(*) FROM members WHERE city = 'planted' AND nothing = 1
----
refuse 42703 at 57: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

# 35
SELECT count(*) FROM members WHERE birth_year = 2147483648000 AND full_name = 'Ann'
----
refuse 42501 at 67: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 35
SELECT count(*) FROM members WHERE birth_year = 'planted'
----
refuse 22P02 at 49: invalid input syntax for type integer: "planted"

# 35
SELECT count(*) FROM members WHERE token = 'ffff'
----
refuse 22P02 at 44: invalid input syntax for type uuid: "ffff"

# 35
SELECT count(*) FROM members WHERE joined = '2024-02-30'
----
refuse 22008 at 45: date/time field value out of range: "2024-02-30"

# 36
SELECT count(*) - count(full_name) FROM members
----
refuse 42501 at 25: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 36
SELECT count(*) FROM members EXCEPT SELECT count(*) FROM members WHERE full_name <> 'Ann'
----
refuse 42501 at 72: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 39
PREPARE p AS SELECT birth_year FROM members WHERE birth_year = $1
----
refuse 42501 at 37: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT birth_year, count(*) FROM members GROUP BY birth_year

# 39
SELECT full_name FROM members WHERE full_name = $1
----
refuse 42501 at 8: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 40
SELECT count(*) FROM members WHERE joined = 'now' || 'here'
----
refuse 42883 at 43: operator does not exist: date = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

# 40
SELECT count(*) FROM members WHERE paid < now() - (random() * interval '1 day')
----
refuse 0A000 at 52: function random is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 41
SELECT count(*, epsilon => 100) FROM members
----
refuse 42601 at 15: syntax error at or near ","

# 41
SELECT count(*) FROM members WITH (epsilon = 100)
----
refuse 42601 at 30: syntax error at or near "WITH"

# 41
SELECT set_config('tacit.' || 'epsilon', 'NaN', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

# 41
SELECT pg_catalog.count(*, 'NaN') FROM members
----
refuse 42601 at 26: syntax error at or near ","

# 43
ALTER USER CURRENT_USER CONNECTION LIMIT 0
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

# 43
ALTER ROLE ana PASSWORD 'x'
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

# 43
ALTER ROLE ana SET search_path = pg_catalog
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

# 43
DROP OWNED BY ana
----
refuse 42501 at 1: what a role owns cannot be reassigned or dropped as a whole through the proxy
hint: DROP objects one by one.

# 44
SET standard_conforming_strings = off
----
refuse 42501 at 1: parameter "standard_conforming_strings" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 44
SET client_encoding = 'LATIN1'
----
refuse 42501 at 1: parameter "client_encoding" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 44
SET NAMES 'SQL_ASCII'
----
refuse 42501 at 1: parameter "client_encoding" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 44
SELECT set_config('standard_conforming' || '_strings', 'off', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

# 44
UPDATE pg_settings SET setting = 'off' WHERE name = 'standard_conforming_strings'
----
refuse 42501 at 8: pg_settings cannot be updated through the proxy
hint: Use SET.

# 44
SET transform_null_equals = on
----
refuse 42501 at 1: parameter "transform_null_equals" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 44
ALTER SYSTEM SET log_statement = 'all'
----
refuse 42501 at 1: the database's settings cannot be altered through the proxy
hint: SET changes a setting for the session.

# 44
CREATE FUNCTION ana.f() RETURNS int LANGUAGE sql SET role = 'postgres' AS 'SELECT 1'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

# 44
SET backslash_quote = on
----
refuse 42501 at 1: parameter "backslash_quote" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

# 45
ALTER DATABASE postgres SET search_path = ana
----
refuse 42501 at 1: the database's settings cannot be altered through the proxy
hint: SET changes a setting for the session.

# 52
COPY members FROM '/dev/null'
----
refuse 42501 at 6: COPY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 54
SELECT 1_0 FROM members
----
refuse 0A000 at 9: this way to write a number is not supported beside a protected table
hint: Use decimal digits alone.

# 54
SELECT count(*) FROM members WHERE birth_year = 0x10
----
refuse 0A000 at 50: this way to write a number is not supported beside a protected table
hint: Use decimal digits alone.

# 54
SELECT JSON_OBJECT('a': birth_year) FROM members
----
refuse 0A000 at 8: this syntax (JsonObjectConstructor) is not supported in a statement about a protected table
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

# 54
SELECT count(*) FROM members WHERE full_name IS JSON
----
refuse 0A000 at 36: this syntax (JsonIsPredicate) is not supported in a statement about a protected table
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

# 54
SELECT * FROM JSON_TABLE('[1]', '$[*]' COLUMNS (a int PATH '$')) AS j, members
----
refuse 0A000 at 15: this syntax (JsonTable) is not supported in a statement about a protected table
hint: Keep the counts in a table of your own by CREATE TABLE AS, and go on from there.

# 55
SELECT 'x' 'y' FROM members
----
refuse 42601 at 12: syntax error at or near "'y'"

# 55
SELECT E'\'' FROM members -- '
----
refuse 42501 at 19: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 55
SELECT $x$ ' $x$ AS a FROM members /* nested /* comment */ */
----
refuse 42501 at 28: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 56
SELECT U&'\D800' FROM members
----
refuse 42601 at 16: invalid Unicode surrogate pair

# 58
SELECT setseed(birth_year) FROM members
----
refuse 42501 at 33: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 58
SELECT count(*) FROM members WHERE setseed(0.5) IS NULL
----
refuse 0A000 at 36: function setseed is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 59
SELECT city, birth_year FROM members GROUP BY GROUPING SETS ((city), (birth_year))
----
refuse 42501 at 30: groups of protected table members cannot be shown without their counts
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

# 59
SELECT city, count(*), max(birth_year) FROM members GROUP BY ROLLUP (city)
----
refuse 0A000 at 24: aggregate max is not supported on protected tables
hint: Counts are written count(*), count(column), count(DISTINCT column), count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances need a range that the steward declares. Ask for counts, for example: SELECT city, count(*) FROM members GROUP BY city

# 59
SELECT count(*) FILTER (WHERE birth_year > (SELECT avg(birth_year) FROM members)) FROM members
----
refuse 0A000 at 73: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

# 59
SELECT count(*) FROM (SELECT generate_series(1, 5), birth_year FROM members) AS x
----
refuse 0A000 at 30: function generate_series is not supported on protected tables
hint: Functions that cannot fail on any row are supported, such as lower, left, round, floor, date_trunc, extract, to_char, coalesce, width_bucket and CASE; docs/analyst.md lists them. Others can be applied to the keys in an outer query, around a sub-select that counts.

# 59
SELECT count(*) FROM members p WHERE EXISTS (SELECT 1 FROM members q WHERE q.birth_year > p.birth_year)
----
refuse 0A000 at 60: protected table public.members cannot be joined with another, since the policy names no column that tells its persons apart
hint: Count in sub-selects and join their results. Or ask the steward to declare the column of persons, where each has one row: person: {column: id, rows: 1, groups: 1} for public.members.

# 17
VACUUM FULL members
----
refuse 42501 at 13: VACUUM is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 25
SELECT count(*) FROM members JOIN ana.lookup USING (city)
----
refuse 0A000 at 22: joining the rows of a protected table with this is not supported
hint: The other side of a join must be a table that the policy lists under public, joined by equality with a unique key of it. Or count in a sub-select and join its result: SELECT * FROM (SELECT city, count(*) AS n FROM members GROUP BY city) AS c

# 37, 42: counted later, at no charge
CREATE TABLE t (n int DEFAULT (SELECT count(*) FROM members))
----
refuse 42501 at 53: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 37: counted whenever it is read
CREATE VIEW v AS SELECT plan, count(*) FROM members GROUP BY plan
----
refuse 0A000 at 1: views of protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

# 37
CREATE RULE r AS ON INSERT TO mine DO ALSO SELECT count(*) FROM members
----
refuse 0A000 at 1: rules about protected tables are not supported
hint: Send the SELECT itself; a question that was answered is free to ask again.

# 38: of what cannot be computed after the charge either
SELECT count(*) FROM members WHERE birth_year = 'NaN'
----
refuse 22P02 at 49: invalid input syntax for type integer: "NaN"

# 42: a condition of another role's rows
CREATE POLICY p ON mine USING (n > (SELECT count(*) FROM members))
----
refuse 42501 at 58: CREATE POLICY is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 42
CREATE TABLE t (n int CHECK (n > (SELECT count(*) FROM members)))
----
refuse 42501 at 56: CREATE TABLE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 45, 48
ALTER SYSTEM SET ssl = off
----
refuse 42501 at 1: the database's settings cannot be altered through the proxy
hint: SET changes a setting for the session.

# 46, 53
SELECT pg_terminate_backend(birth_year) FROM members
----
refuse 42501 at 46: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 47
SELECT lo_export(birth_year::oid, '/tmp/x') FROM members
----
refuse 42501 at 50: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 49
BEGIN; SELECT full_name FROM members; COMMIT
----
script, 1 of prologue: BEGIN
refuse 42501 at 15: column "full_name" of protected table members cannot be used
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

# 50
PREPARE p AS SELECT m FROM members m
----
refuse 42501 at 21: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 50
DECLARE p CURSOR WITH HOLD FOR TABLE members
----
refuse 42501 at 38: rows of protected table members cannot be read
detail: Only counts of its rows, in total or by groups, are answered.
hint: Ask for counts instead, for example: SELECT city, count(*) FROM members GROUP BY city

# 51
PREPARE p AS DELETE FROM members WHERE birth_year = $1
----
refuse 42501 at 26: INSERT, UPDATE or DELETE is not allowed on protected table public.members
hint: Ask for counts in a SELECT, for example: SELECT count(*) FROM public.members

# 57
SELECT count(*) FROM members WHERE ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((true))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
----
refuse 54001 at 537: a statement that the proxy must read is nested deeper than 500 levels (limits.nesting)
hint: Split it into several statements, for example with temporary tables.
