package risk

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tacit/mechanisms"
)

// A noisyLaw is a law with a name.
type noisyLaw struct {
	name string
	law  mechanisms.Law
}

// families are all kinds of noise, with a scale of about 1/epsilon.
var families = []struct {
	name string
	law  func(epsilon float64) (mechanisms.Law, error)
}{
	{"Laplace", func(epsilon float64) (mechanisms.Law, error) { return mechanisms.LaplaceLaw(1 / epsilon) }},
	{"geometric", func(epsilon float64) (mechanisms.Law, error) { return mechanisms.GeometricLaw(math.Exp(-epsilon)) }},
	{"Gaussian", func(epsilon float64) (mechanisms.Law, error) { return mechanisms.GaussianLaw(1.2 / epsilon) }},
	{"discrete Gaussian", func(epsilon float64) (mechanisms.Law, error) { return mechanisms.DiscreteGaussianLaw(1.2 / epsilon) }},
}

// lawsOf are laws of all families.
func lawsOf(t testing.TB, epsilon float64) []noisyLaw {
	t.Helper()
	var laws []noisyLaw
	for _, family := range families {
		law, err := family.law(epsilon)
		if err != nil {
			t.Fatal(err)
		}
		laws = append(laws, noisyLaw{fmt.Sprintf("%s %v", family.name, epsilon), law})
	}
	return laws
}

// near says whether two numbers agree to a relative error, or both are next to nothing.
func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*math.Abs(want)+1e-300
}

// enumerated is the risk of a cell by its definition: all draws of noise that can be told from nothing are gone through, and the release of
// each is looked at, labels of count 0 included.
func enumerated(law mechanisms.Law, v Version, counts []int64) float64 {
	reach := int64(0)
	for law.AtLeast(reach+1) > 1e-15 {
		reach++
	}
	var n int64
	for _, count := range counts {
		n += count
	}
	var risk float64
	noise := make([]int64, len(counts))
	var draw func(k int, probability float64)
	draw = func(k int, probability float64) {
		if k < len(counts) {
			for z := -reach; z <= reach; z++ {
				noise[k] = z
				draw(k+1, probability*law.Probability(z))
			}
			return
		}
		shown, label := 0, 0
		for k, count := range counts {
			if count+noise[k] >= 1 {
				shown, label = shown+1, k
			}
		}
		if shown != 1 || counts[label] == 0 {
			return
		}
		if v == Records {
			probability *= float64(counts[label]) / float64(n)
		}
		risk += probability
	}
	draw(0, 1)
	return risk
}

func TestLocalIsEnumerated(t *testing.T) {
	for i, epsilon := range []float64{0.7, 1.5, 4} {
		for j, l := range lawsOf(t, epsilon) {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			for _, counts := range [][]int64{{3}, {1, 0}, {0, 4}, {2, 2}, {5, 1}, {1, 1, 1}, {3, 0, 2}, {0, 0, 2}} {
				for _, v := range Versions {
					got, want := Local(l.law.Survival(), v, len(counts), counts), enumerated(l.law, v, counts)
					if math.Abs(got-want) > 1e-12 {
						t.Errorf("%s, %s of %v: %v, enumerated %v", l.name, v, counts, got, want)
					}
				}
			}
		}
	}
}

// compositions goes through all counts of labels that add up to n.
func compositions(n int64, labels int, visit func(counts []int64)) {
	counts := make([]int64, labels)
	var choose func(k int, left int64)
	choose = func(k int, left int64) {
		if k == labels-1 {
			counts[k] = left
			visit(counts)
			return
		}
		for counts[k] = 0; counts[k] <= left; counts[k]++ {
			choose(k+1, left-counts[k])
		}
	}
	choose(0, n)
}

// multinomial is the probability of counts.
func multinomial(p []float64, counts []int64) float64 {
	coefficient, left := 1.0, int64(0)
	probability := 1.0
	for k, count := range counts {
		left += count
		choices, _ := new(big.Float).SetInt(new(big.Int).Binomial(left, count)).Float64()
		coefficient *= choices
		probability *= math.Pow(p[k], float64(count))
	}
	return coefficient * probability
}

// byProducts is the local risk as it is written: for each label that occurs, a product over all others.
func byProducts(s Survival, v Version, counts []int64) float64 {
	var n int64
	for _, count := range counts {
		n += count
	}
	var risk float64
	for k, count := range counts {
		if count == 0 {
			continue
		}
		product := v.share(count, n) * s.Survives(count)
		for j, other := range counts {
			if j != k {
				product *= s.Vanishes(other)
			}
		}
		risk += product
	}
	return risk
}

