package query

import (
	"fmt"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// Assign converts the argument of an EXECUTE to the parameter's type as an assignment does (EvaluateParams in prepare.c). Of the
// conversions that PostgreSQL has, those are left out that depend on settings, and those of binary floating point.
func Assign(n int, v pgvalue.Value, to pgvalue.OID) (pgvalue.Value, *pgerror.Refusal) {
	from := v.TypeOID
	if from == pgvalue.Unspecified || from == to {
		return pgvalue.Value{Text: v.Text, Null: v.Null}, nil
	}
	if !assignable(from, to) {
		return pgvalue.Value{}, &pgerror.Refusal{
			Code:    pgerror.CodeNotSupported,
			Message: fmt.Sprintf("argument %d of EXECUTE is of type %s, and the parameter of type %s", n, pgvalue.ShownType(from), pgvalue.ShownType(to)),
			Hint:    "Write the value as a quoted string, which is read as the parameter's type.",
		}
	}
	if v.Null {
		return pgvalue.Value{Null: true}, nil
	}
	d, refusal := pgvalue.ReadDatum(from, v.Text)
	if refusal != nil {
		return pgvalue.Value{}, refusal
	}
	return assignDatum(d, to)
}

func assignable(from, to pgvalue.OID) bool {
	switch {
	case from == pgvalue.Bool, pgvalue.IsInteger(from) && pgvalue.FamilyOf(to) != pgvalue.Numbers, pgvalue.IsText(from):
		return pgvalue.IsText(to)
	case from == pgvalue.Numeric && pgvalue.IsInteger(to):
		return true
	}
	return pgvalue.Convertible(from, to)
}

func assignDatum(d pgvalue.Datum, to pgvalue.OID) (pgvalue.Value, *pgerror.Refusal) {
	switch {
	case d.OID == pgvalue.Bool:
		return pgvalue.Value{Text: map[string]string{"t": "true", "f": "false"}[d.Text]}, nil
	case pgvalue.IsText(to):
		return pgvalue.Value{Text: d.Text}, nil
	case d.OID == pgvalue.Numeric && pgvalue.IsInteger(to):
		if d.Number == nil {
			return pgvalue.Value{}, &pgerror.Refusal{Code: pgerror.CodeNotSupported, Message: "cannot convert NaN to " + pgvalue.ShownType(to)}
		}
		d = pgvalue.Datum{OID: pgvalue.Numeric, Text: d.Number.FloatString(0)} // rounds halves away from zero, as numeric does
	}
	converted, refusal := pgvalue.Literal{OID: d.OID, Text: d.Text}.Read(to)
	return pgvalue.Value{Text: converted.Text}, refusal
}
