package mechanisms

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// The tests of this file enumerate what mechanisms release, with exact probabilities, for neighbouring histograms, and compare the
// hockey-stick divergence of the worst neighbours with the guarantee that is stated.

// shown is what a release says of one cell.
type shown struct {
	count      int64
	suppressed bool
}

// An outcome is the distribution of what is released of one cell.
type outcome map[shown]float64

// released runs Sanitize's own arithmetic on every value that the noise can take, to 1e-15.
func released(a additive, n int64) outcome {
	var z int64
	z0 := a.noise
	a.noise = fixedNoise{z0, func() int64 { return z }}
	reach := z0.tailBelow(smallest15) + 1
	o := make(outcome)
	for z = -reach; z <= reach; z++ {
		o[cellOf(a.sanitize(nil, Histogram{Counts: []int64{n}}), 0)] += z0.probability(z)
	}
	return o
}

func cellOf(c Cells, i int) shown {
	return shown{c.Counts[i], c.Suppressed != nil && c.Suppressed[i]}
}

// aligned lists the probabilities of the same releases.
func aligned(p, q outcome) (ps, qs []float64) {
	keys := make(map[shown]bool)
	for s := range p {
		keys[s] = true
	}
	for s := range q {
		keys[s] = true
	}
	sorted := slices.SortedFunc(maps.Keys(keys), func(a, b shown) int { return int(a.count - b.count) })
	for _, s := range sorted {
		ps, qs = append(ps, p[s]), append(qs, q[s])
	}
	return ps, qs
}

// A move is one cell before and after.
type move struct{ p, q []float64 }

func (m move) back() move { return move{m.q, m.p} }

// worstDelta is the largest hockey-stick divergence of neighbours in which one person is added, removed or exchanged, one cell having
// one of the counts, and another one another.
func worstDelta(adjacency policy.Adjacency, epsilon float64, up []move) float64 {
	var worst float64
	for _, a := range up {
		if adjacency == policy.AddRemove {
			worst = max(worst, battery.HockeyStick(epsilon, a.p, a.q), battery.HockeyStick(epsilon, a.q, a.p))
			continue
		}
		for _, b := range up {
			b = b.back()
			worst = max(worst, pairHockeyStick(epsilon, a.p, b.p, a.q, b.q))
		}
	}
	return worst
}

var bothAdjacencies = []policy.Adjacency{policy.AddRemove, policy.ReplaceOne}

// Where a guarantee is exact, it is the divergence of the worst neighbours among all that a person can make: with few persons, around the
// threshold, and far from both.
func TestGuaranteeIsWhatIsReleased(t *testing.T) {
	for _, c := range []Config{
		{Kind: policy.Geometric, Epsilon: 5e8},
		{Kind: policy.Geometric, Epsilon: 1e9, KeepNegative: true},
		{Kind: policy.Geometric, Epsilon: 3e9, Adjacency: policy.ReplaceOne},
		{Kind: policy.DPSuppression, Epsilon: 1e9, K: 4, Fill: policy.Fill{}},
		{Kind: policy.DPSuppression, Epsilon: 2e9, K: 5, Fill: policy.Fill{Kind: policy.FillHalf}, Adjacency: policy.ReplaceOne},
		{Kind: policy.DPSuppression, Epsilon: 2e9, K: 3, Fill: policy.Fill{Kind: policy.FillValue, Value: 4}},
		{Kind: policy.Laplace, Epsilon: 5e8},
		{Kind: policy.Laplace, Epsilon: 1e9, KeepNegative: true},
		{Kind: policy.Laplace, Epsilon: 3e9, Adjacency: policy.ReplaceOne},
		{Kind: policy.Gaussian, Epsilon: 5e8, Delta: 1e15},
		{Kind: policy.Gaussian, Epsilon: 9e8, Delta: 1e16, Calibration: policy.ClassicCalibration, Adjacency: policy.ReplaceOne},
		{Kind: policy.Gaussian, Epsilon: 2e9, Delta: 1e14, Calibration: policy.PDPCalibration, KeepNegative: true},
		{Kind: policy.Gaussian, Epsilon: 15e9, Delta: 1e12},
		{Kind: policy.DiscreteGaussian, Epsilon: 5e8, Delta: 1e15},
		{Kind: policy.DiscreteGaussian, Epsilon: 2e9, Delta: 1e12, Adjacency: policy.ReplaceOne},
		{Kind: policy.DiscreteGaussian, Epsilon: 15e9, Delta: 1e12, KeepNegative: true},
	} {
		m := newMechanism(t, c)
		a := m.method.(additive)
		var up []move
		k := max(a.k, 1)
		far := a.noise.tailBelow(smallest15) + k // where clamping and suppression do not reach
		for _, n := range []int64{0, 1, k - 2, k - 1, k, far} {
			if n < 0 {
				continue
			}
			p, q := aligned(released(a, n), released(a, n+1))
			up = append(up, move{p, q})
		}
		for _, adjacency := range bothAdjacencies {
			g := m.Guarantee(adjacency)
			if !g.Exact || g.Adjacency != adjacency {
				t.Errorf("%s: %+v is not exact, or of another adjacency", c.Kind, g)
			}
			epsilons := []float64{0, 0.01, 0.3, 1, 3, 14.7}
			if !math.IsInf(g.Pure, 1) {
				epsilons = []float64{0, 0.01, 0.3 * g.Pure, 0.999 * g.Pure, g.Pure, 1.5 * g.Pure}
			}
			for _, e := range epsilons {
				got, want := g.Delta(e), worstDelta(adjacency, e, up)
				if math.Abs(got-want) > 1e-12+1e-9*want && math.Abs(got-want) > math.Exp(e)*1e-14 {
					t.Errorf("%s %v %s, %s: delta(%v) is %.15g, enumerated %.15g", c.Kind, c.Epsilon, c.Adjacency, adjacency, e, got, want)
				}
			}
		}
		// Noise for one adjacency does not do for the other at the same epsilon.
		if loss := m.Loss(); c.Adjacency != policy.ReplaceOne {
			e, d := float64(loss.Epsilon)/1e9, float64(loss.Delta)/1e18
			if got := worstDelta(policy.ReplaceOne, e, up); got <= d {
				t.Errorf("%s %v: two cells pass with the noise of one", c.Kind, c.Epsilon)
			}
		}
	}
}

