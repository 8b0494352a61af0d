package release

import (
	"context"
	"errors"
	"slices"

	"tacit/accountant"
	"tacit/policy"
	"tacit/rewrite"
)

// An Ask is one analyst's statement.
type Ask struct {
	Analyst string
	// SQL is the statement as she wrote it, for the log.
	SQL string
	// Queries are its count queries with their parameters' values.
	Queries []*rewrite.BoundQuery
	// Fresh says that she wants to be asked for anew what follows from recorded releases of other questions. What is the very same question
	// is replayed all the same.
	Fresh bool
}

// Answer returns the sanitized cells of each query of a statement, and what they cost. Equal questions in one statement are
// one release. If errors.As finds a *rewrite.Refusal in the error, that is what the analyst may see; the rest is for
// the operator's log. The context ends a count early, which stays charged.
func (d *Door) Answer(ctx context.Context, ask Ask) ([]*rewrite.Cells, *Receipt, error) {
	if len(ask.Queries) == 0 {
		return nil, nil, errors.New("release: internal error: a statement without a count query")
	}
	cells, receipt, err := d.answer(ctx, ask)
	var refusal *rewrite.Refusal
	if errors.As(err, &refusal) {
		d.note(accountant.Event{
			Analyst: ask.Analyst, Table: ask.Queries[0].Table.Policy.Name, Verdict: accountant.Refused, SQL: ask.SQL, SQLState: refusal.Code,
		})
	}
	return cells, receipt, err
}

// maxStatementCells is how many times limits.cells the counts of one statement may fill together, so that a statement of many
// sub-selects cannot exhaust memory.
const maxStatementCells = 20

// plan decides how a statement would be answered, if it can be at all.
func (d *Door) plan(ctx context.Context, ask Ask) (*answer, error) {
	regime, ledger, err := d.open()
	if err != nil {
		return nil, err
	}
	analyst, ok := regime.policy.Analyst(ask.Analyst)
	if !ok {
		return nil, refuseStranger(ask.Analyst)
	}
	a := &answer{ask: ask, door: d, regime: regime, ledger: ledger, cap: analyst.Budget, paid: make(map[policy.TableName]accountant.Loss)}
	cells := 0
	for _, q := range ask.Queries {
		if q.Table.Version != regime.catalog.Version {
			return nil, refuseChanged(q)
		}
		p, err := d.newPlan(ctx, q, regime)
		if err != nil {
			return nil, err
		}
		if refusal := d.closedTable(p.tables); refusal != nil {
			return nil, refusal
		}
		if err := p.inEpochs(ctx, ledger); err != nil {
			return nil, failure(ctx, refuseLedger(), err)
		}
		a.plans = append(a.plans, p)
		if cells += p.cells * (len(q.Keys) + len(q.Counts)); cells > maxStatementCells*regime.policy.Limits.Cells {
			return nil, refuseTooMuch(maxStatementCells * regime.policy.Limits.Cells)
		}
	}
	return a, nil
}

// answer answers the queries about audited tables and the others each in their own way. What is refused of either is refused before
// anything is charged, as far as that can be known.
func (d *Door) answer(ctx context.Context, ask Ask) ([]*rewrite.Cells, *Receipt, error) {
	audit, err := d.newAuditing(ask)
	if err != nil {
		return nil, nil, err
	}
	if audit == nil {
		return d.sanitized(ctx, ask)
	}
	unlock, err := d.asking.lock(ctx, audit.keys())
	if err != nil {
		return nil, nil, errors.Join(refuseCancelled(), err)
	}
	defer unlock()
	if err := audit.prepare(ctx); err != nil {
		return nil, nil, err
	}
	cells, receipt := make([]*rewrite.Cells, len(ask.Queries)), &Receipt{}
	if part, places := ask.sanitizedPart(); len(places) > 0 {
		shown, r, err := d.sanitized(ctx, part)
		if err != nil {
			return nil, nil, err
		}
		receipt = r
		if r.charged() {
			audit.charged, audit.released = true, true
		}
		for i, place := range places {
			cells[place] = shown[i]
		}
	}
	if err := audit.answer(ctx); err != nil {
		if audit.charged {
			err = partlyCharged(err)
		}
		return nil, nil, err
	}
	if err := audit.receipt(context.WithoutCancel(ctx), receipt); err != nil {
		return nil, nil, errors.Join(refuseLedger(), err)
	}
	audit.show(cells)
	return cells, receipt, nil
}

