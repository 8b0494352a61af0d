package posterior

import "fmt"

// The saddlepoint engine decides by conditional exponential tilting: the prior is tilted until the released sums, and a possible answer,
// are its means; posteriors are tilted means with their first-order correction, and the probability of the answer is the ratio of the
// saddlepoint densities with and without it. From the mean outward the last safe answers are searched, and the risk is the
// sum of both tails beyond. Tails are cut by a geometric bound, which the log-concavity of the answer's law makes an upper bound.
//
// Of 30,000 certified decisions on small random systems, against exact elimination, the median is 1% to 4% too high, the lowest 0.7% too
// low; where the margin takes one likely answer for unsafe it is several times too high. It returns [ErrNotCertified] outside of the
// guards, and [ErrNotSolved], [ErrTooLarge] or [ErrImpossible].

// A guard says how far the approximation must stay inside of the limits, and where it may be used at all. The first-order density errs
// upward (by Stirling's sign), but a posterior at its limit can be judged on the wrong side, and where counts are small and sums
// overlap in odd cycles a fine structure shows that no smooth approximation sees (in the extreme, the parity of an answer is known).
type safety struct {
	margin    float64 // posteriors that are not exact count as unsafe from 1-margin times the way to their limit
	deviation float64 // least standard deviation of the answer
	variance  float64 // least variance of an atom's count that the sums do not determine
}

var (
	// unimodularGuard is for sums that split into two laminar families.
	unimodularGuard = safety{margin: 0.01, deviation: 1.5}
	generalGuard    = safety{margin: 0.03, deviation: 3, variance: 5}
)

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

// certify returns ErrNotCertified outside of the guard.
func (c *contrast) certify(g safety) error {
	if c.Deviation < g.deviation {
		return fmt.Errorf("%w: the answer has standard deviation %.2g", ErrNotCertified, c.Deviation)
	}
	for i, a := range c.atoms {
		thin := g.variance
		if c.Atoms[a].Spread > 0 {
			thin = generalGuard.variance
		}
		if thin > 0 && c.base.variance(i) < thin && !c.fixed(int32(i)) {
			return fmt.Errorf("%w: few people in an atom", ErrNotCertified)
		}
	}
	return nil
}

// fixed reports whether the sums determine all counts of an atom.
func (c *contrast) fixed(i int32) bool {
	for v := range c.Atoms[c.atoms[i]].Prior {
		if _, ok := c.determined(row{atoms: []int32{i}, set: 1 << v}); c.support[c.atoms[i]].Has(v) && !ok {
			return false
		}
	}
	return true
}

// decide finds the risk of a question that is not determined.
func (c *contrast) decide(g safety) error {
	c.Risk = 1
	var err error
	if c.spacing, err = c.linked.spacing(c.unimodular); err != nil {
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
