package traps

// A Decoy looks like a trap, and shows an analyst nothing that she may not see. If `tacit check` found it, a steward would have to undo
// it without need.
type Decoy struct {
	Name string
	Make string
	Undo string
	// Statement is what sep_bob runs. Shows is the first value of its result, "" for none or NULL, or the SQLSTATE of the refusal.
	Statement, Shows string
	Since            int
}

// For fills in the names of a place.
func (d Decoy) For(p Place) Decoy {
	for _, text := range []*string{&d.Make, &d.Undo, &d.Statement, &d.Shows} {
		*text = p.For(*text)
	}
	return d
}

// Decoys are all of them.
var Decoys = []Decoy{
	// The server's catalogs.
	{Name: "view on roles without their passwords", Make: `CREATE VIEW clinic.v AS SELECT rolname, rolvaliduntil FROM pg_authid; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT rolname FROM clinic.v WHERE rolname = 'sep_ana'`, Shows: "sep_ana"},
	{Name: "view on the view of passwords, without them", Make: `CREATE VIEW clinic.v AS SELECT usename FROM pg_shadow; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT usename FROM clinic.v WHERE usename = 'sep_ana'`, Shows: "sep_ana"},
	{Name: "view on pg_class without estimates", Make: `CREATE VIEW clinic.v AS SELECT c.relname, n.nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT relname FROM clinic.v WHERE relname = 'wards'`, Shows: "wards"},
	{Name: "view on foreign servers of mappings", Make: `CREATE VIEW clinic.v AS SELECT umserver FROM pg_user_mapping; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`},
	{Name: "view on estimates whose owner may not read them", Make: `CREATE VIEW clinic.v AS SELECT relname, reltuples FROM pg_class; ALTER VIEW clinic.v OWNER TO sep_app; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT reltuples FROM clinic.v`, Shows: "42501"},
	{Name: "own view on estimates", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE VIEW sep_bob.v AS SELECT relname, reltuples FROM pg_class; RESET SESSION AUTHORIZATION`, Undo: `DROP VIEW sep_bob.v`,
		Statement: `SELECT reltuples FROM sep_bob.v`, Shows: "42501"},
	{Name: "view on estimates as the reader", Since: 15, Make: `CREATE VIEW clinic.v WITH (security_invoker, check_option = local) AS SELECT relname, reltuples FROM pg_class WHERE true; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT reltuples FROM clinic.v`, Shows: "42501"},
	{Name: "view on estimates for others", Make: `CREATE VIEW clinic.v AS SELECT relname, reltuples FROM pg_class`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT reltuples FROM clinic.v`, Shows: "42501"},
	{Name: "view on pg_stats", Make: `CREATE VIEW clinic.v AS SELECT tablename, most_common_vals::text AS common FROM pg_stats; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT common FROM clinic.v WHERE tablename = 'patients'`},
	{Name: "view on extended statistics", Make: `CREATE VIEW clinic.v AS SELECT statistics_name, n_distinct::text AS n FROM pg_stats_ext; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT n FROM clinic.v`},
	{Name: "view on the activity of tables", Make: `CREATE VIEW clinic.v AS SELECT relname, n_live_tup FROM pg_stat_user_tables; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT n_live_tup FROM clinic.v`, Shows: "42501"},
	{Name: "view on sizes", Make: `CREATE VIEW clinic.v AS SELECT relname, pg_total_relation_size(oid) AS size FROM pg_class; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT size FROM clinic.v`, Shows: "42501"},
	{Name: "view on statements", Make: `CREATE VIEW clinic.v AS SELECT usename, query FROM pg_stat_activity; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT query FROM clinic.v WHERE usename = 'postgres'`, Shows: "<insufficient privilege>"},
	{Name: "view on locks", Make: `CREATE VIEW clinic.v AS SELECT relation FROM pg_locks; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT relation FROM clinic.v`, Shows: "42501"},
	{Name: "view on sequences", Make: `CREATE VIEW clinic.v AS SELECT sequencename, last_value FROM pg_sequences; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT last_value FROM clinic.v WHERE sequencename = 'patients_id_seq'`},
	{Name: "view on SQL text", Make: `CREATE VIEW clinic.v AS SELECT query_to_xml('TABLE clinic.patients', true, true, '')::text AS x; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT x FROM clinic.v`, Shows: "42501"},
	{Name: "view on user mappings of the server's view", Make: loopback + `CREATE VIEW clinic.v AS SELECT srvname, umoptions::text AS o FROM pg_user_mappings; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v; ` + undoLoopback,
		Statement: `SELECT o FROM clinic.v`},
	{Name: "view on user mappings of the information schema", Make: loopback + `CREATE VIEW clinic.v AS SELECT umoptions::text AS o FROM information_schema._pg_user_mappings; GRANT SELECT ON clinic.v, information_schema._pg_user_mappings TO sep_bob`,
		Undo: `DROP VIEW clinic.v; REVOKE SELECT ON information_schema._pg_user_mappings FROM sep_bob; ` + undoLoopback, Statement: `SELECT o FROM clinic.v`},

	// Materialized views.
	{Name: "own materialized view on pg_stats", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE MATERIALIZED VIEW sep_bob.m AS SELECT tablename, most_common_vals::text FROM pg_stats; RESET SESSION AUTHORIZATION`, Undo: `DROP MATERIALIZED VIEW sep_bob.m`,
		Statement: `SELECT * FROM sep_bob.m WHERE tablename = 'patients'`},
	{Name: "own materialized view on statements", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE MATERIALIZED VIEW sep_bob.m AS SELECT usename, query FROM pg_stat_activity; RESET SESSION AUTHORIZATION`, Undo: `DROP MATERIALIZED VIEW sep_bob.m`,
		Statement: `SELECT query FROM sep_bob.m WHERE usename = 'postgres' AND query <> ''`, Shows: "<insufficient privilege>"},
	{Name: "own materialized view on her function", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE FUNCTION sep_bob.f() RETURNS integer LANGUAGE plpgsql AS 'BEGIN RETURN 1; END'; CREATE MATERIALIZED VIEW sep_bob.m AS SELECT sep_bob.f() AS x; RESET SESSION AUTHORIZATION`,
		Undo: `DROP MATERIALIZED VIEW sep_bob.m; DROP FUNCTION sep_bob.f`, Statement: `SELECT x FROM sep_bob.m`, Shows: "1"},
	{Name: "materialized view on a public table", Make: `CREATE MATERIALIZED VIEW clinic.m AS SELECT lower(region) AS r, count(*) AS n FROM clinic.regions GROUP BY 1; GRANT SELECT ON clinic.m TO sep_bob`, Undo: `DROP MATERIALIZED VIEW clinic.m`,
		Statement: `SELECT max(r) FROM clinic.m`, Shows: "south"},
	{Name: "materialized view on a function that reads no table", Make: `CREATE FUNCTION clinic.f(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN upper($1); END'; CREATE MATERIALIZED VIEW clinic.m AS SELECT clinic.f(ward) AS w FROM clinic.wards; GRANT SELECT ON clinic.m TO sep_bob`,
		Undo: `DROP MATERIALIZED VIEW clinic.m; DROP FUNCTION clinic.f`, Statement: `SELECT w FROM clinic.m`, Shows: "WARD A"},
	{Name: "materialized view on a function of an extension", Make: `CREATE EXTENSION pgcrypto; CREATE MATERIALIZED VIEW clinic.m AS SELECT ward, gen_random_bytes(3) FROM clinic.wards; GRANT SELECT ON clinic.m TO sep_bob`,
		Undo: `DROP MATERIALIZED VIEW clinic.m; DROP EXTENSION pgcrypto`, Statement: `SELECT ward FROM clinic.m`, Shows: "ward A"},
	{Name: "materialized view on sizes for others", Make: `CREATE MATERIALIZED VIEW clinic.m AS SELECT relname, pg_relation_size(oid) AS size, reltuples FROM pg_class WHERE relkind = 'r'`, Undo: `DROP MATERIALIZED VIEW clinic.m`,
		Statement: `SELECT size FROM clinic.m`, Shows: "42501"},
	{Name: "materialized view on an analyst's table", Make: `CREATE TABLE sep_bob.t AS SELECT 1 AS x; ALTER TABLE sep_bob.t OWNER TO sep_bob; CREATE MATERIALIZED VIEW clinic.m AS SELECT * FROM sep_bob.t; GRANT SELECT ON clinic.m TO sep_ana, sep_bob`,
		Undo: `DROP MATERIALIZED VIEW clinic.m; DROP TABLE sep_bob.t`, Statement: `SELECT x FROM clinic.m`, Shows: "1"},

	// Views that read as their reader.
	{Name: "view on a protected table as the reader", Since: 15, Make: `CREATE VIEW clinic.v WITH (security_invoker = true) AS SELECT * FROM clinic.patients; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT age FROM clinic.v`, Shows: "42501"},
	{Name: "view on a view as the reader", Since: 15, Make: `CREATE VIEW clinic.v WITH (security_invoker = 1) AS SELECT * FROM clinic.patients; CREATE VIEW clinic.w AS SELECT * FROM clinic.v; GRANT SELECT ON clinic.w TO sep_bob`, Undo: `DROP VIEW clinic.w; DROP VIEW clinic.v`,
		Statement: `SELECT age FROM clinic.w`, Shows: "42501"},
	{Name: "view on an analyst's view on a protected table", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE VIEW sep_bob.v AS SELECT * FROM clinic.patients; RESET SESSION AUTHORIZATION; CREATE VIEW clinic.w AS SELECT * FROM sep_bob.v; GRANT SELECT ON clinic.w TO sep_bob`, Undo: `DROP VIEW clinic.w; DROP VIEW sep_bob.v`,
		Statement: `SELECT age FROM clinic.w`, Shows: "42501"},

	// Foreign tables.
	{Name: "foreign table for others", Make: foreignPatients + `CREATE VIEW clinic.v AS SELECT * FROM clinic.f; CREATE MATERIALIZED VIEW clinic.m AS SELECT count(*) FROM clinic.f`, Undo: undoLoopback,
		Statement: `SELECT age FROM clinic.v`, Shows: "42501"},
	{Name: "view on a foreign table as the reader", Since: 15, Make: foreignPatients + `CREATE VIEW clinic.v WITH (security_invoker = yes) AS SELECT * FROM clinic.f; GRANT SELECT ON clinic.v TO sep_bob`, Undo: undoLoopback,
		Statement: `SELECT age FROM clinic.v`, Shows: "42501"},

	// Functions with their owners' privileges.
	{Name: "function with privileges for others", Make: `CREATE FUNCTION clinic.f() RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT count(*) FROM clinic.patients'; REVOKE EXECUTE ON FUNCTION clinic.f FROM PUBLIC; CREATE VIEW clinic.v AS SELECT clinic.f() AS n; GRANT SELECT ON clinic.v TO sep_bob`,
		Undo: `DROP VIEW clinic.v; DROP FUNCTION clinic.f`, Statement: `SELECT n FROM clinic.v`, Shows: "42501"},
	{Name: "operator with privileges for others", Make: teller("tell(integer, integer) RETURNS boolean") + `CREATE OPERATOR clinic.### (LEFTARG = integer, RIGHTARG = integer, FUNCTION = clinic.tell)`, Undo: `DROP OPERATOR clinic.### (integer, integer); DROP FUNCTION clinic.tell`,
		Statement: `SELECT x OPERATOR(clinic.###) 1 FROM generate_series(1, 2) AS x`, Shows: "42501"},
	{Name: "explicit cast with privileges for others", Make: `CREATE TYPE clinic.pair AS (a integer); ` + teller("tell(clinic.pair) RETURNS integer") + `CREATE CAST (clinic.pair AS integer) WITH FUNCTION clinic.tell(clinic.pair)`, Undo: `DROP CAST (clinic.pair AS integer); DROP FUNCTION clinic.tell; DROP TYPE clinic.pair`,
		Statement: `SELECT ROW(1)::clinic.pair::integer`, Shows: "42501"},
	{Name: "domain that checks with privileges for others", Make: teller("tell(integer) RETURNS boolean") + `CREATE DOMAIN clinic.d AS integer CHECK (clinic.tell(value))`, Undo: `DROP DOMAIN clinic.d; DROP FUNCTION clinic.tell`,
		Statement: `SELECT 1::clinic.d`, Shows: "42501"},
	{Name: "default with privileges for others", Make: teller("tell() RETURNS text") + `ALTER TABLE clinic.wards ALTER ward SET DEFAULT clinic.tell(); GRANT INSERT ON clinic.wards TO sep_bob`, Undo: `REVOKE INSERT ON clinic.wards FROM sep_bob; ALTER TABLE clinic.wards ALTER ward DROP DEFAULT; DROP FUNCTION clinic.tell`,
		Statement: `INSERT INTO clinic.wards DEFAULT VALUES`, Shows: "42501"},
	{Name: "operator class", Make: `CREATE OPERATOR CLASS clinic.ops FOR TYPE integer USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 btint4cmp(integer, integer)`, Undo: `DROP OPERATOR FAMILY clinic.ops USING btree`},
	{Name: "range type", Make: `CREATE FUNCTION clinic.d(integer, integer) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT ($1 - $2)::double precision'; CREATE TYPE clinic.span AS RANGE (SUBTYPE = integer, SUBTYPE_DIFF = clinic.d)`, Undo: `DROP TYPE clinic.span; DROP FUNCTION clinic.d`,
		Statement: `SELECT clinic.span(1, 5)`, Shows: "[1,5)"},

	// Triggers and keys.
	{Name: "trigger with privileges that no analyst fires", Make: wardsTrigger + `CREATE VIEW clinic.v AS SELECT ward FROM clinic.wards; GRANT SELECT ON clinic.v, clinic.wards TO sep_bob`, Undo: `DROP VIEW clinic.v; REVOKE SELECT ON clinic.wards FROM sep_bob; ` + undoWardsTrigger,
		Statement: `INSERT INTO clinic.v VALUES ('x')`, Shows: "42501"},
	{Name: "trigger behind a view that cannot be written", Make: wardsTrigger + `CREATE VIEW clinic.v AS SELECT count(*) AS n FROM clinic.wards; GRANT ALL ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v; ` + undoWardsTrigger,
		Statement: `DELETE FROM clinic.v`, Shows: "55000"},
	{Name: "trigger behind an analyst's view", Make: wardsTrigger + `SET SESSION AUTHORIZATION sep_bob; CREATE VIEW sep_bob.v AS SELECT ward FROM clinic.wards; RESET SESSION AUTHORIZATION`, Undo: `DROP VIEW sep_bob.v; ` + undoWardsTrigger,
		Statement: `INSERT INTO sep_bob.v VALUES ('x')`, Shows: "42501"},
	{Name: "foreign key between open tables", Make: `CREATE TABLE clinic.houses (house text PRIMARY KEY); ALTER TABLE clinic.wards ADD house text REFERENCES clinic.houses ON DELETE CASCADE; GRANT INSERT ON clinic.wards TO sep_bob; GRANT DELETE ON clinic.houses TO sep_bob`,
		Undo: `REVOKE INSERT ON clinic.wards FROM sep_bob; ALTER TABLE clinic.wards DROP house; DROP TABLE clinic.houses`, Statement: `INSERT INTO clinic.wards VALUES ('x', 'none')`, Shows: "23503"},
	{Name: "view on the table that protected rows refer to", Make: `CREATE VIEW clinic.v AS SELECT region FROM clinic.regions; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v`,
		Statement: `SELECT max(region) FROM clinic.v`, Shows: "south"},

	// What analysts own.
	{Name: "somebody's view on an analyst's function", Make: `CREATE FUNCTION sep_bob.f() RETURNS integer LANGUAGE sql AS 'SELECT 1'; ALTER FUNCTION sep_bob.f OWNER TO sep_bob; CREATE VIEW clinic.v AS SELECT sep_bob.f() AS x; GRANT SELECT ON clinic.v TO sep_bob`, Undo: `DROP VIEW clinic.v; DROP FUNCTION sep_bob.f`,
		Statement: `SELECT x FROM clinic.v`, Shows: "1"},
	{Name: "analyst lets another create in her schema", Make: `ALTER SCHEMA sep_ana OWNER TO sep_ana; SET SESSION AUTHORIZATION sep_ana; GRANT ALL ON SCHEMA sep_ana TO sep_bob; RESET SESSION AUTHORIZATION`,
		Undo: `REVOKE ALL ON SCHEMA sep_ana FROM sep_bob; ALTER SCHEMA sep_ana OWNER TO postgres`, Statement: `CREATE TABLE sep_ana.t AS SELECT 7 AS x; SELECT x FROM sep_ana.t`, Shows: "7"},
	{Name: "analyst lets everybody create in her schema", Make: `ALTER SCHEMA sep_ana OWNER TO sep_ana; SET SESSION AUTHORIZATION sep_ana; GRANT ALL ON SCHEMA sep_ana TO PUBLIC; RESET SESSION AUTHORIZATION`,
		Undo: `REVOKE ALL ON SCHEMA sep_ana FROM PUBLIC; ALTER SCHEMA sep_ana OWNER TO postgres`, Statement: `CREATE TABLE sep_ana.t AS SELECT 7 AS x; SELECT x FROM sep_ana.t`, Shows: "7"},
	{Name: "analyst's objects among her own", Make: `SET SESSION AUTHORIZATION sep_bob; CREATE FUNCTION sep_bob.f(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'; CREATE DOMAIN sep_bob.d AS text; CREATE TABLE sep_bob.t (x sep_bob.d DEFAULT sep_bob.f('a')); CREATE INDEX ON sep_bob.t (sep_bob.f(x)); RESET SESSION AUTHORIZATION`,
		Undo: `DROP TABLE sep_bob.t; DROP DOMAIN sep_bob.d; DROP FUNCTION sep_bob.f`, Statement: `INSERT INTO sep_bob.t DEFAULT VALUES RETURNING x`, Shows: "a"},
}
