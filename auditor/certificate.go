package auditor

import (
	"errors"
	"fmt"
	"math"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A certified plan is a partition of the people, fixed from public facts before anything about them was released. All unions of its blocks
// are answered for ever, by the risk that was charged when it was sealed (see [posterior.Certificate]), in the parts of the
// table where nothing finer was released: finer answers say more of people than the sums of blocks, which is all that the certificate
// reckons with. The charge stays.
type planned struct {
	people     int
	mark, seen int // people of the question under way
}

// openPlan makes the blocks of the plan and computes its charge.
func (s *State) openPlan(o *Opening) error {
	if o.Plan == nil {
		return nil
	}
	blocks := s.planBlocks(0, o.Plan)
	charge, err := s.planRisk(blocks)
	s.planCharge = charge
	s.spend(charge)
	return err
}

// planBlocks enters units from the given one on into blocks of the plan, which are numbered after those that there are.
func (s *State) planBlocks(first int, plan []int32) [][]int32 {
	number := make(map[int32]int)
	var blocks [][]int32
	for i, b := range plan {
		if b < 0 {
			continue
		}
		k, ok := number[b]
		if !ok {
			k = len(s.planned)
			number[b] = k
			blocks = append(blocks, nil)
			s.planned = append(s.planned, planned{})
		}
		u := int32(first + i)
		block := &blocks[len(blocks)-len(s.planned)+k]
		*block = append(*block, u)
		s.units[u].plan = int32(k)
		s.planned[k].people += s.units[u].People
	}
	return blocks
}

// planRisk is the sum of the certificates of blocks, rounded up.
//
// Where priors are published totals, people are conditioned on those. A block of one type then has a hypergeometric sum where the
// certificate takes a binomial one, which is larger in the convex order (Hoeffding), so that the bound holds. For blocks of
// several types it is not known to.
func (s *State) planRisk(blocks [][]int32) (policy.Risk, error) {
	total := 0.0
	for _, units := range blocks {
		risk, err := s.blockRisk(units)
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

func (s *State) blockRisk(units []int32) (float64, error) {
	if s.totals && !s.oneType(units) {
		return 1, errTypes
	}
	return s.certificate(units, s.planQuestion())
}

func (s *State) oneType(units []int32) bool {
	first := -1
	for _, u := range units {
		if s.units[u].People == 0 {
			continue
		}
		if first >= 0 && s.units[u].Type != first {
			return false
		}
		first = s.units[u].Type
	}
	return true
}

// planQuestion is the sets of values that certificates are about: each value, so that queries about any of them are unions of these.
func (s *State) planQuestion() []posterior.ValueSet {
	if s.Config.Values == 2 {
		return []posterior.ValueSet{posterior.True}
	}
	sets := make([]posterior.ValueSet, s.Config.Values)
	for v := range sets {
		sets[v] = 1 << v
	}
	return sets
}

// Certificates are those that a table can have: of its plan, and of its workload.
type certificates uint8

const (
	planCertificate certificates = 1 << iota
	workloadCertificate
)

// certified says whether a certificate answers what is open of a query.
func (s *State) certified(sh *shape, c certificates) bool {
	if len(sh.open) == 0 || s.lapses(sh)&c != 0 || sh.tainted() {
		return false
	}
	if c == workloadCertificate {
		return s.workload != nil
	}
	return len(s.planned) > 0
}

// lapses are the certificates that do not hold in what is linked with a query once it is answered: those that have lapsed there, and those
// whose sums do not determine the answer to what is open of it.
func (s *State) lapses(sh *shape) certificates {
	lapsed := certificates(0)
	for i := range sh.open {
		lapsed |= sh.open[i].block.lapsed
	}
	if len(s.planned) > 0 && !s.planUnion(sh) {
		lapsed |= planCertificate
	}
	if s.workload != nil && !s.workloadCovers(sh) {
		lapsed |= workloadCertificate
	}
	return lapsed
}

// planUnion says whether what is open of a query is a union of blocks of the plan.
func (s *State) planUnion(sh *shape) bool {
	s.scratch.stamp++
	stamp := s.scratch.stamp
	wanted := 0
	for i := range sh.open {
		for _, u := range sh.open[i].units {
			if s.units[u].People == 0 {
				continue
			}
			if s.units[u].plan < 0 {
				return false
			}
			p := &s.planned[s.units[u].plan]
			if p.mark != stamp {
				p.mark, p.seen = stamp, 0
				wanted += p.people
			}
			p.seen += s.units[u].People
			wanted -= s.units[u].People
		}
	}
	return wanted == 0
}
