SELECT age / 10 * 10 AS age, count(*) AS n, avg(age) AS mean FROM people WHERE region <> 'east' GROUP BY 1 ORDER BY 1
