package chaos

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/internal/pgtest"
)

// A failover is an exact site whose server has a standby. Analysts and the curator reach whichever is the primary by one address.
type failover struct {
	*exact
	standby *pgtest.Cluster
	relay   *pgtest.Relay
	ended   map[string]chan error // what sessions were told in the middle of something, by what that was
}

func newFailover(t *testing.T) *failover {
	t.Helper()
	f := &failover{ended: make(map[string]chan error)}
	settings := map[string]string{"wal_level": "replica", "max_wal_senders": "4"}
	f.exact = newExact(t, siteOptions{
		policy: strings.Replace(exactPolicy, "count_timeout: 3s", "count_timeout: 5m", 1), data: pgtest.Options{Settings: settings},
		ways: func(data *pgtest.Cluster) (analysts, curator int) {
			var err error
			f.relay, err = data.NewRelay()
			must(t, err)
			t.Cleanup(func() { f.relay.Close() })
			return f.relay.Port, f.relay.Port
		},
	})
	f.standby = f.cluster(pgtest.Options{Settings: settings, StandbyOf: f.data})
	return f
}

// value is what a server says to the superuser.
func (f *failover) value(c *pgtest.Cluster, sql string) (value string) {
	f.t.Helper()
	conn, err := pgx.Connect(context.Background(), c.URL("postgres", "data"))
	must(f.t, err)
	defer conn.Close(context.Background())
	must(f.t, conn.QueryRow(context.Background(), sql).Scan(&value))
	return value
}

// await waits until a server says something to the superuser.
func (f *failover) await(c *pgtest.Cluster, sql, want string) {
	f.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		got := f.value(c, sql)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			f.t.Fatalf("%s is %s for a minute, and not %s", sql, got, want)
		}
	}
}

// meanwhile has a session do something that ends with the primary.
func (f *failover) meanwhile(what string, do func() error) {
	told := make(chan error, 1)
	f.ended[what] = told
	go func() { told <- do() }()
}

// idle waits for what the server says by itself.
func idle(conn *pgx.Conn) error { return conn.PgConn().WaitForNotification(context.Background()) }

// sessionsInTheMiddle has sessions in the middle of all that a failover can meet.
func (f *failover) sessionsInTheMiddle(counting, prepared int) {
	f.t.Helper()
	ctx := context.Background()
	do := func(conn *pgx.Conn, statements ...string) {
		f.t.Helper()
		for _, sql := range statements {
			_, err := conn.Exec(ctx, sql)
			must(f.t, err)
		}
	}
	unused := f.login("ana")
	f.meanwhile("a session that does nothing", func() error { return idle(unused) })

	inBlock := f.login("ana")
	do(inBlock, "BEGIN", "CREATE TEMPORARY TABLE notes (n int)", "INSERT INTO notes VALUES (1)")
	f.meanwhile("a transaction between two statements", func() error { return idle(inBlock) })

	relayed := f.login("bob")
	do(relayed, "BEGIN")
	f.meanwhile("a transaction with a statement that runs", func() error { _, err := relayed.Exec(ctx, "SELECT pg_sleep(600)"); return err })

	withPrepared := f.login("cyd")
	for _, sql := range []string{"SELECT 1 AS relayed", exactly("exact", prepared)} {
		_, err := withPrepared.Prepare(ctx, sql, sql)
		must(f.t, err)
	}
	f.meanwhile("a session with prepared statements", func() error { return idle(withPrepared) })

	asking := f.login("dan")
	f.meanwhile("a count", func() error { _, err := f.ask(asking, "exact", counting); return err })
	f.await(f.data, "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'tacit curator'", "1")
	f.await(f.data, "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'PgSleep'", "1")
}

// endsClearly wants sessions to have been told why they ended: that the connection to the server is gone, or the server is.
func (f *failover) endsClearly() {
	f.t.Helper()
	for what, told := range f.ended {
		select {
		case err := <-told:
			var said *pgconn.PgError
			if !errors.As(err, &said) || said.Code != "08006" && said.Code != "57P01" && !(what == "a count" && said.Code == "58000") {
				f.t.Errorf("%s ends with %v", what, err)
			}
		case <-time.After(askPatience):
			f.t.Errorf("%s does not end", what)
		}
	}
}

// TestFailover kills the primary in the middle of sessions, and promotes its standby, to which the address leads from then on. Sessions are told that their server is gone; new ones
// work, with the answers of before, and every question was charged once.
func TestFailover(t *testing.T) {
	f := newFailover(t)
	before := f.holds()
	ana := f.login("ana")
	const recorded, counting, prepared = 3, 3, 0
	var shown []string
	for number := range recorded {
		text, err := f.ask(ana, "exact", number)
		must(t, err)
		shown = append(shown, text)
	}
	lock, err := pgx.Connect(t.Context(), f.data.URL("postgres", "data"))
	must(t, err)
	defer lock.Close(context.Background())
	for _, sql := range []string{"BEGIN", "LOCK TABLE public.exact IN ACCESS EXCLUSIVE MODE"} {
		_, err := lock.Exec(t.Context(), sql)
		must(t, err)
	}
	f.sessionsInTheMiddle(counting, prepared)
	f.await(f.standby, "SELECT count(*)::text FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'public.exact'::regclass", "1") // it has all that is before

	must(t, f.data.Crash())
	f.endsClearly()
	var said *pgconn.PgError
	if conn, err := pgx.Connect(t.Context(), "postgres://ana@"+f.proxies[0].address()+"/data?sslmode=disable"); !errors.As(err, &said) || said.Code != "08006" {
		t.Errorf("between the two a login is told %v", err)
		if err == nil {
			conn.Close(context.Background())
		}
	}
	f.value(f.standby, "SELECT pg_promote()::text")
	f.await(f.standby, "SELECT pg_is_in_recovery()::text", "false")
	f.relay.PointAt(f.standby)
	f.goesOn(shown, counting)
	f.leaveNothing(before)
	f.verify()
}

// goesOn wants new sessions to work, answers to be those of before, and one charge for each question.
func (f *failover) goesOn(shown []string, counting int) {
	f.t.Helper()
	ctx := context.Background()
	bob := f.login("bob")
	for number, want := range shown {
		if got, err := f.ask(bob, "exact", number); err != nil || got != want {
			f.t.Errorf("question %d is answered by %s, %v; before, by %s", number, got, err, want)
		}
	}
	if _, err := f.ask(bob, "exact", counting); err != nil {
		f.t.Errorf("the question that was counted: %v", err)
	}
	if _, err := f.ask(bob, "exact", counting+1); err != nil {
		f.t.Errorf("a new question: %v", err)
	}
	for number := range counting + 2 {
		if n := f.charges(number); n != 1 {
			f.t.Errorf("question %d has %d charges", number, n)
		}
	}
	for _, sql := range []string{"BEGIN", "CREATE TEMPORARY TABLE notes (n int)", "INSERT INTO notes VALUES (1)", "COMMIT"} {
		if _, err := bob.Exec(ctx, sql); err != nil {
			f.t.Errorf("%s: %v", sql, err)
		}
	}
	if _, err := bob.Prepare(ctx, "again", exactly("exact", 0)); err != nil {
		f.t.Errorf("a prepared statement: %v", err)
	}
}
