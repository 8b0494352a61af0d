package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/books"
)

// standingLines are the lines of a policy's tables, of which so much was spent: by table, and by table and analyst.
func standingLines(p *policy.Policy, spent map[string]accountant.Loss) (lines []books.Line) {
	for _, t := range p.Tables {
		a := accountant.Accounting{Table: t.Name, Adjacency: t.Adjacency, Composition: t.Composition, Window: t.Window}
		all := spent[t.Name.Name]
		s := accountant.Balance{Epoch: 1, Budget: t.Budget, Spent: all, Left: all.Remaining(t.Budget), Lifetime: all}
		lines = append(lines, books.NewTableLine(t, a, s))
		for _, analyst := range p.Analysts {
			own, charged := spent[t.Name.Name+" "+analyst.Name]
			s.Own, s.OwnLifetime = own, own
			if s.Cap = books.CapOn(t, analyst.Budget); s.Cap != nil || charged {
				lines = append(lines, books.NewAnalystLine(t, a, analyst.Name, s.Cap, s))
			}
		}
	}
	return lines
}

// TestBudgetOfReleases shows releases without a guarantee where there are or may be any, and nowhere else.
func TestBudgetOfReleases(t *testing.T) {
	table := func(name string, budget policy.Budget) *policy.Table {
		return &policy.Table{Name: policy.TableName{Schema: "s", Name: name}, Adjacency: policy.AddRemove, Budget: budget}
	}
	p := &policy.Policy{
		Analysts: []policy.Analyst{
			{Name: "ana", Budget: &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: 3, Risk: policy.NoRiskCap}},
			{Name: "bob", Budget: &policy.Budget{Epsilon: 2e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}},
			{Name: "eve"},
		},
		Tables: []*policy.Table{
			table("private", policy.Budget{Epsilon: 3e9, Delta: 1e12}),
			table("swapped", policy.Budget{Releases: 5}),
			table("mixed", policy.Budget{Epsilon: 3e9, Releases: 5}),
		},
	}
	lines := standingLines(p, map[string]accountant.Loss{
		"swapped": {Releases: 5}, "swapped ana": {Releases: 1}, "swapped eve": {Releases: 4},
		"mixed": {Epsilon: 5e8, Delta: 1e11, Releases: 1}, "mixed bob": {Epsilon: 5e8, Delta: 1e11, Releases: 1},
	})
	var text bytes.Buffer
	if err := printBudget(&text, lines, budgetView{all: true}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TABLE      ANALYST  SPENT                             BUDGET                            LEFT
s.private  (all)    epsilon 0                         epsilon 3, delta 1e-6             epsilon 3, delta 1e-6
s.private  ana      0 releases without a guarantee    3 releases without a guarantee    3 releases without a guarantee
s.private  bob      epsilon 0                         epsilon 2                         epsilon 2
s.swapped  (all)    5 releases without a guarantee    5 releases without a guarantee    0 releases without a guarantee
s.swapped  ana      1 release without a guarantee     3 releases without a guarantee    2 releases without a guarantee
s.swapped  bob      epsilon 0                         epsilon 2                         epsilon 2
s.swapped  eve      4 releases without a guarantee    -                                 -
s.mixed    (all)    epsilon 0.5, delta 1e-7, 1        epsilon 3, 5 releases without a   epsilon 2.5, 4 releases without
                    release without a guarantee       guarantee                         a guarantee
s.mixed    ana      0 releases without a guarantee    3 releases without a guarantee    3 releases without a guarantee
s.mixed    bob      epsilon 0.5, delta 1e-7, 1        epsilon 2                         epsilon 1.5
                    release without a guarantee
`, "\n")
	same(t, want, text.String())

	asJSON, err := json.Marshal(lines[4:6])
	if err != nil {
		t.Fatal(err)
	}
	wantJSON := `[{"table":"s.swapped","analyst":"ana","adjacency":"add-remove","epoch":1,"spent":{"epsilon":"0","delta":"0","releases":1},` +
		`"budget":{"releases":3},"left":{"releases":2},"lifetime":{"epsilon":"0","delta":"0","releases":1}},` +
		`{"table":"s.swapped","analyst":"bob","adjacency":"add-remove","epoch":1,"spent":{"epsilon":"0","delta":"0","releases":0},` +
		`"budget":{"epsilon":"2"},"left":{"epsilon":"2"},"lifetime":{"epsilon":"0","delta":"0","releases":0}}]`
	same(t, wantJSON, string(asJSON))
}

func TestLogOfReleases(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	entries := []ledger.Entry{
		{ID: 1, At: at, Analyst: "ana", Table: policy.TableName{Schema: "s", Name: "t"}, Verdict: ledger.Charged, SQL: "SELECT 1", Recorded: true, Loss: accountant.Loss{Releases: 1}},
		{ID: 2, At: at, Analyst: "bob", Table: policy.TableName{Schema: "s", Name: "t"}, Verdict: ledger.Charged, SQL: "SELECT 2", Recorded: true, Loss: accountant.Loss{Epsilon: 5e8}},
	}
	var text, asJSON bytes.Buffer
	if err := printLog(&text, entries, false); err != nil {
		t.Fatal(err)
	}
	if err := printLogJSON(&asJSON, entries); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
ENTRY  TIME (UTC)           ANALYST  TABLE  VERDICT  LOSS                           STATEMENT
1      2026-03-01 12:00:00  ana      s.t    charged  1 release without a guarantee  SELECT 1
2      2026-03-01 12:00:00  bob      s.t    charged  epsilon 0.5                    SELECT 2
`, "\n")
	same(t, want, text.String())
	for _, loss := range []string{`"loss":{"epsilon":"0","delta":"0","releases":1}`, `"loss":{"epsilon":"0.5","delta":"0","releases":0}`} {
		if !strings.Contains(asJSON.String(), loss) {
			t.Errorf("no %s in\n%s", loss, asJSON.String())
		}
	}
}

