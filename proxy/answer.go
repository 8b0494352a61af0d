package proxy

import (
	"context"
	"errors"
	"fmt"

	"tacit/release"
	"tacit/rewrite"
)

// query deals with a Query.
func (in *inbound) query() (ready bool, err error) {
	if in.size > headerBytes+in.s.limits().StatementBytes+1 {
		return true, in.refuse(queryRequest, in.refuseTooLong())
	}
	body, ok := in.body(in.size - headerBytes)
	if !ok {
		return false, nil
	}
	text, ok := decodeQuery(body)
	switch {
	case !ok:
		return true, in.refuse(queryRequest, refuseMalformed())
	case !in.mentions(text):
		return true, in.relayQuery(nil)
	}
	return true, in.skippable(in.protectedQuery(text))
}

// mentions says whether a text must be looked at more closely.
func (in *inbound) mentions(text string) bool {
	return rewrite.Mentions(text, in.s.proxy.door.Catalog())
}

// relayQuery lets a Query through. Every Query drops the unnamed statement.
func (in *inbound) relayQuery(how *handling, effects ...*effect) error {
	if in.concerned("") {
		effects = append(effects, &effect{always: true})
	}
	if len(effects) > 0 {
		how = in.affecting(how, effects...)
	}
	return in.relay(queryRequest, how)
}

// skippable leaves the message at r out if the server would skip it.
func (in *inbound) skippable(err error) error {
	if !errors.Is(err, errSkipped) {
		return err
	}
	if err := in.flush(); err != nil {
		return err
	}
	in.leaveOut()
	return nil
}

// settle waits until the server has replied to everything before the message at r.
func (in *inbound) settle() error {
	if err := in.flush(); err != nil {
		return err
	}
	q := in.s.replies
	if q.inPipeline() && q.busy() {
		if err := in.flush(appendBare(nil, 'H')...); err != nil {
			return err
		}
	}
	return q.settle()
}

// prepareToAsk waits as settle does, so that the server can be asked for what concerns the message at r.
func (in *inbound) prepareToAsk() error {
	in.asked = false
	return in.settle()
}

// protectedQuery deals with a Query that may concern a protected table.
func (in *inbound) protectedQuery(text string) error {
	if err := in.prepareToAsk(); err != nil {
		return err
	}
	return in.failAs(queryRequest, in.judgeQuery(text))
}

func (in *inbound) judgeQuery(text string) error {
	verdict, err := in.verdict(text, false, nil)
	if err != nil {
		return err
	}
	switch v := verdict.(type) {
	case *rewrite.Relay:
		return in.relayQuery(nil)
	case *rewrite.Masked:
		return in.maskQuery(v)
	case *rewrite.Forget:
		return in.relayQuery(nil, forgetting(v))
	case *rewrite.Refusal:
		in.s.proxy.door.Refused(in.s.analyst, text, v)
		return in.refuse(queryRequest, v)
	case *rewrite.Execute:
		return in.executeQuery(text, v)
	case *rewrite.Answer:
		return in.answerQuery(text, v)
	case *rewrite.Script:
		return in.scriptQuery(text, v)
	}
	panic(fmt.Sprintf("proxy: internal error: verdict %T", verdict))
}

// replaceQuery sends another text in place of the Query at r.
func (in *inbound) replaceQuery(how *handling, text string) error {
	message := appendQuery(nil, text)
	if !fitsMessage(len(message)) {
		return in.refuse(queryRequest, refuseTooLarge())
	}
	if in.concerned("") {
		how = in.affecting(how, &effect{always: true})
	}
	return in.replace(queryRequest, how, message)
}

// answerQuery answers a simple query: the cells become constants in its text.
func (in *inbound) answerQuery(text string, v *rewrite.Answer) error {
	if v.Prepare != "" {
		return in.prepareQuery(text, v)
	}
	if v.Params > 0 {
		return in.refuse(queryRequest, refuseParameters())
	}
	if err := in.rehearse(v); err != nil {
		return err
	}
	if v.Explain != nil {
		return in.explainQuery(text, v.Explain, v, nil)
	}
	cells, notice, err := in.answer(text, v, nil)
	if err != nil {
		return in.refuseAnswer(err)
	}
	how := &handling{notice: notice, rewritten: true}
	return in.replaceQuery(how, v.Rest.WithLiterals(v.Rest.Literals(cells)))
}

