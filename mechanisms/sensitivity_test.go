package mechanisms

import (
	"crypto/rand"
	"math"
	"testing"

	"tacit/policy"
)

// The tests of this file are about persons who are in several cells, or several times in one.

// Reference values were computed with 60 digits in mpmath from P(Z >= k) = a^k/(1+a) with a = exp(-epsilon/s), or exp(-epsilon/(2s)), by stepping
// k; the threshold's bound is delta/s.
func TestThresholdAndHalfWidthBySensitivity(t *testing.T) {
	type result struct{ halfWidth, threshold int64 }
	for _, c := range []struct {
		epsilon, delta        string
		sensitivity           int64
		addRemove, replaceOne result
	}{
		{"0.5", "1e-6", 1, result{6, 28}, result{12, 54}},
		{"0.5", "1e-6", 2, result{12, 57}, result{24, 113}},
		{"0.5", "1e-6", 4, result{24, 118}, result{48, 234}},
		{"1", "1e-9", 3, result{9, 65}, result{18, 129}},
		{"2", "0.01", 10, result{15, 33}, result{30, 64}},
		{"0.000000001", "1e-18", 500, result{1497866136777, 23483996295880}, result{2995732273554, 46967992591757}},
		{"100", "1e-18", 500, result{15, 237}, result{30, 472}},
	} {
		for adjacency, want := range map[policy.Adjacency]result{policy.AddRemove: c.addRemove, policy.ReplaceOne: c.replaceOne} {
			g := newGeometric(t, GeometricConfig{
				Epsilon: epsilon(t, c.epsilon), Delta: delta(t, c.delta), Adjacency: adjacency, Sensitivity: c.sensitivity, Random: rand.Reader,
			})
			if got := (result{g.HalfWidth95(), g.Threshold()}); got != want {
				t.Errorf("epsilon %s, delta %s, sensitivity %d, %s: %+v, want %+v", c.epsilon, c.delta, c.sensitivity, adjacency, got, want)
			}
		}
	}
}

// cell is one cell before and after.
type cell struct{ before, after int64 }

// joint lists the probabilities of all results of some cells, before and after.
func joint(cells []cell, results func(n int64) []float64) (p, q []float64) {
	p, q = []float64{1}, []float64{1}
	for _, c := range cells {
		p, q = product(p, results(c.before)), product(q, results(c.after))
	}
	return p, q
}

// spreads are ways in which one person more can change counts by s in all: in one cell, in s cells, or between the two.
func spreads(s int64) [][]cell {
	all := [][]cell{{{7, 7 + s}}, make([]cell, s)}
	for i := range all[1] {
		all[1][i] = cell{int64(i), int64(i) + 1}
	}
	if s > 2 {
		all = append(all, []cell{{3, 5}, {1, s - 1}})
	}
	return all
}

// However a person's rows are spread, all cells together cost epsilon; and noise for one row less would not do.
func TestSanitizeHockeyStickBySensitivity(t *testing.T) {
	for _, s := range []int64{1, 2, 3} {
		for _, e := range []float64{1, 2.5} {
			config := GeometricConfig{Epsilon: policy.Epsilon(e * 1e9), Adjacency: policy.AddRemove, Sensitivity: s, KeepNegative: true, Random: rand.Reader}
			g := newGeometric(t, config)
			both := config
			both.Epsilon, both.Adjacency = 2*config.Epsilon, policy.ReplaceOne
			if two := newGeometric(t, both); two.noise != g.noise {
				t.Errorf("sensitivity %d: replace-one at epsilon %v has other noise than add-remove at %v", s, 2*e, e)
			}
			reach := int64(20*float64(s)/e) + 10
			results := func(g *Geometric) func(int64) []float64 {
				return func(n int64) []float64 { return sanitized(g, n, -reach, reach) }
			}
			for _, cells := range spreads(s) {
				p, q := joint(cells, results(g))
				if d := max(hockeyStick(e, p, q), hockeyStick(e, q, p)); d > 1e-7 {
					t.Errorf("sensitivity %d, epsilon %v, %v: delta is %v, want 0", s, e, cells, d)
				}
				if hockeyStick(0.9*e, p, q) < 1e-4 {
					t.Errorf("sensitivity %d, epsilon %v, %v: the noise is for less than epsilon", s, e, cells)
				}
				if s == 1 {
					continue
				}
				less := config
				less.Sensitivity = s - 1
				p, q = joint(cells, results(newGeometric(t, less)))
				if hockeyStick(e, p, q) < 1e-3 {
					t.Errorf("sensitivity %d, epsilon %v, %v: the noise of %d would do", s, e, cells, s-1)
				}
			}
		}
	}
}