// Formulas of the sources: with geometric noise for e0 per cell, delta(e) is (1-exp(e-e0))/(1+exp(-e0)) if one cell differs, and
// (1-exp(e-2 e0))/(1+exp(-e0))^2 if two do.
func TestGeometricProfile(t *testing.T) {
	for _, e0 := range []float64{1e-9, 1e-6, 0.1, 0.5, 1, 2, 30, 800} {
		m := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: epsilonOf(e0)})
		for _, share := range []float64{0, 0.3, 0.9, 1} {
			e := share * e0
			want := -math.Expm1(e-e0) / (1 + math.Exp(-e0))
			if got := m.Guarantee(policy.AddRemove).Delta(e); math.Abs(got-want) > 1e-12 {
				t.Errorf("e0 %v: delta(%v) is %v for one cell, want %v", e0, e, got, want)
			}
			want = -math.Expm1(2*e-2*e0) / ((1 + math.Exp(-e0)) * (1 + math.Exp(-e0)))
			if got := m.Guarantee(policy.ReplaceOne).Delta(2 * e); math.Abs(got-want) > 1e-12 {
				t.Errorf("e0 %v: delta(%v) is %v for two cells, want %v", e0, 2*e, got, want)
			}
		}
	}
}

// A guarantee can be asked at any epsilon, and turned round.
func TestGuaranteeAtAnyEpsilon(t *testing.T) {
	for _, kind := range policy.Kinds {
		for _, s := range []int64{1, 3} {
			for _, e := range []float64{0.01, 1, 30, 2000} {
				c := kindConfig(kind)
				c.Sensitivity, c.PerCell, c.Bound = s, s, 9
				if kind != policy.Suppression {
					c.Epsilon = epsilonOf(e)
				}
				m := newMechanism(t, c)
				for _, adjacency := range bothAdjacencies {
					g := m.Guarantee(adjacency)
					last := 1.0
					for _, e := range []float64{0, 1e-9, 0.1, 1, 10, 100, 709, 710, 800, 1e4, 1e6, 9.3e9} {
						d := g.Delta(e)
						if !(d >= 0 && d <= last+1e-12) {
							t.Errorf("%s %v: delta(%v) is %v after %v", kind, c.Epsilon, e, d, last)
						}
						last = d
					}
					if !kind.Guaranteed() {
						continue
					}
					for _, d := range []float64{1e-3, 1e-6} {
						e := g.Epsilon(d)
						if e > 1e5 || g.Delta(e) > d || e > 0 && g.Delta(e*(1-1e-8)) < d*(1-1e-5) && e < g.Pure*(1-1e-9) {
							t.Errorf("%s %v sensitivity %d %s: epsilon of delta %v is %v, of delta %v", kind, c.Epsilon, s, adjacency, d, e, g.Delta(e))
						}
					}
				}
			}
		}
	}
}

