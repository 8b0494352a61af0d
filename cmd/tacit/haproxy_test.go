package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/proxy"
)

const haproxyPath = "/usr/sbin/haproxy" // which is on root's PATH only

// balance starts HAProxy with the configuration of examples/operations before proxies whose health is at these addresses, and returns where it listens.
func balance(t *testing.T, proxies []*site, health []string) string {
	t.Helper()
	if _, err := os.Stat(haproxyPath); err != nil {
		t.Skip("haproxy is missing; scripts/install.sh test installs it")
	}
	address := freeAddress(t)
	text := strings.Replace(readText(t, "../../examples/operations/haproxy.cfg"), "bind :6432", "bind "+address, 1)
	text = regexp.MustCompile(`port 9187 check-ssl .*`).ReplaceAllLiteralString(text, "")
	for i, name := range []string{"one", "two", "three"} {
		_, port, err := net.SplitHostPort(health[i])
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("server %s 10.0.0.1%d:6432 send-proxy-v2", name, i+1)
		if !strings.Contains(text, line) {
			t.Fatalf("haproxy.cfg has no %q", line)
		}
		text = strings.Replace(text, line, fmt.Sprintf("server %s %s port %s send-proxy-v2", name, proxies[i].addr, port), 1)
	}
	path := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(haproxyPath, "-c", "-f", path).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	balancer := exec.CommandContext(ctx, haproxyPath, "-db", "-f", path)
	balancer.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = balancer.Wait() // it was killed
	})
	return address
}

// A balancedClient asks questions through a load balancer, from an address of its own. It connects again when its session breaks.
type balancedClient struct {
	url     string
	address net.IP
	conn    *pgx.Conn
	broken  int           // sessions
	longest time.Duration // between two answers
}

// connect tries until somebody takes the session.
func (c *balancedClient) connect(ctx context.Context) error {
	config, err := pgx.ParseConfig(c.url)
	if err != nil {
		return err
	}
	config.DialFunc = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: c.address}}).DialContext
	for {
		if c.conn, err = pgx.ConnectConfig(ctx, config); err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// ask asks until there is an answer. Only a session that breaks keeps it from one.
func (c *balancedClient) ask(ctx context.Context, question string) (string, error) {
	for began := time.Now(); ; c.broken++ {
		if c.conn == nil || c.conn.IsClosed() {
			if err := c.connect(ctx); err != nil {
				return "", err
			}
		}
		rows, err := readRows(ctx, c.conn, question)
		if err == nil {
			c.longest = max(c.longest, time.Since(began))
			return rows, nil
		}
		if !c.conn.IsClosed() || ctx.Err() != nil {
			return "", err
		}
	}
}

// TestBehindLoadBalancer kills one of three proxies behind HAProxy under load: each question has one answer and one charge, whoever gave it, and whoever
// was at the proxy goes on at another.
func TestBehindLoadBalancer(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	location, _ := sharedLedger(t)
	proxies, health := []*site{newSite(t, siteOptions{budget: "100000", ledger: location})}, []string{freeAddress(t)}
	verifier, err := proxy.NewVerifier("sesame")
	if err != nil {
		t.Fatal(err)
	}
	proxies[0].writePolicy(strings.NewReplacer("\nauth: trust\n", "\nauth: scram\nproxy_protocol: [127.0.0.1]\ntls: {mode: disable}\n",
		"ana: {}", "ana: {password: \""+verifier+"\"}", "bob: {budget", "bob: {password: \""+verifier+"\", budget").Replace(readText(t, proxies[0].policy)))
	for range 2 {
		proxies, health = append(proxies, proxies[0].another(t)), append(health, freeAddress(t))
	}
	var servers []*server
	for i, s := range proxies {
		s.addToPolicy("metrics: {listen: '" + health[i] + "'}\n")
		servers = append(servers, s.serve())
	}
	address := balance(t, proxies, health)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()

	const clients, questions = 8, 40 // each question is asked by all
	var mu sync.Mutex
	answers, given, kill, killed := make(map[string]map[string]int), 0, make(chan struct{}), make(chan struct{})
	answered := func(question, rows string) {
		mu.Lock()
		defer mu.Unlock()
		if answers[question] == nil {
			answers[question] = make(map[string]int)
		}
		answers[question][rows]++
		if given++; given == clients*questions/3 {
			close(kill)
		}
	}
	var asking sync.WaitGroup
	all := make([]*balancedClient, clients)
	for i := range all {
		all[i] = &balancedClient{url: strings.Replace(proxies[0].url("ana"), "ana@"+proxies[0].addr, "ana:sesame@"+address, 1), address: net.IPv4(127, 0, 0, byte(10+i))}
		asking.Go(func() {
			for q := range questions {
				if q == questions-1 {
					<-killed // so that each session is open by then
				}
				question := fmt.Sprintf("SELECT sex, count(*) FROM people WHERE age <> %d GROUP BY sex", 1000+(q+i*questions/clients)%questions)
				rows, err := all[i].ask(ctx, question)
				if err != nil {
					t.Errorf("%s: %v", question, err)
					return
				}
				answered(question, rows)
			}
			all[i].conn.Close(ctx)
		})
	}
	select {
	case <-kill:
		busiest := servers[0]
		for _, s := range servers {
			if strings.Count(s.logged(), "msg=statement") > strings.Count(busiest.logged(), "msg=statement") {
				busiest = s
			}
		}
		busiest.stop(syscall.SIGKILL)
	case <-ctx.Done():
	}
	close(killed)
	asking.Wait()

	if len(answers) != questions {
		t.Errorf("%d questions have answers, of %d", len(answers), questions)
	}
	for question, rows := range answers {
		if len(rows) != 1 {
			t.Errorf("%s has %d answers", question, len(rows))
		}
	}
	for _, c := range all {
		unnamed := fmt.Sprintf("the logs do not name the client at %v", c.address)
		eventually(t, &unnamed, func() bool {
			return slices.ContainsFunc(servers, func(s *server) bool { return strings.Contains(s.logged(), "client="+c.address.String()+":") })
		})
	}
	broken, longest := 0, time.Duration(0)
	for _, c := range all {
		broken, longest = broken+c.broken, max(longest, c.longest)
	}
	if broken == 0 {
		t.Error("no session has ended with the proxy")
	}
	t.Logf("%d answers; %d sessions broke; a client waited %v at the longest", given, broken, longest.Round(time.Millisecond))
	want := fmt.Sprintf("%d charges with %d answers", questions, questions)
	if out, stderr, status := run(t, "verify", "--policy", proxies[1].policy); status != 0 || !strings.Contains(out, want) {
		t.Errorf("verify: status %d, and no %q in\n%s%s", status, want, out, stderr)
	}
}
