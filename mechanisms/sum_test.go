package mechanisms

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// enumerated is the distribution of the sum of the errors of cells with given true counts, by convolution of one cell after the other.
func enumerated(a additive, counts []int64, reach int64) map[int64]float64 {
	sum := map[int64]float64{0: 1}
	for _, n := range counts {
		next := make(map[int64]float64)
		for s, p := range sum {
			for z := -reach; z <= reach; z++ {
				e := z
				if !a.keepNegative {
					e = max(z, -n)
				}
				next[s+e] += p * a.noise.probability(z)
			}
		}
		sum = next
	}
	return sum
}

func beyondWidth(p map[int64]float64, w int64) float64 {
	total := 0.0
	for s, p := range p {
		if max(s, -s) > w {
			total += p
		}
	}
	return total
}

// additiveOf is a mechanism with little noise, and the reach beyond which there is none.
func additiveOf(t *testing.T, kind policy.Kind, keepNegative bool) (*Mechanism, additive, int64) {
	c := kindConfig(kind)
	c.Epsilon, c.KeepNegative = 2e9, keepNegative
	m := newMechanism(t, c)
	return m, m.method.(additive), m.method.(additive).noise.tailBelow(big.NewRat(1, 1_000_000_000_000))
}

var additiveKinds = []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian}

// The bound holds for whatever true counts, and is the smallest that holds for all of them: of cells that keep negative counts it is exact.
func TestSumErrorByEnumeration(t *testing.T) {
	for _, kind := range additiveKinds {
		for _, keepNegative := range []bool{true, false} {
			m, a, reach := additiveOf(t, kind, keepNegative)
			for cells := 2; cells <= 4; cells++ {
				e, ok := m.SumError(cells)
				if !ok {
					t.Fatalf("%s: no error of sums", kind)
				}
				for _, n := range []int64{0, 1, 3, 1000} {
					counts := make([]int64, cells)
					for i := range counts {
						counts[i] = n * int64(i+1) * int64(i%2) // with empty cells, and without for n > 0
						if n == 1000 {
							counts[i] = n
						}
					}
					if p := beyondWidth(enumerated(a, counts, reach), e.HalfWidth95); p > 0.05 {
						t.Errorf("%s, keep negative %t: the error of cells %v is beyond %d with probability %v", kind, keepNegative, counts, e.HalfWidth95, p)
					}
				}
				if p := beyondWidth(enumerated(a, make([]int64, cells), reach), e.HalfWidth95-1); keepNegative && p <= 0.05-1e-5 {
					t.Errorf("%s: %d cells: one less than %d has probability %v, too", kind, cells, e.HalfWidth95, p)
				}
			}
		}
	}
}

// What is shown of empty cells adds up to a bias, exactly.
func TestBiasOfSums(t *testing.T) {
	for _, kind := range additiveKinds {
		m, a, reach := additiveOf(t, kind, false)
		e, _ := m.SumError(3)
		mean := 0.0
		for s, p := range enumerated(a, make([]int64, 3), reach) {
			mean += float64(s) * p
		}
		if math.Abs(mean-e.BiasOfZero) > 1e-6*mean {
			t.Errorf("%s: the bias of 3 empty cells is %v, not %v", kind, mean, e.BiasOfZero)
		}
		if kept, _, _ := additiveOf(t, kind, true); kept.BiasOfZero() != 0 {
			t.Errorf("%s: counts that are kept have a bias", kind)
		}
	}
}

// Sums of n draws exceed the bound no more often than 5% of the time, and of cells that keep negative counts not much less often. With
// Hoeffding's inequality the share is within sqrt(ln(10^6)/(2n)) of its expectation, but with probability 1e-6 on either side.
func TestSumErrorBySimulation(t *testing.T) {
	t.Parallel()
	const n = 20_000
	margin := math.Sqrt(math.Log(1e6) / (2 * n))
	for i, kind := range additiveKinds {
		for j, scale := range []float64{0.7, 30, 40_000} {
			for _, keepNegative := range []bool{true, false} {
				if testing.Short() && (keepNegative != (i%2 == 0) || (i+j)%2 != 0) {
					continue
				}
				c := ofScale(kind, scale)
				c.Random, c.KeepNegative = battery.Seeded(byte(i+1)), keepNegative
				m := newMechanism(t, c)
				const cells = 20
				e, _ := m.SumError(cells)
				exceeded := 0
				simulate(t, m, make([]int64, cells), n, func(shown []int64) {
					sum := int64(0)
					for _, v := range shown {
						sum += v
					}
					if max(sum, -sum) > e.HalfWidth95 {
						exceeded++
					}
				})
				share := float64(exceeded) / n
				if share > 0.05+margin || keepNegative && scale > 1 && share < 0.04-margin {
					t.Errorf("%s, scale %v, keep negative %t: ±%d is exceeded by %v of sums", kind, scale, keepNegative, e.HalfWidth95, share)
				}
			}
		}
	}
}

