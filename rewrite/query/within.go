package query

import (
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
)

// WithinCount is a superset of the values of a column of the protected table that rows which meet WHERE and the FILTER of a count can have,
// whatever the table holds: a row that has another value changes the count of no cell.
//
// It follows from the canonical formula, which knows of each row only whether it is true: AND intersects, OR unites. A comparison of the
// column with a constant says what it says if this package knows exactly how the server compares the two, and so does one of the
// beginning of a month, or of the year, in which the column lies (see datetrunc.go in package expr); everything else, such as another function of the column,
// says nothing.
func (q *BoundQuery) WithinCount(column string, c Count) extent.Extent {
	return q.Within(column, expr.All{q.Where, c.formula()})
}

func (q *BoundQuery) Within(column string, f expr.Formula) extent.Extent {
	c := q.Table.Column(column)
	if c == nil || q.partner != nil {
		return extent.Everything()
	}
	return expr.ExtentOf(f, c)
}

// UnmetColumn is a column of which no declared value lets a row meet WHERE and the FILTER of a count, though others would: the count is of
// rows whose value is not declared, and mostly of a slip in a constant. It is nil if there is none. Only columns whose values are listed
// are looked at, since what lies beyond a declared range may be there: time goes on.
func (q *BoundQuery) UnmetColumn(c Count) *expr.Column {
	for i := range q.Table.Policy.Columns {
		declared := &q.Table.Policy.Columns[i]
		column := q.Table.Column(declared.Name)
		if column != nil && declared.Domain.Range == nil && declared.Domain.Bounds == nil && column.DeclaresNone(q.WithinCount(declared.Name, c)) {
			return column
		}
	}
	return nil
}

// Constants are the texts that WHERE and the FILTER of a count ask for of a column, for hints; none if it is told by more than equality.
func (q *BoundQuery) Constants(column *expr.Column, c Count) []string {
	if e := q.WithinCount(column.Name, c); !e.Except {
		return e.Texts
	}
	return nil
}
