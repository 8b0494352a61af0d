package proxy

import (
	"errors"
	"slices"

	"tacit/proxy/internal/relay"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
)

// This file has the server check what it can of a statement before anything is charged, so that a slip outside of the counts (a function
// that does not exist, a column of the analyst's own table) costs nothing. What PostgreSQL finds only when it executes comes
// after the charge. The invariant: a preflight changes nothing that outlives it. Start at preflight.

// preflight checks a statement of a Query, unless its rest passed before. In the extended protocol the client's own Parse has done this.
func (in *interceptor) preflight(v *rewrite.Answer) error {
	rest := v.Preflight.WithParameters(v.Params + 1)
	known, err := in.holds()
	if err != nil || known && in.known.parsed[rest] && len(v.Probes) == 0 {
		return err
	}
	t := in.parsing(v)
	in.addProbes(&t, v)
	if _, err = in.inbound.RoundTrip(t); err == nil && known && len(rest) <= maxRest && len(in.known.parsed) < maxRests {
		in.known.parsed[rest] = true
	}
	return err
}

// parsing is the question whether the server can parse a statement, and whether the analyst may read the public tables in it.
func (in *interceptor) parsing(v *rewrite.Answer) (t relay.RoundTrip) {
	name := in.ownName()
	t.Parse(name, v.Preflight.WithParameters(v.Params+1), v.ParamOIDs...)
	t.CloseStatement(name)
	in.addReads(&t, v)
	return t
}

// checkReads is the part of preflight that PREPARE and Parse leave out, since privileges are looked at when a statement is executed.
func (in *interceptor) checkReads(v *rewrite.Answer) error {
	var t relay.RoundTrip
	if in.addReads(&t, v); t.Empty() {
		return nil
	}
	_, err := in.inbound.RoundTrip(t)
	return err
}

func (in *interceptor) addReads(t *relay.RoundTrip, v *rewrite.Answer) {
	for _, text := range v.Reads {
		t.Run(in.ownName(), text, nil)
	}
}

// addProbes adds what shows whether the server would refuse a cursor or a COPY for something else than its query.
func (in *interceptor) addProbes(t *relay.RoundTrip, v *rewrite.Answer) {
	for _, text := range v.Probes {
		t.Run(in.ownName(), text, nil)
	}
}

// preflightBind is preflight for what the client's own Parse has left out.
func (in *interceptor) preflightBind(v *rewrite.Answer) error {
	var t relay.RoundTrip
	if v.Inline {
		t = in.parsing(v)
	}
	in.addProbes(&t, v)
	if t.Empty() {
		return nil
	}
	_, err := in.inbound.RoundTrip(t)
	return err
}

// preflightStep is preflight for a statement among several. A failure leaves a transaction block as it was: what the text begins with may
// be a savepoint, which is to be there when the client learns of the failure.
func (in *interceptor) preflightStep(v *rewrite.Answer) error {
	t := in.parsing(v)
	if !v.Cursor { // which may need the transaction block that the text begins
		in.addProbes(&t, v)
	}
	if !in.inbound.State().MayBeInBlock || in.inbound.State().InPipeline {
		_, err := in.inbound.RoundTrip(t)
		return err
	}
	savepoint := `"` + in.ownName() + `"`
	var guarded, undo relay.RoundTrip
	guarded.Run(in.ownName(), "SAVEPOINT "+savepoint, nil)
	guarded.Append(t)
	guarded.Run(in.ownName(), "RELEASE SAVEPOINT "+savepoint, nil)
	_, failed := in.inbound.RoundTrip(guarded)
	if !errors.As(failed, new(relay.ServerError)) {
		return failed
	}
	undo.Run(in.ownName(), "ROLLBACK TO SAVEPOINT "+savepoint, nil)
	undo.Run(in.ownName(), "RELEASE SAVEPOINT "+savepoint, nil)
	if _, err := in.inbound.RoundTrip(undo); err != nil {
		return err
	}
	return failed
}

// revalidate makes sure that a prepared statement is still there, and still means what it meant when it was prepared: the server can
// have dropped it in ways that the wire does not show, and would say so only after the charge. The error may be a *pgerror.Refusal.
func (in *interceptor) revalidate(name string, st *statement) error {
	if len(st.answer.Queries) > 0 && in.releaser.Catalog().Version != st.answer.Queries[0].Table.Version {
		return statementStale.With("The policy or the definition of a protected table has changed since it was prepared.")
	}
	names := namesOf(st.answer.Names)
	if st.parsed == in.executed {
		if now, ok, err := in.remembered(names); err != nil || ok && slices.Equal(st.answer.Names, now) {
			return err
		}
	}
	reply, err := in.describing(name, in.sessionRoundTrip(names))
	if err != nil {
		return err
	}
	now, err := in.readResolutions(names, reply.Rows)
	if err != nil {
		return err
	}
	if !slices.Equal(st.answer.Names, now) {
		return statementStale.With("A table name in it means another table now than when it was prepared.")
	}
	return nil
}

// describing makes a round trip that fails if a prepared statement of the client's does not exist any more.
func (in *interceptor) describing(name string, t relay.RoundTrip) (*relay.Reply, error) {
	t.DescribeStatement(name)
	reply, err := in.inbound.RoundTrip(t)
	var f relay.ServerError
	if errors.As(err, &f) && f.Code == codeNoSuchStatement {
		in.statements.forget(name)
	}
	return reply, err
}

// checkExecute refuses an EXECUTE that cannot be one of the protected statement, before anything is charged.
func (in *interceptor) checkExecute(text string, v *rewrite.Execute, st *statement) (r *pgerror.Refusal) {
	switch {
	case st.execute != nil || st.answer.Inline:
		r = notExecutable.With(v.Name)
	case v.Err != nil:
		r = v.Err
	case len(v.Args) != st.answer.Params:
		return argumentCount.With(v.Name, len(v.Args), st.answer.Params)
	}
	if r != nil {
		in.refused(text, r)
	}
	return r
}
