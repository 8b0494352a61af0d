package audited

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/epoch"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// An Answerer answers count queries about audited tables. Its methods may be called concurrently.
type Answerer struct {
	monitor *live.Monitor
	locks   live.Locks

	mu sync.Mutex // protects what follows
	// books are those of tables, each of which is used under the table's lock.
	Books map[policy.TableName]*Book
	// over has the last seal of tables of whose epoch rows were found to be gone.
	over map[policy.TableName]string
}

func New(m *live.Monitor) *Answerer {
	return &Answerer{monitor: m, Books: make(map[policy.TableName]*Book), over: make(map[policy.TableName]string)}
}

// A Statement is the work on those count queries of one statement that are about audited tables. The order of things, for each table:
//
//  1. whom each count counts, over public facts;
//  2. rounds, each of which decides without a count in reach, is recorded and charged durably, and only then has its own counts opened,
//     which are recorded before the next round;
//  3. the cells, when all rounds of all tables are recorded.
type Statement struct {
	Answerer *Answerer
	Request  reply.Request
	State    *live.State
	Ledger   *ledger.Ledger
	cap      *policy.Budget
	Parts    []*tablePart
	// released says that the statement has let something new out, charged that something was charged for it.
	released, charged bool
}

// An tablePart is the part of a statement about one table.
type tablePart struct {
	Table    *query.Table
	Queries  []AuditedQuery
	Asked    questionnaire
	Book     *Book
	outcomes []questionOutcome // of each question of the questionnaire
	left     auditor.Left      // when it was decided about them
	Counts   *Sealed           // of the book's epoch; nil until they are read
	spent    policy.Risk       // by what was decided on histories that had moved on, too
	work     int               // of finding out whom its queries count
	written  bool              // something was decided that the log did not have
}

// An AuditedQuery is one count query with its cells.
type AuditedQuery struct {
	index   int // in Request.Queries
	Query   *query.BoundQuery
	members *membership
	counts  [][]auditedCount // of each count and cell
}

// Begin sorts the queries about audited tables by table; nil if there are none.
func (d *Answerer) Begin(request reply.Request) (*Statement, error) {
	if !slices.ContainsFunc(request.Queries, reply.Audited) {
		return nil, nil
	}
	state, l, err := d.monitor.Open()
	if err != nil {
		return nil, err
	}
	analyst, ok := state.Policy.Analyst(request.Analyst)
	if !ok {
		return nil, reply.RefuseStranger.With(request.Analyst)
	}
	a := &Statement{Answerer: d, Request: request, State: state, Ledger: l, cap: analyst.Budget}
	for i, q := range request.Queries {
		if !reply.Audited(q) {
			continue
		}
		if q.Table.Version != state.Catalog.Version {
			return nil, reply.RefuseChanged.With(q.Table.Policy.Name)
		}
		if refusal := d.monitor.ClosedTable([]*policy.Table{q.Table.Policy}); refusal != nil {
			return nil, refusal
		}
		p := a.Part(q.Table)
		p.Queries = append(p.Queries, AuditedQuery{index: i, Query: q})
	}
	slices.SortFunc(a.Parts, func(x, y *tablePart) int { return curator.CompareNames(x.Table.Policy.Name, y.Table.Policy.Name) })
	return a, nil
}

// Part returns the part about a table.
func (a *Statement) Part(t *query.Table) *tablePart {
	for _, p := range a.Parts {
		if p.Table.Policy.Name == t.Policy.Name {
			return p
		}
	}
	p := &tablePart{Table: t}
	a.Parts = append(a.Parts, p)
	return p
}

// OtherPartCharged says that another part of the statement was charged and answered.
func (a *Statement) OtherPartCharged() { a.charged, a.released = true, true }

// HasCharged reports whether anything was charged for the statement.
func (a *Statement) HasCharged() bool { return a.charged }

// keys are locked together: one statement at a time is decided about on each table.
func (a *Statement) keys() [][32]byte {
	keys := make([][32]byte, len(a.Parts))
	for i, p := range a.Parts {
		keys[i] = sha256.Sum256([]byte("audited table " + p.Table.Policy.Name.String()))
	}
	return keys
}

// Lock takes the locks of the tables: one statement at a time uses the book of each.
func (a *Statement) Lock(ctx context.Context) (unlock func(), err error) {
	return a.Answerer.locks.Lock(ctx, a.keys())
}

