package posterior

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkSplit decides the half of a block with a known sum.
func BenchmarkSplit(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("people=%d", n), func(b *testing.B) {
			half := Group{within(n/2, .3, .5)}
			known := Classes{[]ValueSet{True}, []int{n * 3 / 10}}
			for b.Loop() {
				if _, err := SplitRisk(half, half, known); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRoot decides people in no sum.
func BenchmarkRoot(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("people=%d", n), func(b *testing.B) {
			g := Group{within(n, .3, .5)}
			for b.Loop() {
				if _, err := RootRisk(g, []ValueSet{True}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkTypes decides 30 people of each of some types inside, and 90 outside.
func BenchmarkTypes(b *testing.B) {
	for _, types := range []int{3, 10, 30} {
		b.Run(fmt.Sprintf("types=%d", types), func(b *testing.B) {
			var inside, outside Group
			for i := range types {
				p := .3 + .2*float64(i)/float64(types)
				inside, outside = append(inside, within(30, p, .5)), append(outside, within(90, p, .5))
			}
			known := Classes{[]ValueSet{True}, []int{types * 120 * 4 / 10}}
			for b.Loop() {
				if _, err := SplitRisk(inside, outside, known); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkGroupBy10000 decides all groups of a block with a known total, and what is left by two of them.
func BenchmarkGroupBy10000(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	pieces := make([]Group, 10_000)
	for i := range pieces {
		pieces[i] = Group{within(20+r.IntN(400), .4, .5)}
	}
	s := Split{Pieces: pieces, Known: Classes{[]ValueSet{True}, []int{people(pieces...) * 4 / 10}}}
	for b.Loop() {
		block, err := NewBlock(s)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := block.RestRisk([]int{0, 5000}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCertificate(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("people=%d", n), func(b *testing.B) {
			g := Group{within(n, .3, .5)}
			for b.Loop() {
				if _, err := Certificate(g, []ValueSet{True}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
