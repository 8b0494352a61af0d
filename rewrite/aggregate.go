package rewrite

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// What counts people: count in all its forms, and sums and averages of what is 0 or 1 for each row. One row more or less changes each of
// these counts by at most one in one cell:
//
//   - count(*), count(value), with FILTER: the row is counted once or not at all.
//   - count(DISTINCT value): the row's value is one of the values already, or one more. So the counts of all cells move by at most
//     one together, as a row is in one cell; and a row that is replaced takes one value from one cell and gives one to another.
//   - sum of a value that is 0, 1 or NULL: the number of rows in which it is 1.
//   - avg of such a value: that sum, and the number of rows in which it is not NULL; two counts, each of which is charged.
//
// The sum of a weight would move by the weight, and is refused.

// An aggregated is an aggregate as counts: the expression over cells that takes its place.
type aggregated struct {
	numerator   int         // index of a count
	denominator int         // of another, for an average; -1 otherwise
	oid         pgvalue.OID // of the result
	distinct    bool
}

// replaceAggregate replaces a call of an aggregate in the tree.
func (r *selectReader) replaceAggregate(n *pg.Node) *pgerror.Refusal {
	a, refusal := r.answerable(n.GetFuncCall())
	if refusal == nil {
		n.Node = r.aggregateNode(a, pgtree.Location(n)).Node
	}
	return refusal
}

// answerable reads a call of an aggregate, and refuses one that has no answer here.
func (r *selectReader) answerable(f *pg.FuncCall) (aggregated, *pgerror.Refusal) {
	a, refusal := r.aggregate(f)
	switch {
	case refusal != nil:
	case a.distinct && r.source.table.Audited():
		refusal = distinctAudited.With()
	case r.grouped && a.distinct:
		refusal = distinctTotals.With()
	}
	return a, pgerror.At(f.GetLocation(), refusal)
}

// aggregateNode is what takes the place of an aggregate.
func (r *selectReader) aggregateNode(a aggregated, loc int32) *pg.Node {
	if a.denominator >= 0 {
		return r.quotient(a, loc)
	}
	return a.cast(r.countNode(a.numerator, loc))
}

// cast gives a count the type of the aggregate.
func (a aggregated) cast(n *pg.Node) *pg.Node {
	if a.oid == pgvalue.Int8 {
		return n
	}
	return pgtree.CastNode(n, a.typeNode())
}

func (a aggregated) typeNode() *pg.TypeName {
	return pgtree.TypeNode([]string{"pg_catalog", pgvalue.Typname(a.oid)}, nil)
}

// replaceInterval replaces a call of tacit.low and the like in the tree.
func (r *selectReader) replaceInterval(n *pg.Node) *pgerror.Refusal {
	c, refusal := interval.Read(n.GetFuncCall())
	if refusal != nil {
		return refusal
	}
	value, refusal := c.Node(r)
	if refusal == nil {
		n.Node = value.Node
	}
	return refusal
}

// Measures makes a selectReader a Measurer: it knows aggregates.
func (r *selectReader) Measures(n *pg.Node) bool {
	return n.GetFuncCall() != nil && pgtree.IsAggregate(n.GetFuncCall())
}

// Measure measures an aggregate. Of a share its two counts have half of the probability to miss each.
func (r *selectReader) Measure(c interval.Count) (*interval.Measure, *pgerror.Refusal) {
	a, refusal := r.answerable(c.GetFuncCall())
	if refusal != nil {
		return nil, refusal
	}
	shown := r.aggregateNode(a, pgtree.Location(c.Node))
	if a.denominator < 0 {
		m := r.measureCount(a.numerator, c.Miss, c.HasEnds())
		return &interval.Measure{Shown: shown, Low: a.cast(m.Low), High: a.cast(m.High), Withheld: m.Withheld}, nil
	}
	half := new(big.Rat).Quo(c.Miss, big.NewRat(2, 1))
	part, whole := r.measureCount(a.numerator, half, c.HasEnds()), r.measureCount(a.denominator, half, c.HasEnds())
	m := &interval.Measure{Shown: shown, Withheld: pg.MakeBoolExprNode(pg.BoolExprType_OR_EXPR, []*pg.Node{part.Withheld, whole.Withheld}, -1)}
	m.Low, m.High = interval.Share{Part: part, Whole: whole, Type: a.typeNode()}.Ends()
	return m, nil
}

