package proxy

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/stopwatch"
	"tacit/policy"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/repeats"
	"tacit/release"
	"tacit/rewrite/pgerror"
)

// until waits for a condition.
func (r *rig) until(what string, holds func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatal(what)
		}
	}
}

// While the proxy drains, idle sessions end at once, statements that run end as ever, and nobody gets in. Then Serve returns by itself.
func TestDrain(t *testing.T) {
	r := newRig(t, nil)
	idle, inBlock, relayed, counting := connectAs(t, r.address.String(), "ana", r.database), connectAs(t, r.address.String(), "ana", r.database),
		connectAs(t, r.address.String(), "bob", r.database), connectAs(t, r.address.String(), "bob", r.database)
	inBlock.talk(1, simpleQuery("BEGIN"))
	relayed.talk(1, simpleQuery("SELECT 1"))
	holder := connectAs(t, r.direct(), "ana", r.database)
	holder.talk(1, simpleQuery("SELECT pg_advisory_lock(7)"))
	relayed.send(encode(simpleQuery("SELECT 'waited' FROM pg_advisory_xact_lock(7)")))
	inCount, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.releaser.look(func(d *fakeReleaser) {
		d.meanwhile = func() {
			once.Do(func() { close(inCount) })
			<-goOn
		}
	})
	counting.send(encode(simpleQuery(byRegion)))
	<-inCount
	r.until("the statement does not run", func() bool {
		states, _ := r.proxy.Connections()
		return states["active"] == 2 && states["idle"] == 1 && states["idle in transaction"] == 1
	})
	r.proxy.Drain()
	for name, p := range map[string]*peer{"idle": idle, "in a block": inBlock} {
		if got := strings.Join(p.rest(), ""); !strings.Contains(got, "C=57P01") || !strings.Contains(got, "Connect again.") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if conn, err := net.Dial("tcp", r.address.String()); err == nil {
		conn.SetDeadline(time.Now().Add(patience))
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("a client was accepted")
		}
		conn.Close()
	}
	r.until("idle sessions are left", func() bool { return r.proxy.Sessions() == 2 })
	holder.talk(1, simpleQuery("SELECT pg_advisory_unlock(7)"))
	close(goOn)
	for name, p := range map[string]*peer{"waited": relayed, "north": counting} {
		if got := strings.Join(p.rest(), ""); !strings.Contains(got, name) || !strings.Contains(got, "C=57P01") {
			t.Errorf("%s: %q", name, got)
		}
	}
	if err := <-r.served; err != nil {
		t.Error(err)
	}
	r.served <- nil
}

// Idle sessions end by the policy, each by its own limit, and a session that works does not.
func TestIdleSessions(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) {
		p.Sessions = policy.Sessions{Idle: time.Nanosecond, IdleInTransaction: time.Nanosecond}
	})
	busy := connectAs(t, r.address.String(), "bob", r.database)
	busy.send(encode(simpleQuery("SELECT pg_sleep(3), 'slept'")))
	if got := strings.Join(connectAs(t, r.address.String(), "ana", r.database).rest(), ""); !strings.Contains(got, "C=57P05") {
		t.Errorf("idle: %q", got)
	}
	inBlock := connectAs(t, r.address.String(), "ana", r.database)
	inBlock.send(encode(simpleQuery("BEGIN")))
	if got := strings.Join(inBlock.rest(), ""); !strings.Contains(got, "C=25P03") {
		t.Errorf("in a block: %q", got)
	}
	if got := strings.Join(busy.rest(), ""); !strings.Contains(got, "slept") || !strings.Contains(got, "C=57P05") {
		t.Errorf("busy: %q", got)
	}
}

