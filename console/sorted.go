package console

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"
)

// This file sorts long tables by the column that a link of theirs names. Pages need no scripts for it.

// A column is one that a table can be sorted by, and how.
type column[T any] struct {
	Key, Name string
	Number    bool // it is of numbers, and the largest comes first
	compare   func(a, b T) int
}

// A heading is the head of a column.
type heading struct {
	Name   string
	Number bool
	Sort   template.HTMLAttr // says whether the table is sorted by it
	Link   string
}

// sorted sorts rows by the column that the query names under a parameter, or leaves them as they are, and has the heads of the columns. The rows of
// equal values keep their order.
func sorted[T any](rows []T, columns []column[T], query url.Values, parameter string) (heads []heading) {
	for _, c := range columns {
		values := make(url.Values)
		for name, value := range query {
			values[name] = value
		}
		values.Set(parameter, c.Key)
		head := heading{Name: c.Name, Number: c.Number, Link: "?" + values.Encode()}
		if query.Get(parameter) == c.Key && c.compare != nil {
			order := c.compare
			head.Sort = `aria-sort="ascending"`
			if c.Number {
				order, head.Sort = func(a, b T) int { return c.compare(b, a) }, `aria-sort="descending"`
			}
			slices.SortStableFunc(rows, order)
		}
		if c.compare == nil {
			head.Link = ""
		}
		heads = append(heads, head)
	}
	return heads
}

// by compares what a function has of each row.
func by[T any, K cmp.Ordered](of func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(of(a), of(b)) }
}

var analystColumns = []column[analystRow]{
	{"analyst", "Analyst", false, by(func(r analystRow) string { return r.Line.Analyst })},
	{"spent", "Spent", true, by(func(r analystRow) float64 { return epsilonAmount.of(r.Line.Exact.Spent) })},
	{"", "Cap", false, nil}, {"", "Left", false, nil},
	{"charged", "Charged", true, by(func(r analystRow) int64 { return r.Sum.Charged })},
	{"free", "Free", true, by(func(r analystRow) int64 { return r.Sum.Free })},
	{"refused", "Refused", true, by(func(r analystRow) int64 { return r.Sum.Refused })},
	{"", "Note", false, nil},
}

var needColumns = []column[needRow]{
	{"times", "Times", true, by(func(r needRow) int { return r.Times })},
	{"last", "Last", true, by(func(r needRow) int64 { return r.Last.UnixNano() })},
	{"", "Who", false, nil},
	{"table", "Table", false, by(func(r needRow) string { return r.Table.String() })},
	{"code", "Code", false, by(func(r needRow) string { return r.SQLState })},
	{"", "Reason, and the newest statement", false, nil},
}
