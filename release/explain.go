package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/policy"
)

// An Explanation tells what the answer to a statement would cost and how exact it would be. Nothing in it depends on protected
// rows but through releases that were made: whether a question was answered before.
type Explanation struct {
	Questions []ExplainedQuestion
	Tables    []ExplainedTable // one for each protected table of the statement whose counts are sanitized
	Audits    []ExplainedAudit // one for each audited table
}

// An ExplainedQuestion is one count over the cells of one query.
type ExplainedQuestion struct {
	Tables    []policy.TableName // those that it is charged to: one, or the two that it joins
	Question  string
	Mechanism string
	// Description tells what the mechanism does to counts.
	Description string
	// Recorded says that the question was answered before, so that its answer is free.
	Recorded bool
	// Derived says what the answer would be computed of for free; nil if it would not.
	Derived *DerivedAnswers
	// Loss is what the answer costs, zero if it is free.
	Loss accountant.Loss
	// HalfWidth95 bounds the noise of a count with probability 0.95.
	HalfWidth95 int64
	// BiasOfZero is what showing negative counts as 0 adds to an empty cell on average.
	BiasOfZero float64
	// Fitted are the errors of totals that are fitted by least squares; nil if totals are sums of the cells.
	Fitted *FittedTotals
	// Filled says that totals add up cells which may be fill values.
	Filled bool
	// Cells is how many cells there are at most, if all keys are declared; else keys are shown whose noisy count reaches Threshold.
	Cells     int
	Threshold int64
}

// FittedTotals tell how exact cells are that are fitted to the margins of grouping sets.
type FittedTotals struct {
	Margins int // the cells themselves included
	// CellDeviation and TotalDeviation are the standard deviations of a cell and of the sum of all.
	CellDeviation, TotalDeviation float64
}

// An ExplainedTable is what the statement does to a table's budgets.
type ExplainedTable struct {
	Table policy.TableName
	// Loss is that of all its questions together, each by itself. What they take of the budget is often less, see balance.
	Loss accountant.Loss
	balance
	// Covered says that what remains covers the loss. If it does not, Short is the budget that is too small, nil if the table is frozen.
	Covered bool
	Short   *accountant.OverBudgetError
	// Composes says that it is covered only because losses add up to less than their sum.
	Composes bool
}

// Explain tells what Answer would charge, from the policy, the declared domains and the ledger. It charges nothing, and reads no
// protected table. Errors are as those of Answer.
func (d *Door) Explain(ctx context.Context, ask Ask) (*Explanation, error) {
	if len(ask.Queries) == 0 {
		return nil, errors.New("release: internal error: a statement without a count query")
	}
	e := &Explanation{}
	audit, err := d.newAuditing(ask)
	if err != nil {
		return nil, err
	}
	if audit != nil {
		if e.Audits, err = d.explainAudited(ctx, audit); err != nil {
			return nil, err
		}
		if ask, _ = ask.sanitizedPart(); len(ask.Queries) == 0 {
			return e, nil
		}
	}
	return e, d.explainSanitized(ctx, ask, e)
}

// explainAudited takes the locks, since the auditor's books are used by one statement at a time.
func (d *Door) explainAudited(ctx context.Context, audit *auditing) ([]ExplainedAudit, error) {
	unlock, err := d.asking.lock(ctx, audit.keys())
	if err != nil {
		return nil, errors.Join(refuseCancelled(), err)
	}
	defer unlock()
	if err := audit.prepare(ctx); err != nil {
		return nil, err
	}
	return audit.explain(ctx)
}

// explainSanitized explains the queries about tables whose counts a mechanism sanitizes.
func (d *Door) explainSanitized(ctx context.Context, ask Ask, e *Explanation) error {
	a, err := d.plan(ctx, ask)
	if err != nil {
		return err
	}
	if err := a.replay(ctx); err != nil {
		return failure(ctx, refuseLedger(), err)
	}
	if err := a.derive(ctx); err != nil {
		return err
	}
	seen := make(map[[32]byte]bool)
	for _, p := range a.plans {
		for _, q := range p.questions {
			if !seen[q.ledger.Key] {
				seen[q.ledger.Key] = true
				e.Questions = append(e.Questions, p.explain(q))
			}
		}
	}
	return a.explainTables(ctx, e)
}

