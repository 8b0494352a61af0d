package release

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/policy"
	"tacit/rewrite"
)

// reservations are what a statement was charged, one for each protected table.
type reservations struct {
	ledger *accountant.Ledger
	made   []*accountant.Reservation
	// questions are those that each pays for, in the order of its items.
	questions [][]*question
	recorded  bool
}

// reserve charges the loss of all tasks durably, or nothing at all. An error that asksAgain knows says that the questions are not the
// caller's to answer now.
func (a *answer) reserve(ctx context.Context, tasks []*task) (*reservations, error) {
	charges, questions := a.charges(tasks)
	made, err := a.ledger.ReserveAll(ctx, charges)
	if err != nil {
		return nil, a.reserveFailure(ctx, err)
	}
	for i, r := range made {
		for j, q := range questions[i] {
			if q.adopted = r.Adopted(j); !q.adopted {
				table := charges[i].Table
				a.paid[table] = a.paid[table].Add(q.loss)
			}
		}
	}
	return &reservations{ledger: a.ledger, made: made, questions: questions}, nil
}

// reserveFailure is what the analyst sees of an error of ReserveAll, and why.
func (a *answer) reserveFailure(ctx context.Context, err error) error {
	var over *accountant.OverBudgetError
	var other *accountant.AdjacencyError
	var frozen *accountant.FrozenError
	switch {
	case asksAgain(err):
		return err
	case errors.As(err, &over):
		return a.withRemedies(refuseOverBudget(over, a.cap), a.regime.accounting[over.Table].Window)
	case errors.As(err, &frozen):
		return a.withRemedies(refuseFrozen(frozen), 0)
	case errors.As(err, &other):
		return errors.Join(refuseAdjacency(other), err)
	}
	return failure(ctx, refuseLedger(), err)
}

// withRemedies says what else may help her whose new question is refused: to take an answer that follows from earlier ones, and to wait.
func (a *answer) withRemedies(r *rewrite.Refusal, window time.Duration) *rewrite.Refusal {
	if a.ask.Fresh {
		r.Hint = "SET tacit.fresh = off: if the answer follows from earlier ones it is free then. " + r.Hint
	}
	if window > 0 {
		r.Hint += fmt.Sprintf(" What was charged counts for %s, so that there is more left later.", days(window))
	}
	return r
}

// charges are what the tasks cost each table, with the questions that stand behind the items. A question about two tables is charged to
// both, and its release will stand under both.
func (a *answer) charges(tasks []*task) (charges []accountant.Charge, questions [][]*question) {
	index := make(map[policy.TableName]int)
	for _, t := range tasks {
		for _, table := range t.plan.tables {
			i, ok := index[table.Name]
			if !ok {
				i = len(charges)
				index[table.Name] = i
				charges = append(charges, accountant.Charge{
					Analyst: a.ask.Analyst, SQL: a.ask.SQL, Accounting: a.regime.accounting[table.Name], Cap: a.cap,
				})
				questions = append(questions, nil)
			}
			for _, q := range t.questions {
				charges[i].Items = append(charges[i].Items, t.plan.item(q, table))
				questions[i] = append(questions[i], q)
			}
		}
	}
	return charges, questions
}

// item is a question as it is charged to a table.
func (p *plan) item(q *question, table *policy.Table) accountant.Item {
	asked := q.ledger
	asked.Table = table.Name
	return accountant.Item{
		Question: asked, Loss: q.loss, Term: q.term, Mechanism: string(q.mechanism.Kind()), Blocks: p.blocks(q, table),
		MaxAge: p.terms.Replay, Fresh: q.anew, Shape: p.derivableOf(q),
	}
}

// blocks are those of a table that a question is charged to; nil for all of them, as of the second table of a join.
func (p *plan) blocks(q *question, table *policy.Table) []string {
	if table.Name != p.query.Table.Policy.Name {
		return nil
	}
	return p.query.Blocks(q.count)
}

// record makes the releases durable, after which they may be shown. Giving up half-way is not for the analyst to decide: her context does
// not reach here. After accountant.ErrLost none may be shown that was not looked up: another proxy has taken some of the charges over,
// and answers the questions in its own words.
func (r *reservations) record(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	payloads := make([][][]byte, len(r.made))
	for i, questions := range r.questions {
		for _, q := range questions {
			if q.released == nil {
				return fmt.Errorf("release: internal error: question %q was charged and not counted", q.ledger.Text)
			}
			payload, err := q.released.encode()
			if err != nil {
				return err
			}
			payloads[i] = append(payloads[i], payload)
		}
	}
	err := r.ledger.RecordAll(ctx, r.made, payloads)
	if err != nil && !errors.Is(err, accountant.ErrLost) {
		return errors.Join(refuseLedger(), err)
	}
	r.recorded = err == nil
	return err
}

// abandon gives up what was not recorded, so that nobody waits for it. It stays spent.
func (r *reservations) abandon() {
	if r.recorded {
		return
	}
	for _, made := range r.made {
		r.ledger.Abandon(made)
	}
}