// measureCount has what is known of a count from the cells, without its ends if nobody asks for them. A total that leaves out a withheld cell
// counts as withheld.
func (r *selectReader) measureCount(count int, miss *big.Rat, ends bool) *interval.Measure {
	m := &interval.Measure{Shown: r.countNode(count, -1), Withheld: &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{
		Arg: r.countColumn(count, -1), Nulltesttype: pg.NullTestType_IS_NULL, Location: -1,
	}}}}
	totals := r.grouped && !r.hasMargins()
	if totals {
		no := &pg.Node{Node: &pg.Node_AConst{AConst: &pg.A_Const{Val: &pg.A_Const_Boolval{Boolval: &pg.Boolean{}}, Location: -1}}}
		m.Withheld = &pg.Node{Node: &pg.Node_CoalesceExpr{CoalesceExpr: &pg.CoalesceExpr{
			Args: []*pg.Node{pgtree.CatalogCall("bool_or", m.Withheld), no}, Location: -1,
		}}}
	}
	m.Low, m.High = m.Shown, m.Shown
	if !ends {
		return m
	}
	i := slices.IndexFunc(r.intervals, func(known query.Interval) bool { return known.Count == count && known.Miss.Cmp(miss) == 0 })
	if i < 0 {
		i = len(r.intervals)
		r.intervals = append(r.intervals, query.Interval{Count: count, Miss: miss})
	}
	if totals {
		m.Low, m.High = interval.Around(m.Shown, r.width(i))
		return m
	}
	m.Low = &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.endName("lower", i), -1)}
	m.High = &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.endName("upper", i), -1)}
	return m
}

// width is the error of a total of cells, by how many it adds up.
func (r *selectReader) width(i int) *pg.Node {
	cells := pgtree.CatalogCall("count")
	cells.GetFuncCall().AggStar = true
	number := pgtree.CastNode(cells, pgtree.TypeNode([]string{"pg_catalog", "int4"}, nil))
	return &pg.Node{Node: &pg.Node_AIndirection{AIndirection: &pg.A_Indirection{
		Arg:         r.array(Array{Key: -1, Count: i, Type: int8Array, End: HighEnd}),
		Indirection: []*pg.Node{{Node: &pg.Node_AIndices{AIndices: &pg.A_Indices{Uidx: number}}}},
	}}}
}

// aggregate reads a call of an aggregate.
func (r *selectReader) aggregate(f *pg.FuncCall) (aggregated, *pgerror.Refusal) {
	name, builtin := pgtree.FunctionName(f)
	if !builtin || name != "count" && name != "sum" && name != "avg" {
		return aggregated{}, r.refuseCount(aggregateUnknown, name)
	}
	if len(f.GetAggOrder()) > 0 || f.GetAggWithinGroup() || f.GetFuncVariadic() || !f.GetAggStar() && len(f.GetArgs()) != 1 || name != "count" && (f.GetAggDistinct() || f.GetAggStar()) {
		return aggregated{}, r.refuseCount(aggregateForm, name)
	}
	if name == "count" {
		c, refusal := r.readCount(f)
		if refusal != nil {
			return aggregated{}, refusal
		}
		i, refusal := r.addCount(f, "", c)
		return aggregated{i, -1, pgvalue.Int8, f.GetAggDistinct()}, refusal
	}
	return r.share(f, name)
}

