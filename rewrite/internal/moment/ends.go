package moment

import (
	"math/big"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/query"
)

// Ends are the ends of a sum's or an average's interval, given those of its columns. A sum is monotone in each of them. An average is a quotient of
// two sums of them, so that it is least and greatest at their ends. Of a variance none is known.
func (a Aggregate) Ends(parts []*interval.Measure) (low, high *pg.Node) {
	if IsVariance(a.Name) {
		return pgtree.NullOf(pgvalue.Typname(a.OID)), pgtree.NullOf(pgvalue.Typname(a.OID))
	}
	return a.end(parts, false), a.end(parts, true)
}

func (a Aggregate) end(parts []*interval.Measure, high bool) *pg.Node {
	weights := a.Measure.Weights()
	if a.Name == "sum" {
		value := pgtree.Arithmetic(weighed(weights, parts, func(i int) bool { return (weights[i].Sign() > 0) == high }), "/", whole(a.Measure.Total()))
		if pgvalue.IsInteger(a.OID) {
			value = pgtree.CatalogCall(map[bool]string{false: "floor", true: "ceil"}[high], value)
		}
		return a.typed(value)
	}
	var ends []*pg.Node
	for split := 1; split <= a.Measure.Degree; split++ {
		upper := func(i int) bool { return (i >= split) == high }
		ends = append(ends, pgtree.Arithmetic(weighed(weights, parts, upper), "/", pgtree.Positive(weighed(nil, parts, upper))))
	}
	op := map[bool]pg.MinMaxOp{false: pg.MinMaxOp_IS_LEAST, true: pg.MinMaxOp_IS_GREATEST}[high]
	value := &pg.Node{Node: &pg.Node_MinMaxExpr{MinMaxExpr: &pg.MinMaxExpr{Op: op, Args: ends, Location: -1}}}
	rows := weighed(nil, parts, func(int) bool { return false })
	return interval.IfPositive(rows, a.typed(value))
}

// weighed is the sum of the upper or lower ends of parts, each times a weight; nil for weights of 1.
func weighed(weights []*big.Rat, parts []*interval.Measure, upper func(i int) bool) (sum *pg.Node) {
	for i, part := range parts {
		end := part.Low
		if upper(i) {
			end = part.High
		}
		term := pgtree.NumericNode(proto.Clone(end).(*pg.Node))
		if weights != nil {
			term = pgtree.Arithmetic(pgtree.Decimal(query.Decimal(weights[i])), "*", term)
		}
		if sum == nil {
			sum = term
		} else {
			sum = pgtree.Arithmetic(sum, "+", term)
		}
	}
	return sum
}
