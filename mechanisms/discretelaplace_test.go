package mechanisms

import (
	"math"
	"math/big"
	"testing"

	"tacit/policy"
)

func epsilon(t testing.TB, s string) policy.Epsilon {
	t.Helper()
	e, err := policy.ParseEpsilon(s)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func delta(t testing.TB, s string) policy.Delta {
	t.Helper()
	d, err := policy.ParseDelta(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// noisyTau is the threshold of the rule with noise of unbounded support, whichever rule the mechanism takes.
func noisyTau(m *Mechanism) int64 {
	return newNoisyThreshold(m.method.(additive).noise, m.config.deltaOfKey()).tau
}

// Reference values were computed with 60 digits in mpmath from P(Z >= k) = a^k/(1+a), by stepping k.
func TestThresholdAndHalfWidth(t *testing.T) {
	type threshold struct {
		delta                 string
		addRemove, replaceOne int64
	}
	for _, c := range []struct {
		epsilon               string
		addRemove, replaceOne int64 // half-widths
		thresholds            []threshold
	}{
		{"0.000000001", 2995732274, 5991464547, []threshold{{"1e-18", 40753384495, 81506768989}, {"0.4", 223143553, 446287105}}},
		{"0.01", 300, 599, []threshold{{"1e-18", 4077, 8153}, {"1e-6", 1314, 2626}, {"0.01", 393, 784}}},
		{"0.1", 30, 60, []threshold{{"1e-18", 410, 817}, {"1e-6", 133, 264}, {"0.01", 41, 80}, {"0.4", 4, 6}}},
		{"0.5", 6, 12, []threshold{{"1e-6", 28, 54}, {"0.01", 10, 18}, {"0.4", 2, 3}}},
		{"0.693147181", 4, 9, []threshold{{"1e-6", 21, 40}, {"0.01", 8, 13}}},
		{"1", 3, 6, []threshold{{"1e-18", 43, 83}, {"1e-6", 15, 28}, {"0.01", 6, 10}, {"0.4", 2, 2}}},
		{"5", 0, 1, []threshold{{"1e-18", 10, 18}, {"0.01", 2, 3}}},
		{"100", 0, 0, []threshold{{"1e-18", 2, 2}, {"0.999999999", 2, 2}}},
		{"9223372036.854775807", 0, 0, []threshold{{"1e-18", 2, 2}}},
	} {
		for _, th := range c.thresholds {
			for adjacency, want := range map[policy.Adjacency][2]int64{
				policy.AddRemove: {c.addRemove, th.addRemove}, policy.ReplaceOne: {c.replaceOne, th.replaceOne},
			} {
				g := newMechanism(t, Config{Kind: policy.Geometric,
					Epsilon: epsilon(t, c.epsilon), Delta: delta(t, th.delta), Adjacency: adjacency,
				})
				if got := [2]int64{g.HalfWidth95(), noisyTau(g)}; got != want {
					t.Errorf("epsilon %s, delta %s, %s: half-width and threshold %v, want %v", c.epsilon, th.delta, adjacency, got, want)
				}
			}
		}
	}
}

// A bound that is a tail probability rounded to an amount of delta, down or up, moves the threshold by one: the comparison is sharp to the last digit.
func TestThresholdIsSharp(t *testing.T) {
	d := newDiscreteLaplace(1e9, 1)
	// P(Z >= 5) = exp(-5)/(1+exp(-1)) = 0.004925833956035728..., in mpmath.
	const tail = 4925833956035728
	if k := d.tailBelow(big.NewRat(tail, 1e18)); k != 6 {
		t.Errorf("just below P(Z >= 5): k = %d, want 6", k)
	}
	if k := d.tailBelow(big.NewRat(tail+1, 1e18)); k != 5 {
		t.Errorf("just above P(Z >= 5): k = %d, want 5", k)
	}
}

func TestExpLowerIsALowerBound(t *testing.T) {
	for _, d := range []discreteLaplace{{1, 1}, {1, 2}, {123456789, 2e9}, {7, 3}} {
		for _, k := range []int64{0, 1, 2, 3, 10, 100} {
			got, _ := d.expLower(k).Float64()
			want := math.Exp(float64(k) * float64(d.s) / float64(d.t))
			if math.Abs(got-want) > 1e-13*want {
				t.Errorf("exp(%d * %d/%d) = %v, want %v", k, d.s, d.t, got, want)
			}
		}
	}
	// exp(1), truncated after 50 digits.
	e, _, err := big.ParseFloat("2.71828182845904523536028747135266249775724709369995", 10, 192, big.ToNegativeInf)
	if err != nil {
		t.Fatal(err)
	}
	got := discreteLaplace{1, 1}.expLower(1)
	if gap, _ := new(big.Float).Sub(got, e).Float64(); gap < -1e-50 || gap > 1e-50 {
		t.Errorf("exp(1) is off by %g", gap)
	}
	if next, _, _ := big.ParseFloat("2.71828182845904523536028747135266249775724709369996", 10, 192, big.ToPositiveInf); got.Cmp(next) > 0 {
		t.Error("expLower(1) is more than e")
	}
}

// Whatever is guessed, the first number for which something holds is found, or maxTail.
func TestSearchNear(t *testing.T) {
	for _, first := range []int{0, 1, 3, 100, maxTail - 1, maxTail} {
		for _, guess := range []float64{math.Inf(-1), 0, 1, 96, 99, 100, 104, 105, maxTail - 1, maxTail, math.Inf(1)} {
			if got := searchNear(guess, func(i int) bool { return i >= first }); got != first {
				t.Errorf("%d, guessed %v: %d", first, guess, got)
			}
		}
	}
}
