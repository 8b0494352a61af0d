package rewrite

import (
	"fmt"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
)

// groupBy resolves GROUP BY as PostgreSQL does (findTargetlistEntrySQL92 in parse_clause.c): a bare name is a column of the
// table if there is one, else an output name; an integer is a position in the select list; anything else is an expression
// over the table. Only plain columns are taken as keys.
func (r *selectReader) groupBy() *Refusal {
	if r.sel.GetGroupDistinct() {
		return notSupported("GROUP BY DISTINCT is not supported on protected tables", "Leave out DISTINCT.")
	}
	for _, item := range r.sel.GetGroupClause() {
		if refusal := r.groupItem(item); refusal != nil {
			return refusal
		}
	}
	return nil
}

func (r *selectReader) groupItem(n *pg.Node) *Refusal {
	if row := n.GetRowExpr(); row != nil && row.GetRowFormat() == pg.CoercionForm_COERCE_IMPLICIT_CAST {
		for _, item := range row.GetArgs() {
			if refusal := r.groupItem(item); refusal != nil {
				return refusal
			}
		}
		return nil
	}
	if set := n.GetGroupingSet(); set != nil {
		return at(set.GetLocation(), notSupported("grouping sets, ROLLUP and CUBE are not supported on protected tables",
			"Ask for each grouping in a SELECT of its own, combined by UNION ALL."))
	}
	if c := n.GetAConst(); c != nil {
		return at(c.GetLocation(), r.groupPosition(c))
	}
	if ref := n.GetColumnRef(); ref != nil && len(ref.GetFields()) == 1 {
		if name := ref.GetFields()[0].GetString_().GetSval(); !r.source.has(name) {
			return at(ref.GetLocation(), r.groupOutput(name, ref))
		}
	}
	return r.groupColumn(n)
}

// groupPosition resolves GROUP BY 2.
func (r *selectReader) groupPosition(c *pg.A_Const) *Refusal {
	v, ok := c.GetVal().(*pg.A_Const_Ival)
	if !ok {
		return &Refusal{Code: codeSyntax, Message: "non-integer constant in GROUP BY"}
	}
	position := int(v.Ival.GetIval())
	if position < 1 || position > len(r.outputs) {
		return &Refusal{Code: codeColumnReference, Message: fmt.Sprintf("GROUP BY position %d is not in select list", position)}
	}
	return r.groupColumn(r.outputs[position-1].value)
}

// groupOutput resolves a name that is no column of the table to the outputs of that name.
func (r *selectReader) groupOutput(name string, ref *pg.ColumnRef) *Refusal {
	var found *pg.Node
	for _, o := range r.outputs {
		if o.name != name {
			continue
		}
		if found != nil && !proto.Equal(withoutLocations(found), withoutLocations(o.value)) {
			return &Refusal{Code: codeAmbiguousColumn, Message: fmt.Sprintf("GROUP BY %q is ambiguous", name)}
		}
		found = o.value
	}
	if found == nil {
		_, refusal := r.source.column(ref)
		return refusal
	}
	return r.groupColumn(found)
}

// groupColumn adds a key.
func (r *selectReader) groupColumn(n *pg.Node) *Refusal {
	ref := n.GetColumnRef()
	if ref == nil {
		if call := n.GetFuncCall(); call != nil && call.GetOver() == nil && isCountName(call) {
			return at(call.GetLocation(), &Refusal{Code: codeGrouping, Message: "aggregate functions are not allowed in GROUP BY"})
		}
		return at(location(n), notSupported("a protected table can be grouped by its columns only, not by expressions",
			"Group by columns, and group their counts again in an outer query: SELECT expression, sum(n) FROM (SELECT column, count(*) AS n ... GROUP BY column) AS c GROUP BY 1. Usable columns are "+r.source.table.listed()+"."))
	}
	c, refusal := r.source.column(ref)
	if refusal != nil {
		return refusal
	}
	if refusal := usable(c); refusal != nil {
		return at(ref.GetLocation(), refusal)
	}
	r.addKey(c)
	return nil
}