// refuseCount tells of the counts that there are.
func (r *selectReader) refuseCount(form pgerror.Form, name string) *pgerror.Refusal {
	distinct := "count(DISTINCT column), "
	if r.source.table.Private != "" {
		distinct = ""
	}
	hint := personHint(r.source.table) + "Counts are written count(*), count(column), " + distinct +
		"count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int), for example."
	return form.With(name, hint, r.source.example(r.keyNames()).statement())
}

// readCount reads count(*), count(value) and count(DISTINCT value).
func (r *selectReader) readCount(f *pg.FuncCall) (query.Count, *pgerror.Refusal) {
	var c query.Count
	var parts []expr.Predicate
	if !f.GetAggStar() {
		o, refusal := r.countArgument(f.GetArgs()[0])
		switch {
		case refusal != nil:
			return c, refusal
		case o.IsConstant() && (o.Param > 0 || o.Fixed != nil || o.Literal.Null):
			return c, countOfNull.With()
		case o.IsConstant() && f.GetAggDistinct():
			return c, countOfConstant.With()
		case o.IsConstant():
		case f.GetAggDistinct() && r.source.isPerson(o.Row):
			c.Persons = true
		case f.GetAggDistinct():
			if column, ok := o.Row.(*expr.Column); ok && !column.Usable() { // whose equality could be anything
				return c, pgerror.At(pgtree.Location(f.GetArgs()[0]), usable(column))
			}
			c.Distinct = o.Row
		default:
			if p := expr.IsNotNull(o.Row); p != nil {
				parts = append(parts, p)
			}
		}
	}
	filter, refusal := r.filter(f)
	if filter != nil {
		parts = append(parts, filter)
	}
	c.Filter = expr.Conjunction(parts)
	return c, refusal
}

// countArgument reads the argument of count. Of a column of which only NULL matters, any type will do.
func (r *selectReader) countArgument(n *pg.Node) (expr.Operand, *pgerror.Refusal) {
	if ref := n.GetColumnRef(); ref != nil {
		found, refusal := r.source.resolve(ref)
		if refusal != nil {
			return expr.Operand{}, pgerror.At(ref.GetLocation(), refusal)
		}
		return found.column.value, nil
	}
	return r.reader().operand(n)
}

// filter reads FILTER.
func (r *selectReader) filter(f *pg.FuncCall) (expr.Predicate, *pgerror.Refusal) {
	if f.GetAggFilter() == nil {
		return nil, nil
	}
	return r.condition(f.GetAggFilter(), "FILTER")
}

// share reads sum and avg of what is 0, 1 or NULL.
func (r *selectReader) share(f *pg.FuncCall, name string) (aggregated, *pgerror.Refusal) {
	o, refusal := r.reader().operand(f.GetArgs()[0])
	if refusal != nil {
		return aggregated{}, refusal
	}
	oid := r.reader().typeOf(o)
	one, ok := expr.Indicates(o)
	if !ok || pgvalue.FamilyOf(oid) != pgvalue.Numbers {
		return aggregated{}, r.refuseWeights(name, o)
	}
	filter, refusal := r.filter(f)
	if refusal != nil {
		return aggregated{}, refusal
	}
	var counted, present []expr.Predicate
	if one != nil {
		counted = append(counted, one)
	}
	if !o.IsConstant() {
		if p := expr.IsNotNull(o.Row); p != nil {
			present = append(present, p)
		}
	}
	if filter != nil {
		counted, present = append(counted, filter), append(present, filter)
	}
	a := aggregated{denominator: -1, oid: sumType(oid)}
	if a.numerator, refusal = r.addCount(f, "ones", query.Count{Filter: expr.Conjunction(counted)}); refusal != nil || name == "sum" {
		return a, refusal
	}
	a.oid = averageType(oid)
	a.denominator, refusal = r.addCount(f, "present", query.Count{Filter: expr.Conjunction(present)})
	return a, refusal
}

