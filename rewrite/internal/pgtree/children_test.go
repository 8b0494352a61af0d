package pgtree

import (
	"testing"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// describedChildren passes what protobuf's own reflection finds below a message.
func describedChildren(m protoreflect.Message, visit func(protoreflect.Message) bool) {
	if _, ok := m.Interface().(*pg.Node); ok { // one of its hundreds of fields is set
		if f := m.WhichOneof(m.Descriptor().Oneofs().Get(0)); f != nil {
			visit(m.Get(f).Message())
		}
		return
	}
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		switch {
		case f.Message() == nil || !m.Has(f):
		case !f.IsList():
			if !visit(m.Get(f).Message()) {
				return
			}
		default:
			for list, j := m.Get(f).List(), 0; j < list.Len(); j++ {
				if !visit(list.Get(j).Message()) {
					return
				}
			}
		}
	}
}

// TestChildren compares the messages below each message of trees with those that protobuf's own reflection finds. It fails if one is left out, or comes in
// another place.
func TestChildren(t *testing.T) {
	for _, sql := range []string{
		"SELECT region, count(*) FILTER (WHERE a > 1.5), $1, B'01', true, NULL FROM t AS x JOIN (VALUES (1, 'x')) AS v (a, b) USING (a) WHERE x.b IN (1, 2) GROUP BY GROUPING SETS ((region), ()) ORDER BY 2 DESC LIMIT 3",
		"WITH RECURSIVE r AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT CASE WHEN n = ANY (ARRAY[1, 2]) THEN n::text COLLATE \"C\" END, rank() OVER (PARTITION BY n ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM r",
		"INSERT INTO t (a) SELECT * FROM generate_series(1, 2) ON CONFLICT (a) DO UPDATE SET a = EXCLUDED.a RETURNING *",
		"CREATE TABLE t (a int PRIMARY KEY CHECK (a > 0), b text DEFAULT 'x') PARTITION BY RANGE (a)",
		"DECLARE c CURSOR FOR SELECT EXISTS (SELECT FROM t WHERE a = (SELECT max(b) FROM u)); COPY (SELECT 1) TO STDOUT; SET a.b = 'c'; EXECUTE p(1, 'a')",
	} {
		tree, err := pg.Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		compareChildren(t, tree.ProtoReflect())
	}
}

func compareChildren(t *testing.T, m protoreflect.Message) {
	t.Helper()
	var want []protoreflect.Message
	describedChildren(m, func(child protoreflect.Message) bool {
		want = append(want, child)
		return true
	})
	i := 0
	Children(m, func(child protoreflect.Message) bool {
		if i >= len(want) || want[i].Interface() != child.Interface() {
			t.Errorf("child %d of %s is another one", i, m.Descriptor().Name())
		}
		i++
		return true
	})
	if i != len(want) {
		t.Errorf("%d children of %s, want %d", i, m.Descriptor().Name(), len(want))
	}
	for _, child := range want {
		compareChildren(t, child)
	}
	seen := 0
	Children(m, func(protoreflect.Message) bool { seen++; return false })
	if seen != min(1, len(want)) {
		t.Errorf("%d children of %s were visited after the first was enough", seen, m.Descriptor().Name())
	}
}

// TestSame compares trees of texts that differ in where things stand, or in one thing more.
func TestSame(t *testing.T) {
	const text = "SELECT a, count(*) FILTER (WHERE b > 1) FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3"
	tree := func(sql string) *pg.ParseResult {
		parsed, err := pg.Parse(sql)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	if !Same(tree(text), tree("SELECT  a,\n count(*)  FILTER (WHERE (b > 1)) FROM t /* x */ GROUP BY a ORDER BY 2 DESC LIMIT 3")) {
		t.Error("places in the text are compared")
	}
	for _, other := range []string{
		"SELECT a, count(*) FILTER (WHERE b > 2) FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3", "SELECT a, count(*) FILTER (WHERE b > '1') FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3",
		"SELECT a, count(*) FILTER (WHERE b > 1) FROM t GROUP BY a ORDER BY 2 LIMIT 3", "SELECT a, count(*) FILTER (WHERE b > 1) FROM ONLY t GROUP BY a ORDER BY 2 DESC LIMIT 3",
		"SELECT a, count(*) FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3", "SELECT a, count(*) FILTER (WHERE b > 1) FROM t GROUP BY a ORDER BY 2 DESC", text + "; SELECT 1",
		"SELECT a, count(b) FILTER (WHERE b > 1) FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3", "SELECT a AS c, count(*) FILTER (WHERE b > 1) FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3",
		"SELECT a, count(*) FILTER (WHERE b > 1) FROM t GROUP BY DISTINCT a ORDER BY 2 DESC LIMIT 3",
	} {
		if a, b := tree(text), tree(other); Same(a, b) || Same(b, a) {
			t.Errorf("the same as %s", other)
		}
	}
}
