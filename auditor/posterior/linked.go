package posterior

import (
	"tacit/auditor/modular"
	"tacit/auditor/posterior/internal/linear"
)

// linked is a set of atoms that sums tie together, without constants and without sums that follow from others.
type linked struct {
	*known
	atoms    []int32 // indexes into System.Atoms
	place    []int32 // the inverse, or -1
	rows     []row   // with places for atoms; independent
	dropped  []row   // those that follow from rows
	column   []int32 // by atom: its first unknown in the row space
	space    *modular.RowSpace
	question *row // the question, if it was part of what linked the atoms
}

// atomsOf are the sets of atoms that rows are over.
func atomsOf(rows []row) [][]int32 {
	sets := make([][]int32, len(rows))
	for i := range rows {
		sets[i] = rows[i].atoms
	}
	return sets
}

// sumRows are the released sums over atoms that vary.
func (k *known) sumRows() []row {
	rows := make([]row, 0, len(k.Sums))
	for i := range k.Sums {
		r, constant := k.row(k.Sums[i].Set)
		r.value = k.Sums[i].Value - constant
		if len(r.atoms) > 0 {
			rows = append(rows, k.upright(r))
		}
	}
	return rows
}

// upright counts value 1 where a row of a Boolean attribute counts value 0.
func (k *known) upright(r row) row {
	if r.set == 1 && len(k.Atoms[0].Prior) == 2 {
		r.set, r.value = True, k.people(r)-r.value
	}
	return r
}

// touched is what a question's atoms are linked with.
func (k *known) touched(question row) (*linked, error) {
	rows := k.sumRows()
	component := linear.Components(len(k.Atoms), atomsOf(rows))
	in := make([]bool, len(k.Atoms))
	for _, a := range question.atoms {
		in[component[a]] = true
	}
	l := &linked{known: k}
	l.take(func(a int) bool { return in[component[a]] })
	for _, r := range rows {
		if in[component[r.atoms[0]]] {
			l.rows = append(l.rows, l.local(r))
		}
	}
	q := l.local(question)
	l.question = &q
	return l, l.reduce()
}

// pieces are all sets of atoms that the released sums link; an atom in no sum is in none.
func (k *known) pieces() ([]*linked, error) {
	rows := k.sumRows()
	component := linear.Components(len(k.Atoms), atomsOf(rows))
	index := make(map[int32]*linked)
	var pieces []*linked
	for _, r := range rows {
		c := component[r.atoms[0]]
		if index[c] == nil {
			index[c] = &linked{known: k, place: make([]int32, 0)}
			pieces = append(pieces, index[c])
		}
		index[c].rows = append(index[c].rows, r)
	}
	for a := range k.Atoms {
		if l := index[component[a]]; l != nil {
			l.atoms = append(l.atoms, int32(a))
		}
	}
	place := make([]int32, len(k.Atoms))
	for _, l := range pieces {
		for i, a := range l.atoms {
			place[a] = int32(i)
		}
		l.place = place
		for i := range l.rows {
			l.rows[i] = l.local(l.rows[i])
		}
		if err := l.reduce(); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// take selects the atoms.
func (l *linked) take(in func(a int) bool) {
	l.place = make([]int32, len(l.Atoms))
	for a := range l.Atoms {
		l.place[a] = -1
		if in(a) {
			l.place[a] = int32(len(l.atoms))
			l.atoms = append(l.atoms, int32(a))
		}
	}
}

// local gives a row places for atoms.
func (l *linked) local(r row) row {
	atoms := make([]int32, len(r.atoms))
	for i, a := range r.atoms {
		atoms[i] = l.place[a]
	}
	return row{atoms: atoms, set: r.set, value: r.value}
}

// reduce drops the rows that follow from earlier ones.
func (l *linked) reduce() error {
	if len(l.atoms) > maxAtoms {
		return ErrTooLarge
	}
	l.column = make([]int32, len(l.atoms))
	columns := 0
	for i, a := range l.atoms {
		l.column[i] = int32(columns)
		columns += l.unknowns(a)
	}
	l.space = modular.NewRowSpace(columns)
	rows := l.rows
	l.rows = nil
	for _, r := range rows {
		equation, value := l.equation(r)
		independent, residue := l.space.Insert(equation, value)
		switch {
		case independent:
			l.rows = append(l.rows, r)
		case residue != 0:
			return errImpossible
		default:
			l.dropped = append(l.dropped, r)
		}
		if len(l.rows) > maxSums {
			return ErrTooLarge
		}
	}
	return nil
}

// unknowns is the dimension of the counts of an atom: they add up to its people.
func (l *linked) unknowns(a int32) int {
	n := -1
	for s := l.support[a]; s != 0; s &= s - 1 {
		n++
	}
	return n
}

// equation is the row over the counts of all values but the least possible one of each atom, whose count the others fix.
func (l *linked) equation(r row) ([]modular.Entry, int) {
	equation, value := make([]modular.Entry, 0, len(r.atoms)), r.value
	for _, i := range r.atoms {
		base := -1
		column := l.column[i]
		for v := range len(l.Atoms[l.atoms[i]].Prior) {
			switch {
			case !l.support[l.atoms[i]].Has(v):
			case base < 0:
				base = 0
				if r.set.Has(v) {
					base = 1
					value -= l.Atoms[l.atoms[i]].People
				}
			default:
				c := -base
				if r.set.Has(v) {
					c++
				}
				if c != 0 {
					equation = append(equation, modular.Entry{Column: column, Coefficient: c})
				}
				column++
			}
		}
	}
	return equation, value
}

// determined reports whether a local row follows from the released sums, and its value then.
func (l *linked) determined(r row) (int, bool) {
	equation, offset := l.equation(row{atoms: r.atoms, set: r.set})
	value, ok := l.space.Follows(equation)
	return value - offset, ok
}

// Limits of what the saddlepoint engine takes on: a dense factor of 300 sums takes milliseconds, and a decision about twenty.
const (
	maxSums  = 300
	maxAtoms = 20000
)
