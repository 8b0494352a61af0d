package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tacit/accountant"
	"tacit/policy"
)

func TestLog(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	start := time.Date(2036, 3, 1, 12, 0, 0, 0, time.UTC)
	l.setClock(func() time.Time { return start })
	record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1e8, Delta: 3})), nil)
	two := charge("bob", "b", accountant.Loss{Epsilon: 2e8})
	two.Items = append(two.Items, accountant.Item{Question: question(patients, "c")})
	reserve(t, l, two) // never answered
	l.Note(Event{Analyst: "ana", Table: patients, Verdict: Replayed, SQL: "SELECT a"})
	l.Note(Event{Analyst: "eve", Verdict: Refused, SQL: "SELECT * \x00\xff", SQLState: "42501"})
	closeLedger(t, l) // writes the notes

	later := start.Add(time.Hour)
	l = open(t, path)
	l.setClock(func() time.Time { return later })
	c := charge("ana", "d", accountant.Loss{Epsilon: 5})
	c.Table, c.Items[0].Table = visits, visits
	reserve(t, l, c)

	// A reader in the same moment, as another process would.
	r, err := look(path)
	do(t, err)
	defer r.Close()
	all := []Entry{
		{ID: 7, At: later, Analyst: "ana", Table: visits, Epoch: 1, Verdict: Charged, SQL: "SELECT d", Loss: accountant.Loss{Epsilon: 5}, Questions: []string{"d"}},
		{ID: 6, At: start, Analyst: "eve", Verdict: Refused, SQL: "SELECT * \uFFFD\uFFFD", SQLState: "42501"},
		{ID: 5, At: start, Analyst: "ana", Table: patients, Epoch: 1, Verdict: Replayed, SQL: "SELECT a"},
		{ID: 4, At: start, Analyst: "bob", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT b", Loss: accountant.Loss{Epsilon: 2e8}, Questions: []string{"b", "c"}},
		{ID: 2, At: start, Analyst: "ana", Table: patients, Epoch: 1, Verdict: Charged, SQL: "SELECT a", Loss: accountant.Loss{Epsilon: 1e8, Delta: 3}, Recorded: true, Questions: []string{"a"}},
	}
	for name, c := range map[string]struct {
		filter LogFilter
		want   []Entry
	}{
		"all":        {LogFilter{}, all},
		"analyst":    {LogFilter{Analyst: "ana"}, []Entry{all[0], all[2], all[4]}},
		"table":      {LogFilter{Table: patients}, all[2:]},
		"verdict":    {LogFilter{Verdict: Charged}, []Entry{all[0], all[3], all[4]}},
		"since":      {LogFilter{Since: later}, all[:1]},
		"limit":      {LogFilter{Limit: 2}, all[:2]},
		"everything": {LogFilter{Analyst: "ana", Table: patients, Verdict: Charged, Since: start, Limit: 9}, all[4:]},
		"nothing":    {LogFilter{Analyst: "ann"}, nil},
		"between":    {LogFilter{After: 4, Before: 7}, []Entry{all[1], all[2]}},
		"text":       {LogFilter{Text: "select A"}, []Entry{all[2], all[4]}},
		"no pattern": {LogFilter{Text: "SELECT_"}, nil},
		"acts":       {LogFilter{Acts: true}, nil},
		"statements": {LogFilter{Statements: true}, all},
	} {
		got, err := r.Log(ctx, c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// All that came of a request has it: charges, an auditor's events, and notes.
func TestLogOfRequest(t *testing.T) {
	onBackEnds(t, func(t *testing.T, location policy.LedgerLocation) {
		ctx := context.Background()
		l := openAt(t, location)
		one, other := accountant.NewRequest(), accountant.NewRequest()
		c := charge("ana", "a", accountant.Loss{Epsilon: 1e8})
		c.Request = one
		reserve(t, l, c)
		reserve(t, l, charge("ana", "b", accountant.Loss{Epsilon: 1e8})) // of no request
		for _, request := range []accountant.Request{one, other, {}} {
			l.Note(Event{Analyst: "ana", Verdict: Replayed, SQL: "SELECT a", Request: request})
			l.Note(Event{Analyst: "ana", Verdict: Refused, SQL: `SELECT '"request":"` + one.String() + `"'`, Reason: `no "request":"` + one.String() + `"`, Request: request})
		}
		event := auditEntry("ana", 0, 0)
		event.Request = one
		if _, err := l.AppendAudit(ctx, event); err != nil {
			t.Fatal(err)
		}
		closeLedger(t, l) // writes the notes
		r, err := OpenReadOnly(ctx, location)
		do(t, err)
		defer r.Close()
		for id, want := range map[accountant.Request]int{one: 4, other: 2, accountant.NewRequest(): 0} {
			got, err := r.Log(ctx, LogFilter{Request: id.String()})
			do(t, err)
			if len(got) != want || slices.ContainsFunc(got, func(e Entry) bool { return e.Request != id.String() }) {
				t.Errorf("of request %v there are %+v, want %d", id, got, want)
			}
		}
	})
}

// Notes reach readers by themselves, in the background.
func TestNotesAppear(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	r, err := look(path)
	do(t, err)
	defer r.Close()
	l.Note(Event{Analyst: "ana", Verdict: Refused, SQLState: "42501"})
	for {
		entries, err := r.Log(context.Background(), LogFilter{})
		do(t, err)
		if len(entries) == 1 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestNotesBeyondTheQueueAreDropped(t *testing.T) {
	path := newPath(t)
	l := open(t, path)
	const notes = 10 * eventCapacity
	for range notes {
		l.Note(Event{Analyst: "ana", Verdict: Refused, SQLState: "42501"})
	}
	closeLedger(t, l)
	l.Note(Event{Analyst: "ana", Verdict: Refused}) // after the end
	r, err := look(path)
	do(t, err)
	defer r.Close()
	entries, err := r.Log(context.Background(), LogFilter{})
	do(t, err)
	if got := int64(len(entries)) + l.Dropped(); got != notes+1 || l.Dropped() == 0 {
		t.Errorf("%d written, %d dropped; want %d together, and some dropped", len(entries), l.Dropped(), notes+1)
	}
}

func TestChargesAreNotNoted(t *testing.T) {
	l := open(t, newPath(t))
	defer func() {
		if recover() == nil {
			t.Error("a charge without a loss was noted")
		}
	}()
	l.Note(Event{Verdict: Charged})
}

// TestOverview tells of the head, and EachLogged has the entries of the log and no others, oldest first.
func TestOverview(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	l := open(t, path)
	record(t, l, reserve(t, l, charge("ana", "a", accountant.Loss{Epsilon: 1e8})), nil)
	_, err := l.Freeze(ctx, Freeze{Table: patients, By: "root", Reason: "a test"})
	do(t, err)
	closeLedger(t, l)
	r, err := look(path)
	do(t, err)
	defer r.Close()
	o, err := r.Overview(ctx)
	do(t, err)
	found, err := r.Verify(ctx, nil)
	do(t, err)
	if o.Head != found.Head || o.Ledger != found.Ledger || o.Place == "" || len(o.Proxies) == 0 || o.Proxies[0].Seen.IsZero() {
		t.Errorf("the overview is %+v, and verified is %+v", o, found)
	}
	var verdicts []Verdict
	do(t, r.EachLogged(ctx, 0, o.Head.Entry, func(e Entry) bool { verdicts = append(verdicts, e.Verdict); return true }))
	if diff := cmp.Diff([]Verdict{Charged, Frozen}, verdicts); diff != "" {
		t.Error(diff)
	}
	do(t, r.EachLogged(ctx, o.Head.Entry, o.Head.Entry, func(Entry) bool { t.Error("an entry behind the last one"); return true }))
}
