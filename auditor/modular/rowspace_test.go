package modular

import (
	"math/rand/v2"
	"testing"
)

// TestRowSpace draws equations with a solution, and asks for combinations of them.
func TestRowSpace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		n := 3 + r.IntN(5)
		space, solution := NewRowSpace(n), make([]int, n)
		for i := range solution {
			solution[i] = r.IntN(1000)
		}
		draw := func() (e []Entry, value int) {
			for i := range n {
				if c := r.IntN(4) - 1; c != 0 {
					e = append(e, Entry{int32(i), c})
					value += c * solution[i]
				}
			}
			return e, value
		}
		combined, sum := make([]int, n), 0
		for range 1 + r.IntN(n-1) {
			e, value := draw()
			if _, residue := space.Insert(e, value); residue != 0 {
				t.Fatal("contradiction")
			}
			f := r.IntN(5) - 2
			for _, x := range e {
				combined[x.Column] += f * x.Coefficient
			}
			sum += f * value
		}
		var e []Entry
		for i, c := range combined {
			e = append(e, Entry{int32(i), c})
		}
		if got, ok := space.Follows(e); !ok || got != sum {
			t.Errorf("%d %v, want %d", got, ok, sum)
		}
		if independent, residue := space.Insert(e, sum+7); independent || residue != 7 {
			t.Errorf("contradiction: %v %d", independent, residue)
		}
	}
}
