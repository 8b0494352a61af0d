package noisy

import (
	"context"
	"slices"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/reply"
)

func (a *Statement) receipt(ctx context.Context) (*reply.Receipt, error) {
	r := &reply.Receipt{}
	index := make(map[policy.TableName]int)
	counted, shown := make(map[policy.TableName]map[[32]byte]bool), make(map[policy.TableName][]*Question)
	for _, p := range a.Plans {
		if p.beyondOf != nil {
			continue
		}
		for _, table := range p.tables {
			i, ok := index[table.Name]
			if !ok {
				line, err := a.receiptLine(ctx, p, table)
				if err != nil {
					return nil, err
				}
				i, index[table.Name] = len(r.Lines), len(r.Lines)
				r.Lines = append(r.Lines, line)
				counted[table.Name] = make(map[[32]byte]bool)
			}
			addPlan(&r.Lines[i], p, counted[table.Name])
			shown[table.Name] = append(shown[table.Name], p.shownQuestions()...)
		}
	}
	for _, m := range a.measuring {
		l := &r.Lines[index[m.plan.Terms.Name]]
		if m.counts > 0 {
			l.Jointly = append(l.Jointly, reply.JointCounts{Counts: m.counts, Alone: m.alone})
		}
		if q := m.plan.Questions[0]; q.adopted {
			l.Adopted++
		} else {
			l.New, l.Measured = l.New+1, l.Measured || m.counts == 0
		}
	}
	for whole := range a.parts {
		for _, table := range whole.tables {
			r.Lines[index[table.Name]].InParts = true
		}
	}
	for i := range r.Lines {
		if d := r.Lines[i].Derived; d != nil && len(a.parts) == 0 {
			d.Fresh = a.anewLoss(r.Lines[i].Table)
		}
		if l := &r.Lines[i]; policy.Kind(l.Mechanism).Guaranteed() && !l.AddsUp {
			l.AtOnce = a.atOnce(shown[l.Table])
		}
	}
	return r, nil
}

// anewLoss is what the statement would cost a table if all of it were asked anew: each of its questions once.
func (a *Statement) anewLoss(table policy.TableName) (total accountant.Loss) {
	seen := make(map[[32]byte]bool)
	for _, p := range a.Plans {
		asks := slices.ContainsFunc(p.tables, func(t *policy.Table) bool { return t.Name == table })
		if first := p.Questions[0].Ledger.Key; asks && !seen[first] {
			seen[first] = true
			total = total.Add(p.anewLoss())
		}
	}
	return total
}

// addPlan adds the questions of a plan to a line, but those that were counted.
func addPlan(l *reply.ReceiptLine, p *QueryPlan, counted map[[32]byte]bool) {
	l.AddShare(p.share)
	l.Totals, l.Bounds = l.Totals.Merge(p.totals()), l.Bounds.Merge(p.bounds())
	l.Together = l.Together || p.Margins != nil && p.Margins.AreTogether()
	l.Fitted = l.Fitted || p.Margins != nil && !p.Margins.AreTogether()
	if b := p.Query.Beside; b != nil {
		l.AddsUp, l.AtLeastOne = l.AddsUp || b.AddsUp, l.AtLeastOne || b.AtLeastOne
	}
	if p.empty() {
		l.NoCells = reply.WhyNoCells(p.Query)
	}
	l.Filled = l.Filled || slices.ContainsFunc(p.Questions, p.addsFills)
	if p.ByThreshold {
		l.Threshold, l.TooManyCells = p.Questions[0].Mechanism.Threshold(), p.tooMany
	}
	for _, q := range p.Questions {
		if q.choice != nil {
			l.AddValue(q.describeValue())
		} else if e := q.SumError(); e != nil {
			l.AddSum(*e)
		} else if w := q.halfWidth95(); l.Description == "" || w > l.HalfWidth95 {
			l.HalfWidth95, l.Description = w, q.describe()
		}
		if !counted[q.Ledger.Key] && q.Count.Measure == nil {
			l.Withheld += q.Released.Withheld()
			l.Counts += q.Released.Cells()
		}
		switch {
		case counted[q.Ledger.Key] || len(q.Released.Counts) == 0 && !p.ByThreshold:
		case q.paidJointly():
		case q.derived != nil:
			if l.Derived == nil {
				l.Derived = &reply.DerivedAnswers{Ages: reply.Ages{Viewer: l.ReplayedAges.Viewer}}
			}
			addDerived(l.Derived, q)
		case q.replayed:
			l.Replayed++
			l.ReplayedAges.Add(q.Released.At)
		case q.adopted:
			l.Adopted++
		default:
			l.New++
		}
		counted[q.Ledger.Key] = true
	}
}

// viewer is who reads what is said of the statement.
func (a *Statement) viewer() reply.Viewer {
	return reply.Viewer{Now: a.now, Zone: a.Request.Zone, Policy: a.State.Policy}
}

func (a *Statement) receiptLine(ctx context.Context, p *QueryPlan, table *policy.Table) (reply.ReceiptLine, error) {
	line := reply.ReceiptLine{
		Table: table.Name, Mechanism: string(p.Questions[0].Mechanism.Kind()),
		ReplayedAges: reply.Ages{Viewer: a.viewer()},
	}
	line.Charged, line.Uneven = a.paid[table.Name].Most()
	var err error
	line.Balance, err = a.balance(ctx, table)
	return line, err
}
