package linear

import "math/big"

// An Echelon holds independent equations, each with a pivot that it alone of the later ones may have.
type Echelon struct {
	pivots []int
	rows   []map[int]*big.Rat
	rests  []*big.Rat
}

// Add reduces an equation by those held and holds what is left. It is fresh if something is, and consistent unless it reads 0 = 1.
func (e *Echelon) Add(row map[int]*big.Rat, rest *big.Rat) (fresh, consistent bool) {
	for i, pivot := range e.pivots {
		factor, has := row[pivot]
		if !has {
			continue
		}
		factor = new(big.Rat).Quo(factor, e.rows[i][pivot])
		for column, c := range e.rows[i] {
			subtract(row, column, new(big.Rat).Mul(factor, c))
		}
		rest.Sub(rest, new(big.Rat).Mul(factor, e.rests[i]))
	}
	if len(row) == 0 {
		return false, rest.Sign() == 0
	}
	pivot := -1
	for column := range row {
		if pivot < 0 || column < pivot {
			pivot = column
		}
	}
	e.pivots, e.rows, e.rests = append(e.pivots, pivot), append(e.rows, row), append(e.rests, rest)
	return true, true
}

func subtract(row map[int]*big.Rat, column int, c *big.Rat) {
	old, has := row[column]
	if !has {
		old = new(big.Rat)
	}
	if d := new(big.Rat).Sub(old, c); d.Sign() == 0 {
		delete(row, column)
	} else {
		row[column] = d
	}
}
