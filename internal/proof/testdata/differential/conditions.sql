SELECT count(*) FROM people WHERE age > 30 AND age <= 60

SELECT count(*) FROM people WHERE age BETWEEN 18 AND 64

SELECT count(*) FROM people WHERE age BETWEEN SYMMETRIC 64 AND 18

SELECT count(*) FROM people WHERE region IN ('north', 'south')

SELECT count(*) FROM people WHERE region NOT IN ('north', 'x')

SELECT count(*) FROM people WHERE region = ANY (ARRAY['north', 'east'])

SELECT count(*) FROM people WHERE region = ANY ('{north,south}')

SELECT count(*) FROM people WHERE region <> ALL (ARRAY['north', 'east'])

SELECT count(*) FROM people WHERE age = ANY ('{1,2,3}'::int[])

SELECT count(*) FROM people WHERE sex IS NULL

SELECT count(*) FROM people WHERE sex IS NOT NULL AND visits IS NULL

SELECT count(*) FROM people WHERE sex IS DISTINCT FROM 'F'

SELECT count(*) FROM people WHERE NOT (sex = 'F' OR visits > 3)

SELECT count(*) FROM people WHERE sex = 'F' OR NULL

SELECT count(*) FROM people WHERE active

SELECT count(*) FROM people WHERE NOT active

SELECT count(*) FROM people WHERE active IS NOT TRUE

SELECT count(*) FROM people WHERE active IS UNKNOWN

SELECT count(*) FROM people WHERE active = true AND active <> false

SELECT count(*) FROM people WHERE sex = 'F '

SELECT count(*) FROM people WHERE ward = 'A'

SELECT count(*) FROM people WHERE ward = 'A '

SELECT count(*) FROM people WHERE illness > 'd' AND illness < 'z'

SELECT count(*) FROM people WHERE label > 'B'

SELECT count(*) FROM people WHERE label = 'ä' OR "Mixed Case" = 'ünï'

SELECT count(*) FROM people WHERE income > 999.5

SELECT count(*) FROM people WHERE income = 'NaN' OR ratio = 'NaN'

SELECT count(*) FROM people WHERE score > 0.5 AND score < 'Infinity'

SELECT count(*) FROM people WHERE score = 0

SELECT count(*) FROM people WHERE score = '-0'::float8

SELECT count(*) FROM people WHERE dose > 0.1

SELECT count(*) FROM people WHERE dose = 0.1::real

SELECT count(*) FROM people WHERE rank > 1.5 OR rank = -32768

SELECT count(*) FROM people WHERE serial > 9007199254740992

SELECT count(*) FROM people WHERE serial = 9007199254740993.0

SELECT count(*) FROM people WHERE age < visits

SELECT count(*) FROM people WHERE age <> visits AND rank < serial

SELECT count(*) FROM people WHERE admitted >= '2024-03-01' AND admitted < DATE '2024-04-01'

SELECT count(*) FROM people WHERE admitted > '2024-06-30'::date

SELECT count(*) FROM people WHERE admitted BETWEEN '2024-01-01' AND '2024-12-31'

SELECT count(*) FROM people WHERE admitted >= TIMESTAMP '2024-03-01 00:00:00'

SELECT count(*) FROM people WHERE seen >= '2024-02-01 00:00:00+00'

SELECT count(*) FROM people WHERE seen = 'infinity'

SELECT count(*) FROM people WHERE left_at < '2024-02-29 12:30:00'

SELECT count(*) FROM people WHERE token = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'

SELECT count(*) FROM people WHERE (region, sex) = ('north', 'F')

SELECT count(*) FROM people WHERE (region, sex) IN (('north', 'F'), ('south', 'M'))

SELECT count(*) FROM people WHERE region LIKE 'n%'

SELECT count(*) FROM people WHERE region NOT LIKE '%th'

SELECT count(*) FROM people WHERE illness ILIKE 'FLU%'

SELECT count(*) FROM people WHERE illness LIKE '%!_%' ESCAPE '!'

SELECT count(*) FROM people WHERE illness LIKE ANY (ARRAY['f%', 'g%'])

SELECT count(*) FROM people WHERE illness ~ '^f'

SELECT count(*) FROM people WHERE illness ~* '^(flu|cold)$'

SELECT count(*) FROM people WHERE illness !~ 'o'

SELECT count(*) FROM people WHERE illness SIMILAR TO '(flu|cold)%'

SELECT count(*) FROM people WHERE starts_with(illness, 'fl')

SELECT count(*) FROM people WHERE position('l' IN illness) = 2

SELECT count(*) FROM people WHERE lower(illness) = 'flu'

SELECT count(*) FROM people WHERE upper(region) IN ('NORTH', 'EAST')

SELECT count(*) FROM people WHERE length(illness) > 3

SELECT count(*) FROM people WHERE coalesce(visits, 0) = 0

SELECT count(*) FROM people WHERE coalesce(illness, '') <> ''

SELECT count(*) FROM people WHERE nullif(illness, '') IS NULL

SELECT count(*) FROM people WHERE age + 1 > 50

SELECT count(*) FROM people WHERE age * 2 > 100 AND age % 2 = 0

SELECT count(*) FROM people WHERE age - visits > 10

SELECT count(*) FROM people WHERE age / 10 = 3

SELECT count(*) FROM people WHERE -age < -50

SELECT count(*) FROM people WHERE abs(age - 50) < 10

