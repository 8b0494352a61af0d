-- What JDBC's DatabaseMetaData asks for.

-- getTables
SELECT NULL AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", c.relname AS "TABLE_NAME",
  CASE n.nspname ~ '^pg_' OR n.nspname = 'information_schema'
    WHEN true THEN CASE WHEN n.nspname = 'pg_catalog' THEN CASE c.relkind WHEN 'r' THEN 'SYSTEM TABLE' WHEN 'v' THEN 'SYSTEM VIEW' WHEN 'i' THEN 'SYSTEM INDEX' ELSE NULL END ELSE NULL END
    WHEN false THEN CASE c.relkind WHEN 'r' THEN 'TABLE' WHEN 'p' THEN 'PARTITIONED TABLE' WHEN 'i' THEN 'INDEX' WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE NULL END
    ELSE NULL END AS "TABLE_TYPE",
  d.description AS "REMARKS", '' AS "TYPE_CAT"
FROM pg_catalog.pg_namespace n, pg_catalog.pg_class c
LEFT JOIN pg_catalog.pg_description d ON (c.oid = d.objoid AND d.objsubid = 0 AND d.classoid = 'pg_class'::regclass)
WHERE c.relnamespace = n.oid AND n.nspname LIKE 'public' AND c.relkind IN ('r', 'p', 'v')
ORDER BY "TABLE_TYPE", "TABLE_SCHEM", "TABLE_NAME"

-- getColumns
SELECT * FROM (
  SELECT current_database() AS current_database, n.nspname, c.relname, a.attname, a.atttypid,
    a.attnotnull OR (t.typtype = 'd' AND t.typnotnull) AS attnotnull, a.atttypmod, a.attlen, t.typtypmod,
    row_number() OVER (PARTITION BY a.attrelid ORDER BY a.attnum) AS attnum,
    nullif(a.attidentity, '') AS attidentity, nullif(a.attgenerated, '') AS attgenerated,
    pg_catalog.pg_get_expr(def.adbin, def.adrelid) AS adsrc, dsc.description, t.typbasetype, t.typtype
  FROM pg_catalog.pg_namespace n
  JOIN pg_catalog.pg_class c ON (c.relnamespace = n.oid)
  JOIN pg_catalog.pg_attribute a ON (a.attrelid = c.oid)
  JOIN pg_catalog.pg_type t ON (a.atttypid = t.oid)
  LEFT JOIN pg_catalog.pg_attrdef def ON (a.attrelid = def.adrelid AND a.attnum = def.adnum)
  LEFT JOIN pg_catalog.pg_description dsc ON (c.oid = dsc.objoid AND a.attnum = dsc.objsubid)
  LEFT JOIN pg_catalog.pg_class dc ON (dc.oid = dsc.classoid AND dc.relname = 'pg_class')
  LEFT JOIN pg_catalog.pg_namespace dn ON (dc.relnamespace = dn.oid AND dn.nspname = 'pg_catalog')
  WHERE c.relkind IN ('r', 'p', 'v', 'f', 'm') AND a.attnum > 0 AND NOT a.attisdropped AND n.nspname LIKE 'public') c
WHERE true ORDER BY nspname, c.relname, attnum

-- getPrimaryKeys
SELECT result."TABLE_CAT", result."TABLE_SCHEM", result."TABLE_NAME", result."COLUMN_NAME", result."KEY_SEQ", result."PK_NAME"
FROM (SELECT NULL AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", ct.relname AS "TABLE_NAME", a.attname AS "COLUMN_NAME",
        (information_schema._pg_expandarray(i.indkey)).n AS "KEY_SEQ", ci.relname AS "PK_NAME",
        information_schema._pg_expandarray(i.indkey) AS "KEYS", a.attnum AS "A_ATTNUM"
      FROM pg_catalog.pg_class ct
      JOIN pg_catalog.pg_attribute a ON (ct.oid = a.attrelid)
      JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid)
      JOIN pg_catalog.pg_index i ON (a.attrelid = i.indrelid)
      JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)
      WHERE true AND n.nspname = 'public' AND ct.relname = 'people' AND i.indisprimary) result
WHERE result."A_ATTNUM" = (result."KEYS").x
ORDER BY result."TABLE_NAME", result."PK_NAME", result."KEY_SEQ"

