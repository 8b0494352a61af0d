package residual

import (
	"math"
	"math/bits"
)

// A marginal of the workload has those over fewer columns within it: they are made of the same residuals. This file has their counts, and how
// exact sums of their cells are.

// Covers reports whether the table over some columns is made of what is measured: whether a marginal of the workload has them all.
func (w *Workload) Covers(columns []int) bool {
	_, ok := w.under(columns)
	return ok
}

// under is the set of columns that are all in one marginal.
func (w *Workload) under(columns []int) (s set, ok bool) {
	for _, c := range columns {
		if c < 0 || c >= len(w.sizes) {
			return 0, false
		}
		s |= 1 << c
	}
	for _, m := range w.sets {
		if m&s == s {
			return s, true
		}
	}
	return 0, false
}

// partsOf are the residuals that the table over s is made of.
func (w *Workload) partsOf(s set) []part {
	var parts []part
	for a := s; ; a = (a - 1) & s {
		if place, ok := w.place[a]; ok {
			parts = append(parts, part{place, w.asked(a, s&^a, 0)})
		}
		if a == 0 {
			return parts
		}
	}
}

// Over is the table over some columns, in ascending order of these, in row-major order. ok is false if no marginal has them all.
func (m *Measurement) Over(columns []int) (table []float64, ok bool) {
	w := m.workload
	s, ok := w.under(columns)
	if !ok {
		return nil, false
	}
	table = make([]float64, int(w.product(s)))
	for _, p := range w.partsOf(s) {
		a, share := w.residuals[p.residual], 1/w.product(s&^w.residuals[p.residual])
		from := m.tables[p.residual]
		w.walk(s, a, func(cell, part int) { table[cell] += share * from[part] })
	}
	return table, true
}

// A Spread bounds the error of a sum of cells of one table.
//
// The error is a sum of c_j X_j with independent discrete Gaussian X_j of the variances v_j, and V is the sum of c_j^2 v_j. Two bounds of
// P(|error| > x) hold, of which the smaller one is taken.
//
// First, E exp(t X_j) is exp(t^2 v_j/2) times the sum of exp(-(x - t v_j)^2/(2 v_j)) over all integers x, over the same sum with t = 0, which
// is the largest by Poisson's summation formula. So P is at most 2 exp(-x^2/(2V)) by Markov's inequality.
//
// Second, let Y_j be continuous Gaussian noise of the variance k^2 v_j. The density of X_j + Y_j at u is that of a Gaussian variable of the variance (1 + k^2) v_j,
// times (2 pi c)^-1/2 times the sum over all integers x of exp(-(x - m)^2/(2c)), with c = v_j k^2/(1 + k^2) and some m, times the square root of 2 pi v_j over
// the sum of exp(-x^2/(2 v_j)). By Poisson's summation formula the last factor is at most 1, and the one before it at most 1 + 2(q + q^4 + ...) with
// q = exp(-2 pi^2 c). So with J components the sum of c_j (X_j + Y_j) exceeds w with at most (1 + 3q)^J times the probability for a Gaussian variable of the
// variance (1 + k^2) V. And if the error exceeds w + b k sqrt(V), that sum exceeds w unless the sum of c_j Y_j is below -b k sqrt(V), which has
// the probability Phi(-b). Hence
//
//	P(|error| > w + b k sqrt(V)) <= (1 + 3q)^J/Phi(b) P(|N| > w/sqrt((1 + k^2) V)).
//
// The larger the variances v_j, the smaller k, and the nearer is this to the quantile of a Gaussian variable.
type Spread struct {
	Variance float64
	// least is the least v_j, and components are how many there are.
	least, components float64
}

// spread is that of a table's sums, without their variance.
func (s *Strategy) spread(parts []part) Spread {
	out := Spread{least: math.Inf(1)}
	for _, p := range parts {
		a := s.workload.residuals[p.residual]
		out.least = min(out.least, s.variances[p.residual]*square(s.workload.scale(a)))
		out.components += s.workload.product(a)
	}
	return out
}

// Within is exceeded by the error with a probability of at most miss, which is above 0 and below 1.
func (s Spread) Within(miss float64) float64 {
	const rounding = 1 + 1e-9
	least := math.Sqrt(2 * math.Log(2/miss))
	// (1 + 3q)^J <= exp(3qJ) = exp(excess)
	const excess = 1e-6
	c := math.Log(3*s.components/excess) / (2 * math.Pi * math.Pi)
	const leastMiss = 1e-9 // below it 1 - level is rounded too much
	if c < s.least/2 && miss >= leastMiss {
		k2 := c / (s.least - c)
		for b := 1.0; b <= 6; b += 0.25 {
			level := miss * (1 - math.Erfc(b/math.Sqrt2)/2) / math.Exp(excess)
			least = min(least, math.Sqrt(1+k2)*math.Sqrt2*math.Erfinv(1-level)+b*math.Sqrt(k2))
		}
	}
	return least * math.Sqrt(s.Variance) * rounding
}

