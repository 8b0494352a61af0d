package console

import (
	"context"
	"crypto/sha256"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release"
)

// A table whose blocks are months has a map of them: a number in each cell, those of months that were charged by name as well as of those that were
// charged with all others alone. Analysts have none.
func TestHeatMap(t *testing.T) {
	s := newPlayed(t)
	s.playBlocks()
	body := s.as("olga").get("/table/public/admissions").body
	for _, want := range []string{
		`<th scope="row">2024</th><td></td>`, `<td class="number heat1" title="2024-07: epsilon 0.6, delta 5e-7 spent">10%</td><td class="number heat1" title="2024-08: epsilon 1.2, delta 5e-7 spent">20%</td>`,
		`<td class="number heat2" title="2025-02: epsilon 1.8, delta 5e-7 spent">30%</td>`, "rows without a value among them, have spent epsilon 0.6, delta 5e-7.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q\n%.6000s", want, body)
		}
	}
	if strings.Contains(s.as("ana").get("/table/public/admissions").body, `class="heat"`) {
		t.Error("an analyst is shown the map")
	}
}

// playBlocks adds a table with blocks, and charges to some.
func (s *played) playBlocks() {
	t := s.t
	t.Helper()
	of := *s.policy.Tables[0]
	table := &of
	s.policy.Tables = append(s.policy.Tables, table)
	table.Blocks = &policy.Blocks{Column: "admitted", By: policy.ByMonth, Domain: policy.Domain{Range: &policy.Range{First: 19905, Last: 20453, Dates: true}}} // from 2024-07-01 to 2025-12-31
	table.Name.Name = "admissions"
	ctx := context.Background()
	l, err := ledger.Open(ctx, ledger.Options{Location: s.policy.Ledger, Role: ledger.Serve, Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, blocks := range map[string][]string{"of two months": {"2024-08", "2025-02"}, "of one month": {"2025-02"}, "of all": nil} {
		c := accountant.Charge{Analyst: "ana", Accounting: release.Accounting(table), SQL: text, Items: []accountant.Item{{
			Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: accountant.Loss{Epsilon: 6e8}, Mechanism: "geometric", Blocks: blocks,
		}}}
		if _, err := l.Reserve(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
