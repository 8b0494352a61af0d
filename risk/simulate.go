package risk

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Trials are how often a table is sanitized, and what is concluded from it.
type Trials struct {
	// Version is required.
	Version Version
	// Attack is required.
	Attack Attack
	// Repetitions: 2 or more.
	Repetitions int
}

func (s Trials) check() error {
	switch {
	case !slices.Contains(Attacks, s.Attack):
		return fmt.Errorf("risk: unknown attack %q", s.Attack)
	case s.Repetitions < 2:
		return fmt.Errorf("risk: %d repetitions, must be 2 or more for a standard deviation", s.Repetitions)
	}
	return s.Version.check()
}

// A Simulation sanitizes a table many times, with noise of several scales, and attacks what is shown: a check of the measures that uses
// none of their formulas. Its noise is drawn in floating point from a generator that can be predicted: it is for no release.
type Simulation struct {
	// Noise is required.
	Noise StandardNoise
	// Scales of the noise: b of Laplace noise, sigma of Gaussian. Required.
	Scales []float64
	Trials
	// Seed of the draws: equal seeds have equal results, on any number of processors.
	Seed uint64
}

// StandardNoise is a distribution over the reals of scale 1. Counts with scaled noise are rounded, halves up.
type StandardNoise string

const (
	StandardLaplace  StandardNoise = "laplace"
	StandardGaussian StandardNoise = "gaussian"
)

// An Estimate is what repetitions have come to.
type Estimate struct {
	// Mean over repetitions.
	Mean Average
	// Deviation is the standard deviation of one repetition. That of the mean is smaller by the square root of their number.
	Deviation Average
}

// Simulate returns an estimate for each scale.
//
// One draw for each cell and label serves all scales: in each repetition the noise is the same but for its scale. So each estimate has
// the distribution of one by itself, but neighbouring scales err together: the points of a curve are not independent of one another,
// and it is smoother than its standard deviations suggest.
//
// Under [OneLabel] a draw says at which scales its label is shown, all on one side of a threshold, so that the scales at which a cell
// is disclosed are an interval: a repetition takes time in proportion to cells and labels, not to scales.
func (t *Table) Simulate(s Simulation) ([]Estimate, error) {
	if err := errors.Join(t.Check(), s.Trials.check(), s.check()); err != nil {
		return nil, err
	}
	g := newGrid(s.Scales)
	results := make([][]Average, s.Repetitions)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), s.Repetitions) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < s.Repetitions; i = int(next.Add(1)) - 1 {
				results[i] = t.repeat(s, g, rand.New(rand.NewPCG(s.Seed, uint64(i))))
			}
		})
	}
	workers.Wait()
	estimates := make([]Estimate, len(s.Scales))
	for place, at := range g.order {
		estimates[at] = summarize(results, place)
	}
	return estimates, nil
}

func (s Simulation) check() error {
	switch {
	case s.Noise != StandardLaplace && s.Noise != StandardGaussian:
		return fmt.Errorf("risk: unknown noise %q", s.Noise)
	case len(s.Scales) == 0:
		return errors.New("risk: no scales to simulate")
	}
	for _, scale := range s.Scales {
		if !(scale >= 1e-9 && scale <= 1e15) {
			return fmt.Errorf("risk: a scale of %v, must be 1e-9 to 1e15", scale)
		}
	}
	return nil
}

// A grid has the scales from the largest to the smallest, as 1/scale: epsilon, of Laplace noise.
type grid struct {
	rates []float64
	// order says which of the given scales each is.
	order []int
}

func newGrid(scales []float64) grid {
	g := grid{order: make([]int, len(scales))}
	for i := range g.order {
		g.order[i] = i
	}
	slices.SortStableFunc(g.order, func(i, j int) int { return cmp.Compare(scales[j], scales[i]) })
	for _, i := range g.order {
		g.rates = append(g.rates, 1/scales[i])
	}
	return g
}