func refuseParameters() *rewrite.Refusal {
	return &rewrite.Refusal{Code: "42P02", Message: "there is no parameter $1"}
}

// refuseAnswer turns what a count ended in into the end of a Query; other errors go on.
func (in *inbound) refuseAnswer(err error) error {
	var r *rewrite.Refusal
	if errors.As(err, &r) {
		return in.refuse(queryRequest, r)
	}
	return err
}

// prepareQuery deals with PREPARE of a protected statement. Nothing is answered before it is executed.
func (in *inbound) prepareQuery(text string, v *rewrite.Answer) error {
	if in.tooManyStatements() {
		return in.refuse(queryRequest, refuseTooManyStatements())
	}
	how := in.affecting(&handling{rewritten: true}, in.preparing(text, v))
	return in.replace(queryRequest, how, appendQuery(nil, v.Rest.WithParameters(v.Params+1)))
}

// preparing is the effect of a PREPARE of a protected statement.
func (in *inbound) preparing(text string, v *rewrite.Answer) *effect {
	return &effect{name: v.Prepare, becomes: in.newStatement(text, v)}
}

func (in *inbound) newStatement(text string, v *rewrite.Answer) *statement {
	return &statement{sql: text, answer: v}
}

func forgetting(v *rewrite.Forget) *effect {
	return &effect{all: v.Name == "", name: v.Name}
}

// executeQuery deals with EXECUTE.
func (in *inbound) executeQuery(text string, v *rewrite.Execute) error {
	st, err := in.lookUp(v.Name)
	switch {
	case err != nil:
		return err
	case !st.protected():
		return in.relayQuery(nil)
	}
	if r := in.checkExecute(text, v, st); r != nil {
		return in.refuse(queryRequest, r)
	}
	if err := in.confirm(v.Name, st); err != nil {
		return in.refuseAnswer(err)
	}
	if v.Explain != nil {
		return in.explainQuery(text, v.Explain, st.answer, v.Args)
	}
	literals, how, err := in.executeLiterals(text, v, st.answer)
	if err != nil {
		return in.refuseAnswer(err)
	}
	return in.replaceQuery(how, v.WithLiterals(literals))
}

// checkExecute refuses an EXECUTE that cannot be one of the protected statement, before anything is charged.
func (in *inbound) checkExecute(text string, v *rewrite.Execute, st *statement) (r *rewrite.Refusal) {
	switch {
	case st.execute != nil || st.answer.Inline:
		r = &rewrite.Refusal{
			Code:    "0A000",
			Message: fmt.Sprintf("prepared statement %q cannot be executed by EXECUTE, because it takes no sanitized counts as parameters", v.Name),
			Hint:    "Bind to the prepared statement, or send its text.",
		}
	case v.Err != nil:
		r = v.Err
	case len(v.Args) != st.answer.Params:
		return &rewrite.Refusal{
			Code:    "42601",
			Message: fmt.Sprintf("wrong number of parameters for prepared statement %q", v.Name),
			Detail:  fmt.Sprintf("Expected %d parameters but got %d.", st.answer.Params, len(v.Args)),
		}
	}
	if r != nil {
		in.s.proxy.door.Refused(in.s.analyst, text, r)
	}
	return r
}

// executeLiterals is literals for EXECUTE.
func (in *inbound) executeLiterals(text string, v *rewrite.Execute, answer *rewrite.Answer) ([]string, *handling, error) {
	if v.Nothing && answer.Explain == nil {
		return answer.Rest.Literals(answer.NoCells()), &handling{rewritten: true}, nil
	}
	return in.literals(text, answer, v.Args)
}

// literals gets what a prepared statement is executed with besides the client's own parameters: the arrays of its cells, or the lines
// of its explanation. The error may be a *rewrite.Refusal.
func (in *inbound) literals(text string, v *rewrite.Answer, params []rewrite.Value) ([]string, *handling, error) {
	how := &handling{rewritten: true}
	if v.Explain != nil {
		lines, err := in.explain(text, v.Explain, v, params)
		how.tags = explainTag
		return []string{lines}, how, err
	}
	cells, notice, err := in.answer(text, v, params)
	if err != nil {
		return nil, nil, err
	}
	how.notice = notice
	return v.Rest.Literals(cells), how, nil
}

