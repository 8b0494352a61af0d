package marginals

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"tacit/mechanisms"
	"tacit/mechanisms/residual"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// A count follows from a workload if its keys, and the conditions that tell its rows from those of the table, are functions of columns that one marginal
// has. Then its cells are sums of cells of the table over just these columns, which is made of the same residuals. So equal counts are equal
// however they are asked for, and a total is the sum of what it is the total of, but for the rounding of what is shown.
//
// Counts are rounded to the nearest integer, each by itself, after they were added up: that adds at most 1/2 to the error of a count, and sums of shown counts
// differ from the count of the sum by at most 1/2 for each of them. If the policy says so, the residuals are fitted before so that no cell of a marginal is
// below 0. What is said of errors is then said of the counts before.

// A Derived says how a count follows from a measurement.
type Derived struct {
	*query.Derivation
	// Finer are the cells of which the count's are sums, without their counts.
	Finer *cells.Released
	// LeftOut are the columns of which rows with undeclared values are in no cell.
	LeftOut  []string
	measured *Measured
	places   []int
	whole    []int // see finerCells
}

// Derive tells whether a count follows from the measurement: by the very keys that it has, or by the stored columns that these are computed of.
func (m *Measured) Derive(q *query.BoundQuery, c query.Count) (*Derived, bool) {
	all, stored := keysOf(m.shape)
	d, ok := m.deriveFrom(all, q, c)
	if !ok && len(stored) < len(all) {
		return m.deriveFrom(stored, q, c)
	}
	return d, ok
}

// MayFollow reports whether a count can follow from a measurement of counts by the keys of a shape, whatever their marginals are.
func MayFollow(shape *query.Shape, q *query.BoundQuery, c query.Count) bool {
	_, ok := shape.Derive(q, c)
	if all, stored := keysOf(shape); !ok && len(stored) < len(all) {
		_, ok = shape.Among(stored).Derive(q, c)
	}
	return ok
}

// keysOf are the places of all keys of a shape, and of those that are stored.
func keysOf(shape *query.Shape) (all, stored []int) {
	for i, k := range shape.Keys {
		if all = append(all, i); k.Stored {
			stored = append(stored, i)
		}
	}
	return all, stored
}

// deriveFrom tells whether a count follows from the measured columns at some places.
func (m *Measured) deriveFrom(from []int, q *query.BoundQuery, c query.Count) (*Derived, bool) {
	whole, ok := m.shape.Among(from).Derive(q, c)
	if !ok {
		return nil, false
	}
	places := whole.Uses()
	for i, place := range places {
		places[i] = from[place]
	}
	if !m.strategy.Workload().Covers(places) {
		return nil, false
	}
	by, ok := m.shape.Among(places).Derive(q, c)
	if !ok {
		return nil, false
	}
	d := &Derived{Derivation: by, LeftOut: whole.LeftOut(), measured: m, places: places}
	if m.joint {
		d.LeftOut = by.LeftOut() // rows with undeclared values of other columns are in cells of their own
	}
	d.Finer, d.whole = finerCells(m.columns, places)
	return d, true
}

// Sum adds up cells of Finer: those of each group. If the workload is fitted, so are the counts, unless they are wanted as they were measured.
func (d *Derived) Sum(groups [][]int, asMeasured bool) ([]int64, *Errors) {
	groups = d.ofWhole(groups)
	counts, errors := d.sum(d.measured.measurement, groups), d.errors(groups)
	if d.measured.fit && !asMeasured {
		errors.Fitted = true
		if f := d.measured.fitted; f != nil {
			errors.measured = counts
			counts = d.sum(f, groups)
			for i, n := range counts {
				errors.Moved = max(errors.Moved, n-errors.measured[i], errors.measured[i]-n)
			}
		}
	}
	return counts, errors
}

// ofWhole are the same groups as places among all cells of the table.
func (d *Derived) ofWhole(groups [][]int) [][]int {
	if d.whole == nil {
		return groups
	}
	whole := make([][]int, len(groups))
	for i, group := range groups {
		for _, cell := range group {
			whole[i] = append(whole[i], d.whole[cell])
		}
	}
	return whole
}

// sum has zeros if nothing was measured.
func (d *Derived) sum(m *residual.Measurement, groups [][]int) []int64 {
	counts := make([]int64, len(groups))
	if m == nil {
		return counts
	}
	table, ok := m.Over(d.places)
	if !ok {
		panic("marginals: internal error: a table that was not measured")
	}
	for i, group := range groups {
		sum := 0.0
		for _, cell := range group {
			sum += table[cell]
		}
		counts[i] = int64(math.Round(sum))
	}
	return counts
}

// Errors are those of the counts of one answer, as they were measured.
type Errors struct {
	// Fitted says that counts are fitted so that none is below 0, and Moved by how much at most they differ from those that were measured.
	Fitted bool
	Moved  int64

	measured []int64 // the counts before they were fitted; nil if they are not
	spreads  []residual.Spread
	of       []int // the spread of each count
	// most is that of the largest error, an index of spreads.
	most int
}

