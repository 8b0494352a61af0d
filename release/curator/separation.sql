-- What CheckSeparation asks of the catalog. Everything here may be read by any role, also after hardening.sql.
--
-- The first part defines relations for all checks; $1 is the policy as JSON (separationInput). Each following part begins with
-- "-- check [its-name]: what it finds", or "-- check 150000 [its-name]: ..." if it needs that server version, and yields the rows of
-- (severity, detail, remedy) that contradict separation. HIGH: an analyst can reach protected rows or have code run by somebody who
-- can, or the policy cannot be served at all. MED: an analyst learns facts about protected rows, or a defence is missing.
-- A remedy that ends in a semicolon is SQL. It runs with search_path = pg_catalog, so that names are printed qualified.
--
-- "-- check of roles [its-name]: ..." yields (severity, act, object, remedy, role) for every role of who that may do what it should not. The last
-- part makes findings of them, by whose grant it is: that of PUBLIC or the analyst herself, from whom a remedy "REVOKE ..." then
-- takes it, or that of a role which she is a member of, and which may hold it rightly: the remedy is to end the membership.
--
-- "-- check of publications [its-name]: ..." is asked only if the policy publishes something. What stands above "-- objects" is also asked by the last part.
--
-- A header may have one word more before its name, by which a running proxy knows what to refuse while the finding stands (Object):
-- "naming" and "writing" add two last columns, the catalog and oid of an object that no statement may name, or of a table that none
-- may write to. "closing" adds none: what was found is not about an object, so that nothing but catalogs may be read. Nor does "computing": the
-- server calls what was found without being told to by a name, so that no statement that computes anything may run. Without such a word, what was found lets nobody read anything through the proxy; say why in a comment if that is not plain.

WITH RECURSIVE
input AS (SELECT $1::jsonb AS doc),

analyst AS (
    SELECT a.name, r.oid, r.rolcanlogin
    FROM input, jsonb_array_elements_text(doc -> 'analysts') AS a(name)
    LEFT JOIN pg_roles AS r ON r.rolname = a.name),

curator AS (SELECT r.* FROM pg_roles AS r WHERE r.rolname = session_user),

-- No row if nothing is published.
publisher AS (
    SELECT p.name, r.oid, r.rolcanlogin, r.rolsuper
    FROM (SELECT doc ->> 'publisher' AS name FROM input) AS p
    LEFT JOIN pg_roles AS r ON r.rolname = p.name
    WHERE p.name IS NOT NULL),

-- Every role whose privileges the publisher can come to hold, and by which of its memberships. A superuser is a finding of its own.
publisher_reach AS (
    SELECT p.name AS publisher, r.oid, r.rolname AS role, NULL::oid AS via
    FROM publisher AS p JOIN pg_roles AS r ON r.oid = p.oid
    UNION
    SELECT p.name, r.oid, r.rolname, m.roleid
    FROM publisher AS p
    JOIN pg_auth_members AS m ON m.member = p.oid
    JOIN pg_roles AS r ON r.rolname <> 'pg_database_owner' AND pg_has_role(m.roleid, r.oid, 'MEMBER')
    WHERE NOT p.rolsuper),

publication AS (
    SELECT t.schema, t.name, n.oid AS schema_oid, n.nspowner, c.oid, c.relowner
    FROM input
    CROSS JOIN jsonb_to_recordset(doc -> 'publications') AS t(schema text, name text)
    LEFT JOIN pg_namespace AS n ON n.nspname = t.schema
    LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name),

-- Every role whose privileges an analyst can come to hold. MEMBER, not USAGE: it counts memberships that are not inherited but
-- reached by SET ROLE, and in PostgreSQL 16 and later those granted without SET, whose holder may have the ADMIN option.
-- A superuser is a member of every role; that she is a superuser is finding enough. Only the owner of the database is in
-- pg_database_owner, which is found as such.
reach AS (
    SELECT a.name AS analyst, a.oid AS analyst_oid, r.oid, r.rolname AS role, r.rolsuper, r.rolcreaterole, r.rolcreatedb,
           r.rolreplication, r.rolbypassrls
    FROM analyst AS a
    JOIN pg_roles AS me ON me.oid = a.oid
    JOIN pg_roles AS r ON r.oid = me.oid OR NOT me.rolsuper AND r.rolname <> 'pg_database_owner' AND pg_has_role(me.oid, r.oid, 'MEMBER')),

-- The same, each role once, and PUBLIC; without superusers, who hold every privilege.
who AS (
    SELECT DISTINCT oid, role FROM reach WHERE NOT rolsuper
    UNION ALL
    SELECT 0, 'PUBLIC'),

-- By which of her memberships an analyst reaches a role.
hop AS (
    SELECT DISTINCT r.analyst, r.analyst_oid, m.roleid AS via, r.oid AS reached, r.role
    FROM reach AS r JOIN pg_auth_members AS m ON m.member = r.analyst_oid
    WHERE r.oid <> r.analyst_oid AND pg_has_role(m.roleid, r.oid, 'MEMBER')),

-- objects

named AS MATERIALIZED (
    SELECT 'protected' AS kind, t.schema, t.name, t.columns, t.audited
    FROM input, jsonb_to_recordset(doc -> 'tables') AS t(schema text, name text, columns jsonb, audited bool)
    UNION ALL
    SELECT 'public', t.schema, t.name, t.columns, false
    FROM input, jsonb_to_recordset(doc -> 'public') AS t(schema text, name text, columns jsonb)),

relation AS (
    SELECT t.kind, t.columns, t.audited, format('%I.%I', t.schema, t.name) AS label, c.oid, c.relnamespace AS schema_oid
    FROM named AS t
    LEFT JOIN (pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace) ON n.nspname = t.schema AND c.relname = t.name),

-- The policy's columns; type is null if there is no such column.
listed AS (
    SELECT r.kind, r.oid AS relation, r.label || '.' || quote_ident(d.name) AS label, d.name, d.domain, d.first, d.last, d.source, d.person, d.never_null, a.attnum,
           a.atttypid AS type, a.attcollation AS collation, a.attgenerated AS generated, format_type(a.atttypid, a.atttypmod) AS type_name
    FROM relation AS r
    CROSS JOIN jsonb_to_recordset(r.columns) AS d(name text, domain text, first int8, last int8, source jsonb, person bool, never_null bool)
    LEFT JOIN LATERAL (
        SELECT * FROM pg_attribute WHERE attrelid = r.oid AND attname = d.name AND attnum > 0 AND NOT attisdropped OFFSET 0) AS a ON true
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

-- Sequences that number the rows of stores: those that belong to a column, and those that a default uses.
numbering AS (
    SELECT c.oid, s.root
    FROM stores AS s
    CROSS JOIN LATERAL (
        SELECT d.objid AS oid FROM pg_depend AS d
        WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid
        UNION
        SELECT d.refobjid FROM pg_attrdef AS a JOIN pg_depend AS d ON d.classid = 'pg_attrdef'::regclass AND d.objid = a.oid
        WHERE a.adrelid = s.oid AND d.refclassid = 'pg_class'::regclass) AS q
    JOIN pg_class AS c ON c.oid = q.oid AND c.relkind = 'S'),

-- The server's own catalogs that tell of rows, or hold passwords, and the columns that do; no columns: each of them does.
secret AS (
    SELECT to_regclass(v.catalog)::oid AS oid,
           (SELECT array_agg(a.attnum) FROM pg_attribute AS a
            WHERE a.attrelid = to_regclass(v.catalog) AND NOT a.attisdropped AND a.attnum > 0 AND (v.columns IS NULL OR a.attname = ANY (v.columns))) AS columns
    FROM (VALUES ('pg_statistic', NULL::text[]), ('pg_statistic_ext_data', NULL), ('pg_largeobject', NULL), ('pg_authid', ARRAY['rolpassword']),
                 ('pg_shadow', ARRAY['passwd']), ('pg_user_mapping', ARRAY['umoptions']), ('pg_subscription', ARRAY['subconninfo'])) AS v(catalog, columns)
    UNION ALL
    SELECT 'pg_class'::regclass, array_agg(attnum)
    FROM input CROSS JOIN pg_attribute
    WHERE (doc -> 'size_hidden')::bool AND attrelid = 'pg_class'::regclass AND attname IN (SELECT jsonb_array_elements_text(doc -> 'estimates') FROM input)
    HAVING count(*) > 0),

-- PostgreSQL's own functions that show each caller what that caller may see. Views call them as the role that reads the view, but a
-- materialized view keeps what its owner saw.
telling AS MATERIALIZED (
    SELECT p.oid, p.counts, p.measures, p.own_activity, p.size_hidden, p.runs_text
    FROM (
        SELECT p.oid, p.proname LIKE ANY (names.counters) AS counts, p.proname = ANY (names.sizes) AS measures, p.proname = ANY (names.own_activity) AS own_activity,
               names.size_hidden, p.proname IN ('pg_sequence_last_value', 'pg_get_sequence_data', 'lo_get', 'loread') AS named,
               CASE WHEN p.proname LIKE ANY (names.runners_like)
                    THEN p.proname || '(' || replace(oidvectortypes(p.proargtypes), ', ', ',') || ')' ~ names.runners ELSE false END AS runs_text
        FROM (SELECT ARRAY(SELECT jsonb_array_elements_text(doc -> 'counters')) AS counters, ARRAY(SELECT jsonb_array_elements_text(doc -> 'sizes')) AS sizes,
                     ARRAY(SELECT jsonb_array_elements_text(doc -> 'own_activity')) AS own_activity, (doc -> 'size_hidden')::bool AS size_hidden,
                     ARRAY(SELECT jsonb_array_elements_text(doc -> 'runners_like')) AS runners_like, doc ->> 'runners' AS runners FROM input OFFSET 0) AS names
        CROSS JOIN pg_proc AS p WHERE p.pronamespace = 'pg_catalog'::regnamespace) AS p
    WHERE p.counts OR p.runs_text OR p.measures AND p.size_hidden OR p.named
       OR p.oid IN (SELECT i.objoid FROM pg_init_privs AS i WHERE i.classoid = 'pg_proc'::regclass
                    AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type = 'EXECUTE'))),

