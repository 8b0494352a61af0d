package mechanisms

import (
	"math"
	"sync"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// publishedOutcome is what is released of cells, by the definition of each mechanism, with the probabilities of floor(Lap(2/epsilon))
// integrated from the density. Cells are up to two.
func publishedOutcome(p publishedSuppression, counts []int64) map[[2]shown]float64 {
	lap, reach := floorOfLaplace(1 / p.noise.rate())
	fill := func(k int64) shown {
		switch {
		case p.fill.Kind == policy.FillNull:
			return shown{0, true}
		case p.fill.Kind == policy.FillHalf:
			return shown{int64(math.Floor(float64(k) / 2)), false}
		}
		return shown{p.fill.Value, false}
	}
	outcomes := make(map[[2]shown]float64)
	if p.kind == policy.DPSuppressionAlg2 {
		for i, probability := range lap {
			k := p.k + int64(i) - reach // floor(k~)
			var o [2]shown
			for c, n := range counts {
				o[c] = shown{n, false}
				if float64(n) < float64(k)+0.5 { // n < k~ for every k~ of this floor
					o[c] = fill(k)
				}
			}
			outcomes[o] += probability
		}
		return outcomes
	}
	each := func(n int64) map[shown]float64 {
		one := make(map[shown]float64)
		for i, probability := range lap {
			s := shown{n, false}
			if float64(n)+float64(int64(i)-reach)+0.5 < float64(p.k) {
				s = fill(p.k)
			}
			one[s] += probability
		}
		return one
	}
	first, second := each(counts[0]), map[shown]float64{{}: 1}
	if len(counts) > 1 {
		second = each(counts[1])
	}
	for s, x := range first {
		for r, y := range second {
			outcomes[[2]shown{s, r}] += x * y
		}
	}
	return outcomes
}

// floorOfLaplace are the probabilities of floor(X), X a Laplace variable, from -reach on: integrated once for all tests of a scale.
func floorOfLaplace(scale float64) (lap []float64, reach int64) {
	reach = int64(60 * scale)
	if known, ok := laplaceFloors.Load(scale); ok {
		return known.([]float64), reach
	}
	density := func(x float64) float64 { return math.Exp(-math.Abs(x)/scale) / (2 * scale) }
	for f := -reach; f < reach; f++ {
		lap = append(lap, integral(density, float64(f), float64(f)+1, scale))
	}
	laplaceFloors.Store(scale, lap)
	return lap, reach
}

var laplaceFloors sync.Map

func outcomeDelta(epsilon float64, p, q map[[2]shown]float64) float64 {
	var delta float64
	for o, x := range p {
		delta += max(0, x-math.Exp(epsilon)*q[o])
	}
	return delta
}

// The delta of published suppression is that of the worst neighbours among all with counts up to the bound, at every epsilon.
func TestPublishedSuppressionDelta(t *testing.T) {
	for _, kind := range []policy.Kind{policy.DPSuppressionEq2, policy.DPSuppressionAlg2} {
		for _, fill := range []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 0}, {Kind: policy.FillValue, Value: 7}, {Kind: policy.FillValue, Value: 8}} {
			for _, c := range []struct {
				epsilon  float64
				k, bound int64
			}{{1, 6, 8}, {0.5, 3, 7}, {3, 2, 5}, {1, 12, 8}, {2, 1, 1}} {
				m := newMechanism(t, Config{Kind: kind, Epsilon: epsilonOf(c.epsilon), K: c.k, Fill: fill, Bound: c.bound})
				p := m.method.(publishedSuppression)
				outcomes := make(outcomesOf)
				for _, adjacency := range bothAdjacencies {
					g := m.Guarantee(adjacency)
					for _, e := range []float64{0, 0.5, c.epsilon, 5} {
						want := outcomes.worst(p, adjacency, c.bound, e)
						if got := g.Delta(e); got < want*(1-1e-9) || g.Exact && !near(got, want, 1e-9) {
							t.Errorf("%s %+v fill %v %s: delta(%v) is %v, enumerated %v", kind, c, fill, adjacency, e, got, want)
						}
					}
					// A fill value that is one of the largest counts is the exception.
					isLarge := fill.Kind != policy.FillNull && fillValue(fill, c.k) >= float64(c.bound-1) && fillValue(fill, c.k) <= float64(c.bound)
					if noisy := p.noisyFill(); g.Exact != (noisy || !isLarge) {
						t.Errorf("%s %+v fill %v %s: exact is %v", kind, c, fill, adjacency, g.Exact)
					}
				}
			}
		}
	}
}

