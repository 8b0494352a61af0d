package proxy

import (
	"context"
	"fmt"
	"time"

	"tacit/proxy/internal/relay"
	"tacit/proxy/internal/wire"
	"tacit/release"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// This file gets what a protected statement is replaced with: its cells, the rows of its reports, or the lines of its explanation. The
// invariant: only answerAll charges, once for all count queries that it is given, and after everything that can be refused for free.
// Every error may be a *pgerror.Refusal. Start at answer.

// explainTag is the command tag of a single EXPLAIN, in place of that of the SELECT that shows its lines.
var explainTag = []string{"EXPLAIN"}

// answer gets the cells of a statement and the notice that goes with them.
func (in *interceptor) answer(text string, v *rewrite.Answer, params []query.Value) (cells []*query.Cells, notice []byte, err error) {
	queries, err := in.bound(text, v, params)
	if err != nil {
		return nil, nil, err
	}
	if v.Nothing {
		return v.NoCells(), nil, nil
	}
	reports, err := in.report(v)
	if err != nil || len(queries) == 0 {
		in.conclude(text, Listed, nil, err)
		return reports, nil, err
	}
	if cells, notice, err = in.answerAll(text, queries); err != nil {
		return nil, nil, err
	}
	return append(cells, reports...), notice, nil
}

// recall gets the cells of a statement that costs nothing, and puts the notice that goes with them into how; ok is false if it has to be
// answered otherwise, and then nothing was done. It needs no preflight, since a failure loses nothing. What is refused is left to what
// follows the preflight, so that the server's own errors come first, whether there is an answer or not.
func (in *interceptor) recall(text string, v *rewrite.Answer, how *relay.Handling) (cells []*query.Cells, ok bool, err error) {
	if !in.asked || v.Explain != nil || v.Nothing || len(v.Queries) == 0 || len(v.Reports)+len(v.Probes) > 0 || v.HasConstants() {
		return nil, false, nil
	}
	queries, refusal := bindAll(v, nil, nil)
	if refusal != nil {
		return nil, false, nil
	}
	ask, err := in.newAsk(text, queries)
	if err != nil {
		return nil, false, err
	}
	recalled, err := await(in, in.free(), func(ctx context.Context) (recalled, error) {
		cells, receipt, ok := in.releaser.Recall(ctx, ask)
		if !ok {
			return recalled{}, ctx.Err()
		}
		return recalled{cells, receipt}, nil
	})
	if err != nil || recalled.receipt == nil {
		return nil, false, err
	}
	in.conclude(text, outcomeIn(recalled.receipt), recalled.receipt, nil)
	how.Notice, how.Silent = in.noticeOf(text, recalled.receipt), true
	return recalled.cells, true, nil
}

// recalled is what the releaser answers.
type recalled struct {
	cells   []*query.Cells
	receipt *release.Receipt
}

// noticeOf is the notice that goes with an answer; nil if none are wanted. It notes the answer among those of the session.
func (in *interceptor) noticeOf(text string, receipt *release.Receipt) []byte {
	told := newAnswered(text, receipt, in.releaser.Policy().Rounded(time.Now()))
	in.answers.add(told)
	in.lately.add(in.analyst, told)
	if in.quiet {
		return nil
	}
	return wire.AppendNotice(nil, receipt.Notice())
}

// executeLiterals is literals for EXECUTE.
func (in *interceptor) executeLiterals(text string, v *rewrite.Execute, answer *rewrite.Answer) ([]string, *relay.Handling, error) {
	if v.Nothing && answer.Explain == nil {
		return answer.Outer.Literals(answer.NoCells()), &relay.Handling{Rewritten: true}, nil
	}
	return in.literals(text, answer, v.Args)
}

// literals gets what a prepared statement is executed with besides the client's own parameters: the arrays of its cells, or the lines
// of its explanation.
func (in *interceptor) literals(text string, v *rewrite.Answer, params []query.Value) ([]string, *relay.Handling, error) {
	how := &relay.Handling{Rewritten: true}
	if v.Explain != nil {
		lines, err := in.explain(text, v.Explain, v, params)
		how.Tags = explainTag
		return []string{lines}, how, err
	}
	if err := in.checkReads(v); err != nil {
		return nil, nil, err
	}
	cells, notice, err := in.answer(text, v, params)
	if err != nil {
		return nil, nil, err
	}
	how.Notice, how.Hint = notice, in.hintAfter(v)
	return v.Outer.Literals(cells), how, nil
}

// bound gives the parameters of a statement's count queries their values.
func (in *interceptor) bound(text string, v *rewrite.Answer, params []query.Value) ([]*query.BoundQuery, error) {
	constants, err := in.constants(v, params)
	if err != nil {
		return nil, err
	}
	queries, refusal := bindAll(v, params, constants)
	if refusal != nil {
		in.refused(text, refusal)
		return nil, refusal
	}
	return queries, nil
}

func bindAll(v *rewrite.Answer, params, constants []query.Value) (queries []*query.BoundQuery, refusal *pgerror.Refusal) {
	for _, q := range v.Queries {
		bound, refusal := q.Bind(params, constants...)
		if refusal != nil {
			return nil, refusal
		}
		queries = append(queries, bound)
	}
	return queries, nil
}

// constants evaluates the expressions without columns of a statement in the analyst's own session. An error that the server raises at
// them is that of her statement.
func (in *interceptor) constants(v *rewrite.Answer, params []query.Value) ([]query.Value, error) {
	sql, args := v.Constants(params)
	if sql == "" {
		return nil, nil
	}
	values := make([][]byte, len(args))
	for i, a := range args {
		if !a.Null {
			values[i] = []byte(a.Text)
		}
	}
	var t relay.RoundTrip
	t.Run(in.ownName(), sql, values)
	reply, err := in.inbound.RoundTrip(t)
	if err != nil {
		return nil, err
	}
	if len(reply.Rows) == 0 {
		return nil, rewrite.RefuseConstants()
	}
	if len(reply.Rows) != 1 {
		return nil, fmt.Errorf("the server answered %d rows of constants", len(reply.Rows))
	}
	fields, ok := wire.DecodeRow(reply.Rows[0])
	if !ok {
		return nil, errOtherRow
	}
	constants := make([]query.Value, len(fields))
	for i, f := range fields {
		constants[i] = query.Value{Text: string(f), Null: f == nil}
	}
	return constants, nil
}

// answerAll gets the cells of count queries and the notice that goes with them.
func (in *interceptor) answerAll(text string, queries []*query.BoundQuery) (cells []*query.Cells, notice []byte, err error) {
	ask, err := in.newAsk(text, queries)
	if err != nil {
		return nil, nil, err
	}
	counted, err := await(in, in.charged(), func(ctx context.Context) (recalled, error) {
		cells, receipt, err := in.releaser.Answer(ctx, ask)
		return recalled{cells, receipt}, err
	})
	in.conclude(text, outcomeIn(counted.receipt), counted.receipt, err)
	if err != nil {
		return nil, nil, err
	}
	return counted.cells, in.noticeOf(text, counted.receipt), nil
}

// report gets the rows of a statement's reports.
func (in *interceptor) report(v *rewrite.Answer) (cells []*query.Cells, err error) {
	cells = make([]*query.Cells, len(v.Reports))
	var others []*rewrite.Report
	for i, r := range v.Reports {
		if r == rewrite.AnswersReport {
			cells[i] = in.answers.cells()
		} else {
			others = append(others, r)
		}
	}
	if len(others) == 0 {
		return cells, nil
	}
	found, err := await(in, in.free(), func(ctx context.Context) ([]*query.Cells, error) {
		return in.releaser.Report(ctx, in.analyst, others)
	})
	for i := 0; i < len(cells) && err == nil; i++ {
		if cells[i] == nil {
			cells[i], found = found[0], found[1:]
		}
	}
	return cells, err
}

// explain gets the lines of an explanation, as the text of an array.
func (in *interceptor) explain(text string, e *rewrite.Explain, v *rewrite.Answer, params []query.Value) (lines string, err error) {
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
		return query.ArrayLiteral(explanation.Lines()), nil
	}
	value, err := explanation.JSON()
	return query.ArrayLiteral([]string{value}), err
}

// explainAll asks what the answers to count queries would cost.
func (in *interceptor) explainAll(text string, queries []*query.BoundQuery) (explanation *release.Explanation, err error) {
	ask, err := in.newAsk(text, queries)
	if err != nil {
		return nil, err
	}
	explanation, err = await(in, in.free(), func(ctx context.Context) (*release.Explanation, error) {
		return in.releaser.Explain(ctx, ask)
	})
	in.conclude(text, Explained, nil, err)
	return explanation, err
}

// newAsk is what the releaser is asked. The session's settings are found out if they are not known yet.
func (in *interceptor) newAsk(text string, queries []*query.BoundQuery) (release.Request, error) {
	if !in.asked {
		if _, err := in.resolve(nil); err != nil {
			return release.Request{}, err
		}
	}
	return release.Request{Analyst: in.analyst, SQL: text, ID: in.requestID(), Queries: queries, Fresh: in.fresh, MaxAge: in.maxAge, Within: in.within, Zone: in.zone}, nil
}
