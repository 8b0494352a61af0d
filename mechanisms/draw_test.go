package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// This file compares what Sanitize releases with probabilities that are written out again, from the densities.

const draws = 60_000

// exactly is the distribution of noise that is rounded from a density, or proportional to one.
func (f noiseFamily) exactly(scale float64) (pmf, int64) {
	p := f.direct(scale)
	return func(z int64) float64 { return p[max(z, -z)] }, int64(len(p) - 1)
}

// noiseOf releases the noise of a mechanism.
func noiseOf(t testing.TB, m *Mechanism) []int64 {
	t.Helper()
	cells, err := m.Sanitize(Histogram{Counts: make([]int64, draws)})
	if err != nil {
		t.Fatal(err)
	}
	return cells.Counts
}

func TestSanitizeFollowsTheDistribution(t *testing.T) {
	families := noiseFamilies()
	seed := byte(0)
	fit := func(f noiseFamily, scale float64, c Config) {
		if seed++; testing.Short() && seed%3 != 0 {
			return
		}
		c.Random, c.KeepNegative = battery.Seeded(seed), true
		m := newMechanism(t, c)
		t.Run(fmt.Sprintf("%s/%v/%s/%d", c.Kind, c.Epsilon, c.Adjacency, m.config.Sensitivity), func(t *testing.T) {
			p, reach := f.exactly(scale)
			requireFit(t, p, reach, noiseOf(t, m))
		})
	}
	for _, adjacency := range []policy.Adjacency{policy.AddRemove, policy.ReplaceOne} {
		distance := map[policy.Adjacency]float64{policy.AddRemove: 1, policy.ReplaceOne: 2}[adjacency]
		for _, e := range []float64{0.01, 0.1, 0.123456789, 0.5, 0.693147181, 1, 2.5, 5} {
			c := Config{Kind: policy.Geometric, Epsilon: epsilonOf(e), Adjacency: adjacency}
			fit(families[0], distance/e, c)
			c.Kind = policy.Laplace
			fit(families[1], distance/e, c)
		}
		for _, s := range []int64{2, 7, 500} {
			c := Config{Kind: policy.Geometric, Epsilon: 5e8, Adjacency: adjacency, Sensitivity: s, PerCell: s}
			fit(families[0], distance*float64(s)/0.5, c)
			c.Kind = policy.Laplace
			fit(families[1], distance*float64(s)/0.5, c)
		}
		// The sigma of the classic calibration is written out again; that of the others is tested as such.
		for _, e := range []float64{0.02, 0.3, 0.9} {
			c := Config{Kind: policy.Gaussian, Epsilon: epsilonOf(e), Delta: 1e13, Adjacency: adjacency, Calibration: policy.ClassicCalibration}
			fit(families[3], math.Sqrt(distance*2*math.Log(1.25/1e-5))/e, c)
		}
		for _, e := range []float64{0.03, 0.5, 2, 8, 15} {
			c := Config{Kind: policy.Gaussian, Epsilon: epsilonOf(e), Delta: 1e13, Adjacency: adjacency}
			fit(families[3], newMechanism(t, c).method.(additive).noise.(*gaussian).sigma, c)
			c.Kind = policy.DiscreteGaussian
			fit(families[2], newMechanism(t, c).method.(additive).noise.(*gaussian).sigma, c)
		}
	}
}

// The chi-squared test must see what it is there to see: a scale that is off by a tenth, continuous noise rounded to one side, and
// noise for the other adjacency. (With a scale of 100, half a unit needs more draws than these.)
func TestChiSquaredRejects(t *testing.T) {
	for i, f := range noiseFamilies() {
		for j, scale := range []float64{0.5, 1, 3, 10, 100} {
			if testing.Short() && (i+j)%2 != 0 {
				continue
			}
			z := f.make(t, scale)
			p, reach := f.exactly(scaleOf(z))
			off := f.make(t, scale*1.1)
			wrong := map[string]func(*sampling.Bits) int64{
				"scale off by a tenth": off.draw,
				"half the variance":    f.make(t, scale/math.Sqrt2).draw,
			}
			if scale <= 10 {
				wrong["rounded down"] = func(b *sampling.Bits) int64 { return int64(math.Floor(naive(b, z))) }
				wrong["zero counted twice"] = func(b *sampling.Bits) int64 {
					y := z.draw(b)
					if y == 0 { // with probability 1/2 another draw: as if -0 were one of the negative values
						if b.Start(); b.Take(1) == 0 {
							return z.draw(b)
						}
					}
					return y
				}
			}
			for name, sample := range wrong {
				b := sampling.NewBits(battery.Seeded(9))
				values := make([]int64, draws)
				for i := range values {
					b.Start()
					values[i] = sample(b)
				}
				statistic, freedom := battery.ChiSquared(p.distribution(reach), values)
				if limit := battery.Limit(freedom); b.Err() != nil || statistic <= limit {
					t.Errorf("%s of scale %v, %s: chi-squared is %.1f, within the limit %.1f (error %v)", f.name, scale, name, statistic, limit, b.Err())
				}
			}
		}
	}
}

// naive is the textbook sampler in floating point: not private in its low bits (Mironov 2012), and the speed to compare with.
func naive(b *sampling.Bits, z noise) float64 {
	u := (float64(b.Take(53)) + 0.5) / (1 << 53)
	if g, ok := z.(*gaussian); ok {
		v := float64(b.Take(53)) / (1 << 53)
		return g.sigma * math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
	}
	if u < 0.5 {
		return scaleOf(z) * math.Log(2*u)
	}
	return -scaleOf(z) * math.Log(2*(1-u))
}

// The noise of each cell is its own.
func TestCellsAreIndependent(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian} {
		m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, Delta: 1e12, KeepNegative: true, Random: battery.Seeded(33)})
		noise := noiseOf(t, m)
		var both, one float64
		for i := 0; i < len(noise); i += 2 {
			if noise[i] > 0 {
				one++
				if noise[i+1] > 0 {
					both++
				}
			}
		}
		p := tail(m.method.(additive).noise, 1)
		pairs := draws / 2
		if got := both / float64(pairs); math.Abs(got-p*p) > battery.Hoeffding(pairs) {
			t.Errorf("%s: both of two cells are positive with frequency %v, want %v", kind, got, p*p)
		}
	}
}
