package posterior

import (
	"fmt"
	"math"
	"slices"

	"tacit/auditor/posterior/internal/linear"
)

// A spacing is the set of answers that integer counts with the released sums allow, as far as divisibility goes: offset + step Z.
// Overlaps in odd cycles force steps above 1: with the sums of {0,1} and {1,2} known, the sum of {0,2} has their parity.
type spacing struct{ step, offset int }

// nearest is the feasible answer nearest to x.
func (s spacing) nearest(x float64) int {
	return s.offset + s.step*int(math.Round((x-float64(s.offset))/float64(s.step)))
}

// spacing finds the spacing of the question's answers. Totally unimodular sums have every integer.
//
// The columns of the sums, with the question as last row, span the lattice of the vectors that integer counts reach. In its column
// Hermite form B (lower triangular) the answers that go with the same sums differ by multiples of the last pivot, and forward
// substitution of the released sums gives one answer modulo that pivot.
func (l *linked) spacing(unimodular bool) (spacing, error) {
	if unimodular {
		return spacing{step: 1}, nil
	}
	h := linear.NewHermite(len(l.rows) + 1)
	for _, column := range l.columns() {
		if h.Full() {
			break
		}
		if !h.Insert(column) {
			return spacing{}, fmt.Errorf("%w: the lattice of the sums overflows", ErrTooLarge)
		}
	}
	return l.coset(h)
}

// columns are the different columns of the equations of sums and question.
func (l *linked) columns() [][]int64 {
	rows := append(slices.Clone(l.rows), *l.question)
	columns := make([][]int64, l.space.Columns)
	for j := range columns {
		columns[j] = make([]int64, len(rows))
	}
	for i, r := range rows {
		equation, _ := l.equation(r)
		for _, e := range equation {
			columns[e.Column][i] = int64(e.Coefficient)
		}
	}
	slices.SortFunc(columns, slices.Compare)
	return slices.CompactFunc(columns, slices.Equal)
}

// coset substitutes the released sums.
func (l *linked) coset(h *linear.Hermite) (spacing, error) {
	m := len(l.rows)
	rest := make([]int64, m+1)
	for i, r := range l.rows {
		_, value := l.equation(r)
		rest[i] = int64(value)
	}
	for k := range m {
		if h.Basis[k] == nil || rest[k]%h.Basis[k][k] != 0 {
			return spacing{}, errImpossible
		}
		if !linear.TakeAway(rest, rest[k]/h.Basis[k][k], h.Basis[k]) {
			return spacing{}, fmt.Errorf("%w: the lattice of the sums overflows", ErrTooLarge)
		}
	}
	if h.Basis[m] == nil {
		return spacing{}, errImpossible
	}
	_, less := l.equation(row{atoms: l.question.atoms, set: l.question.set})
	return spacing{step: int(h.Basis[m][m]), offset: -int(rest[m]) - less}, nil
}