-- How views read: as whoever reads the view (security_invoker), or the server's own, which show each reader what she may see.
careful AS (
    SELECT c.oid FROM pg_class AS c
    WHERE c.relkind = 'v'
      AND (c.oid < 16384 AND c.oid NOT IN (SELECT oid FROM secret)
           OR EXISTS (SELECT FROM pg_options_to_table(c.reloptions) AS o
                      WHERE CASE WHEN o.option_name = 'security_invoker' THEN o.option_value::bool ELSE false END))),

-- The materialized views, and what such a view could come to hold something of: it is read beneath one, or written to by a rule beneath one.
-- A view that shows each reader what she may see matters only if it is among these. Most of the server's own views are not.
kept AS (
    SELECT oid FROM pg_class WHERE relkind = 'm'
    UNION
    SELECT down.oid
    FROM kept AS k
    CROSS JOIN LATERAL (
        SELECT inhrelid AS oid FROM pg_inherits WHERE inhparent = k.oid
        UNION ALL
        SELECT d.refobjid
        FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_class = k.oid AND d.refclassid = 'pg_class'::regclass
        UNION ALL
        SELECT r.ev_class
        FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = k.oid AND r.ev_type <> '1') AS down),

-- The stored trees of rules tell what they read and call: pg_depend says nothing of what initdb made first (it is pinned). They are cut at
-- what is looked for, since regular expressions over all of them would take most of the time of the check.
rule AS MATERIALIZED (
    SELECT ev_class, ev_action::text || ev_qual::text AS tree
    FROM pg_rewrite WHERE ev_class NOT IN (SELECT oid FROM careful) OR ev_class IN (SELECT oid FROM kept)),

-- A node that reads a relation lists the columns, each with its number plus 7; 7 is the whole row. Between the relation and the columns is no
-- other node but that of TABLESAMPLE. A view shows them if its owner may read them; a materialized view may have been filled when she could.
reads_catalog AS MATERIALIZED (
    SELECT DISTINCT r.ev_class, s.oid AS catalog
    FROM (SELECT ev_class, split_part(part, ' ', 1), split_part(split_part(split_part(split_part(part, '{', 1), '}', 1), ':selectedCols (b', 2), ')', 1)
          FROM rule CROSS JOIN string_to_table(tree, ':relid ') AS part
          UNION ALL
          SELECT ev_class, m.groups[1], m.groups[2]
          FROM rule
          CROSS JOIN (SELECT format(':relid (%s) [^{}]*?\{TABLESAMPLECLAUSE .*?:selectedCols \(b([^)]*)\)', string_agg(oid::text, '|')) AS reading FROM secret) AS p
          CROSS JOIN regexp_matches(tree, p.reading, 'g') AS m(groups)
          WHERE tree LIKE '%{TABLESAMPLECLAUSE %') AS r(ev_class, relation, columns)
    JOIN secret AS s ON s.oid::text = r.relation
    JOIN pg_class AS c ON c.oid = r.ev_class
    CROSS JOIN unnest(s.columns) AS hidden
    WHERE string_to_array(r.columns, ' ') && ARRAY['7', (hidden + 7)::text]
      AND (c.relkind = 'm' OR has_column_privilege(c.relowner, s.oid, hidden, 'SELECT'))),

-- Functions whose results no dependency explains, as they may run any SQL. One that is declared IMMUTABLE reads no table.
opaque_function AS (
    SELECT p.oid FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
    LEFT JOIN (pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid)
           ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
    WHERE p.oid >= 16384 -- what initdb makes has lower ones
      AND p.provolatile <> 'i' AND l.lanname <> 'internal'
      AND (l.lanname <> 'c' OR e.oid IS NULL OR e.extname IN (SELECT jsonb_array_elements_text(doc -> 'extensions') FROM input))),

-- Views that call such functions, also as an operator or within an aggregate.
calls_opaque AS MATERIALIZED (
    SELECT r.ev_class, f.oid AS function
    FROM (SELECT oid, 'pg_proc'::regclass AS classid, oid AS objid FROM opaque_function
          UNION ALL SELECT f.oid, 'pg_operator'::regclass, o.oid FROM opaque_function AS f JOIN pg_operator AS o ON o.oprcode = f.oid
          UNION ALL SELECT f.oid, 'pg_proc'::regclass, a.aggfnoid
                    FROM opaque_function AS f JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_proc'::regclass AND d.refobjid = f.oid
                    JOIN pg_aggregate AS a ON a.aggfnoid = d.objid) AS f
    JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.refclassid = f.classid AND d.refobjid = f.objid
    JOIN pg_rewrite AS r ON r.oid = d.objid),

-- What holds protected rows or tells of them, and the relations that show it: parents, views and materialized views, and what rules
-- write to. Foreign tables count among them, as they may lead back to this database.
--   live: whoever may read the relation sees what its owner could. A view or rule of an analyst's own reads with her privileges, one
--         with security_invoker with the reader's; they show nothing new, but what a materialized view over them holds was read before.
--         What is not live is followed only if it is beneath a materialized view, or is one (kept).
--   hers: an analyst sees some of it rightly, so that a materialized view of hers is no sign that she once saw more.
--   opaque: what it shows is not known. A materialized view over it that the policy lists as public is taken as public.
-- Those that hold or tell of rows by themselves.
source AS MATERIALIZED (
    SELECT oid, root, true AS live, false AS hers, false AS opaque FROM stores
    UNION ALL SELECT oid, root, true, false, false FROM numbering
    UNION ALL SELECT oid, oid::regclass::text, true, false, false FROM secret
    UNION ALL SELECT ftrelid, format('foreign table %s', ftrelid::regclass), true, false, true FROM pg_foreign_table
    UNION ALL
    SELECT c.oid, format('function %s', f.oid::regprocedure), c.relkind = 'm', c.relkind <> 'm', f.opaque
    FROM (SELECT DISTINCT r.ev_class, t.oid, false AS opaque
          FROM rule AS r CROSS JOIN string_to_table(r.tree, ':funcid ') AS part JOIN telling AS t ON t.oid::text = split_part(part, ' ', 1)
          UNION ALL SELECT ev_class, function, true FROM calls_opaque) AS f
    JOIN pg_class AS c ON c.oid = f.ev_class
    WHERE c.relkind = 'v' OR c.relkind = 'm' AND c.relowner NOT IN (SELECT oid FROM who)
      AND NOT (f.opaque AND c.oid IN (SELECT oid FROM relation WHERE kind = 'public'))),

-- The planner takes an array for ten rows. Of the rows themselves it expects so many that it would make room for millions.
shows AS (
    SELECT s.* FROM unnest(ARRAY(SELECT oid FROM source), ARRAY(SELECT root FROM source), ARRAY(SELECT live FROM source), ARRAY(SELECT hers FROM source),
                           ARRAY(SELECT opaque FROM source)) AS s(oid, root, live, hers, opaque)
    UNION
    SELECT up.oid, s.root, up.live, up.hers, s.opaque
    FROM shows AS s
    CROSS JOIN LATERAL (
        SELECT inhparent AS oid, s.live, s.hers FROM pg_inherits WHERE inhrelid = s.oid
        UNION ALL
        SELECT c.oid, c.relkind = 'm' OR s.live AND c.relowner NOT IN (SELECT oid FROM who) AND c.oid NOT IN (SELECT oid FROM careful),
               c.relkind <> 'm' AND (s.hers OR c.oid IN (SELECT oid FROM careful))
        FROM (SELECT r.ev_class
              FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid
              WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = s.oid
                AND s.oid NOT IN (SELECT oid FROM secret)
              UNION
              SELECT ev_class FROM reads_catalog WHERE catalog = s.oid) AS r
        JOIN pg_class AS c ON c.oid = r.ev_class
        WHERE c.oid <> s.oid
          AND (c.relkind <> 'm' OR c.relowner NOT IN (SELECT oid FROM who) OR c.relispopulated AND NOT s.hers)
          AND NOT (s.opaque AND c.relkind = 'm' AND c.oid IN (SELECT oid FROM relation WHERE kind = 'public'))
        UNION ALL
        SELECT d.refobjid, s.live, s.hers
        FROM pg_rewrite AS r JOIN pg_depend AS d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
        WHERE r.ev_class = s.oid AND r.ev_type <> '1' AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> s.oid) AS up
    WHERE up.live OR up.oid IN (SELECT oid FROM kept)),

-- The relations by which somebody learns of protected rows, if he may use them.
shown AS (
    SELECT s.oid, min(s.root) AS root, c.relkind, c.relowner, c.relacl
    FROM shows AS s JOIN pg_class AS c ON c.oid = s.oid
    WHERE s.live AND s.oid NOT IN (SELECT oid FROM secret) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 't')
    GROUP BY s.oid, c.relkind, c.relowner, c.relacl),

-- What the curator reads: nothing of it may be an analyst's.
trusted AS (
    SELECT oid, root AS label FROM stores
    UNION
    SELECT oid, label FROM relation WHERE kind = 'public' AND oid IS NOT NULL),

-- Triggers of open tables that run code with its owner's privileges, whoever writes.
privileged_trigger AS (
    SELECT t.oid, t.tgname, t.tgrelid, t.tgfoid
    FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)),

