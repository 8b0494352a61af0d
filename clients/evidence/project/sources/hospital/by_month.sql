SELECT date_trunc('month', admitted)::date AS month, count(*) AS n FROM people WHERE age >= 59 AND admitted >= '2024-01-01' AND admitted < '2025-01-01' GROUP BY 1 ORDER BY 1
