package epoch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/release/curator"
	"tacit/rewrite/query"
)

// ErrElsewhere is returned when a table is not where its epoch was sealed: on another server or a restored one, made anew under the same
// name, or with other partitions or columns. Numbers of transactions then tell nothing of the rows that the epoch has.
var ErrElsewhere = errors.New("release: the table, its partitions, its columns or its server are others than when the epoch was sealed")

// A Place is where the rows of an epoch are. Transactions are numbered anew by each server and by each timeline of one, and a table's name
// can be given to another. What is compared stays under VACUUM FULL, CLUSTER and TRUNCATE, which move rows or end an epoch by themselves.
// It does not tell a server from a copy of its files that was started by itself, without recovery.
type Place struct {
	// System is the cluster's identifier, and Timeline the one of its last checkpoint, which a restore to a point in time and a failover change.
	System   string `json:"system"`
	Timeline string `json:"timeline"`
	Database string `json:"database"`
	Table    string `json:"table"`
	// Children are all tables that inherit from the table, its partitions among them, sorted.
	Children []string `json:"children,omitempty"`
	// Columns are the numbers of the public columns, in the policy's order, and of the private one.
	Columns []string `json:"columns"`
}

const (
	placePrivilegeQuery = `SELECT pg_catalog.has_function_privilege('pg_catalog.pg_control_system()', 'EXECUTE')
		AND pg_catalog.has_function_privilege('pg_catalog.pg_control_checkpoint()', 'EXECUTE')`
	placeQuery = `
WITH RECURSIVE protected(oid) AS (
    SELECT c.oid FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = $2),
child(oid) AS (
    SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN protected AS p ON p.oid = i.inhparent
    UNION SELECT i.inhrelid FROM pg_catalog.pg_inherits AS i JOIN child AS c ON c.oid = i.inhparent)
SELECT (SELECT s.system_identifier::pg_catalog.text FROM pg_catalog.pg_control_system() AS s),
       (SELECT t.timeline_id::pg_catalog.text FROM pg_catalog.pg_control_checkpoint() AS t),
       (SELECT d.oid::pg_catalog.text FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()),
       p.oid::pg_catalog.text,
       (SELECT coalesce(pg_catalog.string_agg(c.oid::pg_catalog.text, ',' ORDER BY c.oid), '') FROM child AS c),
       (SELECT coalesce(pg_catalog.string_agg(a.attnum::pg_catalog.text, ',' ORDER BY l.o), '')
        FROM pg_catalog.unnest($3::pg_catalog.text[]) WITH ORDINALITY AS l(name, o)
        JOIN pg_catalog.pg_attribute AS a ON a.attrelid = p.oid AND a.attname = l.name AND NOT a.attisdropped)
FROM protected AS p`
)

// FindPlace reads the catalog, and no row.
func FindPlace(ctx context.Context, s *curator.Snapshot, table *query.Table) (Place, error) {
	var may bool
	if err := s.QueryRow(ctx, placePrivilegeQuery).Scan(&may); err != nil {
		return Place{}, err
	}
	if !may {
		return Place{}, errors.New("the curator cannot tell this server from another: GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint() to it")
	}
	var columns []string
	for _, c := range append(table.PublicColumns(), table.PrivateColumn()) {
		columns = append(columns, c.Name)
	}
	var p Place
	var children, numbers string
	name := table.Policy.Name
	err := s.QueryRow(ctx, placeQuery, name.Schema, name.Name, columns).Scan(&p.System, &p.Timeline, &p.Database, &p.Table, &children, &numbers)
	if err != nil {
		return Place{}, fmt.Errorf("where table %v is: %w", name, err)
	}
	if children != "" {
		p.Children = strings.Split(children, ",")
	}
	p.Columns = strings.Split(numbers, ",")
	return p, nil
}

// equal reports whether rows of the one place are those of the other.
func (p Place) equal(q Place) bool { return p.SameTable(q) && slices.Equal(p.Children, q.Children) }

// SameTable is equal but for partitions.
func (p Place) SameTable(q Place) bool {
	return p.System != "" && p.System == q.System && p.Timeline == q.Timeline && p.Database == q.Database && p.Table == q.Table &&
		slices.Equal(p.Columns, q.Columns)
}

// Attached are the children that another place had not.
func (p Place) Attached(former Place) (added []string) {
	for _, c := range p.Children {
		if !slices.Contains(former.Children, c) {
			added = append(added, c)
		}
	}
	return added
}

// CheckAttached refuses partitions that came with rows which a former seal would take for rows of its epoch.
func CheckAttached(ctx context.Context, s *curator.Snapshot, table *query.Table, added, seals []string) error {
	if len(added) == 0 {
		return nil
	}
	name := table.Policy.Name
	var old bool
	query := fmt.Sprintf(`SELECT EXISTS (SELECT FROM %s AS t, pg_catalog.unnest($2::pg_catalog.text[]) AS seal
		WHERE t.tableoid = ANY ($1::pg_catalog.oid[]) AND pg_catalog.age(t.xmin) NOT BETWEEN 0 AND pg_catalog.age(seal::pg_catalog.xid8::pg_catalog.xid))`, curator.QuoteTable(name))
	if err := s.QueryRow(ctx, query, added, seals).Scan(&old); err != nil {
		return fmt.Errorf("rows of new partitions: %w; run the SQL of `tacit check --sql` again, which lets the curator read tableoid", err)
	}
	if old {
		return errors.New("a partition was attached that holds rows older than the last epoch, which cannot be told from those of the epoch; " +
			"write them anew, by INSERT into the table instead of ATTACH")
	}
	return nil
}
