# Metabase
SELECT "public"."people"."region" AS "region", COUNT(*) AS "count" FROM "public"."people" GROUP BY "public"."people"."region" ORDER BY "public"."people"."region" ASC

SELECT CAST("public"."people"."admitted" AS date) AS "admitted", COUNT(*) AS "count" FROM "public"."people" GROUP BY CAST("public"."people"."admitted" AS date) ORDER BY CAST("public"."people"."admitted" AS date) ASC

SELECT DATE_TRUNC('month', "public"."people"."admitted") AS "admitted", COUNT(*) AS "count"
FROM "public"."people"
WHERE "public"."people"."admitted" >= timestamp with time zone '2024-01-01 00:00:00.000Z'
GROUP BY DATE_TRUNC('month', "public"."people"."admitted")
ORDER BY DATE_TRUNC('month', "public"."people"."admitted") ASC

SELECT "source"."region" AS "region", COUNT(*) AS "count"
FROM (SELECT "public"."people"."region" AS "region", "public"."people"."age" AS "age" FROM "public"."people" WHERE "public"."people"."age" > 18) AS "source"
GROUP BY "source"."region" ORDER BY "source"."region" ASC

SELECT COUNT(distinct "public"."people"."region") AS "count" FROM "public"."people"

# Trailing zeros of a numeric that is computed are not kept.
#: differs
SELECT (CAST(FLOOR((("public"."people"."age" - 0.0) / 10.0)) AS integer) * 10.0) + 0.0 AS "age", COUNT(*) AS "count"
FROM "public"."people" GROUP BY (CAST(FLOOR((("public"."people"."age" - 0.0) / 10.0)) AS integer) * 10.0) + 0.0
ORDER BY (CAST(FLOOR((("public"."people"."age" - 0.0) / 10.0)) AS integer) * 10.0) + 0.0 ASC

# Trailing zeros of a numeric that is computed are not kept.
#: differs
SELECT SUM(CASE WHEN "public"."people"."sex" = 'F' THEN 1 ELSE 0.0 END) AS "count-where" FROM "public"."people"

SELECT CAST(SUM(CASE WHEN "public"."people"."age" > 30 THEN 1 ELSE 0.0 END) AS float) / NULLIF(CAST(COUNT(*) AS float), 0.0) AS "share" FROM "public"."people"

SELECT CAST(extract(dow from "public"."people"."admitted") AS integer) + 1 AS "admitted", COUNT(*) AS "count" FROM "public"."people" GROUP BY CAST(extract(dow from "public"."people"."admitted") AS integer) + 1 ORDER BY 1

# Tableau
SELECT CAST("people"."region" AS TEXT) AS "region", COUNT(1) AS "cnt:people:ok" FROM "public"."people" "people" GROUP BY 1 ORDER BY 1

SELECT "people"."region" AS "region", SUM(1) AS "sum:Number of Records:ok" FROM "public"."people" "people" GROUP BY 1 ORDER BY 1

SELECT DATE_TRUNC('QUARTER', CAST("people"."admitted" AS TIMESTAMP)) AS "tqr:admitted:ok", SUM(1) AS "sum:Number of Records:ok" FROM "public"."people" "people" GROUP BY 1 ORDER BY 1

SELECT CAST(EXTRACT(YEAR FROM "people"."admitted") AS BIGINT) AS "yr:admitted:ok", COUNT(*) AS "n" FROM "public"."people" "people" WHERE ((CAST("people"."region" AS TEXT) IN ('north', 'south')) AND ("people"."age" >= 18)) GROUP BY 1 ORDER BY 1

SELECT "t0"."region" AS "region", "t0"."n" AS "n" FROM (SELECT "people"."region" AS "region", COUNT(*) AS "n" FROM "public"."people" "people" GROUP BY 1) "t0" INNER JOIN (SELECT "people"."region" AS "region", COUNT(*) AS "r" FROM "public"."people" "people" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 2) "t1" ON ("t0"."region" = "t1"."region") ORDER BY 1

SELECT "Custom SQL Query"."region" AS "region", COUNT(*) AS "n" FROM (
  SELECT * FROM people
) "Custom SQL Query" GROUP BY 1 ORDER BY 1

