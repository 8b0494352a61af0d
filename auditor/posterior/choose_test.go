package posterior

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// TestDecideReferenceCases decides all but one exactly; R2 is large enough for an approximation, 5% too high.
func TestDecideReferenceCases(t *testing.T) {
	for _, c := range referenceCases(t) {
		s, q := c.system(t)
		d, err := s.Decide(q)
		if err != nil {
			t.Fatal(c.Name, err)
		}
		want := rational(t, c.U)
		tolerance := 1e-12
		if c.Name[:3] == "R2 " {
			tolerance = .05 * want
		}
		near(t, c.Name, d.Risk, want, tolerance)
		if d.Determined != (want == 0) {
			t.Errorf("%s: %+v", c.Name, d)
		}
		now, exact, err := s.Posterior()
		if err != nil || !exact {
			t.Fatal(c.Name, exact, err)
		}
		for a, q := range c.PosteriorNow {
			near(t, c.Name, now[a][1], rational(t, q), 1e-12)
		}
	}
}

// TestDecideNeverTooLow compares what Decide says of random systems with exact risks, whatever engine it takes.
func TestDecideNeverTooLow(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	engines := map[Engine]int{}
	systems := 600
	if testing.Short() {
		systems = 300
	}
	for range systems {
		s, q, err := sample(r, 30)
		if err != nil {
			continue
		}
		law, err := s.Eliminate(q, EliminationLimit{})
		if err != nil {
			continue
		}
		d, err := s.Decide(q)
		if err != nil {
			t.Errorf("%v: %+v %+v", err, s, q)
			continue
		}
		engines[d.Engine]++
		if exact := law.Risk(s.Atoms); exact > 1e-10 && d.Risk < .98*exact {
			t.Errorf("%+v, exactly %v", d, exact)
		}
		if d.Determined && (len(law.Values) != 1 || law.Values[0] != d.Value) {
			t.Errorf("%+v, exactly %v", d, law.Values)
		}
	}
	t.Log(engines)
	for _, e := range []Engine{EngineSaddlepoint, EngineElimination, EngineDetermined} {
		if engines[e] < systems/20 {
			t.Errorf("engines: %v", engines)
		}
	}
}

// TestDecideOnlyWhatIsTouched asks about one of two tables.
func TestDecideOnlyWhatIsTouched(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	s := drawn(r, []int{3, 3}, margins(3, 3))
	q := Set{[]int{4}, True}
	want, err := s.Decide(q)
	if err != nil {
		t.Fatal(err)
	}
	other := drawn(r, []int{2}, nil)
	two := System{Atoms: append(other.Atoms, s.Atoms...)}
	two.Sums = append(two.Sums, Sum{Set{[]int{0, 1}, True}, 0}) // extreme, but elsewhere
	for _, sum := range s.Sums {
		two.Sums = append(two.Sums, Sum{shifted(sum.Set, 2), sum.Value})
	}
	got, err := two.Decide(shifted(q, 2))
	if err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
}

func shifted(q Set, by int) Set {
	out := Set{Values: q.Values}
	for _, a := range q.Atoms {
		out.Atoms = append(out.Atoms, a+by)
	}
	return out
}

func TestDecideRefuses(t *testing.T) {
	s := table([][]int{{100, 100}}, func(int, int) float64 { return .4 }, .5)
	whole := Set{[]int{0, 1}, True}
	for _, c := range []struct {
		name string
		s    System
		q    Set
		want error
	}{
		{"an atom that is not", s, Set{[]int{2}, True}, errInvalid},
		{"atoms that fall", s, Set{[]int{1, 0}, True}, errInvalid},
		{"more than all", System{s.Atoms, []Sum{{whole, 201}}}, Set{[]int{0}, True}, errImpossible},
		{"sums that contradict", System{s.Atoms, []Sum{{whole, 80}, {Set{[]int{0}, True}, 30}, {Set{[]int{1}, True}, 40}}}, whole, errImpossible},
		{"the same, twice", System{s.Atoms, []Sum{{whole, 80}, {whole, 81}}}, whole, errImpossible},
	} {
		if _, err := c.s.Decide(c.q); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestDecideTooLarge has 301 linked sums, and then 20,001 atoms.
func TestDecideTooLarge(t *testing.T) {
	var s System
	for a := range 302 {
		s.Atoms = append(s.Atoms, booleanAtom(100, .4, .5))
		if a > 0 {
			s.Sums = append(s.Sums, Sum{Set{[]int{a - 1, a}, True}, 80})
		}
	}
	if _, err := s.Saddlepoint(Set{[]int{0}, True}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	s = System{}
	q := Set{Values: True}
	for a := range maxAtoms + 1 {
		s.Atoms = append(s.Atoms, booleanAtom(100, .4, .5))
		q.Atoms = append(q.Atoms, a)
	}
	if _, err := s.Saddlepoint(q); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
