package audited

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/auditor/posterior"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/epoch"
	"tacit/release/internal/reply"
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
func (a *Statement) answerTable(ctx context.Context, p *tablePart) error {
	p.outcomes = make([]questionOutcome, len(p.Asked.Questions))
	if err := a.stillOpen(p); err != nil || len(p.Asked.Questions) == 0 {
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
func (p *tablePart) withPlan() []*question {
	questions := slices.Clip(p.Asked.Questions)
	for _, q := range p.Book.State.Preliminary(AuditorQueries(questions)) {
		questions = append(questions, &question{units: q.Units, values: q.Values})
	}
	return questions
}

// singles are the counts of suppressed vectors, in the order of questions and sets, and the question that each is of.
func (p *tablePart) singles() (singles []*question, of []int) {
	for i, q := range p.Asked.Questions {
		if p.outcomes[i].answer != nil || len(q.values) < 2 {
			continue
		}
		for _, set := range q.values {
			singles = append(singles, &question{units: q.units, people: q.people, values: []posterior.ValueSet{set}})
			of = append(of, i)
		}
	}
	return singles, of
}

// decide has the auditor decide about questions, in rounds, and returns what became of each.
func (a *Statement) decide(ctx context.Context, p *tablePart, questions []*question) ([]questionOutcome, error) {
	left, err := a.Left(ctx, p)
	if err != nil {
		return nil, err
	}
	// What is decided apart is one statement all the same.
	left.Analyst = min(left.Analyst, max(0, p.Book.State.Config.PerStatement-p.spent))
	// No other rule uses the seed, so that under others the log has nothing that does not follow.
	var seed [32]byte
	if p.Book.State.Config.Rule == policy.PaperRule {
		if _, err := rand.Read(seed[:]); err != nil {
			return nil, err
		}
	}
	p.left = left
	statement, err := p.Book.State.Begin(AuditorQueries(questions), left, seed)
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
	questions []*question
	outcomes  []questionOutcome
}

// AuditorQueries are questions in the auditor's words.
func AuditorQueries(questions []*question) []auditor.Query {
	queries := make([]auditor.Query, len(questions))
	for i, q := range questions {
		queries[i] = auditor.Query{Units: q.units, Values: q.values}
	}
	return queries
}

// Left is how much risk the table and the analyst have left.
func (a *Statement) Left(ctx context.Context, p *tablePart) (auditor.Left, error) {
	s, err := a.standing(ctx, p)
	return leftOfRisk(s), err
}

func (a *Statement) standing(ctx context.Context, p *tablePart) (accountant.Balance, error) {
	return a.Ledger.Balance(ctx, a.State.Accounting[p.Table.Policy.Name], a.Request.Analyst, a.cap)
}

func leftOfRisk(s accountant.Balance) auditor.Left {
	left := auditor.Left{Table: s.Left.Risk, Analyst: s.Left.Risk}
	if s.OwnLeft != nil {
		left.Analyst = min(left.Analyst, s.OwnLeft.Risk)
	}
	return left
}

// round writes down what was decided, charges it, opens the counts that were decided to be shown, and writes them down.
func (a *Statement) round(ctx context.Context, p *tablePart, d *deciding, round *auditor.Round) error {
	d.note(round)
	event := Decided{Table: p.Table.Policy.Name, left: p.left, Round: round, Payload: round.Event().Payload, Questions: d.questions}
	reservation, err := a.Charge(ctx, p, event)
	var values []int64
	if err == nil {
		values, err = p.Counts.Open(reservation, event)
	}
	if err != nil {
		if reservation != nil { // charged, and nothing was released
			d.statement.GiveUp()
			a.Ledger.AbandonAudit(reservation)
		}
		return err
	}
	if err := a.Record(ctx, p, reservation, values, d.statement); err != nil {
		a.Answerer.ForgetBook(p.Table.Policy.Name) // its state is not that of the log, or may not be
		a.Ledger.AbandonAudit(reservation)
		return err
	}
	a.released = a.released || len(values) > 0
	d.take(round, values)
	return nil
}

// note takes in what a round decided.
func (d *deciding) note(round *auditor.Round) {
	for _, made := range round.Decisions {
		opened := d.outcomes[made.Query].opened
		if opened && made.Outcome == auditor.Free { // it follows from its own counts
			made.Outcome = auditor.Released
		}
		d.outcomes[made.Query] = questionOutcome{decision: made, answer: made.Values, opened: opened}
	}
}

// take takes in the counts that a round opened.
func (d *deciding) take(round *auditor.Round, values []int64) {
	for i, o := range round.Open {
		outcome := &d.outcomes[o.Query]
		outcome.opened = true
		if outcome.answer == nil {
			outcome.answer = make([]int64, len(d.questions[o.Query].values))
		}
		outcome.answer[o.Set] = values[i]
	}
}

// Record adds what a round opened to the history and to the log. Giving up half-way is not for the analyst to decide: her context does not
// reach here.
func (a *Statement) Record(ctx context.Context, p *tablePart, r *ledger.AuditReservation, values []int64, statement *auditor.Statement) error {
	answer, err := statement.Answer(values)
	if err != nil || len(values) == 0 {
		return err
	}
	if err := a.Ledger.RecordAudit(context.WithoutCancel(ctx), r, answer); err != nil {
		return err
	}
	p.Book.Answers++
	return nil
}

// Charge writes down what was decided, durably, and then reads the counts, if any is to be opened. A round that only repeats what is known
// or suppressed on the same history before, need not be written down.
func (a *Statement) Charge(ctx context.Context, p *tablePart, event Decided) (*ledger.AuditReservation, error) {
	if isRepeat(event.Round) || p.Book.suppressed.has(event) {
		return nil, nil
	}
	if len(event.Round.Open) == 0 || p.Counts != nil {
		return a.Append(ctx, p, event)
	}
	if a.Answerer.epochIsOver(p) {
		return nil, epoch.ErrOver
	}
	// The connection comes before the charge, so that its failure costs nothing.
	s, err := a.Answerer.monitor.Curator.Begin(ctx)
	if err != nil {
		return nil, reply.Failure(ctx, reply.RefuseUnavailable.With(), err)
	}
	defer s.End()
	reservation, err := a.Append(ctx, p, event)
	if err != nil {
		return nil, err
	}
	counting, end := a.Answerer.monitor.Counting(ctx)
	defer end()
	return reservation, a.read(counting, s, reservation, event, p)
}

// stillOpen refuses when protected tables or this one were closed since the statement came, or another policy is in force: waiting for others and for
// a connection may have taken long, and nothing may be charged or shown that was decided under what held before.
func (a *Statement) stillOpen(p *tablePart) error {
	state, l, err := a.Answerer.monitor.Open()
	switch {
	case err != nil:
		return err
	case state != a.State || l != a.Ledger:
		return reply.RefuseChanged.With(p.Queries[0].Query.Table.Policy.Name)
	}
	if refusal := a.Answerer.monitor.ClosedTable([]*policy.Table{p.Table.Policy}); refusal != nil {
		return refusal
	}
	return nil
}

// Append writes a round down with its charge.
func (a *Statement) Append(ctx context.Context, p *tablePart, d Decided) (*ledger.AuditReservation, error) {
	if err := a.stillOpen(p); err != nil {
		return nil, err
	}
	reservation, err := a.Ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: a.Request.Analyst, SQL: a.Request.SQL, Request: a.Request.ID, Table: p.Table.Policy.Name, Kind: auditor.EventRound, TableBudget: p.Table.Policy.Budget, Cap: a.cap,
		Risk: d.Round.Charge, Continues: a.released, Follows: p.Book.Last, Answers: p.Book.Answers, Payload: d.Payload,
	})
	if err != nil {
		if !nothingAppended(err) {
			a.Answerer.ForgetBook(p.Table.Policy.Name)
		}
		return nil, err
	}
	p.Book.Last = reservation.Sequence
	p.Book.suppressed.note(d)
	p.spent += d.Round.Charge
	a.charged = a.charged || d.Round.Charge > 0
	p.written = true
	return reservation, nil
}

