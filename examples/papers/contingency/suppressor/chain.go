package suppressor

import (
	"errors"
	"math"

	"tacit/mechanisms/sampling"
)

// ErrMargins is returned when the chain is asked about a table of which not all row and column sums are known.
var ErrMargins = errors.New("suppressor: all row and column sums must be released")

// A Chain samples tables with given margins by a Markov chain, approximately: it is right in the limit of many sweeps.
//
// A move adds d to the cells of a cycle that goes along a row, along a column, and so on, with alternating signs; with two rows and two
// columns it is the 2x2 move of Diaconis and Sturmfels. d is drawn from its law given the other cells, by the recursion of the ratios of
// neighbouring weights, so that no move is refused (Gibbs sampling). The weight of a table is the product of the probabilities
// of its cells, which is the paper's binomial coefficient if the priors are equal.
//
// The chain reaches every table: the difference of two tables with the same margins and known cells is a circulation in the bipartite
// graph of rows, columns and unknown cells, and so a sum of cycles none of which leaves the bounds; a cycle of any length is tried with positive
// probability.
type Chain struct {
	Table  Table
	Bits   *sampling.Bits
	Sweeps int // Required: moves for each draw, in multiples of the number of cells
}

// Sample implements [Sampler]: a chain of its own for each draw, so that draws are independent.
func (c *Chain) Sample(released Released) ([]int, error) {
	w, err := c.start(released)
	if err != nil {
		return nil, err
	}
	w.run(c.Sweeps)
	return w.values, c.Bits.Err()
}

// A walk is a chain at one of its tables.
type walk struct {
	shape
	table  Table
	bits   *sampling.Bits
	values []int
	up     [][]float64 // P(v+1)/P(v) of each cell
}

func (c *Chain) start(released Released) (*walk, error) {
	s, err := c.Table.shape(released)
	if err != nil {
		return nil, err
	}
	if !s.margins() {
		return nil, ErrMargins
	}
	w := &walk{shape: s, table: c.Table, bits: c.Bits}
	for i, cell := range c.Table.Cells {
		law := cell.Law()
		up := make([]float64, len(law)-1)
		for v := range up {
			up[v] = law[v+1] / law[v]
		}
		w.up = append(w.up, up)
		for s.low[i] < s.high[i] && law[s.low[i]] == 0 {
			s.low[i]++
		}
		for s.high[i] > s.low[i] && law[s.high[i]] == 0 {
			s.high[i]--
		}
	}
	if w.values, err = s.feasible(); err != nil {
		return nil, err
	}
	return w, nil
}

// Law is the probability of each sum of a cell: the Poisson-binomial law.
func (c Cell) Law() []float64 {
	law := []float64{1}
	for _, g := range c {
		for range g.People {
			law = append(law, 0)
			for v := len(law) - 1; v >= 0; v-- {
				law[v] *= 1 - g.Prior
				if v > 0 {
					law[v] += law[v-1] * g.Prior
				}
			}
		}
	}
	return law
}

func (w *walk) run(sweeps int) {
	for range sweeps * len(w.values) {
		w.move()
	}
}

// move draws a cycle through k rows and k columns, and the law of what is added along it.
func (w *walk) move() {
	most := min(w.table.Rows, w.table.Columns)
	if most < 2 {
		return
	}
	k := 2
	w.bits.Start()
	for k < most && w.bits.Take(2) == 0 {
		k++
	}
	rows, columns := w.choose(k, w.table.Rows), w.choose(k, w.table.Columns)
	var plus, minus []int
	for i := range k {
		plus = append(plus, rows[i]*w.table.Columns+columns[i])
		minus = append(minus, rows[i]*w.table.Columns+columns[(i+1)%k])
	}
	least, weights := w.weights(plus, minus)
	d := least + pick(w.bits, weights)
	for _, i := range plus {
		w.values[i] += d
	}
	for _, i := range minus {
		w.values[i] -= d
	}
}

// choose draws k different numbers below n in random order.
func (w *walk) choose(k, n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	w.bits.Start()
	for i := range k {
		j := i + int(w.bits.Below(uint64(n-i)))
		all[i], all[j] = all[j], all[i]
	}
	return all[:k]
}

// weights are those of each d from least on, up to a factor: 1 for d = 0, and from there up and down by ratios.
func (w *walk) weights(plus, minus []int) (least int, weights []float64) {
	least, most := math.MinInt, math.MaxInt
	for _, i := range plus {
		least, most = max(least, w.low[i]-w.values[i]), min(most, w.high[i]-w.values[i])
	}
	for _, i := range minus {
		least, most = max(least, w.values[i]-w.high[i]), min(most, w.values[i]-w.low[i])
	}
	weights = make([]float64, most-least+1)
	weights[-least] = 1
	for d := 0; d < most; d++ {
		weights[d+1-least] = weights[d-least] * w.ratio(plus, minus, d)
	}
	for d := 0; d > least; d-- {
		weights[d-1-least] = weights[d-least] / w.ratio(plus, minus, d-1)
	}
	return least, weights
}

// ratio is the weight of d+1 over that of d.
func (w *walk) ratio(plus, minus []int, d int) float64 {
	r := 1.0
	for _, i := range plus {
		r *= w.up[i][w.values[i]+d]
	}
	for _, i := range minus {
		r /= w.up[i][w.values[i]-d-1]
	}
	return r
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
