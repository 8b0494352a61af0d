package expr

import (
	"slices"

	"tacit/rewrite/internal/pgvalue"
)

// The predicates.
type (
	// junction is AND or OR: of nothing, true or false.
	Junction struct {
		And  bool
		Args []Predicate
	}
	Negation struct{ Arg Predicate }
	// TruthTest is arg IS TRUE, FALSE or UNKNOWN; their negations are wrapped in a negation.
	TruthTest struct {
		Arg     Predicate
		Is      bool
		Unknown bool
	}
	IsNull struct{ Row Expression }
	// OperandNull is $1 IS NULL.
	OperandNull struct{ Operand Operand }
	// compared is value op operand, where the operand's value is read as a type.
	Compared struct {
		Row     Expression
		Op      Operator
		Operand Operand
		As      pgvalue.OID
	}
	// paired is value op value, both of the row.
	Paired struct {
		Left  Expression
		Op    Operator
		Right Expression
	}
	// folded is constant op constant.
	Folded struct {
		Left, Right Operand
		Op          Operator
		As          pgvalue.OID
	}
	// among is column IN (elements), which are first converted to a type that they have in common.
	Among struct {
		Row      Expression
		Elements []Operand
		Common   pgvalue.OID
		As       pgvalue.OID
	}
	// AmongArray is column = ANY (array) with an array given as text or as a parameter.
	AmongArray struct {
		Row   Expression
		Array Operand
		Of    pgvalue.OID // the array's element type
		As    pgvalue.OID
	}
	// distinct is column IS DISTINCT FROM operand.
	Distinct struct{ Compared }
	// DistinctColumns is column IS DISTINCT FROM column.
	DistinctColumns struct{ Left, Right Expression }
	// TruthOf is a parameter or constant of type boolean.
	TruthOf struct{ Operand Operand }
)

func (p Junction) when(is bool, b *Binding) Formula {
	return p.join(p.And == is, b, func(arg Predicate) Formula { return arg.when(is, b) })
}

// join makes an AND (conjunction) or an OR of what is said of each part.
func (p Junction) join(conjunction bool, b *Binding, of func(Predicate) Formula) Formula {
	parts := make([]Formula, 0, len(p.Args))
	for _, arg := range p.Args {
		if !b.grow(1) {
			return Truth(false)
		}
		parts = append(parts, of(arg))
	}
	if conjunction {
		return All(parts)
	}
	return AnyOf(parts)
}

func (p Negation) when(is bool, b *Binding) Formula { return p.Arg.when(!is, b) }

func (p TruthTest) when(is bool, b *Binding) Formula {
	if !b.grow(1) {
		return Truth(false)
	}
	switch {
	case p.Unknown:
		return p.whenUnknown(is, b)
	case is:
		return p.Arg.when(p.Is, b)
	}
	return unless(p.Arg, p.Is, b)
}

func (p TruthTest) whenUnknown(is bool, b *Binding) Formula {
	if arg, ok := p.Arg.(Compared); ok {
		return arg.unknown(is, b)
	}
	if twoValued(p.Arg) {
		p.Arg.when(true, b) // for the sake of its constants
		return Truth(!is)
	}
	if is {
		return All{unless(p.Arg, true, b), unless(p.Arg, false, b)}
	}
	return AnyOf{p.Arg.when(true, b), p.Arg.when(false, b)}
}

// unless is the complement of p.when(is): where p is not true, or is not false. It asks the parts of p instead of copying
// what they are, so that tests of tests cost no more than their length.
func unless(p Predicate, is bool, b *Binding) Formula {
	switch p := p.(type) {
	case Negation:
		return unless(p.Arg, !is, b)
	case TruthTest: // never unknown
		return p.when(!is, b)
	case Junction:
		return p.join(p.And != is, b, func(arg Predicate) Formula { return unless(arg, is, b) })
	}
	return complement(p.when(is, b))
}

// twoValued reports whether a predicate is never unknown.
func twoValued(p Predicate) bool {
	switch p := p.(type) {
	case TruthTest, IsNull, OperandNull, Distinct, DistinctColumns:
		return true
	case AmongPersons:
		return p.Unknown == nil
	case Negation:
		return twoValued(p.Arg)
	case Junction:
		return !slices.ContainsFunc(p.Args, func(arg Predicate) bool { return !twoValued(arg) })
	}
	return false
}

func (p IsNull) when(is bool, b *Binding) Formula { return Nullness{b.Column(p.Row), is} }

func (p OperandNull) when(is bool, b *Binding) Formula {
	if p.Operand.Fixed != nil && !b.Untold && p.Operand.Fixed.Index < len(b.Constants) {
		return Truth(b.Constants[p.Operand.Fixed.Index].Null == is)
	}
	if p.Operand.Param == 0 || b.Untold {
		return Truth(p.Operand.Literal.Null == is)
	}
	return Truth(b.Values[p.Operand.Param-1].Null == is)
}

