package query

import (
	"slices"

	"tacit/rewrite/pgerror"
)

// A Beside says that the cells of a query are joined with rows of the analyst's own, of which each is shown, whoever belongs to it. It has no
// part in the question.
type Beside struct {
	// AddsUp says that what is shown may add up several cells, or one cell several times.
	AddsUp bool
	// AtLeastOne says that count(*) is shown, which is 1 where nobody is: for the row itself.
	AtLeastOne bool
	// Undeclared is what is refused if some values of keys are not known. A threshold would then decide which rows of the analyst's have a count, and
	// nothing would tell the others from those that nobody belongs to.
	Undeclared *pgerror.Refusal
}

// checkBeside refuses keys of which not all values are known.
func (q *BoundQuery) checkBeside() *pgerror.Refusal {
	if q.Beside != nil && slices.ContainsFunc(q.KeyGroups(), func(g *KeyGroup) bool { return !g.Declared() }) {
		return q.Beside.Undeclared
	}
	return nil
}

// CheckBeside is checkBeside once parameters have values, of which the text that is executed has no places.
func (q *BoundQuery) CheckBeside() *pgerror.Refusal { return unplaced(q.checkBeside()) }

// unplaced is a refusal without the place in the statement.
func unplaced(refusal *pgerror.Refusal) *pgerror.Refusal {
	if refusal == nil {
		return nil
	}
	told := *refusal
	told.Position = 0
	return &told
}
