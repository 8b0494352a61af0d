package mechanisms

import (
	"math"

	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// A publishedSuppression is one of three mechanisms that show true counts, and withhold small ones. None protects anybody in a way that
// (epsilon, delta) could state with a delta that is not near 1:
//
//   - suppression withholds counts below k (Zhu et al. 2023, Algorithm 1; their Definition 3 has max{x, k/2}, a misprint).
//   - dp-suppression-eq2 withholds x if x + Lap(2/epsilon) < k, with noise of its own for each cell (Zhu et al. 2023, equation 2;
//     Das et al. 2024, equation 1).
//   - dp-suppression-alg2 withholds x if x < k~ = k + Lap(2/epsilon), one draw for all cells (Zhu et al. 2023, Algorithm 2, which is not
//     the mechanism of their equation 2).
//
// Adjacency: both, and the noise is the same under both.
//
// Guarantee: delta is the same for every epsilon', whatever the parameter: a count that is shown is exact, and tells two databases apart for
// certain. With s(x) = P(x + Lap(2/epsilon) < k) and counts up to B > k it is
//
//   - 1 for suppression;
//   - 1 - s(B) under add-remove and 1 - s(B) s(B-1) under replace-one for eq2. (Theorem 1 of both papers says 1 - exp(-epsilon (B-k))/4, which is a little above the exact 1 - exp(-epsilon (B-1/2-k))/4);
//   - P(k~ <= B) = 1 - exp(-epsilon (B-k)/2)/2 under either adjacency for alg2, where Theorem 1 does not apply.
//
// It is less if B-1 or B is the fill value, and is stated as a bound then.
//
// Without a bound on counts it is 1.
type publishedSuppression struct {
	kind  policy.Kind
	k     int64
	fill  policy.Fill
	bound int64           // 0: none
	noise discreteLaplace // Lap(2/epsilon) has its s and t
}

func (p publishedSuppression) sanitize(bits *sampling.Bits, h Histogram) Cells {
	cells := Cells{Counts: make([]int64, len(h.Counts))}
	if p.fill.Kind == policy.FillNull {
		cells.Suppressed = make([]bool, len(h.Counts))
	}
	k := p.k
	if p.kind == policy.DPSuppressionAlg2 {
		k = p.noisyK(bits)
	}
	for i, n := range h.Counts {
		cells.Counts[i] = n
		if p.withholds(bits, n, k) {
			cells.suppress(i, k, p.fill)
		}
	}
	return cells
}

// noisyK is floor(k + Lap(2/epsilon)): x is below the noisy threshold if it is at most this.
func (p publishedSuppression) noisyK(bits *sampling.Bits) int64 {
	return addSaturating(p.k, bits.LaplaceFloor(p.noise.s, p.noise.t))
}

func (p publishedSuppression) withholds(bits *sampling.Bits, n, k int64) bool {
	switch p.kind {
	case policy.DPSuppressionEq2: // n + X < k exactly if n + floor(X) < k
		return addSaturating(n, bits.LaplaceFloor(p.noise.s, p.noise.t)) < k
	case policy.DPSuppressionAlg2:
		return n <= k
	default:
		return n < k
	}
}

// selectKey makes publishedSuppression a selection: keys that are withheld are absent. It is not one for the noisy threshold, of which there
// is one for all cells, however many keys are found. Each has a noisy threshold of its own.
func (p publishedSuppression) selectKey(bits *sampling.Bits, n int64) (int64, bool) {
	k := p.k
	if p.kind == policy.DPSuppressionAlg2 {
		k = p.noisyK(bits)
	}
	return n, !p.withholds(bits, n, k)
}

// threshold is k: with noise, any count may be shown.
func (p publishedSuppression) threshold() int64 { return p.k }

// below is s(x) = P(x + Lap(2/epsilon) < k), which is also P(k + Lap(2/epsilon) > x).
func (p publishedSuppression) below(x int64) float64 { return p.belowReal(float64(x)) }

func (p publishedSuppression) belowReal(x float64) float64 {
	distance := x - float64(p.k)
	switch {
	case p.kind == policy.Suppression && distance < 0:
		return 1
	case p.kind == policy.Suppression:
		return 0
	case distance >= 0:
		return math.Exp(-distance*p.noise.rate()) / 2
	}
	return 1 - math.Exp(distance*p.noise.rate())/2
}

// above is 1 - s(x), P(x + Lap(2/epsilon) >= k): that of k moved as far to the other side of x.
func (p publishedSuppression) above(x int64) float64 {
	if p.kind == policy.Suppression {
		return 1 - p.below(x)
	}
	return p.belowReal(2*float64(p.k) - float64(x))
}

func (p publishedSuppression) guarantee(a policy.Adjacency) Guarantee {
	if p.kind == policy.Suppression || p.bound == 0 {
		return nothing(a, 1)
	}
	delta := 1 - p.below(p.bound)
	if p.kind == policy.DPSuppressionEq2 && a == policy.ReplaceOne {
		delta = 1 - p.below(p.bound)*p.below(p.bound-1)
	}
	g := nothing(a, delta)
	fill := fillValue(p.fill, p.k)
	// A fill value that is one of the largest counts says less than a count; one that tells the noisy threshold is none.
	g.Exact = p.fill.Kind == policy.FillNull || p.noisyFill() || fill != float64(p.bound) && fill != float64(p.bound-1)
	return g
}

// fillValue is what a withheld cell counts as: its fill value, or k/2.
func fillValue(f policy.Fill, k int64) float64 {
	switch f.Kind {
	case policy.FillNull:
		return float64(k) / 2
	case policy.FillHalf:
		return float64(floorHalf(k))
	default:
		return float64(f.Value)
	}
}

// expect: a cell is x, or the fill value with probability s(x). With a noisy threshold the fill value floor(k~/2) is noisy, too.
func (p publishedSuppression) expect(h Histogram) []Expectation {
	cells := make([]Expectation, len(h.Counts))
	for i, n := range h.Counts {
		cells[i] = p.expectFixed(n)
		if p.noisyFill() {
			cells[i] = p.expectNoisyFill(n)
		}
	}
	return cells
}

// noisyFill says whether the fill value follows the noisy threshold.
func (p publishedSuppression) noisyFill() bool {
	return p.kind == policy.DPSuppressionAlg2 && p.fill.Kind == policy.FillHalf
}

func (p publishedSuppression) expectFixed(n int64) Expectation {
	withheld, fill := p.below(n), fillValue(p.fill, p.k)
	off := fill - float64(n)
	return Expectation{
		Bias:       off * withheld,
		Variance:   off * off * withheld * (1 - withheld),
		Suppressed: withheld,
		Distribution: func(v float64) float64 {
			var sum float64
			if v >= float64(n) {
				sum = 1 - withheld
			}
			if v >= fill {
				sum += withheld
			}
			return sum
		},
	}
}

// expectNoisyFill: n is withheld if k~ > n, and the fill value is then F0 = floor(n/2) or more: it is F or more, for F > F0, if
// k~ > 2F, with probability s(2F). So
//
//	E[fill - n; withheld] = (F0 - n) s(n) + sum over F > F0 of s(2F), and
//	E[(fill - n)^2; withheld] = (F0 - n)^2 s(n) + sum over F > F0 of ((F-n)^2 - (F-1-n)^2) s(2F),
//
// where the difference of squares is 2(F-F0) - 1 - 2(n-F0).
func (p publishedSuppression) expectNoisyFill(n int64) Expectation {
	least, withheld := floorHalf(n), p.below(n)
	off := float64(n - least) // of the least fill value, the other way round
	sum, weighted := p.sumBelow(least)
	bias := sum - off*withheld
	square := off*off*withheld + 2*weighted - (1+2*off)*sum
	return Expectation{
		Bias:       bias,
		Variance:   square - bias*bias,
		Suppressed: withheld,
		Distribution: func(v float64) float64 {
			var sum float64
			if v >= float64(n) {
				sum = 1 - withheld
			}
			if v >= float64(least) { // the fill value is above v if k~ > 2 floor(v) + 2
				sum += withheld - p.belowReal(2*math.Floor(v)+2)
			}
			return sum
		},
	}
}

// sumBelow are the sums over i >= 1 of s(2(F0+i)) and of i s(2(F0+i)). From k on, s falls off exponentially; up to k it is 1 without a
// term that falls off as exponentially towards 0.
func (p publishedSuppression) sumBelow(least int64) (sum, weighted float64) {
	rate := 2 * p.noise.rate() // of s, per step of F
	// m steps reach 2F >= k.
	m := max(1, (p.k+1)/2-least)
	// The sums over i >= m, with i = m + j.
	rest, weightedRest := geometricSums(rate, -1, 0)
	at := p.belowReal(2 * float64(least+m))
	sum, weighted = at*rest, at*(float64(m)*rest+weightedRest)
	// The sums over 1 <= i < m, with i = m - 1 - j for 0 <= j <= m-2: s is 1 - low exp(-rate j).
	count := float64(m - 1)
	if count == 0 {
		return sum, weighted
	}
	low := 1 - p.below(2*(least+m-1))
	powers, weightedPowers := finiteGeometricSums(rate, count-1)
	sum += count - low*powers
	weighted += count*(count+1)/2 - low*(count*powers-weightedPowers)
	return sum, weighted
}

// finiteGeometricSums are the sums over 0 <= j <= last of q^j and of j q^j, with q = exp(-rate).
func finiteGeometricSums(rate, last float64) (sum, weighted float64) {
	step := -math.Expm1(-rate) // 1 - q
	sum = -math.Expm1(-rate*(last+1)) / step
	if rate*last < 1e-6 { // what follows would cancel out
		return sum, last * (last + 1) / 2 * (1 - rate*(2*last+1)/3)
	}
	return sum, (sum - 1 - last*math.Exp(-rate*(last+1))) / step
}
