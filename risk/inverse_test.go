package risk

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms"
	"tacit/policy"
)

func laplaceAt(epsilon float64) (Survival, error) {
	law, err := mechanisms.LaplaceLaw(1 / epsilon)
	return law.Survival(), err
}

// Of one label, the risk is 1 - e^((1/2-n) epsilon)/2, which is solved for epsilon.
func TestLargestOfHomogeneousCells(t *testing.T) {
	for _, n := range []int64{1, 2, 30} {
		for _, target := range []float64{0.51, 0.6, 0.9, 0.999} {
			cell := func(s Survival) float64 { return Local(s, Event, 1, []int64{n}) }
			got, err := Largest(target, cell, laplaceAt, Range{1e-4, 1e3})
			want := -math.Log(2*(1-target)) / (float64(n) - 0.5)
			if err != nil || got.Answer != Crossed || got.Epsilon > want*(1+1e-12) || got.Epsilon < want*(1-1e-6) {
				t.Errorf("n %d, target %v: %+v, %v, want %v", n, target, got, err, want)
			}
			if !near(got.Risk, target, 1e-5) || got.Risk > target {
				t.Errorf("n %d, target %v: the risk at it is %v", n, target, got.Risk)
			}
			scale, err := SmallestScale(target, cell, func(b float64) (Survival, error) { return laplaceAt(1 / b) }, Range{1e-3, 1e4})
			if err != nil || scale.Answer != Crossed || scale.Epsilon < 1/want*(1-1e-12) || scale.Epsilon > 1/want*(1+2e-6) {
				t.Errorf("n %d, target %v: scale %+v, %v, want %v", n, target, scale, err, 1/want)
			}
		}
	}
}

func TestLargestAnswers(t *testing.T) {
	cell := func(s Survival) float64 { return Local(s, Event, 2, []int64{3}) }
	for _, c := range []struct {
		target float64
		want   Inverse
	}{
		{0.2, Inverse{Answer: Never, Risk: cell(laplace(0.01))}},                           // below the floor of 1/4
		{1, Inverse{Answer: Always, Epsilon: 40, Risk: cell(laplace(40))}},                 // every risk is
		{cell(laplace(40)), Inverse{Answer: Always, Epsilon: 40, Risk: cell(laplace(40))}}, // up to the last one
	} {
		if got, err := Largest(c.target, cell, laplaceAt, Range{0.01, 40}); err != nil || got != c.want {
			t.Errorf("target %v: %+v, %v, want %+v", c.target, got, err, c.want)
		}
	}
	if got, err := Largest(0.9, cell, laplaceAt, Range{1, 1}); err != nil || got.Answer != Always || got.Epsilon != 1 {
		t.Errorf("a range of one epsilon: %+v, %v", got, err)
	}
	if got, err := SmallestScale(0.2, cell, laplaceAt, Range{1, 2}); err != nil || got.Answer != Never || got.Epsilon != 0 {
		t.Errorf("no scale is large enough: %+v, %v", got, err)
	}
}

// A risk that rises and falls again: bisection between the ends would find that all is well at the upper one.
func TestLargestStopsAtTheFirstCrossing(t *testing.T) {
	cell := func(s Survival) float64 { return Local(s, Event, 10, []int64{9, 1}) }
	peak, at := 0.0, 0.0
	for epsilon := 0.01; epsilon < 20; epsilon *= 1.001 {
		if risk := cell(laplace(epsilon)); risk > peak {
			peak, at = risk, epsilon
		}
	}
	if cell(laplace(20)) > peak/2 || cell(laplace(0.01)) > peak/2 {
		t.Fatal("the risk does not rise and fall")
	}
	for _, target := range []float64{peak * 0.6, peak * 0.99, peak * 0.99} {
		got, err := Largest(target, cell, laplaceAt, Range{0.01, 20})
		if err != nil || got.Answer != Crossed || got.Epsilon >= at {
			t.Fatalf("target %v: %+v, %v; the peak of %v is at %v", target, got, err, peak, at)
		}
		if above := cell(laplace(got.Epsilon * (1 + 1e-6))); got.Risk > target || above <= target {
			t.Errorf("target %v: risk %v at %v and %v above it", target, got.Risk, got.Epsilon, above)
		}
	}
	for _, target := range []float64{peak * 1.0001, peak * 1.1} {
		if got, err := Largest(target, cell, laplaceAt, Range{0.01, 20}); err != nil || got.Answer != Always {
			t.Errorf("target %v: %+v, %v; the peak is %v", target, got, err, peak)
		}
	}
}

