package noisy

import (
	"context"

	"tacit/release/internal/live"
	"tacit/release/internal/memory"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A share, such as tacit.within = '2%', is of how many rows or persons a table has in all. That number is one that the policy declares, or that was answered
// before: the count of all rows as it would be answered now, from the ledger alone. So the loss that is found for the share depends on the policy, the
// statement and the ledger, as that of a number of rows does. What a loss may depend on is what analysts know when they choose it (see [live.State.TermsWithin]).
//
// The count of all rows itself is charged and counted as without the setting: so there is something to refer to, and asking again costs nothing. With a declared number
// it is a count like others.

// exactness is how exact the counts of a plan are to be.
type exactness struct {
	// within is a number of rows, 0 if nothing was asked.
	within int64
	// share is what the number follows from; nil if it was asked for itself.
	share *reply.ShareOf
}

// asks tells how exact the counts of a query are to be.
func (a *Statement) asks(ctx context.Context, q *query.BoundQuery) (exactness, error) {
	_, measure := q.IsBeyond()
	switch {
	case a.Request.Within.Share == 0 || measure:
		return exactness{within: a.Request.Within.Rows}, nil
	case q.Measured() || q.HasOrdered():
		return exactness{}, reply.RefuseWithin.With(q.Table.Policy.Name)
	}
	var least *reply.ShareOf
	for _, whole := range q.Whole() {
		s, err := a.shareOf(ctx, whole)
		switch {
		case err != nil:
			return exactness{}, err
		case q.IsWhole() && !s.Declared():
			return exactness{share: s.Untold()}, nil
		case s.Total == 0:
			return exactness{}, reply.RefuseShare(s, whole)
		case s.Rows() < 1:
			return exactness{}, reply.RefuseSmallShare(s, whole.Table.Policy.Name)
		case least == nil || s.Rows() < least.Rows():
			least = s
		}
	}
	return exactness{least.Rows(), least}, nil
}

// shareOf is what the share of the statement stands for, of a count of all rows or persons.
func (a *Statement) shareOf(ctx context.Context, whole *query.BoundQuery) (*reply.ShareOf, error) {
	question := whole.Question(whole.Counts[0])
	if known, ok := a.shares[question]; ok {
		return known, nil
	}
	s := &reply.ShareOf{Share: a.Request.Within, Persons: whole.Counts[0].Persons, Ages: reply.Ages{Viewer: a.viewer()}}
	if declared := whole.Table.Policy.DeclaredSize; declared > 0 && !s.Persons {
		s.Total = declared
	} else if err := a.recordedTotal(ctx, whole, s); err != nil {
		return nil, err
	}
	a.shares[question] = s
	return s, nil
}

// anyExactness is more than any recorded answer is off by.
const anyExactness = int64(1) << 62

// recordedTotal looks up how many there are in all: as it is answered without the setting, or else as the most exact answer under another loss.
func (a *Statement) recordedTotal(ctx context.Context, whole *query.BoundQuery, s *reply.ShareOf) error {
	known := *a
	known.Request.Within, known.Request.Fresh, known.Request.MaxAge = query.Exactness{}, false, 0
	p, err := known.planUnder(ctx, whole, live.Terms(whole), exactness{})
	if err != nil {
		return err
	}
	if err := memory.Take(ctx, live.PlanBytes(p.Cells, 0, whole.Columns())); err != nil {
		return live.Unevaluated(ctx, err)
	}
	known.Plans, known.asked = []*QueryPlan{p}, []*QueryPlan{p}
	if err := known.fromRecords(ctx); err != nil {
		return err
	}
	p.within = anyExactness
	if err := known.fromOtherLosses(ctx); err != nil {
		return err
	}
	p = known.Plans[0]
	if !p.answered() || !p.Terms.Mechanism.Kind.Guaranteed() { // a count may be withheld
		return nil
	}
	q := p.Questions[p.Shown[0]]
	if s.Total = max(1, q.shownCounts()[0]); q.derived == nil {
		s.Ages.Add(q.Released.At)
	} else {
		for _, r := range q.derived.recorded {
			s.Ages.Add(r.At)
		}
	}
	return nil
}
