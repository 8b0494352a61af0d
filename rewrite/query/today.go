package query

import (
	"time"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A declared range may end at the present day. Which cells there are of a key that is made of such a column depends on the day then, and
// a text that does not name it would mean another question every day. So the query says it: unless WHERE lets only days pass that
// are over or present, it has the condition that the column is no later than that day, or NULL. It is the very query of an analyst who
// writes that condition herself. What was recorded of it keeps its meaning, and is asked for again by the same words.
//
// So no other part of the query has to know of the day: the digest of the domain leaves it out (expr.Column.WriteDomain), and what is
// computed of the column does not end there (expr.Column.Until).

// endToday adds what the keys' columns of such ranges need. Keys are bound.
func (q *BoundQuery) endToday() {
	for _, c := range expr.MergeInputs(q.Keys...) {
		if c.Until == "" {
			continue
		}
		if limit, ok := q.noLaterThanToday(c); ok {
			q.Where = expr.Simplify(expr.All(essential(conjunctsOf(expr.Simplify(expr.All{q.Where, limit})), nil)))
		}
	}
}

// noLaterThanToday is the condition on a column; ok is false if WHERE implies it.
func (q *BoundQuery) noLaterThanToday(c *expr.Column) (limit expr.Formula, ok bool) {
	comparison := expr.Comparison{Column: c, Op: expr.LessEqual, Value: dayOf(c.TypeOID, c.Until)}
	if c.TypeOID != pgvalue.Date { // a timestamp may lie within the day
		day, err := time.Parse(time.DateOnly, c.Until)
		if err != nil {
			panic("query: internal error: " + err.Error())
		}
		comparison.Op, comparison.Value = expr.Less, dayOf(c.TypeOID, day.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	limit = comparison
	if !c.NotNull && expr.ExtentOf(q.Where, c).Null {
		limit = expr.AnyOf{comparison, expr.Nullness{Column: c, Null: true}}
	}
	return limit, !expr.ExtentOf(q.Where, c).Within(expr.ExtentOf(limit, c))
}

// dayOf is the beginning of a day, in UTC.
func dayOf(oid pgvalue.OID, day string) pgvalue.Datum {
	if oid == pgvalue.Timestamptz {
		day += " 00:00:00+00"
	}
	d, refusal := pgvalue.ReadDatum(oid, day)
	if refusal != nil {
		panic("query: internal error: " + refusal.Message)
	}
	return d
}
