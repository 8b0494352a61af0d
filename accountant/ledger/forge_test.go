package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/policy"
)

// A forger can write anything into a ledger's tables, but does not compute hashes.
type forger struct {
	t      *testing.T
	db     *sql.DB
	reader *Reader
}

// forge opens a ledger, which nobody uses, for a forger: without triggers and constraints.
func forge(t *testing.T, location policy.LedgerLocation) *forger {
	t.Helper()
	c, err := ledgertest.SharedCluster()
	do(t, err)
	config, err := pgx.ParseConfig(c.URL("postgres", ledgertest.DatabaseOf(t, location)))
	do(t, err)
	f := &forger{t: t, db: stdlib.OpenDB(*config)}
	f.db.SetMaxOpenConns(1)
	f.exec("SET search_path = tacit_ledger")
	f.exec("SET session_replication_role = replica") // no triggers, and no foreign keys
	for _, constraint := range f.texts(`SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
		WHERE contype = 'c' AND connamespace = 'tacit_ledger'::regnamespace`) {
		f.exec(constraint)
	}
	t.Cleanup(func() { f.db.Close() })
	r, err := OpenReadOnly(context.Background(), location)
	do(t, err)
	t.Cleanup(func() { r.Close() })
	f.reader = r
	return f
}

func (f *forger) exec(statement string, args ...any) (rows int64) {
	f.t.Helper()
	result, err := f.db.Exec(statement, args...)
	if err != nil {
		f.t.Fatalf("%s: %v", statement, err)
	}
	rows, _ = result.RowsAffected()
	return rows
}

func (f *forger) texts(query string) (all []string) {
	f.t.Helper()
	rows, err := f.db.Query(query)
	do(f.t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		do(f.t, rows.Scan(&text))
		all = append(all, text)
	}
	do(f.t, rows.Err())
	return all
}

// found says what verification finds; empty if nothing. That it fails itself is no finding.
func (f *forger) found() string {
	f.t.Helper()
	v, err := f.reader.Verify(context.Background(), nil)
	do(f.t, err)
	if len(v.Problems) > 0 {
		return v.Problems[0].String()
	}
	return ""
}

// forgedTables are all tables with the column that tells their rows apart, and their columns.
var forgedTables = []struct{ name, key, columns string }{
	{"ledger", "singleton", "singleton, id, created, version"}, {"head", "singleton", "singleton, entry, hash"}, {"proxy", "id", journal.ProxyColumns},
	{"entry", "id", journal.EntryColumns}, {"charge", "id", journal.ChargeColumns}, {"release", "id", journal.ReleaseColumns},
	{"audit_event", "id", journal.EventColumns}, {"audit_answer", "id", journal.AnswerColumns},
}

