package proof

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
	pg "github.com/pganalyze/pg_query_go/v6"
)

// A mode is a way to send a statement.
type mode struct {
	name     string
	messages func(sql string, text, binary parameters) []pgproto3.FrontendMessage
}

// twice is a mode in which a statement that makes a table fails.
const twice = "prepared, twice"

var modes = []mode{
	{"simple", func(sql string, _, _ parameters) []pgproto3.FrontendMessage {
		return []pgproto3.FrontendMessage{&pgproto3.Query{String: sql}}
	}},
	{"extended, text", func(sql string, text, _ parameters) []pgproto3.FrontendMessage { return extended(sql, text, nil) }},
	{"extended, binary", func(sql string, _, binary parameters) []pgproto3.FrontendMessage {
		return extended(sql, binary, []int16{pgtype.BinaryFormatCode})
	}},
	{twice, func(sql string, text, binary parameters) []pgproto3.FrontendMessage {
		name := &pgproto3.Parse{Name: "twice", Query: sql, ParameterOIDs: binary.oids}
		bind := &pgproto3.Bind{PreparedStatement: "twice", Parameters: text.values}
		return []pgproto3.FrontendMessage{name, &pgproto3.Describe{ObjectType: 'S', Name: "twice"},
			bind, &pgproto3.Execute{}, bind, &pgproto3.Describe{ObjectType: 'P'}, &pgproto3.Execute{}, &pgproto3.Sync{}}
	}},
}

// comparable is what must be the same of two replies: not the words of errors, nor notices, nor the order of rows without ORDER BY.
func comparable(replies []message, ordered bool) []string {
	var out []string
	rows := -1 // where the rows before this reply begin
	for _, m := range replies {
		if m.kind == 'D' && rows < 0 {
			rows = len(out)
		}
		if m.kind != 'D' && rows >= 0 {
			if !ordered {
				slices.Sort(out[rows:])
			}
			rows = -1
		}
		switch m.kind {
		case 'N', 'S', 'A':
		case 'E':
			out = append(out, "E "+m.field('C'))
		default:
			out = append(out, m.String())
		}
	}
	return out
}

// ordered reports whether a statement says in what order its rows come.
func (c *testCase) ordered() bool {
	if _, ties := c.directive("ties"); ties {
		return false
	}
	tree, err := pg.Parse(c.last())
	return err == nil && len(tree.GetStmts()) == 1 && len(tree.GetStmts()[0].GetStmt().GetSelectStmt().GetSortClause()) > 0
}

// A comparison has a session through a proxy whose counts are exact, and one of PostgreSQL itself, of one database.
type comparison struct {
	site            *site
	gateway         *exactGateway
	proxied, direct *client
}

func newComparison(t testing.TB) *comparison {
	t.Helper()
	s := newSite(t, "schema.sql", "rows.sql")
	c := &comparison{site: s, gateway: newExactGateway(s)}
	const settings = "SET TimeZone = 'UTC'; SET DateStyle = ISO"
	c.proxied = connect(t, s.url(s.serve(c.gateway)), "SET tacit.notices = off", settings)
	c.direct = connect(t, cluster.URL("postgres", s.database), settings, "SET search_path = ana, public")
	return c
}

// run runs a case in a transaction that is rolled back.
func (c *comparison) run(on *client, sql *testCase, m mode) []message {
	steps := append([]string{"BEGIN"}, sql.steps[:len(sql.steps)-1]...)
	for _, step := range steps {
		on.query(step)
	}
	replies := on.exchange(1, m.messages(sql.last(), sql.parameters(on.t, 0), sql.parameters(on.t, 1))...)
	on.query("ROLLBACK; DEALLOCATE ALL")
	return replies
}

