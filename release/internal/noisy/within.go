package noisy

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"tacit/policy"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// An analyst may say how exact counts are to be, and the least loss that makes them so is charged (see [live.State.TermsWithin]). The loss is part of
// the question: that of another loss is another question. An answer that is recorded under another loss, or that follows from one, is shown instead
// if it is as exact as was asked for.

// mostOtherLosses bounds the losses under which a question is looked for.
const mostOtherLosses = 32

// terms are those of a query, with the loss that was asked for by tacit.within.
func (a *Statement) terms(q *query.BoundQuery) (*policy.Table, error) {
	if a.Request.Within == 0 {
		return live.Terms(q), nil
	}
	return a.State.TermsWithin(q, a.Request.Within)
}

// fromOtherLosses answers what is missing by what was recorded under other losses, the most exact of them first.
func (a *Statement) fromOtherLosses(ctx context.Context) error {
	for i, p := range a.Plans {
		if p.within == 0 || p.fresh || p.beyondOf != nil || p.answered() {
			continue
		}
		index, err := a.answerer.Derivables.of(ctx, a.ledger, p.Terms.Name)
		if err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		usual := live.Terms(p.Query).Mechanism.Epsilon
		for _, loss := range index.otherLosses(usual, p.Terms.Mechanism.Epsilon) {
			other, err := a.planUnder(ctx, p.Query, live.TermsAt(p.Query, loss))
			if err != nil {
				return err
			}
			known := *a
			known.Plans = []*QueryPlan{other}
			if err := known.fromRecords(ctx); err != nil {
				return err
			}
			if other.answered() && !slices.ContainsFunc(other.Questions, func(q *Question) bool { return q.halfWidth95() > p.within }) {
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

// otherLosses are those under which counts were recorded, and the usual one, falling.
func (x *SourceIndex) otherLosses(usual, own policy.Epsilon) []policy.Epsilon {
	x.mu.RLock()
	defer x.mu.RUnlock()
	losses := []policy.Epsilon{usual}
	for loss := range x.losses {
		losses = append(losses, loss)
	}
	slices.Sort(losses)
	slices.Reverse(losses)
	losses = slices.DeleteFunc(slices.Compact(losses), func(e policy.Epsilon) bool { return e == own })
	return losses[:min(len(losses), mostOtherLosses)]
}

// chosenLossPrefix begins the line that is kept with a charge whose loss was chosen.
const chosenLossPrefix = "loss "

func (p *QueryPlan) chosenLossText() string {
	return "\n" + chosenLossPrefix + strconv.FormatInt(int64(p.Terms.Mechanism.Epsilon), 10)
}

// chosenLoss reads it; ok is false of other charges, and of those of former versions.
func chosenLoss(shape string) (policy.Epsilon, bool) {
	lines := strings.SplitN(shape, "\n", 3)
	if len(lines) < 3 {
		return 0, false
	}
	text, ok := strings.CutPrefix(lines[2], chosenLossPrefix)
	loss, err := strconv.ParseInt(text, 10, 64)
	return policy.Epsilon(loss), ok && err == nil && loss > 0
}
