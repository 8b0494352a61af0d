package reply

import (
	"fmt"

	"tacit/policy"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A ShareOf is what the share of tacit.within stands for: so many of the rows or persons of a table, as it was declared or answered before. No
// protected row is looked at for it.
type ShareOf struct {
	Share query.Exactness
	// Total is how many there are in all; 0 if nobody has been told, or of a statement that asks for this very number.
	Total   int64
	Persons bool
	// Ages are those of the answers that told it; zero of a declared number.
	Ages Ages
}

// Rows is how far a count may be off; 0 if the number in all is not known.
func (s *ShareOf) Rows() int64 { return s.Share.Of(s.Total) }

// Declared reports whether the policy tells the number.
func (s *ShareOf) Declared() bool { return s.Total > 0 && s.Ages.Oldest.IsZero() }

// Untold is the share for the count that tells the number itself.
func (s *ShareOf) Untold() *ShareOf {
	return &ShareOf{Share: s.Share, Persons: s.Persons, Ages: s.Ages}
}

// String says what the share is of, and what that comes to.
func (s *ShareOf) String() string {
	of := s.counted()
	switch {
	case s.Total == 0:
		return fmt.Sprintf("%v of the number of %s, which this count tells", s.Share, of)
	case s.Ages.Oldest.IsZero():
		return fmt.Sprintf("%v of %d %s (declared) = %d", s.Share, s.Total, of, s.Rows())
	}
	return fmt.Sprintf("%v of %d %s (recorded %v) = %d", s.Share, s.Total, of, s.Ages, s.Rows())
}

func (s *ShareOf) counted() string { return map[bool]string{false: "rows", true: "persons"}[s.Persons] }

// RefuseShare says that nobody has been told the number that a share is of, and how to be told.
func RefuseShare(s *ShareOf, whole *query.BoundQuery) *pgerror.Refusal {
	table := whole.Table.Policy.Name
	return refuseShare.With(s.Share, table, s.counted(), whole.Aggregate(whole.Counts[0]))
}

// RefuseSmallShare says that a share is less than one row.
func RefuseSmallShare(s *ShareOf, table policy.TableName) *pgerror.Refusal {
	return refuseSmallShare.With(s, table)
}
