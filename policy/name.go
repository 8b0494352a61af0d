package policy

import (
	"fmt"

	"tacit/policy/internal/name"
)

// ParseTableName reads schema.name. Each part is taken as it stands in the catalog, without folding to lower case; a part that
// holds a dot or a space is written in double quotes. What String prints is read back as the same name.
func ParseTableName(s string) (TableName, error) {
	parts, err := name.Split(s)
	if err != nil {
		return TableName{}, err
	}
	switch len(parts) {
	case 1:
		return TableName{}, fmt.Errorf("%s has no schema; did you mean public.%[1]s?", s)
	case 2:
		return TableName{parts[0], parts[1]}, nil
	}
	return TableName{}, fmt.Errorf("%s has %d parts instead of a schema and a name", s, len(parts))
}

// parseColumnName reads schema.table.column in the manner of ParseTableName.
func parseColumnName(s string) (ColumnName, error) {
	parts, err := name.Split(s)
	if err != nil {
		return ColumnName{}, err
	}
	if len(parts) != 3 {
		return ColumnName{}, fmt.Errorf("%s has %d parts instead of a schema, a table and a column", s, len(parts))
	}
	return ColumnName{TableName{parts[0], parts[1]}, parts[2]}, nil
}

// String returns schema.name, with double quotes only where SQL needs them.
func (t TableName) String() string {
	return name.Quote(t.Schema) + "." + name.Quote(t.Name)
}

// String returns schema.table.column, with double quotes only where SQL needs them.
func (c ColumnName) String() string {
	return c.Table.String() + "." + name.Quote(c.Column)
}
