package policy

import (
	"fmt"
	"slices"

	"tacit/policy/internal/address"
	"tacit/policy/internal/weburl"
)

// A Console is the web page of stewards, officers and analysts. Analysts log in as they do at the proxy, where they have passwords.
type Console struct {
	// Listen is the address, host:port. It has TLS with the certificate of the section tls if there is one; otherwise it is on loopback.
	Listen string
	// Officers read everything there is to see, and Stewards act, too. None of them is an analyst.
	Officers, Stewards []ConsoleLogin
	OIDC               *OIDC // nil: passwords alone
}

// A ConsoleLogin is somebody who is no analyst. One of its texts is not empty.
type ConsoleLogin struct {
	Name           string
	Password       string // a SCRAM-SHA-256 verifier in PostgreSQL's form
	Email, Subject string // by which the provider of OpenID Connect names them
}

// OIDC is a provider of OpenID Connect, and this console as its client.
type OIDC struct{ Issuer, ClientID, SecretFile, Redirect string }

// OIDCPath is the path of Redirect.
const OIDCPath = "/oidc/callback"

// HasTLS says whether the console can be encrypted.
func (t TLS) HasTLS() bool { return t.Certificate != "" }

// console decodes the section console. The section tls and the analysts are known.
func (d *decoder) console(n *node, p *Policy) *Console {
	o := d.object(n, "listen", "officers", "stewards", "oidc")
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
	c.OIDC = d.oidc(o.optional("oidc"))
	taken := map[string]string{}
	for _, a := range p.Analysts {
		taken[a.Name] = "an analyst"
	}
	c.Officers = d.consoleLogins(o.optional("officers"), "an officer", taken, c.OIDC != nil)
	c.Stewards = d.consoleLogins(o.optional("stewards"), "a steward", taken, c.OIDC != nil)
	return c
}

// oidc decodes a provider. Its secret is read when somebody logs in.
func (d *decoder) oidc(n *node) *OIDC {
	o := d.object(n, "issuer", "client_id", "client_secret_file", "redirect")
	if o.node == nil {
		return nil
	}
	checked := func(key, path, remedy string) string {
		at := o.required(key, remedy)
		text, ok := d.text(at)
		if err := weburl.Check(text, path); ok && err != nil {
			d.report(at, err.Error(), remedy)
		}
		return text
	}
	c := &OIDC{Issuer: checked("issuer", "", "write issuer: https://HOST"), Redirect: checked("redirect", OIDCPath, "write redirect: https://HOST:6480"+OIDCPath)}
	c.ClientID, _ = d.text(o.required("client_id", "write the name that the provider has for this console"))
	const remedy = "write client_secret_file: FILE"
	c.SecretFile = d.pemFile(o.required("client_secret_file", remedy), remedy)
	return c
}

// consoleLogins decodes names with their passwords. A name is that of one person, with one role.
func (d *decoder) consoleLogins(n *node, role string, taken map[string]string, oidc bool) (logins []ConsoleLogin) {
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
		logins = append(logins, d.consoleLogin(e, taken, oidc))
	}
	return logins
}

// consoleLogin decodes how somebody logs in: by a password, or as the provider names them, which nobody else is named.
func (d *decoder) consoleLogin(e entry, taken map[string]string, oidc bool) ConsoleLogin {
	keys := []string{"password", "email", "subject"}
	if !oidc {
		keys = keys[:1]
	}
	o, login := d.object(e.value, keys...), ConsoleLogin{Name: e.key}
	email, subject := o.optional("email"), o.optional("subject")
	if !oidc || email == nil && subject == nil {
		login.Password = d.analystPassword(o, AuthSCRAM) // as analysts', but there is always one
		return login
	}
	login.Email, _ = d.text(email)
	login.Subject, _ = d.text(subject)
	key := "email " + login.Email + " subject " + login.Subject
	if _, known := taken[key]; known || len(o.node.entries) != 1 || login.Email+login.Subject == "" {
		d.report(e.value, "this does not name one person", "write one of password, email and subject, each of another person")
	}
	taken[key] = e.key
	return login
}
