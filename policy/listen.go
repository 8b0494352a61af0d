package policy

import (
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// listen returns an address host:port. Port 0 is any free one.
func (d *decoder) listen(n *node) string {
	address, ok := d.text(n)
	if !ok {
		return ""
	}
	host, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil || !isHost(host) {
		d.report(n, fmt.Sprintf("%q is not host:port", address), "write an address and a port, such as 127.0.0.1:6432 or [::1]:6432")
		return ""
	}
	return address
}

// isHost accepts an IP address, a host name, and nothing at all, which is every address of this machine.
func isHost(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || strings.Trim(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") == ""
}

// auth decodes how analysts prove who they are. Without a password anybody who reaches the listener is every analyst, so that
// trust is for listeners that only this machine reaches.
func (d *decoder) auth(n *node, listen string) Auth {
	auth := Auth(d.choice(n, string(AuthSCRAM), string(AuthTrust), string(AuthCertificate)))
	if auth == AuthTrust && listen != "" && !isLoopback(listen) {
		d.report(n, fmt.Sprintf("trust on %s lets everybody in as any analyst", listen), "use auth: scram, or listen on 127.0.0.1")
	}
	return auth
}

// ListensHereOnly says whether only programs of this machine can connect.
func (p *Policy) ListensHereOnly() bool { return isLoopback(p.Listen) }

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Unmap().IsLoopback()
}
