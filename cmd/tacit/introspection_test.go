package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A toolQuery is what a tool sends of its own accord. In the files of testdata/introspection, one stands between blank lines;
// comments above it say how it is compared with what a superuser sees who asks the server itself.
type toolQuery struct {
	sql    string
	masked []string // output columns that are withheld
	differ bool     // the rows are not compared: they are those of sessions, or are withheld altogether
	shows  string   // the rows that the analyst is shown instead
	refuse bool     // rows of a protected table are asked for: refused
	simple bool     // of several statements: it fits into the simple protocol only
}

func toolQueries(t *testing.T, path string) []toolQuery {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var queries []toolQuery
	for _, block := range regexp.MustCompile(`\n\n+`).Split(strings.TrimSpace(string(data)), -1) {
		var q toolQuery
		for strings.HasPrefix(block, "--") {
			line, rest, _ := strings.Cut(block, "\n")
			block = rest
			switch {
			case strings.HasPrefix(line, "-- masked: "):
				q.masked = strings.Split(strings.TrimPrefix(line, "-- masked: "), ", ")
			case line == "-- rows differ":
				q.differ = true
			case strings.HasPrefix(line, "-- shows: "):
				q.shows = strings.TrimPrefix(line, "-- shows: ")
			case line == "-- refused":
				q.refuse = true
			case line == "-- simple":
				q.simple = true
			}
		}
		if q.sql = block; q.sql != "" {
			queries = append(queries, q)
		}
	}
	return queries
}

// shape tells the columns of a result, and its rows, sorted, with withheld columns left out. Of the analyst's result, those must hold nothing.
func (q *toolQuery) shape(results []*pgconn.Result, analyst bool) (columns []string, rows []string, err error) {
	for _, result := range results {
		if result.Err != nil {
			return nil, nil, result.Err
		}
		for _, f := range result.FieldDescriptions {
			columns = append(columns, fmt.Sprintf("%s %d %d", f.Name, f.DataTypeOID, f.TypeModifier))
		}
		for _, values := range result.Rows {
			var shown []string
			for i, v := range values {
				switch withheld := slices.Contains(q.masked, result.FieldDescriptions[i].Name); {
				case withheld && analyst && v != nil && string(v) != "0" && string(v) != "-1":
					return nil, nil, fmt.Errorf("%s is shown: %q", result.FieldDescriptions[i].Name, v)
				case withheld:
				case v == nil:
					shown = append(shown, "NULL")
				default:
					shown = append(shown, fmt.Sprintf("%q", withoutGrant(string(v))))
				}
			}
			rows = append(rows, strings.Join(shown, ", "))
		}
	}
	slices.Sort(rows)
	return columns, rows, nil
}

func (q *toolQuery) send(conn *pgx.Conn, simple bool) (results []*pgconn.Result, err error) {
	read := func(r *pgconn.ResultReader) {
		columns := slices.Clone(r.FieldDescriptions()) // Read leaves them out if there are no rows
		result := r.Read()
		result.FieldDescriptions = columns
		results = append(results, result)
	}
	ctx := context.Background()
	if !simple {
		read(conn.PgConn().ExecParams(ctx, q.sql, nil, nil, nil, nil))
		return results, results[0].Err
	}
	all := conn.PgConn().Exec(ctx, q.sql)
	for all.NextResult() {
		read(all.ResultReader())
	}
	return results, all.Close()
}

// catalogExtras are what introspection may come across: other kinds of relations, a comment, a foreign key, vacuumed tables.
const catalogExtras = `
CREATE TABLE public.visits (id int PRIMARY KEY, region text REFERENCES public.regions, "at" date DEFAULT current_date) PARTITION BY RANGE (id);
CREATE TABLE public.visits_1 PARTITION OF public.visits FOR VALUES FROM (0) TO (100);
CREATE INDEX notes_region ON public.notes (region, lower(note));
CREATE VIEW public.warm AS SELECT region FROM public.notes WHERE note = 'warm';
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE SEQUENCE public.numbers;
COMMENT ON TABLE public.people IS 'persons';
COMMENT ON COLUMN public.people.sex IS 'F or M';`