// The answer for random tables, mechanisms and measures holds at every epsilon below it, and hardly above it.
func TestLargestOfTables(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	tables := 12
	if testing.Short() {
		tables = 6
	}
	for range tables {
		labels := 2 + random.IntN(4)
		var cells [][]int64
		for range 8 {
			counts := make([]int64, labels)
			for k := range counts {
				counts[k] = random.Int64N(4) * random.Int64N(12)
			}
			counts[0]++
			cells = append(cells, counts)
		}
		table := mustTable(t, labels, cells)
		for _, family := range families {
			at := func(epsilon float64) (Survival, error) {
				law, err := family.law(epsilon)
				return law.Survival(), err
			}
			risk := func(s Survival) float64 { return table.Local(s, Event).Weighted }
			switch random.IntN(4) {
			case 0:
				risk = func(s Survival) float64 { return table.Expected(s, Records).Unweighted }
			case 1:
				shrinkage, err := table.Shrinkage(Event, alphaOf(table))
				if err != nil {
					t.Fatal(err)
				}
				risk = func(s Survival) float64 { return shrinkage(s).Weighted }
			}
			checkLargest(t, risk, at, random.Float64())
		}
	}
}

func checkLargest(t *testing.T, risk Measure[float64], at SurvivalAt, share float64) {
	t.Helper()
	riskAt := func(epsilon float64) float64 {
		s, _ := at(epsilon)
		return risk(s)
	}
	within := Range{0.01, 30}
	low, high := math.Inf(1), 0.0
	for epsilon := within.Low; epsilon < within.High; epsilon *= 1.05 {
		low, high = min(low, riskAt(epsilon)), max(high, riskAt(epsilon))
	}
	target := low + share*(high-low)
	evaluations := 0
	got, err := Largest(target, func(s Survival) float64 { evaluations++; return risk(s) }, at, within)
	switch {
	case err != nil:
		t.Fatal(err)
	case evaluations > 1000:
		t.Errorf("%d evaluations", evaluations)
	case got.Answer == Never && riskAt(within.Low) <= target:
		t.Errorf("target %v: %+v, but the risk at the lowest epsilon is %v", target, got, riskAt(within.Low))
	case got.Answer == Crossed && riskAt(got.Epsilon*(1+1e-5)) <= target:
		t.Errorf("target %v: %+v, and the risk above it is %v", target, got, riskAt(got.Epsilon*(1+1e-5)))
	}
	for epsilon := within.Low; epsilon <= got.Epsilon; epsilon *= 1.01 {
		if riskAt(epsilon) > target {
			t.Fatalf("target %v: %+v, but the risk at %v is %v", target, got, epsilon, riskAt(epsilon))
		}
	}
}

func TestLargestRefuses(t *testing.T) {
	cell := func(s Survival) float64 { return Local(s, Event, 2, []int64{3}) }
	for _, target := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := Largest(target, cell, laplaceAt, Range{1, 2}); err == nil {
			t.Errorf("target %v", target)
		}
	}
	for _, within := range []Range{{0, 1}, {-1, 1}, {2, 1}, {1, math.Inf(1)}, {math.NaN(), 1}} {
		if _, err := Largest(0.5, cell, laplaceAt, within); err == nil {
			t.Errorf("range %v", within)
		}
	}
	broken := errors.New("no such noise")
	for _, limit := range []float64{0, 1.5} {
		at := func(epsilon float64) (Survival, error) {
			if epsilon > limit {
				return nil, broken
			}
			return laplaceAt(epsilon)
		}
		if _, err := Largest(0.9, cell, at, Range{1, 2}); !errors.Is(err, broken) {
			t.Errorf("up to %v: %v", limit, err)
		}
		if _, err := Curve(func(s Survival) float64 { return cell(s) }, at, []float64{1, 2}); !errors.Is(err, broken) || !strings.Contains(err.Error(), "epsilon") {
			t.Errorf("up to %v: %v", limit, err)
		}
	}
}

