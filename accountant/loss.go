package accountant

import (
	"fmt"
	"math"

	"tacit/policy"
)

// A Loss is the price of a release: it is (epsilon, delta)-differentially private under the adjacency of its table. Losses under
// different adjacencies do not add up; Ledger.Reserve keeps them apart.
//
// Both amounts are integers, so that a sum of losses is exact. Whoever turns a real number into a Loss rounds it up.
//
// An amount of math.MaxInt64 stands for infinity.
type Loss struct {
	Epsilon policy.Epsilon
	Delta   policy.Delta
}

// Add composes l with m: basic composition (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006, Theorem 1; it holds for mechanisms
// chosen adaptively) adds both amounts. A sum that does not fit is infinite: it never wraps round to a small one.
func (l Loss) Add(m Loss) Loss {
	return Loss{
		Epsilon: policy.Epsilon(addAmounts(int64(l.Epsilon), int64(m.Epsilon))),
		Delta:   policy.Delta(addAmounts(int64(l.Delta), int64(m.Delta))),
	}
}

// Exceeds says whether l is more than the budget in either amount. An infinite amount exceeds every budget.
func (l Loss) Exceeds(b policy.Budget) bool {
	return l.Epsilon > b.Epsilon || l.Epsilon == math.MaxInt64 || l.Delta > b.Delta || l.Delta == math.MaxInt64
}

// Remaining is what is left of the budget after l was spent, never below zero.
func (l Loss) Remaining(b policy.Budget) Loss {
	return Loss{Epsilon: max(0, b.Epsilon-l.Epsilon), Delta: max(0, b.Delta-l.Delta)}
}

// String shows both amounts, or epsilon alone if delta is zero.
func (l Loss) String() string {
	if l.Delta == 0 {
		return "epsilon " + l.Epsilon.String()
	}
	return fmt.Sprintf("epsilon %v, delta %v", l.Epsilon, l.Delta)
}

// valid says whether both amounts can be charged: neither negative nor infinite.
func (l Loss) valid() bool {
	return l.Epsilon >= 0 && l.Epsilon < math.MaxInt64 && l.Delta >= 0 && l.Delta < math.MaxInt64
}

// addAmounts adds amounts that are never negative; an overflowing sum is infinite.
func addAmounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
