package posterior

import (
	"fmt"
	"math/big"
	"sort"
)

// independent drops the released sums that follow from others, those that would stay open longest: each one dropped is an axis less of
// the partial sums. A redundant sum that contradicts the others has no data set.
func independent(atoms []Atom, links []link, order []int) ([]link, error) {
	length := func(i int) int {
		first, last := links[i].span(order)
		return last - first
	}
	byLength := make([]int, 0, len(links))
	for i := range links {
		if !links[i].question {
			byLength = append(byLength, i)
		}
	}
	sort.SliceStable(byLength, func(a, b int) bool { return length(byLength[a]) < length(byLength[b]) })
	keep := make([]bool, len(links))
	var rows echelon
	for _, i := range byLength {
		row, rest := links[i].equation(atoms)
		fresh, consistent := rows.add(row, rest)
		if !consistent {
			return nil, fmt.Errorf("%w: they contradict one another", ErrImpossible)
		}
		keep[i] = fresh
	}
	var kept []link
	for i := range links {
		if keep[i] || links[i].question {
			kept = append(kept, links[i])
		}
	}
	return kept, nil
}

// equation is the sum as a linear equation in the numbers of people of each atom with each value but the first, whose number follows from
// the atom's size.
func (l *link) equation(atoms []Atom) (map[int]*big.Rat, *big.Rat) {
	row, rest := map[int]*big.Rat{}, big.NewRat(int64(l.low), 1)
	for atom, values := range l.values {
		base := int64(0)
		if values.Has(0) {
			base = 1
		}
		rest.Sub(rest, big.NewRat(base*int64(atoms[atom].People), 1))
		for value := 1; value < len(atoms[atom].Prior); value++ {
			coefficient := -base
			if values.Has(value) {
				coefficient++
			}
			if coefficient != 0 {
				row[atom*MaxValues+value] = big.NewRat(coefficient, 1)
			}
		}
	}
	return row, rest
}

// An echelon holds independent equations, each with a pivot that it alone of the later ones may have.
type echelon struct {
	pivots []int
	rows   []map[int]*big.Rat
	rests  []*big.Rat
}

// add reduces an equation by those held and holds what is left. It is fresh if something is, and consistent unless it reads 0 = 1.
func (e *echelon) add(row map[int]*big.Rat, rest *big.Rat) (fresh, consistent bool) {
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
