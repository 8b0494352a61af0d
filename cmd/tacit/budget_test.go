package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

// TestBudgetOfReleases shows releases without a guarantee where there are or may be any, and nowhere else.
func TestBudgetOfReleases(t *testing.T) {
	table := func(name string, budget policy.Budget) *policy.Table {
		return &policy.Table{Name: policy.TableName{Schema: "s", Name: name}, Adjacency: policy.AddRemove, Budget: budget}
	}
	p := &policy.Policy{
		Analysts: []policy.Analyst{
			{Name: "ana", Budget: &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: 3}},
			{Name: "bob", Budget: &policy.Budget{Epsilon: 2e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap}},
			{Name: "eve"},
		},
		Tables: []*policy.Table{
			table("private", policy.Budget{Epsilon: 3e9, Delta: 1e12}),
			table("swapped", policy.Budget{Releases: 5}),
			table("mixed", policy.Budget{Epsilon: 3e9, Releases: 5}),
		},
	}
	spent := []accountant.TableBalance{
		{
			Table: p.Tables[1].Name, Adjacency: policy.AddRemove, Spent: accountant.Loss{Releases: 5},
			Analysts: []accountant.AnalystBalance{{Analyst: "ana", Spent: accountant.Loss{Releases: 1}}, {Analyst: "eve", Spent: accountant.Loss{Releases: 4}}},
		},
		{
			Table: p.Tables[2].Name, Adjacency: policy.AddRemove, Spent: accountant.Loss{Epsilon: 5e8, Delta: 1e11, Releases: 1},
			Analysts: []accountant.AnalystBalance{{Analyst: "bob", Spent: accountant.Loss{Epsilon: 5e8, Delta: 1e11, Releases: 1}}},
		},
	}
	lines := budgetLines(p, spent)
	var text bytes.Buffer
	if err := printBudget(&text, lines); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TABLE      ANALYST  SPENT                                                   BUDGET                                     LEFT
s.private  (all)    epsilon 0                                               epsilon 3, delta 1e-6                      epsilon 3, delta 1e-6
s.private  ana      0 releases without a guarantee                          3 releases without a guarantee             3 releases without a guarantee
s.private  bob      epsilon 0                                               epsilon 2                                  epsilon 2
s.swapped  (all)    5 releases without a guarantee                          5 releases without a guarantee             0 releases without a guarantee
s.swapped  ana      1 release without a guarantee                           3 releases without a guarantee             2 releases without a guarantee
s.swapped  bob      epsilon 0                                               epsilon 2                                  epsilon 2
s.swapped  eve      4 releases without a guarantee                          -                                          -
s.mixed    (all)    epsilon 0.5, delta 1e-7, 1 release without a guarantee  epsilon 3, 5 releases without a guarantee  epsilon 2.5, 4 releases without a guarantee
s.mixed    ana      0 releases without a guarantee                          3 releases without a guarantee             3 releases without a guarantee
s.mixed    bob      epsilon 0.5, delta 1e-7, 1 release without a guarantee  epsilon 2                                  epsilon 1.5
`, "\n")
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}

	asJSON, err := json.Marshal(lines[4:6])
	if err != nil {
		t.Fatal(err)
	}
	wantJSON := `[{"table":"s.swapped","analyst":"ana","adjacency":"add-remove","spent":{"epsilon":"0","delta":"0","releases":1},` +
		`"budget":{"releases":3},"left":{"releases":2}},` +
		`{"table":"s.swapped","analyst":"bob","adjacency":"add-remove","spent":{"epsilon":"0","delta":"0","releases":0},` +
		`"budget":{"epsilon":"2"},"left":{"epsilon":"2"}}]`
	if diff := cmp.Diff(wantJSON, string(asJSON)); diff != "" {
		t.Error(diff)
	}
}

func TestLogOfReleases(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	entries := []accountant.Entry{
		{ID: 1, At: at, Analyst: "ana", Table: policy.TableName{Schema: "s", Name: "t"}, Verdict: accountant.Charged, SQL: "SELECT 1", Recorded: true, Loss: accountant.Loss{Releases: 1}},
		{ID: 2, At: at, Analyst: "bob", Table: policy.TableName{Schema: "s", Name: "t"}, Verdict: accountant.Charged, SQL: "SELECT 2", Recorded: true, Loss: accountant.Loss{Epsilon: 5e8}},
	}
	var text, asJSON bytes.Buffer
	if err := printLog(&text, entries, false); err != nil {
		t.Fatal(err)
	}
	if err := printLogJSON(&asJSON, entries); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TIME (UTC)           ANALYST  TABLE  VERDICT  LOSS                           STATEMENT
2026-03-01 12:00:00  ana      s.t    charged  1 release without a guarantee  SELECT 1
2026-03-01 12:00:00  bob      s.t    charged  epsilon 0.5                    SELECT 2
`, "\n")
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Error(diff)
	}
	for _, loss := range []string{`"loss":{"epsilon":"0","delta":"0","releases":1}`, `"loss":{"epsilon":"0.5","delta":"0","releases":0}`} {
		if !strings.Contains(asJSON.String(), loss) {
			t.Errorf("no %s in\n%s", loss, asJSON.String())
		}
	}
}
