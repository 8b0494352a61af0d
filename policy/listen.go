package policy

import (
	"errors"
	"net/netip"
	"slices"

	"tacit/policy/internal/address"
	"tacit/policy/internal/document"
)

// listenRemedy is for whoever does not say where clients connect.
const listenRemedy = "write listen: 127.0.0.1:6432"

// listen returns the addresses at which analysts connect, from one or a list of them.
func (d *decoder) listen(n *document.Node) (addresses []string) {
	items := []*document.Node{n}
	if n != nil && n.Kind == document.Sequence {
		if items = n.Items; len(items) == 0 {
			d.Report(n, "nobody can connect", listenRemedy)
		}
	}
	for _, item := range items {
		switch text := d.address(item); {
		case text == "":
		case slices.Contains(addresses, text):
			d.Report(item, "this address is given twice", "remove it")
		default:
			addresses = append(addresses, text)
		}
	}
	return addresses
}

// address returns an address as package address has it.
func (d *decoder) address(n *document.Node) string {
	text, ok := d.Text(n)
	if ok && d.accepts(n, address.Check(text)) {
		return text
	}
	return ""
}

// accepts reports an error of package address.
func (d *decoder) accepts(n *document.Node, err error) bool {
	if wrong := (*address.Error)(nil); errors.As(err, &wrong) {
		d.Report(n, wrong.Problem, wrong.Remedy)
	}
	return err == nil
}

// pageAddress is that of web pages, which have no path.
func (d *decoder) pageAddress(n *document.Node, remedy string) string {
	text := d.address(n)
	if address.IsSocket(text) {
		d.Report(n, "browsers and monitors do not connect to a socket's path", remedy)
		return ""
	}
	return text
}

// balancers are the networks whose connections say on whose behalf they come.
func (d *decoder) balancers(n *document.Node) (networks []netip.Prefix) {
	if n == nil || !d.Expect(n, document.Sequence) {
		return nil
	}
	for _, item := range n.Items {
		if text, ok := d.Text(item); ok {
			network, err := address.Network(text)
			if d.accepts(item, err) {
				networks = append(networks, network)
			}
		}
	}
	return networks
}

// auth decodes how analysts prove who they are. Without a password anybody who reaches the listener is every analyst, so that
// trust is for listeners that only this machine reaches.
func (d *decoder) auth(root document.Object, p *Policy) {
	n, local := root.Optional("auth"), root.Optional("local_auth")
	p.Auth = Auth(d.Choice(n, string(AuthSCRAM), string(AuthTrust), string(AuthCertificate)))
	if reachable := p.reachable(); p.Auth == AuthTrust && reachable != "" {
		d.Report(n, "trust on "+reachable+" lets everybody in as any analyst", "use auth: scram, or listen on 127.0.0.1")
	}
	p.LocalAuth = p.Auth
	sockets := slices.ContainsFunc(p.Listen, address.IsSocket)
	switch {
	case local != nil && !sockets:
		d.Report(local, "the policy listens on no socket of this machine", "add its path to listen, such as /run/tacit/.s.PGSQL.6432, or remove the key")
	case local != nil:
		p.LocalAuth = Auth(d.Choice(local, string(AuthPeer)))
	case sockets && p.Auth == AuthCertificate:
		d.Report(n, "there are no certificates on a socket of this machine", "write local_auth: peer")
	}
}

// passwords is the way of logging in for which analysts need what the policy has of them.
func (p *Policy) passwords() Auth {
	if p.LocalAuth == AuthPeer && !slices.ContainsFunc(p.Listen, func(a string) bool { return !address.IsSocket(a) }) {
		return AuthPeer
	}
	return p.Auth
}

// ListensHereOnly says whether only programs of this machine can connect.
func (p *Policy) ListensHereOnly() bool { return p.reachable() == "" }

// reachable is how other machines can connect: the first address that they reach, or a balancer; empty if they cannot.
func (p *Policy) reachable() string {
	for _, a := range p.Listen {
		if !address.IsLocal(a) {
			return a
		}
	}
	if len(p.Balancers) > 0 {
		return "what stands behind a load balancer"
	}
	return ""
}
