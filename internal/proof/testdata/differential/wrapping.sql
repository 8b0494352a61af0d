SELECT count(*) FROM (SELECT * FROM people) AS x

SELECT count(*) FROM (SELECT age FROM people WHERE age > 30) AS x WHERE x.age < 60

SELECT x.a, count(*) FROM (SELECT age AS a, region AS r FROM people) AS x WHERE r = 'north' GROUP BY x.a ORDER BY 1

SELECT a, count(*) FROM (SELECT age FROM people) AS x(a) GROUP BY a ORDER BY a

SELECT b, count(*) FROM (SELECT a AS b FROM (SELECT sex AS a FROM people) AS y) AS x GROUP BY b ORDER BY b

SELECT b, count(*) FROM (SELECT age / 10 AS b FROM people) AS x GROUP BY b ORDER BY b

SELECT b, count(*) FROM (SELECT CASE WHEN age < 18 THEN 'child' ELSE 'adult' END AS b FROM people) AS x GROUP BY b ORDER BY b

SELECT m, count(*) FROM (SELECT date_trunc('month', admitted) AS m FROM people) AS x GROUP BY m ORDER BY m

WITH x AS (SELECT * FROM people WHERE sex = 'F') SELECT region, count(*) FROM x GROUP BY region ORDER BY region

WITH x AS (SELECT region, age FROM people), y AS (SELECT region FROM x WHERE age > 30) SELECT region, count(*) FROM y GROUP BY 1 ORDER BY 1

WITH x(r, a) AS (SELECT region, age FROM people) SELECT r, count(*) FROM x WHERE a > 3 GROUP BY r ORDER BY r

WITH x AS (SELECT * FROM people) SELECT (SELECT count(*) FROM x), (SELECT count(*) FROM x WHERE age > 5)

WITH x AS MATERIALIZED (SELECT age FROM people) SELECT count(*) FROM x

SELECT x.region, x.n FROM (SELECT region, count(*) AS n FROM (SELECT region FROM people WHERE visits > 2) AS y GROUP BY region) AS x ORDER BY 1

SELECT count(x.visits) FROM (SELECT visits FROM people ORDER BY visits) AS x

SELECT count(*) FILTER (WHERE old) FROM (SELECT age > 65 AS old FROM people) AS x

SELECT sum(w) FROM (SELECT CASE WHEN sex = 'F' THEN 1 ELSE 0 END AS w FROM people) AS x

SELECT count(*) FROM (SELECT p.*, p.age + 1 AS next FROM people p) AS x WHERE next > 50

SELECT count(*) FROM (SELECT 1 FROM people) AS x

SELECT count(*) FROM (TABLE people) AS x

SELECT r.region, count(*) FROM people p JOIN regions r ON r.region = p.region GROUP BY r.region ORDER BY 1

SELECT r.country, count(*) FROM people p JOIN regions r USING (region) GROUP BY r.country ORDER BY 1

SELECT r.country, p.sex, count(*) FROM people p LEFT JOIN regions r ON p.region = r.region WHERE p.age > 20 GROUP BY 1, 2 ORDER BY 1, 2

#: refused
SELECT country, count(*) FROM people NATURAL JOIN regions GROUP BY country ORDER BY 1

SELECT country, count(*) FROM people, regions WHERE people.region = regions.region GROUP BY country ORDER BY 1

SELECT count(*) FROM people p INNER JOIN public.regions r ON (p.region = r.region AND r.country = 'A')

SELECT r.country, count(DISTINCT p.sex) FROM regions r JOIN people p ON p.region = r.region GROUP BY 1 ORDER BY 1

SELECT upper(r.country) AS c, count(*) FROM people p JOIN regions r USING (region) GROUP BY c ORDER BY c

SELECT count(*) FROM people p WHERE p.region IN (SELECT region FROM regions WHERE country = 'B')

#: refused
SELECT count(*) FROM people p WHERE EXISTS (SELECT 1 FROM regions r WHERE r.region = p.region AND r.country = 'B')

#: ties
SELECT region, sex, count(*) FROM people GROUP BY ROLLUP (region, sex) ORDER BY 1, 2

SELECT region, sex, count(*) FROM people GROUP BY CUBE (region, sex) ORDER BY 1, 2, 3

SELECT region, sex, count(*) FROM people GROUP BY GROUPING SETS ((region), (sex), ()) ORDER BY 1, 2

SELECT region, count(*), grouping(region) FROM people GROUP BY ROLLUP (region) ORDER BY 3, 1

SELECT coalesce(region, 'all') AS region, count(*) FROM people GROUP BY ROLLUP (region) ORDER BY grouping(region), region

SELECT region, sex, age > 50, count(*) FROM people GROUP BY region, ROLLUP (sex, age > 50) ORDER BY 1, 2, 3, 4

#: ties
SELECT region, sex, count(*) FROM people GROUP BY GROUPING SETS ((region, sex), (region)) HAVING count(*) > 20 ORDER BY 1, 2

SELECT region, count(*) FROM people GROUP BY GROUPING SETS (region, region) ORDER BY 1, 2

SELECT sex, visits, count(*), grouping(sex, visits) FROM people GROUP BY CUBE (sex, visits) ORDER BY 4, 1, 2
