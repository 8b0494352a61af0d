package mechanisms

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tacit/accountant/composition"
	"tacit/internal/battery"
	"tacit/policy"
)

// cube are all sets of so many attributes, and rollup those that contain one another.
func cube(attributes int) (sets [][]int) {
	for set := range 1 << attributes {
		var list []int
		for i := range attributes {
			if set>>i&1 == 1 {
				list = append(list, i)
			}
		}
		sets = append(sets, list)
	}
	return sets
}

func rollup(attributes int) (sets [][]int) {
	for n := range attributes + 1 {
		var list []int
		for i := range n {
			list = append(list, i)
		}
		sets = append(sets, list)
	}
	return sets
}

func togetherConfig(t testing.TB, sizes []int, sets [][]int, adjacency policy.Adjacency, rows int64) Config {
	return Config{
		Kind: policy.DiscreteGaussian, Epsilon: 1e9, Delta: 1e12, Adjacency: adjacency, Sensitivity: rows, PerCell: rows, KeepNegative: true,
		Margins: newMargins(t, sizes, sets).Together(sets), Random: battery.Seeded(7),
	}
}

func makeTogether(t testing.TB, c Config) (*Mechanism, together) {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.method.(together)
}

// TestTogetherLoss computes the loss of each change that a person can make, from the variances that are stated and from the definition of the residuals. It
// fails if anybody can lose more than epsilon and delta allow, or if noise is wasted.
func TestTogetherLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][]int{{2}, {3, 2}, {2, 2, 3}} {
		for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
			for _, rows := range []int64{1, 3} {
				m, made := makeTogether(t, togetherConfig(t, sizes, cube(len(sizes)), adjacency, rows))
				limit := 2 * composition.RhoWithin(1e9, 1e12)
				variances, cells := residualVariances(made), made.margins.cells
				most := 0.0
				for range 300 {
					d := make([]float64, cells)
					for range rows {
						d[r.IntN(cells)]++
					}
					if adjacency == policy.ReplaceOne {
						for range rows {
							d[r.IntN(cells)]--
						}
					}
					most = max(most, lossOf(made.margins, variances, d))
				}
				if adjacency == policy.AddRemove { // the worst has all rows in one cell
					d := make([]float64, cells)
					d[0] = float64(rows)
					most = max(most, lossOf(made.margins, variances, d))
					if most < limit*(1-1e-6) {
						t.Errorf("%v, %d rows: the most is %v of %v", sizes, rows, most, limit)
					}
				}
				if most > limit*(1+1e-9) {
					t.Errorf("%v, %s, %d rows: somebody loses %v, more than %v", sizes, adjacency, rows, most, limit)
				}
				term := m.Term()
				if charged := float64(term.Squared) * float64(term.Variance.Denominator) / float64(term.Variance.Numerator); charged < most || charged > limit*(1+1e-9) {
					t.Errorf("%v, %s, %d rows: charged %v for %v", sizes, adjacency, rows, charged, most)
				}
				if g := m.Guarantee(adjacency); g.Delta(1) > 1e-6*(1+1e-9) || 2*g.Rho < most*(1-1e-12) {
					t.Errorf("%v, %s, %d rows: %+v", sizes, adjacency, rows, g)
				}
			}
		}
	}
}

// residualVariances solves the variances of a CUBE's margins for those of the residuals: that of a margin over S is the sum over A within S of
// s_A (product over A of 1 - 1/n) (product over the rest of S of 1/n^2).
func residualVariances(t together) map[uint64]float64 {
	g := t.margins
	variances := make(map[uint64]float64)
	for k := len(g.sets) - 1; k >= 0; k-- { // subsets come first
		set, left := g.sets[k], t.spreads[k].Variance
		share := func(a uint64) float64 {
			product := 1.0
			for axis, n := range g.sizes {
				switch {
				case a>>axis&1 == 1:
					product *= 1 - 1/float64(n)
				case set>>axis&1 == 1:
					product /= float64(n * n)
				}
			}
			return product
		}
		for a, v := range variances {
			if a&^set == 0 {
				left -= v * share(a)
			}
		}
		variances[set] = left / share(set)
	}
	return variances
}

// lossOf is the sum over A of |C_A d_A|^2/s_A, C_A d_A having for each cell of d_A the product over A of differences from the mean.
func lossOf(g *Margins, variances map[uint64]float64, d []float64) float64 {
	sum := 0.0
	for a, v := range variances {
		strides := g.strides(a)
		table := make([]float64, g.volume(a))
		next := 0
		g.walk(g.axes(), func(digits []int) {
			table[cell(digits, strides)] += d[next]
			next++
		})
		for axis, n := range g.sizes {
			if a>>axis&1 == 0 {
				continue
			}
			for i := range table {
				if i/strides[axis]%n != 0 {
					continue
				}
				mean := 0.0
				for j := range n {
					mean += table[i+j*strides[axis]] / float64(n)
				}
				for j := range n {
					table[i+j*strides[axis]] -= mean
				}
			}
		}
		for _, x := range table {
			sum += x * x / v
		}
	}
	return sum
}

