package risk

import (
	"fmt"
	"math"
	"testing"

	"tacit/mechanisms"
	"tacit/policy"
)

// enumeratedAttack goes through all draws of noise that can be told from nothing.
func enumeratedAttack(law mechanisms.Law, v Version, a Attack, counts []int64) float64 {
	reach, n := int64(0), int64(0)
	for law.AtLeast(reach+1) > 1e-15 {
		reach++
	}
	for _, count := range counts {
		n += count
	}
	worth, shown := make([]float64, len(counts)), make([]int64, len(counts))
	for k, count := range counts {
		if count > 0 {
			worth[k] = v.share(count, n)
		}
	}
	sum := 0.0
	var draw func(k int, probability float64)
	draw = func(k int, probability float64) {
		if k == len(counts) {
			sum += probability * a.conclude(shown, worth)
			return
		}
		for z := -reach; z <= reach; z++ {
			shown[k] = max(0, counts[k]+z)
			draw(k+1, probability*law.Probability(z))
		}
	}
	draw(0, 1)
	return sum
}

func TestThresholdIsEnumerated(t *testing.T) {
	for i, epsilon := range []float64{1.1, 4} {
		for j, l := range lawsOf(t, epsilon) {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			for _, counts := range [][]int64{{3, 0}, {2, 2}, {5, 1}, {1, 0}, {1, 1, 1}, {3, 2, 0}, {2, 0, 0}} {
				occur := len(counts)
				for occur > 0 && counts[occur-1] == 0 {
					occur--
				}
				table := &Table{Labels: len(counts), Patterns: []Pattern{{Counts: counts[:occur], Cells: 3}}}
				for _, v := range Versions {
					for _, a := range Attacks {
						got, err := table.Threshold(l.law, v, a)
						if err != nil {
							t.Fatal(err)
						}
						if want := enumeratedAttack(l.law, v, a, counts); math.Abs(got.Weighted-want) > 1e-12 {
							t.Errorf("%s, %s, %s of %v: %.15g, enumerated %.15g", l.name, v, a, counts, got.Weighted, want)
						}
					}
				}
			}
		}
	}
}

// What is concluded from some counts.
func TestConclude(t *testing.T) {
	worth := []float64{0.6, 0.4, 0}
	for _, c := range []struct {
		shown           []int64
		one, hard, soft float64
	}{
		{[]int64{0, 0, 0}, 0, 0, 0},
		{[]int64{7, 0, 0}, 0.6, 0.6, 0.6},
		{[]int64{0, 0, 2}, 0, 0, 0},
		{[]int64{7, 1, 0}, 0, 0.6, 4.6 / 8},
		{[]int64{2, 2, 1}, 0, 0.5, 0.4},
		{[]int64{1, 1, 1}, 0, 1. / 3, 1. / 3},
	} {
		for a, want := range map[Attack]float64{OneLabel: c.one, HardThreshold: c.hard, SoftThreshold: c.soft} {
			if got := a.conclude(c.shown, worth); math.Abs(got-want) > 1e-15 {
				t.Errorf("%s of %v: %v, want %v", a, c.shown, got, want)
			}
		}
	}
}

// Without noise, hard thresholds are right about the largest label, and soft ones believe in shares. As noise grows, a homogeneous cell
// of K labels is guessed right if at least one label is shown, in one of K cases: (1 - 2^-K)/K, which for two labels is 3/8, above the
// 1/4 of homogeneity alone.
func TestThresholdLimits(t *testing.T) {
	table := &Table{Labels: 3, Patterns: []Pattern{{Counts: []int64{5, 3, 2}, Cells: 1}}}
	for a, want := range map[Attack]float64{OneLabel: 0, HardThreshold: 0.5, SoftThreshold: 0.38} {
		got, err := table.Threshold(lawOf(t, StandardLaplace, 0.01), Records, a)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Weighted-want) > 1e-9 {
			t.Errorf("without noise, %s: %v, want %v", a, got.Weighted, want)
		}
	}
	most := 12
	if testing.Short() {
		most = 7
	}
	for labels := 2; labels <= most; labels += 5 {
		table := &Table{Labels: labels, Patterns: []Pattern{{Counts: []int64{4}, Cells: 1}}}
		for _, a := range []Attack{HardThreshold, SoftThreshold} {
			got, err := table.Threshold(lawOf(t, StandardGaussian, 30_000), Records, a)
			if err != nil {
				t.Fatal(err)
			}
			if want := (1 - math.Ldexp(1, -labels)) / float64(labels); math.Abs(got.Weighted-want) > 1e-3 {
				t.Errorf("noise alone, %s of %d labels: %v, want about %v", a, labels, got.Weighted, want)
			}
		}
	}
}

