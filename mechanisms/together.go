package mechanisms

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"tacit/accountant/composition"
	"tacit/mechanisms/residual"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// Together are the same margins, but measured by the residual strategy (see package residual) in place of one by one. asked are the sets of attributes
// that are shown: among them is not always that of all cells, which is then measured just well enough to have cells at all.
func (m *Margins) Together(asked [][]int) *Margins {
	together := *m
	together.asked = make(map[uint64]bool)
	for _, attributes := range asked {
		var set uint64
		for axis, attribute := range m.kept {
			if slices.Contains(attributes, attribute) {
				set |= 1 << axis
			}
		}
		together.asked[set] = true
	}
	return &together
}

// AreTogether says whether the margins are measured by the residual strategy.
func (m *Margins) AreTogether() bool { return m.asked != nil }

// Asked are the sets of Together, in the order of Sets.
func (m *Margins) Asked() [][]int {
	return m.lists(slices.DeleteFunc(slices.Clone(m.sets), func(set uint64) bool { return !m.asked[set] }))
}

// A together mechanism releases all margins at once by the residual strategy, and shows cells whose sums they are.
//
// From the true counts to the noisy residuals there are integers alone. What comes after is post-processing. Cells are rounded to whole numbers such
// that sums of cells stay near the margins that were measured (see [Margins.rounded]).
//
// Adjacency: add-remove or replace-one, as configured.
//
// Sensitivity: a person has at most s rows, s being Config.Sensitivity, and all of them may be in one cell: PerCell is s, too.
//
// Guarantee and theorem: rho-zCDP, with the largest rho of which (epsilon, delta) follows (composition.RhoWithin), by residual.Mechanism with s rows of a
// person. Counts of persons, of which one is in several cells with 1 in each, are refused: the bound would be s times as large as theirs.
type together struct {
	config  Config
	margins *Margins
	release *residual.Mechanism
	// spreads are the errors of a cell of each margin before it is rounded.
	spreads []residual.Spread
	// order has the axes as cells are walked for rounding.
	order []int
	// nested says that of any two sets one contains the other.
	nested bool
}

// maxTogether bounds the time of a release: the cells, times the sets of axes.
const maxTogether = 1 << 26

// leastWeight is that of cells that are not shown.
const leastWeight = 1e-6

func (m *Mechanism) makeTogether() error {
	c := m.config
	g := c.Margins
	switch {
	case c.PerCell != c.Sensitivity:
		return errors.New("persons are in several cells, of which each is changed by less than all of them together")
	case len(g.sizes) >= bits.Len(maxTogether) || g.cells<<len(g.sizes) > maxTogether:
		return fmt.Errorf("%d cells of %d keys are too many to be measured together", g.cells, len(g.sizes))
	}
	wanted := make([]residual.Marginal, g.Len())
	for k, set := range g.sets {
		wanted[k] = residual.Marginal{Columns: g.axesOf(set), Weight: 1}
		if !g.asked[set] {
			wanted[k].Weight = leastWeight
		}
	}
	w, err := residual.NewWorkload(g.sizes, wanted)
	if err != nil {
		return err
	}
	rho := composition.RhoWithin(c.Epsilon, c.Delta)
	t := together{config: c, margins: g, order: g.roundingOrder(), nested: g.nested()}
	t.release, err = w.LeastTotal().Mechanism(residual.Config{Rho: new(big.Rat).SetFloat64(rho), Adjacency: c.Adjacency, Rows: c.Sensitivity, Bits: m.bits})
	if err != nil {
		return err
	}
	for _, set := range g.sets {
		axes := g.axesOf(set)
		spread, ok := t.release.Strategy().BoxSpread(axes, slices.Repeat([]int{1}, len(axes)))
		if !ok {
			panic("mechanisms: internal error: a margin that is not measured")
		}
		t.spreads = append(t.spreads, spread)
	}
	m.method = t
	return nil
}

// axesOf are those of a set, rising.
func (m *Margins) axesOf(set uint64) []int {
	axes := []int{}
	for axis := range m.sizes {
		if set>>axis&1 == 1 {
			axes = append(axes, axis)
		}
	}
	return axes
}

// nested says that of any two sets one contains the other, as of ROLLUP.
func (m *Margins) nested() bool {
	for i := 1; i < len(m.sets); i++ { // they are in falling order
		for _, larger := range m.sets[:i] {
			if m.sets[i]&^larger != 0 {
				return false
			}
		}
	}
	return true
}

// roundingOrder has first the axes that most margins have.
func (m *Margins) roundingOrder() []int {
	axes := m.axes()
	slices.SortStableFunc(axes, func(a, b int) int { return m.marginsWith(b) - m.marginsWith(a) })
	return axes
}

func (t together) sanitize(bits *sampling.Bits, h Histogram) Cells {
	tables := make([][]int64, t.margins.Len())
	for k, set := range t.margins.sets {
		tables[k] = t.margins.sums(set, h.Counts)
	}
	measured, err := t.release.Measure(tables)
	if err != nil { // it is that of bits, which the caller looks at
		return Cells{}
	}
	values, ok := measured.Over(t.margins.axes())
	if !ok {
		panic("mechanisms: internal error: cells that were not measured")
	}
	return Cells{Counts: t.rounded(bits, values)}
}

