-- Takes back what the scripts of tacit check --sql changed of privileges in this database: the privileges that they took are granted
-- again, to whom they belonged, and those that they granted are revoked. Then analysts are not separated from protected tables any more:
-- stop the proxy first.
--
-- Run it with psql as a superuser. It goes by what the scripts recorded in tacit_hardening.change, the last run first. Objects and roles
-- that are gone are left out. What the scripts made stays, since others may use it by now: roles with their settings, schemas of
-- analysts, and tacit_exempt, which then holds nothing here.
\set ON_ERROR_STOP on
\set tacit_quiet :QUIET
\set QUIET on
BEGIN;
LOCK TABLE pg_catalog.pg_db_role_setting IN SHARE ROW EXCLUSIVE MODE;
SET LOCAL standard_conforming_strings = on;
SET LOCAL search_path = pg_catalog;
SET LOCAL client_min_messages = warning;
{{template "trusted"}}
SELECT format(CASE WHEN c.taken THEN 'GRANT %s%s ON %s %s TO %s%s' ELSE 'REVOKE %s%s ON %s %s FROM %s' END,
              c.privilege, ' (' || quote_ident(c.col) || ')', c.kind, CASE c.kind WHEN 'DATABASE' THEN quote_ident(current_database()) ELSE c.object END,
              CASE c.grantee WHEN '' THEN 'PUBLIC' ELSE quote_ident(c.grantee) END, CASE WHEN c.grantable THEN ' WITH GRANT OPTION' ELSE '' END)
FROM tacit_hardening.change AS c
WHERE CASE c.kind WHEN 'ROUTINE' THEN to_regprocedure(c.object) IS NOT NULL
                  WHEN 'SCHEMA' THEN to_regnamespace(c.object) IS NOT NULL
                  WHEN 'DATABASE' THEN true
                  ELSE to_regclass(c.object) IS NOT NULL END
  AND (c.grantee = '' OR EXISTS (SELECT FROM pg_roles WHERE rolname = c.grantee))
  AND (c.col IS NULL OR EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = to_regclass(c.object) AND a.attname = c.col AND NOT a.attisdropped))
ORDER BY c.run DESC, c.taken, c.kind, c.object, c.col DESC NULLS FIRST
\gexec
SELECT format('Taken back: %s changes of privileges. Analysts are not separated from protected tables any more.', count(*)) AS done FROM tacit_hardening.change
\gset tacit_
DROP SCHEMA tacit_hardening CASCADE;
COMMIT;
\echo :tacit_done
\set QUIET :tacit_quiet
