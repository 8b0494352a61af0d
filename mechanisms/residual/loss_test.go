package residual

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tacit/accountant/composition"
	"tacit/internal/battery"
	"tacit/policy"
)

// changes are what one person can change of a full table: so many rows or fewer, each in a cell or in none. Of two opposite ones, which are the same seen
// from the other table, one is listed.
func changes(cells, rows int, adjacency policy.Adjacency) [][]float64 {
	holdings := [][]float64{make([]float64, cells)}
	for range rows {
		var next [][]float64
		for _, h := range holdings {
			next = append(next, h)
			for r := range cells {
				more := append([]float64(nil), h...)
				more[r]++
				next = append(next, more)
			}
		}
		holdings = next
	}
	if adjacency == policy.AddRemove {
		return withoutOpposites(holdings)
	}
	var all [][]float64
	for _, before := range holdings {
		for _, after := range holdings {
			d := make([]float64, cells)
			for r := range d {
				d[r] = after[r] - before[r]
			}
			all = append(all, d)
		}
	}
	return withoutOpposites(all)
}

func withoutOpposites(changes [][]float64) [][]float64 {
	seen := make(map[string]bool)
	return slices.DeleteFunc(changes, func(d []float64) bool {
		opposite := make([]float64, len(d))
		for r, x := range d {
			opposite[r] = 0 - x
		}
		known := seen[fmt.Sprint(d)]
		seen[fmt.Sprint(d)], seen[fmt.Sprint(opposite)] = true, true
		return known
	})
}

// TestLossIsTheWorst tries every person. It fails if a person can cost more than is stated, or if the loss of one row is not attained.
func TestLossIsTheWorst(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		greatest, _, err := w.LeastGreatest()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*Strategy{w.LeastTotal(), greatest} {
			inverse := s.inverseCovariance()
			for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
				worst := [3]float64{}
				for rows := 1; rows <= 2; rows++ {
					if rows == 2 && w.product(w.full()) > 8 {
						continue
					}
					for _, d := range changes(int(w.product(w.full())), rows, adjacency) {
						worst[rows] = max(worst[rows], quadratic(inverse, d))
					}
				}
				loss := s.Loss(adjacency)
				requireNear(t, fmt.Sprint(c, adjacency, ": the loss"), loss/worst[1], 1, 2e-9)
				if worst[2] > 4*loss {
					t.Errorf("%v, %s: two rows cost %v, four times the loss of one is %v", c, adjacency, worst[2], 4*loss)
				}
				if s.replaceOneBound() < s.replaceOne() {
					t.Errorf("%v: the bound %v is below %v", c, s.replaceOneBound(), s.replaceOne())
				}
			}
		}
	}
}

// TestSameSeedDiffersByTheShift releases two tables with the same noise. The difference is Q_A d, whatever the counts are, so that the loss
// that was computed from Q_A is that of the release.
func TestSameSeedDiffersByTheShift(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		n := int(w.product(w.full()))
		histogram := make([]int64, n)
		for r := range histogram {
			histogram[r] = int64(r*r%7) + 3
		}
		histogram[0] = math.MaxInt64 - 5 // sums do not fit, and must not matter
		for moved := range n {
			other := append([]int64(nil), histogram...)
			other[moved]--
			of := func(h []int64) [][]int64 {
				return mechanismOf(t, w.LeastTotal(), 0.01, policy.AddRemove, 1, seeded(1)).released(w.tablesOf(h))
			}
			before, after := of(histogram), of(other)
			for i, a := range w.residuals {
				q := w.residualMatrix(a)
				for j := range before[i] {
					if shift := before[i][j] - after[i][j]; float64(shift) != q.At(j, moved) {
						t.Fatalf("%v, residual %v, cell %d: %d and not %v", c, a.columns(), j, shift, q.At(j, moved))
					}
				}
			}
		}
	}
}

// discrete is a discrete Gaussian distribution, from its density.
type discrete struct{ variance, weight float64 }

func discreteOf(variance float64) discrete {
	d := discrete{variance, 0}
	for z := -d.reach(); z <= d.reach(); z++ {
		d.weight += math.Exp(-float64(z*z) / (2 * variance))
	}
	return d
}

