package console

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/acts"
)

var seenField = regexp.MustCompile(`name="seen" value="([^"]+)"`)

// actOf is the form of a grant, with other values of some fields.
func actOf(fields ...string) url.Values {
	form := url.Values{"act": {"grant"}, "table": {"public.patients"}, "epsilon": {"1"}, "reason": {"the annual report"}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return form
}

// preview fills in a form, and returns the path of the page that is to be confirmed.
func (b *browser) preview(fields ...string) string {
	b.t.Helper()
	form := actOf(fields...)
	form.Set("token", b.token())
	r := b.post("/acts", form)
	to := r.Header.Get("Location")
	if r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/acts/confirm/") {
		b.t.Fatalf("preview: status %d, to %q\n%.3000s", r.StatusCode, to, r.body)
	}
	return to
}

// seen is what the page of an act says that it shows.
func (b *browser) seen(path string) string {
	b.t.Helper()
	r := b.get(path)
	found := seenField.FindStringSubmatch(r.body)
	if r.StatusCode != http.StatusOK || found == nil {
		b.t.Fatalf("%s: status %d\n%.3000s", path, r.StatusCode, r.body)
	}
	return found[1]
}

// act fills in a form, confirms it, and returns the page about the entry.
func (b *browser) act(fields ...string) reply {
	b.t.Helper()
	path := b.preview(fields...)
	r := b.post(path, url.Values{"token": {b.token()}, "seen": {b.seen(path)}})
	if to := r.Header.Get("Location"); r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/acts/entry/") {
		b.t.Fatalf("%v: status %d\n%.3000s", fields, r.StatusCode, r.body)
	}
	return b.get(r.Header.Get("Location"))
}

