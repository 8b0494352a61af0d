package microdata

import "slices"

// A builder makes the tree of neighbours.
type builder struct {
	*neighbours
	table   *Table
	groups  []int32 // by row
	records []int32 // a row for each different record; build sorts them into leaves
	splits  []int   // the metrics of the distance, in the order in which they are preferred for splits
	cutter  cutter
}

// splits puts columns whose split tells more first: quasi-identifiers, since nodes of one group can be left out; then categorical
// columns, where a node soon has one value and other values are at distance 1.
func splits(t *Table, d *distance) []int {
	rank := func(m metric) int {
		rank := 0
		if !t.columns[m.column].Quasi {
			rank += 2
		}
		if m.numeric {
			rank++
		}
		return rank
	}
	order := all(len(d.columns))
	slices.SortStableFunc(order, func(i, j int) int { return rank(d.columns[i]) - rank(d.columns[j]) })
	return order
}

// build makes the node of some records, and those below it. begin is the number of their first point.
func (b *builder) build(records []int32, begin, parent int32) int32 {
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, node{begin: begin, end: begin + int32(len(records)), parent: parent, first: noRow, group: b.group(records)})
	for _, m := range b.distance.columns {
		low, high := extremes(records, b.table.cells[m.column])
		b.bounds = append(b.bounds, low, high)
	}
	below, ok := b.split(at, records)
	if !ok {
		b.addPoints(records, at)
		return at
	}
	left := b.build(records[:below], begin, at)
	right := b.build(records[below:], begin+int32(below), at)
	b.nodes[at].left, b.nodes[at].right = left, right
	return at
}

// group is the one group that all records are of, or mixed.
func (b *builder) group(records []int32) int32 {
	group := b.groups[records[0]]
	for _, r := range records[1:] {
		if b.groups[r] != group {
			return mixed
		}
	}
	return group
}

// split cuts the records on the column on which they are farthest apart.
func (b *builder) split(at int32, records []int32) (below int, ok bool) {
	if len(records) <= leafSize {
		return 0, false
	}
	box := b.bounds[2*b.width*int(at):]
	widest, width := -1, uint64(0)
	for _, i := range b.splits {
		if w := b.distance.columns[i].between(box[2*i], box[2*i+1], b.distance.unit); w > width {
			widest, width = i, w
		}
	}
	if widest < 0 {
		return len(records) / 2, true // all at one distance: smaller nodes still have later first rows
	}
	column, low, high := b.table.cells[b.distance.columns[widest].column], box[2*widest], box[2*widest+1]
	if low == Null {
		return partition(records, column, 0), true // the bounds of NULL and numbers together say little
	}
	cut, _, _ := b.cutter.even(records, column, low, high)
	return partition(records, column, cut), true
}

// addPoints makes a leaf's records points.
func (b *builder) addPoints(records []int32, leaf int32) {
	for _, r := range records {
		b.points = append(b.points, point{group: b.groups[r], leaf: leaf})
		for _, m := range b.distance.columns {
			b.cells = append(b.cells, b.table.cells[m.column][r])
		}
	}
}

// addRows gives every point its rows in the order given. records numbers the different records by row.
func (b *builder) addRows(order, records []int32) {
	pointOf := make([]int32, len(b.records)) // by record
	for p, r := range b.records {
		pointOf[records[r]] = int32(p)
	}
	b.pointOf = make([]int32, len(records))
	for row, record := range records {
		p := pointOf[record]
		b.pointOf[row] = p
		b.points[p].end++
	}
	begin := int32(0)
	for p := range b.points {
		n := b.points[p].end
		b.points[p].next, b.points[p].end = begin, begin
		begin += n
	}
	b.rows = make([]int32, len(records))
	for _, row := range order {
		p := &b.points[b.pointOf[row]]
		b.rows[p.end] = row
		p.end++
	}
	for p := range b.points {
		b.setFirst(&b.points[p])
	}
	for at := int32(len(b.nodes)) - 1; at >= 0; at-- { // children stand after their parents
		b.update(at)
	}
}
