SELECT count(*) FROM people

SELECT COUNT(*) AS "Number of people" FROM public.people

SELECT count(1) FROM people

#: refused
SELECT count('x'), count(true), count(NULL) FROM people

SELECT count(age) FROM people

SELECT count(visits), count(illness), count(*) FROM people

SELECT count(ALL sex) FROM people

SELECT count(*) FILTER (WHERE age >= 65) AS seniors, count(*) AS n FROM people

SELECT count(visits) FILTER (WHERE sex = 'F') FROM people

SELECT count(DISTINCT region) FROM people

SELECT count(DISTINCT illness), count(*) FROM people

SELECT sex, count(DISTINCT region) FROM people GROUP BY sex ORDER BY sex

SELECT count(DISTINCT age) FILTER (WHERE sex = 'M') FROM people

SELECT count(DISTINCT visits) FROM people WHERE visits > 2

SELECT sum(CASE WHEN sex = 'F' THEN 1 ELSE 0 END) AS women FROM people

SELECT sum(CASE WHEN sex = 'F' THEN 1 END) AS women FROM people

SELECT sum(CASE sex WHEN 'F' THEN 1 ELSE 0 END) FROM people

SELECT sum(CASE WHEN sex = 'F' THEN 0 ELSE 1 END) FROM people

SELECT sum(CASE WHEN age < 18 THEN 1 WHEN age > 80 THEN 1 ELSE 0 END) FROM people

# A sum over no rows is zero: whether there are none is not told.
#: differs
SELECT sum(CASE WHEN sex = 'F' THEN 1 ELSE NULL END) FROM people WHERE age > 1000

SELECT sum((age > 50)::int) FROM people

SELECT sum((visits > 5)::int) FROM people

# A sum over no rows is zero: whether there are none is not told.
#: differs
SELECT sum((illness = 'flu')::integer) AS flu FROM people WHERE age > 1000

SELECT sum(CAST(active AS int)) FROM people

SELECT avg((age > 50)::int) FROM people

SELECT avg(CASE WHEN visits > 5 THEN 1 ELSE 0 END) FROM people

SELECT avg(CASE WHEN visits > 5 THEN 1.0 ELSE 0.0 END) FROM people

SELECT region, avg((sex = 'F')::int) FROM people GROUP BY region ORDER BY region

SELECT round(avg((active)::int), 3) FROM people

SELECT sum(1) FROM people

SELECT count(CASE WHEN age > 50 THEN 1 END) FROM people

SELECT count(CASE WHEN age > 50 THEN age END), count(CASE WHEN age > 50 THEN 1 ELSE NULL END) FROM people

SELECT count(nullif(sex, 'F')) FROM people

SELECT count(nullif(illness, '')) FROM people

SELECT count(coalesce(visits, 0)) FROM people

SELECT count(age > 50) FROM people

SELECT count(age > 50 OR NULL) FROM people

SELECT count(lower(illness)) FROM people

SELECT count(age + 1) FROM people

SELECT 100.0 * count(*) FILTER (WHERE sex = 'F') / nullif(count(*), 0) AS percent FROM people

SELECT count(*) * 2 + 1, -count(*), count(*)::text || ' people' FROM people

SELECT count(*)::float8 / 7, count(*)::numeric(10,2), count(*)::int2 FROM people

SELECT greatest(count(*), 10), coalesce(count(sex), 0), CASE WHEN count(*) > 100 THEN 'many' ELSE 'few' END FROM people

SELECT count(*) > 100 AS enough, count(*) BETWEEN 1 AND 1000, count(*) IN (1, 500) FROM people

SELECT 'all' AS label, count(*), NULL AS nothing, 1.5 AS n FROM people

SELECT count(*) FROM people HAVING count(*) > 100

SELECT count(*) FROM people HAVING count(*) > 100000

SELECT pg_typeof(count(*)) FROM people

SELECT ARRAY[count(*), count(sex)], ROW(count(*), 'x'), json_build_object('n', count(*)) FROM people

SELECT to_char(count(*), 'FM999,999') FROM people

SELECT count(*) FROM people WHERE false

SELECT count(*), count(*), count(*) AS again FROM people WHERE age < 10

SELECT count(*) FROM people AS p WHERE p.age = 5

SELECT pg_catalog.count(*) FROM people

SELECT "count"(*) FROM "public"."people" "P" WHERE "P"."age" > 3

SELECT count(people.age) FROM people

SELECT count(income), count(ratio), count(score), count(dose), count(token), count(label), count("Mixed Case") FROM people

SELECT count(*) c FROM people WINDOW w AS (ORDER BY 1)