// Prepare finds out whom the statement counts. What it refuses costs nothing.
func (a *Statement) Prepare(ctx context.Context) error {
	for _, p := range a.Parts {
		if err := a.PrepareTable(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (a *Statement) PrepareTable(ctx context.Context, p *tablePart) error {
	var err error
	if p.Book, err = a.Answerer.book(ctx, a.Ledger, p.Table); err != nil {
		return err
	}
	p.Asked, p.outcomes, p.Counts, p.work = questionnaire{}, nil, nil, 0
	values := 0
	for i := range p.Queries {
		q := &p.Queries[i]
		if q.members, err = a.members(ctx, q.Query, p); err != nil {
			return err
		}
		if q.counts, err = q.members.compose(q.Query, len(p.Book.Facts.Values), &p.Asked); err != nil {
			return err
		}
		if values += len(q.members.cells) * (len(q.Query.Keys) + len(q.Query.Counts)); values > reply.MaxStatementCells*a.State.Policy.Limits.Cells {
			return reply.RefuseTooMuch.With(reply.MaxStatementCells * a.State.Policy.Limits.Cells)
		}
	}
	return nil
}

// members are whom a query counts, remembered if it is about the table's own columns alone.
func (a *Statement) members(ctx context.Context, q *query.BoundQuery, p *tablePart) (*membership, error) {
	key, limits := membershipKey(q), a.State.Policy.Limits
	if m := p.Book.members.get(key); m != nil {
		return m, nil
	}
	search, err := newMemberSearch(q, p.Book.Facts, limits.Cells)
	if err != nil {
		return nil, err
	}
	if p.work += search.work(); p.work > reply.MaxStatementCells*limits.Cells {
		return nil, reply.RefuseTooManyMembers.With(q.Table.Policy.Name, reply.MaxStatementCells*limits.Cells)
	}
	s, err := a.Answerer.monitor.Curator.BeginEvaluation(ctx)
	if err != nil {
		return nil, reply.Failure(ctx, reply.RefuseUnavailable.With(), err)
	}
	defer s.End()
	m, err := search.members(ctx, s)
	if err == nil && !q.ReadsPublic() {
		p.Book.members.put(key, m)
	}
	return m, err
}

// membershipKey tells questions apart whose members differ, under one catalog or another, or stand in another order: the order of what one
// analyst is shown must not tell how another wrote the same question.
func membershipKey(q *query.BoundQuery) [32]byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v %v", q.Table.Version, q.Margins, q.KeyOrder())
	for _, c := range q.Counts {
		fmt.Fprintf(&b, " %q", q.Question(c))
	}
	return sha256.Sum256([]byte(b.String()))
}

// MaxMoved is how often a statement begins anew because another proxy was faster.
const MaxMoved = 10

// Answer decides, charges, counts and records for one table after the other.
func (a *Statement) Answer(ctx context.Context) error {
	for _, p := range a.Parts {
		for attempt := 0; ; attempt++ {
			err := a.answerTable(ctx, p)
			if err == nil {
				break
			}
			if !errors.Is(err, ledger.ErrAuditMoved) || attempt == MaxMoved {
				return a.explainFailure(ctx, p, err)
			}
			if err := a.PrepareTable(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// explainFailure is what the analyst sees of an error, and why.
func (a *Statement) explainFailure(ctx context.Context, p *tablePart, err error) error {
	name := p.Table.Policy.Name
	var over *accountant.OverBudgetError
	var frozen *accountant.FrozenError
	var refusal *pgerror.Refusal
	switch {
	case errors.As(err, &refusal):
		return err
	case errors.Is(err, auditor.ErrContradiction):
		a.Answerer.endEpoch(p)
		return errors.Join(reply.RefuseEpochOver.With(name), err)
	case errors.Is(err, epoch.ErrOver), errors.Is(err, epoch.ErrOld), errors.Is(err, epoch.ErrElsewhere):
		return errors.Join(reply.RefuseEpochOver.With(name), err)
	case errors.Is(err, ledger.ErrAuditFlood):
		return errors.Join(reply.RefuseAuditFlood.With(name), err)
	case errors.As(err, &over):
		return reply.RefuseOverBudget(over, a.cap)
	case errors.As(err, &frozen):
		return reply.RefuseFrozen(frozen)
	case errors.Is(err, ledger.ErrAuditMoved):
		return errors.Join(reply.RefuseBusy.With(), err)
	}
	return reply.Failure(ctx, reply.RefuseLedger.With(), err)
}

// Show puts the cells of each query in its place.
func (a *Statement) Show(cells []*query.Cells) {
	for _, p := range a.Parts {
		for i := range p.Queries {
			cells[p.Queries[i].index] = p.cells(&p.Queries[i])
		}
	}
}

// cells puts together what is shown of a query.
func (p *tablePart) cells(q *AuditedQuery) *query.Cells {
	cells := &query.Cells{Keys: q.Query.Arrange(q.members.keys), Sets: q.members.sets}
	for _, counts := range q.counts {
		shown := make([]int64, len(counts))
		var suppressed []bool
		for i, c := range counts {
			answer, ok := p.outcome(c)
			if ok {
				shown[i] = c.value(answer)
				continue
			}
			if suppressed == nil {
				suppressed = make([]bool, len(counts))
			}
			suppressed[i] = true
		}
		cells.Counts = append(cells.Counts, shown)
		cells.Suppressed = append(cells.Suppressed, suppressed)
	}
	for _, asked := range q.Query.Intervals { // what is shown is exact, and of the rest nothing is known
		n := asked.Count
		cells.Ends = append(cells.Ends, query.Ends{Low: cells.Counts[n], High: cells.Counts[n], Unknown: cells.Suppressed[n]})
	}
	return cells
}

// outcome is the answer to the question of a count, if it was released.
func (p *tablePart) outcome(c auditedCount) (answer []int64, ok bool) {
	if c.question < 0 {
		return nil, true
	}
	o := p.outcomes[c.question]
	if o.answer != nil || len(o.singles) == 0 {
		return o.answer, o.answer != nil
	}
	answer = make([]int64, len(o.singles))
	for _, part := range c.parts {
		if o.singles[part].answer == nil {
			return nil, false
		}
		answer[part] = o.singles[part].answer[0]
	}
	return answer, true
}

// became says what became of the question of a count. Of a count that is made of several that were decided apart, it is the last of
// them.
func (p *tablePart) became(c auditedCount) auditor.Outcome {
	o := p.outcomes[c.question]
	if _, ok := p.outcome(c); !ok || o.answer != nil {
		return o.decision.Outcome
	}
	last := auditor.Free
	for _, part := range c.parts {
		last = max(last, o.singles[part].decision.Outcome)
	}
	return last
}
