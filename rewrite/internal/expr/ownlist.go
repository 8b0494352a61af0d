package expr

import (
	"fmt"
	"strconv"
	"strings"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A sub-select in a condition that reads nothing protected is the analyst's own affair: city IN (SELECT city FROM mine). Like other
// expressions without columns (fixed.go) it is evaluated in her session, with her privileges and before anything is charged, and its
// values are constants of the question: two lists of the same values are one question, wherever they come from.
//
// It is printed from the tree and runs by itself, see conditionReader.ownArray in package rewrite.

const (
	// MaxOwnValues is the most values that such a sub-select may yield, MaxOwnBytes the most that they may come to as an array.
	MaxOwnValues = 10_000
	MaxOwnBytes  = 1 << 20
)

func RefuseOwn(message string) *pgerror.Refusal {
	return &pgerror.Refusal{Code: pgerror.CodeNotSupported, Message: message, Hint: ownHint}
}

type (
	// AmongOwn is column = ANY (array of a sub-select).
	AmongOwn struct {
		Row  Expression
		List Operand
	}
	// ComparedOwn is column op (SELECT ...).
	ComparedOwn struct {
		Row   Expression
		Op    Operator
		Value Operand
	}
)

func (p AmongOwn) when(is bool, b *Binding) Formula {
	of, values, ok := b.own(p.List)
	if !ok {
		return Truth(false)
	}
	as, refusal := comparedWithOwn(p.Row.TypeOf(), Equal, of)
	if refusal != nil {
		b.fail(p.List.Loc, refusal)
		return Truth(false)
	}
	if len(values) == 0 {
		return Truth(!is) // of no element: false even for NULL
	}
	list := Among{Row: p.Row, Common: of, As: as}
	for _, v := range values {
		list.Elements = append(list.Elements, Operand{Literal: pgvalue.Literal{OID: of, Text: v.Text, Null: v.Null}, Loc: p.List.Loc})
	}
	return list.when(is, b)
}

func (p ComparedOwn) when(is bool, b *Binding) Formula {
	of, values, ok := b.own(p.Value)
	if !ok {
		return Truth(false)
	}
	as, refusal := comparedWithOwn(p.Row.TypeOf(), p.Op, of)
	if refusal != nil {
		b.fail(p.Value.Loc, refusal)
		return Truth(false)
	}
	if len(values) != 1 { // of an array that is NULL
		b.fail(p.Value.Loc, refuseTooMuchOwn())
		return Truth(false)
	}
	value := Operand{Literal: pgvalue.Literal{OID: of, Text: values[0].Text, Null: values[0].Null}, Loc: p.Value.Loc}
	return Compared{p.Row, p.Op, value, as}.when(is, b)
}

// comparedWithOwn tells as what type a value is read that is compared with a column; its type is known when the sub-select was
// evaluated.
func comparedWithOwn(column pgvalue.OID, op Operator, of pgvalue.OID) (pgvalue.OID, *pgerror.Refusal) {
	as, refusal := ComparisonType(column, of)
	if refusal != nil && refusal.Code == pgerror.CodeUndefinedOp {
		return 0, UndefinedOperator(column, op, of)
	}
	return as, refusal
}

func refuseTooMuchOwn() *pgerror.Refusal {
	return RefuseOwn(fmt.Sprintf("a sub-select in a condition on a protected table yields arrays, or more than %d values or %d bytes", MaxOwnValues, MaxOwnBytes))
}

// own reads what the analyst's session tells of a sub-select: the type of the values, and the values.
func (b *Binding) own(o Operand) (of pgvalue.OID, values []pgvalue.Value, ok bool) {
	if b.Untold || o.Fixed.Index >= len(b.Constants) || b.Refusal != nil {
		return 0, nil, false
	}
	text := b.Constants[o.Fixed.Index].Text
	if text == "" {
		b.fail(o.Loc, refuseTooMuchOwn())
		return 0, nil, false
	}
	number, array, _ := strings.Cut(text, " ")
	oid, err := strconv.ParseUint(number, 10, 32)
	element, known := pgvalue.ElementType(pgvalue.OID(oid))
	if err != nil || !known {
		b.fail(o.Loc, RefuseOwn("a sub-select in a condition on a protected table yields values of a type that is not supported there; cast them, to text for example"))
		return 0, nil, false
	}
	if !b.read(array) {
		return 0, nil, false
	}
	values, refusal := pgvalue.ParseArray(array)
	if refusal != nil {
		b.fail(o.Loc, refusal)
	}
	return element.OID, values, refusal == nil
}
