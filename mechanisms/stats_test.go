package mechanisms

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// newMechanism is New for persons who are a row each under add-remove, unless the configuration says otherwise.
func newMechanism(t testing.TB, c Config) *Mechanism {
	t.Helper()
	m, err := New(complete(c))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// complete fills in what most tests do not care about.
func complete(c Config) Config {
	c.Sensitivity, c.PerCell = max(c.Sensitivity, 1), max(c.PerCell, 1)
	if c.Adjacency == "" {
		c.Adjacency = policy.AddRemove
	}
	if c.Random == nil {
		c.Random = battery.Seeded(1)
	}
	return c
}

// epsilonOf and deltaOf are amounts for tests that compute with numbers.
func epsilonOf(e float64) policy.Epsilon { return policy.Epsilon(math.Round(e * 1e9)) }
func deltaOf(d float64) policy.Delta     { return policy.Delta(math.Round(d * 1e18)) }

// A pmf is a distribution over the integers.
type pmf func(int64) float64

// distribution is that of a pmf of which next to nothing is beyond reach.
func (p pmf) distribution(reach int64) battery.Distribution {
	upper := make([]float64, 2*reach+2) // P(Z >= i - reach)
	for i := 2 * reach; i >= 0; i-- {
		upper[i] = upper[i+1] + p(i-reach)
	}
	return battery.Distribution{PMF: p, Upper: func(k int64) float64 { return upper[max(0, min(2*reach+1, k+reach))] }}
}

// requireFit is a chi-squared test.
func requireFit(t *testing.T, p pmf, reach int64, draws []int64) {
	t.Helper()
	statistic, freedom := battery.ChiSquared(p.distribution(reach), draws)
	if freedom < 1 {
		t.Fatal("one bin: nothing is compared")
	}
	if limit := battery.Limit(freedom); !(statistic <= limit) {
		t.Errorf("chi-squared is %.1f with %d degrees of freedom, limit %.1f", statistic, freedom, limit)
	}
}

// pairHockeyStick is battery.HockeyStick of battery.Product(p1, p2) and battery.Product(q1, q2).
func pairHockeyStick(epsilon float64, p1, p2, q1, q2 []float64) float64 {
	delta, factor := 0.0, math.Exp(epsilon)
	for i := range p1 {
		if p1[i] == 0 {
			continue
		}
		for j := range p2 {
			if d := p1[i]*p2[j] - factor*q1[i]*q2[j]; d > 0 {
				delta += d
			}
		}
	}
	return delta
}

// near says whether two numbers agree to a relative error.
func near(got, want, relative float64) bool {
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

// digits wants a number to agree with a reference value in all of its printed digits.
func digits(t *testing.T, what string, got float64, want string) {
	t.Helper()
	value, err := strconv.ParseFloat(want, 64)
	if err != nil {
		t.Fatal(err)
	}
	mantissa, exponent, _ := strings.Cut(want, "e")
	_, places, _ := strings.Cut(mantissa, ".")
	power, _ := strconv.Atoi(exponent) // 0 if there is none
	if unit := math.Pow10(power - len(places)); !(math.Abs(got-value) <= 0.500001*unit) {
		t.Errorf("%s is %.12g, want %s", what, got, want)
	}
}

// fixedNoise is noise of which the next draws are known.
type fixedNoise struct {
	noise
	next func() int64
}

func (f fixedNoise) draw(*sampling.Bits) int64 { return f.next() }

// smallest15 is a tail probability beyond which noise is not enumerated.
var smallest15 = big.NewRat(1, 1e15)

var twice = big.NewRat(2, 1)
