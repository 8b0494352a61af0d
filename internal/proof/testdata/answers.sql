# Statements that are answered. All that they show but for noisy counts must be the same with the planted people and without them.

SELECT count(*) FROM people

SELECT count(*), count(visits), count(*) FILTER (WHERE age > 90) FROM people

SELECT count(*) FROM people WHERE age > 2000000000

SELECT count(*) FROM people WHERE region IN ('planted', 'north')

SELECT count(*) FROM people WHERE illness = ''''

SELECT count(*) FROM people WHERE income > 1e9 OR ratio = 'NaN' OR score = 'Infinity'

SELECT count(*) FROM people WHERE admitted = 'infinity'

SELECT count(*) FROM people WHERE serial = 9223372036854775807 AND rank = 32767

SELECT count(*) FROM people WHERE sex IS NULL AND ward IS NULL AND token IS NULL

SELECT count(*) FROM people WHERE age IN (2147483647, -2147483648)

SELECT count(*) FROM people WHERE left_at > '2024-01-01' AND seen < '2024-01-01 00:00:00+00'

SELECT count(*) FROM people WHERE dose > 1e38 OR dose = 'NaN'

SELECT count(*) FROM people WHERE token = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

SELECT count(*) FROM people WHERE label > 'z' AND "Mixed Case" = 'planted'

SELECT count(*) FROM people WHERE age < visits AND rank < serial

SELECT (SELECT count(*) FROM people WHERE age = 99), (SELECT count(*) FROM members WHERE birth_year = 2147483647)

SELECT count(*) FROM members WHERE ratio > 1e100

SELECT count(*) FROM members WHERE city > 'x' AND "Odd Name" IS NOT NULL

SELECT count(*) FROM members WHERE level = 32767 OR points = 9223372036854775807

SELECT count(*) FROM logins WHERE device IS NULL OR device = ''

SELECT count(DISTINCT age) FROM people

SELECT count(1), sum(CASE WHEN age > 1000 THEN 1 ELSE 0 END) FROM people

SELECT count(*) FROM people WHERE age + 0 > 5

SELECT count(*) FROM people WHERE age * 2 > 5

SELECT count(*) FROM people WHERE illness LIKE '%x%' AND illness ILIKE '%X%'

SELECT count(*) FROM people WHERE illness ~ 'x{3}'

#: refused
SELECT count(*) FROM people WHERE lower(illness) = 'x' AND upper(label) = 'X' AND length(illness) > 100

SELECT count(*) FROM people WHERE left(illness, 3) = 'xxx' AND right(illness, 2) = 'xx'

SELECT count(*) FROM people WHERE date_trunc('month', admitted) = '2024-02-01'

SELECT count(*) FROM people WHERE extract(year FROM admitted) > 2000

SELECT count(*) FROM people WHERE admitted + 1 > '2024-02-01'

SELECT count(*) FROM people WHERE round(ratio) = 1 OR floor(score) = 1 OR ceil(income) = 2

SELECT count(*) FROM people WHERE age / 10 = 3 AND visits % 10 = 3

SELECT count(*) FROM people WHERE coalesce(visits, age) > 3 AND nullif(rank, 3) IS NULL

#: refused
SELECT count(*) FROM people WHERE age::text = '3' OR income::text = 'NaN' OR admitted::text = 'infinity'

SELECT count(*) FROM people WHERE abs(age) > 3

SELECT count(*) FROM people WHERE -visits < 3

SELECT count(*) FROM people WHERE CASE WHEN age > 10 THEN visits > 3 ELSE rank > 2 END

SELECT count(*) FROM people JOIN regions USING (region)

SELECT count(*) FROM (SELECT age AS a FROM people WHERE visits > 3) AS x WHERE a > 4

#: keys 1
SELECT region, count(*) FROM people GROUP BY region

#: keys 1
SELECT region, count(*), count(sex) FROM people WHERE age > 30 GROUP BY region ORDER BY region DESC

#: keys 1
SELECT sex, count(*) FROM people GROUP BY sex

#: keys 1
SELECT sex, count(*) FROM people WHERE age > 1000 GROUP BY sex

#: keys 1
SELECT age, count(*) FROM people GROUP BY age

#: keys 1
SELECT age, count(*) FROM people WHERE age > 95 GROUP BY age ORDER BY age

#: keys 1
SELECT visits, count(*) FROM people GROUP BY visits

#: keys 1
SELECT admitted, count(*) FROM people WHERE admitted >= '2024-12-01' GROUP BY admitted

#: keys 1
SELECT active, count(*) FROM people GROUP BY active

#: keys 1
SELECT city, count(*) FROM members GROUP BY city

#: keys 1
SELECT plan, count(*) FROM members GROUP BY plan

#: keys 1
SELECT plan, count(*) FROM members WHERE birth_year = -2147483648 GROUP BY plan

#: keys 1
SELECT illness, count(*) FROM people GROUP BY illness ORDER BY illness

#: keys 1
SELECT illness, count(*) FROM people GROUP BY illness

#: keys 1
SELECT ward, count(*), count(*) FILTER (WHERE age > 50) FROM people GROUP BY ward

#: keys 1
SELECT score, count(*) FROM people GROUP BY score

#: keys 1
SELECT dose, count(*) FROM people GROUP BY dose

#: keys 1
SELECT income, count(*) FROM people GROUP BY income

#: keys 1
SELECT ratio, count(*) FROM people GROUP BY ratio

#: keys 1
SELECT rank, count(*) FROM people GROUP BY rank

#: keys 1
SELECT serial, count(*) FROM people GROUP BY serial

#: keys 1
SELECT seen, count(*) FROM people GROUP BY seen

#: keys 1
SELECT left_at, count(*) FROM people GROUP BY left_at

#: keys 1
SELECT token, count(*) FROM people GROUP BY token

#: keys 1
SELECT label, count(*) FROM people GROUP BY label

#: keys 1
SELECT "Mixed Case", count(*) FROM people GROUP BY 1

#: keys 1
SELECT upper(region) AS r, count(*) FROM people GROUP BY region ORDER BY r

#: keys 1
SELECT region, sum(count(*)) OVER () FROM people GROUP BY region

#: keys 1
SELECT c.region, t.target, c.count FROM (SELECT region, count(*) FROM people GROUP BY region) c JOIN targets t USING (region)

#: keys 1
SELECT x.region, x.n FROM (SELECT region, count(*) AS n FROM people GROUP BY region) x ORDER BY 1

#: keys 1
WITH c AS (SELECT sex, count(*) AS n FROM people GROUP BY sex) SELECT sex, n FROM c ORDER BY sex

#: keys 1
SELECT 'a', count(*) FROM people UNION ALL SELECT 'b', count(*) FROM members

#: keys 1
SELECT upper(region), count(*) FROM people GROUP BY upper(region)

#: keys 1
SELECT age / 10, count(*) FROM people GROUP BY age / 10

#: keys 1
SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END, count(*) FROM people GROUP BY 1

#: keys 1
SELECT date_trunc('month', admitted), count(*) FROM people GROUP BY 1

#: keys 1
SELECT extract(month FROM admitted), count(*) FROM people GROUP BY 1

#: keys 1
SELECT age > 50, count(*) FROM people GROUP BY age > 50

#: keys 1
SELECT coalesce(sex, '?'), count(*) FROM people GROUP BY 1

#: keys 1
SELECT lower(illness), count(*) FROM people GROUP BY 1

#: keys 1
SELECT left(illness, 1), count(*) FROM people GROUP BY 1

#: keys 1
SELECT length(illness), count(*) FROM people GROUP BY 1

#: keys 1
SELECT date_trunc('day', seen), count(*) FROM people GROUP BY 1

#: keys 1
SELECT admitted::text, count(*) FROM people GROUP BY 1

#: keys 1
SELECT width_bucket(age, 0, 100, 10), count(*) FROM people GROUP BY 1

#: keys 1
SELECT r.country, count(*) FROM people p JOIN regions r USING (region) GROUP BY r.country

#: keys 1
SELECT region, count(*) FROM people GROUP BY ROLLUP (region)

#: keys 1
SELECT sex, count(DISTINCT region) FROM people GROUP BY sex

#: keys 1
SELECT region, avg((age > 50)::int) FROM people GROUP BY region

#: keys 1
CREATE TEMP TABLE kept AS SELECT region, count(*) FROM people GROUP BY region

#: keys 1
EXPLAIN SELECT region, count(*) FROM people GROUP BY region

#: keys 2
SELECT region, sex, count(*) FROM people GROUP BY region, sex

#: keys 2
SELECT sex, region, count(*) FROM people WHERE visits = 13 GROUP BY region, sex ORDER BY sex, region

#: keys 2
SELECT region, active, count(*) FROM people GROUP BY 1, 2

#: keys 2
SELECT sex, visits, count(*) FROM people GROUP BY sex, visits

#: keys 2
SELECT city, plan, count(*) FROM members GROUP BY city, plan

#: keys 2
SELECT region, sex, count(*) FROM people GROUP BY CUBE (region, sex)

#: keys 2
SELECT region, age / 50, count(*) FROM people GROUP BY 1, 2

SELECT sum(age), avg(age), var_pop(age), stddev(age) FROM people

SELECT sex, avg(visits), sum(age * visits), count(*) FROM people GROUP BY sex ORDER BY sex

SELECT sum(age::float8 / 7), avg(age::numeric / 3), sum(age::real), avg(age - visits) FROM people

SELECT sum(sign(ratio)), avg(sign(score)), sum(sign(income)) FILTER (WHERE rank > 0) FROM people

SELECT sum(CASE WHEN income > 1e9 THEN 5 ELSE -5 END), avg(CASE WHEN age > 1000 THEN age END) FROM people

SELECT sum(CASE WHEN sex = 'F' THEN 50 ELSE 0 END) FROM people

SELECT sum(age) FROM people

SELECT sum(age) FILTER (WHERE age < 10), count(*) FROM people

SELECT sum(CASE WHEN sex = 'F' THEN 1 ELSE -1 END) FROM people

SELECT avg(age) FROM people WHERE region = 'east'

SELECT sum(active::int * 100) FROM people

SELECT sum(CASE WHEN sex = 'F' THEN age ELSE 0 END) FROM people

SELECT sum(days), avg(far), sum(cost), avg(ratio), sum(sign(score)), avg(width_bucket(dose, 0, 10, 4)) FROM trips

SELECT avg(sign(score)), var_pop(days), stddev_samp(cost), variance(ratio), sum(greatest(far, days)) FROM trips

SELECT sum(days * 2 - 5), avg(cost / 4), sum(days::numeric * cost), avg(CASE WHEN late THEN far END), sum(abs(sign(score))) FROM trips

SELECT sum(extract(hour FROM left_at)), avg(extract(dow FROM paid AT TIME ZONE 'UTC')), sum(width_bucket(cost, 0, 500, 10)) FROM trips

#: keys 1
SELECT place, sum(days), avg(cost) FILTER (WHERE late), count(*), count(DISTINCT owner_id) FROM trips GROUP BY place

#: keys 1
SELECT late, avg(days), stddev(far) FROM trips GROUP BY late ORDER BY late

#: keys 1
SELECT left(place, 40), sum(days), avg(far) FROM trips GROUP BY 1

SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY days), percentile_cont(0.9) WITHIN GROUP (ORDER BY cost), mode() WITHIN GROUP (ORDER BY place) FROM trips

SELECT percentile_disc(ARRAY[0.01, 0.5, 0.99]) WITHIN GROUP (ORDER BY far), percentile_disc(0.1) WITHIN GROUP (ORDER BY day), mode() WITHIN GROUP (ORDER BY day) FROM trips WHERE late OR days > 20

#: keys 1
SELECT place, median(days), mode() WITHIN GROUP (ORDER BY days) FILTER (WHERE cost > 400), count(*) FROM trips GROUP BY place

#: keys 1
SELECT sex, percentile_disc(0.9) WITHIN GROUP (ORDER BY age) FROM owners GROUP BY sex

#: keys 1
SELECT city, median(age), count(*) FROM owners GROUP BY city

SELECT count(*) FROM owners o WHERE EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id)

SELECT count(*) FROM owners o WHERE NOT EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id AND t.days > 30 AND t.cost > 1e9)

SELECT count(DISTINCT id) FROM owners WHERE id IN (SELECT owner_id FROM trips WHERE place = 'sea' AND days + 1 > 5 AND ratio * 2 < 1)

SELECT count(*) FROM owners WHERE id NOT IN (SELECT owner_id FROM trips WHERE owner_id IS NOT NULL AND (score = 'NaN' OR left_at = 'infinity'))

SELECT count(*), count(DISTINCT owner_id), sum(days), avg(cost) FROM trips t WHERE EXISTS (SELECT FROM owners o WHERE o.id = t.owner_id AND o.age > 1000)

SELECT count(*) FILTER (WHERE EXISTS (SELECT FROM trips w WHERE w.owner_id = t.owner_id AND w.late)), count(*) FROM trips t

#: keys 1
SELECT place, count(*), count(DISTINCT owner_id) FROM trips t WHERE EXISTS (SELECT FROM trips w WHERE w.owner_id = t.owner_id AND w.place = 'lake') GROUP BY place

#: keys 1
SELECT EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id AND t.days > 30) AS far, count(*) FROM owners o GROUP BY 1

#: keys 2
SELECT city, id IN (SELECT owner_id FROM trips WHERE cost > 499 AND owner_id IS NOT NULL), count(*) FROM owners GROUP BY 1, 2

#: keys 1
SELECT city, count(*) FROM owners o WHERE EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id) GROUP BY city

#: keys 1
SELECT CASE WHEN EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id AND t.late) THEN 'late' ELSE 'never' END, count(*) FROM owners o GROUP BY 1

SELECT sum(CASE WHEN id IN (SELECT owner_id FROM trips WHERE late) THEN age ELSE 0 END) FROM owners

SELECT median(age) FROM owners o WHERE EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id AND t.place >= 'lake')

#: keys 1
SELECT extract(dow FROM left_at), count(*) FROM trips GROUP BY 1

#: keys 1
SELECT extract(month FROM day), count(*), sum(days) FROM trips GROUP BY 1

#: keys 1
SELECT width_bucket(cost, 0, 500, 5), count(*), avg(days) FROM trips GROUP BY 1

#: keys 1
SELECT date_trunc('day', left_at), count(*), sum(cost) FROM trips WHERE left_at >= '2024-02-01' AND left_at < '2024-02-15' GROUP BY 1

#: keys 1
SELECT (paid AT TIME ZONE 'Europe/Rome')::date, count(*) FROM trips WHERE paid >= '2024-03-30 00:00:00Z' AND paid < '2024-04-02 00:00:00Z' GROUP BY 1

#: keys 1
SELECT place, count(*) FROM trips WHERE place IN ('sea', 'lake') AND late GROUP BY place

#: keys 1
SELECT DISTINCT place FROM trips

#: keys 1
SELECT late, count(*), tacit.low(count(*)) IS NULL, tacit.within(sum(days)) IS NULL FROM trips GROUP BY late

SELECT count(*), sum(n), avg(n) FROM (SELECT owner_id, count(*) AS n FROM trips GROUP BY owner_id) AS t WHERE n > 1

#: keys 1
SELECT LEAST(n, 8), count(*) FROM (SELECT owner_id, count(*) AS n FROM trips WHERE days + 1 > 5 GROUP BY owner_id HAVING max(ratio) * 2 < 1 OR bool_or(late)) AS t GROUP BY 1

#: keys 2
SELECT late, n > 3, count(*) FROM (SELECT owner_id, every(late) AS late, count(DISTINCT place) FILTER (WHERE score > 0) AS n FROM trips GROUP BY 1) AS t GROUP BY 1, 2

#: keys 1
WITH t AS (SELECT owner_id, min(left_at) AS first, max(score) AS score, min(dose) AS dose, count(DISTINCT score) AS n FROM trips GROUP BY owner_id)
SELECT date_trunc('month', first), count(*), count(dose), count(*) FILTER (WHERE score = 'NaN' OR n > 5) FROM t WHERE first >= '2024-01-01' AND first < '2025-01-01' GROUP BY 1

#: keys 1
SELECT o.sex, count(*), sum(t.n) FROM owners o JOIN (SELECT owner_id, count(*) AS n, max(paid) AS last FROM trips GROUP BY owner_id) AS t ON t.owner_id = o.id GROUP BY o.sex

#: keys 1
SELECT LEAST((SELECT count(*) FROM trips t WHERE t.owner_id = o.id), 5), count(*) FROM owners o GROUP BY 1

#: keys 1
SELECT CASE WHEN spent < 500 THEN 'little' ELSE 'much' END, count(*), sum(spent), avg(far) FROM (SELECT owner_id, sum(cost) AS spent, avg(far) AS far FROM trips GROUP BY owner_id) AS t GROUP BY 1

SELECT count(*) FROM owners WHERE id IN (SELECT owner_id FROM trips GROUP BY owner_id HAVING count(*) > 2 AND max(far) > 1000)

SELECT n, count(*) FROM (SELECT owner_id, count(*) AS n FROM trips GROUP BY owner_id) AS t GROUP BY n

#: refused
SELECT n, count(*) FROM (SELECT owner_id, string_agg(place, '') AS n FROM trips GROUP BY owner_id) AS t GROUP BY n

EXPLAIN SELECT n > 3, count(*) FROM (SELECT owner_id, count(*) AS n FROM trips GROUP BY owner_id) AS t GROUP BY 1

EXPLAIN SELECT sum(days), avg(far), median(cost) FROM trips

EXPLAIN SELECT count(*) FROM owners o WHERE EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id)

#: refused
SELECT max(days) FROM trips

#: refused
SELECT sum(owner_id) FROM trips

# The planted people are outside of what these count, or have values that are left out: with exact counts nothing may differ.

#: unchanged
SELECT count(*), sum(days), avg(cost), var_pop(ratio), sum(days * 2 - 5), avg(abs(sign(score))) FROM trips WHERE owner_id BETWEEN 1 AND 249

#: unchanged
#: keys 1
SELECT place, count(*), count(DISTINCT owner_id), sum(far), stddev(days), avg(cost) FILTER (WHERE late) FROM trips WHERE owner_id BETWEEN 1 AND 249 GROUP BY place

#: unchanged
SELECT sum(far), avg(far), var_samp(far), sum(CASE WHEN late THEN far END), sum(far * 2 - days) FROM trips WHERE owner_id NOT IN (-2147483648, 0, 1001)

#: unchanged
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY days), mode() WITHIN GROUP (ORDER BY place), median(cost) FROM trips WHERE owner_id BETWEEN 1 AND 249

#: unchanged
SELECT percentile_disc(ARRAY[0.1, 0.9]) WITHIN GROUP (ORDER BY far), percentile_disc(0.5) WITHIN GROUP (ORDER BY day) FROM trips WHERE far BETWEEN 0 AND 10000 AND (owner_id = 2147483647 OR owner_id BETWEEN 1 AND 249)

#: unchanged
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY age), count(*) FROM owners o WHERE id BETWEEN 1 AND 300 AND EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id)

#: unchanged
#: keys 1
SELECT LEAST(n, 8), count(*), sum(n), count(*) FILTER (WHERE last = 'infinity') FROM (SELECT owner_id, count(*) AS n, max(left_at) AS last FROM trips WHERE owner_id BETWEEN 1 AND 249 GROUP BY owner_id) AS t GROUP BY 1 ORDER BY 1

#: unchanged
#: keys 2
SELECT o.sex, LEAST(t.n, 3), count(*), sum(age) FROM owners o JOIN (SELECT owner_id, count(*) FILTER (WHERE score > 0 OR ratio = 'NaN') AS n FROM trips GROUP BY owner_id) AS t ON t.owner_id = o.id WHERE o.id BETWEEN 1 AND 249 GROUP BY 1, 2 ORDER BY 1, 2

#: unchanged
#: keys 1
SELECT days > 20, count(*), sum(days), sum(cost) FROM (SELECT owner_id, sum(days) AS days, avg(cost) AS cost FROM trips WHERE owner_id BETWEEN 1 AND 249 GROUP BY owner_id) AS t GROUP BY 1 ORDER BY 1

#: unchanged
SELECT count(*) FROM owners o WHERE id BETWEEN 1 AND 249 AND (SELECT max(cost) FROM trips t WHERE t.owner_id = o.id) > 100

#: unchanged
SELECT count(*), count(*) FILTER (WHERE id IN (SELECT owner_id FROM trips WHERE days + 1 > 5 AND ratio * 2 < 1)) FROM owners WHERE id BETWEEN 1 AND 300

#: unchanged
#: keys 1
SELECT EXISTS (SELECT FROM trips t WHERE t.owner_id = o.id AND t.cost > 100) AS dear, count(*), sum(age) FROM owners o WHERE id BETWEEN 1 AND 300 GROUP BY 1 ORDER BY 1

#: unchanged
SELECT count(DISTINCT owner_id), sum(days) FROM trips t WHERE EXISTS (SELECT FROM owners o WHERE o.id = t.owner_id AND o.city = 'Oslo')

#: unchanged
SELECT count(*) FROM owners WHERE id BETWEEN 1 AND 300 AND id NOT IN (SELECT owner_id FROM trips WHERE owner_id IS NOT NULL AND far > 500)

#: unchanged
#: keys 1
SELECT extract(dow FROM left_at), count(*) FROM trips WHERE left_at >= '2024-03-01' AND left_at < '2024-04-01' GROUP BY 1 ORDER BY 1

#: unchanged
#: keys 1
SELECT date_trunc('day', paid AT TIME ZONE 'UTC'), count(*), sum(cost) FROM trips WHERE paid >= '2024-02-01 00:00:00Z' AND paid < '2024-02-15 00:00:00Z' GROUP BY 1 ORDER BY 1

#: unchanged
#: keys 1
SELECT width_bucket(cost, 0, 500, 5), count(*) FROM trips WHERE day BETWEEN '2024-03-01' AND '2024-05-31' GROUP BY 1 ORDER BY 1

#: unchanged
#: keys 1
SELECT place, count(*) FROM trips WHERE place = 'hills' AND days BETWEEN 2 AND 12 AND owner_id IS NOT NULL GROUP BY place

#: unchanged
SELECT count(*), sum(visits), count(*) FILTER (WHERE active) FROM people WHERE ward IN ('A', 'b') AND age * 2 + visits < 1000

#: unchanged
#: keys 1
SELECT sex, sum(age), avg(visits) FROM people WHERE ward IN ('A', 'b') GROUP BY sex ORDER BY sex
