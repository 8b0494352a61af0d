package release

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
)

// TestShownAmounts wants what analysts read of long amounts: up of what is charged and spent, down of what is left, whatever the rule, and nothing
// that a cap does not name.
func TestShownAmounts(t *testing.T) {
	left := accountant.Loss{Epsilon: 1_500_019_999, Delta: 833_333_333_334}
	line := reply.ReceiptLine{
		Charged: accountant.Loss{Epsilon: 500_010_001, Delta: 166_666_666_666},
		Balance: reply.Balance{
			Composition: policy.BasicComposition, Budget: policy.Budget{Epsilon: 3e9, Delta: 1e12}, TableLeft: left, AnalystLeft: &left,
			Capped: accountant.Loss{Epsilon: 2e9}, Window: 24 * time.Hour, Lifetime: accountant.Loss{Epsilon: 500_010_001, Delta: 166_666_666_666},
		},
	}
	if got, want := line.Cost(), "charged epsilon 0.5001, delta 1.667e-7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := "left of 1 day: table epsilon 1.5, delta 8.333e-7, yours epsilon 1.5; spent since the epoch: epsilon 0.5001, delta 1.667e-7"
	if got := line.Balance.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	explained := reply.ExplainedTable{Table: PeopleTable, Loss: line.Charged, Balance: line.Balance, Covered: true}
	for i, want := range []string{
		"Budget of clinic.people", "  Cost: epsilon 0.5001, delta 1.667e-7", "  Left: epsilon 1.5, delta 8.333e-7", "  Left of Yours: epsilon 1.5",
	} {
		if got := explained.Lines()[i]; got != want {
			t.Errorf("EXPLAIN has %s, want %s", got, want)
		}
	}
	over := &accountant.OverBudgetError{Table: PeopleTable, Of: "analyst", Needed: line.Charged, Remaining: left}
	limit := &policy.Budget{Epsilon: 2e9, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}
	if got, want := reply.RefuseOverBudget(over, limit).Detail, "The answer costs epsilon 0.5001, delta 1.667e-7; left: epsilon 1.5. Nothing was charged."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, c := range []struct {
		takes accountant.Loss
		want  string
	}{
		{accountant.Loss{Epsilon: 400_000_000, Delta: 1e11}, "The answer costs epsilon 0.5001, delta 1.667e-7; left: "},
		{accountant.Loss{Epsilon: 2_812_345_678, Delta: 1e11}, "The answer costs epsilon 0.5001, delta 1.667e-7, and takes epsilon 2.813, delta 1e-7 of the budget; left: "},
		{accountant.Loss{Epsilon: math.MaxInt64}, "The answer costs epsilon 0.5001, delta 1.667e-7, and would leave what is spent without a bound; left: "},
	} {
		over.Takes = c.takes
		if got := reply.RefuseOverBudget(over, nil).Detail; !strings.HasPrefix(got, c.want) {
			t.Errorf("%s, want %s...", got, c.want)
		}
	}
}

// TestRemedies: who asked for fresh answers may take others, and who has a window may wait. Time thaws nothing.
func TestRemedies(t *testing.T) {
	const off, wait = "SET tacit.fresh = off: ", "counts for 7 days"
	over, frozen := &accountant.OverBudgetError{Table: PeopleTable, Of: "table"}, &accountant.FrozenError{Table: PeopleTable}
	for _, fresh := range []bool{false, true} {
		for _, window := range []time.Duration{0, 7 * 24 * time.Hour} {
			a := &noisy.Statement{Request: reply.Request{Fresh: fresh}, State: &live.State{Accounting: map[policy.TableName]accountant.Accounting{PeopleTable: {Window: window}}}}
			for _, err := range []error{over, frozen} {
				var r *pgerror.Refusal
				if !errors.As(a.ReserveFailure(t.Context(), err), &r) {
					t.Fatalf("%v is no refusal", err)
				}
				if strings.HasPrefix(r.Hint, off) != fresh || strings.Contains(r.Hint, wait) != (window > 0 && err == over) {
					t.Errorf("fresh %v, window %v: the hint of %q is %q", fresh, window, r.Message, r.Hint)
				}
			}
		}
	}
}

// TestFreshIsOffered: a new answer is offered where it would be better than the derived one, and nobody is asked to pay for the same.
func TestFreshIsOffered(t *testing.T) {
	for _, c := range []struct {
		derived reply.DerivedAnswers
		offered bool
	}{
		{reply.DerivedAnswers{HalfWidth95: 30, Shown: 30}, false},
		{reply.DerivedAnswers{HalfWidth95: 30, Shown: 41}, true},
		{reply.DerivedAnswers{HalfWidth95: 30, Shown: 30, LeftOut: []string{"sex"}}, true},
	} {
		line := reply.ReceiptLine{Table: PeopleTable, Derived: &c.derived}
		e := &reply.Explanation{Questions: []reply.ExplainedQuestion{{Derived: &c.derived}}}
		noticed, explained := strings.Contains(line.String(), "; SET tacit.fresh"), strings.Contains(strings.Join(e.Lines(), "\n"), "\n  Fresh: SET tacit.fresh")
		if noticed != c.offered || explained != c.offered || strings.Contains(line.String(), "; ;") {
			t.Errorf("%+v: the notice is %s, EXPLAIN %q", c.derived, line, e.Lines())
		}
	}
}
