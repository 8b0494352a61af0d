package proxy

import (
	"fmt"
	"slices"
	"strings"

	"tacit/proxy/internal/relay"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// This file answers a Query of several statements. The invariant: all that are protected are answered by one charge, before the text is
// sent, and after everything that can be refused for free. Every error may be a *pgerror.Refusal. Start at scriptQuery.

// A step is a statement of a script that is protected: by itself, or as EXECUTE of a prepared statement that is.
type step struct {
	answer  *rewrite.Answer
	args    []query.Value
	execute *rewrite.Execute // nil for an answer by itself
	// first is the index of the step's first count query among those of all steps, n how many it has.
	first, n int
	reports  []*query.Cells // the rows of the reports that it reads
}

// scriptQuery deals with a Query of several statements.
func (in *interceptor) scriptQuery(text string, v *rewrite.Script) error {
	in.prologue = v.Prologue
	if v.Refused != nil {
		in.refused(text, v.Refused)
		return v.Refused
	}
	steps, err := in.protectedSteps(v)
	if err != nil {
		return err
	}
	if len(steps) == 0 {
		return in.relayQuery(scriptEffects(text, v)...)
	}
	if v.Sketch {
		full, err := in.verdictIn(text, &rewrite.Session{Catalog: in.releaser.Catalog(), Limits: in.limits(), Executes: true})
		if err != nil {
			return err
		}
		switch full := full.(type) {
		case *rewrite.Script:
			return in.scriptQuery(text, full)
		case *rewrite.Refused:
			in.refused(text, full.Err)
			return full.Err
		default:
			in.log.Error("script judged otherwise when read in full", "verdict", fmt.Sprintf("%T", full))
			return errInternal
		}
	}
	sent, how, err := in.answerScript(text, v, steps)
	if err != nil {
		return err
	}
	return in.replaceQuery(how, sent, scriptEffects(text, v)...)
}

// protectedSteps finds the protected statements of a script, by their index.
func (in *interceptor) protectedSteps(v *rewrite.Script) (map[int]*step, error) {
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
func scriptEffects(text string, v *rewrite.Script) (effects []*effect) {
	for i, s := range v.Steps {
		var e *effect
		switch {
		case s.Answer != nil && s.Answer.Prepare != "":
			e = preparing(text, s.Answer)
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

// answerScript judges a script as a whole, then answers it.
func (in *interceptor) answerScript(text string, v *rewrite.Script, steps map[int]*step) (sent string, how *relay.Handling, err error) {
	if err := in.judgeScript(text, v, steps); err != nil {
		return "", nil, err
	}
	var queries []*query.BoundQuery
	for i := range v.Steps {
		s := steps[i]
		if s == nil || s.prepares() || s.explains() != nil || s.nothing() {
			continue
		}
		if sql, _ := s.answer.Constants(s.args); sql != "" && !v.Steps[i].Settled {
			return "", nil, errUnsettled // its constants would be those of the session before the text
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
	how = &relay.Handling{Rewritten: true, Tags: make([]string, len(v.Steps))}
	var cells []*query.Cells
	if len(queries) > 0 {
		how.Hint = in.recordedHint()
		if cells, how.Notice, err = in.answerAll(text, queries); err != nil {
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
			how.Tags[i] = explainTag[0]
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
func (s *step) literals(all []*query.Cells) []string {
	if s.nothing() {
		return s.answer.Outer.Literals(s.answer.NoCells())
	}
	return s.answer.Outer.Literals(slices.Concat(all[s.first:s.first+s.n], s.reports))
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
func (in *interceptor) stepText(text string, s *step, cells []*query.Cells) (string, error) {
	switch e := s.explains(); {
	case s.prepares():
		return s.answer.Outer.WithParameters(s.answer.Params + 1), nil
	case e != nil:
		lines, err := in.explain(text, e, s.answer, s.args)
		if s.execute != nil && s.execute.Explain == nil {
			return s.execute.WithLiterals([]string{lines}), err
		}
		return e.WithLiteral(lines), err
	case s.execute != nil:
		return s.execute.WithLiterals(s.literals(cells)), nil
	}
	return s.answer.Outer.WithLiterals(s.literals(cells)), nil
}

// judgeScript finds, before anything is charged, what stands in the way of a script.
func (in *interceptor) judgeScript(text string, v *rewrite.Script, steps map[int]*step) error {
	if v.Reverts != nil && in.inbound.State().MayBeInBlock {
		in.refused(text, v.Reverts)
		return v.Reverts
	}
	for i, s := range v.Steps {
		if s.Err != nil {
			in.refused(text, s.Err)
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

func (in *interceptor) judgeStep(text string, s rewrite.Step, protected *step) error {
	switch v := s.Answer; {
	case s.Execute != nil:
		st, err := in.lookUp(s.Execute.Name)
		if err != nil {
			return err
		}
		if r := in.checkExecute(text, s.Execute, st); r != nil {
			return r
		}
		return in.revalidate(s.Execute.Name, st)
	case protected.prepares():
		if in.tooManyStatements() {
			return errTooManyStatements
		}
	case v.Params > 0:
		return errParameters
	case s.Settled:
		return in.preflightStep(v)
	}
	return nil
}
