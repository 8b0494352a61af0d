package risk

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"tacit/mechanisms"
	"tacit/policy"
)

// mixedTable has cells of several kinds, and three labels.
func mixedTable() *Table {
	return &Table{Labels: 3, Patterns: []Pattern{
		{Counts: []int64{1}, Cells: 60}, {Counts: []int64{2}, Cells: 25}, {Counts: []int64{5}, Cells: 10}, {Counts: []int64{40}, Cells: 1},
		{Counts: []int64{1, 1}, Cells: 20}, {Counts: []int64{4, 1}, Cells: 10}, {Counts: []int64{1, 1, 1}, Cells: 12}, {Counts: []int64{9, 3, 2}, Cells: 5},
	}}
}

// distance bounds how far means of so many repetitions are from expectations, by Bernstein's inequality: with independent cells of
// risks r and weights w, of which the value is in [0, 1], one repetition has a variance of at most V, the sum of w^2 r(1-r), and the
// bound sqrt(2 V L/R) + 2 max(w) L/(3 R) is exceeded with probability 2 exp(-L), which is 1e-9.
func distance(t *Table, risk func(p Pattern) float64, repetitions int) (bound, variance Average) {
	d := t.Describe()
	var largest Average
	for _, p := range t.Patterns {
		r := risk(p)
		u, w := 1/float64(d.All.Cells), float64(p.Records())/float64(d.All.Records)
		variance.Unweighted += float64(p.Cells) * u * u * r * (1 - r)
		variance.Weighted += float64(p.Cells) * w * w * r * (1 - r)
		largest = Average{Unweighted: u, Weighted: max(largest.Weighted, w)}
	}
	l, number := math.Log(2e9), float64(repetitions)
	of := func(variance, largest float64) float64 {
		return math.Sqrt(2*variance*l/number) + 2*largest*l/(3*number) + 1e-10
	}
	return Average{Unweighted: of(variance.Unweighted, largest.Unweighted), Weighted: of(variance.Weighted, largest.Weighted)}, variance
}

// within compares an estimate with what it estimates. It fails wrongly with a probability of 2e-9.
func within(t *testing.T, what string, got Estimate, want, bound Average) {
	t.Helper()
	if !(math.Abs(got.Mean.Unweighted-want.Unweighted) <= bound.Unweighted) {
		t.Errorf("%s: simulated %v, want %v within %v", what, got.Mean.Unweighted, want.Unweighted, bound.Unweighted)
	}
	if !(math.Abs(got.Mean.Weighted-want.Weighted) <= bound.Weighted) {
		t.Errorf("%s, weighted: simulated %v, want %v within %v", what, got.Mean.Weighted, want.Weighted, bound.Weighted)
	}
}

// lawOf is that of noise of a scale.
func lawOf(t *testing.T, noise StandardNoise, scale float64) mechanisms.Law {
	t.Helper()
	make := mechanisms.LaplaceLaw
	if noise == StandardGaussian {
		make = mechanisms.GaussianLaw
	}
	law, err := make(scale)
	if err != nil {
		t.Fatal(err)
	}
	return law
}

// Curves of 25 scales, each simulated, and computed: 200 comparisons of means, that fail wrongly with a probability of 4e-7 together, over
// the choice of the seed.
func TestSimulationOfLocal(t *testing.T) {
	var scales []float64
	for i := range 25 {
		scales = append(scales, math.Pow(10, 2-float64((7*i)%25)/6)) // in no order
	}
	for _, noise := range []StandardNoise{StandardLaplace, StandardGaussian} {
		for _, v := range Versions {
			for _, table := range []*Table{mixedTable(), adult(true, true)} {
				const repetitions = 300
				got, err := table.Simulate(Simulation{Noise: noise, Scales: scales, Trials: Trials{v, OneLabel, repetitions}, Seed: 7})
				if err != nil {
					t.Fatal(err)
				}
				for i, scale := range scales {
					s := lawOf(t, noise, scale).Survival()
					bound, variance := distance(table, func(p Pattern) float64 { return Local(s, v, table.Labels, p.Counts) }, repetitions)
					what := fmt.Sprintf("%s %v, %s, %d labels", noise, scale, v, table.Labels)
					within(t, what, got[i], table.Local(s, v), bound)
					// An event is as variable as a bound of it says. Repetitions are means over cells, close to normal: their variance is that of a
					// chi-square variable of f = 299 degrees over f, off by more than x with a probability of at most exp(-f/2 (x - ln(1+x))) on
					// each side (Chernoff): 4e-9 for x = 0.6, and below 2e-7 for the 48 scales above 1 together.
					if ratio := got[i].Deviation.Unweighted * got[i].Deviation.Unweighted / variance.Unweighted; v == Event && scale > 1 && math.Abs(ratio-1) > 0.6 {
						t.Errorf("%s: the variance is %v of the expected one", what, ratio)
					}
				}
			}
		}
	}
}

