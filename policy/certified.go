package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/document"
)

// A Certified says how the certified plan divides the values of a public column. The blocks of the plan are the combinations of such
// parts; columns that the plan does not name are not divided. Exactly one of Values, Hierarchy and Starts is set.
type Certified struct {
	Column string
	// Values: each value is a part, and so is NULL.
	Values bool
	// Hierarchy: the labels at Level of the column's hierarchy are the parts, and values that have ended above it.
	Hierarchy bool
	Level     int
	// Starts of the parts, rising: a part reaches up to the next start, the last one without end. Smaller values, and NULL, are in no
	// part. Dates are days since 1970-01-01.
	Starts []int64
	Dates  bool
}

const certifiedRemedy = "run `tacit plan`, which writes it; or write {hair: values, region: 1, age: [0, 30, 60]}"

// certified decodes the partition of a plan.
func (d *decoder) certified(n *document.Node, a *Auditor, t *Table) {
	o := d.Object(n)
	if o.Node == nil {
		return
	}
	if len(o.Node.Entries) == 0 {
		d.Report(o.Node, "nothing is certified", certifiedRemedy)
	}
	for _, e := range o.Node.Entries {
		at := e.Value.AtKey()
		column, ok := d.publicColumn(at, e.Key, a, t)
		if !ok {
			continue
		}
		if part, ok := d.certifiedColumn(e.Value, column, a); ok {
			a.Certified = append(a.Certified, part)
		}
	}
}

// publicColumn returns the column of a name that statements may use and that is not private.
func (d *decoder) publicColumn(at *document.Node, name string, a *Auditor, t *Table) (Column, bool) {
	column, ok := t.column(name)
	switch {
	case name == a.Private:
		d.Report(at, fmt.Sprintf("%q is the private column", name), "name public columns only")
		return Column{}, false
	case !ok:
		d.Report(at, fmt.Sprintf("%q is not among the columns of the table", name), "list it under columns, or remove it")
	}
	return column, ok
}

func (d *decoder) certifiedColumn(n *document.Node, column Column, a *Auditor) (Certified, bool) {
	before := len(d.Errors)
	c := Certified{Column: column.Name}
	switch {
	case n.Kind == document.Scalar && n.Text == "values":
		c.Values = true
	case n.Kind == document.Scalar:
		h, ok := a.Hierarchies[column.Name]
		if !ok {
			d.Report(n, fmt.Sprintf("column %q has no hierarchy with levels", column.Name), "write values, or declare one under hierarchies of the mechanism")
			break
		}
		c.Hierarchy, c.Level = true, d.Integer(n, 0, h.Depth(), h.Depth())
	case n.Kind != document.Sequence:
		d.Report(n, "this is no way to divide a column", certifiedRemedy)
	case column.Domain.Values != nil || column.Domain.ValuesFrom != nil:
		d.Report(n, fmt.Sprintf("column %q has values that are listed, and no ranges", column.Name), "write values, or declare a hierarchy and write its level")
	default:
		d.starts(n, &c, column.Domain.Range)
	}
	return c, len(d.Errors) == before
}

// starts decodes the starts of ranges.
func (d *decoder) starts(n *document.Node, c *Certified, within *Range) {
	if len(n.Items) == 0 {
		d.Report(n, "the list is empty", "write the first value of each range: [0, 30, 60]")
	}
	before := len(d.Errors)
	for i, item := range n.Items {
		start, isDate, ok := d.rangeEnd(item)
		switch {
		case !ok:
			return
		case i > 0 && isDate != c.Dates:
			d.Report(item, "some starts are numbers and some are dates", "use one or the other")
		case i > 0 && start <= c.Starts[i-1]:
			d.Report(item, "the starts do not rise", "put them in order, each once")
		case within != nil && within.Dates != isDate:
			d.Report(item, fmt.Sprintf("the declared range of column %q is of %s", c.Column, map[bool]string{true: "dates", false: "numbers"}[within.Dates]), "write the same")
		case within != nil && (start < within.First || start > within.Last):
			d.Report(item, fmt.Sprintf("a range of column %q starts outside of the declared ones", c.Column), "start within them")
		}
		if len(d.Errors) > before {
			return
		}
		c.Starts, c.Dates = append(c.Starts, start), isDate
	}
}

// Labels are the nodes of a hierarchy at a level, from left to right: those that many steps below the root, and values above it.
func (h Hierarchy) Labels(level int) []Hierarchy {
	if level == 0 || len(h.Children) == 0 {
		return []Hierarchy{h}
	}
	var all []Hierarchy
	for _, child := range h.Children {
		all = append(all, child.Labels(level-1)...)
	}
	return slices.Clip(all)
}
