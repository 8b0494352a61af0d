package rewrite

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"
)

// A literal is a constant as a statement or a Bind message has it: text of a type, which is oidUnknown for a quoted string or
// NULL whose type is still to be told by what it is compared with.
type literal struct {
	oid  typeOID
	text string
	null bool
}

// readConst reads a constant of the grammar.
func readConst(c *pg.A_Const) (literal, *Refusal) {
	if c.GetIsnull() {
		return literal{oid: oidUnknown, null: true}, nil
	}
	switch v := c.GetVal().(type) {
	case *pg.A_Const_Ival:
		return literal{oid: oidInt4, text: strconv.Itoa(int(v.Ival.GetIval()))}, nil
	case *pg.A_Const_Fval:
		return numberLiteral(v.Fval.GetFval()), nil
	case *pg.A_Const_Boolval:
		return literal{oid: oidBool, text: strconv.FormatBool(v.Boolval.GetBoolval())}, nil
	case *pg.A_Const_Sval:
		return literal{oid: oidUnknown, text: v.Sval.GetSval()}, nil
	}
	return literal{}, notSupported("bit string constants are not supported on protected tables", "Write a number or a text.")
}

// numberLiteral is of the first of integer, bigint and numeric that holds the number, as make_const in parse_node.c.
func numberLiteral(text string) literal {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if n == int64(int32(n)) {
			return literal{oid: oidInt4, text: text}
		}
		return literal{oid: oidInt8, text: text}
	}
	return literal{oid: oidNumeric, text: text}
}

// negate is the value of -l.
func (l literal) negate() (literal, bool) {
	if familyOf(l.oid) != numbers {
		return l, false
	}
	if !l.null {
		if positive, ok := strings.CutPrefix(l.text, "-"); ok {
			l.text = positive
		} else {
			l.text = "-" + strings.TrimPrefix(l.text, "+")
		}
	}
	return l, true
}

// convertible reports whether this package converts constants from one type to another, as a cast does. Conversions that round,
// that print, or that depend on settings are left out.
func convertible(from, to typeOID) bool {
	switch {
	case from == oidUnknown, from == to:
		return true
	case familyOf(from) == texts:
		return true // by the text
	case IsInteger(from):
		return familyOf(to) == numbers
	case from == oidNumeric:
		return isFloat(to)
	case from == oidFloat4:
		return to == oidFloat8
	case from == oidDate:
		return to == oidTimestamp
	}
	return false
}

// read converts a literal that is not NULL to a type to which it is convertible.
func (l literal) read(to typeOID) (datum, *Refusal) {
	if l.oid == oidUnknown || l.oid == to || familyOf(l.oid) == texts {
		return readDatum(to, l.text)
	}
	d, refusal := readDatum(l.oid, l.text)
	if refusal != nil {
		return datum{}, refusal
	}
	switch {
	case IsInteger(to):
		least, greatest := integerBounds(to)
		if d.number.Cmp(new(big.Rat).SetInt64(least)) < 0 || d.number.Cmp(new(big.Rat).SetInt64(greatest)) > 0 {
			return datum{}, &Refusal{Code: codeOutOfRange, Message: fmt.Sprintf("%s out of range", shownType(to))}
		}
		return readDatum(to, d.text)
	case to == oidFloat8 && l.oid == oidFloat4 && d.number != nil:
		f, _ := d.number.Float64()
		return floatDatum(to, f, 64), nil
	case to == oidTimestamp && d.number == nil && !d.isInfinite():
		d.oid, d.text = to, d.text+" 00:00:00"
		return d, nil
	}
	return readDatum(to, d.text)
}

// castType returns the built-in type that a cast names.
func castType(t *pg.TypeName) (oid typeOID, array bool, refusal *Refusal) {
	names := stringsOf(t.GetNames())
	known := len(names) == 1 || len(names) == 2 && names[0] == "pg_catalog"
	if t.GetSetof() || t.GetPctType() || len(t.GetTypmods()) > 0 || len(t.GetArrayBounds()) > 1 || !known {
		return 0, false, refuseCast(t)
	}
	for _, b := range builtins {
		if b.name == names[len(names)-1] {
			return b.oid, len(t.GetArrayBounds()) == 1, nil
		}
	}
	return 0, false, refuseCast(t)
}

func refuseCast(t *pg.TypeName) *Refusal {
	names := make([]string, len(builtins))
	for i, b := range builtins {
		names[i] = b.name
	}
	return at(t.GetLocation(), notSupported("this cast is not supported in a condition on a protected table",
		"Constants may be cast to "+strings.Join(names, ", ")+", without a length or precision."))
}
