package listener

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
)

// socketPath is a path for a socket; those of t.TempDir can be too long for one.
func socketPath(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tacit")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, ".s.PGSQL.6432")
}

// meet connects to an address and returns both ends.
func meet(t *testing.T, l *Listener, network, address string) (client, server net.Conn) {
	t.Helper()
	client, err := net.Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

// Clients of all addresses are accepted, and after Close of none.
func TestOpen(t *testing.T) {
	path := socketPath(t)
	l, err := Open([]string{"127.0.0.1:0", path, "127.0.0.1:0"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	addresses := l.Addresses()
	for i, network := range []string{"tcp", "unix", "tcp"} {
		meet(t, l, network, addresses[i])
	}
	if mode, err := os.Stat(path); err != nil || mode.Mode().Perm() != 0o777 {
		t.Errorf("the socket has the mode %v, %v", mode, err)
	}
	if other, err := Open([]string{path}, nil); err == nil {
		other.Close()
		t.Error("two listen at one path")
	}
	asked, err := l.Accept() // by whoever would have listened there, too
	if err != nil {
		t.Fatal(err)
	}
	asked.Close()
	l.Close()
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accepted after Close: %v", err)
	}
	for i, network := range []string{"tcp", "unix", "tcp"} {
		if conn, err := net.Dial(network, addresses[i]); err == nil {
			conn.Close()
			t.Errorf("%s is open after Close", addresses[i])
		}
	}
}

// What a dead process left is removed, and a file that is no socket is not.
func TestOpenPath(t *testing.T) {
	path := socketPath(t)
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	l, err := Open([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	meet(t, l, "unix", path)
	l.Close()
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Open([]string{path}, nil); err == nil {
		l.Close()
		t.Error("listens where a file is")
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "kept" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

// A socket that is handed over serves its address. One of another address does not become a way in.
func TestHandedOver(t *testing.T) {
	hand := func(network, address string) net.Listener {
		given, err := net.Listen(network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { given.Close() })
		return given
	}
	path := socketPath(t)
	tcp, socket := hand("tcp", "127.0.0.1:0"), hand("unix", path)
	l, err := Open([]string{path, tcp.Addr().String()}, []net.Listener{tcp, socket})
	if err != nil {
		t.Fatal(err)
	}
	meet(t, l, "tcp", tcp.Addr().String())
	meet(t, l, "unix", path)
	l.Close()
	for name, wrong := range map[string]net.Listener{"does not listen there": hand("tcp", "127.0.0.1:0"), "no socket that listens": nil} {
		if l, err := Open([]string{"127.0.0.1:0"}, []net.Listener{wrong}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
}

// header is one of version 2 with what follows the first 13 bytes.
func header(command byte, family byte, rest []byte) []byte {
	return append(binary.BigEndian.AppendUint16(append([]byte(signature), command, family), uint16(len(rest))), rest...)
}

func addresses4(from netip.AddrPort) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(append(from.Addr().AsSlice(), make([]byte, len(from.Addr().AsSlice()))...), from.Port()), 6432)
}

func TestReadHeader(t *testing.T) {
	v4, v6 := netip.MustParseAddrPort("192.0.2.9:1234"), netip.MustParseAddrPort("[2001:db8::1]:65535")
	for name, test := range map[string]struct {
		bytes []byte
		from  string
		wrong bool
	}{
		"IPv4":                 {header(commandProxied, tcp4, addresses4(v4)), "192.0.2.9:1234", false},
		"IPv6":                 {header(commandProxied, tcp6, addresses4(v6)), "[2001:db8::1]:65535", false},
		"additions":            {header(commandProxied, tcp4, append(addresses4(v4), 3, 0, 4, 1, 2, 3, 4)), "192.0.2.9:1234", false},
		"a health check":       {header(commandLocal, 0, nil), "", false},
		"a longer check":       {header(commandLocal, tcp4, addresses4(v4)), "", false},
		"version 1":            {[]byte("PROXY TCP4 192.0.2.9 127.0.0.1 1234 6432\r\n" + strings.Repeat("x", 40)), "", true},
		"a start-up packet":    {[]byte("\x00\x00\x00\x10\x00\x03\x00\x00user\x00ana\x00\x00"), "", true},
		"another version":      {header(0x31, tcp4, addresses4(v4)), "", true},
		"another command":      {header(version2|2, tcp4, addresses4(v4)), "", true},
		"datagrams":            {header(commandProxied, 0x12, addresses4(v4)), "", true},
		"sockets":              {header(commandProxied, 0x31, make([]byte, 216)), "", true},
		"nobody":               {header(commandProxied, 0, nil), "", true},
		"too short":            {header(commandProxied, tcp4, addresses4(v4)[:11]), "", true},
		"too short for IPv6":   {header(commandProxied, tcp6, addresses4(v4)), "", true},
		"too long":             {header(commandProxied, tcp4, make([]byte, maxHeader+1)), "", true},
		"cut off":              {header(commandProxied, tcp4, addresses4(v4))[:20], "", true},
		"cut off at the front": {[]byte(signature)[:5], "", true},
	} {
		in := io.Reader(bytes.NewReader(append(test.bytes, "rest"...)))
		if strings.HasPrefix(name, "cut off") {
			in = bytes.NewReader(test.bytes)
		}
		from, err := ReadHeader(in)
		if (err != nil) != test.wrong || err == nil && (from == nil) != (test.from == "") || from != nil && from.String() != test.from {
			t.Errorf("%s: %v, %v", name, from, err)
		}
		if rest, _ := io.ReadAll(in); err == nil && string(rest) != "rest" {
			t.Errorf("%s: %q is left to read", name, rest)
		}
	}
}

// Whatever comes, no more is read than the header says, and an address without an error is one.
func FuzzReadHeader(f *testing.F) {
	f.Add(header(commandProxied, tcp4, addresses4(netip.MustParseAddrPort("192.0.2.9:1234"))))
	f.Add(header(commandLocal, 0, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := bytes.NewReader(data)
		from, err := ReadHeader(in)
		if err != nil {
			return
		}
		if used, want := len(data)-in.Len(), 16+int(binary.BigEndian.Uint16(data[14:])); used != want {
			t.Errorf("%d bytes were read of a header of %d", used, want)
		}
		if from != nil && !from.(*net.TCPAddr).AddrPort().IsValid() {
			t.Errorf("no address: %v", from)
		}
	})
}

func TestIsBalancer(t *testing.T) {
	networks := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00::7/128")}
	for text, want := range map[string]bool{"10.1.2.3:5": true, "10.2.0.1:5": false, "[fd00::7]:5": true, "[fd00::8]:5": false, "[::ffff:10.1.0.1]:5": true} {
		if got := IsBalancer(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(text)), networks); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if IsBalancer(&net.UnixAddr{}, networks) {
		t.Error("a socket of this machine is a balancer")
	}
}

// The account of a connection is that of the process which made it.
func TestAccount(t *testing.T) {
	path := socketPath(t)
	l, err := Open([]string{path, "127.0.0.1:0"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	_, server := meet(t, l, "unix", path)
	if account, err := Account(server); err != nil || account != me.Username {
		t.Errorf("the account is %q, %v, and this is %q", account, err, me.Username)
	}
	_, server = meet(t, l, "tcp", l.Addresses()[1])
	if account, err := Account(server); err == nil {
		t.Errorf("the account of a connection of the network is %q", account)
	}
}