// BoxSpread is that of a sum of cells that are all combinations of some values of each column: so many of each, in ascending order of the columns. ok is
// false if no marginal has them all, or if one of the columns is asked in ranges: then it matters which values they are.
func (s *Strategy) BoxSpread(columns, values []int) (spread Spread, ok bool) {
	w := s.workload
	over, ok := w.under(columns)
	if !ok || over&w.ranged() != 0 {
		return Spread{}, false
	}
	sets := make([][]int, len(values))
	for i, k := range values {
		sets[i] = make([]int, k)
	}
	return s.ValuesSpread(columns, sets)
}

// ranged are the columns that have a base.
func (w *Workload) ranged() set {
	var s set
	for i, b := range w.bases {
		if b != nil {
			s |= 1 << i
		}
	}
	return s
}

// Ranged reports whether a column is asked in ranges, so that errors of sums depend on which of its values they have.
func (w *Workload) Ranged(column int) bool { return w.bases[column] != nil }

// ValuesSpread is that of a sum of cells that are all combinations of some values of each column, in ascending order of the columns. Of a column that is not
// ranged only their number matters. ok is false if no marginal has them all.
//
// With the coefficients 1 on a box, the norm of q_A is the product of q_i' Sigma_i q_i over A, which is k_i - k_i^2/n_i without a base, and of k_i^2/n_i^2 over
// the other columns.
func (s *Strategy) ValuesSpread(columns []int, values [][]int) (spread Spread, ok bool) {
	w := s.workload
	over, ok := w.under(columns)
	if !ok || bits.OnesCount64(uint64(over)) != len(values) {
		return Spread{}, false
	}
	places := over.columns()
	within, even := make([]float64, len(places)), make([]float64, len(places))
	for i, c := range places {
		k, n := float64(len(values[i])), float64(w.sizes[c])
		within[i], even[i] = k*(n-k)/n, square(k/n)
		if b := w.bases[c]; b != nil {
			within[i] = b.spread(values[i])
		}
	}
	return s.productSpread(over, within, even), true
}

// MeanVariance is the mean variance of sums of cells that are all combinations of some values of each column, in ascending order of the columns: over all combinations
// of one set of values of each. ok is false if no marginal has them all, or if a column has no set.
func (s *Strategy) MeanVariance(columns []int, sets [][][]int) (variance float64, ok bool) {
	w := s.workload
	over, ok := w.under(columns)
	places := over.columns()
	if !ok || len(places) != len(sets) {
		return 0, false
	}
	within, even := make([]float64, len(places)), make([]float64, len(places))
	for i, c := range places {
		if len(sets[i]) == 0 {
			return 0, false
		}
		n, of := float64(w.sizes[c]), float64(len(sets[i]))
		for _, values := range sets[i] {
			k := float64(len(values))
			if b := w.bases[c]; b != nil {
				within[i] += b.spread(values) / of
			} else {
				within[i] += k * (n - k) / n / of
			}
			even[i] += square(k/n) / of
		}
	}
	return s.productSpread(over, within, even).Variance, true
}

// productSpread is that of a sum whose norms are products, by column of over.
func (s *Strategy) productSpread(over set, within, even []float64) Spread {
	w := s.workload
	parts := w.partsOf(over)
	spread := s.spread(parts)
	for _, p := range parts {
		a, norm := w.residuals[p.residual], 1.0
		for i, c := range over.columns() {
			if a.has(c) {
				norm *= within[i]
			} else {
				norm *= even[i]
			}
		}
		spread.Variance += s.variances[p.residual] * norm
	}
	return spread
}

// WorstCell is the spread of the least exact cell of the table over some columns. ok is false if no marginal has them all.
func (s *Strategy) WorstCell(columns []int) (spread Spread, ok bool) {
	w := s.workload
	over, ok := w.under(columns)
	if !ok {
		return Spread{}, false
	}
	var within, even []float64
	for _, c := range over.columns() {
		most := w.centred(c)
		if b := w.bases[c]; b != nil {
			most = b.worst
		}
		within, even = append(within, most), append(even, 1/square(float64(w.sizes[c])))
	}
	return s.productSpread(over, within, even), true
}

// SumSpread is that of any sum of cells of the table over some columns, by their indexes.
func (s *Strategy) SumSpread(columns, cells []int) (spread Spread, ok bool) {
	w := s.workload
	over, ok := w.under(columns)
	if !ok {
		return Spread{}, false
	}
	parts := w.partsOf(over)
	spread = s.spread(parts)
	in := make([]float64, int(w.product(over)))
	for _, cell := range cells {
		in[cell]++
	}
	for _, p := range parts {
		spread.Variance += s.variances[p.residual] * w.centredNorm(over, w.residuals[p.residual], in)
	}
	return spread, true
}

// centredNorm is q_A' Sigma_A q_A over the square of the sizes of the columns that A lacks: |C_A q_A|^2 without bases.
func (w *Workload) centredNorm(s, a set, coefficients []float64) float64 {
	q := make([]float64, int(w.product(a)))
	w.walk(s, a, func(cell, part int) { q[part] += coefficients[cell] })
	w.project(a, q, true)
	norm := 0.0
	for _, x := range q {
		norm += x * x
	}
	return norm / square(w.product(s&^a))
}

// Workload is that of the strategy.
func (s *Strategy) Workload() *Workload { return s.workload }
