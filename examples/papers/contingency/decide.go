package contingency

import (
	"errors"
	"slices"

	"tacit/auditor/posterior"
)

// decide is the risk of a question, by the engines of the auditor: exact where nothing is released that is linked to it. What no engine takes on has
// risk 1, and so has every question about people of whom the released sums tell too much already, unless its answer follows.
func decide(s posterior.System, q posterior.Set) (posterior.Decision, error) {
	s, q = component(s, q)
	if len(s.Sums) == 0 {
		risk, err := posterior.RootRisk(s.Atoms, []posterior.ValueSet{posterior.True})
		return posterior.Decision{Risk: risk}, err
	}
	d, err := s.Decide(q)
	if undecided(err) {
		return posterior.Decision{Risk: 1}, nil
	}
	if err != nil || d.Determined {
		return d, err
	}
	out, err := exposed(s)
	if out {
		d.Risk = 1
	}
	return d, err
}

func undecided(err error) bool {
	return errors.Is(err, posterior.ErrNotCertified) || errors.Is(err, posterior.ErrNotSolved) || errors.Is(err, posterior.ErrTooLarge)
}

// exposed says whether a posterior is out of its limits, or not to be had.
func exposed(s posterior.System) (bool, error) {
	now, _, err := s.Posterior()
	if undecided(err) {
		return true, nil
	}
	return posterior.Law{Probability: []float64{1}, Posterior: [][][]float64{now}}.Risk(s.Atoms) == 1, err
}

// component is what released sums link to the question. The rest is independent of it.
func component(s posterior.System, q posterior.Set) (posterior.System, posterior.Set) {
	in := make([]bool, len(s.Atoms))
	for _, atom := range q.Atoms {
		in[atom] = true
	}
	taken := make([]bool, len(s.Sums))
	for grown := true; grown; {
		grown = false
		for i, sum := range s.Sums {
			if taken[i] || !slices.ContainsFunc(sum.Atoms, func(atom int) bool { return in[atom] }) {
				continue
			}
			taken[i], grown = true, true
			for _, atom := range sum.Atoms {
				in[atom] = true
			}
		}
	}
	place := make([]int, len(s.Atoms))
	var c posterior.System
	for i, atom := range s.Atoms {
		if place[i] = len(c.Atoms); in[i] {
			c.Atoms = append(c.Atoms, atom)
		}
	}
	local := func(set posterior.Set) posterior.Set {
		l := posterior.Set{Values: set.Values}
		for _, atom := range set.Atoms {
			l.Atoms = append(l.Atoms, place[atom])
		}
		return l
	}
	for i, sum := range s.Sums {
		if taken[i] {
			c.Sums = append(c.Sums, posterior.Sum{Set: local(sum.Set), Value: sum.Value})
		}
	}
	return c, local(q)
}
