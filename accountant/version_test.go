package accountant

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/policy"
)

// schema1 is the text that made ledgers of version 1.
//
//go:embed testdata/version1.sql
var schema1 string

// schema2 is the text that made ledgers of version 2.
//
//go:embed testdata/version2.sql
var schema2 string

// formerLedgers make ledgers as the versions of the layout left them.
var formerLedgers = map[int]func(t *testing.T, path string){firstVersion: version1, secondVersion: version2}

// version1 makes a ledger as version 1 of the layout left it, closed, with its guard.
func version1(t *testing.T, path string) {
	t.Helper()
	do(t, os.WriteFile(path, nil, 0o600))
	id := strings.Repeat("0123456789abcdef", 2)
	key := func(text string) string {
		q := question(patients, text)
		return fmt.Sprintf("x'%x'", q.Key[:])
	}
	atPrompt(t, path, "PRAGMA journal_mode = WAL", schema1,
		"INSERT INTO ledger VALUES (1, '"+id+"', 1750000000000000000)",
		`INSERT INTO entry VALUES
			(1, 1750000000000000001, 'ana', 'public', 'patients', 'charged', 'SELECT a', '', 'add-remove', 300000000, 5),
			(2, 1750000000000000002, 'bob', 'public', 'patients', 'replayed', 'SELECT a', '', '', 0, 0),
			(3, 1750000000000000003, 'bob', '', '', 'refused', 'SELECT x', '42501', '', 0, 0),
			(4, 1750000000000000004, 'bob', 'public', 'patients', 'charged', 'SELECT c', '', 'add-remove', 200000000, 0),
			(5, 1750000000000000005, 'ana', 'public', 'visits', 'charged', 'SELECT d', '', 'replace-one', 7, 0)`,
		`INSERT INTO charge VALUES
			(1, 1, `+key("a")+`, 'a', 'geometric', 100000000, 5),
			(2, 1, `+key("b")+`, 'b', 'geometric', 200000000, 0),
			(3, 4, `+key("c")+`, 'c', 'geometric', 200000000, 0),
			(4, 5, `+key("d")+`, 'd', 'geometric', 7, 0)`,
		"INSERT INTO release VALUES (1, 1, 1750000000000000002, x'01'), (2, 2, 1750000000000000002, x'02')",
		`INSERT INTO balance VALUES ('public', 'patients', 'ana', 'add-remove', 300000000, 5),
			('public', 'patients', 'bob', 'add-remove', 200000000, 0), ('public', 'visits', 'ana', 'replace-one', 7, 0)`)
	do(t, os.WriteFile(path+".guard", []byte(mark{id: id, sequence: 7}.String()), 0o600))
}

// version2 is version1 as version 2 had it, in which bob has had a release without a guarantee, too.
func version2(t *testing.T, path string) {
	t.Helper()
	made := path + ".made"
	version1(t, made)
	do(t, os.WriteFile(path, nil, 0o600))
	atPrompt(t, path, "PRAGMA journal_mode = WAL", schema2, "ATTACH '"+made+"' AS former",
		"INSERT INTO ledger SELECT * FROM former.ledger", "INSERT INTO entry SELECT *, 0 FROM former.entry",
		"INSERT INTO charge SELECT *, 0 FROM former.charge", "INSERT INTO release SELECT * FROM former.release",
		"INSERT INTO balance SELECT *, 0 FROM former.balance",
		"INSERT INTO entry VALUES (6, 1750000000000000006, 'bob', 'public', 'patients', 'charged', 'SELECT e', '', 'add-remove', 0, 0, 1)",
		"INSERT INTO charge SELECT 5, 6, question_key, 'e', 'suppression', 0, 0, 1 FROM charge WHERE id = 1",
		"UPDATE balance SET releases = 1 WHERE analyst = 'bob'")
	do(t, os.WriteFile(path+".guard", []byte(mark{id: strings.Repeat("0123456789abcdef", 2), sequence: 8}.String()), 0o600))
	atPrompt(t, made, toSecond)
	if diff := cmp.Diff(schemaOf(t, path), schemaOf(t, made)); diff != "" {
		t.Errorf("version 2 (-made +migrated):\n%s", diff)
	}
}

// A books is all that a ledger tells.
type books struct {
	Balances []TableBalance
	Log      []Entry
	Recent   []Entry
	Released []Release
	Payloads []string
}

