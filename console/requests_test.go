package console

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tacit/accountant/ledger"
)

// asks sends an analyst's form.
func (b *browser) asks(fields ...string) reply {
	b.t.Helper()
	form := url.Values{"token": {b.token()}, "table": {"public.patients"}, "epsilon": {"1"}, "reason": {"the spring study"}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return b.post("/requests", form)
}

// An analyst's request arrives at the stewards' page with the form filled in. She is told what became of it, and other analysts nothing.
func TestRequests(t *testing.T) {
	s := newPlayed(t)
	ana, bob, stan := s.as("ana"), s.as("bob"), s.as("stan")
	for _, b := range []*browser{ana, bob} {
		if r := b.asks(); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/requests" {
			t.Fatalf("a request: status %d\n%s", r.StatusCode, r.body)
		}
	}
	if r := bob.asks("table", "public.visits", "epsilon", "0.5", "reason", "houses in the north"); r.StatusCode != http.StatusSeeOther {
		t.Fatalf("a request: status %d\n%s", r.StatusCode, r.body)
	}
	bob.asks("table", "public.visits", "epsilon", "0.5", "reason", "houses in the north") // a double click
	page := stan.get("/acts").body
	if strings.Count(page, "asked=") != 6 || !strings.Contains(page, "houses in the north") || strings.Count(page, "the spring study") != 2 {
		t.Errorf("the stewards' page has not the three requests:\n%s", page)
	}
	r := openRequest(t, s, "bob", "houses in the north")
	grant := stan.get(fmt.Sprintf("/acts?act=grant&asked=%d", r.Entry)).body
	for _, text := range []string{`<option value="public.visits" selected>`, `<option value="bob" selected>`, `value="0.5"`, "bob asks for epsilon 0.5 on public.visits: houses in the north", fmt.Sprintf(`name="asked" value="%d"`, r.Entry)} {
		if !strings.Contains(grant, text) {
			t.Errorf("the form has no %s:\n%s", text, grant)
		}
	}
	asked := fmt.Sprint(r.Entry)
	stan.act("table", "public.visits", "analyst", "bob", "epsilon", "0.5", "reason", "the board agreed", "asked", asked)
	if body := bob.get("/requests").body; !strings.Contains(body, "granted") || strings.Contains(body, "the board agreed") || strings.Contains(body, "stan") {
		t.Errorf("bob sees:\n%s", body)
	}
	path := stan.preview("table", "public.visits", "epsilon", "0.5", "asked", asked)
	if r := stan.post(path, url.Values{"token": {stan.token()}, "seen": {stan.seen(path)}}); r.StatusCode != http.StatusConflict || !strings.Contains(r.body, "answered already") {
		t.Errorf("a second grant: status %d\n%s", r.StatusCode, r.body)
	}
	if r := stan.get("/acts?act=grant&asked=" + asked); r.StatusCode != http.StatusNotFound {
		t.Errorf("the form of an answered request: status %d", r.StatusCode)
	}
	hers := openRequest(t, s, "ana", "the spring study")
	if body := stan.get(fmt.Sprintf("/acts?act=grant&asked=%d", hers.Entry)).body; strings.Contains(body, `<option value="ana" selected>`) {
		t.Error("a cap that there is not would be raised")
	}
	// The form's table is not believed: what is declined is what was asked.
	entry := stan.act("act", "decline", "asked", fmt.Sprint(hers.Entry), "table", "public.visits", "reason", "ask in March")
	if !strings.Contains(entry.body, "declined") || !strings.Contains(entry.body, "public.patients") || !strings.Contains(entry.body, "ask in March") {
		t.Errorf("the entry:\n%s", entry.body)
	}
	if body := ana.get("/requests").body; !strings.Contains(body, "ask in March") || strings.Contains(body, "houses") || strings.Contains(body, "stan") {
		t.Errorf("ana sees:\n%s", body)
	}
	if body := bob.get("/requests").body; strings.Contains(body, "ask in March") {
		t.Error("bob sees what ana was told")
	}
	for _, name := range []string{"ana", "bob"} {
		if body := s.as(name).get("/questions").body; strings.Contains(body, "the spring study") || strings.Contains(body, "ask in March") {
			t.Errorf("%s's questions have a request among them", name)
		}
	}
}

