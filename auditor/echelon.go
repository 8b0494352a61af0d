package auditor

import (
	"slices"

	"tacit/auditor/modular"
)

// An echelon is linked sums as equations in reduced row echelon form modulo the prime 2^61-1: each row has a first column that no other
// row has. It says which sums follow from others, with what value, which unknowns are determined, and which are independent.
//
// Columns are numbered by the order in which unknowns came to be, so that a column that is split off an existing one goes to the end of
// every row that has the one.
//
// Rank modulo a prime can only be too low, when the prime divides a minor, with probability below 2^-50 for sums that were not made for
// it. What would then be taken as known is made of released answers only, so that nothing leaks; values out of range are noticed.
type echelon struct {
	rows  []equation
	first map[int]int // the row with that first column
}

// An equation has rising columns, with 1 in the first.
type equation struct {
	terms []term
	value uint64
}

type term struct {
	column int
	factor uint64
}

func newEchelon() *echelon { return &echelon{first: map[int]int{}} }

// insert adds an equation. It returns whether it is independent of the others, and else whether it agrees with them.
func (e *echelon) insert(terms []term, value int) (independent, agrees bool) {
	q := e.reduce(equation{terms, modular.Residue(value)})
	if len(q.terms) == 0 {
		return false, q.value == 0
	}
	q = q.scale(modular.Inverse(q.terms[0].factor))
	pivot := q.terms[0].column
	for i := range e.rows {
		if f := e.rows[i].at(pivot); f != 0 {
			e.rows[i] = e.rows[i].subtract(f, &q)
		}
	}
	e.first[pivot] = len(e.rows)
	e.rows = append(e.rows, q)
	return true, true
}

// follows says whether a sum follows from the others, and its value.
func (e *echelon) follows(terms []term) (int, bool) {
	q := e.reduce(equation{terms: terms})
	return -modular.Centred(q.value), len(q.terms) == 0
}

// reduce takes combinations of rows off an equation until no first column of a row is left in it: a row is reduced, so that taking it off
// changes nothing at the first columns of others.
func (e *echelon) reduce(q equation) equation {
	for _, t := range q.terms {
		if i, ok := e.first[t.column]; ok {
			q = q.subtract(t.factor, &e.rows[i])
		}
	}
	return q
}

// double gives a new column what another has, in every row.
func (e *echelon) double(column, added int) {
	for i := range e.rows {
		if f := e.rows[i].at(column); f != 0 {
			e.rows[i].terms = append(e.rows[i].terms[:len(e.rows[i].terms):len(e.rows[i].terms)], term{added, f})
		}
	}
}

// at is the factor of a column.
func (q *equation) at(column int) uint64 {
	i, ok := slices.BinarySearchFunc(q.terms, column, func(t term, c int) int { return t.column - c })
	if !ok {
		return 0
	}
	return q.terms[i].factor
}

func (q equation) scale(factor uint64) equation {
	scaled := equation{make([]term, len(q.terms)), modular.Multiply(q.value, factor)}
	for i, t := range q.terms {
		scaled.terms[i] = term{t.column, modular.Multiply(t.factor, factor)}
	}
	return scaled
}

// subtract returns the equation less a multiple of another.
func (q equation) subtract(factor uint64, o *equation) equation {
	factor = modular.Prime - factor
	d := equation{make([]term, 0, len(q.terms)+len(o.terms)), modular.Add(q.value, modular.Multiply(factor, o.value))}
	i, j := 0, 0
	for i < len(q.terms) || j < len(o.terms) {
		switch {
		case j == len(o.terms) || i < len(q.terms) && q.terms[i].column < o.terms[j].column:
			d.terms = append(d.terms, q.terms[i])
			i++
		case i == len(q.terms) || q.terms[i].column > o.terms[j].column:
			d.terms = append(d.terms, term{o.terms[j].column, modular.Multiply(factor, o.terms[j].factor)})
			j++
		default:
			if f := modular.Add(q.terms[i].factor, modular.Multiply(factor, o.terms[j].factor)); f != 0 {
				d.terms = append(d.terms, term{q.terms[i].column, f})
			}
			i, j = i+1, j+1
		}
	}
	return d
}
