package console

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"tacit/release"
)

// Nobody who is not logged in sees a page, or learns which there are.
func TestWithoutLogin(t *testing.T) {
	s := newPlayed(t)
	b := s.browser()
	for path := range everyPage {
		if r := b.get(path); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/login" || strings.Contains(r.body, "patients") {
			t.Errorf("%s: status %d, to %q", path, r.StatusCode, r.Header.Get("Location"))
		}
	}
	for _, path := range []string{"/logout", "/ledger/verify", "/", "/table/public/patients"} {
		if r := b.post(path, url.Values{"token": {"x"}}); r.StatusCode != http.StatusSeeOther && r.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("POST %s: status %d", path, r.StatusCode)
		}
	}
	for _, c := range []struct{ name, password string }{
		{"olga", "wrong"}, {"olga", ""}, {"nobody", passwordOf("olga")}, {"", ""}, {"OLGA", passwordOf("olga")}, {"olga", passwordOf("stan")}, {"olga\x00", passwordOf("olga")},
	} {
		r := s.browser().post("/login", url.Values{"name": {c.name}, "password": {c.password}})
		if r.StatusCode != http.StatusUnauthorized || r.Header.Get("Set-Cookie") != "" || !strings.Contains(r.body, "The name or the password is wrong.") {
			t.Errorf("login of %q with %q: status %d, cookie %q", c.name, c.password, r.StatusCode, r.Header.Get("Set-Cookie"))
		}
	}
}

