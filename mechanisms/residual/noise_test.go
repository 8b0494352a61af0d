package residual

import (
	"math"
	"math/big"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
)

// TestNoiseInTwoParts compares the sum of two discrete Gaussians, by enumeration, with one.
func TestNoiseInTwoParts(t *testing.T) {
	for _, step := range []int64{2, 3, 8} {
		fine, coarse := discreteOf(float64(fineness*step*step)), discreteOf(fineness+1.25)
		both := discreteOf(fine.variance + float64(step*step)*coarse.variance)
		for w := int64(0); w < 3*int64(math.Sqrt(both.variance)); w++ {
			sum := 0.0
			for y := -coarse.reach(); y <= coarse.reach(); y++ {
				sum += coarse.probability(y) * fine.probability(w-step*y)
			}
			requireNear(t, "the ratio of probabilities", sum/both.probability(w), 1, 1e-12)
		}
	}
}

// TestLargeNoise draws noise of variances beyond those of the sampler. What is drawn is sorted into bins that are a sixteenth of a standard deviation
// wide. Each verdict is wrong about a right implementation with probability battery.FalseFailure, 1e-8; there are 3.
func TestLargeNoise(t *testing.T) {
	for i, exponent := range []uint{40, 45, 70} {
		variance := new(big.Int).Lsh(big.NewInt(3), exponent)
		bits := sampling.NewBits(seeded(byte(20 + i)))
		n, err := newNoise(bits, new(big.Rat).SetInt(variance))
		if err != nil {
			t.Fatal(err)
		}
		if n.coarse == nil || n.variance.Cmp(new(big.Rat).SetInt(variance)) < 0 || n.float() > 1.0001*math.Ldexp(3, int(exponent)) {
			t.Errorf("3 2^%d: a variance of %v", exponent, n.float())
		}
		sigma := math.Sqrt(n.float())
		bin := int64(sigma / 16)
		draws := make([]int64, 30_000)
		for j := range draws {
			draws[j] = int64(math.Floor(float64(n.draw(bits)) / float64(bin)))
		}
		upper := func(k int64) float64 { return math.Erfc((float64(k)*float64(bin)-0.5)/(sigma*math.Sqrt2)) / 2 }
		d := battery.Distribution{PMF: func(k int64) float64 { return upper(k) - upper(k+1) }, Upper: upper}
		if statistic, freedom := battery.ChiSquared(d, draws); statistic > battery.Limit(freedom) || bits.Err() != nil {
			t.Errorf("3 2^%d: chi-squared is %v with %d degrees of freedom; %v", exponent, statistic, freedom, bits.Err())
		}
	}
	if _, err := newNoise(sampling.NewBits(seeded(1)), new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 80))); err == nil {
		t.Error("a variance of 2^80: not refused")
	}
}
