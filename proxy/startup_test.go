package proxy

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/policy"
	"tacit/proxy/internal/wire"
)

func TestLoginRefusals(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Analysts = append(p.Analysts, policy.Analyst{Name: "without role"}) })
	db := r.database
	ok := []string{"user", "ana", "database", db}
	with := func(more ...string) []byte {
		return startupBytes(pgproto3.ProtocolVersion30, append(append([]string{}, ok...), more...)...)
	}
	tests := []struct {
		name string
		send []byte
		want string // part of the only reply; empty: closed without a word
	}{
		{"unknown analyst", startupBytes(pgproto3.ProtocolVersion30, "user", "eve", "database", db), `C=28000 M=role "eve" does not exist`},
		{"no user", startupBytes(pgproto3.ProtocolVersion30, "database", db), "C=28000 M=no PostgreSQL user name"},
		{"other database", startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "postgres"), `C=3D000 M=database "postgres" does not exist`},
		{"database defaults to user", startupBytes(pgproto3.ProtocolVersion30, "user", "ana"), `C=3D000 M=database "ana" does not exist`},
		{"empty database", startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", ""), `C=3D000 M=database "ana" does not exist`},
		{"replication", with("replication", "database"), "C=0A000 M=replication"},
		{"replication on", with("replication", "1"), "C=0A000 M=replication"},
		{"options", with("options", "-c role=postgres"), `C=42704 M=startup parameter "role"`},
		{"options twice", with("options", "-c work_mem=1MB", "options", "-c work_mem=2MB"), `C=42704 M=startup parameter "options" is given twice`},
		{"unknown parameter", with("session_preload_libraries", "x"), `C=42704 M=startup parameter "session_preload_libraries"`},
		{"role", with("role", "postgres"), `C=42704 M=startup parameter "role"`},
		{"standard_conforming_strings", with("standard_conforming_strings", "off"), "C=42704"},
		{"given twice", with("user", "bob"), `C=42704 M=startup parameter "user" is given twice`},
		{"given twice in other case", with("TimeZone", "UTC", "timezone", "UTC"), `is given twice`},
		{"other case of user", startupBytes(pgproto3.ProtocolVersion30, "USER", "ana", "database", db), "C=42704"},
		{"encoding", with("client_encoding", "LATIN1"), `C=22023 M=client_encoding "LATIN1"`},
		{"bad value", with("statement_timeout", "soon"), `C=22023 M=invalid value for parameter "statement_timeout"`},
		{"not UTF-8", with("application_name", "\xff"), "C=22021"},
		{"no role upstream", startupBytes(pgproto3.ProtocolVersion30, "user", "without role", "database", db), "C=28000 M=the database server does not let"},
		{"protocol 2", startupBytes(2<<16, ok...), "C=0A000 M=unsupported frontend protocol 2.0"},
		{"protocol 4", startupBytes(4<<16, ok...), "C=0A000 M=unsupported frontend protocol 4.0: server supports 3.0 to 3.2"},
		{"too short", []byte{0, 0, 0, 7, 0, 3, 0}, "C=08P01 M=invalid length"},
		{"too long", binary.BigEndian.AppendUint32(nil, 10001), "C=08P01 M=invalid length"},
		{"huge", []byte{0xff, 0xff, 0xff, 0xff}, "C=08P01 M=invalid length"},
		{"no terminator", []byte{0, 0, 0, 12, 0, 3, 0, 0, 'u', 0, 'a', 0}, "C=08P01 M=invalid startup packet layout"},
		{"bytes behind the terminator", []byte{0, 0, 0, 10, 0, 3, 0, 0, 0, 0}, "C=08P01 M=invalid startup packet layout"},
		{"value missing", []byte{0, 0, 0, 10, 0, 3, 0, 0, 'u', 0}, "C=08P01 M=invalid startup packet layout"},
		{"TLS twice", append(startupBytes8(wire.SSLCode), startupBytes8(wire.SSLCode)...), "C=08P01"},
		{"long request for TLS", []byte{0, 0, 0, 9, 0x04, 0xd2, 0x16, 0x2f, 0}, "C=08P01 M=invalid length"},
		{"long cancel", append(binary.BigEndian.AppendUint32(nil, 12+257), append([]byte{0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1}, make([]byte, 257)...)...), "C=08P01 M=invalid length of cancel key"},
		{"cancel without secret", []byte{0, 0, 0, 12, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1}, "C=08P01 M=invalid length of cancel key"},
		{"unknown long cancel key", append(binary.BigEndian.AppendUint32(nil, 12+256), append([]byte{0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1}, make([]byte, 256)...)...), ""},
		{"unknown cancel key", []byte{0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 0, 0, 0, 0}, ""},
		{"unknown protocol option", startupBytes(3<<16|9999, "user", "eve", "_pq_.a", "1", "_pq_.b", "2"), "does not exist"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := dial(t, r.address.String())
			p.send(tt.send)
			for range strings.Count(tt.name, "TLS twice") {
				var no [1]byte
				p.conn.Read(no[:])
			}
			got := p.rest()
			if tt.want == "" {
				if len(got) > 0 {
					t.Errorf("got %q", got)
				}
				return
			}
			if len(got) == 0 || !strings.HasPrefix(got[len(got)-1], "E V=FATAL") || !strings.Contains(got[len(got)-1], tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// startupBytes8 is a request of one code and nothing else.
func startupBytes8(code uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{0, 0, 0, 8}, code)
}

func TestEncryptionIsDeclined(t *testing.T) {
	r := newRig(t, nil)
	p := dial(t, r.address.String())
	for _, code := range []uint32{wire.GSSEncCode, wire.SSLCode} {
		p.send(startupBytes8(code))
		var answer [1]byte
		if _, err := p.conn.Read(answer[:]); err != nil || answer[0] != 'N' {
			t.Fatalf("answer %q, %v", answer, err)
		}
	}
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
	p.until('Z', 1)
}

func TestNewerProtocolIsNegotiated(t *testing.T) {
	r := newRig(t, nil)
	for _, tt := range []struct {
		version uint32
		options []string
		want    string
	}{
		{3<<16 | 3, nil, `v "\x00\x03\x00\x02\x00\x00\x00\x00"`},
		{3<<16 | 2, []string{"_pq_.x", "1"}, `v "\x00\x03\x00\x02\x00\x00\x00\x01_pq_.x\x00"`},
		{3<<16 | 9999, []string{"_pq_.x", "1", "_pq_.y", ""}, `v "\x00\x03\x00\x02\x00\x00\x00\x02_pq_.x\x00_pq_.y\x00"`},
		{3 << 16, []string{"_pq_.x", "1"}, `v "\x00\x03\x00\x00\x00\x00\x00\x01_pq_.x\x00"`},
	} {
		p := dial(t, r.address.String())
		p.send(startupBytes(tt.version, append([]string{"user", "ana", "database", r.database}, tt.options...)...))
		if got := p.until('Z', 1); got[0] != tt.want {
			t.Errorf("version %x: got %s, want %s", tt.version, got[0], tt.want)
		}
	}
}

// What a client sets when connecting is set upstream, and nothing from the proxy's own environment is.
func TestSettings(t *testing.T) {
	t.Setenv("PGOPTIONS", "-c work_mem=1MB")
	t.Setenv("PGAPPNAME", "steward")
	t.Setenv("PGTZ", "Asia/Tokyo")
	r := newRigAlone(t, nil)
	p := connectAs(t, r.address.String(), "ana", r.database, "application_name", "x", "DateStyle", "German",
		"replication", "false", "options", " ", "client_encoding", "'utf-8'", "search_path", "pg_temp, public")
	for _, tt := range []struct{ setting, want string }{
		{"application_name", "x"}, {"datestyle", "German, DMY"}, {"search_path", "pg_temp, public"}, {"client_encoding", "UTF8"},
		{"tacit.notices", "on"}, {"tacit.fresh", "off"}, {"tacit.max_age", "forever"}, {"tacit.within", "off"}, {"work_mem", "4MB"},
	} {
		p.send(encode(simpleQuery("SHOW " + tt.setting)))
		if got := strings.Join(p.until('Z', 1), "\n"); !strings.Contains(got, fmt.Sprintf("%q", tt.want)[1:len(tt.want)+1]) {
			t.Errorf("%s is %s, want %s", tt.setting, got, tt.want)
		}
	}
}

// The server's settings are reported in the order of their names, then our own key, then ReadyForQuery.
func TestWelcome(t *testing.T) {
	r := newRig(t, nil)
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
	var kinds, previous string
	for {
		m := p.receive()
		if m.kind == 'S' {
			if s := string(m.body); s < previous {
				t.Errorf("%q after %q", s, previous)
			} else {
				previous = s
			}
		}
		if kinds += string(m.kind); m.kind == 'Z' {
			break
		}
	}
	if trimmed := strings.ReplaceAll(kinds, "S", ""); trimmed != "RKZ" || !strings.HasPrefix(kinds, "RS") {
		t.Errorf("messages %s", kinds)
	}
}

func TestTooManyClients(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Limits.Connections = 2 })
	first := connectAs(t, r.address.String(), "ana", r.database)
	connectAs(t, r.address.String(), "bob", r.database)
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
	if got := strings.Join(p.rest(), ""); !strings.Contains(got, "C=53300") {
		t.Errorf("third client: %s", got)
	}
	first.send(encode(goodbye))
	first.rest()
	for { // the slot is free soon
		p := dial(t, r.address.String())
		p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", r.database))
		if m := p.receive(); m.kind == 'R' {
			return
		}
	}
}

