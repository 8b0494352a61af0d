SET ROLE bob
----
refuse 42501 at 1: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET ROLE NONE
----
relay

RESET ROLE
----
relay

SET LOCAL ROLE bob
----
refuse 42501 at 1: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET "role" = 'bob'
----
refuse 42501 at 1: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET U&"r\006fle" = 'bob'
----
refuse 42501 at 1: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET SESSION AUTHORIZATION bob
----
refuse 42501 at 1: parameter "session_authorization" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET SESSION AUTHORIZATION DEFAULT
----
relay

SET session_authorization = 'bob'
----
refuse 42501 at 1: parameter "session_authorization" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

RESET SESSION AUTHORIZATION
----
relay

SET standard_conforming_strings = off
----
refuse 42501 at 1: parameter "standard_conforming_strings" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET standard_conforming_strings TO 'on'
----
relay

SET Standard_Conforming_Strings = 0
----
refuse 42501 at 1: parameter "standard_conforming_strings" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET backslash_quote = on
----
refuse 42501 at 1: parameter "backslash_quote" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET client_encoding = 'LATIN1'
----
refuse 42501 at 1: parameter "client_encoding" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET client_encoding = 'UTF-8'
----
relay

SET NAMES 'SQL_ASCII'
----
refuse 42501 at 1: parameter "client_encoding" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET NAMES 'utf8'
----
relay

SET transform_null_equals = on
----
refuse 42501 at 1: parameter "transform_null_equals" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET array_nulls = off
----
refuse 42501 at 1: parameter "array_nulls" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SET escape_string_warning = off
----
relay

SELECT set_config('role', 'bob', false)
----
refuse 42501 at 8: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT set_config('ROLE', 'none', false)
----
relay

SELECT pg_catalog.set_config('standard_conforming_strings', 'off', true)
----
refuse 42501 at 8: parameter "standard_conforming_strings" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT set_config('search_path', 'x', false)
----
relay

