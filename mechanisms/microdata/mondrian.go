package microdata

import "slices"

// A Generalised value stands for all cells from Low to High, and for NULL if Null. If no cell but NULL is meant, Low and High are
// Null, too.
type Generalised struct {
	Low, High Cell
	Null      bool
}

// Label is what a hierarchy calls the values of a categorical column; false if there is no hierarchy, or no value but NULL.
func (c *Column) Label(g Generalised) (string, bool) {
	if c.Hierarchy == nil || g.Low == Null {
		return "", false
	}
	return c.Hierarchy.covering(g.Low, g.High).label, true
}

// A Class is a set of rows that are published with the same generalised quasi-identifiers.
type Class struct {
	// Rows are the numbers of the rows in the table.
	Rows []int32
	// Quasi has a value for each quasi-identifier, in the order of Table.Quasi.
	Quasi []Generalised
}

// mondrian parts rows into classes of at least k by strict multidimensional cuts (LeFevre, DeWitt and Ramakrishnan 2006). It
// reorders rows, and returns no class if there are fewer than k.
//
// A set of rows is cut on the column on which its relative width is greatest, of those that can be cut; of equal ones on the first.
// Numbers and categories without a hierarchy are cut in two, as evenly as equal values, which stay together, allow (the paper: at
// the median). A hierarchy is cut into the children of the lowest node above all values. NULL stands below all values, and is the
// first thing to be cut off if enough rows have it. A cut is allowed if no part has more than 0 and fewer than k rows. There is no
// randomness and no dependence on the order of rows but in the order of a class's rows.
//
// Finding the widths of n rows takes O(n), cutting them O(n log n) at most and O(n) where there are fewer values than rows.
func mondrian(t *Table, rows []int32, k int) []Class {
	if len(rows) < k || k < 1 {
		return nil
	}
	m := &partitioner{table: t, quasi: t.Quasi(), k: k}
	m.cut(rows)
	return m.classes
}

type partitioner struct {
	table   *Table
	quasi   []int
	k       int
	cutter  cutter
	classes []Class
}

// An extent is where the cells of some rows lie in a column.
type extent struct {
	column    int
	low, high Cell
	width     float64 // relative to the column, 0 to 1; and above 1 if there is NULL besides
}

// cut parts rows into classes, cutting them in parts as long as that is allowed.
func (m *partitioner) cut(rows []int32) {
	extents := make([]extent, len(m.quasi))
	for i, c := range m.quasi {
		extents[i] = m.extent(rows, c)
	}
	byWidth := slices.Clone(extents)
	slices.SortStableFunc(byWidth, func(a, b extent) int {
		switch {
		case a.width > b.width:
			return -1
		case a.width < b.width:
			return 1
		}
		return 0
	})
	for _, e := range byWidth {
		if e.low == e.high || len(rows) < 2*m.k {
			break
		}
		if parts := m.parts(rows, e); len(parts) > 0 {
			for _, part := range parts {
				m.cut(part)
			}
			return
		}
	}
	m.classes = append(m.classes, m.class(rows, extents))
}

// extent measures rows on a column. Widths only choose where to cut: that they are rounded has no bearing on what is promised.
func (m *partitioner) extent(rows []int32, column int) extent {
	low, high := extremes(rows, m.table.cells[column])
	e := extent{column: column, low: low, high: high}
	if low == high {
		return e
	}
	c := &m.table.columns[column]
	span := int64(high) - int64(max(low, 0))
	if c.Hierarchy != nil {
		n := c.Hierarchy.covering(max(low, 0), high)
		span = int64(n.last - n.first)
	}
	if c.size() > 1 {
		e.width = float64(span) / float64(c.size()-1)
	}
	if low == Null {
		e.width += 1.5
	}
	return e
}

// parts cuts rows on a column, or returns nothing if that is not allowed.
func (m *partitioner) parts(rows []int32, e extent) [][]int32 {
	cells := m.table.cells[e.column]
	hierarchy := m.table.columns[e.column].Hierarchy
	if e.low == Null {
		nulls := 0
		for _, r := range rows {
			if cells[r] == Null {
				nulls++
			}
		}
		if nulls >= m.k && len(rows)-nulls >= m.k {
			partition(rows, cells, 0)
			return [][]int32{rows[:nulls], rows[nulls:]}
		}
		if hierarchy != nil {
			return nil // NULL stands beside the root, and cannot go with one of its children
		}
	}
	if hierarchy != nil {
		return m.children(rows, cells, hierarchy, hierarchy.covering(e.low, e.high))
	}
	at, below, _ := m.cutter.even(rows, cells, e.low, e.high)
	if below < m.k || len(rows)-below < m.k {
		return nil
	}
	partition(rows, cells, at)
	return [][]int32{rows[:below], rows[below:]}
}

// children cuts rows into those below each child of a node, if no child that has any has fewer than k.
func (m *partitioner) children(rows []int32, cells []Cell, h *Hierarchy, n *branch) [][]int32 {
	counts := make(map[Cell]int)
	for _, r := range rows {
		counts[h.child(n, cells[r]).first]++
	}
	for _, count := range counts {
		if count < m.k {
			return nil
		}
	}
	var parts [][]int32
	for _, c := range n.children {
		if counts[h.nodes[c].first] == 0 {
			continue
		}
		below := partition(rows, cells, h.nodes[c].last+1)
		parts = append(parts, rows[:below])
		rows = rows[below:]
	}
	return parts
}

// class has the narrowest generalised values that cover its rows.
func (m *partitioner) class(rows []int32, extents []extent) Class {
	c := Class{Rows: rows, Quasi: make([]Generalised, len(extents))}
	for i, e := range extents {
		g := Generalised{Low: e.low, High: e.high, Null: e.low == Null}
		if g.Null && e.high != Null {
			g.Low = m.leastValue(rows, e.column)
		}
		if h := m.table.columns[e.column].Hierarchy; h != nil && g.Low != Null {
			n := h.covering(g.Low, g.High)
			g.Low, g.High = n.first, n.last
		}
		c.Quasi[i] = g
	}
	return c
}

// leastValue is the least cell other than NULL of rows that have one.
func (m *partitioner) leastValue(rows []int32, column int) Cell {
	least := Cell(maxValues)
	for _, r := range rows {
		if v := m.table.cells[column][r]; v != Null {
			least = min(least, v)
		}
	}
	return least
}
