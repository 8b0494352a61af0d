package rewrite

import (
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// aggregateNames are the aggregate functions of PostgreSQL 13 to 17 (pg_aggregate.dat). Without OVER they would read
// rows; an aggregate that is not among them runs on sanitized cells like any other function of the analyst's.
var aggregateNames = func() map[string]bool {
	names := make(map[string]bool)
	for _, n := range strings.Fields(`any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp
		cume_dist dense_rank every json_agg json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique
		json_object_agg_unique_strict jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
		jsonb_object_agg_unique_strict max min mode percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank
		regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp
		string_agg sum var_pop var_samp variance xmlagg`) {
		names[n] = true
	}
	return names
}()

// functionName is the unqualified name of a function, and whether it is that of pg_catalog's if it exists there.
func functionName(f *pg.FuncCall) (name string, builtin bool) {
	names := stringsOf(f.GetFuncname())
	return names[len(names)-1], len(names) == 1 || len(names) == 2 && names[0] == "pg_catalog"
}

// isAggregate reports whether a call can be that of an aggregate of the query in which it stands.
func isAggregate(f *pg.FuncCall) bool {
	name, builtin := functionName(f)
	return f.GetOver() == nil && (builtin && aggregateNames[name] ||
		f.GetAggStar() || f.GetAggDistinct() || f.GetAggWithinGroup() || f.GetAggFilter() != nil || len(f.GetAggOrder()) > 0)
}
