package noisy

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/memory"
	"tacit/release/internal/payments"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// A Answerer answers count queries about tables whose counts a mechanism sanitizes. Its methods may be called concurrently.
type Answerer struct {
	monitor *live.Monitor
	locks   live.Locks
	// derivables are what answers can be derived from.
	Derivables sources.Known
	// measured are the workloads that were measured.
	measured marginals.Finder
	// recalled are statements that the ledger has answered.
	recalled recalls
	// Recalled counts the statements that were repeated so.
	Recalled atomic.Int64
}

func New(m *live.Monitor) *Answerer { return &Answerer{monitor: m} }

// Plan decides how a statement would be answered, if it can be at all.
func (n *Answerer) Plan(ctx context.Context, request reply.Request) (*Statement, error) {
	state, l, err := n.monitor.Open()
	if err != nil {
		return nil, err
	}
	analyst, ok := state.Policy.Analyst(request.Analyst)
	if !ok {
		return nil, reply.RefuseStranger.With(request.Analyst)
	}
	a := &Statement{
		Request: request, answerer: n, State: state, ledger: l, cap: analyst.Budget, paid: make(map[policy.TableName]payments.Payments), now: l.Now(),
		parts: make(map[*QueryPlan][]*QueryPlan), shares: make(map[string]*reply.ShareOf),
	}
	if err := a.mark(); err != nil {
		return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	memory.Restart(ctx)
	cells := 0
	for _, q := range request.Queries {
		if q.Table.Version != state.Catalog.Version {
			return nil, reply.RefuseChanged.With(q.Table.Policy.Name)
		}
		p, err := a.plan(ctx, q)
		if err != nil {
			return nil, err
		}
		if err := memory.Take(ctx, live.PlanBytes(p.Cells, len(q.Keys), q.Columns())); err != nil {
			return nil, live.Unevaluated(ctx, err)
		}
		a.Plans, a.asked = append(a.Plans, p), append(a.asked, p)
		if err := a.measureLeftOut(ctx, p); err != nil {
			return nil, err
		}
		if cells += p.Cells * (len(q.Keys) + q.Columns()); cells > reply.MaxStatementCells*state.Policy.Limits.Cells {
			return nil, reply.RefuseTooMuch.With(reply.MaxStatementCells * state.Policy.Limits.Cells)
		}
	}
	return a, nil
}

// plan decides how a query of the statement would be answered.
func (a *Statement) plan(ctx context.Context, q *query.BoundQuery) (*QueryPlan, error) {
	asks, err := a.asks(ctx, q)
	if err != nil {
		return nil, err
	}
	terms, err := a.terms(q, asks.within)
	if err != nil {
		return nil, err
	}
	return a.planUnder(ctx, q, terms, asks)
}

func (a *Statement) planUnder(ctx context.Context, q *query.BoundQuery, terms *policy.Table, asks exactness) (*QueryPlan, error) {
	monitor := a.answerer.monitor
	p, err := planUnder(ctx, monitor.Curator, q, a.State, terms)
	if err != nil {
		return nil, err
	}
	if refusal := monitor.ClosedTable(p.tables); refusal != nil {
		return nil, refusal
	}
	p.now, p.exactness = a.now, asks
	p.maxAge, p.fresh = live.Shorter(p.Terms.Replay, a.Request.MaxAge), a.Request.Fresh
	if p.maxAge > 0 {
		p.since = a.now.Add(-p.maxAge)
	}
	if err := p.inEpochs(ctx, a.ledger); err != nil {
		return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	return p, nil
}

// Answer answers queries about tables whose counts a mechanism sanitizes.
func (n *Answerer) Answer(ctx context.Context, request reply.Request) ([]*query.Cells, *reply.Receipt, error) {
	if shown, receipt, ok := n.repeat(ctx, request); ok {
		return shown, receipt, nil
	}
	a, err := n.Plan(ctx, request)
	if err != nil {
		return nil, nil, err
	}
	unlock, err := n.locks.Lock(ctx, a.keys())
	if err != nil {
		return nil, nil, errors.Join(reply.RefuseCancelled.With(), err)
	}
	defer unlock()
	if a, err = a.retry(ctx); err != nil {
		return nil, nil, err
	}
	return a.show(ctx)
}

// Recall answers queries from the ledger alone, ok=false if anything of it would have to be counted.
func (n *Answerer) Recall(ctx context.Context, request reply.Request) (shown []*query.Cells, receipt *reply.Receipt, ok bool, err error) {
	if shown, receipt, ok := n.repeat(ctx, request); ok {
		return shown, receipt, true, nil
	}
	a, err := n.Plan(ctx, request)
	if err != nil {
		return nil, nil, false, err
	}
	if err := a.recollect(ctx); err != nil || a.missing() {
		return nil, nil, false, err
	}
	a.noteReplay()
	a.recollected = true
	shown, receipt, err = a.show(ctx)
	return shown, receipt, err == nil, err
}

// show makes what is shown of a statement that is answered.
func (a *Statement) show(ctx context.Context) ([]*query.Cells, *reply.Receipt, error) {
	receipt, err := a.receipt(context.WithoutCancel(ctx))
	if err != nil {
		return nil, nil, errors.Join(reply.RefuseLedger.With(), err)
	}
	shown := make([]*query.Cells, len(a.asked))
	for i, p := range a.asked {
		shown[i] = a.shown(p)
		a.setEnds(p, shown[i])
	}
	a.remember(shown)
	return shown, receipt, nil
}

// Explain explains the queries about tables whose counts a mechanism sanitizes.
func (n *Answerer) Explain(ctx context.Context, request reply.Request, e *reply.Explanation) error {
	a, err := n.Plan(ctx, request)
	if err != nil {
		return err
	}
	if err := a.recollect(ctx); err != nil {
		return err
	}
	if err := a.PlanMeasurements(ctx); err != nil {
		return err
	}
	a.Tasks() // states the losses of joint releases
	for _, m := range a.measuring {
		e.Questions = append(e.Questions, a.explainMeasuring(m))
	}
	seen := make(map[[32]byte]bool)
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			if !seen[q.Ledger.Key] {
				seen[q.Ledger.Key] = true
				e.Questions = append(e.Questions, a.explain(p, q))
			}
		}
	}
	return a.explainTables(ctx, e)
}

