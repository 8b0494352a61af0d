package curator

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tacit/policy"
	"tacit/rewrite"
	"tacit/rewrite/mask"
	"tacit/rewrite/query"
)

// loadCatalog describes the policy's tables as the server has them now, with the declared domains in canonical text.
// A domain depends on the policy and on public tables only, never on a protected row.
func (c *Curator) loadCatalog(ctx context.Context, s *Snapshot, p *policy.Policy) (*rewrite.Catalog, error) {
	catalog := &rewrite.Catalog{Tables: make(map[policy.TableName]*query.Table)}
	hash := sha256.New()
	fmt.Fprintln(hash, p.Version)
	for _, t := range p.Tables {
		table, err := loadTable(ctx, s, p, t)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		catalog.Tables[t.Name] = table
		if err := json.NewEncoder(hash).Encode([]any{table.OID, table.Columns, table.Unlisted, table.Present, table.Person, table.Private}); err != nil {
			return nil, err
		}
	}
	if err := loadPublic(ctx, s, p, catalog, hash); err != nil {
		return nil, err
	}
	var err error
	if catalog.Related, err = loadRelated(ctx, s, p); err != nil {
		return nil, err
	}
	for _, name := range slices.SortedFunc(maps.Keys(catalog.Related), CompareNames) {
		fmt.Fprintf(hash, "related %q\n", name.String())
	}
	withheld, err := loadWithheld(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("privileges on the system's catalog: %w", err)
	}
	for _, t := range p.Tables {
		table, err := shown(ctx, s, catalog.Tables[t.Name])
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", t.Name, err)
		}
		withheld.Protected = append(withheld.Protected, table)
	}
	if err := json.NewEncoder(hash).Encode(withheld); err != nil {
		return nil, err
	}
	catalog.Masks = mask.New(withheld)
	catalog.Version = hex.EncodeToString(hash.Sum(nil)[:16])
	for _, table := range catalog.Tables {
		table.Version = catalog.Version
	}
	if err := c.computed.load(ctx, s, p, catalog); err != nil {
		return nil, fmt.Errorf("expressions of workloads: %w", err)
	}
	return catalog, nil
}

// relatedQuery finds what the planner looks into protected tables for, besides their own names: the server plans a statement
// before it denies it. A view of an analyst's own counts only if it reads such a relation, not if it holds its name in a
// constant, which is a dependency too: by that she could keep others from names of her choice.
const relatedQuery = `
WITH RECURSIVE edge(source, target) AS (
    SELECT inhparent, inhrelid FROM pg_catalog.pg_inherits
    UNION ALL SELECT inhrelid, inhparent FROM pg_catalog.pg_inherits
    UNION ALL SELECT d.refobjid, r.ev_class
              FROM pg_catalog.pg_depend AS d
              JOIN pg_catalog.pg_rewrite AS r ON r.oid = d.objid
              JOIN pg_catalog.pg_class AS v ON v.oid = r.ev_class
              JOIN pg_catalog.pg_roles AS o ON o.oid = v.relowner
              WHERE (NOT o.rolname = ANY ($3::pg_catalog.text[]) OR r.ev_action::pg_catalog.text ~ (':relid ' || d.refobjid || ' '))
                AND d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
                AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass AND r.ev_class <> d.refobjid),
protected(oid) AS (
    SELECT c.oid FROM ROWS FROM (pg_catalog.unnest($1::pg_catalog.text[]), pg_catalog.unnest($2::pg_catalog.text[])) AS t(schema, name)
    JOIN pg_catalog.pg_namespace AS n ON n.nspname = t.schema
    JOIN pg_catalog.pg_class AS c ON c.relnamespace = n.oid AND c.relname = t.name),
related(oid) AS (
    SELECT oid FROM protected
    UNION SELECT e.target FROM related AS r JOIN edge AS e ON e.source = r.oid)
SELECT n.nspname, c.relname
FROM related AS r
JOIN pg_catalog.pg_class AS c ON c.oid = r.oid
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
WHERE r.oid NOT IN (SELECT oid FROM protected)`

