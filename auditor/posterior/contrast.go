package posterior

import (
	"fmt"
	"math"

	"tacit/auditor/posterior/internal/linear"
)

// A contrast is a question about linked sums, with the tilt that the released sums have now.
type contrast struct {
	Decision
	*linked
	base    *tilting
	order   []int // of the rows, as in base
	family  int
	now     []float64 // posteriors
	mean    float64   // of the answer
	spacing spacing

	unimodular bool // the sums and the question
}

// contrast prepares a question and finds out whether it is determined.
func (s System) contrast(q Set) (*contrast, error) {
	k, err := s.known()
	if err != nil {
		return nil, err
	}
	if err := s.validateSet(q); err != nil {
		return nil, err
	}
	r, constant := k.row(q)
	if len(r.atoms) == 0 {
		return &contrast{Decision: Decision{Determined: true, Value: constant, Engine: EngineDetermined}}, nil
	}
	l, err := k.touched(k.upright(r))
	if err != nil {
		return nil, err
	}
	c := &contrast{linked: l, Decision: Decision{Engine: EngineSaddlepoint}}
	if err := c.solve(); err != nil {
		return c, err
	}
	c.unimodular = c.totallyUnimodular()
	return c, c.follows(r, constant)
}

// solve tilts to the released sums.
func (c *contrast) solve() (err error) {
	c.base, c.order, c.family, err = c.tilting()
	if err != nil {
		return err
	}
	c.now = append([]float64(nil), c.base.current()...)
	mean, variance := c.base.conditional(*c.question, c.now)
	c.mean = mean
	c.Deviation = math.Sqrt(max(variance, 0))
	return nil
}

// follows decides a question that the sums determine. Exact linear algebra and the conditional variance must agree on it.
func (c *contrast) follows(r row, constant int) error {
	value, ok := c.determined(*c.question)
	if ok != (c.Deviation*c.Deviation < noDeviation) {
		return fmt.Errorf("%w: rank and variance disagree", ErrNotCertified)
	}
	if !ok {
		return nil
	}
	if r.set != c.question.set {
		value = c.people(r) - value
	}
	c.Decision = Decision{Determined: true, Value: value + constant, Engine: EngineDetermined}
	return nil
}

// tilting solves for the released sums of linked atoms.
func (l *linked) tilting() (*tilting, []int, int, error) {
	order, family := linear.Disjoint(len(l.atoms), atomsOf(l.rows))
	t, err := newTilting(l, inOrder(l.rows, order), family)
	if err != nil {
		return nil, nil, 0, err
	}
	t.tilt(t.multipliers)
	if err := t.newton(); err != nil {
		return nil, nil, 0, err
	}
	return t, order, family, t.check(l.dropped)
}

func inOrder(rows []row, order []int) []row {
	out := make([]row, len(order))
	for i, j := range order {
		out[i] = rows[j]
	}
	return out
}

// check compares sums that were dropped with the tilt: they follow from others, so that it must match them too.
func (t *tilting) check(dropped []row) error {
	for _, r := range dropped {
		mean := t.mean(t.tilted(), r)
		if math.Abs(mean-float64(r.value)) > 1e-5*(1+mean) {
			return fmt.Errorf("%w: a dropped sum does not follow", ErrNotCertified)
		}
	}
	return nil
}
