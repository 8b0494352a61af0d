package proof

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
)

// A hole is what somebody else than an analyst makes while the proxy serves.
type hole struct {
	name, make, undo string
	refused          []string // what ana could read or learn rows by
	goesOn           []string // what has nothing to do with it
}

var holes = []hole{
	{name: "view", make: `CREATE VIEW everybody AS SELECT region, name FROM people; GRANT SELECT ON everybody TO ana`, undo: `DROP VIEW everybody`,
		refused: []string{
			`SELECT * FROM everybody`, `TABLE public.everybody`, `SELECT (SELECT count(*) FROM everybody)`, `WITH x AS (SELECT * FROM everybody) SELECT * FROM x`,
			`COPY (SELECT * FROM everybody) TO STDOUT`, `COPY everybody TO STDOUT`, `EXPLAIN SELECT * FROM everybody`, `EXPLAIN ANALYZE TABLE everybody`,
			`CREATE TEMP TABLE t AS SELECT * FROM everybody`, `SELECT * INTO TEMP t FROM everybody`, `INSERT INTO notes SELECT region, name FROM everybody`,
			`DELETE FROM notes USING everybody AS e WHERE e.region = notes.region`, `PREPARE p AS SELECT * FROM everybody`, `BEGIN; DECLARE c CURSOR FOR TABLE everybody`,
			`CREATE TEMP VIEW mine_too AS SELECT * FROM everybody`, `LOCK everybody`, `SELECT 1; SELECT * FROM everybody`,
		},
		goesOn: []string{`SELECT * FROM notes`, `INSERT INTO notes (region) VALUES ('north')`, `CREATE TEMP TABLE t AS SELECT * FROM notes`, `SELECT 1`,
			`SELECT relname FROM pg_class LIMIT 1`, `BEGIN; SELECT region FROM notes; COMMIT`, `COPY notes TO STDOUT`}},
	{name: "materialized view", make: `CREATE MATERIALIZED VIEW everybody AS SELECT region, name FROM people; GRANT SELECT ON everybody TO ana`,
		undo: `DROP MATERIALIZED VIEW everybody`, refused: []string{`SELECT * FROM everybody`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "view in another schema with a known name", make: `CREATE SCHEMA other; GRANT USAGE ON SCHEMA other TO ana; CREATE VIEW other.mine AS SELECT name FROM people; GRANT SELECT ON other.mine TO ana`,
		undo: `DROP SCHEMA other CASCADE`, refused: []string{`SELECT * FROM other.mine`, `SET search_path = other, public; SELECT * FROM mine`}, goesOn: []string{`SELECT * FROM notes`, `SELECT * FROM public.mine`}},
	{name: "view that is replaced", make: `CREATE OR REPLACE VIEW talk AS SELECT name AS said FROM people`,
		undo: `CREATE OR REPLACE VIEW talk AS SELECT note AS said FROM notes`, refused: []string{`SELECT * FROM talk`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "privilege on a view that is there", make: `GRANT SELECT ON adults TO ana`, undo: `REVOKE SELECT ON adults FROM ana`,
		refused: []string{`SELECT * FROM adults`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "view over another", make: `CREATE VIEW inner_view AS SELECT name FROM people; CREATE VIEW everybody AS SELECT * FROM inner_view; GRANT SELECT ON everybody TO ana`,
		undo: `DROP VIEW everybody, inner_view`, refused: []string{`SELECT * FROM everybody`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "SECURITY DEFINER function", undo: `DROP FUNCTION peek CASCADE`,
		make:    `CREATE FUNCTION peek(OUT name text) RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS 'SELECT name FROM public.people'`,
		refused: []string{`SELECT peek()`, `SELECT * FROM peek()`, `SELECT 1 FROM notes WHERE note = ANY (ARRAY(SELECT public.peek()))`, `COPY (SELECT peek()) TO STDOUT`},
		goesOn:  []string{`SELECT * FROM notes`, `SELECT lower(note) FROM notes`}},
	{name: "operator and aggregate over it", undo: `DROP FUNCTION spy CASCADE`,
		make: `CREATE FUNCTION spy(text, text) RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT max(name) FROM public.people';
			CREATE OPERATOR @@@ (LEFTARG = text, RIGHTARG = text, FUNCTION = spy); CREATE AGGREGATE spies(text) (SFUNC = spy, STYPE = text)`,
		refused: []string{`SELECT 'a'::text @@@ 'b'`, `SELECT spies(note) FROM notes`, `SELECT spy('a', 'b')`}, goesOn: []string{`SELECT 1 + 1`, `SELECT max(note) FROM notes`}},
	{name: "view of the analyst's own over a function", make: `CREATE FUNCTION peek() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT max(name) FROM public.people';
			CREATE VIEW hers AS SELECT peek() AS seen; ALTER VIEW hers OWNER TO ana`,
		undo: `DROP FUNCTION peek CASCADE`, refused: []string{`SELECT * FROM hers`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "inheritance parent", make: `CREATE TABLE everybody (id int NOT NULL, region text NOT NULL); ALTER TABLE people INHERIT everybody; GRANT SELECT ON everybody TO ana`,
		undo: `ALTER TABLE people NO INHERIT everybody; DROP TABLE everybody`, refused: []string{`SELECT * FROM everybody`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "inheritance child", make: `CREATE TABLE newcomers () INHERITS (people); GRANT SELECT ON newcomers TO ana`,
		undo: `DROP TABLE newcomers`, refused: []string{`SELECT * FROM newcomers`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "rule", make: `CREATE RULE copied AS ON INSERT TO people DO ALSO INSERT INTO notes (region, note) VALUES (NEW.region, NEW.name)`,
		undo: `DROP RULE copied ON people`, refused: []string{`SELECT * FROM notes`, `TABLE notes`}, goesOn: []string{`SELECT * FROM targets`}},
	{name: "foreign table", undo: `DROP EXTENSION postgres_fdw CASCADE`,
		make:    `CREATE EXTENSION postgres_fdw; CREATE SERVER loop FOREIGN DATA WRAPPER postgres_fdw; CREATE FOREIGN TABLE far (name text) SERVER loop; GRANT SELECT ON far TO ana`,
		refused: []string{`SELECT * FROM far`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "foreign key", make: `ALTER TABLE people ADD UNIQUE (id); ALTER TABLE notes ADD CONSTRAINT who FOREIGN KEY (n) REFERENCES people (id) NOT VALID`,
		undo:    `ALTER TABLE notes DROP CONSTRAINT who; ALTER TABLE people DROP CONSTRAINT people_id_key`,
		refused: []string{`INSERT INTO notes (n) VALUES (7)`, `UPDATE notes SET n = 8`, `COPY notes FROM STDIN`, `WITH x AS (INSERT INTO notes (n) VALUES (7) RETURNING n) TABLE x`},
		goesOn:  []string{`SELECT * FROM notes`, `INSERT INTO targets (region) VALUES ('north')`}},
	{name: "trigger", undo: `DROP FUNCTION tell CASCADE`,
		make: `CREATE FUNCTION tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS 'BEGIN NEW.note := (SELECT max(name) FROM public.people); RETURN NEW; END';
			CREATE TRIGGER tells BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION tell()`,
		refused: []string{`INSERT INTO notes (region) VALUES ('x') RETURNING note`, `TRUNCATE notes`}, goesOn: []string{`SELECT * FROM targets`}},
	{name: "membership", make: `CREATE ROLE readers; GRANT SELECT ON adults TO readers; GRANT readers TO ana`, undo: `DROP OWNED BY readers; DROP ROLE readers`,
		refused: []string{`SELECT * FROM adults`}, goesOn: []string{`SELECT * FROM notes`}},
	{name: "predefined role", make: `GRANT pg_read_all_data TO ana`, undo: `REVOKE pg_read_all_data FROM ana`,
		refused: []string{`SELECT * FROM adults`, `SELECT * FROM notes`, `SELECT * FROM pg_statistic`}, goesOn: []string{`SELECT relname FROM pg_class LIMIT 1`, `SELECT 1`}},
}

// TestHolesAreRefusedWhileServing makes holes in a server behind a proxy that serves, each in a transaction that ends before the statement. The
// statement is refused in sessions that are older than the hole and in new ones, what has nothing to do with it goes on, and everything is
// allowed again with the first statement after the hole was closed. Each statement meets a hole of its own, with -short every third the same one, of every sixth kind.
func TestHolesAreRefusedWhileServing(t *testing.T) {
	s := newSite(t, "schema.sql", "rows.sql")
	s.holed.Store(true)
	must(t, execute(s.database, `CREATE VIEW talk AS SELECT note AS said FROM notes; GRANT SELECT ON talk TO ana`))
	address := s.serve(s.gateway)
	for i, h := range holes {
		if testing.Short() && i%6 != 0 {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			if testing.Short() {
				var some []string
				for j := 0; j < len(h.refused); j += 3 {
					some = append(some, h.refused[j])
				}
				s.meet(t, h, address, some)
				return
			}
			for _, sql := range h.refused {
				s.meet(t, h, address, []string{sql})
			}
		})
	}
}

// meet has statements meet a hole that is made for them.
func (s *site) meet(t *testing.T, h hole, address *net.TCPAddr, refused []string) {
	t.Helper()
	var old []*pgconn.PgConn
	for range refused {
		c := session(t, s.url(address))
		must(t, run(c, "SELECT 1"))
		old = append(old, c)
	}
	must(t, execute(s.database, "BEGIN; "+h.make+"; COMMIT"))
	for i, sql := range refused {
		wantRefused(t, "old session", sql, run(old[i], sql))
		old[i].Close(context.Background())
		wantRefused(t, "new session", sql, runAlone(t, s.url(address), sql))
	}
	for _, sql := range h.goesOn {
		if err := runAlone(t, s.url(address), sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	must(t, execute(s.database, h.undo))
	if err := runAlone(t, s.url(address), "SELECT * FROM notes; SELECT count(*) FROM people WHERE age > 30"); err != nil {
		t.Errorf("after the hole was closed: %v", err)
	}
}

// TestWhatWasPreparedBeforeAHoleIsRefused replaces a view that prepared statements and cursors of a session read. While a transaction has
// it locked, another hole is made.
func TestWhatWasPreparedBeforeAHoleIsRefused(t *testing.T) {
	s := newSite(t, "schema.sql", "rows.sql")
	s.holed.Store(true)
	must(t, execute(s.database, `CREATE VIEW talk AS SELECT note AS said FROM notes; GRANT SELECT ON talk TO ana`))
	address := s.serve(s.gateway)
	const (
		replace, restore = `CREATE OR REPLACE VIEW talk AS SELECT name AS said FROM people`, `CREATE OR REPLACE VIEW talk AS SELECT note AS said FROM notes`
		grant, revoke    = `GRANT SELECT ON adults TO ana`, `REVOKE SELECT ON adults FROM ana`
	)
	ctx := context.Background()
	for i, test := range []struct {
		name   string
		before string
		use    func(c *pgconn.PgConn) error
	}{
		{"EXECUTE", `PREPARE p AS SELECT * FROM talk`, func(c *pgconn.PgConn) error { return run(c, "EXECUTE p") }},
		{"EXECUTE in CREATE TABLE AS", `PREPARE p AS SELECT * FROM talk`, func(c *pgconn.PgConn) error { return run(c, "CREATE TEMP TABLE t AS EXECUTE p") }},
		{"FETCH in a transaction", `BEGIN; DECLARE c CURSOR FOR SELECT * FROM talk`, func(c *pgconn.PgConn) error { return run(c, "FETCH 1 FROM c") }},
		{"COMMIT, then FETCH", `BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT * FROM talk`, func(c *pgconn.PgConn) error { return run(c, "COMMIT; FETCH 1 FROM c") }},
		{"FETCH after it", `DECLARE c CURSOR WITH HOLD FOR SELECT * FROM talk`, func(c *pgconn.PgConn) error { return run(c, "FETCH 1 FROM c") }},
		{"Bind", "", func(c *pgconn.PgConn) error { return c.ExecPrepared(ctx, "s", nil, nil, nil).Read().Err }},
		{"Bind in a transaction", "BEGIN", func(c *pgconn.PgConn) error { return c.ExecPrepared(ctx, "s", nil, nil, nil).Read().Err }},
		{"view of the session's own", "CREATE TEMP VIEW hers AS SELECT * FROM talk", func(c *pgconn.PgConn) error { return run(c, "SELECT * FROM hers") }},
		{"the same by its schema", "CREATE TEMP VIEW hers AS SELECT * FROM talk", func(c *pgconn.PgConn) error { return run(c, "SELECT * FROM pg_temp.hers") }},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			c := session(t, s.url(address))
			if _, err := c.Prepare(ctx, "s", "SELECT * FROM talk", nil); err != nil {
				t.Fatal(err)
			}
			must(t, run(c, test.before))
			leak, mend := replace, restore
			if strings.HasPrefix(test.before, "BEGIN;") {
				leak, mend = grant, revoke
			}
			must(t, execute(s.database, leak))
			wantRefused(t, "session", test.name, test.use(c))
			must(t, run(c, "ROLLBACK"))
			if err := run(c, "SELECT * FROM notes"); err != nil {
				t.Errorf("the session does not go on: %v", err)
			}
			if err := c.ExecPrepared(ctx, "s", nil, nil, nil).Read().Err; err == nil {
				t.Error("what was prepared before the hole is executed")
			}
			must(t, execute(s.database, mend))
			if err := run(c, "SELECT * FROM talk"); err != nil {
				t.Errorf("after the hole was closed: %v", err)
			}
		})
	}
}

// TestCloseWhenNotSeparate refuses everything but catalogs.
func TestCloseWhenNotSeparate(t *testing.T) {
	s := newSite(t, "schema.sql", "rows.sql")
	s.holed.Store(true)
	closing := *s.policy
	closing.WhenNotSeparate, closing.Version = policy.Close, "closing"
	must(t, s.gateway.Reload(context.Background(), &closing))
	c := session(t, s.url(s.serve(s.gateway)))
	must(t, run(c, "CREATE TEMP TABLE own AS SELECT 1 AS n"))
	must(t, execute(s.database, `GRANT SELECT ON adults TO ana`))
	for _, sql := range []string{"SELECT * FROM notes", "SELECT * FROM own", "INSERT INTO own VALUES (2)", "SELECT * FROM adults", "SELECT pg_catalog.pg_read_file('x')"} {
		wantRefused(t, "session", sql, run(c, sql))
	}
	for _, sql := range []string{"SELECT relname FROM pg_class LIMIT 1", "SELECT * FROM information_schema.tables LIMIT 1", "SELECT 1", "BEGIN; COMMIT", "SET work_mem = '1MB'"} {
		if err := run(c, sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
}

func session(t testing.TB, url string) *pgconn.PgConn {
	t.Helper()
	c, err := pgconn.Connect(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(context.Background()) })
	return c
}

func run(c *pgconn.PgConn, sql string) error {
	_, err := c.Exec(context.Background(), sql).ReadAll()
	return err
}

// runAlone is run in a session of its own.
func runAlone(t testing.TB, url, sql string) error {
	t.Helper()
	c := session(t, url)
	defer c.Close(context.Background())
	return run(c, sql)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantRefused wants the proxy's own refusal, not the server's.
func wantRefused(t *testing.T, where, sql string, err error) {
	t.Helper()
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != "42501" || !strings.Contains(refused.Hint, "tacit check") {
		t.Errorf("%s: %s: %+v", where, sql, err)
	}
}
