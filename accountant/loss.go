package accountant

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"tacit/policy"
)

// A Loss is the price of a release: it is (epsilon, delta)-differentially private under the adjacency of its table. Losses under
// different adjacencies do not add up; Ledger.Reserve keeps them apart.
//
// A release without a useful guarantee has no such price, and an epsilon that named one for it would be a lie. It is counted instead,
// in an amount of its own: a table's (epsilon, delta) bounds what its other releases tell, and says nothing about these.
//
// All amounts are integers, so that a sum of losses is exact. Whoever turns a real number into a Loss rounds it up.
//
// An amount of math.MaxInt64 stands for infinity.
type Loss struct {
	Epsilon policy.Epsilon
	Delta   policy.Delta
	// Releases is the number of releases that no epsilon describes.
	Releases int64
	// Risk bounds the probability that exact counts expose somebody, see policy.Auditor. Risks add up (the probability of a union is at
	// most the sum), and to nothing else: a guarantee about an attacker with a certain prior says nothing about epsilons and deltas.
	Risk policy.Risk
}

// Add composes l with m: basic composition (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006, Theorem 1; it holds for mechanisms
// chosen adaptively) adds epsilons and deltas. A sum that does not fit is infinite: it never wraps round to a small one.
func (l Loss) Add(m Loss) Loss {
	return Loss{
		Epsilon:  policy.Epsilon(addAmounts(int64(l.Epsilon), int64(m.Epsilon))),
		Delta:    policy.Delta(addAmounts(int64(l.Delta), int64(m.Delta))),
		Releases: addAmounts(l.Releases, m.Releases),
		Risk:     policy.Risk(addAmounts(int64(l.Risk), int64(m.Risk))),
	}
}

// Exceeds says whether l is more than the budget in any amount. An infinite amount exceeds every budget.
func (l Loss) Exceeds(b policy.Budget) bool {
	return exceeds(int64(l.Epsilon), int64(b.Epsilon)) || exceeds(int64(l.Delta), int64(b.Delta)) ||
		exceeds(l.Releases, b.Releases) || exceeds(int64(l.Risk), int64(b.Risk))
}

// Remaining is what is left of the budget after l was spent, never below zero. Of an amount that a cap does not name infinity is left.
func (l Loss) Remaining(b policy.Budget) Loss {
	return Loss{
		Epsilon:  policy.Epsilon(remaining(int64(b.Epsilon), int64(l.Epsilon))),
		Delta:    policy.Delta(remaining(int64(b.Delta), int64(l.Delta))),
		Releases: remaining(b.Releases, l.Releases),
		Risk:     policy.Risk(remaining(int64(b.Risk), int64(l.Risk))),
	}
}

// LeftOfCap is what is left of an analyst's cap after own was spent of it. An amount that the cap does not name is bounded by what is
// left of the table's budget.
func LeftOfCap(limit policy.Budget, own, leftOfTable Loss) Loss {
	left := own.Remaining(limit)
	if limit.Epsilon == policy.NoEpsilonCap {
		left.Epsilon = leftOfTable.Epsilon
	}
	if limit.Delta == policy.NoDeltaCap {
		left.Delta = leftOfTable.Delta
	}
	if limit.Releases == policy.NoReleasesCap {
		left.Releases = leftOfTable.Releases
	}
	if limit.Risk == policy.NoRiskCap {
		left.Risk = leftOfTable.Risk
	}
	return left
}

// Named are the amounts of a budget; of those that a cap does not name, 0.
func Named(b policy.Budget) Loss {
	named := Loss(b)
	if named.Epsilon == policy.NoEpsilonCap {
		named.Epsilon = 0
	}
	if named.Delta == policy.NoDeltaCap {
		named.Delta = 0
	}
	if named.Releases == policy.NoReleasesCap {
		named.Releases = 0
	}
	if named.Risk == policy.NoRiskCap {
		named.Risk = 0
	}
	return named
}

// most has the larger of each amount, and least the smaller.
func most(a, b Loss) Loss {
	return Loss{max(a.Epsilon, b.Epsilon), max(a.Delta, b.Delta), max(a.Releases, b.Releases), max(a.Risk, b.Risk)}
}

func least(a, b Loss) Loss {
	return Loss{min(a.Epsilon, b.Epsilon), min(a.Delta, b.Delta), min(a.Releases, b.Releases), min(a.Risk, b.Risk)}
}

// String shows the amounts that are not zero, and epsilon unless there are only releases without a guarantee or a risk.
func (l Loss) String() string { return l.Only(l) }

// Only shows those amounts of l that m has: what is left, say, of the amounts that a budget names or a charge needs. An epsilon is
// shown unless m has only releases without a guarantee or a risk.
func (l Loss) Only(m Loss) string {
	var amounts []string
	if m.Epsilon != 0 || m.Delta != 0 || m.Releases == 0 && m.Risk == 0 {
		amounts = append(amounts, "epsilon "+l.Epsilon.String())
	}
	if m.Delta != 0 {
		amounts = append(amounts, "delta "+l.Delta.String())
	}
	switch {
	case m.Releases == 0:
	case l.Releases == 1:
		amounts = append(amounts, "1 release without a guarantee")
	default:
		amounts = append(amounts, fmt.Sprintf("%d releases without a guarantee", l.Releases))
	}
	if m.Risk != 0 {
		amounts = append(amounts, "risk "+l.Risk.String())
	}
	return strings.Join(amounts, ", ")
}

// IsChargeable says whether all amounts can be charged: neither negative nor infinite.
func (l Loss) IsChargeable() bool {
	return finite(int64(l.Epsilon)) && finite(int64(l.Delta)) && finite(l.Releases) && finite(int64(l.Risk))
}

func finite(amount int64) bool { return amount >= 0 && amount < math.MaxInt64 }

func exceeds(amount, limit int64) bool { return amount > limit || amount == math.MaxInt64 }

func remaining(limit, spent int64) int64 {
	if limit == math.MaxInt64 {
		return limit
	}
	return max(0, limit-spent)
}

// addAmounts adds amounts that are never negative; an overflowing sum is infinite.
func addAmounts(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// RoundUp is the loss as people are shown what was spent: epsilon, delta and risk with so many significant digits, and never less.
func (l Loss) RoundUp(digits int) Loss {
	l.Epsilon, l.Delta, l.Risk = l.Epsilon.RoundUp(digits), l.Delta.RoundUp(digits), l.Risk.RoundUp(digits)
	return l
}

// RoundDown is the loss as people are shown what is left: epsilon, delta and risk with so many significant digits, and never more.
func (l Loss) RoundDown(digits int) Loss {
	l.Epsilon, l.Delta, l.Risk = l.Epsilon.RoundDown(digits), l.Delta.RoundDown(digits), l.Risk.RoundDown(digits)
	return l
}

// IsPrivate says whether a loss is held against the epsilon and delta of a budget.
func (l Loss) IsPrivate() bool { return l.Epsilon > 0 || l.Delta > 0 || l.Releases == 0 && l.Risk == 0 }

// Times is the sum of n equal losses.
func (l Loss) Times(n int64) Loss {
	return Loss{
		Epsilon:  policy.Epsilon(multiply(int64(l.Epsilon), n)),
		Delta:    policy.Delta(multiply(int64(l.Delta), n)),
		Releases: multiply(l.Releases, n),
		Risk:     policy.Risk(multiply(int64(l.Risk), n)),
	}
}

// multiply multiplies amounts that are never negative; an overflowing product is infinite.
func multiply(amount, n int64) int64 {
	hi, lo := bits.Mul64(uint64(amount), uint64(n))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}