// TestBudgetOfRisk shows the risk of exact counts where there is or may be any: rounded against the table for people, exactly to programs.
// It fails if a cap on epsilon is shown where only risk is charged.
func TestBudgetOfRisk(t *testing.T) {
	name := policy.TableName{Schema: "s", Name: "carriers"}
	p := &policy.Policy{
		Analysts: []policy.Analyst{
			{Name: "ana", Budget: &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: 1e16}},
			{Name: "bob", Budget: &policy.Budget{Epsilon: 4e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}},
			{Name: "eve", Budget: &policy.Budget{Epsilon: 1e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}},
		},
		Tables: []*policy.Table{{Name: name, Adjacency: policy.ReplaceOne, Mechanism: policy.Mechanism{Kind: policy.Audit}, Budget: policy.Budget{Risk: 5e16}}},
	}
	lines := standingLines(p, map[string]accountant.Loss{"carriers": {Risk: 1_234_567_000_000_001}, "carriers bob": {Risk: 1_234_567_000_000_001}})
	var text bytes.Buffer
	if err := printBudget(&text, lines, budgetView{all: true}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TABLE       ANALYST  SPENT          BUDGET     LEFT
s.carriers  (all)    risk 0.001235  risk 0.05  risk 0.04876
s.carriers  ana      risk 0         risk 0.01  risk 0.01
s.carriers  bob      risk 0.001235  -          -
`, "\n")
	same(t, want, text.String())
	asJSON, err := json.Marshal(lines[:2])
	if err != nil {
		t.Fatal(err)
	}
	wantJSON := `[{"table":"s.carriers","epoch":1,"spent":{"epsilon":"0","delta":"0","releases":0,"risk":"0.001234567000000001"},` +
		`"budget":{"epsilon":"0","delta":"0","releases":0,"risk":"0.05"},"left":{"epsilon":"0","delta":"0","releases":0,"risk":"0.048765432999999999"},` +
		`"lifetime":{"epsilon":"0","delta":"0","releases":0,"risk":"0.001234567000000001"}},` +
		`{"table":"s.carriers","analyst":"ana","epoch":1,"spent":{"epsilon":"0","delta":"0","releases":0,"risk":"0"},"budget":{"risk":"0.01"},"left":{"risk":"0.01"},` +
		`"lifetime":{"epsilon":"0","delta":"0","releases":0,"risk":"0"}}]`
	same(t, wantJSON, string(asJSON))
}

func TestLogOfAudits(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	name := policy.TableName{Schema: "s", Name: "t"}
	entries := []ledger.Entry{
		{ID: 1, At: at, Analyst: "ana", Table: name, Verdict: ledger.Charged, SQL: "SELECT 1", Recorded: true, Loss: accountant.Loss{Risk: 12e14 + 1}, Audit: 7, Kind: "round"},
		{ID: 2, At: at, Analyst: "bob", Table: name, Verdict: ledger.Decided, SQL: "SELECT 2", Audit: 8, Kind: "round"},
	}
	var text, asJSON bytes.Buffer
	if err := printLog(&text, entries, true); err != nil {
		t.Fatal(err)
	}
	if err := printLogJSON(&asJSON, entries); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
ENTRY  TIME (UTC)           ANALYST  TABLE  VERDICT  LOSS           STATEMENT
1      2026-03-01 12:00:00  ana      s.t    charged  risk 0.001201  SELECT 1
                                                                      event 7 of the auditor: round
2      2026-03-01 12:00:00  bob      s.t    decided  -              SELECT 2
                                                                      event 8 of the auditor: round
`, "\n")
	same(t, want, text.String())
	for _, part := range []string{`"answered":true,"loss":{"epsilon":"0","delta":"0","releases":0,"risk":"0.001200000000000001"},"event":7,"kind":"round"`, `"verdict":"decided","answered":false,"event":8`} {
		if !strings.Contains(asJSON.String(), part) {
			t.Errorf("no %s in\n%s", part, asJSON.String())
		}
	}
}
