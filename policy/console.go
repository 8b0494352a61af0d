package policy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy/internal/address"
	"tacit/policy/internal/document"
	"tacit/policy/internal/weburl"
)

// A Console is the web page of stewards, officers and analysts. Analysts log in as they do at the proxy, where they have passwords.
type Console struct {
	// Listen is the address, host:port. It has TLS with the certificate of the section tls if there is one; otherwise it is on loopback.
	Listen string
	// Officers read everything there is to see, and Stewards act, too. None of them is an analyst.
	Officers, Stewards []ConsoleLogin
	OIDC               *OIDC // nil: passwords alone
	// Approval are the acts of a steward at the console that wait for another one.
	Approval []string
}

// approvable are the acts that can wait for another steward.
var approvable = []string{"grant", "freeze", "thaw", "epoch", "publish", "seal"}

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
func (d *decoder) console(n *document.Node, p *Policy) *Console {
	o := d.Object(n, "listen", "officers", "stewards", "oidc", "approval")
	if o.Node == nil {
		return nil
	}
	const remedy = "write listen: 127.0.0.1:6480"
	listenNode := o.Required("listen", remedy)
	c := &Console{Listen: d.pageAddress(listenNode, remedy)}
	switch {
	case c.Listen == "":
	case slices.Contains(p.Listen, c.Listen):
		d.Report(listenNode, "analysts' connections come to this address", remedy)
	case !address.IsLocal(c.Listen) && !p.TLS.HasTLS():
		d.Report(listenNode, "other machines can reach "+c.Listen+", and passwords would be sent there in clear", "write tls: {certificate: server.crt, key: server.key}, or "+remedy)
	}
	c.OIDC = d.oidc(o.Optional("oidc"))
	taken := map[string]string{}
	for _, a := range p.Analysts {
		taken[a.Name] = "an analyst"
	}
	c.Officers = d.consoleLogins(o.Optional("officers"), "an officer", taken, c.OIDC != nil)
	c.Stewards = d.consoleLogins(o.Optional("stewards"), "a steward", taken, c.OIDC != nil)
	c.Approval = d.approval(o.Optional("approval"), len(c.Stewards))
	return c
}

// approval decodes the names of acts. Where one steward is alone, nobody could approve.
func (d *decoder) approval(n *document.Node, stewards int) (acts []string) {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	for _, item := range n.Items {
		name, ok := d.Text(item)
		switch {
		case !ok:
		case !slices.Contains(approvable, name) || slices.Contains(acts, name):
			d.Report(item, fmt.Sprintf("%q is no act that can wait for another steward, or stands twice", name), "write some of "+strings.Join(approvable, ", "))
		default:
			acts = append(acts, name)
		}
	}
	if len(acts) > 0 && stewards < 2 {
		d.Report(n, "there is no other steward who could approve", "name two stewards at least")
	}
	return acts
}

// oidc decodes a provider. Its secret is read when somebody logs in.
func (d *decoder) oidc(n *document.Node) *OIDC {
	o := d.Object(n, "issuer", "client_id", "client_secret_file", "redirect")
	if o.Node == nil {
		return nil
	}
	checked := func(key, path, remedy string) string {
		at := o.Required(key, remedy)
		text, ok := d.Text(at)
		if err := weburl.Check(text, path); ok && err != nil {
			d.Report(at, err.Error(), remedy)
		}
		return text
	}
	c := &OIDC{Issuer: checked("issuer", "", "write issuer: https://HOST"), Redirect: checked("redirect", OIDCPath, "write redirect: https://HOST:6480"+OIDCPath)}
	c.ClientID, _ = d.Text(o.Required("client_id", "write the name that the provider has for this console"))
	const remedy = "write client_secret_file: FILE"
	c.SecretFile = d.pemFile(o.Required("client_secret_file", remedy), remedy)
	return c
}

// consoleLogins decodes names with their passwords. A name is that of one person, with one role.
func (d *decoder) consoleLogins(n *document.Node, role string, taken map[string]string, oidc bool) (logins []ConsoleLogin) {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	for _, e := range o.Node.Entries {
		name := e.Value.AtKey()
		if other, known := taken[e.Key]; known {
			d.Report(name, fmt.Sprintf("%s is %s already", e.Key, other), "give them another name here")
		} else if err := checkRoleName(e.Key); err != nil {
			d.Report(name, err.Error(), "use lower-case letters, digits and underscores")
		}
		taken[e.Key] = role
		logins = append(logins, d.consoleLogin(e, taken, oidc))
	}
	return logins
}

// consoleLogin decodes how somebody logs in: by a password, or as the provider names them, which nobody else is named.
func (d *decoder) consoleLogin(e document.Entry, taken map[string]string, oidc bool) ConsoleLogin {
	keys := []string{"password", "email", "subject"}
	if !oidc {
		keys = keys[:1]
	}
	o, login := d.Object(e.Value, keys...), ConsoleLogin{Name: e.Key}
	email, subject := o.Optional("email"), o.Optional("subject")
	if !oidc || email == nil && subject == nil {
		login.Password = d.analystPassword(o, AuthSCRAM) // as analysts', but there is always one
		return login
	}
	login.Email, _ = d.Text(email)
	login.Subject, _ = d.Text(subject)
	key := "email " + login.Email + " subject " + login.Subject
	if _, known := taken[key]; known || len(o.Node.Entries) != 1 || login.Email+login.Subject == "" {
		d.Report(e.Value, "this does not name one person", "write one of password, email and subject, each of another person")
	}
	taken[key] = e.Key
	return login
}
