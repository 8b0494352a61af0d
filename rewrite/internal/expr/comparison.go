package expr

import (
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// ComparisonType tells as what type a constant is read that is compared with a column: what oper() in parse_oper.c settles on,
// except that a constant beside an integer column keeps its own numeric type. Where the server's comparison could fail or round
// for some rows (numeric as float), or depends on TimeZone, there is none.
func ComparisonType(column, operand pgvalue.OID) (pgvalue.OID, *pgerror.Refusal) {
	columnFamily, operandFamily := pgvalue.FamilyOf(column), pgvalue.FamilyOf(operand)
	switch {
	case operand == pgvalue.Unknown && column == pgvalue.Varchar, column == pgvalue.Enum && (operand == pgvalue.Unknown || operandFamily == pgvalue.Texts):
		return pgvalue.Text, nil
	case operand == pgvalue.Unknown:
		return column, nil
	case columnFamily == pgvalue.Numbers && operandFamily == pgvalue.Numbers:
		return comparisonNumber(column, operand)
	case columnFamily == pgvalue.Texts && operandFamily == pgvalue.Texts:
		return pgvalue.Text, nil
	case columnFamily == pgvalue.Blanks && operandFamily == pgvalue.Texts:
		return operand, nil
	case column == pgvalue.Date && operandFamily == pgvalue.Dates:
		return operand, nil
	case columnFamily == operandFamily && columnFamily != pgvalue.NoFamily:
		return column, nil
	case pgvalue.IsTime(column) && pgvalue.IsTime(operand):
		return 0, comparedInZone.With(pgvalue.ShownType(column), pgvalue.ShownType(operand))
	case columnFamily == pgvalue.Texts && operandFamily == pgvalue.Blanks:
		return 0, RefuseComparison(column, operand, "Cast the constant to text.")
	}
	return 0, &pgerror.Refusal{Code: pgerror.CodeUndefinedOp}
}

func comparisonNumber(column, operand pgvalue.OID) (pgvalue.OID, *pgerror.Refusal) {
	switch {
	case pgvalue.IsInteger(column) && column == pgvalue.Int8 && pgvalue.IsFloat(operand):
		return pgvalue.Float8, nil
	case pgvalue.IsInteger(column):
		return operand, nil
	case column == pgvalue.Numeric && pgvalue.IsFloat(operand):
		return 0, RefuseComparison(column, operand, "Cast the constant to numeric.")
	case column == pgvalue.Float4 && operand != pgvalue.Float4:
		return pgvalue.Float8, nil
	}
	return column, nil
}

func RefuseComparison(left, right pgvalue.OID, hint string) *pgerror.Refusal {
	return comparisonRefused.With(pgvalue.ShownType(left), pgvalue.ShownType(right), hint)
}

func UndefinedOperator(left pgvalue.OID, op Operator, right pgvalue.OID) *pgerror.Refusal {
	return operatorUndefined.With(pgvalue.ShownType(left), op, pgvalue.ShownType(right))
}

// CollationOf is the collation of a stored column; what is computed has the database's.
func CollationOf(e Expression) string {
	if c, ok := e.(*Column); ok {
		return c.Collation
	}
	return ""
}

// SpanOf has the values that compare with a constant as an operator, but for unequal, says.
func SpanOf(op Operator, p extent.Point) extent.Span {
	before, after := extent.Cut{At: p, After: false}, extent.Cut{At: p, After: true}
	switch op {
	case Equal:
		return extent.Span{From: before, To: after}
	case Less:
		return extent.Span{From: extent.Lowest, To: before}
	case LessEqual:
		return extent.Span{From: extent.Lowest, To: after}
	case Greater:
		return extent.Span{From: after, To: extent.Highest}
	case GreaterEqual:
		return extent.Span{From: before, To: extent.Highest}
	}
	panic("rewrite: internal error: the values unequal to one are not one span")
}
