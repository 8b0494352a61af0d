package reply

import (
	"encoding/json"
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
	Lists     []List           // of values that are shown without counts
}

// An ExplainedQuestion is one count over the cells of one query.
type ExplainedQuestion struct {
	Tables    []policy.TableName // those that it is charged to: one, or the two that it joins
	Question  string
	Mechanism string
	// Description tells what the mechanism does to counts.
	Description string
	// Recorded says that the question was answered before, so that its answer is free. Ages say when, and Fresh what a new answer costs.
	Recorded bool
	Ages     Ages
	Fresh    accountant.Loss
	// Derived says what the answer would be computed of for free; nil if it would not.
	Derived *DerivedAnswers
	// Workload says that it is no count, but the measurement of a workload, which the statement pays for; and Waits that it is a count that follows
	// from that, so that it is free.
	Workload, Waits bool
	// Joint is of a joint measurement in place of a workload, and Jointly says that the count follows from one; nil and false of others.
	Joint   *JointCounts
	Jointly bool
	// Follows is the question of the same statement from which it follows, of at most Added cells; "" if it follows from the workload.
	Follows string
	Added   int
	// Loss is what the answer costs, zero if it is free.
	Loss accountant.Loss
	// HalfWidth95 bounds the noise of a count with probability 0.95. Within is what it was asked to be at most, and Chosen the loss that does it; 0 if
	// nothing was asked.
	HalfWidth95, Within int64
	Chosen              policy.Epsilon
	// Share is what Within follows from; nil if it was asked for itself.
	Share *ShareOf
	// Sum tells how exact sums of a number are; nil of counts.
	Sum *SumError
	// BiasOfZero is what showing negative counts as 0 adds to an empty cell on average.
	BiasOfZero float64
	// BeforeFit says before what HalfWidth95 holds of a count, if counts are fitted so that none is below 0; "" if they are not.
	BeforeFit string
	// Value tells how a value is chosen, and ValueWithin95 by how many ranks it is off at most, or rows of a mode, with probability 0.95; "" of counts.
	Value         string
	ValueWithin95 int64
	// AtOnce is about all counts of the statement together; nil if nothing needs to be said of them.
	AtOnce *AtOnce
	// Bounds are on what one person counts for; nil if each row is a person.
	Bounds *Bounds
	// Totals are those that add up cells; nil if there are none.
	Totals *Totals
	// Fitted are the errors of totals that are fitted by least squares; nil if totals are sums of the cells.
	Fitted *FittedTotals
	// Together are the errors of groupings that are measured together, the cells among them if they are shown; nil if totals are not.
	Together []GroupingError
	// Filled says that totals add up cells which may be fill values.
	Filled bool
	// AddsUp and AtLeastOne are those of a ReceiptLine.
	AddsUp, AtLeastOne bool
	// Cells is how many cells there are at most, if all keys are declared; else keys are shown whose noisy count reaches Threshold.
	Cells     int
	Threshold int64
}

// A GroupingError tells how exact the cells of one grouping are.
type GroupingError struct {
	Grouping    string  `json:"Grouping"`
	Deviation   float64 `json:"Standard Deviation of a Count"`
	HalfWidth95 int64   `json:"Expected Error (95%)"`
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
	Balance
	// Covered says that what remains covers the loss. If it does not, Short is the budget that is too small, nil if the table is frozen.
	Covered bool
	Short   *accountant.OverBudgetError
	// Composes says that it is covered only because losses add up to less than their sum.
	Composes bool
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
	case q.Sum != nil:
		return []string{fmt.Sprintf("  Expected Error: %s (%s noise)", q.Sum.bound(), q.Mechanism), "  Values: " + q.Sum.treatment()}
	case q.Value != "":
		return []string{"  Expected Error: " + q.Value}
	case !kind.Guaranteed():
		return q.mechanismLines()
	case kind.Suppresses():
		return append([]string{fmt.Sprintf("  Expected Error: within ±%d with probability 95%%, of counts that are not withheld", q.HalfWidth95)}, q.mechanismLines()...)
	}
	lines := []string{fmt.Sprintf("  Expected Error: within ±%d with probability 95%% (%s noise)", q.HalfWidth95, q.Mechanism)}
	if q.AtOnce != nil {
		lines = append(lines, q.AtOnce.line())
	}
	if q.BiasOfZero >= 0.005 {
		lines = append(lines, fmt.Sprintf("  Bias: an empty cell is shown as %.2f on average, because counts below 0 are shown as 0", q.BiasOfZero))
	}
	if q.BeforeFit != "" {
		lines = append(lines, "  Bias: the error is that "+q.BeforeFit)
	}
	if t := q.Totals; t != nil && (t.Missing || t.Cells > 0) {
		lines = append(lines, t.line())
	}
	if f := q.Fitted; f != nil {
		lines = append(lines, fmt.Sprintf("  Totals: fitted by least squares to %d groupings; standard deviation %.1f of a cell, %.1f of the total of all",
			f.Margins, f.CellDeviation, f.TotalDeviation))
	}
	for _, g := range q.Together {
		lines = append(lines, fmt.Sprintf("  Grouping: %s within ±%d with probability 95%%, standard deviation %.1f", g.Grouping, g.HalfWidth95, g.Deviation))
	}
	return lines
}

