package posterior

import (
	"errors"
	"math"

	"tacit/auditor/posterior/internal/linear"
)

// cheap bounds an elimination that is done where the approximation would do as well, because it is exact.
var cheap = EliminationLimit{States: 20_000, Operations: 2_000_000}

// Decide decides a question about linked sums, by the first of these that applies:
//
//   - the sums determine the answer: no risk;
//   - the saddlepoint engine is certified, and no count is so small that its margin is wide: that engine;
//   - there are few enough states for exact variable elimination: that;
//   - the saddlepoint engine is certified: that engine.
//
// Otherwise it returns an error, and the answer must be suppressed. Nothing is decided without a certificate.
func (s System) Decide(q Set) (Decision, error) {
	d, err := s.decide(q)
	if err == nil {
		d.Risk, err = probability(d.Risk)
	}
	return d, err
}

func (s System) decide(q Set) (Decision, error) {
	if err := s.checked(q); err != nil {
		return Decision{}, err
	}
	s, q = s.around(q)
	if err := s.settled(); err != nil {
		return Decision{}, err
	}
	c, err := s.contrast(q)
	if err != nil {
		if !errors.Is(err, ErrNotSolved) && !errors.Is(err, ErrNotCertified) {
			return Decision{}, err
		}
		return s.decideExactly(q, EliminationLimit{}, err)
	}
	if c.Determined {
		return c.Decision, nil
	}
	approximate := c.decideCertified()
	switch {
	case approximate != nil:
		return s.decideExactly(q, EliminationLimit{}, approximate)
	case c.thin():
		if d, err := s.decideExactly(q, cheap, nil); err == nil {
			return d, nil
		}
	}
	return c.Decision, nil
}

func (s System) checked(q Set) error {
	if err := s.validate(); err != nil {
		return err
	}
	return s.validateSet(q)
}

// decideExactly eliminates, and if that is too much returns the error why no other engine decides.
func (s System) decideExactly(q Set, limit EliminationLimit, other error) (Decision, error) {
	law, err := s.Eliminate(q, limit)
	if err != nil {
		if other != nil && errors.Is(err, ErrTooLarge) {
			err = other
		}
		return Decision{}, err
	}
	d := Decision{Engine: EngineElimination, Risk: law.Risk(s.Atoms), Deviation: law.deviation()}
	if len(law.Values) == 1 && law.Lost == 0 {
		d = Decision{Engine: EngineDetermined, Determined: true, Value: law.Values[0]}
	}
	return d, nil
}

func (l *Law) deviation() float64 {
	mean, square := 0.0, 0.0
	for i, p := range l.Probability {
		mean += p * float64(l.Values[i])
	}
	for i, p := range l.Probability {
		d := float64(l.Values[i]) - mean
		square += p * d * d
	}
	return math.Sqrt(square)
}

// thin reports whether some posterior that could leave its limits is of so small a count that its margin is wide.
func (c *contrast) thin() bool {
	for i, a := range c.atoms {
		if v := c.base.variance(i); !c.Atoms[a].Exempt() && widen(unimodularGuard.margin, v) > unimodularGuard.margin {
			return true
		}
	}
	return false
}

// around is the part of the system that released sums link with a question.
func (s System) around(q Set) (System, Set) {
	if len(q.Atoms) == 0 {
		return System{}, q
	}
	rows := append(s.rawRows(), rawRow(q))
	p := s.parts(linear.Components(len(s.Atoms), atomsOf(rows)), q.Atoms)[0]
	place := make(map[int]int, len(p.atoms))
	for i, a := range p.atoms {
		place[a] = i
	}
	atoms := make([]int, len(q.Atoms))
	for i, a := range q.Atoms {
		atoms[i] = place[a]
	}
	return p.System, Set{atoms, q.Values}
}

// rawRows are the sets of the sums, over all atoms.
func (s System) rawRows() []row {
	rows := make([]row, len(s.Sums), len(s.Sums)+1)
	for i := range s.Sums {
		rows[i] = rawRow(s.Sums[i].Set)
	}
	return rows
}

func rawRow(q Set) row {
	r := row{atoms: make([]int32, len(q.Atoms))}
	for i, a := range q.Atoms {
		r.atoms[i] = int32(a)
	}
	return r
}

// A part of a system has atoms that nothing links with others.
type systemPart struct {
	System
	atoms []int // indexes into the whole
}

// parts are the components of some atoms, nil for all, in the order of their first atoms.
func (s System) parts(component []int32, of []int) []*systemPart {
	index := make(map[int32]*systemPart)
	var parts []*systemPart
	for _, a := range of {
		index[component[a]] = nil
	}
	place := make([]int, len(s.Atoms))
	for a, c := range component {
		p, wanted := index[c]
		if p == nil {
			if of != nil && !wanted {
				continue
			}
			p = &systemPart{}
			index[c] = p
			parts = append(parts, p)
		}
		place[a] = len(p.atoms)
		p.atoms = append(p.atoms, a)
		p.Atoms = append(p.Atoms, s.Atoms[a])
	}
	for _, sum := range s.Sums {
		if len(sum.Atoms) == 0 {
			continue
		}
		p := index[component[sum.Atoms[0]]]
		if p == nil {
			continue
		}
		atoms := make([]int, len(sum.Atoms))
		for i, a := range sum.Atoms {
			atoms[i] = place[a]
		}
		p.Sums = append(p.Sums, Sum{Set{atoms, sum.Values}, sum.Value})
	}
	return parts
}

// Posterior returns the posterior probability of each value, by atom, and whether all are exact.
func (s System) Posterior() (posterior [][]float64, exact bool, err error) {
	if err := s.validate(); err != nil {
		return nil, false, err
	}
	posterior, exact = make([][]float64, len(s.Atoms)), true
	for _, p := range s.parts(linear.Components(len(s.Atoms), atomsOf(s.rawRows())), nil) {
		some, e, err := p.linkedPosterior()
		if err != nil {
			return nil, false, err
		}
		exact = exact && e
		for i, a := range p.atoms {
			posterior[a] = some[i]
		}
	}
	return posterior, exact, nil
}

// linkedPosterior is exact if that is cheap, or if there is no tilt.
func (s System) linkedPosterior() (posterior [][]float64, exact bool, err error) {
	if posterior, err = s.EliminatedPosterior(cheap); err == nil {
		return posterior, true, nil
	}
	posterior, err = s.SaddlepointPosterior()
	if errors.Is(err, ErrNotSolved) {
		if posterior, exactly := s.EliminatedPosterior(EliminationLimit{}); exactly == nil {
			return posterior, true, nil
		}
	}
	return posterior, false, err
}
