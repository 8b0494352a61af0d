package policy

import (
	"fmt"
	"slices"
	"time"

	"tacit/policy/internal/address"
	"tacit/policy/internal/document"
)

// Sessions bound the connections of analysts. They are keys of the section limits.
type Sessions struct {
	PerAnalyst  int      // most of one analyst; 0: half of all, or all if she is the only one
	PerAddress  int      // most from one address; 0: no bound
	Reserved    int      // places that only ReservedFor may take
	ReservedFor []string // names of analysts
	// Idle ends a session without a statement, IdleInTransaction one that is in a transaction block besides; 0: never.
	Idle, IdleInTransaction time.Duration
}

var sessionKeys = []string{"per_analyst", "per_address", "reserved", "reserved_for", "idle", "idle_in_transaction"}

// Operations are what operators see of a running proxy, and how it ends.
type Operations struct {
	Metrics  string // the address of metrics and health; empty: none
	ClientCA string // of those who may read metrics from other machines; set if Metrics is not of this machine alone
	LogJSON  bool
	LogLevel string        // debug, info, warn or error
	Drain    time.Duration // how long statements may go on when the proxy is told to end
}

func (d *decoder) sessions(n *document.Node, p *Policy) (s Sessions) {
	if n == nil || n.Kind != document.Mapping {
		return s
	}
	o, most := d.Unchecked(n), p.Limits.Connections
	if at := o.Optional("per_analyst"); at != nil {
		s.PerAnalyst = d.Integer(at, 1, most, (most+1)/2)
	}
	if at := o.Optional("per_address"); at != nil {
		s.PerAddress = d.Integer(at, 1, most, most)
	}
	s.Idle = d.duration(o.Optional("idle"), time.Second, 30*24*time.Hour, 0)
	s.IdleInTransaction = d.duration(o.Optional("idle_in_transaction"), time.Second, 30*24*time.Hour, 0)
	reserved, names := o.Optional("reserved"), o.Optional("reserved_for")
	switch {
	case reserved == nil && names == nil:
		return s
	case reserved == nil || names == nil:
		d.Report(n, "reserved and reserved_for belong together", "write {reserved: 5, reserved_for: [ana]}, or neither")
		return s
	case most < 2:
		d.Report(reserved, "of one connection none can be reserved", "raise limits.connections, or remove the key")
		return s
	}
	s.Reserved = d.Integer(reserved, 1, most-1, 1)
	if !d.Expect(names, document.Sequence) {
		return s
	}
	for _, item := range names.Items {
		name, ok := d.Text(item)
		if ok && !slices.ContainsFunc(p.Analysts, func(a Analyst) bool { return a.Name == name }) {
			d.Report(item, "this is no analyst of the policy", "name one of analysts")
		}
		s.ReservedFor = append(s.ReservedFor, name)
	}
	return s
}

// A Keep says of which notes, of statements that cost nothing, the ledger keeps what they say. They are keys of the section log. The zero Keep is of all.
type Keep struct {
	For   time.Duration // of those that are no older; 0: of any age
	Notes int64         // of the newest, so many; 0: of any number
}

// What a Keep may say, and the examples of messages. With less, whoever reads a ledger would lack what happened today.
const (
	leastKeep, keepExample              = 24 * time.Hour, 90 * 24 * time.Hour
	leastNotes, mostNotes, exampleNotes = 1000, 1_000_000_000_000, 1_000_000
)

func (d *decoder) keep(n *document.Node) (k Keep) {
	if n == nil || n.Kind != document.Mapping {
		return k
	}
	o := d.Unchecked(n)
	if at := o.Optional("keep"); at != nil {
		k.For = d.duration(at, leastKeep, maxDuration, keepExample)
	}
	if at := o.Optional("notes"); at != nil {
		k.Notes = int64(d.Integer(at, leastNotes, mostNotes, exampleNotes))
	}
	return k
}

// ParseKeepFor reads what a policy's log.keep could be.
func ParseKeepFor(text string) (time.Duration, error) {
	value, problem, remedy := durationBetween(text, leastKeep, maxDuration, keepExample)
	return value, toldKeep(problem, remedy)
}

// ParseKeepNotes reads what a policy's log.notes could be.
func ParseKeepNotes(text string) (int64, error) {
	value, problem, remedy := document.IntegerBetween(text, leastNotes, mostNotes, exampleNotes)
	return int64(value), toldKeep(problem, remedy)
}

func toldKeep(problem, remedy string) error {
	if problem == "" {
		return nil
	}
	return fmt.Errorf("%s; %s", problem, remedy)
}

func (d *decoder) operations(root document.Object, p *Policy) Operations {
	o := Operations{LogLevel: "info", Drain: d.duration(root.Optional("drain"), time.Second, time.Hour, 30*time.Second)}
	if n := root.Optional("log"); n != nil {
		section := d.Object(n, "format", "level", "keep", "notes")
		o.LogJSON = d.Choice(section.Optional("format"), "text", "json") == "json"
		o.LogLevel = d.Choice(section.Optional("level"), "info", "debug", "warn", "error")
	}
	n := root.Optional("metrics")
	section := d.Object(n, "listen", "client_ca")
	if section.Node == nil {
		return o
	}
	const remedy = "write metrics: {listen: 127.0.0.1:9187}"
	listen, ca := section.Required("listen", remedy), section.Optional("client_ca")
	o.Metrics = d.pageAddress(listen, remedy)
	switch {
	case o.Metrics == "" || ca == nil && address.IsLocal(o.Metrics):
	case ca == nil || p.TLS.Mode == TLSDisable:
		d.Report(listen, "others could read the metrics on "+o.Metrics, remedy+", or a section tls, and client_ca with the authority of the certificate by which Prometheus logs in")
	default:
		o.ClientCA = d.pemFile(ca, remedy)
	}
	return o
}
