SELECT r.region, count(p.age) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.region ORDER BY 1

SELECT r.region, count(*), count(p.sex) FROM regions r LEFT JOIN people p ON p.region = r.region AND p.age > 1000 GROUP BY r.region ORDER BY 1

SELECT r.region, count(p.age) AS n FROM people p RIGHT JOIN regions r ON p.region = r.region AND p.sex = 'F' GROUP BY r.region ORDER BY n DESC, 1

SELECT region, count(p.age) FROM regions LEFT JOIN people p USING (region) WHERE country = 'A' GROUP BY region ORDER BY 1

SELECT r.country, count(p.age), max(r.region), count(DISTINCT r.region) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.country ORDER BY 1

SELECT r.region, max(length(r.country)), round(100.0 * count(p.age) FILTER (WHERE p.age >= 65) / nullif(count(p.age), 0), 1) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.region HAVING count(p.age) > 10 ORDER BY 3 DESC, 1

# A sum of a group without rows is that of noise, which is none here, and not NULL.
#: differs
SELECT r.region, sum(p.visits), avg(p.age), count(DISTINCT p.sex) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.region ORDER BY 1

# Rows of the analyst's own: a key twice, NULL, and not all keys.
SELECT n.region, count(p.age) FROM notes n LEFT JOIN people p ON p.region = n.region GROUP BY n.region ORDER BY 1

SELECT v.region, v.label, count(p.age) FROM (VALUES ('north', 'a'), ('north', 'a'), ('south', 'a'), (NULL, 'b')) AS v(region, label) LEFT JOIN people p ON p.region = v.region GROUP BY 1, 2 ORDER BY 1, 2

SELECT n.region, t.target, count(p.sex) FROM notes n CROSS JOIN targets t LEFT JOIN people p ON p.region = t.region AND p.sex = 'M' GROUP BY 1, 2 ORDER BY 1, 2

SELECT r.country, r.region, count(p.age) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY ROLLUP (r.country, r.region) ORDER BY 1, 2

SELECT r.region, count(p.age), rank() OVER (ORDER BY count(p.age) DESC), sum(count(p.age)) OVER () FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.region ORDER BY 1

# Conditions that let keys match nobody.
SELECT r.region, count(p.age) FROM regions r LEFT JOIN people p ON p.region = r.region AND p.region <> 'west' AND r.country = 'B' GROUP BY r.region ORDER BY 1

SELECT r.region, count(p.age) FROM regions r LEFT JOIN people p ON p.region = r.region AND (p.region IN ('north', 'west') OR p.region IS NULL) GROUP BY r.region ORDER BY 1

SELECT r.region, count(p.age) FROM regions r LEFT JOIN (SELECT age, region FROM people WHERE age < 30) p ON p.region = r.region GROUP BY r.region ORDER BY 1

WITH young AS (SELECT * FROM people WHERE age < 30) SELECT r.region, count(y.age) FROM regions r LEFT JOIN young y USING (region) GROUP BY r.region ORDER BY 1

# Bands of ages.
SELECT b AS from_age, count(p.age) FROM generate_series(0, 90, 10) AS b LEFT JOIN people p ON p.age / 10 * 10 = b GROUP BY b ORDER BY b

SELECT b.label, count(p.age) FROM (VALUES ('young', 0), ('old', 1)) AS b(label, old) LEFT JOIN people p ON CASE WHEN p.age < 50 THEN 0 ELSE 1 END = b.old GROUP BY b.label ORDER BY 1

# Calendars.
SELECT d::date AS day, count(p.age) FROM generate_series(date '2024-02-20', date '2024-03-10', interval '1 day') AS d LEFT JOIN people p ON p.admitted = d::date GROUP BY 1 ORDER BY 1

WITH days AS (SELECT generate_series('2024-02-20'::date, '2024-03-10'::date, '1 day')::date AS day) SELECT day, count(p.age) FROM days LEFT JOIN people p ON p.admitted = day GROUP BY day ORDER BY day

SELECT month::date, count(p.age) FROM generate_series('2024-01-01'::timestamp, '2024-12-01', '1 month') AS month LEFT JOIN people p ON date_trunc('month', p.admitted) = month GROUP BY month ORDER BY month

# Months that the policy does not declare are NULL: rows of them are not counted.
#: differs
SELECT month, count(p.admitted) FROM generate_series(date '2023-11-01', '2024-03-15', '1 month') AS month LEFT JOIN people p ON p.admitted >= month AND p.admitted < month + interval '1 month' GROUP BY month ORDER BY month

SELECT c.day, count(p.age) FROM calendar c LEFT JOIN people p ON p.admitted = c.day GROUP BY c.day ORDER BY 1

SELECT date_trunc('month', c.day)::date AS month, count(p.age) FROM calendar c LEFT JOIN people p ON p.admitted = c.day WHERE NOT c.holiday GROUP BY 1 ORDER BY 1

SELECT day::date, count(p.seen) FROM generate_series('2020-01-28'::timestamptz, '2020-02-03', '1 day') AS day LEFT JOIN people p ON date_trunc('day', p.seen) = day GROUP BY day ORDER BY day

SET LOCAL TimeZone = 'Asia/Tokyo'
;
SELECT day::date, count(p.seen) FROM generate_series('2020-01-28'::timestamptz, '2020-02-03', '1 day') AS day LEFT JOIN people p ON date_trunc('day', p.seen) = day GROUP BY day ORDER BY day

SET LOCAL TimeZone = 'America/Los_Angeles'
;
SELECT day, count(p.seen) FROM generate_series('2020-01-28'::timestamptz, '2020-02-03', '1 day') AS day LEFT JOIN people p ON p.seen >= day AND p.seen < day + interval '1 day' GROUP BY day ORDER BY day

