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
