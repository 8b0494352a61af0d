package pgvalue

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	pg "github.com/pganalyze/pg_query_go/v6"

	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/pgerror"
)

// A literal is a constant as a statement or a Bind message has it: text of a type, which is Unknown for a quoted string or
// NULL whose type is still to be told by what it is compared with.
type Literal struct {
	OID  OID
	Text string
	Null bool
}

// ReadConst reads a constant of the grammar.
func ReadConst(c *pg.A_Const) (Literal, *pgerror.Refusal) {
	if c.GetIsnull() {
		return Literal{OID: Unknown, Null: true}, nil
	}
	switch v := c.GetVal().(type) {
	case *pg.A_Const_Ival:
		return Literal{OID: Int4, Text: strconv.Itoa(int(v.Ival.GetIval()))}, nil
	case *pg.A_Const_Fval:
		return numberLiteral(v.Fval.GetFval()), nil
	case *pg.A_Const_Boolval:
		return Literal{OID: Bool, Text: strconv.FormatBool(v.Boolval.GetBoolval())}, nil
	case *pg.A_Const_Sval:
		return Literal{OID: Unknown, Text: v.Sval.GetSval()}, nil
	}
	return Literal{}, bitString.With()
}

// numberLiteral is of the first of integer, bigint and numeric that holds the number, as make_const in parse_node.c.
func numberLiteral(text string) Literal {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		if n == int64(int32(n)) {
			return Literal{OID: Int4, Text: text}
		}
		return Literal{OID: Int8, Text: text}
	}
	return Literal{OID: Numeric, Text: text}
}

// Negate is the value of -l.
func (l Literal) Negate() (Literal, bool) {
	if FamilyOf(l.OID) != Numbers {
		return l, false
	}
	if !l.Null {
		if positive, ok := strings.CutPrefix(l.Text, "-"); ok {
			l.Text = positive
		} else {
			l.Text = "-" + strings.TrimPrefix(l.Text, "+")
		}
	}
	return l, true
}

// Convertible reports whether this package converts constants from one type to another, as a cast does. Conversions that round,
// that print, or that depend on settings are left out.
func Convertible(from, to OID) bool {
	switch {
	case from == Unknown, from == to:
		return true
	case FamilyOf(from) == Texts:
		return true // by the text
	case IsInteger(from):
		return FamilyOf(to) == Numbers
	case from == Numeric:
		return IsFloat(to)
	case from == Float4:
		return to == Float8
	case from == Date:
		return to == Timestamp
	}
	return false
}

// Read converts a literal that is not NULL to a type to which it is convertible.
func (l Literal) Read(to OID) (Datum, *pgerror.Refusal) {
	if l.OID == Unknown || l.OID == to || FamilyOf(l.OID) == Texts {
		return ReadDatum(to, l.Text)
	}
	d, refusal := ReadDatum(l.OID, l.Text)
	if refusal != nil {
		return Datum{}, refusal
	}
	switch {
	case IsInteger(to):
		least, greatest := IntegerBounds(to)
		if d.Number.Cmp(new(big.Rat).SetInt64(least)) < 0 || d.Number.Cmp(new(big.Rat).SetInt64(greatest)) > 0 {
			return Datum{}, &pgerror.Refusal{Code: pgerror.CodeOutOfRange, Message: fmt.Sprintf("%s out of range", ShownType(to))}
		}
		return ReadDatum(to, d.Text)
	case to == Float8 && l.OID == Float4 && d.Number != nil:
		f, _ := d.Number.Float64()
		return floatDatum(to, f, 64), nil
	case to == Timestamp && d.Number == nil && !d.IsInfinite():
		d.OID, d.Text = to, d.Text+" 00:00:00"
		return d, nil
	}
	return ReadDatum(to, d.Text)
}

// CastType returns the built-in type that a cast names.
func CastType(t *pg.TypeName) (oid OID, array bool, refusal *pgerror.Refusal) {
	names := pgtree.Strings(t.GetNames())
	known := len(names) == 1 || len(names) == 2 && names[0] == "pg_catalog"
	if t.GetSetof() || t.GetPctType() || len(t.GetTypmods()) > 0 || len(t.GetArrayBounds()) > 1 || !known {
		return 0, false, RefuseCast(t)
	}
	for _, b := range Builtins {
		if b.Name == names[len(names)-1] {
			return b.OID, len(t.GetArrayBounds()) == 1, nil
		}
	}
	return 0, false, RefuseCast(t)
}

func RefuseCast(t *pg.TypeName) *pgerror.Refusal {
	names := make([]string, len(Builtins))
	for i, b := range Builtins {
		names[i] = b.Name
	}
	return castUnread.At(t.GetLocation(), strings.Join(names, ", "))
}

func BoolLiteral(b bool) Literal { return Literal{OID: Bool, Text: strconv.FormatBool(b)} }
