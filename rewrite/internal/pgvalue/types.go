package pgvalue

import (
	"fmt"
	"slices"
)

// A OID is the OID of a built-in type, which is the same on every server (pg_type.dat).
type OID = uint32

const (
	Unspecified OID = 0
	Bool        OID = 16
	Int8        OID = 20
	Int2        OID = 21
	Int4        OID = 23
	Text        OID = 25
	Float4      OID = 700
	Float8      OID = 701
	Unknown     OID = 705
	Bpchar      OID = 1042
	Varchar     OID = 1043
	Date        OID = 1082
	Timestamp   OID = 1114
	Timestamptz OID = 1184
	Numeric     OID = 1700
	UUID        OID = 2950
	Interval    OID = 1186
	Jsonb       OID = 3802
	Any         OID = 2276 // stands for a type that is none of these
	Enum        OID = 3500 // stands for every enum type: values are the texts of their labels
)

// A builtin is a type whose values this package reads as the server does, and whose comparison operators are total if it has a family.
type builtin struct {
	OID    OID
	Name   string // in pg_catalog
	Array  OID
	Shown  string // as format_type prints it, for messages
	Family Family
}

// A family is a set of types whose values are compared with one another.
type Family int

const (
	NoFamily Family = iota
	Booleans
	Numbers
	Texts
	Blanks // character(n), which disregards trailing blanks
	Dates  // date and timestamp
	Instants
	UUIDs
	Enums     // compared by = and <> alone: what is less is a matter of each type
	Intervals // compared, but never keys: 1 mon equals 30 days, and a group would show the spelling of one of its rows
)

var Builtins = []builtin{
	{Bool, "bool", 1000, "boolean", Booleans},
	{Int2, "int2", 1005, "smallint", Numbers},
	{Int4, "int4", 1007, "integer", Numbers},
	{Int8, "int8", 1016, "bigint", Numbers},
	{Numeric, "numeric", 1231, "numeric", Numbers},
	{Float4, "float4", 1021, "real", Numbers},
	{Float8, "float8", 1022, "double precision", Numbers},
	{Text, "text", 1009, "text", Texts},
	{Varchar, "varchar", 1015, "character varying", Texts},
	{Bpchar, "bpchar", 1014, "character", Blanks},
	{Date, "date", 1182, "date", Dates},
	{Timestamp, "timestamp", 1115, "timestamp without time zone", Dates},
	{Timestamptz, "timestamptz", 1185, "timestamp with time zone", Instants},
	{UUID, "uuid", 2951, "uuid", UUIDs},
	{Interval, "interval", 1187, "interval", Intervals},
}

// Structured types are those of values that functions take apart, and that are not compared: of no column that is one is a key made.
var structured = []builtin{
	{Jsonb, "jsonb", ^OID(0), "jsonb", NoFamily},
	{1009, "_text", ^OID(0), "text[]", NoFamily},
	{1015, "_varchar", ^OID(0), "character varying[]", NoFamily},
	{1007, "_int4", ^OID(0), "integer[]", NoFamily},
	{1016, "_int8", ^OID(0), "bigint[]", NoFamily},
}

// IsStructured reports whether a type is one of these.
func IsStructured(oid OID) bool {
	return slices.ContainsFunc(structured, func(b builtin) bool { return b.OID == oid })
}

// Known finds a type that values are computed of, structured or not.
func known(oid OID) (builtin, bool) {
	if i := slices.IndexFunc(structured, func(b builtin) bool { return b.OID == oid }); i >= 0 {
		return structured[i], true
	}
	return BuiltinType(oid)
}

// OIDOf finds a type that values are computed of by its name; ok is false if there is none.
func OIDOf(name string) (oid OID, ok bool) {
	for _, b := range slices.Concat(Builtins, structured) {
		if b.Name == name {
			return b.OID, true
		}
	}
	return 0, false
}

// enums has no array type, for which 0 would be an unspecified one.
var enums = builtin{Enum, "text", ^OID(0), "enum", Enums}

func BuiltinType(oid OID) (builtin, bool) {
	if oid == Enum {
		return enums, true
	}
	for _, b := range Builtins {
		if b.OID == oid {
			return b, true
		}
	}
	return builtin{}, false
}

// ElementType returns the element type of an array type.
func ElementType(array OID) (builtin, bool) {
	for _, b := range Builtins {
		if b.Array == array {
			return b, true
		}
	}
	return builtin{}, false
}

func FamilyOf(oid OID) Family {
	b, _ := BuiltinType(oid)
	return b.Family
}

// CanBeKey reports whether equal values of a type can be shown as one.
func CanBeKey(oid OID) bool { f := FamilyOf(oid); return f != NoFamily && f != Intervals }

// ShownType is a type's name in PostgreSQL's messages.
func ShownType(oid OID) string {
	if b, ok := known(oid); ok {
		return b.Shown
	}
	if b, ok := ElementType(oid); ok {
		return b.Shown + "[]"
	}
	if oid == Unknown || oid == Unspecified {
		return "unknown"
	}
	return fmt.Sprintf("type %d", oid)
}

// IsInteger reports whether a type is smallint, integer or bigint.
func IsInteger(oid uint32) bool { return oid == Int2 || oid == Int4 || oid == Int8 }

func IsFloat(oid OID) bool { return oid == Float4 || oid == Float8 }

// IsDecimal reports whether numbers of a type have digits after the point.
func IsDecimal(oid OID) bool { return oid == Numeric || IsFloat(oid) }

// IntegerBounds are the least and the greatest value of an integer type.
func IntegerBounds(oid OID) (least, greatest int64) {
	switch oid {
	case Int2:
		return -1 << 15, 1<<15 - 1
	case Int4:
		return -1 << 31, 1<<31 - 1
	}
	return -1 << 63, 1<<63 - 1
}

func Typname(oid OID) string {
	b, _ := BuiltinType(oid)
	return b.Name
}

func IsText(oid OID) bool { return FamilyOf(oid) == Texts || FamilyOf(oid) == Blanks }

func IsTime(oid OID) bool { return FamilyOf(oid) == Dates || FamilyOf(oid) == Instants }

// Rank orders the number types so that each is cast to the later ones implicitly.
func Rank(oid OID) int {
	for i, b := range Builtins {
		if b.OID == oid {
			return i
		}
	}
	return -1
}

func TypeName(oid OID) string {
	b, ok := known(oid)
	if !ok {
		panic("rewrite: internal error: constant of an unknown type")
	}
	return "pg_catalog." + b.Name
}