// An analyst sees her own statements and nobody else's, whatever she asks for, and no page of the stewards.
func TestAnalystSeesHerOwn(t *testing.T) {
	s := newPlayed(t)
	ana, bob := s.as("ana"), s.as("bob")
	for _, path := range []string{
		"/questions?analyst=bob", "/questions.csv?analyst=bob", "/questions.json?analyst=bob", "/questions?analyst=ana&analyst=bob", "/questions?analyst=%C3%A4", "/ledger", "/report",
		"/table/public/patients/curve.svg",
	} {
		r := ana.get(path)
		first, _, _ := strings.Cut(strings.TrimPrefix(path, "/questions?"), "&")
		if allowed := first == "analyst=ana"; allowed != (r.StatusCode == http.StatusOK) || !allowed && r.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	for _, path := range []string{"/", "/questions", "/questions?before=1000000", "/questions.csv", "/questions.json", "/refused", "/table/public/patients", "/table/public/visits", "/table/clinic/odd%2F..%2Fname%20%3Cb%3E", "/free", "/connect"} {
		for b, others := range map[*browser][]string{
			ana: {"bob", "SELECT * FROM visits", "FROM visits WHERE ward", "SELECT sex, count(*) FROM patients GROUP BY sex", "annual", "stan"},
			bob: {"ana<", "ana,", "SELECT sex, count(*) FROM patients WHERE age", "alert(", "annual", "stan"},
		} {
			body := b.get(path).body
			for _, other := range others {
				// What was answered is free for everybody, in the proxy's words and without who asked.
				if strings.Contains(body, html.EscapeString(other)) && !(path == "/free" && other == "alert(") {
					t.Errorf("%s shows %q", path, other)
				}
			}
		}
	}
	if r := ana.post("/ledger/verify", url.Values{"token": {ana.token()}}); r.StatusCode != http.StatusForbidden {
		t.Errorf("an analyst verifies: status %d", r.StatusCode)
	}
}

// An analyst sees how exact her last answers were, and nobody else does.
func TestLastAnswers(t *testing.T) {
	s := newPlayed(t)
	s.console.Answered = func(analyst string) []release.Told {
		if analyst != "ana" {
			return nil
		}
		return []release.Told{{At: s.at(), Statement: "SELECT '<b>', count(*) FROM visits", Notice: "public.visits: geometric noise, each count within ±24 with probability 95%"}}
	}
	const told = "each count within ±24"
	if body := s.as("ana").get("/questions").body; !strings.Contains(body, told) || !strings.Contains(body, html.EscapeString("'<b>'")) || strings.Contains(body, "'<b>'") {
		t.Errorf("her own page has\n%s", body)
	}
	for _, name := range []string{"bob", "olga"} {
		for _, path := range []string{"/questions", "/questions?analyst=ana"} {
			if strings.Contains(s.as(name).get(path).body, told) {
				t.Errorf("%s sees the answers of another one", name)
			}
		}
	}
}

// No page has an answer, let alone a true count: they are not read.
func TestNoCounts(t *testing.T) {
	s := newPlayed(t)
	for _, name := range []string{"olga", "ana"} {
		b := s.as(name)
		for path := range everyPage {
			if strings.Contains(b.get(path).body, "4711") {
				t.Errorf("%s as %s shows the payload of an answer", path, name)
			}
		}
	}
}

// A form counts for the session that it was made for, from this site, and nowhere else.
func TestForgedRequests(t *testing.T) {
	s := newPlayed(t)
	olga, other := s.as("olga"), s.as("olga")
	own := olga.token()
	for name, c := range map[string]struct {
		token   string
		headers map[string]string
	}{
		"no token":              {"", nil},
		"another token":         {strings.Repeat("A", len(own)), nil},
		"another session's":     {other.token(), nil},
		"from another site":     {own, map[string]string{"Sec-Fetch-Site": "cross-site"}},
		"from a sibling":        {own, map[string]string{"Sec-Fetch-Site": "same-site"}},
		"from an older browser": {own, map[string]string{"Origin": "https://evil.example"}},
		"from a sandbox":        {own, map[string]string{"Origin": "null"}},
	} {
		for _, path := range []string{"/logout", "/ledger/verify"} {
			r := olga.request("POST", path, url.Values{"token": {c.token}}.Encode())
			for key, value := range c.headers {
				r.Header.Set(key, value)
			}
			if answer := olga.do(r); answer.StatusCode != http.StatusForbidden {
				t.Errorf("%s, %s: status %d", name, path, answer.StatusCode)
			}
		}
	}
	// A token in the address, as a link would have it, is none.
	if r := olga.post("/logout?token="+own, nil); r.StatusCode != http.StatusForbidden {
		t.Errorf("a token in the address: status %d", r.StatusCode)
	}
	// A login from elsewhere would have somebody work in the attacker's name.
	r := s.browser().request("POST", "/login", url.Values{"name": {"bob"}, "password": {passwordOf("bob")}}.Encode())
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	if answer := s.browser().do(r); answer.StatusCode != http.StatusForbidden {
		t.Errorf("a login from another site: status %d", answer.StatusCode)
	}
	if s.console.proof.view().Running || s.console.proof.view().Found != nil {
		t.Error("a forged request had the ledger verified")
	}
	if r := olga.get("/logout"); r.StatusCode == http.StatusSeeOther || olga.get("/").StatusCode != http.StatusOK {
		t.Errorf("a link logs out: status %d", r.StatusCode)
	}
	if r := olga.post("/logout", url.Values{"token": {own}}); r.StatusCode != http.StatusSeeOther || olga.get("/").StatusCode != http.StatusSeeOther {
		t.Errorf("the own form does not log out: status %d", r.StatusCode)
	}
}

// The cookie of a session is made at the login, not before it, and ends with the logout, on the server as well.
func TestSessions(t *testing.T) {
	s := newPlayed(t)
	b := s.browser()
	r := b.request("POST", "/login", url.Values{"name": {"olga"}, "password": {passwordOf("olga")}}.Encode())
	r.AddCookie(&http.Cookie{Name: "tacit", Value: "FIXED0000000000000000000000000000000000000"})
	answer := b.do(r)
	cookies := answer.Cookies()
	if len(cookies) != 1 || strings.HasPrefix(cookies[0].Value, "FIXED") || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].MaxAge != 0 || cookies[0].Domain != "" {
		t.Fatalf("the cookies are %+v", cookies)
	}
	with := func(value string) int {
		r := s.browser().request("GET", "/", "")
		r.AddCookie(&http.Cookie{Name: "tacit", Value: value})
		return s.browser().do(r).StatusCode
	}
	if status := with("FIXED0000000000000000000000000000000000000"); status != http.StatusSeeOther {
		t.Errorf("an identity that was known before the login: status %d", status)
	}
	first := cookies[0].Value
	again := b.post("/login", url.Values{"name": {"olga"}, "password": {passwordOf("olga")}}).Cookies()
	if len(again) != 1 || again[0].Value == first || with(first) != http.StatusSeeOther {
		t.Error("a second login keeps the first identity")
	}
	if with(again[0].Value) != http.StatusOK {
		t.Error("the identity of the second login is not known")
	}
	if b.post("/logout", url.Values{"token": {b.token()}}); with(again[0].Value) != http.StatusSeeOther {
		t.Error("an identity is known after the logout")
	}
	if c := newSessions(nil, true).Cookie; !c.Secure || c.Name != "__Host-tacit" || c.Path != "/" || c.Domain != "" {
		t.Errorf("with TLS the cookie is %+v", c)
	}
}

