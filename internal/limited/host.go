package limited

import (
	"net"
	"net/netip"
	"strings"
)

// IsThisMachine says whether a Host header names the loopback interface. Another name for this address may be that of a page elsewhere, which a browser
// would take for the same site (DNS rebinding).
func IsThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return host == "localhost" || err == nil && ip.IsLoopback()
}
