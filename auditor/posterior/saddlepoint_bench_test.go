package posterior

import (
	"math/rand/v2"
	"testing"
)

// drawn is a table of cells whose sizes and rates are drawn, with the sums of the margins in which cells come up as drawn.
func drawn(r *rand.Rand, sides []int, sets []Set) System {
	cells := 1
	for _, n := range sides {
		cells *= n
	}
	var s System
	counts := make([]int, cells)
	for a := range cells {
		n, p := 80+r.IntN(121), .3+.2*r.Float64()
		s.Atoms = append(s.Atoms, booleanAtom(n, p, .5))
		counts[a] = binomialDraw(r, n, p)
	}
	for _, q := range sets {
		s.Sums = append(s.Sums, answered(q, counts))
	}
	return s
}

func binomialDraw(r *rand.Rand, n int, p float64) (count int) {
	for range n {
		if r.Float64() < p {
			count++
		}
	}
	return count
}

func answered(q Set, counts []int) Sum {
	sum := Sum{Set: q}
	for _, a := range q.Atoms {
		sum.Value += counts[a]
	}
	return sum
}

// faces are the two-way margins of a cube.
func faces(n int) (sets []Set) {
	for _, stride := range []int{1, n, n * n} {
		for a := range n * n * n {
			if a/stride%n != 0 {
				continue
			}
			q := Set{Values: True}
			for i := range n {
				q.Atoms = append(q.Atoms, a+i*stride)
			}
			sets = append(sets, q)
		}
	}
	return sets
}

func BenchmarkSaddlepoint(b *testing.B) {
	for _, c := range []struct {
		name  string
		sides []int
		sets  []Set
	}{
		{"3x3", []int{3, 3}, margins(3, 3)},
		{"10x10", []int{10, 10}, margins(10, 10)},
		{"20x20", []int{20, 20}, margins(20, 20)},
		{"50x50", []int{50, 50}, margins(50, 50)},
		{"10x10x10", []int{10, 10, 10}, faces(10)},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := drawn(rand.New(rand.NewPCG(1, 2)), c.sides, c.sets)
			q := Set{[]int{0}, True}
			for b.Loop() {
				if _, err := s.Saddlepoint(q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWholeTable10x10 decides on all margins, cells and the total, each after what was released before.
func BenchmarkWholeTable10x10(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := Set{Values: True}
	questions := margins(10, 10)
	for a := range 100 {
		whole.Atoms = append(whole.Atoms, a)
		questions = append(questions, Set{[]int{a}, True})
	}
	questions = append(questions, whole)
	sums := drawn(r, []int{10, 10}, questions)
	for b.Loop() {
		s := System{Atoms: sums.Atoms}
		for i, q := range questions {
			if _, err := s.Saddlepoint(q); err != nil {
				b.Fatal(i, err)
			}
			s.Sums = append(s.Sums, sums.Sums[i])
		}
	}
}