func loadRelated(ctx context.Context, s *Snapshot, p *policy.Policy) (map[policy.TableName]bool, error) {
	var schemas, names, analysts []string
	for _, t := range p.Tables {
		schemas, names = append(schemas, t.Name.Schema), append(names, t.Name.Name)
	}
	for _, a := range p.Analysts {
		analysts = append(analysts, a.Name)
	}
	rows, err := s.Conn.Query(ctx, relatedQuery, schemas, names, analysts)
	if err != nil {
		return nil, fmt.Errorf("relations of protected tables: %w", err)
	}
	related := make(map[policy.TableName]bool)
	var name policy.TableName
	_, err = pgx.ForEachRow(rows, []any{&name.Schema, &name.Name}, func() error {
		related[name] = true
		return nil
	})
	return related, err
}

func CompareNames(a, b policy.TableName) int {
	return cmp.Or(strings.Compare(a.Schema, b.Schema), strings.Compare(a.Name, b.Name))
}

// columnsQuery has columns as NOT NULL that are so in all partitions and children, too, and in the rows that were there before the promise.
const columnsQuery = `
SELECT a.attrelid, a.attname, a.atttypid, t.typname, a.atttypmod,
       pg_catalog.format_type(a.atttypid, a.atttypmod),
       a.attnotnull AND NOT EXISTS (
           WITH RECURSIVE store AS (
               SELECT c.oid
               UNION
               SELECT i.inhrelid FROM store JOIN pg_catalog.pg_inherits AS i ON i.inhparent = store.oid)
           SELECT FROM store
           JOIN pg_catalog.pg_class AS sc ON sc.oid = store.oid
           JOIN pg_catalog.pg_attribute AS sa ON sa.attrelid = store.oid AND sa.attname = a.attname AND NOT sa.attisdropped
           WHERE NOT sa.attnotnull OR sc.relkind = 'f' OR EXISTS (
               SELECT FROM pg_catalog.pg_constraint AS k
               WHERE k.conrelid = sa.attrelid AND k.contype = 'n' AND NOT k.convalidated AND sa.attnum = ANY (k.conkey))),
       CASE WHEN a.attcollation <> 0 AND a.attcollation <> 'pg_catalog.default'::pg_catalog.regcollation
            THEN pg_catalog.quote_ident(cn.nspname) || '.' || pg_catalog.quote_ident(co.collname) ELSE '' END
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_collation AS co ON co.oid = a.attcollation
LEFT JOIN pg_catalog.pg_namespace AS cn ON cn.oid = co.collnamespace
WHERE n.nspname = $1 AND c.relname = $2
ORDER BY a.attnum`

// loadColumns describes the columns of a table, in its order.
func loadColumns(ctx context.Context, s *Snapshot, name policy.TableName) (oid uint32, columns []query.Column, err error) {
	rows, err := s.Conn.Query(ctx, columnsQuery, name.Schema, name.Name)
	if err != nil {
		return 0, nil, err
	}
	var c query.Column
	var typname string
	_, err = pgx.ForEachRow(rows, []any{&oid, &c.Name, &c.TypeOID, &typname, &c.Typmod, &c.Formatted, &c.NotNull, &c.Collation},
		func() error {
			c.TypeName = "pg_catalog." + typname
			columns = append(columns, c)
			return nil
		})
	if err == nil && len(columns) == 0 {
		err = fmt.Errorf("does not exist or has no columns")
	}
	return oid, columns, err
}

func loadTable(ctx context.Context, s *Snapshot, p *policy.Policy, t *policy.Table) (*query.Table, error) {
	table := &query.Table{Policy: t, Year: time.Now().UTC().Year()}
	found := make(map[string]query.Column)
	var names []string
	oid, columns, err := loadColumns(ctx, s, t.Name)
	if err != nil {
		return nil, err
	}
	table.OID = oid
	for _, c := range columns {
		found[c.Name] = c
		names = append(names, c.Name)
	}
	enums, err := loadEnums(ctx, s, oid, p.Analysts)
	if err != nil {
		return nil, err
	}
	listed := make(map[string]bool)
	for _, declared := range t.Columns {
		column, ok := found[declared.Name]
		if !ok {
			return nil, fmt.Errorf("column %q does not exist", declared.Name)
		}
		e, isEnum := enums[declared.Name]
		if isEnum {
			e.describe(&column)
		}
		if err = declareColumn(ctx, s, p.Limits, &column, declared); err != nil {
			return nil, fmt.Errorf("column %q: %w", declared.Name, err)
		}
		if isEnum && column.Domain == nil {
			column.Domain = e.labels
		}
		column.RememberDomain()
		table.Columns = append(table.Columns, column)
		listed[declared.Name] = true
	}
	if a := t.Mechanism.Audit; a != nil {
		if err := loadPrivate(table, found[a.Private], a); err != nil {
			return nil, err
		}
		listed[a.Private] = true
	}
	if t.Person != nil {
		if table.Person, err = loadPerson(ctx, s, t, found); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		if !listed[name] {
			table.Unlisted = append(table.Unlisted, name)
			if found[name].NotNull {
				table.Present = append(table.Present, name)
			}
		}
	}
	return table, nil
}

