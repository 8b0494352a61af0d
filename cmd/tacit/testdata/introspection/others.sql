-- Grafana
SELECT current_setting('server_version_num')::int/100 as version

SELECT extversion FROM pg_extension WHERE extname = 'timescaledb'

SELECT CASE WHEN quote_ident(table_schema) IN (SELECT CASE WHEN trim(s[i]) = '"$user"' THEN user ELSE trim(s[i]) END
    FROM generate_series(array_lower(string_to_array(current_setting('search_path'), ','), 1), array_upper(string_to_array(current_setting('search_path'), ','), 1)) AS i,
      string_to_array(current_setting('search_path'), ',') s)
  THEN quote_ident(table_name) ELSE quote_ident(table_schema) || '.' || quote_ident(table_name) END AS "table"
FROM information_schema.tables WHERE quote_ident(table_schema) NOT IN ('information_schema', 'pg_catalog') AND table_name = 'notes' ORDER BY 1

-- psqlODBC: SQLTables, SQLColumns, SQLStatistics
select oid, typbasetype from pg_type where typname = 'lo'

select relname, nspname, relkind from pg_catalog.pg_class c, pg_catalog.pg_namespace n where relkind in ('r', 'v', 'm', 'f', 'p') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast', 'pg_temp_1') and n.oid = relnamespace order by nspname, relname

select n.nspname, c.relname, a.attname, a.atttypid, t.typname, a.attnum, a.attlen, a.atttypmod, a.attnotnull, c.relhasrules, c.relkind, c.oid, pg_get_expr(d.adbin, d.adrelid), case t.typtype when 'd' then t.typbasetype else 0 end, t.typtypmod, 0, attidentity, c.relhassubclass
from (((pg_catalog.pg_class c inner join pg_catalog.pg_namespace n on n.oid = c.relnamespace and c.relname = 'notes' and n.nspname = 'public')
inner join pg_catalog.pg_attribute a on (not a.attisdropped) and a.attnum > 0 and a.attrelid = c.oid)
inner join pg_catalog.pg_type t on t.oid = a.atttypid) left outer join pg_attrdef d on a.atthasdef and d.adrelid = a.attrelid and d.adnum = a.attnum order by n.nspname, c.relname, attnum

select c.relname, i.indkey, i.indisunique, i.indisclustered, a.amname, c.relhasrules, n.nspname, c.oid, case when i.indexprs is null then 0 else 1 end, i.indoption, i.indpred is null
from pg_catalog.pg_index i, pg_catalog.pg_class c, pg_catalog.pg_class d, pg_catalog.pg_am a, pg_catalog.pg_namespace n
where d.relname = 'people' and n.nspname = 'public' and n.oid = d.relnamespace and d.oid = i.indrelid and i.indexrelid = c.oid and c.relam = a.oid order by i.indisprimary desc, i.indisunique, n.nspname, c.relname

-- DataGrip: system columns beside others, and beside a star
SELECT T.oid AS table_id, relname AS table_name, translate(relkind, 'rmvpfS', 'rmvpfS') AS table_kind, pg_catalog.pg_get_userbyid(T.relowner) AS owner, T.xmin AS table_state_number, pg_catalog.age(T.xmin) < 0 AS odd
FROM pg_catalog.pg_class T WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm', 'v', 'f', 'p') ORDER BY table_kind, table_id

-- masked: relpages, reltuples, relallvisible, relallfrozen
SELECT T.*, T.xmin, T.tableoid::regclass, (SELECT T.ctid IS NULL) FROM pg_class T WHERE T.relname = 'people'

select N.oid::bigint as id, datname as name, D.description, datistemplate as is_template, datallowconn as allow_connections, pg_catalog.pg_get_userbyid(N.datdba) as "owner"
from pg_catalog.pg_database N left join pg_catalog.pg_shdescription D on N.oid = D.objoid where N.datname = current_database()

