package expr

import (
	"slices"

	"tacit/rewrite/internal/pgvalue"
)

// IsNotNull is nil for a column that never is.
func IsNotNull(e Expression) Predicate {
	switch e := e.(type) {
	case *Column:
		if e.NotNull {
			return nil
		}
	case *Condition:
		return Negation{TruthTest{Arg: e.Predicate, Unknown: true}}
	case *Call:
		if isCast(e.Function) && len(e.Args) == 1 && !e.Args[0].IsConstant() && e.Args[0].Row.TypeOf() == pgvalue.Bool {
			return IsNotNull(e.Args[0].Row)
		}
	}
	if c, ok := e.(*Conditional); ok { // count(CASE WHEN p THEN ... END) is count(*) FILTER (WHERE p)
		if p, ok := c.shown(func(o Operand) (Predicate, bool) {
			switch {
			case !o.IsConstant():
				return Negation{IsNull{o.Row}}, true
			case o.Param > 0 || o.Fixed != nil:
				return nil, false
			}
			return TruthOf{Operand{Literal: pgvalue.BoolLiteral(!o.Literal.Null)}}, true
		}); ok {
			return p
		}
	}
	return Negation{IsNull{e}}
}

// shown is where a conditional has a result of which of says when it counts.
func (c *Conditional) shown(of func(Operand) (Predicate, bool)) (Predicate, bool) {
	var cases, before []Predicate
	results := make([]Operand, 0, len(c.Branches)+1)
	for _, b := range c.Branches {
		results = append(results, b.Then)
	}
	for i, o := range append(results, c.Otherwise) {
		counts, ok := of(o)
		if !ok {
			return nil, false
		}
		here := append(slices.Clip(before), counts)
		if i < len(c.Branches) {
			here = append(here, TruthTest{Arg: c.Branches[i].When, Is: true})
			before = append(slices.Clip(before), Negation{TruthTest{Arg: c.Branches[i].When, Is: true}})
		}
		cases = append(cases, Junction{true, here})
	}
	return Junction{false, cases}, true
}

// Indicates returns where a value that is 0, 1 or NULL in every row is 1; nil if it always is.
func Indicates(o Operand) (one Predicate, ok bool) {
	if o.IsConstant() {
		if o.Param > 0 || o.Fixed != nil || o.Literal.Null {
			return nil, false
		}
		d, refusal := o.Literal.Read(pgvalue.Numeric)
		return nil, refusal == nil && d.Text == "1" && pgvalue.FamilyOf(o.Literal.OID) == pgvalue.Numbers
	}
	switch e := o.Row.(type) {
	case *Conditional:
		one, ok = e.shown(isOne)
		return one, ok
	case *Call:
		if len(e.Args) != 1 || !isCast(e.Function) || e.Args[0].IsConstant() {
			return nil, false
		}
		if e.Args[0].Row.TypeOf() != pgvalue.Bool {
			return Indicates(e.Args[0])
		}
		return isTrue(e.Args[0].Row), true
	}
	return nil, false
}

// isTrue is where a value of type boolean is true.
func isTrue(e Expression) Predicate {
	if c, ok := e.(*Condition); ok {
		return c.Predicate
	}
	return Compared{e, Equal, Operand{Literal: pgvalue.BoolLiteral(true)}, pgvalue.Bool}
}

// isOne tells where a result of a CASE is 1, if it is 0, 1 or NULL.
func isOne(o Operand) (Predicate, bool) {
	if !o.IsConstant() {
		one, ok := Indicates(o)
		return one, ok && one != nil
	}
	if o.Param > 0 || o.Fixed != nil {
		return nil, false
	}
	if o.Literal.Null {
		return TruthOf{Operand{Literal: pgvalue.BoolLiteral(false)}}, true
	}
	d, refusal := o.Literal.Read(pgvalue.Numeric)
	if refusal != nil || d.Text != "0" && d.Text != "1" {
		return nil, false
	}
	return TruthOf{Operand{Literal: pgvalue.BoolLiteral(d.Text == "1")}}, true
}
