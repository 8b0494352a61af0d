package small

import (
	"fmt"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/pgvalue"
)

// Text makes a text NULL that is longer than what functions take.
func Text(text string) string {
	return fmt.Sprintf("(SELECT CASE WHEN pg_catalog.octet_length(y.t) OPERATOR(pg_catalog.<=) %d THEN y.t END FROM (SELECT %s AS t OFFSET 0) AS y)", bounds.GuardedBytes, text)
}

// maxElements bounds those of an array.
const maxElements = 10_000

// maxCompressed bounds what is stored of a value that is compressed, whose own length is up to 255 times as much.
const maxCompressed = 8192

// Value prints a test that a document or an array is small, which never fails: it looks at what is stored before anything is unpacked, and then at the
// number of elements.
func Value(name string, oid pgvalue.OID) string {
	test := fmt.Sprintf("pg_catalog.pg_column_size(%[1]s) OPERATOR(pg_catalog.<=) CASE WHEN pg_catalog.pg_column_compression(%[1]s) IS NULL THEN %d ELSE %d END",
		name, bounds.GuardedBytes, maxCompressed)
	if oid == pgvalue.Jsonb {
		return "(" + test + ")"
	}
	return fmt.Sprintf("CASE WHEN %s THEN pg_catalog.cardinality(%s) OPERATOR(pg_catalog.<=) %d END", test, name, maxElements)
}

// Elapsed continues a test of a value: that an interval can be taken apart, and nothing for other types. PostgreSQL 14 fails where the part below days is
// beyond 2^31 hours, though it may be offset by days and months, as intervals are compared.
func Elapsed(name string, oid pgvalue.OID) string {
	if oid != pgvalue.Interval {
		return ""
	}
	const most = "'2147483647 hours'::pg_catalog.interval"
	days := name + "::interval day" // without that part
	return fmt.Sprintf(" AND %[1]s OPERATOR(pg_catalog.<) (%[2]s OPERATOR(pg_catalog.+) %[3]s) AND %[1]s OPERATOR(pg_catalog.>) (%[2]s OPERATOR(pg_catalog.-) %[3]s)", name, days, most)
}
