package paper

import (
	"tacit/auditor/posterior"
	"tacit/mechanisms/sampling"
)

// Exact samples and believes by exact elimination, whatever regions are released.
type Exact struct {
	Table Table
	Limit posterior.EliminationLimit
	Bits  *sampling.Bits // for Sample
}

// Posterior implements [Beliefs].
func (e *Exact) Posterior(released Released) ([][]float64, error) {
	q, err := e.Table.System(0, released).EliminatedPosterior(e.Limit)
	if err != nil {
		return nil, err
	}
	beliefs := make([][]float64, len(e.Table.Cells))
	atom := 0
	for i, cell := range e.Table.Cells {
		for range cell {
			beliefs[i] = append(beliefs[i], q[atom][1])
			atom++
		}
	}
	return beliefs, nil
}

// Sample implements [Sampler]: it draws one cell after the other from its law given the sums and the cells before.
func (e *Exact) Sample(released Released) ([]int, error) {
	values := make([]int, len(e.Table.Cells))
	for i := range e.Table.Cells {
		cell := At(i/e.Table.Columns, i%e.Table.Columns)
		law, err := e.Table.System(0, released).Eliminate(e.Table.Set(cell), e.Limit)
		if err != nil {
			return nil, err
		}
		values[i] = law.Values[pick(e.Bits, law.Probability)]
		released = released.And(cell, values[i])
	}
	return values, e.Bits.Err()
}

// pick draws an index with probability proportional to its weight, up to rounding.
func pick(bits *sampling.Bits, weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	bits.Start()
	u := float64(bits.Take(53)) / (1 << 53) * total
	last := 0
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if last = i; u < w {
			break
		}
		u -= w
	}
	return last
}
