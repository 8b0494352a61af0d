package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// writeCheckpoint writes a checkpoint now.
func writeCheckpoint(t testing.TB, l *Ledger) {
	t.Helper()
	do(t, l.do(context.Background(), func(p *batch) error {
		p.Add(&journal.Entry{Kind: journal.KindCheckpoint, Body: p.State.CheckpointBody()})
		return nil
	}))
}

func openAt(t testing.TB, location policy.LedgerLocation) *Ledger {
	t.Helper()
	l, err := Open(context.Background(), Options{Location: location, Role: Serve})
	do(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// loadedAt is the state of a ledger as one reads it who opens it.
func loadedAt(t testing.TB, location policy.LedgerLocation) *journal.State {
	t.Helper()
	r, err := OpenReadOnly(context.Background(), location)
	do(t, err)
	defer r.Close()
	s, err := load(context.Background(), r.store)
	do(t, err)
	return s
}

// Who opens a ledger counts each answer of an audited table once, whether it was recorded before the checkpoint or behind it, and though
// its event was before.
func TestAnswersAroundCheckpoints(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		answers := make(map[policy.TableName]int64)
		var last *AuditReservation
		event := func(table policy.TableName) {
			e := auditEntry("ana", 3, l.state.Table(table).Events)
			e.Table, e.Answers = table, answers[table]
			last = appendAudit(t, l, e)
		}
		answer := func() {
			recordAudit(t, l, last, []byte("12"))
			answers[last.table]++
		}
		for i, step := range strings.Fields("event answer cp event cp answer event event answer other answer cp other event cp cp answer event answer") {
			switch step {
			case "event":
				event(patients)
			case "other":
				event(visits)
			case "answer":
				answer()
			case "cp":
				writeCheckpoint(t, l)
			}
			s := loadedAt(t, location)
			for _, table := range []policy.TableName{patients, visits} {
				if got := s.Table(table).Answers; got != answers[table] {
					t.Errorf("behind step %d, %s, %d answers of %v are counted, want %d", i, step, got, table, answers[table])
				}
			}
		}
		if answers[patients] != 5 || answers[visits] != 1 {
			t.Fatalf("there are answers %v: not what was to be tested", answers)
		}
		verified(t, l.Reader)
	})
}

// An auditor goes on behind a checkpoint as before it: who has seen all answers appends, and who has missed one does not.
func TestAuditBehindCheckpoint(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l := openAt(t, location)
		for i := range int64(3) {
			e := auditEntry("ana", 3, i)
			e.Answers = min(i, 1)
			if r := appendAudit(t, l, e); i != 1 {
				recordAudit(t, l, r, []byte("12"))
			}
		}
		writeCheckpoint(t, l)
		closeLedger(t, l)
		l = openAt(t, location)
		if l.state.Checkpoint < 2 {
			t.Fatal("the ledger was not opened from a checkpoint")
		}
		if m, err := l.AuditMark(ctx, patients); err != nil || m != (AuditMark{Sequence: 3, Answers: 2}) {
			t.Errorf("the mark is %+v, %v", m, err)
		}
		next := auditEntry("bob", 3, 3)
		for _, missed := range []int64{0, 1, 3} {
			next.Answers = missed
			if _, err := l.AppendAudit(ctx, next); !errors.Is(err, ErrAuditMoved) {
				t.Errorf("an event by one who has seen %d answers of 2: %v", missed, err)
			}
		}
		next.Answers = 2
		recordAudit(t, l, appendAudit(t, l, next), []byte("13"))
		if m, err := l.AuditMark(ctx, patients); err != nil || m != (AuditMark{Sequence: 4, Answers: 3}) {
			t.Errorf("the mark is %+v, %v", m, err)
		}
		verified(t, l.Reader)
	})
}

// A ledger whose answers before its checkpoint cannot be counted, or are not those that the checkpoint knows of, is not opened.
func TestUncountableAnswers(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		l := openAt(t, location)
		recordAudit(t, l, appendAudit(t, l, auditEntry("ana", 3, 0)), []byte("12"))
		next := auditEntry("ana", 3, 1)
		next.Answers = 1
		recordAudit(t, l, appendAudit(t, l, next), []byte("13"))
		writeCheckpoint(t, l)
		closeLedger(t, l)

		r, err := OpenReadOnly(context.Background(), location)
		do(t, err)
		defer r.Close()
		if s, err := load(context.Background(), uncounted{r.store}); !errors.Is(err, errUncounted) {
			t.Errorf("unread answers: the state is %+v, %v", s, err)
		}
		forged := forgerOf(t, location)
		for _, edit := range []struct{ problem, done, undone string }{
			{"before checkpoint 6 1 audit answers, or their events, are missing", "UPDATE audit_answer SET id = 9 WHERE id = 1", "UPDATE audit_answer SET id = 1 WHERE id = 9"},
			{"before checkpoint 6 1 audit answers, or their events, are missing", "UPDATE audit_event SET id = 9 WHERE id = 2", "UPDATE audit_event SET id = 2 WHERE id = 9"},
			{"1 events have answers, and checkpoint 6 knows of 0 events", "UPDATE audit_event SET table_name = 'x' WHERE id = 2",
				"UPDATE audit_event SET table_name = '" + patients.Name + "' WHERE id = 2"},
		} {
			forged(edit.done)
			_, err := Open(context.Background(), Options{Location: location, Role: Serve})
			requireUnavailable(t, err, edit.problem)
			forged(edit.undone)
		}
		if m, err := openAt(t, location).AuditMark(context.Background(), patients); err != nil || m != (AuditMark{Sequence: 2, Answers: 2}) {
			t.Errorf("after all was put back the mark is %+v, %v", m, err)
		}
	})
}

// forgerOf returns what edits a ledger, whatever keeps others from it.
func forgerOf(t *testing.T, location policy.LedgerLocation) func(statement string) {
	if location.Postgres != "" {
		c, err := ledgertest.SharedCluster()
		do(t, err)
		return func(statement string) {
			do(t, ledgertest.Superuser(c, ledgertest.DatabaseOf(t, location), "SET search_path = tacit_ledger; SET session_replication_role = replica; "+statement))
		}
	}
	return func(statement string) {
		atPrompt(t, location.SQLite, "PRAGMA foreign_keys = 0", "DROP TRIGGER IF EXISTS audit_event_is_kept", "DROP TRIGGER IF EXISTS audit_answer_is_kept", statement)
	}
}

// An uncounted ledger does not tell its answers.
type uncounted struct{ readStore }

var errUncounted = errors.New("a test does not count")

func (u uncounted) Snapshot(ctx context.Context) (store.Snapshot, error) {
	s, err := u.readStore.Snapshot(ctx)
	return uncountedSnapshot{s}, err
}

type uncountedSnapshot struct{ store.Snapshot }

func (u uncountedSnapshot) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if strings.Contains(query, "audit_answer") && strings.Contains(query, "count(") {
		return nil, fmt.Errorf("%w: %s", errUncounted, query)
	}
	return u.Snapshot.Query(ctx, query, args...)
}
