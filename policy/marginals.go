package policy

import (
	"fmt"
	"slices"
)

// A Workload is the tables of counts of a protected table that are measured together, once, with noise that they share. All of them, and
// what follows from them, are free afterwards.
type Workload struct {
	Marginals []Marginal
	// Epsilon and Delta are what one measurement costs, of all of them together.
	Epsilon Epsilon
	Delta   Delta
	// Greatest makes the greatest error of a cell as small as it can be, instead of the sum of all squared errors.
	Greatest bool
	// BySteward leaves it to the command tacit measure; otherwise the first question that follows from the workload pays for it.
	BySteward bool
}

// A Marginal is a table of counts by some columns.
type Marginal struct {
	Columns []string
	// Weight says how much squared errors of its cells count, in units of 10^-6.
	Weight int64
}

// WeightOne is the weight of a marginal that has none in the policy.
const WeightOne = 1_000_000

// maxMarginals bounds the time in which a strategy is found.
const maxMarginals = 256

const (
	workloadExample  = "write workload: {marginals: [[region, sex], [age]], epsilon: 1, delta: 1e-7}"
	marginalsExample = "write lists of columns: [[region, sex], {columns: [age], weight: 3}]"
)

// workloadOf decodes what is measured together of a table, of which everything else is known; nil if it has nothing of the kind.
func (d *decoder) workloadOf(n *node, t *Table) *Workload {
	if n == nil {
		return nil
	}
	o := d.object(n, "marginals", "epsilon", "delta", "for", "measured")
	marginals := o.required("marginals", workloadExample)
	epsilon := o.required("epsilon", workloadExample)
	if marginals == nil || epsilon == nil || !d.workloadMakesSense(n, t) {
		return nil
	}
	w := &Workload{
		Epsilon: d.epsilon(epsilon), Delta: d.delta(o.optional("delta")),
		Greatest:  d.choice(o.optional("for"), "total", "greatest") == "greatest",
		BySteward: d.choice(o.optional("measured"), "first-question", "by-steward") == "by-steward",
	}
	w.Marginals = d.marginals(marginals, t)
	if t.Budget.Epsilon > 0 && w.Epsilon > t.Budget.Epsilon {
		d.report(epsilon, fmt.Sprintf("the workload costs %v, more than the budget's %v", w.Epsilon, t.Budget.Epsilon), "lower it, or raise budget.epsilon")
	}
	delta := o.optional("delta")
	if delta == nil && t.Budget.Epsilon > 0 {
		w.Delta = proportionalDelta(w.Epsilon, t.Budget)
	}
	switch {
	case w.Delta > t.Budget.Delta:
		d.report(delta, fmt.Sprintf("the workload costs delta %v, more than the budget's %v", w.Delta, t.Budget.Delta), "lower it, or raise budget.delta")
	case w.Delta == 0:
		d.report(o.node.key(), "a workload has Gaussian noise, which costs delta, and there is none", "write delta: 1e-7 here and more than that under budget")
	}
	return w
}

// workloadMakesSense reports of what tables nothing is measured together.
func (d *decoder) workloadMakesSense(n *node, t *Table) bool {
	before := len(d.errors)
	at := n.key()
	switch {
	case t.Person != nil: // which of a person's rows count depends on the question, so that marginals would count different rows
		d.report(at, "a person may have several rows, and no bound on what all of them change of a workload is proved here", "remove it, or protect a table of person: row")
	case t.Blocks != nil:
		d.report(at, "a workload is about all rows, and would be charged to every block", "remove it, or the blocks")
	case !t.Derive:
		d.report(at, "what a workload is for are answers that follow from it, which derive: false forbids", "remove one of the two")
	case slices.Contains(Kinds, t.Mechanism.Kind) && !t.Mechanism.Kind.AddsNoise():
		d.report(at, fmt.Sprintf("counts of kind %s do not follow from noisy ones", t.Mechanism.Kind), "remove it, or use kind: geometric")
	}
	return len(d.errors) == before
}

func (d *decoder) marginals(n *node, t *Table) []Marginal {
	if n.kind != sequence || len(n.items) == 0 || len(n.items) > maxMarginals {
		d.report(n, fmt.Sprintf("this is no list of 1 to %d marginals", maxMarginals), marginalsExample)
		return nil
	}
	var marginals []Marginal
	seen := make(map[string]bool)
	for _, item := range n.items {
		m, ok := d.marginal(item, t)
		if !ok {
			continue
		}
		key := fmt.Sprintf("%q", slices.Sorted(slices.Values(m.Columns)))
		if seen[key] {
			d.report(item, "the marginal is in the list twice", "remove one, and give the other a larger weight")
		}
		seen[key] = true
		marginals = append(marginals, m)
	}
	return marginals
}

// marginal decodes a list of columns, or one with a weight.
func (d *decoder) marginal(n *node, t *Table) (m Marginal, ok bool) {
	m.Weight = WeightOne
	columns := n
	before := len(d.errors)
	if n.kind == mapping {
		o := d.object(n, "columns", "weight")
		columns = o.required("columns", marginalsExample)
		if weight := o.optional("weight"); weight != nil {
			m.Weight = fixed(d, weight, 6, "use a decimal number, such as 3", func(w int64) string {
				if w < WeightOne/1000 || w > 1000*WeightOne {
					return "a weight is between 0.001 and 1000"
				}
				return ""
			})
		}
	}
	if columns == nil || !d.expect(columns, sequence) {
		return m, false
	}
	for _, item := range columns.items {
		if name, ok := d.workloadColumn(item, t); ok {
			if slices.Contains(m.Columns, name) {
				d.report(item, fmt.Sprintf("column %q is in the marginal twice", name), "name it once")
			}
			m.Columns = append(m.Columns, name)
		}
	}
	return m, len(d.errors) == before
}

// workloadColumn decodes a column whose values are known before a row is read, and stay what they are.
func (d *decoder) workloadColumn(n *node, t *Table) (string, bool) {
	name, ok := d.text(n)
	if !ok {
		return "", false
	}
	column, known := t.column(name)
	domain := column.Domain
	switch {
	case !known:
		d.report(n, fmt.Sprintf("%q is not among the columns of the table", name), "list it under columns, or remove it")
	case domain.Range != nil && domain.Range.Today:
		d.report(n, fmt.Sprintf("the values of column %q are others every day, and so would be the workload", name), "write the last day in place of today, or remove the column here")
	case domain.Values == nil && domain.ValuesFrom == nil && domain.Range == nil:
		d.report(n, fmt.Sprintf("the values of column %q are not listed in this file", name), "declare values, values_from, or a range of whole numbers or of days under columns, or remove the column here")
	default:
		return name, true
	}
	return "", false
}
