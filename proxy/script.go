package proxy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/rewrite"
)

// A step is a statement of a script that is protected: by itself, or as EXECUTE of a prepared statement that is.
type step struct {
	answer  *rewrite.Answer
	args    []rewrite.Value
	execute *rewrite.Execute // nil for an answer by itself
	// first is the index of the step's first count query among those of all steps, n how many it has.
	first, n int
	reports  []*rewrite.Cells // the rows of the reports that it reads
}

// scriptQuery deals with a Query of several statements. All that are protected are answered, by one charge, before the text is sent.
func (in *inbound) scriptQuery(text string, v *rewrite.Script) error {
	in.prologue = v.Prologue
	if v.Refused != nil {
		in.s.proxy.door.Refused(in.s.analyst, text, v.Refused)
		return in.refuse(queryRequest, v.Refused)
	}
	steps, err := in.protectedSteps(v)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return in.relayQuery(nil, in.scriptEffects(text, v)...)
	}
	if v.Sketch {
		session := &rewrite.Session{Catalog: in.s.proxy.door.Catalog(), Limits: in.s.limits(), Executes: true}
		full, err := in.verdictIn(session, text)
		if err != nil {
			return err
		}
		switch full := full.(type) {
		case *rewrite.Script:
			return in.scriptQuery(text, full)
		case *rewrite.Refusal:
			in.s.proxy.door.Refused(in.s.analyst, text, full)
			return in.refuse(queryRequest, full)
		}
		in.s.log.Error("script judged otherwise when read in full", "verdict", fmt.Sprintf("%T", full))
		return in.refuse(queryRequest, refuseInternal())
	}
	sent, how, err := in.answerScript(text, v, steps)
	if err != nil {
		return in.refuseAnswer(err)
	}
	effects := in.scriptEffects(text, v)
	if len(effects) > 0 {
		how = in.affecting(how, effects...)
	}
	return in.replaceQuery(how, sent)
}

// protectedSteps finds the protected statements of a script, by their index.
func (in *inbound) protectedSteps(v *rewrite.Script) (map[int]*step, error) {
	steps := make(map[int]*step)
	for i, s := range v.Steps {
		switch {
		case s.Answer != nil:
			steps[i] = &step{answer: s.Answer}
		case s.Execute != nil:
			st, err := in.lookUp(s.Execute.Name)
			if err != nil {
				return nil, err
			}
			if st.protected() {
				steps[i] = &step{answer: st.answer, args: s.Execute.Args, execute: s.Execute}
			}
		}
	}
	return steps, nil
}

// scriptEffects are what the statements of a script do to prepared statements.
func (in *inbound) scriptEffects(text string, v *rewrite.Script) (effects []*effect) {
	for i, s := range v.Steps {
		var e *effect
		switch {
		case s.Answer != nil && s.Answer.Prepare != "":
			e = in.preparing(text, s.Answer)
		case s.Forget != nil:
			e = forgetting(s.Forget)
		default:
			continue
		}
		e.statement = i + 1
		effects = append(effects, e)
	}
	return effects
}

// answerScript judges a script as a whole, then answers it. The error may be a *rewrite.Refusal.
func (in *inbound) answerScript(text string, v *rewrite.Script, steps map[int]*step) (sent string, how *handling, err error) {
	if err := in.judgeScript(text, v, steps); err != nil {
		return "", nil, err
	}
	var queries []*rewrite.BoundQuery
	for i := range v.Steps {
		s := steps[i]
		if s == nil || s.prepares() || s.explains() != nil || s.nothing() {
			continue
		}
		if sql, _ := s.answer.Constants(s.args); sql != "" && !v.Steps[i].Settled {
			return "", nil, refuseUnsettled() // its constants would be those of the session before the text
		}
		bound, err := in.bound(text, s.answer, s.args)
		if err != nil {
			return "", nil, err
		}
		if s.reports, err = in.report(s.answer); err != nil {
			return "", nil, err
		}
		s.first, s.n = len(queries), len(bound)
		queries = append(queries, bound...)
	}
	how = &handling{rewritten: true, tags: make([]string, len(v.Steps))}
	var cells []*rewrite.Cells
	if len(queries) > 0 {
		if cells, how.notice, err = in.answerAll(text, queries); err != nil {
			return "", nil, err
		}
	}
	texts := make([]string, len(v.Steps))
	for i, plain := range v.Steps {
		s := steps[i]
		if s == nil {
			texts[i] = plain.Text
			continue
		}
		if s.tagged() {
			how.tags[i] = explainTag[0]
		}
		if texts[i], err = in.stepText(text, s, cells); err != nil {
			return "", nil, err
		}
	}
	return strings.Join(texts, "; "), how, nil
}