-- getIndexInfo
-- masked: CARDINALITY, PAGES
SELECT tmp."TABLE_CAT", tmp."TABLE_SCHEM", tmp."TABLE_NAME", tmp."NON_UNIQUE", tmp."INDEX_QUALIFIER", tmp."INDEX_NAME", tmp."TYPE",
  tmp."ORDINAL_POSITION", trim(both '"' from pg_catalog.pg_get_indexdef(tmp."CI_OID", tmp."ORDINAL_POSITION", false)) AS "COLUMN_NAME",
  CASE tmp."AM_NAME" WHEN 'btree' THEN CASE tmp."I_INDOPTION"[tmp."ORDINAL_POSITION" - 1] & 1::smallint WHEN 1 THEN 'D' ELSE 'A' END ELSE NULL END AS "ASC_OR_DESC",
  tmp."CARDINALITY", tmp."PAGES", tmp."FILTER_CONDITION"
FROM (SELECT NULL AS "TABLE_CAT", n.nspname AS "TABLE_SCHEM", ct.relname AS "TABLE_NAME", NOT i.indisunique AS "NON_UNIQUE",
        NULL AS "INDEX_QUALIFIER", ci.relname AS "INDEX_NAME",
        CASE i.indisclustered WHEN true THEN 1 ELSE CASE am.amname WHEN 'hash' THEN 2 ELSE 3 END END AS "TYPE",
        (information_schema._pg_expandarray(i.indkey)).n AS "ORDINAL_POSITION",
        ci.reltuples AS "CARDINALITY", ci.relpages AS "PAGES",
        pg_catalog.pg_get_expr(i.indpred, i.indrelid) AS "FILTER_CONDITION",
        ci.oid AS "CI_OID", i.indoption AS "I_INDOPTION", am.amname AS "AM_NAME"
      FROM pg_catalog.pg_class ct
      JOIN pg_catalog.pg_namespace n ON (ct.relnamespace = n.oid)
      JOIN pg_catalog.pg_index i ON (ct.oid = i.indrelid)
      JOIN pg_catalog.pg_class ci ON (ci.oid = i.indexrelid)
      JOIN pg_catalog.pg_am am ON (ci.relam = am.oid)
      WHERE true AND n.nspname = 'public' AND ct.relname = 'people') AS tmp
ORDER BY "NON_UNIQUE", "TYPE", "INDEX_NAME", "ORDINAL_POSITION"

-- getImportedKeys
SELECT NULL::text AS "PKTABLE_CAT", pkn.nspname AS "PKTABLE_SCHEM", pkc.relname AS "PKTABLE_NAME", pka.attname AS "PKCOLUMN_NAME",
  fkn.nspname AS "FKTABLE_SCHEM", fkc.relname AS "FKTABLE_NAME", fka.attname AS "FKCOLUMN_NAME", pos.n AS "KEY_SEQ",
  CASE con.confupdtype WHEN 'c' THEN 0 WHEN 'n' THEN 2 WHEN 'd' THEN 4 WHEN 'r' THEN 1 WHEN 'p' THEN 1 WHEN 'a' THEN 3 ELSE NULL END AS "UPDATE_RULE",
  con.conname AS "FK_NAME", pkic.relname AS "PK_NAME"
FROM pg_catalog.pg_namespace pkn, pg_catalog.pg_class pkc, pg_catalog.pg_attribute pka, pg_catalog.pg_namespace fkn, pg_catalog.pg_class fkc,
  pg_catalog.pg_attribute fka, pg_catalog.pg_constraint con, pg_catalog.generate_series(1, 32) pos(n), pg_catalog.pg_class pkic
WHERE pkn.oid = pkc.relnamespace AND pkc.oid = pka.attrelid AND pka.attnum = con.confkey[pos.n] AND con.confrelid = pkc.oid
  AND fkn.oid = fkc.relnamespace AND fkc.oid = fka.attrelid AND fka.attnum = con.conkey[pos.n] AND con.conrelid = fkc.oid
  AND con.contype = 'f' AND (pkic.relkind = 'i' OR pkic.relkind = 'I') AND pkic.oid = con.conindid AND fkn.nspname = 'public'
ORDER BY pkn.nspname, pkc.relname, con.conname, pos.n

-- getSchemas
SELECT nspname AS "TABLE_SCHEM", NULL AS "TABLE_CATALOG" FROM pg_catalog.pg_namespace
WHERE nspname <> 'pg_toast' AND (nspname !~ '^pg_temp_' OR nspname = (pg_catalog.current_schemas(true))[1])
  AND (nspname !~ '^pg_toast_temp_' OR nspname = replace((pg_catalog.current_schemas(true))[1], 'pg_temp_', 'pg_toast_temp_'))
ORDER BY "TABLE_SCHEM"

-- type cache
SELECT n.nspname = ANY(current_schemas(true)), n.nspname, t.typname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON t.typnamespace = n.oid WHERE t.oid = 1700
