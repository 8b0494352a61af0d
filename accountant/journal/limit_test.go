package journal

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"tacit/accountant"
	"tacit/policy"
)

// The parts of a raised delta are the policy's, rounded down for thresholds, and neither ever shrinks: what was covered stays so.
func TestRaised(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		var a accountant.Accounting
		a.Budget.Delta = policy.Delta(random.Int64N(int64(policy.MaxDelta)))
		a.Thresholds = policy.Delta(random.Int64N(int64(a.Budget.Delta) + 1))
		granted := policy.Delta(random.Int64N(int64(policy.OneDelta)))
		one, more := raised(a, accountant.Loss{Delta: granted}), raised(a, accountant.Loss{Delta: granted + policy.Delta(random.Int64N(1e15))})
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
	if a := raised(accountant.Accounting{}, accountant.Loss{Delta: 5}); a.Thresholds != 0 || a.Budget.Delta != 5 {
		t.Errorf("of nothing: %+v", a)
	}
}