// declareColumn adds what the policy says of a column.
func declareColumn(ctx context.Context, s *Snapshot, limits policy.Limits, c *query.Column, declared policy.Column) (err error) {
	if err = declare(ctx, s, limits, c, declared.Domain); err != nil {
		return err
	}
	c.DropOutside = declared.DropOutside
	c.Until, err = lastDay(*c, declared.Domain)
	return err
}

// loadPerson is the column that tells a table's persons apart, listed or not.
func loadPerson(ctx context.Context, s *Snapshot, t *policy.Table, found map[string]query.Column) (*query.Person, error) {
	p := t.Person
	column, ok := found[p.Column]
	if !ok {
		return nil, fmt.Errorf("person: column %q does not exist", p.Column)
	}
	if err := query.CheckPerson(column); err != nil {
		return nil, err
	}
	keys, err := uniqueKeys(ctx, s, t.Name)
	if err != nil {
		return nil, err
	}
	unique := column.NotNull && slices.ContainsFunc(keys, func(key []string) bool { return slices.Equal(key, []string{column.Name}) })
	return &query.Person{Column: column, Rows: p.Rows, Groups: p.Groups, Unique: unique}, nil
}

// loadPrivate makes a column of an audited table its private one, listed or not. A Boolean column needs no declared values.
func loadPrivate(table *query.Table, found query.Column, a *policy.Auditor) error {
	if found.Name == "" {
		return fmt.Errorf("private: column %q does not exist", a.Private)
	}
	table.Private = a.Private
	column := table.PrivateColumn()
	if column == nil {
		table.Columns = append(table.Columns, found)
		column = table.PrivateColumn()
	}
	switch {
	case column.Domain == nil && column.TypeOID == pgtype.BoolOID:
		column.Domain = []string{"f", "t"}
	case column.Domain == nil:
		return fmt.Errorf("private: column %q of type %s is not boolean, so that its values have to be declared: write %s: {values: [...]} under columns", a.Private, found.Formatted, a.Private)
	case column.TypeOID == pgtype.BoolOID:
		return fmt.Errorf("private: column %q is boolean; write {} for it under columns, since what it can be is known", a.Private)
	}
	for _, c := range table.PublicColumns() {
		if err := query.CheckPublic(c); err != nil {
			return err
		}
	}
	return nil
}

// declare gives a column what the policy declares of its values.
func declare(ctx context.Context, s *Snapshot, limits policy.Limits, c *query.Column, d policy.Domain) (err error) {
	if d.Bounds != nil && d.Bounds.Step != "" {
		c.Step, _ = new(big.Rat).SetString(d.Bounds.Step)
		if grid := c.TypeGrid(); grid != nil && !new(big.Rat).Quo(c.Step, grid).IsInt() {
			return fmt.Errorf("declared range: %s has no values that are %s apart", c.Formatted, d.Bounds.Step)
		}
	}
	if least, greatest, ok := unlisted(c, d, limits); ok {
		if c.Range, err = query.NewValueRange(c, least, greatest); err != nil {
			return fmt.Errorf("declared range: %w", err)
		}
		return nil
	}
	c.Domain, err = loadDomain(ctx, s, limits, *c, d)
	return err
}

