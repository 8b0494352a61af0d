package query

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/rewrite/internal/expr"
)

// An Exactness is how far counts may be from the truth: by a number of rows, or by a share of how many there are in all. At most one of the two
// is set; the zero Exactness asks for nothing.
type Exactness struct {
	Rows  int64
	Share policy.Share
}

// String is the exactness as tacit.within has it.
func (e Exactness) String() string {
	switch {
	case e.Share > 0:
		return percent(e.Share)
	case e.Rows > 0:
		return fmt.Sprint(e.Rows)
	}
	return "off"
}

// percent is a share in hundredths, in full.
func percent(s policy.Share) string {
	const point = policy.OneShare / 100
	text := fmt.Sprint(int64(s / point))
	if rest := s % point; rest > 0 {
		text += "." + strings.TrimRight(fmt.Sprintf("%07d", int64(rest)), "0")
	}
	return text + "%"
}

// Of is the share of a number, rounded down.
func (e Exactness) Of(n int64) int64 {
	share, one := int64(e.Share), int64(policy.OneShare)
	return n/one*share + n%one*share/one
}

// CountsPersons reports whether all that the query counts are persons, of a table in which a person may have several rows.
func (q *BoundQuery) CountsPersons() bool {
	return q.OfEachPerson() || !slices.ContainsFunc(q.Counts, func(c Count) bool { return !c.Persons })
}

// Whole are queries of how many there are in all: of the rows of each protected table of the query, or of its persons, if the query counts persons.
func (q *BoundQuery) Whole() []*BoundQuery {
	tables := []*expr.Table{q.Table}
	if q.partner != nil {
		tables = append(tables, q.partner.Protected)
	}
	whole := make([]*BoundQuery, len(tables))
	for i, t := range tables {
		whole[i] = &BoundQuery{Table: t, Where: expr.Truth(true), Counts: []Count{{}}, Digests: &DomainDigests{}}
		if q.CountsPersons() {
			whole[i].Counts[0] = whole[i].Persons()
		}
	}
	return whole
}

// IsWhole reports whether the query asks for nothing but how many there are in all.
func (q *BoundQuery) IsWhole() bool {
	whole := q.Whole()
	return len(whole) == 1 && len(q.Keys) == 0 && len(q.Counts) == 1 && q.Question(q.Counts[0]) == whole[0].Question(whole[0].Counts[0])
}
