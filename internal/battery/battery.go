package battery

import (
	"io"
	"math"
	"math/rand/v2"
	"sort"
)

// FalseFailure is the probability with which one verdict may be wrong about a right implementation: a package with a hundred of
// them fails with probability 1e-6 or less.
const FalseFailure = 1e-8

// Seeded is a deterministic stream of uniform bytes.
func Seeded(seed byte) io.Reader { return rand.NewChaCha8([32]byte{0: seed}) }

// A Distribution over the integers, in floating point.
type Distribution struct {
	PMF   func(z int64) float64 // P(Z = z)
	Upper func(k int64) float64 // P(Z >= k)
}

// leastExpected is the number of draws that a bin has to be expected to hold for Pearson's statistic to be close to chi-squared.
const leastExpected = 50

// edges are the bins of n draws: one below edges[0], one from each edge up to the next, and one from the last edge. Each expects
// leastExpected draws or more; those that are not tails are as narrow as that allows.
func (d Distribution) edges(n int) []int64 {
	enough := leastExpected / float64(n)
	const limit = 1 << 50
	first := int64(sort.Search(2*limit, func(i int) bool { return 1-d.Upper(int64(i)-limit) >= enough })) - limit
	var edges []int64
	for k := first; d.Upper(k) >= enough; {
		edges = append(edges, k)
		inside := 0.0
		for ; inside < enough && d.Upper(k) >= enough; k++ {
			inside += d.PMF(k)
		}
	}
	return edges
}

// ChiSquared is Pearson's statistic of draws, and its degrees of freedom. They may come from d if it is below Limit(freedom).
// A distribution with a single bin has no freedom, and a statistic of 0.
func ChiSquared(d Distribution, draws []int64) (statistic float64, freedom int) {
	edges := d.edges(len(draws))
	observed := make([]float64, len(edges)+1)
	for _, z := range draws {
		observed[sort.Search(len(edges), func(i int) bool { return z < edges[i] })]++
	}
	below := 1.0 // P(Z >= the bin's lower edge)
	for i, o := range observed {
		above := 0.0
		if i < len(edges) {
			above = d.Upper(edges[i])
		}
		expected := float64(len(draws)) * (below - above)
		if i > 0 && i < len(edges) {
			// The same without cancellation, and a check of the two functions on one another.
			expected = 0
			for k := edges[i-1]; k < edges[i]; k++ {
				expected += float64(len(draws)) * d.PMF(k)
			}
		}
		statistic += (o - expected) * (o - expected) / expected
		below = above
	}
	return statistic, len(observed) - 1
}

// Limit is exceeded by a chi-squared variable with that many degrees of freedom with probability at most FalseFailure: the
// smallest x with the Chernoff bound exp(-(x - k - k ln(x/k))/2) <= FalseFailure. It is 0 for no freedom.
func Limit(freedom int) float64 {
	if freedom == 0 {
		return 0
	}
	k := float64(freedom)
	low, high := k, k+1000*math.Sqrt(k)+1000
	for high-low > 1e-6 {
		x := (low + high) / 2
		if (x-k-k*math.Log(x/k))/2 >= -math.Log(FalseFailure) {
			high = x
		} else {
			low = x
		}
	}
	return high
}

// Hoeffding is the distance from its expectation that the mean of n independent variables in [0, 1] exceeds with probability at
// most FalseFailure: 2 exp(-2 n x^2) = FalseFailure.
func Hoeffding(n int) float64 {
	return math.Sqrt(math.Log(2/FalseFailure) / (2 * float64(n)))
}