// A Statement is the work on one statement.
type Statement struct {
	Request  reply.Request
	answerer *Answerer
	State    *live.State
	ledger   *ledger.Ledger
	cap      *policy.Budget // the analyst's own budget on each table, nil if she has none
	Plans    []*QueryPlan
	// asked are the plans of the request's queries, and parts those by which some of them are answered: Plans have the parts in their place.
	asked []*QueryPlan
	parts map[*QueryPlan][]*QueryPlan
	// shares are what the share of tacit.within stands for, by the question of how many there are in all.
	shares map[string]*reply.ShareOf
	// paid is what the statement has been charged for each table, at this attempt and at those before.
	paid map[policy.TableName]payments.Payments
	// now is when the statement was planned, from which ages are counted.
	now time.Time
	// measuring are the workloads that the statement measures.
	measuring []*measuring
	// recollected says that the ledger has answered all of it at once.
	recollected bool
	// ofOne says that what is derived is of one release each: its errors are those of sums, as what is computed of it takes them to be.
	ofOne bool
	// marks are those of the ledger's answers about the tables marked, from before the statement was looked up.
	marked []policy.TableName
	marks  []ledger.Mark
	// reserved is when the statement was first charged. lost is the same once another process has taken over what it was charged for: what is
	// recorded from then on was counted for it.
	reserved, lost time.Time
}

// keys are the identities of all questions, which are locked together: whoever asks the same at the same time waits, and
// then finds the recorded release.
func (a *Statement) keys() [][32]byte {
	var keys [][32]byte
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			keys = append(keys, q.Ledger.Key)
		}
	}
	return keys
}

func (a *Statement) missing() bool {
	return slices.ContainsFunc(a.Plans, func(p *QueryPlan) bool { return !p.answered() })
}

