-- Tableau 2023.2 and 2025.3, by logs in reports on other servers: what it may do when it connects, then a table's columns and preview.
-- simple
CREATE LOCAL TEMPORARY TABLE "#Tableau_1_Connect_Check" ("COL" INTEGER) ON COMMIT PRESERVE ROWS; DROP TABLE "#Tableau_1_Connect_Check"

-- simple
SELECT * INTO TEMPORARY TABLE "#Tableau_2_Connect_Check" FROM (SELECT 1 AS COL) AS CHECKTEMP; DROP TABLE "#Tableau_2_Connect_Check"

SELECT "SUBCOL" AS "COL" FROM (SELECT 1 AS "SUBCOL") "SUBQUERY" GROUP BY 1

SELECT "people"."region" AS "region", "people"."age" AS "age" FROM "public"."people" "people" LIMIT 0

-- refused
SELECT "people"."region" AS "region", "people"."age" AS "age" FROM "public"."people" "people" LIMIT 100
