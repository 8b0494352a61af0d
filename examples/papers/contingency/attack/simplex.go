package attack

import (
	"errors"
	"math/bits"
)

// A program is a system A x = b, x >= 0, of integers, and a basis of it. It finds the least and largest value of one variable after the
// other, each from the basis where the last one ended.
//
// There is no rounding. The inverse of a basis B is kept as the integers of d B^-1, d being the absolute determinant of B, which are minors of A: for
// tables they are small, and 0, 1 and -1 in two ways. A pivot on a leaves (a d B^-1 - ...)/d, which divides evenly (Edmonds 1967). What does
// not fit into 64 bits ends in ErrTooLarge, never in a wrong value. The caller checks each result against the equations (see
// [Publication.Bounds]), so that nothing depends on the pivots being right.
type program struct {
	columns [][]entry
	rows    int
	inverse [][]int64 // d B^-1
	level   []int64   // d B^-1 b: the basic variables, times d
	d       int64
	basis   []int // of each row; artificial variables are -1-row
	row     []int // of each variable; -1: not basic, and 0
	largest int64 // an upper bound of what is in inverse
	stalled int   // pivots since the last one that moved
	column  []int64
}

// An entry is one coefficient of a column.
type entry struct {
	row  int
	sign int64 // 1 or -1
}

// ErrTooLarge is returned when a table is too large to be attacked exactly.
var ErrTooLarge = errors.New("attack: too large to be solved exactly")

// patience is how many pivots may not move before Bland's rule takes over, which cannot go in circles.
const patience = 50

// newProgram takes columns over rows with the right side b. It turns signs such that b is not negative, and starts at the artificial basis.
// turned says which rows were turned.
func newProgram(columns [][]entry, b []int64) (p *program, turned []bool) {
	p = &program{rows: len(b), d: 1, largest: 1, column: make([]int64, len(b))}
	turned = make([]bool, len(b))
	for i, v := range b {
		turned[i] = v < 0
		p.level = append(p.level, max(v, -v))
		p.basis = append(p.basis, -1-i)
		p.inverse = append(p.inverse, make([]int64, len(b)))
		p.inverse[i][i] = 1
	}
	for _, column := range columns {
		own := append([]entry(nil), column...)
		for k, e := range own {
			if turned[e.row] {
				own[k].sign = -e.sign
			}
		}
		p.columns = append(p.columns, own)
		p.row = append(p.row, -1)
	}
	return p, turned
}

// dot is a row of multipliers, times a column.
func dot(y []int64, column []entry) int64 {
	sum := int64(0)
	for _, e := range column {
		sum += e.sign * y[e.row]
	}
	return sum
}

// start finds a basis with x >= 0: it brings one artificial variable after the other down to 0, where it stays. If one cannot be brought down it returns its
// row of the inverse: multipliers y with y A <= 0 and y b > 0, which show that there is no solution.
func (p *program) start() (y []int64, err error) {
	for row := 0; row < p.rows; {
		if p.basis[row] >= 0 || p.level[row] == 0 {
			row++
			continue
		}
		enter := p.price(p.inverse[row])
		if enter < 0 {
			return append([]int64(nil), p.inverse[row]...), nil
		}
		p.expand(enter)
		if err := p.pivot(enter, p.leaving()); err != nil {
			return nil, err
		}
		// Artificial variables of rows before this one are 0 still.
	}
	return nil, p.dropArtificials()
}

// leaving is the row that leaves when the variable of p.column grows and no artificial variable that is 0 may: its row is pivoted on whatever
// the sign, at level 0.
func (p *program) leaving() int {
	for i, variable := range p.basis {
		if variable < 0 && p.level[i] == 0 && p.column[i] < 0 {
			return i
		}
	}
	return p.ratio()
}

// dropArtificials takes artificial variables, which are 0 by now, out of the basis. One that no variable can replace stands in a row that
// follows from others; it is 0 for ever.
func (p *program) dropArtificials() error {
	for i := range p.basis {
		if p.basis[i] >= 0 {
			continue
		}
		for enter, column := range p.columns {
			if p.row[enter] < 0 && dot(p.inverse[i], column) != 0 {
				p.expand(enter)
				if err := p.pivot(enter, i); err != nil {
					return err
				}
				break
			}
		}
	}
	p.stalled = 0
	return nil
}