// refuseWeights suggests to count by groups of the value, and to weigh the counts in an outer query. The groups must be so large that their
// counts stand out of the noise, and their values so near to those of the rows that the sum is right.
func (r *selectReader) refuseWeights(name string, value expr.Operand) *pgerror.Refusal {
	c, ok := value.Row.(*expr.Column)
	if !ok || !c.Usable() || c.Joined != nil || r.source.table.Audited() || pgvalue.FamilyOf(c.TypeOID) != pgvalue.Numbers {
		return weighed.With(name, "", "")
	}
	column := pgvalue.QuoteIdentifier(c.Name)
	key, weight, how := column, column, ""
	switch least, greatest, integral, known := numericRange(c); {
	case known && len(c.Domain) > maxWeighedValues:
		width := new(big.Rat).Sub(greatest, least)
		if integral {
			width.Add(width, big.NewRat(1, 1))
		}
		end := new(big.Rat).Add(least, width)
		width.Quo(width, big.NewRat(weighedParts, 1))
		middle := new(big.Rat).Sub(least, new(big.Rat).Quo(width, big.NewRat(2, 1)))
		if integral {
			middle.Sub(middle, big.NewRat(1, 2))
		}
		key = fmt.Sprintf("width_bucket(%s, %s, %s, %d) AS part", column, plainNumber(least), plainNumber(end), weighedParts)
		weight = fmt.Sprintf("(%s + part * %s)", plainNumber(middle), plainNumber(width))
		how = fmt.Sprintf(" (here of %d equal parts of the declared range: each row is off by at most half a part)", weighedParts)
	case known:
	case !findsKeys(r.source.table):
		return weighed.With(name, "; for that the steward must declare the range of "+column, "")
	default:
		key, weight = oneDigit(column, c.TypeOID)+" AS rounded", "rounded"
		how = " (here of the value rounded to one digit: each row is off by at most a third, and values that few rows have are left out)"
	}
	sum := "sum(" + weight + " * n)"
	if name == "avg" {
		sum += " / nullif(sum(n), 0)"
	}
	statement := fmt.Sprintf("SELECT %s FROM (SELECT %s, count(*) AS n FROM %s WHERE %s IS NOT NULL GROUP BY 1) AS c", sum, key, r.source.written, column)
	return weighed.With(name, how, statement)
}

const (
	maxWeighedValues = 1000 // each value is a group
	weighedParts     = 50
)

// numericRange is where the declared values of a column lie, if all are numbers.
func numericRange(c *expr.Column) (least, greatest *big.Rat, integral, known bool) {
	integral = pgvalue.IsInteger(c.TypeOID)
	for _, text := range c.Domain {
		n, ok := new(big.Rat).SetString(text)
		if !ok {
			return nil, nil, false, false
		}
		if least == nil || n.Cmp(least) < 0 {
			least = n
		}
		if greatest == nil || n.Cmp(greatest) > 0 {
			greatest = n
		}
	}
	return least, greatest, integral, least != nil && greatest.Cmp(least) > 0
}

// plainNumber writes a number with few digits.
func plainNumber(n *big.Rat) string {
	return strings.TrimSuffix(strings.TrimRight(n.FloatString(6), "0"), ".")
}

// oneDigit rounds a number to its first digit, by its magnitude.
func oneDigit(column string, oid pgvalue.OID) string {
	number := column
	if oid != pgvalue.Numeric {
		number += "::numeric"
	}
	first, last := -2, 6 // the powers of ten at which the number of digits changes
	if pgvalue.IsInteger(oid) {
		first = 1
	}
	var b strings.Builder
	b.WriteString("CASE")
	for power := first; power <= last; power++ {
		fmt.Fprintf(&b, " WHEN abs(%s) < %s THEN round(%s, %d)", number, plainNumber(powerOfTen(power)), number, 1-power)
	}
	fmt.Fprintf(&b, " ELSE round(%s, %d) END", number, -last)
	return b.String()
}

func powerOfTen(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}

// sumType is the type of sum, averageType that of avg (pg_aggregate.dat).
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
	if pgvalue.IsFloat(oid) {
		return pgvalue.Float8
	}
	return pgvalue.Numeric
}

