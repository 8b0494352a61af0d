package moment

import (
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// An Aggregate is a sum, an average or a variance of a measure.
type Aggregate struct {
	Measure *query.Measure
	Name    string
	OID     pgvalue.OID // of the result
}

// variances are the aggregates that need sums of squares.
var variances = []string{"var_pop", "var_samp", "variance", "stddev_pop", "stddev_samp", "stddev"}

// IsVariance reports whether an aggregate needs sums of squares.
func IsVariance(name string) bool { return slices.Contains(variances, name) }

// Degree is the degree of the sums that a SELECT needs.
func Degree(sel *pg.SelectStmt) int {
	for f := range pgtree.Nodes[*pg.FuncCall](sel.ProtoReflect()) {
		if name, builtin := pgtree.FunctionName(f); builtin && IsVariance(name) {
			return 2
		}
	}
	return 1
}

// TypeOf is the type of an aggregate of a number (pg_aggregate.dat). That of a variance is an average's.
func TypeOf(name string, oid pgvalue.OID) pgvalue.OID {
	if name == "sum" {
		return sumType(oid)
	}
	return averageType(oid)
}

func sumType(oid pgvalue.OID) pgvalue.OID {
	switch oid {
	case pgvalue.Int2, pgvalue.Int4:
		return pgvalue.Int8
	case pgvalue.Int8:
		return pgvalue.Numeric
	}
	return oid
}

func averageType(oid pgvalue.OID) pgvalue.OID {
	switch {
	case pgvalue.IsFloat(oid):
		return pgvalue.Float8
	case oid == pgvalue.Interval:
		return oid
	}
	return pgvalue.Numeric
}