// sanitized answers queries about tables whose counts a mechanism sanitizes.
func (d *Door) sanitized(ctx context.Context, ask Ask) ([]*rewrite.Cells, *Receipt, error) {
	a, err := d.plan(ctx, ask)
	if err != nil {
		return nil, nil, err
	}
	unlock, err := d.asking.lock(ctx, a.keys())
	if err != nil {
		return nil, nil, errors.Join(refuseCancelled(), err)
	}
	defer unlock()
	if a, err = a.settle(ctx); err != nil {
		return nil, nil, err
	}
	receipt, err := a.receipt(context.WithoutCancel(ctx))
	if err != nil {
		return nil, nil, errors.Join(refuseLedger(), err)
	}
	shown := make([]*rewrite.Cells, len(a.plans))
	for i, p := range a.plans {
		shown[i] = p.shownCells()
	}
	return shown, receipt, nil
}

// failure is what the analyst sees, and why. Whatever failed after she gave up, she gave up.
func failure(ctx context.Context, seen *rewrite.Refusal, err error) error {
	if ctx.Err() != nil {
		seen = refuseCancelled()
	}
	return errors.Join(seen, err)
}

// An answer is the work on one statement.
type answer struct {
	ask    Ask
	door   *Door
	regime *regime
	ledger *accountant.Ledger
	cap    *policy.Budget // the analyst's own budget on each table, nil if she has none
	plans  []*plan
	// paid is what the statement has been charged for each table, at this attempt and at those before.
	paid map[policy.TableName]accountant.Loss
}

// keys are the identities of all questions, which are locked together: whoever asks the same at the same time waits, and
// then finds the recorded release.
func (a *answer) keys() [][32]byte {
	var keys [][32]byte
	for _, p := range a.plans {
		for _, q := range p.questions {
			keys = append(keys, q.ledger.Key)
		}
	}
	return keys
}

func (a *answer) missing() bool {
	return slices.ContainsFunc(a.plans, func(p *plan) bool { return !p.answered() })
}

// replay fills in what the ledger has recorded. Counts of one query that are about different cells (a threshold was drawn
// anew since, say) do not belong together: the first question's cells are the ones that count.
func (a *answer) replay(ctx context.Context) error {
	seen := make(map[[32]byte]*released) // each question is looked up once, or an answer might expire in between
	for _, p := range a.plans {
		for i, q := range p.questions {
			first := p.questions[0].released
			if p.byThreshold && i > 0 && first == nil { // what was recorded of it is about other cells
				q.anew = true
				continue
			}
			r, looked := seen[q.ledger.Key]
			if !looked {
				var err error
				if r, err = a.lookUp(ctx, p, q); err != nil {
					return err
				}
				seen[q.ledger.Key] = r
			}
			switch {
			case r == nil:
			case first == nil || sameKeys(first.keys, r.keys):
				q.released, q.replayed = r, true
			default:
				q.anew = true
			}
		}
	}
	return nil
}

func (a *answer) lookUp(ctx context.Context, p *plan, q *question) (*released, error) {
	found, ok, err := a.ledger.Lookup(ctx, q.ledger, p.terms.Replay)
	if err != nil || !ok {
		return nil, err
	}
	return decodeRelease(found, len(p.query.Keys))
}

// release answers the missing questions: reserve, count, sanitize, record, in this order. The connection and everything
// that does not depend on protected rows come before the reservation, so that their failure costs nothing.
func (a *answer) release(ctx context.Context) error {
	s, err := a.door.curator.begin(ctx)
	if err != nil {
		return failure(ctx, refuseUnavailable(), err)
	}
	defer s.end()
	for _, p := range a.plans {
		if err := p.settleCells(ctx, s); err != nil {
			return failure(ctx, refuseUnavailable(), err)
		}
	}
	tasks := a.tasks()
	if len(tasks) == 0 {
		return nil
	}
	// Waiting for others and for a connection may have taken long.
	if regime, ledger, err := a.door.open(); err != nil {
		return err
	} else if regime != a.regime || ledger != a.ledger {
		return refuseChanged(a.ask.Queries[0])
	}
	reserved, err := a.reserve(ctx, tasks)
	if err != nil {
		return err
	}
	defer reserved.abandon()
	if err := a.count(ctx, s, tasks); err != nil {
		return err
	}
	return reserved.record(ctx)
}