func (p Compared) when(is bool, b *Binding) Formula {
	if !b.grow(1) {
		return Truth(false)
	}
	value, ok := b.compared(p.Operand, p.As)
	if !ok {
		return Truth(false)
	}
	op := p.Op
	if !is {
		op = op.Negated()
	}
	return compare(b.Column(p.Row), op, value)
}

// unknown says where the comparison is unknown, or is not.
func (p Compared) unknown(is bool, b *Binding) Formula {
	if _, ok := b.compared(p.Operand, p.As); !ok {
		return Truth(is)
	}
	return Nullness{b.Column(p.Row), is}
}

func (p Paired) when(is bool, b *Binding) Formula {
	b.grow(1)
	op := p.Op
	if !is {
		op = op.Negated()
	}
	left, right := b.Column(p.Left), b.Column(p.Right)
	b.touch(left, right)
	return Pairing{left, op, right}
}

func (p Folded) when(is bool, b *Binding) Formula {
	left, ok := b.value(p.Left, p.As)
	right, ok2 := b.value(p.Right, p.As)
	if !ok || !ok2 {
		return Truth(false)
	}
	sign := 0
	switch {
	case left.Number != nil && right.Number != nil:
		sign = left.Number.Cmp(right.Number)
	case left.Text == right.Text:
	case right.IsNaN():
		sign = -1
	default:
		sign = 1 // left is NaN, or equality is all that is asked
	}
	return Truth(p.Op.holds(sign) == is)
}

func (p Among) when(is bool, b *Binding) Formula {
	var values []pgvalue.Datum
	hasNull := false
	if !b.grow(len(p.Elements)) {
		return Truth(false)
	}
	for _, e := range p.Elements {
		v, ok := b.compared(e, p.Common)
		if ok && p.As != p.Common {
			v, ok = b.value(Operand{Literal: pgvalue.Literal{OID: p.Common, Text: v.Text}, Loc: e.Loc}, p.As)
		}
		if ok {
			values = append(values, v)
		} else {
			hasNull = true
		}
	}
	if !is && hasNull {
		return Truth(false)
	}
	c := b.Column(p.Row)
	b.touch(c)
	return member(c, is, values)
}

func (p AmongArray) when(is bool, b *Binding) Formula {
	l := p.Array.Literal
	if p.Array.Param > 0 {
		if b.Untold {
			return Truth(false)
		}
		v := b.Values[p.Array.Param-1]
		l = pgvalue.Literal{Text: v.Text, Null: v.Null}
	}
	if l.Null || !b.read(l.Text) {
		return Truth(false)
	}
	elements, refusal := pgvalue.ParseArray(l.Text)
	if refusal != nil {
		b.fail(p.Array.Loc, refusal)
		return Truth(false)
	}
	list := Among{Row: p.Row, Common: p.Of, As: p.As}
	for _, e := range elements {
		list.Elements = append(list.Elements, Operand{Literal: pgvalue.Literal{OID: p.Of, Text: e.Text, Null: e.Null}, Loc: p.Array.Loc})
	}
	if len(list.Elements) == 0 {
		return Truth(!is) // of no element: false even for NULL
	}
	return list.when(is, b)
}

// member says that a column is one of the values, or none of them; NULL is neither.
func member(c *Column, in bool, values []pgvalue.Datum) Formula {
	op := Equal
	if !in {
		op = Unequal
	}
	var others []Formula
	m := Membership{Column: c, In: in}
	for _, v := range values {
		switch f := compare(c, op, v).(type) {
		case Comparison:
			if f.Op == op {
				m.Values = append(m.Values, f.Value)
			} else {
				others = append(others, f)
			}
		default:
			others = append(others, f)
		}
	}
	switch {
	case len(m.Values) > 0:
		others = append(others, m)
	case !in:
		others = append(others, Nullness{c, false})
	}
	if in {
		return AnyOf(others)
	}
	return All(others)
}

func (p Distinct) when(is bool, b *Binding) Formula {
	if !b.grow(2) {
		return Truth(false)
	}
	value, ok := b.compared(p.Operand, p.As)
	c := b.Column(p.Row)
	switch {
	case !ok: // from NULL
		return Nullness{c, !is}
	case is:
		return AnyOf{compare(c, Unequal, value), Nullness{c, true}}
	}
	return compare(c, Equal, value)
}

func (p DistinctColumns) when(is bool, b *Binding) Formula {
	b.grow(5)
	left, right := b.Column(p.Left), b.Column(p.Right)
	b.touch(left, right)
	if is {
		return AnyOf{
			Pairing{left, Unequal, right},
			All{Nullness{left, true}, Nullness{right, false}},
			All{Nullness{left, false}, Nullness{right, true}},
		}
	}
	return AnyOf{Pairing{left, Equal, right}, All{Nullness{left, true}, Nullness{right, true}}}
}

func (p TruthOf) when(is bool, b *Binding) Formula {
	value, ok := b.value(p.Operand, pgvalue.Bool)
	return Truth(ok && (value.Text == "t") == is)
}

func Conjunction(parts []Predicate) Predicate {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return Junction{true, parts}
}
