package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

// auditEntry is a round of decisions about patients, of which a risk of 1e-12 may be taken in all.
func auditEntry(analyst string, risk policy.Risk, follows int64) accountant.AuditEntry {
	return accountant.AuditEntry{
		Analyst: analyst, SQL: "SELECT x", Table: patients, Kind: "round", TableBudget: policy.Budget{Risk: 1e6},
		Risk: risk, Follows: follows, Payload: []byte("decision"),
	}
}

func appendAudit(t testing.TB, l *Ledger, e accountant.AuditEntry) *AuditReservation {
	t.Helper()
	r, err := l.AppendAudit(context.Background(), e)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func recordAudit(t testing.TB, l *Ledger, r *AuditReservation, answer []byte) {
	t.Helper()
	if err := l.RecordAudit(context.Background(), r, answer); err != nil {
		t.Fatal(err)
	}
}

func auditLog(t testing.TB, r *Reader, table policy.TableName, after int64) []accountant.AuditEvent {
	t.Helper()
	events, err := r.AuditEvents(context.Background(), table, after)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// answersOf counts the events that have their answers.
func answersOf(events []accountant.AuditEvent) (n int64) {
	for _, e := range events {
		if e.Answer != nil {
			n++
		}
	}
	return n
}

func TestAuditEvents(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	at := time.Date(2036, 3, 1, 12, 0, 0, 5, time.UTC)
	l.setClock(func() time.Time { return at })
	first := appendAudit(t, l, auditEntry("ana", 300, 0))
	recordAudit(t, l, first, []byte("12"))
	elsewhere := auditEntry("ana", 9, 0)
	elsewhere.Table, elsewhere.Kind = visits, "epoch"
	appendAudit(t, l, elsewhere)
	free := auditEntry("bob", 0, 1)
	free.Answers = 1
	free.Payload, free.SQL = nil, "SELECT\xff"
	recordAudit(t, l, appendAudit(t, l, free), nil)
	next := auditEntry("bob", 50, 2)
	next.Answers = 2
	unanswered := appendAudit(t, l, next)
	if first.Sequence != 1 || unanswered.Sequence != 3 {
		t.Errorf("the events have the numbers %d and %d", first.Sequence, unanswered.Sequence)
	}
	want := []accountant.AuditEvent{
		{Sequence: 1, At: at, Kind: "round", Payload: []byte("decision"), Answer: []byte("12"), Analyst: "ana", Statement: "SELECT x", Risk: 300},
		{Sequence: 2, At: at, Kind: "round", Answer: []byte{}, Analyst: "bob", Statement: "SELECT\uFFFD"},
		{Sequence: 3, At: at, Kind: "round", Payload: []byte("decision"), Analyst: "bob", Statement: "SELECT x", Risk: 50},
	}
	closeLedger(t, l)
	looking, err := look(path)
	do(t, err)
	defer looking.Close()
	for after, left := range [][]accountant.AuditEvent{want, want[1:], want[2:], nil} {
		got := auditLog(t, looking, patients, int64(after))
		if diff := cmp.Diff(left, got, cmp.Comparer(sameBytes)); diff != "" {
			t.Errorf("behind %d (-want +got):\n%s", after, diff)
		}
	}
	l = open(t, path)
	if got, want := balance(t, l, patients, "bob"), [2]accountant.Loss{{Risk: 350}, {Risk: 50}}; got != want {
		t.Errorf("the balance is %v, want %v", got, want)
	}
	entries, err := l.Log(context.Background(), LogFilter{Table: patients})
	do(t, err)
	wantLog := []Entry{
		{ID: 7, At: at, Analyst: "bob", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT x", Loss: accountant.Loss{Risk: 50}, Audit: 3, Kind: "round"},
		{ID: 5, At: at, Analyst: "bob", Table: patients, Epoch: 1, Verdict: Decided, SQL: "SELECT\uFFFD", Recorded: true, Audit: 2, Kind: "round"},
		{ID: 2, At: at, Analyst: "ana", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT x", Loss: accountant.Loss{Risk: 300}, Recorded: true, Audit: 1, Kind: "round"},
	}
	if diff := cmp.Diff(wantLog, entries); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// sameBytes tells nil, an answer that was not recorded, from an empty one.
func sameBytes(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// An event is not appended by an auditor who has missed an answer: it has let something out that his decision did not know.
func TestAuditAnswerMissed(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	first := appendAudit(t, l, auditEntry("ana", 10, 0))
	if m, err := l.AuditMark(ctx, patients); err != nil || m != (AuditMark{Sequence: 1, Own: true, Alive: true}) {
		t.Errorf("the mark is %+v, %v", m, err)
	}
	next := auditEntry("bob", 10, 1)
	next.Answers = 1
	if _, err := l.AppendAudit(ctx, next); !errors.Is(err, ErrAuditMoved) {
		t.Errorf("an event behind an answer that is not there: %v", err)
	}
	recordAudit(t, l, first, []byte("3"))
	if m, err := l.AuditMark(ctx, patients); err != nil || m != (AuditMark{Sequence: 1, Answers: 1}) {
		t.Errorf("the mark is %+v, %v", m, err)
	}
	next.Answers = 0
	if _, err := l.AppendAudit(ctx, next); !errors.Is(err, ErrAuditMoved) {
		t.Errorf("an event that does not know of the answer: %v", err)
	}
	next.Answers = 1
	appendAudit(t, l, next)
	later := auditEntry("ana", 10, 2)
	if _, err := l.AppendAudit(ctx, later); !errors.Is(err, ErrAuditMoved) {
		t.Errorf("an event that knows of the last one, and not of an answer before it: %v", err)
	}
	later.Answers = 1
	appendAudit(t, l, later)
	if m, err := l.AuditMark(ctx, visits); err != nil || m != (AuditMark{}) {
		t.Errorf("the mark of another table is %+v, %v", m, err)
	}
}

// A decision that was made on a history which others have since gone on from is not written down, and costs nothing; and an answer
// that others have taken for one that is never given is not.
func TestAuditMoved(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	first := appendAudit(t, l, auditEntry("ana", 10, 0))
	if _, err := l.AppendAudit(ctx, auditEntry("bob", 10, 0)); !errors.Is(err, ErrAuditMoved) {
		t.Errorf("an event that follows none, as does another: %v", err)
	}
	appendAudit(t, l, auditEntry("bob", 0, 1))
	if err := l.RecordAudit(ctx, first, []byte("3")); !errors.Is(err, ErrAuditMoved) {
		t.Errorf("an answer to an event that is not the last: %v", err)
	}
	elsewhere := auditEntry("ana", 1, 0)
	elsewhere.Table = visits
	other := appendAudit(t, l, elsewhere)
	appendAudit(t, l, auditEntry("ana", 1, 2))
	recordAudit(t, l, other, nil) // another table's events are another sequence
	if got := balance(t, l, patients, "bob"); got != [2]accountant.Loss{{Risk: 11}, {}} {
		t.Errorf("the balance is %v", got)
	}
}

// Of an event that was given up nobody waits for the answer, and none is taken; a ledger that was opened since knows it, too.
func TestAuditGivenUp(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	first := appendAudit(t, l, auditEntry("ana", 10, 0))
	l.AbandonAudit(first)
	l.AbandonAudit(first)
	l.background.Wait()
	given := AuditMark{Sequence: 1}
	if m, err := l.AuditMark(ctx, patients); err != nil || m != given {
		t.Errorf("the mark is %+v, %v", m, err)
	}
	if err := l.RecordAudit(ctx, first, []byte("3")); err == nil || first.Covers(patients, nil) {
		t.Errorf("an event that was given up is answered: %v", err)
	}
	second := appendAudit(t, l, auditEntry("bob", 10, 1))
	recordAudit(t, l, second, []byte("4"))
	l.AbandonAudit(second) // too late
	third := appendAudit(t, l, func() accountant.AuditEntry { e := auditEntry("bob", 10, 2); e.Answers = 1; return e }())
	l.AbandonAudit(third)
	closeLedger(t, l)
	l = open(t, path)
	given.Sequence, given.Answers = 3, 1
	if m, err := l.AuditMark(ctx, patients); err != nil || m != given {
		t.Errorf("opened again the mark is %+v, %v", m, err)
	}
	if got := balance(t, l, patients, "ana"); got[0].Risk != 30 {
		t.Errorf("the balance is %v", got)
	}
	v, err := l.Verify(ctx, nil)
	if err != nil || len(v.Problems) != 0 {
		t.Errorf("verified: %+v, %v", v, err)
	}
}

func TestAuditBudgets(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	follows := int64(0)
	for i, c := range []struct {
		analyst string
		risk    policy.Risk
		table   policy.Risk
		cap     policy.Risk // 0: none
		over    string
		left    policy.Risk
	}{
		{"ana", 60, 100, 0, "", 0},
		{"bob", 41, 100, 0, "table", 40},
		{"bob", 30, 100, 29, "analyst", 29},
		{"bob", 30, 100, 30, "", 0},
		{"bob", 1, 100, 30, "analyst", 0},
		{"bob", 0, 100, 30, "", 0}, // costs nothing
		{"ana", 11, 100, policy.NoRiskCap, "table", 10},
		{"ana", 10, 100, policy.NoRiskCap, "", 0},
		{"ana", 1, 90, 0, "table", 0}, // the budget was lowered
		{"ana", 0, 90, 0, "", 0},
		{"eve", 1<<63 - 2, 1<<63 - 1, 0, "table", 1<<63 - 1}, // the sum is infinite
	} {
		e := auditEntry(c.analyst, c.risk, follows)
		e.TableBudget = policy.Budget{Risk: c.table}
		if c.cap > 0 {
			e.Cap = &policy.Budget{Epsilon: policy.NoEpsilonCap, Delta: policy.NoDeltaCap, Releases: policy.NoReleasesCap, Risk: c.cap}
		}
		_, err := l.AppendAudit(ctx, e)
		var over *accountant.OverBudgetError
		switch {
		case err == nil && c.over == "":
			follows++
		case !errors.As(err, &over) || over.Of != c.over || over.Needed != (accountant.Loss{Risk: c.risk}) || over.Remaining.Risk != c.left:
			t.Errorf("%d: error %v, want one of the %q's budget", i, err, c.over)
		}
	}
	if got := balance(t, l, patients, "ana"); got != [2]accountant.Loss{{Risk: 100}, {Risk: 70}} {
		t.Errorf("the balance is %v", got)
	}
}

// Risks and losses share a table and an analyst, and nothing else: neither budget is touched by the other, and a risk has no adjacency.
func TestRisksAreNotLosses(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	appendAudit(t, l, auditEntry("ana", 1e6, 0))
	if c, err := l.Charged(ctx); err != nil || len(c) != 1 || c[0].Adjacency != "" || balance(t, l, patients, "ana")[0] != (accountant.Loss{Risk: 1e6}) {
		t.Errorf("charged was %+v, %v", c, err)
	}
	c := charge("ana", "a", accountant.Loss{Epsilon: 1e9})
	c.Adjacency = policy.ReplaceOne
	reserve(t, l, c)
	var over *accountant.OverBudgetError
	if _, err := l.AppendAudit(ctx, auditEntry("bob", 1, 1)); !errors.As(err, &over) {
		t.Errorf("risk beyond the budget: %v", err)
	}
	e := auditEntry("bob", 5, 1)
	e.TableBudget.Risk = 2e6
	appendAudit(t, l, e)
	c.Adjacency = policy.AddRemove
	var adjacency *accountant.AdjacencyError
	if _, err := l.Reserve(ctx, c); !errors.As(err, &adjacency) {
		t.Errorf("a loss under another adjacency: %v", err)
	}
	if c, err := l.Charged(ctx); err != nil || c[0].Adjacency != policy.ReplaceOne || balance(t, l, patients, "ana")[0] != (accountant.Loss{Epsilon: 1e9, Risk: 1e6 + 5}) {
		t.Errorf("charged was %+v, %v", c, err)
	}
	c.Items[0].Loss = accountant.Loss{Risk: 1}
	if _, err := l.Reserve(ctx, c); err == nil {
		t.Error("a risk was charged without an event")
	}
}

func TestFaultyAudits(t *testing.T) {
	ctx := context.Background()
	l, other := open(t, newPath(t)), open(t, newPath(t))
	for name, e := range map[string]accountant.AuditEntry{
		"no analyst":    {Table: patients, Kind: "round"},
		"no kind":       {Table: patients, Analyst: "ana"},
		"negative risk": auditEntry("ana", -1, 0),
		"infinite risk": auditEntry("ana", 1<<63-1, 0),
		"negative last": auditEntry("ana", 1, -1),
		"a last to be":  auditEntry("ana", 1, 7),
	} {
		if _, err := l.AppendAudit(ctx, e); err == nil || errors.Is(err, ErrAuditMoved) || errors.Is(err, accountant.ErrUnavailable) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	r := appendAudit(t, l, auditEntry("ana", 1, 0))
	if err := other.RecordAudit(ctx, r, nil); err == nil {
		t.Error("recorded in another ledger")
	}
	if err := l.RecordAudit(ctx, nil, nil); err == nil {
		t.Error("recorded without an event")
	}
	recordAudit(t, l, r, nil)
	if err := l.RecordAudit(ctx, r, nil); err == nil {
		t.Error("recorded twice")
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := l.AppendAudit(canceled, auditEntry("ana", 1, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context has ended: %v", err)
	}
	if got := balance(t, l, patients, "ana")[0].Risk; got != 1 {
		t.Errorf("%v was charged", got)
	}
}

// A reservation covers its own event, until that is answered, and nothing else.
func TestAuditCovers(t *testing.T) {
	l := open(t, newPath(t))
	e := auditEntry("ana", 1, 0)
	r := appendAudit(t, l, e)
	other := policy.TableName{Schema: e.Table.Schema, Name: "others"}
	for name, covered := range map[string]bool{
		"its own event":    r.Covers(e.Table, e.Payload),
		"another decision": !r.Covers(e.Table, append(slices.Clone(e.Payload), 1)),
		"another table":    !r.Covers(other, e.Payload),
		"that of nobody":   !(&AuditReservation{Sequence: r.Sequence}).Covers(e.Table, e.Payload),
		"none":             !(*AuditReservation)(nil).Covers(e.Table, e.Payload),
	} {
		if !covered {
			t.Error(name)
		}
	}
	recordAudit(t, l, r, []byte("1"))
	if r.Covers(e.Table, e.Payload) {
		t.Error("an event that was answered is opened again")
	}
}

// Events that cost nothing do not fill the disk; those that cost, those of a statement that has let something out, and other analysts', go on.
func TestAuditFlood(t *testing.T) {
	ctx := context.Background()
	l := open(t, newPath(t))
	now := time.Now()
	l.setClock(func() time.Time { return now })
	l.audits.rate = rate{burst: 1 << 20, perSecond: 1 << 10}
	e := auditEntry("ana", 0, 0)
	e.Payload = make([]byte, 300<<10)
	for ; e.Follows < 3; e.Follows++ {
		appendAudit(t, l, e)
	}
	if _, err := l.AppendAudit(ctx, e); !errors.Is(err, ErrAuditFlood) {
		t.Fatalf("more than may be written: %v", err)
	}
	e.Risk = 1
	appendAudit(t, l, e)
	e.Risk, e.Continues, e.Follows = 0, true, 4
	appendAudit(t, l, e)
	e.Continues, e.Analyst, e.Follows = false, "bob", 5
	appendAudit(t, l, e)
	now = now.Add(time.Hour)
	e.Analyst, e.Follows = "ana", 6
	appendAudit(t, l, e)
}

// Many proxies' worth of auditors decide at once: each event follows the one that its decision saw, and the risk is never overspent.
func TestConcurrentAudits(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			e := auditEntry(fmt.Sprintf("analyst%d", i), 7, 0)
			e.TableBudget.Risk = 300
			for {
				r, err := l.AppendAudit(ctx, e)
				var over *accountant.OverBudgetError
				switch {
				case errors.As(err, &over):
					return
				case errors.Is(err, ErrAuditMoved):
					events, err := l.AuditEvents(ctx, patients, 0)
					if err != nil || len(events) == 0 {
						t.Errorf("moved on to %v, %v", events, err)
						return
					}
					e.Follows, e.Answers = int64(len(events)), answersOf(events)
				case err != nil:
					t.Error(err)
					return
				default:
					e.Follows = r.Sequence
					if err := l.RecordAudit(ctx, r, []byte("1")); err == nil {
						e.Answers++
					} else if !errors.Is(err, ErrAuditMoved) {
						t.Error(err)
					}
				}
			}
		})
	}
	all.Wait()
	if got := balance(t, l, patients, "")[0].Risk; got != 294 { // 42 times 7
		t.Errorf("%d was charged", int64(got))
	}
	for i, e := range auditLog(t, l.Reader, patients, 0) {
		if e.Sequence != int64(i+1) {
			t.Errorf("event %d has the number %d", i+1, e.Sequence)
		}
	}
}

// audited returns a ledger, closed, with an answered event, one that cost nothing, an unanswered one, and one of another table.
func audited(t *testing.T, path string) {
	t.Helper()
	l, err := openAs(path, Serve)
	do(t, err)
	recordAudit(t, l, appendAudit(t, l, auditEntry("ana", 300, 0)), []byte("12"))
	free, unanswered := auditEntry("ana", 0, 1), auditEntry("bob", 5, 2)
	free.Answers, unanswered.Answers = 1, 2
	recordAudit(t, l, appendAudit(t, l, free), []byte("13"))
	appendAudit(t, l, unanswered)
	other := auditEntry("bob", 5, 0)
	other.Table = visits
	appendAudit(t, l, other)
	closeLedger(t, l)
}

// Somebody at the prompt can neither take events back nor answer one that others have followed.
func TestPromptCannotForgetAudits(t *testing.T) {
	path := newPath(t)
	audited(t, path)
	db, err := sql.Open("sqlite", path)
	do(t, err)
	defer db.Close()
	for _, statement := range []string{
		"DELETE FROM audit_event", "DELETE FROM audit_answer", "UPDATE audit_event SET payload = x''", "UPDATE audit_answer SET payload = x''",
		"UPDATE entry SET risk = 0",
		"INSERT INTO audit_event SELECT 9, 99, table_schema, table_name, 5, kind, payload FROM audit_event WHERE id = 1",
		"INSERT INTO audit_event SELECT 9, 99, table_schema, table_name, 3, kind, payload FROM audit_event WHERE id = 1",
		"INSERT INTO audit_answer SELECT 9, 9, 1, at, payload FROM audit_answer WHERE id = 2", // a second one
	} {
		if _, err := db.Exec(statement); err == nil {
			t.Errorf("%s was done", statement)
		}
	}
	check(t, path)
	for _, statement := range []string{"DROP TRIGGER audit_answer_stays", "DELETE FROM audit_answer WHERE event = 1"} {
		_, err := db.Exec(statement)
		do(t, err)
	}
	if _, err := db.Exec("INSERT INTO audit_answer SELECT 1, 9, 1, at, payload FROM audit_answer WHERE id = 2"); err == nil {
		t.Error("an event that others have followed was answered")
	}
}

// A ledger that is put back from a backup made before an answer was recorded is refused: the answer was shown.
func TestBackupBeforeAnAnswer(t *testing.T) {
	path := newPath(t)
	l, err := openAs(path, Serve)
	do(t, err)
	r := appendAudit(t, l, auditEntry("ana", 300, 0))
	atPrompt(t, path, "VACUUM INTO '"+path+".backup'")
	recordAudit(t, l, r, []byte("12"))
	closeLedger(t, l)
	copyFile(t, path+".backup", path)
	_, err = openAs(path, Serve)
	requireUnavailable(t, err, "older than the ledger that was here before")
}
