package mechanisms

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// productSizes are the attributes' values in the tests that compare with a dense solver.
var productSizes = [][]int{{}, {1}, {2}, {5}, {2, 3}, {3, 1, 2}, {4, 4}, {2, 2, 2}, {2, 3, 4}, {2, 2, 8}, {2, 3, 1, 2, 3}}

// randomMargins are those of some random sets, with random weights.
func randomMargins(t *testing.T, r *rand.Rand, sizes []int) *Margins {
	t.Helper()
	var sets [][]int
	for range r.IntN(6) {
		var set []int
		for i := range sizes {
			if r.IntN(2) == 0 {
				set = append(set, i)
			}
		}
		sets = append(sets, set)
	}
	m := newMargins(t, sizes, sets)
	for k := range m.weights {
		m.weights[k] = 0.1 + 3*r.Float64()
	}
	return m
}

func newMargins(t testing.TB, sizes []int, sets [][]int) *Margins {
	t.Helper()
	m, err := NewMargins(sizes, sets)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// rows is the matrix M_A, written down from the definition and not from strides: cells count down the attributes of sizes.
func rows(m *Margins, set uint64) [][]float64 {
	index := make(map[string]int)
	var matrix [][]float64
	m.walk(m.axes(), func(digits []int) {
		var key []int
		for axis, digit := range digits {
			if set>>axis&1 == 1 {
				key = append(key, digit)
			}
		}
		if _, ok := index[fmt.Sprint(key)]; !ok {
			index[fmt.Sprint(key)] = len(matrix)
			matrix = append(matrix, make([]float64, m.cells))
		}
		i := 0
		for axis, digit := range digits {
			i = i*m.sizes[axis] + digit
		}
		matrix[index[fmt.Sprint(key)]][i] = 1
	})
	return matrix
}

// normalEquations is the matrix K, and the inner product of the right side with what was measured as a function.
func normalEquations(m *Margins) (k [][]float64, right func(y [][]int64) []float64) {
	k = make([][]float64, m.cells)
	for i := range k {
		k[i] = make([]float64, m.cells)
	}
	var matrices [][][]float64
	for s, set := range m.sets {
		matrix := rows(m, set)
		matrices = append(matrices, matrix)
		for _, row := range matrix {
			for i := range row {
				for j := range row {
					k[i][j] += m.weights[s] * row[i] * row[j]
				}
			}
		}
	}
	return k, func(y [][]int64) []float64 {
		b := make([]float64, m.cells)
		for s, matrix := range matrices {
			for r, row := range matrix {
				for i := range row {
					b[i] += m.weights[s] * row[i] * float64(y[s][r])
				}
			}
		}
		return b
	}
}

// solve is Gaussian elimination with partial pivoting.
func solve(matrix [][]float64, b []float64) []float64 {
	n := len(b)
	a := make([][]float64, n)
	for i := range a {
		a[i] = append(slices.Clone(matrix[i]), b[i])
	}
	for column := range a {
		pivot := column
		for i := column; i < n; i++ {
			if math.Abs(a[i][column]) > math.Abs(a[pivot][column]) {
				pivot = i
			}
		}
		a[column], a[pivot] = a[pivot], a[column]
		for i := range a {
			if i == column {
				continue
			}
			factor := a[i][column] / a[column][column]
			for j := column; j <= n; j++ {
				a[i][j] -= factor * a[column][j]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x
}

// TestFitAgainstElimination compares the closed form with the normal equations, and the whole numbers with their prefix sums: on random
// domains, collections of sets, weights and measurements.
func TestFitAgainstElimination(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range productSizes {
		for range 12 {
			m := randomMargins(t, r, sizes)
			k, right := normalEquations(m)
			noisy := make([][]int64, m.Len())
			for s, set := range m.sets {
				noisy[s] = make([]int64, m.volume(set))
				for i := range noisy[s] {
					noisy[s][i] = r.Int64N(2001) - 1000
				}
			}
			want := solve(k, right(noisy))
			checkWhole(t, m, m.fit(noisy), want)
		}
	}
}

// checkWhole wants the prefix sums of whole numbers, in the order of rounding, to be within 1/2 of those of the exact fit.
func checkWhole(t *testing.T, m *Margins, got []int64, want []float64) {
	t.Helper()
	axes, strides := m.axes(), m.strides(m.all())
	slices.SortStableFunc(axes, func(a, b int) int { return m.marginsWith(b) - m.marginsWith(a) })
	var sum int64
	exact := 0.0
	m.walk(axes, func(digits []int) {
		i := cell(digits, strides)
		sum += got[i]
		exact += want[i]
		if math.Abs(float64(sum)-exact) > 0.5+1e-6 {
			t.Errorf("%v: the sum up to cell %d is %d, want %v", m, i, sum, exact)
		}
		if math.Abs(float64(got[i])-want[i]) > 1+1e-6 {
			t.Errorf("%v: cell %d is %d, want %v", m, i, got[i], want[i])
		}
	})
}

// TestVarianceAgainstElimination compares the variance of every margin with a' K^-1 a.
func TestVarianceAgainstElimination(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, sizes := range productSizes {
		for range 4 {
			m := randomMargins(t, r, sizes)
			k, _ := normalEquations(m)
			for set := range m.all() + 1 {
				a := rows(m, set)
				a0 := a[len(a)/2]
				want := 0.0
				for i, x := range solve(k, a0) {
					want += a0[i] * x
				}
				if got := m.variance(set); math.Abs(got-want) > 1e-9*want {
					t.Errorf("%v: the variance of margin %b is %v, want %v", m, set, got, want)
				}
			}
			for s, set := range m.sets {
				if v := m.variance(set); v > 1/m.weights[s]+1e-12 {
					t.Errorf("%v: fitting makes the variance of margin %b %v, from %v", m, set, v, 1/m.weights[s])
				}
			}
		}
	}
}

// TestConsistentMarginsAreKept wants margins that agree to be taken as they are, however large: then nothing is left to fit.
func TestConsistentMarginsAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, sizes := range productSizes {
		m := randomMargins(t, r, sizes)
		counts := make([]int64, m.cells)
		for i := range counts {
			counts[i] = r.Int64N(1 << 54)
		}
		noisy := make([][]int64, m.Len())
		for s, set := range m.sets {
			noisy[s] = m.sums(set, counts)
		}
		if got := m.fit(noisy); !slices.Equal(got, counts) {
			t.Errorf("%v: %v instead of %v", m, got, counts)
		}
	}
}

// TestLargeCountsAreFitted adds a huge multiple of consistent counts, which must come out again to the last unit.
func TestLargeCountsAreFitted(t *testing.T) {
	m := newMargins(t, []int{2, 3}, [][]int{{0}, {}})
	small := [][]int64{{4, -1, 0, 3, 9, 2}, {5, 13}, {21}}
	large := [][]int64{{}, {}, {}}
	base := []int64{1 << 60, 3, 1<<61 + 7, 11, 1<<55 + 1, 1}
	for s, set := range m.sets {
		for i, n := range m.sums(set, base) {
			large[s] = append(large[s], n+small[s][i])
		}
	}
	want := m.fit(small)
	for i, n := range m.fit(large) {
		if n-base[i] != want[i] {
			t.Errorf("cell %d is %d off, want %d", i, n-base[i], want[i])
		}
	}
}

// TestMarginsAreDistinct pins what makes two collections of sets one: order, repetition, attributes with one value.
func TestMarginsAreDistinct(t *testing.T) {
	same := newMargins(t, []int{2, 1, 3}, [][]int{{0}, {}})
	for _, sets := range [][][]int{{{}, {0}}, {{0, 1, 2}, {0, 1}, {1}, {}}, {{1, 0}, {0, 0}, {}, {2, 0}}} {
		if m := newMargins(t, []int{2, 1, 3}, sets); m.String() != same.String() {
			t.Errorf("%v: %v instead of %v", sets, m, same)
		}
	}
	if got, want := fmt.Sprint(same.Sets()), "[[0 2] [0] []]"; got != want {
		t.Errorf("the sets are %s, want %s", got, want)
	}
	seen := map[string]bool{same.String(): true}
	for _, other := range []*Margins{
		newMargins(t, []int{2, 1, 3}, [][]int{{0}}), newMargins(t, []int{2, 1, 3}, [][]int{{2}, {}}), newMargins(t, []int{2, 3}, [][]int{{0}, {}}),
		newMargins(t, []int{3, 1, 2}, [][]int{{0}, {}}), newMargins(t, []int{2, 1, 3}, nil),
	} {
		if seen[other.String()] {
			t.Errorf("%v is not told from another", other)
		}
		seen[other.String()] = true
	}
	for _, bad := range []struct {
		sizes []int
		sets  [][]int
	}{{[]int{2, 0}, nil}, {[]int{2}, [][]int{{1}}}, {[]int{2}, [][]int{{-1}}}, {[]int{1 << 20, 1 << 20}, nil}, {[]int{2, 2, 2, 2, 2, 2, 2}, allSets(7)}} {
		if m, err := NewMargins(bad.sizes, bad.sets); err == nil {
			t.Errorf("%v are made of %v", m, bad)
		}
	}
}

// allSets are those of CUBE over n attributes.
func allSets(n int) [][]int {
	var sets [][]int
	for bits := range 1 << n {
		set := []int{}
		for i := range n {
			if bits>>i&1 == 1 {
				set = append(set, i)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

func fittedConfig(kind policy.Kind, epsilon float64, margins *Margins) Config {
	return Config{
		Kind: kind, Epsilon: policy.Epsilon(epsilon * 1e9), Delta: 1e12, Adjacency: policy.AddRemove,
		Sensitivity: 1, PerCell: 1, KeepNegative: true, Margins: margins, Random: battery.Seeded(7),
	}
}

func newFitted(t testing.TB, c Config) (*Mechanism, fitted) {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m, m.method.(fitted)
}

// TestFittedNoise pins what one person can change: s in every margin, and in one cell of a margin all of them, even where no cell
// of the finest changes by more than 1.
func TestFittedNoise(t *testing.T) {
	margins := newMargins(t, []int{2, 3}, [][]int{{0}, {}})
	c := fittedConfig(policy.Geometric, 0.6, margins)
	c.Sensitivity = 5
	_, f := newFitted(t, c)
	if want := newDiscreteLaplace(6e8, 15); f.noise != want {
		t.Errorf("the noise is %v, want %v", f.noise, want)
	}
	c.Adjacency = policy.ReplaceOne
	_, f = newFitted(t, c)
	if want := newDiscreteLaplace(6e8, 30); f.noise != want {
		t.Errorf("under replace-one the noise is %v, want %v", f.noise, want)
	}
	c.Adjacency, c.Kind = policy.AddRemove, policy.Gaussian
	_, f = newFitted(t, c)
	if got, want := f.noise.(*gaussian).sigma, analyticSigma(0.6, 1e-6, math.Sqrt(75)); math.Abs(got-want) > 1e-6*want {
		t.Errorf("sigma is %v, want %v", got, want)
	}
	m, _ := newFitted(t, c)
	if _, _, err := m.Select(3); err == nil || m.Threshold() != 0 {
		t.Error("a key was selected with fitted noise")
	}
	if _, err := m.Sanitize(Histogram{Counts: make([]int64, 5)}); err == nil {
		t.Error("5 counts of 6 cells are sanitized")
	}
	for name, change := range map[string]func(*Config){
		"clamped counts":         func(c *Config) { c.KeepNegative = false },
		"suppression":            func(c *Config) { c.Kind, c.K = policy.DPSuppression, 3 },
		"too large":              func(c *Config) { c.Sensitivity = policy.MaxRows/3 + 1 },
		"more than fits in bits": func(c *Config) { c.Sensitivity = math.MaxInt64/3 + 2 },
	} {
		bad := c
		change(&bad)
		if _, err := New(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestFittedHockeyStick enumerates the noisy margins of 2 x 2 cells under CUBE, of which the four that hold one person move by 1 and no
// others do: jointly their privacy loss is epsilon and not less, and one margin left out of the sensitivity would exceed it.
func TestFittedHockeyStick(t *testing.T) {
	const e = 2.0
	margins := newMargins(t, []int{2, 2}, allSets(2))
	m, f := newFitted(t, fittedConfig(policy.Geometric, e, margins))
	var moved int64
	for set, counts := range map[uint64][]int64{3: {0, 0, 1, 0}, 1: {0, 1}, 2: {1, 0}, 0: {1}} {
		if got := margins.sums(set, []int64{0, 0, 1, 0}); !slices.Equal(got, counts) {
			t.Fatalf("margin %b of one person is %v, want %v", set, got, counts)
		}
		for _, n := range counts {
			moved += n
		}
	}
	if moved != 4 {
		t.Fatalf("one person moves %d cells, want 4", moved)
	}
	// The other cells have the same noise on both sides. 4 cells in [-reach, reach], whatever lies beyond merged into the ends.
	const reach = 9
	joint := func(z noise, n int64) []float64 {
		one := make([]float64, 2*reach+1)
		for v := int64(-reach); v <= reach; v++ {
			one[v+reach] = z.probability(v - n)
		}
		one[0], one[2*reach] = tail(z, reach+n), tail(z, reach-n)
		all := []float64{1}
		for range 4 {
			next := make([]float64, 0, len(all)*len(one))
			for _, p := range all {
				for _, q := range one {
					next = append(next, p*q)
				}
			}
			all = next
		}
		return all
	}
	divergence := func(epsilon float64, p, q []float64) (delta float64) {
		for i := range p {
			delta += max(0, p[i]-math.Exp(epsilon)*q[i])
		}
		return delta
	}
	p, q := joint(f.noise, 0), joint(f.noise, 1)
	if d := max(divergence(e, p, q), divergence(e, q, p)); d > 1e-12 {
		t.Errorf("at epsilon %v delta is %v, want 0", e, d)
	}
	if d := divergence(0.95*e, p, q); d <= 0 {
		t.Errorf("at a smaller epsilon delta is %v, too", d)
	}
	careless := newDiscreteLaplace(policy.Epsilon(e*1e9), 3)
	if d := divergence(e, joint(careless, 0), joint(careless, 1)); d < 0.005 {
		t.Errorf("noise for 3 of 4 margins has a delta of %v only", d)
	}
	if g := m.Guarantee(policy.AddRemove); math.Abs(g.Pure-e) > 1e-12 || g.Delta(0.95*e) < divergence(0.95*e, p, q) {
		t.Errorf("the guarantee is %+v with delta %v at %v", g, g.Delta(0.95*e), 0.95*e)
	}
	if loss := m.Loss(); loss.Epsilon != 2e9 || loss.Delta != 0 {
		t.Errorf("the loss is %v", loss)
	}
}

// simulate shows the cells of counts many times.
func simulate(t *testing.T, m *Mechanism, counts []int64, times int, see func(shown []int64)) {
	t.Helper()
	for range times {
		cells, err := m.Sanitize(Histogram{Counts: counts})
		if err != nil {
			t.Fatal(err)
		}
		see(cells.Counts)
	}
}

// TestFittedMoments simulates the bias and the variance of a cell and of the grand total. The mean of n draws is within 5.2 standard
// deviations, and the mean square, whose own deviation is at most sqrt(5/n) of it (the kurtosis of a Laplace variable is 6, and that of
// a linear combination less), within 5.2 of these: each with probability 1 - 2e-7, in the limit of many draws. Rounding adds at most 1 to
// the bias bound's root mean square, and so to the standard deviation.
func TestFittedMoments(t *testing.T) {
	const n = 10_000
	for i, sets := range [][][]int{{{}}, {{0}, {0, 1}, {}}, {{1, 2}, {0}}, allSets(3)} {
		if testing.Short() && i%2 == 0 {
			continue
		}
		margins := newMargins(t, []int{2, 2, 8}, sets)
		m, f := newFitted(t, fittedConfig(policy.Geometric, 0.5, margins))
		counts := make([]int64, margins.cells)
		var truth int64
		for i := range counts {
			counts[i] = int64(i * i)
			truth += counts[i]
		}
		var cell, cellSquares, total, totalSquares float64
		simulate(t, m, counts, n, func(shown []int64) {
			c := float64(shown[5] - counts[5])
			sum := -float64(truth)
			for _, v := range shown {
				sum += float64(v)
			}
			cell, cellSquares, total, totalSquares = cell+c/n, cellSquares+c*c/n, total+sum/n, totalSquares+sum*sum/n
		})
		wantCell, wantTotal, ok := m.FittedError()
		if !ok || wantCell > math.Sqrt(variance(f.noise)) {
			t.Errorf("%v: the deviation of a cell is %v", margins, wantCell)
		}
		for _, c := range []struct{ mean, squares, want, rounding float64 }{{cell, cellSquares, wantCell, 1}, {total, totalSquares, wantTotal, 0.5}} {
			if limit := 5.2 * (c.want + c.rounding) / math.Sqrt(n); math.Abs(c.mean) > limit {
				t.Errorf("%v: the bias is %v, more than %v", margins, c.mean, limit)
			}
			slack := 1 + 5.2*math.Sqrt(5.0/n)
			if low, high := c.want*c.want/slack-c.rounding*c.want*0.1, (c.want+0.5*c.rounding)*(c.want+0.5*c.rounding)*slack; c.squares < low || c.squares > high {
				t.Errorf("%v: the variance is %v, not between %v and %v", margins, c.squares, low, high)
			}
		}
	}
}

// TestFittedHalfWidth simulates how many shown cells are within the stated half width, for noises from hardly any to much, and for
// many and few margins. With a probability of 0.95 for each, fewer than 0.95 n - 5 sqrt(0.05 0.95 n) of n draws of one cell would be
// within it with probability 3e-7; what is stated is a bound, so that they are mostly more.
func TestFittedHalfWidth(t *testing.T) {
	t.Parallel()
	const n = 3000
	least := 0.95*n - 5*math.Sqrt(0.05*0.95*n)
	domains := []struct {
		sizes []int
		sets  [][]int
	}{{[]int{2}, [][]int{{}}}, {[]int{50}, [][]int{{}}}, {[]int{2, 2, 8}, [][]int{{0}, {0, 1}, {}}}, {[]int{3, 3}, allSets(2)}, {[]int{2, 2, 2, 2}, allSets(4)}, {[]int{2, 2}, [][]int{{0}, {1}}}}
	for k, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		for _, d := range domains {
			margins := newMargins(t, d.sizes, d.sets)
			for i, perMargin := range []float64{0.05, 0.2, 0.5, 1, 1.5, 2, 2.6, 3.2, 3.8, 4.5, 7} {
				if margins.cells > 2 && i%4 != k || testing.Short() && (i/4+k)%3 != 0 {
					continue // of more cells each scale once, with one kind or another
				}
				m, _ := newFitted(t, fittedConfig(kind, perMargin*float64(margins.Len()), margins))
				width := m.HalfWidth95()
				within := make([]int, margins.cells)
				simulate(t, m, make([]int64, margins.cells), n, func(shown []int64) {
					for i, v := range shown {
						if max(v, -v) <= width {
							within[i]++
						}
					}
				})
				for _, i := range []int{0, margins.cells / 2, margins.cells - 1} {
					if float64(within[i]) < least {
						t.Errorf("%s, epsilon %v for each of %v: cell %d is within ±%d in %d of %d draws", kind, perMargin, margins, i, width, within[i], n)
					}
				}
			}
		}
	}
}

// TestFittedIdentity wants different collections of margins, and none, to be different releases.
func TestFittedIdentity(t *testing.T) {
	plain := fittedConfig(policy.Geometric, 1, nil)
	m, err := New(plain)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Identity(), "mechanism geometric epsilon 1000000000 adjacency add-remove negative true\n"; got != want {
		t.Errorf("without margins the identity is %q, want %q as it always was", got, want)
	}
	seen := map[string]bool{m.Identity(): true}
	for _, sets := range [][][]int{{{}}, {{0}}, {{1}}, {{0}, {}}, {{0}, {1}, {}}} {
		m, _ := newFitted(t, fittedConfig(policy.Geometric, 1, newMargins(t, []int{2, 2}, sets)))
		if seen[m.Identity()] {
			t.Errorf("%q is the identity of two mechanisms", m.Identity())
		}
		seen[m.Identity()] = true
	}
}

// BenchmarkFit fits the cells of CUBE over six attributes, 100,000 cells and 64 margins.
func BenchmarkFit(b *testing.B) {
	margins := newMargins(b, []int{10, 10, 10, 10, 5, 2}, allSets(6))
	m, _ := newFitted(b, fittedConfig(policy.Geometric, 1, margins))
	counts := make([]int64, margins.cells)
	for b.Loop() {
		if _, err := m.Sanitize(Histogram{Counts: counts}); err != nil {
			b.Fatal(err)
		}
	}
}