// Who is taken out of the policy, or gets another password or role, is out at once.
func TestRevoked(t *testing.T) {
	s := newPlayed(t)
	stan, ana, olga := s.as("stan"), s.as("ana"), s.as("olga")
	changed := *s.policy
	section := *s.policy.Console
	section.Stewards, section.Officers = nil, s.policy.Console.Officers
	changed.Console = &section
	changed.Analysts = append(changed.Analysts[:0:0], s.policy.Analysts...)
	changed.Analysts[0].Password = verifier()["bob"]
	s.policy = &changed
	for name, c := range map[string]struct {
		b    *browser
		want int
	}{"stan": {stan, http.StatusSeeOther}, "ana": {ana, http.StatusSeeOther}, "olga": {olga, http.StatusOK}} {
		if r := c.b.get("/"); r.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d", name, r.StatusCode, c.want)
		}
	}
	section.Stewards, section.Officers = section.Officers, nil // olga acts from now on: she logs in anew
	if r := olga.get("/"); r.StatusCode != http.StatusSeeOther {
		t.Errorf("after her role changed: status %d", r.StatusCode)
	}
	changed.Auth = "trust" // nobody knows who an analyst is
	if r := s.browser().post("/login", url.Values{"name": {"bob"}, "password": {passwordOf("bob")}}); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("an analyst logs in under trust: status %d", r.StatusCode)
	}
}

// Passwords cannot be tried quickly, for one name or from one address; names that nobody has are no exception. Time lets attempts come back.
func TestBruteForce(t *testing.T) {
	s := newPlayed(t)
	at := now
	s.at = func() time.Time { return at }
	try := func(name, password string) int {
		return s.browser().post("/login", url.Values{"name": {name}, "password": {password}}).StatusCode
	}
	for _, name := range []string{"olga", "nobody"} {
		for i := range int(ofName.burst) {
			if status := try(name, "wrong"); status != http.StatusUnauthorized {
				t.Fatalf("attempt %d for %s: status %d", i, name, status)
			}
		}
		if status := try(name, passwordOf(name)); status != http.StatusTooManyRequests {
			t.Errorf("the right password of %s after too many wrong ones: status %d", name, status)
		}
	}
	at = at.Add(ofName.every)
	if status := try("olga", passwordOf("olga")); status != http.StatusSeeOther {
		t.Errorf("after a while: status %d", status)
	}
	at = at.Add(time.Hour)
	for i := range int(ofAddress.burst) {
		if status := try(fmt.Sprintf("guess%d", i), "wrong"); status != http.StatusUnauthorized {
			t.Fatalf("guess %d from an address: status %d", i, status)
		}
	}
	r := s.browser().post("/login", url.Values{"name": {"olga"}, "password": {passwordOf("olga")}})
	if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
		t.Errorf("many names from one address: status %d", r.StatusCode)
	}
	a := newAttempts(func() time.Time { return at })
	for range int(ofName.burst) {
		a.take("olga", "192.0.2.7:1")
	}
	for i := range 2 * maxAllowances { // that an address which has no attempts left has nobody forgotten
		a.take(fmt.Sprint("guess", i), "192.0.2.8:1")
	}
	if a.take("olga", "192.0.2.9:1") == 0 || a.take("guess", "192.0.2.8:1") == 0 {
		t.Error("attempts come back after many others")
	}
}

