package console

import (
	"cmp"
	"context"
	"fmt"

	"tacit/internal/terminal"
	"tacit/policy"
	"tacit/release/assess"
)

// This file draws a table as an analyst would see it under another mechanism.

// whatIf begins a draw of supposed counts.
func (v *visit) whatIf() (*page, error) {
	f := v.formOf(true)
	f.True = false
	err := f.choose(v.policy)
	if err == nil {
		err = f.read()
	}
	if err == nil && len(f.kinds) != 1 {
		err = fieldError("mechanism", "choose one")
	}
	if err != nil {
		return v.failed(f, err)
	}
	s, err := v.supposition(f)
	if err != nil {
		return v.failed(f, err)
	}
	request := f.request()
	i := &inspection{Title: "What if: " + f.of.Name.String(), Back: "/whatif", table: f.of.Name, about: f.about(s)}
	i.look = func(ctx context.Context) (*finding, error) {
		found, err := assessed(assess.Suppose(ctx, s, request))
		if err != nil {
			return nil, err
		}
		if found.Drawn, err = assess.Draw(s, f.mechanism()); err != nil {
			return nil, err
		}
		for _, k := range s.Keys {
			found.Names = append(found.Names, k.Name)
		}
		found.Words = f.words(found.Drawn)
		return found, nil
	}
	return v.begin(i)
}

// mechanism is the one that is drawn with: the table's own, if it is of that kind.
func (f *assessForm) mechanism() policy.Mechanism {
	own := f.of.Mechanism
	m := policy.Mechanism{Kind: f.kinds[0], Bound: own.Bound, Delta: own.Delta, K: own.K}
	if m.Kind == own.Kind {
		m = own
	}
	if m.Epsilon = f.epsilons[0]; m.Kind == policy.Suppression {
		m.Epsilon = 0
	}
	m.Delta, m.K = cmp.Or(f.delta, m.Delta, 1e12), cmp.Or(f.k, m.K, 6)
	return m
}

// words say what a draw loses.
func (f *assessForm) words(d *assess.Drawn) []string {
	words := []string{fmt.Sprintf("One answer costs %s. The noise of a count is within ±%s with probability 95%%.", d.Loss, thousands(d.HalfWidth95))}
	switch {
	case d.Threshold > 0:
		words = append(words, fmt.Sprintf("A key is shown from a noisy count of %s persons on. Of %s cells %s are expected not to be shown.", thousands(d.Threshold), thousands(int64(len(d.Cells))), terminal.Figure(d.Lost)))
	case d.Lost > 0:
		words = append(words, fmt.Sprintf("Of %s cells %s are expected to be withheld or filled.", thousands(int64(len(d.Cells))), terminal.Figure(d.Lost)))
	default:
		words = append(words, "Every cell is shown, whatever is in it.")
	}
	if p := f.of.Person; p != nil && f.release == 0 {
		words = append(words, fmt.Sprintf("At most %d rows of a person are counted. If persons have %s rows on average, and the number is geometric, that leaves out %s of the rows; rows: %d would leave out %s, with twice the noise of a count of rows.",
			p.Rows, terminal.Figure(f.mean), terminal.Percent(assess.LeftOutOf(f.mean, p.Rows)), 2*p.Rows, terminal.Percent(assess.LeftOutOf(f.mean, 2*p.Rows))))
	}
	return words
}
