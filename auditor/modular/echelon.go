package modular

import "slices"

// An Echelon is linear equations in reduced row echelon form: each row has a first column that no other row has. It says which sums
// follow from others, with what value, which unknowns are determined, and which are independent.
//
// Columns are numbered by the order in which unknowns came to be, so that a column that is split off an existing one goes to the end of
// every row that has the one.
//
// Rank modulo a prime can only be too low, when the prime divides a minor, with probability below 2^-50 for sums that were not made for
// it. What would then be taken as known is made of released answers only, so that nothing leaks; values out of range are noticed.
type Echelon struct {
	rows  []row
	first map[int]int // the row with that first column
}

// A row is an equation.
type row struct {
	terms []Term // columns rise; the first factor is 1
	value uint64
}

// A Term is an unknown of an equation with its factor.
type Term struct {
	Column int
	Factor uint64
}

// NewEchelon has no equations.
func NewEchelon() *Echelon { return &Echelon{first: map[int]int{}} }

// Rows are the left sides of the equations.
func (e *Echelon) Rows() [][]Term {
	rows := make([][]Term, len(e.rows))
	for i := range e.rows {
		rows[i] = e.rows[i].terms
	}
	return rows
}

// Determined reports whether the equations say what an unknown is.
func (e *Echelon) Determined(column int) bool {
	i, ok := e.first[column]
	return ok && len(e.rows[i].terms) == 1
}

// Append takes over the equations of another echelon, which has none of the unknowns of this one.
func (e *Echelon) Append(o *Echelon) {
	for _, r := range o.rows {
		e.first[r.terms[0].Column] = len(e.rows)
		e.rows = append(e.rows, r)
	}
}

// Insert adds an equation. It returns whether it is independent of the others, and else whether it agrees with them.
func (e *Echelon) Insert(terms []Term, value int) (independent, agrees bool) {
	q := e.reduce(row{terms, residue(value)})
	if len(q.terms) == 0 {
		return false, q.value == 0
	}
	q = q.scale(inverse(q.terms[0].Factor))
	pivot := q.terms[0].Column
	for i := range e.rows {
		if f := e.rows[i].at(pivot); f != 0 {
			e.rows[i] = e.rows[i].subtract(f, &q)
		}
	}
	e.first[pivot] = len(e.rows)
	e.rows = append(e.rows, q)
	return true, true
}

// Follows reports whether a sum follows from the others, and its value.
func (e *Echelon) Follows(terms []Term) (int, bool) {
	q := e.reduce(row{terms: terms})
	return -centred(q.value), len(q.terms) == 0
}

// reduce takes combinations of rows off an equation until no first column of a row is left in it: a row is reduced, so that taking it off
// changes nothing at the first columns of others.
func (e *Echelon) reduce(q row) row {
	for _, t := range q.terms {
		if i, ok := e.first[t.Column]; ok {
			q = q.subtract(t.Factor, &e.rows[i])
		}
	}
	return q
}

// Double gives a new column what another has, in every row.
func (e *Echelon) Double(column, added int) {
	for i := range e.rows {
		if f := e.rows[i].at(column); f != 0 {
			e.rows[i].terms = append(e.rows[i].terms[:len(e.rows[i].terms):len(e.rows[i].terms)], Term{added, f})
		}
	}
}

// at is the factor of a column.
func (q *row) at(column int) uint64 {
	i, ok := slices.BinarySearchFunc(q.terms, column, func(t Term, c int) int { return t.Column - c })
	if !ok {
		return 0
	}
	return q.terms[i].Factor
}

func (q row) scale(factor uint64) row {
	scaled := row{make([]Term, len(q.terms)), multiply(q.value, factor)}
	for i, t := range q.terms {
		scaled.terms[i] = Term{t.Column, multiply(t.Factor, factor)}
	}
	return scaled
}

// subtract returns the equation less a multiple of another.
func (q row) subtract(factor uint64, o *row) row {
	factor = Prime - factor
	d := row{make([]Term, 0, len(q.terms)+len(o.terms)), add(q.value, multiply(factor, o.value))}
	i, j := 0, 0
	for i < len(q.terms) || j < len(o.terms) {
		switch {
		case j == len(o.terms) || i < len(q.terms) && q.terms[i].Column < o.terms[j].Column:
			d.terms = append(d.terms, q.terms[i])
			i++
		case i == len(q.terms) || q.terms[i].Column > o.terms[j].Column:
			d.terms = append(d.terms, Term{o.terms[j].Column, multiply(factor, o.terms[j].Factor)})
			j++
		default:
			if f := add(q.terms[i].Factor, multiply(factor, o.terms[j].Factor)); f != 0 {
				d.terms = append(d.terms, Term{q.terms[i].Column, f})
			}
			i, j = i+1, j+1
		}
	}
	return d
}
