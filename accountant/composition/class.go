package composition

import "tacit/policy"

// A classKey is a composition of copies of one unit, at a delta.
type classKey struct {
	unit   Term
	copies int64
	delta  policy.Delta
}

type classResult struct{ epsilon policy.Epsilon }

// classEpsilon is the epsilon at delta of a tally whose terms are all of the class of main.
func (c *Composer) classEpsilon(main Term, tally []counted, delta policy.Delta) policy.Epsilon {
	return infinite
}
