package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/document"
	"tacit/policy/internal/name"
)

// An Auditor says how exact counts of a private column are released, or suppressed where they would tell too much (Nabar and Mishra,
// "Releasing Private Contingency Tables").
//
// Its guarantee: an attacker whose beliefs about the private column are those of Prior, and who sees all answers and suppressions, has
// with probability at least 1 - Delta for each value of each person always a belief within the factors 1 - Epsilon and 1 + Epsilon of
// the one that he started with (the paper's Definition 1). Whether something is suppressed depends on nothing that he does not know.
// All that is public of the table, every column but the private one, is taken to be known to everybody.
type Auditor struct {
	// Private is the column.
	Private string
	// Values of the private column, in the order in which they were declared; nil if it is Boolean. NULL, if the column can be NULL, is a
	// value besides these.
	Values []string
	// Epsilon is above 0 and below 1.
	Epsilon Epsilon
	// Delta is the whole risk of the table. Default 0.05.
	Delta Risk
	// Plan is the part of Delta that the certified plan and the workload may use. Default: half of it if there is one, else 0.
	Plan Risk
	// Decision is the most risk of one decision and Statement of those of one statement; Decision <= Statement <= Delta. Default: a tenth
	// and a quarter of Delta; under the other rules Delta/Decisions and all of Delta.
	Decision, Statement Risk
	// Rule is how risk is spent. Default LedgerRule.
	Rule AuditRule
	// Decisions is the most decisions that are ever made. 0: no bound, which only LedgerRule allows.
	Decisions int
	// Insiders is how many persons of a group an attacker may know besides. Default 0.
	Insiders int
	// OneSided protects value true alone, of a Boolean column: nobody's probability of it may rise by more than the factor.
	OneSided bool
	Prior    Prior
	// Hierarchies of public columns, by which a plan may merge values.
	Hierarchies map[string]Hierarchy
	// Certified is the partition of the certified plan, in file order; nil if there is none.
	Certified []Certified
	// Workload is the groupings that are always answered, each the columns of a GROUP BY, whose certificate is part of Plan; nil if there is none.
	Workload [][]string
}

// An AuditRule is a way to spend the risk of a table.
type AuditRule string

const (
	// LedgerRule charges each decision what it risks, until nothing is left.
	LedgerRule AuditRule = "ledger"
	// ThresholdRule allows each of a fixed number of decisions the same share, delta/T, of the risk, which is computed exactly.
	ThresholdRule AuditRule = "threshold"
	// PaperRule is the paper's: the share is compared with a count among samples.
	PaperRule AuditRule = "paper"
)

// maxDecisions is more than anybody will make, and maxInsiders as many as are taken into account.
const (
	maxDecisions = 1_000_000_000
	maxInsiders  = 50
)

// defaultRisk is the risk of an audited table whose policy does not say.
const defaultRisk Risk = 5e16

// audited says whether a mechanism is of kind audit.
func audited(mechanism *document.Node) bool {
	kind := document.Object{Node: mechanism}.Optional("kind")
	return kind != nil && kind.Kind == document.Scalar && kind.Text == string(Audit)
}

// auditedTable decodes a table of kind audit. Everything about it but the private column is public, so that much of what other tables
// have makes no sense for it.
func (d *decoder) auditedTable(o document.Object, p *Policy) *Table {
	t := &Table{Adjacency: ReplaceOne, SizePublic: true, Composition: BasicComposition, Columns: d.columns(o.Optional("columns"), p)}
	d.fixedRanges(o.Optional("columns"), t.Columns)
	personNode := o.Required("person", "write person: row")
	if d.person(personNode) != nil {
		d.Report(personNode, "the auditor counts rows, and would take one person's rows for those of several",
			"write person: row, and protect a table that has one row for each person")
	}
	d.senseless(o, "adjacency", "its auditor does not compare neighbouring tables")
	d.senseless(o, "size", "how many rows it has is public, as are all its columns but the private one")
	d.senseless(o, "replay", "an exact count that was released stays released for ever")
	d.senseless(o, "derive", "its auditor takes every answer into account, also those that follow from others")
	d.senseless(o, "workload", "what is always answered of it stands under mechanism")
	t.Mechanism = d.mechanism(o.Required("mechanism", ""), t)
	if a := t.Mechanism.Audit; a != nil {
		t.Budget = d.auditBudget(o, a)
	}
	return t
}

