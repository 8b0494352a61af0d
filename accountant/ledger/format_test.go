package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/postgres"
	"tacit/accountant/ledger/sqlite"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// testdata/version1.ledger was written by a program that knew version 1 of the format only. It has charges of several analysts, answers, adopted, abandoned and
// open charges, an audited table, acts, two checkpoints, and notes of all kinds.

// former is a ledger of version 1 on each back end, with its guard.
func former(t *testing.T, test func(t *testing.T, location policy.LedgerLocation)) {
	t.Run("SQLite", func(t *testing.T) {
		path := newPath(t)
		copyFile(t, "testdata/version1.ledger", path)
		copyFile(t, "testdata/version1.ledger.guard", path+".guard")
		test(t, policy.LedgerLocation{SQLite: path})
	})
	t.Run("PostgreSQL", func(t *testing.T) { test(t, formerPostgres(t)) })
}

// formerPostgres makes the tables of version 1 as the statements did that made them, and copies the rows of the file.
func formerPostgres(t *testing.T) policy.LedgerLocation {
	t.Helper()
	ctx := context.Background()
	location := ledgertest.NewPostgres(t)
	conn, err := pgx.Connect(ctx, location.Postgres)
	do(t, err)
	defer conn.Close(ctx)
	statements := "CREATE SCHEMA tacit_ledger;"
	for _, file := range []string{"postgres/postgres.sql", "postgres/postgrestriggers.sql"} {
		text, err := os.ReadFile(file)
		do(t, err)
		statements += string(text)
	}
	_, err = conn.Exec(ctx, statements, pgx.QueryExecModeSimpleProtocol)
	do(t, err)
	path := newPath(t)
	copyFile(t, "testdata/version1.ledger", path)
	db, err := sql.Open("sqlite", path)
	do(t, err)
	defer db.Close()
	for _, table := range []string{"ledger", "entry", "head", "proxy", "charge", "release", "audit_event", "audit_answer"} {
		columns, rows := allRows(t, db, table)
		_, err := conn.CopyFrom(ctx, pgx.Identifier{"tacit_ledger", table}, columns, pgx.CopyFromRows(rows))
		do(t, err)
	}
	var id string
	do(t, db.QueryRow("SELECT id FROM ledger").Scan(&id))
	copyFile(t, "testdata/version1.ledger.guard", filepath.Join(location.Guard, ".tacit-"+id+".guard"))
	return location
}

func allRows(t *testing.T, db *sql.DB, table string) (columns []string, all [][]any) {
	t.Helper()
	rows, err := db.Query("SELECT * FROM " + table)
	do(t, err)
	defer rows.Close()
	columns, err = rows.Columns()
	do(t, err)
	for rows.Next() {
		row, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			places[i] = &row[i]
		}
		do(t, rows.Scan(places...))
		for i := range row {
			if b, ok := row[i].([]byte); ok {
				row[i] = append([]byte{}, b...) // nil would be NULL
			}
		}
		all = append(all, row)
	}
	do(t, rows.Err())
	return columns, all
}

// lastOfVersion1 is the last entry of the ledger of version 1.
const lastOfVersion1 = 31

// What reads a ledger of version 1 leaves it as it is: the log, the balances, the archive and verification are there, and nothing can be dropped.
func TestFormerFormatIsRead(t *testing.T) {
	former(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		r, err := OpenReadOnly(ctx, location)
		do(t, err)
		defer r.Close()
		v, err := r.Verify(ctx, nil)
		do(t, err)
		if len(v.Problems) > 0 || v.Entries != lastOfVersion1 || v.Charges != 8 || v.Releases != 6 || v.Checkpoints != 2 {
			t.Errorf("it is %+v", v)
		}
		wantFormerNotes(t, r)
		b, err := r.Balance(ctx, charge("ana", "", accountant.Loss{}).Accounting, "ana", nil)
		if err != nil || b.Own.Epsilon != 1e8+1 {
			t.Errorf("the balance is %+v, %v", b, err)
		}
		lines, head := exported(t, r)
		if found, err := verifyLines(lines, &head); err != nil || len(found.Problems) > 0 {
			t.Errorf("its archive: %+v, %v", found, err)
		}
		if _, err := r.Due(ctx, policy.Keep{Notes: 1}); err != ErrFormerFormat {
			t.Errorf("what is due: %v", err)
		}
		if location.SQLite != "" {
			want, err := os.ReadFile("testdata/version1.ledger")
			do(t, err)
			got, err := os.ReadFile(location.SQLite)
			do(t, err)
			if !slices.Equal(want, got) {
				t.Error("the file was changed")
			}
		}
	})
}

