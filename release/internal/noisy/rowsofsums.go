package noisy

import (
	"context"
	"math/big"
	"slices"

	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
)

// The sums that are released of a number have the number of its rows with them, see query.Measure: with d the degree and D the steps, the sum of the
// d+1 sums is D^d times it. So after an average the count of the same rows is free. It is rounded to the nearest integer. The error of the sum of d+1 sums is that of a
// sum of as many cells, so that with the bound W of that error, the count is off by at most the integer below W/D^d + 1/2.
//
// What was released together with sums, as one of several parts, has noise of its own: more than it would have by itself. It is given again
// all the same, where nothing more exact is recorded: it is free.

// maxAggregateBytes bounds the texts, of which thousands are held in memory.
const maxAggregateBytes = 1 << 10

// sharedAmong gives the one question of a plan the noise that it would have as one of so many parts.
func (p *QueryPlan) sharedAmong(parts int, r *live.State) (err error) {
	if parts < 2 {
		return nil
	}
	q := p.Questions[0]
	s := live.SensitivityOf(p.Query, q.Count)
	if p.mechanisms, err = r.JointMechanisms(p.Query, p.Terms, map[live.Sensitivity]bool{s: true}, parts); err != nil {
		return err
	}
	p.parts, q.Mechanism = parts, p.mechanisms[s]
	p.setIdentities(r)
	return nil
}

// deriveBeside answers a count or sums that follow from releases of another kind.
func (a *Statement) deriveBeside(ctx context.Context, p *QueryPlan, q *Question) error {
	if q.Count.Measure != nil {
		if err := a.deriveSum(ctx, p, q); err != nil || q.Released != nil {
			return err
		}
	}
	if p.Query.Totals {
		return nil
	}
	recorded, err := a.answerer.Derivables.Of(ctx, a.ledger, p.Terms.Name)
	if err != nil {
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if err := a.otherwiseShared(ctx, p, q, recorded); err != nil || q.Released != nil {
		return err
	}
	return a.countOfSums(ctx, p, q, recorded)
}

// otherwiseShared answers a question that is recorded by itself, or as a part of a release that had another number of parts.
func (a *Statement) otherwiseShared(ctx context.Context, p *QueryPlan, q *Question, recorded *sources.Index) error {
	alone := p.Query.Alone(q.Count)
	parts := recorded.PartsOf(p.Query.Aggregate(q.Count))
	if p.parts > 1 && !slices.Contains(parts, 1) {
		parts = slices.Insert(parts, 0, 1)
	}
	for _, n := range parts {
		if n == max(p.parts, 1) {
			continue
		}
		of, err := a.recordedPart(ctx, alone, n)
		if err != nil {
			return err
		}
		if of == nil {
			continue
		}
		if err := a.fixedCells(ctx, p); err != nil || q.Released != nil {
			return err
		}
		if cells.SameKeys(of.Released.Keys, p.Keys) {
			q.Released, q.derived, q.replayed, q.anew, q.anewBy, q.Mechanism = of.Released, of.derived, of.replayed, false, q.Mechanism, of.Mechanism
			return nil
		}
	}
	return nil
}

// countOfSums answers a count of the rows of which sums are recorded.
func (a *Statement) countOfSums(ctx context.Context, p *QueryPlan, q *Question, recorded *sources.Index) error {
	for _, sums := range p.Query.SumsOfRows(q.Count) {
		for _, parts := range recorded.PartsOf(p.Query.Aggregate(sums)) {
			of, err := a.recordedPart(ctx, p.Query.Alone(sums), parts)
			if err != nil {
				return err
			}
			if of == nil {
				continue
			}
			if err := a.fixedCells(ctx, p); err != nil || q.Released != nil {
				return err
			}
			if cells.SameKeys(of.Released.Keys, p.Keys) {
				q.takeRowsOf(of)
				return nil
			}
		}
	}
	return nil
}

// fixedCells settles the cells of a plan, and answers its questions if there are none.
func (a *Statement) fixedCells(ctx context.Context, p *QueryPlan) error {
	if err := p.fixCellsNow(ctx, a.answerer.monitor.Curator); err != nil {
		return err
	}
	p.keepFixed()
	return nil
}

// takeRowsOf makes the counts of the numbers of rows of sums.
func (q *Question) takeRowsOf(sums *Question) {
	from := sums.Released
	released := &cells.Released{Keys: from.Keys, Counts: make([]int64, from.Cells()), Recording: sums.recordings()[0]}
	for cell := range released.Counts {
		var total big.Int
		for column := range from.Columns {
			total.Add(&total, big.NewInt(from.Column(column)[cell]))
		}
		released.Counts[cell] = sums.Count.Measure.Rows(&total)
	}
	q.derived = &derivedFrom{recorded: sums.recordings(), added: 1, rowsOf: sums}
	if of := sums.derived; of != nil {
		q.derived.added, q.derived.leftOut = of.added, of.leftOut
	}
	q.Released = released
	q.derived.error.HalfWidth95, _ = q.rowsWithin(big.NewRat(1, 20))
}

// rowsWithin bounds the error of a count that is the number of rows of sums, but with a probability of miss.
func (q *Question) rowsWithin(miss *big.Rat) (w int64, ok bool) {
	sums := q.derived.rowsOf
	w, ok = sums.Mechanism.SumWithin(q.derived.added*sums.Count.Columns(), miss)
	return sums.Count.Measure.RowsWithin(w), ok
}