// TestToolQueries sends what tools send through the proxy to a hardened database, in both protocols. Nothing may fail, and all must be
// as a superuser sees it, except for what is withheld: columns, rows of protected tables, and the columns that the policy does not list.
// Nothing is charged. With -short one in three is sent.
func TestToolQueries(t *testing.T) {
	s := newSite(t, siteOptions{extra: catalogExtras})
	s.serve()
	s.exec("VACUUM ANALYZE")
	s.exec("GRANT SELECT ON public.visits, public.warm TO ana")
	direct, err := pgx.Connect(context.Background(), cluster.URL("postgres", s.database))
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close(context.Background())
	files, err := filepath.Glob("testdata/introspection/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no queries: %v", err)
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			conn := s.connect("ana")
			for i, q := range toolQueries(t, path) {
				if testing.Short() && i%3 != 0 {
					continue
				}
				results, err := q.send(direct, q.simple)
				if err != nil {
					t.Fatalf("%s\nfails without the proxy: %v", q.sql, err)
				}
				columns, rows, err := q.shape(results, false)
				if err != nil {
					t.Fatal(err)
				}
				for _, simple := range []bool{true, false} {
					if !simple && q.simple {
						continue
					}
					results, err := q.send(conn, simple)
					var refusal *pgconn.PgError
					if q.refuse && errors.As(err, &refusal) && refusal.Code == "42501" {
						continue
					}
					if err != nil || q.refuse {
						t.Errorf("%s\n%v", q.sql, err)
						continue
					}
					gotColumns, gotRows, err := q.shape(results, true)
					if err != nil {
						t.Errorf("%s\n%v", q.sql, err)
						continue
					}
					if diff := cmp.Diff(columns, gotColumns); diff != "" {
						t.Errorf("%s\ncolumns (-server +proxy):\n%s", q.sql, diff)
					}
					want := rows
					if q.shows != "" {
						want = strings.Split(q.shows, "; ")
					}
					if diff := cmp.Diff(want, gotRows); diff != "" && !q.differ {
						t.Errorf("%s\nrows (-server +proxy):\n%s", q.sql, diff)
					}
				}
			}
			var spent float64
			if err := conn.QueryRow(context.Background(), "SELECT sum(epsilon_spent) FROM tacit.budget").Scan(&spent); err != nil || spent != 0 {
				t.Errorf("epsilon %v was spent: %v", spent, err)
			}
		})
	}
}

// TestEverySystemView reads all system views that all roles may read, whatever this version of the server has, and every withheld
// function that tells of one object.
func TestEverySystemView(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	ctx := context.Background()
	direct, err := pgx.Connect(ctx, cluster.URL("postgres", s.database))
	if err != nil {
		t.Fatal(err)
	}
	defer direct.Close(ctx)
	list := func(sql string) []string {
		t.Helper()
		rows, err := direct.Query(ctx, sql)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	statements := list(`SELECT 'SELECT * FROM ' || n.nspname || '.' || c.relname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind = 'v' AND has_table_privilege('public', c.oid, 'SELECT')`)
	views := len(statements)
	statements = append(statements, list(`SELECT format('SELECT %s(%s) FROM pg_class', proname, CASE proname WHEN 'pg_tablespace_size' THEN 1663 ELSE 1 END) FROM pg_proc
		WHERE pronamespace = 'pg_catalog'::regnamespace AND NOT has_function_privilege('public', oid, 'EXECUTE')
		AND proname ~ '^pg_stat_get_|_size$' AND NOT proretset AND pronargs = 1 AND prorettype <> 'record'::regtype`)...)
	if views < 100 || len(statements) < views+40 {
		t.Fatalf("%d views, %d statements", views, len(statements))
	}
	conn := s.connect("ana")
	for i, sql := range statements {
		if testing.Short() && i%20 != 0 {
			continue
		}
		q := toolQuery{sql: sql}
		results, err := q.send(direct, true)
		if err != nil {
			t.Errorf("%s: without the proxy: %v", sql, err)
			continue
		}
		want, _, _ := q.shape(results, false)
		if results, err = q.send(conn, true); err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		got, _, _ := q.shape(results, true)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: columns (-server +proxy):\n%s", sql, diff)
		}
	}
}

