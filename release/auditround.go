package release

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/auditor/posterior"
	"tacit/policy"
)

// A questionOutcome is what became of a question.
type questionOutcome struct {
	decision auditor.Decision
	answer   []int64 // of each of its sets; nil if it is suppressed
	opened   bool    // some of its counts were released by this statement
	// singles are the outcomes of its sets by themselves, of a vector that is suppressed as a whole.
	singles []questionOutcome
}

// answerTable decides about the questions of one table. Nothing of it is shown if it fails; what was charged stays charged.
//
// With them it asks for the blocks of the certified plan that they cut, so that the plan stays as it is. A vector of counts that cannot be
// shown as a whole is asked for count by count, since some may follow from released ones, or be safe by themselves.
func (a *auditing) answerTable(ctx context.Context, p *auditPart) error {
	p.outcomes = make([]questionOutcome, len(p.asked.questions))
	if err := a.stillOpen(p); err != nil || len(p.asked.questions) == 0 {
		return err
	}
	outcomes, err := a.decide(ctx, p, p.withPlan())
	if err != nil {
		return err
	}
	p.outcomes = outcomes
	singles, of := p.singles()
	if len(singles) == 0 {
		return nil
	}
	apart, err := a.decide(ctx, p, singles)
	for i, outcome := range apart {
		o := &p.outcomes[of[i]]
		o.singles = append(o.singles, outcome)
	}
	return err
}

// withPlan are the questions, and behind them the blocks of the plan that they cut. The sums of these are released with the rest, though no
// cell shows them: whoever asks for them has them for nothing, so that what is decided next follows from what anybody can know.
func (p *auditPart) withPlan() []*auditQuestion {
	questions := slices.Clip(p.asked.questions)
	for _, q := range p.book.state.Preliminary(auditorQueries(questions)) {
		questions = append(questions, &auditQuestion{units: q.Units, values: q.Values})
	}
	return questions
}

// singles are the counts of suppressed vectors, in the order of questions and sets, and the question that each is of.
func (p *auditPart) singles() (singles []*auditQuestion, of []int) {
	for i, q := range p.asked.questions {
		if p.outcomes[i].answer != nil || len(q.values) < 2 {
			continue
		}
		for _, set := range q.values {
			singles = append(singles, &auditQuestion{units: q.units, people: q.people, values: []posterior.ValueSet{set}})
			of = append(of, i)
		}
	}
	return singles, of
}

// decide has the auditor decide about questions, in rounds, and returns what became of each.
func (a *auditing) decide(ctx context.Context, p *auditPart, questions []*auditQuestion) ([]questionOutcome, error) {
	left, err := a.left(ctx, p)
	if err != nil {
		return nil, err
	}
	// What is decided apart is one statement all the same.
	left.Analyst = min(left.Analyst, max(0, p.book.state.Config.PerStatement-p.spent))
	// No other rule uses the seed, so that under others the log has nothing that does not follow.
	var seed [32]byte
	if p.book.state.Config.Rule == policy.PaperRule {
		if _, err := rand.Read(seed[:]); err != nil {
			return nil, err
		}
	}
	p.left = left
	statement, err := p.book.state.Begin(auditorQueries(questions), left, seed)
	if err != nil {
		return nil, err
	}
	d := &deciding{statement: statement, questions: questions, outcomes: make([]questionOutcome, len(questions))}
	for {
		round, more := statement.Next()
		if !more {
			return d.outcomes, nil
		}
		if err := a.round(ctx, p, d, round); err != nil {
			return nil, err
		}
	}
}

// A deciding is a statement of the auditor's under way.
type deciding struct {
	statement *auditor.Statement
	questions []*auditQuestion
	outcomes  []questionOutcome
}

// auditorQueries are questions in the auditor's words.
func auditorQueries(questions []*auditQuestion) []auditor.Query {
	queries := make([]auditor.Query, len(questions))
	for i, q := range questions {
		queries[i] = auditor.Query{Units: q.units, Values: q.values}
	}
	return queries
}

// left is how much risk the table and the analyst have left.
func (a *auditing) left(ctx context.Context, p *auditPart) (auditor.Left, error) {
	s, err := a.standing(ctx, p)
	return leftOfRisk(s), err
}

func (a *auditing) standing(ctx context.Context, p *auditPart) (accountant.Standing, error) {
	return a.ledger.Standing(ctx, a.regime.accounting[p.table.Policy.Name], a.ask.Analyst, a.cap)
}

func leftOfRisk(s accountant.Standing) auditor.Left {
	left := auditor.Left{Table: s.Left.Risk, Analyst: s.Left.Risk}
	if s.OwnLeft != nil {
		left.Analyst = min(left.Analyst, s.OwnLeft.Risk)
	}
	return left
}