// acts are those in the ledger, the newest first.
func (s *played) acts() []ledger.Entry {
	s.t.Helper()
	r, err := ledger.OpenReadOnly(context.Background(), s.policy.Ledger)
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Close()
	found, err := r.Log(context.Background(), ledger.LogFilter{Acts: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

// A steward's act changes what its page said that it would, and the entry says who did it and why. The head of the ledger still verifies.
func TestActs(t *testing.T) {
	s := newPlayed(t)
	stan := s.as("stan")
	for _, c := range []struct {
		fields  []string
		preview []string // texts of the page that is confirmed, in order
		want    ledger.Entry
	}{
		{
			nil, []string{"grant epsilon 1: public.patients", "epsilon 7, delta 1e-6", "epsilon 8, delta 1e-6", "cannot be taken back"},
			ledger.Entry{Verdict: ledger.Granted, Reason: "the annual report"},
		},
		{
			[]string{"table", "public.visits", "analyst", "bob", "epsilon", "0.25", "reason", "his second study"},
			[]string{"grant epsilon 0.25: bob on public.visits", "epsilon 1", "epsilon 1.25"},
			ledger.Entry{Verdict: ledger.Granted, Analyst: "bob", Reason: "his second study"},
		},
		{
			[]string{"act", "freeze", "analyst", "ana", "reason", "asks for houses"}, []string{"freeze: ana on public.patients", "no", "asks for houses"},
			ledger.Entry{Verdict: ledger.Frozen, Analyst: "ana", Reason: "asks for houses"},
		},
		{
			[]string{"act", "thaw", "analyst", "ana", "reason", "talked to her"}, []string{"thaw: ana on public.patients", "asks for houses", "no"},
			ledger.Entry{Verdict: ledger.Thawed, Analyst: "ana", Reason: "talked to her"},
		},
		{
			[]string{"act", "epoch", "reason", "other people"}, []string{"open an epoch: public.patients", "epsilon 8, delta 1e-6", "epsilon 6, delta 1e-6", "cannot be taken back"},
			ledger.Entry{Verdict: ledger.Epoch, Reason: "other people"},
		},
	} {
		body := stan.get(stan.preview(c.fields...)).body
		checkElements(t, "the page to confirm", body)
		for _, text := range c.preview {
			_, rest, found := strings.Cut(body, text)
			if !found {
				t.Errorf("%v: the page has no %q:\n%s", c.fields, text, body)
			}
			body = rest
		}
		before := len(s.acts())
		entry := stan.act(c.fields...)
		all := s.acts()
		got := all[0]
		if len(all) != before+1 || got.By != "stan" || got.Verdict != c.want.Verdict || got.Analyst != c.want.Analyst || got.Reason != c.want.Reason {
			t.Errorf("%v: %d entries more, the newest %+v", c.fields, len(all)-before, got)
		}
		if entry.StatusCode != http.StatusOK || !strings.Contains(entry.body, fmt.Sprintf("Entry %d", got.ID)) || !strings.Contains(entry.body, got.Reason) {
			t.Errorf("%v: the page about the entry has status %d\n%s", c.fields, entry.StatusCode, entry.body)
		}
	}
	if body := s.as("olga").get("/acts").body; !strings.Contains(body, "his second study") || strings.Contains(body, `action="/acts"`) {
		t.Error("an officer does not see what was done, or is shown a form")
	}
	r, err := ledger.OpenReadOnly(t.Context(), s.policy.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if found, err := r.Verify(t.Context(), nil); err != nil || len(found.Problems) > 0 {
		t.Errorf("the ledger does not verify: %v, %v", err, found)
	}
}

// What cannot be done is said at the form or at the confirmation, and nothing is written.
func TestImpossibleActs(t *testing.T) {
	s := newPlayed(t)
	stan := s.as("stan")
	before := len(s.acts())
	for _, c := range []struct {
		fields []string
		want   string
	}{
		{[]string{"reason", ""}, "it is required"},
		{[]string{"reason", strings.Repeat("x", 501)}, "more than 500 characters"},
		{[]string{"reason", "two\nlines"}, "control characters"},
		{[]string{"reason", "\xff"}, "not UTF-8"},
		{[]string{"table", ""}, "table:"},
		{[]string{"table", "public.nobody"}, "no protected table"},
		{[]string{"epsilon", ""}, "nothing is granted"},
		{[]string{"epsilon", "-1"}, "epsilon:"},
		{[]string{"epsilon", "1; DROP"}, "epsilon:"},
		{[]string{"releases", "many"}, "whole number"},
		{[]string{"releases", "-3"}, "cannot be taken back"},
		{[]string{"releases", "3"}, "no budget.releases"},
		{[]string{"analyst", "eve"}, "no analyst"},
		{[]string{"analyst", "ana"}, "no cap of her own"},
		{[]string{"act", "epoch", "analyst", "ana"}, "everybody"},
		{[]string{"act", "steal"}, "there is no"},
	} {
		form := actOf(c.fields...)
		form.Set("token", stan.token())
		r := stan.post("/acts", form)
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(strings.ReplaceAll(r.body, "</strong>", ""), c.want) {
			t.Errorf("%v: status %d, without %q\n%s", c.fields, r.StatusCode, c.want, r.body)
		}
		checkElements(t, "/acts", r.body)
	}
	if r := stan.get(stan.preview("act", "thaw")); !strings.Contains(r.body, "it is not frozen") || strings.Contains(r.body, "Do it") {
		t.Errorf("a thaw of what is not frozen can be confirmed:\n%s", r.body)
	}
	if r := stan.get(stan.preview("act", "freeze", "table", "public.visits")); !strings.Contains(r.body, "it is frozen already") || strings.Contains(r.body, "Do it") {
		t.Errorf("a freeze of what is frozen can be confirmed:\n%s", r.body)
	}
	path := stan.preview("delta", "0.5")
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "promises nothing useful") {
		t.Errorf("a delta of 0.5: status %d\n%s", r.StatusCode, r.body)
	}
	if after := len(s.acts()); after != before {
		t.Errorf("%d entries were made", after-before)
	}
}

// Two stewards who saw the same confirm after one another: the second is shown what the first has done, and has to look again. So it is after an act
// by a command, and after the policy changed.
func TestStaleActs(t *testing.T) {
	s := newPlayed(t)
	first, second := s.as("stan"), s.as("stan")
	one, two := first.preview(), second.preview("epsilon", "2")
	seenOne, seenTwo := first.seen(one), second.seen(two)
	if r := first.post(one, url.Values{"token": {first.token()}, "seen": {seenOne}}); r.StatusCode != http.StatusSeeOther {
		t.Fatalf("the first: status %d", r.StatusCode)
	}
	stale := func(what, seen string) string {
		t.Helper()
		before := len(s.acts())
		r := second.post(two, url.Values{"token": {second.token()}, "seen": {seen}})
		if r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "came first") || len(s.acts()) != before {
			t.Errorf("%s: status %d, %d entries\n%s", what, r.StatusCode, len(s.acts())-before, r.body)
		}
		found := seenField.FindStringSubmatch(r.body)
		if found == nil {
			t.Fatal("it cannot be confirmed again")
		}
		return found[1]
	}
	again := stale("after another steward", seenTwo)
	a, err := acts.New(s.policy, acts.Request{Kind: acts.Freeze, Table: "public.patients", Reason: "by a command"})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Do(t.Context(), s.policy.Ledger, "root", ""); err != nil {
		t.Fatal(err)
	}
	again = stale("after a command", again)
	changed := *s.policy
	changed.Version = strings.Repeat("0", 64)
	s.policy = &changed
	again = stale("after another policy", again)
	stale("without what was seen", "")
	stale("with something else", "x."+changed.Version)
	if r := second.post(two, url.Values{"token": {second.token()}, "seen": {again}}); r.StatusCode != http.StatusSeeOther {
		t.Errorf("confirmed again: status %d\n%s", r.StatusCode, r.body)
	}
	// What analysts ask meanwhile changes nothing of it.
	l, err := ledger.Open(t.Context(), ledger.Options{Location: s.policy.Ledger, Role: ledger.Steward, Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	path := second.preview("table", "public.visits")
	seen := second.seen(path)
	l.Note(ledger.Event{Analyst: "bob", Table: policy.TableName{Schema: "public", Name: "visits"}, Verdict: ledger.Refused, SQL: "SELECT 1"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if r := second.post(path, url.Values{"token": {second.token()}, "seen": {seen}}); r.StatusCode != http.StatusSeeOther {
		t.Errorf("after a question: status %d", r.StatusCode)
	}
}

// A double click, or a confirmation that is sent again, makes one entry, and leads to it.
func TestOneEntry(t *testing.T) {
	s := newPlayed(t)
	stan := s.as("stan")
	path, before := stan.preview(), len(s.acts())
	form := url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}
	const clicks = 8
	var all sync.WaitGroup
	to := make([]string, clicks)
	for i := range clicks {
		all.Go(func() {
			if r, err := stan.client.Do(stan.request("POST", path, form.Encode())); err == nil {
				to[i] = r.Header.Get("Location")
				r.Body.Close()
			}
		})
	}
	all.Wait()
	for _, where := range append(to, stan.post(path, form).Header.Get("Location"), stan.get(path).Header.Get("Location")) {
		if where != to[0] || !strings.HasPrefix(where, "/acts/entry/") {
			t.Errorf("one click leads to %q, another to %q", to[0], where)
		}
	}
	if made := len(s.acts()) - before; made != 1 {
		t.Errorf("%d entries were made", made)
	}
}

// Only a steward acts, by forms of their own session and this site.
func TestForgedActs(t *testing.T) {
	s := newPlayed(t)
	stan, other := s.as("stan"), s.as("stan")
	path := stan.preview()
	seen, before := stan.seen(path), len(s.acts())
	forms := map[string]url.Values{"/acts": actOf(), path: {"seen": {seen}}, strings.Replace(path, "confirm", "withdraw", 1): {}}
	for name, c := range map[string]struct {
		b       *browser
		token   string
		headers map[string]string
		want    int
	}{
		"an officer":            {s.as("olga"), "", nil, http.StatusForbidden},
		"an analyst":            {s.as("ana"), "", nil, http.StatusForbidden},
		"nobody":                {s.browser(), "x", nil, http.StatusSeeOther},
		"no token":              {stan, "-", nil, http.StatusForbidden},
		"another token":         {stan, strings.Repeat("A", 26), nil, http.StatusForbidden},
		"another session's":     {stan, other.token(), nil, http.StatusForbidden},
		"another site":          {stan, "", map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		"a sibling":             {stan, "", map[string]string{"Sec-Fetch-Site": "same-site"}, http.StatusForbidden},
		"an older browser":      {stan, "", map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		"a sandbox":             {stan, "", map[string]string{"Origin": "null"}, http.StatusForbidden},
		"another session's act": {other, "", nil, http.StatusNotFound},
	} {
		if c.token == "" {
			c.token = c.b.token()
		}
		for to, form := range forms {
			if name == "another session's act" && to == "/acts" {
				continue
			}
			sent := url.Values{"token": {c.token}}
			for key, values := range form {
				sent[key] = values
			}
			r := c.b.request("POST", to, sent.Encode())
			for key, value := range c.headers {
				r.Header.Set(key, value)
			}
			if answer := c.b.do(r); answer.StatusCode != c.want || strings.HasPrefix(answer.Header.Get("Location"), "/acts") {
				t.Errorf("%s, %s: status %d, want %d", name, to, answer.StatusCode, c.want)
			}
		}
	}
	for _, b := range []*browser{s.as("olga"), s.as("ana"), other} {
		if r := b.get(path); r.StatusCode == http.StatusOK {
			t.Error("somebody else sees the page to confirm")
		}
	}
	if after := len(s.acts()); after != before {
		t.Fatalf("%d entries were made", after-before)
	}
	// Neither what was withdrawn nor what is of a session that is over is done.
	if r := stan.post(strings.Replace(path, "confirm", "withdraw", 1), url.Values{"token": {stan.token()}}); r.StatusCode != http.StatusSeeOther {
		t.Errorf("withdrawn: status %d", r.StatusCode)
	}
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {seen}}); r.StatusCode != http.StatusNotFound {
		t.Errorf("what was withdrawn: status %d", r.StatusCode)
	}
	path = stan.preview()
	seen = stan.seen(path)
	stan.post("/login", url.Values{"name": {"stan"}, "password": {passwordOf("stan")}})
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {seen}}); r.StatusCode != http.StatusNotFound {
		t.Errorf("an act of a former session: status %d", r.StatusCode)
	}
	if after := len(s.acts()); after != before {
		t.Errorf("%d entries were made", after-before)
	}
}

// Reasons are text wherever they are shown.
func TestScriptsInReasons(t *testing.T) {
	s := newPlayed(t)
	stan := s.as("stan")
	hostile := `<script>alert(1)</script>"><img src=x onerror=alert(2)> ` + "\u202e\u200b"
	path := stan.preview("reason", hostile)
	pages := []string{path, "/acts?reason=" + url.QueryEscape(hostile) + "&act=" + url.QueryEscape(hostile) + "&table=" + url.QueryEscape(hostile)}
	entry := stan.act("reason", hostile)
	pages = append(pages, entry.Request.URL.Path, "/acts", "/report", "/table/public/patients", "/")
	for _, p := range pages {
		r := stan.get(p)
		checkElements(t, p, r.body)
		if strings.ContainsAny(r.body, "\u202e\u200b") && !strings.HasPrefix(p, "/acts?") {
			t.Errorf("%s shows characters that nobody sees", p)
		}
		if h := r.Header; h.Get("X-Frame-Options") != "DENY" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s has the headers %v", p, h)
		}
	}
	for _, p := range []string{"/acts/entry/0", "/acts/entry/-1", "/acts/entry/1", "/acts/entry/99999999", "/acts/entry/x%0d%0aSet-Cookie:a=b", "/acts/confirm/x", "/acts/confirm/..%2f..%2fetc"} {
		if r := stan.get(p); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d", p, r.StatusCode)
		}
	}
}
