package rewrite

import (
	"math/big"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/interval"
	"tacit/rewrite/internal/moment"
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
// Sums, averages and variances of other numbers are functions of sums whose sensitivity follows from the bounds of the number, see
// [query.Measure].

// An aggregated is an aggregate as counts: the expression over cells that takes its place.
type aggregated struct {
	numerator   int         // index of a column of counts
	denominator int         // of another, for an average; -1 otherwise
	oid         pgvalue.OID // of the result
	distinct    bool
	// moment is a sum, an average or a variance of columns of sums from numerator on; nil of counts.
	moment *moment.Aggregate
}

// replaceAggregate replaces a call of an aggregate in the tree.
func (r *selectReader) replaceAggregate(n *pg.Node) *pgerror.Refusal {
	if name, builtin := pgtree.FunctionName(n.GetFuncCall()); builtin && isOrdered(name) {
		return pgerror.At(n.GetFuncCall().GetLocation(), r.replaceOrdered(n, name))
	}
	if key := r.extremeKey(n.GetFuncCall()); key != nil {
		n.Node = pgtree.ColumnRef(r.source.name(), key.column, pgtree.Location(n))
		return nil
	}
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
	switch {
	case a.moment != nil:
		return a.moment.Node(func(i int) *pg.Node { return r.countNode(a.numerator+i, loc) })
	case a.denominator >= 0:
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
	if a.moment != nil {
		return r.measureMoment(a, c, shown), nil
	}
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
	asked := r.intervalOf(count)
	i := slices.IndexFunc(r.intervals, func(known query.Interval) bool {
		return known.Count == asked.Count && known.Column == asked.Column && known.Miss.Cmp(miss) == 0
	})
	if i < 0 {
		i = len(r.intervals)
		asked.Miss = miss
		r.intervals = append(r.intervals, asked)
	}
	if totals {
		m.Low, m.High = interval.Around(m.Shown, r.width(i))
		return m
	}
	m.Low = &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.endName("lower", i), -1)}
	m.High = &pg.Node{Node: pgtree.ColumnRef(r.source.name(), r.endName("upper", i), -1)}
	return m
}

// intervalOf tells which count a column of counts belongs to.
func (r *selectReader) intervalOf(column int) query.Interval {
	for i, c := range r.counts {
		if column < c.Columns() {
			return query.Interval{Count: i, Column: column}
		}
		column -= c.Columns()
	}
	panic("rewrite: internal error: a column of no count")
}

// measureMoment has the interval of a sum or an average, from those of its columns, which have equal parts of the probability to miss.
func (r *selectReader) measureMoment(a aggregated, c interval.Count, shown *pg.Node) *interval.Measure {
	columns := a.moment.Measure.Degree + 1
	miss := new(big.Rat).Quo(c.Miss, big.NewRat(int64(columns), 1))
	parts := make([]*interval.Measure, columns)
	for i := range parts {
		parts[i] = r.measureCount(a.numerator+i, miss, c.HasEnds() && !moment.IsVariance(a.moment.Name))
	}
	m := &interval.Measure{Shown: shown, Low: shown, High: shown, Withheld: parts[0].Withheld}
	if moment.IsVariance(a.moment.Name) || c.HasEnds() {
		m.Low, m.High = a.moment.Ends(parts)
	}
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
	if builtin && isOrdered(name) { // within tacit.low and the like
		return aggregated{}, orderedInterval.With(name)
	}
	if builtin && (name == "min" || name == "max") {
		return aggregated{}, r.refuseExtreme(f, name)
	}
	if !builtin || name != "count" && name != "sum" && name != "avg" && !moment.IsVariance(name) {
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
		return aggregated{numerator: i, denominator: -1, oid: pgvalue.Int8, distinct: f.GetAggDistinct()}, refusal
	}
	o, refusal := r.reader().operand(f.GetArgs()[0])
	if refusal != nil {
		return aggregated{}, refusal
	}
	one, ok := expr.Indicates(o)
	if !ok || pgvalue.FamilyOf(r.reader().typeOf(o)) != pgvalue.Numbers || moment.IsVariance(name) {
		return r.measured(f, name, o)
	}
	return r.share(f, name, o, one)
}

