package mechanisms

import (
	"errors"
	"fmt"
	"math/big"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A selection decides whether a key that was found in the data may be shown.
type selection interface {
	// selectKey returns the count to be shown, if any.
	selectKey(b *sampling.Bits, n int64) (shown int64, ok bool)
	// threshold is the smallest count that is shown, and the parameter k of published suppression.
	threshold() int64
}

// errNoThreshold is returned when Select is called on a mechanism that cannot select keys: one whose Delta is 0, or swapping.
var errNoThreshold = errors.New("mechanisms: keys that are not declared need a delta")

// Select decides whether a key that was found in the data may be shown, and with which count: it draws noise once, and shows n + Z
// if that is at least Threshold. It must be called exactly once for each key that the question finds, and for no key that it does
// not find: n is at least 1. The n are numbers of persons: one person more adds 1 to at most s of them, s being Sensitivity.
//
// The guarantee is (epsilon, delta) under the mechanism's adjacency, and (epsilon, 2 delta) with Gaussian noise, which is what
// ThresholdLoss says. See [noisyThreshold] and [truncatedThreshold], of which geometric noise takes the one that shows more. The kinds
// without a guarantee have none here either.
func (m *Mechanism) Select(n int64) (shown int64, ok bool, err error) {
	selection := m.selection()
	if selection == nil {
		return 0, false, errNoThreshold
	}
	if n < 1 {
		return 0, false, fmt.Errorf("mechanisms: %s: a key that no person has cannot be selected", m.config.Kind)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	shown, ok = selection.selectKey(m.bits, n)
	if err := m.bits.Err(); err != nil {
		return 0, false, fmt.Errorf("mechanisms: %s: %w", m.config.Kind, err)
	}
	if !ok {
		return 0, false, nil
	}
	return shown, true, nil
}

// Threshold is the smallest count that Select shows: 0 if it cannot show any.
func (m *Mechanism) Threshold() int64 {
	if selection := m.selection(); selection != nil {
		return selection.threshold()
	}
	return 0
}

// A noisyThreshold shows n + Z if that is at least tau: the smallest integer, at least 2, with q = P(1 + Z >= tau) <= delta/s.
//
// Let the noise on keys that a person and her neighbour share be (epsilon, eta)-differentially private for all cells of a person
// together: eta is 0 for geometric and Laplace noise. Then this is (epsilon, eta + 1-(1-q)^s), which is at most eta + s q (the union
// bound over the keys of a person).
//
// Let x and y be neighbours, let x have u keys that y has not, and y have v that x has not; each belongs to one person, and u, v <= s.
// Other keys change by 1. They and the absent keys are shown or not independently of one another. Let T be the results that show one
// of the u keys: P(M(x) in T) = 1-(1-q)^u and P(M(y) in T) = 0. Now let S be without results in T, let S' be those of S that show
// none of the v keys, and A(S') the probability of what S' says of all other keys. Then
//
//	P(M(x) in S) = (1-q)^u A_x(S'), because x has none of the v keys, and
//	P(M(y) in S) >= P(M(y) in S') = (1-q)^v A_y(S').
//
// Whether and with which count a key is shown that both have is one function of n + Z and of n + 1 + Z, so that
// A_x(S') <= exp(epsilon) A_y(S') + eta, and
//
//	P(M(x) in S) - exp(epsilon) P(M(y) in S) <= (1-q)^u A_x(S') - (1-q)^v (A_x(S') - eta) <= max(0, (1-q)^u - (1-q)^v) + eta.
//
// Together with T that is at most eta + 1-(1-q)^max(u,v) <= eta + 1-(1-q)^s. Under replace-one the keys that leave and those that come
// are 2s, but delta is that of s: adding up the losses of two mechanisms would say twice as much.
type noisyThreshold struct {
	noise noise
	tau   int64
}

func newNoisyThreshold(z noise, deltaOfKey *big.Rat) noisyThreshold {
	return noisyThreshold{z, max(2, 1+z.tailBelow(deltaOfKey))}
}

func (t noisyThreshold) selectKey(b *sampling.Bits, n int64) (int64, bool) {
	noisy := addSaturating(n, t.noise.draw(b))
	return noisy, noisy >= t.tau
}

func (t noisyThreshold) threshold() int64 { return t.tau }

// A truncatedThreshold shows n + X if that is more than k, X being discrete Laplace noise given that |X| <= k (Desfontaines, Voss,
// Gipson and Mandayam 2022, "Differentially private partition selection", Theorem 3: if P(X = k) is delta exactly, then for one key
// and add-remove no mechanism shows a key with a larger probability at the same epsilon and delta. As k is an integer P(X = k) is
// mostly less, and the probabilities with it.)
//
// Let q = P(X = k), and let neighbours differ by 1 in each of d cells, absent keys being counts of 0, which X never lifts above k. In
// each cell P(X = x)/P(X = x+1) is a or 1/a while both are in [-k, k], and the values that only one of the two can take have
// probability q in all. So a cell is (epsilon/d, q)-private with a^-d = exp(epsilon), and d of them are (epsilon, 1-(1-q)^d), which is
// at most d q: with probability (1-q)^d no cell takes a value that it cannot take on the other side, and given that, the ratio is at most
// exp(epsilon). d is s under add-remove, and 2s under replace-one: unlike with noise of unbounded support, both sides have values of
// their own.
//
// One draw serves value and threshold: the values that are shown were allowed for above.
type truncatedThreshold struct {
	noise discreteLaplace
	k     int64
}

// newTruncatedThreshold takes the smallest k >= 1 with P(X = k) <= p.
//
// P(X = k) = (e-1)/(e^(k+1) + e^k - 2), with e = 1/a: the inequality reads (e-1)/p + 2 <= e^(k+1) + e^k. Its left side is rounded up and
// its right side down.
func newTruncatedThreshold(d discreteLaplace, p *big.Rat) truncatedThreshold {
	left := d.expUpper()
	left.Sub(left, newFloat(big.ToPositiveInf).SetInt64(1))
	left.Mul(left, newFloat(big.ToPositiveInf).SetRat(new(big.Rat).Inv(p)))
	left.Add(left, newFloat(big.ToPositiveInf).SetInt64(2))
	return truncatedThreshold{d, max(1, d.firstSum(left)-1)}
}

func (t truncatedThreshold) selectKey(b *sampling.Bits, n int64) (int64, bool) {
	noisy := addSaturating(n, b.TruncatedDiscreteLaplace(t.noise.s, t.noise.t, t.k))
	return noisy, noisy > t.k
}

func (t truncatedThreshold) threshold() int64 { return t.k + 1 }

// withheld is how many of the counts 1, 2, 3, ... are withheld on average, if each is that of a key: E[k - X].
//
// By this the two rules are compared, as neither shows a key more probably at every count: with equal thresholds the truncated one does at
// the threshold and beyond, where the other one's noise reaches farther down, and the other one does below it.
func (t truncatedThreshold) withheld() float64 { return float64(t.k) }

// withheld is E[max(0, tau - 1 - Z)].
func (t noisyThreshold) withheld() float64 {
	excess, _ := t.noise.excess(t.tau - 1)
	return float64(t.tau-1) + excess
}

// newSelection is the selection of a mechanism with noise z.
func (c Config) newSelection(z noise) selection {
	if c.Delta == 0 || c.PerCell != 1 { // nothing bounds the keys of a person then
		return nil
	}
	plain := newNoisyThreshold(z, c.deltaOfKey())
	if c.Kind == policy.DPSuppression {
		plain.tau = max(plain.tau, c.K)
		return plain
	}
	geometric, ok := z.(discreteLaplace)
	if !ok {
		return plain
	}
	p := c.deltaOfKey()
	if c.Adjacency == policy.ReplaceOne {
		p.Quo(p, big.NewRat(2, 1))
	}
	if truncated := newTruncatedThreshold(geometric, p); truncated.withheld() <= plain.withheld() {
		return truncated
	}
	return plain
}
