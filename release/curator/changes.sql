-- A digest of what CheckSeparation reads of the catalog: it changes when an object, a privilege or a membership does. $1 are the analysts'
-- names, $2 is the snapshot of the last digest. Yields (snapshot, changes by others, changes by anybody), without digests while the
-- snapshot is the same: then no transaction has committed anything since, and the server has not read its settings again, which can change the
-- search path of a session.
--
-- What analysts make in their own tables and schemas opens nothing that is not open already; it is in the second digest alone, by which
-- views and rules over what is refused are found while something is. What is theirs but may hold, show or call what somebody else made is
-- in both: it may have been given to them, or may have been attached by another. A row of a catalog is digested by its oid and xmin: every
-- change makes a new version of it, under the xid of the transaction. The statistics of VACUUM and ANALYZE are written in place.
SELECT now.snapshot, CASE WHEN now.snapshot <> $2 THEN (
WITH analyst AS (
    SELECT oid FROM pg_roles WHERE rolname = ANY ($1::text[])),

owned AS (
    SELECT c.oid, c.xmin, c.relkind, c.relpersistence, c.relowner, c.relowner IN (SELECT oid FROM analyst) AS own FROM pg_class AS c),

item(kind, own, xmin, oid) AS (
    SELECT 1, own, xmin, oid FROM owned WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND relpersistence <> 't'
    UNION ALL
    -- A materialized view holds rows that somebody else has read, a foreign table those of another login. REFRESH changes neither.
    SELECT 2, false, relowner::text::xid, oid FROM owned WHERE own AND relkind IN ('m', 'f')
    UNION ALL
    SELECT 3, proowner IN (SELECT oid FROM analyst) AND prosupport::oid < 16384, xmin, oid FROM pg_proc WHERE oid >= 16384 OR proacl IS NOT NULL
    UNION ALL
    SELECT 4, c.own, r.xmin, r.oid FROM pg_rewrite AS r JOIN owned AS c ON c.oid = r.ev_class WHERE r.oid >= 16384
    UNION ALL
    SELECT 5, c.own AND f.proowner IN (SELECT oid FROM analyst), t.xmin, t.oid
    FROM pg_trigger AS t JOIN owned AS c ON c.oid = t.tgrelid JOIN pg_proc AS f ON f.oid = t.tgfoid WHERE NOT t.tgisinternal
    UNION ALL
    SELECT 6, c.own AND (k.confrelid = 0 OR k.confrelid IN (SELECT oid FROM owned WHERE own)), k.xmin, k.oid
    FROM pg_constraint AS k JOIN owned AS c ON c.oid = k.conrelid WHERE k.contype IN ('f', 'c')
    UNION ALL
    SELECT 7, c.own AND p.own, i.xmin, i.inhrelid FROM pg_inherits AS i JOIN owned AS c ON c.oid = i.inhrelid JOIN owned AS p ON p.oid = i.inhparent
    UNION ALL
    SELECT 8, c.own, a.xmin, a.oid FROM pg_attrdef AS a JOIN owned AS c ON c.oid = a.adrelid
    UNION ALL
    SELECT 9, c.own, p.xmin, p.oid FROM pg_policy AS p JOIN owned AS c ON c.oid = p.polrelid
    UNION ALL
    SELECT 10, nspowner IN (SELECT oid FROM analyst), xmin, oid FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'
    UNION ALL
    SELECT 11, typtype IN ('d', 'e') AND typowner IN (SELECT oid FROM analyst), xmin, oid
    FROM pg_type WHERE oid >= 16384 AND (typtype IN ('d', 'e', 'r') OR typtype = 'b' AND typinput <> 'array_in'::regproc)
    UNION ALL
    SELECT 12, oprowner IN (SELECT oid FROM analyst) AND oprrest::oid < 16384 AND oprjoin::oid < 16384, xmin, oid FROM pg_operator WHERE oid >= 16384
    UNION ALL
    SELECT 13, EXISTS (SELECT FROM pg_type AS t WHERE t.oid IN (castsource, casttarget) AND t.typowner IN (SELECT oid FROM analyst))
               AND (castfunc = 0 OR castfunc IN (SELECT f.oid FROM pg_proc AS f WHERE f.proowner IN (SELECT oid FROM analyst))), xmin, oid
    FROM pg_cast WHERE oid >= 16384
    UNION ALL
    SELECT 14, false, xmin, roleid FROM pg_auth_members
    UNION ALL
    SELECT 15, false, xmin, setrole FROM pg_db_role_setting
    UNION ALL
    SELECT 16, defaclrole IN (SELECT oid FROM analyst), xmin, oid FROM pg_default_acl
    UNION ALL
    SELECT 17, c.own, a.xmin, a.attrelid FROM pg_attribute AS a JOIN owned AS c ON c.oid = a.attrelid WHERE a.attacl IS NOT NULL
    UNION ALL
    SELECT kind, false, xmin, oid FROM (
        SELECT 18, xmin, oid FROM pg_foreign_server UNION ALL SELECT 19, xmin, oid FROM pg_foreign_data_wrapper
        UNION ALL SELECT 20, xmin, oid FROM pg_publication UNION ALL SELECT 21, xmin, oid FROM pg_amproc UNION ALL SELECT 22, xmin, oid FROM pg_amop
        UNION ALL SELECT 23, xmin, oid FROM pg_ts_template UNION ALL SELECT 24, xmin, oid FROM pg_ts_parser UNION ALL SELECT 25, xmin, oid FROM pg_language
        UNION ALL SELECT 26, xmin, oid FROM pg_conversion UNION ALL SELECT 27, xmin, oid FROM pg_transform UNION ALL SELECT 28, xmin, oid FROM pg_am
        UNION ALL SELECT 29, xmin, oid FROM pg_event_trigger) AS made(kind, xmin, oid)
    WHERE oid >= 16384),

digest(own, value) AS (
    SELECT own, hashint8(((xmin::text::int8 << 32) | oid::int8) # (kind::int8 << 26))::int8 FROM item
    UNION ALL
    SELECT false, hashtext(r::text) FROM pg_roles AS r
    UNION ALL
    SELECT false, hashtext(d.datdba || coalesce(d.datacl::text, '')) FROM pg_database AS d WHERE d.datname = current_database())

SELECT ARRAY[count(*) FILTER (WHERE NOT own) || ' ' || coalesce(sum(value) FILTER (WHERE NOT own), 0), count(*) || ' ' || coalesce(sum(value), 0)] FROM digest) END
FROM (SELECT pg_current_snapshot()::text || ' ' || pg_conf_load_time()::text) AS now(snapshot)