// nothing says that the step's counts do not matter.
func (s *step) nothing() bool { return s.answer.Nothing || s.execute != nil && s.execute.Nothing }

// literals are the arrays of the step's cells, out of those of all steps.
func (s *step) literals(all []*rewrite.Cells) []string {
	if s.nothing() {
		return s.answer.Rest.Literals(s.answer.NoCells())
	}
	return s.answer.Rest.Literals(slices.Concat(all[s.first:s.first+s.n], s.reports))
}

func (s *step) prepares() bool { return s.execute == nil && s.answer.Prepare != "" }

// explains is set if the step is to be explained, whether it is an EXPLAIN, or executes one that was prepared.
func (s *step) explains() *rewrite.Explain {
	if s.execute != nil && s.execute.Explain != nil {
		return s.execute.Explain
	}
	return s.answer.Explain
}

func (s *step) tagged() bool { return s.explains() != nil }

// stepText is what is sent in place of a protected statement.
func (in *inbound) stepText(text string, s *step, cells []*rewrite.Cells) (string, error) {
	switch e := s.explains(); {
	case s.prepares():
		return s.answer.Rest.WithParameters(s.answer.Params + 1), nil
	case e != nil:
		lines, err := in.explain(text, e, s.answer, s.args)
		if s.execute != nil && s.execute.Explain == nil {
			return s.execute.WithLiterals([]string{lines}), err
		}
		return e.WithLiteral(lines), err
	case s.execute != nil:
		return s.execute.WithLiterals(s.literals(cells)), nil
	}
	return s.answer.Rest.WithLiterals(s.literals(cells)), nil
}

// judgeScript finds, before anything is charged, what stands in the way of a script. The error may be a *rewrite.Refusal.
func (in *inbound) judgeScript(text string, v *rewrite.Script, steps map[int]*step) error {
	if v.Reverts != nil && in.s.replies.mayBeInBlock() {
		in.s.proxy.door.Refused(in.s.analyst, text, v.Reverts)
		return v.Reverts
	}
	for i, s := range v.Steps {
		if s.Err != nil {
			in.s.proxy.door.Refused(in.s.analyst, text, s.Err)
			return s.Err
		}
		if steps[i] == nil {
			continue
		}
		if err := in.judgeStep(text, s, steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (in *inbound) judgeStep(text string, s rewrite.Step, protected *step) error {
	switch v := s.Answer; {
	case s.Execute != nil:
		st, err := in.lookUp(s.Execute.Name)
		if err != nil {
			return err
		}
		if r := in.checkExecute(text, s.Execute, st); r != nil {
			return r
		}
		return in.confirm(s.Execute.Name, st)
	case protected.prepares():
		if in.tooManyStatements() {
			return refuseTooManyStatements()
		}
	case v.Params > 0:
		return refuseParameters()
	case s.Settled:
		ask := in.rehearsal(v)
		if !v.Cursor { // which may need the transaction block that the text begins
			in.try(&ask, v)
		}
		return in.putAside(ask)
	}
	return nil
}

// putAside puts a question whose failure leaves a transaction block as it was: what the text begins with may be a savepoint, which is
// to be there when the client learns of the failure.
func (in *inbound) putAside(ask question) error {
	if q := in.s.replies; q.inPipeline() || !q.mayBeInBlock() {
		_, err := in.put(ask)
		return err
	}
	savepoint := `"` + in.ownName() + `"`
	var guarded, undo question
	in.performs(&guarded, "SAVEPOINT "+savepoint)
	guarded.messages, guarded.kinds = append(guarded.messages, ask.messages...), append(guarded.kinds, ask.kinds...)
	in.performs(&guarded, "RELEASE SAVEPOINT "+savepoint)
	_, failed := in.put(guarded)
	if f := (failure{}); !errors.As(failed, &f) {
		return failed
	}
	in.performs(&undo, "ROLLBACK TO SAVEPOINT "+savepoint)
	in.performs(&undo, "RELEASE SAVEPOINT "+savepoint)
	if _, err := in.put(undo); err != nil {
		return err
	}
	return failed
}
