{{define "trusted"}}DO $$BEGIN
    IF EXISTS (SELECT FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid
               JOIN pg_roles AS r ON r.oid IN (n.nspowner, c.relowner)
               WHERE n.nspname = 'tacit_hardening' AND NOT r.rolsuper) THEN
        RAISE EXCEPTION 'schema tacit_hardening does not belong to a superuser, so that what it holds cannot be trusted'
            USING HINT = 'See who made it. After a restore by another role: DROP SCHEMA tacit_hardening CASCADE, and run this again.';
    END IF;
END$$;{{end -}}
-- Separates the analysts of a tacit policy from its protected tables.
--
{{if .Managed -}}
-- This is the weaker script, for a server whose superuser nobody can be, as in a managed service. Run it with psql as the role that owns the
-- database, its schemas and its tables, and that has CREATEROLE. What only a superuser may do it tries, and goes on without. tacit check then
-- says what remains, and the key accept of the policy names what of that is accepted. Nothing takes it back, since it keeps no record.
--
-- Run it in the protected database, where the tables exist.
{{- else -}}
-- Run it with psql as a superuser in the protected database, where the tables exist.
{{- end}} It may be run again at any time: after a
-- change of the policy, after new tables or extensions, after a restore or an upgrade of the server. It makes the roles that are
-- missing, without passwords: give them some (psql: \password NAME) or another way to log in (pg_hba.conf).
--
-- What it takes from PUBLIC it takes from every role of this database, because PostgreSQL cannot deny a single role what all may
-- do. The first that it prints is which login roles lose what by it: psql -v look=1 prints that and changes nothing. A role that needs
-- it back, such as an owner who runs pg_dump, gets it by membership in the group role tacit_exempt, which holds exactly what PUBLIC
-- lost and must have no analyst in it. What analysts make in schemas of their own her pg_dump cannot read all the same: leave these out
-- by --exclude-schema, or GRANT pg_read_all_data to her, by which she reads all tables, the protected ones, too.{{if not .Managed}} What each run took and granted is kept in tacit_hardening.change; tacit check --sql --undo
-- prints the script that takes it back.{{end}} Without the proxy and that membership, psql's
-- \dt+, \di+, \l+{{if .SizeHidden}}, SELECT * FROM pg_class{{end}} and the pg_stat views end with "permission denied"; through it, analysts see NULL there.
--
-- It leaves alone what an analyst's own privileges bound anyway: functions that run SQL text, PL/pgSQL, temporary tables,
-- NOTIFY and advisory locks run as the analyst, who holds nothing, and the curator resolves no unqualified name.
\set ON_ERROR_STOP on
\set tacit_quiet :QUIET
\set QUIET on
BEGIN;
-- Two of these scripts at once would change the same rows of the catalogs, and one of them would fail. Roles belong to all databases of
-- the server, and so does this lock.{{if .Managed}} That of a catalog is for superusers.
DO $$BEGIN PERFORM pg_catalog.pg_advisory_xact_lock(7741962); END$$;
{{- else}} Who only reads, as every login does, does not wait for it.
LOCK TABLE pg_catalog.pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE;
{{- end}}
SET LOCAL standard_conforming_strings = on;
SET LOCAL search_path = pg_catalog;
SET LOCAL client_min_messages = {{if .Managed}}error{{else}}warning{{end}};
{{if .Managed}}
-- A statement that goes on where only a superuser may do what it says.
CREATE FUNCTION pg_temp.tacit_attempt(statement text) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog
AS $$SELECT format('DO %L', format('BEGIN EXECUTE %L; EXCEPTION WHEN insufficient_privilege THEN NULL; END', statement))$$;
{{else}}
-- The record of what this script changes. It is trusted by the script that takes it back, so that only a superuser may own it.
CREATE SCHEMA IF NOT EXISTS tacit_hardening;
CREATE TABLE IF NOT EXISTS tacit_hardening.change (
    run integer NOT NULL, taken boolean NOT NULL, kind text NOT NULL, object text NOT NULL, col text, grantee text NOT NULL,
    privilege text NOT NULL, grantable boolean NOT NULL);
{{template "trusted"}}
GRANT USAGE ON SCHEMA tacit_hardening TO PUBLIC; -- it names nothing that the catalogs do not, and pg_dump reads it
GRANT SELECT ON tacit_hardening.change TO PUBLIC;
{{end}}
-- Privileges in this database. An attribute number of 0 stands for the whole object.
CREATE TEMPORARY VIEW tacit_acl AS
SELECT 'ROUTINE' AS kind, oid, 0 AS attnum, coalesce(proacl, acldefault('f', proowner)) AS acl FROM pg_proc
UNION ALL
SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid, 0, coalesce(relacl, acldefault(CASE relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", relowner))
FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
UNION ALL
SELECT 'TABLE', attrelid, attnum, attacl FROM pg_attribute WHERE attacl IS NOT NULL
UNION ALL
SELECT 'SCHEMA', oid, 0, coalesce(nspacl, acldefault('n', nspowner)) FROM pg_namespace
UNION ALL
SELECT 'DATABASE', oid, 0, coalesce(datacl, acldefault('d', datdba)) FROM pg_database WHERE datname = current_database();
CREATE TEMPORARY TABLE tacit_before ON COMMIT DROP AS SELECT * FROM pg_temp.tacit_acl;
-- What this script has taken and granted until now. Few objects change, and it takes the server long to compare the privileges of all.
CREATE TEMPORARY VIEW tacit_changed AS
SELECT kind, oid, attnum, x.*
FROM pg_temp.tacit_before AS b FULL JOIN pg_temp.tacit_acl AS n USING (kind, oid, attnum)
CROSS JOIN LATERAL (
    SELECT true AS taken, t.* FROM (SELECT * FROM aclexplode(b.acl) EXCEPT SELECT * FROM aclexplode(n.acl)) AS t
    UNION ALL
    SELECT false, g.* FROM (SELECT * FROM aclexplode(n.acl) EXCEPT SELECT * FROM aclexplode(b.acl)) AS g) AS x
WHERE b.acl IS DISTINCT FROM n.acl;
CREATE TEMPORARY TABLE tacit_relation (oid oid, protected boolean) ON COMMIT DROP; -- those of the policy, with all that belongs to them

-- The curator: a login that reads the listed columns and does nothing else. That its counts move no counter can only be set here,
-- by a superuser; the other settings are those of every session of the proxy, stored for the sake of other sessions.
SELECT format('CREATE ROLE %I LOGIN', r.name) FROM (VALUES {{range $i, $r := .Roles}}{{if $i}}, {{end}}({{literal $r}}){{end}}) AS r(name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = r.name)
\gexec
SELECT {{.Attempt}}(format('ALTER ROLE %I SET track_counts = off', {{literal .Curator}}))
\gexec
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
WITH RECURSIVE related(oid, protected) AS (
    SELECT t.name::regclass::oid, t.protected
    FROM (VALUES {{range $i, $t := .Tables}}{{if $i}}, {{end}}({{literal (table $t.Name)}}, true){{end}}{{range .Public}}, ({{literal (table .)}}, false){{end}}) AS t(name, protected)
    UNION
    SELECT part.oid, r.protected FROM related AS r
    CROSS JOIN LATERAL (
        SELECT inhrelid AS oid FROM pg_inherits WHERE inhparent = r.oid
        UNION ALL SELECT objid FROM pg_depend WHERE classid = 'pg_class'::regclass AND refclassid = 'pg_class'::regclass AND refobjid = r.oid) AS part)
INSERT INTO tacit_relation SELECT oid, protected FROM related;
-- Policies of row-level security are for others than the curator, who counts all rows and must run nobody's expressions.
SELECT {{.Attempt}}(format('ALTER ROLE %I BYPASSRLS', {{literal .Curator}}))
WHERE EXISTS (SELECT FROM pg_temp.tacit_relation AS t JOIN pg_class AS c ON c.oid = t.oid WHERE t.protected AND c.relrowsecurity)
\gexec
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
SELECT format('REVOKE MAINTAIN ON %s FROM {{inFormat $.Others}}, %I', {{literal (table .)}}::regclass, {{literal $.Curator}})
WHERE current_setting('server_version_num')::integer >= 170000 -- which has that privilege
\gexec
GRANT USAGE ON SCHEMA {{ident .Schema}} TO {{ident $.Curator}};
GRANT SELECT ON {{table .}} TO {{ident $.Curator}};
{{end}}
{{if .Publisher -}}
-- The publisher: a login that owns sanitized copies, in schemas where nobody else makes tables, and that reads no protected table.
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', current_database(), {{literal .Publisher}})
\gexec
{{range .PublicationSchemas -}}
CREATE SCHEMA IF NOT EXISTS {{ident .}}{{if not $.Managed}} AUTHORIZATION {{ident $.Publisher}}{{end}};
GRANT USAGE, CREATE ON SCHEMA {{ident .}} TO {{ident $.Publisher}};
REVOKE CREATE ON SCHEMA {{ident .}} FROM {{$.Others}};
GRANT USAGE ON SCHEMA {{ident .}} TO {{range $i, $a := $.Analysts}}{{if $i}}, {{end}}{{ident $a}}{{end}};
{{end -}}
{{range .Tables -}}
REVOKE ALL ON {{table .Name}} FROM {{ident $.Publisher}};
{{end}}
{{end -}}
-- Activity counters and locks show what counts of the curator did, and when.
SELECT {{.Attempt}}(format(s.statement, p.oid::regprocedure))
FROM pg_proc AS p
CROSS JOIN (VALUES (1, 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}'), (2, 'GRANT EXECUTE ON FUNCTION %s TO pg_monitor')) AS s(step, statement)
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ {{literal .Counters}} AND p.proname !~ {{literal .OwnActivity}}
ORDER BY s.step, p.oid
\gexec
-- Functions that run SQL text: the proxy does not see it, and PostgreSQL plans it before it denies it.
SELECT {{.Attempt}}(format('REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}', p.oid::regprocedure))
FROM pg_proc AS p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ {{literal .RunnersBegin}} AND p.oid::regprocedure::text ~ {{literal .Runners}}
ORDER BY p.oid
\gexec
{{if .SizeHidden}}
-- The number of rows is a secret of at least one table: nothing that measures or estimates it, in any table.
SELECT {{.Attempt}}(format(s.statement, p.oid::regprocedure))
FROM pg_proc AS p
CROSS JOIN (VALUES (1, 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}'), (2, 'GRANT EXECUTE ON FUNCTION %s TO pg_monitor')) AS s(step, statement)
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ {{literal .Sizes}}
ORDER BY s.step, p.oid
\gexec
SELECT {{.Attempt}}(s.statement) FROM (VALUES ({{literal (print "REVOKE SELECT ON pg_class FROM " .Others)}}), ('GRANT SELECT ON pg_class TO pg_monitor')) AS s(statement)
\gexec
SELECT {{.Attempt}}(format('GRANT SELECT (%s) ON pg_class TO PUBLIC', string_agg(quote_ident(attname), ', ' ORDER BY attnum)))
FROM pg_attribute
WHERE attrelid = 'pg_class'::regclass AND NOT attisdropped AND attname NOT IN ({{range $i, $c := .Estimates}}{{if $i}}, {{end}}{{literal $c}}{{end}})
\gexec
{{end}}
-- Extensions that show what others did or where rows lie, or that run SQL which the proxy does not see.
SELECT {{.Attempt}}(format(CASE d.classid WHEN 'pg_proc'::regclass THEN 'REVOKE EXECUTE ON FUNCTION %s FROM {{inFormat .Others}}' ELSE 'REVOKE ALL ON %s FROM {{inFormat .Others}}' END,
              CASE d.classid WHEN 'pg_proc'::regclass THEN d.objid::regprocedure::text ELSE d.objid::regclass::text END))
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('r', 'v', 'm')
WHERE e.extname IN ({{range $i, $e := .Extensions}}{{if $i}}, {{end}}{{literal $e}}{{end}})
  AND (d.classid = 'pg_proc'::regclass OR c.oid IS NOT NULL)
\gexec
SELECT {{.Attempt}}(format('ALTER ROLE %I SET pg_stat_statements.track = none', {{literal .Curator}})) FROM pg_extension WHERE extname = 'pg_stat_statements'
\gexec
-- What was taken, and what of it login roles cannot do otherwise.
CREATE TEMPORARY TABLE tacit_lost ON COMMIT DROP AS
SELECT l.*, o.label, l.kind IN ('TABLE', 'SEQUENCE') AND l.oid IN (SELECT oid FROM pg_temp.tacit_relation) AS of_policy
FROM pg_temp.tacit_changed AS l
CROSS JOIN LATERAL (
    SELECT CASE l.kind WHEN 'ROUTINE' THEN l.oid::regprocedure::text WHEN 'SCHEMA' THEN l.oid::regnamespace::text
                       WHEN 'DATABASE' THEN quote_ident(current_database()) ELSE l.oid::regclass::text END AS label) AS o
WHERE l.taken AND o.label !~ '^[0-9]+$'; -- what another session has dropped meanwhile, such as its temporary functions, has no name any more
SELECT 'CREATE ROLE tacit_exempt NOLOGIN' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tacit_exempt')
\gexec
SELECT format('GRANT %s%s ON %s %s TO tacit_exempt', l.privilege_type, ' (' || quote_ident(a.attname) || ')', l.kind, l.label)
FROM pg_temp.tacit_lost AS l LEFT JOIN pg_attribute AS a ON a.attrelid = l.oid AND a.attnum = l.attnum AND l.attnum <> 0
WHERE l.grantee = 0 AND NOT l.of_policy
\gexec
{{if not .Managed -}}
INSERT INTO tacit_hardening.change
SELECT (SELECT coalesce(max(run), 0) + 1 FROM tacit_hardening.change), d.taken, d.kind, o.object, a.attname, coalesce(g.rolname, ''), d.privilege_type, d.is_grantable
FROM pg_temp.tacit_changed AS d
CROSS JOIN LATERAL (
    SELECT CASE d.kind WHEN 'ROUTINE' THEN d.oid::regprocedure::text WHEN 'SCHEMA' THEN d.oid::regnamespace::text
                       WHEN 'DATABASE' THEN '' ELSE d.oid::regclass::text END AS object) AS o
LEFT JOIN pg_attribute AS a ON d.kind = 'TABLE' AND a.attrelid = d.oid AND a.attnum = d.attnum AND d.attnum <> 0
LEFT JOIN pg_roles AS g ON g.oid = d.grantee
WHERE o.object !~ '^[0-9]+$'
  AND EXISTS (SELECT FROM pg_temp.tacit_before AS b WHERE b.kind = d.kind AND b.oid = d.oid); -- not of objects that the script made
{{end}}
\pset format unaligned
\pset tuples_only on
WITH loss AS (
    SELECT r.rolname, l.kind, l.of_policy, CASE l.oid WHEN 'pg_class'::regclass THEN 'pg_class (pg_dump needs it)' ELSE l.label END AS label, string_agg(DISTINCT l.privilege_type || coalesce(' (' || quote_ident(a.attname) || ')', ''), ', ') AS privileges
    FROM pg_roles AS r
    JOIN pg_temp.tacit_lost AS l ON CASE WHEN l.grantee = 0 THEN true ELSE pg_has_role(r.oid, l.grantee, 'USAGE') END
    LEFT JOIN pg_attribute AS a ON l.kind = 'TABLE' AND a.attrelid = l.oid AND a.attnum = l.attnum AND l.attnum <> 0
    WHERE r.rolcanlogin AND NOT r.rolsuper AND r.rolname NOT IN ({{range $i, $r := .Roles}}{{if $i}}, {{end}}{{literal $r}}{{end}})
      AND NOT CASE l.kind WHEN 'ROUTINE' THEN has_function_privilege(r.oid, l.oid, l.privilege_type)
                          WHEN 'SCHEMA' THEN has_schema_privilege(r.oid, l.oid, l.privilege_type)
                          WHEN 'DATABASE' THEN has_database_privilege(r.oid, l.oid, l.privilege_type)
                          WHEN 'SEQUENCE' THEN has_sequence_privilege(r.oid, l.oid, l.privilege_type)
                          ELSE CASE WHEN l.attnum = 0 THEN has_table_privilege(r.oid, l.oid, l.privilege_type)
                                    ELSE has_column_privilege(r.oid, l.oid, l.attnum::int2, l.privilege_type) END END
    GROUP BY r.rolname, l.kind, l.of_policy, l.oid, l.label),
part AS (
    SELECT rolname, of_policy, privileges, kind, count(*) AS n, array_agg(label ORDER BY label) AS labels FROM loss GROUP BY rolname, of_policy, privileges, kind),
role AS (
    SELECT rolname, bool_or(NOT of_policy) AS exemptible,
           string_agg(format('%s on %s', privileges, CASE WHEN n <= 3 THEN array_to_string(labels, ', ')
                                                          ELSE format('%s and %s more', array_to_string(labels[1:2], ', '), n - 2) END), E'\n    ' ORDER BY kind DESC, privileges, labels) AS losses,
           array_agg(format('GRANT %s ON %s', privileges, CASE kind WHEN 'SEQUENCE' THEN 'SEQUENCE ' ELSE '' END || array_to_string(labels, ', ')) ORDER BY labels)
               FILTER (WHERE of_policy) AS grants
    FROM part GROUP BY rolname),
shown AS (
    SELECT string_agg(quote_ident(rolname), ', ' ORDER BY rolname) AS roles, exemptible, losses, grants FROM role GROUP BY exemptible, losses, grants)
SELECT regexp_replace(x.line, '[\u0001-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]', '?', 'g') FROM (
    SELECT 1 AS step, '' AS roles, 'What login roles lose by this script, besides the analysts and the curator:' AS line
    UNION ALL SELECT 2, roles, format(E'%s %s\n    %s', roles, CASE WHEN roles ~ ', ' THEN 'lose' ELSE 'loses' END, losses) FROM shown
    UNION ALL SELECT 3, roles, '  to give it back:' || CASE WHEN exemptible THEN format(E'\n    GRANT tacit_exempt TO %s;', roles) ELSE '' END
                               || coalesce((SELECT string_agg(format(E'\n    %s TO %s;', g, roles), '') FROM unnest(grants) AS g), '') FROM shown
    UNION ALL SELECT 2, '', '  nothing' WHERE NOT EXISTS (SELECT FROM shown)) AS x
ORDER BY x.roles, x.step;
\pset format aligned
\pset tuples_only off
DROP VIEW pg_temp.tacit_changed;
DROP VIEW pg_temp.tacit_acl;
{{if .Managed}}DROP FUNCTION pg_temp.tacit_attempt(text);
{{end}}\if :{?look}
ROLLBACK;
\echo 'Nothing was changed, since look is set.'
\else
COMMIT;
\endif
\set QUIET :tacit_quiet
