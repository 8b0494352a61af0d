package noisy

import (
	"context"
	"slices"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// Of several new counts of one statement some do not follow from one another: by region, by sex. If they count the same rows with Gaussian noise of one mechanism,
// they are measured jointly where that costs less, see [marginals.NewJoint]: each is as exact as it would be by itself. The measurement is charged, recorded and
// found again as one release, and the counts follow from it.
//
// Whether they are depends on the statement, the policy, declared values and what the ledger has alone. Under pld they are not: what is known of a joint release is its zCDP, by
// which all of the table would be counted then.

// leastSaved is by what share a joint measurement costs less than all counts by themselves at least: it takes the server longer.
const leastSaved = 0.02

// planJointly has counts that are asked measured jointly.
func (a *Statement) planJointly(ctx context.Context, asked []sibling) error {
	for _, group := range jointGroups(asked) {
		if err := a.jointly(ctx, group, asked); err != nil {
			return err
		}
	}
	return nil
}

// jointGroups are those that count the same rows with the same noise, of which there are several.
func jointGroups(asked []sibling) (groups [][]sibling) {
	for _, s := range asked {
		if !s.joins() {
			continue
		}
		i := slices.IndexFunc(groups, func(group []sibling) bool {
			_, _, ok := query.Jointly([]query.CountOf{group[0].of(), s.of()})
			return ok && group[0].plan.mechanismOf(group[0].question) == s.plan.mechanismOf(s.question)
		})
		if i < 0 {
			groups = append(groups, []sibling{s})
		} else {
			groups[i] = append(groups[i], s)
		}
	}
	return slices.DeleteFunc(groups, func(group []sibling) bool { return len(group) < 2 })
}

func (s sibling) of() query.CountOf {
	return query.CountOf{BoundQuery: s.plan.Query, Count: s.question.Count}
}

// joins reports whether a question that is asked can be measured with others.
func (s sibling) joins() bool {
	p, q := s.plan, s.question
	gaussian := q.term.Noise == composition.GaussianNoise || q.term.Noise == composition.DiscreteGaussianNoise
	return q.expected == nil && !q.anew && q.anewBy == nil && gaussian && q.term.Delta == 0 && q.most == 0 && p.parts == 0 &&
		p.Margins == nil && !p.Query.Totals && p.Terms.Person == nil && p.Terms.Blocks == nil
}

// jointly plans the measurement of a group, if all follow from it, and those that were to follow from one of them.
func (a *Statement) jointly(ctx context.Context, group, asked []sibling) error {
	counts, cellsOf := make([]query.CountOf, len(group)), make([][][]query.Value, len(group))
	for i, s := range group {
		if err := a.fixedCells(ctx, s.plan); err != nil {
			return err
		}
		if s.question.Released != nil { // there are no cells
			return nil
		}
		counts[i], cellsOf[i] = s.of(), s.plan.Keys
	}
	q, sets, ok := query.Jointly(counts)
	if !ok {
		return nil
	}
	waiting := slices.Clone(group)
	for _, s := range asked {
		if e := s.question.expected; e != nil && e.sibling != nil && slices.ContainsFunc(group, func(g sibling) bool { return g.question == e.sibling.question }) {
			waiting = append(waiting, s)
		}
	}
	first, alone := group[0], aloneLoss(group)
	config := marginals.JointConfig{
		Table: first.plan.Terms, Mechanism: first.plan.mechanismOf(first.question), Variance: float64(first.question.term.Squared) / (2 * first.question.term.Rho()), Delta: alone.Delta,
	}
	values := marginals.ValuesOf(q, counts, cellsOf)
	for range 3 {
		w, err := a.State.Joint(q, values, sets, config)
		if err != nil || !a.cheaper(w, group, alone) { // of too many cells, say
			return nil
		}
		expected, wider, err := a.expectJoint(ctx, waiting, &marginals.Found{Measured: w.Expected()})
		if err != nil || expected == nil {
			return err
		}
		if wider == 1 {
			m := &measuring{plan: a.measuringPlan(first.plan, w), alone: alone, counts: len(group)}
			m.plan.maxAge, m.plan.since = first.plan.maxAge, first.plan.since
			if ok, err := a.asksNew(ctx, m.plan); err != nil || !ok {
				return err
			}
			for i, s := range waiting {
				s.question.expected = expected[i]
				m.waiting = append(m.waiting, s.question)
			}
			a.measuring = append(a.measuring, m)
			return nil
		}
		config.Variance /= wider * wider
	}
	return nil
}

// asksNew reports whether a joint measurement is found again once it is recorded, and is not recorded yet, unless the statement wants a newer one. What the ledger has and the
// statement does not follow from is not asked again: it may be among those that are no longer held in memory.
func (a *Statement) asksNew(ctx context.Context, p *QueryPlan) (bool, error) {
	if p.jointShape(p.Questions[0]) == "" { // it is too long
		return false, nil
	}
	_, recorded, err := a.ledger.Lookup(ctx, p.Questions[0].Ledger, p.maxAge)
	if err != nil {
		return false, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	return !recorded, nil
}

// expectJoint is what each question is answered with; nil if one does not follow. wider is by how many times a count is less exact than it is to be; 1 if none is.
func (a *Statement) expectJoint(ctx context.Context, waiting []sibling, m *marginals.Found) (expected []*derivedFrom, wider float64, err error) {
	wider = 1
	for _, s := range waiting {
		q, before := s.question, s.question.expected
		ok, err := a.follows(ctx, s.plan, q, m)
		if err != nil || !ok {
			return nil, 0, err
		}
		expected = append(expected, q.derived)
		q.Released, q.derived = nil, nil
		most := q.Mechanism.HalfWidth95()
		if before != nil {
			most = before.error.HalfWidth95
		}
		wider = max(wider, (float64(expected[len(expected)-1].error.HalfWidth95)+0.5)/(float64(most)+0.5))
	}
	return expected, wider, nil
}

// aloneLoss is what questions cost by themselves.
func aloneLoss(group []sibling) (total accountant.Loss) {
	for _, s := range group {
		total = total.Add(s.question.loss)
	}
	return total
}

// cheaper reports whether a joint measurement costs less than its counts by themselves, as the table's rule adds up losses.
func (a *Statement) cheaper(w *marginals.Workload, group []sibling, alone accountant.Loss) bool {
	rho := 0.0
	for _, s := range group {
		rho += s.question.term.Rho()
	}
	switch a.State.Accounting[w.Question.Table].Composition {
	case policy.PLDComposition, policy.AdvancedComposition: // several small losses can be less than a large one there
		return false
	case policy.BasicComposition:
		return float64(w.Loss.Epsilon) <= (1-leastSaved)*float64(alone.Epsilon)
	case policy.ZCDPComposition:
		return w.Term.Rho() <= (1-leastSaved)*rho && w.Loss.Epsilon <= alone.Epsilon
	}
	return false
}

// followJoint answers the questions that wait for what the statement has measured jointly.
func (a *Statement) followJoint(ctx context.Context) error {
	for _, m := range a.measuring {
		q := m.plan.Questions[0]
		if !q.workload.Jointly() {
			continue
		}
		found, err := a.answerer.measured.Joint(ctx, a.ledger, q.Ledger, 0, q.workload.Shape(), 0)
		if err != nil || found == nil {
			return reply.Failure(ctx, reply.RefuseLedger.With(), err)
		}
		waits := make(map[[32]byte]bool)
		for _, q := range m.waiting {
			waits[q.Ledger.Key] = true
		}
		for _, p := range a.Plans {
			for _, q := range p.Questions {
				if waits[q.Ledger.Key] {
					if _, err := a.follows(ctx, p, q, found); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// fromJoint answers the questions of a plan by what was measured jointly, where that is more exact than what they follow from otherwise.
func (d *deriving) fromJoint(ctx context.Context, p *QueryPlan) error {
	if p.ByThreshold || d.ofOne {
		return nil
	}
	for _, q := range p.Questions {
		kind, asked, ok := p.Sought(q)
		if !ok || !q.counts() || q.Released != nil && (q.derived == nil || q.derived.measured != nil) {
			continue
		}
		for _, r := range d.recorded[p.Terms.Name].Joint(kind.Mechanism, asked, p.since) {
			if err := d.fixCells(ctx, p); err != nil {
				return err
			}
			if r.Counted.Before(d.cellsCount(p, q)) || !marginals.MayFollow(r.Shape, p.Query, q.Count) { // what was recorded takes long to read
				continue
			}
			if err := d.fromOneJoint(ctx, p, q, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *deriving) fromOneJoint(ctx context.Context, p *QueryPlan, q *Question, r *sources.JointRelease) error {
	m, err := d.answerer.measured.Joint(ctx, d.ledger, r.Question, r.ID, r.Shape, p.maxAge)
	if err != nil {
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if m == nil {
		return nil
	}
	released, derived := q.Released, q.derived
	q.Released, q.derived = nil, nil
	ok, err := d.follows(ctx, p, q, m)
	if !ok && q.Released == nil || derived != nil && q.derived != nil && derived.error.HalfWidth95 <= q.derived.error.HalfWidth95 {
		q.Released, q.derived = released, derived
	}
	return err
}

// jointShape is what is kept with the charge of a joint measurement; "" of other questions.
func (p *QueryPlan) jointShape(q *Question) string {
	if q.workload == nil || !q.workload.Jointly() {
		return ""
	}
	shape, sets, mechanism := q.workload.Joint()
	return sources.Joint{Shape: []byte(shape), Marginals: sets, Mechanism: mechanism, Values: valueCounts(shape, p.Query.Table)}.Text()
}

// paidJointly says that a question is answered by what its statement has measured jointly, with all rows that it would have by itself: of others it is told which are left out.
func (q *Question) paidJointly() bool {
	return q.derived != nil && q.derived.jointly && q.expected != nil && q.expected.jointly && len(q.derived.leftOut) == 0
}

// explainJoint tells of a joint measurement that the statement would pay for.
func (a *Statement) explainJoint(m *measuring) reply.ExplainedQuestion {
	q := m.plan.Questions[0]
	return reply.ExplainedQuestion{
		Tables: []policy.TableName{q.Ledger.Table}, Question: q.Ledger.Text, Mechanism: string(policy.DiscreteGaussian), Description: reply.MeasuredJointly, Loss: q.loss,
		Workload: true, Joint: &reply.JointCounts{Counts: m.counts, Alone: m.alone},
	}
}
