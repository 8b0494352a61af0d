package postgres

import (
	"fmt"
	"strings"
)

// ledgerSchema is the schema of the ledger's tables, in a database of whatever name.
const ledgerSchema = "tacit_ledger"

// A storable row knows its columns' values, which are int64, string and []byte.
type storable interface{ Values() []any }

// arrayInsertion is a statement that inserts rows, whose columns it takes as arrays: its text is the same for any number of rows.
func arrayInsertion[R any, P interface {
	*R
	storable
}](table, columns string, rows []R) (statement string, args []any) {
	for i := range rows {
		args = appendColumns(args, P(&rows[i]).Values())
	}
	arrays := make([]string, len(args))
	for i, values := range args {
		arrays[i] = fmt.Sprintf("$%d::%s[]", i+1, columnType(values))
	}
	return fmt.Sprintf("INSERT INTO %s.%s (%s) SELECT * FROM unnest(%s)", ledgerSchema, table, columns, strings.Join(arrays, ", ")), args
}

// appendColumns appends the values of a row to the columns so far, of which there are none before the first row.
func appendColumns(columns, row []any) []any {
	if columns == nil {
		columns = make([]any, len(row))
	}
	for i, value := range row {
		switch value := value.(type) {
		case int64:
			columns[i] = appendValue(columns[i], value)
		case string:
			columns[i] = appendValue(columns[i], value)
		case []byte:
			columns[i] = appendValue(columns[i], append([]byte{}, value...)) // never nil, which would be NULL
		default:
			panic(fmt.Sprintf("accountant: internal error: a column of type %T", value))
		}
	}
	return columns
}

func appendValue[V any](column any, value V) any {
	values, _ := column.([]V)
	return append(values, value)
}

// columnType is the type of a column of these values.
func columnType(values any) string {
	switch values.(type) {
	case []int64:
		return "bigint"
	case []string:
		return "text"
	default:
		return "bytea"
	}
}
