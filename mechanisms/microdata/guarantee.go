package microdata

import (
	"math"
	"math/big"

	"tacit/policy"
)

// A Guarantee is (epsilon, delta)-differential privacy under an adjacency: for all neighbours x and y and every set S of results,
// P(M(x) in S) <= exp(epsilon) P(M(y) in S) + delta. Delta is rounded up.
type Guarantee struct {
	Adjacency policy.Adjacency
	Epsilon   policy.Epsilon
	Delta     policy.Delta
	// Sample says that Delta is the probability with which a row is sampled: with it somebody's row may be among those published, which
	// nothing else hides. However small, it is no guarantee that a budget should be charged with.
	Sample bool
}

// NoGuarantee is (0, 1): what every mechanism has, since with a delta of 1 each is differentially private.
func NoGuarantee(a policy.Adjacency) Guarantee {
	return Guarantee{Adjacency: a, Delta: policy.OneDelta}
}

// Published says what of the rows is published besides what the mechanism returns.
type Published string

const (
	// QuasiOnly is nothing: the quasi-identifiers are all that there is of a row. Its place among the others, if that shows, does
	// not depend on its values.
	QuasiOnly Published = "quasi-only"
	// OtherColumns are others of the row's columns, as they are.
	OtherColumns Published = "other-columns"
)

// SwappingGuarantee is that of [Swapping]: delta is 1 at every epsilon.
//
// Under add-remove the number of rows is published. Under replace-one, let the row that is exchanged have quasi-identifiers in x
// that no row of y has: they are only moved about, so that every result shows which of the two it came from.
func SwappingGuarantee(a policy.Adjacency) Guarantee { return NoGuarantee(a) }

// KAnonymityGuarantee is that of [KAnonymity]: delta is 1 at every epsilon, because the result is a function of the table, and not
// the same for all (the number of rows, or the ends of an interval).
func KAnonymityGuarantee(a policy.Adjacency) Guarantee { return NoGuarantee(a) }

// DonorSwappingGuarantee is that of [DonorSwapping]: none. Theorem 3 of Das et al. 2024 is wrong:
// for two rows, gamma = 0.05 and epsilon = 1 its delta is 0.7222, where 0.9525 is right. It takes a record for nothing but a receiver, where it is a donor, too; it takes for granted that every quasi-identifier
// has a donor; and a record may differ from its neighbour in other columns, which are published as they are, so that delta is 1.
// For records that differ in quasi-identifiers only, delta is at least gamma at every epsilon, since a row that alone has certain
// quasi-identifiers keeps them with probability gamma, and no useful bound from above is known.
func DonorSwappingGuarantee(a policy.Adjacency) Guarantee { return NoGuarantee(a) }

// DPSwappingGuarantee is that of [DPSwapping] under an adjacency. (epsilon, 0) under replace-one, if nothing but quasi-identifiers
// is published. If the rows may differ in other columns, or one table has a row more, what is published shows that: delta is 1.
func DPSwappingGuarantee(e policy.Epsilon, a policy.Adjacency, p Published) Guarantee {
	if a == policy.ReplaceOne && p == QuasiOnly {
		return Guarantee{Adjacency: a, Epsilon: e}
	}
	return NoGuarantee(a)
}

// DPKAnonymityGuarantee is that of [DPKAnonymity]: (0, beta), and so (epsilon', beta) for every epsilon', under either adjacency,
// and whatever else of the sampled rows is published. The domains of quasi-identifiers must not have been learnt from other rows
// than those sampled.
//
// Theorem: what is published is a function of the sampled rows and of random bits. Neighbours give the same sample from the same
// bits unless the row in which they differ is sampled, which it is with probability beta = 1 - exp(-epsilon). If the sample itself
// is published and the row has no equal, no smaller delta will do: that k makes it smaller has not been proved. (The paper's bound, Zhu
// et al. 2023, Theorem 5, is above beta.)
func DPKAnonymityGuarantee(e policy.Epsilon, a policy.Adjacency) Guarantee {
	const places = 128
	low, _ := expBounds(e, places)
	beta := new(big.Int).Lsh(big.NewInt(1), places)
	beta.Sub(beta, low) // rounded up
	beta.Mul(beta, big.NewInt(int64(policy.OneDelta)))
	return sampleGuarantee(a, policy.Delta(shiftUp(beta, places).Int64()))
}

