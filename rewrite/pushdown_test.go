package rewrite

import (
	"strings"
	"testing"

	pg_query "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// TestCountsCanBePushedDown holds the curator's SQL to what servers with many machines compute where the rows are, see docs/servers.md: one SELECT of
// aggregates, sub-selects in FROM, joins by equal columns, and windows by a person. What is not in this list is not in the SQL, or this test is to tell of it.
func TestCountsCanBePushedDown(t *testing.T) {
	counts := 0
	for _, path := range goldenFiles(t) {
		for _, c := range readGolden(t, path) {
			for line := range strings.Lines(c.verdict) {
				sql, ok := strings.CutPrefix(line, "count: ")
				if !ok {
					continue
				}
				counts++
				tree, err := pg_query.Parse(sql)
				if err != nil {
					t.Fatalf("%v: %s", err, sql)
				}
				for _, problem := range beyondPushdown(tree.ProtoReflect()) {
					t.Errorf("%s: %s", problem, sql)
				}
			}
		}
	}
	if counts < 500 {
		t.Errorf("only %d counts were looked at", counts)
	}
}

// The test would find what it is for.
func TestWhatCannotBePushedDown(t *testing.T) {
	for _, sql := range []string{
		"WITH x AS (SELECT 1) SELECT count(*) FROM x", "SELECT count(*) FROM a UNION SELECT 1", "SELECT count(*) FROM a LIMIT 1", "SELECT count(*) FROM a HAVING true",
		"SELECT DISTINCT x FROM a", "SELECT x FROM a ORDER BY x", "SELECT count(*) FROM a, LATERAL (SELECT a.x) AS b", "SELECT count(*) FROM generate_series(1, 2)",
		"SELECT count(*) FROM a JOIN b ON a.x < b.x", "SELECT count(*) FROM a JOIN b ON a.x = b.x + 1", "SELECT count(*) FROM a WHERE x IN (SELECT y FROM b)",
		"SELECT row_number() OVER () FROM a", "SELECT row_number() OVER (PARTITION BY x + 1) FROM a", "SELECT count(*) FROM a GROUP BY ROLLUP (x)",
		"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM a", "SELECT array_agg(x ORDER BY x) FROM a", "SELECT count(*) FROM a FOR UPDATE", "SELECT count(*) FROM a AS x NATURAL JOIN b",
	} {
		tree, err := pg_query.Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		if len(beyondPushdown(tree.ProtoReflect())) == 0 {
			t.Errorf("nothing is found in %s", sql)
		}
	}
}

// beyondPushdown names what other servers would compute in one place, or not at all.
func beyondPushdown(tree protoreflect.Message) (problems []string) {
	walkMessages(tree, func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.SelectStmt:
			if n.WithClause != nil || n.Op != pg_query.SetOperation_SETOP_NONE || n.DistinctClause != nil || n.SortClause != nil || n.LimitCount != nil ||
				n.HavingClause != nil || n.ValuesLists != nil || n.LockingClause != nil || n.WindowClause != nil {
				problems = append(problems, "a clause beside FROM, WHERE and GROUP BY")
			}
		case *pg_query.GroupingSet, *pg_query.RangeFunction, *pg_query.RangeTableSample:
			problems = append(problems, string(m.Descriptor().Name()))
		case *pg_query.RangeSubselect:
			if n.Lateral {
				problems = append(problems, "LATERAL")
			}
		case *pg_query.JoinExpr:
			if n.IsNatural || n.UsingClause != nil || !isEquality(n.Quals) {
				problems = append(problems, "a join by something else than equal columns")
			}
		case *pg_query.WindowDef:
			if len(n.PartitionClause) == 0 || n.PartitionClause[0].GetColumnRef() == nil {
				problems = append(problems, "a window that is not of a person")
			}
		case *pg_query.FuncCall:
			if n.AggOrder != nil || n.AggWithinGroup {
				problems = append(problems, "an aggregate of rows in an order")
			}
		case *pg_query.SubLink: // a scalar sub-select computes from a value of the row
			walkMessages(m, func(inner protoreflect.Message) {
				if _, reads := inner.Interface().(*pg_query.RangeVar); reads {
					problems = append(problems, "a sub-select that reads a table")
				}
			})
		}
	})
	return problems
}

// isEquality says whether a condition compares two columns, or several such pairs.
func isEquality(condition *pg_query.Node) bool {
	if both := condition.GetBoolExpr(); both != nil && both.Boolop == pg_query.BoolExprType_AND_EXPR {
		for _, c := range both.Args {
			if !isEquality(c) {
				return false
			}
		}
		return true
	}
	e := condition.GetAExpr()
	return e != nil && e.Name[len(e.Name)-1].GetString_().GetSval() == "=" && e.Lexpr.GetColumnRef() != nil && e.Rexpr.GetColumnRef() != nil
}

func walkMessages(m protoreflect.Message, visit func(protoreflect.Message)) {
	visit(m)
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := range v.List().Len() {
				walkMessages(v.List().Get(i).Message(), visit)
			}
		default:
			walkMessages(v.Message(), visit)
		}
		return true
	})
}