func TestQuiet(t *testing.T) {
	rules := policy.Sessions{Idle: 20 * time.Minute, IdleInTransaction: 10 * time.Minute}
	now := time.Now()
	var q quiet
	for i, step := range []struct {
		after    time.Duration
		standing relay.Standing
		activity uint64
		want     string
	}{
		{0, relay.Idle, 1, ""}, {20*time.Minute - 1, relay.Idle, 1, ""}, {1, relay.Idle, 2, ""}, // something happened in the last moment
		{20*time.Minute - 1, relay.Idle, 2, ""}, {1, relay.Active, 3, ""}, {time.Hour, relay.Active, 3, ""},
		{0, relay.InTransaction, 4, ""}, {10*time.Minute - 1, relay.InTransaction, 4, ""}, {1, relay.InTransaction, 4, "25P03"},
		{0, relay.Idle, 5, ""}, {20 * time.Minute, relay.Idle, 5, "57P05"},
	} {
		now = now.Add(step.after)
		got := ""
		if refusal := q.tooLong(now, step.standing, step.activity, rules); refusal != nil {
			got = refusal.Code
		}
		if got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	if q.tooLong(now.Add(1000*time.Hour), relay.Idle, 5, policy.Sessions{}) != nil {
		t.Error("a session ended without a limit")
	}
}

// A failing listener has no descriptor at first.
type failing struct {
	net.Listener
	errs []error
}

func (f *failing) Accept() (net.Conn, error) {
	if len(f.errs) > 0 {
		err := f.errs[0]
		f.errs = f.errs[1:]
		return nil, err
	}
	return f.Listener.Accept()
}

// Where a file descriptor is missing a client is told so, and is not left waiting; where there is one again, it gets in.
func TestDescriptorsTaken(t *testing.T) {
	r := newRig(t, nil)
	there, here := net.Pipe()
	go r.proxy.serve(here, true)
	p := &peer{t, there}
	go p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
	if got := strings.Join(p.rest(), ""); !strings.Contains(got, "C=53300") || !strings.Contains(got, "file descriptor") {
		t.Errorf("got %q", got)
	}
	other, err := New(Config{Policy: r.releaser.policy, Releaser: r.releaser, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error)
	go func() {
		served <- other.Serve(context.Background(), &failing{listener, []error{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED}})
	}()
	connectAs(t, listener.Addr().String(), "ana", r.database)
	other.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// Clients that have fallen off the network are found by the kernel.
func TestKeepAlive(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dial(t, listener.Addr().String())
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		if on, err := syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_KEEPALIVE); err != nil || on == 0 {
			t.Errorf("keepalive is %d, %v", on, err)
		}
	}); err != nil {
		t.Error(err)
	}
}

// Each bound on sessions is told by its own message.
func TestBoundsOfSessions(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) {
		p.Limits.Connections = 3
		p.Sessions = policy.Sessions{PerAnalyst: 2, Reserved: 1, ReservedFor: []string{"bob"}}
	})
	refused := func(user, want string) {
		t.Helper()
		p := dial(t, r.address.String())
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", user, "database", r.database))
		if got := strings.Join(p.rest(), ""); !strings.Contains(got, "C=53300") || !strings.Contains(got, want) {
			t.Errorf("%s: %q", user, got)
		}
	}
	connectAs(t, r.address.String(), "ana", r.database)
	connectAs(t, r.address.String(), "ana", r.database)
	refused("ana", `too many connections for role "ana"`)
	r.releaser.reload("1", func(p *policy.Policy) { p.Sessions.PerAnalyst = 3 })
	refused("ana", "remaining connection slots are reserved")
	r.releaser.reload("1", func(p *policy.Policy) { p.Sessions.PerAddress = 2 })
	refused("bob", "too many connections from this address")
	r.releaser.reload("1", func(p *policy.Policy) { p.Sessions.PerAddress = 0 })
	connectAs(t, r.address.String(), "bob", r.database)
	refused("bob", "sorry, too many clients already")
}

// A watcher keeps what it is told of statements.
type watcher struct {
	mu   sync.Mutex // protects seen
	seen []Statement
}

func (w *watcher) Judged(time.Duration, bool) {}

func (w *watcher) Statement(s Statement) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, s)
}

