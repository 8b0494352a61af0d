package proxy

import (
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
)

// This file brings a session up to date with what is refused, before a message is dealt with. The invariant: behind a barrier nothing
// runs that was prepared, declared or begun before it. Start at catchUp.

// catchUp looks whether something has changed in the server, and takes in the catalog in force; handled=true if it has dealt with the
// message, or needs more of it. A Query and a Bind are what a statement begins to read with: an Execute goes on with what was bound.
func (in *interceptor) catchUp(kind byte, size int) (handled, ready bool, err error) {
	request, reads := requestKinds[kind]
	if !reads {
		return false, false, nil
	}
	if kind == 'Q' || kind == 'B' {
		if err := in.look(); err != nil {
			return true, true, in.refuseOr(request, err)
		}
	}
	now := in.releaser.Catalog()
	switch {
	case now == in.catalog:
		return false, false, nil
	case in.catalog != nil && now.ProtectsMore(in.catalog):
		return true, false, fatalMessage("57P01", "terminating connection because more tables have become protected")
	case in.catalog != nil && now.RefusesMore(in.catalog):
		return in.forgetAll(kind, size, now)
	}
	in.catalog = now
	return false, false, nil
}

// requestKinds are those of the messages that make, bind or run statements.
var requestKinds = map[byte]relay.RequestKind{
	'Q': relay.QueryRequest, 'P': relay.ParseRequest, 'B': relay.BindRequest, 'E': relay.ExecuteRequest,
}

// forgetAll has the server forget what the session prepared and declared before more was refused. A transaction block ends, since there
// may be objects in it that nobody else sees; in one that has failed the server refuses what there is.
func (in *interceptor) forgetAll(kind byte, size int, now *rewrite.Catalog) (handled, ready bool, err error) {
	if err := in.drain(); err != nil {
		return true, true, in.skipOr(err)
	}
	state := in.inbound.State()
	switch {
	case state.InFailedBlock:
		return false, false, nil
	case state.MayBeInBlock:
		return in.refuseBefore(kind, size)
	}
	var t relay.RoundTrip
	t.Run(in.ownName(), "CLOSE ALL", nil)
	t.Run(in.ownName(), "DEALLOCATE ALL", nil)
	t.CloseStatement("")
	if _, err := in.inbound.RoundTrip(t); err != nil {
		return true, true, in.failOr(requestKinds[kind], err)
	}
	in.statements.begin([]*effect{{all: true}})(0, relay.Succeeded)
	in.portals, in.catalog = nil, now
	if kind == 'B' || kind == 'E' {
		return in.refuseBefore(kind, size)
	}
	return false, false, nil
}

// refuseBefore refuses the message at hand, whose text is noted if it has one.
func (in *interceptor) refuseBefore(kind byte, size int) (handled, ready bool, err error) {
	text := ""
	if size -= wire.HeaderBytes; size <= in.limits().StatementBytes+parseOverhead && (kind == 'Q' || kind == 'P') {
		body, ok := in.inbound.Body(size)
		if !ok {
			return true, false, nil
		}
		text = textOf(kind, body)
	}
	r := rewrite.RefuseBefore()
	in.refused(text, r)
	return true, true, in.refuse(requestKinds[kind], r)
}

// textOf is the text of a Query or a Parse, "" if it cannot be read.
func textOf(kind byte, body []byte) string {
	if kind == 'Q' {
		text, _ := wire.DecodeQuery(body)
		return text
	}
	m, _ := wire.DecodeParse(body)
	return m.Query
}
