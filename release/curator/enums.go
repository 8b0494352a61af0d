package curator

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/rewrite/query"
)

// The labels of an enum are public: they are in the server's catalog, which every role can read. So a column of an enum type has a declared
// domain, the labels in their order, unless the policy declares fewer values. A label that is added changes the domain, and thus what questions are.

// An enumType is the type of a column.
type enumType struct {
	labels []string
	// name is its qualified name, nil if some analyst may not name what is in its schema.
	name []string
}

const enumsQuery = `
SELECT a.attname, n.nspname, t.typname,
       NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = ANY ($2::pg_catalog.text[]) AND NOT pg_catalog.has_schema_privilege(r.oid, n.oid, 'USAGE')),
       ARRAY(SELECT e.enumlabel::pg_catalog.text FROM pg_catalog.pg_enum AS e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder)
FROM pg_catalog.pg_attribute AS a
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid AND t.typtype = 'e'
JOIN pg_catalog.pg_namespace AS n ON n.oid = t.typnamespace
WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped`

// loadEnums finds the columns of a table that are of enum types.
func loadEnums(ctx context.Context, s *Snapshot, table uint32, analysts []policy.Analyst) (map[string]enumType, error) {
	names := make([]string, len(analysts))
	for i, a := range analysts {
		names[i] = a.Name
	}
	rows, err := s.Conn.Query(ctx, enumsQuery, table, names)
	if err != nil {
		return nil, fmt.Errorf("enum types: %w", err)
	}
	enums := make(map[string]enumType)
	var column, schema, name string
	var usable bool
	var labels []string
	_, err = pgx.ForEachRow(rows, []any{&column, &schema, &name, &usable, &labels}, func() error {
		e := enumType{labels: labels}
		if usable {
			e.name = []string{schema, name}
		}
		enums[column] = e
		labels = nil
		return nil
	})
	return enums, err
}

// describe makes the column one of an enum.
func (e enumType) describe(c *query.Column) {
	c.TypeOID, c.TypeName, c.EnumName = query.EnumOID, "pg_catalog.text", e.name
}
