package suppressor

import "math"

// Beliefs computes what the attacker believes: for each group of each cell, the probability that one of its people has the private
// attribute, given what is released.
type Beliefs interface {
	Posterior(Released) ([][]float64, error)
}

// tie lets a posterior be on the limit in spite of rounding.
const tie = 1e-9

// Safe is Algorithm 1: no person's posterior probability of any value is off her prior by more than the factor 1+-epsilon. It looks at
// everybody in the table, whether or not the sums concern her. People of one group believe the same, so that one of each is looked at.
func (t Table) Safe(epsilon float64, posterior [][]float64) bool {
	for i, cell := range t.Cells {
		for k, g := range cell {
			for _, x := range [][2]float64{{g.Prior, posterior[i][k]}, {1 - g.Prior, 1 - posterior[i][k]}} {
				prior, now := x[0], x[1]
				if g.People > 0 && prior > 0 && math.Abs(1-now/prior) > epsilon*(1+tie) {
					return false
				}
			}
		}
	}
	return true
}