// Renyi divergences, computed from the probabilities of what is released: rho times the order is never exceeded, and reached where
// the guarantee says so.
func TestRhoBoundsRenyiDivergences(t *testing.T) {
	for _, c := range []struct {
		Config
		reached bool
	}{
		{Config{Kind: policy.Geometric, Epsilon: 1e8}, true},
		{Config{Kind: policy.Geometric, Epsilon: 1e9}, true},
		{Config{Kind: policy.Geometric, Epsilon: 8e9}, true},
		{Config{Kind: policy.Laplace, Epsilon: 1e8}, false},
		{Config{Kind: policy.Laplace, Epsilon: 1e9}, false},
		{Config{Kind: policy.Laplace, Epsilon: 8e9}, false},
		{Config{Kind: policy.Gaussian, Epsilon: 5e8, Delta: 1e15}, false},
		{Config{Kind: policy.Gaussian, Epsilon: 8e9, Delta: 1e12}, false},
		{Config{Kind: policy.DiscreteGaussian, Epsilon: 5e8, Delta: 1e15}, true},
		{Config{Kind: policy.DiscreteGaussian, Epsilon: 8e9, Delta: 1e12}, false}, // with little noise
	} {
		c.KeepNegative = true
		m := newMechanism(t, c.Config)
		p, q := aligned(released(m.method.(additive), 50), released(m.method.(additive), 51))
		for _, adjacency := range bothAdjacencies {
			cells := map[policy.Adjacency]float64{policy.AddRemove: 1, policy.ReplaceOne: 2}[adjacency]
			rho := m.Guarantee(adjacency).Rho
			var most float64
			for _, order := range []float64{1 + 1e-5, 1.01, 1.5, 2, 3, 8, 20} {
				// Either direction, cell by cell: divergences of independent cells add up, and noise is symmetric.
				ratio := cells * renyi(order, p, q) / order
				most = max(most, ratio)
				if ratio > rho*(1+1e-6) {
					t.Errorf("%s %v %s: divergence of order %v is %v rho", c.Kind, c.Epsilon, adjacency, order, ratio/rho)
				}
			}
			if c.reached && most < rho*(1-1e-3) || most < rho*0.5 {
				t.Errorf("%s %v %s: no divergence exceeds %v rho", c.Kind, c.Epsilon, adjacency, most/rho)
			}
		}
	}
}

// renyi leaves out the values that enumeration cut off on one side: with a probability of 1e-15 they change nothing.
func renyi(order float64, p, q []float64) float64 {
	var sum float64
	for i := range p {
		if p[i] > 1e-14 && q[i] > 0 {
			sum += p[i] * math.Expm1((order-1)*math.Log(p[i]/q[i]))
		}
	}
	return math.Log1p(sum) / (order - 1)
}

// The loss that is charged holds for what is released: (epsilon, delta) of every mechanism with a guarantee, under its own adjacency,
// however a person's contributions are spread; and calibrated noise is no larger than it must be.
func TestCalibratedNoiseKeepsItsLoss(t *testing.T) {
	for i, c := range []struct {
		s, perCell int64
		tight      bool
	}{{1, 1, true}, {2, 1, false}, {2, 2, false}, {3, 2, false}, {4, 4, false}} {
		for j, loss := range []struct{ epsilon, delta float64 }{{0.2, 1e-6}, {1, 1e-9}, {1, 0.01}, {4, 1e-5}, {30, 1e-3}} {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			for _, adjacency := range bothAdjacencies {
				m := newMechanism(t, Config{
					Kind: policy.DiscreteGaussian, Epsilon: epsilonOf(loss.epsilon), Delta: deltaOf(loss.delta),
					Adjacency: adjacency, Sensitivity: c.s, PerCell: c.perCell,
				})
				g := m.method.(additive).noise.(*gaussian)
				var worst float64
				for _, w := range differences(c.s, c.perCell, adjacency) {
					worst = max(worst, discreteGaussianShift(g, w, loss.epsilon))
				}
				if worst > loss.delta*(1+1e-9) {
					t.Errorf("s %d, per cell %d, %v, %s: exact delta is %v", c.s, c.perCell, loss, adjacency, worst)
				}
				// Variances are multiples of 2^-30 and more than 1/256, which is all that large epsilons need.
				if c.tight && worst < loss.delta*(1-1e-3) && loss.epsilon < 30 {
					t.Errorf("s %d, per cell %d, %v, %s: exact delta is %v: too much noise", c.s, c.perCell, loss, adjacency, worst)
				}
			}
		}
	}
}

