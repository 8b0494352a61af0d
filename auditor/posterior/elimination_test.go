package posterior

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A census is the naive model of a system: every data set, with its probability.
type census struct {
	atoms  []Atom
	values []int // of each person, in the order of the atoms
	visit  func(p float64)
}

// enumerate visits every data set. A person's probability is that of the next draw from her atom's urn (Polya), which for independent people
// is the prior.
func (c *census) enumerate(atom, person int, p float64, seen []int) {
	switch {
	case p == 0:
	case atom == len(c.atoms):
		c.visit(p)
	case person == c.atoms[atom].People:
		c.enumerate(atom+1, 0, p, nil)
	default:
		a := &c.atoms[atom]
		if seen == nil {
			seen = make([]int, len(a.Prior))
		}
		s := 0.0
		if a.Spread > 0 {
			s = (1-a.Prior[1])/(a.Prior[1]*a.Spread*a.Spread) - 1
		}
		for value, prior := range a.Prior {
			next := prior
			if s > 0 {
				next = (prior*s + float64(seen[value])) / (s + float64(person))
			}
			c.values = append(c.values, value)
			seen[value]++
			c.enumerate(atom, person+1, p*next, seen)
			seen[value]--
			c.values = c.values[:len(c.values)-1]
		}
	}
}

func (c *census) sum(q Set) int {
	in := make([]bool, len(c.atoms))
	for _, atom := range q.Atoms {
		in[atom] = true
	}
	total, person := 0, 0
	for atom := range c.atoms {
		for range c.atoms[atom].People {
			if in[atom] && q.Values.Has(c.values[person]) {
				total++
			}
			person++
		}
	}
	return total
}

// bruteForce is the law of the answer by enumeration of all data sets.
func bruteForce(s System, q Set) Law {
	mass := map[int]float64{}
	people := map[int][][]float64{}
	c := census{atoms: s.Atoms}
	total := 0.0
	c.visit = func(p float64) {
		for _, sum := range s.Sums {
			if c.sum(sum.Set) != sum.Value {
				return
			}
		}
		v := c.sum(q)
		total += p
		mass[v] += p
		if people[v] == nil {
			people[v] = make([][]float64, len(s.Atoms))
			for i := range s.Atoms {
				people[v][i] = make([]float64, len(s.Atoms[i].Prior))
			}
		}
		person := 0
		for atom := range s.Atoms {
			for range s.Atoms[atom].People {
				people[v][atom][c.values[person]] += p
				person++
			}
		}
	}
	c.enumerate(0, 0, 1, nil)
	var l Law
	for v := range 100 {
		if mass[v] == 0 {
			continue
		}
		for atom := range s.Atoms {
			for j, prior := range s.Atoms[atom].Prior {
				people[v][atom][j] /= mass[v] * float64(s.Atoms[atom].People)
				if prior == 1 {
					people[v][atom][j] = 1 // which rounding could miss, and a certain value has no room
				}
			}
		}
		l.Values = append(l.Values, v)
		l.Probability = append(l.Probability, mass[v]/total)
		l.Posterior = append(l.Posterior, people[v])
	}
	return l
}

// A shape says what random systems are drawn.
type shape struct {
	people, values int
	spread         bool
}

func (h shape) atom(r *rand.Rand, people int) Atom {
	a := Atom{People: people, Prior: make([]float64, h.values)}
	left := 20
	for j := range h.values - 1 {
		n := r.IntN(left + 1)
		if r.IntN(8) > 0 && left > 2 {
			n = 1 + r.IntN(left-1)
		}
		a.Prior[j] = float64(n) / 20
		left -= n
	}
	a.Prior[h.values-1] = float64(left) / 20
	if p := a.Prior[1]; h.spread && p > 0 && p < 1 && r.IntN(2) == 0 {
		a.Spread = math.Sqrt((1-p)/p) * (0.05 + 0.9*r.Float64())
	}
	if r.IntN(10) > 0 {
		epsilon := []float64{0.3, 0.5, 0.8}[r.IntN(3)]
		for _, p := range a.Prior {
			reach := epsilon * p
			if h.values == 2 {
				reach = epsilon * min(p, 1-p)
			}
			a.Limits = append(a.Limits, Limit{p - reach, p + reach})
		}
	}
	return a
}

func (h shape) set(r *rand.Rand, atoms int) Set {
	q := Set{Values: True}
	if h.values > 2 {
		q.Values = ValueSet(1 + r.IntN(1<<h.values-1))
	}
	for atom := range atoms {
		if r.IntN(2) == 0 {
			q.Atoms = append(q.Atoms, atom)
		}
	}
	return q
}

// system draws atoms, a data set of them and its sums over random overlapping sets.
func (h shape) system(r *rand.Rand) (System, Set) {
	var s System
	c := census{}
	for left := 1 + r.IntN(h.people); left > 0; {
		n := 1 + r.IntN(min(left, 5))
		s.Atoms = append(s.Atoms, h.atom(r, n))
		left -= n
	}
	for _, a := range s.Atoms {
		for range a.People {
			c.values = append(c.values, drawValue(r, a.Prior))
		}
	}
	c.atoms = s.Atoms
	for range r.IntN(5) {
		q := h.set(r, len(s.Atoms))
		s.Sums = append(s.Sums, Sum{q, c.sum(q)})
	}
	return s, h.set(r, len(s.Atoms))
}

