package residual

// A Measurement is one release, of which every marginal of the workload is made. It holds nothing but what was released.
type Measurement struct {
	workload *Workload
	tables   [][]float64 // by residual
	// noisy are the integers of which tables are made, and variances those of tables' noise.
	noisy     [][]int64
	variances []float64
}

// measurement brings the noisy residuals to the scale of counts.
func (s *Strategy) measurement(noisy [][]int64) *Measurement {
	w := s.workload
	m := &Measurement{workload: w, noisy: noisy, variances: s.variances}
	for i, a := range w.residuals {
		m.tables = append(m.tables, w.centre(a, noisy[i]))
	}
	return m
}

// Marginal is the marginal with this index, in row-major order. Its cells have the mean of the true counts, and the errors that
// Strategy says. Two marginals agree in what they have in common, but for rounding in floating point: each is the sum of the same residuals.
func (m *Measurement) Marginal(marginal int) []float64 {
	w := m.workload
	s := w.sets[marginal]
	table := make([]float64, int(w.product(s)))
	for _, p := range w.parts[marginal] {
		a, share := w.residuals[p.residual], 1/w.product(s&^w.residuals[p.residual])
		from := m.tables[p.residual]
		w.walk(s, a, func(cell, part int) { table[cell] += share * from[part] })
	}
	return table
}

// A Cell is one cell of a marginal.
type Cell struct {
	Marginal int
	// Values are indexes of values, one for each column of the marginal in ascending order.
	Values []int
}

// Covariance is that of two cells of one release, which may be of different marginals.
//
// Both are sums of residuals, and residuals are independent. So it is the sum over the A that both have of s_A times the entry of Sigma_A at the two
// cells, divided by the sizes of the other columns of each.
func (s *Strategy) Covariance(a, b Cell) float64 {
	w := s.workload
	setA, setB := w.sets[a.Marginal], w.sets[b.Marginal]
	valueB := make(map[int]int)
	for i, c := range setB.columns() {
		valueB[c] = b.Values[i]
	}
	entries := make(map[int]float64)
	for i, c := range setA.columns() {
		if v, both := valueB[c]; both {
			entries[c] = w.covariance(c, a.Values[i], v)
		}
	}
	sum := 0.0
	for _, p := range w.parts[a.Marginal] {
		r := w.residuals[p.residual]
		if r&setB != r {
			continue
		}
		entry := 1.0
		for _, c := range r.columns() {
			entry *= entries[c]
		}
		sum += s.variances[p.residual] * entry / (w.product(setA&^r) * w.product(setB&^r))
	}
	return sum
}

// SumVariance is the variance of the sum of a marginal's cells, each times its coefficient, in row-major order.
//
// With the coefficients q, and q_A their sums over the columns that A lacks, it is the sum over A of s_A q_A' Sigma_A q_A divided by the square
// of the sizes of these columns.
func (s *Strategy) SumVariance(marginal int, coefficients []float64) float64 {
	w := s.workload
	variance := 0.0
	for _, p := range w.parts[marginal] {
		variance += s.variances[p.residual] * w.centredNorm(w.sets[marginal], w.residuals[p.residual], coefficients)
	}
	return variance
}

// covariance is an element of Sigma_i.
func (w *Workload) covariance(column, a, b int) float64 {
	switch at := w.bases[column]; {
	case at != nil:
		return at.covariance[a*at.n+b]
	case a == b:
		return w.centred(column)
	}
	return -1 / float64(w.sizes[column])
}
