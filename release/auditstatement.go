package release

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
	"tacit/rewrite"
)

// An auditing is the work on those count queries of one statement that are about audited tables. The order of things, for each table:
//
//  1. whom each count counts, over public facts;
//  2. rounds, each of which decides without a count in reach, is recorded and charged durably, and only then has its own counts opened,
//     which are recorded before the next round;
//  3. the cells, when all rounds of all tables are recorded.
type auditing struct {
	door   *Door
	ask    Ask
	regime *regime
	ledger *accountant.Ledger
	cap    *policy.Budget
	parts  []*auditPart
	// released says that the statement has let something new out, charged that something was charged for it.
	released, charged bool
}

// An auditPart is the part of a statement about one table.
type auditPart struct {
	table    *rewrite.Table
	queries  []auditedQuery
	asked    questionnaire
	book     *auditBook
	outcomes []questionOutcome // of each question of the questionnaire
	left     auditor.Left      // when it was decided about them
	counts   *sealed           // of the book's epoch; nil until they are read
	spent    policy.Risk       // by what was decided on histories that had moved on, too
	work     int               // of finding out whom its queries count
	written  bool              // something was decided that the log did not have
}

// An auditedQuery is one count query with its cells.
type auditedQuery struct {
	index   int // in Ask.Queries
	query   *rewrite.BoundQuery
	members *membership
	counts  [][]auditedCount // of each count and cell
}

// audited reports whether a query is about an audited table.
func audited(q *rewrite.BoundQuery) bool { return q.Table.Audited() }

// sanitizedPart is the statement without its queries about audited tables, and where they were.
func (a Ask) sanitizedPart() (part Ask, places []int) {
	part = Ask{Analyst: a.Analyst, SQL: a.SQL, Fresh: a.Fresh}
	for i, q := range a.Queries {
		if !audited(q) {
			part.Queries = append(part.Queries, q)
			places = append(places, i)
		}
	}
	return part, places
}

// newAuditing sorts the queries about audited tables by table; nil if there are none.
func (d *Door) newAuditing(ask Ask) (*auditing, error) {
	if !slices.ContainsFunc(ask.Queries, audited) {
		return nil, nil
	}
	regime, ledger, err := d.open()
	if err != nil {
		return nil, err
	}
	analyst, ok := regime.policy.Analyst(ask.Analyst)
	if !ok {
		return nil, refuseStranger(ask.Analyst)
	}
	a := &auditing{door: d, ask: ask, regime: regime, ledger: ledger, cap: analyst.Budget}
	for i, q := range ask.Queries {
		if !audited(q) {
			continue
		}
		if q.Table.Version != regime.catalog.Version {
			return nil, refuseChanged(q)
		}
		if refusal := d.closedTable([]*policy.Table{q.Table.Policy}); refusal != nil {
			return nil, refusal
		}
		p := a.part(q.Table)
		p.queries = append(p.queries, auditedQuery{index: i, query: q})
	}
	slices.SortFunc(a.parts, func(x, y *auditPart) int { return compareNames(x.table.Policy.Name, y.table.Policy.Name) })
	return a, nil
}

// part returns the part about a table.
func (a *auditing) part(t *rewrite.Table) *auditPart {
	for _, p := range a.parts {
		if p.table.Policy.Name == t.Policy.Name {
			return p
		}
	}
	p := &auditPart{table: t}
	a.parts = append(a.parts, p)
	return p
}

// keys are locked together: one statement at a time is decided about on each table.
func (a *auditing) keys() [][32]byte {
	keys := make([][32]byte, len(a.parts))
	for i, p := range a.parts {
		keys[i] = sha256.Sum256([]byte("audited table " + p.table.Policy.Name.String()))
	}
	return keys
}

