package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/document"
)

// A Hierarchy says which values of a column may be published under one label. Without Children it is a value; its leaves are the
// column's values.
type Hierarchy struct {
	Label    string
	Children []Hierarchy
}

// AnyValue is the label of all values of a column, unless its hierarchy has a label for them.
const AnyValue = "*"

// Leaves are the values, from left to right.
func (h Hierarchy) Leaves() []string {
	if len(h.Children) == 0 {
		return []string{h.Label}
	}
	var leaves []string
	for _, child := range h.Children {
		leaves = append(leaves, child.Leaves()...)
	}
	return leaves
}

// Depth is the most steps from the root to a value.
func (h Hierarchy) Depth() int {
	depth := 0
	for _, child := range h.Children {
		depth = max(depth, child.Depth()+1)
	}
	return depth
}

// hierarchies decodes those of columns. column returns the one of a name, unless it reports that the name has no place here.
func (d *decoder) hierarchies(n *document.Node, column func(at *document.Node, name string) (Column, bool)) map[string]Hierarchy {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	all := make(map[string]Hierarchy)
	for _, e := range o.Node.Entries {
		at := e.Value.AtKey()
		c, ok := column(at, e.Key)
		if !ok {
			continue
		}
		if c.Domain.Range != nil {
			d.Report(at, "the column has a range, and its values are merged as intervals", "remove the hierarchy, or the range")
			continue
		}
		if h, ok := d.hierarchy(e.Value); ok {
			d.compareLeaves(at, h, c.Domain)
			all[e.Key] = h
		}
	}
	return all
}

const hierarchyRemedy = "write labels with the values below them: {coast: [north, west], inland: [east, south]}"

// hierarchy decodes one. Several labels at the top, or a list of values, have AnyValue above them.
func (d *decoder) hierarchy(n *document.Node) (Hierarchy, bool) {
	before := len(d.Errors)
	if n.Kind == document.Scalar {
		d.Report(n, "this is a single value instead of a mapping", hierarchyRemedy)
		return Hierarchy{}, false
	}
	seen := make(map[string]bool)
	root := Hierarchy{Label: AnyValue, Children: d.branches(n, seen)}
	if len(root.Children) == 1 && len(root.Children[0].Children) > 0 {
		return root.Children[0], len(d.Errors) == before
	}
	if seen[AnyValue] {
		d.Report(n, fmt.Sprintf("the label %q stands for all values already", AnyValue), "give it another name")
	}
	return root, len(d.Errors) == before
}

// branches decodes what stands below a label: values in a list, labels in a mapping, or both in a list of mappings and values.
func (d *decoder) branches(n *document.Node, seen map[string]bool) (children []Hierarchy) {
	label := func(at *document.Node, text string, below []Hierarchy) {
		if seen[text] {
			d.Report(at, fmt.Sprintf("the label %q stands twice", text), "a label means one set of values: rename or remove one")
		}
		seen[text] = true
		children = append(children, Hierarchy{Label: text, Children: below})
	}
	switch n.Kind {
	case document.Mapping:
		for _, e := range n.Entries {
			label(e.Value.AtKey(), e.Key, d.branches(e.Value, seen))
		}
	case document.Sequence:
		for _, item := range n.Items {
			switch item.Kind {
			case document.Scalar:
				label(item, item.Text, nil)
			case document.Mapping:
				children = append(children, d.branches(item, seen)...)
			default:
				d.Report(item, fmt.Sprintf("this is %s instead of a value", item.Kind), hierarchyRemedy)
			}
		}
	default:
		d.Report(n, fmt.Sprintf("this is %s instead of a list of values", n.Kind), hierarchyRemedy)
		return nil
	}
	if len(children) == 0 {
		d.Report(n, "there is no value below the label", hierarchyRemedy)
	}
	return children
}

// compareLeaves reports declared values that the hierarchy does not have, or the other way round.
func (d *decoder) compareLeaves(at *document.Node, h Hierarchy, domain Domain) {
	if domain.Values == nil {
		return
	}
	leaves := h.Leaves()
	for _, v := range domain.Values {
		if !slices.Contains(leaves, v) {
			d.Report(at, fmt.Sprintf("the declared value %q is not in the hierarchy", v), "add it")
		}
	}
	for _, v := range leaves {
		if !slices.Contains(domain.Values, v) {
			d.Report(at, fmt.Sprintf("%q is not among the declared values of the column", v), "remove it, or declare it")
		}
	}
}

// column returns the listed column of a name.
func (t *Table) column(name string) (Column, bool) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}