// maxWork bounds what is looked at to find the errors of sums that have no simple form: each cell once for each residual.
const maxWork = 1 << 24

func (d *Derived) errors(groups [][]int) *Errors {
	e := &Errors{of: make([]int, len(groups))}
	known := make(map[string]int)
	boxes := newBoxes(d.measured, d.places)
	work := 0
	for i, group := range groups {
		values, isBox := boxes.of(group)
		var key string
		if isBox {
			key = boxes.key(values)
		} else if work += cellCount(d.measured.columns, d.places) * boxes.work << len(d.places); work > maxWork {
			key = fmt.Sprint("any of ", len(group))
		} else {
			key = fmt.Sprint("group ", i)
		}
		place, found := known[key]
		if !found {
			place = len(e.spreads)
			known[key] = place
			e.spreads = append(e.spreads, d.spread(group, values, isBox, work > maxWork))
			if e.spreads[place].Variance > e.spreads[e.most].Variance {
				e.most = place
			}
		}
		e.of[i] = place
	}
	return e
}

// spread is that of a sum of cells. The standard deviation of any sum is at most the sum of those of its cells.
func (d *Derived) spread(group []int, values [][]int, isBox, bounded bool) residual.Spread {
	var s residual.Spread
	ok := false
	switch {
	case isBox:
		s, ok = d.measured.strategy.ValuesSpread(d.places, values)
	case bounded:
		s, ok = d.measured.strategy.WorstCell(d.places)
		s.Variance *= float64(len(group)) * float64(len(group))
	default:
		s, ok = d.measured.strategy.SumSpread(d.places, group)
	}
	if !ok {
		panic("marginals: internal error: cells of a table that was not measured")
	}
	return s
}

// Interval holds a true count, but with a probability of miss. Of a fitted one it is that of the count which was measured, and holds the shown one, too.
func (e *Errors) Interval(count int, n int64, miss float64) mechanisms.Interval {
	w := shown(e.spreads[e.of[count]], miss)
	if e.measured == nil {
		return mechanisms.Around(n, w)
	}
	interval := mechanisms.Around(e.measured[count], w)
	return mechanisms.Interval{Low: min(interval.Low, n), High: max(interval.High, n)}
}

// FitText says before what the bounds of errors are known: before all counts are fitted; "" if they are as they were measured.
func (e *Errors) FitText() string {
	switch {
	case !e.Fitted:
		return ""
	case e.measured == nil:
		return "before all are fitted so that none is below 0, which makes small ones too large on average, and changes others for it"
	}
	return fmt.Sprintf("before all were fitted so that none is below 0, which changed these by up to %d", e.Moved)
}

// MostWithin is that of the least exact one; 0 if there are no counts.
func (e *Errors) MostWithin(miss float64) int64 {
	if len(e.spreads) == 0 {
		return 0
	}
	return shown(e.spreads[e.most], miss)
}

// shown bounds the error of a rounded count: an integer, which is off by 1/2 more at most.
func shown(s residual.Spread, miss float64) int64 { return int64(math.Floor(s.Within(miss) + 0.5)) }

// Deviation is the standard deviation of the least exact count, without rounding.
func (e *Errors) Deviation() float64 {
	if len(e.spreads) == 0 {
		return 0
	}
	return math.Sqrt(e.spreads[e.most].Variance)
}

// boxes finds groups of cells that are all combinations of some values of each column.
type boxes struct {
	sizes  []int
	ranged []bool
	seen   [][]bool
	// work is by how much more has to be looked at for a sum of cells since columns are asked in ranges.
	work int
}

func newBoxes(m *Measured, places []int) *boxes {
	b := &boxes{work: 1}
	for _, p := range places {
		n, ranged := m.columns[p].size(), m.strategy.Workload().Ranged(p)
		if ranged {
			b.work = max(b.work, n)
		}
		b.sizes, b.ranged, b.seen = append(b.sizes, n), append(b.ranged, ranged), append(b.seen, make([]bool, n))
	}
	return b
}

// of are the values of each column that a group has. Cells of a group are different ones. So they are a box if they are as many as
// these values have combinations.
func (b *boxes) of(group []int) (values [][]int, isBox bool) {
	values = make([][]int, len(b.sizes))
	for i := range b.seen {
		clear(b.seen[i])
	}
	for _, cell := range group {
		for i := len(b.sizes) - 1; i >= 0; i-- {
			v := cell % b.sizes[i]
			if cell /= b.sizes[i]; !b.seen[i][v] {
				b.seen[i][v] = true
				values[i] = append(values[i], v)
			}
		}
	}
	product := 1
	for i := range values {
		slices.Sort(values[i])
		product *= len(values[i])
	}
	return values, product == len(group)
}

// key is the same for boxes whose sums have the same error: of a column that is not asked in ranges only the number of values matters.
func (b *boxes) key(values [][]int) string {
	var key strings.Builder
	for i, v := range values {
		if b.ranged[i] {
			fmt.Fprint(&key, v)
		} else {
			fmt.Fprint(&key, " ", len(v), " ")
		}
	}
	return key.String()
}