// Of 1, 2 and 6 the mean is 3, and the variance 14/2: a sample's.
func TestSummarize(t *testing.T) {
	results := [][]Average{{{9, 9}, {1, 6}}, {{9, 9}, {2, 2}}, {{9, 9}, {6, 1}}}
	got := summarize(results, 1)
	if want := math.Sqrt(7); !near(got.Mean.Unweighted, 3, 1e-15) || !near(got.Mean.Weighted, 3, 1e-15) ||
		!near(got.Deviation.Unweighted, want, 1e-15) || !near(got.Deviation.Weighted, want, 1e-15) {
		t.Errorf("%+v", got)
	}
}

// The interval of a cell, and a look at each scale, come to the same.
func TestSimulationByIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	g := newGrid([]float64{30, 8, 3, 1, 0.7, 0.2, 0.01})
	for _, v := range Versions {
		for range 20_000 {
			counts := make([]int64, 1+random.IntN(3))
			var n int64
			for k := range counts {
				counts[k] = 1 + random.Int64N(4)
				n += counts[k]
			}
			e := make([]float64, len(counts)+random.IntN(3))
			for k := range e {
				e[k] = random.NormFloat64()
			}
			collect := func(attack func(a *attacked)) []Average {
				a := attacked{
					simulation: Simulation{Trials: Trials{Version: v, Attack: OneLabel}}, grid: g, sums: make([]Average, len(g.rates)+1),
					shown: make([]int64, len(e)), worth: make([]float64, len(e)),
				}
				attack(&a)
				for i := range a.sums[1:] {
					a.sums[i+1].Unweighted += a.sums[i].Unweighted
					a.sums[i+1].Weighted += a.sums[i].Weighted
				}
				return a.sums
			}
			one := collect(func(a *attacked) { a.interval(counts, n, e) })
			each := collect(func(a *attacked) { a.eachRate(counts, n, e) })
			for i := range one {
				if math.Abs(one[i].Unweighted-each[i].Unweighted) > 1e-12 || math.Abs(one[i].Weighted-each[i].Weighted) > 1e-12 {
					t.Fatalf("%s, %v with noise %v/%v: %v by intervals, %v by scales", v, counts, e, g.rates, one, each)
				}
			}
		}
	}
}

// Results depend on the seed, and on no number of processors.
func TestSimulationIsDeterministic(t *testing.T) {
	table := mixedTable()
	run := func(processors int, seed uint64) []Estimate {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		got, err := table.Simulate(Simulation{Noise: StandardLaplace, Scales: []float64{2, 1}, Trials: Trials{Event, OneLabel, 50}, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one, many, other := run(1, 9), run(7, 9), run(1, 10)
	if one[0] != many[0] || one[1] != many[1] {
		t.Errorf("%v on one processor, %v on seven", one, many)
	}
	if one[0] == other[0] {
		t.Error("another seed has the same result")
	}
}

func TestSimulationRefuses(t *testing.T) {
	good := Simulation{Noise: StandardLaplace, Scales: []float64{1}, Trials: Trials{Event, OneLabel, 2}}
	for name, change := range map[string]func(s *Simulation){
		"noise":       func(s *Simulation) { s.Noise = "" },
		"scales":      func(s *Simulation) { s.Scales = nil },
		"a scale":     func(s *Simulation) { s.Scales = []float64{0} },
		"version":     func(s *Simulation) { s.Version = "" },
		"attack":      func(s *Simulation) { s.Attack = "" },
		"repetitions": func(s *Simulation) { s.Repetitions = 1 },
	} {
		s := good
		change(&s)
		if _, err := mixedTable().Simulate(s); err == nil {
			t.Errorf("bad %s accepted", name)
		}
	}
}

// mechanismOf draws from a seeded source.
func mechanismOf(t testing.TB, kind policy.Kind, epsilon policy.Epsilon) *mechanisms.Mechanism {
	t.Helper()
	m, err := mechanisms.New(mechanisms.Config{
		Kind: kind, Epsilon: epsilon, Delta: 1e16, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, K: 2,
		Fill: policy.Fill{Kind: policy.FillNull}, Random: rand.NewChaCha8([32]byte{1}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The mechanisms themselves, with their exact samplers: 20 comparisons, that fail wrongly with a probability of 4e-8 together.
func TestMechanismsOfLocal(t *testing.T) {
	table := mixedTable()
	for i, kind := range []policy.Kind{policy.Laplace, policy.Geometric, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression} {
		for j, v := range Versions {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			m := mechanismOf(t, kind, 8e8)
			s, _ := m.Survival()
			const repetitions = 400
			got, err := table.SimulateMechanism(m, Trials{v, OneLabel, repetitions})
			if err != nil {
				t.Fatal(err)
			}
			bound, _ := distance(table, func(p Pattern) float64 { return Local(s, v, 3, p.Counts) }, repetitions)
			within(t, fmt.Sprintf("%s, %s", kind, v), got, table.Local(s, v), bound)
		}
	}
}

func TestMechanismsRefuse(t *testing.T) {
	if _, err := mixedTable().SimulateMechanism(mechanismOf(t, policy.DPSwapping, 1e9), Trials{Event, OneLabel, 2}); err == nil {
		t.Error("swapping is simulated without its blocks")
	}
}
