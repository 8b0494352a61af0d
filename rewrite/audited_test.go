package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// auditedCells computes the cells of a query about an audited table from its facts and true counts, by MembershipSQL alone.
func (t *twin) auditedCells(q *query.BoundQuery) *query.Cells {
	t.tb.Helper()
	var facts [][]pgvalue.Value // column by column
	sql, args := query.UnitsSQL(q.Table, nil)
	units := t.query(sql, args)
	public, used := q.Table.PublicColumns(), q.UsedColumns()
	private := q.Table.PrivateColumn()
	var values []pgvalue.Value
	for _, text := range private.Domain {
		values = append(values, pgvalue.Value{Text: text})
	}
	if !private.NotNull {
		values = append(values, pgvalue.Value{Null: true})
	}
	counts := make([]map[pgvalue.Value]int64, len(units)) // of each fact; equal ones repeat, which only a sum could not bear
	facts = make([][]pgvalue.Value, len(used))
	for i, row := range units {
		for j, c := range used {
			k := slices.Index(public, c)
			facts[j] = append(facts[j], pgvalue.Value{Text: string(row[k]), Null: row[k] == nil})
		}
		var n int64
		fmt.Sscan(string(row[len(row)-1]), &n)
		v := row[len(public)]
		counts[i] = map[pgvalue.Value]int64{{Text: string(v), Null: v == nil}: n}
	}
	if len(used) == 0 { // one fact
		for _, c := range counts[1:] {
			for v, n := range c {
				counts[0][v] += n
			}
		}
	}
	sql, args = q.MembershipSQL(facts, values)
	margins := q.Margins
	if margins == nil {
		all := make([]int, len(q.Keys))
		for i := range all {
			all[i] = i
		}
		margins = []query.Margin{{Keys: all}}
	}
	cells := &query.Cells{Keys: make([][]pgvalue.Value, len(q.Keys)), Counts: make([][]int64, len(q.Counts))}
	for _, m := range margins {
		index := make(map[string]int)
		for _, row := range t.query(sql, args) {
			var fact, value int
			fmt.Sscan(string(row[0]), &fact)
			fmt.Sscan(string(row[1]), &value)
			n := counts[fact-1][values[value-1]]
			key := make([]pgvalue.Value, len(q.Keys))
			for k := range key {
				key[k] = pgvalue.Value{Null: true}
				if slices.Contains(m.Keys, k) {
					key[k] = pgvalue.Value{Text: string(row[2+k]), Null: row[2+k] == nil}
				}
			}
			at, ok := index[fmt.Sprint(key)]
			if !ok {
				at = len(cells.Counts[0])
				index[fmt.Sprint(key)] = at
				for k := range key {
					cells.Keys[k] = append(cells.Keys[k], key[k])
				}
				for c := range cells.Counts {
					cells.Counts[c] = append(cells.Counts[c], 0)
				}
				cells.Sets = append(cells.Sets, m.Number)
			}
			for c := range cells.Counts {
				if string(row[2+len(q.Keys)+c]) == "t" {
					cells.Counts[c][at] += n
				}
			}
		}
	}
	cells.Keys = q.Arrange(cells.Keys)
	return cells
}

// TestAuditedStatements compares what PostgreSQL itself answers with what it makes of cells that were counted by way of MembershipSQL. It
// fails if a key, a condition or a join is evaluated otherwise over facts than over rows, if a margin lacks rows or has others', if
// GROUPING has its bits in another order, or if a numbered margin is not found beside its cells.
func TestAuditedStatements(t *testing.T) {
	server := newTwin(t)
	for _, sql := range []string{
		"SELECT hair, eye, count(*) FROM carriers GROUP BY hair, eye",
		"SELECT hair, count(*) FILTER (WHERE gene), sum(gene::int), avg(gene::int), count(eye) FROM carriers GROUP BY hair",
		"SELECT age / 10 AS decade, gene, count(*) FROM carriers WHERE age % 2 = 0 GROUP BY 1, 2",
		"SELECT count(*), count(*) FILTER (WHERE gene OR hair = 'black') FROM carriers WHERE eye > 'B' OR eye IS NULL",
		"SELECT CASE WHEN gene THEN 'has it' ELSE hair END, count(*) FROM carriers GROUP BY 1",
		"SELECT country, count(*) FROM carriers JOIN cities USING (city) WHERE gene GROUP BY country",
		"SELECT country, gene, count(*) FROM carriers LEFT JOIN cities USING (city) GROUP BY 1, 2",
		"SELECT answer, count(*) FROM surveys GROUP BY answer",
		"SELECT upper(answer), count(*) FROM surveys WHERE answer <> 'no' GROUP BY ROLLUP (1)",
		"SELECT concat(answer::text, 'x'), answer || 'x', length(answer), count(*) FROM surveys GROUP BY 1, 2, 3",
		"SELECT hair, eye, sum(gene::int), grouping(hair, eye), grouping(eye) FROM carriers GROUP BY CUBE (hair, eye)",
		"SELECT hair, eye, gene, count(*), avg((age < 20)::int) FROM carriers GROUP BY ROLLUP (hair, (eye, gene)) HAVING grouping(eye) = 0 OR count(*) > 200",
		"SELECT hair, age / 20, count(*) FROM carriers GROUP BY GROUPING SETS (hair, 2, (), (), (hair, 2)) ORDER BY grouping(hair, age / 20), 1, 2",
		"SELECT hair AS a, hair AS b, count(*) FROM carriers GROUP BY ROLLUP (hair, carriers.hair, a)",
		"SELECT hair, count(*) FROM carriers GROUP BY ROLLUP (hair), CUBE (hair)",
		"SELECT hair, count(*) FROM carriers GROUP BY DISTINCT ROLLUP (hair), CUBE (hair)",
		"SELECT hair, lag(count(*)) OVER (ORDER BY hair) FROM carriers GROUP BY ROLLUP (hair)",
		"SELECT upper(hair), count(*) FROM carriers GROUP BY CUBE (hair)",
		"SELECT DISTINCT grouping(c.hair) + grouping(eye) FROM carriers c GROUP BY CUBE (hair, c.eye) HAVING count(*) > 0",
	} {
		v, err := Analyze(sql, testSession())
		a, ok := v.(*Answer)
		if err != nil || !ok {
			t.Errorf("%s: %s, %v", sql, describe(v), err)
			continue
		}
		q, refusal := a.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		want, err := server.run(sql, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		got := server.bothWays(sql, []*query.Cells{server.auditedCells(q)})
		if diff := cmp.Diff(strings.Join(want.Columns, "\n")+"\n"+strings.Join(want.Rows, "\n"), strings.Join(got.Columns, "\n")+"\n"+strings.Join(got.Rows, "\n")); diff != "" {
			t.Errorf("%s (-original +rewritten):\n%s", sql, diff)
		}
	}
}

// TestConcatKeepsBlanks fails if concat of a padded value is accepted, which PostgreSQL does not strip of its blanks as a cast does.
func TestConcatKeepsBlanks(t *testing.T) {
	v, err := Analyze("SELECT concat(answer, 'x'), count(*) FROM surveys GROUP BY 1", testSession())
	if refusal := refusalOf(v); err != nil || refusal == nil || !strings.Contains(refusal.Message, "it heeds the blanks") {
		t.Errorf("%s, %v", describe(v), err)
	}
}
