package curator

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tacit/policy"
)

// A Described table is what the catalog says of it. No row was read for that, nor statistics of rows.
type Described struct {
	Name    policy.TableName
	Columns []DescribedColumn
	// RowSecurity says that the table has row-level security.
	RowSecurity bool
}

// A DescribedColumn is a column with the constraints that concern it alone.
type DescribedColumn struct {
	Name  string
	Type  string // as format_type prints it
	Class TypeClass
	// Unique says that no two rows have the same value.
	Unique bool
	// Labels are the values of an enum, in their order.
	Labels []string
	// Checks are the expressions of valid CHECK constraints, as the server prints them.
	Checks []string
	// References is the column that a valid foreign key of this column alone refers to.
	References *policy.ColumnName
}

// A TypeClass is what a domain can say of a type. Uncountable types cannot be used at all.
type TypeClass int

const (
	Uncountable TypeClass = iota
	Boolean
	Integer
	Date
	Time
	Decimal
	OtherCountable
)

// typeClass agrees with the check of separation.sql whether counts can use a type.
func typeClass(oid uint32) TypeClass {
	switch oid {
	case pgtype.BoolOID:
		return Boolean
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		return Integer
	case pgtype.DateOID:
		return Date
	case pgtype.TimestampOID, pgtype.TimestamptzOID:
		return Time
	case pgtype.NumericOID, pgtype.Float4OID, pgtype.Float8OID:
		return Decimal
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID, pgtype.UUIDOID, pgtype.IntervalOID, pgtype.JSONBOID, pgtype.TextArrayOID, pgtype.VarcharArrayOID,
		pgtype.Int4ArrayOID, pgtype.Int8ArrayOID:
		return OtherCountable
	}
	return Uncountable
}

const describeTableQuery = `
SELECT c.oid, c.relkind::text, c.relrowsecurity
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = $1 AND c.relname = $2`

const describeColumnsQuery = `
SELECT a.attname, format_type(a.atttypid, a.atttypmod), a.atttypid,
       EXISTS (SELECT FROM pg_index AS i WHERE i.indrelid = a.attrelid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),
       ARRAY(SELECT e.enumlabel::text FROM pg_enum AS e WHERE e.enumtypid = a.atttypid ORDER BY e.enumsortorder),
       ARRAY(SELECT pg_get_expr(k.conbin, k.conrelid) FROM pg_constraint AS k
             WHERE k.conrelid = a.attrelid AND k.contype = 'c' AND k.convalidated AND k.conkey = ARRAY[a.attnum] ORDER BY k.conname),
       fn.nspname, fc.relname, fa.attname
FROM pg_attribute AS a
LEFT JOIN LATERAL (SELECT k.confrelid, k.confkey[1] AS attnum FROM pg_constraint AS k
                   WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND k.convalidated AND k.conkey = ARRAY[a.attnum] ORDER BY k.conname LIMIT 1) AS f ON true
LEFT JOIN pg_class AS fc ON fc.oid = f.confrelid
LEFT JOIN pg_namespace AS fn ON fn.oid = fc.relnamespace
LEFT JOIN pg_attribute AS fa ON fa.attrelid = f.confrelid AND fa.attnum = f.attnum
WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum`

// A Place is where a database is, without the user and the password by which it was reached.
type Place struct {
	Host     string
	Port     uint16
	Database string
}

// Describe logs in and reads what the catalog says of tables. Any role may read that.
func Describe(ctx context.Context, connection string, names []policy.TableName) (Place, []Described, error) {
	conn, err := pgx.Connect(ctx, connection)
	if err != nil {
		return Place{}, nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	config := conn.Config()
	place := Place{Host: config.Host, Port: config.Port, Database: config.Database}
	if err := Execute(ctx, conn, "BEGIN READ ONLY; SET LOCAL search_path = pg_catalog"); err != nil {
		return place, nil, err
	}
	var tables []Described
	for _, name := range names {
		t, err := describe(ctx, conn, name)
		if err != nil {
			return place, nil, fmt.Errorf("table %s: %w", name, err)
		}
		tables = append(tables, t)
	}
	return place, tables, Execute(ctx, conn, "COMMIT")
}

func describe(ctx context.Context, conn *pgx.Conn, name policy.TableName) (Described, error) {
	t := Described{Name: name}
	var oid uint32
	var kind string
	err := conn.QueryRow(ctx, describeTableQuery, name.Schema, name.Name).Scan(&oid, &kind, &t.RowSecurity)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return t, errors.New("does not exist")
	case err != nil:
		return t, err
	case kind != "r" && kind != "p":
		return t, errors.New("is no ordinary table; protect the tables that hold the rows")
	}
	rows, err := conn.Query(ctx, describeColumnsQuery, oid)
	if err != nil {
		return t, err
	}
	t.Columns, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (c DescribedColumn, err error) {
		var schema, table, column *string
		var oid uint32
		err = row.Scan(&c.Name, &c.Type, &oid, &c.Unique, &c.Labels, &c.Checks, &schema, &table, &column)
		c.Class = typeClass(oid)
		if schema != nil && table != nil && column != nil {
			c.References = &policy.ColumnName{Table: policy.TableName{Schema: *schema, Name: *table}, Column: *column}
		}
		return c, err
	})
	return t, err
}