// differences are the changes of counts that neighbours can have, up to order: of one person who counts s in all and perCell in each
// cell at most, or of one who leaves and one who comes, in the same cells or in others.
func differences(s, perCell int64, adjacency policy.Adjacency) [][]int64 {
	var parts func(left, most int64) [][]int64
	parts = func(left, most int64) [][]int64 {
		all := [][]int64{nil}
		for first := min(left, most); first >= 1; first-- {
			for _, rest := range parts(left-first, first) {
				all = append(all, append([]int64{first}, rest...))
			}
		}
		return all
	}
	one := parts(s, perCell)
	if adjacency == policy.AddRemove {
		return one
	}
	var all [][]int64
	for _, u := range one {
		for _, v := range one {
			// What both do to one cell cancels out, and is the difference of smaller persons.
			w := slices.Clone(u)
			for _, x := range v {
				w = append(w, -x)
			}
			all = append(all, w)
		}
	}
	// Noise is symmetric: signs and order make no difference.
	sorted := func(w []int64) []int64 {
		sizes := make([]int64, len(w))
		for i, x := range w {
			sizes[i] = max(x, -x)
		}
		slices.Sort(sizes)
		return sizes
	}
	compare := func(v, w []int64) int { return slices.Compare(sorted(v), sorted(w)) }
	slices.SortFunc(all, compare)
	return slices.CompactFunc(all, func(v, w []int64) bool { return compare(v, w) == 0 })
}

// discreteGaussianShift is the exact delta for counts that differ by w: the privacy loss is (2 T + |w|^2)/(2 sigma^2), T being the sum of
// w_i Z_i, an integer.
func discreteGaussianShift(g *gaussian, w []int64, epsilon float64) float64 {
	var norm float64
	reach, most := g.tailBelow(smallest15), int64(0)
	sum := []float64{1} // of -most ... most
	for _, x := range w {
		norm += float64(x * x)
		x = max(x, -x) // noise is symmetric
		next := make([]float64, int64(len(sum))+2*x*reach)
		for z := int64(0); z <= 2*reach; z++ {
			probability := g.probability(z - reach)
			for i, p := range sum {
				next[int64(i)+x*z] += p * probability
			}
		}
		sum, most = next, most+x*reach
	}
	var delta float64
	for i, p := range sum {
		if loss := (2*float64(int64(i)-most) + norm) / (2 * g.sigma * g.sigma); loss > epsilon {
			delta += p * -math.Expm1(epsilon-loss)
		}
	}
	return delta
}

// The same of rounded Gaussian noise, by enumeration of all cells together, with an epsilon that leaves little noise.
func TestRoundedGaussianKeepsItsLoss(t *testing.T) {
	for i, calibration := range []policy.Calibration{policy.AnalyticCalibration, policy.PDPCalibration, policy.ClassicCalibration} {
		for j, c := range []struct{ s, perCell int64 }{{1, 1}, {2, 1}, {2, 2}, {3, 2}} {
			for k, adjacency := range bothAdjacencies {
				if testing.Short() && (i+j+k)%2 != 0 {
					continue
				}
				epsilon, delta := 4.0, 1e-3
				if calibration == policy.ClassicCalibration {
					epsilon, delta = 0.99, 0.1
				}
				m := newMechanism(t, Config{
					Kind: policy.Gaussian, Epsilon: epsilonOf(epsilon), Delta: deltaOf(delta), Calibration: calibration,
					Adjacency: adjacency, Sensitivity: c.s, PerCell: c.perCell,
				})
				g := m.method.(additive).noise.(*gaussian)
				d := math.Sqrt(float64(m.config.squaredDistance()))
				if got := gaussianDelta(epsilon, g.sigma, d); got > delta || calibration == policy.AnalyticCalibration && got < delta*(1-1e-3) {
					t.Errorf("%s %+v %s: delta of continuous noise is %v, want %v", calibration, c, adjacency, got, delta)
				}
				for _, w := range differences(c.s, c.perCell, adjacency) {
					if len(w) > 4 || len(w) == 0 || calibration == policy.ClassicCalibration && len(w) > 1 {
						continue // too many values to enumerate
					}
					p, q := []float64{1}, []float64{1}
					reach := g.tailBelow(smallest15) + 4
					for _, x := range w {
						var one, other []float64
						for z := -reach; z <= reach; z++ {
							one, other = append(one, g.probability(z)), append(other, g.probability(z-x))
						}
						p, q = battery.Product(p, one), battery.Product(q, other)
					}
					if got := max(battery.HockeyStick(epsilon, p, q), battery.HockeyStick(epsilon, q, p)); got > delta || got > m.Guarantee(adjacency).Delta(epsilon)*(1+1e-9) {
						t.Errorf("%s %+v %s: exact delta for %v is %v, stated %v", calibration, c, adjacency, w, got, m.Guarantee(adjacency).Delta(epsilon))
					}
				}
			}
		}
	}
}

