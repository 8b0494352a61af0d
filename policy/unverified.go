package policy

import (
	"net"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
)

// UnverifiedServers are the keys of connection strings by which the proxy talks to another machine without a proof of which one it is: somebody on
// the way could read, and answer, in its place.
func (p *Policy) UnverifiedServers() (keys []string) {
	for _, c := range []struct{ key, text string }{
		{"upstream.analyst", strings.ReplaceAll(p.Upstream.Analyst, placeholder, stand)}, {"upstream.curator", p.Upstream.Curator},
		{"upstream.publisher", p.Upstream.Publisher}, {"ledger", p.Ledger.Postgres},
	} {
		u, err := url.Parse(c.text)
		if c.text == "" || err != nil {
			continue
		}
		mode := u.Query().Get("sslmode")
		if mode != "verify-full" && mode != "verify-ca" && slices.ContainsFunc(hostsOf(u), isElsewhere) {
			keys = append(keys, c.key)
		}
	}
	return keys
}

// hostsOf are the hosts of a connection string, of which there may be several.
func hostsOf(u *url.URL) (hosts []string) {
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
