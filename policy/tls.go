package policy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy/internal/document"
)

// This file decodes how connections of analysts are encrypted. The invariant: a listener that other machines can reach has TLS, or the policy
// says in so many words that it has none. Files are named here and read elsewhere. Start at tls.

// TLS says how connections between analysts and the proxy are encrypted.
type TLS struct {
	Mode TLSMode
	// Certificate and Key are paths of PEM files. Relative ones were taken from the policy file's directory. Both are set unless Mode is
	// TLSDisable.
	Certificate, Key string
	// ClientCA is the path of a PEM file with the authorities of analysts' certificates. It is set if Mode is TLSVerifyCA or TLSVerifyFull.
	ClientCA string
	// Names are the analysts by the common names of their certificates; nil if each common name is the analyst's own.
	Names map[string]string
}

// A TLSMode says what of encryption and certificates a client must bring.
type TLSMode string

const (
	TLSDisable    TLSMode = "disable"     // none is offered
	TLSAllow      TLSMode = "allow"       // offered; a client may go without
	TLSRequire    TLSMode = "require"     // a client that goes without is refused
	TLSVerifyCA   TLSMode = "verify-ca"   // and the client has a certificate of ClientCA
	TLSVerifyFull TLSMode = "verify-full" // which names the analyst
)

// AsksForCertificate says whether clients must have certificates.
func (m TLSMode) AsksForCertificate() bool { return m == TLSVerifyCA || m == TLSVerifyFull }

const (
	certificateRemedy = "name the PEM file with the proxy's certificate, and those of intermediate authorities behind it"
	keyRemedy         = "name the PEM file with the key of that certificate, which only the proxy's account can read"
	clientCARemedy    = "name the PEM file with the certificates of those who sign analysts' certificates"
	plainRemedy       = "write tls: {certificate: server.crt, key: server.key} (docs/operations.md shows how to make them), " +
		"or listen on 127.0.0.1, or write tls: {mode: disable} if a tunnel encrypts what comes there"
)

// tls decodes the section tls.
func (d *decoder) tls(root document.Object, p *Policy) TLS {
	n := root.Optional("tls")
	reachable := p.reachable()
	if n == nil {
		if reachable != "" {
			d.Report(root.Optional("listen"), "other machines can connect to "+reachable+", and the policy says nothing of encryption", plainRemedy)
		}
		return TLS{Mode: TLSDisable}
	}
	o := d.Object(n, "mode", "certificate", "key", "client_ca", "names")
	if o.Node == nil {
		return TLS{}
	}
	t := TLS{Mode: d.tlsMode(o, reachable != "")}
	if t.Mode == TLSDisable {
		for _, e := range o.Node.Entries {
			if e.Key != "mode" {
				d.Report(e.Value.AtKey(), "it is for connections with TLS, and the mode is disable", "remove the key, or write mode: require")
			}
		}
		return t
	}
	t.Certificate = d.pemFile(o.Required("certificate", certificateRemedy), certificateRemedy)
	t.Key = d.pemFile(o.Required("key", keyRemedy), keyRemedy)
	if t.Mode.AsksForCertificate() {
		t.ClientCA = d.pemFile(o.Required("client_ca", clientCARemedy), clientCARemedy)
	} else if ca := o.Optional("client_ca"); ca != nil {
		d.Report(ca, "analysts' certificates are looked at under mode: verify-ca and mode: verify-full only", "write one of these, or remove the key")
	}
	if names := o.Optional("names"); names != nil {
		if t.Mode != TLSVerifyFull {
			d.Report(names, "names in certificates count under mode: verify-full only", "write mode: verify-full, or remove the key")
		}
		t.Names = d.certificateNames(names, p.Analysts)
	}
	return t
}

// tlsMode is the mode, by default require, or allow where only this machine can connect.
func (d *decoder) tlsMode(o document.Object, public bool) TLSMode {
	modes := []string{string(TLSDisable), string(TLSAllow), string(TLSRequire), string(TLSVerifyCA), string(TLSVerifyFull)}
	n := o.Optional("mode")
	switch {
	case n != nil:
		return TLSMode(d.Choice(n, modes...))
	case public:
		return TLSRequire
	}
	return TLSAllow
}

func (d *decoder) pemFile(n *document.Node, remedy string) string {
	path, ok := d.Text(n)
	switch {
	case !ok:
		return ""
	case path == "" || strings.HasSuffix(path, "/"):
		d.Report(n, "this names no file", remedy)
		return ""
	}
	return d.besidePolicy(path)
}

// certificateNames decodes a mapping of common names to analysts.
func (d *decoder) certificateNames(n *document.Node, analysts []Analyst) map[string]string {
	o := d.Object(n)
	if o.Node == nil {
		return nil
	}
	const remedy = "write {common name of a certificate: analyst}"
	if len(o.Node.Entries) == 0 {
		d.Report(o.Node, "no certificate names an analyst", remedy)
	}
	names := make(map[string]string)
	for _, e := range o.Node.Entries {
		analyst, ok := d.Text(e.Value)
		switch {
		case !ok:
		case e.Key == "":
			d.Report(e.Value.AtKey(), "a certificate without a name names nobody", remedy)
		case !slices.ContainsFunc(analysts, func(a Analyst) bool { return a.Name == analyst }):
			d.Report(e.Value, fmt.Sprintf("%q is no analyst of this policy", analyst), remedy)
		}
		names[e.Key] = analyst
	}
	return names
}

// checkCertificateAuth reports a way to log in that has nothing to go by: a certificate is all that such an analyst shows.
func (d *decoder) checkCertificateAuth(n *document.Node, p *Policy) {
	if p.Auth == AuthCertificate && p.TLS.Mode != "" && p.TLS.Mode != TLSVerifyFull {
		d.Report(n, "certificates stand for passwords only where they name the analyst", "write tls: {mode: verify-full, ...}, or auth: scram")
	}
}
