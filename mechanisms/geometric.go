package mechanisms

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"sync"

	"tacit/accountant"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// oneDelta is a delta of 1.
const oneDelta = policy.Delta(1e18)

// maxSensitivity keeps every draw within 63 bits (see sampling.Bits.DiscreteLaplace).
const maxSensitivity = policy.MaxRows

// GeometricConfig configures a [Geometric] mechanism.
type GeometricConfig struct {
	// Epsilon is the loss of one count (of all its cells together) under Adjacency. Required.
	Epsilon policy.Epsilon
	// Adjacency is required.
	Adjacency policy.Adjacency
	// Sensitivity is the l1 sensitivity of a count under add-remove: the most by which one person more changes all its cells
	// together. For counts that go to Select, no person may add more than 1 to any cell, so that it bounds the cells of a person, too.
	// It is 1 if a person is a row; otherwise the caller bounds what each person contributes, before anything is counted.
	// Required: 1 to policy.MaxRows.
	Sensitivity int64
	// Delta is the loss, besides Epsilon, of the threshold that Select applies. It must be less than 1. Default 0: Select refuses.
	Delta policy.Delta
	// KeepNegative returns noisy counts below zero as they are. Default: they are returned as 0, which is post-processing.
	KeepNegative bool
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
}

// Geometric is the geometric mechanism (Ghosh, Roughgarden and Sundararajan 2009): it adds discrete Laplace noise Z to every cell,
// P(Z = z) = (1-a)/(1+a) a^|z|.
//
// Adjacency: add-remove, with a = exp(-epsilon/s); or replace-one, with a = exp(-epsilon/(2s)), where s is Sensitivity.
//
// Sensitivity: the vector of counts moves by at most s in the l1 norm under add-remove, by at most 2s under replace-one, which is
// a removal and an addition.
//
// Guarantee: Sanitize is (epsilon, 0)-differentially private, Select over all keys of a table is (epsilon, delta).
//
// Theorem: P(Z = z)/P(Z = z+1) is a or 1/a, so moving the counts by d in the l1 norm changes the probability of any vector of results
// by a factor of at most a^-d, which is exp(epsilon) under either adjacency (Ghosh et al., section 2; as a special case of
// McSherry and Talwar 2007). For Select see [Geometric.Select].
//
// Failure: the guarantee is as good as the bytes of Random. If Random fails, or repeats itself so that a draw does not end,
// sampling.ErrRandomness is returned from then on and no count is.
//
// The noise is drawn exactly, in integers (Canonne, Kamath and Steinke 2020, arXiv:2004.00010): from the true count to the returned one
// there is no floating point, and no branch depends on the true count.
//
// A Geometric may be used by many goroutines.
type Geometric struct {
	config GeometricConfig
	noise  discreteLaplace
	// threshold is the smallest noisy count that Select shows; 0 if it shows none.
	threshold   int64
	halfWidth95 int64

	mu     sync.Mutex // protects random
	random *sampling.Bits
}

// NewGeometric returns the mechanism, or says what is wrong with the configuration.
func NewGeometric(c GeometricConfig) (*Geometric, error) {
	noise, err := c.noise()
	if err != nil {
		return nil, err
	}
	g := &Geometric{config: c, noise: noise, halfWidth95: noise.halfWidth95(), random: sampling.NewBits(c.Random)}
	if c.Delta > 0 {
		g.threshold = noise.threshold(c.deltaOfKey())
	}
	return g, nil
}

// noise checks the configuration and returns the noise that it asks for.
func (c GeometricConfig) noise() (discreteLaplace, error) {
	switch {
	case c.Random == nil:
		return discreteLaplace{}, errors.New("mechanisms: geometric: Random is required")
	case c.Epsilon <= 0:
		return discreteLaplace{}, fmt.Errorf("mechanisms: geometric: epsilon is %v, must be more than 0", c.Epsilon)
	case c.Delta < 0 || c.Delta >= oneDelta:
		return discreteLaplace{}, fmt.Errorf("mechanisms: geometric: delta is %v, must be at least 0 and less than 1", c.Delta)
	case c.Sensitivity < 1 || c.Sensitivity > maxSensitivity:
		return discreteLaplace{}, fmt.Errorf("mechanisms: geometric: sensitivity is %d, must be 1 to %d", c.Sensitivity, maxSensitivity)
	}
	switch c.Adjacency {
	case policy.AddRemove, policy.ReplaceOne:
		return newDiscreteLaplace(c.Epsilon, c.distance()), nil
	default:
		return discreteLaplace{}, fmt.Errorf("mechanisms: geometric: unknown adjacency %q", c.Adjacency)
	}
}

// distance is how far apart in the l1 norm the counts of neighbours are: that many steps share epsilon.
func (c GeometricConfig) distance() int64 {
	if c.Adjacency == policy.AddRemove {
		return c.Sensitivity
	}
	return 2 * c.Sensitivity
}

// deltaOfKey is the share of delta of each key that one person may bring, exactly.
func (c GeometricConfig) deltaOfKey() *big.Rat {
	delta := big.NewRat(int64(c.Delta), int64(oneDelta))
	return delta.Quo(delta, new(big.Rat).SetInt64(c.Sensitivity))
}

// Name is how the policy names the mechanism.
func (g *Geometric) Name() string { return "geometric" }

// Loss is what one call of Sanitize costs.
func (g *Geometric) Loss() accountant.Loss {
	return accountant.Loss{Epsilon: g.config.Epsilon}
}

// ThresholdLoss is what calling Select once for each key of a table costs, all calls together.
func (g *Geometric) ThresholdLoss() accountant.Loss {
	return accountant.Loss{Epsilon: g.config.Epsilon, Delta: g.config.Delta}
}

