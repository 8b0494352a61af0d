package query

import (
	"slices"

	"tacit/rewrite/internal/expr"
)

// Coarsens tells whether the cells of a recorded count add up cells of the query's: places has, for each key of the recorded count, which key of the query it is. It
// never says so wrongly, and sometimes does not see it.
//
// Both are to count the same rows, by the same conditions, and the recorded keys are some of the query's. Then each row of a recorded cell has values of the other
// keys of the query, and lies in a cell of the query if these are declared. That has to be certain: by the type, or by the conditions. Otherwise a row with another value
// would be in the recorded count alone, and what is computed of both would be wrong by some unknown part of it.
func (s *Shape) Coarsens(q *BoundQuery, c Count) (places []int, ok bool) {
	if !q.hasShape(c) || s.Aggregate != q.shapeAggregate(c) || s.Source != q.Table.Policy.Name.String() || !q.sameColumns(s.Columns) || len(s.Keys) >= len(q.Keys) {
		return nil, false
	}
	where, filter := q.conditions(c)
	conditions := slices.Concat(where, filter)
	recorded := slices.Concat(s.Where, s.Filter)
	if len(conditions) != len(recorded) || len(besides(conditions, recorded)) > 0 {
		return nil, false
	}
	for _, k := range s.Keys {
		at := slices.IndexFunc(q.Keys, func(c *expr.Column) bool { return c.Text() == k.Text && c.TypeOID == k.Type && c.Stored() == k.Stored })
		if at < 0 || slices.Contains(places, at) {
			return nil, false
		}
		places = append(places, at)
	}
	for i, c := range q.Keys {
		if !slices.Contains(places, i) && !certain(c, conditions) {
			return nil, false
		}
	}
	return places, true
}

// certain reports whether each row that meets conditions has a value of a key that has a cell.
func certain(c *expr.Column, conditions []expr.Formula) bool {
	if !c.Stored() {
		return false
	}
	if c.Declared() {
		return c.Declares(expr.ExtentOf(expr.All(conditions), c))
	}
	_, known := c.Known(expr.All(conditions))
	return known
}