func readBooks(t *testing.T, r *Reader) (b books) {
	t.Helper()
	ctx := context.Background()
	do(t, r.Check(ctx))
	var err error
	b.Balances, err = r.Balances(ctx)
	do(t, err)
	b.Log, err = r.Log(ctx, LogFilter{})
	do(t, err)
	do(t, r.Recent(ctx, "ana", func(e Entry) bool { b.Recent = append(b.Recent, e); return true }))
	do(t, r.Released(ctx, func(found *Release) bool {
		b.Released = append(b.Released, *found)
		payload, err := r.Payload(ctx, found.ID)
		do(t, err)
		b.Payloads = append(b.Payloads, string(payload))
		newest, ok, err := r.newest(ctx, found.Question, 0)
		if err != nil || !ok || newest.ID != found.ID || newest.Loss != found.Loss {
			t.Errorf("release %d is found as %v, %v", found.ID, newest, err)
		}
		return true
	}))
	for _, table := range b.Balances {
		for _, analyst := range table.Analysts {
			all, own, err := r.Balance(ctx, table.Table, analyst.Analyst)
			if err != nil || all != table.Spent || own != analyst.Spent {
				t.Errorf("the balance of %s on %v is %v and %v, %v", analyst.Analyst, table.Table, all, own, err)
			}
		}
	}
	return b
}

func readOnlyBooks(t *testing.T, path string) books {
	t.Helper()
	r, err := OpenReadOnly(path)
	do(t, err)
	defer r.Close()
	return readBooks(t, r)
}

// schemaOf is a ledger's version, and the text of its tables and triggers with white space folded.
func schemaOf(t *testing.T, path string) (statements []string) {
	t.Helper()
	r, err := openReader(path)
	do(t, err)
	defer r.Close()
	rows, err := r.db.Query("SELECT 'version ' || user_version FROM pragma_user_version UNION ALL SELECT coalesce(sql, name) FROM sqlite_schema")
	do(t, err)
	defer rows.Close()
	for rows.Next() {
		var s string
		do(t, rows.Scan(&s))
		s = strings.Join(strings.Fields(s), " ")
		statements = append(statements, strings.NewReplacer(" ,", ",", "( ", "(", " )", ")", `"`, "").Replace(s))
	}
	do(t, rows.Err())
	slices.Sort(statements)
	return statements
}

// chargeRelease charges for one release without a guarantee, of which there may be one in all.
func chargeRelease(l *Ledger) error {
	c := charge("bob", "e", Loss{Releases: 1})
	c.TableBudget.Releases = 1
	_, err := l.Reserve(context.Background(), c)
	return err
}

func TestMigration(t *testing.T) {
	for version, make := range formerLedgers {
		t.Run(fmt.Sprint(version), func(t *testing.T) { testMigration(t, version, make) })
	}
}