-- Foreign keys between protected tables and others.
telling_key AS (
    SELECT DISTINCT k.oid, k.conname, k.conrelid, k.confrelid, k.confrelid = s.oid AS refers
    FROM pg_constraint AS k JOIN stores AS s ON s.oid IN (k.conrelid, k.confrelid)
    WHERE k.contype = 'f'),

-- By which relations a write reaches the tables of these: the tables, their parents, views and rules that write as their owners, and
-- tables whose rows take others along. Of the latter two any write may be the one.
written_by AS (
    SELECT tgrelid AS target, tgrelid AS oid, false AS by_any FROM privileged_trigger
    UNION SELECT CASE WHEN refers THEN conrelid ELSE confrelid END, CASE WHEN refers THEN conrelid ELSE confrelid END, false FROM telling_key
    UNION
    SELECT w.target, up.oid, w.by_any OR up.by_any
    FROM written_by AS w
    CROSS JOIN LATERAL (
        SELECT inhparent AS oid, false AS by_any FROM pg_inherits WHERE inhrelid = w.oid
        UNION ALL
        SELECT c.oid, r.ev_type <> '1'
        FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid JOIN pg_class AS c ON c.oid = r.ev_class
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = w.oid AND c.oid <> w.oid
          AND c.relowner NOT IN (SELECT oid FROM who)
          AND (r.ev_type <> '1' OR c.relkind = 'v' AND c.oid NOT IN (SELECT oid FROM careful) AND pg_relation_is_updatable(c.oid, false) <> 0)
        UNION ALL
        SELECT k.confrelid, true FROM pg_constraint AS k
        WHERE k.contype = 'f' AND k.conrelid = w.oid AND (k.confdeltype IN ('c', 'n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))) AS up),

-- What an analyst owns and can change at any time so that it runs other code.
replaceable AS (
    SELECT 'pg_proc'::regclass AS classid, oid, proowner AS owner FROM pg_proc WHERE proowner IN (SELECT oid FROM who)
    UNION ALL SELECT 'pg_operator'::regclass, oid, oprowner FROM pg_operator WHERE oprowner IN (SELECT oid FROM who)
    UNION ALL SELECT 'pg_opclass'::regclass, oid, opcowner FROM pg_opclass WHERE opcowner IN (SELECT oid FROM who)
    UNION ALL SELECT 'pg_type'::regclass, oid, typowner FROM pg_type WHERE typowner IN (SELECT oid FROM who)
    UNION ALL SELECT 'pg_collation'::regclass, oid, collowner FROM pg_collation WHERE collowner IN (SELECT oid FROM who)
    UNION ALL SELECT 'pg_class'::regclass, oid, relowner FROM pg_class WHERE relkind = 'v' AND relowner IN (SELECT oid FROM who)),

setting AS (
    SELECT s.setrole, s.setdatabase, split_part(e.entry, '=', 1) AS name, substr(e.entry, strpos(e.entry, '=') + 1) AS value
    FROM pg_db_role_setting AS s CROSS JOIN unnest(s.setconfig) AS e(entry)
    WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())))

-- check [analyst-without-role]: analyst has no role in the database server
SELECT 'HIGH', quote_ident(name), format('CREATE ROLE %I LOGIN;', name)
FROM analyst WHERE oid IS NULL

-- check [analyst-cannot-log-in]: analyst cannot log in to this database
SELECT 'MED', quote_ident(a.name), format('ALTER ROLE %I LOGIN; GRANT CONNECT ON DATABASE %I TO %I;', a.name, current_database(), a.name)
FROM analyst AS a
WHERE NOT a.rolcanlogin OR NOT has_database_privilege(a.oid, current_database(), 'CONNECT')

-- check closing [analyst-is-curator]: analyst is the curator
SELECT 'HIGH', quote_ident(name), 'give the curator a role of its own in upstream.curator'
FROM analyst WHERE name = session_user

-- check [curator-steps-down]: curator steps down from another role
SELECT 'HIGH', format('logged in as %I, acting as %I', session_user, current_user), 'let upstream.curator log in as the curator itself'
FROM curator WHERE session_user <> current_user

-- check closing [analyst-becomes-curator]: analyst can become the curator
SELECT 'HIGH', format('%I by membership in %s', h.analyst, h.via::regrole), format('REVOKE %s FROM %I;', h.via::regrole, h.analyst)
FROM curator AS c JOIN hop AS h ON h.reached = c.oid

-- check [curator-becomes-analyst]: curator can become an analyst
SELECT DISTINCT 'HIGH', format('%I by membership in %s', c.rolname, m.roleid::regrole), format('REVOKE %s FROM %I;', m.roleid::regrole, c.rolname)
FROM curator AS c JOIN pg_auth_members AS m ON m.member = c.oid JOIN analyst AS a ON a.oid <> c.oid
WHERE NOT c.rolsuper AND pg_has_role(m.roleid, a.oid, 'MEMBER')

-- check [analyst-becomes-analyst]: analyst can become another analyst
SELECT 'HIGH', format('%I can become %I by membership in %s, see its statements and cancel them', h.analyst, h.role, h.via::regrole),
       format('REVOKE %s FROM %I;', h.via::regrole, h.analyst)
FROM hop AS h JOIN analyst AS a ON a.oid = h.reached

-- check closing [analyst-predefined-role]: analyst can become a predefined role
SELECT 'HIGH', format('%I can become %s by membership in %s', analyst, string_agg(quote_ident(role), ', ' ORDER BY role), via::regrole),
       format('REVOKE %s FROM %I;', via::regrole, analyst)
FROM hop WHERE role ~ '^pg_'
GROUP BY analyst, via

-- check of roles closing [analyst-attribute]: analyst has a role attribute
SELECT 'HIGH', '', format('%I is %s', r.role, x.attribute),
       format('ALTER ROLE %I NO%s;', r.role, x.attribute), CASE WHEN r.oid <> r.analyst_oid THEN r.oid END
FROM reach AS r
CROSS JOIN LATERAL (VALUES (r.rolsuper, 'SUPERUSER'), (r.rolcreaterole, 'CREATEROLE'), (r.rolcreatedb, 'CREATEDB'),
                           (r.rolreplication, 'REPLICATION'), (r.rolbypassrls, 'BYPASSRLS')) AS x(held, attribute)
WHERE x.held AND (r.oid = r.analyst_oid OR r.oid NOT IN (SELECT oid FROM analyst WHERE oid IS NOT NULL))

-- check [curator-attribute]: curator has a role attribute
-- It needs BYPASSRLS where a protected table has row-level security, as is found there.
SELECT 'HIGH', format('%I is %s', c.rolname, x.attribute), format('ALTER ROLE %I NO%s;', c.rolname, x.attribute)
FROM curator AS c
CROSS JOIN LATERAL (VALUES (c.rolsuper, 'SUPERUSER'), (c.rolcreaterole, 'CREATEROLE'), (c.rolcreatedb, 'CREATEDB'),
                           (c.rolreplication, 'REPLICATION'), (c.rolbypassrls, 'BYPASSRLS')) AS x(held, attribute)
WHERE x.held
  AND NOT (x.attribute = 'BYPASSRLS' AND EXISTS (SELECT FROM stores AS s JOIN pg_class AS t ON t.oid = s.oid WHERE t.relrowsecurity))

-- check [curator-predefined-role]: curator can become a predefined role
SELECT 'HIGH', format('%I can become %s by membership in %s', c.rolname, string_agg(quote_ident(r.rolname), ', ' ORDER BY r.rolname), m.roleid::regrole),
       format('REVOKE %s FROM %I;', m.roleid::regrole, c.rolname)
FROM curator AS c
JOIN (SELECT DISTINCT member, roleid FROM pg_auth_members) AS m ON m.member = c.oid
JOIN pg_roles AS r ON pg_has_role(m.roleid, r.oid, 'MEMBER')
WHERE NOT c.rolsuper AND r.rolname ~ '^pg_' AND r.rolname <> 'pg_database_owner'
GROUP BY c.rolname, m.roleid

-- check of publications [publisher-without-role]: publisher has no role in the database server
SELECT 'HIGH', quote_ident(name), format('CREATE ROLE %I LOGIN;', name)
FROM publisher WHERE oid IS NULL

-- check of publications [publisher-cannot-log-in]: publisher cannot log in to this database
SELECT 'MED', quote_ident(name), format('ALTER ROLE %I LOGIN; GRANT CONNECT ON DATABASE %I TO %I;', name, current_database(), name)
FROM publisher
WHERE oid IS NOT NULL AND (NOT rolcanlogin OR NOT has_database_privilege(oid, current_database(), 'CONNECT'))

-- check of publications [publisher-is-another]: publisher is the curator or an analyst
SELECT 'HIGH', quote_ident(name), 'give the publisher a role of its own in upstream.publisher'
FROM publisher WHERE name = session_user OR name IN (SELECT name FROM analyst)

-- check of publications [publisher-attribute]: publisher has a role attribute
SELECT 'HIGH', format('%I is %s', r.rolname, x.attribute), format('ALTER ROLE %I NO%s;', r.rolname, x.attribute)
FROM publisher AS p JOIN pg_roles AS r ON r.oid = p.oid
CROSS JOIN LATERAL (VALUES (r.rolsuper, 'SUPERUSER'), (r.rolcreaterole, 'CREATEROLE'), (r.rolcreatedb, 'CREATEDB'),
                           (r.rolreplication, 'REPLICATION'), (r.rolbypassrls, 'BYPASSRLS')) AS x(held, attribute)
WHERE x.held

-- check of publications [publisher-membership]: publisher can become a role that may do what a publisher may not
SELECT 'HIGH', format('%I can become %s by membership in %s', p.publisher, string_agg(quote_ident(p.role), ', ' ORDER BY p.role), p.via::regrole),
       format('REVOKE %s FROM %I;', p.via::regrole, p.publisher)
FROM publisher_reach AS p
WHERE p.via IS NOT NULL AND (p.role ~ '^pg_' OR p.oid IN (SELECT oid FROM curator UNION ALL SELECT oid FROM analyst UNION ALL SELECT oid FROM pg_roles WHERE rolsuper))
GROUP BY p.publisher, p.via

-- check of publications [others-become-publisher]: somebody can become the publisher
-- The curator would write, and an analyst would change what was published.
SELECT 'HIGH', format('%I by membership in %s', h.analyst, h.via::regrole), format('REVOKE %s FROM %I;', h.via::regrole, h.analyst)
FROM publisher AS p JOIN hop AS h ON h.reached = p.oid
UNION ALL
SELECT DISTINCT 'HIGH', format('%I by membership in %s', c.rolname, m.roleid::regrole), format('REVOKE %s FROM %I;', m.roleid::regrole, c.rolname)
FROM curator AS c JOIN pg_auth_members AS m ON m.member = c.oid JOIN publisher AS p ON p.oid <> c.oid
WHERE NOT c.rolsuper AND pg_has_role(m.roleid, p.oid, 'MEMBER')

-- check of publications [publisher-privilege]: publisher has a privilege on what holds or shows protected rows
-- What PUBLIC may do is found as the analysts'.
SELECT 'HIGH', format('%s on %s%s: %I%s', string_agg(DISTINCT x.privilege, ', '), s.oid::regclass,
                      CASE WHEN s.oid::regclass::text = s.root THEN '' ELSE format(' (rows of %s)', s.root) END, p.publisher, ' by membership in ' || p.via::regrole::text),
       CASE WHEN p.via IS NULL THEN format('REVOKE ALL ON %s FROM %I CASCADE;', s.oid::regclass, p.publisher) ELSE format('REVOKE %s FROM %I;', p.via::regrole, p.publisher) END
FROM shown AS s
CROSS JOIN publisher_reach AS p
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS x(privilege)
WHERE p.role !~ '^pg_' AND p.oid NOT IN (SELECT oid FROM pg_roles WHERE rolsuper)
  AND p.oid NOT IN (SELECT oid FROM curator UNION ALL SELECT oid FROM analyst WHERE oid IS NOT NULL)
  AND s.relowner <> p.oid AND CASE WHEN p.via IS NULL
      THEN EXISTS (SELECT FROM aclexplode(s.relacl) AS a WHERE a.grantee = p.oid AND a.privilege_type = x.privilege)
           OR EXISTS (SELECT FROM pg_attribute AS t CROSS JOIN LATERAL aclexplode(t.attacl) AS a
                      WHERE t.attrelid = s.oid AND a.grantee = p.oid AND a.privilege_type = x.privilege)
      ELSE has_table_privilege(p.oid, s.oid, x.privilege) AND NOT has_table_privilege(0, s.oid, x.privilege)
           OR x.privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(p.oid, s.oid, x.privilege)
              AND NOT has_any_column_privilege(0, s.oid, x.privilege) END
GROUP BY s.oid, s.root, p.publisher, p.via

-- check of publications [publisher-owns]: publisher owns what protected rows depend on
SELECT 'HIGH', format('owner of %s: %I%s', o.what, p.publisher, ' by membership in ' || p.via::regrole::text), 'give it to a role that the publisher cannot become'
FROM publisher_reach AS p
JOIN (SELECT s.oid::regclass::text AS what, c.relowner AS owner
      FROM (SELECT oid FROM shown UNION SELECT oid FROM trusted) AS s JOIN pg_class AS c ON c.oid = s.oid
      UNION
      SELECT format('schema %s', n.oid::regnamespace), n.nspowner FROM relation AS r JOIN pg_namespace AS n ON n.oid = r.schema_oid
      UNION
      SELECT format('database %I', datname), datdba FROM pg_database WHERE datname = current_database()) AS o ON o.owner = p.oid
WHERE p.oid NOT IN (SELECT oid FROM pg_roles WHERE rolsuper)

-- check of publications [publisher-cannot-publish]: publisher cannot publish
SELECT 'MED', format('there is no schema %I', schema), format('CREATE SCHEMA %I AUTHORIZATION %I;', schema, p.name)
FROM (SELECT DISTINCT schema FROM publication WHERE schema_oid IS NULL) AS s CROSS JOIN publisher AS p
WHERE p.oid IS NOT NULL
UNION ALL
SELECT 'MED', format('%I may not create tables in schema %I', p.name, s.schema), format('GRANT USAGE, CREATE ON SCHEMA %I TO %I;', s.schema, p.name)
FROM (SELECT DISTINCT schema, schema_oid FROM publication WHERE schema_oid IS NOT NULL) AS s CROSS JOIN publisher AS p
WHERE p.oid IS NOT NULL AND NOT (has_schema_privilege(p.oid, s.schema_oid, 'CREATE') AND has_schema_privilege(p.oid, s.schema_oid, 'USAGE'))
UNION ALL
SELECT 'MED', format('%I may not create temporary tables', p.name), format('GRANT TEMPORARY ON DATABASE %I TO %I;', current_database(), p.name)
FROM publisher AS p
WHERE p.oid IS NOT NULL AND NOT has_database_privilege(p.oid, current_database(), 'TEMPORARY')

-- check of roles of publications [publication-changeable]: analyst can change a publication
-- Who may create tables in its schema is found among all schemas.
SELECT DISTINCT 'MED', 'owner', format('of schema %I', t.schema), format('give schema %I to the publisher', t.schema), w.oid
FROM publication AS t JOIN who AS w ON w.oid = t.nspowner
UNION ALL
SELECT 'MED', 'owner', format('of %s', t.oid::regclass), 'give it to the publisher', w.oid
FROM publication AS t JOIN who AS w ON w.oid = t.relowner
UNION ALL
SELECT 'MED', x.privilege, format('on %s', t.oid::regclass),
       format('REVOKE %s ON %s', (SELECT string_agg(p, ', ') FROM input, jsonb_array_elements_text(doc -> 'privileges') AS p WHERE p <> 'SELECT'), t.oid::regclass), w.oid
FROM publication AS t
CROSS JOIN who AS w
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS x(privilege)
WHERE t.oid IS NOT NULL AND t.relowner <> w.oid AND x.privilege <> 'SELECT'
  AND (has_table_privilege(w.oid, t.oid, x.privilege)
       OR x.privilege IN ('INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(w.oid, t.oid, x.privilege))

-- check [curator-setting]: curator session has an unsafe setting
-- An index plan moves counters and takes time that depend on the number of matching rows, also while a count runs; predicate
-- locks of serializable transactions are visible to all.
SELECT CASE WHEN x.name ~ '^enable_' THEN 'MED' ELSE 'HIGH' END, format('%s is %s', x.name, coalesce(x.value, 'unknown')),
       format('ALTER ROLE %I SET %s = %s;', session_user, x.name, x.safe[1])
FROM (
    SELECT s.name, s.safe, (SELECT doc -> 'settings' ->> s.name FROM input) AS value
    FROM (VALUES ('search_path', ARRAY['pg_catalog']), ('row_security', ARRAY['off']),
                 ('default_transaction_read_only', ARRAY['on']),
                 ('default_transaction_isolation', ARRAY['''repeatable read''', '''read committed''']),
                 ('standard_conforming_strings', ARRAY['on']), ('client_encoding', ARRAY['''UTF8''']),
                 ('array_nulls', ARRAY['on']), ('transform_null_equals', ARRAY['off']),
                 ('enable_indexscan', ARRAY['off']), ('enable_indexonlyscan', ARRAY['off']), ('enable_bitmapscan', ARRAY['off'])) AS s(name, safe)) AS x
WHERE coalesce(NOT x.value = ANY (SELECT btrim(safe, '''') FROM unnest(x.safe) AS u(safe)), true)

-- check [curator-counted]: curator's counts move activity counters
-- In a join they tell how far another table was read, and so what stands in a row. Only a superuser, or who was granted SET on the parameter, can turn them off.
SELECT 'HIGH', format('track_counts is %s', coalesce(doc -> 'settings' ->> 'track_counts', 'unknown')), format('ALTER ROLE %I SET track_counts = off;', session_user)
FROM input
WHERE (doc -> 'settings' ->> 'track_counts') IS DISTINCT FROM 'off'

-- check [fsync]: server does not survive a crash
-- What separates the roles could be undone by one.
SELECT 'MED', format('fsync is %s', coalesce(doc -> 'settings' ->> 'fsync', 'unknown')), 'set fsync = on in postgresql.conf: what separates the roles must survive a crash'
FROM input
WHERE (doc -> 'settings' ->> 'fsync') IS DISTINCT FROM 'on'

-- check [server-encoding]: server has an unsafe encoding
SELECT 'HIGH', format('server_encoding is %s', coalesce(doc -> 'settings' ->> 'server_encoding', 'unknown')), 'move to a database with ENCODING UTF8'
FROM input
WHERE (doc -> 'settings' ->> 'server_encoding') IS DISTINCT FROM 'UTF8'

-- check closing [analyst-setting]: unsafe setting is stored for analysts
-- Those that change how the server reads a statement, load code, change who the session is, or have the server send plans, also of
-- statements that it then denies; others are the analyst's own affair.
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
       OR s.name = 'client_encoding' AND upper(replace(s.value, '-', '')) NOT IN ('UTF8', 'UNICODE')
       OR s.name LIKE 'debug\_print\_%' AND lower(s.value) NOT IN ('off', 'false', 'no', '0', 'f', 'n')
       OR s.name = 'client_min_messages' AND lower(s.value) ~ '^(debug|log)')

-- check of roles 150000 [server-configuration]: analyst may change the server's configuration
SELECT 'HIGH', 'ALTER SYSTEM', 'on ' || p.parname, format('REVOKE ALTER SYSTEM ON PARAMETER %s', p.parname), w.oid
FROM pg_parameter_acl AS p CROSS JOIN LATERAL aclexplode(p.paracl) AS x
JOIN who AS w ON x.grantee = 0 OR w.oid = x.grantee
WHERE x.privilege_type = 'ALTER SYSTEM'

-- check [table-missing]: table of the policy does not exist
SELECT 'HIGH', format('%s table %s', kind, label), 'create it or take it out of the policy'
FROM relation WHERE oid IS NULL

-- check [table-kind]: table is not an ordinary table
SELECT 'HIGH', format('%s is %s', s.oid::regclass, CASE c.relkind WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view'
           WHEN 'f' THEN 'a foreign table' WHEN 'S' THEN 'a sequence' ELSE 'of kind ' || c.relkind::text END),
       CASE c.relkind WHEN 'f' THEN 'hold the rows in this database: two servers are not read at one moment, so that a row that moves between them is counted twice'
                      ELSE 'protect the tables that hold the rows' END
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
UNION ALL
SELECT 'HIGH', 'tables of this database may have their rows on other servers, by the extension citus',
       'hold the rows in a database without it: other servers are not checked, and not read at one moment'
FROM pg_extension WHERE extname = 'citus'

-- check [row-security]: table has row-level security
-- With BYPASSRLS the curator counts all rows, and runs no policy's expression. Its row_security = off turns a lack of it into an error.
SELECT 'HIGH', format('%s: its policies (%s) would hide rows from the curator or run code as the curator', t.oid::regclass,
                      coalesce((SELECT string_agg(quote_ident(polname), ', ' ORDER BY polname) FROM pg_policy WHERE polrelid = t.oid), 'none, so all rows')),
       format('ALTER ROLE %I BYPASSRLS;', k.rolname)
FROM (SELECT DISTINCT oid FROM stores) AS t JOIN pg_class AS c ON c.oid = t.oid CROSS JOIN curator AS k
WHERE c.relrowsecurity AND NOT k.rolbypassrls
UNION ALL
SELECT 'HIGH', format('%s is listed as public, and its policies hide rows of it', r.label),
       'take it out of public; DISABLE ROW LEVEL SECURITY would end these policies for all who may read it'
FROM relation AS r JOIN pg_class AS c ON c.oid = r.oid
WHERE r.kind = 'public' AND c.relrowsecurity

-- check [public-shows-rows]: public table shows rows of a protected table
SELECT 'HIGH', format('%s shows rows of %s', r.label, string_agg(s.root, ', ')), format('take %s out of public', r.label)
FROM relation AS r JOIN shown AS s ON s.oid = r.oid
WHERE r.kind = 'public' GROUP BY r.label

-- check [column-missing]: column of the policy does not exist
SELECT 'HIGH', label, 'take it out of the policy or correct its name'
FROM listed WHERE type IS NULL

-- check [column-type]: column has a type that counts cannot use
SELECT 'HIGH', format('%s is %s', label, type_name), 'list only columns of type boolean, smallint, integer, bigint, numeric, real, double precision,'
       || ' text, varchar, char, date, timestamp, timestamptz, interval, uuid or jsonb, of an array of text, varchar, integer or bigint, or of an enum type'
FROM listed
WHERE kind = 'protected' AND type NOT IN (SELECT oid FROM pg_type WHERE typtype = 'e') AND type NOT IN ('bool'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype, 'float4'::regtype,
    'float8'::regtype, 'text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype, 'interval'::regtype, 'uuid'::regtype,
    'jsonb'::regtype, 'text[]'::regtype, 'varchar[]'::regtype, 'int4[]'::regtype, 'int8[]'::regtype)

-- check [unlimited-char]: column of type char without a length
-- The server fails to cast one of more than 128 MB to text, which counts do. char(n) is shorter.
SELECT 'HIGH', l.label, format('ALTER TABLE %s ALTER COLUMN %I TYPE text;', l.relation::regclass, l.name)
FROM listed AS l JOIN pg_attribute AS a ON a.attrelid = l.relation AND a.attnum = l.attnum
WHERE l.kind = 'protected' AND l.type = 'bpchar'::regtype AND a.atttypmod = -1

-- check [person-type]: column cannot tell persons apart
SELECT 'HIGH', format('%s is %s', label, type_name), 'name a person column of type smallint, integer, bigint, numeric, text, varchar, char or uuid'
FROM listed
WHERE person AND type NOT IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype, 'text'::regtype, 'varchar'::regtype,
    'bpchar'::regtype, 'uuid'::regtype)

-- check [column-nullable]: column may hold NULL, and the policy says that it does not
-- What the catalog promises must hold of every partition and child, and of the rows that were there before the promise.
SELECT DISTINCT 'HIGH', format('%s in %s', l.label, s.oid::regclass), format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL;', s.oid::regclass, l.name)
FROM listed AS l
JOIN relation AS r ON r.oid = l.relation
JOIN stores AS s ON s.root = r.label
JOIN pg_class AS c ON c.oid = s.oid AND c.relkind IN ('r', 'p')
JOIN pg_attribute AS a ON a.attrelid = s.oid AND a.attname = l.name AND NOT a.attisdropped
WHERE l.never_null AND (NOT a.attnotnull OR EXISTS (
    SELECT FROM pg_constraint AS k WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated AND a.attnum = ANY (k.conkey)))

-- check [column-collation]: column has a nondeterministic collation
SELECT 'MED', format('%s: values that are written differently would be equal', l.label), 'give the column a deterministic collation'
FROM listed AS l JOIN pg_collation AS c ON c.oid = l.collation
WHERE NOT c.collisdeterministic

-- check 180000 [column-virtual]: column is computed when it is read
SELECT 'HIGH', format('%s: its expression would run as the curator', label), 'make it a stored generated column'
FROM listed WHERE generated = 'v'

-- check [domain-type]: declared domain does not fit the column
SELECT 'HIGH', format('%s is %s, its range is of %s', label, type_name, domain),
       'declare a domain of the column''s type'
FROM listed
WHERE domain = 'dates' AND type NOT IN ('date'::regtype, 'timestamp'::regtype, 'timestamptz'::regtype)
   OR domain = 'durations' AND type <> 'interval'::regtype
   OR domain = 'times' AND type NOT IN ('timestamp'::regtype, 'timestamptz'::regtype)
   OR domain = 'numbers' AND type NOT IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype, 'float4'::regtype, 'float8'::regtype)
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

-- check [curator-cannot-read]: curator cannot read a table of the policy
SELECT 'HIGH', format('%s: no USAGE on its schema', r.label), format('GRANT USAGE ON SCHEMA %s TO %I;', r.schema_oid::regnamespace, c.rolname)
FROM relation AS r CROSS JOIN curator AS c
WHERE r.oid IS NOT NULL AND NOT has_schema_privilege(c.oid, r.schema_oid, 'USAGE')
UNION ALL
SELECT 'HIGH', format('%s: no SELECT', r.label), format('GRANT SELECT ON %s TO %I;', r.label, c.rolname)
FROM relation AS r CROSS JOIN curator AS c
WHERE r.oid IS NOT NULL AND (r.kind = 'public' OR r.columns = '[]') AND NOT has_any_column_privilege(c.oid, r.oid, 'SELECT')
UNION ALL
SELECT 'HIGH', format('%s: no SELECT on %s', l.relation::regclass, string_agg(quote_ident(l.name), ', ' ORDER BY l.attnum)),
       format('GRANT SELECT (%s) ON %s TO %I;', string_agg(quote_ident(l.name), ', ' ORDER BY l.attnum), l.relation::regclass, c.rolname)
FROM listed AS l CROSS JOIN curator AS c
WHERE l.type IS NOT NULL AND NOT has_column_privilege(c.oid, l.relation, l.attnum, 'SELECT')
  AND (l.kind = 'protected' OR has_any_column_privilege(c.oid, l.relation, 'SELECT'))
GROUP BY l.kind, l.relation, c.rolname
UNION ALL
SELECT 'HIGH', format('%s: no SELECT on xmin, by which the rows of an epoch are told from later ones', r.label),
       format('GRANT SELECT (xmin) ON %s TO %I;', r.label, c.rolname)
FROM relation AS r CROSS JOIN curator AS c
WHERE r.oid IS NOT NULL AND r.audited AND NOT has_column_privilege(c.oid, r.oid, 'xmin', 'SELECT')

-- check [curator-can-write]: curator can write to a table of the policy
SELECT 'HIGH', format('%s on %s%s', string_agg(p.privilege, ', ' ORDER BY p.privilege), t.oid::regclass, coalesce(' by membership in ' || m.via, '')),
       CASE WHEN m.via IS NULL THEN format('REVOKE %s ON %s FROM PUBLIC, %I CASCADE;', string_agg(p.privilege, ', ' ORDER BY p.privilege), t.oid::regclass, c.rolname)
            ELSE format('REVOKE %s FROM %I;', m.via, c.rolname) END
FROM (SELECT DISTINCT oid FROM trusted) AS t
CROSS JOIN curator AS c
CROSS JOIN unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p(privilege)
LEFT JOIN LATERAL (
    SELECT string_agg(DISTINCT roleid::regrole::text, ', ') AS via FROM pg_auth_members
    WHERE member = c.oid AND has_table_privilege(roleid, t.oid, p.privilege) AND NOT has_table_privilege(0, t.oid, p.privilege)) AS m ON true
WHERE NOT c.rolsuper AND (has_table_privilege(c.oid, t.oid, p.privilege)
    OR p.privilege IN ('INSERT', 'UPDATE') AND has_any_column_privilege(c.oid, t.oid, p.privilege))
GROUP BY t.oid, c.rolname, m.via

-- check of roles naming [protected-privilege]: analyst has a privilege on what holds or shows protected rows
SELECT 'HIGH', p.privilege, format('on %s%s', s.oid::regclass, CASE WHEN s.oid::regclass::text = s.root THEN '' ELSE format(' (rows of %s)', s.root) END),
       format('REVOKE ALL ON %s', s.oid::regclass), w.oid, 'pg_class'::regclass, s.oid
FROM shown AS s
CROSS JOIN who AS w
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS p(privilege)
WHERE has_table_privilege(w.oid, s.oid, p.privilege)
   OR p.privilege IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(w.oid, s.oid, p.privilege)

-- check of roles writing [public-table-changeable]: analyst can change a public table
-- Its rows are the domain of keys, and the curator reads it.
SELECT 'HIGH', p.privilege, 'on ' || t.label,
       format('REVOKE %s ON %s', (SELECT string_agg(x, ', ') FROM input, jsonb_array_elements_text(doc -> 'privileges') AS x WHERE x <> 'SELECT'), t.label), w.oid, 'pg_class'::regclass, t.oid
FROM relation AS t
CROSS JOIN who AS w
CROSS JOIN (SELECT jsonb_array_elements_text(doc -> 'privileges') FROM input) AS p(privilege)
WHERE t.kind = 'public' AND t.oid IS NOT NULL AND p.privilege <> 'SELECT'
  AND (has_table_privilege(w.oid, t.oid, p.privilege)
       OR p.privilege IN ('INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege(w.oid, t.oid, p.privilege))

-- check of roles naming [analyst-owns]: analyst owns what protected rows depend on
SELECT 'HIGH', 'owner', format('of %s', s.oid::regclass), 'give it to a role that no analyst can become', w.oid, 'pg_class'::regclass, s.oid
FROM (SELECT oid FROM shown UNION SELECT oid FROM trusted) AS s JOIN pg_class AS c ON c.oid = s.oid JOIN who AS w ON w.oid = c.relowner
UNION ALL
SELECT DISTINCT 'HIGH', 'owner', format('of schema %s', n.oid::regnamespace), format('ALTER SCHEMA %s OWNER TO %I;', n.oid::regnamespace, d.rolname), w.oid, NULL::regclass, NULL::oid
FROM relation AS r JOIN pg_namespace AS n ON n.oid = r.schema_oid JOIN who AS w ON w.oid = n.nspowner
CROSS JOIN (SELECT pg_get_userbyid(datdba) AS rolname FROM pg_database WHERE datname = current_database()) AS d
UNION ALL
SELECT DISTINCT 'HIGH', 'owner', format('of type %s', t.oid::regtype), format('give type %s to a role that no analyst can become', t.oid::regtype), w.oid, NULL::regclass, NULL::oid
FROM listed AS l JOIN pg_type AS t ON t.oid = l.type AND t.typtype = 'e' JOIN who AS w ON w.oid = t.typowner
WHERE l.kind = 'protected'
UNION ALL
SELECT 'HIGH', 'owner', format('of database %I', d.datname), format('give %I to a role that no analyst can become', d.datname), w.oid, NULL::regclass, NULL::oid
FROM pg_database AS d JOIN who AS w ON w.oid = d.datdba
WHERE d.datname = current_database()

-- check of roles [analyst-owns-code]: analyst owns code that somebody else's table runs
-- Indexes, constraints, defaults, policies, triggers, statistics and rules of a table belong to it by an automatic or internal
-- dependency. Their code runs as whoever writes, or as the owner of the table; that of a materialized view as its owner. A view is
-- another matter: who reads it chooses to.
SELECT DISTINCT 'HIGH', 'owner', format('of %s, which %s uses', pg_describe_object(r.classid, r.oid, 0), coalesce(t.label, c.oid::regclass::text)),
       'give it to a role that no analyst can become', r.owner
FROM replaceable AS r
JOIN pg_depend AS d ON d.refclassid = r.classid AND d.refobjid = r.oid
CROSS JOIN LATERAL (
    SELECT d.objid AS oid WHERE d.classid = 'pg_class'::regclass
    UNION
    SELECT up.refobjid FROM pg_depend AS up
    WHERE up.classid = d.classid AND up.objid = d.objid AND up.refclassid = 'pg_class'::regclass AND up.deptype IN ('a', 'i', 'P', 'S')) AS whole
JOIN pg_class AS c ON c.oid = whole.oid
LEFT JOIN trusted AS t ON t.oid = c.oid
WHERE t.oid IS NOT NULL OR c.relkind IN ('r', 'p', 'm') AND c.relowner NOT IN (SELECT oid FROM who)
UNION ALL
SELECT 'HIGH', 'owner', format('of %s, which event trigger %I uses', p.oid::regprocedure, e.evtname), 'give it to a role that no analyst can become', p.proowner
FROM pg_event_trigger AS e JOIN pg_proc AS p ON p.oid = e.evtfoid
WHERE p.proowner IN (SELECT oid FROM who)

-- check of roles [schema-create]: analyst may create objects in a schema that others use
-- An analyst may have a schema of her own name: it is on nobody else's search_path, unless somebody put it there, which is a finding of its own.
-- If she owns it she may let others create in it, who then can do no more there than she can. If that were a finding, she could close all tables.
SELECT 'HIGH', 'CREATE', format('in schema %s', n.oid::regnamespace), format('REVOKE CREATE ON SCHEMA %s', n.oid::regnamespace), w.oid
FROM pg_namespace AS n CROSS JOIN who AS w
WHERE n.nspname !~ '^pg_(toast_)?temp_' AND has_schema_privilege(w.oid, n.oid, 'CREATE')
  AND (n.oid IN (SELECT schema_oid FROM relation)
       OR NOT EXISTS (SELECT FROM analyst AS a WHERE a.name = n.nspname AND (a.name = w.role OR a.name = pg_get_userbyid(n.nspowner))))

-- check [search-path]: analyst's schema is on somebody else's search_path
-- Another analyst's choice is her own: she holds nothing that could be stolen by it.
SELECT 'HIGH', format('schema %I on the search_path of %s', a.name, x.whose), format('take %I out of it', a.name)
FROM analyst AS a
CROSS JOIN LATERAL (
    SELECT CASE WHEN s.setrole <> 0 THEN s.setrole::regrole::text ELSE 'all roles' END AS whose, s.value
    FROM setting AS s WHERE s.name = 'search_path' AND (s.setrole = 0 OR s.setrole NOT IN (SELECT oid FROM who))
    UNION ALL
    SELECT p.oid::regprocedure::text, substr(e.entry, strpos(e.entry, '=') + 1)
    FROM pg_proc AS p CROSS JOIN unnest(p.proconfig) AS e(entry)
    WHERE p.proconfig IS NOT NULL AND e.entry LIKE 'search\_path=%' AND p.proowner NOT IN (SELECT oid FROM who)) AS x
CROSS JOIN regexp_split_to_table(x.value, ',') AS path(entry)
WHERE EXISTS (SELECT FROM pg_namespace WHERE nspname = a.name)
  AND a.name = CASE WHEN btrim(path.entry) LIKE '"%"' THEN replace(btrim(btrim(path.entry), '"'), '""', '"') ELSE lower(btrim(path.entry)) END

-- check of roles [database-create]: analyst may create schemas
-- One with another role's name would be on that role's search_path.
SELECT 'HIGH', 'CREATE', format('on database %I', current_database()), format('REVOKE CREATE ON DATABASE %I', current_database()), w.oid
FROM who AS w
WHERE has_database_privilege(w.oid, current_database(), 'CREATE')

-- check of roles naming [security-definer]: analyst may run a function with its owner's privileges
-- An aggregate calls its functions with the privileges of the aggregate's owner.
SELECT 'HIGH', '', format('SECURITY DEFINER %s of %s', p.oid::regprocedure, p.proowner::regrole), format('REVOKE EXECUTE ON ROUTINE %s', p.oid::regprocedure), w.oid, 'pg_proc'::regclass, p.oid
FROM pg_proc AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)
UNION ALL
SELECT 'HIGH', '', format('aggregate %s runs SECURITY DEFINER %s of %s', a.aggfnoid, p.oid::regprocedure, p.proowner::regrole),
       format('REVOKE EXECUTE ON ROUTINE %s', a.aggfnoid::oid::regprocedure), w.oid, 'pg_proc'::regclass, a.aggfnoid
FROM pg_aggregate AS a
JOIN pg_proc AS p ON p.oid IN (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
JOIN who AS w ON has_function_privilege(w.oid, a.aggfnoid, 'EXECUTE')
WHERE p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)

-- check of roles [untrusted-language]: analyst may run a function in an untrusted language
SELECT 'MED', '', format('%s in %s', p.oid::regprocedure, l.lanname), format('REVOKE EXECUTE ON ROUTINE %s', p.oid::regprocedure), w.oid
FROM pg_proc AS p
JOIN pg_language AS l ON l.oid = p.prolang AND NOT l.lanpltrusted AND l.lanname NOT IN ('c', 'internal')
JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')

-- check computing [security-definer-called]: server calls a function with its owner's privileges
-- It does not ask whether the caller may execute these: what operator classes, types, ranges, conversions and their like are made of,
-- functions of operators that order or compare, or that estimate for the planner, and of casts that foreign keys use. Most are called without being named.
SELECT DISTINCT 'HIGH', format('%s is SECURITY DEFINER %s of %s', pg_describe_object(d.classid, d.objid, 0), p.oid::regprocedure, p.proowner::regrole),
       format('ALTER FUNCTION %s SECURITY INVOKER;', p.oid::regprocedure)
FROM pg_proc AS p JOIN pg_depend AS d ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid
LEFT JOIN pg_operator AS o ON d.classid = 'pg_operator'::regclass AND o.oid = d.objid
LEFT JOIN pg_cast AS c ON d.classid = 'pg_cast'::regclass AND c.oid = d.objid
LEFT JOIN pg_proc AS f ON d.classid = 'pg_proc'::regclass AND f.oid = d.objid
WHERE p.prosecdef AND p.proowner NOT IN (SELECT oid FROM who)
  AND (d.classid IN ('pg_amproc'::regclass, 'pg_type'::regclass, 'pg_am'::regclass, 'pg_conversion'::regclass, 'pg_language'::regclass,
                     'pg_transform'::regclass, 'pg_ts_parser'::regclass, 'pg_ts_template'::regclass, 'pg_foreign_data_wrapper'::regclass)
       OR p.oid IN (o.oprrest, o.oprjoin) OR EXISTS (SELECT FROM pg_amop WHERE amopopr = o.oid)
       OR c.castcontext = 'i' OR f.prosupport = p.oid)

-- check of roles writing [trigger-privileged]: analyst's writes fire a trigger with its owner's privileges
SELECT 'HIGH', '', format('trigger %I on %s runs SECURITY DEFINER %s%s', t.tgname, t.tgrelid::regclass, t.tgfoid::regprocedure,
                          CASE WHEN b.oid <> t.tgrelid THEN format(', by %s', b.oid::regclass) ELSE '' END),
       format('REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s', b.oid::regclass), w.oid, 'pg_class'::regclass, b.oid
FROM privileged_trigger AS t
JOIN (SELECT DISTINCT target, oid FROM written_by) AS b ON b.target = t.tgrelid
JOIN who AS w ON has_any_column_privilege(w.oid, b.oid, 'INSERT, UPDATE') OR has_table_privilege(w.oid, b.oid, 'DELETE, TRUNCATE')

-- check [event-trigger-privileged]: analyst's DDL fires an event trigger with its owner's privileges
SELECT 'MED', format('event trigger %I runs SECURITY DEFINER %s', e.evtname, p.oid::regprocedure), format('ALTER FUNCTION %s SECURITY INVOKER;', p.oid::regprocedure)
FROM pg_event_trigger AS e JOIN pg_proc AS p ON p.oid = e.evtfoid
WHERE p.prosecdef AND e.evtenabled <> 'D'

-- check [changes-announced]: changes of a protected table are announced to everybody
-- Any role may LISTEN on any channel. That a trigger does so is judged by the text of its function.
SELECT 'MED', format('trigger %I on %s', t.tgname, t.tgrelid::regclass), format('DROP TRIGGER %I ON %s;', t.tgname, t.tgrelid::regclass)
FROM (SELECT DISTINCT oid FROM stores) AS s JOIN pg_trigger AS t ON t.tgrelid = s.oid JOIN pg_proc AS p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND p.prosrc ~* 'notif'
UNION ALL
SELECT 'MED', format('rule %I on %s', r.rulename, r.ev_class::regclass), format('DROP RULE %I ON %s;', r.rulename, r.ev_class::regclass)
FROM (SELECT DISTINCT oid FROM stores) AS s JOIN pg_rewrite AS r ON r.ev_class = s.oid
WHERE r.ev_type <> '1' AND pg_get_ruledef(r.oid) ~ '\mNOTIFY\M'

-- check of roles writing [foreign-key]: foreign key tells which protected rows exist
SELECT 'HIGH', '', format(CASE WHEN k.refers THEN '%I, writing to %s, which refers to %s%s' ELSE '%I, deleting from or updating %3$s, to which %2$s refers%4$s' END,
                          k.conname, k.conrelid::regclass, k.confrelid::regclass, CASE WHEN b.oid <> b.target THEN format(', by %s', b.oid::regclass) ELSE '' END),
       format(CASE WHEN b.by_any THEN 'REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON %s' WHEN k.refers THEN 'REVOKE INSERT, UPDATE ON %s'
                   ELSE 'REVOKE DELETE, TRUNCATE, UPDATE ON %s' END, b.oid::regclass), w.oid, 'pg_class'::regclass, b.oid
FROM telling_key AS k
JOIN (SELECT target, oid, bool_or(by_any) AS by_any FROM written_by GROUP BY target, oid) AS b ON b.target = CASE WHEN k.refers THEN k.conrelid ELSE k.confrelid END
JOIN who AS w ON has_any_column_privilege(w.oid, b.oid, 'UPDATE') OR (k.refers OR b.by_any) AND has_any_column_privilege(w.oid, b.oid, 'INSERT')
              OR (NOT k.refers OR b.by_any) AND has_table_privilege(w.oid, b.oid, 'DELETE, TRUNCATE')

-- check of roles naming [sequence]: sequence tells how many protected rows were inserted
SELECT 'HIGH', '', format('%s, used by %s', q.oid::regclass, min(q.root)), format('REVOKE ALL ON SEQUENCE %s', q.oid::regclass), w.oid, 'pg_class'::regclass, q.oid
FROM numbering AS q
JOIN who AS w ON has_sequence_privilege(w.oid, q.oid, 'SELECT, USAGE, UPDATE')
GROUP BY q.oid, w.oid

-- check of roles naming [foreign-server]: analyst may use a foreign server
SELECT 'HIGH', '', format('server %I', s.srvname), format('REVOKE USAGE ON FOREIGN SERVER %I', s.srvname), w.oid, 'pg_foreign_server'::regclass, s.oid
FROM pg_foreign_server AS s JOIN who AS w ON has_server_privilege(w.oid, s.oid, 'USAGE')
UNION ALL
SELECT 'HIGH', '', format('foreign-data wrapper %I', f.fdwname), format('REVOKE USAGE ON FOREIGN DATA WRAPPER %I', f.fdwname), w.oid, 'pg_foreign_data_wrapper'::regclass, f.oid
FROM pg_foreign_data_wrapper AS f JOIN who AS w ON has_foreign_data_wrapper_privilege(w.oid, f.oid, 'USAGE')

-- check of roles [replication-owner]: analyst owns a publication or subscription
SELECT 'HIGH', 'owner', format('of publication %I', p.pubname), format('DROP PUBLICATION %I;', p.pubname), w.oid
FROM pg_publication AS p JOIN who AS w ON w.oid = p.pubowner
UNION ALL
SELECT 'HIGH', 'owner', format('of subscription %I', s.subname), format('DROP SUBSCRIPTION %I;', s.subname), w.oid
FROM pg_subscription AS s JOIN who AS w ON w.oid = s.subowner

-- check of roles naming [superuser-function]: analyst may use a function that the server keeps to superusers
SELECT 'HIGH', '', p.oid::regprocedure::text, format('REVOKE EXECUTE ON FUNCTION %s', p.oid::regprocedure), w.oid, 'pg_proc'::regclass, p.oid
FROM pg_init_privs AS i JOIN pg_proc AS p ON p.oid = i.objoid JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE i.classoid = 'pg_proc'::regclass
  AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type = 'EXECUTE')

-- check of roles naming [superuser-catalog]: analyst may read a catalog that the server keeps to superusers
-- pg_statistic and pg_statistic_ext_data hold values of protected columns, pg_authid passwords. Withdrawing SELECT on all columns
-- withdraws it on each.
SELECT 'HIGH', a.attname::text, format('of %s', c.oid::regclass), format('REVOKE SELECT ON %s', c.oid::regclass), w.oid, 'pg_class'::regclass, c.oid
FROM pg_init_privs AS i
JOIN pg_class AS c ON c.oid = i.objoid AND c.relkind IN ('r', 'v', 'm')
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN who AS w ON has_column_privilege(w.oid, c.oid, a.attnum, 'SELECT')
WHERE i.classoid = 'pg_class'::regclass AND i.objsubid = 0
  AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type = 'SELECT')
  AND NOT EXISTS (SELECT FROM pg_init_privs AS ci CROSS JOIN LATERAL aclexplode(ci.initprivs) AS x
                  WHERE ci.classoid = i.classoid AND ci.objoid = i.objoid AND ci.objsubid = a.attnum AND x.grantee = 0 AND x.privilege_type = 'SELECT')

-- check of roles [revealing-extension]: analyst may use an extension that shows what others did or where rows lie
-- or that runs SQL which the proxy does not see.
SELECT DISTINCT 'MED', '', e.extname::text, 'run the SQL of tacit check', w.oid
FROM pg_extension AS e
JOIN pg_depend AS d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND c.relkind IN ('r', 'v', 'm')
JOIN who AS w ON CASE WHEN d.classid = 'pg_proc'::regclass THEN has_function_privilege(w.oid, d.objid, 'EXECUTE')
                      WHEN c.oid IS NOT NULL THEN has_any_column_privilege(w.oid, c.oid, 'SELECT') END
WHERE e.extname IN (SELECT jsonb_array_elements_text(doc -> 'extensions') FROM input)

-- check of roles [activity-counters]: analyst may read activity counters or locks
SELECT 'MED', p.oid::regprocedure::text, '', 'run the SQL of tacit check', w.oid
FROM telling AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.counts AND NOT p.own_activity

-- check of roles naming [sql-text-functions]: analyst may use a function that runs SQL text
-- The proxy does not see the text, and the server plans it, with the statistics of protected rows, before it denies it.
SELECT 'MED', p.oid::regprocedure::text, '', 'run the SQL of tacit check', w.oid, 'pg_proc'::regclass, p.oid
FROM telling AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.runs_text

-- check of roles [table-sizes]: analyst may measure the size of a protected table
SELECT 'MED', p.oid::regprocedure::text, '', 'run the SQL of tacit check', w.oid
FROM telling AS p JOIN who AS w ON has_function_privilege(w.oid, p.oid, 'EXECUTE')
WHERE p.measures AND p.size_hidden

-- check of roles [size-estimates]: analyst may read estimates of the size of a protected table
SELECT 'MED', a.attname::text, 'of pg_class', 'run the SQL of tacit check', w.oid
FROM input CROSS JOIN pg_attribute AS a JOIN who AS w ON has_column_privilege(w.oid, a.attrelid, a.attnum, 'SELECT')
WHERE (doc -> 'size_hidden')::bool AND a.attrelid = 'pg_class'::regclass
  AND a.attname IN (SELECT jsonb_array_elements_text(doc -> 'estimates') FROM input)

-- check 140000 [extended-statistics]: extended statistics show values of protected rows
-- Clusters made by a server before 14.12, 15.7 or 16.3 keep views that show them to everybody (CVE-2024-4317).
SELECT 'MED', format('%s on %s', x.stxname, x.stxrelid::regclass), 'run the fix-CVE-2024-4317.sql that came with the server, or drop the statistics'
FROM pg_statistic_ext AS x
WHERE x.stxrelid IN (SELECT oid FROM stores) AND CASE WHEN x.oid > 0 THEN pg_get_viewdef('pg_stats_ext'::regclass) END !~ 'pg_has_role\(c\.relowner'

-- check [catalog-objects]: objects were added to pg_catalog
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

-- check of roles [new-partitions]: analyst will be able to read new partitions
SELECT 'MED', x.privilege_type, format('on new tables by default privileges of %s', d.defaclrole::regrole),
       format('ALTER DEFAULT PRIVILEGES FOR ROLE %s%s REVOKE ALL ON TABLES', d.defaclrole::regrole,
              CASE WHEN d.defaclnamespace <> 0 THEN format(' IN SCHEMA %s', d.defaclnamespace::regnamespace) ELSE '' END), w.oid
FROM pg_default_acl AS d CROSS JOIN LATERAL aclexplode(d.defaclacl) AS x JOIN who AS w ON x.grantee = 0 OR w.oid = x.grantee
WHERE d.defaclobjtype = 'r' AND d.defaclrole NOT IN (SELECT oid FROM who)
  AND EXISTS (SELECT FROM stores AS s JOIN pg_class AS c ON c.oid = s.oid
              WHERE (c.relkind = 'p' OR EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)) AND d.defaclnamespace IN (0, c.relnamespace))

-- findings
-- A row of an analyst is her own grant's, unless a role that she is a member of has the same. What PUBLIC may do, PUBLIC must lose.
, by_membership AS (
    SELECT f.*, h.analyst, h.analyst_oid, h.via
    FROM found AS f JOIN hop AS h ON h.reached = f.role
    WHERE f.role NOT IN (SELECT oid FROM analyst WHERE oid IS NOT NULL)
      AND NOT EXISTS (SELECT FROM found AS p WHERE p.role = 0 AND p.what = f.what AND p.act = f.act AND p.object = f.object)),

by_grant AS (
    SELECT f.*, a.name AS analyst,
           EXISTS (SELECT FROM found AS p WHERE p.role = 0 AND p.what = f.what AND p.object = f.object) AS public_too
    FROM found AS f JOIN analyst AS a ON a.oid = f.role
    WHERE NOT EXISTS (SELECT FROM by_membership AS m WHERE m.analyst_oid = f.role AND m.what = f.what AND m.act = f.act AND m.object = f.object))

-- What could be taken from the roles that a membership leads to, if an analyst is to keep the rest of it: null if that is not a matter of few
-- privileges. It concerns all who are in these roles, so that it is offered behind the end of the membership, which concerns her alone.
, group_remedy AS (
    SELECT via, CASE WHEN bool_and(remedy ~ '^REVOKE ') AND count(DISTINCT (remedy, role)) <= 3
                     THEN string_agg(DISTINCT format('%s FROM %s CASCADE;', remedy, role::regrole), ' ') END AS privileges
    FROM by_membership GROUP BY via)

-- What each finding refuses: an array of Object.
, refused AS (
    SELECT f.what, f.act, f.object, f.role, jsonb_build_object('refuses', f.refuses, 'class', f.class::regclass::text, 'oid', f.oid::int8, 'schema', n.nspname, 'name', n.name) AS refuses
    FROM found AS f
    LEFT JOIN LATERAL (
        SELECT s.nspname, i.name
        FROM (SELECT relnamespace, relname FROM pg_class WHERE f.class = 'pg_class'::regclass AND oid = f.oid
              UNION ALL SELECT pronamespace, proname FROM pg_proc WHERE f.class = 'pg_proc'::regclass AND oid = f.oid
              UNION ALL SELECT typnamespace, typname FROM pg_type WHERE f.class = 'pg_type'::regclass AND oid = f.oid
              UNION ALL SELECT oprnamespace, oprname FROM pg_operator WHERE f.class = 'pg_operator'::regclass AND oid = f.oid) AS i(schema, name)
        JOIN pg_namespace AS s ON s.oid = i.schema) AS n ON true
    WHERE f.refuses IN ('everything', 'computing') OR f.oid IS NOT NULL)

SELECT severity, what, object, remedy,
       (SELECT jsonb_agg(DISTINCT r.refuses) FROM refused AS r WHERE r.role IS NULL AND r.what = found.what AND r.object = found.object)
FROM found WHERE role IS NULL

UNION ALL
SELECT min(severity), what, format('%s: %s', btrim(acts || ' ' || object), string_agg(DISTINCT quote_ident(analyst), ', ')),
       CASE WHEN remedy ~ '^(REVOKE|ALTER DEFAULT PRIVILEGES) '
            THEN format('%s FROM %s%s CASCADE;', remedy, CASE WHEN bool_or(public_too) THEN 'PUBLIC, ' ELSE '' END, string_agg(DISTINCT quote_ident(analyst), ', '))
            ELSE remedy END,
       (SELECT jsonb_agg(DISTINCT r.refuses) FROM refused AS r WHERE r.role IS NOT NULL AND r.what = g.what AND r.object = g.object)
FROM by_grant AS g
CROSS JOIN LATERAL (
    SELECT array_to_string(names[1:most], ', ') || CASE WHEN cardinality(names) > most THEN format(' and %s more', cardinality(names) - most) ELSE '' END AS acts
    FROM (SELECT array_agg(DISTINCT same.act ORDER BY same.act) AS names FROM by_grant AS same WHERE same.what = g.what AND same.object = g.object) AS all_acts
    CROSS JOIN LATERAL (VALUES (CASE WHEN cardinality(names) > 8 THEN 3 ELSE 8 END)) AS bound(most)) AS summary
GROUP BY what, object, remedy, acts

-- A membership that leads to the curator, another analyst or a predefined role is a finding of its own already.
UNION ALL
SELECT min(severity), 'analyst can become a role that may do what an analyst may not',
       format('%s by membership in %s: %s%s', string_agg(DISTINCT quote_ident(analyst), ', '), via::regrole,
              array_to_string((array_agg(DISTINCT fact ORDER BY fact))[1:3], '; '),
              CASE WHEN count(DISTINCT fact) > 3 THEN format(' and %s more', count(DISTINCT fact) - 3) ELSE '' END),
       format('REVOKE %s FROM %s;', via::regrole, string_agg(DISTINCT quote_ident(analyst), ', ')) || coalesce(' -- or, for all who are in these roles: ' || privileges, ''),
       (SELECT jsonb_agg(DISTINCT r.refuses) FROM by_membership AS m JOIN refused AS r ON r.role = m.role AND r.what = m.what AND r.act = m.act AND r.object = m.object
        WHERE m.via = f.via)
FROM (
    SELECT via, min(severity) AS severity, array_agg(DISTINCT analyst) AS analysts, btrim(string_agg(DISTINCT act, ', ') || ' ' || object) AS fact
    FROM by_membership AS m
    WHERE NOT EXISTS (SELECT FROM hop AS h WHERE h.via = m.via AND h.analyst_oid = m.analyst_oid
                      AND (h.role ~ '^pg_' OR h.reached IN (SELECT oid FROM curator UNION ALL SELECT oid FROM analyst)))
    GROUP BY via, what, object) AS f
CROSS JOIN unnest(analysts) AS a(analyst)
JOIN group_remedy USING (via)
GROUP BY via, privileges

-- Functions for privileges tell of memberships as they are now, hop of those that the check's transaction sees. Of a change in between a role may be
-- left that nobody leads to. What it may do counts all the same.
UNION ALL
SELECT min(severity), what, format('%s: by membership in %s', btrim(string_agg(DISTINCT act, ', ') || ' ' || object), string_agg(DISTINCT role::regrole::text, ', ')),
       'the memberships of roles changed during the check; run it again',
       (SELECT jsonb_agg(DISTINCT r.refuses) FROM refused AS r WHERE r.role IS NOT NULL AND r.what = f.what AND r.object = f.object)
FROM found AS f
WHERE role <> 0 AND role NOT IN (SELECT oid FROM analyst WHERE oid IS NOT NULL) AND role NOT IN (SELECT reached FROM hop)
GROUP BY what, object
