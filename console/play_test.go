package console

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/proxy"
	"tacit/proxy/encryption"
	"tacit/release"
)

// This file plays some weeks of two analysts into a ledger, and serves the pages about it.

// verifier makes each password's verifier once.
var verifier = sync.OnceValue(func() map[string]string {
	made := make(map[string]string)
	for _, name := range []string{"olga", "stan", "ana", "bob"} {
		v, err := proxy.NewVerifier(passwordOf(name))
		if err != nil {
			panic(err)
		}
		made[name] = v
	}
	return made
})

func passwordOf(name string) string { return "the password of " + name }

const playedPolicy = `
listen: 127.0.0.1:6432
upstream:
  analyst: postgres://{analyst}@127.0.0.1:5432/hospital
  curator: postgres://tacit_curator@127.0.0.1:5432/hospital
ledger: sqlite:%s
auth: scram
analysts:
  ana: {password: %q}
  bob: {password: %q, budget: {epsilon: 1}}
console:
  listen: 127.0.0.1:0
  officers: {olga: {password: %q}}
  stewards: {stan: {password: %q}}
tables:
  public.patients:
    person: row
    mechanism: {kind: geometric, epsilon: 0.1}
    budget: {epsilon: 6, delta: 1e-6}
    columns: {sex: {values: [F, M]}, age: {range: [0, 120]}, region: {}}
  public.visits:
    person: {column: patient, rows: 4, groups: 2}
    mechanism: {kind: geometric, epsilon: 0.5}
    budget: {epsilon: 2, delta: 1e-6}
    columns: {ward: {values: [north, south]}}
  clinic."odd/../name <b>":
    person: row
    mechanism: {kind: suppression, k: 5, accept: no-guarantee}
    budget: {releases: 3}
    columns: {kind: {values: [a, b]}}
`

// hostile is what an analyst may write into the ledger.
const hostile = `SELECT '<script>alert(1)</script>"><img src=x onerror=alert(2)>{{.}}' AS "=cmd|' /C calc'!A0" -- ` + "\u202e\u200b"

// A played console has the pages over a played ledger.
type played struct {
	t       testing.TB
	console *Console
	server  *httptest.Server
	policy  *policy.Policy
	at      func() time.Time
}

// now is the time of the pages. It lies ahead: a ledger's time never goes back behind that of its first entry, which is the machine's.
var now = time.Now().UTC().Truncate(24 * time.Hour).Add(41*24*time.Hour + 15*time.Hour)

func parsePlayed(t testing.TB, dir string) *policy.Policy {
	t.Helper()
	return parseLike(t, dir, playedPolicy)
}

