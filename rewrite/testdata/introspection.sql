# The planner's estimates.
SELECT relname, reltuples FROM pg_class
----
masked: SELECT relname, reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

SELECT * FROM pg_catalog.pg_class AS c WHERE c.oid = 1
----
masked: SELECT * FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) c WHERE c.oid = 1

SELECT c.relname FROM pg_class c
----
relay

SELECT relname, count(*) FROM pg_class GROUP BY relname
----
relay

TABLE pg_class
----
masked: SELECT * FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

SELECT pg_catalog.pg_class.relpages FROM pg_catalog.pg_class
----
masked: SELECT pg_class.relpages FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

SELECT c.*, c.xmin, c.tableoid::regclass FROM pg_class c(o, n)
----
masked: SELECT c.*, (SELECT tacit_class.xmin FROM pg_catalog.pg_class tacit_class WHERE tacit_class.oid OPERATOR(pg_catalog.=) c.oid), (SELECT tacit_class.tableoid FROM pg_catalog.pg_class tacit_class WHERE tacit_class.oid OPERATOR(pg_catalog.=) c.oid)::regclass FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) c(o, n)

WITH pg_class AS (SELECT 1 AS reltuples) SELECT reltuples FROM pg_class
----
relay

WITH x AS (SELECT * FROM pg_class) SELECT * FROM mine.pg_class, x
----
masked: WITH x AS (SELECT * FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class) SELECT * FROM mine.pg_class, x

INSERT INTO mine SELECT relname, relpages FROM pg_class
----
masked: INSERT INTO mine SELECT relname, relpages FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

CREATE TABLE kept AS SELECT reltuples FROM pg_class
----
masked: CREATE TABLE kept AS SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

CREATE VIEW kept AS SELECT reltuples FROM pg_class
----
relay

PREPARE q AS SELECT reltuples FROM pg_class WHERE relname = $1
----
masked: PREPARE q AS SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class WHERE relname = $1

EXPLAIN SELECT reltuples FROM pg_class
----
masked: EXPLAIN SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

COPY (SELECT reltuples FROM pg_class) TO STDOUT
----
masked: COPY (SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class) TO STDOUT

DECLARE c CURSOR FOR SELECT reltuples FROM pg_class
----
masked: DECLARE c CURSOR FOR SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class

DEALLOCATE q; SELECT reltuples FROM pg_class; SELECT 'members'
----
masked: DEALLOCATE q; SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class; SELECT 'members'

# A string names no table.
SELECT reltuples FROM pg_class WHERE oid = 'members'::regclass
----
masked: SELECT reltuples FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class WHERE oid = 'members'::regclass

# Sizes and counters: the name of the column stays, and so do parameters and aggregates.
SELECT pg_relation_size(oid), pg_relation_size(oid)::text, pg_relation_size(oid) AS n, pg_size_pretty(pg_relation_size(oid)) FROM pg_class
----
masked: SELECT CASE WHEN oid IS NULL THEN NULL::bigint END AS pg_relation_size, CASE WHEN oid IS NULL THEN NULL::bigint END::text AS pg_relation_size, CASE WHEN oid IS NULL THEN NULL::bigint END AS n, pg_size_pretty(CASE WHEN oid IS NULL THEN NULL::bigint END) FROM pg_class

SELECT pg_relation_size($1), pg_relation_size($2::regclass, 'fsm'), 1 + pg_catalog.pg_relation_size(relation => 'x') FROM mine
----
masked: SELECT CASE WHEN $1::pg_catalog.regclass IS NULL THEN NULL::bigint END AS pg_relation_size, CASE WHEN $2::regclass IS NULL OR 'fsm' IS NULL THEN NULL::bigint END AS pg_relation_size, 1 + CASE WHEN 'x' IS NULL THEN NULL::bigint END FROM mine

SELECT pg_relation_size(max(oid)::regclass) FROM mine ORDER BY pg_relation_size(max(oid)::regclass)
----
masked: SELECT CASE WHEN max(oid)::regclass IS NULL THEN NULL::bigint END AS pg_relation_size FROM mine ORDER BY CASE WHEN max(oid)::regclass IS NULL THEN NULL::bigint END

SELECT pg_stat_get_mod_time(), (SELECT pg_stat_get_numscans(1)), mine.pg_relation_size('x')
----
masked: SELECT NULL::timestamp with time zone AS pg_stat_get_mod_time, (SELECT CASE WHEN 1 IS NULL THEN NULL::bigint END AS pg_stat_get_numscans), mine.pg_relation_size('x')

SELECT * FROM pg_relation_size('mine') AS s, pg_lock_status(), pg_stat_get_wal() AS w(b), ROWS FROM (pg_relation_size('mine'))
----
masked: SELECT * FROM LATERAL (SELECT CASE WHEN 'mine' IS NULL THEN NULL::bigint END AS s) s, LATERAL (SELECT NULL::pg_catalog.text AS locktype, NULL::int AS pid WHERE false) pg_lock_status, LATERAL (SELECT NULL::numeric AS wal_bytes) w(b), LATERAL (SELECT CASE WHEN 'mine' IS NULL THEN NULL::bigint END AS pg_relation_size) pg_relation_size

UPDATE mine SET n = pg_relation_size('mine') RETURNING pg_relation_size('mine')
----
masked: UPDATE mine SET n = CASE WHEN 'mine' IS NULL THEN NULL::bigint END RETURNING CASE WHEN 'mine' IS NULL THEN NULL::bigint END AS pg_relation_size

# Views that call them.
SELECT * FROM pg_stat_user_tables
----
masked: SELECT * FROM (SELECT pg_stat_all_tables.relid, pg_stat_all_tables.seq_scan FROM (SELECT c.oid AS relid, CASE WHEN c.oid IS NULL THEN NULL::bigint END AS seq_scan FROM pg_catalog.pg_class c WHERE c.relkind = ANY(ARRAY['r'::"char"])) pg_stat_all_tables WHERE pg_stat_all_tables.relid > '16383'::oid) pg_stat_user_tables

SELECT t.seq_scan, pg_locks.pid FROM pg_catalog.pg_stat_all_tables AS t, pg_locks
----
masked: SELECT t.seq_scan, pg_locks.pid FROM (SELECT c.oid AS relid, CASE WHEN c.oid IS NULL THEN NULL::bigint END AS seq_scan FROM pg_catalog.pg_class c WHERE c.relkind = ANY(ARRAY['r'::"char"])) t, (SELECT l.locktype, l.pid FROM LATERAL (SELECT NULL::pg_catalog.text AS locktype, NULL::int AS pid WHERE false) l(locktype, pid)) pg_locks

SELECT tablename FROM pg_tables
----
relay

# What cannot be read is relayed, and so is what only looks like it.
SELECT 1_0x FROM FROM pg_stat_user_tables
----
relay

SELECT 'pg_stat_user_tables', "reltuples" FROM mine
----
relay

# Beside counts.
SELECT (SELECT count(*) FROM members), EXISTS (SELECT seq_scan FROM pg_stat_user_tables WHERE relid = 0)
----
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT (SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")), EXISTS (SELECT seq_scan FROM (SELECT pg_stat_all_tables.relid, pg_stat_all_tables.seq_scan FROM (SELECT c.oid AS relid, CASE WHEN c.oid IS NULL THEN NULL::bigint END AS seq_scan FROM pg_catalog.pg_class c WHERE c.relkind = ANY(ARRAY['r'::"char"])) pg_stat_all_tables WHERE pg_stat_all_tables.relid > '16383'::oid) pg_stat_user_tables WHERE relid = 0)
