package disclosure

import (
	"math"

	"tacit/mechanisms"
	"tacit/mechanisms/sampling"
)

// Two mechanisms of Das et al. 2024 do not give that paper's Table 1 as its text defines them. Those below do: they were found from the table
// alone (see the section on it), and are here to show what its numbers are numbers of. Nobody should use them.

// roundedSuppression is DP suppression with noise N, Lap(2/epsilon) rounded towards zero, that leaves a cell as it is if x + N is at least k, or is 0:
// "zero counts are left untouched" asked of the noisy count. An empty cell is untouched if N is 0, and else shown as floor(k/2) unless N is k or more.
//
// With q = exp(-epsilon/2), P(N >= j) = q^j/2 for j >= 1, by symmetry P(N <= -j), too, and P(N = 0) = 1 - q.
func (t *table) roundedSuppression(label string, epsilon float64, k int64) *sanitizer {
	q := math.Exp(-epsilon / 2)
	atLeast := func(j int64) float64 {
		if j >= 1 {
			return math.Pow(q, float64(j)) / 2
		}
		return 1 - math.Pow(q, float64(1-j))/2
	}
	fill := k / 2
	s := &sanitizer{expect: make([]mechanisms.Expectation, len(t.counts))}
	for i, x := range t.counts {
		filled := atLeast(x-k+1) - (atLeast(x) - atLeast(x+1)) // N <= k-1-x by symmetry, and not -x
		off := float64(fill - x)
		s.expect[i] = mechanisms.Expectation{Bias: off * filled, Variance: off * off * filled * (1 - filled), Suppressed: filled}
	}
	bits := sampling.NewBits(stream(label))
	s.release = func() ([]int64, error) {
		shown := make([]int64, len(t.counts))
		for i, x := range t.counts {
			n := bits.LaplaceFloor(uint64(epsilonOf(epsilon)), 2*uint64(epsilonOf(1)))
			if n < 0 {
				n++ // towards zero: a whole number has probability 0
			}
			shown[i] = x
			if x+n < k && x+n != 0 {
				shown[i] = fill
			}
		}
		return shown, bits.Err()
	}
	return s
}

// oneDonor has exactly a share of the rows, drawn without replacement, become copies of one and the same row, that of a given cell.
//
// A cell of x of the m rows loses H of them, H being hypergeometric: mean rate x, variance rate (1-rate) x (m-x)/(m-1).
func (t *table) oneDonor(label string, rate float64, donor int) *sanitizer {
	m := len(t.cells)
	replaced := int(rate * float64(m))
	share := float64(replaced) / float64(m)
	s := &sanitizer{expect: make([]mechanisms.Expectation, len(t.counts))}
	for i, x := range t.counts {
		n := float64(x)
		s.expect[i] = mechanisms.Expectation{Bias: -share * n, Variance: share * (1 - share) * n * (float64(m) - n) / float64(m-1)}
	}
	s.expect[donor].Bias += float64(replaced)
	bits := sampling.NewBits(stream(label))
	s.release = func() ([]int64, error) {
		shown := make([]int64, len(t.counts))
		copy(shown, t.counts)
		left := make([]int32, m)
		copy(left, t.cells)
		for i := range replaced { // Fisher and Yates
			bits.Start()
			j := i + int(bits.Below(uint64(m-i)))
			shown[left[j]]--
			left[j] = left[i]
		}
		shown[donor] += int64(replaced)
		return shown, bits.Err()
	}
	return s
}

// cellOfAbout is the cell whose count is closest to n.
func (t *table) cellOfAbout(n float64) int {
	best := 0
	for i, x := range t.counts {
		if math.Abs(float64(x)-n) < math.Abs(float64(t.counts[best])-n) {
			best = i
		}
	}
	return best
}
