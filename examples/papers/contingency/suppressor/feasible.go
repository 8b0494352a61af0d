package suppressor

// feasible finds some table with the margins and within the bounds: it starts with the lower bounds and augments, from a row that lacks
// people to a column that lacks some, along cells that have room alternating with cells that can give.
func (s *shape) feasible() ([]int, error) {
	f := fitting{shape: s, values: append([]int(nil), s.low...)}
	f.rowLacks, f.columnLacks = append([]int(nil), s.rows...), append([]int(nil), s.columns...)
	for i, v := range f.values {
		if v > s.high[i] {
			return nil, ErrInconsistent
		}
		f.rowLacks[i/len(s.columns)] -= v
		f.columnLacks[i%len(s.columns)] -= v
	}
	for row := range f.rowLacks {
		for f.rowLacks[row] > 0 {
			f.seen = make([]bool, len(s.rows))
			if !f.augment(row) {
				return nil, ErrInconsistent
			}
			f.rowLacks[row]--
		}
	}
	for _, lacks := range append(f.rowLacks, f.columnLacks...) {
		if lacks != 0 {
			return nil, ErrInconsistent
		}
	}
	return f.values, nil
}

type fitting struct {
	*shape
	values                []int
	rowLacks, columnLacks []int
	seen                  []bool
}

// augment adds one person to a row.
func (f *fitting) augment(row int) bool {
	f.seen[row] = true
	n := len(f.columns)
	for column := range n {
		i := row*n + column
		if f.values[i] == f.high[i] {
			continue
		}
		if f.columnLacks[column] > 0 {
			f.values[i]++
			f.columnLacks[column]--
			return true
		}
		for other := range f.rows {
			if j := other*n + column; !f.seen[other] && f.values[j] > f.low[j] && f.augment(other) {
				f.values[j]--
				f.values[i]++
				return true
			}
		}
	}
	return false
}
