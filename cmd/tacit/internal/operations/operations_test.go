package operations

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/proxy"
	"tacit/proxy/encryption/encryptiontest"
	"tacit/release"
)

// A fakeSubject is as a test says.
type fakeSubject struct {
	status   release.Status
	away     atomic.Bool
	draining atomic.Bool
}

func (f *fakeSubject) Status(context.Context) release.Status { return f.status }
func (f *fakeSubject) Reached(context.Context) bool          { return !f.away.Load() }
func (f *fakeSubject) Connections() (map[string]int, int) {
	return map[string]int{"active": 3, "idle": 2}, 200
}
func (f *fakeSubject) Draining() bool             { return f.draining.Load() }
func (f *fakeSubject) CertificateEnds() time.Time { return time.Unix(1_800_000_000, 0) }

func serving(t *testing.T, p *policy.Policy, m *Metrics, subject Subject) *Server {
	t.Helper()
	p.Operations.Metrics = "127.0.0.1:0"
	s, err := New(p, m, subject, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() { done <- s.Serve() }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func get(t *testing.T, client *http.Client, url string) (int, string) {
	t.Helper()
	reply, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(body)
}

func activity() ledger.Activity {
	var commits, queued stopwatch.Times
	commits.Add(2 * time.Millisecond)
	commits.Add(time.Minute)
	queued.Add(0)
	return ledger.Activity{Writes: 2, Dropped: 7, Commits: commits.Counted(), Queued: queued.Counted(), Kept: 3, Read: 4, Missing: 5}
}

func status() release.Status {
	name := policy.TableName{Schema: "public", Name: "patients"}
	return release.Status{
		Separate: true, LedgerUsable: true, Findings: map[string]int{"HIGH": 0, "MED": 0}, Ledger: activity(), Recalled: 6, MemoryUsed: 17, MemoryMost: 2 << 30,
		Balances: []release.TableBalance{{
			Accounting: accountant.Accounting{Table: name},
			Balance: accountant.Balance{Budget: policy.Budget{Epsilon: 10e9, Delta: 1e12}, Spent: accountant.Loss{Epsilon: 25e8}, Left: accountant.Loss{Epsilon: 75e8, Delta: 1e12},
				Lifetime: accountant.Loss{Epsilon: 25e8}},
		}},
	}
}

// Metrics have what operators look for, and no time of a count but those that it was rounded up to.
func TestMetrics(t *testing.T) {
	m := NewMetrics()
	s := serving(t, &policy.Policy{}, m, &fakeSubject{status: status()})
	m.Judged(time.Millisecond, false)
	m.Judged(time.Millisecond, true)
	m.Statement(proxy.Statement{Outcome: proxy.Charged, Ledger: 3 * time.Millisecond, Curator: 250 * time.Millisecond, Whole: time.Second})
	m.Statement(proxy.Statement{Outcome: proxy.Refused, Code: "53400", Whole: 10 * time.Millisecond})
	code, body := get(t, http.DefaultClient, "http://"+s.Address()+"/metrics")
	if code != 200 {
		t.Fatalf("%d %s", code, body)
	}
	for _, line := range []string{
		`tacit_statements_total{verdict="charged"} 1`, `tacit_statements_total{verdict="failed"} 0`, `tacit_refusals_total{sqlstate="53400"} 1`,
		`tacit_verdicts_total{remembered="yes"} 1`, `tacit_connections{state="active"} 3`, `tacit_connections_limit 200`,
		`tacit_phase_seconds_sum{phase="curator"} 0.25`, `tacit_phase_seconds_count{phase="answer"} 2`, `tacit_phase_seconds_sum{phase="answer"} 1.01`,
		`tacit_budget{amount="epsilon",table="public.patients"} 10`, `tacit_budget_left{amount="epsilon",table="public.patients"} 7.5`,
		`tacit_budget_left{amount="delta",table="public.patients"} 1e-06`, `tacit_budget_charged{amount="epsilon",table="public.patients"} 2.5`,
		`tacit_ledger_commit_seconds_bucket{le="0.001"} 0`, `tacit_ledger_commit_seconds_bucket{le="0.0025"} 1`, `tacit_ledger_commit_seconds_bucket{le="30"} 1`,
		`tacit_ledger_commit_seconds_bucket{le="+Inf"} 2`, `tacit_ledger_commit_seconds_sum 60.002`, `tacit_ledger_queued_seconds_count 1`,
		`tacit_recorded_answers_total{found="in memory"} 3`, `tacit_recorded_answers_total{found="in the ledger"} 4`,
		`tacit_recorded_answers_total{found="nowhere"} 5`, `tacit_recalled_statements_total 6`, `tacit_ledger_notes_lost_total 7`,
		`tacit_tables_open 1`, `tacit_ledger_usable 1`, `tacit_ledger_queue 2`, `tacit_separation_findings{severity="HIGH"} 0`,
		`tacit_certificate_expiry_timestamp_seconds 1.8e+09`, `tacit_draining 0`, `tacit_memory_statements_bytes 1.6777216e+07`,
	} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("there is no %s in\n%s", line, body)
		}
	}
	if strings.Contains(body, `amount="risk"`) || strings.Contains(body, "analyst=") {
		t.Errorf("there is more than should be in\n%s", body)
	}
}

