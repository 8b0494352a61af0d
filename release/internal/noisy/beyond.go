package noisy

import (
	"context"
	"slices"

	"tacit/release/internal/reply"
)

// How much the bounds of a person leave out is measured where the policy asks for it (person.left-out): a question of its own beside each new one,
// with noise, charged, recorded and replayed like others. What was answered before is not charged for it later.

// measureLeftOut adds a plan for what the bounds leave out of another's counts.
func (a *Statement) measureLeftOut(ctx context.Context, p *QueryPlan) error {
	b, ok := p.Query.BeyondBounds()
	if !ok || p.Terms.Person == nil || p.Terms.Person.LeftOut == 0 {
		return nil
	}
	measure, err := NewQueryPlan(ctx, a.answerer.monitor.Curator, b, a.State)
	if err != nil {
		return err
	}
	measure.maxAge, measure.since, measure.fresh = p.maxAge, p.since, p.fresh
	measure.beyondOf, p.beyond = p, measure
	a.Plans = append(a.Plans, measure)
	return nil
}

// dropUnasked leaves out the measures that are not there beside questions that are answered already.
func (a *Statement) dropUnasked() {
	a.Plans = slices.DeleteFunc(a.Plans, func(p *QueryPlan) bool {
		if p.beyondOf == nil || p.answered() || !p.beyondOf.answered() && !p.beyondOf.empty() {
			return false
		}
		p.beyondOf.beyond = nil
		return true
	})
}

// bounds say what a person counts for in the cells of a plan, and how much that leaves out; nil if each row is a person.
func (p *QueryPlan) bounds() *reply.Bounds {
	if p.Terms.Person == nil || p.Query.OfEachPerson() {
		return nil
	}
	_, bounded := p.Query.LeavesOut()
	if !bounded && p.Query.Partner() == nil && (p.Terms.Person.Rows > 1 || p.Query.Table.Person.Unique) {
		return nil
	}
	b := &reply.Bounds{Rows: p.Terms.Person.Rows, Groups: p.Terms.Person.Groups}
	if p.beyond == nil {
		return b
	}
	q := p.beyond.Questions[0]
	b.OfRows, _ = p.beyond.Query.IsBeyond()
	b.Most, b.HalfWidth95 = p.beyond.Query.MostBeyond(), q.halfWidth95()
	if q.Released != nil {
		b.LeftOut, b.Known = q.Released.Counts[0], true
	}
	return b
}
