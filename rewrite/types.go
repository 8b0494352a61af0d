package rewrite

import "fmt"

// A typeOID is the OID of a built-in type, which is the same on every server (pg_type.dat).
type typeOID = uint32

const (
	oidUnspecified typeOID = 0
	oidBool        typeOID = 16
	oidInt8        typeOID = 20
	oidInt2        typeOID = 21
	oidInt4        typeOID = 23
	oidText        typeOID = 25
	oidFloat4      typeOID = 700
	oidFloat8      typeOID = 701
	oidUnknown     typeOID = 705
	oidBpchar      typeOID = 1042
	oidVarchar     typeOID = 1043
	oidDate        typeOID = 1082
	oidTimestamp   typeOID = 1114
	oidTimestamptz typeOID = 1184
	oidNumeric     typeOID = 1700
	oidUUID        typeOID = 2950
	oidInterval    typeOID = 1186
	oidAny         typeOID = 2276 // stands for a type that is none of these
)

// A builtin is a type whose values this package reads as the server does, and whose comparison operators are total if it has a family.
type builtin struct {
	oid    typeOID
	name   string // in pg_catalog
	array  typeOID
	shown  string // as format_type prints it, for messages
	family family
}

// A family is a set of types whose values are compared with one another.
type family int

const (
	otherFamily family = iota
	booleans
	numbers
	texts
	blanks // character(n), which disregards trailing blanks
	dates  // date and timestamp
	instants
	uuids
)

var builtins = []builtin{
	{oidBool, "bool", 1000, "boolean", booleans},
	{oidInt2, "int2", 1005, "smallint", numbers},
	{oidInt4, "int4", 1007, "integer", numbers},
	{oidInt8, "int8", 1016, "bigint", numbers},
	{oidNumeric, "numeric", 1231, "numeric", numbers},
	{oidFloat4, "float4", 1021, "real", numbers},
	{oidFloat8, "float8", 1022, "double precision", numbers},
	{oidText, "text", 1009, "text", texts},
	{oidVarchar, "varchar", 1015, "character varying", texts},
	{oidBpchar, "bpchar", 1014, "character", blanks},
	{oidDate, "date", 1182, "date", dates},
	{oidTimestamp, "timestamp", 1115, "timestamp without time zone", dates},
	{oidTimestamptz, "timestamptz", 1185, "timestamp with time zone", instants},
	{oidUUID, "uuid", 2951, "uuid", uuids},
	{oidInterval, "interval", 1187, "interval", otherFamily}, // of constants and of arguments only: it is neither compared nor a key
}

func builtinType(oid typeOID) (builtin, bool) {
	for _, b := range builtins {
		if b.oid == oid {
			return b, true
		}
	}
	return builtin{}, false
}

// elementType returns the element type of an array type.
func elementType(array typeOID) (builtin, bool) {
	for _, b := range builtins {
		if b.array == array {
			return b, true
		}
	}
	return builtin{}, false
}

func familyOf(oid typeOID) family {
	b, _ := builtinType(oid)
	return b.family
}

// shownType is a type's name in PostgreSQL's messages.
func shownType(oid typeOID) string {
	if b, ok := builtinType(oid); ok {
		return b.shown
	}
	if b, ok := elementType(oid); ok {
		return b.shown + "[]"
	}
	if oid == oidUnknown || oid == oidUnspecified {
		return "unknown"
	}
	return fmt.Sprintf("type %d", oid)
}

// IsInteger reports whether a type is smallint, integer or bigint.
func IsInteger(oid uint32) bool { return oid == oidInt2 || oid == oidInt4 || oid == oidInt8 }

func isFloat(oid typeOID) bool { return oid == oidFloat4 || oid == oidFloat8 }

// isDecimal reports whether numbers of a type have digits after the point.
func isDecimal(oid typeOID) bool { return oid == oidNumeric || isFloat(oid) }

// integerBounds are the least and the greatest value of an integer type.
func integerBounds(oid typeOID) (least, greatest int64) {
	switch oid {
	case oidInt2:
		return -1 << 15, 1<<15 - 1
	case oidInt4:
		return -1 << 31, 1<<31 - 1
	}
	return -1 << 63, 1<<63 - 1
}