// psqlCommands are those of psql that look at the catalog. What lies behind a plus may be withheld.
var psqlCommands = strings.Split(`\d,\d+,\dt,\dt+,\di,\di+,\dv,\dv+,\dm+,\ds,\ds+,\dtvmsE+,\dn,\dn+,\dp,\z,\l,\l+,\df,\df+,\dT,\dT+,\dD,\dC,\dc,\dO,`+
	`\db,\db+,\dx,\dx+,\dy,\dP,\dP+,\dF,\des+,\det+,\dew+,\deu+,\dg,\du+,\drds,\dL,\da,\do,\dA,\dAc,\dRp,\dRs,\dX,\dl,`+
	`\d people,\d+ people,\d+ visits,\d+ visits_1,\d+ warm,\d numbers,\d+ people_pkey,\dt *.*,\dt+ public.*,\d+ pg_class,`+
	`\dv pg_catalog.*stat*,\sv warm,\dd public.*,\df+ pg_catalog.pg_relation_size,\sf pg_catalog.pg_relation_size(regclass)`, ",")

// withoutGrant leaves out the privilege that the analyst is shown on a protected table.
func withoutGrant(acl string) string {
	return regexp.MustCompile(`(,|\n)ana=r/postgres`).ReplaceAllString(acl, "")
}

// sizes are as pg_size_pretty prints them.
var sizes = regexp.MustCompile(`\b\d+ (bytes|kB|MB)\b`)

// TestPsqlCatalogCommands runs psql's commands through the proxy, and by a superuser without it: they must show the same but for sizes.
func TestPsqlCatalogCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	s := newSite(t, siteOptions{extra: catalogExtras})
	s.serve()
	s.exec("VACUUM ANALYZE")
	show := func(url string) map[string]string {
		t.Helper()
		var script strings.Builder
		script.WriteString("SET search_path = public;\n")
		for i, command := range psqlCommands {
			fmt.Fprintf(&script, "\\echo @%d\n%s\n", i, command)
		}
		out := s.mustPsql(url, script.String(), "-A")
		shown := make(map[string]string)
		for i, part := range strings.Split(out, "\n@")[1:] {
			_, text, _ := strings.Cut(part, "\n")
			shown[psqlCommands[i]] = text
		}
		return shown
	}
	want, got := show(cluster.URL("postgres", s.database)), show(s.url("ana"))
	if !strings.Contains(got[`\d+ people`], "region") || !strings.Contains(got[`\dt+`], "people") {
		t.Fatalf("psql shows little: %q", got)
	}
	commands := psqlCommands
	if cluster.Version(t) >= 170000 { // a psql before 17 asks for columns that have gone
		commands = slices.DeleteFunc(slices.Clone(commands), func(c string) bool { return strings.Contains(want[c], "iculocale does not exist") })
	}
	if slices.Contains(commands, `\l+`) && !sizes.MatchString(want[`\l+`]) || !sizes.MatchString(want[`\dt+`]) {
		t.Fatalf("psql shows no sizes: %q", want)
	}
	for _, command := range commands {
		if strings.Contains(got[command], "ERROR") {
			t.Errorf("%s: %s", command, got[command])
		}
		if diff := cmp.Diff(sizes.ReplaceAllString(withoutGrant(want[command]), ""), withoutGrant(got[command])); diff != "" {
			t.Errorf("%s (-server +proxy):\n%s", command, diff)
		}
	}
}

// TestMasksInPsql sends masked statements in the other ways that psql has: through a cursor, COPY, a description, and in a block.
func TestMasksInPsql(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	out := s.mustPsql(s.url("ana"), `
\set FETCH_COUNT 1
SELECT 'cursor', relname, reltuples FROM pg_class WHERE relname = 'people';
\unset FETCH_COUNT
COPY (SELECT 'copy', relname, reltuples FROM pg_class WHERE relname = 'people') TO STDOUT;
\copy (SELECT 'copied', pg_table_size('people'::regclass) IS NULL) TO STDOUT
SELECT pg_relation_size('people'), reltuples FROM pg_class \gdesc
BEGIN;
SELECT 'block', count(pg_relation_size(oid)) FROM pg_class;
SELECT nosuch, reltuples FROM pg_class;
SELECT * FROM pg_class;
ROLLBACK;
EXPLAIN (COSTS off) SELECT sum(seq_scan) FROM pg_stat_user_tables;
CREATE TEMP TABLE seen AS SELECT relname, n_live_tup FROM pg_stat_user_tables WHERE relname = 'people';
SELECT 'kept', * FROM seen WHERE n_live_tup IS NULL;
CREATE TEMP VIEW later AS SELECT reltuples FROM pg_class;
SELECT * FROM later;
`, "-At")
	shows(t, out,
		"cursor|people|-1\n", "copy\tpeople\t-1\n", "copied\tt\n", "pg_relation_size|bigint\nreltuples|real\n", "block|0\n",
		`column "nosuch" does not exist`, "current transaction is aborted", "Aggregate\n", "kept|people|\n", "permission denied",
	)
	if strings.Count(out, "permission denied") != 1 {
		t.Errorf("more than the view is denied:\n%s", out)
	}
}