func (d discrete) reach() int64 { return int64(9*math.Sqrt(d.variance)) + 3 }

func (d discrete) probability(z int64) float64 {
	return math.Exp(-float64(z)*float64(z)/(2*d.variance)) / d.weight
}

// renyi is the divergence of order a of the distribution moved by shift from itself.
func (d discrete) renyi(a float64, shift int64) float64 {
	sum := 0.0
	for z := -d.reach() - 9*shift*shift; z <= d.reach()+9*shift*shift; z++ {
		x := float64(z)
		sum += math.Exp((-a*(x-float64(shift))*(x-float64(shift)) - (1-a)*x*x) / (2 * d.variance))
	}
	return math.Log(sum/d.weight) / (a - 1)
}

// TestDivergenceOfTheRelease computes the Renyi divergences of all neighbours' releases, coordinate by coordinate. None may exceed what rho-zCDP says.
func TestDivergenceOfTheRelease(t *testing.T) {
	const rho = 0.3
	for _, c := range slices.Concat(small[:4], ranged[:2]) {
		w := c.workload(t)
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			for rows := 1; rows <= 2; rows++ {
				m := mechanismOf(t, w.LeastTotal(), rho, adjacency, int64(rows), seeded(1))
				most := 0.0
				for _, d := range changes(int(w.product(w.full())), rows, adjacency) {
					for _, order := range []float64{1.1, 2, 5} {
						divergence := 0.0
						m.eachShift(d, func(noise discrete, shift int64) { divergence += noise.renyi(order, shift) })
						if divergence > order*rho*(1+1e-9) {
							t.Errorf("%v, %s, %d rows: order %v has the divergence %v", c, adjacency, rows, order, divergence)
						}
						most = max(most, divergence/order)
					}
				}
				if rows == 1 {
					requireNear(t, "the largest divergence over its order", most, rho, 0.02*rho)
				}
			}
		}
	}
}

// eachShift visits all components of the release with what a change of the full table moves them by.
func (m *Mechanism) eachShift(d []float64, visit func(noise discrete, shift int64)) {
	w := m.strategy.workload
	for i, a := range w.residuals {
		noise, q := discreteOf(m.noises[i].float()), w.residualMatrix(a)
		for j := range int(w.product(a)) {
			shift := 0.0
			for r, x := range d {
				shift += q.At(j, r) * x
			}
			visit(noise, int64(shift))
		}
	}
}

// TestHockeyStickOfTheRelease enumerates the joint distribution of releases of tables with one column, for all neighbours, and compares it with
// the term that is charged.
func TestHockeyStickOfTheRelease(t *testing.T) {
	for i, c := range slices.Concat(small[:2], ranged[:2]) {
		w := c.workload(t)
		for j, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			if testing.Short() && i%2 != j {
				continue
			}
			// Little noise: so many outputs can be enumerated, and the discrete noise is far from the continuous one.
			m := mechanismOf(t, w.LeastTotal(), 3, adjacency, 1, seeded(1))
			charged := float64(m.Term().Squared) / (2 * ratio(m.Term().Variance))
			for n, d := range changes(int(w.product(w.full())), 1, adjacency) {
				if testing.Short() && n%2 != 0 {
					continue
				}
				p, q := []float64{1}, []float64{1}
				m.eachShift(d, func(noise discrete, shift int64) {
					var moved, unmoved []float64
					for z := -noise.reach() - 8; z <= noise.reach()+8; z++ {
						moved, unmoved = append(moved, noise.probability(z-shift)), append(unmoved, noise.probability(z))
					}
					p, q = battery.Product(p, moved), battery.Product(q, unmoved)
				})
				for _, epsilon := range []float64{0, 0.5, 1, 2, 4, 8} {
					delta := max(battery.HockeyStick(epsilon, p, q), battery.HockeyStick(epsilon, q, p))
					if bound := composition.DeltaOfRho(charged, epsilon); delta > bound+1e-12 {
						t.Errorf("%v, %s, change %v: delta(%v) is %v, and rho = %v allows %v", c, adjacency, d, epsilon, delta, charged, bound)
					}
				}
			}
		}
	}
}
