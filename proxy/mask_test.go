package proxy

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/rewrite"
)

// values sends a statement in the simple protocol, then in the extended with a described statement, and returns the rows as text.
func values(t *testing.T, conn *pgx.Conn, sql string, args ...string) (rows []string) {
	t.Helper()
	ctx := context.Background()
	read := func(result [][][]byte) (rows []string) {
		for _, row := range result {
			line := ""
			for _, v := range row {
				if v == nil {
					line += "NULL "
				} else {
					line += string(v) + " "
				}
			}
			rows = append(rows, line)
		}
		return rows
	}
	d, err := conn.Prepare(ctx, "s", sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if len(d.ParamOIDs) != len(args) {
		t.Errorf("%s: described with parameters %v", sql, d.ParamOIDs)
	}
	var params [][]byte
	for _, a := range args {
		params = append(params, []byte(a))
	}
	result := conn.PgConn().ExecPrepared(ctx, "s", params, nil, nil).Read()
	if result.Err != nil {
		t.Fatalf("%s: %v", sql, result.Err)
	}
	rows = read(result.Rows)
	if err := conn.Deallocate(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	if len(args) > 0 {
		return rows
	}
	results, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if diff := cmp.Diff(rows, read(results[len(results)-1].Rows)); diff != "" {
		t.Errorf("%s (-extended +simple):\n%s", sql, diff)
	}
	return rows
}

// TestMasks asks for what is withheld. In this database nothing is, so that a statement that slips through shows a value.
func TestMasks(t *testing.T) {
	r := newRig(t, nil)
	conn, err := pgx.Connect(context.Background(), r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, c := range []struct {
		sql  string
		args []string
		want string
	}{
		{"SELECT relname, reltuples FROM pg_class WHERE relname = 'pg_type'", nil, "pg_type -1 "},
		{"SELECT relname, reltuples FROM pg_class WHERE relname = $1", []string{"pg_type"}, "pg_type -1 "},
		{"SELECT pg_relation_size($1), $2::text", []string{"pg_type", "x"}, "NULL x "},
		{"SELECT pg_relation_size('pg_type'), 'patients'", nil, "NULL patients "},
		{"SELECT reltuples > 0 FROM pg_catalog.pg_class AS c WHERE oid = 'pg_type'::regclass AND 'patients' <> ''", nil, "f "},
	} {
		if diff := cmp.Diff([]string{c.want}, values(t, conn, c.sql, c.args...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.sql, diff)
		}
	}
	// A temporary table hides the catalog's, from then on.
	if _, err := conn.Exec(context.Background(), "CREATE TEMP TABLE pg_class AS SELECT 'mine'::text AS relname, 7 AS reltuples"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mine 7 "}, values(t, conn, "SELECT relname, reltuples FROM pg_class WHERE relname <> 'pg_type'")); diff != "" {
		t.Error(diff)
	}
	if r.releaser.answered() != 0 {
		t.Error("the releaser was asked")
	}
}

// TestMaskedMessages replays what is particular on the wire: several statements, statements that are forgotten, and errors.
func TestMaskedMessages(t *testing.T) {
	p, r := newPeer(t)
	p.expect(1, messages{simpleQuery("PREPARE q AS " + byRegion)}, one("PREPARE"), idle)
	if !r.remembers(t, "q") {
		t.Fatal("the prepared statement is not remembered")
	}
	p.expect(1, messages{simpleQuery("DEALLOCATE q; SELECT pg_relation_size('pg_type') IS NULL; SELECT 2")},
		one("DEALLOCATE"), `D "\x00\x01\x00\x00\x00\x01t"`, one("SELECT 1"), `D "\x00\x01\x00\x00\x00\x012"`, one("SELECT 1"), idle)
	if r.remembers(t, "q") {
		t.Error("DEALLOCATE beside a masked statement went unseen")
	}
	// A masked statement takes the name of an answered one.
	p.expect(1, messages{parse("s", byRegion), closing('S', "s"), parse("s", "SELECT pg_relation_size('pg_type') IS NULL"), bind("", "s"), executeUpTo("", 0), &pgproto3.Sync{}},
		`1 ""`, `3 ""`, `1 ""`, `2 ""`, `D "\x00\x01\x00\x00\x00\x01t"`, one("SELECT 1"), idle)
	if r.remembers(t, "s") {
		t.Error("a masked statement is remembered as an answered one")
	}
	// The position in an error would point into a text that the client does not know.
	p.expect(1, messages{simpleQuery("SELECT pg_relation_size('pg_type'), nosuch")}, "E V=ERROR C=42703 M=column \"nosuch\" does not exist ", idle)
}

// TestReports reads the fake releaser's reports in both protocols, alone and beside tables and counts.
func TestReports(t *testing.T) {
	r := newRig(t, nil)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "CREATE TEMP TABLE mine AS SELECT 2 AS n, 'two' AS word"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sql  string
		args []string
		want []string
	}{
		{"SELECT table_name, epsilon_left FROM tacit.budget", nil, []string{`ana's \ budget 1 `, `ana's \ budget 2 `}},
		{"SELECT max(epsilon) FROM tacit.history WHERE epsilon < $1", []string{"2"}, []string{"1 "}},
		{"SELECT word, tacit.releases.released_at AT TIME ZONE 'UTC' FROM tacit.releases JOIN mine ON cells = n", nil, []string{"two 2026-01-02 03:04:05 "}},
		{"SELECT count(*), (SELECT count(*) FROM tacit.tables WHERE nullable) FROM patients", nil, []string{"10 1 "}},
		{"SELECT h.statement FROM tacit.budget AS b JOIN tacit.history AS h USING (epsilon) WHERE h.epsilon = 1", nil, []string{`ana's \ history `}},
	} {
		if diff := cmp.Diff(c.want, values(t, conn, c.sql, c.args...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.sql, diff)
		}
	}
	d, err := conn.Prepare(ctx, "described", "SELECT * FROM tacit.releases")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	var types []uint32
	for _, f := range d.Fields {
		names, types = append(names, f.Name), append(types, f.DataTypeOID)
	}
	var want []string
	for _, c := range rewrite.ReleasesReport.Columns {
		want = append(want, c.Name)
	}
	if !slices.Equal(names, want) || !slices.Equal(types, []uint32{20, 25, 25, 25, 25, 1700, 1700, 1184, 20, 20}) {
		t.Errorf("described as %v %v", names, types)
	}
	if _, err := conn.Exec(ctx, "PREPARE p(int) AS SELECT table_name FROM tacit.budget WHERE epsilon = $1"); err != nil {
		t.Fatal(err)
	}
	results, err := conn.PgConn().Exec(ctx, "EXECUTE p(2)").ReadAll()
	if err != nil || len(results[0].Rows) != 1 {
		t.Errorf("EXECUTE: %v, %v", results, err)
	}
}

// TestReportsInScripts reads reports in a text of several statements, COPY and a cursor, and has one explained.
func TestReportsInScripts(t *testing.T) {
	p, _ := newPeer(t)
	two := `D "\x00\x01\x00\x00\x00\x012"`
	p.expect(1, messages{simpleQuery("SELECT count(*) FROM tacit.budget; SELECT pg_relation_size('pg_type') IS NULL; SELECT count(*) FROM patients; SELECT count(*) FROM tacit.tables")},
		notice, two, one("SELECT 1"), `D "\x00\x01\x00\x00\x00\x01t"`, one("SELECT 1"), `D "\x00\x01\x00\x00\x00\x0210"`, one("SELECT 1"), two, one("SELECT 1"), idle)
	p.expect(3, messages{simpleQuery("BEGIN; DECLARE c CURSOR FOR SELECT count(*) FROM tacit.history"), simpleQuery("FETCH c"), simpleQuery("ROLLBACK")},
		one("BEGIN"), one("DECLARE CURSOR"), inBlock, two, one("FETCH 1"), inBlock, one("ROLLBACK"), idle)
	p.expect(1, messages{simpleQuery("CREATE TEMP TABLE none AS SELECT * FROM tacit.history WITH NO DATA")}, one("CREATE TABLE AS"), idle)
	p.expect(1, messages{simpleQuery("EXPLAIN SELECT * FROM tacit.history")}, `D "\x00\x01\x00\x00\x00\x1fNothing was counted or charged."`, one("EXPLAIN"), idle)
	got := p.talk(1, simpleQuery("COPY (SELECT count(*) FROM tacit.history) TO STDOUT"))
	if !slices.Contains(got, `d "2\n"`) {
		t.Errorf("COPY: %q", got)
	}
}