// nothingAppended reports whether an event that could not be appended is known not to be in the log. The book is then as good as it was:
// reading a long log again for each refusal would let one analyst slow down all.
func nothingAppended(err error) bool {
	var over *accountant.OverBudgetError
	var frozen *accountant.FrozenError
	return errors.As(err, &over) || errors.As(err, &frozen) || errors.Is(err, ledger.ErrAuditFlood) || errors.Is(err, ledger.ErrAuditMoved) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// read counts the rows of the epoch, which stays sealed but for what was decided.
func (a *Statement) read(ctx context.Context, s *curator.Snapshot, paid *ledger.AuditReservation, d Decided, p *tablePart) (err error) {
	p.Counts, err = ReadSealed(ctx, s, paid, d, p)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, epoch.ErrOver), errors.Is(err, epoch.ErrOld), errors.Is(err, epoch.ErrElsewhere):
		a.Answerer.endEpoch(p)
		return err
	}
	a.Answerer.monitor.CloseTables([]*policy.Table{p.Table.Policy}, err)
	return reply.Failure(ctx, reply.RefuseFailedCount.With(), err)
}

// endEpoch remembers that rows of an epoch are gone, so that only the statement that found it out was charged for nothing.
func (d *Answerer) endEpoch(p *tablePart) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over[p.Table.Policy.Name] = p.Book.Facts.LastSeal()
}

func (d *Answerer) epochIsOver(p *tablePart) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over[p.Table.Policy.Name] == p.Book.Facts.LastSeal()
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
