package risk

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"tacit/mechanisms"
)

// hidden is a survival of which no closed form is known.
type hidden struct{ Survival }

// noises are one of each kind.
func noises() map[string]Survival {
	return map[string]Survival{
		"laplace":           laplace(0.7),
		"geometric":         geometric(1.1),
		"gaussian":          must(mechanisms.GaussianLaw(1.3)),
		"discrete gaussian": must(mechanisms.DiscreteGaussianLaw(0.9)),
		"little noise":      laplace(9),
		"much noise":        must(mechanisms.GaussianLaw(300)),
	}
}

// dirichletMultinomial is P(counts), straight from its definition.
func dirichletMultinomial(alpha []float64, counts []int64) float64 {
	p, sum, n := 1.0, 0.0, int64(0)
	for k, c := range counts {
		for i := range c {
			p *= (alpha[k] + float64(i)) / float64(i+1)
		}
		sum += alpha[k]
		n += c
	}
	for i := range n {
		p *= float64(i+1) / (sum + float64(i))
	}
	return p
}

// agree wants two computations of the same number to agree to 12 digits.
func agree(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s: %.15g, want %.15g", what, got, want)
	}
}

// All compositions of n, of which the local risk is known, against mergers of labels and the closed form.
func TestUrnAgainstEnumeration(t *testing.T) {
	for _, weights := range [][]float64{{1, 1}, {0.3, 0.7}, {1, 1, 1}, {0.5, 0.2, 0.3}, {0.1, 0, 0.9}, {1e-9, 0.5, 0.5}, {0.25, 0.25, 0.25, 0.25}, {2, 7, 2, 0.01}, {1, 0}} {
		for name, s := range noises() {
			for _, v := range Versions {
				for _, n := range []int64{1, 2, 3, 6, 9} {
					var fixed, drawn float64
					sum := 0.0
					for _, w := range weights {
						sum += w
					}
					p := make([]float64, len(weights))
					for k, w := range weights {
						p[k] = w / sum
					}
					compositions(n, len(weights), func(counts []int64) {
						local := Local(s, v, len(counts), counts)
						fixed += multinomial(p, counts) * local
						drawn += dirichletMultinomial(weights, counts) * local
					})
					what := fmt.Sprintf("%v, %s, %s, n = %d", weights, name, v, n)
					agree(t, "multinomial "+what, proportions.risks(s, v, weights, []int64{n})[0], fixed)
					agree(t, "multinomial, merged, "+what, proportions.risks(hidden{s}, v, weights, []int64{n})[0], fixed)
					agree(t, "Dirichlet "+what, dirichlet.risks(s, v, weights, []int64{n})[0], drawn)
					agree(t, "Dirichlet, merged, "+what, dirichlet.risks(hidden{s}, v, weights, []int64{n})[0], drawn)
				}
			}
		}
	}
}

// Large cells have no enumeration; the multinomial has core's polynomials, and geometric noise its closed form. Twenty-five labels are
// merged by doubling and one by one.
func TestUrnOfLargeCells(t *testing.T) {
	many := make([]float64, 25)
	for k := range many {
		many[k] = float64(1 + k/9)
	}
	for _, c := range []struct {
		weights []float64
		n       int64
	}{{[]float64{0.9, 0.1}, 5000}, {[]float64{0.7, 0.2, 0.1}, 2000}, {many, 600}} {
		sum := 0.0
		for _, w := range c.weights {
			sum += w
		}
		p := make([]float64, len(c.weights))
		for k, w := range c.weights {
			p[k] = w / sum
		}
		for i, v := range Versions {
			for j, epsilon := range []float64{0.003, 0.1} {
				if testing.Short() && (i+j)%2 != 0 {
					continue
				}
				what := fmt.Sprintf("%d labels, n = %d, %s, epsilon %v", len(c.weights), c.n, v, epsilon)
				for _, s := range []Survival{laplace(epsilon), geometric(epsilon), must(mechanisms.GaussianLaw(1 / epsilon))} {
					got := proportions.risks(hidden{s}, v, c.weights, []int64{c.n})[0]
					if want := Expected(s, v, p, c.n); !(math.Abs(got-want) <= 1e-9*want+leftOut) {
						t.Errorf("multinomial, %s, %T: %.15g, want %.15g", what, s, got, want)
					}
				}
				s := geometric(epsilon)
				got, want := dirichlet.risks(hidden{s}, v, c.weights, []int64{c.n})[0], dirichlet.risks(s, v, c.weights, []int64{c.n})[0]
				if !(math.Abs(got-want) <= 1e-9*want+leftOut) {
					t.Errorf("Dirichlet, %s: merged %.15g, closed form %.15g", what, got, want)
				}
			}
		}
	}
}

