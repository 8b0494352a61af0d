package microdata

import (
	"fmt"
	"math/bits"
	"slices"
)

// maxUnit bounds the common denominator of distances, so that the distance of two rows of maxColumns columns stays below 2^58.
const maxUnit = 1 << 48

// A distance measures how far apart records are, as the package comment says.
//
// Distances are integers, in units of 1/unit. unit is the least common multiple of all Max-Min, so that they are exact; unless that
// is above 2^48: then it is 2^48, and every column's 1/(Max-Min) is rounded down to whole units, which makes a distance on one
// column smaller by less than 2^-17.
type distance struct {
	unit    uint64
	columns []metric
}

// A metric is one column's part of a distance.
type metric struct {
	column  int
	numeric bool
	weight  uint64 // of a difference of 1
}

// newDistance compares records on the columns that are listed, on all if none is.
func newDistance(columns []Column, on []int) (*distance, error) {
	if len(on) == 0 {
		on = all(len(columns))
	}
	d := &distance{unit: 1}
	for i, c := range on {
		if c < 0 || c >= len(columns) {
			return nil, fmt.Errorf("there is no column %d to compare records on", c)
		}
		if slices.Contains(on[:i], c) {
			return nil, fmt.Errorf("column %d is compared twice", c)
		}
		d.columns = append(d.columns, metric{column: c, numeric: columns[c].Numeric})
	}
	d.unit = unitOf(columns, on)
	for i := range d.columns {
		m := &d.columns[i]
		if width := uint64(columns[m.column].size() - 1); m.numeric && width > 0 {
			m.weight = d.unit / width
		}
	}
	return d, nil
}

// unitOf is the least common multiple of the widths of the numeric columns, or maxUnit if it is above that.
func unitOf(columns []Column, on []int) uint64 {
	unit := uint64(1)
	for _, c := range on {
		width := uint64(columns[c].size() - 1)
		if !columns[c].Numeric || width == 0 {
			continue
		}
		a, b := unit, width
		for b > 0 {
			a, b = b, a%b
		}
		hi, lo := bits.Mul64(unit, width/a)
		if hi > 0 || lo > maxUnit {
			return maxUnit
		}
		unit = lo
	}
	return unit
}

// most is a bound on the distance of any two records: the number of columns, in units of 1/unit.
func (d *distance) most() uint64 { return d.unit * uint64(len(d.columns)) }

// between is the distance of two rows of a table.
func (d *distance) between(t *Table, a, b int) uint64 {
	sum := uint64(0)
	for i := range d.columns {
		m := &d.columns[i]
		sum += m.between(t.cells[m.column][a], t.cells[m.column][b], d.unit)
	}
	return sum
}

func (m *metric) between(a, b Cell, unit uint64) uint64 {
	switch {
	case a == b:
		return 0
	case !m.numeric || a == Null || b == Null:
		return unit
	case a < b:
		return m.weight * uint64(b-a)
	default:
		return m.weight * uint64(a-b)
	}
}

// beyond is the least distance of a from the cells low to high: no cell between them is nearer. NULL is the least cell, so that it
// is among them if low is Null; other cells are then taken to begin at 0.
func (m *metric) beyond(a, low, high Cell, unit uint64) uint64 {
	switch {
	case low <= a && a <= high:
		return 0
	case !m.numeric || a == Null || high == Null:
		return unit
	case a > high:
		return m.weight * uint64(a-high)
	default:
		return m.weight * uint64(max(low, 0)-a)
	}
}