// count runs the tasks, which are paid for.
func (a *answer) count(ctx context.Context, s *snapshot, tasks []*task) error {
	for _, t := range tasks {
		if err := t.run(ctx, s); err != nil {
			var refusal *rewrite.Refusal
			if errors.As(err, &refusal) {
				return err
			}
			a.door.closeTables(t.plan.tables, err)
			return failure(ctx, refuseFailedCount(), err)
		}
		a.share()
	}
	return nil
}

// settleCells makes the declared cells that the statement's own filter leaves. It drops what was recorded about other cells, and
// answers for free the questions about no cells at all.
func (p *plan) settleCells(ctx context.Context, s *snapshot) error {
	if p.byThreshold || p.answered() {
		return nil
	}
	p.declareCells()
	if err := p.restrict(ctx, s); err != nil {
		return err
	}
	p.keepSettled()
	return nil
}

// keepSettled drops what was recorded about other cells than those that are settled, and answers the questions about none.
func (p *plan) keepSettled() {
	for _, q := range p.questions {
		if q.released != nil && !sameKeys(q.released.keys, p.keys) {
			q.released, q.replayed, q.anew = nil, false, true
		}
		if q.released == nil && p.empty() {
			q.released = &released{keys: p.keys}
		}
	}
}

// empty says that there are no cells, which are answered for free.
func (p *plan) empty() bool { return !p.byThreshold && p.cells == 0 }

// answered says whether nothing is left to be asked.
func (p *plan) answered() bool {
	return !slices.ContainsFunc(p.questions, func(q *question) bool { return q.released == nil })
}

// A task is a count query to be run upstream, with those of its questions that are new.
type task struct {
	plan      *plan
	questions []*question
}

// tasks lists what is to be counted. A question that stands in two queries of the statement is counted for the first;
// the second is given the same release (see share).
func (a *answer) tasks() []*task {
	var tasks []*task
	seen := make(map[[32]byte]bool)
	for _, p := range a.plans {
		t := &task{plan: p}
		for _, q := range p.questions {
			if q.released == nil && !p.empty() && !seen[q.ledger.Key] {
				seen[q.ledger.Key] = true
				t.questions = append(t.questions, q)
			}
		}
		if len(t.questions) > 0 {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// share gives every copy of a question in the statement the one release that was made.
func (a *answer) share() {
	made := make(map[[32]byte]*released)
	for _, p := range a.plans {
		for _, q := range p.questions {
			if q.released != nil {
				made[q.ledger.Key] = q.released
			} else {
				q.released = made[q.ledger.Key]
			}
		}
	}
}

func (a *answer) noteReplay() {
	verdict := accountant.Replayed
	if a.derives() {
		verdict = accountant.Derived
	}
	tables := make(map[policy.TableName]bool)
	for _, p := range a.plans {
		for _, table := range p.tables {
			if !tables[table.Name] {
				tables[table.Name] = true
				a.ledger.Note(accountant.Event{Analyst: a.ask.Analyst, Table: table.Name, Verdict: verdict, SQL: a.ask.SQL})
			}
		}
	}
}

// noteAdopted logs the statement for tables that it was not charged for because somebody else's charge was taken over: that is logged with the
// statement that it was made for, and she who was answered under it may be another analyst.
func (a *answer) noteAdopted() {
	noted := make(map[policy.TableName]bool)
	for _, p := range a.plans {
		if !slices.ContainsFunc(p.questions, func(q *question) bool { return q.adopted }) {
			continue
		}
		for _, table := range p.tables {
			if _, charged := a.paid[table.Name]; !charged && !noted[table.Name] {
				noted[table.Name] = true
				a.ledger.Note(accountant.Event{Analyst: a.ask.Analyst, Table: table.Name, Verdict: accountant.Replayed, SQL: a.ask.SQL})
			}
		}
	}
}

// shownCells are the cells in the shape that the rest of the statement wants.
func (p *plan) shownCells() *rewrite.Cells {
	cells := &rewrite.Cells{Keys: p.query.Arrange(p.questions[0].released.keys)}
	for _, i := range p.shown {
		r := p.questions[i].released
		cells.Counts = append(cells.Counts, r.counts)
		cells.Suppressed = append(cells.Suppressed, r.suppressed)
	}
	return cells
}
