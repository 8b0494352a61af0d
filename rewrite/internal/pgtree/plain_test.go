package pgtree

import (
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// TestPlain fails if a statement passes for plain that calls or changes something, or for lasting whose values depend on a setting.
func TestPlain(t *testing.T) {
	const cells = " FROM unnest('{a,b}'::pg_catalog.text[], '{1,2}'::pg_catalog.int8[]) AS p(region, \"count 1\")"
	for _, c := range []struct {
		sql            string
		plain, lasting bool
	}{
		{"SELECT region, p.\"count 1\" AS n" + cells + " ORDER BY n DESC LIMIT 3", true, true},
		{"SELECT region::pg_catalog.varchar, 1, 'x'" + cells, true, true},
		{"SELECT t.region FROM (SELECT p.region" + cells + ") AS t", true, true},
		{"SELECT '2024-01-01'::pg_catalog.date" + cells, true, false},
		{"SELECT '{null}'::pg_catalog.varchar[]" + cells, true, false},
		{"SELECT region::text" + cells, false, false},
		{"SELECT \"count 1\" + 1" + cells, false, false},
		{"SELECT f(region)" + cells, false, false},
		{"SELECT region" + cells + " ORDER BY f()", false, false},
		{"SELECT region" + cells + " ORDER BY region USING <", false, false},
		{"SELECT region" + cells + " WHERE true", false, false},
		{"SELECT region" + cells + " LIMIT f()", false, false},
		{"SELECT region" + cells + " FOR UPDATE", false, false},
		{"SELECT region INTO mine" + cells, false, false},
		{"SELECT region" + cells + ", mine", false, false},
		{"SELECT region FROM unnest('{a}'::text[], '{1}'::pg_catalog.int8[]) AS p(region, n)", false, false},
		{"SELECT region FROM mine", false, false},
		{"WITH w AS (SELECT 1) SELECT region" + cells, false, false},
		{"DELETE FROM mine", false, false},
	} {
		tree, err := pg.Parse(c.sql)
		if err != nil {
			t.Fatal(c.sql, err)
		}
		if plain, lasting := Plain(tree.GetStmts()[0].GetStmt()); plain != c.plain || lasting != c.lasting {
			t.Errorf("%s: plain %t, lasting %t", c.sql, plain, lasting)
		}
	}
}