// wantFormerNotes looks for the notes of version 1.
func wantFormerNotes(t *testing.T, r *Reader) {
	t.Helper()
	var notes []string
	entries, err := r.Log(context.Background(), LogFilter{Before: lastOfVersion1 + 1, After: 24})
	do(t, err)
	for _, e := range entries {
		if e.Verdict == Replayed || e.Verdict == Derived || e.Verdict == Refused {
			notes = append(notes, fmt.Sprint(e.Analyst, " ", e.Verdict, " ", e.SQL, " ", e.Reason, e.Releases, !e.Answered.IsZero()))
		}
	}
	want := []string{"ève refused SELECT * it is protected[] false", "ana derived SELECT derived [1 2] false", "ana replayed SELECT after [] true"}
	for _, w := range want {
		if !slices.Contains(notes, w) {
			t.Errorf("the notes are %q, and lack %q", notes, w)
		}
	}
}

// A steward's command writes a ledger of version 1 as it is, beside a proxy that may know no other.
func TestFormerFormatIsWrittenByStewards(t *testing.T) {
	former(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l, err := Open(ctx, Options{Location: location})
		do(t, err)
		_, err = l.Grant(ctx, Grant{Table: patients, Budget: policy.Budget{Epsilon: 5}, By: "root", Reason: "because"})
		do(t, err)
		record(t, l, reserve(t, l, charge("ana", "of a command", accountant.Loss{Epsilon: 1})), []byte("x"))
		noteNow(t, l, refusal(1), Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT 1"})
		writeCheckpoint(t, l)
		if _, err := l.Thin(ctx, policy.Keep{Notes: 1}); err != ErrFormerFormat {
			t.Errorf("thinned: %v", err)
		}
		do(t, l.Close())
		r, err := OpenReadOnly(ctx, location)
		do(t, err)
		defer r.Close()
		verified(t, r)
		entries, err := r.Log(ctx, LogFilter{Verdict: Refused, Limit: 1})
		if err != nil || entries[0].Reason != "no" {
			t.Errorf("the note is %+v, %v", entries, err)
		}
		salted, _, err := store.One(ctx, r.store, store.ScanNumber, `SELECT count(*) FROM entry WHERE kind = 'format' OR body LIKE '%salt%' OR body LIKE '%"notes"%'`)
		if err != nil || salted != 0 {
			t.Errorf("%d entries are of version 2, %v", salted, err)
		}
	})
}

// A proxy brings a ledger of version 1 up, in one transaction, and goes on with it: what was answered is answered again without a charge, what was charged counts, and what is
// noted from now on can be dropped. What was noted before stays.
func TestFormerFormatIsBroughtUp(t *testing.T) {
	former(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		r, err := OpenReadOnly(ctx, location)
		do(t, err)
		defer r.Close()
		before := headsOf(t, r)
		was := balanceOf(t, r)
		l := openAt(t, location)
		if l.state.Format != (journal.Format{Version: 2, Since: lastOfVersion1 + 1}) || l.state.Position != lastOfVersion1+1 {
			t.Fatalf("its format is %+v, and its last entry %d", l.state.Format, l.state.Position)
		}
		for text, answer := range map[string]string{"a": "anew", "after": "kept"} {
			if release, ok, err := l.Lookup(ctx, question(patients, text), 0); err != nil || !ok || string(release.Payload) != answer {
				t.Errorf("%s is answered by %v, %v, %v", text, release, ok, err)
			}
		}
		if now := balanceOf(t, l.Reader); now != was {
			t.Errorf("the balance is %v, and was %v", now, was)
		}
		if diff := cmp.Diff(before, headsOf(t, r)[:lastOfVersion1]); diff != "" {
			t.Errorf("hashes have changed:\n%s", diff)
		}
		noteNow(t, l, refusal(1), refusal(2), refusal(3))
		if done := thin(t, l, policy.Keep{Notes: 1}); done.Refused != 2 || done.Through != lastOfVersion1+3 {
			t.Errorf("%+v was dropped", done)
		}
		record(t, l, reserve(t, l, charge("ana", "new", accountant.Loss{Epsilon: 1})), []byte("x"))
		writeCheckpoint(t, l)
		verified(t, r) // which has read the ledger before
		wantFormerNotes(t, l.Reader)
		closeLedger(t, l)
		l = openAt(t, location)
		if l.state.Notes != (journal.Notes{Kept: 1, Dropped: 2, Through: lastOfVersion1 + 3}) || l.state.Format.Since != lastOfVersion1+1 {
			t.Errorf("loaded, it has %+v and %+v", l.state.Notes, l.state.Format)
		}
		verified(t, l.Reader)
		if warnings := l.Warnings(); slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "triggers") }) {
			t.Errorf("warnings %q", warnings)
		}
	})
}

