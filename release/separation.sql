-- What CheckSeparation asks of the catalog. Everything here may be read by any role, also after hardening.sql.
--
-- The first part defines relations for all checks; $1 is the policy as JSON (separationInput). Each following part begins with
-- "-- check: what it finds", or "-- check 150000: ..." if it needs that server version, and yields the rows of
-- (severity, detail, remedy) that contradict separation. HIGH: an analyst can reach protected rows or have code run by somebody who
-- can, or the policy cannot be served at all. MED: an analyst learns facts about protected rows, or a defence is missing.
-- A remedy that ends in a semicolon is SQL. It runs with search_path = pg_catalog, so that names are printed qualified.

WITH RECURSIVE
input AS (SELECT $1::jsonb AS doc),

analyst AS (
    SELECT a.name, r.oid, r.rolcanlogin
    FROM input, jsonb_array_elements_text(doc -> 'analysts') AS a(name)
    LEFT JOIN pg_roles AS r ON r.rolname = a.name),

curator AS (SELECT r.* FROM pg_roles AS r WHERE r.rolname = session_user),

-- Every role whose privileges an analyst can come to hold. MEMBER, not USAGE: it counts memberships that are not inherited but
-- reached by SET ROLE, and in PostgreSQL 16 and later those granted without SET, whose holder may have the ADMIN option.
-- A superuser is a member of every role; that she is a superuser is finding enough.
reach AS (
    SELECT a.name AS analyst, a.oid AS analyst_oid, r.oid, r.rolname AS role, r.rolsuper, r.rolcreaterole, r.rolcreatedb,
           r.rolreplication, r.rolbypassrls
    FROM analyst AS a
    JOIN pg_roles AS me ON me.oid = a.oid
    JOIN pg_roles AS r ON r.oid = me.oid OR NOT me.rolsuper AND pg_has_role(me.oid, r.oid, 'MEMBER')),

-- The same, each role once, without superusers: they hold every privilege.
who AS (
    SELECT oid, role,
           quote_ident(role) || coalesce(' (reached by ' || string_agg(quote_ident(analyst), ', ' ORDER BY analyst)
                                             FILTER (WHERE analyst <> role) || ')', '') AS name
    FROM reach WHERE NOT rolsuper GROUP BY oid, role),

named AS (
    SELECT 'protected' AS kind, t.schema, t.name, t.columns
    FROM input, jsonb_to_recordset(doc -> 'tables') AS t(schema text, name text, columns jsonb)
    UNION ALL
    SELECT 'public', t.schema, t.name, t.columns
    FROM input, jsonb_to_recordset(doc -> 'public') AS t(schema text, name text, columns jsonb)),

relation AS (
    SELECT t.kind, t.columns, format('%I.%I', t.schema, t.name) AS label, c.oid, c.relnamespace AS schema_oid
    FROM named AS t
    LEFT JOIN (pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace) ON n.nspname = t.schema AND c.relname = t.name),

-- The policy's columns; type is null if there is no such column.
listed AS (
    SELECT r.kind, r.oid AS relation, r.label || '.' || quote_ident(d.name) AS label, d.name, d.domain, d.first, d.last, d.source, a.attnum,
           a.atttypid AS type, a.attcollation AS collation, a.attgenerated AS generated, format_type(a.atttypid, a.atttypmod) AS type_name
    FROM relation AS r
    CROSS JOIN jsonb_to_recordset(r.columns) AS d(name text, domain text, first int8, last int8, source jsonb)
    LEFT JOIN pg_attribute AS a ON a.attrelid = r.oid AND a.attname = d.name AND a.attnum > 0 AND NOT a.attisdropped
    WHERE r.oid IS NOT NULL),

-- The relations that store protected rows: the tables, their partitions and children, and the overflow tables of all these.
stores AS (
    SELECT oid, label AS root FROM relation WHERE kind = 'protected' AND oid IS NOT NULL
    UNION
    SELECT CASE WHEN i.inhrelid IS NOT NULL THEN i.inhrelid ELSE c.reltoastrelid END, s.root
    FROM stores AS s
    LEFT JOIN pg_class AS c ON c.oid = s.oid
    CROSS JOIN LATERAL (SELECT inhrelid FROM pg_inherits WHERE inhparent = s.oid UNION ALL SELECT NULL) AS i
    WHERE i.inhrelid IS NOT NULL OR c.reltoastrelid <> 0),

-- Those, and the relations that show their rows: parents, views and materialized views on them, and what their rules write to.
-- A view or rule of an analyst's own reads with her privileges, and so shows nothing that she cannot read anyway; but what a
-- materialized view holds was read before.
shows AS (
    SELECT oid, root FROM stores
    UNION
    SELECT up.oid, s.root
    FROM shows AS s
    CROSS JOIN LATERAL (
        SELECT inhparent AS oid FROM pg_inherits WHERE inhrelid = s.oid
        UNION ALL
        SELECT c.oid
        FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid JOIN pg_class AS c ON c.oid = r.ev_class
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid AND c.oid <> s.oid
          AND (c.relowner NOT IN (SELECT oid FROM who) OR c.relkind = 'm' AND c.relispopulated)
        UNION ALL
        SELECT d.refobjid FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_class = s.oid AND r.ev_type <> '1' AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> s.oid) AS up),