// Memory depends on how many groups a table has, and is told in large units.
func TestCoarseBytes(t *testing.T) {
	for bytes, want := range map[int64]float64{0: 0, 1: 16 << 20, 16 << 20: 16 << 20, 16<<20 + 1: 32 << 20} {
		if got := coarseBytes(bytes); got != want {
			t.Errorf("%d becomes %v, want %v", bytes, got, want)
		}
	}
}

func TestHealth(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*fakeSubject)
		want string
	}{
		"ready":        {func(*fakeSubject) {}, "200 ledger: ok\nroles: ok\nupstream: ok\naccepting: ok\n"},
		"ledger":       {func(f *fakeSubject) { f.status.LedgerUsable = false }, "503 ledger: not ready\nroles: ok\nupstream: ok\naccepting: ok\n"},
		"roles":        {func(f *fakeSubject) { f.status.Separate = false }, "503 ledger: ok\nroles: not ready\nupstream: ok\naccepting: ok\n"},
		"upstream":     {func(f *fakeSubject) { f.away.Store(true) }, "503 ledger: ok\nroles: ok\nupstream: not ready\naccepting: ok\n"},
		"about to end": {func(f *fakeSubject) { f.draining.Store(true) }, "503 ledger: ok\nroles: ok\nupstream: ok\naccepting: not ready\n"},
	} {
		t.Run(name, func(t *testing.T) {
			subject := &fakeSubject{status: status()}
			tt.edit(subject)
			s := serving(t, &policy.Policy{}, NewMetrics(), subject)
			if code, body := get(t, http.DefaultClient, "http://"+s.Address()+"/readyz"); strconv.Itoa(code)+" "+body != tt.want {
				t.Errorf("%d %s", code, body)
			}
			if code, body := get(t, http.DefaultClient, "http://"+s.Address()+"/healthz"); code != 200 || body != "ok\n" {
				t.Errorf("%d %s", code, body)
			}
			subject.draining.Store(true) // which is seen at once
			if code, _ := get(t, http.DefaultClient, "http://"+s.Address()+"/readyz"); code != 503 {
				t.Errorf("%d while it is about to end", code)
			}
		})
	}
}

// On an address of others, metrics are for those who show a certificate, and health is for everybody.
func TestClientCertificate(t *testing.T) {
	ours, others := encryptiontest.NewAuthority(t, "ours"), encryptiontest.NewAuthority(t, "others")
	pair := ours.Issue("localhost", nil)
	p := &policy.Policy{TLS: policy.TLS{Mode: policy.TLSRequire, Certificate: pair.Certificate, Key: pair.Key}, Operations: policy.Operations{ClientCA: ours.File}}
	s := serving(t, p, NewMetrics(), &fakeSubject{status: status()})
	client := func(shown ...tls.Certificate) *http.Client {
		return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: ours.Pool, Certificates: shown}}}
	}
	shown := func(a *encryptiontest.Authority) tls.Certificate {
		issued := a.Issue("prometheus", nil)
		pair, err := tls.LoadX509KeyPair(issued.Certificate, issued.Key)
		if err != nil {
			t.Fatal(err)
		}
		return pair
	}
	if code, _ := get(t, client(), "https://"+s.Address()+"/metrics"); code != 403 {
		t.Errorf("without a certificate: %d", code)
	}
	if code, _ := get(t, client(), "https://"+s.Address()+"/healthz"); code != 200 {
		t.Errorf("health without a certificate: %d", code)
	}
	if code, _ := get(t, client(shown(ours)), "https://"+s.Address()+"/metrics"); code != 200 {
		t.Errorf("with a certificate: %d", code)
	}
	if reply, err := client(shown(others)).Get("https://" + s.Address() + "/metrics"); err == nil && reply.StatusCode == 200 {
		t.Error("a certificate of somebody else was taken")
	}
}

// What the rules, the dashboard and the page on operations name is there.
func TestExamples(t *testing.T) {
	m := NewMetrics()
	s := serving(t, &policy.Policy{}, m, &fakeSubject{status: status()})
	m.Statement(proxy.Statement{Outcome: proxy.Refused, Code: "53400", Whole: time.Second})
	_, body := get(t, http.DefaultClient, "http://"+s.Address()+"/metrics")
	metric := regexp.MustCompile(`\btacit_[a-z_]+`)
	there := metric.FindAllString(body, -1)
	files, err := filepath.Glob("../../../../examples/operations/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("%v %v", files, err)
	}
	roles := []string{"tacit_curator", "tacit_publisher", "tacit_ledger", "tacit_exempt"}
	for _, file := range append(files, "../../../../docs/operations.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metric.FindAllString(string(text), -1) {
			if !slices.Contains(roles, name) && !slices.Contains(there, name) {
				t.Errorf("%s names %s, which is no metric", file, name)
			}
		}
	}
	documented, err := os.ReadFile("../../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range there {
		name = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if !strings.Contains(string(documented), "`"+name) {
			t.Errorf("docs/operations.md says nothing of %s", name)
		}
	}
}
