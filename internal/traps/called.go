package traps

// PostgreSQL calls these functions without asking whether the caller may execute them, and with their owners' privileges.
var calledTraps = []Trap{
	{Name: "comparison of an operator class",
		Make:      teller("tell(integer, integer) RETURNS integer") + `CREATE OPERATOR CLASS clinic.ops FOR TYPE integer USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 clinic.tell(integer, integer)`,
		Undo:      `DROP OPERATOR FAMILY clinic.ops USING btree; DROP FUNCTION clinic.tell`,
		Statement: `CREATE TEMPORARY TABLE t AS SELECT generate_series(1, 9) AS x; CREATE INDEX ON t (x clinic.ops)`, Leak: "P0001",
		What: ServerCalls, Detail: "is SECURITY DEFINER clinic.tell(integer,integer) of postgres"},
	{Name: "hash function of an operator class",
		Make:      teller("tell(integer) RETURNS integer") + `CREATE OPERATOR CLASS clinic.ops FOR TYPE integer USING hash AS OPERATOR 1 =, FUNCTION 1 clinic.tell(integer)`,
		Undo:      `DROP OPERATOR FAMILY clinic.ops USING hash; DROP FUNCTION clinic.tell`,
		Statement: `CREATE TEMPORARY TABLE t AS SELECT generate_series(1, 9) AS x; CREATE INDEX ON t USING hash (x clinic.ops)`, Leak: "P0001",
		What: ServerCalls, Detail: "is SECURITY DEFINER clinic.tell(integer) of postgres"},
	{Name: "equality of a default operator class",
		Make: teller("tell(point, point) RETURNS boolean") + `CREATE FUNCTION clinic.h(point) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 1'; CREATE OPERATOR clinic.= (LEFTARG = point, RIGHTARG = point, FUNCTION = clinic.tell);
			CREATE OPERATOR CLASS clinic.ops DEFAULT FOR TYPE point USING hash AS OPERATOR 1 clinic.=, FUNCTION 1 clinic.h(point)`,
		Undo:      `DROP OPERATOR FAMILY clinic.ops USING hash; DROP OPERATOR clinic.= (point, point); DROP FUNCTION clinic.tell; DROP FUNCTION clinic.h`,
		Statement: `SELECT ARRAY[point '(1,1)'] = ARRAY[point '(1,1)']`, Leak: "P0001",
		What: ServerCalls, Detail: "is SECURITY DEFINER clinic.tell(point,point) of postgres"},
	{Name: "difference of a range type",
		Make:      teller("tell(integer, integer) RETURNS double precision") + `CREATE TYPE clinic.span AS RANGE (SUBTYPE = integer, SUBTYPE_DIFF = clinic.tell)`,
		Undo:      `DROP TYPE clinic.span; DROP FUNCTION clinic.tell`,
		Statement: `CREATE TEMPORARY TABLE t AS SELECT clinic.span(1, 5) AS s; ANALYZE t`, Leak: "P0001",
		What: ServerCalls, Detail: "type clinic.span is SECURITY DEFINER clinic.tell(integer,integer) of postgres"},
	{Name: "canonical form of a range type",
		Make:      `CREATE TYPE clinic.span; CREATE FUNCTION clinic.f(clinic.span) RETURNS clinic.span LANGUAGE internal IMMUTABLE STRICT SECURITY DEFINER AS 'int4range_canonical'; CREATE TYPE clinic.span AS RANGE (SUBTYPE = integer, CANONICAL = clinic.f); ` + withdrawn,
		Undo:      `DROP TYPE clinic.span CASCADE`,
		Statement: `SELECT clinic.span(1, 5, '[]')`, Leak: "[1,6)",
		What: ServerCalls, Detail: "type clinic.span is SECURITY DEFINER clinic.f(clinic.span) of postgres"},
	{Name: "input function of a type",
		Make: `CREATE TYPE clinic.odd; CREATE FUNCTION clinic.f(cstring) RETURNS clinic.odd LANGUAGE internal IMMUTABLE STRICT SECURITY DEFINER AS 'textin'; CREATE FUNCTION clinic.g(clinic.odd) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout';
			CREATE TYPE clinic.odd (INPUT = clinic.f, OUTPUT = clinic.g, LIKE = text); ` + withdrawn,
		Undo:      `DROP TYPE clinic.odd CASCADE`,
		Statement: `SELECT 'x'::clinic.odd`, Leak: "x",
		What: ServerCalls, Detail: "type clinic.odd is SECURITY DEFINER clinic.f(cstring) of postgres"},
	{Name: "modifiers of a type",
		Make: `CREATE FUNCTION clinic.f(cstring[]) RETURNS integer LANGUAGE internal IMMUTABLE STRICT SECURITY DEFINER AS 'varchartypmodin'; CREATE TYPE clinic.odd; CREATE FUNCTION clinic.i(cstring) RETURNS clinic.odd LANGUAGE internal IMMUTABLE STRICT AS 'textin';
			CREATE FUNCTION clinic.o(clinic.odd) RETURNS cstring LANGUAGE internal IMMUTABLE STRICT AS 'textout'; CREATE TYPE clinic.odd (INPUT = clinic.i, OUTPUT = clinic.o, LIKE = text, TYPMOD_IN = clinic.f); ` + withdrawn,
		Undo:      `DROP TYPE clinic.odd CASCADE; DROP FUNCTION clinic.f`,
		Statement: `SELECT 'x'::clinic.odd(3)`, Leak: "x",
		What: ServerCalls, Detail: "type clinic.odd is SECURITY DEFINER clinic.f(cstring[]) of postgres"},
	{Name: "estimator of an operator",
		Make:      `CREATE FUNCTION clinic.f(internal, oid, internal, integer) RETURNS double precision LANGUAGE internal STABLE STRICT SECURITY DEFINER AS 'eqsel'; CREATE OPERATOR clinic.### (LEFTARG = integer, RIGHTARG = integer, FUNCTION = int4eq, RESTRICT = clinic.f); ` + withdrawn,
		Undo:      `DROP OPERATOR clinic.### (integer, integer); DROP FUNCTION clinic.f`,
		Statement: `SELECT count(*) FROM generate_series(1, 9) AS x WHERE x OPERATOR(clinic.###) 5`, Leak: "1",
		What: ServerCalls, Detail: "operator clinic.###(integer,integer) is SECURITY DEFINER clinic.f(internal,oid,internal,integer) of postgres"},
	{Name: "planner support of a function",
		Make:      `CREATE FUNCTION clinic.f(internal) RETURNS internal LANGUAGE internal STRICT SECURITY DEFINER AS 'generate_series_int4_support'; CREATE FUNCTION clinic.three() RETURNS SETOF integer LANGUAGE sql STABLE SUPPORT clinic.f AS 'SELECT * FROM generate_series(1, 3)'; ` + withdrawn,
		Undo:      `DROP FUNCTION clinic.three; DROP FUNCTION clinic.f`,
		Statement: `SELECT max(x) FROM clinic.three() AS x`, Leak: "3",
		What: ServerCalls, Detail: "function clinic.three() is SECURITY DEFINER clinic.f(internal) of postgres"},
	{Name: "implicit cast",
		Make: `CREATE TYPE clinic.pair AS (a integer); ` + teller("tell(clinic.pair) RETURNS integer") + `CREATE CAST (clinic.pair AS integer) WITH FUNCTION clinic.tell(clinic.pair) AS IMPLICIT`,
		Undo: `DROP CAST (clinic.pair AS integer); DROP FUNCTION clinic.tell; DROP TYPE clinic.pair`,
		What: ServerCalls, Detail: "cast from clinic.pair to integer is SECURITY DEFINER clinic.tell(clinic.pair) of postgres"},
	{Name: "conversion of encodings",
		Make: `CREATE FUNCTION clinic.f(integer, integer, cstring, internal, integer, boolean) RETURNS integer LANGUAGE c STRICT SECURITY DEFINER AS '$libdir/latin2_and_win1250', 'latin2_to_win1250'; CREATE CONVERSION clinic.c FOR 'LATIN2' TO 'WIN1250' FROM clinic.f; ` + withdrawn,
		Undo: `DROP CONVERSION clinic.c; DROP FUNCTION clinic.f`,
		What: ServerCalls, Detail: "conversion clinic.c is SECURITY DEFINER clinic.f(integer,integer,cstring,internal,integer,boolean) of postgres"},
	{Name: "template of a text search",
		Make: `CREATE FUNCTION clinic.f(internal, internal, internal, internal) RETURNS internal LANGUAGE internal STRICT SECURITY DEFINER AS 'dsimple_lexize'; CREATE TEXT SEARCH TEMPLATE clinic.t (INIT = dsimple_init, LEXIZE = clinic.f);
			CREATE TEXT SEARCH DICTIONARY clinic.d (TEMPLATE = clinic.t); ` + withdrawn,
		Undo:      `DROP TEXT SEARCH DICTIONARY clinic.d; DROP TEXT SEARCH TEMPLATE clinic.t; DROP FUNCTION clinic.f`,
		Statement: `SELECT ts_lexize('clinic.d', 'Word')`, Leak: "{word}",
		What: ServerCalls, Detail: "text search template clinic.t is SECURITY DEFINER clinic.f(internal,internal,internal,internal) of postgres"},
	{Name: "handler of a language",
		Make:      `CREATE FUNCTION clinic.f() RETURNS language_handler LANGUAGE c SECURITY DEFINER AS '$libdir/plpgsql', 'plpgsql_call_handler'; CREATE TRUSTED LANGUAGE plagain HANDLER clinic.f; ` + withdrawn,
		Undo:      `DROP LANGUAGE plagain; DROP FUNCTION clinic.f`,
		Statement: `CREATE FUNCTION sep_bob.f() RETURNS integer LANGUAGE plagain AS 'BEGIN RETURN 1; END'; SELECT sep_bob.f()`, Leak: "1",
		What: ServerCalls, Detail: "language plagain is SECURITY DEFINER clinic.f() of postgres"},
}

// teller is a function that nobody may call and that tells, by its error, what its owner reads.
func teller(signature string) string {
	return `CREATE FUNCTION clinic.` + signature + ` LANGUAGE plpgsql IMMUTABLE SECURITY DEFINER AS 'BEGIN RAISE EXCEPTION ''%'', (SELECT count(*) FROM clinic.patients); END'; REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA clinic FROM PUBLIC; `
}

// withdrawn takes clinic.f from everybody.
const withdrawn = `DO $$ BEGIN EXECUTE (SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'clinic'::regnamespace AND proname = 'f'); END $$`
