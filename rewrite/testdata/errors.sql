SELECT count(*) FROM members WHERE birth_year = 'abc'
----
refuse 22P02 at 49: invalid input syntax for type integer: "abc"

SELECT count(*) FROM members WHERE birth_year = '5.5'
----
refuse 22P02 at 49: invalid input syntax for type integer: "5.5"

SELECT count(*) FROM members WHERE birth_year = '99999999999'
----
refuse 22003 at 49: value "99999999999" is out of range for type integer

SELECT count(*) FROM members WHERE level = '40000'
----
refuse 22003 at 44: value "40000" is out of range for type smallint

SELECT count(*) FROM members WHERE birth_year = 1::int2 OR level = 99999::int2
----
refuse 22003 at 68: smallint out of range

SELECT count(*) FROM members WHERE salary = 'x'
----
refuse 22P02 at 45: invalid input syntax for type numeric: "x"

SELECT count(*) FROM members WHERE score = '1e400'
----
refuse 22003 at 44: "1e400" is out of range for type double precision

SELECT count(*) FROM members WHERE score = 'one'
----
refuse 22P02 at 44: invalid input syntax for type double precision: "one"

SELECT count(*) FROM members WHERE active = 'maybe'
----
refuse 22P02 at 45: invalid input syntax for type boolean: "maybe"

SELECT count(*) FROM members WHERE token = 'abc'
----
refuse 22P02 at 44: invalid input syntax for type uuid: "abc"

SELECT count(*) FROM members WHERE city = 5
----
refuse 42883 at 41: operator does not exist: text = integer
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE city > 1.5
----
refuse 42883 at 41: operator does not exist: text > numeric
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE 5 < city
----
refuse 42883 at 38: operator does not exist: integer < text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE city = true
----
refuse 42883 at 41: operator does not exist: text = boolean
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE birth_year = true
----
refuse 42883 at 47: operator does not exist: integer = boolean
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE birth_year = 'x'::text
----
refuse 42883 at 47: operator does not exist: integer = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE joined = 5
----
refuse 42883 at 43: operator does not exist: date = integer
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE birth_year = date '2020-01-01'
----
refuse 42883 at 47: operator does not exist: integer = date
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE city = joined
----
refuse 42883 at 41: operator does not exist: text = date
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE active = birth_year
----
refuse 42883 at 43: operator does not exist: boolean = integer
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE birth_year
----
refuse 42804 at 36: argument of WHERE must be type boolean, not type integer

SELECT count(*) FROM members WHERE city
----
refuse 42804 at 36: argument of WHERE must be type boolean, not type text

SELECT count(*) FROM members WHERE NOT city
----
refuse 42804 at 40: argument of NOT must be type boolean, not type text

SELECT count(*) FROM members WHERE city AND active
----
refuse 42804 at 36: argument of AND must be type boolean, not type text

SELECT count(*) FROM members WHERE birth_year IN ('a', 'b')
----
refuse 22P02 at 51: invalid input syntax for type integer: "a"

SELECT count(*) FROM members WHERE birth_year IN (1, 'b')
----
refuse 22P02 at 54: invalid input syntax for type integer: "b"

SELECT count(*) FROM members WHERE city IN ('a', 1)
----
refuse 42883 at 41: operator does not exist: text = integer
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE birth_year = ANY (ARRAY['1', '2'])
----
refuse 42883 at 47: operator does not exist: integer = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT count(*) FROM members WHERE nothing = 1
----
refuse 42703 at 36: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT count(*) FROM members WHERE members.nothing = 1
----
refuse 42703 at 36: column members.nothing does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name".

SELECT count(*) FROM members WHERE m.city = 'x'
----
refuse 42P01 at 36: missing FROM-clause entry for table "m"
hint: A count of a protected table cannot refer to columns of an outer query.

SELECT count(*) FROM members WHERE joined = '2020-02-30'
----
refuse 22008 at 45: date/time field value out of range: "2020-02-30"

SELECT nothing, count(*) FROM members GROUP BY 1
----
refuse 42703 at 8: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT plan, count(*) FROM members GROUP BY city
----
refuse 42803 at 8: column "members.plan" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*) FROM members GROUP BY city HAVING birth_year > 3
----
refuse 42803 at 57: column "members.birth_year" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, birth_year, count(*) FROM members GROUP BY city, birth_year

