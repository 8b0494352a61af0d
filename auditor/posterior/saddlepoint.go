package posterior

import (
	"fmt"
	"math"
)

// Limits of what the saddlepoint engine takes on: a dense factor of 300 sums takes milliseconds, and a decision about twenty.
const (
	maxSums  = 300
	maxAtoms = 20000
)

// A guard says how far the approximation must stay inside of the limits, and where it may be used at all. The first-order density errs
// upward (by Stirling's sign), but a posterior at its limit can be judged on the wrong side, and where counts are small and sums
// overlap in odd cycles a fine structure shows that no smooth approximation sees (in the extreme, the parity of an answer is known).
type guard struct {
	margin    float64 // posteriors that are not exact count as unsafe from 1-margin times the way to their limit
	deviation float64 // least standard deviation of the answer
	variance  float64 // least variance of an atom's count that the sums do not determine
}

var (
	// unimodularGuard is for sums that split into two laminar families.
	unimodularGuard = guard{margin: 0.01, deviation: 1.5}
	generalGuard    = guard{margin: 0.03, deviation: 3, variance: 5}
)

const (
	// mostExcess is that of a safe posterior, with the error from stopping Newton steps.
	mostExcess = 1 + 1e-6
	// searchWidth is the distance from the mean, in standard deviations, at which the search for safe answers stops.
	searchWidth = 9
	// noDeviation is the variance of an answer below which it is as good as determined.
	noDeviation = 1e-6
)

// Saddlepoint decides by conditional exponential tilting: the prior is tilted until the released sums, and a possible answer, are its
// means; posteriors are tilted means with their first-order correction, and the probability of the answer is the ratio of the
// saddlepoint densities with and without it. From the mean outward the last safe answers are searched, and the risk is the
// sum of both tails beyond. Tails are cut by a geometric bound, which the log-concavity of the answer's law makes an upper bound.
//
// Of 30,000 certified decisions on small random systems, against exact elimination, the median is 1% to 4% too high, the lowest 0.7% too
// low; where the margin takes one likely answer for unsafe it is several times too high. It returns [ErrNotCertified] outside of the
// guards, and [ErrNotSolved], [ErrTooLarge] or [ErrImpossible].
func (s System) Saddlepoint(q Set) (Decision, error) { return s.saddlepoint(q, nil) }

// saddlepoint decides with other guards than those that are certified, for tests.
func (s System) saddlepoint(q Set, g *guard) (Decision, error) {
	c, err := s.contrast(q)
	if err != nil || c.Determined {
		return c.decision(), err
	}
	if g != nil {
		err = c.decide(*g)
		return c.Decision, err
	}
	err = c.decideCertified()
	return c.Decision, err
}

// decideCertified decides within the guard of the kind of sums.
func (c *contrast) decideCertified() error {
	g := generalGuard
	if c.unimodular {
		g = unimodularGuard
	}
	if err := c.certify(g); err != nil {
		return err
	}
	return c.decide(g)
}

// decision is none without a contrast.
func (c *contrast) decision() Decision {
	if c == nil {
		return Decision{}
	}
	return c.Decision
}

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
	order, family := disjoint(len(l.atoms), l.rows)
	t, err := newTilting(l, inOrder(l.rows, order), family)
	if err != nil {
		return nil, nil, 0, err
	}
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

// certify returns ErrNotCertified outside of the guard.
func (c *contrast) certify(g guard) error {
	if c.Deviation < g.deviation {
		return fmt.Errorf("%w: the answer has standard deviation %.2g", ErrNotCertified, c.Deviation)
	}
	for i, a := range c.atoms {
		thin := g.variance
		if c.Atoms[a].Spread > 0 {
			thin = generalGuard.variance
		}
		if thin > 0 && c.base.variance(i) < thin && !c.settled(int32(i)) {
			return fmt.Errorf("%w: few people in an atom", ErrNotCertified)
		}
	}
	return nil
}

// settled says whether the sums determine all counts of an atom.
func (c *contrast) settled(i int32) bool {
	for v := range c.Atoms[c.atoms[i]].Prior {
		if _, ok := c.determined(row{atoms: []int32{i}, set: 1 << v}); c.support[c.atoms[i]].Has(v) && !ok {
			return false
		}
	}
	return true
}

// decide finds the risk of a question that is not determined.
func (c *contrast) decide(g guard) error {
	c.Risk = 1
	var err error
	if c.spacing, err = c.lattice(); err != nil {
		return err
	}
	s, err := c.search(g.margin)
	if err != nil {
		return err
	}
	c.Risk = s.risk()
	return nil
}

// SaddlepointPosterior returns the posterior probabilities of each value, by atom, to the first order beyond the tilted prior.
func (s System) SaddlepointPosterior() ([][]float64, error) {
	k, err := s.known()
	if err != nil {
		return nil, err
	}
	out := k.apart()
	pieces, err := k.pieces()
	if err != nil {
		return nil, err
	}
	for _, l := range pieces {
		t, _, _, err := l.tilting()
		if err != nil {
			return nil, err
		}
		q := t.current()
		for i, a := range l.atoms {
			t.spell(q, i, out[a])
		}
	}
	return out, nil
}

// apart are the posteriors of atoms by what bounds say of each alone: constants have their counts, others the prior of the values
// that they can still have.
func (k *known) apart() [][]float64 {
	out := make([][]float64, len(k.Atoms))
	for a := range k.Atoms {
		atom := &k.Atoms[a]
		out[a] = append([]float64(nil), atom.Prior...)
		if k.constant(a) && atom.People > 0 {
			for v := range out[a] {
				out[a][v] = float64(k.count(a, 1<<v)) / float64(atom.People)
			}
			continue
		}
		total := 0.0
		for v := range out[a] {
			if k.support[a].Has(v) {
				total += out[a][v]
			}
		}
		for v := range out[a] {
			if out[a][v] /= total; !k.support[a].Has(v) {
				out[a][v] = 0
			}
		}
	}
	return out
}
