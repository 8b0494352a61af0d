package posterior

import (
	"fmt"
	"math"
	"slices"
)

// A spacing is the set of answers that integer counts with the released sums allow, as far as divisibility goes: offset + step Z.
// Overlaps in odd cycles force steps above 1: with the sums of {0,1} and {1,2} known, the sum of {0,2} has their parity.
type spacing struct{ step, offset int }

// nearest is the feasible answer nearest to x.
func (s spacing) nearest(x float64) int {
	return s.offset + s.step*int(math.Round((x-float64(s.offset))/float64(s.step)))
}

// lattice finds the spacing of the question's answers. Totally unimodular sums have every integer.
//
// The columns of the sums, with the question as last row, span the lattice of the vectors that integer counts reach. In its column
// Hermite form B (lower triangular) the answers that go with the same sums differ by multiples of the last pivot, and forward
// substitution of the released sums gives one answer modulo that pivot.
func (c *contrast) lattice() (spacing, error) {
	if c.unimodular {
		return spacing{step: 1}, nil
	}
	h := &hermite{basis: make([][]int64, len(c.rows)+1)}
	for _, column := range c.columns() {
		if h.full() {
			break
		}
		if !h.insert(column) {
			return spacing{}, fmt.Errorf("%w: the lattice of the sums overflows", ErrTooLarge)
		}
	}
	return c.coset(h)
}

// columns are the different columns of the equations of sums and question.
func (c *contrast) columns() [][]int64 {
	rows := append(slices.Clone(c.rows), *c.question)
	columns := make([][]int64, c.space.columns)
	for j := range columns {
		columns[j] = make([]int64, len(rows))
	}
	for i, r := range rows {
		equation, _ := c.equation(r)
		for _, e := range equation {
			columns[e.column][i] = int64(e.coefficient)
		}
	}
	slices.SortFunc(columns, slices.Compare)
	return slices.CompactFunc(columns, slices.Equal)
}

// coset substitutes the released sums.
func (c *contrast) coset(h *hermite) (spacing, error) {
	m := len(c.rows)
	rest := make([]int64, m+1)
	for i, r := range c.rows {
		_, value := c.equation(r)
		rest[i] = int64(value)
	}
	for k := range m {
		if h.basis[k] == nil || rest[k]%h.basis[k][k] != 0 {
			return spacing{}, ErrImpossible
		}
		if !takeAway(rest, rest[k]/h.basis[k][k], h.basis[k]) {
			return spacing{}, fmt.Errorf("%w: the lattice of the sums overflows", ErrTooLarge)
		}
	}
	if h.basis[m] == nil {
		return spacing{}, ErrImpossible
	}
	_, less := c.equation(row{atoms: c.question.atoms, set: c.question.set})
	return spacing{step: int(h.basis[m][m]), offset: -int(rest[m]) - less}, nil
}

// A hermite is a lower triangular basis of a lattice: basis[k] is nil, or 0 before its pivot k, which is positive.
type hermite struct{ basis [][]int64 }

// full says that the lattice has every integer vector.
func (h *hermite) full() bool {
	for k, b := range h.basis {
		if b == nil || b[k] != 1 {
			return false
		}
	}
	return true
}

// insert adds a generator, which it overwrites. It fails on overflow.
func (h *hermite) insert(x []int64) bool {
	for k := range x {
		if x[k] == 0 {
			continue
		}
		b := h.basis[k]
		if b == nil {
			if x[k] < 0 {
				negate(x)
			}
			h.basis[k] = x
			return h.shorten()
		}
		if x[k]%b[k] == 0 {
			if !takeAway(x, x[k]/b[k], b) {
				return false
			}
			continue
		}
		if !euclid(b, x, k) || !h.shorten() {
			return false
		}
	}
	return true
}

// euclid makes b's entry k the greatest common divisor of both and x's 0, by steps that keep the lattice.
func euclid(b, x []int64, k int) bool {
	for x[k] != 0 {
		if !takeAway(b, b[k]/x[k], x) {
			return false
		}
		for i := range b {
			b[i], x[i] = x[i], b[i]
		}
	}
	if b[k] < 0 {
		negate(b)
	}
	return true
}

// shorten brings the entries below pivots between 0 and the pivot of their own row, so that they do not grow.
func (h *hermite) shorten() bool {
	for k, b := range h.basis {
		if b == nil {
			continue
		}
		for j := k + 1; j < len(b); j++ {
			c := h.basis[j]
			if c == nil || b[j] >= 0 && b[j] < c[j] {
				continue
			}
			if !takeAway(b, int64(math.Floor(float64(b[j])/float64(c[j]))), c) {
				return false
			}
		}
	}
	return true
}

func negate(x []int64) {
	for i := range x {
		x[i] = -x[i]
	}
}

// takeAway takes f times y from x, unless it could leave the integers that are exact as float64.
func takeAway(x []int64, f int64, y []int64) bool {
	for i, v := range y {
		if v == 0 {
			continue
		}
		if math.Abs(float64(x[i]))+math.Abs(float64(f))*math.Abs(float64(v)) > 1<<52 {
			return false
		}
		x[i] -= f * v
	}
	return true
}
