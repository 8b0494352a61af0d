package pgtree

import (
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// aggregateNames are the aggregate functions of PostgreSQL 13 to 17 (pg_aggregate.dat), and median, which tools write. Without OVER they would read
// rows; an aggregate that is not among them runs on sanitized cells like any other function of the analyst's.
var aggregateNames = func() map[string]bool {
	names := make(map[string]bool)
	for _, n := range strings.Fields(`any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp
		cume_dist dense_rank every json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique
		json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
		jsonb_object_agg_unique_strict max median min mode percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank
		regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp
		string_agg sum var_pop var_samp variance xmlagg`) {
		names[n] = true
	}
	return names
}()

// FunctionName is the unqualified name of a function, and whether it is that of pg_catalog's if it exists there.
func FunctionName(f *pg.FuncCall) (name string, builtin bool) {
	names := Strings(f.GetFuncname())
	return names[len(names)-1], len(names) == 1 || len(names) == 2 && names[0] == "pg_catalog"
}

// IsAggregate reports whether a call can be that of an aggregate of the query in which it stands.
func IsAggregate(f *pg.FuncCall) bool {
	name, builtin := FunctionName(f)
	return f.GetOver() == nil && (builtin && aggregateNames[name] ||
		f.GetAggStar() || f.GetAggDistinct() || f.GetAggWithinGroup() || f.GetAggFilter() != nil || len(f.GetAggOrder()) > 0)
}

// HasAggregate reports whether an aggregate of the SELECT itself stands anywhere in it.
func HasAggregate(sel *pg.SelectStmt) bool {
	return AggregateIn(slices.Concat(sel.GetTargetList(), []*pg.Node{sel.GetHavingClause()}, sel.GetSortClause(), sel.GetDistinctClause(), sel.GetWindowClause()))
}

// AggregateIn reports whether an aggregate of the SELECT in which expressions stand is in any of them.
func AggregateIn(expressions []*pg.Node) bool {
	found := false
	for _, n := range expressions {
		WalkLevel(n, func(n *pg.Node) bool {
			if f := n.GetFuncCall(); f != nil && IsAggregate(f) {
				found = true
			}
			return !found
		})
	}
	return found
}

// HasWindow reports whether a SELECT has window functions, such as rank.
func HasWindow(sel *pg.SelectStmt) bool {
	for f := range Nodes[*pg.FuncCall](sel.ProtoReflect()) {
		if f.GetOver() != nil {
			return true
		}
	}
	return false
}

// OutermostSelect is the SELECT that a statement shows the rows of; nil if it keeps them, where they may be chosen from later.
func OutermostSelect(stmt *pg.Node) *pg.SelectStmt {
	switch v := stmt.GetNode().(type) {
	case *pg.Node_SelectStmt:
		return v.SelectStmt
	case *pg.Node_CopyStmt:
		return v.CopyStmt.GetQuery().GetSelectStmt()
	case *pg.Node_DeclareCursorStmt:
		return v.DeclareCursorStmt.GetQuery().GetSelectStmt()
	case *pg.Node_PrepareStmt:
		return v.PrepareStmt.GetQuery().GetSelectStmt()
	}
	return nil
}

// ShownSelect is the SELECT whose columns a statement shows, or keeps under their own names.
func ShownSelect(stmt *pg.Node) *pg.SelectStmt {
	if v := stmt.GetCreateTableAsStmt(); v != nil && len(v.GetInto().GetColNames()) == 0 {
		return v.GetQuery().GetSelectStmt()
	}
	return OutermostSelect(stmt)
}

const SystemSchema = "pg_catalog"

// SystemName is the last part of a name that may be one of pg_catalog.
func SystemName(names []string) (name string, ok bool) {
	switch {
	case len(names) == 1:
		return names[0], true
	case len(names) == 2 && names[0] == SystemSchema:
		return names[1], true
	}
	return "", false
}

// BuiltinName is the last part of a dotted name, and whether the name is that of pg_catalog's if it exists there.
func BuiltinName(names []*pg.Node) (name string, builtin bool) {
	parts := Strings(names)
	return parts[len(parts)-1], len(parts) == 1 || len(parts) == 2 && parts[0] == "pg_catalog"
}
