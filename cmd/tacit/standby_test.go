package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/internal/pgtest"
	"tacit/policy"
	"tacit/release/curator"
)

// A standbySite is a site whose counts are made on a standby, which is reached through a relay.
type standbySite struct {
	*site
	primary, standby *pgtest.Cluster
	relay            *holdingRelay
}

func newStandbySite(t *testing.T) *standbySite {
	t.Helper()
	// An ANALYZE of autovacuum would keep rows that VACUUM takes away.
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4", "max_standby_streaming_delay": "0", "autovacuum": "off"}
	start := func(o pgtest.Options) *pgtest.Cluster {
		c, err := pgtest.Start(o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Stop() })
		return c
	}
	primary := start(pgtest.Options{Settings: settings})
	s := &site{t: t, dir: t.TempDir(), addr: freeAddress(t), database: "postgres"}
	s.policy = filepath.Join(s.dir, "policy.yaml")
	at := primary.URL("postgres", s.database)
	text := fmt.Sprintf(sitePolicy, s.addr, primary.Host, primary.Port, s.database, "", "100000", "sqlite:tacit.db", "basic")
	p, err := policy.Parse(s.policy, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s.mustPsql(at, strings.ReplaceAll(siteSchema, "%%", "%")+curator.HardeningSQL(p), "-v", "ON_ERROR_STOP=1", "-q")
	standby := start(pgtest.Options{Settings: settings, StandbyOf: primary})
	d := &standbySite{s, primary, standby, relayTo(t, standby)}
	s.writePolicy(strings.Replace(text, fmt.Sprintf("postgres://tacit_curator@%s:%d/postgres?sslmode=disable", primary.Host, primary.Port),
		fmt.Sprintf("postgres://tacit_curator@/postgres?sslmode=disable&host=127.0.0.1,127.0.0.1&port=%d,%d&target_session_attrs=prefer-standby", d.relay.port(), primary.Port), 1))
	seen := ""
	eventually(t, &seen, func() bool {
		stdout, stderr, status := run(t, "check", "--policy", s.policy)
		seen = stdout + stderr
		return status == 0 && !strings.Contains(stdout, "no standby can")
	})
	return d
}

// asked asks statements as the superuser, of which the last one yields one value.
func (d *standbySite) asked(c *pgtest.Cluster, statements string) string {
	d.t.Helper()
	return strings.TrimSpace(d.mustPsql(c.URL("postgres", d.database), statements, "-v", "ON_ERROR_STOP=1", "-q", "-A", "-t"))
}

// near asks how many people there are, each time as another question. The noise reaches 1,000 with probability 2 exp(-500).
func (d *standbySite) near(conn *pgx.Conn, question, people int) error {
	text, err := readRows(context.Background(), conn, fmt.Sprintf("SELECT count(*) FROM people WHERE age > %d", -question))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.Trim(text, "|\n"))
	if err == nil && (n < people-1000 || n > people+1000) {
		return fmt.Errorf("%d people are counted, and there are %d", n, people)
	}
	return err
}

// nearUntil asks, after so many questions, until one has had a text sent to the standby, and returns how many were asked by then. The primary counts for
// half a minute after the standby was not ready in time.
func (d *standbySite) nearUntil(conn *pgx.Conn, asked, people int, text string) int {
	d.t.Helper()
	sent := make(chan struct{})
	d.relay.before(text, func() { close(sent) })
	for patience := time.Now().Add(3 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		asked++
		if err := d.near(conn, asked, people); err != nil {
			d.t.Fatal(err)
		}
		select {
		case <-sent:
			return asked
		default:
		}
		if time.Now().After(patience) {
			d.t.Fatalf("the standby is never asked for %q", text)
		}
	}
}

// A holdingRelay passes on what is sent to a server. Before the first message that has a text in it, it calls hold.
type holdingRelay struct {
	listener net.Listener
	target   string
	mu       sync.Mutex // protects what follows
	text     string
	hold     func()
}

func relayTo(t *testing.T, c *pgtest.Cluster) *holdingRelay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	r := &holdingRelay{listener: listener, target: net.JoinHostPort(c.Host, strconv.Itoa(c.Port))}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go r.serve(client)
		}
	}()
	return r
}

func (r *holdingRelay) port() int { return r.listener.Addr().(*net.TCPAddr).Port }

func (r *holdingRelay) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", r.target)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		io.Copy(client, server)
		client.Close()
	}()
	for buffer := make([]byte, 64<<10); ; {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		if hold := r.due(buffer[:n]); hold != nil {
			hold()
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (r *holdingRelay) due(message []byte) (hold func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.hold != nil && bytes.Contains(message, []byte(r.text)) {
		hold, r.hold = r.hold, nil
	}
	return hold
}

func (r *holdingRelay) before(text string, hold func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text, r.hold = text, hold
}

// countText is in counts of the curator, and in nothing else that it asks.
const countText = " AS c1 FROM "

// Rows of a former epoch are not counted for the budget of the new one, however far behind a standby is: then the primary counts.
func TestStandbyNeverCountsFormerEpoch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	d := newStandbySite(t)
	d.serve()
	conn := d.connect("ana")
	asked := d.nearUntil(conn, 0, 3000, countText)
	d.asked(d.standby, "SELECT pg_wal_replay_pause()")
	d.asked(d.primary, "DELETE FROM people WHERE id > 10")
	if stdout, stderr, status := run(t, "budget", "epoch", "--policy", d.policy, "--table", "public.people", "--reason", "other people"); status != 0 {
		t.Fatalf("%s%s", stdout, stderr)
	}
	d.nearUntil(conn, asked, 10, "pg_last_wal_replay_lsn")
	if stood := d.asked(d.standby, "SELECT count(*) FROM people"); stood != "3000" {
		t.Errorf("the standby has %s people, and was to have those of the former epoch", stood)
	}
}

// A count that the standby ends for a conflict with recovery is made again, on the primary, under the one charge.
func TestStandbyConflictIsChargedOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	d := newStandbySite(t)
	d.serve()
	conn := d.connect("ana")
	held, resume := make(chan struct{}), make(chan struct{})
	d.relay.before(countText, func() {
		close(held)
		<-resume
	})
	asked, patience := 0, time.Now().Add(3*time.Minute)
	for held != nil {
		asked++
		answers := make(chan error, 1)
		go func() { answers <- d.near(conn, asked, 3000) }()
		select {
		case err := <-answers: // the standby was not ready in time, so that the primary has counted, and goes on to for half a minute
			if err != nil || time.Now().After(patience) {
				t.Fatalf("the standby never counts: %v", err)
			}
			time.Sleep(100 * time.Millisecond)
		case <-held:
			held = nil
			d.asked(d.primary, "DELETE FROM notes")
			seen := ""
			eventually(t, &seen, func() bool {
				d.asked(d.primary, "VACUUM notes") // one leaves the rows that a connection which is just being made could see
				// This conflicts with the same recovery now and then.
				idle, err := d.psql(d.standby.URL("postgres", d.database), "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tacit curator' AND state LIKE 'idle in%'",
					"-v", "ON_ERROR_STOP=1", "-q", "-A", "-t")
				seen = strings.TrimSpace(idle)
				return err == nil && seen == "0"
			})
			close(resume)
			if err := <-answers; err != nil {
				t.Error(err)
			}
		}
	}
	if charged, want := fmt.Sprint(d.charged().Epsilon), fmt.Sprint(0.5*float64(asked)); charged != want {
		t.Errorf("%d answers were charged epsilon %s, and not %s", asked, charged, want)
	}
}