// senseless reports a key that an audited table cannot have.
func (d *decoder) senseless(o document.Object, key, why string) {
	if n := o.Optional(key); n != nil {
		d.Report(n.AtKey(), "a table of kind audit has no "+key+": "+why, "remove it")
	}
}

// auditBudget is the risk, and what an estimate of the prior may cost.
func (d *decoder) auditBudget(o document.Object, a *Auditor) Budget {
	budget := Budget{Risk: a.Delta}
	n := o.Optional("budget")
	switch {
	case a.Prior.Kind != EstimatedPrior && n == nil:
		return budget
	case a.Prior.Kind != EstimatedPrior:
		d.Report(n.AtKey(), "exact counts cost no epsilon: what they may cost is the mechanism's delta, a risk",
			"remove the budget; write delta: 0.05 under mechanism")
		return budget
	case n == nil:
		o.Required("budget", fmt.Sprintf("write budget: {epsilon: %v}, which the estimate of the prior costs", a.Prior.Estimate))
		return budget
	}
	b := d.Object(n, "epsilon")
	epsilonNode := b.Required("epsilon", fmt.Sprintf("write epsilon: %v, which the estimate of the prior costs", a.Prior.Estimate))
	budget.Epsilon = d.epsilon(epsilonNode)
	if budget.Epsilon > 0 && a.Prior.Estimate > budget.Epsilon {
		d.Report(epsilonNode, fmt.Sprintf("the estimate of the prior costs %v, more than the budget's %v", a.Prior.Estimate, budget.Epsilon),
			"raise it, or lower prior.estimate.epsilon")
	}
	return budget
}

// auditor decodes a mechanism of kind audit, of a table whose columns are known. That its keys belong to it was checked.
func (d *decoder) auditor(o document.Object, t *Table) *Auditor {
	a := &Auditor{Insiders: d.Integer(o.Optional("insiders"), 0, maxInsiders, 0)}
	d.privateColumn(o.Optional("private"), a, t)
	epsilonNode := o.Optional("epsilon")
	a.Epsilon = d.epsilon(epsilonNode)
	if a.Epsilon >= 1e9 {
		d.Report(epsilonNode, fmt.Sprintf("with an epsilon of %v every belief but certainty of the opposite would be safe", a.Epsilon), "use one below 1, such as 0.5")
	}
	d.auditRule(o, a)
	d.auditRisks(o, a)
	protectNode := o.Optional("protect")
	a.OneSided = d.Choice(protectNode, "both", "true") == "true"
	if a.OneSided && a.Values != nil {
		d.Report(protectNode, fmt.Sprintf("column %q has other values than true and false", a.Private), "remove the key: all values are protected")
	}
	a.Prior = d.prior(o.Optional("prior"), a, t)
	if a.OneSided && a.Prior.hasNull() {
		d.Report(protectNode, fmt.Sprintf("column %q has NULL besides true and false, as its prior says", a.Private), "remove the key: all values are protected")
	}
	a.Hierarchies = d.hierarchies(o.Optional("hierarchies"), func(at *document.Node, name string) (Column, bool) { return d.publicColumn(at, name, a, t) })
	d.certified(o.Optional("certified"), a, t)
	d.workload(o.Optional("workload"), a, t)
	return a
}

// maxPrivateValues is how many values a private column may have, so that with NULL there are 64.
const maxPrivateValues = 63