// everyKind writes entries of every kind, and of those with rows of other tables some.
func everyKind(t *testing.T, location policy.LedgerLocation) {
	t.Helper()
	ctx := context.Background()
	l, err := Open(ctx, Options{Location: location, Role: Serve})
	do(t, err)
	c := charge("ana", "first", accountant.Loss{Epsilon: 3e8, Delta: 2})
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "second"), Loss: accountant.Loss{Epsilon: 1e8}, Mechanism: "laplace", Shape: "{}"})
	record(t, l, reserve(t, l, c), []byte("an answer"), nil)
	left := charge("bob", "left behind", accountant.Loss{Epsilon: 1e7})
	left.Partition, left.Items[0].Blocks = "month", []string{"2036-01"}
	reserve(t, l, left)
	given := reserve(t, l, charge("ana", "given up", accountant.Loss{Epsilon: 1e7}))
	l.Abandon(given)
	l.background.Wait()
	_, err = l.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 5}, By: "steward", Reason: "more people"})
	do(t, err)
	f := Freeze{Table: visits, By: "steward", Reason: "to look into"}
	_, err = l.Freeze(ctx, f)
	do(t, err)
	_, err = l.Thaw(ctx, f)
	do(t, err)
	_, err = l.OpenEpoch(ctx, visits, "steward", "new rows")
	do(t, err)
	for i := range int64(2) {
		e := accountant.AuditEntry{Analyst: "ana", Table: auditedTable, Kind: "round", Risk: policy.Risk(5 * i), TableBudget: policy.Budget{Risk: 100},
			Follows: i, Answers: i, Payload: []byte("event")}
		r, err := l.AppendAudit(ctx, e)
		do(t, err)
		do(t, l.RecordAudit(ctx, r, []byte("counts")))
	}
	l.Note(Event{Analyst: "ana", Verdict: Refused, SQL: "SELECT 1", SQLState: "42501"})
	l.Note(Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT 2"})
	noteNow(t, l, Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT 3"}, Event{Analyst: "eve", Verdict: Refused, SQL: "SELECT 4", Reason: "no"})
	thin(t, l, policy.Keep{Notes: 1})
	do(t, l.Close())

	l, err = Open(ctx, Options{Location: location, Role: Serve})
	do(t, err)
	left.Operation = accountant.NewOperation()
	if r := reserve(t, l, left); !r.Adopted(0) {
		t.Error("what was left behind was not adopted")
	}
	do(t, l.Close())
}

// Every edit of a single field of a ledger is found, and so is every row that is deleted, or has changed places with another one.
func TestPostgresTampering(t *testing.T) {
	location := ledgertest.NewPostgres(t)
	everyKind(t, location)
	f := forge(t, location)
	if found := f.found(); found != "" {
		t.Fatalf("before anything was forged: %s", found)
	}
	edits := 0
	for _, table := range forgedTables {
		var rows []forgedRow
		for i, key := range f.texts(fmt.Sprintf("SELECT CAST(%s AS text) FROM %s ORDER BY 1", table.key, table.name)) {
			if testing.Short() && i%3 != 0 {
				continue
			}
			row := f.row(table.name, table.key, key, table.columns)
			for _, column := range row.columns {
				edits += f.edit(row, column)
			}
			f.remove(row)
			rows = append(rows, row)
		}
		for i := 1; i < len(rows); i++ {
			f.exchange(rows[i-1], rows[i])
		}
		if len(rows) == 0 {
			t.Errorf("there are no rows of %s", table.name)
		}
	}
	if found := f.found(); found != "" {
		t.Errorf("after all was put back: %s", found)
	}
	t.Logf("%d edits", edits)
}

// A forgedRow is a row as it was.
type forgedRow struct {
	table, key string
	columns    []string
	values     map[string]any
}

// whose finds the row whose key is a value.
func (r *forgedRow) whose(key any) string { return fmt.Sprintf("CAST(%s AS text) = '%v'", r.key, key) }

func (f *forger) row(table, key, value, columns string) forgedRow {
	f.t.Helper()
	row := forgedRow{table: table, key: key, values: make(map[string]any)}
	for column := range strings.SplitSeq(columns, ",") {
		row.columns = append(row.columns, strings.TrimSpace(column))
	}
	values := make([]any, len(row.columns))
	for i := range values {
		values[i] = new(any)
	}
	do(f.t, f.db.QueryRow(fmt.Sprintf("SELECT %s FROM %s WHERE %s", columns, row.table, row.whose(value))).Scan(values...))
	for i, column := range row.columns {
		row.values[column] = *values[i].(*any)
		if empty, ok := row.values[column].([]byte); ok && empty == nil {
			row.values[column] = []byte{} // nil would be written as NULL
		}
	}
	return row
}

// set sets a field of a row, which has this key.
func (f *forger) set(row forgedRow, key any, column string, value any) {
	f.t.Helper()
	if n := f.exec(fmt.Sprintf("UPDATE %s SET %s = $1 WHERE %s", row.table, column, row.whose(key)), value); n != 1 {
		f.t.Fatalf("%d rows of %s are %s", n, row.table, row.whose(key))
	}
}

// edit edits a field in every way that suits it, looks whether that is found, and puts it back.
func (f *forger) edit(row forgedRow, column string) (edits int) {
	f.t.Helper()
	key := row.values[row.key]
	for _, forged := range forgeries(row.values[column]) {
		f.set(row, key, column, forged)
		if found := f.found(); found == "" {
			f.t.Errorf("%s of %s where %s: %v instead of %v is not found", column, row.table, row.whose(key), forged, row.values[column])
		}
		now := key
		if column == row.key {
			now = forged
		}
		f.set(row, now, column, row.values[column])
		edits++
	}
	return edits
}

// forgeries are other values of a field.
func forgeries(value any) []any {
	switch value := value.(type) {
	case int64:
		return []any{value + 1_000_000, -value - 7} // no number of another row's
	case string:
		if value == "" {
			return []any{"x"}
		}
		return []any{value + " ", "", strings.ToUpper(value[:1]) + "x" + value[1:]}
	case []byte:
		if len(value) == 0 {
			return []any{[]byte{0}}
		}
		flipped := append([]byte{}, value...)
		flipped[len(flipped)-1] ^= 1
		return []any{flipped, append(append([]byte{}, value...), 0), []byte{}}
	}
	panic(fmt.Sprintf("a field of type %T", value))
}

func (f *forger) insert(row forgedRow, values map[string]any) {
	f.t.Helper()
	var places []string
	var args []any
	for i, column := range row.columns {
		places, args = append(places, fmt.Sprintf("$%d", i+1)), append(args, values[column])
	}
	f.exec(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", row.table, strings.Join(row.columns, ", "), strings.Join(places, ", ")), args...)
}

// remove deletes a row, looks whether that is found, and puts it back.
func (f *forger) remove(row forgedRow) {
	f.t.Helper()
	f.exec(fmt.Sprintf("DELETE FROM %s WHERE %s", row.table, row.whose(row.values[row.key])))
	if found := f.found(); found == "" {
		f.t.Errorf("that the row of %s is gone where %s is not found", row.table, row.whose(row.values[row.key]))
	}
	f.insert(row, row.values)
}

// exchange gives two rows each other's content, but for their keys.
func (f *forger) exchange(a, b forgedRow) {
	f.t.Helper()
	for _, swapped := range []bool{true, false} {
		for _, row := range []forgedRow{a, b} {
			f.exec(fmt.Sprintf("DELETE FROM %s WHERE %s", row.table, row.whose(row.values[row.key])))
		}
		for _, pair := range [][2]forgedRow{{a, b}, {b, a}} {
			values := maps.Clone(pair[0].values)
			if swapped {
				maps.Copy(values, pair[1].values)
				values[a.key] = pair[0].values[a.key]
			}
			f.insert(pair[0], values)
		}
		if found := f.found(); (found != "") != swapped {
			f.t.Errorf("rows of %s where %s and where %s, exchanged %v: %q", a.table, a.whose(a.values[a.key]), b.whose(b.values[b.key]), swapped, found)
		}
	}
}