// confirm makes sure that a prepared statement is still there, and still means what it meant when it was prepared: the server can
// have dropped it in ways that the wire does not show, and would say so only after the charge. The error may be a *rewrite.Refusal.
func (in *inbound) confirm(name string, st *statement) error {
	if len(st.answer.Queries) > 0 && in.s.proxy.door.Catalog().Version != st.answer.Queries[0].Table.Version {
		return refuseStale("The policy or the definition of a protected table has changed since it was prepared.")
	}
	names := namesOf(st.answer.Names)
	ask := in.sessionQuestion(names)
	ask.describeStatement(name)
	rows, err := in.put(ask)
	if err != nil {
		in.forgetIfGone(name, err)
		return err
	}
	now, err := in.readAnswer(names, rows)
	if err != nil {
		return err
	}
	if !sameNames(st.answer.Names, now) {
		return refuseStale("A table name in it means another table now than when it was prepared.")
	}
	return nil
}

// confirmExists makes sure that a prepared statement of the client's is still there.
func (in *inbound) confirmExists(name string) error {
	var ask question
	ask.describeStatement(name)
	_, err := in.put(ask)
	in.forgetIfGone(name, err)
	return err
}

// answer gets the cells of a statement and the notice that goes with them. The error may be a *rewrite.Refusal.
func (in *inbound) answer(text string, v *rewrite.Answer, params []rewrite.Value) (cells []*rewrite.Cells, notice []byte, err error) {
	queries, err := in.bound(text, v, params)
	if err != nil {
		return nil, nil, err
	}
	if v.Nothing {
		return v.NoCells(), nil, nil
	}
	reports, err := in.report(v)
	if err != nil || len(queries) == 0 {
		return reports, nil, err
	}
	if cells, notice, err = in.answerAll(text, queries); err != nil {
		return nil, nil, err
	}
	return append(cells, reports...), notice, nil
}

// bound gives the parameters of a statement's count queries their values. The error may be a *rewrite.Refusal.
func (in *inbound) bound(text string, v *rewrite.Answer, params []rewrite.Value) ([]*rewrite.BoundQuery, error) {
	constants, err := in.constants(v, params)
	if err != nil {
		return nil, err
	}
	var queries []*rewrite.BoundQuery
	for _, q := range v.Queries {
		bound, refusal := q.Bind(params, constants...)
		if refusal != nil {
			in.s.proxy.door.Refused(in.s.analyst, text, refusal)
			return nil, refusal
		}
		queries = append(queries, bound)
	}
	return queries, nil
}

// answerAll gets the cells of count queries and the notice that goes with them. The error may be a *rewrite.Refusal.
func (in *inbound) answerAll(text string, queries []*rewrite.BoundQuery) (cells []*rewrite.Cells, notice []byte, err error) {
	a, err := in.newAsk(text, queries)
	if err != nil {
		return nil, nil, err
	}
	var receipt *release.Receipt
	err = in.atDoor(func(ctx context.Context) (err error) {
		cells, receipt, err = in.s.proxy.door.Answer(ctx, a)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if !in.quiet {
		notice = appendNotice(nil, receipt.Notice())
	}
	return cells, notice, nil
}

// newAsk is what is asked of the door. Whether notices and fresh answers are wanted is found out if it is not known yet.
func (in *inbound) newAsk(text string, queries []*rewrite.BoundQuery) (release.Ask, error) {
	if !in.asked {
		if _, err := in.ask(nil); err != nil {
			return release.Ask{}, err
		}
	}
	return release.Ask{Analyst: in.s.analyst, SQL: text, Queries: queries, Fresh: in.fresh}, nil
}

// atDoor waits for the door. A cancel request, or the end of the session, ends the wait. The error may be a *rewrite.Refusal.
func (in *inbound) atDoor(ask func(context.Context) error) error {
	ctx, cancel := context.WithCancel(in.s.ctx)
	end := in.s.answering.begin(cancel)
	err := ask(ctx)
	cancelled := ctx.Err() != nil
	end()
	if err == nil {
		return nil
	}
	if in.s.ctx.Err() != nil {
		return errEnded
	}
	var r *rewrite.Refusal
	switch {
	case errors.As(err, &r) && error(r) != err:
		in.s.log.Error("answer refused", "code", r.Code, "error", err)
	case r != nil:
	case cancelled:
		r = refuseCancelled()
	default:
		in.s.log.Error("answer failed", "error", err)
		r = refuseInternal()
	}
	return r
}
