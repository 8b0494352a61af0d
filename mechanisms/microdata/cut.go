package microdata

import "slices"

// A cutter looks for places to cut a set of rows in two by their values in one column.
type cutter struct {
	values []Cell
	counts []int32
}

// even is the cut of rows by a column that leaves the most even parts: rows with cells below at, and the others. There is none if
// all cells are equal. low and high are the least and the greatest of them.
//
// Let m be the cell in the middle of the sorted rows. The number of cells below m is at most half of the rows, the number of those
// up to m is more than half. So every cut below m is at least as uneven as the one before m, every cut above as the one after it.
// Of these two the more even one leaves as many rows in its smaller part as any cut does: if those are too few, no cut will do.
func (c *cutter) even(rows []int32, column []Cell, low, high Cell) (at Cell, below int, ok bool) {
	if low == high {
		return 0, 0, false
	}
	middle, less, equal := c.middle(rows, column, low, high)
	after := less + equal
	if less > 0 && min(less, len(rows)-less) >= min(after, len(rows)-after) {
		return middle, less, true
	}
	return middle + 1, after, true
}

// middle is the cell in the middle of the sorted rows, how many are below it and how many are equal. It counts where there are more
// rows than cells, and sorts where there are fewer.
func (c *cutter) middle(rows []int32, column []Cell, low, high Cell) (middle Cell, less, equal int) {
	half := len(rows) / 2
	if int64(high)-int64(low) >= int64(len(rows)) {
		c.values = c.values[:0]
		for _, r := range rows {
			c.values = append(c.values, column[r])
		}
		slices.Sort(c.values)
		middle = c.values[half]
		less, _ = slices.BinarySearch(c.values, middle)
		after, _ := slices.BinarySearch(c.values, middle+1)
		return middle, less, after - less
	}
	span := int(high) - int(low) + 1
	c.counts = slices.Grow(c.counts[:0], span)[:span]
	clear(c.counts)
	for _, r := range rows {
		c.counts[column[r]-low]++
	}
	for i, n := range c.counts {
		if less+int(n) > half {
			return low + Cell(i), less, int(n)
		}
		less += int(n)
	}
	panic("microdata: internal error: no cell in the middle")
}

// extremes are the least and the greatest cell of the rows, of which there is at least one.
func extremes(rows []int32, column []Cell) (low, high Cell) {
	low = column[rows[0]]
	high = low
	for _, r := range rows[1:] {
		v := column[r]
		low, high = min(low, v), max(high, v)
	}
	return low, high
}

// partition puts the rows with cells below at before the others, and returns how many they are.
func partition(rows []int32, column []Cell, at Cell) int {
	below := 0
	for i, r := range rows {
		if column[r] < at {
			rows[i], rows[below] = rows[below], r
			below++
		}
	}
	return below
}
