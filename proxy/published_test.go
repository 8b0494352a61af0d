package proxy

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/policy"
	"tacit/proxy/internal/wire"
)

// This file tries faults that were published of other proxies and drivers, as far as their cause could be here, too. CONTRIBUTING.md lists the tests of each.

// A hostile server does what serve does on each connection; analysts have the password "secret" there.
func newHostileRig(t *testing.T, parameters string, serve func(net.Conn)) *rig {
	t.Helper()
	listening, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listening.Close() })
	go func() {
		for {
			conn, err := listening.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return newRig(t, func(p *policy.Policy) {
		p.Upstream.Analyst = fmt.Sprintf("postgres://{analyst}:secret@%s/x?%s", listening.Addr(), parameters)
	})
}

const awayText = "C=08006 M=the database server cannot be reached"

// loggedIn is what a server says of a login that succeeds.
func loggedIn() []byte {
	out := wire.Append(wire.Append(nil, &pgproto3.AuthenticationOk{}), &pgproto3.BackendKeyData{ProcessID: 7, SecretKey: []byte("1234")})
	return wire.Append(out, &pgproto3.ReadyForQuery{TxStatus: 'I'})
}

// TestServerSpeaksBeforeTLS has somebody between the proxy and the server say in clear, together with the consent to encrypt, that the login succeeded.
func TestServerSpeaksBeforeTLS(t *testing.T) {
	r := newHostileRig(t, "sslmode=require", func(conn net.Conn) {
		if _, err := wire.ReadStartupPacket(conn); err == nil {
			conn.Write(append([]byte{'S'}, loggedIn()...))
			io.Copy(io.Discard, conn)
		}
	})
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "x"))
	if got := strings.Join(p.rest(), ""); !strings.Contains(got, awayText) {
		t.Errorf("got %q", got)
	}
}