func (p *plan) explain(q *question) ExplainedQuestion {
	e := ExplainedQuestion{
		Question: q.ledger.Text, Mechanism: string(q.mechanism.Kind()),
		Recorded: q.replayed, HalfWidth95: q.halfWidth95(), Cells: p.cells,
		Description: q.describe(), BiasOfZero: q.biasOfZero(), Derived: q.derivation(),
		Filled: p.addsFills(q),
	}
	if cell, total, ok := q.mechanism.FittedError(); ok {
		e.Fitted = &FittedTotals{p.margins.Len(), cell, total}
	}
	for _, t := range p.tables {
		e.Tables = append(e.Tables, t.Name)
	}
	if p.byThreshold {
		e.Threshold = p.questions[0].mechanism.Threshold()
		e.BiasOfZero = 0 // empty cells are not shown
	}
	if !e.Recorded && e.Derived == nil && !p.empty() {
		e.Loss = q.loss
	}
	return e
}

// explainTables compares the losses with what is left, as the ledger would.
func (a *answer) explainTables(ctx context.Context, e *Explanation) error {
	charges, _ := a.charges(a.tasks())
	seen := make(map[policy.TableName]bool)
	for _, p := range a.plans {
		for _, table := range p.tables {
			if seen[table.Name] {
				continue
			}
			seen[table.Name] = true
			explained, err := a.explainTable(ctx, table, charges)
			if err != nil {
				return err
			}
			e.Tables = append(e.Tables, *explained)
		}
	}
	return nil
}

// explainTable tells what the charges for one table do to its budgets.
func (a *answer) explainTable(ctx context.Context, table *policy.Table, charges []accountant.Charge) (*ExplainedTable, error) {
	s, err := a.ledger.Standing(ctx, a.regime.accounting[table.Name], a.ask.Analyst, a.cap)
	if err != nil {
		return nil, failure(ctx, refuseLedger(), err)
	}
	t := &ExplainedTable{Table: table.Name, Covered: true, balance: a.balanceOf(&s, table)}
	for _, c := range charges {
		if c.Table == table.Name {
			if err := a.explainCharge(ctx, t, c); err != nil {
				return nil, err
			}
			t.Composes = composes(&s, c.Items)
		}
	}
	return t, nil
}

// explainCharge tells whether a charge would be taken. One under another adjacency than was charged before is refused, as it would be of
// the answer; what is free is not.
func (a *answer) explainCharge(ctx context.Context, t *ExplainedTable, c accountant.Charge) error {
	for _, item := range c.Items {
		t.Loss = t.Loss.Add(item.Loss)
	}
	err := a.ledger.Afford(ctx, []accountant.Charge{c})
	var frozen *accountant.FrozenError
	var other *accountant.AdjacencyError
	switch {
	case err == nil || asksAgain(err):
	case errors.As(err, &t.Short), errors.As(err, &frozen):
		t.Covered = false
	case errors.As(err, &other):
		return errors.Join(refuseAdjacency(other), err)
	default:
		return failure(ctx, refuseLedger(), err)
	}
	return nil
}