// replay fills in what the ledger has recorded. Counts of one query that are about different cells (a threshold was drawn
// anew since, say) do not belong together: the first question's cells are the ones that count.
func (a *Statement) replay(ctx context.Context) error {
	seen := make(map[[32]byte]*cells.Released) // each question is looked up once, or an answer might expire in between
	for _, p := range a.Plans {
		for i, q := range p.Questions {
			first := p.Questions[0].Released
			if p.ByThreshold && i > 0 && first == nil { // what was recorded of it is about other cells
				q.anew = true
				continue
			}
			r, looked := seen[q.Ledger.Key]
			if !looked {
				var err error
				if r, err = a.lookUp(ctx, p, q); err != nil {
					return err
				}
				seen[q.Ledger.Key] = r
			}
			switch {
			case r == nil:
			case first == nil || cells.SameKeys(first.Keys, r.Keys):
				q.Released, q.replayed = r, true
			default:
				q.anew = true
			}
		}
	}
	return nil
}

func (a *Statement) lookUp(ctx context.Context, p *QueryPlan, q *Question) (*cells.Released, error) {
	found, ok, err := a.ledger.Lookup(ctx, q.Ledger, p.maxAge)
	if err != nil || !ok || p.fresh && !a.countedForIt(found) {
		return nil, err
	}
	if cells.CountedSince(found.Shape).Before(p.final) {
		q.anew = true
		return nil, nil
	}
	released, err := cells.DecodeRelease(found, len(p.Query.Keys), q.Count.Columns())
	if released != nil {
		released.Recording = cells.RecordingOf(found)
	}
	return released, err
}

// countedForIt reports whether a release was made under a charge of this statement that another process has taken over, so that the statement
// need not be charged for a fresh answer twice.
func (a *Statement) countedForIt(r *accountant.Release) bool {
	return !a.lost.IsZero() && !r.At.Before(a.lost)
}

// release answers the missing questions: reserve, count, sanitize, record, in this order. The connection and everything
// that does not depend on protected rows come before the reservation, so that their failure costs nothing.
func (a *Statement) release(ctx context.Context) error {
	for _, p := range a.Plans {
		if err := p.FixCells(ctx, a.answerer.monitor.Curator); err != nil {
			return err
		}
	}
	s, err := a.answerer.monitor.BeginCount(ctx, a.Request.Queries)
	if err != nil {
		return reply.Failure(ctx, reply.RefuseUnavailable.With(), err)
	}
	defer s.End()
	a.dropUnasked()
	tasks := a.Tasks()
	if len(tasks) == 0 {
		return nil
	}
	// Waiting for others and for a connection may have taken long.
	if state, l, err := a.answerer.monitor.Open(); err != nil {
		return err
	} else if state != a.State || l != a.ledger {
		return reply.RefuseChanged.With(a.Request.Queries[0].Table.Policy.Name)
	}
	reserved, err := a.Reserve(ctx, tasks)
	if err != nil {
		return err
	}
	counting, end := a.answerer.monitor.Counting(ctx)
	defer end()
	if err := a.count(counting, s, tasks, reserved); err != nil {
		reserved.GiveUp(live.Unseen(counting, err))
		return err
	}
	go s.End() // others may count while the answer is recorded
	err = reserved.Record(ctx)
	reserved.GiveUp(false)
	return err
}

// count runs the tasks, which the reservations pay for.
func (a *Statement) count(ctx context.Context, s *curator.Counts, tasks []*Task, paid *Reservations) error {
	for _, t := range tasks {
		if err := s.Run(ctx, func(s *curator.Snapshot) error { return t.runPaid(ctx, s, paid.Made) }); err != nil {
			var refusal *pgerror.Refusal
			if errors.As(err, &refusal) {
				return err
			}
			a.answerer.monitor.CloseTables(t.Plan.tables, err)
			return reply.Failure(ctx, reply.RefuseFailedCount.With(), err)
		}
		a.share()
	}
	return nil
}

// FixCells makes the declared cells that the statement's own filter leaves. It drops what was recorded about other cells, and
// answers for free the questions about no cells at all.
func (p *QueryPlan) FixCells(ctx context.Context, c *curator.Curator) error {
	if p.ByThreshold || p.answered() {
		return nil
	}
	p.declareCells()
	if err := p.restrict(ctx, live.Beginning(c)); err != nil {
		return live.Unevaluated(ctx, err)
	}
	p.keepFixed()
	return nil
}

