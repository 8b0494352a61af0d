package audited

import (
	"context"
	"errors"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/reply"
)

// Explain takes the locks, since the auditor's books are used by one statement at a time.
func (a *Statement) Explain(ctx context.Context) ([]reply.ExplainedAudit, error) {
	unlock, err := a.Lock(ctx)
	if err != nil {
		return nil, errors.Join(reply.RefuseCancelled.With(), err)
	}
	defer unlock()
	if err := a.Prepare(ctx); err != nil {
		return nil, err
	}
	return a.explainTables(ctx)
}

// explainTables predicts the decisions without making them.
func (a *Statement) explainTables(ctx context.Context) ([]reply.ExplainedAudit, error) {
	var explained []reply.ExplainedAudit
	for _, p := range a.Parts {
		e, err := a.explainTable(ctx, p)
		if err != nil {
			return nil, err
		}
		explained = append(explained, e)
	}
	return explained, nil
}

func (a *Statement) explainTable(ctx context.Context, p *tablePart) (reply.ExplainedAudit, error) {
	e := reply.ExplainedAudit{Table: p.Table.Policy.Name, Epsilon: p.Table.Policy.Mechanism.Audit.Epsilon}
	s, err := a.standing(ctx, p)
	if err != nil {
		return e, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	left := leftOfRisk(s)
	e.TableLeft, e.Frozen = left.Table, s.Frozen
	if a.cap != nil && a.cap.Risk != policy.NoRiskCap {
		e.AnalystLeft = &left.Analyst
	}
	decided, err := a.predict(p, left)
	if err != nil {
		return e, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	for _, d := range decided {
		e.Risk += d.charge()
	}
	for i := range p.Queries {
		q := &p.Queries[i]
		for c, counts := range q.counts {
			counted := reply.ExplainedCounts{Question: q.Query.Question(q.Query.Counts[c])}
			predictCounts(&counted, counts, decided)
			e.Questions = append(e.Questions, counted)
		}
	}
	return e, nil
}

// A prediction is the decision about a question, nil if it depends on answers.
type prediction struct{ decision *auditor.Decision }

func (p prediction) charge() policy.Risk {
	if p.decision == nil {
		return 0
	}
	return p.decision.Charge
}

// predictCounts adds the cells of a count.
func predictCounts(e *reply.ExplainedCounts, counts []auditedCount, decided []prediction) {
	seen := make(map[int]bool)
	for _, c := range counts {
		if c.question < 0 {
			e.Public++
			continue
		}
		d := decided[c.question].decision
		if d == nil {
			e.Dependent++
			continue
		}
		e.AuditTally.Count(d.Outcome)
		if !seen[c.question] {
			seen[c.question] = true
			addDecision(e, d)
		}
	}
}

func addDecision(e *reply.ExplainedCounts, d *auditor.Decision) {
	if d.Outcome == auditor.Released {
		e.Risk += d.Charge
		e.Most = max(e.Most, d.Charge)
		e.Engines = reply.AppendNew(e.Engines, d.Engine)
	}
	if d.Outcome == auditor.Suppressed && d.Reason != "" {
		e.Reasons = reply.AppendNew(e.Reasons, d.Reason)
	}
}

// predict decides about the questions as far as that depends on no further answer.
func (a *Statement) predict(p *tablePart, left auditor.Left) ([]prediction, error) {
	predictions := make([]prediction, len(p.Asked.Questions))
	if len(p.Asked.Questions) == 0 {
		return predictions, nil
	}
	// What is decided and not answered changes nothing.
	statement, err := p.Book.State.Begin(AuditorQueries(p.withPlan()), left, [32]byte{})
	if err != nil {
		return nil, err
	}
	if round, ok := statement.Next(); ok {
		for i := range round.Decisions {
			if d := &round.Decisions[i]; d.Query < len(predictions) {
				predictions[d.Query].decision = d
			}
		}
	}
	return predictions, nil
}