func balanceOf(t *testing.T, r *Reader) accountant.Loss {
	t.Helper()
	b, err := r.Balance(context.Background(), charge("ana", "", accountant.Loss{}).Accounting, "ana", nil)
	do(t, err)
	return b.Spent
}

// Proxies that bring up a ledger at once do it once.
func TestFormerFormatIsBroughtUpOnce(t *testing.T) {
	location := formerPostgres(t)
	opened := make(chan error)
	const proxies = 5
	ledgers := make([]*Ledger, proxies)
	for i := range proxies {
		go func() {
			var err error
			ledgers[i], err = Open(context.Background(), Options{Location: location, Role: Serve})
			opened <- err
		}()
	}
	for range proxies {
		do(t, <-opened)
	}
	for i, l := range ledgers {
		defer l.Close()
		record(t, l, reserve(t, l, charge("ana", fmt.Sprint("proxy ", i), accountant.Loss{Epsilon: 1})), []byte("x"))
	}
	formats, _, err := store.One(context.Background(), ledgers[0].store, store.ScanNumber, "SELECT count(*) FROM entry WHERE kind = 'format'")
	if err != nil || formats != 1 {
		t.Errorf("%d entries say the format, %v", formats, err)
	}
	verified(t, ledgers[0].Reader)
}

// A proxy that cannot bring a ledger up leaves it as it is, and the next one does it. So it is with a kill in between, since all is one transaction.
func TestFormerFormatStays(t *testing.T) {
	former(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		for _, outcome := range []int32{refuses, losesBatch, losesOwnMessage} {
			inner, err := openStore(ctx, Options{Location: location, Role: Serve})
			do(t, err)
			failing := &forgetfulStore{Store: inner}
			failing.next.Store(outcome)
			l, err := newLedger(ctx, impatient{failing}, Options{Location: location, Role: Serve})
			if err == nil {
				t.Errorf("outcome %d: it was opened", outcome)
				l.Close()
			} else {
				inner.Close()
			}
			r, err := OpenReadOnly(ctx, location)
			do(t, err)
			verified(t, r)
			s, err := load(ctx, r.store)
			do(t, err)
			if brought := outcome == losesOwnMessage; (s.Format.Version == 2) != brought {
				t.Errorf("outcome %d: its format is %+v", outcome, s.Format)
			}
			do(t, r.Close())
		}
		l := openAt(t, location)
		verified(t, l.Reader)
	})
}

// An impatient store does not try again.
type impatient struct{ *forgetfulStore }

func (impatient) Patience() time.Duration { return 0 }

// A ledger that its guard refuses is not brought up.
func TestFormerFormatOfAnotherState(t *testing.T) {
	former(t, func(t *testing.T, location policy.LedgerLocation) {
		guard := location.SQLite + ".guard"
		if location.Postgres != "" {
			found, err := filepath.Glob(filepath.Join(location.Guard, ".tacit-*.guard"))
			do(t, err)
			guard = found[0]
		}
		line, err := os.ReadFile(guard)
		do(t, err)
		do(t, os.WriteFile(guard, []byte(strings.Replace(string(line), "0000000031", "0000000032", 1)), 0o600))
		if l, err := Open(context.Background(), Options{Location: location, Role: Serve}); err == nil {
			l.Close()
			t.Error("it was opened")
		}
		r, err := OpenReadOnly(context.Background(), location)
		do(t, err)
		defer r.Close()
		if s, err := load(context.Background(), r.store); err != nil || s.Format.Version != 1 {
			t.Errorf("its format is %+v, %v", s.Format, err)
		}
	})
}

// What a program looks at that knows version 1 only is another one of version 2: it refuses the ledger before it reads a single entry.
func TestPresentFormatIsNoFormerOne(t *testing.T) {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, newPath(t), false)
	do(t, err)
	defer s.Close()
	if version, _, err := store.One(ctx, s, store.ScanNumber, "SELECT user_version FROM pragma_user_version"); version == 1 || err != nil {
		t.Errorf("of SQLite the version is %d, %v", version, err)
	}
	p, err := postgres.Open(ctx, ledgertest.NewPostgres(t))
	do(t, err)
	defer p.Close()
	columns, _, err := store.One(ctx, p, store.ScanNumber, "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'tacit_ledger' AND table_name = 'ledger'")
	if columns == 3 || err != nil {
		t.Errorf("of PostgreSQL the table ledger has %d columns, %v", columns, err)
	}
}
