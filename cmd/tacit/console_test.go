package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"tacit/proxy"
)

// consoleSection is a section console with one officer, whose password is "a password".
func consoleSection(t *testing.T, address string) string {
	t.Helper()
	verifier, err := proxy.NewVerifier("a password")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("console: {listen: %q, officers: {olga: {password: %q}}}\n", address, verifier)
}

// officer is a browser in which olga is logged in.
func officer(t *testing.T, base string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	response, err := client.PostForm(base+"/login", url.Values{"name": {"olga"}, "password": {"a password"}})
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK || response.Request.URL.Path != "/" {
		t.Fatalf("the login led to %s, status %d", response.Request.URL, response.StatusCode)
	}
	return client
}

func pageOf(t *testing.T, client *http.Client, url string) string {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v\n%s", url, response.StatusCode, err, text)
	}
	return string(text)
}

var pagesAt = regexp.MustCompile(`the console listens" address=(\S+)`)

// TestConsole asks a real proxy, and finds on its console's pages what the commands print. tacit console has the same pages, without the proxy.
func TestConsole(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{budget: "5", tables: consoleSection(t, "127.0.0.1:0")})
	p := s.serve()
	conn := s.connect("ana")
	for _, sql := range []string{"SELECT sex, count(*) FROM people GROUP BY sex", "SELECT region, count(*) FROM people GROUP BY region"} {
		if _, err := conn.Exec(context.Background(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Exec(context.Background(), "SELECT name FROM people"); err == nil {
		t.Fatal("a row was read")
	}
	s.awaitEntries(3)
	base := func(logged func() string) string {
		seen := ""
		eventually(t, &seen, func() bool { seen = logged(); return pagesAt.MatchString(seen) })
		return pagesAt.FindStringSubmatch(seen)[1]
	}
	check := func(base string) {
		t.Helper()
		olga := officer(t, base)
		for path, want := range map[string]string{
			"/":                    "2 statements charged, 0 free and 1 refused",
			"/table/public/people": "epsilon 1</dd>",
			"/questions":           "SELECT region, count(*) FROM people GROUP BY region",
			"/refused":             "SELECT name FROM people",
			"/connect":             s.database,
			"/report":              "2 charged, 0 free, 1 refused",
		} {
			if page := pageOf(t, olga, base+path); !strings.Contains(page, want) {
				t.Errorf("%s%s does not show %q:\n%s", base, path, want, page)
			}
		}
		head := regexp.MustCompile(`head: +(\S+)`).FindStringSubmatch(output(t, "verify", "--policy", s.policy))
		if page := pageOf(t, olga, base+"/ledger"); head == nil || !strings.Contains(page, head[1]) {
			t.Errorf("%s/ledger does not show the head %v", base, head)
		}
	}
	check(base(p.logged))
	alone := s.start("console", "--policy", s.policy)
	check(base(alone.logged))
	if err := alone.stop(syscall.SIGTERM); err != nil {
		t.Errorf("tacit console ended: %v\n%s", err, alone.logged())
	}
	if _, err := conn.Exec(context.Background(), "SELECT 1"); err != nil {
		t.Errorf("the proxy's session: %v", err)
	}
}

var copiedSQL = regexp.MustCompile(`<pre class="copy" data-copy="Copy the SQL">([^<]*);</pre>`)

// TestFreeStatements asks, and asks again what the page of free questions has to be copied: all of it is free.
func TestFreeStatements(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{tables: consoleSection(t, "127.0.0.1:0")})
	p := s.serve()
	conn := s.connect("ana")
	asked := []string{
		"SELECT count(*) FROM people", "SELECT sex, count(*) FILTER (WHERE age >= 65 AND region <> 'north') AS old FROM people GROUP BY 1",
		"SELECT region, age / 10 AS decade, count(*) FROM people WHERE sex = 'F' AND age BETWEEN 20 AND 59 AND illness IS NOT NULL GROUP BY 1, 2",
		"SELECT count(*) FROM people WHERE region IN ('north', 'south') OR NOT sex = 'M'",
	}
	for _, sql := range asked {
		if _, err := conn.Exec(context.Background(), sql); err != nil {
			t.Fatal(err)
		}
	}
	olga := officer(t, s.consoleAt(p))
	found := copiedSQL.FindAllStringSubmatch(pageOf(t, olga, s.consoleAt(p)+"/free"), -1)
	if len(found) != len(asked) {
		t.Errorf("%d statements to be copied of %d", len(found), len(asked))
	}
	for _, f := range found {
		if _, err := conn.Exec(context.Background(), html.UnescapeString(f[1])); err != nil {
			t.Errorf("%s: %v", f[1], err)
		}
	}
	s.awaitEntries(2 * len(asked))
	if log := output(t, "log", "--policy", s.policy); strings.Count(log, "charged") != len(asked) || strings.Count(log, "replayed") != len(asked) {
		t.Errorf("the log:\n%s", log)
	}
}

// TestConsoleFails takes the console's address: the proxy serves without it.
func TestConsoleFails(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s := newSite(t, siteOptions{tables: consoleSection(t, taken.Addr().String())})
	p := s.serve()
	if _, err := s.connect("ana").Exec(context.Background(), "SELECT sex, count(*) FROM people GROUP BY sex"); err != nil {
		t.Error(err)
	}
	seen := ""
	eventually(t, &seen, func() bool {
		seen = p.logged()
		return strings.Contains(seen, "the console cannot be served; the proxy goes on without it")
	})
	_, stderr, status := run(t, "console", "--policy", s.policy)
	if status != exitFailed || !strings.Contains(stderr, "address already in use") {
		t.Errorf("tacit console at the same address: status %d, %s", status, stderr)
	}
}
