package release

import (
	"context"
	"errors"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite"
)

// TestReleasesWithoutGuarantee has some of them in the ledger: reports, receipts and explanations tell how many there were and may be,
// and no epsilon is the less for them.
func TestReleasesWithoutGuarantee(t *testing.T) {
	w := newWard(t)
	changed := w.changed(func(table *policy.Table) { table.Budget.Releases = 5 })
	changed.Analysts = append([]policy.Analyst{}, changed.Analysts...)
	for i := range changed.Analysts {
		if a := &changed.Analysts[i]; a.Name == "ward_ana" {
			a.Budget = &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: 3}
		}
	}
	w.Policy = changed
	d := w.open()
	people := changed.Tables[0].Name
	charge := accountant.Charge{
		Analyst: "ward_ana", SQL: "SELECT", Accounting: live.Accounting(changed.Tables[0]),
		Items: []accountant.Item{{Question: accountant.Question{Table: people, Text: "count"}, Loss: accountant.Loss{Releases: 2}, Mechanism: "m"}},
	}
	ana, _ := changed.Analyst("ward_ana")
	charge.Cap = ana.Budget
	ctx := context.Background()
	if _, err := d.monitor.Ledger.Reserve(ctx, charge); err != nil {
		t.Fatal(err)
	}
	w.expectReport(d, "ward_ana", rewrite.BudgetReport, `
clinic|people|1000|0|1000|1e-8|0|1e-8|NULL|0|NULL|NULL|0|NULL|5|2|3|3|2|1|0|0|0|0|0|0|pld|0|0|NULL|1|NULL|
clinic|staff|30|0|30|0|0|0|NULL|0|NULL|NULL|0|NULL|0|0|0|3|0|3|0|0|0|0|0|0|pld|0|0|NULL|1|NULL|
`)
	w.expectReport(d, "ward_bob", rewrite.BudgetReport, `
clinic|people|1000|0|1000|1e-8|0|1e-8|40|0|40|NULL|0|NULL|5|2|3|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
clinic|staff|30|0|30|0|0|0|40|0|40|NULL|0|NULL|0|0|0|NULL|0|NULL|0|0|0|NULL|0|NULL|pld|0|0|NULL|1|NULL|
`)
	w.expectReport(d, "ward_ana", rewrite.HistoryReport, "time|clinic|people|charged|0|0|NULL|SELECT|2|0|NULL|\n")

	_, receipt, err := w.ask(d, "ward_ana", "SELECT count(*) FROM clinic.people")
	if err != nil {
		t.Fatal(err)
	}
	const left = "charged epsilon 20; left: table epsilon 980, delta 5e-9, 3 releases without a guarantee, " +
		"yours 1 release without a guarantee"
	if notice := receipt.Notice(); !strings.HasSuffix(notice, left) {
		t.Errorf("the receipt is %s", notice)
	}
	e, err := w.explain(d, "ward_ana", "SELECT count(sex) FROM clinic.people")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Join(e.Lines(), "\n"); !strings.Contains(lines, "Left: epsilon 980, delta 5e-9, 3 releases without a guarantee\n") ||
		!strings.Contains(lines, "Left of Yours: 1 release without a guarantee\n") {
		t.Errorf("it is explained as\n%s", lines)
	}
	if text, err := e.JSON(); err != nil || !strings.Contains(text, `"Releases": 3`) {
		t.Errorf("in JSON as %s, %v", text, err)
	}

	charge.Items[0].Key[0]++ // another question
	var over *accountant.OverBudgetError
	if _, err := d.monitor.Ledger.Reserve(ctx, charge); !errors.As(err, &over) {
		t.Fatalf("four of three releases: %v", err)
	}
	refusal := reply.RefuseOverBudget(over, nil)
	const detail = "The answer costs 2 releases without a guarantee; left: 1 release without a guarantee. Nothing was charged."
	if refusal.Message != "your privacy budget on table clinic.people does not cover this answer" || refusal.Detail != detail {
		t.Errorf("it is refused with %s\n%s", refusal.Message, refusal.Detail)
	}
}