// More than the homogeneity attack knows is never less, and of large counts in wide noise the integral of the soft threshold agrees
// with another one: of two labels, E[X/(X+Y)] is summed up over both.
func TestThresholdOfLargeCells(t *testing.T) {
	law := lawOf(t, StandardLaplace, 40)
	const reach = 1500 // beyond 37 scales
	for _, counts := range [][]int64{{700}, {300, 250}} {
		table := &Table{Labels: 2, Patterns: []Pattern{{Counts: counts, Cells: 1}}}
		hard, soft := 0.0, 0.0
		p := make([]float64, 2*reach+1)
		for z := range p {
			p[z] = law.Probability(int64(z - reach))
		}
		both := append([]int64{}, counts...)
		both = append(both, 0)[:2]
		worth := make([]float64, 2)
		for k, count := range counts {
			worth[k] = Records.share(count, counts[0]+both[1])
		}
		for x := range p {
			for y := range p {
				shown := []int64{max(0, both[0]+int64(x-reach)), max(0, both[1]+int64(y-reach))}
				hard += p[x] * p[y] * HardThreshold.conclude(shown, worth)
				soft += p[x] * p[y] * SoftThreshold.conclude(shown, worth)
			}
		}
		for a, want := range map[Attack]float64{HardThreshold: hard, SoftThreshold: soft} {
			got, err := table.Threshold(law, Records, a)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Weighted-want) > 1e-11 {
				t.Errorf("%s of %v: %.15g, want %.15g", a, counts, got.Weighted, want)
			}
			if one, _ := table.Threshold(law, Records, OneLabel); one.Weighted > got.Weighted {
				t.Errorf("%s of %v: %v is below homogeneity alone, %v", a, counts, got.Weighted, one.Weighted)
			}
		}
	}
}

func TestThresholdRefuses(t *testing.T) {
	if _, err := mixedTable().Threshold(lawOf(t, StandardLaplace, 1e9), Event, HardThreshold); err == nil {
		t.Error("noise of 10^9 is tabulated")
	}
	if _, err := mixedTable().Threshold(lawOf(t, StandardLaplace, 1), Event, ""); err == nil {
		t.Error("no attack is accepted")
	}
}

// Simulations beside: 48 comparisons of curves, and 16 of the mechanisms themselves, that fail wrongly with a probability of 1.3e-7
// together.
func TestSimulationOfThresholds(t *testing.T) {
	table := mixedTable()
	const repetitions = 300
	check := func(what string, law mechanisms.Law, trials Trials, got Estimate) {
		want, err := table.Threshold(law, trials.Version, trials.Attack)
		if err != nil {
			t.Fatal(err)
		}
		bound, _ := distance(table, func(p Pattern) float64 {
			one := &Table{Labels: table.Labels, Patterns: []Pattern{{Counts: p.Counts, Cells: 1}}}
			risk, err := one.Threshold(law, trials.Version, trials.Attack)
			if err != nil {
				t.Fatal(err)
			}
			return risk.Weighted
		}, repetitions)
		within(t, fmt.Sprintf("%s, %s, %s", what, trials.Version, trials.Attack), got, want, bound)
	}
	for _, v := range Versions {
		for _, a := range []Attack{HardThreshold, SoftThreshold} {
			trials := Trials{v, a, repetitions}
			for _, noise := range []StandardNoise{StandardLaplace, StandardGaussian} {
				scales := []float64{0.3, 2, 50}
				got, err := table.Simulate(Simulation{Noise: noise, Scales: scales, Trials: trials, Seed: 11})
				if err != nil {
					t.Fatal(err)
				}
				for i, scale := range scales {
					check(fmt.Sprintf("%s %v", noise, scale), lawOf(t, noise, scale), trials, got[i])
				}
			}
			for _, kind := range []policy.Kind{policy.Laplace, policy.DiscreteGaussian} {
				m := mechanismOf(t, kind, 6e8)
				law, _ := m.Law()
				got, err := table.SimulateMechanism(m, trials)
				if err != nil {
					t.Fatal(err)
				}
				check(string(kind), law, trials, got)
			}
		}
	}
}
