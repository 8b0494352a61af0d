package noisy

import (
	"context"
	"slices"

	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/memory"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// An analyst may say how exact counts are to be, and the least loss that makes them so is charged (see [live.State.TermsWithin]). The loss is part of
// the question: that of another loss is another question. An answer that is recorded under another loss, or that follows from one, is shown instead
// if it is as exact as was asked for.

// mostOtherLosses bounds the losses under which a question is looked for.
const mostOtherLosses = 32

// terms are those of a query, with the loss that was asked for by tacit.within.
func (a *Statement) terms(q *query.BoundQuery, within int64) (*policy.Table, error) {
	if within == 0 {
		return live.Terms(q), nil
	}
	return a.State.TermsWithin(q, within)
}

// fromOtherLosses answers what is missing by what was recorded under other losses, the most exact of them first.
func (a *Statement) fromOtherLosses(ctx context.Context) error {
	for i, p := range a.Plans {
		if p.within == 0 || p.fresh || p.beyondOf != nil || p.answered() {
			continue
		}
		index, err := a.answerer.Derivables.Of(ctx, a.ledger, p.Terms.Name)
		if err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		losses := otherLosses(index, p)
		if len(losses) > 0 { // there is one more plan at a time
			if err := memory.Take(ctx, live.PlanBytes(p.Cells, len(p.Query.Keys), p.Query.Columns())); err != nil {
				return live.Unevaluated(ctx, err)
			}
		}
		for _, loss := range losses {
			terms := live.TermsAt(p.Query, loss)
			if _, err := a.State.MechanismsFor(p.Query, terms); err != nil {
				continue // it was recorded under a policy whose noise could have it
			}
			other, err := a.planUnder(ctx, p.Query, terms, p.exactness)
			if err != nil {
				return err
			}
			known := *a
			known.Plans = []*QueryPlan{other}
			if err := known.fromRecords(ctx); err != nil {
				return err
			}
			if other.answered() && !slices.ContainsFunc(other.Questions, func(q *Question) bool { return q.halfWidth95() > p.within }) {
				for k := range min(len(other.Questions), len(p.Questions)) {
					other.Questions[k].inPlaceOf = p.Questions[k]
				}
				a.Plans[i] = other
				a.asked[slices.Index(a.asked, p)] = other
				if other.beyond = p.beyond; p.beyond != nil {
					p.beyond.beyondOf = other
				}
				break
			}
		}
	}
	return nil
}

// otherLosses are those under which counts were recorded that may still be chosen for a plan, and the usual one, falling.
func otherLosses(x *sources.Index, p *QueryPlan) []policy.Epsilon {
	usual, own := live.Terms(p.Query).Mechanism.Epsilon, p.Terms.Mechanism.Epsilon
	least, most, _ := live.LossesToChoose(p.Query)
	losses := append(x.Losses(), usual)
	slices.Sort(losses)
	slices.Reverse(losses)
	losses = slices.DeleteFunc(slices.Compact(losses), func(e policy.Epsilon) bool { return e == own || e != usual && (e < least || e > most) })
	return losses[:min(len(losses), mostOtherLosses)]
}
