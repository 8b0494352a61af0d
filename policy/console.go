package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/address"
)

// A Console is the web page of stewards, officers and analysts. Analysts log in as they do at the proxy, where they have passwords.
type Console struct {
	// Listen is the address, host:port. It has TLS with the certificate of the section tls if there is one; otherwise it is on loopback.
	Listen string
	// Officers read everything there is to see, and Stewards act, too. None of them is an analyst.
	Officers, Stewards []ConsoleLogin
}

// A ConsoleLogin is somebody who is no analyst.
type ConsoleLogin struct {
	Name     string
	Password string // a SCRAM-SHA-256 verifier in PostgreSQL's form
}

// HasTLS says whether the console can be encrypted.
func (t TLS) HasTLS() bool { return t.Certificate != "" }

// console decodes the section console. The section tls and the analysts are known.
func (d *decoder) console(n *node, p *Policy) *Console {
	o := d.object(n, "listen", "officers", "stewards")
	if o.node == nil {
		return nil
	}
	const remedy = "write listen: 127.0.0.1:6480"
	listenNode := o.required("listen", remedy)
	c := &Console{Listen: d.pageAddress(listenNode, remedy)}
	switch {
	case c.Listen == "":
	case slices.Contains(p.Listen, c.Listen):
		d.report(listenNode, "analysts' connections come to this address", remedy)
	case !address.IsLocal(c.Listen) && !p.TLS.HasTLS():
		d.report(listenNode, "other machines can reach "+c.Listen+", and passwords would be sent there in clear", "write tls: {certificate: server.crt, key: server.key}, or "+remedy)
	}
	taken := map[string]string{}
	for _, a := range p.Analysts {
		taken[a.Name] = "an analyst"
	}
	c.Officers = d.consoleLogins(o.optional("officers"), "an officer", taken)
	c.Stewards = d.consoleLogins(o.optional("stewards"), "a steward", taken)
	return c
}

// consoleLogins decodes names with their passwords. A name is that of one person, with one role.
func (d *decoder) consoleLogins(n *node, role string, taken map[string]string) (logins []ConsoleLogin) {
	o := d.object(n)
	if o.node == nil {
		return nil
	}
	for _, e := range o.node.entries {
		name := e.value.key()
		if other, known := taken[e.key]; known {
			d.report(name, fmt.Sprintf("%s is %s already", e.key, other), "give them another name here")
		} else if err := checkRoleName(e.key); err != nil {
			d.report(name, err.Error(), "use lower-case letters, digits and underscores")
		}
		taken[e.key] = role
		// As analysts' passwords, but there is always one.
		logins = append(logins, ConsoleLogin{e.key, d.analystPassword(d.object(e.value, "password"), AuthSCRAM)})
	}
	return logins
}
