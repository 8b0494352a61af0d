package policy

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tacit/policy/internal/document"
	"tacit/policy/internal/hosts"
)

// placeholder stands for the analyst's role name in upstream.analyst.
const placeholder = "{analyst}"

// urlParameters are the parameters of a connection string that say how to connect. Others would be settings of the session.
var urlParameters = []string{"channel_binding", "connect_timeout", "host", "max_protocol_version", "passfile", "port", "sslcert", "sslkey", "sslmode",
	"sslnegotiation", "sslrootcert"}

// AnalystURL is the connection string of an analyst's role.
func (u Upstream) AnalystURL(analyst string) string {
	// In a URL both the user part and the path take the stricter of Go's two escapes.
	escaped := strings.ReplaceAll(url.QueryEscape(analyst), "+", "%20")
	return strings.ReplaceAll(u.Analyst, placeholder, escaped)
}

func (d *decoder) upstream(n *document.Node, analysts []Analyst) Upstream {
	o := d.Object(n, "analyst", "curator", "publisher")
	const analystExample = "write postgres://{analyst}@127.0.0.1:5432/hospital"
	const curatorExample = "write postgres://tacit_curator@127.0.0.1:5432/hospital"
	analystNode := o.Required("analyst", analystExample)
	curatorNode := o.Required("curator", curatorExample)
	analyst, analystText := d.connectionString(analystNode, analystExample)
	curator, curatorText := d.connectionString(curatorNode, curatorExample, "target_session_attrs", "load_balance_hosts")
	if analyst != nil && (analyst.User.Username() != stand || strings.Count(analystText, placeholder) != 1) {
		d.Report(analystNode, "the user is not the placeholder {analyst}, so that all analysts would share a role", analystExample)
	}
	if curator != nil {
		d.checkCurator(curatorNode, curator, analysts)
	}
	if analyst != nil && curator != nil && analyst.Path != curator.Path {
		d.Report(curatorNode, "the curator's database is not the analysts'", "name the same database in both")
	}
	up := Upstream{Analyst: analystText, Curator: curatorText}
	if publisherNode := o.Optional("publisher"); publisherNode != nil {
		var publisher *url.URL
		if publisher, up.Publisher = d.connectionString(publisherNode, publisherExample); publisher != nil {
			d.checkPublisher(publisherNode, publisher, curator, analysts)
		}
	}
	return up
}

const publisherExample = "write postgres://tacit_publisher@127.0.0.1:5432/hospital"

// checkPublisher keeps the publisher apart: it writes what the curator read, and analysts may not write there.
func (d *decoder) checkPublisher(n *document.Node, publisher, curator *url.URL, analysts []Analyst) {
	const remedy = "name a role of its own, which owns publications and nothing else"
	name := publisher.User.Username()
	switch {
	case strings.Contains(n.Text, placeholder):
		d.Report(n, "the publisher is the analyst", remedy)
		return
	case curator != nil && curator.User.Username() == name:
		d.Report(n, "the publisher is the curator, who could then write", remedy)
	case curator != nil && curator.Path != publisher.Path:
		d.Report(n, "the publisher's database is not the curator's", "name the same database in all")
	}
	d.checkNoAnalyst(n, "the publisher", name, "change what is published", analysts, remedy)
}

// requirePublisher reports publications that nobody could write.
func (d *decoder) requirePublisher(root document.Object, p *Policy) {
	upstream := root.Optional("upstream")
	if len(p.Publications) == 0 || upstream == nil {
		return
	}
	d.Unchecked(upstream).Required("publisher", publisherExample+", a role that owns publications")
}

// stand takes the placeholder's place while the string is parsed as a URL, which must not contain braces. It is no role's name.
const stand = "-analyst-"

// connectionString parses a connection string in the URL form. Its own errors are not repeated: they may hold a password.
func (d *decoder) connectionString(n *document.Node, example string, more ...string) (*url.URL, string) {
	text, ok := d.Text(n)
	if !ok {
		return nil, ""
	}
	u, err := url.Parse(strings.ReplaceAll(text, placeholder, stand))
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || u.Opaque != "" || u.Fragment != "" {
		d.Report(n, "this is not a connection string in the URL form", example)
		return nil, ""
	}
	parameters, err := url.ParseQuery(u.RawQuery)
	switch {
	case err != nil:
		d.Report(n, "the parameters after the question mark are malformed", example)
	case u.User.Username() == "":
		d.Report(n, "the connection string names no user", example)
	case u.Host == "" && parameters.Get("host") == "":
		d.Report(n, "the connection string names no host", example)
	case !isPort(u.Port()):
		d.Report(n, "the port is not a number from 1 to 65535", example)
	case strings.Trim(u.Path, "/") == "":
		d.Report(n, "the connection string names no database", example)
	default:
		for name := range parameters {
			if known := append(slices.Clone(urlParameters), more...); !slices.Contains(known, name) {
				d.Report(n, "parameter "+name+" is not supported", "use only "+strings.Join(known, ", "))
			}
		}
		return u, text
	}
	return nil, ""
}

// isPort accepts an absent port too: it is PostgreSQL's 5432 then.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func (d *decoder) checkCurator(n *document.Node, curator *url.URL, analysts []Analyst) {
	const remedy = "name a role of its own, which alone may read protected tables"
	if strings.Contains(n.Text, placeholder) {
		d.Report(n, "the curator is the analyst", remedy)
	}
	which := curator.Query().Get("target_session_attrs")
	if which != "" && which != "primary" && which != "prefer-standby" || which == "" && len(hosts.Of(curator)) > 1 {
		d.Report(n, "of several servers it is not said which counts", "add target_session_attrs=prefer-standby, or primary, to the parameters")
	}
	if order := curator.Query().Get("load_balance_hosts"); order != "" && order != "random" && order != "disable" {
		d.Report(n, "load_balance_hosts is "+order, "write random, or disable")
	}
	d.checkNoAnalyst(n, "the curator", curator.User.Username(), "read protected tables", analysts, remedy)
}

// checkNoAnalyst reports a login of the proxy's own that is an analyst, and what she could do.
func (d *decoder) checkNoAnalyst(n *document.Node, who, role, could string, analysts []Analyst, remedy string) {
	if slices.ContainsFunc(analysts, func(a Analyst) bool { return a.Name == role }) {
		d.Report(n, who+" is analyst "+role+", who could "+could, remedy)
	}
}
