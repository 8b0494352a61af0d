package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"time"

	"tacit/policy/internal/document"
)

// Load reads and parses a policy file. If there is anything wrong with its contents, the error is Errors.
func Load(path string) (*Policy, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse parses the contents of a policy file. The path is for errors and for what is relative to the policy's directory; it is not
// read. The error, if any, is Errors.
func Parse(path string, data []byte) (*Policy, error) {
	d := &decoder{document.Decoder{File: path}}
	var p *Policy
	if root := d.Read(data); root != nil {
		p = d.policy(root)
	}
	if len(d.Errors) > 0 {
		d.Errors.SortByLine()
		return nil, d.Errors
	}
	sum := sha256.Sum256(data)
	p.Path, p.Version = path, hex.EncodeToString(sum[:])
	return p, nil
}

// policy decodes a whole policy. What other sections are checked against comes first.
func (d *decoder) policy(root *document.Node) *Policy {
	o := d.Object(root, "listen", "proxy_protocol", "tls", "upstream", "ledger", "auth", "local_auth", "when-not-separate", "accept", "analysts", "public", "limits", "metrics", "log", "drain", "answer_every", "tables", "publications", "console")
	p := &Policy{Limits: d.limits(o.Optional("limits")), Public: d.public(o.Optional("public"))}
	p.Listen = d.listen(o.Required("listen", listenRemedy))
	p.Balancers = d.balancers(o.Optional("proxy_protocol"))
	d.auth(o, p)
	p.WhenNotSeparate = WhenNotSeparate(d.Choice(o.Optional("when-not-separate"), string(Refuse), string(Close)))
	p.Accept = d.accept(o.Optional("accept"))
	p.Analysts = d.analysts(o.Required("analysts", "write analysts: {ana: {password: SCRAM-SHA-256$...}}"), p.passwords())
	p.TLS = d.tls(o, p)
	p.Sessions = d.sessions(o.Optional("limits"), p)
	p.Operations = d.operations(o, p)
	p.Keep = d.keep(o.Optional("log"))
	p.AnswerEvery = d.duration(o.Optional("answer_every"), time.Millisecond, 10*time.Second, 0)
	d.checkCertificateAuth(o.Optional("auth"), p)
	p.Upstream = d.upstream(o.Required("upstream", "write upstream: {analyst: ..., curator: ...} with the connection strings of both roles"), p.Analysts)
	ledger := o.Required("ledger", "write ledger: sqlite:tacit.db")
	p.Ledger = d.ledger(ledger)
	d.checkLedgerRole(ledger, p)
	p.Tables = d.tables(o.Required("tables", "write tables: and the protected tables under it"), p)
	p.Publications = d.publications(o.Optional("publications"), p)
	d.requirePublisher(o, p)
	p.Console = d.console(o.Optional("console"), p)
	return p
}

// Analyst returns the analyst of a name.
func (p *Policy) Analyst(name string) (Analyst, bool) {
	for _, a := range p.Analysts {
		if a.Name == name {
			return a, true
		}
	}
	return Analyst{}, false
}

// Table returns the protected table of a name.
func (p *Policy) Table(name TableName) (*Table, bool) {
	for _, t := range p.Tables {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Publication returns the publication of a name.
func (p *Policy) Publication(name TableName) (*Publication, bool) {
	for _, c := range p.Publications {
		if c.Name == name {
			return c, true
		}
	}
	return nil, false
}