// Every way of computing the expected risk agrees with the sum over all compositions.
func TestExpectedIsEnumerated(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 40 {
		labels, n := 1+random.IntN(4), int64(1+random.IntN(9))
		p := randomShares(random, labels)
		for _, l := range lawsOf(t, math.Exp(4*random.Float64()-2)) {
			s := l.law.Survival()
			for _, v := range Versions {
				var want float64
				compositions(n, labels, func(counts []int64) {
					want += multinomial(p, counts) * byProducts(s, v, counts)
				})
				what := fmt.Sprintf("%s, %s of n %d, p %v", l.name, v, n, p)
				if got := Expected(s, v, p, n); !near(got, want, 1e-11) {
					t.Errorf("%s: %v, enumerated %v", what, got, want)
				}
				m := remember(s, n)
				if got := expectedByPolynomials(m, v, p, n); !near(got, want, 1e-11) {
					t.Errorf("%s: by polynomials %v, enumerated %v", what, got, want)
				}
				if got, ok := expectedExponential(s, s.Vanishes(0), v, p, n); ok && !near(got, want, 1e-9) {
					t.Errorf("%s: closed form %v, enumerated %v", what, got, want)
				}
			}
		}
	}
}

// randomShares are probabilities of labels, some of which may be 0.
func randomShares(random *rand.Rand, labels int) []float64 {
	p := make([]float64, labels)
	var sum float64
	for sum == 0 {
		for k := range p {
			p[k] = max(0, random.Float64()*1.3-0.3)
			sum += p[k]
		}
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// The closed forms are there for what they are for, and agree with polynomials where nobody can enumerate.
func TestClosedFormsOfLargeCells(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for _, epsilon := range []float64{0.01, 0.1, 0.5} {
		for _, s := range []Survival{laplace(epsilon), geometric(epsilon)} {
			for _, n := range []int64{100, 1000, 4000} {
				for labels := 2; labels <= 4; labels++ {
					p := randomShares(random, labels)
					for _, v := range Versions {
						closed, ok := expectedExponential(s.(exponential), s.Vanishes(0), v, p, n)
						want := expectedByPolynomials(remember(s, n), v, p, n)
						if !ok && want > 1e-9 {
							t.Errorf("epsilon %v, n %d, p %v: no closed form of %v", epsilon, n, p, want)
						}
						if ok && math.Abs(closed-want) > 1e-9*want+1e-30 {
							t.Errorf("epsilon %v, %s, n %d, p %v: closed form %v, polynomials %v", epsilon, v, n, p, closed, want)
						}
					}
				}
			}
		}
	}
}

// Where the terms of the closed form cancel it says so: at epsilon = 20, c is 11,013.
func TestClosedFormNoticesCancellation(t *testing.T) {
	s, p := laplace(20), []float64{0.25, 0.25, 0.25, 0.25}
	if risk, ok := expectedExponential(s, s.Vanishes(0), Event, p, 12); ok {
		t.Errorf("closed form %v", risk)
	}
	// The cell is homogeneous with probability 4 0.25^12, and then shown as such but for 2e-5. Else it is disclosed if all of two or more
	// counts but one vanish, of which one of 1 does so with probability 2.3e-5.
	homogeneous := 4 * math.Pow(0.25, 12)
	risk := Expected(s, Event, p, 12)
	if want := homogeneous; math.Abs(risk-want) > 0.05*want {
		t.Errorf("risk %v, about %v", risk, want)
	}
}

// Probabilities of thousands of draws have their digits: with b = 1 throughout but for one label, the sum is that of binomial probabilities.
func TestPolynomialsOfThousands(t *testing.T) {
	for _, n := range []int64{1, 2, 15, 16, 100, 5000} {
		for _, q := range []float64{1e-6, 0.01, 0.5, 0.93} {
			p := []float64{q, 1 - q}
			// All labels survive with probability 1/2: the risk is P(one of both occurs)/4 + P(both occur) 2/4.
			one := math.Exp(float64(n)*math.Log(q)) + math.Exp(float64(n)*math.Log1p(-q))
			if got, want := expectedByPolynomials(remember(AllNoise, n), Event, p, n), one/4+(1-one)/2; !near(got, want, 1e-11) {
				t.Errorf("n %d, p %v: %v, want %v", n, q, got, want)
			}
			if got := expectedByPolynomials(remember(AllNoise, n), Records, p, n); !near(got, 0.25, 1e-11) {
				t.Errorf("n %d, p %v: %v of the records, want 1/4", n, q, got)
			}
		}
	}
}
