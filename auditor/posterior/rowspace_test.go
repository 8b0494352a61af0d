package posterior

import (
	"math/rand/v2"
	"testing"
)

// TestRowSpace draws equations with a solution, and asks for combinations of them.
func TestRowSpace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 3 + r.IntN(5)
		space, solution := newRowSpace(n), make([]int, n)
		for i := range solution {
			solution[i] = r.IntN(1000)
		}
		draw := func() (e []entry, value int) {
			for i := range n {
				if c := r.IntN(4) - 1; c != 0 {
					e = append(e, entry{int32(i), c})
					value += c * solution[i]
				}
			}
			return e, value
		}
		combined, sum := make([]int, n), 0
		for range 1 + r.IntN(n-1) {
			e, value := draw()
			if _, residue := space.insert(e, value); residue != 0 {
				t.Fatal("contradiction")
			}
			f := r.IntN(5) - 2
			for _, x := range e {
				combined[x.column] += f * x.coefficient
			}
			sum += f * value
		}
		var e []entry
		for i, c := range combined {
			e = append(e, entry{int32(i), c})
		}
		if got, ok := space.follows(e); !ok || got != sum {
			t.Errorf("%d %v, want %d", got, ok, sum)
		}
		if independent, residue := space.insert(e, sum+7); independent || residue != 7 {
			t.Errorf("contradiction: %v %d", independent, residue)
		}
	}
}
