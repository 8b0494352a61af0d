package audited

import (
	"context"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/epoch"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A Rehearsal asks the auditor of a table in memory, for the steward: nothing is charged, recorded or shown to analysts.
type Rehearsal struct {
	State *auditor.State
	Facts *epoch.PublicFacts
	// Counts are the true ones, of a table that has no epoch yet: then each statement is asked on what those before it released. nil for a
	// table with an epoch, whose counts cannot be read without a charge: then each statement is asked as if it came next.
	Counts epoch.UnitCounts
}

// A Forecast is what would become of the counts of a statement.
type Forecast struct {
	reply.AuditTally
	// Dependent counts are decided about when others of the statement were answered, which a rehearsal without counts does not know.
	Dependent int
	Risk      policy.Risk
	// Reasons say why counts are suppressed, each once.
	Reasons []string
}

// Predict asks the queries of one statement about the table. Membership is read off public facts, in a snapshot of the curator's.
func (r *Rehearsal) Predict(ctx context.Context, s *curator.Snapshot, queries []*query.BoundQuery, cells int) (*Forecast, error) {
	p := &tablePart{Book: &Book{State: r.State, Facts: r.Facts}}
	for _, q := range queries {
		search, err := newMemberSearch(q, r.Facts, cells)
		if err != nil {
			return nil, err
		}
		asked := AuditedQuery{Query: q}
		if asked.members, err = search.members(ctx, s); err != nil {
			return nil, err
		}
		if asked.counts, err = asked.members.compose(q, len(r.Facts.Values), &p.Asked); err != nil {
			return nil, err
		}
		p.Queries = append(p.Queries, asked)
	}
	forecast := &Forecast{}
	if len(p.Asked.Questions) > 0 {
		if err := r.decide(p, forecast); err != nil {
			return nil, err
		}
	}
	forecast.tally(p)
	return forecast, nil
}

// decide finds out what becomes of the questions, as Statement.answerTable does.
func (r *Rehearsal) decide(p *tablePart, forecast *Forecast) (err error) {
	charged := r.State.Charged()
	if p.outcomes, err = r.rounds(p.withPlan(), 0, forecast); err != nil || r.Counts == nil {
		return err
	}
	singles, of := p.singles()
	if len(singles) > 0 {
		apart, err := r.rounds(singles, r.State.Charged()-charged, forecast)
		if err != nil {
			return err
		}
		for i, outcome := range apart {
			p.outcomes[of[i]].singles = append(p.outcomes[of[i]].singles, outcome)
		}
	}
	forecast.Risk = r.State.Charged() - charged
	return nil
}

// rounds asks questions of a statement that has spent so much. Without counts the first round alone is decided, and nothing is remembered.
func (r *Rehearsal) rounds(questions []*question, spent policy.Risk, forecast *Forecast) ([]questionOutcome, error) {
	table := max(0, r.State.Config.Delta-r.State.Charged())
	left := auditor.Left{Table: table, Analyst: min(table, max(0, r.State.Config.PerStatement-spent))}
	statement, err := r.State.Begin(AuditorQueries(questions), left, [32]byte{})
	if err != nil {
		return nil, err
	}
	d := &deciding{statement: statement, questions: questions, outcomes: make([]questionOutcome, len(questions))}
	for i := range d.outcomes {
		d.outcomes[i].decision.Query = -1 // nothing is decided yet
	}
	for round, ok := statement.Next(); ok; round, ok = statement.Next() {
		d.note(round)
		if r.Counts == nil {
			forecast.Risk = round.Charge
			break
		}
		values := Decided{Round: round, Questions: questions}.sums(r.Counts)
		if _, err := statement.Answer(values); err != nil {
			return nil, err
		}
		d.take(round, values)
	}
	return d.outcomes, nil
}

// tally counts the cells.
func (f *Forecast) tally(p *tablePart) {
	for i := range p.Queries {
		for _, counts := range p.Queries[i].counts {
			for _, c := range counts {
				if c.question < 0 {
					f.Public++
					continue
				}
				o := &p.outcomes[c.question]
				if o.decision.Query < 0 {
					f.Dependent++
					continue
				}
				became := p.became(c)
				if f.Count(became); became == auditor.Suppressed && o.decision.Reason != "" {
					f.Reasons = reply.AppendNew(f.Reasons, o.decision.Reason)
				}
			}
		}
	}
}