// TestServerMisusesScram has a server answer a login with messages that are long, wrong, or cost much to answer, or have it let in whoever comes.
func TestServerMisusesScram(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	salt := base64.StdEncoding.EncodeToString(make([]byte, 16))
	// Each is the challenge and what follows the proxy's answer to it, if there is one. N is the nonce of the proxy.
	for name, tt := range map[string][2]string{
		"long nonce":                 {"r=N" + long + ",s=" + salt + ",i=4096", "v=" + salt},
		"long salt":                  {"r=Nx,s=" + base64.StdEncoding.EncodeToString([]byte(long)) + ",i=1", "v=" + salt},
		"another nonce":              {"r=other,s=" + salt + ",i=4096", "v=" + salt},
		"the proxy's nonce alone":    {"r=N,s=" + salt + ",i=4096", "v=" + salt},
		"endless iterations":         {"r=Nx,s=" + salt + ",i=2147483647", "v=" + salt},
		"iterations beyond integers": {"r=Nx,s=" + salt + ",i=99999999999999999999", "v=" + salt},
		"no iterations":              {"r=Nx,s=" + salt + ",i=0", "v=" + salt},
		"iterations below none":      {"r=Nx,s=" + salt + ",i=-4096", "v=" + salt},
		"nothing":                    {"", ""},
		"no salt":                    {"r=Nx,i=4096", "v=" + salt},
		"wrong signature":            {"r=Nx,s=" + salt + ",i=1", "v=" + salt},
		"long signature":             {"r=Nx,s=" + salt + ",i=1", "v=" + long},
		"no signature":               {"r=Nx,s=" + salt + ",i=1", ""},
		"an error as signature":      {"r=Nx,s=" + salt + ",i=1", "e=" + long},
	} {
		t.Run(name, func(t *testing.T) {
			r := newHostileRig(t, "sslmode=disable", func(conn net.Conn) {
				if _, err := wire.ReadStartupPacket(conn); err != nil {
					return
				}
				conn.Write(wire.Append(nil, &pgproto3.AuthenticationSASL{AuthMechanisms: []string{"SCRAM-SHA-256"}}))
				_, first, err := wire.ReadSASLInitial(conn)
				if err != nil {
					return
				}
				_, nonce, _ := strings.Cut(first, "r=")
				conn.Write(wire.Append(nil, &pgproto3.AuthenticationSASLContinue{Data: []byte(strings.Replace(tt[0], "N", nonce, 1))}))
				if _, err := wire.ReadPassword(conn); err == nil {
					conn.Write(append(wire.Append(nil, &pgproto3.AuthenticationSASLFinal{Data: []byte(tt[1])}), loggedIn()...))
					io.Copy(io.Discard, conn)
				}
			})
			p := dial(t, r.address.String())
			p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "x"))
			if got := strings.Join(p.rest(), ""); !strings.Contains(got, awayText) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestScramProofMalformed leaves attributes out of the last message of a login, or repeats or changes them. Each is refused as a wrong password is, and the proxy goes on.
func TestScramProofMalformed(t *testing.T) {
	r := newScramRig(t)
	proof := "p=" + base64.StdEncoding.EncodeToString(make([]byte, 32))
	for _, final := range []string{
		"", ",", ",,,", "c=biws", "c=biws,r=N", "c=biws," + proof, "r=N," + proof, proof, "c=,r=N," + proof, "c=biws,r=," + proof, "c=biws,r=N,p=", "c=biws,r=N,p", "c=biws,r=N,p=%%%",
		"c=biws,r=N,p=AA==", "c=biws,r=N,p=" + base64.StdEncoding.EncodeToString(make([]byte, 33)), "c=biws,r=Nx," + proof, "c=eSws,r=N," + proof, "m=x,c=biws,r=N," + proof,
		"c=biws,r=N,x=" + strings.Repeat("y", 200) + "," + proof, "c=biws,r=N," + proof + "," + proof, "c=biws,r=N," + proof + ",", "C=biws,R=N,P=x", "c=biws\x00,r=N," + proof, "=,=,=",
		"c=biws,c=biws,r=N," + proof, "c=biws,r=N,r=N," + proof, "n,,n=,r=N",
	} {
		p := dial(t, r.address.String())
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
		p.receive()
		p.send(saslInitial("SCRAM-SHA-256", "n,,n=,r=nonce"))
		_, nonce, _ := strings.Cut(string(p.receive().body), "r=")
		nonce, _, _ = strings.Cut(nonce, ",")
		p.send(sasl(strings.Replace(final, "r=N", "r="+nonce, 2)))
		got := p.rest()
		if len(got) != 1 || !strings.Contains(got[0], `C=28P01 M=password authentication failed for user "ana"`) {
			t.Errorf("%q: got %q", final, got)
		}
	}
	conn, err := pgconn.Connect(context.Background(), fmt.Sprintf("postgres://ana:sesame@%s/%s?sslmode=disable", r.address, r.database))
	if err != nil {
		t.Fatal(err)
	}
	conn.Close(context.Background())
}

// TestExpiredPassword has the server ask an analyst's role for a password that has expired. The proxy's own verifier of her says nothing of that, and does not help her.
func TestExpiredPassword(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) {
		p.Auth = policy.AuthSCRAM
		p.Analysts = append(p.Analysts, policy.Analyst{Name: "expired", Password: verifier(t, "sesame")})
		p.Upstream.Analyst = strings.Replace(p.Upstream.Analyst, "{analyst}", "{analyst}:secret", 1)
	})
	ctx := context.Background()
	admin, err := pgx.Connect(ctx, cluster.URL("postgres", r.database))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(ctx)
	var hba string
	if err := admin.QueryRow(ctx, "SHOW hba_file").Scan(&hba); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		"SET password_encryption = 'scram-sha-256'", "CREATE ROLE expired LOGIN PASSWORD 'secret' VALID UNTIL '2020-01-01'",
		"COPY (SELECT 'host all expired 127.0.0.1/32 scram-sha-256') TO PROGRAM 'cat - \"" + hba + "\" >\"" + hba + ".new\" && cat \"" + hba + ".new\" >\"" + hba + "\"'", "SELECT pg_reload_conf()",
	} {
		if _, err := admin.Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	login := func() error {
		conn, err := pgconn.Connect(ctx, fmt.Sprintf("postgres://expired:sesame@%s/%s?sslmode=disable", r.address, r.database))
		if err == nil {
			conn.Close(ctx)
		}
		return err
	}
	refused := login()
	r.until("the server has read pg_hba.conf", func() bool { refused = login(); return refused != nil })
	if !strings.Contains(refused.Error(), "the database server does not let") || !strings.Contains(refused.Error(), "28000") {
		t.Errorf("an expired password: %v", refused)
	}
	if _, err := admin.Exec(ctx, "ALTER ROLE expired VALID UNTIL 'infinity'"); err != nil {
		t.Fatal(err)
	}
	if err := login(); err != nil {
		t.Errorf("a valid one: %v", err)
	}
}

