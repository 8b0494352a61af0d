package residual

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"tacit/policy"
)

// TestKnownErrors computes root mean squared errors at 2 rho = 1 that were computed elsewhere from the formulas of the paper.
func TestKnownErrors(t *testing.T) {
	for _, c := range []struct {
		name                  string
		sizes                 []int
		marginals             []Marginal
		queries, cells        float64
		equal, best, residual string
	}{
		{"1-way", adult, upTo(10, 1, 1), 10, 114, "3.162", "2.873", "2.630"},
		{"1- and 2-way", adult, upTo(10, 1, 2), 55, 5340, "7.416", "6.078", "4.860"},
		{"total, 1- to 3-way", adult, upTo(10, 0, 3), 176, 135_253, "13.266", "9.994", "7.058"},
		{"whole cube", []int{4, 3, 10, 5, 2}, upTo(5, 0, 5), 32, 3960, "5.657", "4.235", "2.085"},
		{"seven marginals", []int{10, 10, 10, 10, 10}, seven, 7, 1330, "2.646", "1.950", "1.838"},
	} {
		w := workloadOf(t, c.sizes, c.marginals)
		root := func(total float64) string { return fmt.Sprintf("%.3f", math.Sqrt(total/w.cells())) }
		if queries := float64(len(w.sets)); queries != c.queries || w.cells() != c.cells {
			t.Errorf("%s: %v queries, %v cells", c.name, queries, w.cells())
		}
		equal := w.total(func(k int) float64 { return w.EqualSplit(policy.AddRemove)[k] })
		best := w.total(func(k int) float64 { return w.BestSplit(policy.AddRemove)[k] })
		if e, b, r := root(equal), root(best), root(w.total(w.LeastTotal().Variance)); e != c.equal || b != c.best || r != c.residual {
			t.Errorf("%s: equal split %s, best split %s, residual %s", c.name, e, b, r)
		}
		if bound := w.LeastBound(policy.AddRemove); math.Abs(bound/w.total(w.LeastTotal().Variance)-1) > 1e-9 {
			t.Errorf("%s: the bound is %s", c.name, root(bound))
		}
	}
}

// seven are the marginals of the example that the authors of the paper give, over five columns of ten values.
var seven = []Marginal{
	{[]int{0}, 1}, {[]int{1}, 1}, {[]int{2}, 1}, {[]int{3, 4}, 1}, {[]int{0, 1, 2}, 1}, {[]int{1, 4}, 1}, {[]int{2, 3}, 1},
}

// An example is a workload that is small enough for matrices.
type example struct {
	sizes     []int
	marginals []Marginal
	ranges    [][]int // with queries of the scale; none of most
	scale     int64
}

func (e example) workload(t testing.TB) *Workload {
	t.Helper()
	if e.ranges == nil {
		return workloadOf(t, e.sizes, e.marginals)
	}
	w, err := newRangeWorkload(e.sizes, e.marginals, e.ranges, e.scale)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// ranged has columns that are asked in ranges. Those of a small scale have queries that are far from the best, of few integers.
var ranged = []example{
	{[]int{2}, []Marginal{{[]int{0}, 1}}, [][]int{{0}}, 4},
	{[]int{3}, []Marginal{{[]int{0}, 1}}, [][]int{{0}}, 2},
	{[]int{4, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{0}, 2}}, [][]int{{0}, nil}, 4},
	{[]int{5}, []Marginal{{[]int{0}, 1}, {nil, 2}}, [][]int{{0}, nil}, rangeScale},
	{[]int{2, 4}, upTo(2, 0, 2), [][]int{nil, nil, nil, {1}}, rangeScale},
	{[]int{3, 4}, []Marginal{{[]int{0, 1}, 3}, {[]int{1}, 0.5}}, [][]int{{0, 1}, nil}, rangeScale},
	{[]int{1, 3, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{1, 2}, 1}}, [][]int{{0, 1}, {2}}, rangeScale},
}

// examples are all.
var examples = slices.Concat(small, ranged)

// small have no ranges.
var small = []example{
	{sizes: []int{2}, marginals: []Marginal{{[]int{0}, 1}}},
	{sizes: []int{3}, marginals: []Marginal{{[]int{0}, 1}, {nil, 2}}},
	{sizes: []int{2, 3}, marginals: upTo(2, 0, 2)},
	{sizes: []int{2, 3}, marginals: []Marginal{{[]int{0}, 3}, {[]int{1}, 0.5}}},
	{sizes: []int{2, 3, 4}, marginals: []Marginal{{[]int{0, 1}, 1}, {[]int{2, 1}, 4}, {[]int{2}, 1}}},
	{sizes: []int{2, 1, 3}, marginals: []Marginal{{[]int{0, 1}, 1}, {[]int{1, 2}, 1}}},
	{sizes: []int{2, 2, 2}, marginals: upTo(3, 1, 2)},
	{sizes: []int{3, 2, 2}, marginals: []Marginal{{[]int{0, 2}, 1}, {[]int{1}, 7}}},
}

