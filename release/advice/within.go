package advice

import (
	"slices"

	"tacit/release/internal/passing"
	"tacit/rewrite/query"
)

// within is how many values of a column the cells can have at most that a count would add up to one of its own: one of a column that is
// its key, and else as many as its conditions let pass. Where a condition says more than is understood here, it is taken to let all pass.
func (w *askedBefore) within(count, column int) int {
	shape, name := w.asked[count].shape, w.columns[column]
	if slices.ContainsFunc(shape.Keys, func(k query.ShapeKey) bool { return k.Stored && slices.Equal(k.Inputs, []string{name}) }) {
		return 1
	}
	return passing.Conditions(w.table, name, shape, w.search.sizes[column])
}
