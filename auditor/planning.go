package auditor

import (
	"errors"
	"slices"

	"tacit/policy"
)

// A Planning is a search for a certified plan: a grid of public columns, each cut into bins, of which every union of cells can be answered
// for ever. It is what the paper's SafeToSplit is for: bins so coarse that nothing need be suppressed, and no coarser.
type Planning struct {
	// Opening is the table; its Plan is not looked at.
	Opening Opening
	Columns []PlanColumn
	// Share is the most that the plan may cost.
	Share policy.Risk
}

// A PlanColumn is the levels of a public column, from the coarsest to the finest. Each level refines the one before.
type PlanColumn struct {
	Name   string
	Levels []PlanLevel
}

// A PlanLevel is bins of a column.
type PlanLevel struct {
	Name string
	// Bins is the bin of each unit.
	Bins []int32
}

// A Plan is the levels that were chosen. A grouping by any of these columns, at the level that was chosen or a coarser one, with any
// filter on such bins, is always answered, as long as finer questions come with [State.Preliminary].
type Plan struct {
	Levels []int   // of each column
	Blocks []int32 // of each unit: what Opening.Plan takes
	Charge policy.Risk
}

// ErrNoPlan is returned when even the coarsest bins of all columns cost more than the plan's share.
var ErrNoPlan = errors.New("auditor: no plan is within its share of the risk")

// Choose begins at the coarsest level of every column and refines one column after another, in their order, round by round, as long as
// the certificate of the grid stays within the share. It looks at public facts only, so that the plan tells nothing.
func (p Planning) Choose() (Plan, error) {
	o := p.Opening
	o.Plan = nil
	k, err := newKnowledge(&o)
	if err != nil {
		return Plan{}, err
	}
	if err := p.validate(); err != nil {
		return Plan{}, err
	}
	m := &k.model
	plan := Plan{Levels: make([]int, len(p.Columns))}
	ok := false
	if plan.Blocks, plan.Charge, ok = p.try(m, plan.Levels); !ok {
		return Plan{}, ErrNoPlan
	}
	for refined := true; refined; {
		refined = false
		for c := range p.Columns {
			if plan.Levels[c]+1 == len(p.Columns[c].Levels) {
				continue
			}
			finer := slices.Clone(plan.Levels)
			finer[c]++
			if blocks, charge, ok := p.try(m, finer); ok {
				plan, refined = Plan{finer, blocks, charge}, true
			}
		}
	}
	return plan, nil
}

func (p *Planning) validate() error {
	for i := range p.Columns {
		if len(p.Columns[i].Levels) == 0 {
			return invalid("column %d of a plan has no levels", i)
		}
		for k, l := range p.Columns[i].Levels {
			if len(l.Bins) != len(p.Opening.Units) {
				return invalid("column %d of a plan has bins of %d units of %d", i, len(l.Bins), len(p.Opening.Units))
			}
			if k > 0 && !l.refines(p.Columns[i].Levels[k-1]) {
				return invalid("level %d of column %d of a plan does not refine the one before", k, i)
			}
		}
	}
	return nil
}

// refines reports whether each bin lies in one of the coarser level.
func (l PlanLevel) refines(coarser PlanLevel) bool {
	within := make(map[int32]int32)
	for u, bin := range l.Bins {
		if c, ok := within[bin]; ok && c != coarser.Bins[u] {
			return false
		}
		within[bin] = coarser.Bins[u]
	}
	return true
}

// try makes the grid of some levels and says whether its certificates are within the share.
func (p *Planning) try(m *model, levels []int) (blocks []int32, charge policy.Risk, ok bool) {
	cells := make([]int32, len(p.Opening.Units))
	count := int32(1)
	for c, l := range levels {
		count = refine(cells, p.Columns[c].Levels[l].Bins)
	}
	members := make([][]int32, count)
	for u, b := range cells {
		members[b] = append(members[b], int32(u))
	}
	total := 0.0
	for _, units := range members {
		risk, err := m.blockRisk(units)
		total += risk
		if e := (estimate{risk: total, exact: true}); err != nil || e.charge() > p.Share {
			return nil, 0, false
		}
	}
	charge, err := m.planRisk(members)
	return cells, charge, err == nil && charge <= p.Share
}

// Halvings are levels of a numeric column: one bin of everything, and then, so many times, each bin cut in two where the people of both
// halves are nearest to equal, as the paper proposes. starts are where the bins of each level begin.
func Halvings(values []int64, units []Unit, times int) (levels []PlanLevel, starts [][]int64) {
	people := make(map[int64]int)
	for u, v := range values {
		people[v] += units[u].People
	}
	var order []int64
	for v := range people {
		order = append(order, v)
	}
	slices.Sort(order)
	if len(order) == 0 {
		return nil, nil
	}
	at := []int{0}
	for range times + 1 {
		level := PlanLevel{Bins: make([]int32, len(values))}
		var begin []int64
		for _, i := range at {
			begin = append(begin, order[i])
		}
		for u, v := range values {
			bin, found := slices.BinarySearch(begin, v)
			if !found {
				bin--
			}
			level.Bins[u] = int32(bin)
		}
		levels, starts = append(levels, level), append(starts, begin)
		next := halve(at, order, people)
		if len(next) == len(at) {
			break
		}
		at = next
	}
	return levels, starts
}

// halve cuts ranges of sorted values, given by their first indexes, near the middle of their people.
func halve(at []int, order []int64, people map[int64]int) []int {
	var cut []int
	for k, first := range at {
		end := len(order)
		if k+1 < len(at) {
			end = at[k+1]
		}
		cut = append(cut, first)
		if end-first < 2 {
			continue
		}
		total, below := 0, 0
		for _, v := range order[first:end] {
			total += people[v]
		}
		best := first + 1
		for i, least := first+1, total+1; i < end; i++ {
			below += people[order[i-1]]
			if d := max(total-2*below, 2*below-total); d < least {
				best, least = i, d
			}
		}
		cut = append(cut, best)
	}
	return cut
}
