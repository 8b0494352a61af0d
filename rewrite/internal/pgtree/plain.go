package pgtree

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// This file tells statements that only show what they are given. The invariant: whatever the search path and the settings are, a plain
// statement calls nothing but the server's own functions that read arrays, and has no effect. Start at Plain.

// Plain reports whether a statement does nothing but show columns of relations made by Unnest, and constants: in an order, and
// up to a limit, if it says so. It has no operators and no functions of its own, since these may be somebody's own by the search path. Sorting
// takes those of the type. lasting says that no setting of the session changes how its values are read and written, either.
func Plain(statement *pg.Node) (plain, lasting bool) {
	s := statement.GetSelectStmt()
	if s == nil {
		return false, false
	}
	r := plainReader{lasting: true}
	plain = r.columns(s) != nil
	return plain, plain && r.lasting
}

// lastingTypes are those whose values are read and written in the same way whatever the settings are.
var lastingTypes = []string{"text", "varchar", "int2", "int4", "int8", "bool", "numeric"}

// A plainReader reads one statement.
type plainReader struct {
	lasting bool // so far
}

// A plainRelation is what a plain SELECT reads.
type plainRelation struct {
	*plainReader
	name    string
	columns []string
}

// columns are the names of the columns of a plain SELECT, nil if it is another.
func (r *plainReader) columns(s *pg.SelectStmt) []string {
	if !isBare(s) || len(s.GetFromClause()) != 1 {
		return nil
	}
	from := r.source(s.GetFromClause()[0])
	if from == nil {
		return nil
	}
	var columns []string
	for _, target := range s.GetTargetList() {
		t := target.GetResTarget()
		name, ok := from.value(t.GetVal())
		if len(t.GetIndirection()) > 0 || !ok {
			return nil
		}
		if t.GetName() != "" {
			name = t.GetName()
		}
		columns = append(columns, name)
	}
	for _, key := range s.GetSortClause() {
		if !from.sorts(key.GetSortBy(), columns) {
			return nil
		}
	}
	return columns
}

// isBare reports whether a SELECT has no clauses but FROM, ORDER BY and a constant LIMIT.
func isBare(s *pg.SelectStmt) bool {
	return s.GetOp() == pg.SetOperation_SETOP_NONE && s.GetLimitOption() != pg.LimitOption_LIMIT_OPTION_WITH_TIES && s.GetWhereClause() == nil &&
		s.GetHavingClause() == nil && s.GetWithClause() == nil && s.GetIntoClause() == nil && isConstant(s.GetLimitCount()) && isConstant(s.GetLimitOffset()) &&
		len(s.GetDistinctClause())+len(s.GetGroupClause())+len(s.GetWindowClause())+len(s.GetValuesLists())+len(s.GetLockingClause()) == 0
}

func isConstant(n *pg.Node) bool { return n == nil || n.GetAConst() != nil }

// source reads the FROM of a plain SELECT, nil if it is another.
func (r *plainReader) source(n *pg.Node) *plainRelation {
	if sub := n.GetRangeSubselect(); sub != nil {
		inner := sub.GetSubquery().GetSelectStmt()
		if inner == nil || sub.GetLateral() || len(sub.GetAlias().GetColnames()) > 0 {
			return nil
		}
		if columns := r.columns(inner); columns != nil {
			return &plainRelation{r, sub.GetAlias().GetAliasname(), columns}
		}
		return nil
	}
	function := n.GetRangeFunction()
	if function == nil || function.GetOrdinality() || function.GetIsRowsfrom() || function.GetLateral() || len(function.GetFunctions()) != 1 {
		return nil
	}
	call := function.GetFunctions()[0].GetList().GetItems()[0].GetFuncCall()
	want := []string{"unnest"} // of several arrays, which the server's grammar knows
	if len(call.GetArgs()) == 1 {
		want = []string{"pg_catalog", "unnest"}
	}
	if !slices.Equal(texts(call.GetFuncname()), want) {
		return nil
	}
	for _, array := range call.GetArgs() {
		if c := array.GetTypeCast(); c.GetArg().GetAConst() == nil || !r.knows(c.GetTypeName()) {
			return nil
		}
	}
	return &plainRelation{r, function.GetAlias().GetAliasname(), texts(function.GetAlias().GetColnames())}
}

// value reports whether an expression is a column of the relation or a constant, perhaps cast, and what its column is called if
// that is known.
func (r *plainRelation) value(n *pg.Node) (name string, ok bool) {
	if c := n.GetTypeCast(); c != nil {
		if c.GetArg().GetTypeCast() != nil || !r.knows(c.GetTypeName()) {
			return "", false
		}
		r.lasting = r.lasting && len(c.GetTypeName().GetArrayBounds()) == 0 // array_nulls says how the server reads NULL in an array
		return r.value(c.GetArg())
	}
	if n.GetAConst() != nil {
		return "", true
	}
	qualifier, column := singleName(n)
	return column, column != "" && (qualifier == "" || qualifier == r.name) && slices.Contains(r.columns, column)
}

// sorts reports whether rows are sorted by a value of the relation, or by one of the columns that are shown, as their type is.
func (r *plainRelation) sorts(by *pg.SortBy, shown []string) bool {
	if len(by.GetUseOp()) > 0 {
		return false
	}
	if _, ok := r.value(by.GetNode()); ok {
		return true
	}
	qualifier, column := singleName(by.GetNode())
	return column != "" && qualifier == "" && slices.Contains(shown, column)
}

// singleName reads a reference to a column, which may be qualified by one name.
func singleName(n *pg.Node) (qualifier, column string) {
	switch fields := texts(n.GetColumnRef().GetFields()); len(fields) {
	case 1:
		return "", fields[0]
	case 2:
		return fields[0], fields[1]
	}
	return "", ""
}

// knows reports whether a type is one of the server's own, whatever the search path is.
func (r *plainReader) knows(t *pg.TypeName) bool {
	name := texts(t.GetNames())
	if len(name) != 2 || name[0] != "pg_catalog" || t.GetSetof() || t.GetPctType() {
		return false
	}
	r.lasting = r.lasting && slices.Contains(lastingTypes, name[1])
	return true
}

// texts are those of a list of strings; what is no string is empty.
func texts(nodes []*pg.Node) []string {
	list := make([]string, len(nodes))
	for i, n := range nodes {
		list[i] = n.GetString_().GetSval()
	}
	return list
}
