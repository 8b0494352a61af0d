package residual

import (
	"math"
	"math/bits"
)

// This file fits a release so that no cell of any marginal is below 0, and all marginals still agree. The invariant: the fitted tables are made of what was
// released and of nothing else, so that the fit costs no privacy; and the same release has the same fit on every machine. Start at Measurement.Nonnegative.
//
// With u_A the residual tables, r_A those that were released, and the marginals m_k(u) over sets that no other set of the workload contains, it is
//
//	minimise f(u) = 1/2 sum over A of (u_A - r_A)' Sigma_A^+ (u_A - r_A)/s_A    subject to m_k(u) >= 0 for every k.
//
// So it is the point nearest to what was released, in the distance in which the noise is alike in all directions. The true tables meet the condition. So
// they are never further from the fit than from what was released, in that distance: a projection on a convex set. Of one count by itself the error may
// become larger, and it is no longer 0 on average. (Mullins, Fuentes, Xiao, Kifer, Musco and Sheldon 2024, "Efficient and private marginal
// reconstruction with local non-negativity", NeurIPS, call this local non-negativity: there need not be a full table without negative cells that has these marginals.)
//
// Dual: for l_k >= 0, the least f(u) - sum of l_k' m_k(u) is at u_A = r_A + s_A Sigma_A M_A l. Here M_A l adds up, over the k that have A, the sums of l_k over the
// columns that A lacks, each divided by the product of these columns' sizes. The dual is concave, and its gradient is -m_k(u(l)). It is climbed with
// steps t_k by the accelerated method of Beck and Teboulle 2009, begun anew where it turns (O'Donoghue and Candes 2015). It converges if t_k is so that
// the sum over the k that have A of t_k s_A L_A/m_kA is at most 1 for every A: on the residual over A, the map from l to m is s_A Sigma_A/m_kA, L_A being the
// largest eigenvalue of Sigma_A, and m_kA the product of the sizes of the columns of k that A lacks. Then f(u) is above the least one by at most l' m(u),
// apart from what is still below 0. That is lifted at the end by a larger total, which is spread evenly.

const (
	// fitWithin is by how much f may exceed the least one, and fitLifted by how much the total may be lifted.
	fitWithin, fitLifted = 1e-3, 0.1
	// fitRounds and fitWork bound the search: the work is cells times parts times rounds. One that ends early is as consistent, and not below 0.
	fitRounds, fitWork = 20_000, 1 << 32
	// fitGrid makes numbers of what differs between machines by rounding alone.
	fitGrid = 1 << 24
)

// MostFitted is how many cells the marginals of a workload that is fitted should have together at most, for its fit to take seconds.
const MostFitted = 1 << 18

// Nonnegative is the release with tables of which no marginal's cell is below 0.
func (m *Measurement) Nonnegative() *Measurement {
	f := m.newFit()
	f.search()
	return &Measurement{workload: m.workload, tables: f.lifted(), noisy: m.noisy, variances: m.variances}
}

// A fit is the search for the nearest tables. Products are rounded before they are added, so that no machine puts both in one operation.
type fit struct {
	w         *Workload
	variances []float64
	released  [][]float64 // by residual
	largest   []set       // sets of the workload that no other contains
	parts     [][]int     // the residuals of each
	steps     []float64   // t_k
	// spreads are Sigma_i of columns with bases, by column.
	spreads [][]float64

	duals     [][]float64 // l_k
	tables    [][]float64 // u_A
	marginals [][]float64 // m_k(u)
}

func (m *Measurement) newFit() *fit {
	w := m.workload
	f := &fit{w: w, variances: m.variances, spreads: make([][]float64, len(w.sizes))}
	for i, b := range w.bases {
		if b != nil {
			f.spreads[i] = onGrid(b.covariance)
		}
	}
	for _, t := range m.tables {
		f.released = append(f.released, onGrid(t))
	}
	for _, s := range w.sets {
		if !w.isWithin(s) {
			f.largest = append(f.largest, s)
		}
	}
	having := make([]float64, len(w.residuals)) // how many k have A
	for _, s := range f.largest {
		var parts []int
		for _, p := range w.partsOf(s) {
			parts = append(parts, p.residual)
			having[p.residual]++
		}
		f.parts = append(f.parts, parts)
		f.duals = append(f.duals, make([]float64, int(w.product(s))))
	}
	for k, s := range f.largest {
		step := math.Inf(1)
		for _, p := range f.parts[k] {
			a := w.residuals[p]
			step = min(step, w.product(s&^a)/(f.variances[p]*f.eigenvalue(a)*having[p]))
		}
		f.steps = append(f.steps, step)
	}
	f.tables, f.marginals = f.at(f.duals)
	return f
}

// isWithin reports whether another set of the workload contains s.
func (w *Workload) isWithin(s set) bool {
	for _, other := range w.sets {
		if other != s && other&s == s {
			return true
		}
	}
	return false
}

func onGrid(x []float64) []float64 {
	rounded := make([]float64, len(x))
	for i, v := range x {
		rounded[i] = math.Round(v*fitGrid) / fitGrid
	}
	return rounded
}