// TestProtectedTablesAreShown asks as tools do which tables and columns may be selected. A protected table is shown with its listed
// columns, and with no privilege but to select. With -short one statement in three is asked.
func TestProtectedTablesAreShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.serve()
	s.exec("ALTER TABLE public.people ADD COLUMN secret text")
	for i, c := range []struct{ sql, want string }{
		{"SELECT table_schema, table_name, table_type FROM information_schema.tables WHERE table_name = 'people'", "public|people|BASE TABLE"},
		{"SELECT string_agg(column_name, ' ' ORDER BY ordinal_position) FROM INFORMATION_SCHEMA.COLUMNS WHERE table_name = 'people'", "region sex age illness"},
		{"SELECT grantee, privilege_type, is_grantable FROM information_schema.table_privileges WHERE table_name = 'people' AND grantee = current_user", "ana|SELECT|NO"},
		{"SELECT grantee, privilege_type FROM information_schema.role_table_grants WHERE table_name = 'people' AND grantee = current_user", "ana|SELECT"},
		{"SELECT has_table_privilege('public.people', 'SELECT'), has_table_privilege('people'::regclass, 'insert, Select'), has_any_column_privilege(current_user, 'people', 'select')", "t|t|t"},
		{"SELECT has_table_privilege('people', 'INSERT'), has_table_privilege('people', 'SELECT WITH GRANT OPTION'), has_table_privilege('public', 'people', 'SELECT')", "f|f|f"},
		{"SELECT has_column_privilege('people', 'region', 'SELECT'), has_column_privilege(current_user, 'people'::regclass::oid, a.attnum, 'SELECT') FROM pg_attribute AS a WHERE attrelid = 'people'::regclass AND attname = 'region'", "t|t"},
		{"SELECT has_column_privilege('people', 'secret', 'SELECT'), has_column_privilege('people', 'region', 'UPDATE')", "f|f"},
		{"SELECT c.oid::regclass FROM pg_catalog.pg_class AS c WHERE c.relname = 'people' AND pg_catalog.has_table_privilege(c.oid, 'SELECT')", "people"},
		{"SELECT relacl::text ~ 'ana=r/' FROM pg_class WHERE relname = 'people'", "t"},
		{"SELECT information_schema.tables.table_name FROM information_schema.tables WHERE table_name = 'people'", "people"},
		{"SELECT has_table_privilege('nosuch', 'SELECT')", `ERROR:  relation "nosuch" does not exist`},
		{"SELECT has_table_privilege('people', 'nosuch')", `ERROR:  unrecognized privilege type: "nosuch"`},
		{"SELECT * FROM people LIMIT 0", ""},
		{"PREPARE q(text) AS SELECT region FROM people WHERE 1 = 0 AND region = $1; EXECUTE q('north'); PREPARE p AS SELECT * FROM people LIMIT 0; EXECUTE p", "PREPARE\nPREPARE"},
		{"SELECT count(*) FROM (SELECT region FROM people WHERE 1 = 0) AS q", "0"},
		{"EXPLAIN SELECT region FROM people WHERE 1 <> 1", "Nothing was counted or charged."},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		if out := strings.TrimSpace(s.mustPsql(s.url("ana"), c.sql, "-At")); out != c.want {
			t.Errorf("%s: %q, not %q", c.sql, out, c.want)
		}
	}
}
