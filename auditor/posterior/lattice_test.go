package posterior

import (
	"math/rand/v2"
	"testing"
)

// TestLatticeCycle is case R8: the sums of {0,1} and {1,2} fix the parity of {0,2}.
func TestLatticeCycle(t *testing.T) {
	for _, c := range referenceCases(t) {
		if c.Name[:2] != "R8" {
			continue
		}
		s, q := c.system(t)
		k, err := s.contrast(q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.linked.spacing(k.unimodular)
		if err != nil || got.step != 2 || got.nearest(3.9) != 3 && got.nearest(3.9) != 5 {
			t.Errorf("%+v %v", got, err)
		}
		for _, v := range c.Values {
			if got.nearest(float64(v.V)) != v.V {
				t.Errorf("answer %d is not in %+v", v.V, got)
			}
		}
	}
}

// TestLatticeAgainstAllCounts compares spacings with all answers that counts from 0 to 8 give. With so many counts to choose from the
// answers generate the lattice, but for corners, where the common divisor of those found is a multiple.
func TestLatticeAgainstAllCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	steps, equal, compared := map[int]int{}, 0, 0
	for range 300 {
		atoms := 3 + r.IntN(2)
		s := System{}
		counts := make([]int, atoms)
		for a := range atoms {
			s.Atoms = append(s.Atoms, booleanAtom(8, .5, .5))
			counts[a] = 3 + r.IntN(3)
		}
		for range 1 + r.IntN(3) {
			s.Sums = append(s.Sums, answered(randomSet(r, atoms), counts))
		}
		q := randomSet(r, atoms)
		k, err := s.contrast(q)
		if err != nil || k.Determined {
			continue
		}
		k.unimodular = false // look whether unimodular sums really have step 1
		got, err := k.linked.spacing(k.unimodular)
		if err != nil {
			t.Fatal(err)
		}
		if k.totallyUnimodular() && got.step != 1 {
			t.Errorf("unimodular, but %+v: %+v %+v", got, s, q)
		}
		law, err := s.Eliminate(q, EliminationLimit{})
		if err != nil {
			t.Fatal(err)
		}
		divisor := 0
		for _, v := range law.Values {
			if got.nearest(float64(v)) != v {
				t.Errorf("answer %d is not in %+v", v, got)
			}
			divisor = commonDivisor(divisor, v-law.Values[0])
		}
		steps[got.step]++
		compared++
		if divisor == got.step {
			equal++
		}
	}
	t.Log(steps, equal, compared)
	if equal < compared*95/100 || steps[2] < 5 {
		t.Errorf("steps %v, %d of %d exact", steps, equal, compared)
	}
}

func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