// Gaussian noise adds up to Gaussian noise, whose width is known; other noise comes near to it. The bound is never below, and at most one
// part in a hundred above, but for what the steps of the lattice add: for few cells, and for as many as a policy allows.
func TestSumErrorOfManyCells(t *testing.T) {
	for _, scale := range []float64{3, 1000, 1e6} {
		for _, cells := range []int{2, 100, 10_000, 100_000} {
			for _, kind := range additiveKinds {
				t.Run(fmt.Sprintf("%s/%v/%d", kind, scale, cells), func(t *testing.T) {
					c := ofScale(kind, scale)
					c.KeepNegative = true
					m := newMechanism(t, c)
					e, _ := m.SumError(cells)
					deviation := math.Sqrt(float64(cells) * variance(m.method.(additive).noise))
					exact := 1.959964 * deviation
					gaussian := kind == policy.Gaussian || kind == policy.DiscreteGaussian
					low, high := exact-1, 1.01*exact+1
					if deviation > 2*stepsOfDeviation { // the remainders of steps add sqrt(ln(1/remainder)/2) = 2.63 steps for the root of each cell
						high = (1.01 + 2.63*math.Sqrt(float64(cells))/stepsOfDeviation) * exact
					}
					if !gaussian && cells <= 100 { // another shape still, with 2.06 deviations for two
						low, high = 0.99*exact, 1.06*exact
					}
					if w := float64(e.HalfWidth95); w < low || w > high {
						t.Errorf("the half width is %v, %.4f deviations", w, w/deviation)
					}
				})
			}
		}
	}
}

// Sums of discrete Laplace noise are differences of two negative binomial variables: a closed form, whose tail is summed up here.
func TestSumErrorOfGeometricNoise(t *testing.T) {
	const cells = 50
	c := kindConfig(policy.Geometric)
	c.KeepNegative = true
	m := newMechanism(t, c)
	a := m.method.(additive).noise.(discreteLaplace).a()
	const reach = 4000
	binomial := make([]float64, reach) // P(K = k) = C(k+cells-1, k) (1-a)^cells a^k
	for k := range binomial {
		over, _ := math.Lgamma(float64(k + cells))
		under, _ := math.Lgamma(float64(k + 1))
		rest, _ := math.Lgamma(cells)
		binomial[k] = math.Exp(over - under - rest + cells*math.Log1p(-a) + float64(k)*math.Log(a))
	}
	exceeds := func(w int) float64 {
		p := 0.0
		for j := range reach {
			for k := j + w + 1; k < reach; k++ {
				p += binomial[j] * binomial[k]
			}
		}
		return 2 * p
	}
	e, _ := m.SumError(cells)
	if w := int(e.HalfWidth95); exceeds(w) > 0.05 || exceeds(w-1) <= 0.05-1e-5 {
		t.Errorf("±%d is exceeded with probability %v, ±%d with %v", w, exceeds(w), w-1, exceeds(w-1))
	}
}

func TestSumErrorGrowsWithTheCells(t *testing.T) {
	for _, keepNegative := range []bool{false, true} {
		m, _, _ := additiveOf(t, policy.Geometric, keepNegative)
		before := m.HalfWidth95()
		if e, _ := m.SumError(1); e.HalfWidth95 != before {
			t.Errorf("one cell has ±%d, and as a sum ±%d", before, e.HalfWidth95)
		}
		for cells := 2; cells <= 300; cells++ {
			e, _ := m.SumError(cells)
			if e.HalfWidth95 < before {
				t.Fatalf("%d cells have ±%d, one less ±%d", cells, e.HalfWidth95, before)
			}
			if again, _ := m.SumError(cells); again != e {
				t.Fatalf("%d cells have %v, and then %v", cells, e, again)
			}
			before = e.HalfWidth95
		}
	}
}

