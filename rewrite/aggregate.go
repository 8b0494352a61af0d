package rewrite

import (
	"fmt"
	"slices"
	"strconv"

	pg "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/proto"
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
	numerator   int     // index of a count
	denominator int     // of another, for an average; -1 otherwise
	oid         typeOID // of the result
	distinct    bool
}

// replaceAggregate replaces a call of an aggregate in the tree.
func (r *selectReader) replaceAggregate(n *pg.Node) *Refusal {
	f := n.GetFuncCall()
	a, refusal := r.aggregate(f)
	if refusal != nil {
		return at(f.GetLocation(), refusal)
	}
	if a.distinct && r.source.table.Audited() {
		return at(f.GetLocation(), notSupported("count(DISTINCT ...) is not supported on an audited table",
			"The auditor decides about numbers of people. Count the groups of the value in an outer query: SELECT count(*) FROM (SELECT ... GROUP BY ...) AS g."))
	}
	if r.grouped && a.distinct {
		return at(f.GetLocation(), notSupported("count(DISTINCT ...) with grouping sets is not supported on protected tables",
			"The totals of different values do not follow from those of the groups. Ask for each grouping in a SELECT of its own."))
	}
	value := r.countNode(a.numerator, f.GetLocation())
	switch {
	case a.denominator >= 0:
		value = r.quotient(a, f.GetLocation())
	case a.oid != oidInt8:
		value = castNode(value, typeNode([]string{"pg_catalog", typname(a.oid)}, nil))
	}
	n.Node = value.Node
	return nil
}

func typname(oid typeOID) string {
	b, _ := builtinType(oid)
	return b.name
}

// aggregate reads a call of an aggregate.
func (r *selectReader) aggregate(f *pg.FuncCall) (aggregated, *Refusal) {
	name, builtin := functionName(f)
	if !builtin || name != "count" && name != "sum" && name != "avg" {
		return aggregated{}, r.refuseAggregate(f, name)
	}
	if len(f.GetAggOrder()) > 0 || f.GetAggWithinGroup() || f.GetFuncVariadic() || !f.GetAggStar() && len(f.GetArgs()) != 1 || name != "count" && (f.GetAggDistinct() || f.GetAggStar()) {
		return aggregated{}, notSupported(fmt.Sprintf("this form of %s is not supported on protected tables", name), r.countHint())
	}
	if name == "count" {
		c, refusal := r.readCount(f)
		if refusal != nil {
			return aggregated{}, refusal
		}
		i, refusal := r.addCount(f, "", c)
		return aggregated{i, -1, oidInt8, f.GetAggDistinct()}, refusal
	}
	return r.share(f, name)
}

func (r *selectReader) refuseAggregate(f *pg.FuncCall, name string) *Refusal {
	return notSupported(fmt.Sprintf("aggregate %s is not supported on protected tables", name), r.countHint())
}

func (r *selectReader) countHint() string {
	distinct := "count(DISTINCT column), "
	if r.source.table.Private != "" {
		distinct = ""
	}
	return r.source.table.personHint() + "Counts are written count(*), count(column), " + distinct + "count(*) FILTER (WHERE ...), sum(CASE WHEN ... THEN 1 ELSE 0 END) and avg((...)::int), " +
		"for example: " + r.source.example(r.keyNames()).statement()
}

// readCount reads count(*), count(value) and count(DISTINCT value).
func (r *selectReader) readCount(f *pg.FuncCall) (Count, *Refusal) {
	var c Count
	var parts []predicate
	if !f.GetAggStar() {
		o, refusal := r.countArgument(f.GetArgs()[0])
		switch {
		case refusal != nil:
			return c, refusal
		case o.isConstant() && (o.param > 0 || o.fixed != nil || o.literal.null):
			return c, notSupported("count of NULL or of a parameter is not supported on protected tables", "count(*) counts rows.")
		case o.isConstant() && f.GetAggDistinct():
			return c, notSupported("count(DISTINCT constant) is not supported on protected tables", "count(*) counts rows.")
		case o.isConstant():
		case f.GetAggDistinct() && r.source.isPerson(o.row):
			c.persons = true
		case f.GetAggDistinct():
			if column, ok := o.row.(*Column); ok && !column.usable() { // whose equality could be anything
				return c, at(location(f.GetArgs()[0]), usable(column))
			}
			c.distinct = o.row
		default:
			if p := isNotNull(o.row); p != nil {
				parts = append(parts, p)
			}
		}
	}
	filter, refusal := r.filter(f)
	if filter != nil {
		parts = append(parts, filter)
	}
	c.filter = conjunction(parts)
	return c, refusal
}

