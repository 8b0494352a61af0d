package proxy

import (
	"errors"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
)

// This file deals with a Parse that may concern a protected table. The invariant: nothing is answered before the statement is bound; what
// the server prepares takes the cells as parameters behind the client's own. Start at dispatchParse.

func (in *interceptor) protectedParse(m pgproto3.Parse) error {
	if err := in.drain(); err != nil {
		return err
	}
	if in.inbound.State().InFailedBlock {
		return in.relayParse(m.Name, nil)
	}
	return in.failOr(relay.ParseRequest, in.dispatchParse(m))
}

// dispatchParse does what the verdict on a text says. A *pgerror.Refusal is still to be sent.
func (in *interceptor) dispatchParse(m pgproto3.Parse) error {
	verdict, err := in.verdict(m.Query, true, m.ParameterOIDs)
	if err != nil {
		return err
	}
	switch v := verdict.(type) {
	case *rewrite.Relay:
		return in.relayParse(m.Name, nil)
	case *rewrite.Masked:
		return in.maskParse(m, v)
	case *rewrite.Forget:
		if in.tooManyStatements() {
			return errTooManyStatements
		}
		return in.relayParse(m.Name, &statement{sql: m.Query, effect: forgetting(v)})
	case *rewrite.Refused:
		return in.refuseParse(m, v.Err)
	case *rewrite.Execute:
		return in.parseExecute(m, v)
	case *rewrite.Answer:
		return in.parseAnswer(m, v)
	default: // a *rewrite.Script, too: a Parse has one statement
		return in.unknownVerdict(v)
	}
}

// maskParse sends the masked text of a Parse, with the types that the client declares. What is bound, described and executed then is
// the server's business, as with any statement.
func (in *interceptor) maskParse(m pgproto3.Parse, v *rewrite.Masked) error {
	masked := pgproto3.Parse{Name: m.Name, Query: v.Text, ParameterOIDs: m.ParameterOIDs}
	if _, ok := wire.TryAppend(nil, &masked); !ok {
		return in.relayParse(m.Name, nil)
	}
	return in.replaceParse(&relay.Handling{Rewritten: true}, masked, nil)
}

// refuseParse sends what fails under the client's name.
func (in *interceptor) refuseParse(m pgproto3.Parse, r *pgerror.Refusal) error {
	in.refused(m.Query, r)
	return in.replaceParse(refusing(r), pgproto3.Parse{Name: m.Name, Query: refusedText}, nil)
}

// parseExecute deals with a Parse of EXECUTE. The server takes no parameters there, so each Bind of it brings another text.
func (in *interceptor) parseExecute(m pgproto3.Parse, v *rewrite.Execute) error {
	st, err := in.lookUp(v.Name)
	switch {
	case err != nil:
		return err
	case !st.protected():
		return in.relayParse(m.Name, nil)
	case in.tooManyStatements():
		return errTooManyStatements
	case v.Err != nil:
		return in.refuseParse(m, v.Err)
	}
	return in.relayParse(m.Name, &statement{sql: m.Query, execute: v, paramOIDs: m.ParameterOIDs})
}

func (in *interceptor) parseAnswer(m pgproto3.Parse, v *rewrite.Answer) error {
	if in.tooManyStatements() {
		return errTooManyStatements
	}
	st := &statement{sql: m.Query, answer: v, parsed: in.executed}
	rewritten := pgproto3.Parse{Name: m.Name, ParameterOIDs: v.ParamOIDs}
	switch {
	case v.Explain != nil:
		types, err := in.parameterTypes(v)
		if err != nil {
			return err
		}
		rewritten.Query, rewritten.ParameterOIDs = v.Explain.Statement("$"+strconv.Itoa(v.Params+1)), types
	case v.Prepare != "":
		st.effect = preparing(m.Query, v)
		rewritten.Query = v.Outer.WithParameters(v.Params + 1)
		rewritten.ParameterOIDs = nil // its parameters are those of the statement that it prepares
	case v.Inline:
		rewritten.Query = v.Outer.WithLiterals(slices.Repeat([]string{"{}"}, len(v.Outer.Arrays)))
	default:
		rewritten.Query = v.Outer.WithParameters(v.Params + 1)
		in.harmless = v.Plain
	}
	return in.replaceParse(&relay.Handling{Rewritten: true}, rewritten, st)
}

// parameterTypes has the server parse a statement that is to be explained, and so does not stay there, and tell the types of the
// client's parameters.
func (in *interceptor) parameterTypes(v *rewrite.Answer) ([]uint32, error) {
	name := in.ownName()
	var t relay.RoundTrip
	t.Parse(name, v.Outer.WithParameters(v.Params+1), v.ParamOIDs...)
	t.DescribeStatement(name)
	t.CloseStatement(name)
	reply, err := in.inbound.RoundTrip(t)
	if err != nil {
		return nil, err
	}
	types, ok := wire.DecodeParameterDescription(reply.Params)
	if !ok || len(types) < v.Params {
		return nil, errors.New("the server described other parameters than it was given")
	}
	return types[:v.Params], nil
}