func testMigration(t *testing.T, version int, former func(t *testing.T, path string)) {
	path := newPath(t)
	former(t, path)
	file, err := os.ReadFile(path)
	do(t, err)
	guard, err := os.ReadFile(path + ".guard")
	do(t, err)

	// Before the proxy has been started, the commands that look read the former version, and leave it.
	before := readOnlyBooks(t, path)
	if len(before.Balances) != 2 || len(before.Log) != 4+version || len(before.Released) != 2 {
		t.Fatalf("a ledger of version %d is read as %+v", version, before)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(file, now) {
		t.Error("reading changed the file")
	}
	looking, err := OpenReadOnly(path) // and goes on looking
	do(t, err)
	defer looking.Close()

	l := open(t, path)
	for name, r := range map[string]*Reader{"the ledger": l.Reader, "a reader that saw it before": looking} {
		if diff := cmp.Diff(before, readBooks(t, r)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
	if now, _ := os.ReadFile(path + ".guard"); !bytes.Equal(guard, now) {
		t.Errorf("the guard is %q, was %q", now, guard)
	}
	fresh := newPath(t)
	closeLedger(t, open(t, fresh))
	if diff := cmp.Diff(schemaOf(t, fresh), schemaOf(t, path)); diff != "" {
		t.Errorf("(-made +migrated):\n%s", diff)
	}
	useMigrated(t, l, looking, version)
}

// useMigrated does what the former version could not, in a ledger that was brought up while looking looked at it.
func useMigrated(t *testing.T, l *Ledger, looking *Reader, version int) {
	ctx := context.Background()
	if version == firstVersion {
		do(t, chargeRelease(l))
	}
	var over *OverBudgetError
	if err := chargeRelease(l); !errors.As(err, &over) {
		t.Errorf("a second release: %v", err)
	}
	appendAudit(t, l, auditEntry("bob", 7, 0))
	for _, s := range []string{
		"UPDATE balance SET releases = 0", "UPDATE balance SET risk = 0", "UPDATE entry SET releases = 0", "UPDATE entry SET risk = 0",
		"UPDATE charge SET releases = 0", "UPDATE audit_event SET kind = 'x'", "INSERT INTO audit_answer (event, at, payload) VALUES (99, 0, x'')",
	} {
		if _, err := l.writer.conn.ExecContext(ctx, s); err == nil {
			t.Errorf("%s was done", s)
		}
	}
	want := [2]Loss{{Epsilon: 5e8, Delta: 5, Releases: 1, Risk: 7}, {Epsilon: 2e8, Releases: 1, Risk: 7}}
	if all, own, err := looking.Balance(ctx, patients, "bob"); err != nil || all != want[0] || own != want[1] {
		t.Errorf("to a reader that saw the former version the balance is %v and %v, %v", all, own, err)
	}
	if events, err := looking.AuditEvents(ctx, patients, 0); err != nil || len(events) != 1 {
		t.Errorf("to a reader that saw the former version the auditor's events are %v, %v", events, err)
	}
	closeLedger(t, l)
	l = open(t, l.path)
	if got := balance(t, l, patients, "bob"); got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
}

// What is not sound, or not the newest, is refused as it is: it stays of its version.
func TestUnsoundIsNotMigrated(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"a balance is not the sum of its reservations": func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER balance_grows", "UPDATE balance SET epsilon = epsilon - 1 WHERE analyst = 'bob'")
		},
		"older than the ledger that was here before": func(t *testing.T, path string) {
			do(t, os.WriteFile(path+".guard", []byte(mark{id: strings.Repeat("0123456789abcdef", 2), sequence: 8}.String()), 0o600))
		},
		"its guard file is missing": func(t *testing.T, path string) { do(t, os.Remove(path+".guard")) },
	} {
		path := newPath(t)
		version1(t, path)
		spoil(t, path)
		before, _ := os.ReadFile(path)
		_, err := Open(path)
		requireUnavailable(t, err, name)
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

// The machine stops during the migration: of its write-ahead log any part may have come to disk, for it is synced at the commit only.
// Whichever part, the next start finds the former version or this one, and all that was charged.
func TestMigrationAcrossACrash(t *testing.T) {
	for version, make := range formerLedgers {
		t.Run(fmt.Sprint(version), func(t *testing.T) { testMigrationAcrossACrash(t, version, make) })
	}
}

func testMigrationAcrossACrash(t *testing.T, former int, make func(t *testing.T, path string)) {
	path := newPath(t)
	make(t, path)
	before := readOnlyBooks(t, path)
	copyFile(t, path, path+".former")
	l := open(t, path)
	wal, err := os.ReadFile(path + "-wal")
	do(t, err)
	closeLedger(t, l)
	const header, frame = 32, 24 + 4096
	if pageSize := binary.BigEndian.Uint32(wal[8:]); pageSize != 4096 || len(wal) < header+2*frame {
		t.Fatalf("a log of %d bytes with pages of %d", len(wal), pageSize)
	}
	versions := map[int]int{}
	for end := 0; ; end += frame / 2 {
		whole := end >= len(wal)
		end = min(end, len(wal))
		crashed := newPath(t)
		copyFile(t, path+".former", crashed)
		copyFile(t, path+".guard", crashed+".guard")
		do(t, os.WriteFile(crashed+"-wal", wal[:end], 0o600))
		r, err := openReader(crashed)
		do(t, err)
		version, err := r.identify(context.Background())
		do(t, err)
		do(t, r.Close())
		versions[version]++
		l := open(t, crashed)
		if diff := cmp.Diff(before, readBooks(t, l.Reader)); diff != "" {
			t.Fatalf("after %d bytes of %d (-before +after):\n%s", end, len(wal), diff)
		}
		appendAudit(t, l, auditEntry("bob", 7, 0))
		if got, want := balance(t, l, patients, "bob")[0], (Loss{Epsilon: 5e8, Delta: 5, Releases: int64(former - 1), Risk: 7}); got != want {
			t.Fatalf("after %d bytes of %d the balance is %v", end, len(wal), got)
		}
		if whole {
			break
		}
	}
	if versions[former] == 0 || versions[schemaVersion] == 0 || len(versions) != 2 {
		t.Errorf("the versions found are %v: little was tested", versions)
	}
}

// The process stops before the commit: all statements of the migration, the version's too, are undone.
func TestMigrationThatStops(t *testing.T) {
	for version, make := range formerLedgers {
		t.Run(fmt.Sprint(version), func(t *testing.T) { testMigrationThatStops(t, version, make) })
	}
}

func testMigrationThatStops(t *testing.T, version int, make func(t *testing.T, path string)) {
	path := newPath(t)
	make(t, path)
	before := readOnlyBooks(t, path)
	w, err := openWriter(path)
	do(t, err)
	unfinished := &transaction{writer: w}
	unfinished.script("PRAGMA foreign_keys = OFF")
	unfinished.exec("BEGIN IMMEDIATE")
	unfinished.script(migration(version))
	do(t, unfinished.err)
	do(t, w.close())
	if diff := cmp.Diff(before, readOnlyBooks(t, path)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before, readBooks(t, open(t, path).Reader)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// Budgets hold over what was charged before the migration and what came after it together.
func TestBudgetOverTheMigration(t *testing.T) {
	path := newPath(t)
	version1(t, path)
	l := open(t, path)
	c := charge("bob", "e", Loss{Epsilon: 5e8 + 1})
	var over *OverBudgetError
	if _, err := l.Reserve(context.Background(), c); !errors.As(err, &over) || over.Remaining.Epsilon != 5e8 {
		t.Errorf("error %v, want over budget", err)
	}
	c.Items[0].Loss = Loss{Epsilon: 5e8}
	c.Cap = &policy.Budget{Epsilon: 7e8}
	reserve(t, l, c)
}
