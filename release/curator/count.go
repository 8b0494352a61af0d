package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/rewrite/query"
)

// Protected rows are read by the functions of this file alone. For an analyst's answer they demand the reservation that pays for what is
// read, which only a ledger that has written the charge to disk makes: so the order of reserving and counting is not left to their callers.

// ErrUnpaid is returned when rows are to be counted that no reservation pays for.
var ErrUnpaid = errors.New("release: internal error: protected rows are to be counted without a reservation")

// A Counted is one count of a query, and the question under which it is charged to each protected table of the query.
type Counted struct {
	Count    query.Count
	Question accountant.Question
}

// Count runs a count query for questions that are paid for, and hands over the groups one by one, with as many numbers for each
// count as that has columns. Both slices are valid only during the call.
func (s *Snapshot) Count(ctx context.Context, paid []*ledger.Reservation, q *query.BoundQuery, asked []Counted, group func([]query.Value, []int64) error) error {
	counts := make([]query.Count, len(asked))
	for i, c := range asked {
		if !pays(paid, q, c.Question) {
			return ErrUnpaid
		}
		counts[i] = c.Count
	}
	return s.groups(ctx, q, counts, group)
}

// Sample runs a query for one value, and hands over how many rows of each group have which value, NULL included, group by group. The slice is valid only
// during the call.
func (s *Snapshot) Sample(ctx context.Context, paid []*ledger.Reservation, q *query.BoundQuery, asked Counted, row func([]query.Value, query.Value, int64) error) error {
	if !pays(paid, q, asked.Question) {
		return ErrUnpaid
	}
	sql, args := q.SampleSQL(asked.Count)
	keys, inNoCell := len(q.Keys), q.InNoCell()
	return s.rows(ctx, sql, args, keys+1, []query.Count{{}}, func(values []query.Value, n []int64) error {
		if inNoCell(values[:keys]) {
			return nil
		}
		return row(values[:keys], values[keys], n[0])
	})
}

// pays reports whether a question is paid for to each protected table of its query.
func pays(paid []*ledger.Reservation, q *query.BoundQuery, asked accountant.Question) bool {
	for _, table := range ProtectedTables(q) {
		asked.Table = table.Name
		if !slices.ContainsFunc(paid, func(r *ledger.Reservation) bool { return r.Covers(asked) }) {
			return false
		}
	}
	return true
}

// Units counts the rows of an audited table by public columns, private value and the seals that they were written between, for a
// decision that was charged: payload is that of its event.
func (s *Snapshot) Units(ctx context.Context, paid *ledger.AuditReservation, payload []byte, table *query.Table, seals []string, row func([][]byte) error) error {
	if !paid.Covers(table.Policy.Name, payload) {
		return ErrUnpaid
	}
	sql, args := query.UnitsSQL(table, seals)
	return s.Query(ctx, sql, args, row)
}

func (s *Snapshot) groups(ctx context.Context, q *query.BoundQuery, counts []query.Count, group func([]query.Value, []int64) error) error {
	sql, args := q.CountSQL(counts)
	inNoCell := q.InNoCell()
	return s.rows(ctx, sql, args, len(q.Keys), counts, func(keys []query.Value, n []int64) error {
		if inNoCell(keys) {
			return nil
		}
		return group(keys, n)
	})
}

// rows runs a statement whose rows have so many keys, and the numbers of counts behind them.
func (s *Snapshot) rows(ctx context.Context, sql string, args []string, keyCount int, counts []query.Count, group func([]query.Value, []int64) error) error {
	keys, columns := make([]query.Value, keyCount), query.ColumnsOf(counts)
	return s.Query(ctx, sql, args, func(row [][]byte) error {
		if len(row) != len(keys)+columns {
			return fmt.Errorf("release: internal error: %d columns instead of %d", len(row), len(keys)+columns)
		}
		for i := range keys {
			keys[i] = query.Value{Text: string(row[i]), Null: row[i] == nil}
		}
		n, err := query.ReadNumbers(counts, row[len(keys):])
		if err != nil {
			return err
		}
		return group(keys, n)
	})
}

// ProtectedTables are the tables that are charged for a query: all whose rows it reads. The first is the one that leads, by
// which a recorded release is looked up.
func ProtectedTables(q *query.BoundQuery) []*policy.Table {
	tables := []*policy.Table{q.Table.Policy}
	for _, other := range q.OtherTables() {
		tables = append(tables, other.Policy)
	}
	return tables
}

// An Inspection is a snapshot for the steward's commands. What they read is charged by themselves before, or is for the steward alone and
// charged to nobody. No answer to an analyst is made with one.
type Inspection struct {
	*Snapshot
	Digest Digest // of the catalog when the separation was checked, if it was
}

// Count runs a count query, and hands over the groups one by one.
func (s *Inspection) Count(ctx context.Context, q *query.BoundQuery, counts []query.Count, group func([]query.Value, []int64) error) error {
	return s.groups(ctx, q, counts, group)
}

// Units counts the rows of an audited table as it is now.
func (s *Inspection) Units(ctx context.Context, table *query.Table, seals []string, row func([][]byte) error) error {
	sql, args := query.UnitsSQL(table, seals)
	return s.Query(ctx, sql, args, row)
}

// Rows runs a statement that reads protected rows.
func (s *Inspection) Rows(ctx context.Context, sql string, args []string, row func([][]byte) error) error {
	return s.Query(ctx, sql, args, row)
}
