package mechanisms

import (
	"crypto/rand"
	"math"
	"testing"

	"tacit/policy"
)

// The tests of this file enumerate outputs and their exact probabilities for neighbouring histograms, and compare the
// hockey-stick divergence with the loss that is stated. What is claimed must hold, and must be missed by a mechanism one step less careful.

// sanitized lists the probabilities of the results lowest ... highest of one cell of Sanitize; what lies beyond either end is merged into it.
func sanitized(g *Geometric, n, lowest, highest int64) []float64 {
	p := make([]float64, highest-lowest+1)
	const reach = 4000
	for z := int64(-reach); z <= reach; z++ {
		p[max(lowest, min(highest, g.show(n+z)))-lowest] += g.noise.probability(z)
	}
	return p
}

// selected lists the probabilities of the results of Select with threshold tau: absent, then tau ... tau+reach.
func selected(d discreteLaplace, tau, n, reach int64) []float64 {
	if n == 0 {
		return append([]float64{1}, make([]float64, reach+1)...) // a key that is not found is absent
	}
	p := []float64{1 - d.tail(tau-n)}
	for v := tau; v < tau+reach; v++ {
		p = append(p, d.probability(v-n))
	}
	return append(p, d.tail(tau+reach-n))
}

// Theory: with noise for e0 per cell, delta(e) is (1-exp(e-e0))/(1+exp(-e0)) if one cell differs and (1-exp(e-2 e0))/(1+exp(-e0))^2 if two do.
func TestSanitizeHockeyStick(t *testing.T) {
	for _, e := range []float64{0.1, 0.5, 1, 2} {
		one := newGeometric(t, GeometricConfig{Epsilon: policy.Epsilon(e * 1e9), Adjacency: policy.AddRemove, KeepNegative: true, Random: rand.Reader})
		two := newGeometric(t, GeometricConfig{Epsilon: policy.Epsilon(2 * e * 1e9), Adjacency: policy.ReplaceOne, KeepNegative: true, Random: rand.Reader})
		if one.noise != two.noise {
			t.Fatalf("replace-one at epsilon %v has other noise than add-remove at %v", 2*e, e)
		}
		reach := int64(60 / e)
		p, q := sanitized(one, 0, -reach, reach), sanitized(one, 1, -reach, reach)
		pq, qp := product(p, q), product(q, p)
		for _, share := range []float64{0.3, 0.9, 1} {
			x := share * e
			if got, want := hockeyStick(x, p, q), (1-math.Exp(x-e))/(1+math.Exp(-e)); math.Abs(got-want) > 1e-11 {
				t.Errorf("epsilon %v: delta(%v) is %v for one cell, want %v", e, x, got, want)
			}
			want := (1 - math.Exp(2*x-2*e)) / ((1 + math.Exp(-e)) * (1 + math.Exp(-e)))
			if got := hockeyStick(2*x, pq, qp); math.Abs(got-want) > 1e-10 {
				t.Errorf("epsilon %v: delta(%v) is %v for two cells, want %v", e, 2*x, got, want)
			}
		}
		// Noise for epsilon per cell would not do under replace-one.
		if got := hockeyStick(e, pq, qp); got < 0.01 {
			t.Errorf("epsilon %v: two cells pass with the noise of one", e)
		}
	}
}

// Published reference: geometric with alpha = exp(-1) at epsilon 0.3 has delta 0.368025632 for one cell and 0.436812049 for two.
func TestHockeyStickReference(t *testing.T) {
	g := newGeometric(t, GeometricConfig{Epsilon: 1e9, Adjacency: policy.AddRemove, KeepNegative: true, Random: rand.Reader})
	p, q := sanitized(g, 0, -60, 60), sanitized(g, 1, -60, 60)
	if got := hockeyStick(0.3, p, q); math.Abs(got-0.368025632) > 1e-9 {
		t.Errorf("one cell: %.9f", got)
	}
	if got := hockeyStick(0.3, product(p, q), product(q, p)); math.Abs(got-0.436812049) > 1e-9 {
		t.Errorf("two cells: %.9f", got)
	}
}

func TestClampingIsPostProcessing(t *testing.T) {
	for _, e := range []float64{0.1, 1} {
		g := newGeometric(t, GeometricConfig{Epsilon: policy.Epsilon(e * 1e9), Adjacency: policy.AddRemove, Random: rand.Reader})
		for n := int64(0); n < 6; n++ {
			p, q := sanitized(g, n, 0, 400), sanitized(g, n+1, 0, 400)
			if d := max(hockeyStick(e, p, q), hockeyStick(e, q, p)); d > 1e-13 {
				t.Errorf("epsilon %v, %d against %d persons: delta is %v, want 0", e, n, n+1, d)
			}
		}
	}
}

func TestSelectHockeyStickAddRemove(t *testing.T) {
	forEachThreshold(t, policy.AddRemove, func(g *Geometric, e, delta float64) {
		worst := func(tau int64) (w float64) {
			for n := int64(0); n < tau+5; n++ {
				p, q := selected(g.noise, tau, n, 400), selected(g.noise, tau, n+1, 400)
				w = max(w, hockeyStick(e, p, q), hockeyStick(e, q, p))
			}
			return w
		}
		requireTight(t, g, worst, delta)
	})
}

// One person leaves a cell of m persons and joins one of n. The worst case has a key on either side only, and delta q, not 2q.
func TestSelectHockeyStickReplaceOne(t *testing.T) {
	forEachThreshold(t, policy.ReplaceOne, func(g *Geometric, e, delta float64) {
		worst := func(tau int64) (w float64) {
			for _, m := range []int64{1, 2, tau, tau + 3} {
				for _, n := range []int64{0, 1, tau - 1, tau + 2} {
					const reach = 150
					p := product(selected(g.noise, tau, m, reach), selected(g.noise, tau, n, reach))
					q := product(selected(g.noise, tau, m-1, reach), selected(g.noise, tau, n+1, reach))
					w = max(w, hockeyStick(e, p, q), hockeyStick(e, q, p))
				}
			}
			return w
		}
		requireTight(t, g, worst, delta)
	})
}

func forEachThreshold(t *testing.T, adjacency policy.Adjacency, f func(g *Geometric, e, delta float64)) {
	for _, e := range []float64{0.5, 1, 2.5, 5} {
		for _, d := range []float64{1e-9, 1e-6, 0.01, 0.2} {
			g := newGeometric(t, GeometricConfig{
				Epsilon: policy.Epsilon(e * 1e9), Delta: policy.Delta(d * 1e18), Adjacency: adjacency, Random: rand.Reader,
			})
			f(g, e, d)
		}
	}
}

// requireTight wants the stated delta to hold with g's threshold and not with the next lower one; 2 is the lowest of all.
func requireTight(t *testing.T, g *Geometric, worst func(tau int64) float64, delta float64) {
	t.Helper()
	c := g.config
	if got := worst(g.threshold); got > delta*(1+1e-6)+1e-14 {
		t.Errorf("epsilon %v, delta %v, %s: exact delta is %v", c.Epsilon, c.Delta, c.Adjacency, got)
	}
	if g.threshold == 2 {
		return
	}
	if got := worst(g.threshold - 1); got <= delta {
		t.Errorf("epsilon %v, delta %v, %s: a threshold one lower has exact delta %v and would do", c.Epsilon, c.Delta, c.Adjacency, got)
	}
}
