package release

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// A distribution is P(Z <= z).
type distribution func(z int64) float64

// normalUpTo is that of a normal variable with variance 1.
func normalUpTo(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// chargedNoise is the distribution of the noise that a loss pays for, when a person is 1 in one cell. It is computed here from the loss alone, by the
// formulas of the literature, and by nothing that draws, charges or tells of noise.
var chargedNoise = map[policy.Kind]func(epsilon, delta float64) distribution{
	// P(Z > z) = a^(z+1)/(1+a) for z >= 0, with a = exp(-epsilon)
	policy.Geometric: func(epsilon, _ float64) distribution {
		return symmetric(func(z int64) float64 { return math.Exp(-epsilon*float64(z+1)) / (1 + math.Exp(-epsilon)) })
	},
	// P(Z > z) = exp(-epsilon (z + 1/2))/2 for z >= 0: a Laplace variable of scale 1/epsilon, rounded
	policy.Laplace: func(epsilon, _ float64) distribution {
		return symmetric(func(z int64) float64 { return math.Exp(-epsilon*(float64(z)+0.5)) / 2 })
	},
	// a normal variable, rounded; delta = Phi(1/(2 sigma) - epsilon sigma) - exp(epsilon) Phi(-1/(2 sigma) - epsilon sigma) (Balle and Wang 2018)
	policy.Gaussian: func(epsilon, delta float64) distribution {
		sigma := sigmaFor(delta, func(sigma float64) float64 {
			return normalUpTo(1/(2*sigma)-epsilon*sigma) - math.Exp(epsilon)*normalUpTo(-1/(2*sigma)-epsilon*sigma)
		})
		return symmetric(func(z int64) float64 { return normalUpTo(-(float64(z) + 0.5) / sigma) })
	},
	// P(Z = z) proportional to exp(-z^2/(2 sigma^2)); delta is the sum over z of what P(z) exceeds exp(epsilon) P(z-1) by
	policy.DiscreteGaussian: func(epsilon, delta float64) distribution {
		sigma := sigmaFor(delta, func(sigma float64) (exceeds float64) {
			p := discreteGaussian(sigma)
			for z := -int64(len(p)); z <= int64(len(p)); z++ {
				exceeds += max(0, p.at(z)-math.Exp(epsilon)*p.at(z-1))
			}
			return exceeds
		})
		p := discreteGaussian(sigma)
		return symmetric(func(z int64) (above float64) {
			for z++; z < int64(len(p)); z++ {
				above += p[z]
			}
			return above
		})
	},
}

// symmetric is the distribution of noise around 0 from its upper tail, P(Z > z) for z >= 0.
func symmetric(above func(z int64) float64) distribution {
	return func(z int64) float64 {
		if z < 0 {
			return above(-z - 1)
		}
		return 1 - above(z)
	}
}

// probabilities are those of 0, 1, 2 and so on, of symmetric noise.
type probabilities []float64

func (p probabilities) at(z int64) float64 {
	if z = max(z, -z); z < int64(len(p)) {
		return p[z]
	}
	return 0
}

func discreteGaussian(sigma float64) probabilities {
	p := make(probabilities, int(12*sigma)+2) // beyond 12 sigma there is 1e-31
	sum := 0.0
	for z := range p {
		p[z] = math.Exp(-float64(z*z) / (2 * sigma * sigma))
		sum += p[z]
	}
	sum = 2*sum - p[0]
	for z := range p {
		p[z] /= sum
	}
	return p
}

// sigmaFor is the sigma at which a delta that falls is as given.
func sigmaFor(delta float64, at func(sigma float64) float64) float64 {
	low, high := 0.1, 1000.0
	for high-low > 1e-6 {
		if middle := (low + high) / 2; at(middle) > delta {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// TestNoiseIsWhatIsCharged asks for the counts of many groups, whose true numbers it knows, and compares the noise of the answers with the noise
// that the loss in the ledger pays for.
//
// It finds noise of the right shape that is half as wide or less, which breaks the guarantee, and noise that is twice as wide or more. Where that
// comes from does not matter: a draw of another epsilon, a charge for half the epsilon, or the mean of a noisy count and the true one. It finds true
// numbers among the answers if they are a fifth of them, and every other noise whose distribution is somewhere further than 2 t from the right one.
// It does not find noise in one cell that depends on that in others, nor what is wrong in fewer than a twentieth of the cells.
//
// By the inequality of Dvoretzky, Kiefer and Wolfowitz, with Massart's constant and for every distribution, the frequencies of n independent draws
// are somewhere further than t from their distribution with probability 2 exp(-2 n t^2) at most. That is 1e-8 for the t of 0.0437, and 4e-8 for the four
// kinds. Noise that is half or twice as wide has a distribution that is 0.124 (geometric, laplace) or 0.160 (gaussian, discrete-gaussian) from the right
// one, or more. That is more than 2 t, so it is missed with the same probability at most.
func TestNoiseIsWhatIsCharged(t *testing.T) {
	const groups = 5000
	epsilon, delta := policy.Epsilon(0.2e9), policy.Delta(0.01e18)
	kinds := slices.DeleteFunc(slices.Clone(policy.Kinds), func(kind policy.Kind) bool { return !kind.AddsNoise() })
	name := func(kind policy.Kind) policy.TableName {
		return policy.TableName{Schema: "lab", Name: strings.ReplaceAll(string(kind), "-", "_")}
	}
	var tables, schema strings.Builder
	schema.WriteString("CREATE SCHEMA lab;")
	for _, kind := range kinds {
		// Group g has g % 3 rows.
		fmt.Fprintf(&schema, "CREATE TABLE %[1]s (g int NOT NULL); INSERT INTO %[1]s SELECT g FROM generate_series(0, %[2]d) AS g, generate_series(1, g %% 3);", name(kind), groups-1)
		mechanism := fmt.Sprintf("kind: %s, epsilon: %v, negative: keep", kind, epsilon)
		if kind.NeedsDelta() {
			mechanism += fmt.Sprintf(", delta: %v", delta)
		}
		fmt.Fprintf(&tables, "  %s:\n    person: row\n    mechanism: {%s}\n    budget: {epsilon: 1, delta: 0.1}\n    columns: {g: {range: [0, %d]}}\n", name(kind), mechanism, groups-1)
	}
	policyText := wardPolicy[:strings.Index(wardPolicy, "public:")] + fmt.Sprintf("limits: {cells: %d}\ntables:\n", groups) + tables.String()
	w := newWardOf(t, schema.String(), policyText)
	d := w.open()
	for _, kind := range kinds {
		paysFor := chargedNoise[kind]
		if paysFor == nil {
			t.Fatalf("%s: which noise does a loss pay for?", kind)
		}
		answered, _, err := w.ask(d, "ward_ana", fmt.Sprintf("SELECT g, count(*) FROM %s GROUP BY g", name(kind)))
		if err != nil {
			t.Fatal(err)
		}
		counts := answered[0].Counts[0]
		if len(counts) != groups {
			t.Fatalf("%s: %d groups, not %d", kind, len(counts), groups)
		}
		loss := w.charged(d, name(kind))
		if loss.Epsilon != epsilon || loss.Delta > delta {
			t.Errorf("%s: %v was charged", kind, loss)
		}
		noise := make(map[int64]float64) // how often it was each value
		for g, n := range counts {
			noise[n-int64(g%3)] += 1.0 / groups
		}
		if apart := distance(noise, paysFor(float64(loss.Epsilon)/1e9, float64(loss.Delta)/1e18)); apart > battery.Hoeffding(groups) {
			t.Errorf("%s: the noise is %.3f from that which %v pays for", kind, apart, loss)
		}
	}
}

// distance is the largest one between the frequencies of values and a distribution.
func distance(frequencies map[int64]float64, of distribution) (largest float64) {
	upTo, least, most := 0.0, int64(math.MaxInt64), int64(math.MinInt64)
	for z := range frequencies {
		least, most = min(least, z), max(most, z)
	}
	for z := least - 1; z <= most; z++ {
		upTo += frequencies[z]
		largest = max(largest, math.Abs(upTo-of(z)))
	}
	return largest
}
