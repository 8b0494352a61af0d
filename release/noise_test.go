package release

import (
	"fmt"
	"testing"

	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// TestBlocks fails if a key that may change with a quasi-identifier keeps counts apart, because something else is in it or because it is
// of a public table; or if one that does not change with any is swapped, because a column of a public table has a quasi-identifier's name.
func TestBlocks(t *testing.T) {
	w := newWard(t)
	d := w.open()
	for _, c := range []struct {
		from, keys string
		fixed      int // keys that hold counts in place
	}{
		{"clinic.people p", "p.region", 0},
		{"clinic.people p", "p.sex", 1},
		{"clinic.people p", "p.region, p.sex, p.age", 2},
		{"clinic.people p", "upper(p.region)", 0},
		{"clinic.people p", "coalesce(p.region, p.sex)", 0},
		{"clinic.people p", "coalesce(p.sex, p.illness), p.region", 1},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.region", "r.land", 0},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.region", "r.region", 0},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.region", "coalesce(p.sex, r.land)", 0},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.illness", "r.region", 1},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.illness", "r.region, p.region", 1},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.illness JOIN clinic.regions s ON s.region = r.land", "s.region", 1},
		{"clinic.people p JOIN clinic.regions r ON r.region = p.region JOIN clinic.regions s ON s.region = r.land", "s.region", 0},
	} {
		sql := fmt.Sprintf("SELECT count(*) FROM %s GROUP BY %s", c.from, c.keys)
		verdict, err := rewrite.Analyze(sql, &rewrite.Session{Catalog: d.Catalog(), Limits: w.Policy.Limits})
		if err != nil {
			t.Fatal(err)
		}
		answer, ok := verdict.(*rewrite.Answer)
		if !ok {
			t.Fatalf("%s: %+v", sql, verdict)
		}
		q, refusal := answer.Queries[0].Bind(nil)
		if refusal != nil {
			t.Fatal(refusal)
		}
		table := *q.Table.Policy
		table.Mechanism = policy.Mechanism{Kind: policy.DPSwapping, Quasi: []string{"region"}}
		// All combinations of two values for each key.
		cells := 1 << len(q.Keys)
		keys := make([][]query.Value, len(q.Keys))
		for i := range keys {
			for cell := range cells {
				keys[i] = append(keys[i], query.Value{Text: fmt.Sprint(cell >> i & 1)})
			}
		}
		if blocks := live.BlocksOf(&table, q, keys, cells); len(blocks) != 1<<c.fixed {
			t.Errorf("%s: %d blocks of %d cells, want %d", sql, len(blocks), cells, 1<<c.fixed)
		}
	}
}
