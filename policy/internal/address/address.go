package address

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
)

// maxPathBytes is the longest path of a socket on Linux, sun_path of unix(7) without its end.
const maxPathBytes = 107

// An Error says what is wrong with a text, and what to write instead.
type Error struct{ Problem, Remedy string }

func (e *Error) Error() string { return e.Problem }

// Check reads an address host:port, or the path of a socket as clients of PostgreSQL name it: DIRECTORY/.s.PGSQL.PORT. Port 0 is any free one.
func Check(text string) error {
	if strings.HasPrefix(text, "/") {
		return checkPath(text)
	}
	host, port, err := net.SplitHostPort(text)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || !isHost(host) {
		return &Error{fmt.Sprintf("%q is not host:port", text), "write an address and a port, such as 127.0.0.1:6432 or [::1]:6432"}
	}
	return nil
}

func checkPath(text string) error {
	port, ok := strings.CutPrefix(filepath.Base(text), ".s.PGSQL.")
	if _, err := strconv.ParseUint(port, 10, 16); !ok || err != nil || filepath.Clean(text) != text || strings.Contains(text, "\x00") {
		return &Error{fmt.Sprintf("clients do not find a socket %q", text), "write a directory and .s.PGSQL.PORT, such as /run/tacit/.s.PGSQL.6432"}
	}
	if len(text) > maxPathBytes {
		return &Error{fmt.Sprintf("the path of a socket has at most %d bytes, and this has %d", maxPathBytes, len(text)), "use a shorter directory"}
	}
	return nil
}

// isHost accepts an IP address, a host name, and nothing at all, which is every address of this machine.
func isHost(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == ""
}

// IsSocket says whether an address is the path of a socket.
func IsSocket(text string) bool { return strings.HasPrefix(text, "/") }

// IsLocal says whether only programs of this machine can connect to an address.
func IsLocal(text string) bool {
	if IsSocket(text) {
		return true
	}
	host, _, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// Network reads an IP address, or a network such as 10.1.0.0/16.
func Network(text string) (netip.Prefix, error) {
	wrong := &Error{fmt.Sprintf("%q is not an address or a network", text), "write an IP address such as 10.0.0.7, or a network such as 10.1.0.0/16"}
	if ip, err := netip.ParseAddr(text); err == nil && ip.Zone() == "" {
		ip = ip.Unmap()
		return netip.PrefixFrom(ip, ip.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	switch {
	case err != nil || network.Addr().Is4In6():
		return netip.Prefix{}, wrong
	case network != network.Masked():
		return netip.Prefix{}, &Error{fmt.Sprintf("%s is an address of the network %s", text, network.Masked()), "write " + network.Masked().String()}
	case network.Bits() == 0:
		return netip.Prefix{}, &Error{fmt.Sprintf("%s is everybody", text), "name the load balancers"}
	}
	return network, nil
}