SET LOCAL TimeZone = 'America/Los_Angeles'
;
SELECT d, count(p.seen), count(p.seen) FILTER (WHERE p.sex = 'F') FROM generate_series('2024-03-08'::date, '2024-03-13', '1 day') AS d LEFT JOIN people p ON p.seen::date = d::date GROUP BY d ORDER BY d

SET LOCAL TimeZone = 'America/Los_Angeles'
;
SELECT hour, count(p.seen) FROM generate_series('2020-01-30'::timestamptz, '2020-02-01', '1 hour') AS hour LEFT JOIN people p ON date_trunc('hour', p.seen) = hour GROUP BY hour ORDER BY hour

SELECT day::date, count(p.left_at) FROM generate_series('2020-01-28'::timestamp, '2020-02-03', '1 day') AS day LEFT JOIN people p ON date_trunc('day', p.left_at) = day GROUP BY day ORDER BY day

#: params date 2024-02-01, int4 40
SELECT d::date, count(p.age) FROM generate_series($1::date, $1::date + 6, '1 day') AS d LEFT JOIN people p ON p.admitted = d::date AND p.age > $2 GROUP BY 1 ORDER BY 1

# Counts for each row of an outer query.
SELECT r.region, (SELECT count(*) FROM people p WHERE p.region = r.region) AS people FROM regions r ORDER BY 1

SELECT n.region, n.note, (SELECT count(*) FROM people p WHERE p.region = n.region AND p.sex = 'F') * 2 AS twice, (SELECT avg(age) FROM people p WHERE p.region = n.region) FROM notes n ORDER BY 1, 2

SELECT t.region FROM targets t WHERE (SELECT count(*) FROM people p WHERE p.region = t.region) < t.target ORDER BY 1

# The largest groups, as Superset limits the series of a chart.
SELECT date_trunc('month', admitted)::date AS month, region, count(*) AS n FROM people JOIN (SELECT region AS region__, count(*) AS mme_inner__ FROM people WHERE admitted >= '2024-01-01' AND admitted < '2024-07-01' GROUP BY region ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON region = region__ WHERE admitted >= '2024-01-01' AND admitted < '2024-07-01' GROUP BY date_trunc('month', admitted)::date, region ORDER BY n DESC, 1, 2 LIMIT 100

# Not answered.
#: refused
SELECT r.region, count(p.age) FROM regions r LEFT JOIN people p ON p.age < length(r.region) GROUP BY r.region

#: refused
SELECT t.target, count(p.age) FROM targets t LEFT JOIN people p ON p.rank = t.target GROUP BY 1

#: refused
SELECT r.region, sum(length(r.country)), count(p.age) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.region

#: refused
SELECT r.country, count(*) FROM regions r LEFT JOIN people p ON p.region = r.region GROUP BY r.country

# A side that is large, and one that is volatile.
SELECT g % 7 AS seventh, count(p.age) FROM generate_series(1, 30000) AS g LEFT JOIN people p ON p.age = g % 100 AND p.sex = 'F' GROUP BY 1 ORDER BY 1

SELECT x.region, count(p.age) FROM (SELECT CASE WHEN random() < 2 THEN 'north' END AS region FROM generate_series(1, 3)) AS x LEFT JOIN people p ON p.region = x.region GROUP BY 1

SELECT day::date, count(p.admitted) FROM generate_series(current_date - 3, current_date, '1 day') AS day LEFT JOIN people p ON p.admitted = day::date AND p.admitted < '2024-01-01' GROUP BY 1 ORDER BY 1

# Types of the two sides that are not the same.
SELECT v.sex, count(p.age) FROM (VALUES ('F'), ('M'), ('F  '), ('x')) AS v(sex) LEFT JOIN people p ON p.sex = v.sex AND p.sex IN ('F', 'M') GROUP BY 1 ORDER BY 1

SELECT v.code, count(m.code) FROM (VALUES ('a'), ('abc'), ('a  '), (NULL)) AS v(code) LEFT JOIN members m ON m.code = v.code AND m.code IN ('a', 'abc') GROUP BY 1 ORDER BY 1

SELECT v.plan, count(m.plan) FROM (VALUES ('free'::char(6)), ('gold')) AS v(plan) LEFT JOIN members m ON m.plan = v.plan GROUP BY 1 ORDER BY 1

# What is no value of the column has NULL, and not 0.
#: differs
SELECT v.age, count(p.age) FROM (VALUES (30.0), (30.00), (30.5), (31)) AS v(age) LEFT JOIN people p ON p.age = v.age AND p.age BETWEEN 30 AND 31 GROUP BY 1 ORDER BY 1

# What is no value of the column has NULL, and not 0.
#: differs
SELECT d.at, count(p.age) FROM (VALUES ('2024-02-03'::timestamptz), ('2024-02-03 12:00Z')) AS d(at) LEFT JOIN people p ON p.admitted = d.at AND p.admitted BETWEEN '2024-02-01' AND '2024-02-10' GROUP BY 1 ORDER BY 1

SELECT v.active, count(p.age) FROM (VALUES (true), (false), (NULL)) AS v(active) LEFT JOIN people p ON p.active = v.active GROUP BY 1 ORDER BY 1

SELECT v.active, v.sex, count(p.age) FROM (VALUES (true, 'F'), (false, 'M'), (NULL, 'F'), (true, NULL)) AS v(active, sex) LEFT JOIN people p ON p.active = v.active AND p.sex = v.sex GROUP BY 1, 2 ORDER BY 1, 2
