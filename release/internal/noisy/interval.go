package noisy

import (
	"encoding/binary"
	"math/big"
	"math/bits"
	"slices"

	"tacit/mechanisms"
	"tacit/rewrite/query"
)

// This file finds the intervals that a statement shows of its counts. They are computed of what was released and of public facts alone, so that
// they cost nothing, and each is that of the way in which its cell was answered: by a release of its own, by a release with a threshold, or
// by adding up cells of another. The invariant: where no bound is known, no interval is told.

// setEnds gives the cells of a query the ends of the intervals that it shows.
func (a *Statement) setEnds(whole *QueryPlan, shown *query.Cells) {
	for _, asked := range whole.Query.Intervals {
		if whole.Query.Totals {
			shown.Ends = append(shown.Ends, whole.widths(asked))
			continue
		}
		ends := query.Ends{}
		if parts, ok := a.parts[whole]; ok {
			ends = endsOfParts(whole, parts, asked)
		} else {
			ends = whole.ends(asked)
		}
		shown.Ends = append(shown.Ends, ends)
	}
}

// ends are those of a count's cells.
func (p *QueryPlan) ends(asked query.Interval) query.Ends {
	q := p.Questions[p.Shown[asked.Count]]
	ends := newEnds(q.Released.Cells())
	for i := range q.Released.Cells() {
		interval, ok := q.interval(asked.Column*q.Released.Cells()+i, asked.Miss)
		setEnd(&ends, i, interval, ok)
	}
	return ends
}

// endsOfParts puts together those of parts, as [Statement.shown] does with counts.
func endsOfParts(whole *QueryPlan, parts []*QueryPlan, asked query.Interval) query.Ends {
	ends, index := newEnds(whole.Cells), whole.cellIndex()
	for _, p := range parts {
		q := p.Questions[p.Shown[asked.Count]]
		for cell, from := range p.cellIndex() {
			interval, ok := q.interval(from, asked.Miss)
			setEnd(&ends, index[cell], interval, ok)
		}
	}
	return ends
}

func newEnds(cells int) query.Ends {
	return query.Ends{Low: make([]int64, cells), High: make([]int64, cells), Unknown: make([]bool, cells)}
}

func setEnd(e *query.Ends, i int, interval mechanisms.Interval, ok bool) {
	e.Low[i], e.High[i], e.Unknown[i] = interval.Low, interval.High, !ok
}

// interval is that of one cell. A count of different values is not above the number of values that are declared.
func (q *Question) interval(cell int, miss *big.Rat) (interval mechanisms.Interval, ok bool) {
	count := q.Released.Counts[cell]
	suppressed := q.Released.Suppressed != nil && q.Released.Suppressed[cell]
	switch {
	case q.selects:
		interval, ok = q.Mechanism.SelectedInterval(count, miss)
	case q.derived != nil && q.derived.found != nil:
		var w *big.Int
		if w, ok = q.foundWithin(miss); ok {
			if ok = w.IsInt64(); ok {
				interval = mechanisms.Around(count, w.Int64())
			}
		}
	case q.derived != nil && q.derived.rowsOf != nil:
		var w int64
		w, ok = q.rowsWithin(miss)
		interval = mechanisms.Around(count, w)
	case q.derived != nil && q.derived.measured != nil:
		interval, ok = q.derived.measuredInterval(cell, count, miss), true
	case q.derived != nil && q.derived.mean != nil:
		var w int64
		w, ok = q.derived.mean.Within(cell, miss)
		interval = mechanisms.Around(count, w)
	case q.derived != nil:
		var w int64
		w, ok = q.Mechanism.SumWithin(q.derived.cells[cell%q.Released.Cells()], miss)
		interval = mechanisms.Around(count, w)
	default:
		interval, ok = q.Mechanism.Interval(count, suppressed, miss)
	}
	if q.most > 0 {
		interval.Low, interval.High = min(interval.Low, q.most), min(interval.High, q.most)
	}
	return interval, ok
}

// widths are the errors of totals, by the number of cells that they add up: unknown where cells can be missing from totals, where their errors do
// not add up, and for numbers of cells that no total has.
func (p *QueryPlan) widths(asked query.Interval) query.Ends {
	q := p.Questions[p.Shown[asked.Count]]
	ends := query.Ends{}
	together := p.Margins != nil && p.Margins.AreTogether()
	if p.ByThreshold || p.Margins != nil && !together || p.Query.GroupingSets == nil || q.derived != nil && q.derived.measured != nil {
		return ends
	}
	sizes := p.totalSizes()
	exact := len(sizes) <= maxSizes
	for _, size := range sizes {
		for len(ends.High) < size {
			ends.High, ends.Unknown = append(ends.High, 0), append(ends.Unknown, true)
		}
		added := size
		if q.derived != nil {
			added *= q.derived.added
		}
		if !exact {
			added = roundedUp(added)
		}
		w, ok := q.Mechanism.SumWithin(added, asked.Miss)
		if together {
			w, ok = q.Mechanism.TotalWithin(size, asked.Miss)
		} else if q.derived != nil && q.derived.mean != nil {
			w, ok = q.derived.mean.TotalWithin(size, asked.Miss)
		}
		ends.High[size-1], ends.Unknown[size-1] = w, !ok
	}
	return ends
}

// maxSizes bounds the different numbers of cells for which the error of a sum is computed; of more they are rounded up, to a few for each power
// of two. A sum of more cells has no smaller bound.
const maxSizes = 32

func roundedUp(n int) int {
	step := 1 << max(0, bits.Len(uint(n))-3)
	return (n + step - 1) / step * step
}

// totalSizes are the different numbers of cells that totals add up, rising.
func (p *QueryPlan) totalSizes() []int {
	values := p.valueNumbers()
	cells := p.cellsShown()
	found := make(map[int]bool)
	for _, set := range p.Query.GroupingSets {
		totals := make(map[string]int)
		var key []byte
		for i := range cells {
			key = key[:0]
			for _, k := range set {
				key = binary.AppendUvarint(key, uint64(values[k][i]))
			}
			totals[string(key)]++
		}
		for _, size := range totals {
			found[size] = true
		}
	}
	var sizes []int
	for size := range found {
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	return sizes
}

// valueNumbers number the values of each key, cell by cell.
func (p *QueryPlan) valueNumbers() [][]int {
	keys := p.Questions[0].Released.Keys
	numbers := make([][]int, len(keys))
	for k, column := range keys {
		known := make(map[query.Value]int)
		for _, v := range column {
			n, ok := known[v]
			if !ok {
				n = len(known)
				known[v] = n
			}
			numbers[k] = append(numbers[k], n)
		}
	}
	return numbers
}
