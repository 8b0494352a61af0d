package residual

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// TestTermIsWhatWasAskedFor fails if noise is rounded down, or if much of the loss is wasted.
func TestTermIsWhatWasAskedFor(t *testing.T) {
	w := workloadOf(t, adult, upTo(10, 0, 3))
	for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		for _, rows := range []int64{0, 1, 500} {
			for _, rho := range []float64{0.0001, 0.5, 30} {
				m := mechanismOf(t, w.LeastTotal(), rho, adjacency, rows, seeded(1))
				charged := float64(m.Term().Squared) / (2 * ratio(m.Term().Variance))
				if charged > rho*(1+1e-8) || charged < rho*(1-1e-5) {
					t.Errorf("%s, %d rows: asked for %v, charged %v", adjacency, rows, rho, charged)
				}
			}
		}
	}
}

// TestCovarianceIsEnumerated computes the covariances of all cells of all marginals by linear algebra: the estimate of marginal k is B_k times the noise.
// It fails if a variance or a covariance is not that of what is released.
func TestCovarianceIsEnumerated(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		m := mechanismOf(t, w.LeastTotal(), 0.02, policy.AddRemove, 1, seeded(1))
		s := m.Strategy()
		covariance := m.enumerate()
		offset := make([]int, len(w.sets))
		for k := 1; k < len(w.sets); k++ {
			offset[k] = offset[k-1] + int(w.Cells(k-1))
		}
		for k := range w.sets {
			for i := range int(w.Cells(k)) {
				if c.ranges == nil {
					requireNear(t, fmt.Sprint(c, ": a variance"), s.Variance(k), covariance.At(offset[k]+i, offset[k]+i), 1e-9*s.Variance(k))
				}
				for l := range w.sets {
					for j := range int(w.Cells(l)) {
						got, want := s.Covariance(w.cell(k, i), w.cell(l, j)), covariance.At(offset[k]+i, offset[l]+j)
						requireNear(t, fmt.Sprint(c, ": a covariance"), got, want, 1e-9*s.Variance(k))
					}
				}
			}
			cells := int(w.Cells(k))
			coefficients := make([]float64, cells)
			for i := range coefficients {
				coefficients[i] = float64(i%3) - 0.5
			}
			block := mat.DenseCopyOf(covariance.Slice(offset[k], offset[k]+cells, offset[k], offset[k]+cells))
			want := quadratic(block, coefficients)
			requireNear(t, fmt.Sprint(c, ": the variance of a sum"), s.SumVariance(k, coefficients), want, 1e-9*want)
		}
	}
}

func (w *Workload) cell(marginal, index int) Cell {
	sizes := w.sizesOf(w.sets[marginal])
	c := Cell{marginal, make([]int, len(sizes))}
	for i := len(sizes) - 1; i >= 0; i-- {
		c.Values[i], index = index%sizes[i], index/sizes[i]
	}
	return c
}

// enumerate is the covariance of all cells of all marginals: what is made of one released integer more, for each of them.
func (m *Mechanism) enumerate() *mat.Dense {
	w := m.strategy.workload
	sum := mat.NewDense(int(w.cells()), int(w.cells()), nil)
	for i, a := range w.residuals {
		for j := range int(w.product(a)) {
			released := make([][]int64, len(w.residuals))
			for l, b := range w.residuals {
				released[l] = make([]int64, int(w.product(b)))
			}
			released[i][j] = 1
			var effect []float64
			made := (&Strategy{workload: w}).measurement(released)
			for k := range w.sets {
				effect = append(effect, made.Marginal(k)...)
			}
			v := mat.NewVecDense(len(effect), effect)
			sum.RankOne(sum, m.noises[i].float(), v, v)
		}
	}
	return sum
}

// TestMarginalsAreUnbiased makes marginals of residuals without noise.
func TestMarginalsAreUnbiased(t *testing.T) {
	for _, c := range examples {
		w := c.workload(t)
		histogram := make([]int64, int(w.product(w.full())))
		for r := range histogram {
			histogram[r] = int64(1 + r*r*r%11)
		}
		tables := w.tablesOf(histogram)
		var exact [][]int64
		for _, a := range w.residuals {
			exact = append(exact, w.residual(a, tables))
		}
		for k, table := range tables {
			for i, x := range (&Strategy{workload: w}).measurement(exact).Marginal(k) {
				requireNear(t, fmt.Sprint(c, ": a cell"), x, float64(table[i]), 1e-9)
			}
		}
	}
}

