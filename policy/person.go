package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/document"
	"tacit/policy/internal/name"
)

// A Person says whose rows a table holds where a person may have several: those with one value in a column. No person counts for
// more than Rows rows in a count, nor in more than Groups of its groups; what is beyond that is left out before counting. With Rows 1 the
// table counts like one in which each row is a person: one row of each person stands for her in all questions.
type Person struct {
	// Column holds the person. A row in which it is NULL is nobody's and is not counted.
	Column string
	Rows   int
	Groups int // at most Rows
	// LeftOut is the epsilon with which each new question has measured, besides, how much these bounds leave out; 0 if that is not measured.
	LeftOut Epsilon
}

// MaxRows is the largest bound on the rows of a person. The noise of a count of rows is as many times that of a table in which a
// person is a row, so that a larger bound would leave little of most counts.
const MaxRows = 500

// person decodes what a person is: nil if it is a row.
func (d *decoder) person(n *document.Node) *Person {
	if n == nil || n.Kind == document.Scalar && n.Text == "row" {
		return nil
	}
	if n.Kind != document.Mapping {
		d.Report(n, "this is no person", "write person: row, or {column: patient_id, rows: 4, groups: 2} if a person may have several rows")
		return nil
	}
	o := d.Object(n, "column", "rows", "groups", "left-out")
	columnNode := o.Required("column", "name the column that tells persons apart")
	column, ok := d.Text(columnNode)
	if ok {
		if err := name.Check(column); err != nil {
			d.Report(columnNode, err.Error(), "write the column's name as in the catalog")
		}
	}
	before := len(d.Errors)
	groupsNode := o.Required("groups", "write groups: 2, the most groups of one count that one person is counted in")
	p := &Person{
		Column: column,
		Rows:   d.Integer(o.Required("rows", "write rows: 4, the most rows of one person that are counted"), 1, MaxRows, 4),
		Groups: d.Integer(groupsNode, 1, MaxRows, 2),
	}
	if len(d.Errors) == before && p.Groups > p.Rows {
		d.Report(groupsNode, fmt.Sprintf("%d rows are never in %d groups", p.Rows, p.Groups), "lower groups, or raise rows")
	}
	if leftOut := o.Optional("left-out"); leftOut != nil {
		l := d.Object(leftOut, "epsilon")
		p.LeftOut = d.epsilon(l.Required("epsilon", "write left-out: {epsilon: 0.1}, what it costs besides each new question to measure how much is left out"))
	}
	return p
}

// leftOut reports a measure of what bounds leave out that cannot be taken.
func (d *decoder) leftOut(n *document.Node, t *Table) {
	if t.Person == nil || t.Person.LeftOut == 0 {
		return
	}
	at := d.Unchecked(n).Optional("left-out")
	switch {
	case t.Person.Rows == 1:
		d.Report(at, "with rows: 1 each person is said to have one row, and nothing is left out", "remove it, or raise rows")
	case !t.Mechanism.Kind.Guaranteed() && slices.Contains(Kinds, t.Mechanism.Kind):
		d.Report(at, fmt.Sprintf("what is left out is measured with noise, and releases of kind %s are not charged in epsilon", t.Mechanism.Kind), "remove it, or use kind: geometric")
	case t.Person.LeftOut > t.Budget.Epsilon:
		d.Report(at, fmt.Sprintf("it costs %v, more than the budget's %v", t.Person.LeftOut, t.Budget.Epsilon), "lower it, or raise budget.epsilon")
	}
}

// Readable are the columns that counts are made of: those that statements may use, the person's, and the private one of an auditor.
func (t *Table) Readable() []Column {
	columns := slices.Clip(t.Columns)
	add := func(name string) {
		if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == name }) {
			columns = append(columns, Column{Name: name})
		}
	}
	if t.Person != nil {
		add(t.Person.Column)
	}
	if a := t.Mechanism.Audit; a != nil {
		add(a.Private)
	}
	return columns
}
