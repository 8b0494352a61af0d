package posterior

import (
	"fmt"
	"math/big"
	"sort"

	"tacit/auditor/posterior/internal/linear"
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
	var rows linear.Echelon
	for _, i := range byLength {
		row, rest := links[i].equation(atoms)
		fresh, consistent := rows.Add(row, rest)
		if !consistent {
			return nil, fmt.Errorf("%w: they contradict one another", errImpossible)
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