// price is the variable outside of the basis with the largest y A, or after a long stall the first with a positive one; -1: there is none.
func (p *program) price(y []int64) int {
	enter, best := -1, int64(0)
	for q, column := range p.columns {
		if p.row[q] >= 0 {
			continue
		}
		if gain := dot(y, column); gain > best {
			if enter, best = q, gain; p.stalled > patience {
				break
			}
		}
	}
	return enter
}

// expand puts d B^-1 A of a variable into p.column.
func (p *program) expand(variable int) {
	for i, inverse := range p.inverse {
		p.column[i] = dot(inverse, p.columns[variable])
	}
}

// ratio is the row that leaves when the variable of p.column grows, or -1 if nothing stops it. Among equals the first variable leaves, as
// Bland's rule wants.
func (p *program) ratio() int {
	leave := -1
	for i, a := range p.column {
		if a <= 0 {
			continue
		}
		if leave < 0 {
			leave = i
			continue
		}
		less := compareProducts(p.level[i], p.column[leave], p.level[leave], a)
		if less < 0 || less == 0 && p.basis[i] < p.basis[leave] {
			leave = i
		}
	}
	return leave
}

// compareProducts compares a b with c d, none of which is negative.
func compareProducts(a, b, c, d int64) int {
	high, low := bits.Mul64(uint64(a), uint64(b))
	high2, low2 := bits.Mul64(uint64(c), uint64(d))
	switch {
	case high < high2 || high == high2 && low < low2:
		return -1
	case high == high2 && low == low2:
		return 0
	}
	return 1
}

// pivot exchanges the variable of p.column for the one of a row.
func (p *program) pivot(enter, leave int) error {
	if err := p.room(); err != nil {
		return err
	}
	a := p.column[leave]
	if p.stalled++; p.level[leave] != 0 {
		p.stalled = 0
	}
	pivotRow, pivotLevel := p.inverse[leave], p.level[leave]
	if a != p.d {
		p.largest = largest(pivotRow) // all other rows are made anew
	}
	for i, x := range p.column {
		if i != leave && (x != 0 || a != p.d) {
			p.eliminate(p.inverse[i], pivotRow, a, x)
			p.level[i] = (a*p.level[i] - x*pivotLevel) / p.d
			p.largest = max(p.largest, largest(p.inverse[i]))
		}
	}
	if a < 0 { // the pivot's level is 0 then, and d is to be positive
		for i, row := range p.inverse {
			negate(row)
			p.level[i] = -p.level[i]
		}
		a = -a
	}
	if old := p.basis[leave]; old >= 0 {
		p.row[old] = -1
	}
	p.basis[leave], p.row[enter], p.d = enter, leave, a
	return nil
}

func negate(row []int64) {
	for j, v := range row {
		row[j] = -v
	}
}

// eliminate is the new row (a row - x pivotRow)/d.
func (p *program) eliminate(row, pivotRow []int64, a, x int64) {
	if p.d == 1 && a == 1 {
		for j, v := range pivotRow {
			row[j] -= x * v
		}
		return
	}
	for j, v := range pivotRow {
		row[j] = (a*row[j] - x*v) / p.d
	}
}

// room says whether a pivot stays within 64 bits: products below 2^61, so that their differences do, and entries below 2^40, so that sums of
// a row's or a column's do.
func (p *program) room() error {
	const mostProduct, mostEntry = 1 << 61, 1 << 40
	column := largest(p.column)
	if high, low := bits.Mul64(uint64(column), uint64(max(p.largest, largest(p.level)))); high > 0 || low > mostProduct || p.largest > mostEntry {
		return ErrTooLarge
	}
	return nil
}

// largest is the largest absolute value, at least 1.
func largest(row []int64) int64 {
	most := int64(1)
	for _, v := range row {
		most = max(most, v, -v)
	}
	return most
}