// countArgument reads the argument of count. Of a column of which only NULL matters, any type will do.
func (r *selectReader) countArgument(n *pg.Node) (operand, *Refusal) {
	if ref := n.GetColumnRef(); ref != nil {
		found, refusal := r.source.resolve(ref)
		if refusal != nil {
			return operand{}, at(ref.GetLocation(), refusal)
		}
		return found.column.value, nil
	}
	return r.reader().operand(n)
}

// isNotNull is nil for a column that never is.
func isNotNull(e expression) predicate {
	switch e := e.(type) {
	case *Column:
		if e.NotNull {
			return nil
		}
	case *condition:
		return negation{truthTest{arg: e.predicate, unknown: true}}
	case *call:
		if isCast(e.function) && len(e.args) == 1 && !e.args[0].isConstant() && e.args[0].row.typeOf() == oidBool {
			return isNotNull(e.args[0].row)
		}
	}
	if c, ok := e.(*conditional); ok { // count(CASE WHEN p THEN ... END) is count(*) FILTER (WHERE p)
		if p, ok := c.shown(func(o operand) (predicate, bool) {
			switch {
			case !o.isConstant():
				return negation{isNull{o.row}}, true
			case o.param > 0 || o.fixed != nil:
				return nil, false
			}
			return truthOf{operand{literal: boolLiteral(!o.literal.null)}}, true
		}); ok {
			return p
		}
	}
	return negation{isNull{e}}
}

func boolLiteral(b bool) literal { return literal{oid: oidBool, text: strconv.FormatBool(b)} }

// shown is where a conditional has a result of which of says when it counts.
func (c *conditional) shown(of func(operand) (predicate, bool)) (predicate, bool) {
	var cases, before []predicate
	results := make([]operand, 0, len(c.branches)+1)
	for _, b := range c.branches {
		results = append(results, b.then)
	}
	for i, o := range append(results, c.otherwise) {
		counts, ok := of(o)
		if !ok {
			return nil, false
		}
		here := append(slices.Clip(before), counts)
		if i < len(c.branches) {
			here = append(here, truthTest{arg: c.branches[i].when, is: true})
			before = append(slices.Clip(before), negation{truthTest{arg: c.branches[i].when, is: true}})
		}
		cases = append(cases, junction{true, here})
	}
	return junction{false, cases}, true
}

// filter reads FILTER.
func (r *selectReader) filter(f *pg.FuncCall) (predicate, *Refusal) {
	if f.GetAggFilter() == nil {
		return nil, nil
	}
	return r.condition(f.GetAggFilter(), "FILTER")
}

func conjunction(parts []predicate) predicate {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return junction{true, parts}
}

// share reads sum and avg of what is 0, 1 or NULL.
func (r *selectReader) share(f *pg.FuncCall, name string) (aggregated, *Refusal) {
	o, refusal := r.reader().operand(f.GetArgs()[0])
	if refusal != nil {
		return aggregated{}, refusal
	}
	oid := r.reader().typeOf(o)
	one, ok := indicates(o)
	if !ok || familyOf(oid) != numbers {
		return aggregated{}, r.refuseWeights(name, o)
	}
	filter, refusal := r.filter(f)
	if refusal != nil {
		return aggregated{}, refusal
	}
	var counted, present []predicate
	if one != nil {
		counted = append(counted, one)
	}
	if !o.isConstant() {
		if p := isNotNull(o.row); p != nil {
			present = append(present, p)
		}
	}
	if filter != nil {
		counted, present = append(counted, filter), append(present, filter)
	}
	a := aggregated{denominator: -1, oid: sumType(oid)}
	if a.numerator, refusal = r.addCount(f, "ones", Count{filter: conjunction(counted)}); refusal != nil || name == "sum" {
		return a, refusal
	}
	a.oid = averageType(oid)
	a.denominator, refusal = r.addCount(f, "present", Count{filter: conjunction(present)})
	return a, refusal
}

