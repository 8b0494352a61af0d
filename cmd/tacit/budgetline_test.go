package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/books"
)

// visits is a table of which everything is used that a budget can have.
func visits() (*policy.Table, accountant.Accounting) {
	t := &policy.Table{
		Name: policy.TableName{Schema: "s", Name: "visits"}, Adjacency: policy.AddRemove, Budget: policy.Budget{Epsilon: 3e9, Delta: 1e12},
		Composition: policy.PLDComposition, Window: 30 * 24 * time.Hour,
	}
	return t, accountant.Accounting{Table: t.Name, Adjacency: t.Adjacency, Budget: t.Budget, Composition: t.Composition, Window: t.Window}
}

// visitsLines are a table's line and an analyst's, with amounts of more digits than people read.
func visitsLines() []books.Line {
	t, a := visits()
	spent, lifetime := accountant.Loss{Epsilon: 1_234_500_001, Delta: 5e11}, accountant.Loss{Epsilon: 3_870_000_001, Delta: 5e11}
	budget := policy.Budget{Epsilon: 4e9, Delta: 1e12}
	whole := accountant.Balance{
		Epoch: 2, Budget: budget, Spent: spent, Left: spent.Remaining(budget), Lifetime: lifetime, Block: "2024-03",
		Blocks: []accountant.BlockBalance{
			{Name: "2024-02", Spent: accountant.Loss{Epsilon: 1e9, Delta: 5e11}, Left: accountant.Loss{Epsilon: 3e9, Delta: 5e11}},
			{Name: "2024-03", Spent: spent, Left: spent.Remaining(budget)},
		},
		Earlier: []accountant.EpochTotal{{Epoch: 1, Ended: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Reason: "moved", Spent: accountant.Loss{Epsilon: 2e9}}},
	}
	limit := &policy.Budget{Epsilon: 1e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}
	own := whole
	own.Own, own.OwnLifetime, own.Cap, own.Frozen = accountant.Loss{Epsilon: 123_456, Delta: 5e11}, accountant.Loss{Epsilon: 223_456, Delta: 5e11}, limit, "asks for\nhouses"
	return []books.Line{books.NewTableLine(t, a, whole), books.NewAnalystLine(t, a, "ana", limit, own)}
}

