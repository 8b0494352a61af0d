package microdata

import "math"

// noRow is after every row in the random order of an index, and stands for none.
const noRow = math.MaxInt32

// leafSize is how many different records a leaf of the tree holds. Some 16 make searches fastest on records of 8 columns.
const leafSize = 16

// neighbours finds the record that is nearest to one in hand, among those that were not taken: the least distance, and of those at
// that distance the one that comes first in an order given. In an order of which all are equally likely, that is Algorithm 3's
// argmin on a table that was shuffled first: each of the nearest records is as likely as the others.
//
// The answer is exact. Different records (on the columns compared and on the quasi-identifiers) are the points of a k-d tree, and a
// record that occurs often is one point. A node of the tree knows the least and the greatest cell of its points in every column
// compared; the distance on a column from a cell to the nearest one within those bounds, summed up over the columns, is therefore
// at most the distance to any of its points. It also knows a row that no row of its points comes before. A search leaves a node out
// only if that bound is above the least distance found; or if it is equal to it, and the first row of the node does not come before
// the one found; or if none of its points may be chosen. So it leaves out no point that would have been chosen over the one found.
// Taking a row raises the first rows of the nodes above it, and nothing else.
type neighbours struct {
	distance *distance
	width    int
	points   []point // in the order of the leaves
	cells    []Cell  // width for each point, in the same order
	nodes    []node  // the root is the first
	bounds   []Cell  // 2*width for each node: least and greatest
	rows     []int32 // by point, those of a point in the order given
	order    []int32 // the place in the order of every row
	pointOf  []int32 // of every row
	taken    []bool  // by row
}

type point struct {
	group int32 // the number of its quasi-identifiers
	first int32 // the place in the order of its first row that was not taken, or noRow
	leaf  int32
	next  int32 // where that row is in rows
	end   int32 // where its rows end
}

type node struct {
	begin, end  int32 // its points
	left, right int32 // 0 at a leaf
	parent      int32
	first       int32 // the place in the order of its first row that was not taken, or noRow
	group       int32 // the number of the quasi-identifiers of all its points, or mixed
}

const mixed = -1

// newNeighbours indexes the rows of a table. order lists them, groups numbers the quasi-identifiers of each.
func newNeighbours(t *Table, d *distance, order, groups []int32) *neighbours {
	x := &neighbours{distance: d, width: len(d.columns), order: make([]int32, t.rows), taken: make([]bool, t.rows)}
	for place, row := range order {
		x.order[row] = int32(place)
	}
	var columns []int
	for _, m := range d.columns {
		columns = append(columns, m.column)
	}
	records, count := t.groups(append(columns, t.Quasi()...))
	b := &builder{neighbours: x, table: t, groups: groups, records: make([]int32, count), splits: splits(t, d)}
	for row := t.rows - 1; row >= 0; row-- {
		b.records[records[row]] = int32(row)
	}
	if count > 0 {
		b.build(b.records, 0, 0)
	}
	b.addRows(order, records)
	return x
}

// take removes a row from those that a search may find.
func (x *neighbours) take(row int32) {
	x.taken[row] = true
	p := &x.points[x.pointOf[row]]
	for p.next < p.end && x.taken[x.rows[p.next]] {
		p.next++
	}
	x.setFirst(p)
	for at := p.leaf; x.update(at) && at > 0; {
		at = x.nodes[at].parent
	}
}

func (x *neighbours) setFirst(p *point) {
	p.first = noRow
	if p.next < p.end {
		p.first = x.order[x.rows[p.next]]
	}
}

// update finds the first row of a node again and says whether it is another.
func (x *neighbours) update(at int32) bool {
	n := &x.nodes[at]
	was := n.first
	if n.left > 0 {
		n.first = min(x.nodes[n.left].first, x.nodes[n.right].first)
		return n.first != was
	}
	n.first = noRow
	for i := n.begin; i < n.end; i++ {
		n.first = min(n.first, x.points[i].first)
	}
	return n.first != was
}

// A search is for the record nearest to one point.
type search struct {
	*neighbours
	cells []Cell // of the point that is searched from
	// Points that may not be chosen: one point, and those of one group of quasi-identifiers. -1 excludes none.
	point, group int32

	// The best so far.
	least uint64
	first int32
	found int32 // a point, or -1
}

// nearest is the nearest point that may be chosen, and its distance.
func (x *neighbours) nearest(from, notPoint, notGroup int32) (point int32, distance uint64, ok bool) {
	s := search{
		neighbours: x, cells: x.cells[int(from)*x.width:][:x.width], point: notPoint, group: notGroup,
		least: math.MaxUint64, first: noRow, found: -1,
	}
	s.visit(0, 0)
	return s.found, s.least, s.found >= 0
}

// worse says whether nothing at such a distance or beyond, and with no row before first, would be chosen.
func (s *search) worse(distance uint64, first int32) bool {
	return first == noRow || distance > s.least || distance == s.least && first >= s.first
}

func (s *search) visit(at int32, bound uint64) {
	n := &s.nodes[at]
	if s.worse(bound, n.first) || n.group == s.group && s.group >= 0 {
		return
	}
	if n.left == 0 {
		s.leaf(n)
		return
	}
	left, right := s.bound(n.left), s.bound(n.right)
	if left < right || left == right && s.nodes[n.left].first < s.nodes[n.right].first {
		s.visit(n.left, left)
		s.visit(n.right, right)
		return
	}
	s.visit(n.right, right)
	s.visit(n.left, left)
}

// bound is at most the distance of any point of a node. It stops adding once that is above the least distance found.
func (s *search) bound(at int32) uint64 {
	box := s.bounds[2*s.width*int(at):][:2*s.width]
	sum := uint64(0)
	for i := range s.distance.columns {
		sum += s.distance.columns[i].beyond(s.cells[i], box[2*i], box[2*i+1], s.distance.unit)
		if sum > s.least {
			break
		}
	}
	return sum
}

func (s *search) leaf(n *node) {
	for i := n.begin; i < n.end; i++ {
		p := &s.points[i]
		if i == s.point || p.group == s.group || p.first == noRow {
			continue
		}
		if d := s.to(i); !s.worse(d, p.first) {
			s.least, s.first, s.found = d, p.first, i
		}
	}
}

// to is the distance of a point, or more than the least distance found if it is that.
func (s *search) to(p int32) uint64 {
	cells := s.neighbours.cells[int(p)*s.width:][:s.width]
	sum := uint64(0)
	for i := range s.distance.columns {
		sum += s.distance.columns[i].between(s.cells[i], cells[i], s.distance.unit)
		if sum > s.least {
			break
		}
	}
	return sum
}
