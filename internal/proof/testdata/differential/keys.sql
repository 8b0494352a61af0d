SELECT region, count(*) FROM people GROUP BY region

SELECT region, count(*) FROM people GROUP BY region ORDER BY region

SELECT region, count(*) FROM people GROUP BY 1 ORDER BY 2 DESC, 1

SELECT region AS r, count(*) AS n FROM people GROUP BY r ORDER BY n DESC, r LIMIT 2

SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex NULLS FIRST

SELECT sex, count(*) FROM people GROUP BY sex ORDER BY sex DESC

SELECT sex::text, count(*) FROM people GROUP BY sex

SELECT sex || '!', count(*) FROM people GROUP BY sex

SELECT length(sex), count(*) FROM people GROUP BY sex

SELECT ward, count(*) FROM people GROUP BY ward ORDER BY ward

SELECT ward || '|', count(*) FROM people GROUP BY ward ORDER BY 1 NULLS FIRST

SELECT illness, count(*) FROM people GROUP BY illness ORDER BY illness

SELECT illness, count(*) FROM people GROUP BY illness ORDER BY illness COLLATE "C" DESC

SELECT label, count(*) FROM people GROUP BY label ORDER BY label

SELECT label, count(*) FROM people GROUP BY label ORDER BY label COLLATE "C"

SELECT "Mixed Case", count(*) FROM people GROUP BY "Mixed Case" ORDER BY 1

SELECT age, count(*) FROM people GROUP BY age ORDER BY age

SELECT visits, count(*) FROM people GROUP BY visits ORDER BY visits NULLS FIRST

SELECT admitted, count(*) FROM people GROUP BY admitted ORDER BY admitted DESC LIMIT 10

SELECT active, count(*) FROM people GROUP BY active ORDER BY active

SELECT active AND true, NOT active, count(*) FROM people GROUP BY active

SELECT income, count(*) FROM people GROUP BY income ORDER BY income

SELECT ratio, count(*) FROM people GROUP BY ratio ORDER BY ratio

SELECT score, count(*) FROM people GROUP BY score ORDER BY score

SELECT dose, count(*) FROM people GROUP BY dose ORDER BY dose

SELECT rank, count(*) FROM people GROUP BY rank ORDER BY rank

SELECT serial, count(*) FROM people GROUP BY serial ORDER BY serial

SELECT serial / 2, count(*) FROM people GROUP BY serial

SELECT seen, count(*) FROM people GROUP BY seen ORDER BY seen

SELECT left_at, count(*) FROM people GROUP BY left_at ORDER BY left_at

SELECT token, count(*) FROM people GROUP BY token ORDER BY token

SELECT region, sex, count(*) FROM people GROUP BY region, sex ORDER BY region, sex

SELECT count(*), sex, region FROM people GROUP BY 3, 2 ORDER BY 3, 2

SELECT region, count(*) FROM people GROUP BY region, sex ORDER BY region, count(*)

SELECT p.region, count(p.age) FROM people p GROUP BY p.region

SELECT public.people.region, count(*) FROM public.people GROUP BY people.region

SELECT upper(region) AS r, count(*) FROM people GROUP BY region ORDER BY r

SELECT age * 2, age - 1, count(*) FROM people GROUP BY age ORDER BY age

SELECT coalesce(sex, '?'), count(*) FROM people GROUP BY sex ORDER BY 1

SELECT CASE sex WHEN 'F' THEN 'women' WHEN 'M' THEN 'men' ELSE 'others' END AS who, count(*) FROM people GROUP BY sex ORDER BY who

SELECT admitted + 1, extract(year FROM admitted), count(*) FROM people GROUP BY admitted ORDER BY admitted LIMIT 5

SELECT upper(region), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT lower(illness) AS illness, count(*) FROM people GROUP BY lower(illness) ORDER BY 1

SELECT trim(illness), count(*) FROM people GROUP BY trim(illness) ORDER BY 1

SELECT left(region, 1), count(*) FROM people GROUP BY left(region, 1) ORDER BY 1

SELECT substring(region FROM 1 FOR 2), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT length(illness), count(*) FROM people GROUP BY length(illness) ORDER BY 1

SELECT coalesce(illness, 'unknown') AS illness, count(*) FROM people GROUP BY coalesce(illness, 'unknown') ORDER BY 1