// memberships are multisets of one person's keys: each is new with her, or was the key of some others already.
func memberships(keys int, others []int64) [][]int64 {
	if keys == 0 {
		return [][]int64{nil}
	}
	var all [][]int64
	for i, n := range others {
		for _, rest := range memberships(keys-1, others[i:]) {
			all = append(all, append([]int64{n}, rest...))
		}
	}
	return all
}

// One person more, in up to s keys: the worst case is s keys of her own.
func TestSelectHockeyStickOfSeveralKeys(t *testing.T) {
	for _, s := range []int64{2, 3} {
		reach := map[int64]int64{2: 150, 3: 40}[s]
		forEachKeyBound(t, policy.AddRemove, s, func(g *Geometric, e, delta float64) {
			worst := func(tau int64) (w float64) {
				for _, others := range memberships(int(s), []int64{0, 1, tau - 1, tau}) {
					var cells []cell
					for _, n := range others {
						cells = append(cells, cell{n, n + 1})
					}
					p, q := joint(cells, func(n int64) []float64 { return selected(g.noise, tau, n, reach) })
					w = max(w, hockeyStick(e, p, q), hockeyStick(e, q, p))
				}
				return w
			}
			requireTight(t, g, worst, delta)
		})
	}
}

// One person leaves two keys and another joins two. The worst case is two keys on either side only, with the delta of two, not four.
func TestSelectHockeyStickOfSeveralKeysReplaceOne(t *testing.T) {
	const s, reach = 2, 16
	forEachKeyBound(t, policy.ReplaceOne, s, func(g *Geometric, e, delta float64) {
		worst := func(tau int64) (w float64) {
			for _, left := range memberships(s, []int64{0, 1, tau}) {
				for _, joined := range memberships(s, []int64{0, 1, tau - 1}) {
					var cells []cell
					for i := range s {
						cells = append(cells, cell{left[i] + 1, left[i]}, cell{joined[i], joined[i] + 1})
					}
					p, q := joint(cells, func(n int64) []float64 { return selected(g.noise, tau, n, reach) })
					w = max(w, hockeyStick(e, p, q), hockeyStick(e, q, p))
				}
			}
			return w
		}
		requireTight(t, g, worst, delta)
	})
}

// forEachKeyBound leaves out large deltas, for which the union bound over a person's keys is not tight.
func forEachKeyBound(t *testing.T, adjacency policy.Adjacency, s int64, f func(g *Geometric, e, delta float64)) {
	for _, e := range []float64{1, 2.5} {
		for _, d := range []float64{1e-6, 0.01} {
			g := newGeometric(t, GeometricConfig{
				Epsilon: policy.Epsilon(e * 1e9), Delta: policy.Delta(d * 1e18), Adjacency: adjacency, Sensitivity: s, Random: rand.Reader,
			})
			f(g, e, d)
		}
	}
}

// The delta of a person who brings s keys of her own is 1-(1-q)^s exactly, which is nearly s q and not q.
func TestDeltaIsSplitOverKeys(t *testing.T) {
	for _, s := range []int64{1, 2, 5, 20} {
		g := newGeometric(t, GeometricConfig{Epsilon: 1e9, Delta: 1e12, Adjacency: policy.AddRemove, Sensitivity: s, Random: rand.Reader})
		q := g.noise.tail(g.Threshold() - 1)
		exact := 1 - math.Pow(1-q, float64(s))
		if exact > 1e-6 || exact < 1e-6*math.Exp(-1.01/float64(s)) {
			t.Errorf("sensitivity %d: the delta of a person is %v, stated is 1e-6", s, exact)
		}
	}
}

func TestNoiseFollowsTheDistributionBySensitivity(t *testing.T) {
	for i, s := range []int64{2, 7, 500} {
		g := newGeometric(t, GeometricConfig{Epsilon: 5e8, Adjacency: policy.AddRemove, Sensitivity: s, KeepNegative: true, Random: seeded(byte(20 + i))})
		noise, err := g.Sanitize(make([]int64, chiSquaredDraws))
		if err != nil {
			t.Fatal(err)
		}
		// Written out again: a = exp(-0.5/s).
		statistic, freedom := chiSquared(discreteLaplace{s: 1, t: uint64(2 * s)}, noise)
		if limit := chiSquaredLimit(freedom); statistic > limit {
			t.Errorf("sensitivity %d: chi-squared is %.1f with %d degrees of freedom, limit %.1f", s, statistic, freedom, limit)
		}
	}
}
