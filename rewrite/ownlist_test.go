package rewrite

import (
	"strings"
	"testing"

	"tacit/rewrite/pgerror"
)

// TestOwnListsAreBounded binds what a server says of sub-selects. It fails if more values than allowed become constants, if values of
// types that are not compared do, and if a sub-select is evaluated more than once.
func TestOwnListsAreBounded(t *testing.T) {
	server := newTwin(t)
	server.exec(`CREATE TYPE mood AS ENUM ('well'); CREATE DOMAIN town AS text; CREATE SEQUENCE calls`)
	for _, c := range []struct{ sql, question, code string }{
		{"city IN (SELECT 'c' || i % 2 FROM generate_series(1, 10000) AS i)", "city IN ('c0', 'c1')", ""},
		{"city IN (SELECT 'c' || i % 2 FROM generate_series(1, 10001) AS i)", "", pgerror.CodeNotSupported},
		{"city IN (SELECT repeat('x', 1048574))", "city = '" + strings.Repeat("x", 1048574) + "'", ""},
		{"city IN (SELECT repeat('x', 1048575))", "", pgerror.CodeNotSupported},
		{"city = (SELECT repeat('x', 1048575))", "", pgerror.CodeNotSupported},
		{"city IN (SELECT ARRAY['Oslo', 'Rome'])", "", pgerror.CodeNotSupported},
		{"city = (SELECT ARRAY['Oslo', 'Rome'])", "", pgerror.CodeNotSupported},
		{"city = (SELECT NULL::text[])", "", pgerror.CodeNotSupported},
		{"city IN (SELECT 'well'::mood)", "", pgerror.CodeNotSupported},
		{"city IN (SELECT 'Oslo'::town)", "", pgerror.CodeNotSupported},
		{"city IN (SELECT 5)", "", pgerror.CodeUndefinedOp},
		{"birth_year IN (SELECT '5')", "", pgerror.CodeUndefinedOp},
		{"birth_year IN (SELECT 5.5)", "false", ""},
		{"birth_year = (SELECT 5 WHERE false)", "false", ""},
		{"points IN (SELECT nextval('calls'))", "points = 1", ""},
		{"points = (SELECT nextval('calls'))", "points = 2", ""},
		{`city IN (SELECT '"a\,{}''' UNION ALL SELECT '' UNION ALL SELECT 'NULL')`, `city IN ('', '"a\,{}''', 'NULL')`, ""},
		{"joined > (SELECT '2020-01-31'::date)", "joined > date '2020-01-31'", ""},
	} {
		a, ok := analyze(t, "SELECT count(*) FROM members WHERE "+c.sql).(*Answer)
		if !ok {
			t.Fatalf("%s is not answered", c.sql)
		}
		q, refusal := a.Queries[0].Bind(nil, server.constants(a, nil)...)
		switch {
		case refusal != nil && refusal.Code != c.code:
			t.Errorf("%s: %s", c.sql, describeRefusal(refusal))
		case refusal == nil:
			if got := q.Question(q.Counts[0]); got != "count(*) FROM public.members WHERE "+c.question {
				t.Errorf("%s:\n%.200s", c.sql, got)
			}
		}
	}
}

// TestOwnSelectsStandAlone runs what would be evaluated in the analyst's session where it must fail: it fails if a column of the
// protected table is found by a sub-select, or if a sub-select of two columns passes for one.
func TestOwnSelectsStandAlone(t *testing.T) {
	server := newTwin(t)
	for sql, code := range map[string]string{
		"city IN (SELECT city FROM mine WHERE n = birth_year)": pgerror.CodeUndefinedColumn,
		"city IN (SELECT plan FROM mine)":                      pgerror.CodeUndefinedColumn,
		"city IN (SELECT s.a FROM mine)":                       pgerror.CodeUndefinedTable,
		"city IN (SELECT a FROM mine)":                         pgerror.CodeUndefinedColumn,
		"city IN (SELECT * FROM mine)":                         pgerror.CodeSyntax,
		"city = (SELECT * FROM mine)":                          pgerror.CodeSyntax,
		"city = (SELECT city FROM mine)":                       "21000",
	} {
		a, ok := analyze(t, "SELECT count(*) FROM members WHERE "+sql).(*Answer)
		if !ok {
			t.Fatalf("%s is not answered", sql)
		}
		constants, _ := a.Constants(nil)
		_, err := server.run(constants, nil, nil)
		if err == nil || !strings.Contains(err.Error(), "SQLSTATE "+code) {
			t.Errorf("%s: %v, want %s", sql, err, code)
		}
	}
}
