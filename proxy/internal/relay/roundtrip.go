package relay

import (
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/wire"
)

// This file is what the proxy itself asks the server in the analyst's session, to judge or answer the message at hand. The invariant: the
// client sees nothing of it but an error in its own pipeline, and what it leaves behind has names that no client can know. Start at
// Inbound.RoundTrip.

// A RoundTrip is messages of the extended protocol to which the reply is waited for.
type RoundTrip struct {
	messages []byte
	kinds    []RequestKind
	tooLarge bool
}

func (t *RoundTrip) add(kind RequestKind, m pgproto3.FrontendMessage) {
	out, ok := wire.TryAppend(t.messages, m)
	if !ok {
		t.tooLarge = true
		return
	}
	t.messages, t.kinds = out, append(t.kinds, kind)
}

// Parse prepares a statement that is closed by Close, or is to stay.
func (t *RoundTrip) Parse(name, text string, oids ...uint32) {
	t.add(ParseRequest, &pgproto3.Parse{Name: name, Query: text, ParameterOIDs: oids})
}

// DescribeStatement asks for the types of a statement's parameters and results. It fails if there is no such statement.
func (t *RoundTrip) DescribeStatement(name string) {
	t.add(DescribeStatementRequest, &pgproto3.Describe{ObjectType: 'S', Name: name})
}

// CloseStatement drops a prepared statement.
func (t *RoundTrip) CloseStatement(name string) {
	t.add(CloseRequest, &pgproto3.Close{ObjectType: 'S', Name: name})
}

// Run runs a text with parameters in text form, all rows at once, by means of a statement and a portal of a name that are closed
// again. If it fails halfway they stay, so that the next one needs another name.
func (t *RoundTrip) Run(name, text string, params [][]byte, oids ...uint32) {
	t.Parse(name, text, oids...)
	t.add(BindRequest, wire.WithParameters(pgproto3.Bind{DestinationPortal: name, PreparedStatement: name, Parameters: params}, nil))
	t.add(ExecuteRequest, &pgproto3.Execute{Portal: name})
	t.add(CloseRequest, &pgproto3.Close{ObjectType: 'P', Name: name})
	t.CloseStatement(name)
}

// Append appends the messages of another round trip.
func (t *RoundTrip) Append(other RoundTrip) {
	t.messages, t.kinds = append(t.messages, other.messages...), append(t.kinds, other.kinds...)
	t.tooLarge = t.tooLarge || other.tooLarge
}

// Empty says whether there is nothing to be asked.
func (t *RoundTrip) Empty() bool { return len(t.kinds) == 0 }
