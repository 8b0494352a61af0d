package proxy

import (
	"errors"
	"math"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/stopwatch"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite/query"
)

// This file answers a Bind of a protected statement: the cells become parameters behind the client's own. The invariant: each Bind is
// answered by itself, and one that the server would refuse charges nothing. Start at protectedBind.

// relayBind lets a Bind through. It remembers a portal that holds a statement whose execution has an effect on others.
func (in *interceptor) relayBind(portal string, st *statement) error {
	delete(in.portals, portal)
	if st != nil && !in.hold(portal, st) {
		return in.refuse(relay.BindRequest, errTooManyStatements)
	}
	return in.inbound.Relay(relay.BindRequest, nil)
}

// hold remembers what a portal holds, ok=false if there are too many.
func (in *interceptor) hold(portal string, st *statement) (ok bool) {
	if len(in.portals) >= maxStatements {
		return false
	}
	if in.portals == nil {
		in.portals = make(map[string]*statement)
	}
	in.portals[portal] = st
	return true
}

func (in *interceptor) protectedBind(m pgproto3.Bind, st *statement) error {
	in.watch = stopwatch.Start()
	if err := in.drain(); err != nil {
		return err
	}
	if in.inbound.State().InFailedBlock {
		return errInFailedBlock
	}
	intact := st.parsed == in.executed
	message, how, err := in.answerBind(m, st)
	if err != nil {
		return in.failOr(relay.BindRequest, err)
	}
	if in.harmless = intact && st.answer != nil && st.answer.Plain; m.DestinationPortal == "" {
		in.boundPlain = in.harmless
		if in.harmless && st.answer.Lasting && in.holdBind(message, how, st) {
			return in.inbound.Skip()
		}
	}
	return in.inbound.Replace(relay.BindRequest, how, message)
}

// answerBind makes the Bind that is sent in place of the client's. The error may be a *pgerror.Refusal.
func (in *interceptor) answerBind(m pgproto3.Bind, st *statement) (message []byte, how *relay.Handling, err error) {
	if st.explains() && !in.hold(m.DestinationPortal, st) {
		return nil, nil, errTooManyStatements
	}
	if st.execute != nil {
		return in.bindExecute(m, st)
	}
	v := st.answer
	switch {
	case len(m.Parameters) != v.Params:
		return nil, nil, parameterCount.With(m.PreparedStatement, len(m.Parameters), v.Params)
	case len(m.Parameters)+len(v.Outer.Arrays) > math.MaxUint16:
		return nil, nil, errTooLarge
	}
	params, err := bindValues(&m, v.ParamOIDs)
	if err != nil {
		return nil, nil, err
	}
	if err := in.revalidate(m.PreparedStatement, st); err != nil {
		return nil, nil, err
	}
	if err := in.preflightBind(v); err != nil {
		return nil, nil, err
	}
	literals, how, err := in.literals(st.sql, v, params)
	if err != nil {
		return nil, nil, err
	}
	how.Tags = nil // of the Execute
	if v.Inline {
		err := in.parseAgain(m.PreparedStatement, v.Outer.WithLiterals(literals), v.ParamOIDs)
		return wire.Append(nil, wire.WithParameters(m, nil)), how, err
	}
	message, ok := wire.TryAppend(nil, wire.WithParameters(m, literals))
	if !ok {
		return nil, nil, errTooLarge
	}
	return message, how, nil
}

// bindExecute deals with a Bind of an EXECUTE that was prepared by a Parse. The error may be a *pgerror.Refusal.
func (in *interceptor) bindExecute(m pgproto3.Bind, st *statement) (message []byte, how *relay.Handling, err error) {
	v := st.execute
	executed, err := in.lookUp(v.Name)
	if err != nil {
		return nil, nil, err
	}
	message, how = wire.Append(nil, wire.WithParameters(m, nil)), &relay.Handling{Rewritten: true}
	switch {
	case len(m.Parameters) != len(st.paramOIDs):
		return nil, nil, parameterCount.With(m.PreparedStatement, len(m.Parameters), len(st.paramOIDs))
	case !executed.protected() && !st.replaced:
		return message, nil, nil
	case !executed.protected():
		st.replaced = false
		return message, how, in.parseAgain(m.PreparedStatement, st.sql, st.paramOIDs)
	}
	if r := in.checkExecute(st.sql, v, executed); r != nil {
		return nil, nil, r
	}
	if executed.explains() && !in.hold(m.DestinationPortal, executed) {
		return nil, nil, errTooManyStatements
	}
	if _, err := in.describing(m.PreparedStatement, relay.RoundTrip{}); err != nil {
		return nil, nil, err
	}
	if err := in.revalidate(v.Name, executed); err != nil {
		return nil, nil, err
	}
	var text string
	if v.Explain != nil {
		var lines string
		lines, err = in.explain(st.sql, v.Explain, executed.answer, v.Args)
		text = v.Explain.WithLiteral(lines)
	} else {
		var literals []string
		literals, how, err = in.executeLiterals(st.sql, v, executed.answer)
		text = v.WithLiterals(literals)
	}
	if err != nil {
		return nil, nil, err
	}
	st.replaced = true
	how.Tags = nil // of the Execute
	return message, how, in.parseAgain(m.PreparedStatement, text, st.paramOIDs)
}

// parseAgain has the server replace a prepared statement of the client's by one with other constants. The error may be a *pgerror.Refusal.
func (in *interceptor) parseAgain(name, text string, oids []uint32) error {
	var t relay.RoundTrip
	if name != "" { // the server replaces the unnamed one by itself
		t.CloseStatement(name)
	}
	t.Parse(name, text, oids...)
	_, err := in.inbound.RoundTrip(t)
	if errors.Is(err, relay.ErrTooLarge) {
		return errTooLarge
	}
	return err
}

// bindValues reads the parameters that a count query may use: those whose type is known.
func bindValues(m *pgproto3.Bind, oids []uint32) ([]query.Value, error) {
	values := make([]query.Value, len(m.Parameters))
	for i, data := range m.Parameters {
		switch {
		case data == nil:
			values[i].Null = true
		case i < len(oids) && oids[i] != 0:
			value, refusal := query.DecodeParam(oids[i], wire.Format(m, i), data)
			if refusal != nil {
				return nil, refusal
			}
			values[i] = value
		}
	}
	return values, nil
}
