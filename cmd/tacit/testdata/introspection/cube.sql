-- Cube 1.7.43
SELECT
            t.oid,
            CASE
                WHEN t.typcategory = 'E' THEN 'varchar'
                WHEN t.typcategory = 'A' THEN 'text'
                ELSE t.typname
            END AS typname
        FROM
            pg_type t
        WHERE
            t.typcategory in ('U', 'E')
            OR (
                t.typcategory = 'A'
                AND NOT EXISTS (
                    SELECT 1
                    FROM pg_type e
                    JOIN pg_class c ON c.oid = e.typrelid
                    WHERE e.oid = t.typelem AND e.typtype = 'c' AND c.relkind <> 'c'
                )
            )

-- shows: "age", "people", "public", "integer"; "illness", "people", "public", "text"; "region", "people", "public", "text"; "sex", "people", "public", "character varying"
SELECT columns.column_name as "column_name",
             columns.table_name as "table_name",
             columns.table_schema as "table_schema",
             columns.data_type as "data_type"
      FROM information_schema.columns
      WHERE columns.table_schema NOT IN ('pg_catalog', 'information_schema', 'mysql', 'performance_schema', 'sys', 'INFORMATION_SCHEMA') AND table_name = 'people'

-- Only the owner of a table sees its keys there.
-- rows differ
SELECT
      columns.table_schema as "table_schema",
      columns.table_name as "table_name",
      columns.column_name as "column_name"
    FROM information_schema.table_constraints tc
    JOIN information_schema.constraint_column_usage AS ccu USING (constraint_schema, constraint_name)
    JOIN information_schema.columns AS columns ON columns.table_schema = tc.constraint_schema
      AND tc.table_name = columns.table_name AND ccu.column_name = columns.column_name
    WHERE constraint_type = 'PRIMARY KEY' AND columns.table_schema NOT IN ('pg_catalog', 'information_schema', 'mysql', 'performance_schema', 'sys', 'INFORMATION_SCHEMA')

-- Only the owner of a table sees its keys there.
-- rows differ
SELECT
        tc.table_schema as "table_schema",
        tc.table_name as "table_name",
        kcu.column_name as "column_name",
        columns.table_name as "target_table",
        columns.column_name as "target_column"
      FROM
        information_schema.table_constraints AS tc
      JOIN information_schema.key_column_usage AS kcu
        ON tc.constraint_name = kcu.constraint_name
      JOIN information_schema.constraint_column_usage AS columns
        ON columns.constraint_name = tc.constraint_name
      WHERE
         constraint_type = 'FOREIGN KEY'
         AND columns.table_schema NOT IN ('pg_catalog', 'information_schema', 'mysql', 'performance_schema', 'sys', 'INFORMATION_SCHEMA')

SELECT table_schema as "schema_name",
            table_name as "table_name"
      FROM information_schema.tables as columns
      WHERE table_schema IN ('public') AND table_name = 'people'

-- refused
SELECT
      "people".region "people__region", "people".age "people__age"
    FROM
      public.people AS "people"  LIMIT 10000

-- refused
SELECT * FROM (SELECT * FROM public.people) AS t LIMIT 1000
