package proxy

import (
	"context"
	"errors"

	"tacit/release"
	"tacit/rewrite"
)

// explainTag is the command tag of a single EXPLAIN, in place of that of the SELECT that shows its lines.
var explainTag = []string{"EXPLAIN"}

// explainQuery answers an EXPLAIN of a protected statement, which never comes to the server: a SELECT of the proxy's own lines does.
func (in *inbound) explainQuery(text string, e *rewrite.Explain, v *rewrite.Answer, params []rewrite.Value) error {
	lines, err := in.explain(text, e, v, params)
	if err != nil {
		return in.refuseAnswer(err)
	}
	return in.replaceQuery(&handling{rewritten: true, tags: explainTag}, e.WithLiteral(lines))
}

// explain gets the lines of an explanation, as the text of an array. The error may be a *rewrite.Refusal.
func (in *inbound) explain(text string, e *rewrite.Explain, v *rewrite.Answer, params []rewrite.Value) (lines string, err error) {
	queries, err := in.bound(text, v, params)
	if err != nil {
		return "", err
	}
	explanation := &release.Explanation{} // of a statement that asks nothing
	if !v.Nothing && len(queries) > 0 {
		explanation, err = in.explainAll(text, queries)
	}
	switch {
	case err != nil:
		return "", err
	case !e.JSON:
		return rewrite.ArrayLiteral(explanation.Lines()), nil
	}
	value, err := explanation.JSON()
	return rewrite.ArrayLiteral([]string{value}), err
}

// explainAll asks the door what the answers to count queries would cost. The error may be a *rewrite.Refusal.
func (in *inbound) explainAll(text string, queries []*rewrite.BoundQuery) (explanation *release.Explanation, err error) {
	a, err := in.newAsk(text, queries)
	if err != nil {
		return nil, err
	}
	err = in.atDoor(func(ctx context.Context) (err error) {
		explanation, err = in.s.proxy.door.Explain(ctx, a)
		return err
	})
	return explanation, err
}

// parseExplain deals with a Parse of EXPLAIN. The statement that is explained does not stay on the server, which is first asked for
// the types of its parameters.
func (in *inbound) parseExplain(m parseMessage, v *rewrite.Answer) error {
	types, err := in.parameterTypes(v)
	if err != nil {
		return in.failAs(parseRequest, err)
	}
	st := in.newStatement(m.text, v)
	message := parseMessage{name: m.name, text: v.Explain.Statement(parameter(v.Params + 1)), paramOIDs: types}.append(nil)
	how := in.affecting(&handling{rewritten: true}, &effect{name: m.name, becomes: st, always: m.name == ""})
	return in.replace(parseRequest, how, message)
}

// parameterTypes has the server parse a statement and tell the types of the client's parameters.
func (in *inbound) parameterTypes(v *rewrite.Answer) ([]uint32, error) {
	name := in.ownName()
	var ask question
	ask.parse(parseMessage{name: name, text: v.Rest.WithParameters(v.Params + 1), paramOIDs: v.ParamOIDs})
	ask.describeStatement(name)
	ask.closeStatement(name)
	reply, err := in.putAll(ask)
	if err != nil {
		return nil, err
	}
	b := bodyReader{rest: reply.params}
	types := make([]uint32, b.uint16())
	for i := range types {
		types[i] = uint32(b.int32())
	}
	if !b.done() || len(types) < v.Params {
		return nil, errors.New("the server described other parameters than it was given")
	}
	return types[:v.Params], nil
}