SELECT coalesce(sex, '?') AS s, count(*) FROM people GROUP BY s ORDER BY s

SELECT nullif(illness, ''), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT age / 10 * 10 AS decade, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT age / 10, count(*) FROM people GROUP BY age / 10 ORDER BY age / 10

SELECT age % 10 AS digit, count(*) FROM people GROUP BY age % 10 ORDER BY digit

SELECT age - age % 5 AS bucket, count(*) FROM people GROUP BY bucket ORDER BY bucket

SELECT floor(age / 10.0) * 10 AS bucket, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT width_bucket(age, 0, 100, 5) AS bucket, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT width_bucket(income, 0, 2000, 4), count(*) FROM people WHERE income < 5000 GROUP BY 1 ORDER BY 1

SELECT age > 50 AS senior, count(*) FROM people GROUP BY age > 50 ORDER BY 1

SELECT age >= 18 AND sex = 'F', count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT visits IS NULL AS unknown, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT active IS TRUE, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT CASE WHEN age < 18 THEN 'child' WHEN age < 65 THEN 'adult' ELSE 'senior' END AS life, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT CASE WHEN age < 18 THEN 1 WHEN age < 65 THEN 2 END AS life, count(*) FROM people GROUP BY life ORDER BY life

SELECT CASE WHEN illness IN ('flu', 'cold') THEN illness ELSE 'other' END, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT CASE WHEN visits BETWEEN 0 AND 2 THEN '0-2' WHEN visits > 2 THEN '3+' END AS v, sex, count(*) FROM people GROUP BY 1, 2 ORDER BY 1, 2

SELECT date_trunc('month', admitted) AS month, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT date_trunc('week', admitted)::date AS week, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT date_trunc('quarter', admitted)::date, count(*) FROM people GROUP BY 1 ORDER BY 1

# The guards take an infinite time, or NaN, for NULL within functions.
#: differs
SELECT date_trunc('hour', left_at), count(*) FROM people GROUP BY 1 ORDER BY 1

# The guards take an infinite time, or NaN, for NULL within functions.
#: differs
SELECT date_trunc('day', seen), count(*) FROM people GROUP BY 1 ORDER BY 1

# The guards take an infinite time, or NaN, for NULL within functions.
#: differs
SELECT date_trunc('day', seen AT TIME ZONE 'Europe/Berlin'), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT extract(year FROM admitted) AS y, extract(month FROM admitted) AS m, count(*) FROM people GROUP BY 1, 2 ORDER BY 1, 2

SELECT extract(dow FROM admitted), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT date_part('year', admitted), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT extract(isodow FROM admitted)::int AS d, count(*) FROM people GROUP BY d ORDER BY d

SELECT to_char(admitted, 'YYYY-MM') AS month, count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT admitted::text, count(*) FROM people GROUP BY admitted::text ORDER BY 1 LIMIT 3

SELECT age::text, count(*) FROM people GROUP BY age::text ORDER BY 1

SELECT age::bigint, count(*) FROM people GROUP BY 1 ORDER BY 1

#: refused
SELECT (visits::numeric)::text AS v, count(*) FROM people GROUP BY v ORDER BY v

SELECT region || '/' || coalesce(sex, '-') AS pair, count(*) FROM people GROUP BY pair ORDER BY pair

#: refused
SELECT concat(region, ' ', sex), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT 1 AS one, count(*) FROM people GROUP BY 1

SELECT 'x' AS x, region, count(*) FROM people GROUP BY 1, 2 ORDER BY 2

SELECT greatest(age, 50), count(*) FROM people GROUP BY 1 ORDER BY 1

SELECT abs(age - 50) AS distance, count(*) FROM people GROUP BY distance ORDER BY distance LIMIT 5

# The guards take an infinite time, or NaN, for NULL within functions.
#: differs
SELECT round(ratio, 1), count(*) FROM people WHERE ratio IS NOT NULL GROUP BY 1 ORDER BY 1

SELECT count(*) FROM people GROUP BY region ORDER BY count(*)

SELECT count(*) FROM people GROUP BY ()

SELECT region, count(*) FROM people GROUP BY region HAVING region <> 'north' ORDER BY region

SELECT DISTINCT region, count(*) FROM people GROUP BY region, sex ORDER BY 1, 2

SELECT DISTINCT count(*) > 10 FROM people GROUP BY region, age ORDER BY 1