// from is the place of the first rate that is at least x.
func (g grid) from(x float64) int {
	low, high := 0, len(g.rates)
	if x <= g.rates[0] {
		return 0
	}
	for low < high {
		if middle := (low + high) / 2; g.rates[middle] < x {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// repeat is one repetition: the risk at each rate.
func (t *Table) repeat(s Simulation, g grid, random *rand.Rand) []Average {
	draw := random.NormFloat64
	if s.Noise == StandardLaplace {
		draw = func() float64 { return math.Copysign(random.ExpFloat64(), float64(random.Uint64())-0x1p63) }
	}
	e := make([]float64, t.Labels)
	// sums[place] is first that of changes from place-1 to place.
	sums := make([]Average, len(g.rates)+1)
	a := attacked{simulation: s, grid: g, sums: sums, shown: make([]int64, t.Labels), worth: make([]float64, t.Labels)}
	var cells, records float64
	for _, p := range t.Patterns {
		n := p.Records()
		cells += float64(p.Cells)
		records += float64(p.Cells) * float64(n)
		for range p.Cells {
			for k := range e {
				e[k] = draw()
			}
			if s.Attack == OneLabel {
				a.interval(p.Counts, n, e)
			} else {
				a.eachRate(p.Counts, n, e)
			}
		}
	}
	var sum Average
	for place, change := range sums {
		sum.Unweighted += change.Unweighted
		sum.Weighted += change.Weighted
		sums[place] = Average{Unweighted: sum.Unweighted / cells, Weighted: sum.Weighted / records}
	}
	return sums[:len(g.rates)]
}

// attacked collects the cells of a repetition.
type attacked struct {
	simulation Simulation
	grid       grid
	sums       []Average
	shown      []int64
	worth      []float64
}

// add adds a cell of n records whose risk is value from one place to before another.
func (a *attacked) add(from, to int, value, n float64) {
	if from >= to {
		return
	}
	a.sums[from].Unweighted += value
	a.sums[from].Weighted += value * n
	a.sums[to].Unweighted -= value
	a.sums[to].Weighted -= value * n
}

// interval attacks a cell with noise e[k]/rate. A count n_k >= 1 is shown if n_k + e/rate >= 1/2: from a rate of -e/(n_k-1/2) on. A
// count of 0 is shown if e/rate >= 1/2: up to a rate of 2e. So exactly one label is shown, and it is the cell's, from the first rate of
// the former that is above all of the latter, and before the second of the former.
func (a *attacked) interval(counts []int64, n int64, e []float64) {
	first, second := math.Inf(1), math.Inf(1)
	var label int
	for k, count := range counts {
		rate := -e[k] / (float64(count) - 0.5)
		if rate < first {
			first, second, label = rate, first, k
		} else if rate < second {
			second = rate
		}
	}
	for _, x := range e[len(counts):] {
		first = max(first, math.Nextafter(2*x, math.Inf(1)))
	}
	a.add(a.grid.from(first), a.grid.from(second), a.simulation.Version.share(counts[label], n), float64(n))
}

// eachRate attacks a cell at one rate after the other.
func (a *attacked) eachRate(counts []int64, n int64, e []float64) {
	for k := range a.worth {
		a.worth[k] = 0
		if k < len(counts) {
			a.worth[k] = a.simulation.Version.share(counts[k], n)
		}
	}
	for place, rate := range a.grid.rates {
		for k := range e {
			x := e[k] / rate
			if k < len(counts) {
				x += float64(counts[k])
			}
			a.shown[k] = int64(max(0, math.Floor(x+0.5)))
		}
		if value := a.simulation.Attack.conclude(a.shown, a.worth); value > 0 {
			a.add(place, place+1, value, float64(n))
		}
	}
}

// summarize takes the mean and the standard deviation of a place, in the order of repetitions.
func summarize(results [][]Average, place int) Estimate {
	var e Estimate
	number := float64(len(results))
	for _, r := range results {
		e.Mean.Unweighted += r[place].Unweighted / number
		e.Mean.Weighted += r[place].Weighted / number
	}
	for _, r := range results {
		u, w := r[place].Unweighted-e.Mean.Unweighted, r[place].Weighted-e.Mean.Weighted
		e.Deviation.Unweighted += u * u / (number - 1)
		e.Deviation.Weighted += w * w / (number - 1)
	}
	e.Deviation.Unweighted = math.Sqrt(e.Deviation.Unweighted)
	e.Deviation.Weighted = math.Sqrt(e.Deviation.Weighted)
	return e
}