func parseLike(t testing.TB, dir, like string) *policy.Policy {
	t.Helper()
	v := verifier()
	text := fmt.Sprintf(like, filepath.Join(dir, "tacit.db"), v["ana"], v["bob"], v["olga"], v["stan"])
	p, err := policy.Parse(filepath.Join(dir, "policy.yaml"), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// play fills a ledger, and closes it.
func play(t testing.TB, p *policy.Policy) {
	t.Helper()
	ctx := context.Background()
	at := now.AddDate(0, 0, -39)
	l, err := ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Serve, Clock: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ask := func(table *policy.Table, analyst, text, sql string, loss accountant.Loss) {
		t.Helper()
		c := accountant.Charge{Analyst: analyst, Accounting: release.Accounting(table), SQL: sql, Items: []accountant.Item{{
			Question: accountant.Question{Table: table.Name, Key: sha256.Sum256([]byte(text)), Text: text}, Loss: loss, Mechanism: string(table.Mechanism.Kind),
		}}}
		if a, _ := p.Analyst(analyst); a.Budget != nil {
			c.Cap = a.Budget
		}
		r, err := l.Reserve(ctx, c)
		var over *accountant.OverBudgetError
		if errors.As(err, &over) {
			return
		}
		do(err)
		_, err = l.Record(ctx, r, [][]byte{[]byte("the payload of an answer 4711")})
		do(err)
	}
	patients, visits, odd := p.Tables[0], p.Tables[1], p.Tables[2]
	for day := range 40 {
		at = now.AddDate(0, 0, day-39).Truncate(24 * time.Hour).Add(9 * time.Hour)
		for i := range day % 4 {
			text := fmt.Sprintf("count(*) FROM public.patients WHERE (age = %d) GROUP BY sex", 10*day+i)
			ask(patients, "ana", text, fmt.Sprintf("SELECT sex, count(*) FROM patients WHERE age = %d GROUP BY sex", 10*day+i), accountant.Loss{Epsilon: 1e8})
			l.Note(ledger.Event{Analyst: "bob", Table: patients.Name, Verdict: ledger.Replayed, SQL: "SELECT sex, count(*) FROM patients GROUP BY sex"})
		}
		if day%5 == 0 {
			ask(visits, "bob", fmt.Sprintf("count(*) of visits %d", day), fmt.Sprintf("SELECT ward, count(*) FROM visits WHERE ward <> 'w%d' GROUP BY ward", day), accountant.Loss{Epsilon: 5e8})
			l.Note(ledger.Event{Analyst: "bob", Table: visits.Name, Verdict: ledger.Refused, SQL: "SELECT * FROM visits", SQLState: "42501", Reason: "rows of protected table public.visits cannot be read"})
		}
	}
	l.Note(ledger.Event{Analyst: "ana", Table: patients.Name, Verdict: ledger.Refused, SQL: hostile, SQLState: "0A000", Reason: "the function <script>alert(3)</script> is not supported"})
	ask(patients, "ana", hostile, hostile, accountant.Loss{Epsilon: 1e8})
	ask(odd, "ana", "count(*) of the odd table", "SELECT count(*) FROM clinic.odd", accountant.Loss{Releases: 1})
	_, err = l.Grant(ctx, ledger.Grant{Table: patients.Name, To: patients.Budget, Budget: policy.Budget{Epsilon: 1e9}, By: "stan", Reason: "for the <i>annual</i> report"})
	do(err)
	_, err = l.OpenEpoch(ctx, odd.Name, "stan", "the annual change")
	do(err)
	_, err = l.Freeze(ctx, ledger.Freeze{Table: visits.Name, By: "stan", Reason: "asked for <b>houses</b>"})
	do(err)
}

// newPlayed serves the pages.
func newPlayed(t testing.TB) *played {
	t.Helper()
	dir := t.TempDir()
	s := &played{t: t, policy: parsePlayed(t, dir), at: func() time.Time { return now }}
	play(t, s.policy)
	s.serve()
	return s
}

func (s *played) serve() {
	s.t.Helper()
	plain, err := encryption.Load(policy.TLS{Mode: policy.TLSDisable})
	if err != nil {
		s.t.Fatal(err)
	}
	s.console, err = New(Config{
		Policy: func() *policy.Policy { return s.policy }, Encryption: func() *encryption.Server { return plain },
		Log: slog.New(slog.NewTextHandler(testWriter{s.t}, nil)), Now: func() time.Time { return s.at() },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.console.Close)
	s.server = httptest.NewServer(s.console.Handler())
	s.t.Cleanup(s.server.Close)
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(text []byte) (int, error) {
	if os.Getenv("TACIT_CONSOLE_LOG") != "" {
		w.t.Logf("%s", text)
	}
	return len(text), nil
}

// A browser keeps cookies, and follows no redirection.
type browser struct {
	*played
	client *http.Client
}

func (s *played) browser() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{s, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// as is a browser in which somebody has logged in.
func (s *played) as(name string) *browser {
	s.t.Helper()
	b := s.browser()
	if r := b.post("/login", url.Values{"name": {name}, "password": {passwordOf(name)}}); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/" {
		s.t.Fatalf("login of %s: status %d", name, r.StatusCode)
	}
	return b
}

// An answer is a response that was read.
type reply struct {
	*http.Response
	body string
}

func (b *browser) do(r *http.Request) reply {
	b.t.Helper()
	response, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	var body strings.Builder
	if _, err := fmt.Fprint(&body, readAll(b.t, response)); err != nil {
		b.t.Fatal(err)
	}
	return reply{response, body.String()}
}

func (b *browser) request(method, path, body string) *http.Request {
	b.t.Helper()
	r, err := http.NewRequest(method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

func (b *browser) get(path string) reply { b.t.Helper(); return b.do(b.request("GET", path, "")) }

func (b *browser) post(path string, form url.Values) reply {
	b.t.Helper()
	return b.do(b.request("POST", path, form.Encode()))
}

var tokenField = regexp.MustCompile(`name="token" value="([A-Z2-7]+)"`)

// token is that of the forms of the session.
func (b *browser) token() string {
	b.t.Helper()
	found := tokenField.FindStringSubmatch(b.get("/").body)
	if found == nil {
		b.t.Fatal("the page has no token")
	}
	return found[1]
}

// everyPage are the paths of all pages, and who may see them.
var everyPage = map[string]bool{ // true: analysts, too
	"/": true, "/questions": true, "/questions?verdict=refused&text=SELECT&table=public.visits": true, "/questions.csv": true, "/questions.json": true,
	"/refused": true, "/free": true, "/free?text=count&table=public.patients": true, "/connect": true, "/zone": true,
	"/table/public/patients": true, "/table/public/visits": true, "/table/clinic/odd%2F..%2Fname%20%3Cb%3E": true,
	"/table/public/patients/curve.svg": false, "/ledger": false, "/acts": false, "/acts?act=freeze": false, "/acts?act=epoch": false, "/tables": false, "/advise": false, "/assess": false, "/assess?table=public.visits": false, "/whatif?table=public.visits": false, "/report": false, "/report?month=2026-10": false,
}

func readAll(t testing.TB, r *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
