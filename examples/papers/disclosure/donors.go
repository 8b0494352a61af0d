package disclosure

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"

	"tacit/mechanisms"
)

// expectDonors are the exact moments of donorSwapping. Rows draw independently, so that a cell's mean and variance are sums over the rows of its
// block: one of cell c keeps its race with probability 1-rate, and has race r with probability rate P(donor has r | c) else.
func (t *table) expectDonors(epsilon, rate float64) []mechanisms.Expectation {
	expect := make([]mechanisms.Expectation, len(t.counts))
	for i, n := range t.counts {
		expect[i].Bias = -float64(n)
	}
	for _, block := range t.blocks {
		for _, from := range block {
			if t.counts[from] == 0 {
				continue
			}
			chances := t.racesOfDonors(from, epsilon)
			for r, to := range block {
				p := rate * chances[r]
				if to == from {
					p += 1 - rate
				}
				n := float64(t.counts[from])
				expect[to].Bias += n * p
				expect[to].Variance += n * p * (1 - p)
			}
		}
	}
	return expect
}

// racesOfDonors are the probabilities of the races that a row of a cell gets from a donor drawn by permute-and-flip among all other rows. Blocks
// list their cells by race.
//
// The coin of a donor at distance d falls right with probability p(d) = exp(-epsilon (d - dmin)/(2 Delta)), Delta being the number of
// columns. Let each row arrive at a time that is uniform in [0, 1]: a row is taken if it arrives at t, its coin falls right, and no other
// row with a right coin came before. So with n(d) rows at distance d, each of those at distance j is taken with probability
//
//	p(j) times the integral over t of the product over d of (1 - p(d) t)^n(d), over 1 - p(j) t.
func (t *table) racesOfDonors(from int, epsilon float64) []float64 {
	domain := t.histogram.Domain
	at := t.position(race)
	races := len(domain[at].Levels)
	near := make([][]float64, len(domain)+1) // rows by distance and race
	for d := range near {
		near[d] = make([]float64, races)
	}
	own := t.levels(from)
	for cell, n := range t.counts {
		if cell == from {
			n-- // the row is not its own donor
		}
		if n == 0 {
			continue
		}
		levels := t.levels(cell)
		near[differing(own, levels)][levels[at]] += float64(n)
	}
	taken := permuteAndFlip(near, epsilon/(2*float64(len(domain))))
	chances := make([]float64, races)
	for d, p := range taken {
		for r, n := range near[d] {
			chances[r] += n * p
		}
	}
	return chances
}

// permuteAndFlip is the probability of each row, by its distance, given how many rows there are at each; rate is epsilon/(2 Delta).
func permuteAndFlip(near [][]float64, rate float64) []float64 {
	counts := make([]float64, len(near))
	least := -1
	for d, rows := range near {
		for _, n := range rows {
			counts[d] += n
		}
		if counts[d] > 0 && least < 0 {
			least = d
		}
	}
	coins := make([]float64, len(near))
	var flips float64 // expected number of right coins: arrivals end after about its inverse
	for d := max(least, 0); d < len(near); d++ {
		coins[d] = math.Exp(-rate * float64(d-least))
		flips += counts[d] * coins[d]
	}
	taken := make([]float64, len(near))
	for d := range near {
		if counts[d] > 0 {
			taken[d] = coins[d] * integral(func(t float64) float64 {
				log := -math.Log1p(-coins[d] * t)
				for other, n := range counts {
					if n > 0 {
						log += n * math.Log1p(-coins[other]*t)
					}
				}
				return math.Exp(log)
			}, 1/flips)
		}
	}
	return taken
}

// integral is that of a function over [0, 1] that falls off on a scale: by Gauss and Legendre's rule on intervals that double from the scale on.
func integral(f func(t float64) float64, scale float64) float64 {
	const points = 16
	var sum float64
	for low, high := 0.0, min(1, scale); low < 1; low, high = high, min(1, 2*high) {
		sum += quad.Fixed(f, low, high, points, quad.Legendre{}, 0)
	}
	return sum
}

// differing is the number of features in which two cells differ.
func differing(a, b []int) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