-- What the curator reads: nothing of it may be an analyst's.
trusted AS (
    SELECT oid, root AS label FROM stores
    UNION
    SELECT oid, label FROM relation WHERE kind = 'public' AND oid IS NOT NULL),

setting AS (
    SELECT s.setrole, s.setdatabase, split_part(e.entry, '=', 1) AS name, substr(e.entry, strpos(e.entry, '=') + 1) AS value
    FROM pg_db_role_setting AS s CROSS JOIN unnest(s.setconfig) AS e(entry)
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())))

-- check: analyst has no role in the database server
SELECT 'HIGH', quote_ident(name), format('CREATE ROLE %I LOGIN;', name)
FROM analyst WHERE oid IS NULL

-- check: analyst cannot log in to this database
SELECT 'MED', quote_ident(a.name), format('ALTER ROLE %I LOGIN; GRANT CONNECT ON DATABASE %I TO %I;', a.name, current_database(), a.name)
FROM analyst AS a
WHERE NOT a.rolcanlogin OR NOT has_database_privilege(a.oid, current_database(), 'CONNECT')

-- check: analyst is the curator
SELECT 'HIGH', quote_ident(name), 'give the curator a role of its own in upstream.curator'
FROM analyst WHERE name = session_user

-- check: curator steps down from another role
SELECT 'HIGH', format('logged in as %I, acting as %I', session_user, current_user), 'let upstream.curator log in as the curator itself'
FROM curator WHERE session_user <> current_user

-- check: analyst can become the curator
SELECT 'HIGH', string_agg(DISTINCT format('%I by its membership in %I', r.analyst, m.roleid::regrole::text), ', '),
       string_agg(DISTINCT format('REVOKE %I FROM %I;', c.rolname, r.role), ' ')
FROM curator AS c JOIN pg_auth_members AS m ON m.roleid = c.oid JOIN reach AS r ON r.oid = m.member AND NOT r.rolsuper
GROUP BY c.oid

-- check: curator can become an analyst
SELECT 'HIGH', format('%I can become %I', c.rolname, a.name), format('REVOKE %I FROM %I;', a.name, c.rolname)
FROM curator AS c JOIN analyst AS a ON a.oid <> c.oid
WHERE NOT c.rolsuper AND pg_has_role(c.oid, a.oid, 'MEMBER')

-- check: analyst can become another analyst
SELECT 'HIGH', format('%I can become %I, see its statements and cancel them', r.analyst, r.role), format('REVOKE %I FROM %I;', r.role, r.analyst)
FROM reach AS r JOIN analyst AS a ON a.oid = r.oid
WHERE r.analyst_oid <> r.oid

-- check: analyst can become a predefined role
SELECT 'HIGH', format('%I can become %I', analyst, role), format('REVOKE %I FROM %I;', role, analyst)
FROM reach WHERE role ~ '^pg_' AND role <> 'pg_database_owner'

-- check: analyst has a role attribute
SELECT 'HIGH', format('%I%s is %s', r.role, CASE WHEN r.role <> r.analyst THEN format(', which %I can become,', r.analyst) ELSE '' END, x.attribute),
       format('ALTER ROLE %I NO%s;', r.role, x.attribute)
FROM reach AS r
CROSS JOIN LATERAL (VALUES (r.rolsuper, 'SUPERUSER'), (r.rolcreaterole, 'CREATEROLE'), (r.rolcreatedb, 'CREATEDB'),
                           (r.rolreplication, 'REPLICATION'), (r.rolbypassrls, 'BYPASSRLS')) AS x(held, attribute)
WHERE x.held

-- check: curator has a role attribute
SELECT 'HIGH', format('%I is %s', c.rolname, x.attribute), format('ALTER ROLE %I NO%s;', c.rolname, x.attribute)
FROM curator AS c
CROSS JOIN LATERAL (VALUES (c.rolsuper, 'SUPERUSER'), (c.rolcreaterole, 'CREATEROLE'), (c.rolcreatedb, 'CREATEDB'),
                           (c.rolreplication, 'REPLICATION'), (c.rolbypassrls, 'BYPASSRLS')) AS x(held, attribute)
WHERE x.held

-- check: curator can become a predefined role
SELECT 'HIGH', format('%I can become %I', c.rolname, r.rolname), format('REVOKE %I FROM %I;', r.rolname, c.rolname)
FROM curator AS c JOIN pg_roles AS r ON NOT c.rolsuper AND pg_has_role(c.oid, r.oid, 'MEMBER')
WHERE r.rolname ~ '^pg_' AND r.rolname <> 'pg_database_owner'

-- check: curator session has an unsafe setting
-- An index plan moves counters and takes time that depend on the number of matching rows, also while a count runs; predicate
-- locks of serializable transactions are visible to all.
SELECT CASE WHEN x.name ~ '^enable_' THEN 'MED' ELSE 'HIGH' END, format('%s is %s', x.name, coalesce(x.value, 'unknown')),
       format('ALTER ROLE %I SET %s = %s;', session_user, x.name, x.safe[1])
