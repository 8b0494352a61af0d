-- What statements cannot name while findings stand: what was found, and what depends on it. $1 are the findings' objects (Object), as
-- JSON; $2 are the analysts' names. Yields (kind, schema, name): a relation that cannot be named or written to; a word that cannot be the
-- name of a function, an operator or a type; "closed" or "computing".
--
-- What an analyst made herself reads with her own privileges, and so opens nothing; but it hides what it reads. So it counts here.
WITH RECURSIVE
object AS (
    SELECT refuses, to_regclass(class)::oid AS class, oid FROM jsonb_to_recordset($1::jsonb) AS o(refuses text, class text, oid oid)),

member AS (SELECT objid AS oid FROM pg_depend WHERE classid = 'pg_proc'::regclass AND deptype = 'e'),

-- Functions whose text can name anything: all but the server's own and those of extensions.
opaque AS (
    SELECT p.oid FROM pg_proc AS p
    WHERE p.oid >= 16384 AND p.oid NOT IN (SELECT oid FROM member)
      AND EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = ANY ($2::text[]) AND has_function_privilege(r.oid, p.oid, 'EXECUTE'))),

-- What depends on them. A rule, trigger, default, constraint, policy or index makes its table one of these; a foreign key does not read.
hidden(class, oid) AS (
    SELECT class, oid FROM object WHERE refuses = 'naming'
    UNION
    SELECT 'pg_proc'::regclass::oid, oid FROM opaque
    UNION
    SELECT up.class, up.oid
    FROM hidden AS h
    CROSS JOIN LATERAL (
        SELECT d.classid AS class, d.objid AS oid FROM pg_depend AS d
        WHERE d.refclassid = h.class AND d.refobjid = h.oid AND NOT (d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass)
          AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE d.classid = 'pg_constraint'::regclass AND k.oid = d.objid AND k.contype = 'f')
          AND NOT EXISTS (SELECT FROM pg_trigger AS t WHERE d.classid = 'pg_trigger'::regclass AND t.oid = d.objid AND t.tgisinternal)
        UNION ALL
        SELECT d.refclassid, d.refobjid FROM pg_depend AS d
        WHERE d.classid = h.class AND d.objid = h.oid AND d.deptype IN ('a', 'i') AND d.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass)
          AND (h.class IN ('pg_rewrite'::regclass, 'pg_trigger'::regclass, 'pg_attrdef'::regclass, 'pg_constraint'::regclass, 'pg_policy'::regclass)
               OR EXISTS (SELECT FROM pg_class AS c WHERE h.class = 'pg_class'::regclass AND c.oid = h.oid AND c.relkind IN ('i', 'I')))
        UNION ALL
        SELECT 'pg_type'::regclass, t.oid FROM pg_cast AS c JOIN pg_type AS t ON t.oid IN (c.castsource, c.casttarget)
        WHERE h.class = 'pg_cast'::regclass AND c.oid = h.oid AND t.oid >= 16384) AS up),

-- Tables that cannot be written to, and views through which they would be.
written(oid) AS (
    SELECT oid FROM object WHERE refuses = 'writing'
    UNION
    SELECT r.ev_class FROM written AS w
    JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = w.oid AND d.classid = 'pg_rewrite'::regclass
    JOIN pg_rewrite AS r ON r.oid = d.objid),

-- What the server keeps to superusers. No privilege on it is given, unless it was found.
kept AS (
    SELECT i.classoid, i.objoid FROM pg_init_privs AS i
    WHERE i.objsubid = 0 AND NOT EXISTS (SELECT FROM aclexplode(i.initprivs) AS x WHERE x.grantee = 0 AND x.privilege_type IN ('SELECT', 'EXECUTE')))

SELECT 'relation', n.nspname, c.relname
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND n.nspname <> 'pg_toast'
  AND (c.oid IN (SELECT oid FROM hidden WHERE class = 'pg_class'::regclass) OR c.oid IN (SELECT objoid FROM kept WHERE classoid = 'pg_class'::regclass))
UNION
SELECT 'written', n.nspname, c.relname
FROM written AS w JOIN pg_class AS c ON c.oid = w.oid JOIN pg_namespace AS n ON n.oid = c.relnamespace
UNION
SELECT 'word', '', f.proname FROM pg_proc AS f
WHERE f.oid IN (SELECT oid FROM hidden WHERE class = 'pg_proc'::regclass) OR f.oid IN (SELECT objoid FROM kept WHERE classoid = 'pg_proc'::regclass)
   OR f.pronamespace = 'pg_catalog'::regnamespace AND f.proname IN ('nextval', 'currval', 'lastval', 'setval', 'pg_sequence_last_value')
      AND EXISTS (SELECT FROM object AS o JOIN pg_class AS c ON o.class = 'pg_class'::regclass AND c.oid = o.oid WHERE c.relkind = 'S')
UNION
SELECT 'word', '', o.oprname FROM pg_operator AS o WHERE o.oid IN (SELECT oid FROM hidden WHERE class = 'pg_operator'::regclass)
UNION
SELECT 'word', '', t.typname FROM pg_type AS t WHERE t.oid IN (SELECT oid FROM hidden WHERE class = 'pg_type'::regclass)
UNION
-- IN, BETWEEN, CASE and USING compare by operators that they do not name.
SELECT CASE refuses WHEN 'everything' THEN 'closed' ELSE refuses END, '', '' FROM object WHERE refuses IN ('everything', 'computing')
UNION
SELECT 'closed', '', '' FROM pg_operator AS o
WHERE o.oid IN (SELECT oid FROM hidden WHERE class = 'pg_operator'::regclass) AND o.oprname IN ('=', '<>', '<', '<=', '>', '>=')
