package console

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"

	"tacit/policy"
)

// withProvider gives the console a provider, at which stan and olga log in. Nothing else of the policy changes.
func (s *played) withProvider() *mockoidc.MockOIDC {
	s.t.Helper()
	s.at = time.Now // by which the provider dates its tokens
	m, err := mockoidc.Run()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = m.Shutdown() })
	file := filepath.Join(s.t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte(m.ClientSecret+"\n"), 0o600); err != nil {
		s.t.Fatal(err)
	}
	changed, section := *s.policy, *s.policy.Console
	section.OIDC = &policy.OIDC{Issuer: m.Issuer(), ClientID: m.ClientID, SecretFile: file, Redirect: s.server.URL + policy.OIDCPath}
	section.Stewards = []policy.ConsoleLogin{{Name: "stan", Email: "stan@example.org"}}
	section.Officers = []policy.ConsoleLogin{{Name: "olga", Subject: "248289761001"}}
	changed.Console = &section
	s.policy = &changed
	return m
}

// atProvider begins a login, and returns where the provider sends the browser back to. The provider's pages are another site: it gets no cookie.
func (b *browser) atProvider() (back string) {
	b.t.Helper()
	r := b.get("/oidc/login")
	to := r.Header.Get("Location")
	if r.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, b.policy.Console.OIDC.Issuer) {
		b.t.Fatalf("the login: status %d, to %q\n%s", r.StatusCode, to, r.body)
	}
	noFollow := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := noFollow.Get(to)
	if err != nil {
		b.t.Fatal(err)
	}
	answer.Body.Close()
	back = answer.Header.Get("Location")
	if !strings.HasPrefix(back, b.server.URL+policy.OIDCPath+"?") {
		b.t.Fatalf("the provider answers with status %d, to %q", answer.StatusCode, back)
	}
	return strings.TrimPrefix(back, b.server.URL)
}

var (
	stanThere = &mockoidc.MockUser{Subject: "1", Email: "stan@example.org", EmailVerified: true}
	olgaThere = &mockoidc.MockUser{Subject: "248289761001", Email: "olga@example.org"}
)

// Somebody whom the provider names is logged in with their role, under the name of the policy. Their session is a new one, and ends if the policy names them no more.
func TestOIDC(t *testing.T) {
	s := newPlayed(t)
	m := s.withProvider()
	if body := s.browser().get("/login").body; !strings.Contains(body, `href="/oidc/login"`) {
		t.Errorf("the login does not lead to the provider:\n%s", body)
	}
	b := s.browser()
	m.QueueUser(stanThere)
	r := b.get(b.atProvider())
	if r.StatusCode != http.StatusOK || r.Header.Get("Refresh") != "0; url=/" || !strings.Contains(r.body, "stan") {
		t.Fatalf("back from the provider: status %d, %v\n%s", r.StatusCode, r.Header, r.body)
	}
	checkElements(t, "the page after the login", r.body)
	for _, cookie := range r.Cookies() {
		if session := cookie.Name == "tacit"; !cookie.HttpOnly || session && cookie.SameSite != http.SameSiteStrictMode || !session && (cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge >= 0) {
			t.Errorf("the cookie %+v", cookie)
		}
	}
	if entry := b.act("reason", "by the provider"); entry.StatusCode != http.StatusOK || s.acts()[0].By != "stan" {
		t.Errorf("the steward cannot act: status %d", entry.StatusCode)
	}
	officer := s.browser()
	m.QueueUser(olgaThere)
	if r := officer.get(officer.atProvider()); r.StatusCode != http.StatusOK || officer.get("/ledger").StatusCode != http.StatusOK {
		t.Errorf("an officer by the subject: status %d", r.StatusCode)
	}
	if r := officer.post("/acts", url.Values{"token": {officer.token()}}); r.StatusCode != http.StatusForbidden {
		t.Errorf("an officer acts: status %d", r.StatusCode)
	}
	for _, name := range []string{"stan", "olga"} { // who have no passwords here
		for _, password := range []string{passwordOf(name), ""} {
			if r := s.browser().post("/login", url.Values{"name": {name}, "password": {password}}); r.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s with a password: status %d", name, r.StatusCode)
			}
		}
	}
	changed, section := *s.policy, *s.policy.Console
	section.Stewards = []policy.ConsoleLogin{{Name: "stan", Email: "another@example.org"}}
	changed.Console = &section
	s.policy = &changed
	if r := b.get("/"); r.StatusCode != http.StatusSeeOther {
		t.Errorf("somebody else is stan now: status %d", r.StatusCode)
	}
	section.OIDC = nil
	for _, path := range []string{"/oidc/login", policy.OIDCPath} {
		if r := s.browser().get(path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s without a provider: status %d", path, r.StatusCode)
		}
	}
}

// Whom the provider does not vouch for, or the policy does not name, is not logged in. Nothing that the provider says is shown.
func TestOIDCNobody(t *testing.T) {
	s := newPlayed(t)
	m := s.withProvider()
	for name, user := range map[string]*mockoidc.MockUser{
		"an address that is not verified": {Subject: "7", Email: "stan@example.org"},
		"another address":                 {Subject: "7", Email: "eve@example.org", EmailVerified: true},
		"capitals":                        {Subject: "7", Email: "Stan@example.org", EmailVerified: true},
		"a name for an address":           {Subject: "7", Email: "stan", EmailVerified: true},
		"a name for a subject":            {Subject: "stan"},
		"no address":                      {Subject: "7", EmailVerified: true},
		"two persons":                     {Subject: "248289761001", Email: "stan@example.org", EmailVerified: true},
		"a script":                        {Subject: `<script>alert(1)</script>`, Email: `"><img src=x onerror=alert(2)>@example.org`, EmailVerified: true},
	} {
		b := s.browser()
		m.QueueUser(user)
		r := b.get(b.atProvider())
		if r.StatusCode != http.StatusForbidden || b.get("/").StatusCode != http.StatusSeeOther || strings.Contains(r.body, "alert(") || strings.Contains(r.body, "example.org") {
			t.Errorf("%s: status %d\n%s", name, r.StatusCode, r.body)
		}
		checkElements(t, name, r.body)
		for _, cookie := range r.Cookies() {
			if cookie.Name == "tacit" && cookie.Value != "" {
				t.Errorf("%s: there is a session", name)
			}
		}
	}
}