// outcomesOf are what one mechanism releases of two counts.
type outcomesOf map[[2]int64]map[[2]shown]float64

// worst goes through all pairs of counts; a second cell stands for others of the release, which tell where a noisy threshold is.
func (outcomes outcomesOf) worst(p publishedSuppression, adjacency policy.Adjacency, bound int64, epsilon float64) float64 {
	var worst float64
	of := func(a, b int64) map[[2]shown]float64 {
		key := [2]int64{a, b}
		if outcomes[key] == nil {
			outcomes[key] = publishedOutcome(p, key[:])
		}
		return outcomes[key]
	}
	for a := int64(0); a < bound; a++ {
		for b := int64(0); b <= bound; b++ {
			p, q := of(a, b), of(a+1, b)
			if adjacency == policy.ReplaceOne {
				if b == 0 {
					continue
				}
				q = of(a+1, b-1)
			}
			worst = max(worst, outcomeDelta(epsilon, p, q), outcomeDelta(epsilon, q, p))
		}
	}
	return worst
}

// Without a bound, or without noise, nothing is promised at all.
func TestPublishedSuppressionPromisesNothing(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Suppression, policy.DPSuppressionEq2, policy.DPSuppressionAlg2} {
		c := kindConfig(kind)
		if kind == policy.Suppression {
			c.Bound = 100
		}
		for _, adjacency := range bothAdjacencies {
			g := newMechanism(t, c).Guarantee(adjacency)
			if g.Delta(0) != 1 || g.Delta(100) != 1 || !math.IsInf(g.Epsilon(0.99), 1) || !math.IsInf(g.Rho, 1) || !math.IsInf(g.Pure, 1) {
				t.Errorf("%s %s: %+v with delta %v", kind, adjacency, g, g.Delta(0))
			}
		}
	}
}

// Theorem 1 is above the exact delta, and close to it, for k <= B-1.
func TestTheorem1(t *testing.T) {
	for _, e := range []float64{0.1, 1, 3} {
		for bound := int64(7); bound < 20; bound++ {
			m := newMechanism(t, Config{Kind: policy.DPSuppressionEq2, Epsilon: epsilonOf(e), K: 6, Fill: policy.Fill{}, Bound: bound})
			exact, theorem := m.Guarantee(policy.ReplaceOne).Delta(1), m.method.(publishedSuppression).theorem1()
			closed := 1 - math.Exp(-e*(float64(bound)-0.5-6))/4
			if theorem < exact || !near(exact, closed, 1e-12) {
				t.Errorf("epsilon %v, B %d: Theorem 1 has %v, exact is %v or %v", e, bound, theorem, exact, closed)
			}
		}
	}
}

// What Sanitize releases is what the enumeration says, cell by cell and, with one noisy threshold for all, cells together.
func TestPublishedSuppressionFollowsItsDefinition(t *testing.T) {
	const releases = 20_000
	seed := byte(60)
	for _, kind := range []policy.Kind{policy.DPSuppressionEq2, policy.DPSuppressionAlg2} {
		for _, fill := range []policy.Fill{{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 3}} {
			for _, counts := range [][]int64{{0, 7}, {5, 6}, {8, 8}, {6, 30}} {
				seed++
				m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, K: 6, Fill: fill, Random: battery.Seeded(seed)})
				seen := make(map[[2]shown]float64)
				for range releases {
					cells, err := m.Sanitize(Histogram{Counts: counts})
					if err != nil {
						t.Fatal(err)
					}
					seen[[2]shown{cellOf(cells, 0), cellOf(cells, 1)}]++
				}
				var statistic, rest float64
				bins := 0
				want := publishedOutcome(m.method.(publishedSuppression), counts)
				var restSeen float64 = releases
				rest = releases
				for o, probability := range want {
					expected := releases * probability
					if expected < 50 {
						continue
					}
					statistic += (seen[o] - expected) * (seen[o] - expected) / expected
					rest, restSeen = rest-expected, restSeen-seen[o]
					bins++
				}
				if rest >= 10 {
					statistic += (restSeen - rest) * (restSeen - rest) / rest
					bins++
				}
				if bins > 1 && statistic > battery.Limit(bins-1) {
					t.Errorf("%s, fill %v, counts %v: chi-squared is %.1f with %d bins", kind, fill, counts, statistic, bins)
				}
				for o := range seen {
					if want[o] == 0 {
						t.Errorf("%s, fill %v, counts %v: %v is impossible", kind, fill, counts, o)
					}
				}
			}
		}
	}
}