// With alphas of 10^12 proportions are as good as fixed; with those of 10^-9 all cells are homogeneous.
func TestUrnLimits(t *testing.T) {
	s := laplace(0.8)
	for _, v := range Versions {
		got := dirichlet.risks(s, v, []float64{3e11, 5e11, 2e11}, []int64{7})[0]
		if want := Expected(s, v, []float64{0.3, 0.5, 0.2}, 7); math.Abs(got-want) > 1e-10 {
			t.Errorf("%s, large alphas: %v, want %v", v, got, want)
		}
		got = dirichlet.risks(s, v, []float64{1e-9, 1e-9}, []int64{300})[0]
		if want := Local(s, v, 2, []int64{300}); math.Abs(got-want) > 1e-7 {
			t.Errorf("%s, small alphas: %v, want %v", v, got, want)
		}
	}
}

func TestShrinkage(t *testing.T) {
	table, err := NewTable(3, [][]int64{{3, 1, 0}, {0, 0, 2}, {1, 1, 2}, {0, 2, 0}, {0, 0, 9}})
	if err != nil {
		t.Fatal(err)
	}
	alpha := []float64{0.4, 1.5, 2}
	s := must(mechanisms.GaussianLaw(1.1))
	shrinkage, err := table.Shrinkage(Event, alpha)
	if err != nil {
		t.Fatal(err)
	}
	four, two, nine := dirichlet.risks(s, Event, alpha, []int64{4})[0], dirichlet.risks(s, Event, alpha, []int64{2})[0], dirichlet.risks(s, Event, alpha, []int64{9})[0]
	got := shrinkage(s)
	agree(t, "unweighted", got.Unweighted, (2*four+2*two+nine)/5)
	agree(t, "weighted", got.Weighted, (8*four+4*two+9*nine)/21)
}

func TestShrinkageRefuses(t *testing.T) {
	table, err := NewTable(2, [][]int64{{3, 1}, {0, maxSize + 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Shrinkage(Event, []float64{1, 1}); err == nil {
		t.Error("a cell beyond maxSize is accepted")
	}
	table.Patterns = table.Patterns[:1]
	for _, alpha := range [][]float64{{1}, {1, -1}, {1, math.NaN()}, {0, 0}, {1, 1e-300}, {1, math.Inf(1)}, nil} {
		if _, err := table.Shrinkage(Event, alpha); err == nil {
			t.Errorf("alpha %v is accepted", alpha)
		}
	}
	if _, err := (&Table{Labels: 2}).Shrinkage(Event, []float64{1, 1}); err == nil {
		t.Error("a table without cells is accepted")
	}
}

// R8 and R9 of the project's list of independently computed numbers.
func TestReferenceShrinkage(t *testing.T) {
	a, err := Homogeneous([]float64{0.5, 2, 0.7}, 4)
	if err != nil {
		t.Fatal(err)
	}
	digits(t, "R8", a, "0.319521834")
	alpha := []float64{1, 2, 3}
	digits(t, "R9", dirichlet.risks(geometric(1), Event, alpha, []int64{4})[0], "0.222673725")
	digits(t, "R9, merged", dirichlet.risks(hidden{geometric(1)}, Event, alpha, []int64{4})[0], "0.222673725")
}

// The probability of a homogeneous cell, against the urn without noise, of sizes on both sides of where its logarithms are no longer added up one by one.
func TestHomogeneous(t *testing.T) {
	alpha := []float64{0.5, 2, 0, 0.7}
	for _, n := range []int64{1, 2, 5, 511, 512, 513, 1000, 5000} {
		got, err := Homogeneous(alpha, n)
		if err != nil {
			t.Fatal(err)
		}
		want := dirichlet.risks(NoNoise, Event, alpha, []int64{n})[0]
		if math.Abs(got-want) > 1e-11*want {
			t.Errorf("n = %d: %.15g, want %.15g", n, got, want)
		}
	}
	if _, err := Homogeneous(alpha, 0); err == nil {
		t.Error("a cell without records is accepted")
	}
}

// The same by products of long numbers, of alphas among which ln Gamma would have no digits, and of cells for which logarithms are not added
// up one by one.
func TestHomogeneousOfExtremes(t *testing.T) {
	for i, alpha := range [][]float64{{1e9, 3e9}, {1e6, 3e6}, {1e12, 1e-9}, {1e-9, 1}, {0.3, 0.001}, {1e7, 40, 2}, {1e5, 1e-3}} {
		for j, n := range []int64{1, 63, 64, 511, 512, 513, 1024, 5000, 30000} {
			if testing.Short() && (i+j)%3 != 0 {
				continue
			}
			want, _ := productsOf(alpha, n).Float64()
			if got, err := Homogeneous(alpha, n); err != nil || math.Abs(got-want) > 2e-12*want+1e-300 {
				t.Errorf("alpha %v, n = %d: %.15g, %v, want %.15g", alpha, n, got, err, want)
			}
		}
	}
}

// productsOf is the sum over k of the product of (alpha_k+i)/(alpha.+i).
func productsOf(alpha []float64, n int64) *big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	all, sum := number(0), number(0)
	for _, a := range alpha {
		all.Add(all, number(a))
	}
	for _, a := range alpha {
		product := number(1)
		for i := range n {
			x := number(float64(i))
			product.Mul(product, number(0).Add(number(a), x))
			product.Quo(product, x.Add(x, all))
		}
		sum.Add(sum, product)
	}
	return sum
}