// A risk that is no number is neither acceptable nor not, at the first epsilon or further up.
func TestLargestRefusesNoNumber(t *testing.T) {
	for _, from := range []float64{0, 0.5, 1} {
		risk := func(s Survival) float64 {
			if s.Survives(1) > from {
				return math.NaN()
			}
			return 0.1
		}
		if got, err := Largest(0.5, risk, laplaceAt, Range{0.1, 10}); (err != nil) != (from < 1) {
			t.Errorf("NaN from a survival of %v on: %+v, %v", from, got, err)
		}
	}
}

// Keys above a threshold are shown less often between two of its steps as epsilon rises: the largest epsilon of a walk would not be one. With
// a threshold that does not follow from epsilon it is.
func TestLargestRefusesSteps(t *testing.T) {
	cell := func(s Survival) float64 { return Local(s, Event, 2, []int64{10}) }
	for _, c := range []struct {
		kind policy.Kind
		ok   bool
	}{{policy.Geometric, false}, {policy.DiscreteGaussian, false}, {policy.DPSuppression, false}, {policy.DPSuppressionEq2, true}} {
		at := func(epsilon float64) (Survival, error) {
			config := mechanisms.Config{Kind: c.kind, Epsilon: policy.Epsilon(math.Round(epsilon * 1e9)), Delta: 1e12, Adjacency: policy.AddRemove,
				Sensitivity: 1, PerCell: 1, Random: battery.Seeded(1)}
			if c.kind == policy.DPSuppression || c.kind == policy.DPSuppressionEq2 {
				config.K = 5
			}
			m, err := mechanisms.New(config)
			if err != nil {
				return nil, err
			}
			s, _ := m.SelectionSurvival()
			return s, nil
		}
		got, err := Largest(0.9, cell, at, Range{0.1, 2})
		if (err == nil) != c.ok {
			t.Errorf("%s: %+v, %v", c.kind, got, err)
		}
		if _, err := Curve(cell, at, []float64{0.1, 2}); err != nil {
			t.Errorf("%s: %v", c.kind, err)
		}
	}
}

func TestCurve(t *testing.T) {
	table := mustTable(t, 2, [][]int64{{3, 0}, {2, 1}})
	points, err := Curve(func(s Survival) Average { return table.Local(s, Event) }, laplaceAt, []float64{0.5, 1, 2})
	if err != nil || len(points) != 3 {
		t.Fatal(points, err)
	}
	for i, epsilon := range []float64{0.5, 1, 2} {
		if want := table.Local(laplace(epsilon), Event); points[i] != (Point[Average]{epsilon, want}) {
			t.Errorf("%+v, want %v", points[i], want)
		}
	}
}

// What Largest relies on, of all kinds and calibrations: the probability that a count survives, or vanishes, only grows or only falls with
// epsilon.
func TestSurvivalIsMonotoneInEpsilon(t *testing.T) {
	for _, c := range []struct {
		kind        policy.Kind
		calibration policy.Calibration
		high        float64
	}{
		{policy.Laplace, "", 50}, {policy.Geometric, "", 50}, {policy.DPSuppression, "", 50}, {policy.DPSuppressionEq2, "", 50},
		{policy.Gaussian, policy.AnalyticCalibration, 50}, {policy.Gaussian, policy.PDPCalibration, 50},
		{policy.Gaussian, policy.ClassicCalibration, 0.99}, {policy.DiscreteGaussian, "", 50},
	} {
		at := calibrated(c.kind, c.calibration)
		counts := []int64{0, 1, 2, 4, 5, 7, 30}
		first, err := at(0.02)
		if err != nil {
			t.Fatal(err)
		}
		last, err := at(c.high)
		if err != nil {
			t.Fatal(err)
		}
		before := first
		for epsilon := 0.02; epsilon < c.high; epsilon *= 1.013 {
			now, err := at(epsilon)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range counts {
				way := last.Vanishes(n) - first.Vanishes(n)
				const rounding = 1e-12
				if (now.Vanishes(n)-before.Vanishes(n))*way < -rounding || (now.Survives(n)-before.Survives(n))*way > rounding {
					t.Fatalf("%s %s, n %d: at epsilon %v, vanishes with %v after %v, survives with %v after %v",
						c.kind, c.calibration, n, epsilon, now.Vanishes(n), before.Vanishes(n), now.Survives(n), before.Survives(n))
				}
			}
			before = now
		}
	}
}
