package proxy

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite/pgerror"
)

// What breaks the protocol ends the session, after everything before it was answered.
func TestProtocolViolations(t *testing.T) {
	r := newRig(t, nil)
	for name, tt := range map[string]struct {
		send []byte
		want string
	}{
		"unknown type":            {[]byte("!\x00\x00\x00\x04"), "M=invalid frontend message type 33"},
		"password after login":    {[]byte("p\x00\x00\x00\x05\x00"), "M=invalid frontend message type 112"},
		"startup after login":     {startupBytes(pgproto3.ProtocolVersion30, "user", "ana"), "M=invalid frontend message type 0"},
		"length below four":       {[]byte("Q\x00\x00\x00\x03"), "M=invalid message length"},
		"length zero":             {[]byte("S\x00\x00\x00\x00"), "M=invalid message length"},
		"negative length":         {[]byte("Q\xff\xff\xff\xff"), "M=invalid message length"},
		"a gigabyte":              {[]byte("d\x40\x00\x00\x00"), "M=invalid message length"},
		"above 2 GiB":             {[]byte("B\x80\x00\x00\x01"), "M=invalid message length"},
		"large Sync":              {[]byte("S\x00\x00\x27\x11"), "M=invalid message length"},
		"large Describe":          {[]byte("D\x00\x00\x27\x11"), "M=invalid message length"},
		"bytes of a TLS greeting": {[]byte("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), "M=invalid frontend message type 22"},
	} {
		t.Run(name, func(t *testing.T) {
			p := connectAs(t, r.address.String(), "ana", r.database)
			p.send(append(encode(simpleQuery("SELECT 1 WHERE false"), parse("", "SELECT 1")), tt.send...))
			got := p.rest()
			if len(got) != 5 || got[1] != one("SELECT 0") || got[3] != `1 ""` || !strings.HasPrefix(got[4], "E V=FATAL C=08P01 "+tt.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// Messages that the server would refuse are refused in sequence, and never forwarded.
func TestMalformedMessages(t *testing.T) {
	message := func(kind byte, body string) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(4+len(body))), body...)
	}
	const malformed = "E V=ERROR C=08P01 M=invalid message format "
	r := newRig(t, nil)
	for name, tt := range map[string]struct {
		send []byte
		sync bool
	}{
		"Query without end":         {message('Q', "SELECT 1"), false},
		"Query with two ends":       {message('Q', "SELECT 1\x00\x00"), false},
		"Query with NUL":            {message('Q', "SELECT 1\x00 FROM patients\x00"), false},
		"empty Query body":          {message('Q', ""), false},
		"Parse without types":       {message('P', "\x00SELECT 1\x00"), true},
		"Parse with fewer types":    {message('P', "\x00SELECT 1\x00\x00\x02\x00\x00\x00\x17"), true},
		"Parse with bytes behind":   {message('P', "\x00SELECT 1\x00\x00\x00x"), true},
		"Describe with two names":   {message('D', "Sa\x00b\x00"), true},
		"Describe without a name":   {message('D', "S"), true},
		"Bind of nothing":           {message('B', ""), true},
		"Bind with a negative size": {message('B', "\x00s\x00\x00\x00\x00\x01\xff\xff\xff\xfe\x00\x00"), true},
		"Bind with a short value":   {message('B', "\x00s\x00\x00\x00\x00\x01\x00\x00\x00\x09x\x00\x00"), true},
		"Bind with many values":     {message('B', "\x00s\x00\x00\x00\xff\xff\x00\x00"), true},
		"Bind with two formats":     {message('B', "\x00s\x00\x00\x02\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff\x00\x00"), true},
		"Bind with bytes behind":    {message('B', "\x00s\x00\x00\x00\x00\x01\xff\xff\xff\xff\x00\x00x"), true},
		"Bind without result codes": {message('B', "\x00s\x00\x00\x00\x00\x01\xff\xff\xff\xff"), true},
		"Close with bytes behind":   {message('C', "Ss\x00x"), true},
	} {
		t.Run(name, func(t *testing.T) {
			p := connectAs(t, r.address.String(), "ana", r.database)
			p.talk(1, parse("s", byRegionOlder), sync_)
			want := []string{malformed, idle, one("SELECT 0"), idle}
			sent := tt.send
			if tt.sync {
				sent = append(append(sent, encode(executeUpTo("", 0), simpleQuery("SELECT 'swallowed'"))...), encode(sync_)...)
			}
			p.send(append(sent, encode(simpleQuery("SELECT 1 WHERE false"))...))
			got := p.until('Z', 2)
			got = append(got[:2], got[3:]...) // without the RowDescription
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if r.releaser.answered() != 0 {
				t.Error("the releaser was asked")
			}
		})
	}
}

// A session in which SQL is read in another way than the proxy reads it is ended.
func TestSettingThatChangesSQL(t *testing.T) {
	r := newRig(t, nil)
	if err := execute(r.database, `CREATE FUNCTION change(setting text, value text) RETURNS text LANGUAGE sql
		AS 'SELECT set_config(setting, value, false)'`); err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"change('standard_conforming_strings', 'off')", "change('client_encoding', 'LATIN1')"} {
		p := connectAs(t, r.address.String(), "ana", r.database)
		p.send(encode(simpleQuery("SELECT " + change)))
		got := p.rest()
		if !strings.HasPrefix(got[len(got)-1], "E V=FATAL C=0A000") {
			t.Errorf("%s: got %q", change, got)
		}
	}
}

// PostgreSQL reports UNICODE as the encoding where a client calls UTF8 so: LibreOffice does. That is no other encoding.
func TestUnicodeIsUTF8(t *testing.T) {
	p, _ := newPeer(t)
	p.send(encode(simpleQuery("SET client_encoding TO 'UNICODE'"), simpleQuery("SELECT 'ä€'")))
	if got := p.until('Z', 2); !slices.ContainsFunc(got, func(m string) bool { return strings.Contains(m, "ä€") }) {
		t.Errorf("got %q", got)
	}
}

// Messages that a copy cannot take, while the proxy waits for its end, end the session instead of waiting for ever.
func TestProtectedStatementInCopy(t *testing.T) {
	p, _ := newPeer(t)
	p.talk(1, simpleQuery("CREATE TEMP TABLE t (a int)"))
	p.send(encode(simpleQuery("COPY t FROM STDIN"), simpleQuery(byRegion)))
	got := p.rest()
	if !strings.HasPrefix(got[len(got)-1], "E V=FATAL C=08P01") {
		t.Errorf("got %q", got)
	}
}

func TestCancelOnServer(t *testing.T) {
	r := newRig(t, nil)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for range 3 {
		done := make(chan error, 1)
		go func() {
			_, err := conn.Exec(ctx, "SELECT pg_sleep(60)")
			done <- err
		}()
		r.await("state = 'active' AND query = 'SELECT pg_sleep(60)'", nil)
		if err := conn.PgConn().CancelRequest(ctx); err != nil {
			t.Fatal(err)
		}
		var pg *pgconn.PgError
		if err := <-done; !errors.As(err, &pg) || pg.Code != "57014" {
			t.Fatalf("got %v", err)
		}
		// A cancel request that finds nothing to cancel does not hit the next statement.
		if err := conn.PgConn().CancelRequest(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Exec(ctx, "SELECT pg_sleep(0.01)"); err != nil {
			t.Fatal(err)
		}
	}
}

// await waits until a session of the database meets a condition, or something else is the case.
func (r *rig) await(condition string, otherwise func() bool) {
	r.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", "postgres"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Close(ctx)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		var n int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND "+condition, r.database).Scan(&n); err != nil {
			r.t.Fatal(err)
		}
		if n > 0 || otherwise != nil && otherwise() {
			return
		}
	}
	r.t.Fatalf("no session with %s", condition)
}

func TestCancelOfAnswer(t *testing.T) {
	r := newRig(t, nil)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, r.url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	waiting := make(chan struct{})
	r.releaser.look(func(d *fakeReleaser) { d.wait = waiting })
	done := make(chan error, 1)
	go func() {
		_, err := conn.Exec(ctx, byRegion)
		done <- err
	}()
	<-waiting
	if err := conn.PgConn().CancelRequest(ctx); err != nil {
		t.Fatal(err)
	}
	var pg *pgconn.PgError
	if err := <-done; !errors.As(err, &pg) || pg.Code != "57014" {
		t.Fatalf("got %v", err)
	}
	if _, err := conn.Exec(ctx, byRegion); err != nil {
		t.Error(err)
	}
}

// Nobody can cancel a statement without its session's own secret.
func TestCancelKeyIsSecret(t *testing.T) {
	p, r := newPeer(t)
	waiting := make(chan struct{})
	r.releaser.look(func(d *fakeReleaser) { d.wait = waiting })
	p.send(encode(simpleQuery(byRegion)))
	<-waiting
	r.proxy.keys.mu.Lock()
	var key wire.CancelKey
	for id, k := range r.proxy.keys.sessions {
		key = wire.CancelKey{ID: id, Secret: k.secret}
	}
	r.proxy.keys.mu.Unlock()
	cancel := func(k wire.CancelKey) {
		c := dial(t, r.address.String())
		packet := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 16}, wire.CancelCode)
		packet = binary.BigEndian.AppendUint32(packet, k.ID)
		c.send(append(packet, k.Secret...))
		c.rest()
	}
	for i := range key.Secret {
		cancel(mistaken(key, i))
	}
	r.releaser.look(func(d *fakeReleaser) {
		if d.waiting.Err() != nil {
			t.Error("cancelled with a wrong secret")
		}
	})
	cancel(key)
	if got := p.until('Z', 1); !strings.Contains(got[0], "C=57014") {
		t.Errorf("got %q", got)
	}
}