func TestSuppressionIsDeterministic(t *testing.T) {
	for fill, value := range map[policy.Fill]int64{{}: 0, {Kind: policy.FillHalf}: 2, {Kind: policy.FillValue, Value: 9}: 9} {
		m := newMechanism(t, Config{Kind: policy.Suppression, K: 5, Fill: fill, Random: stuck(0)})
		counts := []int64{0, 1, 4, 5, 6, math.MaxInt64}
		cells, err := m.Sanitize(Histogram{Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range counts {
			want := shown{n, false}
			if n < 5 {
				want = shown{value, fill.Kind == policy.FillNull}
			}
			if got := cellOf(cells, i); got != want {
				t.Errorf("fill %v: %d is shown as %v, want %v", fill, n, got, want)
			}
		}
	}
}

// The closed forms of a noisy fill value, against sums over the noisy threshold.
func TestNoisyFillSums(t *testing.T) {
	for _, e := range []float64{1e-3, 0.05, 1, 20, 800} {
		for _, k := range []int64{1, 2, 7, 1000} {
			for _, n := range []int64{0, 1, 2, 3, 6, 7, 8, 500, 999, 1500} {
				m := newMechanism(t, Config{Kind: policy.DPSuppressionAlg2, Epsilon: epsilonOf(e), K: k, Fill: policy.Fill{Kind: policy.FillHalf}})
				x := m.Expect(Histogram{Counts: []int64{n}})[0]
				var mean, square, withheld float64
				q := math.Exp(-e / 2)
				for j := k + int64(100/e) + 2; j >= n; j-- { // floor(k~) = j
					probability := (1 - q) / 2 * math.Exp(-e/2*float64(max(j-k, k-1-j)))
					off := math.Floor(float64(j)/2) - float64(n)
					withheld += probability
					mean += off * probability
					square += off * off * probability
				}
				if withheld < 1e-14 {
					continue // the sum has ended
				}
				if !near(x.Suppressed, withheld, 1e-9) || math.Abs(x.Bias-mean) > 1e-9*(math.Abs(mean)+math.Sqrt(square)) || math.Abs(x.Variance-square+mean*mean) > 1e-8*square+1e-15 {
					t.Errorf("epsilon %v, k %d, n %d: %v %v %v, summed up %v %v %v", e, k, n, x.Suppressed, x.Bias, x.Variance, withheld, mean, square-mean*mean)
				}
			}
		}
	}
}

// Noise of a scale that nobody can sum over takes no time: computed with 60 digits in mpmath from the same sums.
func TestNoisyFillOfExtremeScale(t *testing.T) {
	for _, c := range []struct {
		k, n           int64
		bias, variance float64
	}{
		{6, 0, 500000001.25, 7.5000000125e+17},
		{6, 9, 499999996.75, 7.4999999675e+17},
		{1000000, 5, 500250059.73821, 7.50249997249997e+17},
		{1000000000, 7, 803265324.630807, 9.98234146484151e+17},
		{1000000000, 1200000000, 180967483.380983, 4.92056472238643e+17},
	} {
		m := newMechanism(t, Config{Kind: policy.DPSuppressionAlg2, Epsilon: 1, K: c.k, Fill: policy.Fill{Kind: policy.FillHalf}})
		x := m.Expect(Histogram{Counts: []int64{c.n}})[0]
		if !near(x.Bias, c.bias, 1e-9) || !near(x.Variance, c.variance, 1e-9) {
			t.Errorf("k %d, n %d: bias %.15g and variance %.15g, want %.15g and %.15g", c.k, c.n, x.Bias, x.Variance, c.bias, c.variance)
		}
	}
}
