package policy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy/internal/document"
)

// A Workload is the tables of counts of a protected table that are measured together, once, with noise that they share. All of them, and
// what follows from them, are free afterwards.
type Workload struct {
	Marginals []Marginal
	// Computed are the expressions among the columns of its marginals, each once.
	Computed []Computed
	// Epsilon and Delta are what one measurement costs, of all of them together.
	Epsilon Epsilon
	Delta   Delta
	// Greatest makes the greatest error of a cell as small as it can be, instead of the sum of all squared errors.
	Greatest bool
	// BySteward leaves it to the command tacit measure; otherwise the first question that follows from the workload pays for it.
	BySteward bool
	// Nonnegative fits all counts that follow from a measurement so that none is below 0 and all of them agree. It changes nothing of what is measured.
	Nonnegative bool
}

// A Computed is an expression of columns, by whose values rows are counted. What it says is known only where SQL is read.
type Computed struct {
	Text string
	Line int // of the file
}

// A Marginal is a table of counts by some columns, or expressions.
type Marginal struct {
	Columns []string
	// Weight says how much squared errors of its cells count, in units of 10^-6.
	Weight int64
	// Ranges are those of the columns of which ranges of successive values are asked, in the order in which their values are declared.
	Ranges []string
}

// WeightOne is the weight of a marginal that has none in the policy.
const WeightOne = 1_000_000

// maxMarginals bounds the time in which a strategy is found.
const maxMarginals = 256

const (
	workloadExample  = "write workload: {marginals: [[region, sex], [age]], epsilon: 1, delta: 1e-7}"
	marginalsExample = "write lists of columns: [[region, sex], {columns: [age], weight: 3, ranges: [age]}]"
)

// workloadOf decodes what is measured together of a table, of which everything else is known; nil if it has nothing of the kind.
func (d *decoder) workloadOf(n *document.Node, t *Table) *Workload {
	if n == nil {
		return nil
	}
	o := d.Object(n, "marginals", "epsilon", "delta", "for", "measured", "negative")
	marginals := o.Required("marginals", workloadExample)
	epsilon := o.Required("epsilon", workloadExample)
	if marginals == nil || epsilon == nil || !d.workloadMakesSense(n, t) {
		return nil
	}
	w := &Workload{
		Epsilon: d.epsilon(epsilon), Delta: d.delta(o.Optional("delta")),
		Greatest:    d.Choice(o.Optional("for"), "total", "greatest") == "greatest",
		BySteward:   d.Choice(o.Optional("measured"), "first-question", "by-steward") == "by-steward",
		Nonnegative: d.Choice(o.Optional("negative"), "mechanism", "fit") == "fit",
	}
	w.Marginals = d.marginals(marginals, t, w)
	if t.Budget.Epsilon > 0 && w.Epsilon > t.Budget.Epsilon {
		d.Report(epsilon, fmt.Sprintf("the workload costs %v, more than the budget's %v", w.Epsilon, t.Budget.Epsilon), "lower it, or raise budget.epsilon")
	}
	delta := o.Optional("delta")
	if delta == nil && t.Budget.Epsilon > 0 {
		w.Delta = proportionalDelta(w.Epsilon, t.Budget)
	}
	switch {
	case w.Delta > t.Budget.Delta:
		d.Report(delta, fmt.Sprintf("the workload costs delta %v, more than the budget's %v", w.Delta, t.Budget.Delta), "lower it, or raise budget.delta")
	case w.Delta == 0:
		d.Report(o.Node.AtKey(), "a workload has Gaussian noise, which costs delta, and there is none", "write delta: 1e-7 here and more than that under budget")
	}
	return w
}

// workloadMakesSense reports of what tables nothing is measured together.
func (d *decoder) workloadMakesSense(n *document.Node, t *Table) bool {
	before := len(d.Errors)
	at := n.AtKey()
	switch {
	case t.Person != nil: // which of a person's rows count depends on the question, so that marginals would count different rows
		d.Report(at, "a person may have several rows, and no bound on what all of them change of a workload is proved here", "remove it, or protect a table of person: row")
	case t.Blocks != nil:
		d.Report(at, "a workload is about all rows, and would be charged to every block", "remove it, or the blocks")
	case !t.Derive:
		d.Report(at, "what a workload is for are answers that follow from it, which derive: false forbids", "remove one of the two")
	case slices.Contains(Kinds, t.Mechanism.Kind) && !t.Mechanism.Kind.AddsNoise():
		d.Report(at, fmt.Sprintf("counts of kind %s do not follow from noisy ones", t.Mechanism.Kind), "remove it, or use kind: geometric")
	}
	return len(d.Errors) == before
}

