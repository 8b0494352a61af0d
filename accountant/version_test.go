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

// schema3 is the text that made ledgers of version 3.
//
//go:embed testdata/version3.sql
var schema3 string

// schema2 is the text that made ledgers of version 2.
//
//go:embed testdata/version2.sql
var schema2 string

// formerLedgers make ledgers as the versions of the layout left them.
var formerLedgers = map[int]func(t *testing.T, path string){firstVersion: version1, secondVersion: version2, 3: version3}

const formerID = "0123456789abcdef0123456789abcdef"

// version1 makes a ledger as version 1 of the layout left it, closed, with its guard.
func version1(t *testing.T, path string) {
	t.Helper()
	do(t, os.WriteFile(path, nil, 0o600))
	id := formerID
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
	do(t, os.WriteFile(path+".guard", []byte(mark{id: id, sequence: 7, former: true}.String()), 0o600))
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
	do(t, os.WriteFile(path+".guard", []byte(mark{id: formerID, sequence: 8, former: true}.String()), 0o600))
	atPrompt(t, made, toSecond)
	if diff := cmp.Diff(schemaOf(t, path), schemaOf(t, made)); diff != "" {
		t.Errorf("version 2 (-made +migrated):\n%s", diff)
	}
}

// version3 is version2 as version 3 had it, in which a ward was audited, too, by a machine whose clock was set back between two events.
func version3(t *testing.T, path string) {
	t.Helper()
	made := path + ".made2"
	version2(t, made)
	do(t, os.WriteFile(path, nil, 0o600))
	atPrompt(t, path, "PRAGMA journal_mode = WAL", schema3, "ATTACH '"+made+"' AS former",
		"INSERT INTO ledger SELECT * FROM former.ledger", "INSERT INTO entry SELECT *, 0 FROM former.entry",
		"INSERT INTO charge SELECT * FROM former.charge", "INSERT INTO release SELECT * FROM former.release",
		"INSERT INTO balance SELECT *, 0 FROM former.balance",
		`INSERT INTO entry VALUES
			(7, 1750000000000000010, 'ana', 'public', 'ward', 'charged', 'SELECT f', '', '', 0, 0, 0, 9),
			(8, 1750000000000000007, 'ana', 'public', 'ward', 'decided', 'SELECT g', '', '', 0, 0, 0, 0),
			(9, 1750000000000000008, 'bob', 'public', 'ward', 'charged', 'SELECT h', '', '', 0, 0, 0, 4)`,
		`INSERT INTO audit_event VALUES (1, 7, 'public', 'ward', 1, 'round', x'11'), (2, 8, 'public', 'ward', 2, 'round', x'12')`,
		`INSERT INTO audit_answer VALUES (1, 2, 1750000000000000009, x'22')`,
		`INSERT INTO audit_event VALUES (3, 9, 'public', 'ward', 3, 'round', x'13')`,
		`INSERT INTO audit_answer VALUES (2, 3, 1750000000000000001, x'23')`,
		"INSERT INTO balance VALUES ('public', 'ward', 'ana', '', 0, 0, 0, 9), ('public', 'ward', 'bob', '', 0, 0, 0, 4)")
	do(t, os.WriteFile(path+".guard", []byte(mark{id: formerID, sequence: 13, former: true}.String()), 0o600))
	atPrompt(t, made, toThird)
	if diff := cmp.Diff(schemaOf(t, path), schemaOf(t, made)); diff != "" {
		t.Errorf("version 3 (-made +migrated):\n%s", diff)
	}
}

// A books is all that a ledger tells.
type books struct {
	Charged  []ChargedTable
	Spent    map[string]Loss // by table and analyst
	Log      []Entry
	Recent   []Entry
	Released []Release
	Payloads []string
	Audited  []AuditEvent
	Head     Mark
}

func readBooks(t *testing.T, r *Reader) (b books) {
	t.Helper()
	ctx := context.Background()
	found, err := r.Verify(ctx, nil)
	do(t, err)
	if len(found.Problems) > 0 {
		t.Fatalf("problems: %v", found.Problems)
	}
	b.Head = found.Head
	b.Charged, err = r.Charged(ctx)
	do(t, err)
	b.Spent = make(map[string]Loss)
	for _, table := range b.Charged {
		b.Spent[table.Table.String()] = balance(t, r, table.Table, "")[0]
		for _, analyst := range table.Analysts {
			b.Spent[table.Table.String()+" "+analyst] = balance(t, r, table.Table, analyst)[1]
		}
	}
	b.Log, err = r.Log(ctx, LogFilter{})
	do(t, err)
	do(t, r.Recent(ctx, "ana", func(e Entry) bool { b.Recent = append(b.Recent, e); return true }))
	do(t, r.Released(ctx, func(found *Release) bool { b.Released = append(b.Released, *found); return true }))
	for _, found := range b.Released {
		payload, err := r.Payload(ctx, found.ID)
		do(t, err)
		b.Payloads = append(b.Payloads, string(payload))
		newest, err := r.findRelease(ctx, asked{table: found.Table, epoch: 1, key: found.Key})
		if err != nil || newest == nil || newest.ID != found.ID || newest.Loss != found.Loss {
			t.Errorf("release %d is found as %v, %v", found.ID, newest, err)
		}
	}
	b.Audited = auditLog(t, r, policy.TableName{Schema: "public", Name: "ward"}, 0)
	return b
}

