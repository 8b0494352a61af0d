package countfirst

import (
	"regexp"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgtree"
)

// oneRow reports whether each group of a SELECT is of one row of the other side: GROUP BY has a unique key of each of its relations. Then an
// output is one cell of the protected table's counts, with the cell's own error.
func (r *Rewriter) oneRow(sel *pg.SelectStmt, j *join) bool {
	var keys []*pg.Node
	for _, n := range sel.GetGroupClause() {
		if _, ok := pgtree.GroupItems(n); ok {
			return false
		}
		keys = append(keys, r.grouped(sel, j, n))
	}
	return len(keys) > 0 && !slices.ContainsFunc(sel.GetFromClause(), func(n *pg.Node) bool { return !r.covers(keys, n, j) })
}

// grouped is the expression that an item of GROUP BY stands for.
func (r *Rewriter) grouped(sel *pg.SelectStmt, j *join, n *pg.Node) *pg.Node {
	if c, ok := n.GetAConst().GetVal().(*pg.A_Const_Ival); ok {
		if i := int(c.Ival.GetIval()); i >= 1 && i <= len(sel.GetTargetList()) {
			return sel.GetTargetList()[i-1].GetResTarget().GetVal()
		}
		return n
	}
	fields := n.GetColumnRef().GetFields()
	if len(fields) != 1 || j.side.has(n.GetColumnRef()) {
		return n
	}
	name := fields[0].GetString_().GetSval()
	var output *pg.Node
	for _, target := range sel.GetTargetList() {
		if target.GetResTarget().GetName() == name {
			output = target.GetResTarget().GetVal()
		}
	}
	// A column of the name comes before an output of it. Which columns the other side has is known of tables and functions alone; of any other
	// relation the name is taken for its column.
	if output == nil || !r.lacksColumn(sel.GetFromClause(), j, name) {
		return n
	}
	return output
}

// lacksColumn reports whether no relation of the other side has a column of the name.
func (r *Rewriter) lacksColumn(items []*pg.Node, j *join, name string) bool {
	return !slices.ContainsFunc(items, func(n *pg.Node) bool {
		switch v := n.GetNode().(type) {
		case *pg.Node_JoinExpr:
			return !r.lacksColumn([]*pg.Node{v.JoinExpr.GetLarg(), v.JoinExpr.GetRarg()}, j, name)
		case *pg.Node_RangeFunction:
			s := r.series(n)
			return s == nil || s.column == name
		case *pg.Node_RangeVar:
			if t := r.Public(v.RangeVar); t != nil {
				return slices.Contains(publicColumns(t), name)
			}
		}
		if n == j.protected {
			return false
		}
		s := r.series(n)
		return s == nil || s.column != name
	})
}

// covers reports whether the keys fix the row of each relation in an item of FROM, but for the protected side.
func (r *Rewriter) covers(keys []*pg.Node, n *pg.Node, j *join) bool {
	if n == j.protected {
		return true
	}
	switch v := n.GetNode().(type) {
	case *pg.Node_JoinExpr:
		return r.covers(keys, v.JoinExpr.GetLarg(), j) && r.covers(keys, v.JoinExpr.GetRarg(), j)
	case *pg.Node_RangeVar:
		if t := r.Public(v.RangeVar); t != nil {
			name := pgtree.VisibleName(v.RangeVar)
			return slices.ContainsFunc(t.Unique, func(columns []string) bool {
				return !slices.ContainsFunc(columns, func(column string) bool {
					return !notNull(t, column) || !slices.ContainsFunc(keys, func(k *pg.Node) bool { return names(k, name, column) })
				})
			})
		}
	}
	s := r.series(n)
	return s != nil && slices.ContainsFunc(keys, func(k *pg.Node) bool {
		if c := k.GetTypeCast(); c != nil && isType(c.GetTypeName(), "date") && wholeDays(s.step) {
			k = c.GetArg()
		}
		return names(k, s.name, s.column)
	})
}

func notNull(t *expr.PublicTable, column string) bool {
	return slices.ContainsFunc(t.Columns, func(c expr.Column) bool { return c.Name == column && c.NotNull })
}

// names reports whether an expression is a column of a relation.
func names(n *pg.Node, relation, column string) bool {
	fields := pgtree.Strings(n.GetColumnRef().GetFields())
	return len(fields) > 0 && fields[len(fields)-1] == column && (len(fields) == 1 || fields[len(fields)-2] == relation)
}

var days = regexp.MustCompile(`^ *[1-9][0-9]* *(day|days|week|weeks|mon|mons|month|months|year|years) *$`)

// forwards are the steps of series that go from the first value to the last.
var forwards = regexp.MustCompile(`^ *[1-9][0-9]* *(min|minute|minutes|hour|hours|day|days|week|weeks|mon|mons|month|months|year|years) *$`)

// wholeDays reports whether the step of a series is of one day or more, so that its dates are different.
func wholeDays(step *pg.Node) bool { return days.MatchString(constantText(step)) }

// constantText is the text of a constant, with or without a type.
func constantText(n *pg.Node) string {
	if c := n.GetTypeCast(); c != nil {
		n = c.GetArg()
	}
	return n.GetAConst().GetSval().GetSval()
}

func isType(t *pg.TypeName, name string) bool {
	found, ok := pgtree.SystemName(pgtree.Strings(t.GetNames()))
	return ok && found == name && len(t.GetArrayBounds()) == 0
}
