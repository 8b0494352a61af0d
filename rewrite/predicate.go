package rewrite

import (
	"fmt"
	"slices"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// A predicate is a condition of WHERE or FILTER, read completely: its columns resolved, its constants and parameters typed as
// PostgreSQL's parse analysis types them. Nothing in it can fail on a row.
type predicate interface {
	// when returns where the predicate is true, or where it is false; it is unknown elsewhere.
	when(is bool, b *binding) formula
}

// A binding holds the values of parameters. The first refusal sticks.
type binding struct {
	types   map[int]typeOID
	values  []Value
	refusal *Refusal
	// untold says that values are not known yet: parameters are taken as NULL, to check the constants alone.
	untold bool

	// constants are the values of the expressions without columns, by fixed.index.
	constants []Value

	atoms, maxAtoms int
	bytes           int // of constants read
	simplifier      simplifier
	computed        map[computedName]*Column
	columns         map[expression]*Column
}

// A formula can have more atoms than the condition that it is made of: IS UNKNOWN reads its argument twice, at each level. So the
// atoms are counted while it is made, and the text of constants, which are read anew for each. Simplifying goes through a list again
// for each level that falls away around it.
const (
	maxAtoms         = 50_000 // of all conditions of a statement
	maxConstantBytes = 64 << 20
	maxListParts     = 10 * maxAtoms
)

// grow counts atoms and reports whether the condition is still within bounds.
func (b *binding) grow(atoms int) bool {
	b.atoms += atoms
	if b.atoms > b.maxAtoms {
		b.fail(-1, refuseTooLarge(fmt.Sprintf("the conditions of a statement about protected tables come to more than %d comparisons", maxAtoms)))
	}
	return b.refusal == nil
}

// read counts the text of a constant and reports whether it may be read.
func (b *binding) read(text string) bool {
	b.bytes += len(text)
	if b.bytes > maxConstantBytes {
		b.fail(-1, refuseTooLarge(fmt.Sprintf("the constants in a condition on a protected table come to more than %d bytes", maxConstantBytes)))
	}
	return b.refusal == nil
}

// repeat counts again, n times, what was counted so far.
func (b *binding) repeat(n int) {
	bytes := b.bytes
	b.grow(n * b.atoms)
	for range n {
		b.bytes += bytes
		b.read("")
	}
}

// formula is where a predicate is true.
func (b *binding) formula(p predicate) formula {
	return b.simplified(p.when(true, b))
}

// simplified is the canonical form of what predicates make within the binding.
func (b *binding) simplified(f formula) formula {
	if b.refusal != nil {
		return truth(false)
	}
	b.simplifier.limit = maxListParts
	f = b.simplifier.simplify(f).formula
	if b.simplifier.exceeded() {
		b.fail(-1, refuseTooLarge(fmt.Sprintf("the lists in a condition on a protected table come to more than %d parts at all levels", maxListParts)))
	}
	return f
}

func refuseTooLarge(message string) *Refusal {
	return &Refusal{Code: codeLimit, Message: message, Hint: "Ask several questions with shorter conditions."}
}

// An operand is what is compared, or an argument of a function: a value of the row, a parameter or a constant.
type operand struct {
	row     expression // nil if it is the same for all rows
	param   int
	literal literal
	cast    typeOID // of a parameter, 0 if none
	fixed   *fixed  // a constant that is computed
	// unlisted marks the column that tells persons apart, of which only the different values can be counted.
	unlisted bool
	zoned    bool // a timestamp of a row that stands for one with time zone in the analyst's session
	loc      int32
}

// isConstant reports whether the operand is the same for all rows.
func (o operand) isConstant() bool { return o.row == nil }

// value returns an operand's value read as a type, unless it is NULL or not to be had.
func (b *binding) value(o operand, as typeOID) (datum, bool) {
	l := o.literal
	switch {
	case o.fixed != nil:
		if b.untold || o.fixed.index >= len(b.constants) {
			return datum{}, false
		}
		v := b.constants[o.fixed.index]
		l = literal{oid: o.fixed.call.typeOf(), text: v.Text, null: v.Null}
	case o.param > 0:
		if b.untold {
			return datum{}, false
		}
		v := b.values[o.param-1]
		l = literal{oid: b.types[o.param], text: v.Text, null: v.Null}
		if o.cast != 0 && !l.null {
			d, refusal := l.read(o.cast)
			if refusal != nil {
				b.fail(o.loc, refusal)
				return datum{}, false
			}
			l = literal{oid: o.cast, text: d.text}
		}
	}
	if l.null || !b.read(l.text) {
		return datum{}, false
	}
	d, refusal := l.read(as)
	if refusal != nil {
		b.fail(o.loc, refusal)
		return datum{}, false
	}
	return d, true
}

func (b *binding) fail(loc int32, r *Refusal) {
	if b.refusal == nil {
		b.refusal = at(loc, r)
	}
}

// The predicates.
type (
	// junction is AND or OR: of nothing, true or false.
	junction struct {
		and  bool
		args []predicate
	}
	negation struct{ arg predicate }
	// truthTest is arg IS TRUE, FALSE or UNKNOWN; their negations are wrapped in a negation.
	truthTest struct {
		arg     predicate
		is      bool
		unknown bool
	}
	isNull struct{ row expression }
	// operandNull is $1 IS NULL.
	operandNull struct{ operand operand }
	// compared is value op operand, where the operand's value is read as a type.
	compared struct {
		row     expression
		op      operator
		operand operand
		as      typeOID
	}
	// paired is value op value, both of the row.
	paired struct {
		left  expression
		op    operator
		right expression
	}
	// folded is constant op constant.
	folded struct {
		left, right operand
		op          operator
		as          typeOID
	}
	// among is column IN (elements), which are first converted to a type that they have in common.
	among struct {
		row      expression
		elements []operand
		common   typeOID
		as       typeOID
	}
	// amongArray is column = ANY (array) with an array given as text or as a parameter.
	amongArray struct {
		row   expression
		array operand
		of    typeOID // the array's element type
		as    typeOID
	}
	// distinct is column IS DISTINCT FROM operand.
	distinct struct{ compared }
	// distinctColumns is column IS DISTINCT FROM column.
	distinctColumns struct{ left, right expression }
	// truthOf is a parameter or constant of type boolean.
	truthOf struct{ operand operand }
)

func (p junction) when(is bool, b *binding) formula {
	return p.join(p.and == is, b, func(arg predicate) formula { return arg.when(is, b) })
}

// join makes an AND (conjunction) or an OR of what is said of each part.
func (p junction) join(conjunction bool, b *binding, of func(predicate) formula) formula {
	parts := make([]formula, 0, len(p.args))
	for _, arg := range p.args {
		if !b.grow(1) {
			return truth(false)
		}
		parts = append(parts, of(arg))
	}
	if conjunction {
		return all(parts)
	}
	return anyOf(parts)
}

func (p negation) when(is bool, b *binding) formula { return p.arg.when(!is, b) }

func (p truthTest) when(is bool, b *binding) formula {
	if !b.grow(1) {
		return truth(false)
	}
	switch {
	case p.unknown:
		return p.whenUnknown(is, b)
	case is:
		return p.arg.when(p.is, b)
	}
	return unless(p.arg, p.is, b)
}

func (p truthTest) whenUnknown(is bool, b *binding) formula {
	if arg, ok := p.arg.(compared); ok {
		return arg.unknown(is, b)
	}
	if twoValued(p.arg) {
		p.arg.when(true, b) // for the sake of its constants
		return truth(!is)
	}
	if is {
		return all{unless(p.arg, true, b), unless(p.arg, false, b)}
	}
	return anyOf{p.arg.when(true, b), p.arg.when(false, b)}
}

// unless is the complement of p.when(is): where p is not true, or is not false. It asks the parts of p instead of copying
// what they are, so that tests of tests cost no more than their length.
func unless(p predicate, is bool, b *binding) formula {
	switch p := p.(type) {
	case negation:
		return unless(p.arg, !is, b)
	case truthTest: // never unknown
		return p.when(!is, b)
	case junction:
		return p.join(p.and != is, b, func(arg predicate) formula { return unless(arg, is, b) })
	}
	return complement(p.when(is, b))
}

// twoValued reports whether a predicate is never unknown.
func twoValued(p predicate) bool {
	switch p := p.(type) {
	case truthTest, isNull, operandNull, distinct, distinctColumns:
		return true
	case negation:
		return twoValued(p.arg)
	case junction:
		return !slices.ContainsFunc(p.args, func(arg predicate) bool { return !twoValued(arg) })
	}
	return false
}

func (p isNull) when(is bool, b *binding) formula { return nullness{b.column(p.row), is} }

func (p operandNull) when(is bool, b *binding) formula {
	if p.operand.fixed != nil && !b.untold && p.operand.fixed.index < len(b.constants) {
		return truth(b.constants[p.operand.fixed.index].Null == is)
	}
	if p.operand.param == 0 || b.untold {
		return truth(p.operand.literal.null == is)
	}
	return truth(b.values[p.operand.param-1].Null == is)
}

func (p compared) when(is bool, b *binding) formula {
	if !b.grow(1) {
		return truth(false)
	}
	value, ok := b.value(p.operand, p.as)
	if !ok {
		return truth(false)
	}
	op := p.op
	if !is {
		op = op.negated()
	}
	return compare(b.column(p.row), op, value)
}

// unknown says where the comparison is unknown, or is not.
func (p compared) unknown(is bool, b *binding) formula {
	if _, ok := b.value(p.operand, p.as); !ok {
		return truth(is)
	}
	return nullness{b.column(p.row), is}
}

func (p paired) when(is bool, b *binding) formula {
	b.grow(1)
	op := p.op
	if !is {
		op = op.negated()
	}
	return pairing{b.column(p.left), op, b.column(p.right)}
}

func (p folded) when(is bool, b *binding) formula {
	left, ok := b.value(p.left, p.as)
	right, ok2 := b.value(p.right, p.as)
	if !ok || !ok2 {
		return truth(false)
	}
	sign := 0
	switch {
	case left.number != nil && right.number != nil:
		sign = left.number.Cmp(right.number)
	case left.text == right.text:
	case right.isNaN():
		sign = -1
	default:
		sign = 1 // left is NaN, or equality is all that is asked
	}
	return truth(p.op.holds(sign) == is)
}

func (p among) when(is bool, b *binding) formula {
	var values []datum
	hasNull := false
	if !b.grow(len(p.elements)) {
		return truth(false)
	}
	for _, e := range p.elements {
		v, ok := b.value(e, p.common)
		if ok && p.as != p.common {
			v, ok = b.value(operand{literal: literal{oid: p.common, text: v.text}, loc: e.loc}, p.as)
		}
		if ok {
			values = append(values, v)
		} else {
			hasNull = true
		}
	}
	if !is && hasNull {
		return truth(false)
	}
	return member(b.column(p.row), is, values)
}

func (p amongArray) when(is bool, b *binding) formula {
	l := p.array.literal
	if p.array.param > 0 {
		if b.untold {
			return truth(false)
		}
		v := b.values[p.array.param-1]
		l = literal{text: v.Text, null: v.Null}
	}
	if l.null || !b.read(l.text) {
		return truth(false)
	}
	elements, refusal := parseArray(l.text)
	if refusal != nil {
		b.fail(p.array.loc, refusal)
		return truth(false)
	}
	list := among{row: p.row, common: p.of, as: p.as}
	for _, e := range elements {
		list.elements = append(list.elements, operand{literal: literal{oid: p.of, text: e.Text, null: e.Null}, loc: p.array.loc})
	}
	if len(list.elements) == 0 {
		return truth(!is) // of no element: false even for NULL
	}
	return list.when(is, b)
}

// member says that a column is one of the values, or none of them; NULL is neither.
func member(c *Column, in bool, values []datum) formula {
	op := equal
	if !in {
		op = unequal
	}
	var others []formula
	m := membership{column: c, in: in}
	for _, v := range values {
		switch f := compare(c, op, v).(type) {
		case comparison:
			if f.op == op {
				m.values = append(m.values, f.value)
			} else {
				others = append(others, f)
			}
		default:
			others = append(others, f)
		}
	}
	switch {
	case len(m.values) > 0:
		others = append(others, m)
	case !in:
		others = append(others, nullness{c, false})
	}
	if in {
		return anyOf(others)
	}
	return all(others)
}

func (p distinct) when(is bool, b *binding) formula {
	if !b.grow(2) {
		return truth(false)
	}
	value, ok := b.value(p.operand, p.as)
	c := b.column(p.row)
	switch {
	case !ok: // from NULL
		return nullness{c, !is}
	case is:
		return anyOf{compare(c, unequal, value), nullness{c, true}}
	}
	return compare(c, equal, value)
}

func (p distinctColumns) when(is bool, b *binding) formula {
	b.grow(5)
	left, right := b.column(p.left), b.column(p.right)
	if is {
		return anyOf{
			pairing{left, unequal, right},
			all{nullness{left, true}, nullness{right, false}},
			all{nullness{left, false}, nullness{right, true}},
		}
	}
	return anyOf{pairing{left, equal, right}, all{nullness{left, true}, nullness{right, true}}}
}

func (p truthOf) when(is bool, b *binding) formula {
	value, ok := b.value(p.operand, oidBool)
	return truth(ok && (value.text == "t") == is)
}

// comparisonOperator returns the comparison operator that an A_Expr names, with or without pg_catalog.
func comparisonOperator(names []*pg.Node) (operator, bool) {
	name, builtin := builtinName(names)
	switch op := operator(name); op {
	case equal, unequal, less, lessEqual, greater, greaterEqual:
		return op, builtin
	}
	return "", false
}

// builtinName is the last part of a dotted name, and whether the name is that of pg_catalog's if it exists there.
func builtinName(names []*pg.Node) (name string, builtin bool) {
	parts := stringsOf(names)
	return parts[len(parts)-1], len(parts) == 1 || len(parts) == 2 && parts[0] == "pg_catalog"
}

const conditionHint = "Conditions, keys and counts on a protected table may be made of its listed columns, constants and parameters by =, <>, <, <=, >, >=, IN, BETWEEN, " +
	"LIKE, IS NULL, IS DISTINCT FROM, AND, OR, NOT, CASE, and the functions, operators and casts that docs/analyst.md lists."
