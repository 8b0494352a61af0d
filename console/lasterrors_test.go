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