// TestNothingIsAskedBeforeLogin tries to log in with settings, and no connection to the server is made before the password was right.
func TestNothingIsAskedBeforeLogin(t *testing.T) {
	var accepted atomic.Int64
	r := newHostileRig(t, "sslmode=disable", func(net.Conn) { accepted.Add(1) })
	r.releaser.reload("2", func(p *policy.Policy) {
		p.Auth = policy.AuthSCRAM
		p.Analysts = []policy.Analyst{{Name: "ana", Password: verifier(t, "sesame")}}
	})
	for _, tt := range [][]string{{"ana", "wrong", "search_path=evil"}, {"eve", "sesame", "search_path=evil"}, {"ana", "wrong", "options=-csearch_path%3Devil"}} {
		_, err := pgconn.Connect(context.Background(), fmt.Sprintf("postgres://%s:%s@%s/x?sslmode=disable&%s", tt[0], tt[1], r.address, tt[2]))
		if err == nil || !strings.Contains(err.Error(), "28P01") {
			t.Errorf("%q: %v", tt, err)
		}
	}
	if n := accepted.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	if _, err := pgconn.Connect(context.Background(), fmt.Sprintf("postgres://ana:sesame@%s/x?sslmode=disable", r.address)); err == nil || accepted.Load() == 0 {
		t.Errorf("the right password: %v, and the server was asked %d times", err, accepted.Load())
	}
}

// shadows are functions and operators of an analyst's, with the names of those of which the proxy's own questions are made. Each notes that it was called.
const shadows = `CREATE SCHEMA trap AUTHORIZATION ana; SET ROLE ana; SET search_path = trap;
	CREATE TABLE called (name text);
	CREATE FUNCTION note(name text) RETURNS text LANGUAGE sql AS 'INSERT INTO trap.called VALUES (name) RETURNING name';
	CREATE FUNCTION current_setting(text, boolean) RETURNS text LANGUAGE sql AS $$SELECT trap.note('current_setting/2')$$;
	CREATE FUNCTION current_setting(text) RETURNS text LANGUAGE sql AS $$SELECT trap.note('current_setting')$$;
	CREATE FUNCTION unnest(text[]) RETURNS SETOF text LANGUAGE sql AS $$SELECT trap.note('unnest')$$;
	CREATE FUNCTION unnest(bigint[]) RETURNS SETOF bigint LANGUAGE sql AS $$SELECT 7::bigint FROM trap.note('unnest')$$;
	CREATE FUNCTION to_regclass(text) RETURNS regclass LANGUAGE sql AS $$SELECT 1259::regclass FROM trap.note('to_regclass')$$;
	CREATE FUNCTION pg_identify_object(oid, oid, integer, OUT type text, OUT schema text, OUT name text, OUT identity text) LANGUAGE sql AS $$SELECT trap.note('pg_identify_object'), 'trap', 'x', 'x'$$;
	CREATE FUNCTION to_jsonb(anyelement) RETURNS jsonb LANGUAGE sql AS $$SELECT '1'::jsonb FROM trap.note('to_jsonb')$$;
	CREATE FUNCTION octet_length(text) RETURNS integer LANGUAGE sql AS $$SELECT 1 FROM trap.note('octet_length')$$;
	CREATE FUNCTION same(text, text) RETURNS boolean LANGUAGE sql AS $$SELECT true FROM trap.note('=')$$;
	CREATE FUNCTION same(bigint, bigint) RETURNS boolean LANGUAGE sql AS $$SELECT true FROM trap.note('=')$$;
	CREATE OPERATOR = (LEFTARG = text, RIGHTARG = text, FUNCTION = same);
	CREATE OPERATOR = (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = same);
	CREATE OPERATOR <= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = same);
	CREATE TYPE int8 AS ENUM ('x'); CREATE TYPE regclass AS ENUM ('x');
	RESET ROLE`

// number is what the superuser reads.
func (r *rig) number(sql string) (n int) {
	r.t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, cluster.URL("postgres", r.database))
	if err != nil {
		r.t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, sql).Scan(&n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

// TestSearchPathMisleadsNobody begins sessions with a path on which an analyst's own functions and operators come before PostgreSQL's. What the proxy asks the server
// there calls none of them, and answers are what they are otherwise.
func TestSearchPathMisleadsNobody(t *testing.T) {
	r := newRig(t, nil)
	if err := execute(r.database, shadows); err != nil {
		t.Fatal(err)
	}
	asked := messages{
		simpleQuery("SELECT region, count(*) FROM public.patients GROUP BY region"), simpleQuery("SELECT * FROM public.patients"),
		parse("", "SELECT region, count(*) FROM public.patients WHERE region <> $1 GROUP BY region", 25), bind("", "", "south"), executeUpTo("", 0), sync_,
		simpleQuery("SELECT count(*) FROM public.patients WHERE age = ANY (ARRAY(SELECT 1 + 1))"), simpleQuery("EXPLAIN SELECT count(*) FROM public.patients WHERE age < 2"),
	}
	ask := func(params ...string) []string {
		return connectAs(t, r.address.String(), "ana", r.database, params...).talk(5, asked...)
	}
	want := ask()
	for _, params := range [][]string{{"search_path", "trap, pg_catalog, public"}, {"options", "-c search_path=trap,pg_catalog,public"}} {
		if diff := cmp.Diff(want, ask(params...)); diff != "" {
			t.Errorf("%q (-usual +misled):\n%s", params, diff)
		}
	}
	if n := r.number("SELECT count(*) FROM trap.called"); n != 0 {
		t.Errorf("they were called %d times", n)
	}
	connectAs(t, r.address.String(), "ana", r.database, "search_path", "trap, pg_catalog").talk(1, simpleQuery("SELECT current_setting('x')"))
	if n := r.number("SELECT count(*) FROM trap.called"); n != 1 {
		t.Errorf("her own statement calls them %d times", n)
	}
}

// cancelBytes is a cancel request.
func cancelBytes(k wire.CancelKey) []byte {
	packet := binary.BigEndian.AppendUint32(nil, uint32(12+len(k.Secret)))
	packet = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(packet, wire.CancelCode), k.ID)
	return append(packet, k.Secret...)
}

