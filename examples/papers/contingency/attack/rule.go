package attack

import (
	"fmt"
	"math/bits"
)

// A Rule is suppression that looks at the data, as textbooks have it: cells with few people are sensitive and hidden (primary suppression), and as
// few others as possible are hidden with them so that no sensitive cell follows from what is shown (secondary suppression). The table has two
// ways, and all sums of rows and columns are shown.
type Rule struct {
	Rows, Columns int // Required
	// Threshold: cells with up to so many people are sensitive.
	Threshold int
	// SparesEmpty: cells with nobody are not sensitive. Default: they are.
	SparesEmpty bool
	// Secondary: without it only the sensitive cells are hidden. With it, if several sets of the least size protect them, each is as likely.
	Secondary bool
}

// A Hiding is a set of cells, row by row: bit i for cell i.
type Hiding uint32

// Has says whether a cell is hidden.
func (h Hiding) Has(i int) bool { return h>>i&1 == 1 }

// Cells are the numbers of the cells, from 1 in row-major order as in the paper.
func (h Hiding) Cells() []int {
	var cells []int
	for i := range 32 {
		if h.Has(i) {
			cells = append(cells, i+1)
		}
	}
	return cells
}

// maxRuleCells is how many cells a table may have: the sets of cells are gone through.
const maxRuleCells = 20

func (r Rule) validate() error {
	switch {
	case r.Rows < 1 || r.Columns < 1 || r.Threshold < 0:
		return fmt.Errorf("%w: a rule for %d by %d cells with threshold %d", ErrMalformed, r.Rows, r.Columns, r.Threshold)
	case r.Rows > maxRuleCells || r.Columns > maxRuleCells || r.Rows*r.Columns > maxRuleCells:
		return fmt.Errorf("%w: %d by %d cells; the attack on the rule goes through all sets of up to %d", ErrTooLarge, r.Rows, r.Columns, maxRuleCells)
	}
	return nil
}

func (r Rule) cells() int { return r.Rows * r.Columns }

// Sensitive are the sensitive cells of a table.
func (r Rule) Sensitive(table []int) Hiding {
	var h Hiding
	for i, v := range table {
		if v <= r.Threshold && !(v == 0 && r.SparesEmpty) {
			h |= 1 << i
		}
	}
	return h
}

// Hide are the sets of cells that the rule may hide of a table.
func (r Rule) Hide(table []int) ([]Hiding, error) {
	if err := r.validate(); err != nil {
		return nil, err
	}
	if len(table) != r.cells() {
		return nil, fmt.Errorf("%w: %d values for %d cells", ErrMalformed, len(table), r.cells())
	}
	return r.hide(r.Sensitive(table), positive(table)), nil
}

// positive are the cells with somebody in them.
func positive(table []int) Hiding {
	var h Hiding
	for i, v := range table {
		if v > 0 {
			h |= 1 << i
		}
	}
	return h
}

// hide are the smallest sets that protect sensitive cells. Which do depends on the table only by which cells are positive: see follows.
func (r Rule) hide(sensitive, positive Hiding) []Hiding {
	if !r.Secondary || sensitive == 0 {
		return []Hiding{sensitive}
	}
	var sets []Hiding
	for size := bits.OnesCount32(uint32(sensitive)); size <= r.cells() && len(sets) == 0; size++ {
		for h := Hiding(1)<<size - 1; h < 1<<r.cells(); h = next(h) {
			if h&sensitive == sensitive && r.protects(h, sensitive, positive) {
				sets = append(sets, h)
			}
		}
	}
	return sets
}

// next is the next larger number with as many bits (Gosper).
func next(h Hiding) Hiding {
	lowest := h & -h
	ripple := h + lowest
	return ripple | (h^ripple)/lowest>>2
}

func (r Rule) protects(hidden, sensitive, positive Hiding) bool {
	for i := range r.cells() {
		if sensitive.Has(i) && r.follows(i, hidden, positive) {
			return false
		}
	}
	return true
}

// follows says whether the value of a hidden cell follows from what is shown (exact disclosure, Gusfield's criterion).
//
// It does not if there is another table that would be shown alike and differs in the cell. The difference of the two has no sums: it falls into
// cycles that go along rows and columns in turn, and add and subtract in turn. One of them, taken by itself, changes the cell, and subtracts 1 only
// where the first table is positive. So the cell is free if and only if it is on such a cycle: one that adds to it, or if it is positive
// one that subtracts.
func (r Rule) follows(cell int, hidden, positive Hiding) bool {
	others := hidden &^ (1 << cell)
	row, column := cell/r.Columns, r.Rows+cell%r.Columns
	adds := r.reaches(column, row, others, positive)
	return !adds && !(positive.Has(cell) && r.reaches(row, column, others, positive))
}

// reaches says whether there is a path between nodes, rows first and then columns: from a row to a column along hidden cells, which it adds to,
// and back along those that are positive.
func (r Rule) reaches(from, to int, hidden, positive Hiding) bool {
	reached := uint64(1) << from
	for open := reached; open != 0; {
		node := bits.TrailingZeros64(open)
		if node == to {
			return true
		}
		open &^= 1 << node
		fresh := r.neighbours(node, hidden, positive) &^ reached
		reached |= fresh
		open |= fresh
	}
	return false
}

func (r Rule) neighbours(node int, hidden, positive Hiding) uint64 {
	nodes := uint64(0)
	if node < r.Rows {
		for column := range r.Columns {
			if hidden.Has(node*r.Columns + column) {
				nodes |= 1 << (r.Rows + column)
			}
		}
		return nodes
	}
	for row := range r.Rows {
		if i := row*r.Columns + node - r.Rows; hidden.Has(i) && positive.Has(i) {
			nodes |= 1 << row
		}
	}
	return nodes
}
