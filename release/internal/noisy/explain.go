package noisy

import (
	"cmp"
	"context"
	"errors"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/payments"
	"tacit/release/internal/reply"
)

func (a *Statement) explain(p *QueryPlan, q *Question) reply.ExplainedQuestion {
	e := reply.ExplainedQuestion{
		Question: q.Ledger.Text, Mechanism: q.kind(),
		Recorded: q.replayed, HalfWidth95: q.halfWidth95(), Cells: p.Cells,
		Description: q.describe(), BiasOfZero: q.biasOfZero(), Derived: q.derivation(a.viewer()),
		Filled: p.addsFills(q), Within: p.within, Share: p.share,
	}
	if p.within > 0 {
		e.Chosen = p.Terms.Mechanism.Epsilon
	}
	for _, g := range q.Mechanism.GroupingErrors() {
		e.Together = append(e.Together, reply.GroupingError{Grouping: p.Query.Groupings([][]int{g.Attributes}), Deviation: g.Deviation, HalfWidth95: g.HalfWidth95})
	}
	if cell, total, ok := q.Mechanism.FittedError(); ok {
		e.Fitted = &reply.FittedTotals{Margins: p.Margins.Len(), CellDeviation: cell, TotalDeviation: total}
	}
	if b := p.Query.Beside; b != nil {
		e.AddsUp, e.AtLeastOne = b.AddsUp, b.AtLeastOne
	}
	for _, t := range p.tables {
		e.Tables = append(e.Tables, t.Name)
	}
	if e.Sum = q.SumError(); e.Sum != nil {
		e.HalfWidth95, e.BiasOfZero = 0, 0
	}
	if p.ByThreshold {
		e.Threshold = p.Questions[0].Mechanism.Threshold()
		e.BiasOfZero = 0 // empty cells are not shown
	}
	if q.choice != nil {
		e.Value, e.ValueWithin95 = q.describeValue(), q.valueWithin95()
		e.BiasOfZero, e.HalfWidth95 = 0, 0
	} else if q.Mechanism.Kind().Guaranteed() && e.Sum == nil {
		e.AtOnce, e.Totals = a.atOnce([]*Question{q}), p.totals()
	}
	if e.AddsUp {
		e.AtOnce = nil
	}
	if e.Recorded {
		e.Ages, e.Fresh = q.ages(a.viewer()), cmp.Or(q.inPlaceOf, q).loss
	}
	if p.beyondOf == nil {
		e.Bounds = p.bounds()
	} else {
		e.AtOnce = nil
	}
	if e.Waits = q.expected != nil; e.Waits && q.expected.sibling != nil {
		e.Follows, e.Added = q.expected.sibling.question.Ledger.Text, q.expected.added
	}
	if d := cmp.Or(q.derived, q.expected); d != nil && d.measured != nil {
		e.Jointly = d.jointly && q.derived == nil
		e.Mechanism, e.BeforeFit = string(policy.DiscreteGaussian), d.measured.FitText()
	}
	if !e.Recorded && e.Derived == nil && !e.Waits && !p.empty() {
		e.Loss = q.loss
	}
	return e
}

// explainTables compares the losses with what is left, as the ledger would.
func (a *Statement) explainTables(ctx context.Context, e *reply.Explanation) error {
	charges, _ := a.Charges(a.Tasks())
	seen := make(map[policy.TableName]bool)
	for _, p := range a.Plans {
		for _, table := range p.tables {
			if seen[table.Name] {
				continue
			}
			seen[table.Name] = true
			explained, err := a.explainTable(ctx, table, charges)
			if err != nil {
				return err
			}
			e.Tables = append(e.Tables, *explained)
		}
	}
	return nil
}

// explainTable tells what the charges for one table do to its budgets.
func (a *Statement) explainTable(ctx context.Context, table *policy.Table, charges []accountant.Charge) (*reply.ExplainedTable, error) {
	s, err := a.ledger.Balance(ctx, a.State.Accounting[table.Name], a.Request.Analyst, a.cap)
	if err != nil {
		return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	t := &reply.ExplainedTable{Table: table.Name, Covered: true, Balance: a.balanceOf(&s, table)}
	for _, c := range charges {
		if c.Table == table.Name {
			if err := a.explainCharge(ctx, t, c); err != nil {
				return nil, err
			}
			t.Composes = payments.Composes(&s, c.Items)
		}
	}
	return t, nil
}

// explainCharge tells whether a charge would be taken. One under another adjacency than was charged before is refused, as it would be of
// the answer; what is free is not.
func (a *Statement) explainCharge(ctx context.Context, t *reply.ExplainedTable, c accountant.Charge) error {
	for _, item := range c.Items {
		t.Loss = t.Loss.Add(item.Loss)
	}
	err := a.ledger.Afford(ctx, []accountant.Charge{c})
	var frozen *accountant.FrozenError
	var other *accountant.AdjacencyError
	switch {
	case err == nil || asksAgain(err):
	case errors.As(err, &t.Short), errors.As(err, &frozen):
		t.Covered = false
	case errors.As(err, &other):
		return errors.Join(reply.RefuseAdjacency(other), err)
	default:
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	return nil
}
