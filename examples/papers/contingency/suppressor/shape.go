package suppressor

import (
	"errors"
	"fmt"
)

// ErrShape is returned when a sampler of the paper's section 5.2 is asked about sums other than rows, columns and single cells.
var ErrShape = errors.New("suppressor: only rows, columns and single cells can be released")

// A shape is what section 5.2 starts from: the sums of rows and columns, and the bounds l_ij and u_ij of each cell.
type shape struct {
	rows, columns []int // unknown: -1
	low, high     []int
}

const unknown = -1

// shape reads released sums.
func (t Table) shape(released Released) (shape, error) {
	s := shape{rows: make([]int, t.Rows), columns: make([]int, t.Columns), low: make([]int, len(t.Cells)), high: make([]int, len(t.Cells))}
	for i := range s.rows {
		s.rows[i] = unknown
	}
	for j := range s.columns {
		s.columns[j] = unknown
	}
	for i, cell := range t.Cells {
		s.high[i] = cell.People()
	}
	for _, sum := range released {
		if err := s.add(t, sum); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *shape) add(t Table, sum Sum) error {
	i := sum.Top*t.Columns + sum.Left
	switch sum.Region {
	case At(sum.Top, sum.Left):
		s.low[i], s.high[i] = max(s.low[i], sum.Value), min(s.high[i], sum.Value)
	case t.Row(sum.Top):
		s.rows[sum.Top] = sum.Value
	case t.Column(sum.Left):
		s.columns[sum.Left] = sum.Value
	default:
		return fmt.Errorf("%w: %+v", ErrShape, sum.Region)
	}
	return nil
}

// margins says whether the sums of all rows and columns are known.
func (s *shape) margins() bool {
	for _, sum := range append(append([]int(nil), s.rows...), s.columns...) {
		if sum == unknown {
			return false
		}
	}
	return true
}
