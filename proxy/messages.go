package proxy

import (
	"fmt"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
)

// This file reads each message that the relay hands to the interceptor. The invariant: a message that is not well-formed, or too long, is
// refused in its place and never forwarded. Start at Message.

const (
	// maxNamesBytes bounds the names at the beginning of a Bind; the server keeps 63 bytes of each.
	maxNamesBytes = 10_000
	// parseOverhead is what a Parse may hold besides its text: a name, and up to 65,535 parameter types.
	parseOverhead = maxNamesBytes + 4<<16
)

// Message deals with the message at hand; ready=false if more of it must be read first.
func (in *interceptor) Message(kind byte, size int) (ready bool, err error) {
	if in.held != nil && (kind != 'D' && kind != 'E' || in.releaser.Catalog() != in.catalog) {
		if err := in.sendHeld(nil); err != nil {
			return false, err
		}
	}
	if !in.current {
		if handled, ready, err := in.catchUp(kind, size); handled {
			if ready {
				in.judged()
			}
			return ready, err
		}
		in.current = true
	}
	ready, err = in.message(kind, size)
	if in.current = !ready; ready {
		in.judged()
	}
	return ready, err
}

func (in *interceptor) message(kind byte, size int) (ready bool, err error) {
	in.prologue = rewrite.Prologue{}
	switch kind {
	case 'Q':
		return in.read(in.query, size, in.limits().StatementBytes+1, relay.QueryRequest)
	case 'P':
		return in.read(in.parse, size, in.limits().StatementBytes+parseOverhead, relay.ParseRequest)
	case 'B':
		return in.bind(size)
	case 'D':
		in.harmless = true
		return in.read(in.describe, size, size, relay.DescribePortalRequest)
	case 'E':
		if len(in.portals) == 0 && !in.boundPlain && in.held == nil {
			return true, in.inbound.Relay(relay.ExecuteRequest, nil)
		}
		return in.read(in.execute, size, size, relay.ExecuteRequest)
	case 'C':
		in.harmless = true
		if !in.remembers {
			return true, in.inbound.Relay(relay.CloseRequest, nil)
		}
		return in.read(in.close, size, size, relay.CloseRequest)
	case 'F':
		return true, in.refuse(relay.QueryRequest, errFunctionCall)
	default:
		return false, wire.ProtocolViolation(fmt.Sprintf("invalid frontend message type %d", kind))
	}
}

// read has a body of at most so many bytes dealt with once it was read as a whole. What cannot be decoded or is to be refused is refused
// as a request of a kind; what the server would skip is left out.
func (in *interceptor) read(deal func(body []byte) error, size, most int, kind relay.RequestKind) (ready bool, err error) {
	if size > wire.HeaderBytes+most {
		return true, in.refuse(kind, textTooLong.With(in.limits().StatementBytes))
	}
	body, ok := in.inbound.Body(size - wire.HeaderBytes)
	if !ok {
		return false, nil
	}
	return true, in.skipOr(in.refuseOr(kind, deal(body)))
}

// mentions says whether a text must be looked at more closely.
func (in *interceptor) mentions(text string) bool {
	return rewrite.NeedsAnalysis(text, in.releaser.Catalog())
}

func (in *interceptor) query(body []byte) error {
	text, ok := wire.DecodeQuery(body)
	switch {
	case !ok:
		return errMalformed
	case !in.mentions(text):
		return in.relayQuery()
	}
	return in.protectedQuery(text)
}

func (in *interceptor) parse(body []byte) error {
	m, ok := wire.DecodeParse(body)
	limit := in.limits().StatementBytes
	in.unnamed = in.unnamed || m.Name == ""
	switch {
	case !ok:
		return errMalformed
	case len(m.Query) > limit:
		return textTooLong.With(limit)
	case !in.mentions(m.Query):
		return in.relayParse(m.Name, nil)
	}
	return in.protectedParse(m)
}

// bind deals with a Bind, of which only the names are read unless the statement is protected.
func (in *interceptor) bind(size int) (ready bool, err error) {
	if !in.remembers {
		return true, in.inbound.Relay(relay.BindRequest, nil)
	}
	beginning := in.inbound.Beginning()
	portal, name, ok := wire.DecodeBindNames(beginning)
	switch {
	case ok:
	case len(beginning) < min(size-wire.HeaderBytes, maxNamesBytes):
		_, ready := in.inbound.Body(len(beginning) + 1)
		return ready, nil
	default:
		return true, in.refuse(relay.BindRequest, errMalformed)
	}
	st, err := in.lookUp(name)
	switch {
	case err != nil:
		return true, in.skipOr(err)
	case !st.protected():
		return true, in.relayBind(portal, st)
	}
	bindProtected := func(body []byte) error {
		delete(in.portals, portal)
		m, ok := wire.DecodeBind(body)
		if !ok {
			return errMalformed
		}
		return in.protectedBind(m, st)
	}
	return in.read(bindProtected, size, maxNamesBytes+in.limits().StatementBytes, relay.BindRequest)
}

// describe deals with a Describe. Of a protected statement the client is shown its own parameters only.
func (in *interceptor) describe(body []byte) error {
	kind, name, ok := wire.DecodeTarget(body)
	switch {
	case !ok:
		return errMalformed
	case kind != 'S':
		return in.relayOrHold(relay.DescribePortalRequest, name == "", body)
	}
	if err := in.sendHeld(nil); err != nil {
		return err
	}
	st, err := in.lookUp(name)
	if err != nil {
		return err
	}
	var how *relay.Handling
	if st.protected() && st.execute == nil {
		how = &relay.Handling{Trim: true, Params: st.answer.Params}
	}
	return in.inbound.Relay(relay.DescribeStatementRequest, how)
}

func (in *interceptor) execute(body []byte) error {
	portal, most, ok := wire.DecodeExecute(body)
	if !ok {
		return errMalformed
	}
	if in.held != nil {
		in.harmless = portal == ""
		return in.relayOrHold(relay.ExecuteRequest, portal == "" && most == 0, body)
	}
	var how *relay.Handling
	switch st := in.portals[portal]; {
	case st == nil:
		in.harmless = portal == "" && in.boundPlain
	case st.explains():
		how = &relay.Handling{Tags: explainTag}
	default:
		how = in.affecting(nil, st.effect)
	}
	return in.inbound.Relay(relay.ExecuteRequest, how)
}

func (in *interceptor) close(body []byte) error {
	kind, name, ok := wire.DecodeTarget(body)
	var how *relay.Handling
	switch {
	case !ok:
		return errMalformed
	case kind == 'P':
		delete(in.portals, name)
	case kind == 'S' && in.tracks(name):
		how = in.affecting(nil, &effect{name: name})
	}
	return in.inbound.Relay(relay.CloseRequest, how)
}