// TestBudgetText rounds what is spent up and what is left down, and has the columns that are needed.
func TestBudgetText(t *testing.T) {
	var text bytes.Buffer
	if err := printBudget(&text, visitsLines(), budgetView{blocks: true}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TABLE     ANALYST          SPENT                          BUDGET                 LEFT                          RULE
s.visits  (all)            epsilon 1.235, delta 5e-7      epsilon 4, delta 1e-6  epsilon 2.765, delta 5e-7     pld
    epsilon 1 granted; lifetime epsilon 3.871, delta 5e-7; window 30d; fullest block 2024-03; epoch 2
s.visits  (block 2024-02)  epsilon 1, delta 5e-7          epsilon 4, delta 1e-6  epsilon 3, delta 5e-7
s.visits  (block 2024-03)  epsilon 1.235, delta 5e-7      epsilon 4, delta 1e-6  epsilon 2.765, delta 5e-7
s.visits  ana              epsilon 0.0001235, delta 5e-7  epsilon 1              epsilon 0.9998                pld
    frozen: asks for houses; lifetime epsilon 0.0002235, delta 5e-7
`, "\n")
	same(t, strings.Fields(want), strings.Fields(text.String()))
	checkColumns(t, text.String())
}

// checkColumns fails if a line is wider than a terminal.
func checkColumns(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if utf8.RuneCountInString(line) > budgetWidth+1 {
			t.Errorf("a line of more than %d columns: %s", budgetWidth, line)
		}
	}
}

// TestBudgetFits shows long names, hides analysts who spent nothing unless they are asked for, and has a forecast.
func TestBudgetFits(t *testing.T) {
	lines := visitsLines()
	lines[0].Rate = &assess.Rate{PerDay: 123_456_789, Days: 30, DaysLeft: 22}
	idle := lines[1]
	idle.Analyst, idle.Frozen, idle.WindowDays, idle.Exact.Spent, idle.Exact.Lifetime = "bob", "", 0, accountant.Loss{}, accountant.Loss{}
	for i := range lines {
		lines[i].Table = "a_schema_with_a_long_name.a_table_with_a_very_long_name"
	}
	lines = append(lines, idle)
	for all, want := range map[bool]string{false: "Analysts who spent nothing are not shown: 1 (--all).", true: "bob"} {
		var text bytes.Buffer
		if err := printBudget(&text, lines, budgetView{blocks: true, all: all}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), want) || strings.Contains(text.String(), "bob") != all {
			t.Errorf("all %t:\n%s", all, text.String())
		}
		if !strings.Contains(strings.Join(strings.Fields(text.String()), " "), "epsilon 0.1235 a day in the last 30 days: the rest lasts 22 days at that rate") {
			t.Errorf("no forecast:\n%s", text.String())
		}
		checkColumns(t, text.String())
	}
}

// TestBudgetJSON has all digits, and what text leaves out.
func TestBudgetJSON(t *testing.T) {
	lines := visitsLines()
	for i, want := range []string{
		`{"table":"s.visits","adjacency":"add-remove","composition":"pld","epoch":2,` +
			`"spent":{"epsilon":"1.234500001","delta":"5e-7","releases":0},"budget":{"epsilon":"4","delta":"1e-6","releases":0},` +
			`"left":{"epsilon":"2.765499999","delta":"5e-7","releases":0},"granted":{"epsilon":"1","delta":"0","releases":0},"window_days":30,` +
			`"lifetime":{"epsilon":"3.870000001","delta":"5e-7","releases":0},"block":"2024-03","blocks":[` +
			`{"block":"2024-02","spent":{"epsilon":"1","delta":"5e-7","releases":0},"left":{"epsilon":"3","delta":"5e-7","releases":0}},` +
			`{"block":"2024-03","spent":{"epsilon":"1.234500001","delta":"5e-7","releases":0},"left":{"epsilon":"2.765499999","delta":"5e-7","releases":0}}],` +
			`"earlier":[{"epoch":1,"ended":"2026-01-02T03:04:05Z","reason":"moved","spent":{"epsilon":"2","delta":"0","releases":0}}]}`,
		`{"table":"s.visits","analyst":"ana","adjacency":"add-remove","composition":"pld","epoch":2,"frozen":"asks for\nhouses",` +
			`"spent":{"epsilon":"0.000123456","delta":"5e-7","releases":0},"budget":{"epsilon":"1"},"left":{"epsilon":"0.999876544"},"window_days":30,` +
			`"lifetime":{"epsilon":"0.000223456","delta":"5e-7","releases":0}}`,
	} {
		got, err := json.Marshal(lines[i])
		if err != nil {
			t.Fatal(err)
		}
		same(t, want, string(got))
	}
}

// TestBudgetWithoutExtras shows no column that nothing is in.
func TestBudgetWithoutExtras(t *testing.T) {
	table, a := visits()
	table.Window, a.Window = 0, 0
	spent := accountant.Loss{Epsilon: 5e8}
	var text bytes.Buffer
	line := books.NewTableLine(table, a, accountant.Balance{Epoch: 1, Budget: table.Budget, Spent: spent, Left: spent.Remaining(table.Budget), Lifetime: spent})
	if err := printBudget(&text, []books.Line{line}, budgetView{}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimLeft(`
TABLE     ANALYST  SPENT        BUDGET                 LEFT                     RULE
s.visits  (all)    epsilon 0.5  epsilon 3, delta 1e-6  epsilon 2.5, delta 1e-6  pld
`, "\n")
	same(t, want, text.String())
}

// TestGrantText names what is granted, and nothing that is not.
func TestGrantText(t *testing.T) {
	for _, c := range []struct {
		granted accountant.Loss
		want    string
	}{
		{accountant.Loss{Epsilon: 5e8}, "epsilon 0.5"},
		{accountant.Loss{Delta: 1e12}, "delta 1e-6"},
		{accountant.Loss{Epsilon: 5e8, Delta: 1e12}, "epsilon 0.5, delta 1e-6"},
		{accountant.Loss{Delta: 1e12, Releases: 2}, "delta 1e-6, 2 releases without a guarantee"},
		{accountant.Loss{Releases: 1}, "1 release without a guarantee"},
	} {
		if got := books.GrantText(c.granted); got != c.want {
			t.Errorf("%+v: %q, want %q", c.granted, got, c.want)
		}
	}
}
