package posterior

import (
	"errors"
	"math/rand/v2"
	"testing"
)

// TestConstants asks about people whose values follow from bounds: their questions are determined, and they take no part in others.
func TestConstants(t *testing.T) {
	s := table([][]int{{40, 60, 50}}, func(int, int) float64 { return .4 }, .5)
	sum := func(value int, atoms ...int) Sum { return Sum{Set{atoms, True}, value} }
	for _, c := range []struct {
		name  string
		sums  []Sum
		q     Set
		value int
	}{
		{"a sum of nobody", []Sum{sum(0, 0, 1)}, Set{[]int{1}, True}, 0},
		{"a sum of everybody", []Sum{sum(100, 0, 1)}, Set{[]int{1}, True}, 60},
		{"those without", []Sum{sum(30, 1)}, Set{[]int{1}, 1}, 30},
		{"a difference", []Sum{sum(70, 0, 1, 2), sum(30, 0, 1)}, Set{[]int{2}, True}, 40},
		{"a difference, of those without", []Sum{sum(70, 0, 1, 2), sum(30, 0, 1)}, Set{[]int{2}, 1}, 10},
		{"all values", nil, Set{[]int{0, 2}, 3}, 90},
		{"no value", nil, Set{[]int{0, 2}, 0}, 0},
		{"nobody", nil, Set{nil, True}, 0},
		{"half of what a cycle doubles", []Sum{sum(50, 0, 1), sum(60, 1, 2), sum(40, 0, 2)}, Set{[]int{0}, True}, 15},
		{"a row that a zero settles", []Sum{sum(0, 0), sum(20, 0, 1)}, Set{[]int{1}, True}, 20},
	} {
		s.Sums = c.sums
		d, err := s.Decide(c.q)
		if err != nil || !d.Determined || d.Value != c.value || d.Risk != 0 {
			t.Errorf("%s: %+v %v, want %d", c.name, d, err, c.value)
		}
	}
}

// TestCategoricalConstants has atoms that lose values to sums of 0.
func TestCategoricalConstants(t *testing.T) {
	s := System{Atoms: []Atom{withinEach(60, .5, .2, .3, .5), withinEach(60, .5, .4, .3, .3)}}
	both := []int{0, 1}
	s.Sums = []Sum{{Set{both, 1}, 0}, {Set{both, 2}, 50}}
	d, err := s.Decide(Set{both, 4})
	if err != nil || !d.Determined || d.Value != 70 {
		t.Errorf("%+v %v", d, err)
	}
	got, err := s.SaddlepointPosterior()
	if err != nil {
		t.Fatal(err)
	}
	want, err := s.EliminatedPosterior(EliminationLimit{})
	if err != nil {
		t.Fatal(err)
	}
	for a := range want {
		for v := range want[a] {
			near(t, "posterior", got[a][v], want[a][v], 1e-3)
		}
	}
}

// TestRedundantSums are dropped: they change nothing.
func TestRedundantSums(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	s := drawn(r, []int{3, 3}, margins(3, 3))
	q := Set{[]int{4}, True}
	want, err := s.Saddlepoint(q)
	if err != nil {
		t.Fatal(err)
	}
	whole := Sum{Set: Set{Values: True}}
	for a := range 9 {
		whole.Atoms = append(whole.Atoms, a)
	}
	for _, sum := range s.Sums[:3] {
		whole.Value += sum.Value
	}
	s.Sums = append(s.Sums, whole, s.Sums[0], whole)
	got, err := s.Saddlepoint(q)
	if err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	s.Sums = append(s.Sums, Sum{whole.Set, whole.Value + 1})
	if _, err := s.Saddlepoint(q); !errors.Is(err, errImpossible) {
		t.Error(err)
	}
}

// TestAtTheBorder has sums that leave counts no freedom in a way that bounds do not find: there is no tilt, and an error instead of a
// decision.
func TestAtTheBorder(t *testing.T) {
	s := table([][]int{{50, 50, 50}}, func(int, int) float64 { return .4 }, .5)
	sum := func(value int, atoms ...int) Sum { return Sum{Set{atoms, True}, value} }
	s.Sums = []Sum{sum(30, 0, 1), sum(30, 1, 2), sum(60, 0, 2)} // so that nobody is in 1
	s.Atoms = append(s.Atoms, booleanAtom(50, .4, .5))
	s.Sums = append(s.Sums, sum(50, 2, 3))
	if d, err := s.Saddlepoint(Set{[]int{3}, True}); err == nil && !d.Determined {
		t.Errorf("%+v", d)
	}
}

func TestLimitsAroundPrior(t *testing.T) {
	s := table([][]int{{1000, 1000}}, func(int, int) float64 { return .4 }, .5)
	s.Atoms[0].Limits[1] = Limit{.45, .5}
	d, err := s.Saddlepoint(Set{[]int{0, 1}, True})
	if err != nil || d.Risk != 1 {
		t.Errorf("%+v %v", d, err)
	}
}
