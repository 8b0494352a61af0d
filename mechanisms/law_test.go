package mechanisms

import (
	"fmt"
	"math"
	"testing"

	"tacit/policy"
)

// lawsOf are laws of all families with a scale.
func lawsOf(t testing.TB, scale float64) map[string]Law {
	t.Helper()
	laws := make(map[string]Law)
	for name, make := range map[string]func(float64) (Law, error){
		"Laplace": LaplaceLaw, "Gaussian": GaussianLaw, "discrete Gaussian": DiscreteGaussianLaw,
		"geometric": func(s float64) (Law, error) { return GeometricLaw(math.Exp(-1 / s)) },
	} {
		law, err := make(scale)
		if err != nil {
			t.Fatal(err)
		}
		laws[name] = law
	}
	return laws
}

// The laws of any scale are those of the noise that mechanisms draw, which tests of noise compare with integrals.
func TestLawsAreThoseOfMechanisms(t *testing.T) {
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression} {
		m := newMechanism(t, Config{Kind: kind, Epsilon: 5e8, Delta: 1e12, K: 3})
		own, ok := m.Law()
		if !ok {
			t.Fatalf("%s has no law", kind)
		}
		var other Law
		var err error
		switch kind {
		case policy.Geometric, policy.DPSuppression:
			other, err = GeometricLaw(math.Exp(-0.5))
		case policy.Laplace:
			other, err = LaplaceLaw(2)
		case policy.Gaussian:
			other, err = GaussianLaw(m.method.(additive).noise.(*gaussian).sigma)
		case policy.DiscreteGaussian:
			other, err = DiscreteGaussianLaw(m.method.(additive).noise.(*gaussian).sigma)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !near(own.Variance(), other.Variance(), 1e-12) {
			t.Errorf("%s: variance %v, want %v", kind, other.Variance(), own.Variance())
		}
		for z := int64(-30); z <= 30; z++ {
			if !near(own.Probability(z), other.Probability(z), 1e-12) || !near(own.AtLeast(z), other.AtLeast(z), 1e-12) {
				t.Errorf("%s: at %d %v and %v, want %v and %v", kind, z,
					other.Probability(z), other.AtLeast(z), own.Probability(z), own.AtLeast(z))
			}
		}
	}
	for _, kind := range []policy.Kind{policy.Suppression, policy.DPSuppressionEq2, policy.DPSuppressionAlg2, policy.DPSwapping} {
		if _, ok := newMechanism(t, kindConfig(kind)).Law(); ok {
			t.Errorf("%s has a law", kind)
		}
	}
}

func TestLawsAddUp(t *testing.T) {
	for _, scale := range []float64{0.01, 0.3, 1, 7, 40} {
		for name, law := range lawsOf(t, scale) {
			reach := int64(30*scale) + 5
			above, square := law.AtLeast(reach+1), 0.0 // the square's share from there on is below 1e-9
			for z := reach; z >= -reach; z-- {
				above += law.Probability(z)
				square += float64(z) * float64(z) * law.Probability(z)
				if !near(law.AtLeast(z), above, 1e-9) {
					t.Errorf("%s %v: P(Z >= %d) is %v, summed up %v", name, scale, z, law.AtLeast(z), above)
				}
			}
			if !near(law.Variance(), square, 1e-9) {
				t.Errorf("%s %v: variance %v, summed up %v", name, scale, law.Variance(), square)
			}
			if law.AtLeast(math.MinInt64) != 1 || law.AtLeast(math.MaxInt64) != 0 {
				t.Errorf("%s %v: tails at the ends are %v and %v", name, scale, law.AtLeast(math.MinInt64), law.AtLeast(math.MaxInt64))
			}
		}
	}
}

func TestLawsRefuse(t *testing.T) {
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 1.1e15, 0.9e-9} {
		for i, make := range []func(float64) (Law, error){LaplaceLaw, GaussianLaw, DiscreteGaussianLaw} {
			if _, err := make(bad); err == nil {
				t.Errorf("law %d of scale %v", i, bad)
			}
		}
	}
	for _, good := range []float64{1e-9, 1e15} {
		for i, make := range []func(float64) (Law, error){LaplaceLaw, GaussianLaw, DiscreteGaussianLaw} {
			law, err := make(good)
			if err != nil {
				t.Errorf("law %d of scale %v: %v", i, good, err)
				continue
			}
			if p := law.AtLeast(1); good < 1 && p != 0 || good > 1 && !near(p, 0.5, 1e-12) {
				t.Errorf("law %d of scale %v: P(Z >= 1) is %v", i, good, p)
			}
		}
	}
	for _, bad := range []float64{0, -0.5, 1, 1.5, math.NaN()} {
		if _, err := GeometricLaw(bad); err == nil {
			t.Errorf("geometric of alpha %v", bad)
		}
	}
}

