package curator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// uniqueQuery lists the unique keys of a table: those of valid indexes over plain columns of all rows, with the columns' own
// collations and the usual equality. One WITHOUT OVERLAPS (PostgreSQL 18) is none: its rows differ by a period. A table with children that are no partitions has none, since a key is unique in each alone.
const uniqueQuery = `
SELECT (SELECT pg_catalog.array_agg(a.attname::pg_catalog.text ORDER BY k.n)
        FROM pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY AS k(attnum, n)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = k.attnum
        WHERE k.n <= i.indnkeyatts)
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid
WHERE n.nspname = $1 AND c.relname = $2 AND (c.relkind = 'p' OR c.relkind = 'r' AND NOT c.relhassubclass)
  AND i.indisunique AND NOT i.indisexclusion AND i.indisvalid AND i.indisready AND i.indpred IS NULL AND i.indexprs IS NULL
  AND NOT EXISTS (
      SELECT FROM pg_catalog.generate_series(0, i.indnkeyatts - 1) AS k(n)
      JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[k.n]
      JOIN pg_catalog.pg_opclass AS o ON o.oid = i.indclass[k.n]
      WHERE a.attcollation <> i.indcollation[k.n] OR NOT o.opcdefault)
ORDER BY i.indisprimary DESC, i.indexrelid`

func uniqueKeys(ctx context.Context, s *Snapshot, name policy.TableName) ([][]string, error) {
	rows, err := s.Conn.Query(ctx, uniqueQuery, name.Schema, name.Name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[[]string])
}

// loadPublic describes the public tables, with which protected ones may be joined along a unique key.
func loadPublic(ctx context.Context, s *Snapshot, p *policy.Policy, catalog *rewrite.Catalog, hash io.Writer) error {
	catalog.Public = make(map[policy.TableName]*query.PublicTable)
	for _, name := range p.Public {
		table := &query.PublicTable{Name: name}
		var err error
		if table.OID, table.Columns, err = loadColumns(ctx, s, name); err != nil {
			return fmt.Errorf("public table %s: %w", name, err)
		}
		if table.Unique, err = uniqueKeys(ctx, s, name); err != nil {
			return fmt.Errorf("public table %s: %w", name, err)
		}
		catalog.Public[name] = table
		if err := json.NewEncoder(hash).Encode([]any{table.OID, table.Columns, table.Unique}); err != nil {
			return err
		}
	}
	return nil
}
