SELECT 1
----
relay

SELECT * FROM cities
----
relay

SELECT * FROM private.members
----
relay

SELECT members.city FROM cities AS members
----
relay

SELECT 'members', "memberships" FROM cities
----
relay

SELECT count(*) FROM member_s
----
relay

WITH members AS (SELECT 1 AS a) SELECT a, count(*) FROM members GROUP BY a
----
relay

WITH RECURSIVE members AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM members WHERE a < 3) SELECT * FROM members
----
relay

WITH RECURSIVE x AS (SELECT * FROM members), members AS (SELECT 1) SELECT * FROM x
----
relay

WITH members AS (SELECT 1 AS a), x AS (SELECT * FROM members) SELECT (SELECT a FROM members) FROM x
----
relay

SELECT * FROM cities members FOR UPDATE OF members
----
relay

CREATE TEMP TABLE members (a int)
----
relay

CREATE TABLE mine3 (members int, PRIMARY KEY (members))
----
relay

SELECT * FROM pg_catalog.pg_class WHERE relname = 'members'
----
masked: SELECT * FROM (SELECT c.oid AS oid, c.relname AS relname, '0'::int AS relpages, '-1'::real AS reltuples FROM pg_catalog.pg_class c) pg_class WHERE relname = 'members'

SELECT column_name FROM information_schema.columns WHERE table_name = 'members'
----
relay

SELECT 'public.members'::regclass
----
relay

SELECT members(1)
----
relay

SAVEPOINT members
----
relay

LISTEN members
----
relay

SELECT * FROM cities /* members */ -- members
----
relay

SELECT $$ members $$
----
relay

INSERT INTO cities VALUES ('members')
----
relay

SELECT * FROM members.members.members2
----
relay

SELEC 1
----
relay

UPDATE cities SET country = 'role'
----
relay

CREATE VIEW v AS SELECT * FROM cities
----
relay

SHOW role
----
relay

SET search_path = mine, public
----
relay

SET tacit.notices = off
----
relay