// TestMarginalsAgree fails if two marginals of one release differ in what they have in common.
func TestMarginalsAgree(t *testing.T) {
	w := workloadOf(t, []int{4, 3, 5, 2}, upTo(4, 0, 3))
	tables := make([][]int64, len(w.sets))
	for k := range tables {
		tables[k] = make([]int64, int(w.Cells(k)))
	}
	measured, err := mechanismOf(t, w.LeastTotal(), 0.001, policy.ReplaceOne, 3, seeded(5)).Measure(tables)
	if err != nil {
		t.Fatal(err)
	}
	for k, s := range w.sets {
		for l, sub := range w.sets {
			if sub&s != sub {
				continue
			}
			sums := make([]float64, int(w.Cells(l)))
			table := measured.Marginal(k)
			w.walk(s, sub, func(cell, part int) { sums[part] += table[cell] })
			for i, x := range measured.Marginal(l) {
				requireNear(t, fmt.Sprint("a sum of marginal ", s.columns(), " over ", sub.columns()), sums[i], x, 1e-7)
			}
		}
	}
}

// TestNoiseFollowsTheDistribution compares what is released of empty tables with the discrete Gaussian of each residual. Each verdict is wrong
// about a right implementation with probability battery.FalseFailure, 1e-8; there are 8.
func TestNoiseFollowsTheDistribution(t *testing.T) {
	w := workloadOf(t, []int{2, 3, 2}, upTo(3, 0, 3))
	m := mechanismOf(t, w.LeastTotal(), 2, policy.AddRemove, 1, seeded(7))
	tables := w.tablesOf(make([]int64, 12))
	draws := make([][]int64, len(w.residuals))
	for range 20_000 {
		for i, noisy := range m.released(tables) {
			draws[i] = append(draws[i], noisy...)
		}
	}
	for i, a := range w.residuals {
		d := discreteOf(m.noises[i].float())
		statistic, freedom := battery.ChiSquared(battery.Distribution{PMF: d.probability, Upper: func(k int64) float64 {
			if k <= 0 {
				return 1 - d.upper(1-k)
			}
			return d.upper(k)
		}}, draws[i])
		if limit := battery.Limit(freedom); statistic > limit {
			t.Errorf("residual %v: chi-squared is %v with %d degrees of freedom, the limit is %v", a.columns(), statistic, freedom, limit)
		}
	}
}

func (d discrete) upper(k int64) float64 {
	sum := 0.0
	for z := d.reach(); z >= k; z-- {
		sum += d.probability(z)
	}
	return sum
}

// TestWorkloadsThatAreRefused has one for each rule.
func TestWorkloadsThatAreRefused(t *testing.T) {
	many := make([]int, 65)
	for i := range many {
		many[i] = 2
	}
	wide := make([]int, 64)
	for i := range wide {
		wide[i] = i
	}
	for _, c := range []struct {
		sizes     []int
		marginals []Marginal
	}{
		{many, []Marginal{{nil, 1}}},
		{many[:64], []Marginal{{wide, 1}}},
		{many[:17], []Marginal{{wide[:17], 1}}},
		{[]int{0}, []Marginal{{nil, 1}}},
		{[]int{maxSize + 1}, []Marginal{{nil, 1}}},
		{[]int{2}, nil},
		{[]int{2}, []Marginal{{[]int{1}, 1}}},
		{[]int{2}, []Marginal{{[]int{-1}, 1}}},
		{[]int{2}, []Marginal{{[]int{0, 0}, 1}}},
		{[]int{2, 2}, []Marginal{{[]int{0, 1}, 1}, {[]int{1, 0}, 1}}},
		{[]int{2}, []Marginal{{[]int{0}, 0}}},
		{[]int{2}, []Marginal{{[]int{0}, 1e-7}}},
		{[]int{2}, []Marginal{{[]int{0}, 1e7}}},
		{[]int{1 << 30, 1 << 30}, []Marginal{{[]int{0, 1}, 1}}},
		{slices.Repeat([]int{1 << 30}, 17), []Marginal{{[]int{0}, 1}}},
		{slices.Repeat([]int{1}, 19), []Marginal{{wide[:19], 1}}},
		{slices.Repeat([]int{1}, 19), []Marginal{{wide[:18], 1}, {nil, 1}}},
		{[]int{2}, []Marginal{{[]int{0}, math.NaN()}}},
		{[]int{2}, []Marginal{{[]int{0}, math.Inf(1)}}},
	} {
		if _, err := NewWorkload(c.sizes, c.marginals); err == nil {
			t.Errorf("%d columns, %v: not refused", len(c.sizes), c.marginals)
		}
	}
	if _, err := NewWorkload(slices.Repeat([]int{1}, 18), []Marginal{{wide[:18], 1}}); err != nil {
		t.Errorf("as many sets of columns as there may be: %v", err)
	}
}