// addCount adds a count of a call, or finds it again.
func (r *selectReader) addCount(f *pg.FuncCall, part string, c query.Count) (int, *pgerror.Refusal) {
	plain := proto.Clone(f).(*pg.FuncCall)
	pgtree.ClearLocations(plain.ProtoReflect())
	print, err := proto.MarshalOptions{Deterministic: true}.Marshal(plain)
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	id := part + " " + string(print)
	if i := slices.Index(r.prints, id); i >= 0 {
		return i, nil
	}
	if len(r.counts) == maxCounts {
		return 0, countsTooMany.With(maxCounts)
	}
	r.prints = append(r.prints, id)
	r.counts = append(r.counts, c)
	return len(r.counts) - 1, nil
}

// What takes the place of an aggregate. A count can be suppressed, which is NULL among the cells, and must not come out as 0:
//
//   - a count by itself is the column of it;
//   - a total, which grouping sets have, is the sum of the cells that are not suppressed: NULL if all of them are, and 0, as a count
//     of nothing is, if there are no cells;
//   - a share is NULL if one of its two counts is. With grouping sets it is made of the cells that have both: a numerator and a
//     denominator of different cells have no share.
//
// Totals of an audited table are counts of their own, see margins.go.

// countColumn is a column of counts.
func (r *selectReader) countColumn(i int, loc int32) *pg.Node {
	return &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.countName(i), loc)}
}

// countNode is a count, or with grouping sets the total of it.
func (r *selectReader) countNode(i int, loc int32) *pg.Node {
	if !r.grouped || r.hasMargins() {
		return r.countColumn(i, loc)
	}
	cells := pgtree.CatalogCall("count")
	cells.GetFuncCall().AggStar = true
	none := pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "=", cells, pg.MakeAConstIntNode(0, -1))
	zero := &pg.Node{Node: &pg.Node_CaseExpr{CaseExpr: &pg.CaseExpr{
		Args:     []*pg.Node{{Node: &pg.Node_CaseWhen{CaseWhen: &pg.CaseWhen{Expr: none, Result: pg.MakeAConstIntNode(0, -1), Location: -1}}}},
		Location: -1,
	}}}
	total := &pg.Node{Node: &pg.Node_CoalesceExpr{CoalesceExpr: &pg.CoalesceExpr{
		Args: []*pg.Node{pgtree.CatalogCall("sum", r.countColumn(i, loc)), zero}, Location: -1,
	}}}
	return pgtree.CastNode(total, pgtree.TypeNode([]string{"pg_catalog", "int8"}, nil))
}

// countBeside is a count, or with grouping sets the total of it, of the cells in which another count is not suppressed.
func (r *selectReader) countBeside(i, other int, loc int32) *pg.Node {
	if !r.grouped || r.hasMargins() {
		return r.countColumn(i, loc)
	}
	sum := pgtree.CatalogCall("sum", r.countColumn(i, loc))
	sum.GetFuncCall().AggFilter = &pg.Node{Node: &pg.Node_NullTest{NullTest: &pg.NullTest{
		Arg: r.countColumn(other, loc), Nulltesttype: pg.NullTestType_IS_NOT_NULL, Location: -1,
	}}}
	return sum
}

// quotient is an average: NULL where nothing was counted.
func (r *selectReader) quotient(a aggregated, loc int32) *pg.Node {
	t := pgtree.TypeNode([]string{"pg_catalog", pgvalue.Typname(a.oid)}, nil)
	numerator, denominator := r.countBeside(a.numerator, a.denominator, loc), r.countBeside(a.denominator, a.numerator, loc)
	positive := pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_NULLIF, "=", denominator, pg.MakeAConstIntNode(0, -1))
	return pgtree.OperatorNode(pg.A_Expr_Kind_AEXPR_OP, "/", pgtree.CastNode(numerator, t), pgtree.CastNode(positive, t))
}

// maxCounts bounds the counts of one SELECT; each is a question of its own.
const maxCounts = 200
