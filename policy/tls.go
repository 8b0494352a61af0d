package policy

import (
	"fmt"
	"slices"
	"strings"
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
func (d *decoder) tls(root object, p *Policy) TLS {
	n := root.optional("tls")
	reachable := p.reachable()
	if n == nil {
		if reachable != "" {
			d.report(root.optional("listen"), "other machines can connect to "+reachable+", and the policy says nothing of encryption", plainRemedy)
		}
		return TLS{Mode: TLSDisable}
	}
	o := d.object(n, "mode", "certificate", "key", "client_ca", "names")
	if o.node == nil {
		return TLS{}
	}
	t := TLS{Mode: d.tlsMode(o, reachable != "")}
	if t.Mode == TLSDisable {
		for _, e := range o.node.entries {
			if e.key != "mode" {
				d.report(e.value.key(), "it is for connections with TLS, and the mode is disable", "remove the key, or write mode: require")
			}
		}
		return t
	}
	t.Certificate = d.pemFile(o.required("certificate", certificateRemedy), certificateRemedy)
	t.Key = d.pemFile(o.required("key", keyRemedy), keyRemedy)
	if t.Mode.AsksForCertificate() {
		t.ClientCA = d.pemFile(o.required("client_ca", clientCARemedy), clientCARemedy)
	} else if ca := o.optional("client_ca"); ca != nil {
		d.report(ca, "analysts' certificates are looked at under mode: verify-ca and mode: verify-full only", "write one of these, or remove the key")
	}
	if names := o.optional("names"); names != nil {
		if t.Mode != TLSVerifyFull {
			d.report(names, "names in certificates count under mode: verify-full only", "write mode: verify-full, or remove the key")
		}
		t.Names = d.certificateNames(names, p.Analysts)
	}
	return t
}

// tlsMode is the mode, by default require, or allow where only this machine can connect.
func (d *decoder) tlsMode(o object, public bool) TLSMode {
	modes := []string{string(TLSDisable), string(TLSAllow), string(TLSRequire), string(TLSVerifyCA), string(TLSVerifyFull)}
	n := o.optional("mode")
	switch {
	case n != nil:
		return TLSMode(d.choice(n, modes...))
	case public:
		return TLSRequire
	}
	return TLSAllow
}

func (d *decoder) pemFile(n *node, remedy string) string {
	path, ok := d.text(n)
	switch {
	case !ok:
		return ""
	case path == "" || strings.HasSuffix(path, "/"):
		d.report(n, "this names no file", remedy)
		return ""
	}
	return d.besidePolicy(path)
}

// certificateNames decodes a mapping of common names to analysts.
func (d *decoder) certificateNames(n *node, analysts []Analyst) map[string]string {
	o := d.object(n)
	if o.node == nil {
		return nil
	}
	const remedy = "write {common name of a certificate: analyst}"
	if len(o.node.entries) == 0 {
		d.report(o.node, "no certificate names an analyst", remedy)
	}
	names := make(map[string]string)
	for _, e := range o.node.entries {
		analyst, ok := d.text(e.value)
		switch {
		case !ok:
		case e.key == "":
			d.report(e.value.key(), "a certificate without a name names nobody", remedy)
		case !slices.ContainsFunc(analysts, func(a Analyst) bool { return a.Name == analyst }):
			d.report(e.value, fmt.Sprintf("%q is no analyst of this policy", analyst), remedy)
		}
		names[e.key] = analyst
	}
	return names
}

// checkCertificateAuth reports a way to log in that has nothing to go by: a certificate is all that such an analyst shows.
func (d *decoder) checkCertificateAuth(n *node, p *Policy) {
	if p.Auth == AuthCertificate && p.TLS.Mode != "" && p.TLS.Mode != TLSVerifyFull {
		d.report(n, "certificates stand for passwords only where they name the analyst", "write tls: {mode: verify-full, ...}, or auth: scram")
	}
}
