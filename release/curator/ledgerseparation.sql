-- What CheckLedgerSeparation asks of the catalog where the ledger is, logged in as the ledger's user. $1 are the names of analysts.
-- Each row is a Finding: severity, what, detail, remedy.

WITH
login AS (SELECT oid, rolname FROM pg_roles WHERE rolname = session_user),

analyst AS (
    SELECT r.oid, r.rolname AS name, r.rolsuper
    FROM unnest($1::text[]) AS a(name) JOIN pg_roles AS r ON r.rolname = a.name),

-- Every role whose privileges an analyst can come to hold, also those reached by SET ROLE only. A superuser is a member of every role;
-- that she is one is finding enough.
reach AS (
    SELECT a.name AS analyst, r.*
    FROM analyst AS a JOIN pg_roles AS r
        ON r.oid = a.oid OR NOT a.rolsuper AND r.rolname <> 'pg_database_owner' AND pg_has_role(a.oid, r.oid, 'MEMBER')),

who AS (
    SELECT DISTINCT oid, quote_ident(rolname) AS role FROM reach WHERE NOT rolsuper
    UNION ALL
    SELECT 0, 'PUBLIC'),

home AS (SELECT oid, nspname, nspowner, nspacl FROM pg_namespace WHERE nspname = 'tacit_ledger'),

relation AS (
    SELECT c.oid, c.relowner, c.relacl, c.relkind, format('%I.%I', h.nspname, c.relname) AS label
    FROM home AS h JOIN pg_class AS c ON c.relnamespace = h.oid AND c.relkind IN ('r', 'p', 'S', 'v', 'm', 'f')),

-- Whoever is one of these can undo what the ledger says.
owner AS (
    SELECT oid FROM login UNION SELECT nspowner FROM home UNION SELECT relowner FROM relation),

-- Views anywhere that read the ledger's tables, with privileges of their owners.
view AS (
    SELECT DISTINCT c.oid, c.relacl, c.relowner, format('%I.%I', n.nspname, c.relname) AS label
    FROM pg_depend AS d
    JOIN pg_rewrite AS r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
    JOIN pg_class AS c ON c.oid = r.ev_class
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM relation) AND c.oid NOT IN (SELECT oid FROM relation))

SELECT 'HIGH' AS severity, 'analyst can become an owner of the ledger' AS what,
       format('%I, as %I', r.analyst, r.rolname) AS detail, format('end the membership of %I in %I', r.analyst, r.rolname) AS remedy
FROM reach AS r WHERE r.oid IN (SELECT oid FROM owner)

UNION ALL
SELECT 'HIGH', 'analyst has powers over the server of the ledger', format('%I, as %I: %s', r.analyst, r.rolname, p.power),
       'take them away, or keep the ledger on another server'
FROM reach AS r
CROSS JOIN LATERAL (VALUES (r.rolsuper, 'superuser'), (r.rolcreaterole, 'makes roles'), (r.rolreplication, 'replicates'),
    (r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_read_all_data', 'pg_write_all_data'), 'a predefined role')) AS p(has, power)
WHERE p.has

UNION ALL
SELECT 'HIGH', 'analyst owns the database of the ledger', format('%I, as %I', r.analyst, r.rolname),
       format('ALTER DATABASE %I OWNER TO %I;', d.datname, (SELECT rolname FROM login))
FROM pg_database AS d JOIN reach AS r ON r.oid = d.datdba
WHERE d.datname = current_database()

UNION ALL
SELECT 'HIGH', 'schema of the ledger is open', format('%s: %s', w.role, g.privilege_type), format('REVOKE ALL ON SCHEMA %I FROM %s;', h.nspname, w.role)
FROM home AS h CROSS JOIN LATERAL aclexplode(h.nspacl) AS g JOIN who AS w ON w.oid = g.grantee
WHERE w.oid NOT IN (SELECT oid FROM owner)

UNION ALL
SELECT 'HIGH', 'relation of the ledger is open', format('%s: %s on %s', w.role, g.privilege_type, r.label), format('REVOKE ALL ON %s FROM %s;', r.label, w.role)
FROM relation AS r CROSS JOIN LATERAL aclexplode(r.relacl) AS g JOIN who AS w ON w.oid = g.grantee
WHERE w.oid NOT IN (SELECT oid FROM owner)

UNION ALL
SELECT 'HIGH', 'column of the ledger is open', format('%s: %s on %s.%I', w.role, g.privilege_type, r.label, a.attname),
       format('REVOKE ALL (%I) ON %s FROM %s;', a.attname, r.label, w.role)
FROM relation AS r JOIN pg_attribute AS a ON a.attrelid = r.oid CROSS JOIN LATERAL aclexplode(a.attacl) AS g JOIN who AS w ON w.oid = g.grantee
WHERE w.oid NOT IN (SELECT oid FROM owner)

UNION ALL
SELECT 'HIGH', 'view of the ledger is open', format('%s: %s on %s', w.role, g.privilege_type, v.label), format('REVOKE ALL ON %s FROM %s;', v.label, w.role)
FROM view AS v CROSS JOIN LATERAL aclexplode(v.relacl) AS g JOIN who AS w ON w.oid = g.grantee
WHERE w.oid NOT IN (SELECT oid FROM owner)

UNION ALL
SELECT 'HIGH', 'view of the ledger belongs to an analyst', v.label, format('DROP VIEW %s;', v.label)
FROM view AS v WHERE v.relowner IN (SELECT oid FROM who)

UNION ALL
SELECT 'HIGH', 'function runs as an owner of the ledger', format('%s: %I.%I(%s)', w.role, n.nspname, f.proname, pg_get_function_identity_arguments(f.oid)),
       format('REVOKE EXECUTE ON FUNCTION %I.%I(%s) FROM %s;', n.nspname, f.proname, pg_get_function_identity_arguments(f.oid), w.role)
FROM pg_proc AS f JOIN pg_namespace AS n ON n.oid = f.pronamespace
CROSS JOIN LATERAL aclexplode(coalesce(f.proacl, acldefault('f', f.proowner))) AS g JOIN who AS w ON w.oid = g.grantee
WHERE f.prosecdef AND f.proowner IN (SELECT oid FROM owner)

UNION ALL
SELECT 'MED', 'what the ledger''s login makes is open to others', format('%s: %s', w.role, g.privilege_type),
       format('in database %I: ALTER DEFAULT PRIVILEGES FOR ROLE %I ... REVOKE ... FROM %s', current_database(), (SELECT rolname FROM login), w.role)
FROM pg_default_acl AS d CROSS JOIN LATERAL aclexplode(d.defaclacl) AS g JOIN who AS w ON w.oid = g.grantee
WHERE d.defaclrole IN (SELECT oid FROM login) AND d.defaclobjtype IN ('r', 'S', 'n')
  AND w.oid NOT IN (SELECT oid FROM owner) AND (d.defaclnamespace = 0 OR d.defaclnamespace IN (SELECT oid FROM home))

ORDER BY severity, what, detail