// prepare finds out whom the statement counts. What it refuses costs nothing.
func (a *auditing) prepare(ctx context.Context) error {
	for _, p := range a.parts {
		if err := a.prepareTable(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

func (a *auditing) prepareTable(ctx context.Context, p *auditPart) error {
	var err error
	if p.book, err = a.door.auditBook(ctx, a.ledger, p.table); err != nil {
		return err
	}
	p.asked, p.outcomes, p.counts, p.work = questionnaire{}, nil, nil, 0
	values := 0
	for i := range p.queries {
		q := &p.queries[i]
		if q.members, err = a.members(ctx, q.query, p); err != nil {
			return err
		}
		if q.counts, err = q.members.compose(q.query, len(p.book.facts.values), &p.asked); err != nil {
			return err
		}
		if values += len(q.members.cells) * (len(q.query.Keys) + len(q.query.Counts)); values > maxStatementCells*a.regime.policy.Limits.Cells {
			return refuseTooMuch(maxStatementCells * a.regime.policy.Limits.Cells)
		}
	}
	return nil
}

// members are whom a query counts, remembered if it is about the table's own columns alone.
func (a *auditing) members(ctx context.Context, q *rewrite.BoundQuery, p *auditPart) (*membership, error) {
	key, limits := membershipKey(q), a.regime.policy.Limits
	if m := p.book.members.get(key); m != nil {
		return m, nil
	}
	search, err := newMemberSearch(q, p.book.facts, limits.Cells)
	if err != nil {
		return nil, err
	}
	if p.work += search.work(); p.work > maxStatementCells*limits.Cells {
		return nil, refuseTooManyMembers(q, maxStatementCells*limits.Cells)
	}
	s, err := a.door.curator.begin(ctx)
	if err != nil {
		return nil, failure(ctx, refuseUnavailable(), err)
	}
	defer s.end()
	m, err := search.members(ctx, s)
	if err == nil && !q.ReadsPublic() {
		p.book.members.put(key, m)
	}
	return m, err
}

// membershipKey tells questions apart whose members differ, under one catalog or another, or stand in another order: the order of what one
// analyst is shown must not tell how another wrote the same question.
func membershipKey(q *rewrite.BoundQuery) [32]byte {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v %v", q.Table.Version, q.Margins, q.KeyOrder())
	for _, c := range q.Counts {
		fmt.Fprintf(&b, " %q", q.Question(c))
	}
	return sha256.Sum256([]byte(b.String()))
}

// maxMoved is how often a statement begins anew because another proxy was faster.
const maxMoved = 10

// answer decides, charges, counts and records for one table after the other.
func (a *auditing) answer(ctx context.Context) error {
	for _, p := range a.parts {
		for attempt := 0; ; attempt++ {
			err := a.answerTable(ctx, p)
			if err == nil {
				break
			}
			if !errors.Is(err, accountant.ErrAuditMoved) || attempt == maxMoved {
				return a.explainFailure(ctx, p, err)
			}
			if err := a.prepareTable(ctx, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// explainFailure is what the analyst sees of an error, and why.
func (a *auditing) explainFailure(ctx context.Context, p *auditPart, err error) error {
	name := p.table.Policy.Name
	var over *accountant.OverBudgetError
	var frozen *accountant.FrozenError
	var refusal *rewrite.Refusal
	switch {
	case errors.As(err, &refusal):
		return err
	case errors.Is(err, auditor.ErrContradiction):
		a.door.endEpoch(p)
		return errors.Join(refuseEpochOver(name), err)
	case errors.Is(err, errEpochOver), errors.Is(err, errEpochOld), errors.Is(err, errEpochElsewhere):
		return errors.Join(refuseEpochOver(name), err)
	case errors.Is(err, accountant.ErrAuditFlood):
		return errors.Join(refuseAuditFlood(name), err)
	case errors.As(err, &over):
		return refuseOverBudget(over, a.cap)
	case errors.As(err, &frozen):
		return refuseFrozen(frozen)
	case errors.Is(err, accountant.ErrAuditMoved):
		return errors.Join(refuseBusy(), err)
	}
	return failure(ctx, refuseLedger(), err)
}

// show puts the cells of each query in its place.
func (a *auditing) show(cells []*rewrite.Cells) {
	for _, p := range a.parts {
		for i := range p.queries {
			cells[p.queries[i].index] = p.cells(&p.queries[i])
		}
	}
}

// cells puts together what is shown of a query.
func (p *auditPart) cells(q *auditedQuery) *rewrite.Cells {
	cells := &rewrite.Cells{Keys: q.query.Arrange(q.members.keys), Sets: q.members.sets}
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
	return cells
}

// outcome is the answer to the question of a count, if it was released.
func (p *auditPart) outcome(c auditedCount) (answer []int64, ok bool) {
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
func (p *auditPart) became(c auditedCount) auditor.Outcome {
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
