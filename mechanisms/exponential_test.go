package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

var fractions = []sampling.Ratio{{Of: 1, All: 2}, {Of: 1, All: 4}, {Of: 9, All: 10}, {Of: 99, All: 100}, {Of: 1, All: 3}}

func newExponential(t testing.TB, c Config) *Exponential {
	t.Helper()
	e, err := NewExponential(complete(c))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sampleOf is that of the numbers of rows with each value.
func sampleOf(rows []int64) Sample {
	s := Sample{Grid: len(rows)}
	for i, n := range rows {
		if n > 0 {
			s.At, s.Counts = append(s.At, i), append(s.Counts, n)
		}
	}
	return s
}

// A value draws from a sample: a quantile, or the mode if All is 0.
type value sampling.Ratio

func (v value) draw(e *Exponential, s Sample) (int, error) {
	if v.All == 0 {
		return e.Mode(s)
	}
	return e.Quantile(s, sampling.Ratio(v))
}

func (v value) String() string {
	if v.All == 0 {
		return "mode"
	}
	return fmt.Sprintf("quantile %d/%d", v.Of, v.All)
}

func values() (all []value) {
	for _, f := range fractions {
		all = append(all, value(f))
	}
	return append(all, value{})
}

// costs are the costs of all values of the grid, as the draw takes them.
func (v value) costs(s Sample) []uint64 {
	var most uint64
	for _, n := range s.Counts {
		most = max(most, uint64(n))
	}
	cost := func(before, upTo, all uint64) uint64 {
		if v.All == 0 {
			return most - (upTo - before)
		}
		return quantileCost(before, upTo, all, sampling.Ratio(v))
	}
	ties, starts := s.ties(cost)
	costs := make([]uint64, s.Grid)
	for i, tie := range ties {
		for j := range tie.Outcomes {
			costs[starts[i]+int(j)] = tie.Cost
		}
	}
	return costs
}

func (v value) width() int64 {
	if v.All == 0 {
		return 1
	}
	return quantileWidth(sampling.Ratio(v))
}

// probabilities are those of all values of the grid.
func (v value) probabilities(e *Exponential, s Sample) []float64 {
	r := float64(e.config.Epsilon) / 1e9 / float64(e.config.distance()) / float64(v.width())
	p, sum := make([]float64, s.Grid), 0.0
	for i, c := range v.costs(s) {
		p[i] = math.Exp(-r * float64(c))
		sum += p[i]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}

// tables are all numbers of rows, at most most each, that a grid of size values can have.
func tables(size int, most int64) [][]int64 {
	all := [][]int64{{}}
	for range size {
		var longer [][]int64
		for _, rows := range all {
			for n := range most + 1 {
				longer = append(longer, append(append([]int64(nil), rows...), n))
			}
		}
		all = longer
	}
	return all
}

// mostChanged is the largest |ln p/q| over the values.
func mostChanged(p, q []float64) (ratio float64) {
	for i := range p {
		ratio = max(ratio, math.Abs(math.Log(p[i]/q[i])))
	}
	return ratio
}

// The privacy battery enumerates all small tables, and all that a person can do to them: she comes with up to s rows, or is exchanged for another, who
// may have other values, and lie in other cells. No probability changes by more than exp(epsilon), over all cells together. Of the median and the mode small
// tables show that it is hardly less: with two thirds of the distance the bound would be broken.
func TestExponentialIsPrivate(t *testing.T) {
	for _, v := range values() {
		for _, adjacency := range bothAdjacencies {
			for _, s := range []int64{1, 2} {
				e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: epsilonOf(1.5), Adjacency: adjacency, Sensitivity: s, PerCell: s})
				came := v.mostOfComing(e, s)
				worst := came
				if adjacency == policy.ReplaceOne { // she leaves one cell, another comes to a second one: the ratios multiply
					worst = 2 * came
				}
				if worst > 1.5+1e-9 {
					t.Errorf("%v, %s, %d rows: probabilities change by exp(%v)", v, adjacency, s, worst)
				}
				if tight := v.All <= 2; tight && worst <= 1.0 {
					t.Errorf("%v, %s, %d rows: probabilities change by exp(%v) only, more noise than needed", v, adjacency, s, worst)
				}
				if got := v.mostOfExchange(e, s); adjacency == policy.ReplaceOne && got > 1.5+1e-9 {
					t.Errorf("%v, %d rows exchanged within a cell: probabilities change by exp(%v)", v, s, got)
				}
			}
		}
	}
}