func (d *decoder) marginals(n *document.Node, t *Table, w *Workload) []Marginal {
	if n.Kind != document.Sequence || len(n.Items) == 0 || len(n.Items) > maxMarginals {
		d.Report(n, fmt.Sprintf("this is no list of 1 to %d marginals", maxMarginals), marginalsExample)
		return nil
	}
	var marginals []Marginal
	seen := make(map[string]bool)
	for _, item := range n.Items {
		m, ok := d.marginal(item, t, w)
		if !ok {
			continue
		}
		key := fmt.Sprintf("%q", slices.Sorted(slices.Values(m.Columns)))
		if seen[key] {
			d.Report(item, "the marginal is in the list twice", "remove one, and give the other a larger weight")
		}
		seen[key] = true
		marginals = append(marginals, m)
	}
	return marginals
}

// marginal decodes a list of columns, or one with a weight or ranges.
func (d *decoder) marginal(n *document.Node, t *Table, w *Workload) (m Marginal, ok bool) {
	m.Weight = WeightOne
	columns, ranges := n, (*document.Node)(nil)
	before := len(d.Errors)
	if n.Kind == document.Mapping {
		o := d.Object(n, "columns", "weight", "ranges")
		columns, ranges = o.Required("columns", marginalsExample), o.Optional("ranges")
		if weight := o.Optional("weight"); weight != nil {
			m.Weight = fixed(d, weight, 6, "use a decimal number, such as 3", func(w int64) string {
				if w < WeightOne/1000 || w > 1000*WeightOne {
					return "a weight is between 0.001 and 1000"
				}
				return ""
			})
		}
	}
	if columns == nil || !d.Expect(columns, document.Sequence) {
		return m, false
	}
	for _, item := range columns.Items {
		if name, ok := d.workloadColumn(item, t, w); ok {
			if slices.Contains(m.Columns, name) {
				d.Report(item, fmt.Sprintf("column %q is in the marginal twice", name), "name it once")
			}
			m.Columns = append(m.Columns, name)
		}
	}
	m.Ranges = d.rangesOf(ranges, m.Columns, t)
	return m, len(d.Errors) == before
}

// maxRanges bounds the columns of one marginal that are asked by ranges. The integers that stand for the queries of each multiply: of three columns, the counts
// of a table of some hundred million rows would no longer fit into 64 bits, nor would the noise.
const maxRanges = 2

// rangesOf decodes those columns of a marginal of which ranges are asked.
func (d *decoder) rangesOf(n *document.Node, columns []string, t *Table) (ranges []string) {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	for _, item := range n.Items {
		name, ok := d.Text(item)
		switch {
		case !ok:
		case !slices.Contains(columns, name):
			d.Report(item, fmt.Sprintf("%q is not among the columns of the marginal", name), "list it under columns, too, or remove it here")
		case slices.Contains(ranges, name):
			d.Report(item, fmt.Sprintf("column %q is in the list twice", name), "name it once")
		case !t.hasColumn(name):
			d.Report(item, fmt.Sprintf("%q is an expression, and ranges are of columns", name), "ask for ranges of a column, or remove it here")
		default:
			ranges = append(ranges, name)
		}
	}
	if len(ranges) > maxRanges {
		d.Report(n, fmt.Sprintf("ranges of more than %d columns in one marginal are not supported", maxRanges), "keep the columns whose ranges are asked most")
	}
	return ranges
}

func (t *Table) hasColumn(name string) bool {
	_, ok := t.column(name)
	return ok
}

// maxExpression bounds the text of an expression.
const maxExpression = 300

// expression decodes what is no column, but computed of columns.
func (d *decoder) expression(n *document.Node, text string, w *Workload) (string, bool) {
	if len(text) > maxExpression {
		d.Report(n, fmt.Sprintf("the expression has more than %d bytes", maxExpression), "write a shorter one, or count by the columns themselves")
		return "", false
	}
	if !slices.ContainsFunc(w.Computed, func(c Computed) bool { return c.Text == text }) {
		w.Computed = append(w.Computed, Computed{text, n.Line})
	}
	return text, true
}

// workloadColumn decodes a column whose values are known before a row is read, and stay what they are, or an expression of such columns.
func (d *decoder) workloadColumn(n *document.Node, t *Table, w *Workload) (string, bool) {
	name, ok := d.Text(n)
	if !ok {
		return "", false
	}
	if !t.hasColumn(name) && strings.ContainsAny(name, " ()+-*/%|'<>=:") {
		return d.expression(n, name, w)
	}
	column, known := t.column(name)
	domain := column.Domain
	switch {
	case !known:
		d.Report(n, fmt.Sprintf("%q is not among the columns of the table", name), "list it under columns, or remove it")
	case domain.Range != nil && domain.Range.Today:
		d.Report(n, fmt.Sprintf("the values of column %q are others every day, and so would be the workload", name), "write the last day in place of today, or remove the column here")
	case domain.Values == nil && domain.ValuesFrom == nil && domain.Range == nil:
		d.Report(n, fmt.Sprintf("the values of column %q are not listed in this file", name), "declare values, values_from, or a range of whole numbers or of days under columns, or remove the column here")
	default:
		return name, true
	}
	return "", false
}
