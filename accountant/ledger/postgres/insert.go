package postgres

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"
)

// ledgerSchema is the schema of the ledger's tables, in a database of whatever name.
const ledgerSchema = "tacit_ledger"

// A storable row knows its columns' values, which are int64, string and []byte.
type storable interface{ Values() []any }

// insertion is a statement that inserts rows, whose columns it takes as arrays: its text is the same for any number of rows. The server goes through the
// first array, and takes from each other one the element at the same place: to go through all of them together it would copy each first.
func insertion[R any, P interface {
	*R
	storable
}](table, columns string) string {
	var values []string
	for i, value := range P(new(R)).Values() {
		if i == 0 {
			values = append(values, "first.value")
			continue
		}
		values = append(values, fmt.Sprintf("($%d::%s[])[first.place::integer]", i+1, columnType(value)))
	}
	return fmt.Sprintf("INSERT INTO %s.%s (%s) SELECT %s FROM unnest($1::bigint[]) WITH ORDINALITY AS first (value, place)",
		ledgerSchema, table, columns, strings.Join(values, ", "))
}

// arraysOf are the columns of rows as binary arrays, in the order of the parameters of an insertion.
func arraysOf[R any, P interface {
	*R
	storable
}](rows []R) [][]byte {
	var arrays [][]byte
	for i := range rows {
		values := P(&rows[i]).Values()
		if arrays == nil {
			arrays = make([][]byte, len(values))
		}
		for column, value := range values {
			if i == 0 {
				arrays[column] = beginArray(value, len(rows))
			}
			arrays[column] = appendElement(arrays[column], value)
		}
	}
	return arrays
}

// beginArray is the head of a binary array of such values without NULL: how many dimensions, whether there is a NULL, the type of an element, how many
// there are, and the number of the first one.
func beginArray(value any, length int) []byte {
	array := make([]byte, 0, 20+length*16)
	for _, n := range []uint32{1, 0, elementType(value), uint32(length), 1} {
		array = binary.BigEndian.AppendUint32(array, n)
	}
	return array
}

// appendElement appends a value behind its length.
func appendElement(array []byte, value any) []byte {
	switch value := value.(type) {
	case int64:
		return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(array, 8), uint64(value))
	case string:
		return append(binary.BigEndian.AppendUint32(array, uint32(len(value))), value...)
	default:
		element := binaryOf(value)
		return append(binary.BigEndian.AppendUint32(array, uint32(len(element))), element...)
	}
}

// binaryOf is a value as the server reads it.
func binaryOf(value any) []byte {
	switch value := value.(type) {
	case int64:
		return binary.BigEndian.AppendUint64(nil, uint64(value))
	case string:
		return []byte(value)
	case []byte:
		return append([]byte{}, value...) // never nil, which would be NULL
	default:
		panic(fmt.Sprintf("accountant: internal error: a column of type %T", value))
	}
}

// columnType is the type of a column with such values.
func columnType(value any) string {
	switch value.(type) {
	case int64:
		return "bigint"
	case string:
		return "text"
	default:
		return "bytea"
	}
}

// elementType is the number of that type.
func elementType(value any) uint32 {
	switch value.(type) {
	case int64:
		return pgtype.Int8OID
	case string:
		return pgtype.TextOID
	default:
		return pgtype.ByteaOID
	}
}