func readOnlyBooks(t *testing.T, path string) books {
	t.Helper()
	r, err := look(path)
	do(t, err)
	defer r.Close()
	return readBooks(t, r)
}

// schemaOf is a ledger's version, and the text of its tables and triggers with white space folded.
func schemaOf(t *testing.T, path string) (statements []string) {
	t.Helper()
	r, err := openSQLiteReader(path)
	do(t, err)
	defer r.close()
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

// What every version has charged.
func formerlySpent(version int) map[string]Loss {
	spent := map[string]Loss{
		"public.patients": {Epsilon: 5e8, Delta: 5}, "public.patients ana": {Epsilon: 3e8, Delta: 5}, "public.patients bob": {Epsilon: 2e8},
		"public.visits": {Epsilon: 7}, "public.visits ana": {Epsilon: 7},
	}
	if version >= secondVersion {
		spent["public.patients"] = Loss{Epsilon: 5e8, Delta: 5, Releases: 1}
		spent["public.patients bob"] = Loss{Epsilon: 2e8, Releases: 1}
	}
	if version >= 3 {
		spent["public.ward"], spent["public.ward ana"], spent["public.ward bob"] = Loss{Risk: 13}, Loss{Risk: 9}, Loss{Risk: 4}
	}
	return spent
}

func TestMigration(t *testing.T) {
	for version, former := range formerLedgers {
		t.Run(fmt.Sprint(version), func(t *testing.T) { testMigration(t, version, former) })
	}
}

func testMigration(t *testing.T, version int, former func(t *testing.T, path string)) {
	path := newPath(t)
	former(t, path)
	file, err := os.ReadFile(path)
	do(t, err)

	// Before the proxy has been started, the commands that look read the former version, and leave it.
	before := readOnlyBooks(t, path)
	if diff := cmp.Diff(formerlySpent(version), before.Spent); diff != "" {
		t.Errorf("spent before (-want +got):\n%s", diff)
	}
	if entries := map[int]int{1: 5, 2: 6, 3: 9}[version]; len(before.Log) != entries || len(before.Released) != 2 {
		t.Fatalf("a ledger of version %d is read as %+v", version, before)
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(file, now) {
		t.Error("reading changed the file")
	}
	looking, err := look(path) // and goes on looking
	do(t, err)
	defer looking.Close()
	if diff := cmp.Diff(before, readBooks(t, looking)); diff != "" {
		t.Errorf("a second look (-first +second):\n%s", diff)
	}

	l := open(t, path)
	for name, r := range map[string]*Reader{"the ledger": l.Reader, "a reader that saw it before": looking} {
		if diff := cmp.Diff(before, readBooks(t, r)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
	remembered, err := l.store.remembered()
	if err != nil || remembered.former || remembered.id != formerID || remembered.entry != l.state.position {
		t.Errorf("the guard remembers %v, %v", remembered, err)
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
	want := formerlySpent(version)["public.patients"]
	c := charge("bob", "z", Loss{Epsilon: 1e9 - want.Epsilon + 1})
	c.Items[0].Shape = "a shape"
	var over *OverBudgetError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &over) || over.Remaining.Epsilon != 1e9-want.Epsilon {
		t.Errorf("error %v, want over budget", err)
	}
	c.Items[0].Loss.Epsilon--
	record(t, l, reserve(t, l, c), []byte("answer"))
	if found, err := looking.Derivable(ctx, patients, 0, 9); err != nil || len(found.Releases) != 1 || found.Releases[0].Shape != "a shape" {
		t.Errorf("to a reader that saw the former version derivable are %+v, %v", found, err)
	}
	if got := balance(t, looking, patients, "")[0].Epsilon; got != 1e9 {
		t.Errorf("to a reader that saw the former version %v was spent", got)
	}
	// A question that the former version has answered is answered by that; one that it has charged and not answered is not adopted.
	if found, ok, err := l.Lookup(ctx, question(patients, "a"), 0); err != nil || !ok || string(found.Payload) != "\x01" {
		t.Errorf("a former answer is %v, %v, %v", found, ok, err)
	}
	if _, err := l.Reserve(ctx, charge("bob", "c", Loss{Epsilon: 2e8})); !errors.As(err, &over) {
		t.Errorf("a charge of the former version that was left open: %v", err)
	}
	if version >= 3 {
		follow := auditEntry("bob", 7, 3)
		follow.Table, follow.Answers = policy.TableName{Schema: "public", Name: "ward"}, 2
		if r := appendAudit(t, l, follow); r.Sequence != 4 {
			t.Errorf("the next event is number %d", r.Sequence)
		}
	}
	closeLedger(t, l)
	l = open(t, sqliteOf(l).path)
	if got := balance(t, l, patients, "bob"); got[0].Epsilon != 1e9 || got[0].Releases != want.Releases {
		t.Errorf("the balance is %v", got)
	}
}

// What is not sound, or not the newest, is refused as it is: it stays of its version.
func TestUnsoundIsNotMigrated(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"a balance is not the sum of its reservations": func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER balance_grows", "UPDATE balance SET epsilon = epsilon - 1 WHERE analyst = 'bob'")
		},
		"a reservation is not the sum of its charges": func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER charge_is_kept", "UPDATE charge SET epsilon = 0 WHERE id = 2")
		},
		"an entry is missing": func(t *testing.T, path string) {
			atPrompt(t, path, "DROP TRIGGER entry_stays", "DELETE FROM entry WHERE id = 2")
		},
		"a reference leads nowhere": func(t *testing.T, path string) {
			atPrompt(t, path, "PRAGMA foreign_keys = 0", "INSERT INTO release (charge, at, payload) VALUES (99, 0, x'')")
		},
		"older than the ledger that was here before": func(t *testing.T, path string) {
			do(t, os.WriteFile(path+".guard", []byte(mark{id: formerID, sequence: 8, former: true}.String()), 0o600))
		},
		"older than the ledger that was here before, which a newer version has written": func(t *testing.T, path string) {
			do(t, os.WriteFile(path+".guard", []byte(mark{id: formerID, entry: 8}.String()), 0o600))
		},
		"its guard file is missing": func(t *testing.T, path string) { do(t, os.Remove(path+".guard")) },
	} {
		path := newPath(t)
		version1(t, path)
		spoil(t, path)
		before, _ := os.ReadFile(path)
		_, err := openAs(path, Serve)
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
	copyFile(t, path+".guard", path+".former.guard") // which follows the commit
	l := open(t, path)
	wal, err := os.ReadFile(path + "-wal")
	do(t, err)
	closeLedger(t, l)
	const header, frame = 32, 24 + 4096
	if pageSize := binary.BigEndian.Uint32(wal[8:]); pageSize != 4096 || len(wal) < header+2*frame {
		t.Fatalf("a log of %d bytes with pages of %d", len(wal), pageSize)
	}
	versions := map[int]int{}
	for end := 0; ; end += 3 * frame / 2 {
		whole := end >= len(wal)
		end = min(end, len(wal))
		crashed := newPath(t)
		copyFile(t, path+".former", crashed)
		copyFile(t, path+".former.guard", crashed+".guard")
		do(t, os.WriteFile(crashed+"-wal", wal[:end], 0o600))
		r, err := openSQLiteReader(crashed)
		do(t, err)
		version, err := r.identify(context.Background())
		do(t, err)
		do(t, r.close())
		versions[version]++
		l := open(t, crashed)
		if diff := cmp.Diff(before, readBooks(t, l.Reader)); diff != "" {
			t.Fatalf("after %d bytes of %d (-before +after):\n%s", end, len(wal), diff)
		}
		reserve(t, l, charge("bob", "z", Loss{Epsilon: 1}))
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
	do(t, w.script("PRAGMA foreign_keys = OFF"))
	do(t, w.exec("BEGIN IMMEDIATE"))
	do(t, w.bringUp(context.Background(), version))
	do(t, w.close())
	if diff := cmp.Diff(before, readOnlyBooks(t, path)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before, readBooks(t, open(t, path).Reader)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// Former versions charged a question for each who asked it at the same time, or twice in one statement, and answered each.
func TestTwinsAreMigrated(t *testing.T) {
	for version, former := range formerLedgers {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := newPath(t)
			former(t, path)
			atPrompt(t, path, "DROP TRIGGER charge_is_kept", "DROP TRIGGER release_is_kept",
				"UPDATE charge SET question_key = (SELECT question_key FROM charge WHERE id = 1) WHERE id IN (2, 3)",
				"UPDATE release SET at = 1750000000000000006", "INSERT INTO release VALUES (3, 3, 1750000000000000006, x'03')",
				"CREATE TRIGGER charge_is_kept BEFORE UPDATE ON charge BEGIN SELECT raise(ABORT, 'no'); END",
				"CREATE TRIGGER release_is_kept BEFORE UPDATE ON release BEGIN SELECT raise(ABORT, 'no'); END")
			r, err := look(path)
			do(t, err)
			defer r.Close()
			l := open(t, path)
			for name, r := range map[string]*Reader{"a reader": r, "the ledger": l.Reader} {
				charges, err := r.Charges(context.Background(), patients)
				do(t, err)
				if len(charges) < 3 || charges[0].Release != 1 || charges[1].Release != 2 || charges[2].Release != 3 {
					t.Errorf("to %s the charges are %+v", name, charges)
				}
			}
			if found, ok, err := l.Lookup(context.Background(), question(patients, "a"), 0); err != nil || !ok || string(found.Payload) != "\x03" {
				t.Errorf("the newest answer is %v, %v, %v", found, ok, err)
			}
		})
	}
}
