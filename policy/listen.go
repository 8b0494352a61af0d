package policy

import (
	"errors"
	"net/netip"
	"slices"

	"tacit/policy/internal/address"
)

// listenRemedy is for whoever does not say where clients connect.
const listenRemedy = "write listen: 127.0.0.1:6432"

// listen returns the addresses at which analysts connect, from one or a list of them.
func (d *decoder) listen(n *node) (addresses []string) {
	items := []*node{n}
	if n != nil && n.kind == sequence {
		if items = n.items; len(items) == 0 {
			d.report(n, "nobody can connect", listenRemedy)
		}
	}
	for _, item := range items {
		switch text := d.address(item); {
		case text == "":
		case slices.Contains(addresses, text):
			d.report(item, "this address is given twice", "remove it")
		default:
			addresses = append(addresses, text)
		}
	}
	return addresses
}

// address returns an address as package address has it.
func (d *decoder) address(n *node) string {
	text, ok := d.text(n)
	if ok && d.accepts(n, address.Check(text)) {
		return text
	}
	return ""
}

// accepts reports an error of package address.
func (d *decoder) accepts(n *node, err error) bool {
	if wrong := (*address.Error)(nil); errors.As(err, &wrong) {
		d.report(n, wrong.Problem, wrong.Remedy)
	}
	return err == nil
}

// pageAddress is that of web pages, which have no path.
func (d *decoder) pageAddress(n *node, remedy string) string {
	text := d.address(n)
	if address.IsSocket(text) {
		d.report(n, "browsers and monitors do not connect to a socket's path", remedy)
		return ""
	}
	return text
}

// balancers are the networks whose connections say on whose behalf they come.
func (d *decoder) balancers(n *node) (networks []netip.Prefix) {
	if n == nil || !d.expect(n, sequence) {
		return nil
	}
	for _, item := range n.items {
		if text, ok := d.text(item); ok {
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
func (d *decoder) auth(root object, p *Policy) {
	n, local := root.optional("auth"), root.optional("local_auth")
	p.Auth = Auth(d.choice(n, string(AuthSCRAM), string(AuthTrust), string(AuthCertificate)))
	if reachable := p.reachable(); p.Auth == AuthTrust && reachable != "" {
		d.report(n, "trust on "+reachable+" lets everybody in as any analyst", "use auth: scram, or listen on 127.0.0.1")
	}
	p.LocalAuth = p.Auth
	sockets := slices.ContainsFunc(p.Listen, address.IsSocket)
	switch {
	case local != nil && !sockets:
		d.report(local, "the policy listens on no socket of this machine", "add its path to listen, such as /run/tacit/.s.PGSQL.6432, or remove the key")
	case local != nil:
		p.LocalAuth = Auth(d.choice(local, string(AuthPeer)))
	case sockets && p.Auth == AuthCertificate:
		d.report(n, "there are no certificates on a socket of this machine", "write local_auth: peer")
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
