package noisy

import (
	"cmp"
	"context"
	"slices"

	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// Of several new counts of one statement one may follow from another: counts by region from those by region and sex. If the statements came one after
// the other, the finer first, the coarser would be free. So it is in one statement, too, in whatever order: the finer counts are asked, charged and
// recorded as they would be by themselves, and the others are derived from them then, as from what was recorded before (see derive.go). Which follow from
// which depends on the statement, the policy and declared values alone. Where nothing was recorded, nothing is derived: with tacit.fresh
// each count is asked by itself.
//
// The invariant: what is charged is the loss of each question that is asked, as it always was. No question is asked otherwise than it would be without its siblings, unless some
// are measured jointly, which is a question of its own (see jointly.go).

// A sibling is a question of the same statement from which another follows.
type sibling struct {
	plan       *QueryPlan
	question   *Question
	kind       *sources.Kind     // of what it follows from; nil if it follows from nothing
	recorded   *sources.Recorded // as it will be recorded
	derivation *query.Derivation
}

// maxSiblings bounds the questions of a statement that are compared with one another.
const maxSiblings = 48

// asSiblings are the questions of the statement that would be charged, and may follow from one another.
func (a *Statement) asSiblings() (asked []sibling) {
	seen := make(map[[32]byte]bool)
	for _, p := range a.Plans {
		if p.fresh || p.ByThreshold || !p.Terms.Derive || len(p.tables) > 1 || p.beyondOf != nil || p.empty() {
			continue
		}
		for _, q := range p.Questions {
			if q.Released != nil || q.expected != nil || !q.counts() || seen[q.Ledger.Key] {
				continue
			}
			seen[q.Ledger.Key] = true
			if asked = append(asked, sibling{plan: p, question: q}); len(asked) == maxSiblings {
				return asked
			}
		}
	}
	return asked
}

// planTogether notes which new counts follow from others that the statement asks.
func (a *Statement) planTogether(ctx context.Context) error {
	asked := a.asSiblings()
	if len(asked) < 2 {
		return nil
	}
	for i := range asked {
		if kept := sources.Parse(asked[i].plan.shapeOf(asked[i].question)); kept != nil {
			asked[i].recorded = &sources.Recorded{Kept: kept, Question: asked[i].question.Ledger}
		}
		if kind, _, ok := asked[i].plan.Sought(asked[i].question); ok {
			asked[i].kind = &kind
		}
	}
	// If a third question follows from the second, and that from the first, the third follows from the first. So those from which more follow come first.
	follows, followers := make([][]*query.Derivation, len(asked)), make([]int, len(asked))
	order := make([]int, len(asked))
	for i := range asked {
		follows[i], order[i] = make([]*query.Derivation, len(asked)), i
		for j := range asked {
			if i != j {
				if follows[i][j] = asked[i].follows(asked[j]); follows[i][j] != nil {
					followers[j]++
				}
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(followers[j], followers[i]) })
	var finest []int // those that are asked, with the fewest cells first, of which the fewest are added up
	for _, i := range order {
		for _, j := range finest {
			if follows[i][j] == nil || asked[i].question.expected != nil {
				continue
			}
			of := asked[j]
			of.derivation = follows[i][j]
			if err := a.expect(ctx, asked[i].plan, asked[i].question, of); err != nil {
				return err
			}
		}
		if asked[i].question.expected == nil {
			finest = append(finest, i)
			slices.SortStableFunc(finest, func(i, j int) int { return cmp.Compare(asked[i].plan.Cells, asked[j].plan.Cells) })
		}
	}
	if err := a.planJointly(ctx, asked); err != nil {
		return err
	}
	a.shareExpected()
	return nil
}

// follows tells how a question follows from another one once that is recorded; nil if it does not.
func (s sibling) follows(from sibling) *query.Derivation {
	if s.kind == nil || from.recorded == nil || from.recorded.Kept.Kind() != *s.kind {
		return nil
	}
	derivation, _ := s.plan.Follows(s.question, from.recorded)
	return derivation
}

// mostWorse bounds how many times as far off a count that follows from a sibling may be as one that is asked by itself, if she does not say how exact it is to be.
// Of noise that shows negative counts as 0, that holds of the bias, too: it is in the error.
const mostWorse = 4

// expect has a question wait for a sibling, unless not all of its cells follow, or not exactly enough.
func (a *Statement) expect(ctx context.Context, p *QueryPlan, q *Question, of sibling) error {
	if ctx.Err() != nil {
		return reply.Failure(ctx, reply.RefuseCancelled.With(), ctx.Err())
	}
	for _, plan := range []*QueryPlan{p, of.plan} {
		if err := a.fixedCells(ctx, plan); err != nil {
			return err
		}
	}
	if q.Released != nil || of.question.Released != nil { // there are no cells
		return nil
	}
	finer := &cells.Released{Keys: of.plan.Keys, Counts: make([]int64, of.plan.Cells)}
	parts, err := (&deriving{Statement: a}).mapCells(ctx, p, of.derivation, finer)
	if err != nil {
		return live.Unevaluated(ctx, err)
	}
	made, added := p.madeOf(parts, finer)
	if made == nil {
		return nil
	}
	expected := &derivedFrom{added: sources.MostAdded(added), cells: added, leftOut: of.derivation.LeftOut(), sibling: &of}
	expected.error, _ = q.Mechanism.SumError(expected.added)
	alone, _ := q.Mechanism.SumError(1)
	if expected.error.HalfWidth95 <= cmp.Or(p.within, mostWorse*alone.HalfWidth95) {
		q.expected = expected
	}
	return nil
}

// shareExpected has equal questions follow from the same.
func (a *Statement) shareExpected() {
	expected := make(map[[32]byte]*derivedFrom)
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			if q.expected != nil {
				expected[q.Ledger.Key] = q.expected
			} else if q.Released == nil {
				q.expected = expected[q.Ledger.Key]
			}
		}
	}
}

// followSiblings answers the questions that follow from others which are recorded by now.
func (a *Statement) followSiblings(ctx context.Context) error {
	of := make(map[*Question]*sibling)
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			if q.expected != nil && q.expected.sibling != nil {
				of[q], q.expected = q.expected.sibling, nil
			}
		}
	}
	if len(of) == 0 {
		return nil
	}
	if err := a.derive(ctx); err != nil {
		return err
	}
	d := &deriving{Statement: a}
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			if s := of[q]; s != nil && q.Released == nil { // it is not among those that are known to be recorded
				if err := d.fromSibling(ctx, p, q, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fromSibling answers a question by what was recorded of its sibling, which was counted for it, however soon answers are too old.
func (d *deriving) fromSibling(ctx context.Context, p *QueryPlan, q *Question, s *sibling) error {
	found, ok, err := d.ledger.Lookup(ctx, s.question.Ledger, 0)
	if err != nil || !ok {
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	of := sources.Origin{Recorded: s.recorded, Derivation: s.derivation}
	released, added, err := d.cellsOf(ctx, p, q, of, found)
	if err == nil && released != nil {
		q.takeDerived(sources.Following{Origin: of, Cells: released, Added: added})
	}
	return err
}
