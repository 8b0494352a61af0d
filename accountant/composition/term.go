package composition

import (
	"math/big"
	"strconv"
	"strings"

	"tacit/policy"
)

// A Noise names the kind of a term: what its dominating pair is made of.
type Noise string

const (
	// ApproximateNoise stands for any release that is (Epsilon, Delta)-differentially private: randomized response, with Delta besides.
	ApproximateNoise Noise = "approximate"
	// GeometricNoise is discrete Laplace noise of rate Epsilon/Moves on Moves cells that move by 1 each.
	GeometricNoise Noise = "geometric"
	// LaplaceNoise is continuous Laplace noise of rate Epsilon/Moves on Moves cells that move by 1 each. It dominates rounded noise.
	LaplaceNoise Noise = "laplace"
	// GaussianNoise is continuous Gaussian noise of Variance on a vector whose squared l2 distance from its neighbour is Squared. It
	// dominates rounded noise.
	GaussianNoise Noise = "gaussian"
	// DiscreteGaussianNoise is discrete Gaussian noise of Variance on Moves cells that move by 1 each; or, with Moves 0, on a vector of
	// integers of which only the squared l2 distance is known.
	DiscreteGaussianNoise Noise = "discrete-gaussian"
)

// A Term is what is known of one release's privacy loss under its table's adjacency: a pair of distributions that dominates the
// distributions of what is released of any two neighbours, in either order (Zhu, Dong and Wang 2022, Definition 7). All pairs here are
// symmetric, so that one order stands for both: an adjacency is in the term's Epsilon, Moves and Squared.
//
// The zero Term is none. Fields that do not belong to its Noise are zero.
type Term struct {
	Noise Noise
	// Epsilon is the loss of the whole release; of approximate terms that besides Delta.
	Epsilon policy.Epsilon
	// Moves is how many cells move by 1: of geometric, laplace and discrete-gaussian terms.
	Moves int64
	// Variance is sigma^2: of gaussian and discrete-gaussian terms.
	Variance Ratio
	// Squared is the squared l2 distance of neighbours: of gaussian and discrete-gaussian terms. It equals Moves, if there are any.
	Squared int64
	// Delta is the probability, besides, that everything is told: a threshold's, or an approximate term's delta.
	Delta policy.Delta
}

// A Ratio is an exact fraction in lowest terms; the zero Ratio is none.
type Ratio struct{ Numerator, Denominator uint64 }

// RatioOf returns r, if both its numerator and its denominator fit and it is positive.
func RatioOf(r *big.Rat) (Ratio, bool) {
	if r.Sign() <= 0 || !r.Num().IsUint64() || !r.Denom().IsUint64() {
		return Ratio{}, false
	}
	return Ratio{r.Num().Uint64(), r.Denom().Uint64()}, true
}

func (r Ratio) rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(r.Numerator), new(big.Int).SetUint64(r.Denominator))
}

// float is r, rounded to nearest.
func (r Ratio) float() float64 {
	f, _ := r.rat().Float64()
	return f
}

// String is the fraction, without a denominator of 1.
func (r Ratio) String() string {
	if r.Denominator == 1 {
		return strconv.FormatUint(r.Numerator, 10)
	}
	return strconv.FormatUint(r.Numerator, 10) + "/" + strconv.FormatUint(r.Denominator, 10)
}

// Approximate is the term of any release that is (e, d)-differentially private, in both orders of neighbours: randomized response that
// tells the truth with probability exp(e)/(1+exp(e)), and that tells everything with probability d (Kairouz, Oh and Viswanath 2015,
// Theorem 3.1 and section 5.1).
func Approximate(e policy.Epsilon, d policy.Delta) Term {
	return Term{Noise: ApproximateNoise, Epsilon: e, Delta: d}
}

// String is canonical: equal texts are equal terms. The ledger keeps it. The zero Term's is empty.
func (t Term) String() string {
	var b strings.Builder
	b.WriteString(string(t.Noise))
	field := func(name, value string) { b.WriteString(" " + name + "=" + value) }
	switch t.Noise {
	case ApproximateNoise:
		field("epsilon", t.Epsilon.String())
	case GeometricNoise, LaplaceNoise:
		field("epsilon", t.Epsilon.String())
		field("moves", strconv.FormatInt(t.Moves, 10))
	case GaussianNoise, DiscreteGaussianNoise:
		field("variance", t.Variance.String())
		if t.Moves != 0 {
			field("moves", strconv.FormatInt(t.Moves, 10))
		} else {
			field("squared", strconv.FormatInt(t.Squared, 10))
		}
	}
	if t.Delta != 0 {
		field("delta", t.Delta.String())
	}
	return b.String()
}

// maxMoves is more cells than one person can move: policy.MaxRows, twice under replace-one, in each of 64 margins.
const maxMoves = 1 << 40

// valid says whether the term is one that a mechanism may have, the zero Term excluded.
func (t Term) valid() bool {
	if t.Delta < 0 || t.Delta > policy.OneDelta || t.Epsilon < 0 {
		return false
	}
	shape := t
	shape.Delta = 0
	switch t.Noise {
	case ApproximateNoise:
		return shape == Term{Noise: t.Noise, Epsilon: t.Epsilon}
	case GeometricNoise, LaplaceNoise:
		return t.Epsilon > 0 && within(t.Moves) && shape == Term{Noise: t.Noise, Epsilon: t.Epsilon, Moves: t.Moves}
	case GaussianNoise:
		return t.Variance.valid() && within(t.Squared) && shape == Term{Noise: t.Noise, Variance: t.Variance, Squared: t.Squared}
	case DiscreteGaussianNoise:
		shape.Moves = 0
		return t.Variance.valid() && within(t.Squared) && (t.Moves == 0 || t.Moves == t.Squared) &&
			shape == Term{Noise: t.Noise, Variance: t.Variance, Squared: t.Squared}
	}
	return false
}

func within(moves int64) bool { return moves >= 1 && moves <= maxMoves }

func (r Ratio) valid() bool {
	if r.Numerator == 0 || r.Denominator == 0 {
		return false
	}
	lowest, _ := RatioOf(r.rat())
	return lowest == r
}