func openRequest(t *testing.T, s *played, analyst, reason string) ledger.Request {
	t.Helper()
	l, err := ledger.OpenReadOnly(t.Context(), s.policy.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Requests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if r.Outcome == "" && r.Analyst == analyst && r.Reason == reason {
			return r
		}
	}
	t.Fatalf("%s has no open request: %v", analyst, all)
	return ledger.Request{}
}

// Requests are bounded, are made by analysts for themselves, and are text wherever they are shown.
func TestRequestsThatAreRefused(t *testing.T) {
	s := newPlayed(t)
	ana, stan := s.as("ana"), s.as("stan")
	for _, c := range []struct{ field, value, want string }{
		{"reason", "", "it is required"}, {"reason", strings.Repeat("x", 501), "more than 500"}, {"reason", "a\nb", "control characters"}, {"table", "public.nobody", "no protected table"},
		{"table", "", "table:"}, {"epsilon", "", "nothing is granted"}, {"epsilon", "-1", "epsilon:"}, {"epsilon", "x", "epsilon:"}, {"releases", "1", "no budget.releases"},
	} {
		r := ana.asks(c.field, c.value)
		if r.StatusCode != http.StatusBadRequest || !strings.Contains(strings.ReplaceAll(r.body, "</strong>", ""), c.want) {
			t.Errorf("%s %q: status %d\n%s", c.field, c.value, r.StatusCode, r.body)
		}
	}
	for _, b := range []*browser{stan, s.as("olga")} {
		if r := b.asks(); r.StatusCode != http.StatusForbidden {
			t.Errorf("no analyst asks: status %d", r.StatusCode)
		}
	}
	for _, token := range []string{"", "x", s.as("bob").token(), s.as("ana").token()} {
		if r := ana.post("/requests", url.Values{"token": {token}, "table": {"public.patients"}, "epsilon": {"1"}, "reason": {"x"}}); r.StatusCode != http.StatusForbidden {
			t.Errorf("with the token %q: status %d", token, r.StatusCode)
		}
	}
	r := ana.request("POST", "/requests", url.Values{"token": {ana.token()}, "table": {"public.patients"}, "epsilon": {"1"}, "reason": {"x"}}.Encode())
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if answer := ana.do(r); answer.StatusCode != http.StatusForbidden {
		t.Errorf("from another site: status %d", answer.StatusCode)
	}
	script := `<script>alert(1)</script>"><img src=x onerror=alert(2)> ` + "\u202e\u200b"
	if r := ana.asks("reason", script, "analyst", "bob"); r.StatusCode != http.StatusSeeOther {
		t.Fatalf("status %d\n%s", r.StatusCode, r.body)
	}
	hers := openRequest(t, s, "ana", strings.TrimSpace(script))
	for path, b := range map[string]*browser{"/acts": stan, fmt.Sprintf("/acts?act=grant&asked=%d", hers.Entry): stan, "/requests": ana, "/questions?verdict=requested": stan} {
		r := b.get(path)
		if r.StatusCode != http.StatusOK || !strings.Contains(r.body, "&lt;script&gt;") || strings.ContainsAny(r.body, "\u202e\u200b") {
			t.Errorf("%s: status %d\n%s", path, r.StatusCode, r.body)
		}
		checkElements(t, path, r.body)
	}
	ana.asks("reason", "second")
	ana.asks("reason", "third")
	if r := ana.asks("reason", "fourth"); r.StatusCode != http.StatusTooManyRequests || !strings.Contains(r.body, "wait for the stewards") {
		t.Errorf("a fourth that is open: status %d", r.StatusCode)
	}
	if r := s.as("ana").asks("reason", "fifth"); r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("in another session: status %d", r.StatusCode)
	}
}