// eigenvalue bounds those of Sigma_A: the largest sum of magnitudes of a row, for each column with a base.
func (f *fit) eigenvalue(a set) float64 {
	most := 1.0
	for _, i := range a.columns() {
		if f.spreads[i] == nil {
			continue
		}
		largest, n := 0.0, f.w.sizes[i]
		for r := range n {
			sum := 0.0
			for _, x := range f.spreads[i][r*n : (r+1)*n] {
				sum += math.Abs(x)
			}
			largest = max(largest, sum)
		}
		most *= largest
	}
	return most
}

// search climbs the dual.
func (f *fit) search() {
	cells, work := 0, 0
	for k, s := range f.largest {
		cells += len(f.duals[k])
		work += len(f.duals[k]) << min(20, bits.OnesCount64(uint64(s)))
	}
	momentum := 1.0
	before := [2][][]float64{f.duals, f.marginals} // of the round before
	for range min(fitRounds, fitWork/max(1, work)) {
		if f.excess() <= fitWithin && f.lift() <= fitLifted {
			return
		}
		next := (1 + math.Sqrt(1+float64(4*momentum*momentum))) / 2
		along := (momentum - 1) / next
		from, slope := ahead(f.duals, before[0], along), ahead(f.marginals, before[1], along)
		turn := 0.0
		to := make([][]float64, len(from))
		for k := range from {
			to[k] = make([]float64, len(from[k]))
			for i, l := range from[k] {
				to[k][i] = max(0, l-float64(f.steps[k]*slope[k][i]))
				turn += float64((l - to[k][i]) * (to[k][i] - f.duals[k][i]) / f.steps[k])
			}
		}
		if momentum = next; turn > 0 {
			momentum = 1
		}
		before = [2][][]float64{f.duals, f.marginals}
		f.duals = to
		f.tables, f.marginals = f.at(to)
	}
}

// ahead goes on from the last point in the direction in which it came.
func ahead(now, before [][]float64, along float64) [][]float64 {
	point := make([][]float64, len(now))
	for k := range now {
		point[k] = make([]float64, len(now[k]))
		for i, x := range now[k] {
			point[k][i] = x + float64(along*(x-before[k][i]))
		}
	}
	return point
}

// excess bounds by how much f is above the least one, apart from what is below 0.
func (f *fit) excess() float64 {
	sum := 0.0
	for k, duals := range f.duals {
		for i, l := range duals {
			sum += float64(l * f.marginals[k][i])
		}
	}
	return math.Abs(sum)
}

// lift is by how much the total must be larger for no cell to be below 0.
func (f *fit) lift() float64 {
	most := 0.0
	for _, table := range f.marginals {
		for _, x := range table {
			most = max(most, float64(-x*float64(len(table))))
		}
	}
	return most
}

// lifted are the residual tables with the total that this takes. Every marginal has the residual of the total.
func (f *fit) lifted() [][]float64 {
	f.tables[f.w.place[0]][0] += float64(f.lift() * (1 + 1e-12))
	return f.tables
}

// at are the tables u_A and the marginals m_k for l.
func (f *fit) at(duals [][]float64) (tables, marginals [][]float64) {
	w := f.w
	moved := make([][]float64, len(w.residuals))
	for i, a := range w.residuals {
		moved[i] = make([]float64, int(w.product(a)))
	}
	for k, s := range f.largest {
		for _, p := range f.parts[k] {
			a := w.residuals[p]
			size, to := w.product(s&^a), moved[p]
			sums := make([]float64, len(to))
			w.walk(s, a, func(cell, part int) { sums[part] += duals[k][cell] })
			for i, x := range sums {
				to[i] += x / size
			}
		}
	}
	for i, a := range w.residuals {
		f.spread(a, moved[i])
		for j, x := range moved[i] {
			moved[i][j] = f.released[i][j] + float64(f.variances[i]*x)
		}
	}
	for k, s := range f.largest {
		table := make([]float64, len(duals[k]))
		for _, p := range f.parts[k] {
			a := w.residuals[p]
			size, from := w.product(s&^a), moved[p]
			w.walk(s, a, func(cell, part int) { table[cell] += from[part] / size })
		}
		marginals = append(marginals, table)
	}
	return moved, marginals
}

// spread puts Sigma_A x in place of x.
func (f *fit) spread(a set, table []float64) {
	sizes := f.w.sizesOf(a)
	for place, column := range a.columns() {
		n := sizes[place]
		line, made := make([]float64, n), make([]float64, n)
		lines(sizes, place, func(first, step int) {
			mean := 0.0
			for j := range n {
				line[j] = table[first+j*step]
				mean += line[j] / float64(n)
			}
			for j := range n {
				made[j] = line[j] - mean
				if sigma := f.spreads[column]; sigma != nil {
					made[j] = 0
					for i, x := range line {
						made[j] += float64(sigma[j*n+i] * x)
					}
				}
			}
			for j, x := range made {
				table[first+j*step] = x
			}
		})
	}
}
