package mechanisms

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"sync"

	"tacit/accountant"
	"tacit/policy"
)

// oneDelta is a delta of 1.
const oneDelta = policy.Delta(1e18)

// GeometricConfig configures a [Geometric] mechanism.
type GeometricConfig struct {
	// Epsilon is the loss of one count (of all its cells together) under Adjacency. Required.
	Epsilon policy.Epsilon
	// Adjacency is required.
	Adjacency policy.Adjacency
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
// Adjacency: add-remove, with a = exp(-epsilon); or replace-one, with a = exp(-epsilon/2).
//
// Sensitivity: the vector of counts moves by at most 1 in the l1 norm under add-remove, by at most 2 under replace-one.
//
// Guarantee: Sanitize is (epsilon, 0)-differentially private, Select over all keys of a table is (epsilon, delta).
//
// Theorem: P(Z = z)/P(Z = z+1) is a or 1/a, so moving the counts by d in the l1 norm changes the probability of any vector of results
// by a factor of at most a^-d, which is exp(epsilon) under either adjacency (Ghosh et al., section 2; as a special case of
// McSherry and Talwar 2007). For Select see [Geometric.Select].
//
// Failure: the guarantee is as good as the bytes of Random. If Random fails, or repeats itself so that a draw does not end,
// ErrRandomness is returned from then on and no count is.
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
	random *randomBits
}

// NewGeometric returns the mechanism, or says what is wrong with the configuration.
func NewGeometric(c GeometricConfig) (*Geometric, error) {
	noise, err := c.noise()
	if err != nil {
		return nil, err
	}
	g := &Geometric{config: c, noise: noise, halfWidth95: noise.halfWidth95(), random: newRandomBits(c.Random)}
	if c.Delta > 0 {
		g.threshold = noise.threshold(big.NewRat(int64(c.Delta), int64(oneDelta)))
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
	}
	switch c.Adjacency {
	case policy.AddRemove, policy.ReplaceOne:
		return newDiscreteLaplace(c.Epsilon, c.cellsChanged()), nil
	default:
		return discreteLaplace{}, fmt.Errorf("mechanisms: geometric: unknown adjacency %q", c.Adjacency)
	}
}

// cellsChanged is the number of cells in which neighbours differ, by 1 each: the losses of that many cells add up.
func (c GeometricConfig) cellsChanged() int64 {
	if c.Adjacency == policy.AddRemove {
		return 1
	}
	return 2
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
		noisy[i] = g.show(addSaturating(n, g.random.discreteLaplace(g.noise.s, g.noise.t)))
	}
	if err := g.random.err; err != nil {
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
// The guarantee is (epsilon, delta) under the mechanism's adjacency: with q = P(1 + Z >= tau) it is (epsilon, q), and tau is chosen
// such that q <= delta. Let x and y be neighbours, and T the results that show a key which y does not have. There is at most one such key,
// and one person has it in x, so P(M(x) in T) is q, or T is empty. P(M(y) in T) = 0. Now let S be without results in T.
//
// Under add-remove, if x has the key and y has not, S leaves it out: P(M(x) in S) <= P(M(y) in S). If y has the key and x has not,
// P(M(y) in S) >= (1-q) P(M(x) in S), so P(M(x) in S) <= P(M(y) in S) + q. If both have it, both results are the same function of
// n + Z and n + 1 + Z: P(M(x) in S) <= exp(epsilon) P(M(y) in S).
//
// Under replace-one a second cell changes, with independent noise. If both keys are in x and in y, two factors of exp(epsilon/2) make
// exp(epsilon). If T is not empty, the other key is in both (exp(epsilon/2) as before) or only in y, where it is absent with
// the same probability 1-q with which the first one is absent in x: equality. If T is empty and y alone has a key, 1-q stands
// against a factor of at most exp(epsilon/2), and P(M(x) in S) - exp(epsilon) P(M(y) in S) <= 1 - exp(epsilon/2) (1-q) <= q. So the
// delta of the two cells is not 2q, as adding up the losses of two mechanisms would make it, but q again.
func (g *Geometric) Select(n int64) (shown int64, ok bool, err error) {
	if g.threshold == 0 {
		return 0, false, ErrNoThreshold
	}
	if n < 1 {
		return 0, false, errors.New("mechanisms: geometric: a key that no person has cannot be selected")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	noisy := addSaturating(n, g.random.discreteLaplace(g.noise.s, g.noise.t))
	if err := g.random.err; err != nil {
		return 0, false, fmt.Errorf("mechanisms: geometric: %w", err)
	}
	if noisy < g.threshold {
		return 0, false, nil
	}
	return noisy, true, nil
}

// Threshold is the smallest noisy count that Select shows: the smallest integer tau, at least 2, with P(1 + Z >= tau) <= delta.
// It is 0 if Delta is 0.
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

// addSaturating returns n + z, held within int64. |z| < 2^55 (see randomBits.discreteLaplace), so a count below 2^62 is never held;
// and if it were, the result would be a function of the unbounded sum n + z: post-processing.
func addSaturating(n, z int64) int64 {
	sum := n + z
	// The sum overflowed iff both operands have the sign that the sum lacks; it is then held at the end that the operands point to.
	if (n^sum)&(z^sum) < 0 {
		return math.MaxInt64 ^ (n >> 63)
	}
	return sum
}
