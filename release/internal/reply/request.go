package reply

import (
	"context"
	"errors"
	"time"

	"tacit/accountant"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Request is one analyst's statement.
type Request struct {
	Analyst string
	// SQL is the statement as she wrote it, for the log.
	SQL string
	// ID tells it from others in the ledger and in the operator's log. Default: none.
	ID accountant.Request
	// Queries are its count queries with their parameters' values.
	Queries []*query.BoundQuery
	// Fresh says that she wants all counts asked anew, whatever was recorded. They are charged.
	Fresh bool
	// MaxAge is how old a recorded answer may be to be shown, besides what the policy says. Default: any age.
	MaxAge time.Duration
	// Within is how far counts may be from the truth in 95 of 100 cases, by the least loss that makes them so. Default: the loss is the policy's.
	Within query.Exactness
	// Zone is the time zone in which she reads times. Default: it is not known.
	Zone *time.Location
}

// MaxStatementCells is how many times limits.cells the counts of one statement may fill together, so that a statement of many
// sub-selects cannot exhaust memory.
const MaxStatementCells = 20

// Failure is what the analyst sees, and why. Whatever failed after she gave up, she gave up.
func Failure(ctx context.Context, seen *pgerror.Refusal, err error) error {
	if ctx.Err() != nil {
		seen = RefuseCancelled.With()
	}
	return errors.Join(seen, err)
}

// Audited reports whether a query is about an audited table.
func Audited(q *query.BoundQuery) bool { return q.Table.Audited() }

// SanitizedPart is the statement without its queries about audited tables, and where they were.
func (r Request) SanitizedPart() (part Request, places []int) {
	return r.part(func(q *query.BoundQuery) bool { return !Audited(q) })
}

// CountedPart is the statement without its queries that show values of keys without counts, and where it was.
func (r Request) CountedPart() (part Request, places []int) {
	return r.part(func(q *query.BoundQuery) bool { return !q.Lists() })
}

func (r Request) part(of func(*query.BoundQuery) bool) (part Request, places []int) {
	part = r
	part.Queries = nil
	for i, q := range r.Queries {
		if of(q) {
			part.Queries = append(part.Queries, q)
			places = append(places, i)
		}
	}
	return part, places
}