// measured reads an aggregate of a number with bounds.
func (r *selectReader) measured(f *pg.FuncCall, name string, o expr.Operand) (aggregated, *pgerror.Refusal) {
	oid := r.reader().typeOf(o)
	if !o.IsConstant() && oid == pgvalue.Interval && !moment.IsVariance(name) {
		epoch := expr.Operand{Literal: pgvalue.Literal{OID: pgvalue.Text, Text: "epoch"}, Loc: o.Loc}
		var refusal *pgerror.Refusal
		if o, refusal = r.reader().apply("extract", []expr.Operand{epoch, o}, o.Loc, false); refusal != nil {
			return aggregated{}, refusal
		}
	}
	if o.IsConstant() {
		return aggregated{}, sumOfSame.With(name)
	}
	if oid := r.reader().typeOf(o); pgvalue.FamilyOf(oid) != pgvalue.Numbers { // no server has these of another type that values are computed of
		shown := pgvalue.ShownType(oid)
		if c, ok := o.Row.(*expr.Column); ok && oid == pgvalue.Enum {
			shown = c.Formatted
		}
		return aggregated{}, sumUndefined.With(name, shown)
	}
	if kind := r.source.table.Policy.Mechanism.Kind; !kind.AddsNoise() {
		return aggregated{}, sumMechanism.With(name, r.source.written, kind)
	}
	b := &expr.Binding{Untold: true, MaxAtoms: expr.MaxAtoms, Year: r.source.table.Year}
	c := b.Column(o.Row)
	switch {
	case b.Refusal != nil:
		return aggregated{}, b.Refusal
	case c.Open():
		return aggregated{}, sumOfParameter.With(name)
	}
	m, ok := query.NewMeasure(r.source.table, o.Row, c, r.degree)
	if !ok {
		return aggregated{}, r.refuseWeights(name, o)
	}
	filter, refusal := r.filter(f)
	if refusal != nil {
		return aggregated{}, refusal
	}
	any := proto.Clone(f).(*pg.FuncCall)
	any.Funcname = pgtree.NameNodes([]string{"sum"})
	a := aggregated{denominator: -1, oid: moment.TypeOf(name, oid), moment: &moment.Aggregate{Measure: m, Name: name, OID: moment.TypeOf(name, oid)}}
	a.numerator, refusal = r.addCount(any, "measure", query.Count{Measure: m, Filter: filter})
	return a, refusal
}

// refuseCount tells of the counts that there are.
func (r *selectReader) refuseCount(form pgerror.Form, name string) *pgerror.Refusal {
	distinct := "count(DISTINCT column), "
	if r.source.table.Private != "" {
		distinct = ""
	}
	hint := personHint(r.source.table)
	if meant := pgerror.Closest(name, []string{"count", "sum", "avg", "stddev", "variance", "percentile_cont", "percentile_disc"}, 2); meant != "" && meant != name {
		hint = "Perhaps you meant " + meant + ". " + hint
	}
	hint += "Counts are written count(*), count(column), " + distinct +
		"count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int). Sums, averages and variances " +
		"need a range that the steward declares. Ask for counts, for example."
	return form.With(name, hint, r.source.example(r.keyNames()).statement())
}

// readCount reads count(*), count(value) and count(DISTINCT value).
func (r *selectReader) readCount(f *pg.FuncCall) (query.Count, *pgerror.Refusal) {
	var c query.Count
	var parts []expr.Predicate
	if !f.GetAggStar() && !r.source.countsRows(f) {
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
func (r *selectReader) share(f *pg.FuncCall, name string, o expr.Operand, one expr.Predicate) (aggregated, *pgerror.Refusal) {
	oid := r.reader().typeOf(o)
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
	a := aggregated{denominator: -1, oid: moment.TypeOf("sum", oid)}
	if a.numerator, refusal = r.addCount(f, "ones", query.Count{Filter: expr.Conjunction(counted)}); refusal != nil || name == "sum" {
		return a, refusal
	}
	a.oid = moment.TypeOf("avg", oid)
	a.denominator, refusal = r.addCount(f, "present", query.Count{Filter: expr.Conjunction(present)})
	return a, refusal
}

// refuseWeights is of numbers without bounds. It says what the steward declares, and suggests what to ask meanwhile.
func (r *selectReader) refuseWeights(name string, value expr.Operand) *pgerror.Refusal {
	c, ok := value.Row.(*expr.Column)
	if !ok || !c.Usable() || c.Joined != nil || pgvalue.FamilyOf(c.TypeOID) != pgvalue.Numbers {
		return unbounded.With(name)
	}
	column := pgvalue.QuoteIdentifier(c.Name)
	if !findsKeys(r.source.table) || name != "sum" && name != "avg" {
		return unboundedColumn.With(name, column, "", "")
	}
	return unboundedColumn.With(name, column, " Meanwhile weigh counts by groups, here of the value rounded to one digit (each row is off by at most a third, "+
		"and values that few rows have are left out).", moment.Instead(name, column, c.TypeOID, r.source.written))
}

// addCount adds a count of a call, or finds it again. It returns the index of its first column.
func (r *selectReader) addCount(f *pg.FuncCall, part string, c query.Count) (int, *pgerror.Refusal) {
	plain := proto.Clone(f).(*pg.FuncCall)
	pgtree.ClearLocations(plain.ProtoReflect())
	print, err := proto.MarshalOptions{Deterministic: true}.Marshal(plain)
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	id := part + " " + string(print)
	if i := slices.Index(r.prints, id); i >= 0 {
		return query.ColumnsOf(r.counts[:i]), nil
	}
	if len(r.counts) == maxCounts {
		return 0, countsTooMany.With(maxCounts)
	}
	r.prints = append(r.prints, id)
	r.counts = append(r.counts, c)
	return query.ColumnsOf(r.counts[:len(r.counts)-1]), nil
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
