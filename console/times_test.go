package console

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/release"
)

// TestTimesAreRounded: beside answer_every no page of an analyst tells when, within a second or that time, a count began or ended, and none is read between
// multiples of it. Officers see whole times.
func TestTimesAreRounded(t *testing.T) {
	dir := t.TempDir()
	s := &played{t: t, policy: parsePlayed(t, dir), at: func() time.Time { return now }}
	at := now.Add(-time.Hour).Truncate(time.Minute).Add(23*time.Second + 654321*time.Microsecond)
	l, err := ledger.Open(t.Context(), ledger.Options{Location: s.policy.Ledger, Role: ledger.Serve, Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	patients := s.policy.Tables[0]
	r, err := l.Reserve(t.Context(), accountant.Charge{Analyst: "ana", Accounting: release.Accounting(patients), SQL: "SELECT count(*) FROM patients", Items: []accountant.Item{{
		Question: accountant.Question{Table: patients.Name, Key: sha256.Sum256([]byte("all")), Text: "count(*)"}, Loss: accountant.Loss{Epsilon: 1e8}, Mechanism: "geometric",
	}}})
	if err == nil {
		_, err = l.Record(t.Context(), r, [][]byte{nil})
	}
	if err != nil {
		t.Fatal(err)
	}
	l.Note(ledger.Event{Analyst: "ana", Table: patients.Name, Verdict: ledger.Replayed, SQL: "SELECT count(*) FROM patients"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s.serve()
	waits := 0
	s.console.until = func(ctx context.Context, until time.Time) error {
		if waits++; !until.Equal(until.Truncate(s.policy.AnswerEvery)) || !until.After(time.Now().Add(-time.Second)) {
			t.Errorf("a page was read at %v", until)
		}
		return ctx.Err()
	}
	exact := at.Format("2006-01-02T15:04:05.999999Z07:00")
	stamp := regexp.MustCompile(regexp.QuoteMeta(at.Format("2006-01-02T15:04:")) + `[0-9.]+`)
	for every, second := range map[time.Duration]string{0: "23.654321", 100 * time.Millisecond: "23", 10 * time.Second: "20"} {
		changed := *s.policy
		changed.AnswerEvery = every
		s.policy = &changed
		want := at.Format("2006-01-02T15:04:") + second
		ana := s.as("ana")
		waits = 0
		pages := []string{"/questions", "/questions.json", "/questions.csv", "/free", "/table/public/patients"}
		for _, path := range pages {
			body := ana.get(path).body
			seen := stamp.FindAllString(strings.ReplaceAll(body, at.Format("2006-01-02 15:04:"), at.Format("2006-01-02T15:04:")), -1)
			if len(seen) == 0 {
				t.Errorf("%s has no time\n%.2000s", path, body)
			}
			for _, found := range seen {
				if found != want && !(every == 0 && strings.HasPrefix(want, found)) {
					t.Errorf("every %v, %s: %s, want %s", every, path, found, want)
				}
			}
		}
		if every > 0 && waits != len(pages) || every == 0 && waits > 0 {
			t.Errorf("every %v: %d pages waited", every, waits)
		}
		if r := s.as("olga").get("/questions.json"); r.StatusCode != http.StatusOK || !strings.Contains(r.body, exact) {
			t.Errorf("every %v: an officer sees no exact time\n%.2000s", every, r.body)
		}
	}
}

// TestLimitsAreNamed fails if a look that was broken off by another limit than its own is said to have taken too long.
func TestLimitsAreNamed(t *testing.T) {
	var all inspections
	other := fmt.Errorf("the curator's server does not answer: %w", context.DeadlineExceeded)
	i := &inspection{look: func(context.Context) (*finding, error) { return nil, other }}
	all.run(t.Context(), i)
	if i.Failure != other.Error() {
		t.Errorf("it says %q", i.Failure)
	}
	over, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	i = &inspection{look: func(ctx context.Context) (*finding, error) { return nil, ctx.Err() }}
	if all.run(over, i); !strings.Contains(i.Failure, "longer than 1m0s") {
		t.Errorf("it says %q", i.Failure)
	}
}

// One person has one export at a time, and another one's goes on.
func TestOneExportEach(t *testing.T) {
	s := newPlayed(t)
	ana, bob := s.as("ana"), s.as("bob")
	s.console.exporting.Store("ana", true)
	for _, path := range []string{"/questions.csv", "/questions.json"} {
		if r := ana.get(path); r.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s, a second one: status %d", path, r.StatusCode)
		}
		if r := bob.get(path); r.StatusCode != http.StatusOK {
			t.Errorf("%s of another: status %d", path, r.StatusCode)
		}
	}
	s.console.exporting.Delete("ana")
	for range 3 { // each leaves room for the next
		if r := ana.get("/questions.csv"); r.StatusCode != http.StatusOK {
			t.Errorf("status %d", r.StatusCode)
		}
	}
}
