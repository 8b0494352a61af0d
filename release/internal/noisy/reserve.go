package noisy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// Reservations are what a statement was charged, one for each protected table.
type Reservations struct {
	ledger *ledger.Ledger
	Made   []*ledger.Reservation
	// questions are those that each pays for, in the order of its items.
	questions [][]*Question
	recorded  bool
}

// Reserve charges the loss of all tasks durably, or nothing at all. An error that asksAgain knows says that the questions are not the
// caller's to answer now.
func (a *Statement) Reserve(ctx context.Context, tasks []*Task) (*Reservations, error) {
	charges, questions := a.Charges(tasks)
	if a.reserved.IsZero() {
		a.reserved = a.ledger.Now()
	}
	made, err := a.ledger.ReserveAll(ctx, charges)
	if err != nil {
		return nil, a.ReserveFailure(ctx, err)
	}
	for i, r := range made {
		for j, q := range questions[i] {
			if q.adopted = r.Adopted(j); !q.adopted {
				table := charges[i].Table
				a.paid[table] = a.paid[table].Add(charges[i].Items[j].Blocks, q.loss)
			}
		}
	}
	return &Reservations{ledger: a.ledger, Made: made, questions: questions}, nil
}

// ReserveFailure is what the analyst sees of an error of ReserveAll, and why.
func (a *Statement) ReserveFailure(ctx context.Context, err error) error {
	var over *accountant.OverBudgetError
	var other *accountant.AdjacencyError
	var frozen *accountant.FrozenError
	switch {
	case asksAgain(err):
		return err
	case errors.As(err, &over):
		return a.withRemedies(reply.RefuseOverBudget(over, a.cap), a.State.Accounting[over.Table].Window)
	case errors.As(err, &frozen):
		return a.withRemedies(reply.RefuseFrozen(frozen), 0)
	case errors.As(err, &other):
		return errors.Join(reply.RefuseAdjacency(other), err)
	}
	return reply.Failure(ctx, reply.RefuseLedger.With(), err)
}

// withRemedies says what else may help her whose new question is refused: to take an answer that follows from earlier ones, and to wait.
func (a *Statement) withRemedies(r *pgerror.Refusal, window time.Duration) *pgerror.Refusal {
	switch {
	case a.Request.Fresh:
		r.Hint = "SET tacit.fresh = off: what was answered before, or follows from that, is free then. " + r.Hint
	case a.Request.MaxAge > 0:
		r.Hint = "RESET tacit.max_age: what was answered before, or follows from that, is free then, however old it is. " + r.Hint
	}
	if a.Request.Within != (query.Exactness{}) {
		r.Hint = "A larger tacit.within costs less. " + r.Hint
	}
	if window > 0 {
		r.Hint += fmt.Sprintf(" What was charged counts for %s, so that there is more left later.", reply.Days(window))
	}
	return r
}

// Charges are what the tasks cost each table, with the questions that stand behind the items. A question about two tables is charged to
// both, and its release will stand under both.
func (a *Statement) Charges(tasks []*Task) (charges []accountant.Charge, questions [][]*Question) {
	index := make(map[policy.TableName]int)
	for _, t := range tasks {
		for _, table := range t.Plan.tables {
			i, ok := index[table.Name]
			if !ok {
				i = len(charges)
				index[table.Name] = i
				charges = append(charges, accountant.Charge{
					Analyst: a.Request.Analyst, SQL: a.Request.SQL, Request: a.Request.ID, Accounting: a.State.Accounting[table.Name], Cap: a.cap,
				})
				questions = append(questions, nil)
			}
			for _, q := range t.Questions {
				charges[i].Items = append(charges[i].Items, t.Plan.item(q, table))
				questions[i] = append(questions[i], q)
			}
		}
	}
	return charges, questions
}

// item is a question as it is charged to a table.
func (p *QueryPlan) item(q *Question, table *policy.Table) accountant.Item {
	asked := q.Ledger
	asked.Table = table.Name
	return accountant.Item{
		Question: asked, Loss: q.loss, Term: q.term, Mechanism: q.kind(), Blocks: p.blocks(q, table),
		MaxAge: p.maxAge, Fresh: q.anew || p.fresh, Shape: p.shapeOf(q),
	}
}

// blocks are those of a table that a question is charged to; nil for all of them, as of the second table of a join.
func (p *QueryPlan) blocks(q *Question, table *policy.Table) []string {
	switch {
	case table.Name != p.Query.Table.Policy.Name:
		return nil
	case p.parts > 1: // see joint.go
		return p.Query.Blocks(query.Count{})
	}
	return p.Query.Blocks(q.Count)
}

// Record makes the releases durable, after which they may be shown. Giving up half-way is not for the analyst to decide: her context does
// not reach here. After ledger.ErrLost none may be shown that was not looked up: another proxy has taken some of the charges over,
// and answers the questions in its own words.
func (r *Reservations) Record(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	payloads := make([][][]byte, len(r.Made))
	for i, questions := range r.questions {
		for _, q := range questions {
			if q.Released == nil {
				return fmt.Errorf("release: internal error: question %q was charged and not counted", q.Ledger.Text)
			}
			payload, err := q.Released.Encode()
			if err != nil {
				return err
			}
			payloads[i] = append(payloads[i], payload)
		}
	}
	err := r.ledger.RecordAll(ctx, r.Made, payloads)
	if err != nil && !errors.Is(err, ledger.ErrLost) {
		return errors.Join(reply.RefuseLedger.With(), err)
	}
	r.recorded = err == nil
	return err
}

// GiveUp gives up what was not recorded, so that nobody waits for it. It stays spent. If nobody has seen how the count ended, whoever asks the
// same takes the charge over.
func (r *Reservations) GiveUp(unseen bool) {
	if r.recorded {
		return
	}
	for _, made := range r.Made {
		if unseen {
			r.ledger.Leave(made)
		} else {
			r.ledger.Abandon(made)
		}
	}
}
