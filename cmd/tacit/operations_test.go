package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

// addToPolicy adds lines to the site's policy.
func (s *site) addToPolicy(lines string) {
	s.t.Helper()
	text, err := os.ReadFile(s.policy)
	if err != nil {
		s.t.Fatal(err)
	}
	s.writePolicy(lines + string(text))
}

// fetch gets a page of an address, status 0 if nobody answers.
func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	reply, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, string(text)
}

// A running proxy tells operators how it is; the first signal lets a statement end that runs, while it is not ready any more.
func TestServeForOperators(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	address := freeAddress(t)
	s.addToPolicy("metrics: {listen: '" + address + "'}\n")
	p := s.serve()
	if status, body := fetch(t, "http://"+address+"/readyz"); status != 200 {
		t.Errorf("not ready: %d %s", status, body)
	}
	const secret = "SELECT region, count(*) FROM people WHERE age > 41 GROUP BY region"
	for range 3 {
		s.mustPsql(s.url("ana"), secret)
	}
	s.mustPsql(s.url("ana"), "SELECT * FROM people WHERE region = 'literal'")
	_, metrics := fetch(t, "http://"+address+"/metrics")
	for _, line := range []string{
		`tacit_statements_total{verdict="charged"} 1`, `tacit_statements_total{verdict="replayed"} 2`, `tacit_statements_total{verdict="refused"} 1`,
		`tacit_phase_seconds_count{phase="ledger"}`, `tacit_phase_seconds_count{phase="curator"} 1`, `tacit_recalled_statements_total 1`, `tacit_recorded_answers_total{found="in memory"} 1`,
		`tacit_ledger_commit_seconds_count `, `tacit_budget_left{amount="epsilon",table="public.people"}`,
	} {
		if !strings.Contains(metrics, "\n"+line) {
			t.Errorf("there is no %s in\n%s", line, metrics)
		}
	}
	if strings.Contains(metrics, `tacit_phase_seconds_sum{phase="ledger"} 0\n`) {
		t.Error("the ledger took no time")
	}
	statement := regexp.MustCompile(`msg=statement analyst=ana client=\S+ request=[0-9a-f]{24} fingerprint=([0-9a-f]{16}) verdict=(\w+) `)
	var logged [][]string
	few := "four statements are not in the log"
	eventually(t, &few, func() bool { logged = statement.FindAllStringSubmatch(p.logged(), -1); return len(logged) >= 4 })
	if len(logged) != 4 || logged[0][1] != logged[1][1] || logged[0][2] != "charged" || logged[1][2] != "replayed" || logged[3][2] != "refused" {
		t.Errorf("the log has\n%s", p.logged())
	}
	for _, word := range []string{"literal", "41", "region"} {
		if regexp.MustCompile(`msg=statement.*\b` + word + `\b`).MatchString(p.logged()) {
			t.Errorf("the log has %s", word)
		}
	}

	slow := s.connect("ana")
	result := make(chan error, 1)
	go func() {
		var waited string
		err := slow.QueryRow(context.Background(), "SELECT 'done' FROM pg_sleep(3)", pgx.QueryExecModeSimpleProtocol).Scan(&waited)
		result <- err
	}()
	seen := "the statement does not run"
	eventually(t, &seen, func() bool {
		_, metrics := fetch(t, "http://"+address+"/metrics")
		return strings.Contains(metrics, "tacit_connections{state=\"active\"} 1\n")
	})
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	seen = "it stays ready"
	eventually(t, &seen, func() bool {
		status, _ := fetch(t, "http://"+address+"/readyz")
		return status != 200
	})
	if err := <-result; err != nil {
		t.Errorf("the statement that ran: %v", err)
	}
	if err := p.stop(syscall.SIGCONT); err != nil {
		t.Errorf("the proxy ended with %v\n%s", err, p.logged())
	}
	if log := p.logged(); !strings.Contains(log, "accepting no more clients") || strings.Contains(log, "sessions that are left") {
		t.Errorf("the log has\n%s", log)
	}
}

// Where fewer files may be open than the policy's sessions take, check says so.
func TestCheckLooksAtDescriptors(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	if out := output(t, "check", "--policy", s.policy); strings.Contains(out, "files may be open") {
		t.Skipf("this machine has fewer: %s", out)
	}
	cmd := exec.Command("sh", "-c", `ulimit -n 500 && exec "$0" check --policy "$1"`, os.Args[0], s.policy)
	cmd.Env = append(os.Environ(), "TACIT_TEST_RUN_MAIN=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "note: at most 500 files may be open, and limits.connections of 200 needs 1000: raise LimitNOFILE of the service") {
		t.Errorf("%v: %s", err, out)
	}
}

// A second signal ends the sessions that are left.
func TestSecondSignal(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.addToPolicy("drain: 1h\n")
	p := s.serve()
	conn := s.connect("ana")
	result := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), "SELECT pg_sleep(3600)")
		result <- err
	}()
	holder, err := pgx.Connect(context.Background(), cluster.URL("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Close(context.Background())
	seen := "the statement does not run"
	eventually(t, &seen, func() bool {
		var n int
		err := holder.QueryRow(context.Background(), "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND state = 'active' AND query LIKE '%pg_sleep%'", s.database).Scan(&n)
		return err == nil && n == 1
	})
	for _, said := range []string{"accepting no more clients", "told to end a second time"} {
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		eventually(t, &said, func() bool { return strings.Contains(p.logged(), said) })
	}
	if err := <-result; err == nil || !strings.Contains(err.Error(), "57P01") {
		t.Errorf("the statement ended with %v", err)
	}
	if err := p.stop(syscall.SIGCONT); err != nil {
		t.Errorf("the proxy ended with %v", err)
	}
}

// That nobody can see metrics is no reason to leave analysts without a proxy.
func TestServeWithoutMetrics(t *testing.T) {
	t.Parallel()
	s := newSite(t, siteOptions{})
	s.addToPolicy("metrics: {listen: '" + s.addr + "'}\n") // which is taken
	p := s.serve()
	if out := s.mustPsql(s.url("ana"), "SELECT 'works'"); !strings.Contains(out, "works") {
		t.Error(out)
	}
	if !strings.Contains(p.logged(), "there are no metrics") {
		t.Errorf("the log has\n%s", p.logged())
	}
}

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	newLogger(&out, policy.Operations{LogJSON: true, LogLevel: "warn"}, false).Info("left out")
	if out.Len() > 0 {
		t.Errorf("logged %s", &out)
	}
	newLogger(&out, policy.Operations{LogJSON: true, LogLevel: "info"}, false).Info("statement", "took", time.Second)
	var line map[string]any
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || fmt.Sprint(line["msg"], " ", line["level"], " ", line["took"]) != "statement INFO 1s" {
		t.Errorf("%v: %s", err, &out)
	}
	out.Reset()
	newLogger(&out, policy.Operations{LogLevel: "error"}, true).Debug("internals")
	if !strings.Contains(out.String(), "level=DEBUG msg=internals") {
		t.Errorf("logged %s", &out)
	}
}
