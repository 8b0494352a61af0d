package fourier

import "math"

// A program is the simplex method on a dictionary: every basic variable is a constant plus a combination of the others, which are 0. Variables are
// the cells w, then t, then two slacks of each coefficient, t - noisy + sum and t + noisy - sum; all are at least 0.
//
// It starts with all cells 0, where t is the largest noisy coefficient. Noise makes ties improbable, so that nearly every pivot lowers t.
type program struct {
	rows    [][]float64 // of each basic variable: coefficients of the columns' variables, and last the constant
	basis   []int       // of each row
	columns []int       // of each column
	t       int         // the row of t
}

// tiny is what counts as 0 among coefficients, which are 1 and -1 at first.
const tiny = 1e-9

func newProgram(m *Mechanism, noisy []int64) *program {
	n, p := len(m.codes), &program{}
	for a := range n + 1 {
		p.columns = append(p.columns, a)
	}
	for i, b := range m.coefficients {
		over, under := make([]float64, n+2), make([]float64, n+2)
		for a, code := range m.codes {
			over[a] = 1
			if odd(code, b) {
				over[a] = -1
			}
			under[a] = -over[a]
		}
		over[n], under[n] = 1, 1
		over[n+1], under[n+1] = -float64(noisy[i]), float64(noisy[i])
		p.rows = append(p.rows, over, under)
		p.basis = append(p.basis, n+1+2*i, n+2+2*i)
	}
	for i, row := range p.rows {
		if row[n+1] < p.rows[p.t][n+1] {
			p.t = i
		}
	}
	p.pivot(p.t, n)
	return p
}

// minimize pivots until nothing lowers t. It gives up after so many pivots as no program of this kind takes.
func (p *program) minimize() bool {
	for range 50 * len(p.rows) {
		enter := -1
		for j := range p.columns {
			if c := p.rows[p.t][j]; c < -tiny && (enter < 0 || c < p.rows[p.t][enter]) {
				enter = j
			}
		}
		if enter < 0 {
			return true
		}
		leave := p.leaving(enter)
		if leave < 0 || leave == p.t {
			return leave == p.t // t is 0
		}
		p.pivot(leave, enter)
	}
	return false
}

// leaving is the row that reaches 0 first when a column's variable grows. Of those within rounding the one with the largest coefficient is
// taken, which keeps rounding small.
func (p *program) leaving(enter int) int {
	constant := len(p.columns)
	least := math.Inf(1)
	for _, row := range p.rows {
		if a := row[enter]; a < -tiny {
			least = min(least, (max(0, row[constant])+tiny)/-a)
		}
	}
	leave := -1
	for i, row := range p.rows {
		if a := row[enter]; a < -tiny && max(0, row[constant])/-a <= least && (leave < 0 || a < p.rows[leave][enter]) {
			leave = i
		}
	}
	return leave
}

// pivot solves a row for a column's variable and puts it into the others.
func (p *program) pivot(leave, enter int) {
	pivotRow := p.rows[leave]
	scale := -1 / pivotRow[enter]
	for j := range pivotRow {
		pivotRow[j] *= scale
	}
	pivotRow[enter] = -scale
	for i, row := range p.rows {
		a := row[enter]
		if i == leave || a == 0 {
			continue
		}
		row[enter] = 0
		for j, v := range pivotRow {
			row[j] += a * v
		}
	}
	p.basis[leave], p.columns[enter] = p.columns[enter], p.basis[leave]
}

// cells are the values of the cells.
func (p *program) cells() []float64 {
	constant := len(p.columns)
	w := make([]float64, constant-1)
	for i, variable := range p.basis {
		if variable < len(w) {
			w[variable] = p.rows[i][constant]
		}
	}
	return w
}

// weights are those of the coefficients in t, as a constant plus multiples of slacks and cells: see Mechanism.bound.
func (p *program) weights() []float64 {
	z := make([]float64, len(p.rows)/2)
	for j, variable := range p.columns {
		if slack := variable - len(p.columns); slack >= 0 {
			if c := p.rows[p.t][j]; slack%2 == 0 {
				z[slack/2] += c
			} else {
				z[slack/2] -= c
			}
		}
	}
	return z
}