// restrict keeps the cells that the statement's own filter allows.
func (p *QueryPlan) restrict(ctx context.Context, run live.Runner) error {
	if len(p.Query.Keys) == 0 || p.Cells == 0 || p.fixed {
		return nil
	}
	sql, args, ok := p.Query.DomainSQL(p.Keys)
	if !ok {
		return nil
	}
	rows, err := live.Constant(ctx, p.state, run, sql, args)
	if err != nil {
		return err
	}
	kept := make([]int, len(rows))
	for i, row := range rows {
		if kept[i], err = live.OrdinalOf(row[0], p.Cells); err != nil {
			return err
		}
	}
	slices.Sort(kept)
	for i, column := range p.Keys {
		keys := make([]query.Value, len(kept))
		for j, cell := range kept {
			keys[j] = column[cell]
		}
		p.Keys[i] = keys
	}
	p.Cells = len(kept)
	return nil
}

// keepFixed drops what was recorded about other cells than those that are settled, and answers the questions about none.
func (p *QueryPlan) keepFixed() {
	for _, q := range p.Questions {
		if q.Released != nil && !cells.SameKeys(q.Released.Keys, p.Keys) {
			q.Released, q.replayed, q.anew = nil, false, true
		}
		if q.Released == nil && p.empty() {
			q.Released = q.release(p.Keys, nil)
		}
	}
}

// empty says that there are no cells, which are answered for free.
func (p *QueryPlan) empty() bool { return !p.ByThreshold && p.Cells == 0 }

// answered says whether nothing is left to be asked.
func (p *QueryPlan) answered() bool {
	return !slices.ContainsFunc(p.Questions, func(q *Question) bool { return q.Released == nil })
}

// A Task is a count query to be run upstream, with those of its questions that are new: all those about counts, or one about a value.
type Task struct {
	Plan      *QueryPlan
	Questions []*Question
}

// Tasks lists what is to be counted. A question that stands in two queries of the statement is counted for the first;
// the second is given the same release (see share).
func (a *Statement) Tasks() []*Task {
	var tasks []*Task
	seen := make(map[[32]byte]bool)
	for _, m := range a.measuring {
		tasks = append(tasks, &Task{Plan: m.plan, Questions: m.plan.Questions})
	}
	for _, p := range a.Plans {
		t := &Task{Plan: p}
		var values []*Task
		for _, q := range p.Questions {
			switch {
			case q.Released != nil || q.expected != nil || p.empty() || seen[q.Ledger.Key]:
				continue
			case q.choice != nil:
				values = append(values, &Task{Plan: p, Questions: []*Question{q}})
			default:
				t.Questions = append(t.Questions, q)
			}
			seen[q.Ledger.Key] = true
		}
		if len(t.Questions) > 0 {
			p.shareLoss(t.Questions)
			tasks = append(tasks, t)
		}
		tasks = append(tasks, values...)
	}
	return tasks
}

// share gives every copy of a question in the statement the one release that was made.
func (a *Statement) share() {
	made := make(map[[32]byte]*cells.Released)
	for _, p := range a.Plans {
		for _, q := range p.Questions {
			if q.Released != nil {
				made[q.Ledger.Key] = q.Released
			} else {
				q.Released = made[q.Ledger.Key]
			}
		}
	}
}

// shownCells are the cells in the shape that the rest of the statement wants.
func (p *QueryPlan) shownCells() *query.Cells {
	cells := &query.Cells{Keys: p.Query.Arrange(p.Questions[0].Released.Keys)}
	if p.Query.HasOrdered() {
		cells.Values = make([][]query.Value, p.Query.Columns())
	}
	for _, i := range p.Shown {
		r := p.Questions[i].Released
		switch {
		case r.Columns > 1:
			for column := range r.Columns {
				cells.Counts, cells.Suppressed = append(cells.Counts, r.Column(column)), append(cells.Suppressed, nil)
			}
			continue
		case r.Values != nil:
			cells.Values[len(cells.Counts)] = r.Values
		}
		cells.Counts = append(cells.Counts, p.Questions[i].shownCounts())
		cells.Suppressed = append(cells.Suppressed, r.Suppressed)
	}
	return cells
}