func (c *cancelKeys) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.sessions)
}

// mistaken is a key whose secret is wrong in one bit.
func mistaken(k wire.CancelKey, i int) wire.CancelKey {
	secret := []byte(k.Secret)
	secret[i] ^= 1
	k.Secret = string(secret)
	return k
}

// A secret cannot be found by trying: after so many wrong ones even the right one is not accepted for a while, from where these came.
func TestWrongSecretsWearAKeyOut(t *testing.T) {
	here, there := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1}, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 2), Port: 1}
	hereAgain := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 2}
	keys, now := newCancelKeys(), time.Unix(1, 0)
	keys.now = func() time.Time { return now }
	s := &session{}
	key, other, long := keys.issue(s, 7, 4, here), keys.issue(s, 8, 4, here), keys.issue(s, 9, 32, here)
	wrong := mistaken(key, 0)
	for range maxWrongSecrets - 1 {
		keys.find(wrong, hereAgain)
	}
	if keys.find(key, here) != s {
		t.Fatal("not found while there are tries left")
	}
	for range 10 {
		keys.find(wrong, hereAgain)
	}
	if keys.find(key, here) != nil {
		t.Error("found after too many tries")
	}
	if keys.find(other, here) != s {
		t.Error("the tries counted against another session")
	}
	if keys.find(key, there) != s {
		t.Error("the tries counted against another address")
	}
	now = now.Add(forgetEvery)
	if keys.find(key, here) != s {
		t.Error("wrong secrets are never forgotten")
	}
	keys.find(wrong, here)
	if keys.find(key, here) != nil {
		t.Error("all wrong secrets were forgotten at once")
	}
	now = now.Add(1e6 * time.Hour)
	for range 2 * maxWrongSecrets {
		keys.find(wrong, there)
		keys.find(mistaken(long, 31), here)
	}
	if keys.find(key, here) != s || keys.find(long, here) != s {
		t.Error("tries from elsewhere, or on a long secret, disable a key")
	}
	if keys.find(wire.CancelKey{ID: 9, Secret: long.Secret[:4]}, here) != nil || keys.find(wire.CancelKey{ID: 9, Secret: long.Secret + "x"}, here) != nil {
		t.Error("a part of a secret is enough")
	}
}