// A login is finished in the browser that began it, once, and not with another state, or after too long. What the address says leads nowhere.
func TestOIDCAttempts(t *testing.T) {
	s := newPlayed(t)
	m := s.withProvider()
	at := time.Now()
	s.at = func() time.Time { return at }
	fails := func(what string, b *browser, back string) {
		t.Helper()
		r := b.get(back)
		if r.StatusCode != http.StatusForbidden || b.get("/").StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "" || r.Header.Get("Refresh") != "" {
			t.Errorf("%s: status %d, to %q", what, r.StatusCode, r.Header.Get("Location"))
		}
		if strings.Contains(r.body, "evil") {
			t.Errorf("%s: the page repeats what the address says", what)
		}
	}
	begin := func() (*browser, string) {
		t.Helper()
		b := s.browser()
		m.QueueUser(stanThere)
		return b, b.atProvider()
	}
	victim, other := s.browser(), s.browser()
	_, back := begin()
	fails("a link to another's login", victim, back)
	m.QueueUser(stanThere)
	other.atProvider()
	fails("with an attempt of one's own, and another's answer", other, back)
	b, back := begin()
	fails("another state", b, strings.Replace(back, "state=", "state=x", 1))
	fails("after that, the right one", b, back)
	b, _ = begin()
	fails("no parameters", b, policy.OIDCPath)
	b, back = begin()
	fails("an error of the provider", b, back+"&error=%3Cscript%3Eevil")
	b, back = begin()
	at = at.Add(11 * time.Minute)
	fails("too late", b, back)
	at = time.Now()
	b, back = begin()
	cookie := fmt.Sprint(b.client.Jar.Cookies(mustParse(t, s.server.URL)))
	if r := b.get(back + "&next=https://evil.example&redirect_uri=https://evil.example"); r.StatusCode != http.StatusOK || r.Header.Get("Refresh") != "0; url=/" || strings.Contains(r.body, "evil") {
		t.Errorf("with more parameters: status %d, %v", r.StatusCode, r.Header)
	}
	again := s.browser() // the same cookie and the same address
	again.client.Jar.SetCookies(mustParse(t, s.server.URL), []*http.Cookie{{Name: "tacit-login", Value: strings.TrimSuffix(strings.TrimPrefix(cookie, "[tacit-login="), "]")}})
	fails("the answer again", again, back)
	for path, want := range map[string]int{"/oidc/login?next=https://evil.example": http.StatusSeeOther, "/oidc/callback/x": http.StatusSeeOther} {
		r := s.browser().get(path)
		if to := r.Header.Get("Location"); r.StatusCode != want || strings.Contains(to, "evil") || !strings.HasPrefix(to, "/login") && !strings.HasPrefix(to, m.Issuer()) {
			t.Errorf("%s: status %d, to %q", path, r.StatusCode, to)
		}
	}
}

// A session that somebody planted before the login, or an attempt's cookie, is not the one after it.
func TestOIDCFixation(t *testing.T) {
	s := newPlayed(t)
	m := s.withProvider()
	b := s.browser()
	const planted = "FIXED0000000000000000000000000000000000000"
	b.client.Jar.SetCookies(mustParse(t, s.server.URL), []*http.Cookie{{Name: "tacit", Value: planted}})
	m.QueueUser(stanThere)
	if r := b.get(b.atProvider()); r.StatusCode != http.StatusOK {
		t.Fatalf("status %d", r.StatusCode)
	}
	var first string
	for _, cookie := range b.client.Jar.Cookies(mustParse(t, s.server.URL)) {
		if cookie.Name == "tacit" {
			first = cookie.Value
		}
	}
	m.QueueUser(stanThere)
	b.get(b.atProvider())
	for name, value := range map[string]string{"planted": planted, "of the login before": first} {
		r := s.browser().request("GET", "/", "")
		r.AddCookie(&http.Cookie{Name: "tacit", Value: value})
		if answer := s.browser().do(r); answer.StatusCode != http.StatusSeeOther || value == "" {
			t.Errorf("the session %s is known: status %d", name, answer.StatusCode)
		}
	}
	if b.get("/").StatusCode != http.StatusOK {
		t.Error("the new session is not known")
	}
}

// A provider that is away stops nobody with a password, and pages go on.
func TestOIDCAway(t *testing.T) {
	s := newPlayed(t)
	m := s.withProvider()
	s.policy.Console.OIDC.Issuer = "http://127.0.0.1:1/oidc"
	if r := s.browser().get("/oidc/login"); r.StatusCode != http.StatusBadGateway || strings.Contains(r.body, "refused") {
		t.Errorf("status %d\n%s", r.StatusCode, r.body)
	}
	if s.as("ana").get("/").StatusCode != http.StatusOK {
		t.Error("an analyst does not get in")
	}
	_ = m
}

func mustParse(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
