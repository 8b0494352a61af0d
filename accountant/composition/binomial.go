package composition

import "math"

// maxCopies bounds the arrays of a binomial distribution: those of 2^32 copies have a million entries.
const maxCopies = 1 << 32

// negligible is the smallest probability, relative to the largest, of what is tabulated: far below a delta of 1e-18.
const negligible = 1e-40

// responses is the loss of k copies of randomized response with a pure epsilon of r, exactly: (2j-k) r, where j, the number of true
// responses, is binomial with p = exp(r)/(1+exp(r)) under P (Kairouz, Oh and Viswanath 2015, Theorem 3.3). k is 1 to maxCopies.
//
// Probabilities are taken from their ratios, starting from the largest, and normalised.
func responses(r float64, k int64) lattice {
	n, odds := float64(k), math.Exp(r) // p/(1-p)
	mode := min(n, math.Floor((n+1)/(1+math.Exp(-r))))
	var above, below []float64
	for p, j := 1.0, mode; p > negligible; j++ {
		above = append(above, p)
		p *= (n - j) / (j + 1) * odds
	}
	for p, j := mode/(n-mode+1)/odds, mode-1; p > negligible; j-- {
		below = append(below, p)
		p *= j / (n - j + 1) / odds
	}
	d := lattice{low: (2*(mode-float64(len(below))) - n) * r, step: 2 * r, mass: make([]float64, 0, len(above)+len(below))}
	for i := len(below) - 1; i >= 0; i-- {
		d.mass = append(d.mass, below[i])
	}
	d.mass = append(d.mass, above...)
	var sum float64
	for _, p := range d.mass {
		sum += p
	}
	for i := range d.mass {
		d.mass[i] /= sum
	}
	// Ratios fall from the mode on, so that what is left out on either side is less than so many times the last probability.
	d.lost = negligible * n
	d.margin = 16 * (1 + r) * float64(len(d.mass)) * 0x1p-53 // r is rounded, too
	return d
}