func (r *selectReader) refuseWeights(name string, value operand) *Refusal {
	outer := ""
	if c, ok := value.row.(*Column); ok && c.usable() && c.joined == nil {
		column := quoteIdentifier(c.Name)
		weighed := "sum(" + column + " * n)"
		if name == "avg" {
			weighed += " / nullif(sum(n), 0)"
		}
		outer = ": SELECT " + weighed + " FROM (" + example{r.source.table, r.source.written, []string{c.Name}}.counting("n") + ") AS c"
	}
	return notSupported(fmt.Sprintf("%s of other values than 0 and 1 is not supported on protected tables: one row would weigh more than another", name),
		"Count the rows that meet a condition, for example by sum(CASE WHEN ... THEN 1 ELSE 0 END) or avg((...)::int); "+
			"or count by groups of the value, and weigh the counts in an outer query"+outer+".")
}

// sumType is the type of sum, averageType that of avg (pg_aggregate.dat).
func sumType(oid typeOID) typeOID {
	switch oid {
	case oidInt2, oidInt4:
		return oidInt8
	case oidInt8:
		return oidNumeric
	}
	return oid
}

func averageType(oid typeOID) typeOID {
	if isFloat(oid) {
		return oidFloat8
	}
	return oidNumeric
}

// indicates returns where a value that is 0, 1 or NULL in every row is 1; nil if it always is.
func indicates(o operand) (one predicate, ok bool) {
	if o.isConstant() {
		if o.param > 0 || o.fixed != nil || o.literal.null {
			return nil, false
		}
		d, refusal := o.literal.read(oidNumeric)
		return nil, refusal == nil && d.text == "1" && familyOf(o.literal.oid) == numbers
	}
	switch e := o.row.(type) {
	case *conditional:
		one, ok = e.shown(isOne)
		return one, ok
	case *call:
		if len(e.args) != 1 || !isCast(e.function) || e.args[0].isConstant() {
			return nil, false
		}
		if e.args[0].row.typeOf() != oidBool {
			return indicates(e.args[0])
		}
		return isTrue(e.args[0].row), true
	}
	return nil, false
}

func isCast(f *overload) bool { return len(f.name) > 2 && f.name[:2] == "::" }

// isTrue is where a value of type boolean is true.
func isTrue(e expression) predicate {
	if c, ok := e.(*condition); ok {
		return c.predicate
	}
	return compared{e, equal, operand{literal: boolLiteral(true)}, oidBool}
}

// isOne tells where a result of a CASE is 1, if it is 0, 1 or NULL.
func isOne(o operand) (predicate, bool) {
	if !o.isConstant() {
		one, ok := indicates(o)
		return one, ok && one != nil
	}
	if o.param > 0 || o.fixed != nil {
		return nil, false
	}
	if o.literal.null {
		return truthOf{operand{literal: boolLiteral(false)}}, true
	}
	d, refusal := o.literal.read(oidNumeric)
	if refusal != nil || d.text != "0" && d.text != "1" {
		return nil, false
	}
	return truthOf{operand{literal: boolLiteral(d.text == "1")}}, true
}

// addCount adds a count of a call, or finds it again.
func (r *selectReader) addCount(f *pg.FuncCall, part string, c Count) (int, *Refusal) {
	plain := proto.Clone(f).(*pg.FuncCall)
	clearLocations(plain.ProtoReflect())
	print, err := proto.MarshalOptions{Deterministic: true}.Marshal(plain)
	if err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	id := part + " " + string(print)
	if i := slices.Index(r.prints, id); i >= 0 {
		return i, nil
	}
	if len(r.counts) == maxCounts {
		return 0, &Refusal{Code: codeLimit, Message: fmt.Sprintf("a SELECT from a protected table has more than %d different counts", maxCounts)}
	}
	r.prints = append(r.prints, id)
	r.counts = append(r.counts, c)
	return len(r.counts) - 1, nil
}

// keyNames are the names of the keys that are columns of the protected table.
func (r *selectReader) keyNames() []string {
	var names []string
	for _, k := range r.keys {
		if c, ok := k.value.row.(*Column); ok && c.joined == nil {
			names = append(names, c.Name)
		}
	}
	return names
}
