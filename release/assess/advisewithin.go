package assess

import (
	"slices"
	"strconv"
	"time"

	"tacit/policy"
	"tacit/rewrite/query"
)

// within is how many values of a column the cells can have at most that a count would add up to one of its own: one of a column that is
// its key, and else as many as its conditions let pass. Where a condition says more than is understood here, it is taken to let all pass.
func (w *askedBefore) within(count, column int) int {
	shape, name := w.asked[count].shape, w.columns[column]
	if slices.ContainsFunc(shape.Keys, func(k query.ShapeKey) bool { return k.Stored && slices.Equal(k.Inputs, []string{name}) }) {
		return 1
	}
	size := w.search.sizes[column]
	passing := newPassing(w.table, name)
	for _, c := range slices.Concat(shape.Where, shape.Filter) {
		if c.Atom != nil && slices.Equal(c.Columns, []string{name}) {
			size = min(size, passing.count(c.Atom, size))
		}
	}
	return max(1, size)
}

// A passing tells how many declared values pass conditions on one column. Of a range, its bounds come nearer to each other with every one
// of them.
type passing struct {
	first, last int64
	isRange     bool
	dates       bool
}

func newPassing(t *policy.Table, name string) *passing {
	for _, c := range t.Columns {
		if r := c.Domain.Range; c.Name == name && r != nil {
			return &passing{first: r.First, last: r.Last, isRange: true, dates: r.Dates}
		}
	}
	return &passing{}
}

// count is how many of so many values pass a condition and those before it, at most.
func (p *passing) count(a *query.ShapeAtom, size int) int {
	switch a.Test {
	case "=", "null":
		return 1
	case "in":
		return len(a.Values)
	}
	if !p.isRange || len(a.Values) != 1 {
		return size
	}
	n, ok := p.read(a.Values[0])
	if !ok {
		return size
	}
	switch a.Test {
	case "<=":
		p.last = min(p.last, n)
	case "<":
		p.last = min(p.last, n-1)
	case ">=":
		p.first = max(p.first, n)
	case ">":
		p.first = max(p.first, n+1)
	default:
		return size
	}
	return int(max(0, p.last-p.first+1))
}

// read is a whole number, or a date as days since 1970-01-01.
func (p *passing) read(text string) (int64, bool) {
	if p.dates {
		date, err := time.Parse(time.DateOnly, text)
		return date.Unix() / (24 * 60 * 60), err == nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n > -1<<62 && n < 1<<62
}