// Sanitize adds noise to every count. The counts must be those of all cells that the question could have shown, absent cells as 0,
// or the set of cells would tell what the counts do not.
func (g *Geometric) Sanitize(counts []int64) ([]int64, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	noisy := make([]int64, len(counts))
	for i, n := range counts {
		noisy[i] = g.show(addSaturating(n, g.random.DiscreteLaplace(g.noise.s, g.noise.t)))
	}
	if err := g.random.Err(); err != nil {
		return nil, fmt.Errorf("mechanisms: geometric: %w", err)
	}
	return noisy, nil
}

// ErrNoThreshold is returned when Select is called on a mechanism whose Delta is 0.
var ErrNoThreshold = errors.New("mechanisms: geometric: keys that are not declared need a delta")

// Select decides whether a key that was found in the data may be shown, and with which count: it draws noise once, and shows n + Z
// if that is at least Threshold. It must be called exactly once for each key that the question finds, and for no key that it does
// not find: n is at least 1.
//
// The n are numbers of persons: one person more adds 1 to at most s of them, s being Sensitivity. The guarantee is (epsilon, delta)
// under the mechanism's adjacency: with q = P(1 + Z >= tau) it is (epsilon, 1-(1-q)^s), which is at most s q (the union bound over
// the keys of a person), and tau is chosen such that q <= delta/s.
//
// Let x and y be neighbours, let x have u keys that y has not, and y have v that x has not; each belongs to one person, and u, v <= s.
// Other keys, c of them, change by 1. They and the absent keys are shown or not independently of one another. Let T be the results
// that show one of the u keys: P(M(x) in T) = 1-(1-q)^u and P(M(y) in T) = 0. Now let S be without results in T, let S' be those
// of S that show none of the v keys, and A(S') the probability of what S' says of all other keys. Then
//
//	P(M(x) in S) = (1-q)^u A_x(S'), because x has none of the v keys, and
//	P(M(y) in S) >= P(M(y) in S') = (1-q)^v A_y(S').
//
// Whether and with which count a key is shown that both have is one function of n + Z and of n + 1 + Z, so A_x(S') <= a^-c A_y(S').
// Under add-remove, u + v + c <= s and a^-s = exp(epsilon); under replace-one, u + v + c <= 2s and a^-2s = exp(epsilon). Either
// way a^-c <= exp(epsilon), so
//
//	P(M(x) in S) - exp(epsilon) P(M(y) in S) <= max(0, (1-q)^u - (1-q)^v) A_x(S') <= max(0, (1-q)^u - (1-q)^v).
//
// Together with T that is at most 1-(1-q)^max(u,v) <= 1-(1-q)^s. Under replace-one the keys that leave and those that come are 2s,
// but delta is that of s: adding up the losses of two mechanisms would say twice as much.
func (g *Geometric) Select(n int64) (shown int64, ok bool, err error) {
	if g.threshold == 0 {
		return 0, false, ErrNoThreshold
	}
	if n < 1 {
		return 0, false, errors.New("mechanisms: geometric: a key that no person has cannot be selected")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	noisy := addSaturating(n, g.random.DiscreteLaplace(g.noise.s, g.noise.t))
	if err := g.random.Err(); err != nil {
		return 0, false, fmt.Errorf("mechanisms: geometric: %w", err)
	}
	if noisy < g.threshold {
		return 0, false, nil
	}
	return noisy, true, nil
}

// Threshold is the smallest noisy count that Select shows: the smallest integer tau, at least 2, with P(1 + Z >= tau) <= delta/s,
// where s is Sensitivity. It is 0 if Delta is 0.
func (g *Geometric) Threshold() int64 { return g.threshold }

// HalfWidth95 is the smallest w with P(|Z| <= w) >= 0.95: the noise of 95% of cells is at most that.
func (g *Geometric) HalfWidth95() int64 { return g.halfWidth95 }

// Bias is the expectation of Sanitize's result for a true count n >= 0, minus n: 0 with KeepNegative. Otherwise
//
//	sum over j >= 1 of j P(Z = -n-j) = a^(n+1)/(1-a^2).
//
// It is for people who plan a question. No release depends on it.
func (g *Geometric) Bias(n int64) float64 {
	if g.config.KeepNegative {
		return 0
	}
	a := g.noise.a()
	return math.Pow(a, float64(n)+1) / (1 - a*a)
}

// Variance is the variance of Sanitize's result for a true count n >= 0: 2a/(1-a)^2 with KeepNegative. Otherwise the second moment
// around n loses sum over j >= 1 of ((n+j)^2 - n^2) P(Z = -n-j) = a^(n+1)/(1-a)^2 + 2n Bias(n), and the bias is squared and subtracted.
func (g *Geometric) Variance(n int64) float64 {
	a, b := g.noise.a(), g.Bias(n)
	variance := 2 * a / ((1 - a) * (1 - a))
	if g.config.KeepNegative {
		return variance
	}
	return variance - math.Pow(a, float64(n)+1)/((1-a)*(1-a)) - 2*float64(n)*b - b*b
}

// show clamps a noisy count at zero unless negative ones are kept. It sees nothing but the noisy count: post-processing.
func (g *Geometric) show(noisy int64) int64 {
	if g.config.KeepNegative {
		return noisy
	}
	return max(0, noisy)
}

// addSaturating returns n + z, held within int64. z is within int64 (see sampling.Bits.DiscreteLaplace), so a result that was held is
// still a function of the unbounded sum n + z: post-processing. It is for bounds of noise that no sound source ever reaches.
func addSaturating(n, z int64) int64 {
	sum := n + z
	// The sum overflowed iff both operands have the sign that the sum lacks; it is then held at the end that the operands point to.
	if (n^sum)&(z^sum) < 0 {
		return math.MaxInt64 ^ (n >> 63)
	}
	return sum
}
