package journal

import (
	"fmt"
	"strings"
	"testing"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

var patients = policy.TableName{Schema: "public", Name: "patients"}

// follow applies an entry about patients as the next one, with the hash and the numbers that it must have.
func follow(s *State, e *Entry) error {
	e.ID, e.At = s.Position+1, max(e.At, s.At)
	if e.Kind != kindCreated {
		e.Schema, e.Name, e.Epoch = patients.Schema, patients.Name, s.Table(patients).Epoch
	}
	for i := range e.Charged {
		e.Charged[i].ID, e.Charged[i].Entry = s.Last.Charge+int64(i)+1, e.ID
	}
	for i := range e.Events {
		e.Events[i].ID, e.Events[i].Entry, e.Events[i].Schema, e.Events[i].Name = s.Last.Event+int64(i)+1, e.ID, patients.Schema, patients.Name
	}
	e.Hash = s.Linker.Entry(s.Hash, e)
	return s.Apply(e)
}

// newLedger is the state after a ledger's creation.
func newLedger(t *testing.T) *State {
	t.Helper()
	s := NewState()
	if err := follow(s, &Entry{Kind: kindCreated, Body: Marshal(CreatedBody{Ledger: "0123456789abcdef0123456789abcdef", Version: firstVersion})}); err != nil {
		t.Fatal(err)
	}
	return s
}

// The last ten requests of an analyst are kept. An answered one goes before an open one, however old that is.
func TestKeptRequests(t *testing.T) {
	s := newLedger(t)
	ask := func() int64 {
		e := &Entry{Kind: KindRequested, Analyst: "ana", Body: Marshal(RequestedBody{Reason: "a study", Amounts: Amounts{Epsilon: 1}})}
		if err := follow(s, e); err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	first, second := ask(), ask()
	if err := follow(s, &Entry{Kind: KindDeclined, Refers: second, Body: Marshal(ActionBody{By: "steward", Reason: "no"})}); err != nil {
		t.Fatal(err)
	}
	for range KeptRequests - 1 {
		ask()
	}
	if all := s.Requests["ana"]; len(all) != KeptRequests || s.Request(second) != nil || s.Request(first) == nil {
		t.Errorf("of %d requests %d are kept, the first %+v, the declined one %+v", KeptRequests+1, len(all), s.Request(first), s.Request(second))
	}
	if ask(); len(s.Requests["ana"]) != KeptRequests || s.Request(first) != nil {
		t.Errorf("where all are open %d are kept, the first %+v", len(s.Requests["ana"]), s.Request(first))
	}
}

// A sum of days is that of the days from the one that is asked for, whichever was asked for before.
func TestDaysOfAScope(t *testing.T) {
	s := newScope()
	priced := Priced{Loss: accountant.Loss{Epsilon: 1}}
	for day := range int64(5) {
		s.charge(day, priced, "", nil)
	}
	for _, since := range []int64{3, 1, 1, 4, always, 5} {
		if got, want := s.From(since).once[priced], 5-max(since, 0); got != want {
			t.Errorf("from day %d on there are %d charges, want %d", since, got, want)
		}
	}
	s.charge(5, priced, "", nil)
	s.charge(2, priced, "", nil) // by a clock that was set back
	if got := s.From(5).once[priced]; got != 1 {
		t.Errorf("of the last day there are %d charges, want 1", got)
	}
}

// A risk is charged by itself: with anything else it is no entry that was written.
func TestRiskIsChargedAlone(t *testing.T) {
	accounting := StatedAccounting{Composition: policy.BasicComposition, Budget: Amounts{Risk: 10}}
	for name, spoil := range map[string]func(*Entry){
		"":           func(*Entry) {},
		"no risk":    func(e *Entry) { e.Risk = 0 },
		"adjacency":  func(e *Entry) { e.Adjacency = string(policy.AddRemove) },
		"an epsilon": func(e *Entry) { e.Epsilon = 1 },
		"a delta":    func(e *Entry) { e.Delta = 1 },
		"a release":  func(e *Entry) { e.Releases = 1 },
	} {
		e := &Entry{Kind: KindCharged, Analyst: "ana", Risk: 1, Body: Marshal(ChargedBody{Owner: "serve-1", Accounting: &accounting}), Events: []Event{{Sequence: 1}}}
		spoil(e)
		if err := follow(newLedger(t), e); (err == nil) != (name == "") {
			t.Errorf("with %q: %v", name, err)
		}
	}
}

// A ledger whose charges are more than their budget says so, and one that holds them does not: by epsilon, by releases, and by risk.
func TestBudgetCheck(t *testing.T) {
	budget := Amounts{Epsilon: 20, Releases: 2, Risk: 20}
	noisy := func(epsilon, releases int64) *Entry {
		charge := Charge{QuestionKey: Digest{byte(epsilon)}, Question: fmt.Sprint(epsilon, releases), Mechanism: "geometric", Epsilon: epsilon, Releases: releases}
		return &Entry{Kind: KindCharged, Analyst: "ana", Adjacency: string(policy.AddRemove), Epsilon: epsilon, Releases: releases,
			Charged: []Charge{charge}}
	}
	audited := func(sequence, risk int64) *Entry {
		return &Entry{Kind: KindCharged, Analyst: "ana", Risk: risk, Events: []Event{{Sequence: sequence}}}
	}
	for name, c := range map[string]struct {
		entries []*Entry
		over    string
	}{
		"nothing":      {nil, ""},
		"all of it":    {[]*Entry{noisy(9, 0), noisy(11, 0)}, ""},
		"epsilon":      {[]*Entry{noisy(10, 0), noisy(11, 0)}, "more was charged on public.patients than the table's budget holds"},
		"all releases": {[]*Entry{noisy(0, 1), noisy(0, 1)}, ""},
		"releases":     {[]*Entry{noisy(0, 1), noisy(0, 2)}, "more was charged on public.patients than the table's budget holds"},
		"all risk":     {[]*Entry{audited(1, 20)}, ""},
		"risk":         {[]*Entry{audited(1, 21)}, "more risk was charged on public.patients than the table's budget holds"},
	} {
		s, check := newLedger(t), NewBudgetCheck(new(composition.Composer))
		var told []string
		tell := func(_ int64, format string, args ...any) { told = append(told, fmt.Sprintf(format, args...)) }
		for i, e := range c.entries {
			stated := StatedAccounting{Adjacency: policy.Adjacency(e.Adjacency), Composition: policy.BasicComposition, Budget: budget}
			body := ChargedBody{Owner: "serve-1", Accounting: &stated}
			if i > 0 { // how it is accounted for is said once
				body.Accounting, e.Refers = nil, c.entries[0].ID
			}
			e.Schema, e.Name, e.Body = patients.Schema, patients.Name, Marshal(body)
			check.Before(s, e, tell)
			if err := follow(s, e); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			check.After(s, e)
		}
		check.End(s, tell)
		if got := strings.Join(told, "; "); got != c.over {
			t.Errorf("%s: it says %q, want %q", name, got, c.over)
		}
	}
}