// TestTogetherErrors releases the same table again and again. The squared errors of 4000 releases have a mean that is off by more than a fifth with a
// probability far below 1e-9, and the source is seeded besides.
func TestTogetherErrors(t *testing.T) {
	const releases = 4000
	for i, c := range []struct {
		name  string
		sizes []int
		sets  [][]int
	}{
		{"ROLLUP", []int{3, 4}, rollup(2)}, {"CUBE", []int{3, 4, 2}, cube(3)}, {"GROUPING SETS without the cells", []int{5, 6}, [][]int{{0}, {1}}},
	} {
		if testing.Short() && i == 1 {
			continue
		}
		m, made := makeTogether(t, togetherConfig(t, c.sizes, c.sets, policy.AddRemove, 1))
		g := made.margins
		counts := make([]int64, g.cells)
		for i := range counts {
			counts[i] = int64(7 * i * i % 50)
		}
		squares, beyond := make([]float64, g.Len()), make([]float64, g.Len())
		for range releases {
			released, err := m.Sanitize(Histogram{Counts: counts})
			if err != nil {
				t.Fatal(err)
			}
			for k, set := range g.sets {
				off := float64(g.sums(set, released.Counts)[0] - g.sums(set, counts)[0])
				squares[k] += off * off / releases
				if math.Abs(off) > float64(made.within(k, 0.05)) {
					beyond[k] += 1.0 / releases
				}
			}
		}
		for k, set := range g.sets {
			v := made.spreads[k].Variance
			if d := made.deviation(k); squares[k] < v*0.8 || squares[k] > d*d*1.2 {
				t.Errorf("%s: margin %b has the mean square %v, for %v to %v", c.name, set, squares[k], v, d*d)
			}
			if beyond[k] > 0.07 {
				t.Errorf("%s: %v of margin %b are beyond ±%d", c.name, beyond[k], set, made.within(k, 0.05))
			}
		}
	}
}

// TestTogetherIsBetter compares the mean of the variances of all shown counts with that of sums of cells at the same zCDP loss.
func TestTogetherIsBetter(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		least float64 // by how many times at least
	}{{[]int{4, 3, 10, 5, 2}, 2.1}, {[]int{2, 2}, 1.1}} {
		m, made := makeTogether(t, togetherConfig(t, c.sizes, cube(len(c.sizes)), policy.AddRemove, 1))
		sums, measured := 0.0, 0.0
		one := 1 / (2 * m.Guarantee(policy.AddRemove).Rho)
		for k, set := range made.margins.sets {
			n := float64(made.margins.volume(set))
			sums += n * one * float64(made.margins.cells) / n
			measured += n * made.deviation(k) * made.deviation(k)
		}
		if sums < c.least*measured {
			t.Errorf("%v: %v measured together, and %v as sums", c.sizes, measured, sums)
		}
	}
}

// TestTogetherOfAll: TotalWithin takes the largest error where sets have totals of equally many cells, and knows none of sets that are not shown.
func TestTogetherOfAll(t *testing.T) {
	m, made := makeTogether(t, togetherConfig(t, []int{3, 3, 2}, [][]int{{0, 2}, {1, 2}, {0}}, policy.ReplaceOne, 1))
	miss := big.NewRat(1, 20)
	for cells, shown := range map[int]bool{1: false, 2: false, 3: true, 6: true, 9: false, 18: false} {
		w, ok := m.TotalWithin(cells, miss)
		if ok != shown || ok && w > m.HalfWidth95() {
			t.Errorf("a total of %d cells: %d, %t", cells, w, ok)
		}
	}
	if got := m.GroupingErrors(); len(got) != 3 || got[0].HalfWidth95 < int64(got[0].Deviation) {
		t.Errorf("%+v", got)
	}
	if text := m.Identity(); text != fmt.Sprintf("mechanism discrete-gaussian epsilon 1000000000 adjacency replace-one negative true\ndelta 1000000000000 calibration \n"+
		"measured as %v\n", made.margins) {
		t.Error(text)
	}
}

// TestTogetherRefused has one for each rule. No count is an error: it would tell of the rows.
func TestTogetherRefused(t *testing.T) {
	good := togetherConfig(t, []int{2, 3}, cube(2), policy.AddRemove, 2)
	for name, change := range map[string]func(*Config){
		"pure epsilon": func(c *Config) { c.Kind = policy.Geometric }, "clamped": func(c *Config) { c.KeepNegative = false },
		"several cells": func(c *Config) { c.PerCell = 1 }, "parts": func(c *Config) { c.Parts = 2 },
		"too many": func(c *Config) { c.Margins = newMargins(t, []int{1 << 20, 1 << 8}, cube(2)).Together(cube(2)) },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
	m, _ := makeTogether(t, good)
	for _, n := range []int64{0, math.MaxInt64, math.MinInt64} {
		cells, err := m.Sanitize(Histogram{Counts: []int64{n, n, n, n, n, n}})
		if err != nil || len(cells.Counts) != 6 {
			t.Errorf("counts of %d: %v", n, err)
		}
	}
}