// Errors add up only where each cell has noise of its own and nothing else happens to it.
func TestNoSumErrorOfOtherMechanisms(t *testing.T) {
	for _, kind := range policy.Kinds {
		if kind == policy.Audit {
			continue
		}
		_, ok := newMechanism(t, kindConfig(kind)).SumError(2)
		if want := kind.Guaranteed() && !kind.Suppresses(); ok != want {
			t.Errorf("%s: sums have an error: %t", kind, ok)
		}
	}
	fitted, _ := newFitted(t, fittedConfig(policy.Geometric, 0.5, newMargins(t, []int{2, 3}, [][]int{{0}})))
	if _, ok := fitted.SumError(2); ok {
		t.Error("the errors of fitted cells are taken for independent")
	}
	if _, ok := newMechanism(t, kindConfig(policy.Geometric)).SumError(0); ok {
		t.Error("a sum of nothing has an error")
	}
}

func BenchmarkSumError(b *testing.B) {
	for _, scale := range []float64{2, 1e6} {
		for _, cells := range []int{10, 1000, 100_000} {
			b.Run(fmt.Sprintf("%v/%d", scale, cells), func(b *testing.B) {
				m, err := New(ofScale(policy.Geometric, scale))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					m.method.(additive).sumWithin([]Weighted{{1, cells}}, big.NewRat(1, 20))
				}
			})
		}
	}
}

// Of independent sums, the largest error is within the half width of all of them by enumeration, where that of one sum would not do; and
// where the bounds of tails do not reach far enough, each cell's part of the error is bounded instead.
func TestSumsWithinByEnumeration(t *testing.T) {
	for _, kind := range additiveKinds {
		m, a, reach := additiveOf(t, kind, false)
		empty := enumerated(a, []int64{0, 0, 0}, reach)
		large := enumerated(a, []int64{reach, reach, reach}, reach)
		for _, sums := range []int{1, 10, 1000} {
			w, ok := m.SumsWithin95(3, sums)
			if !ok {
				t.Fatalf("%s: no error of sums", kind)
			}
			for _, p := range []map[int64]float64{empty, large} {
				if covered := math.Exp(float64(sums) * math.Log1p(-beyondWidth(p, w))); covered < 0.95*(1-1e-9) {
					t.Errorf("%s: %d sums within ±%d with probability %v", kind, sums, w, covered)
				}
			}
		}
		all, _ := m.SumsWithin95(3, 1000)
		if one, _ := m.SumsWithin95(3, 1); math.Pow(1-beyondWidth(large, one), 1000) > 0.1 || all <= one {
			t.Errorf("%s: ±%d of one sum, ±%d of 1000", kind, one, all)
		}
		far, _ := m.SumsWithin95(3, 1_000_000_000_000)
		if each, _ := m.AllWithin95(3_000_000_000_000); far != 3*each {
			t.Errorf("%s: ±%d of very many sums, ±%d of their cells", kind, far, each)
		}
	}
}

// Sums at other levels than 0.95, by enumeration: bounds hold, and are wider at higher levels.
func TestSumWithinByEnumeration(t *testing.T) {
	for _, kind := range additiveKinds {
		m, a, reach := additiveOf(t, kind, false)
		before := int64(0)
		for _, miss := range []float64{0.5, 0.2, 0.05, 0.01, 1e-3, 1e-5} {
			w, ok := m.SumWithin(3, new(big.Rat).SetFloat64(miss))
			if !ok || w < before {
				t.Errorf("%s: ±%d but for %v, and ±%d but for more", kind, w, miss, before)
			}
			before = w
			for _, counts := range [][]int64{{0, 0, 0}, {reach, reach, reach}} {
				if beyond := beyondWidth(enumerated(a, counts, reach), w); beyond > miss*(1+1e-9) {
					t.Errorf("%s: sums of %v are beyond ±%d with probability %v, more than %v", kind, counts, w, beyond, miss)
				}
			}
		}
	}
}
