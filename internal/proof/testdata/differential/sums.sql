SELECT sum(age) FROM people

SELECT avg(age), count(*), sum(age) FROM people

SELECT sex, avg(age), sum(age), count(age) FROM people GROUP BY sex ORDER BY sex

SELECT region, round(avg(visits), 2) AS visits, sum(visits) FROM people GROUP BY region ORDER BY 2 DESC, 1

SELECT sum(age) FILTER (WHERE sex = 'F'), avg(visits) FILTER (WHERE age > 40) FROM people

SELECT region, sum(age) / count(*) AS quotient, 1.0 * sum(age) / nullif(count(*), 0) FROM people GROUP BY region ORDER BY 1

SELECT sum(CASE WHEN sex = 'F' THEN age END), sum(CASE WHEN sex = 'F' THEN age ELSE 0 END), avg(CASE WHEN sex = 'F' THEN age END) FROM people

SELECT sum(age * visits), sum(age + visits), sum(age - visits), sum(-age), sum(2 * age + 1) FROM people

SELECT sum(coalesce(visits, 0)), avg(coalesce(visits, 0)) FROM people

SELECT avg(age * 0.5), sum(age * 1.5)::int FROM people

SELECT var_pop(age), var_samp(age), variance(age), avg(age), sum(age) FROM people

SELECT sex, variance(visits), avg(visits) FROM people GROUP BY sex ORDER BY sex

SELECT round(stddev(age), 6), round(stddev_pop(age), 6), round(stddev_samp(age), 6) FROM people

SELECT region, sex, sum(age), avg(age) FROM people GROUP BY ROLLUP (region, sex) ORDER BY grouping(region, sex), 1, 2

SELECT region, avg(age) FROM people GROUP BY region HAVING avg(age) > 40 AND sum(visits) > 10 ORDER BY avg(age)

#: refused
SELECT region, avg(age) - (SELECT avg(age) FROM people) AS difference FROM people GROUP BY region ORDER BY 1

WITH a AS (SELECT region, avg(age) AS mean FROM people GROUP BY region) SELECT region, rank() OVER (ORDER BY mean) FROM a ORDER BY 2

SELECT sum(extract(hour FROM left_at)) FROM people WHERE left_at IS NOT NULL

#: refused
SELECT avg(length(ward)), sum(char_length(sex)) FROM people

SELECT age / 10 AS decade, sum(visits), avg(visits) FROM people GROUP BY 1 ORDER BY 1

SELECT sum(visits::bigint), avg(visits::bigint), sum(age::smallint), sum(age::numeric), avg(age::numeric) FROM people

SELECT region, sum(age) FROM people WHERE age BETWEEN 20 AND 40 AND sex = 'M' GROUP BY region ORDER BY 1

SELECT (avg(age))::int, avg(age)::numeric(6,2), sum(age)::text FROM people

#: refused
SELECT sum(age) OVER () FROM people

#: refused
SELECT sum(income) FROM people

#: refused
SELECT sum(DISTINCT age), avg(DISTINCT age) FROM people

SELECT avg(age) FROM people WHERE age > 200