// However a person's rows are spread, all cells together cost epsilon, and no more delta than the guarantee states at any other
// epsilon; and noise for one row less would not do.
func TestLaplaceNoiseBySensitivity(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace} {
		for _, s := range []int64{1, 2, 3} {
			for _, adjacency := range bothAdjacencies {
				for _, e := range []float64{2, 5} {
					t.Run(fmt.Sprintf("%s/%d/%s/%v", kind, s, adjacency, e), func(t *testing.T) {
						testSensitivity(t, Config{Kind: kind, Epsilon: epsilonOf(e), Adjacency: adjacency, Sensitivity: s, PerCell: s, KeepNegative: true})
					})
				}
			}
		}
	}
}

func testSensitivity(t *testing.T, c Config) {
	m := newMechanism(t, c)
	e := float64(c.Epsilon) / 1e9
	z := m.method.(additive).noise
	g := m.Guarantee(c.Adjacency)
	if !near(g.Pure, e, 1e-12) {
		t.Errorf("pure at %v", g.Pure)
	}
	var lessNoise noise
	if c.Sensitivity > 1 {
		less := c
		less.Sensitivity--
		less.PerCell--
		lessNoise = newMechanism(t, less).method.(additive).noise
	}
	var worst, worstOfLess float64
	for _, w := range differences(c.Sensitivity, c.PerCell, c.Adjacency) {
		if d := spreadDelta(z, w, e); d > 1e-12 {
			t.Errorf("%v: delta is %v, want 0", w, d)
		}
		for _, share := range []float64{0, 0.3, 0.9} {
			if d := spreadDelta(z, w, share*e); d > g.Delta(share*e)*(1+1e-9)+1e-12 {
				t.Errorf("%v: delta(%v) is %v, stated %v", w, share*e, d, g.Delta(share*e))
			}
		}
		worst = max(worst, spreadDelta(z, w, 0.9*e))
		if c.Sensitivity > 1 {
			worstOfLess = max(worstOfLess, spreadDelta(lessNoise, w, e))
		}
	}
	if worst < 1e-4 {
		t.Errorf("the noise is for less than epsilon: delta(0.9 epsilon) is %v", worst)
	}
	if c.Sensitivity > 1 && worstOfLess < 1e-3 {
		t.Errorf("the noise of %d rows would do", c.Sensitivity-1)
	}
}

// spreadDelta is the exact delta for counts that differ by w, from the distribution of the privacy loss, which has few values: the
// losses of cells add up.
func spreadDelta(z noise, w []int64, epsilon float64) float64 {
	type key int64 // of a loss, in units of 1e-9: far from each other
	loss := map[key]float64{0: 1}
	value := map[key]float64{0: 0}
	reach := z.tailBelow(smallest15)
	for _, x := range w {
		one := make(map[key]float64)
		values := make(map[key]float64)
		for i := -reach; i <= reach; i++ {
			l := math.Log(z.probability(i) / z.probability(i+x))
			k := key(math.Round(l * 1e9))
			one[k] += z.probability(i)
			values[k] = l
		}
		next, nextValue := make(map[key]float64), make(map[key]float64)
		for k, p := range loss {
			for k1, p1 := range one {
				v := value[k] + values[k1]
				sum := key(math.Round(v * 1e9))
				next[sum] += p * p1
				nextValue[sum] = v
			}
		}
		loss, value = next, nextValue
	}
	var delta float64
	for k, p := range loss {
		if value[k] > epsilon+1e-9 {
			delta += p * -math.Expm1(epsilon-value[k])
		}
	}
	return delta
}
