package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Loss  accountant.Loss // of all its questions together
	// Budget is the table's. TableLeft and AnalystLeft are what remains of it now; AnalystLeft is nil for an analyst without a cap.
	Budget      policy.Budget
	TableLeft   accountant.Loss
	AnalystLeft *accountant.Loss
	// Covered says that what remains covers the loss.
	Covered bool
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
		Recorded: q.released != nil, HalfWidth95: q.mechanism.HalfWidth95(), Cells: p.cells,
		Description: q.mechanism.Describe(), BiasOfZero: q.mechanism.BiasOfZero(),
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
	if !e.Recorded && (p.byThreshold || p.cells > 0) {
		e.Loss = q.loss
	}
	return e
}

// explainTables compares the losses with what is left. What is to be charged under another adjacency than was charged before is refused, as
// it would be of the answer; what is free is not.
func (a *answer) explainTables(ctx context.Context, e *Explanation) error {
	seen := make(map[policy.TableName]bool)
	for _, p := range a.plans {
		for _, table := range p.tables {
			if seen[table.Name] {
				continue
			}
			seen[table.Name] = true
			line, err := a.receiptLine(ctx, p, table)
			if err != nil {
				return failure(ctx, refuseLedger(), err)
			}
			explained := e.table(line)
			if explained.Loss != (accountant.Loss{}) {
				err = a.ledger.CheckAdjacency(ctx, table.Name, table.Adjacency)
			}
			var other *accountant.AdjacencyError
			switch {
			case errors.As(err, &other):
				return errors.Join(refuseAdjacency(other), err)
			case err != nil:
				return failure(ctx, refuseLedger(), err)
			}
			e.Tables = append(e.Tables, explained)
		}
	}
	return nil
}

// table adds up what is charged to one table.
func (e *Explanation) table(line ReceiptLine) ExplainedTable {
	t := ExplainedTable{Table: line.Table, Budget: line.Budget, TableLeft: line.TableLeft, AnalystLeft: line.AnalystLeft}
	for _, q := range e.Questions {
		if slices.Contains(q.Tables, t.Table) {
			t.Loss = t.Loss.Add(q.Loss)
		}
	}
	t.Covered = !t.Loss.Exceeds(policy.Budget(t.TableLeft)) && (t.AnalystLeft == nil || !t.Loss.Exceeds(policy.Budget(*t.AnalystLeft)))
	return t
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
		if q.Recorded {
			lines = append(lines, "  Cost: free (answered before)")
		} else {
			lines = append(lines, "  Cost: "+q.Loss.String())
		}
		lines = append(lines, q.errorLines()...)
		if q.Threshold > 0 {
			lines = append(lines, fmt.Sprintf("  Cells: keys whose %s reaches %d", map[bool]string{true: "noisy count", false: "count, unless it is withheld,"}[policy.Kind(q.Mechanism).Guaranteed()], q.Threshold))
		} else {
			lines = append(lines, fmt.Sprintf("  Cells: at most %d", q.Cells))
		}
	}
	for _, t := range e.Tables {
		named := accountant.Loss(t.Budget)
		lines = append(lines, "Budget of "+t.Table.String(), "  Cost: "+t.Loss.String(), "  Left: "+t.TableLeft.Only(named))
		if t.AnalystLeft != nil {
			lines = append(lines, "  Left of Yours: "+t.AnalystLeft.Only(named))
		}
		covered := "yes"
		if !t.Covered {
			covered = "no"
		}
		lines = append(lines, "  Covered: "+covered)
	}
	for i := range e.Audits {
		lines = append(lines, e.Audits[i].lines()...)
	}
	return append(lines, "Nothing was counted or charged.")
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
	Left        planAmount  `json:"Left"`
	LeftOfYours *planAmount `json:"Left of Yours,omitempty"`
	Covered     bool        `json:"Covered"`
}

type planAmount struct {
	Epsilon  string `json:"Epsilon"`
	Delta    string `json:"Delta"`
	Releases int64  `json:"Releases,omitempty"` // without a guarantee
}

func exactAmount(l accountant.Loss) planAmount {
	return planAmount{l.Epsilon.String(), l.Delta.String(), l.Releases}
}

// JSON is the explanation as one value: an array of one plan, as EXPLAIN makes it.
func (e *Explanation) JSON() (string, error) {
	node := planNode{NodeType: "Sanitized Counts", Questions: []planQuestion{}, Budgets: []planBudget{}}
	for _, q := range e.Questions {
		n := planQuestion{
			Table: q.listed(), Question: q.Question, Mechanism: q.Mechanism, Description: q.Description, Recorded: q.Recorded,
			Cost: exactAmount(q.Loss), Bias: q.BiasOfZero, Threshold: q.Threshold, Filled: q.Filled,
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
		n := planBudget{Table: t.Table.String(), Cost: exactAmount(t.Loss), Left: exactAmount(t.TableLeft), Covered: t.Covered}
		if t.AnalystLeft != nil {
			left := exactAmount(*t.AnalystLeft)
			n.LeftOfYours = &left
		}
		node.Budgets = append(node.Budgets, n)
	}
	for i := range e.Audits {
		node.Audits = append(node.Audits, e.Audits[i].plan())
	}
	text, err := json.MarshalIndent([]map[string]planNode{{"Plan": node}}, "", "  ")
	return string(text), err
}