func (w *watcher) take() []Statement {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

// Operators are told of each protected statement once, and of none of its constants, counts or exact times.
func TestObserver(t *testing.T) {
	w := &watcher{}
	r := newRigAlone(t, nil)
	r.proxy.observer = w
	p := connectAs(t, r.address.String(), "ana", r.database)
	expect := func(text string, want Outcome, code string) {
		t.Helper()
		p.talk(1, simpleQuery(text))
		seen := w.take()
		if len(seen) != 1 || seen[0].Outcome != want || seen[0].Code != code {
			t.Errorf("%s: %+v, want %s %s", text, seen, want, code)
			return
		}
		if s := seen[0]; s.Whole != stopwatch.Coarse(s.Whole) || s.Curator != stopwatch.Coarse(s.Curator) {
			t.Errorf("times are not rounded: %+v", s)
		}
	}
	const secret = "SELECT region, count(*) FROM patients WHERE age = 2 GROUP BY region"
	expect(secret, Listed, "")
	expect("EXPLAIN "+secret, Explained, "")
	expect("SELECT * FROM patients WHERE region = 'literal'", Refused, "42501")
	r.releaser.look(func(d *fakeReleaser) { d.fail = pgerror.Form{Code: "53400", Message: "over budget"}.With() })
	expect(secret, Refused, "53400")
	r.releaser.look(func(d *fakeReleaser) { d.fail = errCancelled })
	expect(secret, Cancelled, "57014")
	r.releaser.look(func(d *fakeReleaser) { d.fail = nil })
	p.talk(1, simpleQuery("SELECT 1"))
	p.talk(1, parse("", secret), bind("", ""), executeUpTo("", 0), sync_)
	if seen := w.take(); len(seen) != 1 || seen[0].Outcome != Listed {
		t.Errorf("%+v", seen)
	}
	p.send(encode(goodbye))
	p.rest()
	r.until("the end of the session is not logged", func() bool { return strings.Contains(r.log.String(), "msg=session") })
	log := r.log.String()
	if lines := strings.Count(log, "msg=statement"); lines != 6 || !strings.Contains(log, "protected_statements=6") {
		t.Errorf("%d lines about statements:\n%s", lines, log)
	}
	for _, secret := range []string{"literal", "age", "region"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q:\n%s", secret, log)
		}
	}
	var ids []string
	for _, found := range regexp.MustCompile(`msg=statement .*request=([0-9a-f]{24}) `).FindAllStringSubmatch(log, -1) {
		ids = append(ids, found[1])
	}
	var asked []string
	r.releaser.look(func(d *fakeReleaser) {
		for _, id := range d.refusedIDs {
			asked = append(asked, id.String())
		}
		for _, ask := range slices.Concat(d.explained, d.asks) {
			asked = append(asked, ask.ID.String())
		}
	})
	slices.Sort(ids)
	slices.Sort(asked)
	if asked = slices.Compact(asked); len(ids) != 6 || !slices.Equal(ids, asked) {
		t.Errorf("the log has requests %v, and the ledger would have %v", ids, asked)
	}
	if strings.Contains(log, `fingerprint=""`) {
		t.Errorf("a fingerprint is missing:\n%s", log)
	}
}

// While tables are closed the reason is logged once, however many ask.
func TestClosedIsLoggedOnce(t *testing.T) {
	r := newRigAlone(t, nil)
	closed := errors.Join(pgerror.Form{Code: "55000", Message: "closed"}.With(), errors.New("the ledger's disk is full"))
	r.releaser.look(func(d *fakeReleaser) { d.fail = closed })
	for range 3 {
		p := connectAs(t, r.address.String(), "ana", r.database)
		for range 5 {
			p.talk(1, simpleQuery(byRegion))
		}
		p.send(encode(goodbye))
	}
	r.proxy.Close()
	<-r.served
	r.served <- nil
	log := r.log.String()
	if strings.Count(log, `msg="answer refused"`) != 1 || !strings.Contains(log, `msg="answers refused for the same reason" times=14`) {
		t.Errorf("the log has\n%s", log)
	}
	r.log.reset() // which has errors on purpose
}

// What an analyst cancels is no error of the proxy. A refusal with the same code that she did not bring about is one.
func TestCancelledIsNoError(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn}))
	in := &interceptor{ctx: t.Context(), log: log, shared: log, closed: &repeats.Log{}}
	defer in.closed.End()
	refused := errors.Join(errCancelled, context.Canceled)
	if err := in.failure(refused, context.Canceled, waitLimit{}); !errors.Is(err, errCancelled) || out.Len() != 0 {
		t.Errorf("%v, and the log has %s", err, &out)
	}
	if err := in.failure(refused, nil, waitLimit{}); !errors.Is(err, errCancelled) || !strings.Contains(out.String(), `level=ERROR msg="answer refused"`) {
		t.Errorf("%v, and the log has %s", err, &out)
	}
}

func TestOutcomes(t *testing.T) {
	line := func(edit func(*release.ReceiptLine)) *release.Receipt {
		l := release.ReceiptLine{Replayed: 1}
		edit(&l)
		return &release.Receipt{Lines: []release.ReceiptLine{l}}
	}
	for want, r := range map[Outcome]*release.Receipt{
		Listed:   {},
		Replayed: line(func(*release.ReceiptLine) {}),
		Charged:  line(func(l *release.ReceiptLine) { l.Charged.Epsilon = 1 }),
		Decided:  line(func(l *release.ReceiptLine) { l.Audit = &release.AuditReceipt{} }),
	} {
		if got := outcomeIn(r); got != want {
			t.Errorf("%v is %s, want %s", r, got, want)
		}
	}
}
