package auditor

import (
	"errors"
	"fmt"
	"math"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
	"tacit/policy"
)

// A planCover is a certified plan: a partition of the people, fixed from public facts before anything about them was released. All unions
// of its blocks are answered for ever, by the risk that was charged when it was sealed (see [posterior.CertificateInsiders]), in the parts of the
// table where nothing finer was released: finer answers say more of people than the sums of blocks, which is all that the certificate
// reckons with. The charge stays.
type planCover struct{ grouping }

func newPlanCover() planCover {
	return planCover{grouping{of: func(u *unit) int32 { return u.plan }}}
}

// enter puts units from the given one on into blocks of the plan, which are numbered after those that there are.
func (c *planCover) enter(m *model, first int, plan []int32) [][]int32 {
	number := make(map[int32]int)
	var blocks [][]int32
	before := len(c.groups)
	for i, b := range plan {
		if b < 0 {
			continue
		}
		k, ok := number[b]
		if !ok {
			k = len(blocks)
			number[b] = k
			blocks = append(blocks, nil)
			c.groups = append(c.groups, group{})
		}
		u := int32(first + i)
		blocks[k] = append(blocks[k], u)
		m.units[u].plan = int32(before + k)
		c.groups[before+k].people += m.history.People(u)
	}
	return blocks
}

// covers reports whether what is open of a query is a union of blocks of the plan.
func (c *planCover) covers(m *model, sh *history.Shape) bool {
	_, ok := c.whole(m, openUnits(sh)...)
	return ok
}

// planRisk is the sum of the certificates of blocks, rounded up.
//
// Where priors are published totals, people are conditioned on those. A block of one type then has a hypergeometric sum where the
// certificate takes a binomial one, which is larger in the convex order (Hoeffding), so that the bound holds. For blocks of
// several types it is not known to.
func (m *model) planRisk(blocks [][]int32) (policy.Risk, error) {
	total := 0.0
	for _, units := range blocks {
		risk, err := m.blockRisk(units)
		if err != nil {
			return 0, fmt.Errorf("a block of %d units of the plan: %w", len(units), err)
		}
		total += risk
	}
	if !(total < 1) {
		return policy.OneRisk, nil
	}
	return policy.Risk(math.Ceil((total*(1+1e-9) + 1e-15) * float64(policy.OneRisk))), nil
}

// errTypes says why a block has no certificate.
var errTypes = errors.New("it has people of several types, whose totals are published")

// blockRisk bounds the risk of everything about unions of blocks, for one block of people in no sum.
func (m *model) blockRisk(units []int32) (float64, error) {
	switch {
	case m.totals && !m.oneType(units):
		return 1, errTypes
	case m.never(units):
		return 1, errNever
	}
	return m.worst(func(c corner) (float64, error) {
		return posterior.CertificateInsiders(m.group(units, c), m.eachValue(), m.Config.Insiders)
	}, units)
}

func (m *model) oneType(units []int32) bool {
	first := -1
	for _, u := range units {
		if m.history.People(u) == 0 {
			continue
		}
		if first >= 0 && m.units[u].kind != first {
			return false
		}
		first = m.units[u].kind
	}
	return true
}