SELECT count(*) FROM people WHERE mod(age, 7) = 0

SELECT count(*) FROM people WHERE CASE WHEN sex = 'F' THEN age > 60 ELSE age > 65 END

SELECT count(*) FROM people WHERE extract(year FROM admitted) = 2024

SELECT count(*) FROM people WHERE extract(month FROM admitted) IN (1, 2, 12)

SELECT count(*) FROM people WHERE date_part('dow', admitted) = 0

SELECT count(*) FROM people WHERE date_trunc('month', admitted) = '2024-03-01'

SELECT count(*) FROM people WHERE admitted + 30 > '2024-12-31'

SELECT count(*) FROM people WHERE admitted - DATE '2024-01-01' < 30

SELECT count(*) FROM people WHERE admitted >= DATE '2024-12-31' - INTERVAL '3 months'

SELECT count(*) FROM people WHERE admitted::text LIKE '2024-0%'

SELECT count(*) FROM people WHERE to_char(admitted, 'MM') = '05'

SELECT count(*) FROM people WHERE age::text = '30'

SELECT count(*) FROM people WHERE age::numeric > 29.5

SELECT count(*) FROM people WHERE age IN (SELECT 5)

SELECT count(*) FROM people WHERE region IN (SELECT region FROM regions WHERE country = 'A')

SELECT count(*) FROM people WHERE 1 = 1 AND age > 3

SELECT count(*) FROM people WHERE 'north' = region AND 30 < age

SELECT count(*) FROM people WHERE true

SELECT count(*) FROM people WHERE NULL

SELECT count(*) FROM people WHERE age = 30 OR age = 31 OR (age = 32 AND sex = 'M')

SELECT count(*) FROM people WHERE age > 2147483648

#: refused
SELECT count(*) FROM people WHERE region COLLATE "C" > 'o'

SELECT sex, count(*) FROM people WHERE age > 30 AND region = 'north' GROUP BY sex ORDER BY sex

#: error
SELECT count(*) FROM people WHERE nothing = 1

#: error
SELECT count(*) FROM people WHERE age = 'x'

#: error
SELECT count(*) FROM people WHERE age = true

#: error
SELECT region, count(*) FROM people

#: error
SELECT region, count(*) FROM people GROUP BY region ORDER BY nothing

#: error
SELECT count(*) FROM people WHERE count(*) > 1

#: error
SELECT region, count(*) / 0 FROM people GROUP BY region

#: error
SELECT count(*)::text::date FROM people

SELECT count(*) FROM people WHERE region IN (SELECT region FROM notes)

SELECT count(*) FROM people WHERE region NOT IN (SELECT region FROM notes)

SELECT count(*) FROM people WHERE region NOT IN (SELECT region FROM notes WHERE region IS NOT NULL)

SELECT count(*) FROM people WHERE region <> ALL (SELECT region FROM targets WHERE target > 1000) AND NOT region = ANY (ARRAY(SELECT region FROM targets WHERE target = 5))

SELECT region, count(*) FROM people WHERE admitted > (SELECT max(quarter) FROM targets WHERE target > 5) GROUP BY region ORDER BY region

SELECT count(*) FROM people WHERE age IN (SELECT target FROM targets) OR age = ANY (SELECT n * 10.0 FROM notes)

SELECT count(*) FROM people WHERE admitted IN (SELECT at FROM notes) OR admitted IN (SELECT day FROM calendar WHERE NOT holiday)

SELECT count(*) FROM people WHERE age BETWEEN (SELECT min(n) FROM notes) AND (SELECT max(target) FROM targets)

SELECT count(*) FROM people WHERE ward = (SELECT note FROM notes WHERE n = 99)

SELECT region IN (SELECT region FROM targets WHERE region IS NOT NULL) AS targeted, count(*), count(*) FILTER (WHERE age > (SELECT avg(n) FROM notes)) FROM people GROUP BY 1 ORDER BY 1

SELECT count(*) FROM people WHERE (admitted + interval '1 month') - admitted > interval '30 days'

SELECT count(*) FROM people WHERE (admitted + interval '1 month') - admitted BETWEEN interval '720 hours' AND '1 mon 00:00:00.5'

SELECT count(*) FROM people WHERE timestamp '2024-07-01' - admitted > interval '0' AND admitted - timestamp '2024-07-01' < '-1 week -03:30:00'

SELECT count(*), count(*) FILTER (WHERE (admitted + interval '1 month') - admitted = interval '1 month') FROM people WHERE (admitted + interval '1 month') - admitted IN ('30 days', interval '744:00:00')

SELECT count(*) FROM people WHERE age(timestamp '2025-03-01', admitted) >= interval '1 year' OR age(admitted, timestamp '2023-06-15') IS DISTINCT FROM interval '1 year 30 days'

SELECT count(*) FROM people WHERE (admitted + interval '40 days') - (admitted + interval '1 month') <= (admitted + interval '1 month') - admitted

SELECT count(*) FROM people WHERE seen < '2030-01-01 00:00:00Z' AND seen + interval '168 hours' >= '2024-02-07 23:30:00Z' AND interval '90 minutes' + seen - interval '1 hour' > '2024-02-01 00:00:00Z'

SELECT count(*) FROM people WHERE admitted + interval '0' = '2024-02-01' OR NOT timestamp '2024-07-01' - admitted < '1 day'
