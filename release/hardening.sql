-- Separates the analysts of a tacit policy from its protected tables.
--
-- Run it with psql as a superuser in the protected database, where the tables exist. It may be run again at any time: after a
-- change of the policy, after new tables or extensions, after a restore or an upgrade of the server. It makes the roles that are
-- missing, without passwords: give them some (psql: \password NAME) or another way to log in (pg_hba.conf).
--
-- What it takes from PUBLIC it takes from every role of this database, because PostgreSQL cannot deny a single role what all may
-- do. A role that needs some of it back, such as one for monitoring, gets it by membership in pg_monitor. Without the proxy, psql's
-- \dt+, \di+, \l+{{if .SizeHidden}}, SELECT * FROM pg_class{{end}} and the pg_stat views end with "permission denied"; through it, analysts see NULL there.
--
-- It leaves alone what an analyst's own privileges bound anyway: functions that run SQL text, PL/pgSQL, temporary tables,
-- NOTIFY and advisory locks run as the analyst, who holds nothing, and the curator resolves no unqualified name.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL standard_conforming_strings = on;
SET LOCAL search_path = pg_catalog;
SET LOCAL client_min_messages = warning;

-- The curator: a login that reads the listed columns and does nothing else. That its counts move no counter can only be set here,
-- by a superuser; the other settings are those of every session of the proxy, stored for the sake of other sessions.
SELECT format('CREATE ROLE %I LOGIN', r.name) FROM (VALUES {{range $i, $r := .Roles}}{{if $i}}, {{end}}({{literal $r}}){{end}}) AS r(name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r.name)
\gexec
ALTER ROLE {{ident .Curator}} SET track_counts = off;
ALTER ROLE {{ident .Curator}} SET search_path = pg_catalog;
ALTER ROLE {{ident .Curator}} SET row_security = off;
ALTER ROLE {{ident .Curator}} SET default_transaction_read_only = on;
ALTER ROLE {{ident .Curator}} SET default_transaction_isolation = 'repeatable read';
ALTER ROLE {{ident .Curator}} SET enable_indexscan = off;
ALTER ROLE {{ident .Curator}} SET enable_indexonlyscan = off;
ALTER ROLE {{ident .Curator}} SET enable_bitmapscan = off;
ALTER ROLE {{ident .Curator}} SET standard_conforming_strings = on;
ALTER ROLE {{ident .Curator}} SET client_encoding = 'UTF8';
SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), {{literal .Curator}})
\gexec

-- Analysts connect, make temporary tables, and own what they make in a schema of their own name, which is on no other role's
-- search_path. They make nothing elsewhere.
SELECT format('REVOKE CREATE ON DATABASE %I FROM {{inFormat .Others}}', current_database())
\gexec
SELECT format('REVOKE CREATE ON SCHEMA %I FROM {{inFormat .Others}}', n.nspname)
FROM pg_namespace AS n CROSS JOIN LATERAL aclexplode(n.nspacl) AS x
WHERE x.grantee = 0 AND x.privilege_type = 'CREATE'
\gexec
{{range .Analysts -}}
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), {{literal .}})
\gexec
{{end -}}
{{range .OwnSchemas -}}
SELECT s.statement FROM (VALUES (format('CREATE SCHEMA %I', {{literal .}})), (format('GRANT USAGE, CREATE ON SCHEMA %1$I TO %1$I', {{literal .}}))) AS s(statement)
WHERE NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = {{literal .}})
\gexec
{{end}}
-- The server sends no plans to analysts, nor what it logs: the planner's estimates come from statistics that no privilege guards.
SELECT format(CASE WHEN s.setdatabase = 0 THEN 'ALTER ROLE %1$I RESET %3$I' ELSE 'ALTER ROLE %1$I IN DATABASE %2$I RESET %3$I' END,
              r.rolname, current_database(), split_part(e.entry, '=', 1))
FROM pg_db_role_setting AS s
JOIN pg_roles AS r ON r.oid = s.setrole AND r.rolname IN ({{range $i, $a := .Analysts}}{{if $i}}, {{end}}{{literal $a}}{{end}})
CROSS JOIN unnest(s.setconfig) AS e(entry)
WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND e.entry ~* '^(debug_print_(parse|rewritten|plan)=|client_min_messages=(debug|log))'
\gexec

-- The protected tables with their partitions, children and sequences, and the public tables.
{{range .Tables -}}
REVOKE ALL ON {{table .Name}} FROM {{$.Others}}, {{ident $.Curator}};
WITH RECURSIVE child(oid) AS (
    SELECT inhrelid FROM pg_inherits WHERE inhparent = {{literal (table .Name)}}::regclass
    UNION SELECT i.inhrelid FROM child JOIN pg_inherits AS i ON i.inhparent = child.oid)
