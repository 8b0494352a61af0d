package ledger

import (
	"context"
	"strings"
	"testing"

	"tacit/accountant"
)

// That a steward was shown true counts, or has decided something, is written down with what it is about, by whom and why. It changes no budget, and
// verification knows it.
func TestInspect(t *testing.T) {
	ctx, path := context.Background(), newPath(t)
	l := open(t, path)
	reserve(t, l, charge("ana", "q", accountant.Loss{Epsilon: 5e8}))
	before, err := l.Balance(ctx, charge("ana", "q", accountant.Loss{Epsilon: 5e8}).Accounting, "ana", nil)
	do(t, err)
	for _, wrong := range []Inspection{
		{Table: patients, By: "stan", Reason: "x"}, {Table: patients, SQL: "SELECT 1", Reason: "x"}, {Table: patients, SQL: "SELECT 1", By: "stan"},
		{SQL: "SELECT 1", By: "stan", Reason: "x"}, {Table: patients, SQL: "a\x00", By: "stan", Reason: "x"},
	} {
		if _, err := l.Inspect(ctx, wrong); err == nil {
			t.Errorf("%+v is written", wrong)
		}
	}
	entry, err := l.Inspect(ctx, Inspection{Table: patients, SQL: "SELECT " + strings.Repeat("x", 5000), By: "stan", Reason: "the yearly review"})
	do(t, err)
	after, err := l.Balance(ctx, charge("ana", "q", accountant.Loss{Epsilon: 5e8}).Accounting, "ana", nil)
	do(t, err)
	if before.Spent != after.Spent || before.Left != after.Left || before.Own != after.Own {
		t.Errorf("an inspection changes a balance from %+v to %+v", before, after)
	}
	for _, wrong := range []Resolution{{Table: patients, By: "stan", Reason: "x"}, {Table: patients, What: "x", Reason: "x"}, {Table: patients, What: "x", By: "stan"}, {What: "x", By: "stan", Reason: "x"}, {Table: patients, What: "a\x00", By: "stan", Reason: "x"}} {
		if _, err := l.Resolve(ctx, wrong); err == nil {
			t.Errorf("%+v is written", wrong)
		}
	}
	acts, err := l.Log(ctx, LogFilter{Acts: true})
	do(t, err)
	if len(acts) != 1 || acts[0].ID != entry || acts[0].Verdict != Inspected || acts[0].By != "stan" || acts[0].Reason != "the yearly review" || len(acts[0].SQL) > 2000 ||
		!strings.HasPrefix(acts[0].SQL, "SELECT x") {
		t.Errorf("the log has %.300v", acts)
	}
	decided, err := l.Resolve(ctx, Resolution{Table: patients, What: "epsilon 0.5", By: "stan", Reason: "it does for the report"})
	do(t, err)
	resolved, err := l.Balance(ctx, charge("ana", "q", accountant.Loss{Epsilon: 5e8}).Accounting, "ana", nil)
	do(t, err)
	if resolved.Spent != after.Spent || resolved.Left != after.Left || resolved.Own != after.Own {
		t.Errorf("a decision changes a balance from %+v to %+v", after, resolved)
	}
	acts, err = l.Log(ctx, LogFilter{Acts: true})
	do(t, err)
	if len(acts) != 2 || acts[0].ID != decided || acts[0].Verdict != Resolved || acts[0].SQL != "epsilon 0.5" || acts[0].By != "stan" || acts[0].Reason != "it does for the report" {
		t.Errorf("the log has %.300v", acts)
	}
	found, err := l.Verify(ctx, func(int64, int64) {})
	do(t, err)
	if len(found.Problems) > 0 {
		t.Errorf("problems: %v", found.Problems)
	}
}