// checkSurvival compares with the distribution of what is shown.
func checkSurvival(t *testing.T, what string, s Survival, n int64, mass map[shown]float64) {
	t.Helper()
	var survives, vanishes float64
	for o, p := range mass {
		if o.suppressed || o.count < 1 {
			vanishes += p
		} else {
			survives += p
		}
	}
	if got := s.Survives(n); math.Abs(got-survives) > 1e-12 {
		t.Errorf("%s, n %d: survives with %v, enumerated %v", what, n, got, survives)
	}
	if got := s.Vanishes(n); math.Abs(got-vanishes) > 1e-12 {
		t.Errorf("%s, n %d: vanishes with %v, enumerated %v", what, n, got, vanishes)
	}
}

// asRead is the mechanism without its fill value, if that is below k and so known for one.
func asRead(t *testing.T, m *Mechanism) *Mechanism {
	c := m.config
	if f := c.Fill; f.Kind == policy.FillHalf || f.Kind == policy.FillValue && f.Value < c.K {
		c.Fill = policy.Fill{}
		return newMechanism(t, c)
	}
	return m
}

// Against the enumerated distribution of every shown cell, for all kinds of noise, thresholds and fill values. It fails if a fill value below
// k passes for a count, by which any cell would be shown with certainty, or if one from k on does not.
func TestSurvival(t *testing.T) {
	fills := []policy.Fill{
		{}, {Kind: policy.FillHalf}, {Kind: policy.FillValue, Value: 0}, {Kind: policy.FillValue, Value: 1}, {Kind: policy.FillValue, Value: 2}, {Kind: policy.FillValue, Value: 6},
	}
	for _, kind := range []policy.Kind{
		policy.Geometric, policy.Laplace, policy.Gaussian, policy.DiscreteGaussian, policy.DPSuppression,
		policy.Suppression, policy.DPSuppressionEq2,
	} {
		for _, fill := range fills {
			for _, k := range []int64{1, 2, 5} {
				m := newMechanism(t, Config{Kind: kind, Epsilon: 1e9, Delta: 1e15, K: k, Fill: fill})
				s, ok := m.Survival()
				if !ok {
					t.Fatalf("%s has no survival", kind)
				}
				read := asRead(t, m)
				for _, n := range []int64{0, 1, 2, 4, 5, 6, 20} {
					what := fmt.Sprintf("%s k %d fill %v", kind, k, fill)
					switch method := read.method.(type) {
					case additive:
						checkSurvival(t, what, s, n, released(method, n))
					case publishedSuppression:
						if kind == policy.Suppression { // which is certain
							cells, err := read.Sanitize(Histogram{Counts: []int64{n}})
							if err != nil {
								t.Fatal(err)
							}
							o := shown{cells.Counts[0], cells.Suppressed != nil && cells.Suppressed[0]}
							checkSurvival(t, what, s, n, map[shown]float64{o: 1})
							continue
						}
						mass := make(map[shown]float64)
						for o, p := range publishedOutcome(method, []int64{n}) {
							mass[o[0]] += p
						}
						checkSurvival(t, what, s, n, mass)
					}
				}
			}
		}
	}
	for _, kind := range []policy.Kind{policy.DPSuppressionAlg2, policy.DPSwapping} {
		if _, ok := newMechanism(t, kindConfig(kind)).Survival(); ok {
			t.Errorf("%s: cells are not independent of one another", kind)
		}
	}
	margins, err := NewMargins([]int{2, 2}, [][]int{{0}})
	if err != nil {
		t.Fatal(err)
	}
	fitted := newMechanism(t, Config{Kind: policy.Geometric, Epsilon: 1e9, KeepNegative: true, Margins: margins})
	if _, ok := fitted.Survival(); ok {
		t.Error("cells that are fitted to margins are not independent of one another")
	}
	if _, ok := fitted.Law(); ok {
		t.Error("the noise of fitted cells has no law of its own")
	}
}