// rounded makes cells whole. Along a run of cells with the sums S_i it takes floor(u + S_i) - floor(u + S_(i-1)): so the sum of any part of the run
// is off by less than 1.
//
// If the sets are nested, all cells are one run with u = 1/2, in an order in which the cells of each margin are a part of it.
//
// Otherwise each line of cells along the last axis is a run, each with a u of its own that is uniform between 0 and 1. Then the error of a part of
// a line is one of two numbers that are 1 apart, and 0 on average. Those of several lines are independent. So Hoeffding's inequality bounds their sum.
func (t together) rounded(bits *sampling.Bits, values []float64) []int64 {
	m := t.margins
	strides, last := m.strides(m.all()), t.order[len(t.order)-1]
	whole := make([]int64, len(values))
	sum, before := 0.5, 0.0
	m.walk(t.order, func(digits []int) {
		if !t.nested && digits[last] == 0 {
			bits.Start()
			sum, before = math.Ldexp(float64(bits.Take(53)), -53), 0
		}
		i := cell(digits, strides)
		sum += values[i]
		floor := math.Floor(sum)
		whole[i], before = int64(floor-before), floor
	})
	return whole
}

// runs is of how many parts of runs the cells of a margin are made.
func (t together) runs(set uint64) float64 {
	if t.nested {
		return 1
	}
	return float64(t.margins.cells / t.margins.volume(set|1<<t.order[len(t.order)-1]))
}

// deviation is that of a cell of a margin, with at most 1/4 for the variance of each of its runs.
func (t together) deviation(margin int) float64 {
	return math.Sqrt(t.spreads[margin].Variance + t.runs(t.margins.sets[margin])/4)
}

// within is exceeded by the error of a cell of a margin with a probability of at most miss. The error is a whole number.
//
// Rounding is off by less than the number of runs, and by more than sqrt(runs ln(2/p)/2) with a probability of at most p, unless there is one run.
func (t together) within(margin int, miss float64) int64 {
	runs, s := t.runs(t.margins.sets[margin]), t.spreads[margin]
	least := s.Within(miss) + runs
	if runs > 1 {
		for _, share := range []float64{0.5, 0.25, 0.1, 0.05, 0.01, 0.001} {
			least = min(least, s.Within(miss*(1-share))+math.Sqrt(runs*math.Log(2/(miss*share))/2))
		}
	}
	return int64(math.Floor(least))
}

// isShown says whether a margin was asked for.
func (t together) isShown(margin int) bool { return t.margins.asked[t.margins.sets[margin]] }

// halfWidth95 is that of the margin with the largest error of those that are shown.
func (t together) halfWidth95() int64 {
	most := int64(0)
	for k := range t.margins.sets {
		if t.isShown(k) {
			most = max(most, t.within(k, 0.05))
		}
	}
	return most
}

// expect takes the distribution of a cell for a normal one.
func (t together) expect(h Histogram) []Expectation {
	deviation := t.deviation(0)
	cells := make([]Expectation, len(h.Counts))
	for i, n := range h.Counts {
		cells[i] = Expectation{Variance: deviation * deviation, Distribution: func(x float64) float64 {
			return math.Erfc((float64(n)-x)/(deviation*math.Sqrt2)) / 2
		}}
	}
	return cells
}

func (t together) guarantee(adjacency policy.Adjacency) Guarantee {
	rows := float64(t.config.Sensitivity)
	rho := rows * rows * t.release.Strategy().Loss(adjacency) / 2
	return Guarantee{Adjacency: adjacency, Pure: math.Inf(1), Rho: rho, delta: func(epsilon float64) float64 { return composition.DeltaOfRho(rho, epsilon) }}
}

// A GroupingError is that of a total, or of a cell, of one grouping set.
type GroupingError struct {
	// Attributes are those of the set.
	Attributes []int
	// Deviation is the standard deviation, and HalfWidth95 is exceeded in 5 of 100 at most.
	Deviation   float64
	HalfWidth95 int64
}

// GroupingErrors are those of the margins that are shown; nil if margins are not measured together.
func (m *Mechanism) GroupingErrors() []GroupingError {
	t, ok := m.method.(together)
	if !ok {
		return nil
	}
	var errors []GroupingError
	for k, attributes := range t.margins.Sets() {
		if t.isShown(k) {
			errors = append(errors, GroupingError{attributes, t.deviation(k), t.within(k, 0.05)})
		}
	}
	return errors
}

// TotalWithin is exceeded by the error of a total of so many cells with a probability of at most miss. Where several grouping sets have totals of
// so many cells, it is the largest. ok is false if none has, or margins are not measured together.
func (m *Mechanism) TotalWithin(cells int, miss *big.Rat) (w int64, ok bool) {
	t, together := m.method.(together)
	if !together {
		return 0, false
	}
	p, _ := miss.Float64()
	for k, set := range t.margins.sets {
		if t.isShown(k) && t.margins.cells/t.margins.volume(set) == cells {
			w, ok = max(w, t.within(k, p*(1-1e-12))), true
		}
	}
	return w, ok
}
