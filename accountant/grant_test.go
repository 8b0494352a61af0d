package accountant

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"tacit/accountant/composition"
	"tacit/policy"
)

// composed is a charge for a count of epsilon 0.5 and a delta, under a rule other than basic: epsilon 1, and delta 1e-6 in halves.
func composed(text string, delta policy.Delta) Charge {
	c := charge("ana", text, Loss{Epsilon: 5e8, Delta: delta})
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
		var refused *GrantError
		if err := try(); !errors.As(err, &refused) || refused.Delta <= policy.MaxDelta {
			t.Errorf("%s: error %v, want a GrantError", name, err)
		}
	}
	do(t, grantDelta(l, to, "", policy.MaxDelta/2))
	do(t, grantDelta(l, limit, "ana", policy.MaxDelta/2))
	var refused *GrantError
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
	forged := about(kindGranted, patients, "")
	forged.body = marshal(actBody{By: "root", Reason: "x", Amounts: &amounts{Delta: 25e17}})
	do(t, l.do(ctx, func(p *plan) error { p.add(forged); return nil }))
	for i := range 1000 {
		var over *OverBudgetError
		if _, err = l.Reserve(ctx, composed(fmt.Sprint(i), 0)); errors.As(err, &over) {
			break
		}
		do(t, err)
	}
	if err == nil {
		t.Error("1000 counts of epsilon 0.5 fit into epsilon 1")
	}
	s, err := l.Standing(ctx, composed("x", 0).Accounting, "ana", nil)
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
		var refused *OverBudgetError
		_, err := l.Reserve(ctx, composed(text, delta))
		if !errors.As(err, &refused) {
			do(t, err)
		}
		return refused != nil
	}
	if over("a", 4e11) || !over("b", 4e11) {
		t.Error("half of delta does not hold one threshold and not two")
	}
	before, err := l.Standing(ctx, composed("x", 0).Accounting, "ana", nil)
	do(t, err)
	do(t, grantDelta(l, composed("x", 0).Budget, "", 1e12))
	after, err := l.Standing(ctx, composed("x", 0).Accounting, "ana", nil)
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

// The parts of a raised delta are the policy's, rounded down for thresholds, and neither ever shrinks: what was covered stays so.
func TestRaised(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var a Accounting
		a.Budget.Delta = policy.Delta(random.Int64N(int64(policy.MaxDelta)))
		a.Thresholds = policy.Delta(random.Int64N(int64(a.Budget.Delta) + 1))
		granted := policy.Delta(random.Int64N(int64(policy.OneDelta)))
		one, more := a.raised(Loss{Delta: granted}), a.raised(Loss{Delta: granted + policy.Delta(random.Int64N(1e15))})
		want := new(big.Int).Mul(big.NewInt(int64(a.Thresholds)), big.NewInt(int64(one.Budget.Delta)))
		if a.Budget.Delta > 0 {
			want.Div(want, big.NewInt(int64(a.Budget.Delta)))
		}
		switch {
		case one.Budget.Delta != min(a.Budget.Delta+granted, policy.MaxDelta):
			t.Fatalf("%v of %+v is %+v", granted, a, one)
		case a.Budget.Delta > 0 && int64(one.Thresholds) != want.Int64():
			t.Fatalf("%v of %+v has %d for thresholds, want %v", granted, a, one.Thresholds, want)
		case more.Thresholds < one.Thresholds || more.Budget.Delta-more.Thresholds < one.Budget.Delta-one.Thresholds:
			t.Fatalf("%+v became %+v", one, more)
		}
	}
	if a := (Accounting{}).raised(Loss{Delta: 5}); a.Thresholds != 0 || a.Budget.Delta != 5 {
		t.Errorf("of nothing: %+v", a)
	}
}
