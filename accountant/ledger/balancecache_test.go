package ledger

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

// TestStandingIsPresent asks how a table stands after each thing that can happen to it, and compares with a reader that was opened just now:
// a balance that was kept for too long differs.
func TestStandingIsPresent(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	limit := &policy.Budget{Epsilon: 10, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: policy.NoRiskCap}
	a := charge("ana", "", accountant.Loss{}).Accounting
	freeze := Freeze{Table: patients, Analyst: "ana", By: "root", Reason: "a test"}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"nothing", func() error { return nil }},
		{"a charge", func() error { _, err := l.Reserve(ctx, charge("ana", "a", accountant.Loss{Epsilon: 1})); return err }},
		{"another analyst's", func() error { _, err := l.Reserve(ctx, charge("bob", "b", accountant.Loss{Epsilon: 1})); return err }},
		{"a grant", func() error {
			_, err := l.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 3}, By: "root", Reason: "a test"})
			return err
		}},
		{"a freeze", func() error { _, err := l.Freeze(ctx, freeze); return err }},
		{"a thaw", func() error { _, err := l.Thaw(ctx, freeze); return err }},
		{"a risk", func() error {
			_, err := l.AppendAudit(ctx, accountant.AuditEntry{Analyst: "ana", Table: patients, Kind: "k", TableBudget: policy.Budget{Risk: 10}, Risk: 3})
			return err
		}},
	} {
		do(t, step.do())
		for _, analyst := range []string{"ana", "bob", ""} {
			for range 2 { // composed, and kept
				got, err := l.Balance(ctx, a, analyst, limit)
				do(t, err)
				r, err := look(path)
				do(t, err)
				want, err := r.Balance(ctx, a, analyst, limit)
				do(t, err)
				do(t, r.Close())
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("after %s, of %q:\n%s", step.name, analyst, diff)
				}
			}
		}
	}
	epoch := policy.TableName{Schema: "s", Name: "epochs"}
	a.Table = epoch
	c := charge("ana", "c", accountant.Loss{Epsilon: 1})
	c.Accounting, c.Items[0].Table = a, epoch
	_, err := l.Reserve(ctx, c)
	do(t, err)
	before, err := l.Balance(ctx, a, "ana", nil)
	do(t, err)
	_, err = l.OpenEpoch(ctx, epoch, "root", "a test")
	do(t, err)
	after, err := l.Balance(ctx, a, "ana", nil)
	do(t, err)
	if before.Spent.Epsilon != 1 || after.Spent.Epsilon != 0 || after.Epoch != 2 {
		t.Errorf("before the epoch %+v, in it %+v", before, after)
	}
}
