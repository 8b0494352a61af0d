package modular

// A RowSpace is the row echelon form of integer equations modulo the Mersenne prime 2^61-1. It says which sums follow from others, and
// what their values are.
//
// Modulo a prime a matrix can only lose rank, when the prime divides one of its minors. A sum that is wrongly taken to follow from
// others is answered from released sums alone, so that nothing leaks; and the engines check what they dropped against their solution.
type RowSpace struct {
	Columns int
	pivot   []int32 // by column: the row with its first entry there, or -1
	rows    []sparseRow
	work    []uint64
}

// A sparseRow has rising columns, and 1 in the first; the column after the last unknown holds the value.
type sparseRow struct {
	columns []int32
	values  []uint64
}

// NewRowSpace has no equations.
func NewRowSpace(columns int) *RowSpace {
	r := &RowSpace{Columns: columns, pivot: make([]int32, columns), work: make([]uint64, columns+1)}
	for i := range r.pivot {
		r.pivot[i] = -1
	}
	return r
}

// An Entry is a coefficient of an equation.
type Entry struct {
	Column      int32
	Coefficient int
}

// Insert adds the equation and reports whether it is independent of those before; if it is not, residue is its value less the value that
// the others give it.
func (r *RowSpace) Insert(equation []Entry, value int) (independent bool, residue int) {
	first := r.reduce(equation, value)
	if first < 0 {
		return false, centred(r.work[r.Columns])
	}
	inverse := inverse(r.work[first])
	entries := 0
	for c := first; c <= r.Columns; c++ {
		if r.work[c] != 0 {
			entries++
		}
	}
	s := sparseRow{make([]int32, 0, entries), make([]uint64, 0, entries)}
	for c := first; c <= r.Columns; c++ {
		if r.work[c] != 0 {
			s.columns = append(s.columns, int32(c))
			s.values = append(s.values, multiply(r.work[c], inverse))
		}
	}
	r.pivot[first] = int32(len(r.rows))
	r.rows = append(r.rows, s)
	return true, 0
}

// Follows reports whether the left side of an equation is a combination of those inserted, and its value then.
func (r *RowSpace) Follows(equation []Entry) (value int, ok bool) {
	if r.reduce(equation, 0) >= 0 {
		return 0, false
	}
	return -centred(r.work[r.Columns]), true
}

// reduce leaves in work the equation less its combination of the rows, and returns its first column, or -1 if nothing is left.
func (r *RowSpace) reduce(equation []Entry, value int) int {
	clear(r.work)
	start := r.Columns
	for _, e := range equation {
		r.work[e.Column] = residue(e.Coefficient)
		start = min(start, int(e.Column))
	}
	r.work[r.Columns] = residue(value)
	first := -1
	for c := start; c < r.Columns; c++ {
		if r.work[c] == 0 {
			continue
		}
		if r.pivot[c] >= 0 {
			r.subtract(&r.rows[r.pivot[c]], r.work[c])
		} else if first < 0 {
			first = c
		}
	}
	return first
}

func (r *RowSpace) subtract(s *sparseRow, factor uint64) {
	negative := Prime - factor
	if negative == 1 {
		for i, c := range s.columns {
			r.work[c] = add(r.work[c], s.values[i])
		}
		return
	}
	for i, c := range s.columns {
		r.work[c] = add(r.work[c], multiply(negative, s.values[i]))
	}
}