func TestServerIsAway(t *testing.T) {
	r := newRig(t, func(p *policy.Policy) { p.Upstream.Analyst = "postgres://{analyst}@127.0.0.1:1/db" })
	p := dial(t, r.address.String())
	p.send(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "db"))
	got := strings.Join(p.rest(), "")
	if !strings.Contains(got, "C=08006") || strings.Contains(got, "127.0.0.1") {
		t.Errorf("got %s", got)
	}
}

func TestUpstreamConfigEscapesAnalyst(t *testing.T) {
	for _, name := range []string{"ana", "a b", "a@evil:1/x", "a%2f", "a?host=evil", "a+b", "été", "a/b"} {
		c, err := upstreamConfig(policy.Upstream{Analyst: "postgres://{analyst}@db.example:5433/hospital"}, name, nil)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		if c.User != name || c.Host != "db.example" || c.Port != 5433 || c.Database != "hospital" {
			t.Errorf("%q: user %q host %q port %d database %q", name, c.User, c.Host, c.Port, c.Database)
		}
	}
}

func FuzzStartupPacket(f *testing.F) {
	f.Add(startupBytes(pgproto3.ProtocolVersion30, "user", "ana", "database", "x"))
	f.Add(startupBytes(3<<16|2, "_pq_.a", "b", "user", "ana"))
	f.Add(startupBytes8(wire.SSLCode))
	f.Add(startupBytes8(wire.GSSEncCode))
	f.Add([]byte{0, 0, 0, 16, 0x04, 0xd2, 0x16, 0x2e, 0, 0, 0, 1, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, packet []byte) {
		parsed, err := wire.ReadStartupPacket(bytes.NewReader(packet))
		if err != nil {
			if parsed != (wire.StartupPacket{}) {
				t.Error("an error and a packet")
			}
			return
		}
		m := parsed.Startup
		if m == nil {
			return
		}
		// What was understood, written out again, is what came, but for the order of protocol options.
		size := 4 + 4 + 1
		for _, p := range m.Params {
			if strings.ContainsRune(p.Name+p.Value, 0) || p.Name == "" {
				t.Errorf("parameter %q", p)
			}
			size += len(p.Name) + len(p.Value) + 2
		}
		if len(m.Options) == 0 && size != int(binary.BigEndian.Uint32(packet)) {
			t.Errorf("%d bytes understood of %d", size, binary.BigEndian.Uint32(packet))
		}
		if l, refusal := readLogin(m.Params); refusal == nil && (l.user == "" || l.database == "") {
			t.Errorf("login %+v", l)
		}
	})
}

// A client that never finishes its handshake is not waited for longer when the proxy ends.
func TestCloseDuringHandshake(t *testing.T) {
	r := newRig(t, nil)
	p := dial(t, r.address.String())
	p.send([]byte{0, 0})
	for r.proxy.handshakes.count() == 0 {
		time.Sleep(time.Millisecond)
	}
	r.proxy.Close()
	if err := <-r.served; err != nil {
		t.Error(err)
	}
	r.served <- nil
}

func TestFatalIsNotRefusal(t *testing.T) {
	var f wire.Fatal
	if err := error(wire.ProtocolViolation("x")); !errors.As(err, &f) || f.Code != "08P01" {
		t.Errorf("%v", err)
	}
}