// onlyKey is the key of the only session.
func (r *rig) onlyKey() (key wire.CancelKey) {
	r.t.Helper()
	r.proxy.keys.mu.Lock()
	defer r.proxy.keys.mu.Unlock()
	if len(r.proxy.keys.sessions) != 1 {
		r.t.Fatalf("there are %d sessions", len(r.proxy.keys.sessions))
	}
	for id, k := range r.proxy.keys.sessions {
		key = wire.CancelKey{ID: id, Secret: k.secret}
	}
	return key
}

// TestCancelRequestsLeaveNothing sends cancel requests that find a session, that find none, that are cut off, and whose clients are gone at once. No descriptor, no goroutine and
// no connection to the server stays behind.
func TestCancelRequestsLeaveNothing(t *testing.T) {
	r := newRigAlone(t, nil) // it counts what the process has
	descriptors := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	p := connectAs(t, r.address.String(), "ana", r.database)
	key := r.onlyKey()
	send := func(packet []byte, gone bool) {
		conn, err := net.Dial("tcp", r.address.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.Write(packet)
		if gone {
			conn.(*net.TCPConn).SetLinger(0)
			return
		}
		io.Copy(io.Discard, conn)
	}
	p.expect(1, messages{simpleQuery("SELECT WHERE false")}, one("SELECT 0"), idle) // by then the session reads from both sides
	send(cancelBytes(key), false)
	goroutines, before := runtime.NumGoroutine(), descriptors()
	for range 25 {
		send(cancelBytes(key), false)
		send(cancelBytes(key), true)
		send(cancelBytes(mistaken(key, 0)), false)
		send(cancelBytes(wire.CancelKey{ID: key.ID + 1, Secret: key.Secret}), false)
		send(cancelBytes(key)[:10], true)
	}
	r.until("nothing is left of cancel requests", func() bool {
		return runtime.NumGoroutine() <= goroutines && descriptors() <= before
	})
	p.expect(1, messages{simpleQuery("SELECT WHERE false")}, one("SELECT 0"), idle)
	if n := r.number("SELECT count(*) FROM pg_stat_activity WHERE usename = 'ana' AND datname = current_database()"); n != 1 {
		t.Errorf("the server has %d sessions", n)
	}
}

// TestCancelOfFormerSession cancels with the key of a session that has ended, also under the number of another one. The other one's statement goes on.
func TestCancelOfFormerSession(t *testing.T) {
	r := newRig(t, nil)
	former := connectAs(t, r.address.String(), "ana", r.database)
	key := r.onlyKey()
	former.send(encode(goodbye))
	former.rest()
	r.until("the session has ended", func() bool { return r.proxy.keys.count() == 0 })
	p := connectAs(t, r.address.String(), "bob", r.database)
	now := r.onlyKey()
	waiting, counted := make(chan struct{}), make(chan struct{})
	r.releaser.look(func(d *fakeReleaser) { d.meanwhile = func() { close(waiting); <-counted } })
	p.send(encode(simpleQuery(byRegion)))
	<-waiting
	for _, id := range []uint32{key.ID, now.ID} {
		c := dial(t, r.address.String())
		c.send(cancelBytes(wire.CancelKey{ID: id, Secret: key.Secret}))
		c.rest()
	}
	close(counted)
	if got := strings.Join(p.until('Z', 1), ""); strings.Contains(got, "57014") || !strings.Contains(got, `SELECT 2`) {
		t.Errorf("got %s", got)
	}
}