func TestMechanismsThatAreRefused(t *testing.T) {
	s := workloadOf(t, []int{2, 3}, upTo(2, 0, 2)).LeastTotal()
	good := Config{Rho: big.NewRat(1, 2), Adjacency: policy.AddRemove, Rows: 1, Random: seeded(1)}
	if _, err := s.Mechanism(good); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(c *Config){
		"no rho": func(c *Config) { c.Rho = nil }, "rho 0": func(c *Config) { c.Rho = new(big.Rat) }, "much rho": func(c *Config) { c.Rho = big.NewRat(1<<31, 1) },
		"little rho": func(c *Config) { c.Rho = big.NewRat(1, 1<<41) }, "no adjacency": func(c *Config) { c.Adjacency = "" },
		"rows": func(c *Config) { c.Rows = -1 }, "many rows": func(c *Config) { c.Rows = maxRows + 1 }, "no randomness": func(c *Config) { c.Random = nil },
	} {
		c := good
		spoil(&c)
		if _, err := s.Mechanism(c); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	large := workloadOf(t, []int{1 << 20, 1 << 20}, []Marginal{{[]int{0, 1}, 1}}).LeastTotal()
	if _, err := large.Mechanism(good); err == nil {
		t.Error("a marginal of 2^40 cells: not refused")
	}
	m := mechanismOf(t, s, 1, policy.AddRemove, 1, seeded(1))
	if _, err := m.Measure(make([][]int64, 3)); err == nil {
		t.Error("three tables of four: not refused")
	}
	if _, err := m.Measure(make([][]int64, 4)); err == nil {
		t.Error("tables without cells: not refused")
	}
}

// TestNothingWithoutRandomness fails if something is released after the source has failed.
func TestNothingWithoutRandomness(t *testing.T) {
	w := workloadOf(t, []int{2, 3}, upTo(2, 0, 2))
	for _, length := range []int{0, 8, 64} {
		m := mechanismOf(t, w.LeastTotal(), 0.5, policy.AddRemove, 1, bytes.NewReader(make([]byte, length)))
		for range 2 {
			if measured, err := m.Measure(w.tablesOf(make([]int64, 6))); measured != nil || !errors.Is(err, sampling.ErrRandomness) {
				t.Errorf("%d bytes: %v, %v", length, measured, err)
			}
		}
	}
}

// TestExtremeCounts: no count is an error, since that would tell of it. Of two tables that differ in one person, neither is refused.
func TestExtremeCounts(t *testing.T) {
	w := workloadOf(t, []int{2, 3}, upTo(2, 0, 2))
	for _, extreme := range []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, -1} {
		m := mechanismOf(t, w.LeastTotal(), 0.5, policy.AddRemove, 1, seeded(3))
		measured, err := m.Measure(w.tablesOf([]int64{extreme, 0, extreme, 1, 2, extreme}))
		if err != nil {
			t.Fatal(err)
		}
		for k := range w.sets {
			for _, x := range measured.Marginal(k) {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%d: a cell is %v", extreme, x)
				}
			}
		}
	}
}