// Drivers compare their process id with the sender of a notification, and hand it to functions of the server.
func TestProcessIsTheServers(t *testing.T) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, newRig(t, nil).url("ana"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var process uint32
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&process); err != nil {
		t.Fatal(err)
	}
	if got := conn.PgConn().PID(); got != process {
		t.Errorf("the client was told process %d, and is served by %d", got, process)
	}
}

// The same process may come again while the session that had it has not ended, and must not take its key away.
func TestKeysAreUnique(t *testing.T) {
	keys := newCancelKeys()
	live := make(map[uint32]bool)
	for i := range 1000 {
		k := keys.issue(&session{}, uint32(i%3), 4, &net.TCPAddr{})
		if live[k.ID] || k.ID == 0 || int32(k.ID) < 0 {
			t.Fatalf("key %+v", k)
		}
		if i%2 == 0 {
			live[k.ID] = true
		} else {
			keys.withdraw(k)
		}
	}
	if keys.count() != 500 {
		t.Errorf("%d keys are left", keys.count())
	}
}

func TestShutdown(t *testing.T) {
	r := newRig(t, nil)
	idlePeer := connectAs(t, r.address.String(), "ana", r.database)
	busyPeer := connectAs(t, r.address.String(), "ana", r.database)
	busyPeer.send(encode(simpleQuery("SELECT pg_sleep(60)")))
	askingPeer := connectAs(t, r.address.String(), "ana", r.database)
	waiting := make(chan struct{})
	r.releaser.look(func(d *fakeReleaser) { d.wait = waiting })
	askingPeer.send(encode(simpleQuery(byRegion)))
	<-waiting
	r.proxy.Close()
	for name, p := range map[string]*peer{"idle": idlePeer, "busy": busyPeer, "asking": askingPeer} {
		if got := p.rest(); len(got) != 1 || !strings.HasPrefix(got[0], "E V=FATAL C=57P01") {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if err := <-r.served; err != nil {
		t.Error(err)
	}
	r.served <- nil
}

// When the server ends a session the client hears the server's own words.
func TestServerEndsSession(t *testing.T) {
	p, r := newPeer(t)
	if err := execute(r.database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ana' AND datname = '"+r.database+"'"); err != nil {
		t.Fatal(err)
	}
	got := p.rest()
	if len(got) != 1 || !strings.HasPrefix(got[0], "E V=FATAL C=57P01 M=terminating connection due to administrator command") {
		t.Errorf("got %q", got)
	}
}

// Sessions that end in any way leave nothing behind: no goroutine here, no backend on the server.
func TestNothingIsLeftBehind(t *testing.T) {
	r := newRigAlone(t, nil) // it counts goroutines
	r.leavesNothing(t, func() *peer { return connectAs(t, r.address.String(), "ana", r.database) })
}

func (r *rig) leavesNothing(t *testing.T, connect func() *peer) {
	t.Helper()
	first := connect() // by then the proxy has all goroutines that it keeps
	first.send(encode(goodbye))
	first.rest()
	before := runtime.NumGoroutine()
	large := encode(simpleQuery("SELECT repeat('x', 1000000) FROM generate_series(1, 50)"))
	ends := map[string]func(*peer){
		"goodbye":           func(p *peer) { p.send(encode(goodbye)); p.rest() },
		"gone":              func(p *peer) { p.conn.Close() },
		"gone in a message": func(p *peer) { p.send([]byte("Q\x00\x00\x01\x00SELECT")); p.conn.Close() },
		"gone in a reply":   func(p *peer) { p.send(large); p.receive(); p.conn.Close() },
		"gone in a copy": func(p *peer) {
			p.send(encode(simpleQuery(makeTable), simpleQuery("COPY t FROM STDIN"), copyData("1\t")))
			p.until('G', 1)
			p.conn.Close()
		},
		"gone after many Syncs in a copy": func(p *peer) {
			p.talk(1, simpleQuery(makeTable))
			p.send(encode(simpleQuery("COPY t FROM STDIN")))
			p.until('G', 1)
			p.send(append(bytes.Repeat(encode(sync_), relay.MaxOutstanding+5000), encode(copyDone)...))
			p.conn.Close()
		},
		"gone after many Syncs before a copy": func(p *peer) {
			p.talk(1, simpleQuery(makeTable))
			p.send(append(encode(simpleQuery("SELECT pg_sleep(0.5); COPY t FROM STDIN")), bytes.Repeat(encode(sync_), relay.MaxOutstanding+5000)...))
			p.conn.Close()
		},
		"gone in a block": func(p *peer) { p.talk(1, simpleQuery("BEGIN")); p.conn.Close() },
		"violation":       func(p *peer) { p.send([]byte("!!!!!!!!")); p.rest() },
		"violation while the client does not read": func(p *peer) {
			p.send(append(bytes.Clone(large), "!!!!!!!!"...))
			p.receive()
			p.conn.Close()
		},
		"gone in a pipeline": func(p *peer) {
			p.send(encode(parse("", byRegion), bind("", ""), executeUpTo("", 0), parse("", byRegion)))
			p.conn.Close()
		},
	}
	for _, end := range ends {
		for range 3 {
			end(connect())
		}
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		var backends int
		if err := conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE datname = $1", r.database).Scan(&backends); err != nil {
			t.Fatal(err)
		}
		goroutines := runtime.NumGoroutine()
		if backends == 0 && goroutines <= before && r.proxy.connections.Open() == 0 && r.proxy.keys.count() == 0 {
			return
		}
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d backends, %d goroutines before and %d after\n%s", backends, before, goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestPsql(t *testing.T) {
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("psql is not installed")
	}
	r := newRig(t, nil)
	cmd := exec.Command(psql, "-X", "-A", "-t", r.url("ana"))
	cmd.Stdin = strings.NewReader(byRegion + ";\n" + rowRead + ";\n\\d patients\nPREPARE p(int) AS " + byRegionOlder + ";\nEXECUTE p(1);\nSELECT 'end';\n")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := string(out)
	for _, want := range []string{"north|10\nsouth|20\n", "NOTICE:", "ERROR:", "HINT:", "region|text", "PREPARE\n", "end\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	executed := fmt.Sprintf("north|%d\n", fakeCount("count(*) FROM public.patients WHERE age >= 2 GROUP BY region", 0))
	if strings.Count(got, "north|") != 2 || !strings.Contains(got, executed) {
		t.Errorf("two answers expected, the second with %s:\n%s", executed, got)
	}
}

// An error of the answer that comes with a refusal shows the refusal and logs the rest.
func TestRefusalWithCause(t *testing.T) {
	p, r := newPeer(t)
	r.releaser.look(func(d *fakeReleaser) {
		d.fail = errors.Join(&pgerror.Refusal{Code: "58030", Message: "closed"}, errors.New("disk on fire"))
	})
	p.expect(1, messages{simpleQuery(byRegion)}, `E V=ERROR C=58030 M=closed `, idle)
	if s := r.log.String(); !strings.Contains(s, "disk on fire") {
		t.Errorf("the log does not tell: %s", s)
	}
	r.log.reset() // what is there was expected
}
