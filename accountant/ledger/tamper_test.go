package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// eventful does to a ledger whatever can be done to one, and writes a checkpoint now and then.
func eventful(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	beside, err := openAs(path, Steward)
	do(t, err)
	beside.sealEvery = 3
	orphan := charge("eve", "orphan", accountant.Loss{Epsilon: 7})
	reserve(t, beside, orphan)
	closeLedger(t, beside) // and leaves it unanswered

	l := open(t, path)
	l.sealEvery = 7
	c := charge("ana", "a", accountant.Loss{Epsilon: 1e8, Delta: 3})
	c.Partition, c.Composition, c.Budget, c.Cap = "admitted by month", policy.PLDComposition, policy.Budget{Epsilon: 9e9, Delta: 1e12}, &policy.Budget{Epsilon: 8e9, Delta: 1e12}
	c.Thresholds, c.Main, c.Window = 5e11, composition.Approximate(1e8, 0), 48*3600e9
	c.Items[0].Term, c.Items[0].Blocks, c.Items[0].Shape = composition.Approximate(1e8, 3), []string{"2026-01", "2026-02"}, "{}"
	c.Items = append(c.Items, accountant.Item{Question: question(patients, "b"), Loss: accountant.Loss{Epsilon: 1e8}, Mechanism: "geometric", Blocks: []string{"2026-02"}})
	record(t, l, reserve(t, l, c), []byte("first"), []byte("second"))
	c.Items = c.Items[1:]
	c.Items[0].Fresh = true
	record(t, l, reserve(t, l, c), []byte("third"))
	adopted := orphan
	adopted.Analyst = "bob"
	if r := reserve(t, l, adopted); !r.Adopted(0) {
		t.Fatal("the orphan was not adopted")
	} else {
		record(t, l, r, nil)
	}
	r := reserve(t, l, charge("bob", "given up", accountant.Loss{Epsilon: 2, Releases: 0}))
	l.Abandon(r)
	l.background.Wait()
	reserve(t, l, charge("bob", "left open", accountant.Loss{Epsilon: 3}))
	l.Note(Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT a"})
	l.Note(Event{Analyst: "ana", Table: patients, Verdict: Derived, SQL: "SELECT b"})
	l.Note(Event{Analyst: "eve", Verdict: Refused, SQL: "SELECT *", SQLState: "42501"})
	noteNow(t, l, Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT c"}, Event{Analyst: "eve", Verdict: Refused, SQL: "SELECT d", Reason: "no"},
		Event{Analyst: "eve", Table: patients, Verdict: Derived, SQL: "SELECT e", Releases: []int64{1, 2}})
	thin(t, l, policy.Keep{Notes: 1})
	ward := auditEntry("ana", 300, 0)
	ward.Table = policy.TableName{Schema: "public", Name: "ward"}
	recordAudit(t, l, appendAudit(t, l, ward), []byte("12"))
	ward.Risk, ward.Follows, ward.Answers = 0, 1, 1
	appendAudit(t, l, ward)

	_, err = l.Grant(ctx, Grant{Table: patients, Analyst: "ana", Budget: policy.Budget{Epsilon: 5}, By: "root", Reason: "because"})
	do(t, err)
	_, err = l.Freeze(ctx, Freeze{Table: visits, By: "root", Reason: "moved"})
	do(t, err)
	_, err = l.Freeze(ctx, Freeze{Table: visits, Analyst: "eve", By: "root", Reason: "odd"})
	do(t, err)
	_, err = l.Thaw(ctx, Freeze{Table: visits, By: "root", Reason: "done"})
	do(t, err)
	_, err = l.OpenEpoch(ctx, patients, "root", "others")
	do(t, err)
	record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1})), []byte("anew"))
	closeLedger(t, l)
}

// An editedStore is a ledger within a transaction, as somebody at the prompt has edited it, without a guard.
type editedStore struct {
	tx *sql.Tx
}

func (s editedStore) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return s.tx.QueryContext(ctx, strings.ReplaceAll(query, "$", "?"), args...)
}

func (s editedStore) Place() string { return "edited" }