// listed names the tables that a question is charged to.
func (q *ExplainedQuestion) listed() string {
	names := make([]string, len(q.Tables))
	for i, t := range q.Tables {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// errorLines tell how far from the truth the counts may be.
func (q *ExplainedQuestion) errorLines() []string {
	kind := policy.Kind(q.Mechanism)
	switch {
	case !kind.Guaranteed():
		return q.mechanismLines()
	case kind.Suppresses():
		return append([]string{fmt.Sprintf("  Expected Error: within ±%d with probability 95%%, of counts that are not withheld", q.HalfWidth95)}, q.mechanismLines()...)
	}
	lines := []string{fmt.Sprintf("  Expected Error: within ±%d with probability 95%% (%s noise)", q.HalfWidth95, q.Mechanism)}
	if q.BiasOfZero >= 0.005 {
		lines = append(lines, fmt.Sprintf("  Bias: an empty cell is shown as %.2f on average, because counts below 0 are shown as 0", q.BiasOfZero))
	}
	if f := q.Fitted; f != nil {
		lines = append(lines, fmt.Sprintf("  Totals: fitted by least squares to %d groupings; standard deviation %.1f of a cell, %.1f of the total of all",
			f.Margins, f.CellDeviation, f.TotalDeviation))
	}
	return lines
}

// mechanismLines tell what is done to counts besides adding noise.
func (q *ExplainedQuestion) mechanismLines() []string {
	lines := []string{"  Mechanism: " + q.Description}
	if q.Filled {
		lines = append(lines, "  Totals: fill values are added up")
	}
	return lines
}

// Lines are the explanation in the form of EXPLAIN's text.
func (e *Explanation) Lines() []string {
	var lines []string
	for _, q := range e.Questions {
		lines = append(lines, "Sanitized Count on "+q.listed(), "  Question: "+q.Question)
		switch {
		case q.Recorded:
			lines = append(lines, "  Cost: free (answered before)")
		case q.Derived != nil:
			lines = append(lines, "  Cost: free ("+q.Derived.String()+")")
			if fresh := q.Derived.freshText(); fresh != "" {
				lines = append(lines, "  Fresh: "+fresh)
			}
		case q.Loss == (accountant.Loss{}):
			lines = append(lines, "  Cost: free (no cells)")
		default:
			lines = append(lines, "  Cost: "+shownCost(q.Loss))
		}
		lines = append(lines, q.errorLines()...)
		if q.Threshold > 0 {
			lines = append(lines, fmt.Sprintf("  Cells: keys whose %s reaches %d", map[bool]string{true: "noisy count", false: "count, unless it is withheld,"}[policy.Kind(q.Mechanism).Guaranteed()], q.Threshold))
		} else {
			lines = append(lines, fmt.Sprintf("  Cells: at most %d", q.Cells))
		}
	}
	for i := range e.Tables {
		lines = append(lines, e.Tables[i].lines()...)
	}
	for i := range e.Audits {
		lines = append(lines, e.Audits[i].lines()...)
	}
	return append(lines, "Nothing was counted or charged.")
}

// shownCost is a loss as people are shown what a statement costs.
func shownCost(l accountant.Loss) string { return l.RoundUp(lossDigits).String() }

func (t *ExplainedTable) lines() []string {
	lines, where := []string{"Budget of " + t.Table.String(), "  Cost: " + shownCost(t.Loss)}, ""
	if t.Blocks != nil {
		lines, where = append(lines, "  Blocks: "+t.Blocks.list()), " for "+t.Blocks.fullest()
	}
	lines = append(lines, "  Left: "+t.left()+where)
	if t.AnalystLeft != nil {
		lines = append(lines, "  Left of Yours: "+t.yours())
	}
	if t.Window > 0 {
		lines = append(lines, "  Window: "+days(t.Window), "  Spent Since the Epoch: "+t.lifetime())
	}
	if t.Frozen != "" {
		lines = append(lines, "  Frozen: "+t.Frozen)
	}
	return append(lines, "  Covered: "+t.covered())
}

// covered says whether the budget covers the loss, and if not, what does not.
func (t *ExplainedTable) covered() string {
	switch {
	case t.Covered && t.Composes:
		return fmt.Sprintf("yes (composition %s: losses add up to less than their sum)", t.Composition)
	case t.Covered:
		return "yes"
	case t.Short == nil:
		return "no (frozen)"
	case t.Short.Block != "":
		return fmt.Sprintf("no (block %s)", t.Short.Block)
	}
	return "no"
}

// A planNode is an explanation as EXPLAIN's JSON has a node of a plan. Amounts are decimal strings, since a floating-point number
// would not hold them exactly.
type planNode struct {
	NodeType  string         `json:"Node Type"`
	Questions []planQuestion `json:"Questions"`
	Budgets   []planBudget   `json:"Budgets"`
	Audits    []planAudit    `json:"Audits,omitempty"`
}

type planQuestion struct {
	Table       string     `json:"Table"`
	Question    string     `json:"Question"`
	Mechanism   string     `json:"Mechanism"`
	Description string     `json:"Description"`
	Recorded    bool       `json:"Recorded"`
	DerivedFrom []int64    `json:"Derived From,omitempty"` // releases
	Added       int        `json:"Cells Added Up,omitempty"`
	LeftOut     []string   `json:"Undeclared Values Left Out,omitempty"` // columns
	Cost        planAmount `json:"Cost"`
	Error       *int64     `json:"Expected Error (95%),omitempty"` // of noise
	Bias        float64    `json:"Bias of Empty Cells,omitempty"`
	Cells       *int       `json:"Cells,omitempty"` // if all keys are declared
	Threshold   int64      `json:"Threshold,omitempty"`
	Totals      *planFit   `json:"Fitted Totals,omitempty"`
	Filled      bool       `json:"Fill Values in Totals,omitempty"`
}

type planFit struct {
	Groupings      int     `json:"Groupings"`
	CellDeviation  float64 `json:"Standard Deviation of a Cell"`
	TotalDeviation float64 `json:"Standard Deviation of the Total"`
}

type planBudget struct {
	Table       string      `json:"Table"`
	Cost        planAmount  `json:"Cost"`
	Blocks      []string    `json:"Blocks,omitempty"` // that are charged, unless all are
	AllBlocks   bool        `json:"All Blocks,omitempty"`
	Fullest     string      `json:"Fullest Block,omitempty"` // of which Left is
	Left        planAmount  `json:"Left"`
	LeftOfYours *planAmount `json:"Left of Yours,omitempty"`
	Composition string      `json:"Composition"`
	WindowDays  int64       `json:"Window Days,omitempty"`
	Lifetime    planAmount  `json:"Spent Since the Epoch"`
	Frozen      string      `json:"Frozen,omitempty"`
	Covered     bool        `json:"Covered"`
}

type planAmount struct {
	Epsilon  string `json:"Epsilon,omitempty"` // of what is yours: if your cap names it
	Delta    string `json:"Delta,omitempty"`
	Releases int64  `json:"Releases,omitempty"` // without a guarantee
}

func exactAmount(l accountant.Loss) planAmount {
	return planAmount{l.Epsilon.String(), l.Delta.String(), l.Releases}
}

// cappedAmount has the amounts of l that a cap names.
func cappedAmount(l, capped accountant.Loss) *planAmount {
	amount := exactAmount(l)
	if capped.Epsilon == 0 {
		amount.Epsilon = ""
	}
	if capped.Delta == 0 {
		amount.Delta = ""
	}
	if capped.Releases == 0 {
		amount.Releases = 0
	}
	return &amount
}

// JSON is the explanation as one value: an array of one plan, as EXPLAIN makes it.
func (e *Explanation) JSON() (string, error) {
	node := planNode{NodeType: "Sanitized Counts", Questions: []planQuestion{}, Budgets: []planBudget{}}
	for _, q := range e.Questions {
		n := planQuestion{
			Table: q.listed(), Question: q.Question, Mechanism: q.Mechanism, Description: q.Description, Recorded: q.Recorded,
			Cost: exactAmount(q.Loss), Bias: q.BiasOfZero, Threshold: q.Threshold, Filled: q.Filled,
		}
		if d := q.Derived; d != nil {
			n.DerivedFrom, n.Added, n.LeftOut = d.Releases, d.Cells, d.LeftOut
		}
		if q.Threshold == 0 {
			n.Cells = &q.Cells
		}
		if policy.Kind(q.Mechanism).Guaranteed() {
			n.Error = &q.HalfWidth95
		}
		if f := q.Fitted; f != nil {
			n.Totals = &planFit{f.Margins, f.CellDeviation, f.TotalDeviation}
		}
		node.Questions = append(node.Questions, n)
	}
	for _, t := range e.Tables {
		n := planBudget{
			Table: t.Table.String(), Cost: exactAmount(t.Loss), Left: exactAmount(t.TableLeft), Composition: string(t.Composition),
			WindowDays: int64(t.Window / (24 * time.Hour)), Lifetime: exactAmount(t.Lifetime), Frozen: t.Frozen, Covered: t.Covered,
		}
		if b := t.Blocks; b != nil {
			n.Blocks, n.AllBlocks, n.Fullest = b.Names, len(b.Names) == 0, b.Fullest
		}
		if t.AnalystLeft != nil {
			n.LeftOfYours = cappedAmount(*t.AnalystLeft, t.Capped)
		}
		node.Budgets = append(node.Budgets, n)
	}
	for i := range e.Audits {
		node.Audits = append(node.Audits, e.Audits[i].plan())
	}
	text, err := json.MarshalIndent([]map[string]planNode{{"Plan": node}}, "", "  ")
	return string(text), err
}
