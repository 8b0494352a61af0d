package risk

import (
	"math"
	"math/rand/v2"
	"testing"
)

// partitions goes through all cells of n records, counts falling, of at most labels labels.
func partitions(n int64, labels int, visit func(counts []int64)) {
	var split func(counts []int64, left, most int64)
	split = func(counts []int64, left, most int64) {
		if left == 0 {
			visit(counts)
			return
		}
		if len(counts) == labels {
			return
		}
		for next := min(left, most); next >= 1; next-- {
			split(append(counts[:len(counts):len(counts)], next), left-next, next)
		}
	}
	split(nil, n, n)
}

// Every bound is above the risk of all cells it is for, and is the risk of one of them (but for records).
func TestHeterogeneousBound(t *testing.T) {
	for _, epsilon := range []float64{0.02, 0.3, 0.9, 2, 6} {
		for _, l := range lawsOf(t, epsilon) {
			s := l.law.Survival()
			for labels := 2; labels <= 6; labels++ {
				for n := int64(2); n <= 12; n++ {
					for _, v := range Versions {
						worst := 0.0
						partitions(n, labels, func(counts []int64) {
							if len(counts) > 1 {
								worst = max(worst, Local(s, v, labels, counts))
							}
						})
						bound, ok := HeterogeneousBound(s, v, labels, n)
						if want := isExponential(s) || v == Records || min(int64(labels), n) == 2; ok != want {
							t.Fatalf("%s, %s, K %d, n %d: there is a bound: %t", l.name, v, labels, n, ok)
						}
						switch {
						case !ok:
						case worst > bound*(1+1e-12):
							t.Errorf("%s, %s, K %d, n %d: risk %v, bound %v", l.name, v, labels, n, worst, bound)
						case v == Event && !near(worst, bound, 1e-12):
							t.Errorf("%s, %s, K %d, n %d: the bound %v is not attained, %v is", l.name, v, labels, n, bound, worst)
						}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		labels int
		n      int64
	}{{1, 9}, {5, 1}, {5, 0}} {
		if bound, ok := HeterogeneousBound(laplace(1), Event, c.labels, c.n); bound != 0 || !ok {
			t.Errorf("there is no heterogeneous cell of %d records and %d labels: %v, %t", c.n, c.labels, bound, ok)
		}
	}
	if _, ok := HeterogeneousBound(NoNoise, Event, 2, 4); ok {
		t.Error("a bound for a survival of which nothing is known")
	}
}

// What the bound's doc says of Gaussian noise.
func TestGaussianMaximum(t *testing.T) {
	s := gaussian(8)
	digits(t, "(2,2,2,1,1)", Local(s, Event, 5, []int64{2, 2, 2, 1, 1}), "0.108916")
	digits(t, "(4,1,1,1,1)", Local(s, Event, 5, []int64{4, 1, 1, 1, 1}), "0.108581")
}

// Bounds of tables are above the exact averages, and equal to them where no cell is heterogeneous.
func TestBoundsOfTables(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 6))
	tables := 40
	if testing.Short() {
		tables = 15
	}
	for range tables {
		labels := 1 + random.IntN(4)
		var cells, alike [][]int64
		for range 30 {
			counts := randomCell(random, labels)
			if len(cells) > 0 || occurring(counts) > 1 || labels == 1 {
				cells = append(cells, counts)
			}
			if occurring(counts) == 1 {
				alike = append(alike, counts)
			}
		}
		for _, l := range lawsOf(t, math.Exp(4*random.Float64()-2)) {
			s := l.law.Survival()
			for _, v := range Versions {
				checkBounds(t, l.name, mustTable(t, labels, cells), s, v, false)
				checkBounds(t, l.name, mustTable(t, labels, alike), s, v, true)
			}
		}
	}
}

func mustTable(t testing.TB, labels int, cells [][]int64) *Table {
	t.Helper()
	table, err := NewTable(labels, cells)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// alphaOf is a prior.
func alphaOf(t *Table) []float64 {
	alpha := make([]float64, t.Labels)
	for k := range alpha {
		alpha[k] = 0.4 + float64(k)
	}
	return alpha
}

func shrinkageOf(t *testing.T, table *Table, s Survival, v Version) Average {
	t.Helper()
	if len(table.Patterns) == 0 {
		return Average{}
	}
	measure, err := table.Shrinkage(v, alphaOf(table))
	if err != nil {
		t.Fatal(err)
	}
	return measure(s)
}

func checkBounds(t *testing.T, what string, table *Table, s Survival, v Version, equal bool) {
	t.Helper()
	for _, c := range []struct {
		name  string
		exact Average
		bound func() (Average, bool)
	}{
		{"local", table.Local(s, v), func() (Average, bool) { return table.LocalBound(s, v) }},
		{"expected", table.Expected(s, v), func() (Average, bool) { return table.ExpectedBound(s, v) }},
		{"shrinkage", shrinkageOf(t, table, s, v), func() (Average, bool) {
			bound, ok, err := table.ShrinkageBound(s, v, alphaOf(table))
			if err != nil {
				t.Fatal(err)
			}
			return bound, ok
		}},
	} {
		equal := equal && (c.name != "shrinkage" || table.Labels == 1)

		bound, ok := c.bound()
		switch {
		case !ok && (equal || v == Records || isExponential(s) || table.Labels <= 2):
			t.Errorf("%s, %s %s: no bound", what, c.name, v)
		case !ok && bound != (Average{}):
			t.Errorf("%s, %s %s: no bound, and it is %v", what, c.name, v, bound)
		case ok && (c.exact.Unweighted > bound.Unweighted*(1+1e-12) || c.exact.Weighted > bound.Weighted*(1+1e-12)):
			t.Errorf("%s, %s %s: exact %v, bound %v", what, c.name, v, c.exact, bound)
		case equal && (!near(c.exact.Unweighted, bound.Unweighted, 1e-12) || !near(c.exact.Weighted, bound.Weighted, 1e-12)):
			t.Errorf("%s, %s %s: homogeneous cells have %v, and a bound of %v", what, c.name, v, c.exact, bound)
		}
	}
}