SELECT "Custom SQL Query"."region", COUNT(DISTINCT "Custom SQL Query"."sex") FROM (SELECT region, sex FROM people WHERE age > 5) "Custom SQL Query" GROUP BY 1 HAVING (COUNT(1) > 0) ORDER BY 1

# Power BI
select "rows"."region" as "region", count(*) as "a0" from (select "_"."region", "_"."sex", "_"."age" from "public"."people" "_" where "_"."age" > 17) "rows" group by "region" order by 1

select "region", count(1) as "a0" from (select "t"."region" as "region" from (select "$Table"."region" as "region", "$Table"."sex" as "sex" from "public"."people" "$Table") "t" where "t"."sex" = 'F') "basetable0" group by "region" order by 1 limit 1000001

select count(*) as "a0" from (select "$Table"."region" as "region" from "public"."people" "$Table" where ("$Table"."region" = 'north' and "$Table"."region" is not null)) "rows"

# Superset
SELECT region AS region, count(*) AS count FROM public.people GROUP BY region ORDER BY count DESC LIMIT 10000

SELECT DATE_TRUNC('month', admitted) AS __timestamp, count(*) AS count FROM public.people WHERE admitted >= TO_DATE('2024-01-01', 'YYYY-MM-DD') AND admitted < TO_DATE('2025-01-01', 'YYYY-MM-DD') GROUP BY DATE_TRUNC('month', admitted) ORDER BY 1 LIMIT 50000

SELECT region AS region, COUNT(*) AS "COUNT(*)", COUNT(DISTINCT sex) AS "COUNT_DISTINCT(sex)" FROM (SELECT * FROM people WHERE age > 20) AS virtual_table GROUP BY region ORDER BY "COUNT(*)" DESC, region LIMIT 100

SELECT CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END AS grp, COUNT(*) AS n FROM public.people WHERE ((region IN ('north'))) GROUP BY CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END ORDER BY n DESC LIMIT 100

# Looker
SELECT people.region AS "people.region", COUNT(*) AS "people.count" FROM public.people AS people GROUP BY 1 ORDER BY 2 DESC, 1 FETCH NEXT 500 ROWS ONLY

WITH people AS (SELECT * FROM public.people WHERE age > 10) SELECT people.region AS "people.region", COUNT(*) AS "people.count" FROM people GROUP BY 1 ORDER BY 2 DESC, 1 FETCH NEXT 500 ROWS ONLY

SELECT (DATE(people.admitted)) AS "people.admitted_date", COUNT(CASE WHEN people.sex = 'F' THEN 1 ELSE NULL END) AS "people.women" FROM public.people AS people WHERE ((people.admitted) >= (DATE '2024-02-01') AND (people.admitted) < (DATE '2024-03-01')) GROUP BY 1 ORDER BY 1 DESC FETCH NEXT 500 ROWS ONLY

SELECT (TO_CHAR(DATE_TRUNC('month', people.admitted), 'YYYY-MM')) AS "people.admitted_month", COUNT(*) AS "people.count" FROM public.people AS people GROUP BY (DATE_TRUNC('month', people.admitted)) ORDER BY 1 DESC FETCH NEXT 500 ROWS ONLY

# Grafana
SELECT date_trunc('day', admitted) AS time, count(*) AS value FROM people WHERE admitted BETWEEN '2024-01-01T00:00:00Z' AND '2024-12-31T23:59:59Z' GROUP BY 1 ORDER BY 1

SELECT floor(extract(epoch from admitted) / 604800) * 604800 AS "time", count(*) AS "n" FROM people GROUP BY time ORDER BY time

# SQLAlchemy and pandas
SELECT count(*) AS count_1 FROM people WHERE people.age > 30

SELECT anon_1.region, anon_1.n FROM (SELECT people.region AS region, count(people.age) AS n FROM people GROUP BY people.region) AS anon_1 WHERE anon_1.n > 10 ORDER BY anon_1.region

SELECT count(*) AS count_1 FROM (SELECT people.region AS people_region, people.age AS people_age FROM people WHERE people.sex = 'F') AS anon_1

