package query

import (
	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgtree"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// What a query is made of, as the packages under rewrite know it.
type (
	// Value is that of a parameter, or of a key of a cell, in text form.
	Value = pgvalue.Value
	// Table is a protected table, Column one of its columns or what is computed of them.
	Table  = expr.Table
	Column = expr.Column
	// Person says how persons are told apart in a table in which one may have several rows.
	Person = expr.Person
	// PublicTable is a table that protected ones may be joined with.
	PublicTable = expr.PublicTable
	// ValueRange is a declared range whose values are not listed.
	ValueRange = expr.ValueRange
	// Extent is a set of values of one column.
	Extent = extent.Extent
)

// EnumOID stands for every enum type.
const EnumOID = pgvalue.Enum

// NewValueRange reads the ends of a declared range as constants of a column's type.
func NewValueRange(c *Column, least, greatest string) (*ValueRange, error) {
	return expr.NewValueRange(c, least, greatest)
}

// IsInteger reports whether a type is smallint, integer or bigint.
func IsInteger(oid uint32) bool { return pgvalue.IsInteger(oid) }

// ArrayLiteral prints a one-dimensional array in the text form that array_in reads.
func ArrayLiteral(values []string) string { return pgvalue.ArrayLiteral(values) }

// QuoteString prints a text as a constant of SQL.
func QuoteString(text string) string { return pgvalue.QuoteString(text) }

// DecodeParam reads a parameter of a Bind message; format is 0 for text and 1 for binary, and data is nil for NULL. Of types that no
// condition on a protected table compares with, the value is not looked at and left empty: no count query uses it.
func DecodeParam(oid uint32, format int16, data []byte) (Value, *pgerror.Refusal) {
	return pgvalue.DecodeParam(oid, format, data)
}

// CanonicalKey is an expression for the canonical value of a key: values that the type's equality does not tell apart look
// alike, so that no single row's spelling shows.
func CanonicalKey(expression string, oid uint32) string { return expr.CanonicalKey(expression, oid) }

// IsExpression says whether a text is one expression and nothing else, so that it stays one in parentheses: not two, and no clause behind it
// that closes the parenthesis.
func IsExpression(text string) bool { return pgtree.IsExpression(text) }