// mostOfComing is the most that probabilities of a cell change if s rows come.
func (v value) mostOfComing(e *Exponential, s int64) (most float64) {
	for _, rows := range tables(4, 3) {
		before := v.probabilities(e, sampleOf(rows))
		for i := range rows {
			for j := range rows {
				rows[i]++
				if s == 2 {
					rows[j]++
				}
				most = max(most, mostChanged(before, v.probabilities(e, sampleOf(rows))))
				if s == 2 {
					rows[j]--
				}
				rows[i]--
			}
		}
	}
	return most
}

// mostOfExchange is the most that they change if s rows with one value get another one.
func (v value) mostOfExchange(e *Exponential, s int64) (most float64) {
	for _, rows := range tables(4, 3) {
		before := v.probabilities(e, sampleOf(rows))
		for i := range rows {
			for j := range rows {
				if rows[i] < s {
					continue
				}
				rows[i], rows[j] = rows[i]-s, rows[j]+s
				most = max(most, mostChanged(before, v.probabilities(e, sampleOf(rows))))
				rows[i], rows[j] = rows[i]+s, rows[j]-s
			}
		}
	}
	return most
}

// Without noise to speak of, a quantile is what percentile_disc returns: the first value up to which there are enough rows; and a mode is most frequent.
func TestExponentialOfNoNoise(t *testing.T) {
	e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: epsilonOf(1e6)})
	for _, rows := range tables(3, 4) {
		var all int64
		for _, n := range rows {
			all += n
		}
		if all == 0 {
			continue
		}
		for _, v := range values() {
			place, err := v.draw(e, sampleOf(rows))
			if err != nil {
				t.Fatal(err)
			}
			if v.All == 0 {
				if rows[place] != max(rows[0], rows[1], rows[2]) {
					t.Errorf("%v: the mode is %d", rows, place)
				}
				continue
			}
			want, upTo := 0, rows[0]
			for upTo*int64(v.All) < all*int64(v.Of) {
				want++
				upTo += rows[want]
			}
			if place != want {
				t.Errorf("%v of %v is %d instead of %d", v, rows, place, want)
			}
		}
	}
}

// The draws of the mechanism have the distribution that the battery enumerates, wherever the rows lie: 48 verdicts, each of which is wrong with
// a probability of at most battery.FalseFailure.
func TestExponentialDraws(t *testing.T) {
	seed := byte(0)
	for _, rows := range [][]int64{{0, 3, 0, 0, 9, 2, 0}, {0, 0, 0}, {5, 0, 0, 0, 0, 0, 0, 5}, {1}} {
		for _, v := range values() {
			for _, adjacency := range bothAdjacencies {
				if seed++; testing.Short() && seed%5 != 0 {
					continue
				}
				e := newExponential(t, Config{Kind: policy.Laplace, Epsilon: epsilonOf(0.8), Adjacency: adjacency, Random: battery.Seeded(seed)})
				p := v.probabilities(e, sampleOf(rows))
				draws := make([]int64, 10_000)
				for i := range draws {
					place, err := v.draw(e, sampleOf(rows))
					if err != nil {
						t.Fatal(err)
					}
					draws[i] = int64(place)
				}
				if statistic, freedom := battery.ChiSquared(listed(p), draws); statistic > battery.Limit(freedom) {
					t.Errorf("%v of %v, %s: chi-squared %.0f with %d degrees of freedom", v, rows, adjacency, statistic, freedom)
				}
			}
		}
	}
}

func listed(p []float64) battery.Distribution {
	return battery.Distribution{
		PMF: func(z int64) float64 {
			if z < 0 || z >= int64(len(p)) {
				return 0
			}
			return p[z]
		},
		Upper: func(k int64) (sum float64) {
			for z := max(0, k); z < int64(len(p)); z++ {
				sum += p[z]
			}
			return sum
		},
	}
}

