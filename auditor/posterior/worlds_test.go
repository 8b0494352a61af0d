package posterior

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Tests compare with data sets enumerated person by person: nothing here knows a binomial coefficient.

// within is an atom of a Boolean attribute with the limits of Definition 1.
func within(people int, p, epsilon float64) Atom {
	reach := epsilon * min(p, 1-p)
	return Atom{People: people, Prior: []float64{1 - p, p}, Limits: []Limit{{1 - p - reach, 1 - p + reach}, {p - reach, p + reach}}}
}

// withinEach is an atom of an attribute with any number of values.
func withinEach(people int, epsilon float64, prior ...float64) Atom {
	a := Atom{People: people, Prior: prior}
	for _, p := range prior {
		a.Limits = append(a.Limits, Limit{p * (1 - epsilon), p * (1 + epsilon)})
	}
	return a
}

// A world is how many people of each atom have each value.
type world [][]int

func (w world) String() string { return fmt.Sprint([][]int(w)) }

// in counts the people of some atoms with values in a set.
func (w world) in(set ValueSet, atoms ...int) int {
	n := 0
	for _, a := range atoms {
		for v, k := range w[a] {
			if set.Has(v) {
				n += k
			}
		}
	}
	return n
}

// worlds visits the data sets of the atoms, in any order of people, with their probabilities. People who share a rate are drawn from
// Polya's urn.
func worlds(atoms []Atom, visit func(world, float64)) {
	w := make(world, len(atoms))
	for i := range w {
		w[i] = make([]int, len(atoms[i].Prior))
	}
	var person func(atom, i int, p float64)
	person = func(atom, i int, p float64) {
		if atom == len(atoms) {
			visit(w, p)
			return
		}
		a := &atoms[atom]
		if i == a.People {
			person(atom+1, 0, p)
			return
		}
		for v, prior := range a.Prior {
			if a.Spread > 0 {
				balls := (1-a.Prior[1])/(a.Prior[1]*a.Spread*a.Spread) - 1
				prior = (prior*balls + float64(w[atom][v])) / (balls + float64(i))
			}
			if prior > 0 {
				w[atom][v]++
				person(atom, i+1, p*prior)
				w[atom][v]--
			}
		}
	}
	person(0, 0, 1)
}

// A riddle is a question about worlds.
type riddle struct {
	atoms  []Atom
	given  func(world) bool
	answer func(world) string
	// tested says whether a posterior counts.
	tested func(atom, value int) bool
}

// solution is what the answers tell.
type solution struct {
	p, unsafe float64
	posterior map[string][][]float64
}

func (r *riddle) solve() solution {
	weight, counts := map[string]float64{}, map[string][][]float64{}
	s := solution{posterior: counts}
	worlds(r.atoms, func(w world, p float64) {
		if r.given != nil && !r.given(w) {
			return
		}
		key := ""
		if r.answer != nil {
			key = r.answer(w)
		}
		if counts[key] == nil {
			for a := range r.atoms {
				counts[key] = append(counts[key], make([]float64, len(r.atoms[a].Prior)))
			}
		}
		weight[key] += p
		s.p += p
		for a := range w {
			for v, n := range w[a] {
				counts[key][a][v] += p * float64(n)
			}
		}
	})
	for key, c := range counts {
		bad := false
		for a, atom := range r.atoms {
			for v := range c[a] {
				c[a][v] /= weight[key] * float64(atom.People)
				bad = bad || r.out(a, v, c[a][v])
			}
		}
		if bad {
			s.unsafe += weight[key] / s.p
		}
	}
	return s
}

func (r *riddle) out(atom, value int, q float64) bool {
	a := &r.atoms[atom]
	p := a.Prior[value]
	if a.Exempt() || a.People == 0 || p == 0 || p == 1 || a.Boolean() && value == 0 || r.tested != nil && !r.tested(atom, value) {
		return false
	}
	return !(a.Limits[value].excess(p, q) <= 1+tie)
}

func agree(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

// A generator makes small groups.
type generator struct {
	*rand.Rand
	values int
	types  int  // priors to choose from
	spread bool // some share rates
	plain  bool // nobody exempt or certain
}

func (g *generator) prior(kind int) []float64 {
	r := rand.New(rand.NewPCG(uint64(kind), uint64(g.values)))
	prior := make([]float64, g.values)
	left := 20
	for v := 1; v < g.values; v++ {
		n := 1 + r.IntN(left-(g.values-v))
		prior[v] = float64(n) / 20
		left -= n
	}
	prior[0] = float64(left) / 20
	return prior
}

// group makes atoms of few people in all.
func (g *generator) group(people int, epsilon float64) Group {
	var group Group
	for people > 0 {
		n := 1 + g.IntN(people)
		people -= n
		group = append(group, g.atom(n, epsilon))
	}
	return group
}

func (g *generator) atom(n int, epsilon float64) Atom {
	prior := g.prior(g.IntN(g.types))
	a := withinEach(n, epsilon, prior...)
	if g.values == 2 {
		a = within(n, prior[1], epsilon)
	}
	switch {
	case g.plain:
	case g.IntN(8) == 0:
		a.Limits = nil
	case g.IntN(8) == 0:
		v := g.IntN(g.values)
		for i := range a.Prior {
			a.Prior[i] = 0
		}
		a.Prior[v] = 1
		a.Limits = nil
	case g.spread && g.IntN(2) == 0:
		a.Spread = .15 * float64(1+g.IntN(6)) // often that of another atom, which has another rate all the same
		if c := (1-a.Prior[1])/(a.Prior[1]*a.Spread*a.Spread) - 1; c < 0.1 {
			a.Spread = 0
		}
	}
	return a
}

// some draws the class sums of a world.
func (g *generator) some(atoms []Atom, sets []ValueSet) []int {
	sums := make([]int, len(sets))
	for _, a := range atoms {
		for range a.People {
			x, v := g.Float64(), 0
			for x > a.Prior[v] && v < len(a.Prior)-1 {
				x -= a.Prior[v]
				v++
			}
			for i, s := range sets {
				if s.Has(v) {
					sums[i]++
				}
			}
		}
	}
	return sums
}