SELECT m.plan, count(*) FROM members m GROUP BY city
----
refuse 42803 at 8: column "m.plan" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*) FROM members GROUP BY 3
----
refuse 42P10 at 45: GROUP BY position 3 is not in select list

SELECT city, count(*) FROM members GROUP BY 'city'
----
refuse 42601 at 45: non-integer constant in GROUP BY

SELECT city AS x, plan AS x, count(*) FROM members GROUP BY x
----
refuse 42702 at 61: GROUP BY "x" is ambiguous

SELECT city, count(*) AS n FROM members GROUP BY n
----
refuse 42803 at 14: aggregate functions are not allowed in GROUP BY

SELECT city, (SELECT country FROM cities WHERE cities.city = members.plan LIMIT 1), count(*) FROM members GROUP BY city
----
refuse 42803 at 62: subquery uses ungrouped column "members.plan" from outer query
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT city, count(*) FROM members m GROUP BY members.city
----
refuse 42P01 at 47: invalid reference to FROM-clause entry for table "members"
hint: Perhaps you meant to reference the table alias "m".

SELECT count(*) FROM members WHERE $1 IS NULL OR birth_year = $1
----
refuse 42P08 at 36: could not determine data type of parameter $1
hint: Cast it, or let a comparison with a column stand first.

SELECT count(*) FROM members WHERE city = $1 AND birth_year = $1
----
refuse 42883 at 61: operator does not exist: integer = text
hint: No operator matches the given name and argument types. You might need to add explicit type casts.

SELECT coutn(*) FORM members
----
refuse 42601 at 22: syntax error at or near "members"

SELECT city, count(*) FROM members ORDER BY 1
----
refuse 42803 at 8: column "members.city" must appear in the GROUP BY clause or be used in an aggregate function
hint: Group by it, for example: SELECT city, count(*) FROM members GROUP BY city

SELECT city, count(*) FILTER (WHERE count(*) > 5) OVER () FROM members GROUP BY city
----
refuse 42803 at 37: aggregate functions are not allowed in FILTER

SELECT count(*) FROM members LIMIT count(*)
----
refuse 42803 at 36: aggregate functions are not allowed in LIMIT

SELECT city, count(*) FROM members GROUP BY city LIMIT city::int
----
refuse 42P10 at 56: argument of LIMIT must not contain variables

SELECT count(*) FROM members OFFSET count(*)
----
refuse 42803 at 37: aggregate functions are not allowed in OFFSET

SELECT count(*) FROM members WHERE count(*) > 5
----
refuse 42803 at 36: aggregate functions are not allowed in WHERE

SELECT city, count(*), (SELECT m.plan) FROM members m GROUP BY city
----
refuse 42803 at 32: subquery uses ungrouped column "m.plan" from outer query
hint: Group by it, for example: SELECT city, plan, count(*) FROM members GROUP BY city, plan

SELECT count(*) FROM members WHERE paid > 'x'
----
refuse 22007 at 43: invalid input syntax for type timestamp with time zone: "x"
hint: Write dates as YYYY-MM-DD and times as YYYY-MM-DD HH:MM:SS, with an offset such as +02:00 if the column has a time zone.

SELECT count(*) FROM members WHERE "Odd Name" = nothing
----
refuse 42703 at 49: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT count(nothing) FROM members
----
refuse 42703 at 14: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT count(*) FROM members m WHERE members.city = 'x'
----
refuse 42P01 at 38: invalid reference to FROM-clause entry for table "members"
hint: Perhaps you meant to reference the table alias "m".

SELECT city, count(*) FROM members GROUP BY city ORDER BY nothing
----
refuse 42703 at 59: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT city, count(*) FROM members GROUP BY nothing
----
refuse 42703 at 45: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.

SELECT city, count(*) FROM members GROUP BY city HAVING nothing > 1
----
refuse 42703 at 57: column "nothing" does not exist
hint: Usable columns are id, city, plan, birth_year, level, points, salary, ratio, score, weight, active, code, joined, seen, paid, token, tags, "Odd Name"; not those of an outer query, if there is one.
