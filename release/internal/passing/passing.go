package passing

import (
	"slices"
	"strconv"
	"time"

	"tacit/policy"
	"tacit/rewrite/query"
)

// values tell how many declared values pass conditions on one column. Of a range, its bounds come nearer to each other with every one
// of them.
type values struct {
	first, last int64
	isRange     bool
	dates       bool
}

// Conditions is how many of so many declared values of a column pass the conditions of a shape that are about it alone, at most; never less than 1.
func Conditions(t *policy.Table, name string, shape *query.Shape, size int) int {
	passed := newValues(t, name)
	for _, conditions := range [][]query.ShapeCondition{shape.Where, shape.Filter} {
		for _, c := range conditions {
			if c.Atom != nil && slices.Equal(c.Columns, []string{name}) {
				size = min(size, passed.count(c.Atom, size))
			}
		}
	}
	return max(1, size)
}

// newValues begins with all declared values of a column.
func newValues(t *policy.Table, name string) *values {
	for _, c := range t.Columns {
		if r := c.Domain.Range; c.Name == name && r != nil {
			return &values{first: r.First, last: r.Last, isRange: true, dates: r.Dates}
		}
	}
	return &values{}
}

// count is how many of so many values pass a condition and those before it, at most.
func (p *values) count(a *query.ShapeAtom, size int) int {
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
func (p *values) read(text string) (int64, bool) {
	if p.dates {
		date, err := time.Parse(time.DateOnly, text)
		return date.Unix() / (24 * 60 * 60), err == nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n > -1<<62 && n < 1<<62
}

// Places are the places, in the declared order, of the values that pass the conditions of a shape which are about a column alone. Where it is not known which
// values pass, they are the first ones: as many as pass. There is one at least.
func Places(t *policy.Table, name string, shape *query.Shape, size int) []int {
	most := Conditions(t, name, shape, size)
	passed := newValues(t, name)
	if !passed.isRange {
		return first(most)
	}
	least, listed := passed.first, []int64(nil)
	isListed, bounded := false, false
	for _, c := range slices.Concat(shape.Where, shape.Filter) {
		if c.Atom == nil || !slices.Equal(c.Columns, []string{name}) {
			continue
		}
		bounded = true
		if c.Atom.Test != "=" && c.Atom.Test != "in" {
			passed.count(c.Atom, size)
			continue
		}
		isListed = true
		for _, text := range c.Atom.Values {
			if n, ok := passed.read(text); ok {
				listed = append(listed, n)
			}
		}
	}
	if !bounded { // NULL has a place, too
		return first(most)
	}
	var places []int
	for n := passed.first; n <= passed.last; n++ {
		if at := n - least; at < int64(size) && (!isListed || slices.Contains(listed, n)) {
			places = append(places, int(at))
		}
	}
	if len(places) == 0 || len(places) > most {
		return first(most)
	}
	return places
}

func first(n int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	return places
}