// askedLines tell how exact the counts were asked to be.
func (q *ExplainedQuestion) askedLines() []string {
	if q.Within == 0 {
		if q.Share != nil {
			return []string{fmt.Sprintf("  Asked: as without tacit.within: %v", q.Share)}
		}
		return nil
	}
	asked := fmt.Sprintf("  Asked: within ±%d with probability 95%% (tacit.within)", q.Within)
	if q.Loss != (accountant.Loss{}) { // what is free can be an answer under another loss
		asked += fmt.Sprintf(", for which epsilon %v is the least that is charged", q.Chosen)
	}
	if q.Share != nil {
		return []string{asked, fmt.Sprintf("  Share: %v", q.Share)}
	}
	return []string{asked}
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
		if q.Joint != nil {
			lines = append(lines, "Joint Measurement on "+q.listed(), "  Question: "+q.Question, "  Cost: "+shownCost(q.Loss), "  Saves: "+q.Joint.instead())
			continue
		}
		if q.Workload {
			lines = append(lines, "Measured Workload on "+q.listed(), "  Question: "+q.Question, "  Cost: "+shownCost(q.Loss), "  Measured: once; what follows from it is free")
			continue
		}
		lines = append(lines, "Sanitized "+map[bool]string{true: "Count", false: "Value"}[q.Value == ""]+" on "+q.listed(), "  Question: "+q.Question)
		switch {
		case q.Recorded:
			lines = append(lines, fmt.Sprintf("  Cost: free (answered %v)", q.Ages), "  Fresh: SET tacit.fresh = on asks anew, for "+shownCost(q.Fresh))
		case q.Derived != nil:
			lines = append(lines, "  Cost: free ("+q.Derived.String()+")")
			if fresh := q.Derived.freshText(); fresh != "" {
				lines = append(lines, "  Fresh: "+fresh)
			}
		case q.Follows != "":
			lines = append(lines, fmt.Sprintf("  Cost: free (follows from another question of the statement, of at most %d noisy cells: %s)", q.Added, q.Follows))
		case q.Jointly:
			lines = append(lines, "  Cost: part of the joint measurement")
		case q.Waits:
			lines = append(lines, "  Cost: free (follows from the workload that is measured for it)")
		case q.Loss == (accountant.Loss{}):
			lines = append(lines, "  Cost: free (no cells)")
		default:
			lines = append(lines, "  Cost: "+shownCost(q.Loss))
		}
		lines = append(lines, q.askedLines()...)
		lines = append(lines, q.errorLines()...)
		if q.AddsUp {
			lines = append(lines, "  Shown: "+addedUp(policy.Kind(q.Mechanism)))
		}
		if q.AtLeastOne {
			lines = append(lines, "  Shown: "+atLeastOne)
		}
		if q.Bounds != nil {
			lines = append(lines, "  Bounds: "+q.Bounds.String())
		}
		if q.Threshold > 0 {
			lines = append(lines, fmt.Sprintf("  Cells: keys whose %s reaches %d", map[bool]string{true: "noisy count", false: "count, unless it is withheld,"}[policy.Kind(q.Mechanism).Guaranteed()], q.Threshold))
		} else {
			lines = append(lines, fmt.Sprintf("  Cells: at most %d", q.Cells))
		}
	}
	for _, l := range e.Lists {
		lines = append(lines, l.lines()...)
	}
	for i := range e.Tables {
		lines = append(lines, e.Tables[i].Lines()...)
	}
	for i := range e.Audits {
		lines = append(lines, e.Audits[i].lines()...)
	}
	return append(lines, "Nothing was counted or charged.")
}

// shownCost is a loss as people are shown what a statement costs.
func shownCost(l accountant.Loss) string { return l.RoundUp(lossDigits).String() }

