SELECT region, count(*) FROM people GROUP BY region HAVING count(*) > 150 ORDER BY region

SELECT region, count(*) FROM people GROUP BY region HAVING count(*) FILTER (WHERE sex = 'F') > 40 ORDER BY region

SELECT region, count(*), rank() OVER (ORDER BY count(*) DESC) FROM people GROUP BY region ORDER BY 3, 1

SELECT region, count(*), sum(count(*)) OVER () AS total, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS percent FROM people GROUP BY region ORDER BY region

SELECT age, count(*), sum(count(*)) OVER (ORDER BY age) AS running FROM people GROUP BY age ORDER BY age

SELECT admitted, count(*), avg(count(*)) OVER (ORDER BY admitted ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM people GROUP BY admitted ORDER BY admitted

SELECT region, sex, count(*), count(*)::float / sum(count(*)) OVER (PARTITION BY region) FROM people GROUP BY region, sex ORDER BY region, sex

SELECT region, count(*), lag(count(*)) OVER w, lead(count(*)) OVER w FROM people GROUP BY region WINDOW w AS (ORDER BY region) ORDER BY region

SELECT region, count(*), ntile(2) OVER (ORDER BY count(*), region) FROM people GROUP BY region ORDER BY region

SELECT age, count(*), row_number() OVER (ORDER BY count(*) DESC, age) AS place FROM people GROUP BY age ORDER BY place LIMIT 10 OFFSET 5

SELECT * FROM (SELECT age, count(*) AS n, dense_rank() OVER (ORDER BY count(*) DESC) AS place FROM people GROUP BY age) AS x WHERE place <= 3 ORDER BY place, age

SELECT region, count(*) FROM people GROUP BY region ORDER BY count(*) DESC, region FETCH FIRST 2 ROWS ONLY

SELECT region, count(*) AS n FROM people GROUP BY region ORDER BY n DESC, region FETCH FIRST 1 ROW WITH TIES

SELECT region, count(*) FROM people GROUP BY region ORDER BY CASE region WHEN 'south' THEN 0 ELSE 1 END, region

SELECT region, count(*) FROM people GROUP BY region ORDER BY length(region), region DESC

SELECT max(n), min(n), avg(n), sum(n), stddev(n) FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS x

SELECT avg(c) FROM (SELECT count(*) AS c FROM people GROUP BY age) AS x

SELECT string_agg(region || '=' || n, ', ' ORDER BY region) FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS x

SELECT json_agg(x ORDER BY x.region) FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS x

SELECT array_agg(n ORDER BY region) FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS x

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM (SELECT count(*) AS n FROM people GROUP BY age) AS x

WITH c AS (SELECT region, count(*) AS n FROM people GROUP BY region) SELECT * FROM c ORDER BY region

WITH c AS (SELECT region, count(*) AS n FROM people GROUP BY region), t AS (SELECT sum(n) AS total FROM c) SELECT region, n, n / total FROM c, t ORDER BY region

WITH c(r, n) AS NOT MATERIALIZED (SELECT region, count(*) FROM people GROUP BY region) SELECT a.r, b.r, a.n - b.n FROM c a JOIN c b ON a.r < b.r ORDER BY 1, 2

WITH f AS (SELECT region, count(*) AS n FROM people WHERE sex = 'F' GROUP BY region), m AS (SELECT region, count(*) AS n FROM people WHERE sex = 'M' GROUP BY region) SELECT region, f.n, m.n, f.n::numeric / m.n FROM f FULL JOIN m USING (region) ORDER BY region

WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT i, (SELECT count(*) FROM people WHERE age > 90) FROM r ORDER BY i

SELECT c.region, c.n, t.target, c.n - t.target AS missing FROM (SELECT region, count(*) AS n FROM people GROUP BY region) AS c LEFT JOIN targets t ON t.region = c.region ORDER BY 1

SELECT r.country, sum(c.n) FROM regions r JOIN (SELECT region, count(*) AS n FROM people GROUP BY region) c USING (region) GROUP BY r.country ORDER BY 1

SELECT r.region, coalesce(c.n, 0) FROM regions r LEFT JOIN (SELECT region, count(*) AS n FROM people GROUP BY region) c ON c.region = r.region ORDER BY 1

SELECT n.note, c.count FROM notes n NATURAL JOIN (SELECT region, count(*) FROM people GROUP BY region) c ORDER BY 1

SELECT 'people' AS what, count(*) FROM people UNION ALL SELECT 'members', count(*) FROM members ORDER BY 1

SELECT region, count(*) FROM people GROUP BY region UNION ALL SELECT 'total', count(*) FROM people ORDER BY 1

SELECT region, count(*) FROM people WHERE sex = 'F' GROUP BY region UNION SELECT region, target FROM targets ORDER BY 1, 2

(SELECT region, count(*) FROM people GROUP BY region ORDER BY 2 DESC, 1 LIMIT 1) UNION ALL (SELECT region, count(*) FROM people GROUP BY region ORDER BY 2, 1 LIMIT 1)

SELECT region FROM regions EXCEPT SELECT region FROM people GROUP BY region HAVING count(*) > 0

SELECT region FROM regions WHERE region IN (SELECT region FROM people GROUP BY region HAVING count(*) > 100) ORDER BY 1

SELECT (SELECT count(*) FROM people WHERE sex = 'F') AS f, (SELECT count(*) FROM people WHERE sex = 'M') AS m

SELECT region, (SELECT count(*) FROM people) AS everyone FROM regions ORDER BY region

SELECT * FROM notes WHERE n < (SELECT count(*) FROM people) ORDER BY n

SELECT CASE WHEN (SELECT count(*) FROM people) > 10 THEN 'open' ELSE 'closed' END AS state

SELECT EXISTS (SELECT region, count(*) FROM people GROUP BY region HAVING count(*) > 100)

VALUES ('people', (SELECT count(*) FROM people)), ('members', (SELECT count(*) FROM members))

SELECT generate_series(1, 3), count(*) FROM people

SELECT region, count(*), now() IS NOT NULL FROM people GROUP BY region ORDER BY 1

CREATE TEMP TABLE kept AS SELECT region, count(*) AS n FROM people GROUP BY region

CREATE TABLE ana.kept (r, n) AS SELECT region, count(*) FROM people GROUP BY region WITH NO DATA

SELECT region, count(*) AS n INTO TEMP kept FROM people GROUP BY region

INSERT INTO targets (region, target) SELECT region, count(*) FROM people GROUP BY region

INSERT INTO targets (region, target) VALUES ('north', (SELECT count(*) FROM people WHERE region = 'north')) RETURNING target

UPDATE targets SET target = c.n FROM (SELECT region, count(*) AS n FROM people GROUP BY region) c WHERE c.region = targets.region

DELETE FROM targets WHERE target < (SELECT count(*) FROM people WHERE region = 'north')

WITH c AS (SELECT region, count(*) AS n FROM people GROUP BY region) INSERT INTO targets (region, target) SELECT * FROM c RETURNING region

EXPLAIN SELECT 1

SELECT x.region FROM (SELECT region, count(*) FROM people GROUP BY region) AS x (region, n) WHERE n > 3 ORDER BY n DESC, 1 OFFSET 1

SELECT l.device, count(*) FROM logins l GROUP BY l.device ORDER BY 1

SELECT region, count(*) FROM people GROUP BY region ORDER BY region USING >

SELECT d.day, coalesce(c.n, 0) FROM calendar d LEFT JOIN (SELECT admitted, count(*) AS n FROM people GROUP BY admitted) c ON c.admitted = d.day ORDER BY 1

SELECT sum(n) FILTER (WHERE holiday) FROM calendar JOIN (SELECT admitted AS day, count(*) AS n FROM people GROUP BY 1) c USING (day)

#: refused
SELECT region, count(*), grouping(region) FROM people GROUP BY region ORDER BY 1

CREATE TEMP TABLE ours AS SELECT 'north' AS region, 7 AS n
;
SELECT ours.n, c.count FROM ours JOIN (SELECT region, count(*) FROM people GROUP BY region) c USING (region)

CREATE TEMP VIEW v AS SELECT region FROM regions
;
SELECT v.region, c.count FROM v LEFT JOIN (SELECT region, count(*) FROM people GROUP BY region) c USING (region) ORDER BY 1

SET LOCAL TimeZone = 'Asia/Tokyo'
;
SELECT seen, count(*) FROM people GROUP BY seen ORDER BY seen

SET LOCAL DateStyle = 'German, DMY'
;
SELECT admitted, count(*) FROM people GROUP BY admitted ORDER BY admitted LIMIT 3

SET LOCAL extra_float_digits = -10
;
SELECT score, dose, count(*) FROM people GROUP BY score, dose ORDER BY score, dose

SET LOCAL search_path = pg_catalog
;
SELECT region, count(*) FROM public.people GROUP BY region ORDER BY 1

CREATE TEMP TABLE people AS SELECT 'hidden' AS region
;
SELECT region, count(*) FROM public.people GROUP BY region ORDER BY 1

CREATE TEMP TABLE people AS SELECT 'hidden' AS region
;
SELECT region, count(*) FROM pg_temp.people GROUP BY region
