package query

import (
	"fmt"

	"tacit/rewrite/internal/pgvalue"
)

// An Origin tells from what a query was bound. Queries of one origin are the same. The zero value is of none that is known.
type Origin struct {
	of     *CountQuery
	values string // of its parameters and constants
}

// Origin is from what the query was bound.
func (q *BoundQuery) Origin() Origin { return q.origin }

// originOf is that of a query with the values of parameters and constants.
func originOf(q *CountQuery, params, constants []pgvalue.Value) Origin {
	var text []byte
	for _, n := range q.Params() {
		text = fmt.Appendf(text, "$%d %t %q ", n, params[n-1].Null, params[n-1].Text)
	}
	for _, c := range constants {
		text = fmt.Appendf(text, "%t %q ", c.Null, c.Text)
	}
	return Origin{q, string(text)}
}