func (t *ExplainedTable) Lines() []string {
	lines, where := []string{"Budget of " + t.Table.String(), "  Cost: " + shownCost(t.Loss)}, ""
	if t.Blocks != nil {
		lines, where = append(lines, "  Blocks: "+t.Blocks.list()), " for "+t.Blocks.FullestText()
	}
	lines = append(lines, "  Left: "+t.left()+where)
	if t.AnalystLeft != nil {
		lines = append(lines, "  Left of Yours: "+t.yours())
	}
	if t.Window > 0 {
		lines = append(lines, "  Window: "+Days(t.Window), "  Spent Since the Epoch: "+t.lifetime())
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
	Lists     []planList     `json:"Known Values,omitempty"`
}

type planQuestion struct {
	Table       string          `json:"Table"`
	Question    string          `json:"Question"`
	Mechanism   string          `json:"Mechanism"`
	Description string          `json:"Description"`
	Recorded    bool            `json:"Recorded"`
	Oldest      *time.Time      `json:"Answered At,omitempty"`        // the oldest answer that is used
	Newest      *time.Time      `json:"Newest Answered At,omitempty"` // if it is another
	DerivedFrom []int64         `json:"Derived From,omitempty"`       // releases
	Added       int             `json:"Cells Added Up,omitempty"`
	Mean        bool            `json:"Weighted Mean,omitempty"`
	LeftOut     []string        `json:"Undeclared Values Left Out,omitempty"` // columns
	Follows     string          `json:"Follows From Question,omitempty"`      // of the same statement
	Share       string          `json:"Asked for a Share,omitempty"`
	Cost        planAmount      `json:"Cost"`
	Error       *int64          `json:"Expected Error (95%),omitempty"` // of noise
	SumError    string          `json:"Expected Error of a Sum (95%),omitempty"`
	AvgError    string          `json:"Expected Error of an Average Times Rows (95%),omitempty"`
	Ranks       *int64          `json:"Expected Error in Ranks (95%),omitempty"` // of values
	Bounds      string          `json:"Bounds of a Person,omitempty"`
	AtOnce      *int64          `json:"Expected Error of All at Once (95%),omitempty"`
	Bias        float64         `json:"Bias of Empty Cells,omitempty"`
	Cells       *int            `json:"Cells,omitempty"` // if all keys are declared
	Threshold   int64           `json:"Threshold,omitempty"`
	Totals      *planFit        `json:"Fitted Totals,omitempty"`
	Together    []GroupingError `json:"Groupings Measured Together,omitempty"`
	Filled      bool            `json:"Fill Values in Totals,omitempty"`
	Alone       string          `json:"Epsilon of the Counts by Themselves,omitempty"`
	AddsUp      bool            `json:"Shown Added Up,omitempty"`
	AtLeastOne  bool            `json:"Shown as 1 or More,omitempty"`
}

// A planList is about values that are shown without counts.
type planList struct {
	Table string   `json:"Table"`
	Keys  []string `json:"Keys"`
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
		node.Questions = append(node.Questions, q.plan())
	}
	for _, t := range e.Tables {
		node.Budgets = append(node.Budgets, t.plan())
	}
	for i := range e.Audits {
		node.Audits = append(node.Audits, e.Audits[i].plan())
	}
	for _, l := range e.Lists {
		node.Lists = append(node.Lists, planList{l.Table.String(), l.Keys})
	}
	text, err := json.MarshalIndent([]map[string]planNode{{"Plan": node}}, "", "  ")
	return string(text), err
}

func (q *ExplainedQuestion) plan() planQuestion {
	n := planQuestion{
		Table: q.listed(), Question: q.Question, Mechanism: q.Mechanism, Description: q.Description, Recorded: q.Recorded,
		Cost: exactAmount(q.Loss), Bias: q.BiasOfZero, Threshold: q.Threshold, Filled: q.Filled,
		AddsUp: q.AddsUp, AtLeastOne: q.AtLeastOne,
	}
	if q.Follows != "" {
		n.Follows, n.Added = q.Follows, q.Added
	}
	if q.Share != nil {
		n.Share = q.Share.String()
	}
	ages := q.Ages
	if d := q.Derived; d != nil {
		n.DerivedFrom, n.Added, n.Mean, n.LeftOut, ages = d.Releases, d.Cells, d.Means > 0, d.LeftOut, d.Ages
	}
	n.Oldest, n.Newest = ages.plan()
	if q.Threshold == 0 {
		n.Cells = &q.Cells
	}
	switch {
	case q.Sum != nil:
		n.SumError, n.AvgError = shortened(q.Sum.Sum), shortened(q.Sum.Average)
	case q.Value != "":
		n.Description, n.Ranks = q.Value, &q.ValueWithin95
	case q.Workload:
		n.Cells = nil
	case policy.Kind(q.Mechanism).Guaranteed():
		n.Error = &q.HalfWidth95
	}
	if q.Bounds != nil {
		n.Bounds = q.Bounds.String()
	}
	if q.AtOnce != nil && q.AtOnce.Known {
		n.AtOnce = &q.AtOnce.HalfWidth95
	}
	if f := q.Fitted; f != nil {
		n.Totals = &planFit{f.Margins, f.CellDeviation, f.TotalDeviation}
	}
	n.Together = q.Together
	if q.Joint != nil {
		n.Alone = q.Joint.Alone.Epsilon.String()
	}
	return n
}

func (t *ExplainedTable) plan() planBudget {
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
	return n
}