// TestAnswersArePostgresOwn runs each statement through the proxy with exact counts, and on PostgreSQL as its superuser: rows,
// their order, columns, types, tags and SQLSTATEs must be the same, in each way to send it. A statement that the proxy refuses is
// marked so; -update marks them anew. With -short one statement in six is run, in two of the ways.
func TestAnswersArePostgresOwn(t *testing.T) {
	t.Parallel()
	c := newComparison(t)
	cases := readCases(t, "testdata/differential/*.sql")
	answered, n := 0, 0
	for _, sql := range cases {
		if len(sql.steps) == 0 {
			continue
		}
		if n++; testing.Short() && n%6 != 0 && !*update {
			continue
		}
		tried := modes
		if testing.Short() && !*update {
			tried = modes[n%12/6*2:][:2]
		}
		refused := c.compare(t, sql, tried)
		if *update {
			sql.mark("refused", refused)
		} else if _, expected := sql.directive("refused"); refused != expected {
			t.Errorf("%v: refused=%v, but is marked otherwise; go test ./internal/proof -run TestAnswersArePostgresOwn -update\n%s", sql, refused, sql.last())
		}
		if !refused {
			answered++
		}
	}
	if *update {
		paths, _ := filepath.Glob("testdata/differential/*.sql")
		for _, path := range paths {
			writeCases(t, path, cases)
		}
	}
	t.Logf("%d of %d statements are answered", answered, n)
	if n < 250 {
		t.Errorf("only %d statements", n)
	}
}

// interpolates matches the statement of the golden files whose answer is PostgreSQL's own if the middle values are declared ones.
var interpolates = regexp.MustCompile(`^SELECT percentile_cont\(0\.5\) WITHIN GROUP \(ORDER BY salary\) FROM members$`)

// TestGoldenAnswersArePostgresOwn does the same for the golden statements that are answered and take no parameters.
func TestGoldenAnswersArePostgresOwn(t *testing.T) {
	t.Parallel()
	c := newComparison(t)
	answered := 0
	least := 150
	if testing.Short() {
		least /= 9
	}
	for i, sql := range readGolden(t) {
		if testing.Short() && i%9 != 0 {
			continue
		}
		tree, err := pg.Parse(sql.last())
		if err != nil || len(tree.GetStmts()) != 1 || strings.Contains(sql.last(), "$1") || tree.GetStmts()[0].GetStmt().GetPrepareStmt() != nil ||
			tree.GetStmts()[0].GetStmt().GetDeclareCursorStmt() != nil || strings.Contains(sql.last(), "tacit.") {
			continue
		}
		if interpolates.MatchString(sql.last()) && cluster.Version(t) < 150000 {
			continue // random() gives other rows there, with salaries beyond the declared ones, which the proxy's median leaves out
		}
		before := c.gateway.asked()
		c.run(c.proxied, sql, modes[0])
		if c.gateway.asked() > before {
			answered++
			tried := modes
			if testing.Short() {
				tried = modes[answered%len(modes):][:1]
			}
			c.compare(t, sql, tried)
		}
	}
	if answered < least {
		t.Errorf("only %d golden statements were answered", answered)
	}
}

// compare compares a case in some modes and reports whether the proxy refuses it.
func (c *comparison) compare(t *testing.T, sql *testCase, modes []mode) (refused bool) {
	t.Helper()
	_, wrong := sql.directive("error")
	_, params := sql.directive("params")
	_, untyped := sql.directive("untyped")
	for _, m := range modes {
		if params && m.name == "simple" {
			continue
		}
		want, got := c.run(c.direct, sql, m), c.run(c.proxied, sql, m)
		direct, fails := failure(want)
		if fails != wrong && m.name != twice {
			t.Errorf("%v: PostgreSQL's own answer, %s: %v\n%s", sql, m.name, direct, sql.last())
			return false
		}
		refusal, failed := failure(got)
		if failed && !fails {
			if refusal.kind == '!' || strings.HasPrefix(refusal.field('C'), "XX") {
				t.Errorf("%v: %s: %v\n%s", sql, m.name, refusal, sql.last())
			}
			if reachedTheServer.MatchString(refusal.field('M')) {
				t.Errorf("%v: the server was asked about protected rows: %v\n%s", sql, refusal, sql.last())
			}
			if testing.Verbose() && m.name != "simple" && !refused {
				t.Logf("%v: refused: %s\n%s", sql, refusal, sql.last())
			}
			refused = refused || !untyped || m.name != "extended, text"
			continue
		}
		if refused && !fails {
			t.Errorf("%v: answered in mode %s but refused in another\n%s", sql, m.name, sql.last())
		}
		diff := cmp.Diff(comparable(want, sql.ordered()), comparable(got, sql.ordered()))
		if _, known := sql.directive("differs"); known {
			if diff == "" {
				t.Errorf("%v: %s: is marked as different, and is not\n%s", sql, m.name, sql.last())
			}
		} else if diff != "" {
			t.Errorf("%v: %s:\n%s\n%v\n(-PostgreSQL +proxy):\n%s", sql, m.name, sql.last(), refusal, diff)
		}
	}
	return refused
}