// TestGreatestOfUnlikeWeights searches where weights and sizes are far apart. It fails if the search does not come to its bound.
func TestGreatestOfUnlikeWeights(t *testing.T) {
	for _, c := range []struct {
		sizes     []int
		marginals []Marginal
	}{
		{[]int{168, 2, 7, 2}, []Marginal{{[]int{0, 1}, 1e6}, {[]int{2}, 1e-6}, {[]int{1, 2, 3}, 1}}},
		{[]int{1000, 3}, []Marginal{{nil, 1e-6}, {[]int{0}, 1e6}, {[]int{0, 1}, 1e-6}, {[]int{1}, 1}}},
		{[]int{2, 900, 2}, []Marginal{{[]int{0}, 1e6}, {[]int{0, 1, 2}, 1e-6}}},
	} {
		s, bound, err := workloadOf(t, c.sizes, c.marginals).LeastGreatest()
		if err != nil {
			t.Error(err)
			continue
		}
		if g := s.greatest(); !(bound <= g && g <= bound*(1+greatestWithin)) {
			t.Errorf("%v: greatest %v, bound %v", c, g, bound)
		}
	}
}

// sharp is the p of the norms that stand for a maximum in TestBruteForce, of up to 36 numbers: they exceed it by a share of 36^(1/400) - 1 = 0.9%.
const sharp = 400

// smoothMax is the p-norm.
func smoothMax(all []float64) float64 {
	most, sum := floats.Max(all), 0.0
	for _, x := range all {
		sum += math.Pow(x/most, sharp)
	}
	return most * math.Pow(sum, 1.0/sharp)
}

// TestBruteForce minimises over all linear strategies, whose Gram matrix is any positive definite M with a diagonal of at most 1. It fails if
// another strategy has a smaller total or greatest variance, or if ours is not the one that it states.
func TestBruteForce(t *testing.T) {
	for i, c := range small {
		w := c.workload(t)
		if w.product(w.full()) > 8 || testing.Short() && i%3 != 0 {
			continue
		}
		total := func(variances []float64) float64 { return floats.Sum(variances) }
		requireNear(t, fmt.Sprint(c, ": the least total"), w.total(w.LeastTotal().Variance)/w.bruteForce(t, total), 0.985, 0.0151)
		s, bound, err := w.LeastGreatest()
		if err != nil {
			t.Fatal(err)
		}
		requireNear(t, fmt.Sprint(c, ": the least greatest"), s.greatest()/w.bruteForce(t, smoothMax), 0.98, 0.0201)
		if bound > s.greatest() || bound < s.greatest()/(1+greatestWithin) || s.Loss(policy.AddRemove) > 1+1e-8 {
			t.Errorf("%v: greatest %v, bound %v, loss %v", c, s.greatest(), bound, s.Loss(policy.AddRemove))
		}
	}
}

// bruteForce is the least value of a figure of the weighted variances of all cells, at the loss 1 or a little less. M = L L' with L lower
// triangular.
func (w *Workload) bruteForce(t *testing.T, figure func(variances []float64) float64) float64 {
	t.Helper()
	n := int(w.product(w.full()))
	value := func(x []float64) float64 {
		factor := mat.NewDense(n, n, nil)
		for i, next := 0, 0; i < n; i++ {
			for j := 0; j <= i; j, next = j+1, next+1 {
				factor.Set(i, j, x[next])
			}
		}
		var gram, inverse mat.Dense
		gram.Mul(factor, factor.T())
		diagonal := make([]float64, n)
		for i := range n {
			diagonal[i] = gram.At(i, i)
		}
		if inverse.Inverse(&gram) != nil {
			return math.Inf(1)
		}
		var variances []float64
		for k, s := range w.sets {
			rows := w.marginalMatrix(s)
			for cell := range int(w.Cells(k)) {
				q := rows.RowView(cell)
				variances = append(variances, w.marginals[k].Weight*mat.Inner(q, &inverse, q)*smoothMax(diagonal))
			}
		}
		return math.Log(figure(variances))
	}
	// The start is far from any symmetric M, so that the search has to find the symmetry.
	x := make([]float64, n*(n+1)/2)
	for i, next := 0, 0; i < n; i++ {
		for j := 0; j <= i; j, next = j+1, next+1 {
			if x[next] = 0.1 * math.Sin(float64(1+7*next)); i == j {
				x[next] = 1 + 0.5*math.Cos(float64(next))
			}
		}
	}
	gradient := func(gradient, x []float64) { fd.Gradient(gradient, value, x, &fd.Settings{Formula: fd.Central}) }
	best := math.Inf(1)
	for range 3 {
		found, err := optimize.Minimize(optimize.Problem{Func: value, Grad: gradient}, x, &optimize.Settings{MajorIterations: 400}, &optimize.BFGS{})
		if found == nil {
			t.Fatal(err)
		}
		best, x = min(best, found.F), found.X
	}
	return math.Exp(best)
}