# Django
SELECT COUNT(*) AS "__count" FROM "people" WHERE "people"."age" >= 18

SELECT "people"."region", COUNT("people"."age") AS "n" FROM "people" GROUP BY "people"."region" ORDER BY "n" DESC

SELECT COUNT(*) FROM (SELECT "people"."region" AS "col1" FROM "people" WHERE "people"."visits" IS NULL) subquery

# Rails
SELECT COUNT(*) AS "count_all", "people"."region" AS "people_region" FROM "people" GROUP BY "people"."region"

# dbt tests
select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error from (select age from people where age is null) dbt_internal_test

# dplyr
SELECT "region", COUNT(*) AS "n" FROM "people" GROUP BY "region" ORDER BY "n" DESC, "region"

SELECT "region", SUM(CASE WHEN ("age" > 65.0) THEN 1 WHEN NOT ("age" > 65.0) THEN 0 END) AS "old" FROM (SELECT "region", "age" FROM "people") "q01" GROUP BY "region" ORDER BY 1

SELECT "q01".*, "n" / SUM("n") OVER () AS "share" FROM (SELECT "region", COUNT(*) AS "n" FROM "people" GROUP BY "region") "q01" ORDER BY 1

# Cube, which sets the session's time zone to UTC, and shows times in the zone of the query
SELECT "people".region "people__region", count(CASE WHEN ("people".sex = 'F') THEN 1 END) "people__women", 1.0 * count(CASE WHEN ("people".sex = 'F') THEN 1 END) / NULLIF(count(*), 0) "people__share"
FROM public.people AS "people" GROUP BY 1 ORDER BY 1 LIMIT 10000

SET LOCAL TimeZone = 'UTC'
;
SELECT date_trunc('month', ("people".admitted::timestamptz AT TIME ZONE 'UTC')) "people__admitted_month", count(*) "people__count"
FROM public.people AS "people" WHERE ("people".admitted >= '2024-02-01T00:00:00.000Z'::timestamptz AND "people".admitted <= '2024-11-30T23:59:59.999Z'::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000

SET LOCAL TimeZone = 'UTC'
;
SELECT date_trunc('day', ("people".admitted::timestamptz AT TIME ZONE 'America/New_York')) "people__admitted_day", count(*) "people__count"
FROM public.people AS "people" WHERE ("people".admitted >= '2024-03-01T05:00:00.000Z'::timestamptz AND "people".admitted <= '2024-03-20T04:59:59.999Z'::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000

SET LOCAL TimeZone = 'UTC'
;
SELECT date_trunc('hour', ("people".left_at::timestamptz AT TIME ZONE 'UTC')) "people__left_at_hour", count(*) "people__count"
FROM public.people AS "people" WHERE ("people".left_at >= '2024-02-29T00:00:00.000Z'::timestamptz AND "people".left_at <= '2024-02-29T23:59:59.999Z'::timestamptz) GROUP BY 1 ORDER BY 1 ASC LIMIT 10000

SELECT "people".illness "people__illness", count(*) "people__count" FROM public.people AS "people" WHERE ("people".illness ILIKE '%' || 'fl' || '%') GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10000

select count(*) "total_count" from (
SELECT "people".region "people__region", count(*) "people__count" FROM public.people AS "people" GROUP BY 1
) "original_query"

# Evidence, which counts the rows of a query before it reads them
WITH root as (SELECT date_trunc('month', admitted) AS month, count(*) AS n FROM people WHERE admitted >= '2024-01-01' AND admitted < '2025-01-01' GROUP BY 1 ORDER BY 1
) SELECT COUNT(*) as rows FROM root

# LibreOffice Base, which asks a query without rows for its columns, and puts its filter into one that has WHERE
SELECT "region", COUNT( * ) "n", SUM( CASE WHEN "sex" = 'F' THEN 1 ELSE 0 END ) "women" FROM "public"."people" WHERE ( 0 = 1 ) GROUP BY "region"

SELECT "region", COUNT( * ) "n", SUM( CASE WHEN "sex" = 'F' THEN 1 ELSE 0 END ) "women" FROM "public"."people" GROUP BY "region" ORDER BY "region"
