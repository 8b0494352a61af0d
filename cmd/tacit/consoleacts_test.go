package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"tacit/proxy"
)

// A stewardsBrowser is one in which stan is logged in.
type stewardsBrowser struct {
	t      *testing.T
	client *http.Client
	base   string
}

func newStewardsBrowser(t *testing.T, base string) *stewardsBrowser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &stewardsBrowser{t, &http.Client{Jar: jar}, base}
	if path, text := b.send("/login", url.Values{"name": {"stan"}, "password": {"a password"}}); path != "/" {
		t.Fatalf("the login led to %s\n%s", path, text)
	}
	return b
}

// send sends a form, and returns where that led to.
func (b *stewardsBrowser) send(path string, form url.Values) (at, text string) {
	b.t.Helper()
	response, err := b.client.PostForm(b.base+path, form)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return response.Request.URL.Path, string(body)
}

var (
	formToken = regexp.MustCompile(`name="token" value="([^"]+)"`)
	formSeen  = regexp.MustCompile(`name="seen" value="([^"]+)"`)
)

// act fills in the form of an act, confirms what is shown, and returns the page of what was made of it.
func (b *stewardsBrowser) act(form url.Values) (confirmed, done string) {
	b.t.Helper()
	token := formToken.FindStringSubmatch(pageOf(b.t, b.client, b.base+"/acts"))
	if token == nil {
		b.t.Fatal("there is no token")
	}
	form.Set("token", token[1])
	path, confirmed := b.send("/acts", form)
	seen := formSeen.FindStringSubmatch(confirmed)
	if seen == nil {
		b.t.Fatalf("%v led to %s\n%s", form, path, confirmed)
	}
	path, done = b.send(path, url.Values{"token": token[1:], "seen": seen[1:]})
	for deadline := time.Now().Add(2 * time.Minute); strings.Contains(done, "Being done since"); done = pageOf(b.t, b.client, b.base+path) {
		if time.Now().After(deadline) {
			b.t.Fatal("it is being done for ever")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return confirmed, done
}

// withStan is a section console with one steward, whose password is "a password".
func withStan(t *testing.T) string {
	t.Helper()
	verifier, err := proxy.NewVerifier("a password")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("console: {listen: \"127.0.0.1:0\", stewards: {stan: {password: %q}}}\n", verifier)
}

func (s *site) consoleAt(p *server) string {
	s.t.Helper()
	seen := ""
	eventually(s.t, &seen, func() bool { seen = p.logged(); return pagesAt.MatchString(seen) })
	return pagesAt.FindStringSubmatch(seen)[1]
}

// TestPublishAtConsole publishes at the pages of a running proxy what tacit publish would: for the price that was shown, with the decision in the ledger, and
// with its name in the charge. Analysts read the copy. A copy that is there already is refused before anything is decided.
func TestPublishAtConsole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := publishingSite(t)
	s.writePolicy(string(readText(t, s.policy)) + withStan(t))
	stan := newStewardsBrowser(t, s.consoleAt(s.serve()))
	publication := func(name string) url.Values {
		return url.Values{"act": {"publish"}, "publication": {name}, "reason": {"for the open data"}}
	}
	confirmed, done := stan.act(publication("open.safe"))
	price := regexp.MustCompile(`epsilon 1, delta [0-9.e-]+`).FindString(confirmed)
	if price == "" || !strings.Contains(done, "It is done.") || !strings.Contains(done, "<dt>charged</dt><dd>"+price) {
		t.Fatalf("shown for %q\n%s\n%s", price, confirmed, done)
	}
	for _, step := range []string{"reading", "sanitizing", "writing"} {
		if !strings.Contains(done, "<li>"+step+"</li>") {
			t.Errorf("no step %s\n%s", step, done)
		}
	}
	made := regexp.MustCompile(`<dt>Made</dt><dd><a href="(/acts/entry/\d+)"`).FindStringSubmatch(done)
	decision := regexp.MustCompile(`<dt>Decision</dt><dd><a href="/acts/entry/(\d+)"`).FindStringSubmatch(done)
	if made == nil || decision == nil {
		t.Fatalf("no entries\n%s", done)
	}
	if entry := pageOf(t, stan.client, stan.base+made[1]); !strings.Contains(entry, "tacit publish --table open.safe -- entry "+decision[1]+", by stan: for the open data") {
		t.Errorf("the charge does not name its decision\n%s", entry)
	}
	out, err := s.psql(s.url("ana"), "SELECT count(*) > 400 FROM open.safe", "-At")
	if err != nil || strings.TrimSpace(out) != "t" {
		t.Errorf("the copy: %v\n%s", err, out)
	}
	token := formToken.FindStringSubmatch(done)[1]
	again := publication("open.safe")
	again.Set("token", token)
	if path, text := stan.send("/acts", again); path != "/acts" || !strings.Contains(text, "was published already") {
		t.Errorf("a copy that is there led to %s\n%s", path, text)
	}
	_, done = stan.act(publication("open.k5"))
	if !strings.Contains(done, "3000 published</dd>") || strings.Contains(done, "of 3000") {
		t.Errorf("a publication without a guarantee\n%s", done)
	}
	again.Set("replace", "1")
	again.Set("publication", "open.k5")
	if _, done = stan.act(again); !strings.Contains(done, "It is done.") {
		t.Errorf("replaced\n%s", done)
	}
	if path, text := stan.send("/acts", again); path != "/acts" || !strings.Contains(text, "budget") { // of two releases
		t.Errorf("beyond the budget: led to %s\n%s", path, text)
	}
	if out := output(t, "verify", "--policy", s.policy); !strings.Contains(out, "head:") {
		t.Errorf("the ledger:\n%s", out)
	}
}

// TestSealAtConsole seals the first and a later epoch of an audited table at the pages of tacit console beside a proxy, and is refused where tacit seal is.
func TestSealAtConsole(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	s := newSite(t, siteOptions{extra: fmt.Sprintf(carrierSchema, 1), tables: carrierTables + withStan(t)})
	s.serve() // which makes the ledger
	stan := newStewardsBrowser(t, s.consoleAt(s.start("console", "--policy", s.policy)))
	seal := url.Values{"act": {"seal"}, "table": {"public.carriers"}, "reason": {"the first of March"}}
	confirmed, done := stan.act(seal)
	if !strings.Contains(confirmed, "<td>0</td><td><strong>1</strong></td>") || !strings.Contains(done, "epoch 1 of public.carriers") || !strings.Contains(done, "1352, in") {
		t.Fatalf("the first epoch\n%s\n%s", confirmed, done)
	}
	s.exec("UPDATE public.carriers SET id = id + 1000000 WHERE hair = 'blonde'; DELETE FROM public.carriers WHERE hair = 'black' AND eye = 'blue'; INSERT INTO public.carriers SELECT 2000000 + i, 'brown', 'blue', 30, false FROM generate_series(1, 500) AS i")
	if _, done = stan.act(seal); !strings.Contains(done, "It failed") || !strings.Contains(done, "--distinct") {
		t.Errorf("people went and came\n%s", done)
	}
	seal.Set("distinct", "1")
	confirmed, done = stan.act(seal)
	if !strings.Contains(confirmed, "<td>1</td><td><strong>2</strong></td>") || !strings.Contains(done, "epoch 2 of public.carriers") {
		t.Errorf("the second epoch\n%s\n%s", confirmed, done)
	}
	if log := output(t, "log", "--policy", s.policy); !strings.Contains(log, "by stan: the first of March") {
		t.Errorf("the log:\n%s", log)
	}
	s.replayed()
}
