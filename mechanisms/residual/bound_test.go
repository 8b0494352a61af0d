package residual

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/policy"
)

// TestBoundIsThatOfMatrices writes W out, and compares the bound with the traces of the square roots of W'W and C W'W C. It fails if the closed form is another number,
// or if the bound without eigenvalues is above it.
func TestBoundIsThatOfMatrices(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		n := int(w.product(w.full()))
		m := mat.NewSymDense(n, nil)
		weights := make([]float64, len(w.sets))
		for k, marginal := range w.marginals {
			asked := w.askedMatrix(k, c.ranges)
			weights[k] = marginal.Weight * w.Cells(k)
			for _, q := range asked {
				m.SymRankOne(m, weights[k]/float64(len(asked)), q)
			}
		}
		add := square(rootTrace(m)) / float64(n)
		replace := max(add, 2/(float64(n)-1)*square(rootTrace(centredBothWays(m))))
		requireNear(t, fmt.Sprint(c, ": add-remove"), w.LeastBound(policy.AddRemove), add, 1e-6*add)
		requireNear(t, fmt.Sprint(c, ": replace-one"), w.LeastBound(policy.ReplaceOne), replace, 1e-6*replace)
		b := newSpectrum(w, weights)
		for a := range set(1) << len(w.sizes) {
			if a&^(b.columns&^b.ranged) != 0 {
				continue
			}
			if exact, _ := b.exactTraces(a); b.largestTerm(a) > exact*(1+1e-6) {
				t.Errorf("%v: a term of %v has the trace %v, and all of them %v", c, a.columns(), b.largestTerm(a), exact)
			}
		}
	}
}

// TestBoundsHold fails if a strategy is better than the bound of all. Without ranges the least total attains it, and with queries of a large scale it is near.
func TestBoundsHold(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		s := w.LeastTotal()
		ratio := w.total(s.Variance) / w.LeastBound(policy.AddRemove)
		if within := 1.1; ratio < 1-1e-9 || c.ranges == nil && ratio > 1+1e-9 || c.scale == rangeScale && ratio > within {
			t.Errorf("%v: the total is %v of the bound", c, ratio)
		}
		if bound, total := w.LeastBound(policy.ReplaceOne), w.total(s.Variance)*s.Loss(policy.ReplaceOne); bound > total || bound < w.LeastBound(policy.AddRemove) {
			t.Errorf("%v, replace-one: the bound is %v, the total %v", c, bound, total)
		}
		greatest, bound, err := w.LeastGreatest()
		if err != nil {
			t.Fatal(err)
		}
		of := greatest.GreatestBound(policy.AddRemove)
		if of > greatest.greatest()*(1+1e-9) || c.ranges == nil && of < bound*0.9 || c.scale == rangeScale && of < 0.8*greatest.greatest() {
			t.Errorf("%v: the greatest is %v, the bounds are %v and %v", c, greatest.greatest(), bound, of)
		}
	}
}

// TestBoundOfLongRanges is of ranges of so many values that eigenvalues are not found for all of them together.
func TestBoundOfLongRanges(t *testing.T) {
	w, err := NewRangeWorkload([]int{60, 50, 4}, []Marginal{{[]int{0, 1}, 1}, {[]int{0, 2}, 1}}, [][]int{{0, 1}, {0}})
	if err != nil {
		t.Fatal(err)
	}
	total := w.total(w.LeastTotal().Variance)
	if ratio := math.Sqrt(total / w.LeastBound(policy.AddRemove)); ratio < 1 || ratio > 1.5 {
		t.Errorf("the root of the total is %v of the bound", ratio)
	}
}
