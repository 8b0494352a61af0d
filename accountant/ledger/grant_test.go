package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/policy"
)

// composed is a charge for a count of epsilon 0.5 and a delta, under a rule other than basic: epsilon 1, and delta 1e-6 in halves.
func composed(text string, delta policy.Delta) accountant.Charge {
	c := charge("ana", text, accountant.Loss{Epsilon: 5e8, Delta: delta})
	c.Composition, c.Budget, c.Thresholds = policy.PLDComposition, policy.Budget{Epsilon: 1e9, Delta: 1e12}, 5e11
	c.Main = composition.Term{Noise: composition.GeometricNoise, Epsilon: 5e8, Moves: 1}
	c.Items[0].Term = c.Main
	c.Items[0].Term.Delta = delta
	return c
}

func grantDelta(l *Ledger, to policy.Budget, analyst string, delta policy.Delta) error {
	_, err := l.Grant(context.Background(), Grant{
		Table: patients, Analyst: analyst, To: to, Budget: policy.Budget{Delta: delta}, By: "root", Reason: "x",
	})
	return err
}

// A delta of a budget is at most policy.MaxDelta, however it is put together: what is granted cannot be taken back.
func TestGrantOfMuchDelta(t *testing.T) {
	l := open(t, newPath(t))
	to := policy.Budget{Epsilon: 1e9, Delta: 1e12}
	limit := policy.Budget{Epsilon: 1e9, Delta: 1e12, Releases: policy.NoReleasesCap}
	for name, try := range map[string]func() error{
		"at once":          func() error { return grantDelta(l, to, "", policy.MaxDelta) },
		"2":                func() error { return grantDelta(l, to, "", 2*policy.OneDelta) },
		"nearly infinite":  func() error { return grantDelta(l, to, "", math.MaxInt64-1) },
		"an analyst's":     func() error { return grantDelta(l, limit, "ana", policy.MaxDelta) },
		"no policy's":      func() error { return grantDelta(l, policy.Budget{}, "", policy.MaxDelta+1) },
		"upon the largest": func() error { return grantDelta(l, policy.Budget{Delta: policy.MaxDelta}, "", 1) },
	} {
		var refused *grantError
		if err := try(); !errors.As(err, &refused) || refused.Delta <= policy.MaxDelta {
			t.Errorf("%s: error %v, want a GrantError", name, err)
		}
	}
	do(t, grantDelta(l, to, "", policy.MaxDelta/2))
	do(t, grantDelta(l, limit, "ana", policy.MaxDelta/2))
	var refused *grantError
	if err := grantDelta(l, to, "", policy.MaxDelta/2); !errors.As(err, &refused) {
		t.Errorf("in two parts: error %v, want a GrantError", err)
	}
	if err := grantDelta(l, policy.Budget{Delta: policy.NoDeltaCap}, "ana", 1); err == nil || errors.As(err, &refused) {
		t.Errorf("of what has no bound: error %v", err)
	}
	_, err := l.Grant(context.Background(), Grant{Table: patients, To: to, Budget: policy.Budget{Epsilon: math.MaxInt64 - 1}, By: "root", Reason: "x"})
	if err == nil {
		t.Error("an epsilon without a bound was granted")
	}
	_, err = l.Grant(context.Background(), Grant{Table: patients, To: policy.Budget{Delta: policy.MaxDelta}, Budget: policy.Budget{Epsilon: 1}, By: "root", Reason: "x"})
	do(t, err) // no delta
	if entries, err := l.Log(context.Background(), LogFilter{Verdict: Granted}); err != nil || len(entries) != 3 {
		t.Errorf("%d grants, error %v; want 3", len(entries), err)
	}
}

// A ledger that has such a grant all the same promises no less than with the largest delta, and does not pass for sound.
func TestMuchDeltaBuysNothing(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	forged := journal.NewEntry(journal.KindGranted, patients, "")
	forged.Body = journal.Marshal(journal.ActionBody{By: "root", Reason: "x", Amounts: &journal.Amounts{Delta: 25e17}})
	do(t, l.do(ctx, func(p *batch) error { p.Add(forged); return nil }))
	for i := range 1000 {
		var over *accountant.OverBudgetError
		if _, err = l.Reserve(ctx, composed(fmt.Sprint(i), 0)); errors.As(err, &over) {
			break
		}
		do(t, err)
	}
	if err == nil {
		t.Error("1000 counts of epsilon 0.5 fit into epsilon 1")
	}
	s, err := l.Balance(ctx, composed("x", 0).Accounting, "ana", nil)
	do(t, err)
	if s.Budget.Delta != policy.MaxDelta || s.Spent.Delta > policy.MaxDelta || s.Spent.Epsilon < 5e8 {
		t.Errorf("the standing is %+v", s)
	}
	v, err := l.Verify(ctx, nil)
	do(t, err)
	if len(v.Problems) != 1 || !strings.Contains(v.Problems[0].Text, "delta 2.500001") {
		t.Errorf("the problems are %v", v.Problems)
	}
	closeLedger(t, l)
}

// A grant of delta serves thresholds and composition, in the policy's parts.
func TestGrantOfDeltaIsDivided(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	over := func(text string, delta policy.Delta) bool {
		var refused *accountant.OverBudgetError
		_, err := l.Reserve(ctx, composed(text, delta))
		if !errors.As(err, &refused) {
			do(t, err)
		}
		return refused != nil
	}
	if over("a", 4e11) || !over("b", 4e11) {
		t.Error("half of delta does not hold one threshold and not two")
	}
	before, err := l.Balance(ctx, composed("x", 0).Accounting, "ana", nil)
	do(t, err)
	do(t, grantDelta(l, composed("x", 0).Budget, "", 1e12))
	after, err := l.Balance(ctx, composed("x", 0).Accounting, "ana", nil)
	do(t, err)
	if after.Budget.Delta != 2e12 || after.Spent.Delta != before.Spent.Delta+5e11 || after.Left.Delta != before.Left.Delta+5e11 {
		t.Errorf("it stood %+v, and stands %+v", before, after)
	}
	if over("b", 4e11) {
		t.Error("half of what was granted does not hold a threshold")
	}
	if !over("c", 4e11) {
		t.Error("all of it was for thresholds")
	}
}
