package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tacit/accountant/ledger"
)

// decides has a steward look at What if, and returns the answer to a form that notes a decision.
func (b *browser) decides(fields ...string) reply {
	b.t.Helper()
	if r := b.submit("/whatif", assessFormOf("key", "sex", "kind", "geometric", "epsilon", "0.5")); r.StatusCode != http.StatusSeeOther {
		b.t.Fatalf("What if: status %d\n%.3000s", r.StatusCode, r.body)
	}
	b.result()
	form := url.Values{"decided": {"epsilon 0.5 from January"}, "reason": {"an error of 4 does for the annual report"}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.submit("/whatif/decide", form)
}

// A decision is in the ledger once it is confirmed, with its reason and with what was looked at, and is shown where acts are. It changes no budget.
func TestDecision(t *testing.T) {
	s := newPlayed(t)
	stan, olga := s.as("stan"), s.as("olga")
	before, overview := len(s.acts()), stan.get("/table/public/patients").body
	r := stan.decides()
	path := r.Header.Get("Location")
	if r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(path, "/acts/confirm/") || len(s.acts()) != before {
		t.Fatalf("status %d, to %q, %d entries\n%.3000s", r.StatusCode, path, len(s.acts())-before, r.body)
	}
	shown := stan.get(path).body
	checkElements(t, path, shown)
	const what = "epsilon 0.5 from January; seen: geometric with epsilon 0.5 by sex, on 1000 supposed rows, skewed"
	if !strings.Contains(shown, what) || strings.Count(shown, "the same</span>") != 5 {
		t.Errorf("the page to confirm lacks the decision, or says that a budget changes\n%s", shown)
	}
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}); !strings.HasPrefix(r.Header.Get("Location"), "/acts/entry/") {
		t.Fatalf("confirmed: status %d\n%.3000s", r.StatusCode, r.body)
	}
	all := s.acts()
	if e := all[0]; len(all) != before+1 || e.Verdict != ledger.Resolved || e.By != "stan" || e.SQL != what || e.Reason != "an error of 4 does for the annual report" || e.Table.Name != "patients" {
		t.Errorf("%d entries more, the newest %+v", len(all)-before, e)
	}
	for _, page := range []string{"/acts", "/report", "/questions?verdict=resolved"} {
		if body := olga.get(page).body; !strings.Contains(body, what) || !strings.Contains(body, "annual report") {
			t.Errorf("%s lacks the decision\n%.5000s", page, body)
		}
	}
	for _, page := range []string{"/questions", "/", "/table/public/patients"} {
		if body := s.as("ana").get(page).body; strings.Contains(body, "from January") {
			t.Errorf("an analyst sees the decision at %s", page)
		}
	}
	budget := func(body string) string {
		_, body, _ = strings.Cut(body, `<h2 id="budget">`)
		body, _, _ = strings.Cut(body, "</section>")
		return body
	}
	if now := stan.get("/table/public/patients").body; budget(now) != budget(overview) || budget(now) == "" {
		t.Errorf("the budget changed\n%s\n%s", budget(overview), budget(now))
	}
	r2, err := ledger.OpenReadOnly(t.Context(), s.policy.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer r2.Close()
	if found, err := r2.Verify(t.Context(), nil); err != nil || len(found.Problems) > 0 {
		t.Errorf("the ledger does not verify: %v, %v", err, found)
	}
}

// Only a steward who has looked at What if in this session notes a decision, by a form of this session and site, and what is written is text.
func TestForgedDecisions(t *testing.T) {
	s := newPlayed(t)
	stan, olga := s.as("stan"), s.as("olga")
	before := len(s.acts())
	form := url.Values{"decided": {"x"}, "reason": {"y"}}
	if r := stan.submit("/whatif/decide", form); r.StatusCode != http.StatusNotFound {
		t.Errorf("a decision about nothing: status %d", r.StatusCode)
	}
	if r := olga.decides(); r.StatusCode != http.StatusForbidden {
		t.Errorf("an officer: status %d", r.StatusCode)
	}
	if strings.Contains(olga.result().body, "/whatif/decide") {
		t.Error("an officer is offered the form")
	}
	if r := s.as("ana").submit("/whatif/decide", form); r.StatusCode != http.StatusForbidden {
		t.Errorf("an analyst: status %d", r.StatusCode)
	}
	if r := stan.submit("/acts", actOf("act", "resolve")); r.StatusCode != http.StatusBadRequest {
		t.Errorf("a decision by the form of acts: status %d", r.StatusCode)
	}
	for want, fields := range map[string][]string{
		"decision:</strong> it is required": {"decided", ""},
		"reason:</strong> it is required":   {"reason", " "},
		"more than 250 bytes":               {"decided", strings.Repeat("x", 251)},
		"control characters":                {"decided", "a\nb"},
	} {
		if r := stan.decides(fields...); r.StatusCode != http.StatusBadRequest || !strings.Contains(r.body, want) {
			t.Errorf("%.40q: status %d, want %q\n%.3000s", fields, r.StatusCode, want, r.body)
		}
	}
	const script = `<script>alert(1)</script>"><img src=x onerror=alert(2)>`
	r := stan.decides("decided", script, "reason", script)
	path := r.Header.Get("Location")
	checkElements(t, path, stan.get(path).body)
	for name, change := range map[string]func(*http.Request){
		"another site": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		"no token":     nil,
	} {
		sent := url.Values{"decided": {"x"}, "reason": {"y"}, "token": {stan.token()}}
		if change == nil {
			sent.Del("token")
		}
		request := stan.request("POST", "/whatif/decide", sent.Encode())
		if change != nil {
			change(request)
		}
		if answer := stan.do(request); answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", name, answer.StatusCode)
		}
	}
	if r := s.as("stan").get(path); r.StatusCode == http.StatusOK {
		t.Error("another session of the steward sees the page to confirm")
	}
	if n := len(s.acts()) - before; n != 0 {
		t.Errorf("%d entries were made", n)
	}
	// What is confirmed is text on all pages.
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}); r.StatusCode != http.StatusSeeOther {
		t.Errorf("confirmed: status %d", r.StatusCode)
	} else {
		for _, page := range []string{r.Header.Get("Location"), "/acts", "/report", "/questions", "/table/public/patients"} {
			checkElements(t, page, stan.get(page).body)
		}
	}
}
