package console

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
)

// The page about the ledger has the guard, and the newest errors of the log of its process, whoever logged them, as text.
func TestLastErrors(t *testing.T) {
	s := newPlayed(t)
	s.playBlocks()
	olga := s.as("olga")
	body := olga.get("/ledger").body
	if strings.Contains(body, "1970-") || !strings.Contains(body, "<td>ended</td>") {
		t.Errorf("a process that has ended is shown otherwise\n%s", body)
	}
	for _, want := range []string{"remembers entry 2", "logged neither a warning nor an error"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %q\n%s", want, body)
		}
	}
	s.console.Log.With("of", "a proxy").Error("the ledger <b>cannot</b> be written", "error", errors.New("no space\nleft"), "password", "secret")
	s.console.Log.Info("all is well")
	s.browser().post("/login", url.Values{"name": {"olga"}, "password": {"wrong"}})
	body = olga.get("/ledger").body
	for _, want := range []string{"the ledger &lt;b&gt;cannot&lt;/b&gt; be written: no space left", "a login at the console failed"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %q\n%s", want, body)
		}
	}
	if strings.Contains(body, "secret") || strings.Contains(body, "all is well") {
		t.Error("the page has more than errors")
	}
	checkElements(t, "/ledger", body)
}

// A log that keeps its errors writes as before, and keeps a few.
func TestKeepErrors(t *testing.T) {
	var out bytes.Buffer
	log, kept := errorsOf(KeepErrors(slog.New(slog.NewTextHandler(&out, nil))))
	for i := range keptErrors + 5 {
		log.WithGroup("g").Warn(fmt.Sprint("warning ", i), "error", strings.Repeat("x", 1000))
	}
	newest := kept.newest()
	if len(newest) != keptErrors || newest[0].Text != "warning 24" || len(newest[0].More) > maxErrorText+3 || strings.Count(out.String(), "\n") != keptErrors+5 {
		t.Errorf("%d are kept, the newest %+v", len(newest), newest[0])
	}
}

// Lines with one message take one place, with the newest of them: a flood of failed logins leaves what else went wrong.
func TestErrorsAlike(t *testing.T) {
	s := newPlayed(t)
	s.console.Log.Error("the ledger cannot be written", "error", errors.New("no space left"))
	for i := range keptErrors + 5 {
		s.console.Log.Warn("a login at the console failed", "from", fmt.Sprint("192.0.2.", i), "error", fmt.Sprint("number ", i))
	}
	newest := s.console.errors.newest()
	if len(newest) != 2 || newest[0].Times != keptErrors+5 || newest[0].More != fmt.Sprint("number ", keptErrors+4) || newest[1].Times != 1 {
		t.Errorf("%+v", newest)
	}
	body := s.as("olga").get("/ledger").body
	for _, want := range []string{"the ledger cannot be written: no space left</td>", "a login at the console failed: number 24 (25 times, this is the last)</td>"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page has no %q\n%s", want, body)
		}
	}
}