-- pgAdmin: properties, statistics, dashboard
-- masked: reltuples, rows_cnt
SELECT rel.oid, rel.relname AS name, rel.relnamespace, rel.reltuples, rel.reltuples::bigint AS rows_cnt, spc.spcname, (SELECT count(*) FROM pg_catalog.pg_trigger WHERE tgrelid = rel.oid AND tgisinternal = FALSE) AS triggercount
FROM pg_catalog.pg_class rel LEFT OUTER JOIN pg_catalog.pg_tablespace spc ON spc.oid = rel.reltablespace WHERE rel.relname IN ('people', 'notes')

-- masked: Sequential scans, Tuples inserted, Last vacuum, Heap blocks hit, Table size, Indexes size
SELECT seq_scan AS "Sequential scans", n_tup_ins AS "Tuples inserted", last_vacuum AS "Last vacuum", heap_blks_hit AS "Heap blocks hit", stat.relname,
  pg_catalog.pg_size_pretty(pg_catalog.pg_relation_size(stat.relid)) AS "Table size",
  CASE WHEN cl.reltoastrelid = 0 THEN 'none' ELSE 'toast' END AS "Toast", pg_catalog.pg_size_pretty(pg_catalog.pg_indexes_size(stat.relid)) AS "Indexes size"
FROM pg_catalog.pg_stat_all_tables stat
JOIN pg_catalog.pg_statio_all_tables statio ON stat.relid = statio.relid
JOIN pg_catalog.pg_class cl ON cl.oid = stat.relid
WHERE stat.schemaname = 'public' ORDER BY stat.relname

-- rows differ
SELECT 'session_stats' AS chart_name, pg_catalog.row_to_json(t) AS chart_data
FROM (SELECT (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE datname = current_database()) AS "Total",
        (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE state = 'active') AS "Active") t
UNION ALL
SELECT 'tps_stats' AS chart_name, pg_catalog.row_to_json(t) AS chart_data
FROM (SELECT (SELECT sum(xact_commit) + sum(xact_rollback) FROM pg_catalog.pg_stat_database WHERE datname = current_database()) AS "Transactions") t

-- rows differ
SELECT pid, locktype, datname, relation::regclass, mode, granted FROM pg_locks l LEFT OUTER JOIN pg_catalog.pg_database d ON l.database = d.oid

-- pgcli
SELECT n.nspname schema_name, c.relname table_name FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = ANY('{r,p,f}') ORDER BY 1, 2

-- monitoring
-- masked: size
SELECT nspname || '.' || relname AS relation, pg_size_pretty(pg_total_relation_size(C.oid)) AS size FROM pg_class C LEFT JOIN pg_namespace N ON N.oid = C.relnamespace
WHERE nspname NOT IN ('pg_catalog', 'information_schema') AND C.relkind <> 'i' AND nspname !~ '^pg_toast' ORDER BY pg_total_relation_size(C.oid) DESC, 1

-- masked: sum, max
SELECT sum(pg_table_size(quote_ident(schemaname) || '.' || quote_ident(tablename))), max(pg_relation_size('public.people', 'fsm')) FROM pg_tables WHERE schemaname = 'public'

-- masked: pg_table_size, pg_size_pretty
SELECT pg_table_size('public.people'), pg_size_pretty(pg_relation_size('public.people')::numeric)

-- masked: n
SELECT t.n FROM pg_total_relation_size('public.people') AS t(n)

-- rows differ
SELECT blks_hit, xact_commit, datname FROM pg_stat_database ORDER BY datid

-- masked: xact_commit
SELECT datid, xact_commit, datname FROM pg_stat_database WHERE datname = current_database()

-- masked: idx_scan, idx_tup_read, idx_tup_fetch
SELECT * FROM pg_stat_user_indexes WHERE schemaname = 'public'

-- masked: idx_blks_read, idx_blks_hit
SELECT * FROM pg_statio_user_indexes WHERE schemaname = 'public'

-- masked: checkpoints_timed, checkpoints_req, checkpoint_write_time, checkpoint_sync_time, buffers_checkpoint, buffers_clean, maxwritten_clean, buffers_backend, buffers_backend_fsync, buffers_alloc, stats_reset
SELECT * FROM pg_stat_bgwriter

-- rows differ
SELECT * FROM pg_stat_replication

SELECT tablename, attname, null_frac FROM pg_stats WHERE schemaname = 'public' AND tablename = 'people' AND false