// Of what is far from certain, neither probability is a difference from 1: both have their digits.
func TestSurvivalDoesNotCancel(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.DPSuppression, Epsilon: 1e9, K: 100})
	s, _ := m.Survival()
	a := math.Exp(-1)
	if want := math.Pow(a, 100) / (1 + a); !near(s.Survives(0), want, 1e-12) {
		t.Errorf("survives with %v, want %v", s.Survives(0), want)
	}
	if want := math.Pow(a, 901) / (1 + a); !near(s.Vanishes(1000), want, 1e-11) {
		t.Errorf("vanishes with %v, want %v", s.Vanishes(1000), want)
	}
	eq2 := newMechanism(t, Config{Kind: policy.DPSuppressionEq2, Epsilon: 2e9, K: 100})
	s, _ = eq2.Survival()
	if want := math.Exp(-99) / 2; !near(s.Survives(1), want, 1e-12) {
		t.Errorf("survives with %v, want %v", s.Survives(1), want)
	}
}

// Laplace and geometric noise vanish exponentially, and no other.
func TestExponentialSurvival(t *testing.T) {
	for name, law := range lawsOf(t, 1.5) {
		s := law.Survival()
		c, q, ok := s.Exponential()
		if want := name == "Laplace" || name == "geometric"; ok != want {
			t.Errorf("%s: %t", name, ok)
		}
		for n := int64(1); ok && n < 50; n++ {
			if want := c * math.Pow(q, float64(n)); !near(s.Vanishes(n), want, 1e-12) {
				t.Errorf("%s, n %d: %v, want %v", name, n, s.Vanishes(n), want)
			}
		}
	}
	for _, kind := range []policy.Kind{policy.Geometric, policy.Laplace} {
		s, _ := newMechanism(t, Config{Kind: kind, Epsilon: 5e8}).Survival()
		if c, q, ok := s.Exponential(); !ok || !near(c*q, s.Vanishes(1), 1e-12) {
			t.Errorf("%s: %v %v %t", kind, c, q, ok)
		}
	}
	withheld, _ := newMechanism(t, Config{Kind: policy.DPSuppression, Epsilon: 1e9, K: 2}).Survival()
	if _, _, ok := withheld.Exponential(); ok {
		t.Error("a threshold of 2 is exponential from 2 on only")
	}
}

// The delta of continuous Laplace noise is the divergence of its densities, integrated numerically, and above that of rounded noise.
func TestContinuousLaplaceDelta(t *testing.T) {
	for _, scale := range []float64{0.4, 1, 5} {
		for _, share := range []float64{0, 0.3, 0.8, 1.1} {
			rate := 1 / scale
			epsilon := share * rate
			// One cell: losses (|z-1| - |z|)/b of the noise z, by the midpoint rule.
			const steps = 400
			delta := func(epsilon float64) float64 {
				return max(0, -math.Expm1(epsilon-rate))/2 + tailOfLosses(rate, epsilon, steps)
			}
			one := delta(epsilon)
			if got := ContinuousLaplaceDelta(scale, epsilon, policy.AddRemove); math.Abs(got-one) > 1e-5 {
				t.Errorf("scale %v, epsilon %v: %v, integrated %v", scale, epsilon, got, one)
			}
			two := delta(epsilon-rate)/2 + delta(epsilon+rate)*math.Exp(-rate)/2
			for i := range steps {
				l := rate * (2*(float64(i)+0.5)/steps - 1)
				two += 2 * rate / steps * math.Exp((l-rate)/2) / 4 * delta(epsilon-l)
			}
			if got := ContinuousLaplaceDelta(scale, epsilon, policy.ReplaceOne); math.Abs(got-two) > 1e-4 {
				t.Errorf("scale %v, epsilon %v, two cells: %v, integrated %v", scale, epsilon, got, two)
			}
		}
	}
	for _, d := range []float64{ContinuousLaplaceDelta(0, 1, policy.AddRemove), ContinuousLaplaceDelta(1, -1, policy.AddRemove), ContinuousLaplaceDelta(1, 1, "x")} {
		if !math.IsNaN(d) {
			t.Errorf("no noise has a delta of %v", d)
		}
	}
}

// tailOfLosses is the part of delta that the losses of one cell between -rate and rate contribute.
func tailOfLosses(rate, epsilon float64, steps int) float64 {
	sum := math.Exp(-rate) / 2 * max(0, -math.Expm1(epsilon+rate))
	for i := range steps {
		l := rate * (2*(float64(i)+0.5)/float64(steps) - 1)
		sum += 2 * rate / float64(steps) * math.Exp((l-rate)/2) / 4 * max(0, -math.Expm1(epsilon-l))
	}
	return sum
}
