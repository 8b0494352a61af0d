package noisy

import (
	"context"
	"math/big"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
)

// A table's workload is measured as a question of its own, which no analyst can ask: charged, counted and recorded like others. What follows from it
// is computed of what was recorded, so that it is free. An answer that the ledger has of the very question goes before it; those that follow
// from releases of other questions come after it.
//
// The first question that follows from a workload pays for its measurement, if the policy says so and the budgets cover it; otherwise the question is
// charged by itself. Whether they do depends on the ledger, the policy and the statement, and on whether a measurement has failed before. There is
// one such measurement in an epoch. Another one is the steward's doing.

// A measuring is a measurement that a statement pays for.
type measuring struct {
	// plan has the one question of the workload. It is none of the statement's.
	plan *QueryPlan
	// waiting are the questions that follow from it.
	waiting []*Question
	// alone is what counts that are measured jointly cost by themselves, and counts how many they are; zero of a workload.
	alone  accountant.Loss
	counts int
}

// workloadOf is the workload from which counts of a plan may follow; nil if there is none.
func (a *Statement) workloadOf(p *QueryPlan) *marginals.Workload {
	if a.Request.Fresh || p.Terms.Workload == nil || p.ByThreshold || p.Margins != nil || len(p.tables) > 1 || p.answered() {
		return nil
	}
	w, err := a.State.Workload(p.Terms)
	if err != nil { // as the table is now; the policy was refused if it was so from the start
		return nil
	}
	return w
}

// fromWorkload answers what follows from measured workloads.
func (a *Statement) fromWorkload(ctx context.Context) error {
	for _, p := range a.Plans {
		w := a.workloadOf(p)
		if w == nil {
			continue
		}
		m, err := a.answerer.measured.Find(ctx, a.ledger, w)
		if err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		if m == nil || m.Recording.At.Before(p.since) {
			continue
		}
		for _, q := range p.Questions {
			if _, err := a.follows(ctx, p, q, m); err != nil {
				return err
			}
		}
	}
	return nil
}

// follows answers a question from a measurement, if it follows from it.
func (a *Statement) follows(ctx context.Context, p *QueryPlan, q *Question, m *marginals.Found) (ok bool, err error) {
	if ctx.Err() != nil {
		return false, reply.Failure(ctx, reply.RefuseCancelled.With(), ctx.Err())
	}
	if q.Released != nil || !q.counts() {
		return false, nil
	}
	d, ok := m.Derive(p.Query, q.Count)
	if !ok {
		return false, nil
	}
	if err := a.fixedCells(ctx, p); err != nil || q.Released != nil {
		return false, err
	}
	parts, err := (&deriving{Statement: a}).mapCells(ctx, p, d.Derivation, d.Finer)
	if err != nil {
		return false, live.Unevaluated(ctx, err)
	}
	groups := cells.Group(parts, p.Keys, p.Cells)
	if groups == nil {
		return false, nil
	}
	q.takeMeasured(p, d, groups, m)
	if p.within > 0 && q.halfWidth95() > p.within {
		q.Released, q.derived = nil, nil
	}
	return q.Released != nil, nil
}

// takeMeasured makes the counts of those that were measured.
func (q *Question) takeMeasured(p *QueryPlan, d *marginals.Derived, groups [][]int, m *marginals.Found) {
	counts, errors := d.Sum(groups, p.within > 0) // a bound that is asked for holds of counts as they were measured
	if q.fromZero {
		for i := range counts {
			counts[i] = max(0, counts[i])
		}
	}
	q.Released = &cells.Released{Keys: p.Keys, Counts: counts, Recording: m.Recording}
	q.derived = &derivedFrom{recorded: []cells.Recording{m.Recording}, added: 1, leftOut: d.LeftOut, measured: errors, jointly: m.Joint()}
	q.derived.error = mechanisms.SumError{HalfWidth95: errors.MostWithin(0.05)}
	if q.fromZero && !errors.Fitted { // the mean of a Gaussian variable that is 0 where it is negative
		q.derived.error.BiasOfZero = 0.4 * errors.Deviation()
	}
}

// measuredInterval holds the true count of a cell that follows from a workload, but with a probability of miss.
func (d *derivedFrom) measuredInterval(cell int, shown int64, miss *big.Rat) mechanisms.Interval {
	level, _ := miss.Float64()
	return d.measured.Interval(cell, shown, level*(1-1e-12))
}

// PlanMeasurements notes which workloads the statement measures, if its budgets cover them and what else it asks, and which counts follow from others.
func (a *Statement) PlanMeasurements(ctx context.Context) error {
	made := make(map[policy.TableName]*measuring)
	for _, p := range a.Plans {
		w := a.workloadOf(p)
		if w == nil || p.Terms.Workload.BySteward || w.Failed() {
			continue
		}
		if m, err := a.answerer.measured.Find(ctx, a.ledger, w); err != nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		} else if m != nil {
			continue // it is too old for the analyst
		}
		expected := &marginals.Found{Measured: w.Expected()}
		for _, q := range p.Questions {
			ok, err := a.follows(ctx, p, q, expected)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			q.Released, q.expected, q.derived = nil, q.derived, nil
			if made[p.Terms.Name] == nil {
				made[p.Terms.Name] = &measuring{plan: a.measuringPlan(p, w)}
				a.measuring = append(a.measuring, made[p.Terms.Name])
			}
			made[p.Terms.Name].waiting = append(made[p.Terms.Name].waiting, q)
		}
	}
	workloads := len(a.measuring)
	if err := a.planTogether(ctx); err != nil || workloads == 0 {
		return err
	}
	charges, _ := a.Charges(a.Tasks())
	if err := a.ledger.Afford(ctx, charges); err == nil || asksAgain(err) {
		return nil
	}
	a.measuring = nil
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			q.expected = nil
		}
	}
	return a.planTogether(ctx)
}

func (a *Statement) measuringPlan(p *QueryPlan, w *marginals.Workload) *QueryPlan {
	return &QueryPlan{
		Query: w.Query, tables: p.tables, Terms: p.Terms, state: p.state, now: a.now,
		Questions: []*Question{{Ledger: w.Question, loss: w.Loss, term: w.Term, Mechanism: p.Questions[0].Mechanism, workload: w}},
	}
}

// Measure counts for a workload. The true counts live in this call alone. What failed is not tried again until the policy or the catalog is read anew: it
// was charged, and so would be each time. But the charge of a count of which nobody has seen the end is taken over by the next question.
func (t *Task) Measure(ctx context.Context, count groups) error {
	q := t.Questions[0]
	stored, err := q.workload.Measure(ctx, count)
	switch {
	case err == nil:
		q.Released = &cells.Released{Stored: stored}
	case !live.Unseen(ctx, err):
		q.workload.Fail()
	}
	return err
}

// explainMeasuring tells of a measurement that the statement would pay for.
func (a *Statement) explainMeasuring(m *measuring) reply.ExplainedQuestion {
	if m.counts > 0 {
		return a.explainJoint(m)
	}
	q := m.plan.Questions[0]
	return reply.ExplainedQuestion{
		Tables: []policy.TableName{q.Ledger.Table}, Question: q.Ledger.Text, Mechanism: string(policy.DiscreteGaussian),
		Description: reply.MeasuredOnce, Loss: q.loss, Workload: true,
	}
}