func (s editedStore) Snapshot(context.Context) (store.Snapshot, error) { return s, nil }

func (s editedStore) Remembered() (journal.Witness, error) { return journal.Witness{}, nil }

func (s editedStore) Close() error { return nil }

// A tampering edits copies of a ledger.
type tampering struct {
	t  *testing.T
	db *sql.DB
	// edits counts what was tried.
	edits int
}

var ledgerTables = []string{"ledger", "head", "proxy", "entry", "charge", "release", "audit_event", "audit_answer"}

// newTampering takes away all that protects a ledger from a slip of the hand.
func newTampering(t *testing.T, path string) *tampering {
	db, err := sql.Open("sqlite", path)
	do(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	w := &tampering{t: t, db: db}
	for _, trigger := range w.texts(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
		_, err := db.Exec("DROP TRIGGER " + trigger)
		do(t, err)
	}
	for _, pragma := range []string{"foreign_keys = 0", "ignore_check_constraints = 1"} {
		_, err := db.Exec("PRAGMA " + pragma)
		do(t, err)
	}
	return w
}

func (w *tampering) texts(q interface {
	Query(string, ...any) (*sql.Rows, error)
}, query string, args ...any) (texts []string) {
	rows, err := q.Query(query, args...)
	do(w.t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		do(w.t, rows.Scan(&text))
		texts = append(texts, text)
	}
	do(w.t, rows.Err())
	return texts
}

// found says what is found of an edit, which is undone. Verify is to name it: that it fails itself is no finding.
func (w *tampering) found(statements ...string) []Problem {
	w.t.Helper()
	tx, err := w.db.Begin()
	do(w.t, err)
	defer tx.Rollback()
	for _, s := range statements {
		if _, err := tx.Exec(s); err != nil {
			w.t.Fatalf("%s: %v", s, err)
		}
	}
	w.edits++
	v, err := newReader(editedStore{tx}).Verify(context.Background(), nil)
	if err != nil {
		w.t.Fatalf("%s: verify fails: %v", strings.Join(statements, "; "), err)
	}
	return v.Problems
}

// mustFind fails if an edit is not found.
func (w *tampering) mustFind(statements ...string) {
	w.t.Helper()
	if len(w.found(statements...)) == 0 {
		w.t.Errorf("not found: %s", strings.Join(statements, "; "))
	}
}

// Every field of every row of every table of a ledger, each edited on its own, is found; and so is each row that is deleted, added, or
// exchanged for its neighbour.
func TestTampering(t *testing.T) {
	path := newPath(t)
	eventful(t, path)
	copied := newPath(t)
	copyFile(t, path, copied)
	w := newTampering(t, copied)
	if problems := w.found(); len(problems) > 0 {
		t.Fatalf("untouched, it has problems: %v", problems)
	}
	for _, table := range ledgerTables {
		w.editFields(table)
		w.moveRows(table)
	}
	t.Logf("%d edits", w.edits)
}

// editFields changes each field to values of its type.
func (w *tampering) editFields(table string) {
	w.t.Helper()
	key := w.texts(w.db, "SELECT name FROM pragma_table_info(?) WHERE pk = 1", table)[0]
	keys := w.texts(w.db, fmt.Sprintf("SELECT quote(%s) FROM %s", key, table))
	if len(keys) == 0 && !slices.Contains([]string{"proxy"}, table) {
		w.t.Errorf("there is nothing in %s to be edited", table)
	}
	types := w.texts(w.db, "SELECT type FROM pragma_table_info(?) ORDER BY cid", table)
	for i, column := range w.texts(w.db, "SELECT name FROM pragma_table_info(?) ORDER BY cid", table) {
		for _, key_ := range keys {
			for _, value := range edits[types[i]] {
				w.mustFind(fmt.Sprintf("UPDATE %s SET %s = %s WHERE %s = %s", table, column, fmt.Sprintf(value, column), key, key_))
			}
		}
	}
}

// edits are expressions of other values of a type.
var edits = map[string][]string{
	"INTEGER": {"%s + 1000", "-1 - %s"},
	"TEXT":    {"%[1]s || 'x'", "'charged ' || %[1]s"},
	"BLOB":    {"CAST(%s || x'00' AS BLOB)", "CAST(CASE substr(%[1]s, 1, 1) WHEN x'ff' THEN x'00' ELSE x'ff' END || coalesce(substr(%[1]s, 2), x'') AS BLOB)"},
}

// moveRows deletes each row, adds a copy of each behind the last, and exchanges each with its neighbour.
func (w *tampering) moveRows(table string) {
	w.t.Helper()
	if table == "ledger" || table == "head" {
		w.mustFind("DELETE FROM " + table)
		return
	}
	if table == "proxy" {
		for _, id := range w.texts(w.db, "SELECT quote(id) FROM proxy") {
			w.mustFind("DELETE FROM proxy WHERE id = " + id)
		}
		return
	}
	columns := w.texts(w.db, "SELECT name FROM pragma_table_info(?) WHERE pk = 0 ORDER BY cid", table)
	others := strings.Join(columns, ", ")
	for _, id := range w.texts(w.db, "SELECT id FROM "+table) {
		w.mustFind(fmt.Sprintf("DELETE FROM %s WHERE id = %s", table, id))
		w.mustFind(fmt.Sprintf("UPDATE %s SET id = -1 WHERE id = %s", table, id))
		if table == "entry" || table == "charge" { // elsewhere the columns are unique
			w.mustFind(fmt.Sprintf("INSERT INTO %[1]s (id, %[2]s) SELECT (SELECT max(id) + 1 FROM %[1]s), %[2]s FROM %[1]s WHERE id = %[3]s", table, others, id))
		}
		w.mustFind(fmt.Sprintf("UPDATE %s SET id = -1 WHERE id = %s", table, id),
			fmt.Sprintf("UPDATE %[1]s SET id = %[2]s WHERE id = (SELECT min(id) FROM %[1]s WHERE id > %[2]s)", table, id),
			fmt.Sprintf("UPDATE %[1]s SET id = CASE WHEN EXISTS (SELECT 1 FROM %[1]s WHERE id = %[2]s + 1) THEN 1000000 ELSE %[2]s + 1 END WHERE id = -1", table, id))
	}
}

// The last entries are cut off, and the head is set back to the one before: nothing in the ledger tells, and the guard does.
func TestTruncation(t *testing.T) {
	path := newPath(t)
	eventful(t, path)
	copyFile(t, path+".guard", path+".cut.guard")
	copyFile(t, path, path+".cut")
	db := newTampering(t, path+".cut").db
	for _, s := range []string{
		"UPDATE head SET entry = entry - 1", "UPDATE head SET hash = (SELECT hash FROM entry WHERE id = head.entry)",
	} {
		_, err := db.Exec(s)
		do(t, err)
	}
	for _, table := range []string{"charge", "release", "audit_event", "audit_answer"} {
		_, err := db.Exec("DELETE FROM " + table + " WHERE entry > (SELECT entry FROM head)")
		do(t, err)
	}
	_, err := db.Exec("DELETE FROM entry WHERE id > (SELECT entry FROM head)")
	do(t, err)
	do(t, db.Close())
	r, err := look(path + ".cut")
	do(t, err)
	defer r.Close()
	v, err := r.Verify(context.Background(), nil)
	do(t, err)
	if len(v.Problems) != 2 || !strings.Contains(v.Problems[0].Text, "the guard remembers entry") || !strings.Contains(v.Problems[1].Text, "lacks: trigger") {
		t.Errorf("found %v, want what the guard remembers, and the triggers that are gone", v.Problems)
	}
	if doubt := r.HeadMismatch(context.Background()); doubt == nil || !strings.Contains(doubt.Error(), "the guard remembers entry") {
		t.Errorf("a reader finds %v", doubt)
	}
	whole, err := look(path)
	do(t, err)
	defer whole.Close()
	do(t, whole.HeadMismatch(context.Background()))
	_, err = openAs(path+".cut", Serve)
	requireUnavailable(t, err, "older than the ledger that was here before")
}
