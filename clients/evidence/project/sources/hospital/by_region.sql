SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST
