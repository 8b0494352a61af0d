package risk

import (
	"errors"
	"fmt"
)

// A JointTable has the cells of a table with several sensitive attributes, each with counts of its own.
type JointTable struct {
	// Labels is the number of labels that each attribute can have. Required.
	Labels []int
	// Patterns are the cells, grouped by the counts of all attributes. They need not differ.
	Patterns []JointPattern
}

// A JointPattern is a number of cells that have the same counts of every attribute.
type JointPattern struct {
	// Counts, for each attribute, of the labels that occur; each is 1 or more. All attributes have the same number of records.
	Counts [][]int64
	Cells  int64
}

// Check says what is wrong with a table.
func (t *JointTable) Check() error {
	if len(t.Labels) == 0 {
		return errors.New("risk: no sensitive attribute: name one or more")
	}
	for i, p := range t.Patterns {
		if len(p.Counts) != len(t.Labels) {
			return fmt.Errorf("risk: pattern %d has counts of %d attributes, not of %d", i, len(p.Counts), len(t.Labels))
		}
		for j := range p.Counts {
			if n := (Pattern{Counts: p.Counts[j]}).Records(); n != (Pattern{Counts: p.Counts[0]}).Records() {
				return fmt.Errorf("risk: pattern %d has %d records by attribute %d, which differs from attribute 0", i, n, j)
			}
		}
	}
	for j := range t.Labels {
		if err := t.attribute(j).Check(); err != nil {
			return fmt.Errorf("attribute %d: %w", j, err)
		}
	}
	return nil
}

// attribute is the table of one attribute by itself.
func (t *JointTable) attribute(j int) *Table {
	out := &Table{Labels: t.Labels[j], Patterns: make([]Pattern, len(t.Patterns))}
	for i, p := range t.Patterns {
		out.Patterns[i] = Pattern{Counts: p.Counts[j], Cells: p.Cells}
	}
	return out
}

// Overall is what a release discloses of several attributes (Liu and Zhao 2023, section 4.3). Both measures are taken in each cell and
// then averaged.
type Overall struct {
	// Each attribute's own risk.
	Each []Average
	// Bounded is the largest of a cell's risks: at most 1.
	Bounded Average
	// Unbounded is their sum, the expected number of attributes disclosed: at most the number of attributes.
	Unbounded Average
}

// Local is the overall local risk if each attribute is shown with counts of its own, all of one survival; none of what one attribute's
// counts tell about another's is used.
func (t *JointTable) Local(s Survival, v Version) (Overall, error) {
	if err := v.check(); err != nil {
		return Overall{}, err
	}
	return t.overall(func(j int, counts []int64, n int64, m []*memo) float64 {
		return localIn(m[j], v, t.Labels[j], counts, n)
	}, t.same(s))
}

// Expected is the overall expected risk, with each cell's shares for the probabilities of its labels.
func (t *JointTable) Expected(s Survival, v Version) (Overall, error) {
	if err := v.check(); err != nil {
		return Overall{}, err
	}
	return t.overall(func(j int, counts []int64, n int64, m []*memo) float64 {
		p := make([]float64, len(counts))
		for k, count := range counts {
			p[k] = float64(count) / float64(n)
		}
		return expectedIn(m[j], v, t.Labels[j], p, n)
	}, t.same(s))
}

// same is one survival for all attributes.
func (t *JointTable) same(s Survival) []Survival {
	out := make([]Survival, len(t.Labels))
	for j := range out {
		out[j] = s
	}
	return out
}

// A cellMeasure is the risk of attribute j in a cell of n records, with a memo for each attribute.
type cellMeasure func(j int, counts []int64, n int64, m []*memo) float64

// overall takes the attributes of which there are survivals, the first ones.
func (t *JointTable) overall(measure cellMeasure, survivals []Survival) (Overall, error) {
	if err := t.Check(); err != nil {
		return Overall{}, err
	}
	sizes := t.attribute(0)
	memos := make([]*memo, len(survivals))
	for j, s := range survivals {
		memos[j] = remember(s, sizes.largest())
	}
	risks := make([][]float64, len(t.Patterns))
	for i, p := range t.Patterns {
		n := sizes.Patterns[i].Records()
		for j := range survivals {
			risks[i] = append(risks[i], measure(j, p.Counts[j], n, memos))
		}
	}
	average := func(of func(risks []float64) float64) Average {
		i := -1
		return sizes.average(func(Pattern, int64) float64 { i++; return of(risks[i]) })
	}
	var out Overall
	for j := range survivals {
		out.Each = append(out.Each, average(func(risks []float64) float64 { return risks[j] }))
	}
	out.Bounded, out.Unbounded = average(largestOf), average(sumOf)
	return out, nil
}

func largestOf(risks []float64) float64 {
	largest := 0.0
	for _, r := range risks {
		largest = max(largest, r)
	}
	return largest
}

func sumOf(risks []float64) float64 {
	sum := 0.0
	for _, r := range risks {
		sum += r
	}
	return sum
}