func drawValue(r *rand.Rand, prior []float64) int {
	u := r.Float64()
	for j, p := range prior {
		if u -= p; u < 0 {
			return j
		}
	}
	for j, p := range prior {
		if p > 0 {
			return j
		}
	}
	panic("no value")
}

func diff(got, want Law) error {
	if fmt.Sprint(got.Values) != fmt.Sprint(want.Values) {
		return fmt.Errorf("answers %v, want %v", got.Values, want.Values)
	}
	for i := range want.Values {
		if d := got.Probability[i] - want.Probability[i]; math.Abs(d) > 1e-12 {
			return fmt.Errorf("probability of %d: %v, want %v", want.Values[i], got.Probability[i], want.Probability[i])
		}
		for atom, q := range want.Posterior[i] {
			for j := range q {
				if d := got.Posterior[i][atom][j] - q[j]; !(math.Abs(d) <= 1e-11) {
					return fmt.Errorf("posterior of atom %d given %d: %v, want %v", atom, want.Values[i], got.Posterior[i][atom], q)
				}
			}
		}
	}
	return nil
}

func TestEliminateAgainstAllDataSets(t *testing.T) {
	for _, test := range []struct {
		name    string
		shape   shape
		systems int
	}{
		{"independent", shape{people: 14, values: 2}, 5000},
		{"spread", shape{people: 12, values: 2, spread: true}, 1000},
		{"three values", shape{people: 8, values: 3}, 500},
		{"three values, spread", shape{people: 6, values: 3, spread: true}, 500},
		{"five values", shape{people: 4, values: 5}, 300},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(5, 23))
			for i := range test.systems {
				s, q := test.shape.system(r)
				want := bruteForce(s, q)
				got, err := s.Eliminate(q, EliminationLimit{})
				if err != nil {
					t.Fatalf("system %d: %v\n%+v, question %+v", i, err, s, q)
				}
				if err := diff(got, want); err != nil {
					t.Fatalf("system %d: %v\n%+v, question %+v", i, err, s, q)
				}
				near(t, "risk", got.Risk(s.Atoms), want.Risk(s.Atoms), 1e-11)
			}
		})
	}
}

func TestEliminateRefuses(t *testing.T) {
	half := booleanAtom(3, 0.5, 0.5)
	over := func(atoms ...int) Set { return Set{atoms, True} }
	spread := half
	spread.Spread = 1
	for _, test := range []struct {
		name   string
		system System
		limit  EliminationLimit
		want   error
	}{
		{"states", System{Atoms: []Atom{half, half}}, EliminationLimit{States: 3}, ErrTooLarge},
		{"operations", System{Atoms: []Atom{half, half}}, EliminationLimit{Operations: 3}, ErrTooLarge},
		{"operations of the passes", System{Atoms: []Atom{half, half}}, EliminationLimit{Operations: 700}, nil},
		{"a sum over the people", System{[]Atom{half, half}, []Sum{{over(0), 4}}}, EliminationLimit{}, errImpossible},
		{"sums that contradict", System{[]Atom{half, half}, []Sum{{over(0), 1}, {over(1), 1}, {over(0, 1), 3}}}, EliminationLimit{}, errImpossible},
		{"a sum of certain people", System{[]Atom{booleanAtom(2, 1, 0.5), half}, []Sum{{over(0), 1}}}, EliminationLimit{}, errImpossible},
		{"an atom that is not there", System{[]Atom{half}, []Sum{{over(1), 1}}}, EliminationLimit{}, errInvalid},
		{"a rate that cannot vary so much", System{Atoms: []Atom{spread, half}}, EliminationLimit{}, errInvalid},
		{"a prior that is none", System{Atoms: []Atom{{People: 1, Prior: []float64{0.5, 0.6}}}}, EliminationLimit{}, errInvalid},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.system.Eliminate(over(0), test.limit); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

// Answers too unlikely for floating point are counted as unsafe, not dropped.
func TestEliminateLost(t *testing.T) {
	s := System{Atoms: []Atom{booleanAtom(2000, 0.01, 0.5)}}
	law, err := s.Eliminate(Set{[]int{0}, True}, EliminationLimit{Operations: 1e7})
	if err != nil {
		t.Fatal(err)
	}
	if !(law.Lost > 0 && law.Lost < 1e-250) {
		t.Errorf("lost %v", law.Lost)
	}
	var want float64
	for i, v := range law.Values {
		if v < 10 || v > 30 {
			want += law.Probability[i]
		}
	}
	near(t, "risk", law.Risk(s.Atoms), want, 1e-15)
}

// Dropping the redundant sum that would stay open longest keeps a 3 by 3 table with all margins small.
func TestEliminateDropsRedundantSums(t *testing.T) {
	var s System
	for range 9 {
		s.Atoms = append(s.Atoms, booleanAtom(5, 0.4, 0.5))
	}
	for i := range 3 {
		s.Sums = append(s.Sums, Sum{Set{[]int{3 * i, 3*i + 1, 3*i + 2}, True}, 6}, Sum{Set{[]int{i, i + 3, i + 6}, True}, 6})
	}
	e, err := newElimination(s, Set{[]int{0}, True}, EliminationLimit{}.orDefault())
	if err != nil {
		t.Fatal(err)
	}
	if len(e.links) != 6 {
		t.Errorf("%d sums are kept with the question, want 5 and it", len(e.links))
	}
}
