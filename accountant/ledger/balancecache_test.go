package ledger

import (
	"context"
	"testing"
	"time"

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

// TestStandingBehindTheClock asks at a clock that is behind the ledger's last entry, as that of another proxy may be, and then where it has come up to
// it: what was kept for the earlier day is not shown on the later one, though nothing has happened to the table.
func TestStandingBehindTheClock(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	day := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(days int) { l.setClock(func() time.Time { return day.AddDate(0, 0, days) }) }
	at(0)
	c := charge("ana", "a", accountant.Loss{Epsilon: 1})
	_, err := l.Reserve(ctx, c)
	do(t, err)
	at(3)
	_, err = l.Freeze(ctx, Freeze{Table: visits, By: "root", Reason: "an entry"})
	do(t, err)
	c.Window = 24 * time.Hour
	for _, want := range []struct {
		days  int
		spent policy.Epsilon
	}{{0, 1}, {3, 0}, {0, 1}} {
		at(want.days)
		if got, err := l.Balance(ctx, c.Accounting, "ana", nil); err != nil || got.Spent.Epsilon != want.spent {
			t.Errorf("after %d days: %+v, %v", want.days, got, err)
		}
	}
}
