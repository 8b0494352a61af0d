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

// Value prints a test that a document or an array is small, which never fails: it looks at what is stored, which is at most 255 times smaller than the
// value, and then at the number of elements.
func Value(name string, oid pgvalue.OID) string {
	test := fmt.Sprintf("pg_catalog.pg_column_size(%s) OPERATOR(pg_catalog.<=) %d", name, bounds.GuardedBytes)
	if oid == pgvalue.Jsonb {
		return test
	}
	return fmt.Sprintf("CASE WHEN %s THEN pg_catalog.cardinality(%s) OPERATOR(pg_catalog.<=) %d END", test, name, maxElements)
}