// round writes down what was decided, charges it, opens the counts that were decided to be shown, and writes them down.
func (a *auditing) round(ctx context.Context, p *auditPart, d *deciding, round *auditor.Round) error {
	for _, made := range round.Decisions {
		opened := d.outcomes[made.Query].opened
		if opened && made.Outcome == auditor.Free { // it follows from its own counts
			made.Outcome = auditor.Released
		}
		d.outcomes[made.Query] = questionOutcome{decision: made, answer: made.Values, opened: opened}
	}
	event := decided{table: p.table.Policy.Name, left: p.left, round: round, payload: round.Event().Payload, questions: d.questions}
	reservation, err := a.charge(ctx, p, event)
	var values []int64
	if err == nil {
		values, err = p.counts.open(reservation, event)
	}
	if err != nil {
		if reservation != nil { // charged, and nothing was released
			d.statement.GiveUp()
			a.ledger.AbandonAudit(reservation)
		}
		return err
	}
	if err := a.record(ctx, p, reservation, values, d.statement); err != nil {
		a.door.forgetBook(p.table.Policy.Name) // its state is not that of the log, or may not be
		a.ledger.AbandonAudit(reservation)
		return err
	}
	a.released = a.released || len(values) > 0
	for i, o := range round.Open {
		outcome := &d.outcomes[o.Query]
		outcome.opened = true
		if outcome.answer == nil {
			outcome.answer = make([]int64, len(d.questions[o.Query].values))
		}
		outcome.answer[o.Set] = values[i]
	}
	return nil
}

// record adds what a round opened to the history and to the log. Giving up half-way is not for the analyst to decide: her context does not
// reach here.
func (a *auditing) record(ctx context.Context, p *auditPart, r *accountant.AuditReservation, values []int64, statement *auditor.Statement) error {
	answer, err := statement.Answer(values)
	if err != nil || len(values) == 0 {
		return err
	}
	if err := a.ledger.RecordAudit(context.WithoutCancel(ctx), r, answer); err != nil {
		return err
	}
	p.book.answers++
	return nil
}

// charge writes down what was decided, durably, and then reads the counts, if any is to be opened. A round that only repeats what is known
// or suppressed on the same history before, need not be written down.
func (a *auditing) charge(ctx context.Context, p *auditPart, event decided) (*accountant.AuditReservation, error) {
	if isRepeat(event.round) || p.book.suppressed.has(event) {
		return nil, nil
	}
	if len(event.round.Open) == 0 || p.counts != nil {
		return a.append(ctx, p, event)
	}
	if a.door.epochIsOver(p) {
		return nil, errEpochOver
	}
	// The connection comes before the charge, so that its failure costs nothing.
	s, err := a.door.curator.begin(ctx)
	if err != nil {
		return nil, failure(ctx, refuseUnavailable(), err)
	}
	defer s.end()
	reservation, err := a.append(ctx, p, event)
	if err != nil {
		return nil, err
	}
	return reservation, a.read(ctx, s, p)
}

// stillOpen refuses when the door or the table was closed since the statement came, or another policy is in force: waiting for others and for
// a connection may have taken long, and nothing may be charged or shown that was decided under what held before.
func (a *auditing) stillOpen(p *auditPart) error {
	regime, ledger, err := a.door.open()
	switch {
	case err != nil:
		return err
	case regime != a.regime || ledger != a.ledger:
		return refuseChanged(p.queries[0].query)
	}
	if refusal := a.door.closedTable([]*policy.Table{p.table.Policy}); refusal != nil {
		return refusal
	}
	return nil
}

// append writes a round down with its charge.
func (a *auditing) append(ctx context.Context, p *auditPart, d decided) (*accountant.AuditReservation, error) {
	if err := a.stillOpen(p); err != nil {
		return nil, err
	}
	reservation, err := a.ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: a.ask.Analyst, SQL: a.ask.SQL, Table: p.table.Policy.Name, Kind: auditor.EventRound, TableBudget: p.table.Policy.Budget, Cap: a.cap,
		Risk: d.round.Charge, Continues: a.released, Follows: p.book.last, Answers: p.book.answers, Payload: d.payload,
	})
	if err != nil {
		if !nothingAppended(err) {
			a.door.forgetBook(p.table.Policy.Name)
		}
		return nil, err
	}
	p.book.last = reservation.Sequence
	p.book.suppressed.note(d)
	p.spent += d.round.Charge
	a.charged = a.charged || d.round.Charge > 0
	p.written = true
	return reservation, nil
}

// nothingAppended reports whether an event that could not be appended is known not to be in the log. The book is then as good as it was:
// reading a long log again for each refusal would let one analyst slow down all.
func nothingAppended(err error) bool {
	var over *accountant.OverBudgetError
	var frozen *accountant.FrozenError
	return errors.As(err, &over) || errors.As(err, &frozen) || errors.Is(err, accountant.ErrAuditFlood) || errors.Is(err, accountant.ErrAuditMoved) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// read counts the rows of the epoch, which stays sealed but for what was decided.
func (a *auditing) read(ctx context.Context, s *snapshot, p *auditPart) (err error) {
	p.counts, err = readSealed(ctx, s, p)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errEpochOver), errors.Is(err, errEpochOld), errors.Is(err, errEpochElsewhere):
		a.door.endEpoch(p)
		return err
	}
	a.door.closeTables([]*policy.Table{p.table.Policy}, err)
	return failure(ctx, refuseFailedCount(), err)
}

// endEpoch remembers that rows of an epoch are gone, so that only the statement that found it out was charged for nothing.
func (d *Door) endEpoch(p *auditPart) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over == nil {
		d.over = make(map[policy.TableName]string)
	}
	d.over[p.table.Policy.Name] = p.book.facts.lastSeal()
}

func (d *Door) epochIsOver(p *auditPart) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over[p.table.Policy.Name] == p.book.facts.lastSeal()
}

// isRepeat reports whether a round only repeats what is known, so that nothing need be written down.
func isRepeat(round *auditor.Round) bool {
	for _, d := range round.Decisions {
		if d.Outcome != auditor.Free {
			return false
		}
	}
	return round.Charge == 0 && len(round.Open) == 0
}
