package postgres

import (
	"fmt"
	"strings"
)

// ledgerSchema is the schema of the ledger's tables, in a database of whatever name.
const ledgerSchema = "tacit_ledger"

// A storable row knows its columns' values, which are int64, string and []byte.
type storable interface{ Values() []any }

// insertion is a statement that inserts rows, whose columns it takes as arrays: its text is the same for any number of rows.
func insertion[R any, P interface {
	*R
	storable
}](table, columns string) string {
	var arrays []string
	for i, value := range P(new(R)).Values() {
		arrays = append(arrays, fmt.Sprintf("$%d::%s[]", i+1, columnType(value)))
	}
	return fmt.Sprintf("INSERT INTO %s.%s (%s) SELECT * FROM unnest(%s)", ledgerSchema, table, columns, strings.Join(arrays, ", "))
}

// columnsOf are the values of rows by their columns.
func columnsOf[R any, P interface {
	*R
	storable
}](rows []R) (columns []any) {
	for i := range rows {
		columns = appendColumns(columns, P(&rows[i]).Values(), len(rows))
	}
	return columns
}

// appendColumns appends the values of a row to the columns so far, of which there are none before the first row.
func appendColumns(columns, row []any, rows int) []any {
	if columns == nil {
		columns = make([]any, len(row))
	}
	for i, value := range row {
		switch value := value.(type) {
		case int64:
			columns[i] = appendValue(columns[i], value, rows)
		case string:
			columns[i] = appendValue(columns[i], value, rows)
		case []byte:
			if value == nil {
				value = []byte{} // nil would be NULL
			}
			columns[i] = appendValue(columns[i], value, rows)
		default:
			panic(fmt.Sprintf("accountant: internal error: a column of type %T", value))
		}
	}
	return columns
}

func appendValue[V any](column any, value V, rows int) any {
	values, ok := column.([]V)
	if !ok {
		values = make([]V, 0, rows)
	}
	return append(values, value)
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
