package policy

import (
	"net/url"
	"strings"

	"tacit/policy/internal/hosts"
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
		if mode != "verify-full" && mode != "verify-ca" && hosts.Elsewhere(u) {
			keys = append(keys, c.key)
		}
	}
	return keys
}