// A session that was logged out stays so, also where a request that was under way then stores it again.
func TestLogoutLasts(t *testing.T) {
	s := newPlayed(t)
	ctx, err := s.console.sessions.Load(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	all := persons(s.console.Policy())
	if err := s.console.enter(ctx, &all[0]); err != nil {
		t.Fatal(err)
	}
	if s.console.current(ctx) == nil {
		t.Fatal("nobody is logged in")
	}
	v := &visit{Console: s.console, w: httptest.NewRecorder(), r: httptest.NewRequest(http.MethodPost, "/logout", nil).WithContext(ctx)}
	other, err := s.console.sessions.Load(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{nameKey, stampKey, tokenKey} {
		s.console.sessions.Put(other, key, s.console.sessions.GetString(ctx, key))
	}
	if _, err := v.logout(); err != nil {
		t.Fatal(err)
	}
	if s.console.current(other) != nil {
		t.Error("a copy of the session outlives the logout")
	}
}

// What is written of a line of a file is one field for each text, whatever splits it, and no formula.
func TestWriteRow(t *testing.T) {
	var out strings.Builder
	if err := writeRow(&out, []string{"1", "SELECT 1 /*;=cmd|' /C calc'!A0;*/", "=1+1", "\n\t@SUM(1)", `a "b", c`, ""}); err != nil {
		t.Fatal(err)
	}
	if want := `"1","SELECT 1 /*;=cmd|' /C calc'!A0;*/","'=1+1","'` + "\n\t" + `@SUM(1)","a ""b"", c",""` + "\r\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// What an analyst writes into the ledger is text on every page that shows it: it makes no element, no attribute, and nothing that a program would compute.
func TestScriptsInTexts(t *testing.T) {
	s := newPlayed(t)
	shown := 0
	for _, name := range []string{"olga", "ana", "bob"} {
		b := s.as(name)
		paths := []string{
			"/questions?text=" + url.QueryEscape(hostile[:80]), "/questions?analyst=" + url.QueryEscape(`"><script>alert(4)</script>`),
			"/questions?table=" + url.QueryEscape(`public."><script>alert(5)</script>"`), "/free?text=" + url.QueryEscape(`"autofocus onfocus=alert(6)`), "/report?month=%3Cscript%3E", "/%3Cscript%3E",
		}
		for path := range everyPage {
			paths = append(paths, path)
		}
		for _, path := range paths {
			r := b.get(path)
			if kind := r.Header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
				continue
			}
			if strings.Contains(r.body, "&lt;script&gt;") {
				shown++
			}
			if strings.ContainsAny(r.body, "\u202e\u200b") {
				t.Errorf("%s shows characters that nobody sees", path)
			}
			checkElements(t, path, r.body)
		}
	}
	if shown < 8 {
		t.Errorf("only %d pages show what the analyst wrote: nothing was tested", shown)
	}
	olga := s.as("olga")
	csv := olga.get("/questions.csv").body
	for line := range strings.Lines(csv) {
		for _, cell := range strings.Split(line, ",") {
			if strings.ContainsAny(strings.Trim(cell, `"`)[:min(1, len(strings.Trim(cell, `"`)))], "=+-@") {
				t.Errorf("a spreadsheet would compute %q", cell)
			}
		}
	}
}

// checkElements fails if a page has an element or an attribute that no template of this package has.
func checkElements(t *testing.T, path, body string) {
	t.Helper()
	for _, tag := range aTag.FindAllStringSubmatch(body, -1) {
		switch strings.ToLower(tag[1]) {
		case "script":
			if tag[0] != `<script src="/console.js" defer>` {
				t.Errorf("%s has the script %s", path, tag[0])
			}
		case "style", "iframe", "object", "embed", "i", "b", "base":
			t.Errorf("%s has the element %s", path, tag[0])
		case "img":
			if !strings.Contains(tag[0], `/curve.svg"`) {
				t.Errorf("%s has the picture %s", path, tag[0])
			}
		}
		for _, a := range anAttribute.FindAllStringSubmatch(tag[2], -1) {
			key, value := strings.ToLower(a[1]), strings.ToLower(a[2])
			if strings.HasPrefix(key, "on") || key == "style" || strings.HasPrefix(strings.TrimSpace(value), "javascript:") {
				t.Errorf("%s has the attribute %s", path, a[0])
			}
		}
	}
}

var (
	aTag        = regexp.MustCompile(`<([a-zA-Z][^\s/>]*)((?:[^>"]|"[^"]*")*)>`)
	anAttribute = regexp.MustCompile(`([^\s="]+)(?:="([^"]*)")?`)
)

// Every answer, be it an error, forbids frames, scripts, guesses about its type, and caches.
func TestHeaders(t *testing.T) {
	s := newPlayed(t)
	olga := s.as("olga")
	paths := []string{"/login", "/none", "/style.css", "/console.js", "/table/public/none", "/questions?before=x", "/../../etc/passwd"}
	for path := range everyPage {
		paths = append(paths, path)
	}
	for _, path := range paths {
		for _, b := range []*browser{olga, s.browser()} {
			h := b.get(path).Header
			policy := h.Get("Content-Security-Policy")
			if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") && !strings.HasSuffix(path, ".svg") ||
				!strings.Contains(policy, "frame-ancestors 'none'") && !strings.HasSuffix(path, ".svg") || h.Get("X-Frame-Options") != "DENY" ||
				h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" || h.Get("Cache-Control") != "no-store" && path != "/style.css" && path != "/console.js" {
				t.Errorf("%s has the headers %v", path, h)
			}
		}
	}
}

// Nothing of a request gets into a header, or leads elsewhere, or to a file.
func TestPaths(t *testing.T) {
	s := newPlayed(t)
	olga := s.as("olga")
	for path, want := range map[string]int{
		"/questions?table=public.x%0d%0aSet-Cookie:%20a=b": http.StatusBadRequest,
		"/questions.csv?text=%0d%0aSet-Cookie:%20a=b":      http.StatusOK,
		"/questions?text=%00":                              http.StatusBadRequest,
		"/questions?text=" + strings.Repeat("x", 201):      http.StatusBadRequest,
		"/questions?before=0":                              http.StatusBadRequest,
		"/questions?before=99999999999999999999":           http.StatusBadRequest,
		"/questions?verdict=every":                         http.StatusBadRequest,
		"/questions?table=patients":                        http.StatusBadRequest,
		"/report?month=2036-13":                            http.StatusBadRequest,
		"/report?month=9999-12":                            http.StatusBadRequest,
		"/table/public/..%2F..%2F..%2Fetc%2Fpasswd":        http.StatusNotFound,
		"/table/..%2f/..%2f":                               http.StatusNotFound,
		"/assets/style.css":                                http.StatusNotFound,
		"/pages/layout.html":                               http.StatusNotFound,
		"/style.css%00":                                    http.StatusNotFound,
		"/login?next=https://evil.example":                 http.StatusSeeOther,
		"//evil.example/%2e%2e":                            http.StatusTemporaryRedirect,
	} {
		r := olga.get(path)
		to := r.Header.Get("Location")
		if r.StatusCode != want && !(want == http.StatusTemporaryRedirect && r.StatusCode < 500) || strings.HasPrefix(to, "//") || strings.Contains(to, "://") && !strings.HasPrefix(to, s.server.URL) ||
			strings.Contains(r.Header.Get("Set-Cookie"), "a=b") {
			t.Errorf("%s: status %d, want %d; to %q; cookie %q", path, r.StatusCode, want, to, r.Header.Get("Set-Cookie"))
		}
	}
	for _, host := range []string{"evil.example", "evil.example:6480", "127.0.0.1.evil.example", "0x7f000001", "localhost.evil.example"} {
		r := olga.request("GET", "/", "")
		r.Host = host
		if answer := olga.do(r); answer.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("as %s: status %d", host, answer.StatusCode)
		}
	}
	r := s.browser().request("POST", "/login", "name=olga&password="+strings.Repeat("x", maxBodyBytes))
	if answer := s.browser().do(r); answer.StatusCode == http.StatusSeeOther || answer.StatusCode >= 500 {
		t.Errorf("a large form: status %d", answer.StatusCode)
	}
}