SELECT set_config('rolex'::varchar(4), 'bob', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

SELECT set_config('debug_print_plan '::bpchar, 'on', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

SELECT set_config('rolex'::text, 'bob', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

SELECT set_config('search_path'::pg_catalog.text, 'x'::varchar(1), false)
----
relay

SELECT set_config('session_authorization', 'default'::varchar(1), false)
----
refuse 42501 at 8: parameter "session_authorization" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT set_config('ro' || 'le', 'bob', false)
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

SELECT set_config(name, setting, false) FROM pg_settings
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

SELECT * FROM set_config('session_authorization', 'x', false)
----
refuse 42501 at 15: parameter "session_authorization" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT U&"set\005fconfig"('role', 'x', false)
----
refuse 42501 at 8: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT set_config(is_local := false, setting_name := 'role', new_value := 'x')
----
refuse 42501 at 8: set_config needs a constant name of a parameter through the proxy
hint: Write the name as a constant.

UPDATE pg_settings SET setting = 'off' WHERE name = 'standard_conforming_strings'
----
refuse 42501 at 8: pg_settings cannot be updated through the proxy
hint: Use SET.

UPDATE pg_catalog.pg_settings SET setting = 'x'
----
refuse 42501 at 8: pg_settings cannot be updated through the proxy
hint: Use SET.

WITH x AS (UPDATE pg_settings SET setting = 'x' RETURNING 1) SELECT 1
----
refuse 42501 at 19: pg_settings cannot be updated through the proxy
hint: Use SET.

EXPLAIN ANALYZE UPDATE pg_settings SET setting = 'x'
----
refuse 42501 at 24: pg_settings cannot be updated through the proxy
hint: Use SET.

SELECT name, setting FROM pg_settings
----
relay

CREATE VIEW v AS SELECT * FROM pg_settings
----
refuse 42501 at 1: pg_settings cannot be used in a view or rule through the proxy
hint: Select from pg_settings directly.

CREATE SCHEMA s CREATE VIEW v AS SELECT * FROM pg_settings
----
refuse 42501 at 1: pg_settings cannot be used in a view or rule through the proxy
hint: Select from pg_settings directly.

CREATE RULE r AS ON INSERT TO mine DO ALSO UPDATE pg_settings SET setting = 'x'
----
refuse 42501 at 1: pg_settings cannot be used in a view or rule through the proxy
hint: Select from pg_settings directly.

ALTER ROLE bob SET search_path = x
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

ALTER USER CURRENT_USER CONNECTION LIMIT 0
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

ALTER ROLE CURRENT_USER PASSWORD 'x'
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

ALTER ROLE ALL SET role = 'x'
----
refuse 42501 at 1: roles cannot be altered through the proxy
hint: Ask the steward of the database.

ALTER DATABASE hospital SET role = 'x'
----
refuse 42501 at 1: the database's settings cannot be altered through the proxy
hint: SET changes a setting for the session.

ALTER SYSTEM SET role = 'x'
----
refuse 42501 at 1: the database's settings cannot be altered through the proxy
hint: SET changes a setting for the session.

ALTER TABLE cities ADD COLUMN x int
----
relay

DO $$ BEGIN EXECUTE 'SELECT * FROM mem' || 'bers'; END $$
----
refuse 42501 at 1: DO is not allowed through the proxy
hint: Send the statements of the block one by one.

CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

CREATE OR REPLACE PROCEDURE p() LANGUAGE sql AS 'SELECT 1'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

ALTER FUNCTION f() SET role = 'x'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

ALTER ROUTINE f() SET role = 'x'
----
refuse 42501 at 1: functions and procedures cannot be created or altered through the proxy
hint: Use a view on your own tables, or ask the steward of the database.

DROP FUNCTION f()
----
relay

CREATE EXTENSION dblink
----
refuse 42501 at 1: extensions and languages cannot be created or altered through the proxy
hint: Ask the steward of the database.

CREATE LANGUAGE plpgsql
----
refuse 42501 at 1: extensions and languages cannot be created or altered through the proxy
hint: Ask the steward of the database.

SELECT 1; SET ROLE bob
----
refuse 42501 at 11: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

INSERT INTO cities VALUES ('x') ON CONFLICT DO NOTHING
----
relay

DISCARD ALL
----
forget ""

DISCARD PLANS
----
relay

DEALLOCATE q
----
forget "q"

DEALLOCATE ALL
----
forget ""

DEALLOCATE PREPARE "Q"
----
forget "Q"

SELECT 1; DEALLOCATE q
----
forget "q"

DEALLOCATE a; DEALLOCATE b
----
forget ""

SET debug_print_plan = on
----
refuse 42501 at 1: parameter "debug_print_plan" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT set_config('debug_print_plan', 'on', false)
----
refuse 42501 at 8: parameter "debug_print_plan" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

GRANT ana TO tacit_curator
----
refuse 42501 at 1: membership in roles cannot be granted or revoked through the proxy
hint: Ask the steward of the database.

REVOKE ana FROM bob
----
refuse 42501 at 1: membership in roles cannot be granted or revoked through the proxy
hint: Ask the steward of the database.

GRANT SELECT ON mine TO bob
----
relay

REVOKE ALL ON mine FROM bob
----
relay

REASSIGN OWNED BY ana TO bob
----
refuse 42501 at 1: what a role owns cannot be reassigned or dropped as a whole through the proxy
hint: DROP objects one by one.

DROP OWNED BY ana
----
refuse 42501 at 1: what a role owns cannot be reassigned or dropped as a whole through the proxy
hint: DROP objects one by one.

ALTER TABLE mine OWNER TO bob
----
refuse 42501 at 27: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

ALTER TABLE mine OWNER TO CURRENT_USER
----
relay

ALTER TABLE mine ADD a int, OWNER TO bob
----
refuse 42501 at 38: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

ALTER SCHEMA s OWNER TO bob
----
refuse 42501 at 25: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

ALTER SCHEMA s OWNER TO SESSION_USER
----
relay

ALTER VIEW v OWNER TO bob
----
refuse 42501 at 23: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

CREATE SCHEMA AUTHORIZATION bob
----
refuse 42501 at 29: objects cannot be given to another role through the proxy
hint: Name the owner as CURRENT_USER.

CREATE SCHEMA s
----
relay

CREATE SCHEMA AUTHORIZATION CURRENT_USER
----
relay

SECURITY LABEL ON TABLE mine IS 'x'
----
refuse 42501 at 1: security labels cannot be set through the proxy
hint: Ask the steward of the database.

ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC
----
refuse 42501 at 1: default privileges cannot be altered through the proxy
hint: GRANT on each of your tables.

# a watched word that does no harm
INSERT INTO users (name, role) VALUES ('a', 'do') ON CONFLICT DO NOTHING
----
relay

SELECT role, "names", language FROM users WHERE note = 'SET ROLE bob'
----
relay

SELECT 'set_config', $$ DO $$ FROM users
----
relay

SELECT 1; SET ROLE bob
----
refuse 42501 at 11: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

SELECT 1; -- ; 
SET "role" TO bob
----
refuse 42501 at 11: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

(SELECT "set_config"('role', 'bob', false))
----
refuse 42501 at 9: parameter "role" cannot be changed through the proxy
hint: The proxy relies on its present value; everything else can be SET.

WITH x AS (SELECT 1) UPDATE "pg_settings" SET setting = 'bob' WHERE name = 'role'
----
refuse 42501 at 29: pg_settings cannot be updated through the proxy
hint: Use SET.

CREATE MATERIALIZED VIEW mine AS SELECT 'public.members'::regclass AS x
----
refuse 42501 at 1: materialized views cannot be created through the proxy
hint: Use CREATE TABLE AS.

WITH a AS MATERIALIZED (SELECT 1) SELECT * FROM a
----
relay

CREATE AGGREGATE s2 (text, bool) (SFUNC = pg_catalog.set_config, STYPE = text, INITCOND = 'standard_conforming_strings')
----
refuse 42501 at 1: aggregates cannot be created through the proxy
hint: Ask the steward of the database.

SET LOCAL tacit.fresh TO 'YES'
----
relay

SET Tacit.Fresh = 0
----
relay

SET tacit.fresh TO DEFAULT
----
relay

RESET tacit.fresh
----
relay

SHOW tacit.fresh
----
relay

SELECT set_config('tacit.fresh', 'off', true)
----
relay

SET tacit.fresh = perhaps
----
refuse 22023 at 1: parameter "tacit.fresh" requires a Boolean value
hint: Write on or off.

SET tacit.notices = 2
----
refuse 22023 at 1: parameter "tacit.notices" requires a Boolean value
hint: Write on or off.

SET LOCAL tacit.max_age = '1 day 12 hours'
----
relay

SET tacit.max_age TO forever
----
relay

RESET tacit.max_age
----
relay

SET tacit.max_age = soon
----
refuse 22023 at 1: invalid value for parameter "tacit.max_age": "soon"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SET tacit.max_age = '0 days'
----
refuse 22023 at 1: invalid value for parameter "tacit.max_age": "0 days"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SET tacit.max_age = '-1 day'
----
refuse 22023 at 1: invalid value for parameter "tacit.max_age": "-1 day"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SET tacit.max_age = 0
----
refuse 22023 at 1: invalid value for parameter "tacit.max_age": "0"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SET tacit.max_age = '1 day', '2 days'
----
refuse 22023 at 1: invalid value for parameter "tacit.max_age": "1 day,2 days"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SELECT set_config('tacit.max_age', 'often', false)
----
refuse 22023 at 8: invalid value for parameter "tacit.max_age": "often"
hint: Write an interval above 0, such as '1 day', '12 hours' or '90 minutes', or forever. SET tacit.fresh = on asks everything anew.

SET tacit.max_age = '1 day'; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SET "tacit.max_age" TO "1 day"
refuse 0A000 at 1: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SET LOCAL tacit.within = 25
----
relay

SET tacit.within TO off
----
relay

RESET tacit.within
----
relay

SET tacit.within = '2%'
----
relay

SET tacit.within = '2 %'
----
relay

SET tacit.within = ' 2.5% '
----
relay

SET tacit.within = '0.0000001%'
----
relay

SET tacit.within = '100%'
----
relay

SET tacit.within = '-1%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "-1%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '0%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "0%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '0.00000001%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "0.00000001%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '100.0000001%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "100.0000001%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '1000%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "1000%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = 'abc%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "abc%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '.5%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": ".5%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '2.%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "2.%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '1e1%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "1e1%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '+2%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "+2%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '2%%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "2%%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = '99999999999999999999%'
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "99999999999999999999%"
hint: A share is above 0% and at most 100%, with at most 7 digits behind the point: SET tacit.within = '2.5%'

SET tacit.within = 0
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "0"
hint: Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%'

SET tacit.within = -5
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "-5"
hint: Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%'

SET tacit.within = 2.5
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "2.5"
hint: Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%'

SELECT set_config('tacit.within', '3%', false)
----
relay

SET tacit.within = 25, 30
----
refuse 22023 at 1: invalid value for parameter "tacit.within": "25,30"
hint: Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%'

SELECT set_config('tacit.within', '99999999999999999999', false)
----
refuse 22023 at 8: invalid value for parameter "tacit.within": "99999999999999999999"
hint: Write how many rows a count may be off by, a share of how many the table has in all, or off: SET tacit.within = 25, or SET tacit.within = '2%'

SET tacit.within = 25; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SET "tacit.within" TO 25
refuse 0A000 at 1: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SELECT set_config('tacit.fresh', 'perhaps', true)
----
refuse 22023 at 8: parameter "tacit.fresh" requires a Boolean value
hint: Write on or off.

SET tacit.fersh = on
----
refuse 42704 at 1: unrecognized configuration parameter "tacit.fersh"
hint: The proxy's settings are tacit.fresh, tacit.intervals, tacit.max_age, tacit.notices, tacit.within.

SET tacit.fresh = on; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SET "tacit.fresh" TO ON
refuse 0A000 at 1: this SET cannot be sent in one text with a statement about a protected table
hint: Send it as a statement of its own.
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SET tacit.notices = off; SELECT count(*) FROM members
----
script, 0 of prologue: 
step settled=true: SET "tacit.notices" TO OFF
step settled=false: 
answer
question: count(*) FROM public.members
count: SELECT pg_catalog.count(*) AS c1 FROM "public"."members" AS t
args: []
charge: 1 counts, 0 thresholds
rest: SELECT members."count 1" AS count FROM pg_catalog.unnest($1::bigint[]) members("count 1")

SET x.fresh = perhaps
----
relay

SET tacit.fresh = on
----
relay

CREATE CAST (ana.c AS text) WITH FUNCTION public.jot(anyelement) AS IMPLICIT
----
refuse 42501 at 1: casts by functions cannot be created through the proxy
hint: Ask the steward of the database.

CREATE CAST (ana.c AS text) WITH INOUT
----
relay
