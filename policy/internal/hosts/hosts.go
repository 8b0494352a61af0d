package hosts

import (
	"net"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Elsewhere says whether a connection string names a host that is another machine.
func Elsewhere(u *url.URL) bool { return slices.ContainsFunc(Of(u), isElsewhere) }

// Of are the hosts of a connection string, of which there may be several.
func Of(u *url.URL) (hosts []string) {
	named := u.Query().Get("host")
	if named == "" {
		named = u.Host
	}
	for host := range strings.SplitSeq(named, ",") {
		if bare, _, err := net.SplitHostPort(host); err == nil {
			host = bare
		}
		hosts = append(hosts, strings.Trim(host, "[]"))
	}
	return hosts
}

// isElsewhere says whether a host is not this machine, nor a directory of sockets.
func isElsewhere(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host != "" && host != "localhost" && !path.IsAbs(host) && (err != nil || !ip.Unmap().IsLoopback())
}
