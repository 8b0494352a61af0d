package proxy

import (
	"github.com/jackc/pgx/v5/pgproto3"

	"tacit/internal/stopwatch"
	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// This file deals with a Query that may concern a protected table: the cells become constants in its text. The invariant: nothing is
// charged before the preflight has passed. Start at dispatch.

func (in *interceptor) protectedQuery(text string) error {
	in.watch = stopwatch.Start()
	if err := in.drain(); err != nil {
		return err
	}
	if err := in.inbound.EndPipeline(); err != nil {
		return err
	}
	return in.failOr(relay.QueryRequest, in.dispatch(text))
}

// dispatch does what the verdict on a text says. A *pgerror.Refusal is still to be sent.
func (in *interceptor) dispatch(text string) error {
	verdict, err := in.verdict(text, false, nil)
	if err != nil {
		return err
	}
	switch v := verdict.(type) {
	case *rewrite.Relay:
		return in.relayQuery()
	case *rewrite.Masked:
		return in.maskQuery(v)
	case *rewrite.Forget:
		return in.relayQuery(forgetting(v))
	case *rewrite.Refused:
		in.refused(text, v.Err)
		return v.Err
	case *rewrite.Execute:
		return in.executeQuery(text, v)
	case *rewrite.Answer:
		return in.answerQuery(text, v)
	case *rewrite.Script:
		return in.scriptQuery(text, v)
	default:
		return in.unknownVerdict(v)
	}
}

// maskQuery sends the masked text of a Query. One that has become too large goes as it was: the server denies it.
func (in *interceptor) maskQuery(v *rewrite.Masked) error {
	var effects []*effect
	if v.Forget != nil {
		effects = append(effects, forgetting(v.Forget))
	}
	if _, ok := wire.TryAppend(nil, &pgproto3.Query{String: v.Text}); !ok {
		return in.relayQuery(effects...)
	}
	return in.replaceQuery(&relay.Handling{Rewritten: true}, v.Text, effects...)
}

// answerQuery answers a statement by itself.
func (in *interceptor) answerQuery(text string, v *rewrite.Answer) error {
	switch {
	case v.Prepare != "":
		return in.prepareQuery(text, v)
	case v.Params > 0:
		return errParameters
	}
	how := &relay.Handling{Rewritten: true, Hint: in.hintAfter(v)}
	cells, ok, err := in.recall(text, v, how)
	if err != nil {
		return err
	}
	if !ok {
		if err := in.preflight(v); err != nil {
			return err
		}
		if v.Explain != nil {
			return in.explainQuery(text, v.Explain, v, nil)
		}
		if cells, how.Notice, err = in.answer(text, v, nil); err != nil {
			return err
		}
	}
	sent := v.Outer.WithLiterals(v.Outer.Literals(cells))
	if in.harmless = v.Plain; v.Lasting {
		return in.repeatQuery(how, sent)
	}
	return in.replaceQuery(how, sent)
}

// explainQuery answers an EXPLAIN of a protected statement, which never comes to the server: a SELECT of the proxy's own lines does.
func (in *interceptor) explainQuery(text string, e *rewrite.Explain, v *rewrite.Answer, params []query.Value) error {
	lines, err := in.explain(text, e, v, params)
	if err != nil {
		return err
	}
	return in.replaceQuery(&relay.Handling{Rewritten: true, Tags: explainTag}, e.WithLiteral(lines))
}

// prepareQuery deals with PREPARE of a protected statement. Nothing is answered before it is executed.
func (in *interceptor) prepareQuery(text string, v *rewrite.Answer) error {
	if in.tooManyStatements() {
		return errTooManyStatements
	}
	return in.replaceQuery(&relay.Handling{Rewritten: true}, v.Outer.WithParameters(v.Params+1), preparing(text, v))
}

// executeQuery deals with EXECUTE.
func (in *interceptor) executeQuery(text string, v *rewrite.Execute) error {
	st, err := in.lookUp(v.Name)
	switch {
	case err != nil:
		return err
	case !st.protected():
		return in.relayQuery()
	}
	if r := in.checkExecute(text, v, st); r != nil {
		return r
	}
	if err := in.revalidate(v.Name, st); err != nil {
		return err
	}
	if v.Explain != nil {
		return in.explainQuery(text, v.Explain, st.answer, v.Args)
	}
	literals, how, err := in.executeLiterals(text, v, st.answer)
	if err != nil {
		return err
	}
	return in.replaceQuery(how, v.WithLiterals(literals))
}