SELECT format('REVOKE ALL ON %s FROM {{inFormat $.Others}}', oid::regclass) FROM child
\gexec
SELECT format('REVOKE ALL ON SEQUENCE %s FROM {{inFormat $.Others}}', s.oid::regclass)
FROM pg_depend AS d JOIN pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = {{literal (table .Name)}}::regclass
\gexec
GRANT USAGE ON SCHEMA {{ident .Name.Schema}} TO {{ident $.Curator}};
GRANT SELECT{{if .Columns}} ({{range $i, $c := .Columns}}{{if $i}}, {{end}}{{ident $c}}{{end}}){{end}} ON {{table .Name}} TO {{ident $.Curator}};
{{end -}}
{{range .Public -}}
REVOKE INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER ON {{table .}} FROM {{$.Others}}, {{ident $.Curator}};
GRANT USAGE ON SCHEMA {{ident .Schema}} TO {{ident $.Curator}};
GRANT SELECT ON {{table .}} TO {{ident $.Curator}};
{{end}}
{{if .Publisher -}}
-- The publisher: a login that owns sanitized copies, in schemas where nobody else makes tables, and that reads no protected table.
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), {{literal .Publisher}})
\gexec
{{range .PublicationSchemas -}}
CREATE SCHEMA IF NOT EXISTS {{ident .}} AUTHORIZATION {{ident $.Publisher}};
GRANT USAGE, CREATE ON SCHEMA {{ident .}} TO {{ident $.Publisher}};
REVOKE CREATE ON SCHEMA {{ident .}} FROM {{$.Others}};
GRANT USAGE ON SCHEMA {{ident .}} TO {{range $i, $a := $.Analysts}}{{if $i}}, {{end}}{{ident $a}}{{end}};
{{end -}}
{{range .Tables -}}
REVOKE ALL ON {{table .Name}} FROM {{ident $.Publisher}};
{{end}}
{{end -}}
-- Activity counters and locks show what counts of the curator did, and when.
SELECT format(s.statement, p.oid::regprocedure)
FROM pg_proc AS p
CROSS JOIN (VALUES (1, 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}'), (2, 'GRANT EXECUTE ON FUNCTION %s TO pg_monitor')) AS s(step, statement)
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ {{literal .Counters}} AND p.proname !~ {{literal .OwnActivity}}
ORDER BY s.step, p.oid
\gexec
-- Functions that run SQL text: the proxy does not see it, and PostgreSQL plans it before it denies it.
SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}', p.oid::regprocedure)
FROM pg_proc AS p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.oid::regprocedure::text ~ {{literal .Runners}}
ORDER BY p.oid
\gexec
{{if .SizeHidden}}
-- The number of rows is a secret of at least one table: nothing that measures or estimates it, in any table.
SELECT format(s.statement, p.oid::regprocedure)
FROM pg_proc AS p
CROSS JOIN (VALUES (1, 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}'), (2, 'GRANT EXECUTE ON FUNCTION %s TO pg_monitor')) AS s(step, statement)
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ {{literal .Sizes}}
ORDER BY s.step, p.oid
\gexec
REVOKE SELECT ON pg_class FROM {{.Others}};
GRANT SELECT ON pg_class TO pg_monitor;
SELECT format('GRANT SELECT (%s) ON pg_class TO PUBLIC', string_agg(quote_ident(attname), ', ' ORDER BY attnum))
FROM pg_attribute
WHERE attrelid = 'pg_class'::regclass AND NOT attisdropped AND attname NOT IN ({{range $i, $c := .Estimates}}{{if $i}}, {{end}}{{literal $c}}{{end}})
\gexec
{{end}}
-- Extensions that show what others did or where rows lie, or that run SQL which the proxy does not see.
SELECT format(CASE d.classid WHEN 'pg_proc'::regclass THEN 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}' ELSE 'REVOKE ALL ON %s FROM {{inFormat .Others}}' END,
              CASE d.classid WHEN 'pg_proc'::regclass THEN d.objid::regprocedure::text ELSE d.objid::regclass::text END)
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('r', 'v', 'm')
WHERE e.extname IN ({{range $i, $e := .Extensions}}{{if $i}}, {{end}}{{literal $e}}{{end}})
  AND (d.classid = 'pg_proc'::regclass OR c.oid IS NOT NULL)
\gexec
SELECT format('ALTER ROLE %I SET pg_stat_statements.track = none', {{literal .Curator}}) FROM pg_extension WHERE extname = 'pg_stat_statements'
\gexec
COMMIT;