// sampleGuarantee is that of a sample, under an adjacency that is known.
func sampleGuarantee(a policy.Adjacency, beta policy.Delta) Guarantee {
	if a != policy.AddRemove && a != policy.ReplaceOne {
		beta = policy.OneDelta
	}
	return Guarantee{Adjacency: a, Delta: beta, Sample: true}
}

// roundUp is a delta above d, which is computed in floating point, with margin to spare.
func roundUp(d float64) policy.Delta {
	units := math.Ceil(d*(1+margin)*float64(policy.OneDelta)) + 1
	if units >= float64(policy.OneDelta) {
		return policy.OneDelta
	}
	return policy.Delta(units)
}

// Guarantee is the loss of one call of Anonymise at an epsilon of choice.
//
// If nothing but the classes' values and their numbers of rows is published, it is (epsilon, delta) with delta being
//
//	max over n >= ceil(k/g - 1) of P(Bin(n, Beta) > g n), where
//
//	g = 1 - (1-Beta) exp(-epsilon)  under add-remove,   for epsilon >= -ln(1-Beta),
//	g = 1 - exp(-epsilon)           under replace-one,  for epsilon >= -2 ln(1-Beta),
//
// or (0, Beta) if Beta is less than that. For a smaller epsilon, and if other columns of the sampled rows are published, it is (0,
// Beta), as for [DPKAnonymityGuarantee].
//
// Theorem: under add-remove, that of Li, Qardaji and Su 2011. Classes are independent, and neighbours differ in one class, which
// has n rows in y and n+1 in x; f(j; n) is the probability that j of n are sampled. f(j; n+1) > exp(epsilon) f(j; n) just if j > g
// (n+1). What is shown is j if that is at least k, so delta from x to y is at most P(Bin(n+1, Beta) > g (n+1) and >= k). As long as
// j >= k implies j > g (n+1), that rises with n, so that the last such n+1, which is ceil(k/g - 1), has the greatest. From y to x,
// f(j; n)/f(j; n+1) = (1-j/(n+1))/(1-Beta) <= exp(epsilon), for every j and so for "fewer than k": no delta is needed. (From x to
// y, "fewer than k" needs none, being less likely in x.)
//
// Under replace-one a row leaves one class, and joins another. The latter costs at most -ln(1-Beta), as just seen, without delta.
// So the bound for add-remove at epsilon + ln(1-Beta) is one for replace-one at epsilon, and has 1 - exp(-epsilon) for its g.
func (m *SafeKAnonymity) Guarantee(e policy.Epsilon, a policy.Adjacency, p Published) Guarantee {
	g := sampleGuarantee(a, m.config.Beta.Delta())
	if p != QuasiOnly {
		return g
	}
	if d := roundUp(safeDelta(e, m.config.Beta.Float(), int64(m.config.K), a)); d < g.Delta {
		g.Epsilon, g.Delta, g.Sample = e, d, false
	}
	return g
}

// safeDelta is the formula of SafeKAnonymity.Guarantee, or 1 if epsilon is too small for it, or not larger by more than rounding
// may deceive, or if the adjacency is not known.
func safeDelta(e policy.Epsilon, beta float64, k int64, a policy.Adjacency) float64 {
	epsilon, step := float64(e)/perEpsilon, -math.Log1p(-beta)
	switch a {
	case policy.AddRemove:
	case policy.ReplaceOne:
		epsilon -= step
	default:
		return 1
	}
	if epsilon < step*(1+1e-12) {
		return 1
	}
	return greatestTail(-math.Expm1(-step-epsilon), beta, k)
}