// unlisted are the ends of a range whose values are not listed. A day, among times, has all of its times.
func unlisted(c *query.Column, d policy.Domain, limits policy.Limits) (least, greatest string, ok bool) {
	b, r := d.Bounds, d.Range
	switch isTime := c.TypeOID == pgtype.TimestampOID || c.TypeOID == pgtype.TimestamptzOID; {
	case b != nil:
		return b.Least, b.Greatest, b.Values(limits) == nil
	case r != nil && r.Dates && isTime:
		return dateText(r.First) + " 00:00:00", dateText(r.Last) + " 23:59:59.999999", true
	case r != nil && !r.Listed(limits):
		return dateText(r.First), dateText(r.Last), true
	}
	return "", "", false
}

func dateText(days int64) string { return time.Unix(days*86400, 0).UTC().Format(time.DateOnly) }

// loadDomain lists a declared domain in the order in which cells are shown; nil is an unknown domain.
func loadDomain(ctx context.Context, s *Snapshot, limits policy.Limits, c query.Column, d policy.Domain) ([]string, error) {
	switch {
	case d.Bounds != nil:
		return CanonicalValues(ctx, s, c, d.Bounds.Values(limits))
	case d.Range != nil:
		return CanonicalValues(ctx, s, c, rangeValues(*d.Range))
	case d.ValuesFrom != nil:
		values, err := publicValues(ctx, s, *d.ValuesFrom, limits.Cells)
		if err != nil {
			return nil, err
		}
		return CanonicalValues(ctx, s, c, values)
	case d.Values != nil:
		return CanonicalValues(ctx, s, c, d.Values)
	}
	return nil, nil
}

// lastDay is the last day of a range that ends at the present day; "" of other domains.
func lastDay(c query.Column, d policy.Domain) (string, error) {
	switch {
	case d.Range == nil || !d.Range.Today:
		return "", nil
	case c.TypeOID != pgtype.DateOID && c.TypeOID != pgtype.TimestampOID && c.TypeOID != pgtype.TimestamptzOID:
		return "", fmt.Errorf("is of type %s, and only dates and timestamps have a range that ends at today", c.Formatted)
	}
	return dateText(d.Range.Last), nil
}

func rangeValues(r policy.Range) []string {
	values := make([]string, 0, r.Last-r.First+1)
	for v := r.First; v <= r.Last; v++ {
		if r.Dates {
			values = append(values, dateText(v))
		} else {
			values = append(values, strconv.FormatInt(v, 10))
		}
	}
	return values
}

func publicValues(ctx context.Context, s *Snapshot, from policy.ColumnName, limit int) ([]string, error) {
	column := pgx.Identifier{from.Column}.Sanitize()
	table := pgx.Identifier{from.Table.Schema, from.Table.Name}.Sanitize()
	sql := fmt.Sprintf("SELECT v FROM (SELECT DISTINCT t.%s AS v FROM %s AS t) AS d WHERE v IS NOT NULL ORDER BY v LIMIT %d", column, table, limit+1)
	var values []string
	err := s.Query(ctx, sql, nil, func(row [][]byte) error {
		values = append(values, string(row[0]))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(values) > limit {
		return nil, fmt.Errorf("%s.%s has more than limits.cells = %d values", from.Table, from.Column, limit)
	}
	return values, nil
}

// CanonicalValues has the server read and print the values as the column's type, in the form that a count query prints
// keys in, so that they can be compared as text. Values that the type does not tell apart are an error.
func CanonicalValues(ctx context.Context, s *Snapshot, c query.Column, values []string) ([]string, error) {
	expression := query.CanonicalKey("u.v::"+c.Formatted, c.TypeOID)
	sql := "SELECT " + expression + " FROM pg_catalog.unnest($1::pg_catalog.text[]) WITH ORDINALITY AS u(v, i) ORDER BY u.i"
	canonical := make([]string, 0, len(values))
	seen := make(map[string]string, len(values))
	err := s.Query(ctx, sql, []string{query.ArrayLiteral(values)}, func(row [][]byte) error {
		text := string(row[0])
		if earlier, dup := seen[text]; dup {
			return fmt.Errorf("%s cannot tell the values %q and %q apart", c.Formatted, earlier, values[len(canonical)])
		}
		seen[text] = values[len(canonical)]
		canonical = append(canonical, text)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("declared domain: %s", strings.TrimPrefix(err.Error(), "ERROR: "))
	}
	return canonical, nil
}