// The stated bounds of ranks, and of rows of the mode, hold with a probability of 0.95, which is summed up here and not drawn; and they are not idle.
func TestExponentialWithin95(t *testing.T) {
	for _, epsilon := range []float64{0.1, 0.5, 2} {
		e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: epsilonOf(epsilon)})
		for _, v := range values() {
			rows := make([]int64, 1000)
			for i := range rows {
				rows[i] = int64(i%7) * 3
			}
			s := sampleOf(rows)
			within, unit := e.ModeWithin95(s.Grid), 1.0
			if v.All > 0 {
				within, unit = e.QuantileWithin95(s.Grid, sampling.Ratio(v)), float64(v.All)
			}
			inside, p := 0.0, v.probabilities(e, s)
			for i, c := range v.costs(s) {
				if float64(c) <= float64(within)*unit {
					inside += p[i]
				}
			}
			if inside < 0.95 {
				t.Errorf("epsilon %v, %v: within %d with probability %v only", epsilon, v, within, inside)
			}
		}
	}
	e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: epsilonOf(0.5)})
	if got := e.QuantileWithin95(121, sampling.Ratio{Of: 1, All: 2}); got != 16 { // 2 ln(120/0.05) = 15.6
		t.Errorf("the median of 121 values is within %d ranks", got)
	}
	if got := e.QuantileWithin95(1, sampling.Ratio{Of: 1, All: 2}); got != 0 {
		t.Errorf("that of a single value is within %d ranks", got)
	}
}

// Counts as large as there can be, and grids as wide, neither overflow nor take long.
func TestExponentialOfExtremes(t *testing.T) {
	e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: 1, Sensitivity: policy.MaxRows, PerCell: policy.MaxRows})
	for _, f := range append(fractions, sampling.Ratio{Of: 1, All: mostParts}, sampling.Ratio{Of: mostParts - 1, All: mostParts}) {
		s := Sample{Grid: 1 << 40, At: []int{0, 1, 1<<40 - 1}, Counts: []int64{math.MaxInt64 / 2, 1, math.MaxInt64 / 2}}
		if place, err := e.Quantile(s, f); err != nil || place < 0 || place >= s.Grid {
			t.Errorf("%v: %d, %v", f, place, err)
		}
	}
	if cost := quantileCost(math.MaxInt64, math.MaxInt64, math.MaxInt64, sampling.Ratio{Of: 1, All: mostParts}); cost != mostCost+1 {
		t.Errorf("a cost of %d", cost)
	}
}

func TestExponentialRefuses(t *testing.T) {
	for _, k := range policy.Kinds {
		if _, err := NewExponential(complete(Config{Kind: k, Epsilon: 1, Delta: 1, K: 1})); (err == nil) != k.AddsNoise() {
			t.Errorf("%s: %v", k, err)
		}
	}
	for name, c := range map[string]Config{
		"epsilon": {Kind: policy.Geometric}, "adjacency": {Kind: policy.Geometric, Epsilon: 1, Adjacency: "none"},
		"sensitivity": {Kind: policy.Geometric, Epsilon: 1, Sensitivity: policy.MaxRows + 1},
	} {
		if _, err := NewExponential(complete(c)); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	e := newExponential(t, Config{Kind: policy.Geometric, Epsilon: 1})
	for _, f := range []sampling.Ratio{{}, {Of: 0, All: 1}, {Of: 1, All: 1}, {Of: 2, All: 1}, {Of: 1, All: mostParts + 1}} {
		if _, err := e.Quantile(sampleOf([]int64{1, 2}), f); err == nil {
			t.Errorf("a fraction of %v is taken", f)
		}
	}
	for _, s := range []Sample{{}, {Grid: 2, At: []int{1, 0}, Counts: []int64{1, 1}}, {Grid: 2, At: []int{2}, Counts: []int64{1}}, {Grid: 2, At: []int{0}}, {Grid: 2, At: []int{0}, Counts: []int64{0}}} {
		if _, err := e.Mode(s); err == nil {
			t.Errorf("%v is taken", s)
		}
	}
}