// privateColumn decodes which column is private. It is Boolean unless it is listed with values.
func (d *decoder) privateColumn(n *document.Node, a *Auditor, t *Table) {
	private, ok := d.Text(n)
	if !ok {
		return
	}
	if err := name.Check(private); err != nil {
		d.Report(n, err.Error(), "write the column's name as in the catalog")
	}
	a.Private = private
	column, _ := t.column(private)
	values := column.Domain.Values
	switch {
	case column.Domain.unknown():
	case values == nil:
		d.Report(n, fmt.Sprintf("the values of column %q are not listed one by one", private),
			"write values: [a, b, c] for it under columns, or {} if it is Boolean")
	case len(values) == 1 || len(values) > maxPrivateValues:
		d.Report(n, fmt.Sprintf("column %q has %d values; a private column has 2 to %d", private, len(values), maxPrivateValues),
			"merge values in a column of its own")
	case len(values) == 2 && slices.Contains(values, "true") && slices.Contains(values, "false"):
		d.Report(n, fmt.Sprintf("column %q has the values of a Boolean column", private), "write {} for it under columns: what it can be is known")
	default:
		a.Values = values
	}
}

// auditRule decodes how risk is spent.
func (d *decoder) auditRule(o document.Object, a *Auditor) {
	a.Rule = AuditRule(d.Choice(o.Optional("rule"), string(LedgerRule), string(ThresholdRule), string(PaperRule)))
	decisions := o.Optional("decisions")
	if decisions != nil {
		a.Decisions = d.Integer(decisions, 1, maxDecisions, 400)
		return
	}
	if a.Rule == ThresholdRule || a.Rule == PaperRule {
		o.Required("decisions", fmt.Sprintf("rule %s shares delta out among a number of decisions: write decisions: 400, or rule: ledger", a.Rule))
	}
}

// auditRisks decodes delta and its shares.
func (d *decoder) auditRisks(o document.Object, a *Auditor) {
	a.Delta = d.riskShare(o.Optional("delta"), "0.05", defaultRisk)
	tenth, quarter := a.Delta/10, a.Delta/4
	if a.Rule != LedgerRule && a.Decisions > 0 {
		tenth, quarter = a.Delta/Risk(a.Decisions), a.Delta
	}
	decision, statement, plan := o.Optional("decision"), o.Optional("statement"), o.Optional("plan")
	a.Decision = d.riskShare(decision, "0.005", 0)
	a.Statement = d.riskShare(statement, "0.0125", max(quarter, a.Decision))
	if decision == nil {
		a.Decision = min(tenth, a.Statement)
	}
	if plan != nil || o.Optional("certified") != nil || o.Optional("workload") != nil {
		a.Plan = d.riskShare(plan, "0.025", a.Delta/2)
	}
	switch {
	case a.Delta == 0: // reported
		return
	case tenth == 0 || quarter == 0:
		d.Report(o.Node, fmt.Sprintf("a delta of %v is too small to be shared out among decisions", a.Delta), "raise it, or lower decisions")
	case a.Statement == 0: // reported
	case a.Statement > a.Delta && statement != nil:
		d.Report(statement, fmt.Sprintf("one statement may take a risk of %v, more than the table's %v", a.Statement, a.Delta), "lower it, or raise delta")
	case a.Decision > a.Delta:
		d.Report(decision, fmt.Sprintf("one decision may take a risk of %v, more than the table's %v", a.Decision, a.Delta), "lower it, or raise delta")
	case a.Decision > a.Statement:
		d.Report(decision, fmt.Sprintf("one decision may take a risk of %v, more than a statement's %v", a.Decision, a.Statement), "lower it, or raise statement")
	}
	if a.Plan > a.Delta {
		d.Report(plan, fmt.Sprintf("the plan may take a risk of %v, more than the table's %v", a.Plan, a.Delta), "lower it, or raise delta")
	}
}

// riskShare is a risk, or what it is by default.
func (d *decoder) riskShare(n *document.Node, example string, byDefault Risk) Risk {
	if n == nil {
		return byDefault
	}
	return d.risk(n, example)
}