FROM (
    SELECT s.name, s.safe, (SELECT doc -> 'settings' ->> s.name FROM input) AS value
    FROM (VALUES ('track_counts', ARRAY['off']), ('search_path', ARRAY['pg_catalog']), ('row_security', ARRAY['off']),
                 ('default_transaction_read_only', ARRAY['on']),
                 ('default_transaction_isolation', ARRAY['''repeatable read''', '''read committed''']),
                 ('standard_conforming_strings', ARRAY['on']), ('client_encoding', ARRAY['''UTF8''']),
                 ('array_nulls', ARRAY['on']), ('transform_null_equals', ARRAY['off']),
                 ('enable_indexscan', ARRAY['off']), ('enable_indexonlyscan', ARRAY['off']), ('enable_bitmapscan', ARRAY['off'])) AS s(name, safe)) AS x
WHERE coalesce(NOT x.value = ANY (SELECT btrim(safe, '''') FROM unnest(x.safe) AS u(safe)), true)

-- check: server has an unsafe setting
SELECT x.severity, format('%s is %s', x.name, coalesce(x.value, 'unknown')), x.remedy
FROM (
    SELECT s.name, s.severity, s.safe, s.remedy, (SELECT doc -> 'settings' ->> s.name FROM input) AS value
    FROM (VALUES ('server_encoding', 'HIGH', 'UTF8', 'move to a database with ENCODING UTF8'),
                 ('fsync', 'MED', 'on', 'set fsync = on in postgresql.conf: what separates the roles must survive a crash')) AS s(name, severity, safe, remedy)) AS x
WHERE x.value IS DISTINCT FROM x.safe

-- check: unsafe setting is stored for analysts
-- Those that change how the server reads a statement, load code, or change who the session is; others are the analyst's own affair.
SELECT 'HIGH', format('%s = %s for %s', s.name, s.value, coalesce(quote_ident(a.name), 'the database')),
       CASE WHEN s.setrole <> 0 AND s.setdatabase <> 0 THEN format('ALTER ROLE %I IN DATABASE %I RESET %I;', a.name, current_database(), s.name)
            WHEN s.setrole <> 0 THEN format('ALTER ROLE %I RESET %I;', a.name, s.name)
            WHEN s.setdatabase <> 0 THEN format('ALTER DATABASE %I RESET %I;', current_database(), s.name)
            ELSE format('ALTER ROLE ALL RESET %I;', s.name) END
FROM setting AS s LEFT JOIN analyst AS a ON a.oid = s.setrole
WHERE (s.setrole = 0 OR a.oid IS NOT NULL)
  AND (s.name IN ('role', 'session_authorization', 'backslash_quote', 'local_preload_libraries', 'session_preload_libraries')
       OR s.name = 'standard_conforming_strings' AND s.value <> 'on'
       OR s.name = 'array_nulls' AND s.value <> 'on'
       OR s.name = 'transform_null_equals' AND s.value <> 'off'
       OR s.name = 'client_encoding' AND upper(replace(s.value, '-', '')) NOT IN ('UTF8', 'UNICODE'))

-- check 150000: analyst may change the server's configuration
SELECT 'HIGH', format('ALTER SYSTEM on %s for %s', p.parname, coalesce(w.name, 'PUBLIC')),
       format('REVOKE ALTER SYSTEM ON PARAMETER %s FROM %s;', p.parname, coalesce(quote_ident(w.role), 'PUBLIC'))
FROM pg_parameter_acl AS p CROSS JOIN LATERAL aclexplode(p.paracl) AS x LEFT JOIN who AS w ON w.oid = x.grantee
WHERE x.privilege_type = 'ALTER SYSTEM' AND (x.grantee = 0 OR w.oid IS NOT NULL)

-- check: table of the policy does not exist
SELECT 'HIGH', format('%s table %s', kind, label), 'create it or take it out of the policy'
FROM relation WHERE oid IS NULL

-- check: table is not an ordinary table
SELECT 'HIGH', format('%s is %s', s.oid::regclass, CASE c.relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view'
           WHEN 'f' THEN 'a foreign table' WHEN 'S' THEN 'a sequence' ELSE 'of kind ' || c.relkind::text END), 'protect the tables that hold the rows'
FROM (SELECT DISTINCT oid FROM stores) AS s JOIN pg_class AS c ON c.oid = s.oid
WHERE c.relkind NOT IN ('r', 'p', 't')
UNION ALL
SELECT 'HIGH', format('%s is temporary', s.label), 'use a table that lasts'
FROM trusted AS s JOIN pg_class AS c ON c.oid = s.oid
WHERE c.relpersistence = 't'
UNION ALL
SELECT 'HIGH', format('public table %s would run code of its own when it is read', r.label), 'use a table or a materialized view'
FROM relation AS r JOIN pg_class AS c ON c.oid = r.oid
WHERE r.kind = 'public' AND c.relkind NOT IN ('r', 'p', 'm')

-- check: table has row-level security
SELECT 'HIGH', format('%s: a policy would hide rows from the curator or run code as the curator', t.oid::regclass),
       format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY;', t.oid::regclass)
FROM (SELECT DISTINCT oid FROM trusted) AS t JOIN pg_class AS c ON c.oid = t.oid
WHERE c.relrowsecurity

-- check: public table shows rows of a protected table
SELECT 'HIGH', format('%s shows rows of %s', r.label, string_agg(s.root, ', ')), format('take %s out of public', r.label)
FROM relation AS r JOIN shows AS s ON s.oid = r.oid
WHERE r.kind = 'public' GROUP BY r.label

-- check: column of the policy does not exist
SELECT 'HIGH', label, 'take it out of the policy or correct its name'
FROM listed WHERE type IS NULL

-- check: column has a type that counts cannot use
SELECT 'HIGH', format('%s is %s', label, type_name), 'list only columns of type boolean, smallint, integer, bigint, numeric, real, double precision,'
       || ' text, varchar, char, date, timestamp, timestamptz or uuid'
FROM listed
WHERE kind = 'protected' AND type NOT IN ('bool'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype, 'float4'::regtype,
    'float8'::regtype, 'text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype, 'uuid'::regtype)

-- check: column has a nondeterministic collation
SELECT 'MED', format('%s: values that are written differently would be equal', l.label), 'give the column a deterministic collation'
FROM listed AS l JOIN pg_collation AS c ON c.oid = l.collation
WHERE NOT c.collisdeterministic

-- check 180000: column is computed when it is read
SELECT 'HIGH', format('%s: its expression would run as the curator', label), 'make it a stored generated column'
FROM listed WHERE generated = 'v'

-- check: declared domain does not fit the column
SELECT 'HIGH', format('%s is %s, its range is of %s', label, type_name, CASE domain WHEN 'dates' THEN 'dates' ELSE 'integers' END),
       'declare a domain of the column''s type'
FROM listed
WHERE domain = 'dates' AND type <> 'date'::regtype
   OR domain = 'integers' AND type NOT IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype)
UNION ALL
SELECT 'HIGH', format('%s is %s and cannot hold all of %s to %s', label, type_name, first, last), 'declare a range that the column can hold'
FROM listed
WHERE domain = 'integers' AND (type = 'int2'::regtype AND (first < -32768 OR last > 32767)
                            OR type = 'int4'::regtype AND (first < -2147483648 OR last > 2147483647))
UNION ALL
SELECT 'HIGH', format('%s is %s, %s is %s', l.label, l.type_name, s.label, s.type_name), 'take the values from a column of the same type'
FROM listed AS l
JOIN listed AS s ON s.kind = 'public' AND s.label = format('%I.%I.%I', l.source ->> 'schema', l.source ->> 'name', l.source ->> 'column')
JOIN pg_type AS lt ON lt.oid = l.type JOIN pg_type AS st ON st.oid = s.type
WHERE l.domain = 'from' AND l.type <> s.type AND NOT (lt.typcategory = st.typcategory AND lt.typcategory IN ('S', 'N'))

-- check: curator cannot read a table of the policy
SELECT 'HIGH', format('%s: no USAGE on its schema', r.label), format('GRANT USAGE ON SCHEMA %s TO %I;', r.schema_oid::regnamespace, c.rolname)
FROM relation AS r CROSS JOIN curator AS c
WHERE r.oid IS NOT NULL AND NOT has_schema_privilege(c.oid, r.schema_oid, 'USAGE')
UNION ALL
SELECT 'HIGH', format('%s: no SELECT on any column', r.label), format('GRANT SELECT ON %s TO %I;', r.label, c.rolname)
FROM relation AS r CROSS JOIN curator AS c
WHERE r.oid IS NOT NULL AND NOT has_any_column_privilege(c.oid, r.oid, 'SELECT')
UNION ALL
SELECT 'HIGH', format('%s: no SELECT', l.label), format('GRANT SELECT (%I) ON %s TO %I;', l.name, l.relation::regclass, c.rolname)
FROM listed AS l CROSS JOIN curator AS c
WHERE l.type IS NOT NULL AND NOT has_column_privilege(c.oid, l.relation, l.attnum, 'SELECT')

-- check: curator can write to a table of the policy
SELECT 'HIGH', format('%s on %s', string_agg(p.privilege, ', ' ORDER BY p.privilege), t.oid::regclass),
       format('REVOKE %s ON %s FROM PUBLIC, %I;', string_agg(p.privilege, ', ' ORDER BY p.privilege), t.oid::regclass, c.rolname)
FROM (SELECT DISTINCT oid FROM trusted) AS t
CROSS JOIN curator AS c
CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p(privilege)
WHERE NOT c.rolsuper AND (has_table_privilege(c.oid, t.oid, p.privilege)
    OR p.privilege IN ('INSERT', 'UPDATE') AND has_any_column_privilege(c.oid, t.oid, p.privilege))
GROUP BY t.oid, c.rolname

-- check: analyst has a privilege on what holds or shows protected rows
SELECT 'HIGH', format('%s on %s%s: %s', string_agg(DISTINCT p.privilege, ', '), s.oid::regclass,
           CASE WHEN s.oid::regclass::text = min(s.root) THEN '' ELSE format(' (rows of %s)', min(s.root)) END, string_agg(DISTINCT w.name, ', ')),
       format('REVOKE ALL ON %s FROM PUBLIC, %s CASCADE;', s.oid::regclass, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM shows AS s
JOIN pg_class AS c ON c.oid = s.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 't')
CROSS JOIN who AS w
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS p(privilege)
WHERE has_table_privilege(w.oid, s.oid, p.privilege)
   OR p.privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(w.oid, s.oid, p.privilege)
GROUP BY s.oid

-- check: analyst can change a public table
-- Its rows are the domain of keys, and the curator reads it.
SELECT 'HIGH', format('%s on %s: %s', string_agg(DISTINCT p.privilege, ', '), t.label, string_agg(DISTINCT w.name, ', ')),
       format('REVOKE %s ON %s FROM PUBLIC, %s CASCADE;', string_agg(DISTINCT p.privilege, ', '), t.label, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM relation AS t
CROSS JOIN who AS w
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS p(privilege)
WHERE t.kind = 'public' AND t.oid IS NOT NULL AND p.privilege <> 'SELECT'
  AND (has_table_privilege(w.oid, t.oid, p.privilege)
       OR p.privilege IN ('INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(w.oid, t.oid, p.privilege))
GROUP BY t.oid, t.label

-- check: analyst owns what protected rows depend on
SELECT 'HIGH', format('%s owns %s', w.name, s.oid::regclass), 'give it to a role that no analyst can become'
FROM (SELECT oid FROM shows UNION SELECT oid FROM trusted) AS s JOIN pg_class AS c ON c.oid = s.oid JOIN who AS w ON w.oid = c.relowner
UNION ALL
SELECT DISTINCT 'HIGH', format('%s owns schema %s', w.name, n.oid::regnamespace), format('ALTER SCHEMA %s OWNER TO %I;', n.oid::regnamespace, d.rolname)
FROM relation AS r JOIN pg_namespace AS n ON n.oid = r.schema_oid JOIN who AS w ON w.oid = n.nspowner
CROSS JOIN (SELECT pg_get_userbyid(datdba) AS rolname FROM pg_database WHERE datname = current_database()) AS d
UNION ALL
SELECT 'HIGH', format('%s owns database %I', w.name, d.datname), format('give %I to a role that no analyst can become', d.datname)
FROM pg_database AS d JOIN who AS w ON w.oid = d.datdba
WHERE d.datname = current_database()

-- check: analyst owns code that a table of the policy runs
-- The owner of a function can replace it at any time. Indexes, constraints, defaults, policies, triggers, statistics and rules of
-- a table belong to it by an automatic or internal dependency; others, such as that of a view, are no part of it.
SELECT DISTINCT 'HIGH', format('%s owns %s, which %s uses', w.name, pg_describe_object(uses.refclassid, uses.refobjid, 0), t.label),
       'give it to a role that no analyst can become'
FROM trusted AS t
CROSS JOIN LATERAL (
    SELECT d.classid, d.objid FROM pg_depend AS d
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid AND d.deptype IN ('a', 'i', 'P', 'S')
    UNION ALL SELECT 'pg_class'::regclass, t.oid) AS part
JOIN pg_depend AS uses ON uses.classid = part.classid AND uses.objid = part.objid
LEFT JOIN pg_proc AS f ON uses.refclassid = 'pg_proc'::regclass AND f.oid = uses.refobjid
LEFT JOIN pg_operator AS o ON uses.refclassid = 'pg_operator'::regclass AND o.oid = uses.refobjid
LEFT JOIN pg_opclass AS k ON uses.refclassid = 'pg_opclass'::regclass AND k.oid = uses.refobjid
LEFT JOIN pg_type AS y ON uses.refclassid = 'pg_type'::regclass AND y.oid = uses.refobjid
LEFT JOIN pg_collation AS l ON uses.refclassid = 'pg_collation'::regclass AND l.oid = uses.refobjid
JOIN who AS w ON w.oid IN (f.proowner, o.oprowner, k.opcowner, y.typowner, l.collowner)

-- check: analyst may create objects in a schema that others use
-- An analyst may have a schema of her own name: it is on nobody else's search_path, unless somebody put it there.
SELECT 'HIGH', format('%s in %s', string_agg(w.name, ', ' ORDER BY w.name), n.oid::regnamespace),
       format('REVOKE CREATE ON SCHEMA %s FROM PUBLIC, %s;', n.oid::regnamespace, string_agg(quote_ident(w.role), ', '))
FROM pg_namespace AS n CROSS JOIN who AS w
WHERE n.nspname !~ '^pg_(toast_)?temp_' AND has_schema_privilege(w.oid, n.oid, 'CREATE')
  AND (n.nspname <> w.role OR NOT EXISTS (SELECT FROM analyst WHERE name = w.role) OR n.oid IN (SELECT schema_oid FROM relation))
GROUP BY n.oid

-- check: analyst's schema is on somebody else's search_path
-- Another analyst's choice is her own: she holds nothing that could be stolen by it.
SELECT 'HIGH', format('schema %I on the search_path of %s', a.name, x.whose), format('take %I out of it', a.name)
FROM analyst AS a
CROSS JOIN LATERAL (
    SELECT CASE WHEN s.setrole <> 0 THEN s.setrole::regrole::text ELSE 'all roles' END AS whose, s.value
    FROM setting AS s WHERE s.name = 'search_path' AND s.setrole NOT IN (SELECT oid FROM who)
    UNION ALL
    SELECT p.oid::regprocedure::text, substr(e.entry, strpos(e.entry, '=') + 1)
    FROM pg_proc AS p CROSS JOIN unnest(p.proconfig) AS e(entry)
    WHERE e.entry LIKE 'search\_path=%' AND p.proowner NOT IN (SELECT oid FROM who)) AS x
CROSS JOIN regexp_split_to_table(x.value, ',') AS path(entry)
WHERE EXISTS (SELECT FROM pg_namespace WHERE nspname = a.name)
  AND a.name = CASE WHEN btrim(path.entry) LIKE '"%"' THEN replace(btrim(btrim(path.entry), '"'), '""', '"') ELSE lower(btrim(path.entry)) END

-- check: analyst may create schemas
-- One with another role's name would be on that role's search_path.
SELECT 'HIGH', string_agg(w.name, ', ' ORDER BY w.name),
       format('REVOKE CREATE ON DATABASE %I FROM PUBLIC, %s;', current_database(), string_agg(quote_ident(w.role), ', '))
FROM who AS w
WHERE has_database_privilege(w.oid, current_database(), 'CREATE')
HAVING count(*) > 0

-- check: analyst may run a function with its owner's privileges
-- An aggregate calls its functions with the privileges of the aggregate's owner.
SELECT 'HIGH', format('SECURITY DEFINER %s of %s: %s', p.oid::regprocedure, p.proowner::regrole, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %s;', p.oid::regprocedure, string_agg(quote_ident(w.role), ', '))
FROM pg_proc AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)
GROUP BY p.oid, p.proowner
UNION ALL
SELECT 'HIGH', format('aggregate %s runs SECURITY DEFINER %s of %s: %s', a.aggfnoid, p.oid::regprocedure, p.proowner::regrole, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %s;', a.aggfnoid::oid::regprocedure, string_agg(quote_ident(w.role), ', '))
FROM pg_aggregate AS a
JOIN pg_proc AS p ON p.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
JOIN who AS w ON has_function_privilege(w.oid, a.aggfnoid, 'EXECUTE')
WHERE p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)
GROUP BY a.aggfnoid, p.oid, p.proowner

-- check: analyst may run a function in an untrusted language
SELECT 'MED', format('%s in %s: %s', p.oid::regprocedure, l.lanname, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC, %s;', p.oid::regprocedure, string_agg(quote_ident(w.role), ', '))
FROM pg_proc AS p
JOIN pg_language AS l ON l.oid = p.prolang AND NOT l.lanpltrusted AND l.lanname NOT IN ('c', 'internal')
JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
GROUP BY p.oid, l.lanname

-- check: analyst's writes fire a trigger with its owner's privileges
SELECT 'HIGH', format('trigger %I on %s runs SECURITY DEFINER %s', t.tgname, t.tgrelid::regclass, p.oid::regprocedure),
       format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s FROM PUBLIC, %s;', t.tgrelid::regclass, string_agg(quote_ident(w.role), ', '))
FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
JOIN who AS w ON has_any_column_privilege(w.oid, t.tgrelid, 'INSERT, UPDATE') OR has_table_privilege(w.oid, t.tgrelid, 'DELETE, TRUNCATE')
WHERE NOT t.tgisinternal AND p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)
GROUP BY t.oid, t.tgname, t.tgrelid, p.oid

-- check: analyst's DDL fires an event trigger with its owner's privileges
SELECT 'MED', format('event trigger %I runs SECURITY DEFINER %s', e.evtname, p.oid::regprocedure), format('ALTER FUNCTION %s SECURITY INVOKER;', p.oid::regprocedure)
FROM pg_event_trigger AS e JOIN pg_proc AS p ON p.oid = e.evtfoid
WHERE p.prosecdef AND e.evtenabled <> 'D'

-- check: changes of a protected table are announced to everybody
-- Any role may LISTEN on any channel. That a trigger does so is judged by the text of its function.
SELECT 'MED', format('trigger %I on %s', t.tgname, t.tgrelid::regclass), format('DROP TRIGGER %I ON %s;', t.tgname, t.tgrelid::regclass)
FROM (SELECT DISTINCT oid FROM stores) AS s JOIN pg_trigger AS t ON t.tgrelid = s.oid JOIN pg_proc AS p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND p.prosrc ~* 'notif'
UNION ALL
SELECT 'MED', format('rule %I on %s', r.rulename, r.ev_class::regclass), format('DROP RULE %I ON %s;', r.rulename, r.ev_class::regclass)
FROM (SELECT DISTINCT oid FROM stores) AS s JOIN pg_rewrite AS r ON r.ev_class = s.oid
WHERE r.ev_type <> '1' AND pg_get_ruledef(r.oid) ~ '\mNOTIFY\M'

-- check: foreign key tells which protected rows exist
SELECT 'HIGH', format('%I: an analyst may write to %s, which refers to %s', k.conname, k.conrelid::regclass, k.confrelid::regclass),
       format('REVOKE INSERT, UPDATE ON %s FROM PUBLIC, %s;', k.conrelid::regclass, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM pg_constraint AS k JOIN stores AS s ON s.oid = k.confrelid JOIN who AS w ON has_any_column_privilege(w.oid, k.conrelid, 'INSERT, UPDATE')
WHERE k.contype = 'f' GROUP BY k.oid, k.conname, k.conrelid, k.confrelid
UNION ALL
SELECT 'HIGH', format('%I: an analyst may delete from or update %s, to which %s refers', k.conname, k.confrelid::regclass, k.conrelid::regclass),
       format('REVOKE DELETE, TRUNCATE, UPDATE ON %s FROM PUBLIC, %s;', k.confrelid::regclass, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM pg_constraint AS k JOIN stores AS s ON s.oid = k.conrelid
JOIN who AS w ON has_table_privilege(w.oid, k.confrelid, 'DELETE, TRUNCATE') OR has_any_column_privilege(w.oid, k.confrelid, 'UPDATE')
WHERE k.contype = 'f' GROUP BY k.oid, k.conname, k.conrelid, k.confrelid

-- check: sequence tells how many protected rows were inserted
SELECT 'HIGH', format('%s, used by %s: %s', q.oid::regclass, min(s.root), string_agg(DISTINCT w.name, ', ')),
       format('REVOKE ALL ON SEQUENCE %s FROM PUBLIC, %s;', q.oid::regclass, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM stores AS s
CROSS JOIN LATERAL (
    SELECT d.objid AS oid FROM pg_depend AS d
    WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid
    UNION
    SELECT d.refobjid FROM pg_attrdef AS a JOIN pg_depend AS d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
    WHERE a.adrelid = s.oid AND d.refclassid = 'pg_class'::regclass) AS q
JOIN pg_class AS c ON c.oid = q.oid AND c.relkind = 'S'
JOIN who AS w ON has_sequence_privilege(w.oid, q.oid, 'SELECT, USAGE, UPDATE')
GROUP BY q.oid

-- check: analyst may use a foreign server
SELECT 'HIGH', format('server %I: %s', s.srvname, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE USAGE ON FOREIGN SERVER %I FROM PUBLIC, %s;', s.srvname, string_agg(quote_ident(w.role), ', '))
FROM pg_foreign_server AS s JOIN who AS w ON has_server_privilege(w.oid, s.oid, 'USAGE')
GROUP BY s.srvname
UNION ALL
SELECT 'HIGH', format('foreign-data wrapper %I: %s', f.fdwname, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE USAGE ON FOREIGN DATA WRAPPER %I FROM PUBLIC, %s;', f.fdwname, string_agg(quote_ident(w.role), ', '))
FROM pg_foreign_data_wrapper AS f JOIN who AS w ON has_foreign_data_wrapper_privilege(w.oid, f.oid, 'USAGE')
GROUP BY f.fdwname

-- check: analyst may read a foreign table
-- It may lead back to this database, under the privileges of whoever its user mapping names, or to the server's files.
SELECT 'MED', format('%s: %s', f.ftrelid::regclass, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE ALL ON %s FROM PUBLIC, %s;', f.ftrelid::regclass, string_agg(quote_ident(w.role), ', '))
FROM pg_foreign_table AS f JOIN who AS w ON has_any_column_privilege(w.oid, f.ftrelid, 'SELECT')
GROUP BY f.ftrelid

-- check: analyst owns a publication or subscription
SELECT 'HIGH', format('%s owns publication %I', w.name, p.pubname), format('DROP PUBLICATION %I;', p.pubname)
FROM pg_publication AS p JOIN who AS w ON w.oid = p.pubowner
UNION ALL
SELECT 'HIGH', format('%s owns subscription %I', w.name, s.subname), format('DROP SUBSCRIPTION %I;', s.subname)
FROM pg_subscription AS s JOIN who AS w ON w.oid = s.subowner

-- check: analyst may use a function that the server keeps to superusers
SELECT 'HIGH', format('%s: %s', p.oid::regprocedure, string_agg(w.name, ', ' ORDER BY w.name)),
       format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %s;', p.oid::regprocedure, string_agg(quote_ident(w.role), ', '))
FROM pg_init_privs AS i JOIN pg_proc AS p ON p.oid = i.objoid JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE i.classoid = 'pg_proc'::regclass
  AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type = 'EXECUTE')
GROUP BY p.oid

-- check: analyst may read a catalog that the server keeps to superusers
-- pg_statistic and pg_statistic_ext_data hold values of protected columns, pg_authid passwords.
SELECT 'HIGH', format('%s (%s): %s', c.oid::regclass, string_agg(DISTINCT quote_ident(a.attname), ', '), string_agg(DISTINCT w.name, ', ')),
       format('REVOKE SELECT (%s) ON %s FROM PUBLIC, %s; REVOKE SELECT ON %2$s FROM PUBLIC, %3$s;',
              string_agg(DISTINCT quote_ident(a.attname), ', '), c.oid::regclass, string_agg(DISTINCT quote_ident(w.role), ', '))
FROM pg_init_privs AS i
JOIN pg_class AS c ON c.oid = i.objoid AND c.relkind IN ('r', 'v', 'm')
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN who AS w ON has_column_privilege(w.oid, c.oid, a.attnum, 'SELECT')
WHERE i.classoid = 'pg_class'::regclass AND i.objsubid = 0
  AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type = 'SELECT')
  AND NOT EXISTS (SELECT FROM pg_init_privs AS ci CROSS JOIN LATERAL aclexplode(ci.initprivs) AS x
                  WHERE ci.classoid = i.classoid AND ci.objoid = i.objoid AND ci.objsubid = a.attnum AND x.grantee = 0 AND x.privilege_type = 'SELECT')
GROUP BY c.oid

-- check: analyst may use an extension that shows what others did or where rows lie
-- or that runs SQL which the proxy does not see.
SELECT 'MED', format('%s: %s', e.extname, string_agg(DISTINCT w.name, ', ')), string_agg(DISTINCT format(x.revoke, quote_ident(w.role)), ' ')
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
CROSS JOIN who AS w
CROSS JOIN LATERAL (
    SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %%s;', replace(d.objid::regprocedure::text, '%', '%%'))
    WHERE d.classid = 'pg_proc'::regclass AND has_function_privilege(w.oid, d.objid, 'EXECUTE')
    UNION ALL
    SELECT format('REVOKE ALL ON %s FROM PUBLIC, %%s;', replace(d.objid::regclass::text, '%', '%%'))
    FROM pg_class AS c
    WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('r', 'v', 'm') AND has_any_column_privilege(w.oid, c.oid, 'SELECT')) AS x(revoke)
WHERE e.extname IN (SELECT jsonb_array_elements_text(doc -> 'extensions') FROM input)
GROUP BY e.extname

-- check: analyst may read activity counters or locks
SELECT 'MED', format('%s functions such as %s: %s', count(DISTINCT p.oid), min(p.oid::regprocedure::text), string_agg(DISTINCT w.name, ', ')),
       string_agg(DISTINCT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %I;', p.oid::regprocedure, w.role), ' ')
FROM input CROSS JOIN pg_proc AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ (doc ->> 'counters') AND p.proname !~ (doc ->> 'own_activity')
HAVING count(*) > 0

-- check: analyst may measure the size of a protected table
SELECT 'MED', format('%s: %s', string_agg(DISTINCT p.proname, ', '), string_agg(DISTINCT w.name, ', ')),
       string_agg(DISTINCT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %I;', p.oid::regprocedure, w.role), ' ')
FROM input CROSS JOIN pg_proc AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE (doc -> 'size_hidden')::bool AND p.pronamespace = 'pg_catalog'::regnamespace AND p.proname ~ (doc ->> 'sizes')
HAVING count(*) > 0

-- check: analyst may read estimates of the size of a protected table
SELECT 'MED', format('pg_class (%s): %s', string_agg(DISTINCT a.attname, ', '), string_agg(DISTINCT w.name, ', ')),
       'run the SQL that tacit check prints: it leaves the other columns of pg_class readable'
FROM input CROSS JOIN pg_attribute AS a JOIN who AS w ON has_column_privilege(w.oid, a.attrelid, a.attnum, 'SELECT')
WHERE (doc -> 'size_hidden')::bool AND a.attrelid = 'pg_class'::regclass
  AND a.attname IN (SELECT jsonb_array_elements_text(doc -> 'estimates') FROM input)
HAVING count(*) > 0

-- check 140000: extended statistics show values of protected rows
-- Clusters made by a server before 14.12, 15.7 or 16.3 keep views that show them to everybody (CVE-2024-4317).
SELECT 'MED', format('%s on %s', x.stxname, x.stxrelid::regclass), 'run the fix-CVE-2024-4317.sql that came with the server, or drop the statistics'
FROM pg_statistic_ext AS x
WHERE x.stxrelid IN (SELECT oid FROM stores) AND pg_get_viewdef('pg_stats_ext'::regclass) !~ 'pg_has_role\(c\.relowner'

-- check: objects were added to pg_catalog
-- The curator's statements name functions, operators and casts of pg_catalog; these could take their place.
SELECT 'MED', pg_describe_object(o.classid, o.oid, 0), 'drop it or move it to another schema'
FROM (
    SELECT 'pg_proc'::regclass AS classid, p.oid FROM pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace
    UNION ALL
    SELECT 'pg_operator'::regclass, p.oid FROM pg_operator AS p WHERE p.oprnamespace = 'pg_catalog'::regnamespace
    UNION ALL
    SELECT 'pg_cast'::regclass, c.oid FROM pg_cast AS c WHERE c.castsource < 16384 AND c.casttarget < 16384) AS o
WHERE o.oid >= 16384 -- what initdb makes has lower ones
  AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = o.classid AND d.objid = o.oid AND d.deptype = 'e')

-- check: analyst will be able to read new partitions
SELECT 'MED', format('default privileges of %s give %s on new tables to %s', d.defaclrole::regrole, x.privilege_type, coalesce(w.name, 'PUBLIC')),
       format('ALTER DEFAULT PRIVILEGES FOR ROLE %s%s REVOKE %s ON TABLES FROM %s;', d.defaclrole::regrole,
              CASE WHEN d.defaclnamespace <> 0 THEN format(' IN SCHEMA %s', d.defaclnamespace::regnamespace) ELSE '' END, x.privilege_type, coalesce(quote_ident(w.role), 'PUBLIC'))
FROM pg_default_acl AS d CROSS JOIN LATERAL aclexplode(d.defaclacl) AS x LEFT JOIN who AS w ON w.oid = x.grantee
WHERE d.defaclobjtype = 'r' AND (x.grantee = 0 OR w.oid IS NOT NULL) AND d.defaclrole NOT IN (SELECT oid FROM who)
  AND EXISTS (SELECT FROM stores AS s JOIN pg_class AS c ON c.oid = s.oid
              WHERE (c.relkind = 'p' OR EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)) AND d.defaclnamespace IN (0, c.relnamespace))
