package posterior

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// coalitions visits all ways to move up to t people of the atoms into atoms of their own, which follow the others, and all their values.
func coalitions(atoms []Atom, t int, visit func(all []Atom, values func(world) bool)) {
	taken := make([]int, len(atoms))
	var place func(i, left int)
	place = func(i, left int) {
		if i == len(atoms) {
			all := append([]Atom(nil), atoms...)
			for i, a := range atoms {
				all[i].People -= taken[i]
				a.People, a.Limits = taken[i], nil
				all = append(all, a)
			}
			haves(taken, func(have []int) {
				visit(all, func(w world) bool {
					for i, n := range have {
						if taken[i] > 0 && w[len(atoms)+i][1] != n {
							return false
						}
					}
					return true
				})
			})
			return
		}
		for n := 0; n <= min(left, atoms[i].People); n++ {
			taken[i] = n
			place(i+1, left-n)
		}
		taken[i] = 0
	}
	place(0, t)
}

// haves visits all numbers of insiders who have the value.
func haves(taken []int, visit func([]int)) {
	n := len(taken)
	have := make([]int, n)
	var next func(i int)
	next = func(i int) {
		if i == n {
			visit(have)
			return
		}
		for have[i] = 0; have[i] <= taken[i]; have[i]++ {
			next(i + 1)
		}
	}
	next(0)
}

func TestInsidersAgainstAllDataSets(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 6))
		g := &generator{Rand: r, values: 2, types: 1 + int(seed%2), plain: true}
		atoms := []Atom{g.atom(1+r.IntN(4), .9), g.atom(1+r.IntN(4), .9)}
		known := Classes{[]ValueSet{True}, g.some(atoms, []ValueSet{True})}
		insiders := 1 + r.IntN(2)
		root, split := 0.0, 0.0
		coalitions(atoms, insiders, func(all []Atom, values func(world) bool) {
			x := riddle{atoms: all, given: values, answer: func(w world) string { return fmt.Sprint(w.in(True, 0, 1, 2, 3)) }}
			root = max(root, x.solve().unsafe)
			x.given = func(w world) bool { return values(w) && w.in(True, 0, 1, 2, 3) == known.Sums[0] }
			x.answer = func(w world) string { return fmt.Sprint(w.in(True, 0, 2)) }
			split = max(split, x.solve().unsafe)
		})
		got, err := RootRiskInsiders(atoms, []ValueSet{True}, insiders)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint("root of seed ", seed), got, root, 1e-11)
		got, err = SplitRiskInsiders(atoms[:1], atoms[1:], known, insiders)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint("split of seed ", seed), got, split, 1e-11)
		if seed%2 > 0 {
			continue
		}
		b, err := NewBlock(Split{Pieces: []Group{atoms[:1]}, Rest: atoms[1:], Known: known, Insiders: insiders})
		if err != nil {
			t.Fatal(err)
		}
		rest, err := b.RestRisk([]int{0})
		if err != nil || b.PieceRisk(0) > got || rest > got || b.PieceRisk(0)+rest < got-1e-12 {
			t.Errorf("seed %d: piece %v and rest %v of %v, error %v", seed, b.PieceRisk(0), rest, got, err)
		}
	}
}

func TestInsidersRefused(t *testing.T) {
	g := Group{within(100, .3, .5)}
	if _, err := RootRiskInsiders(g, []ValueSet{True}, MaxInsiders+1); !errors.Is(err, errInvalid) {
		t.Error(err)
	}
	g[0].Spread = .1
	if _, err := RootRiskInsiders(g, []ValueSet{True}, 1); !errors.Is(err, ErrTypes) {
		t.Error(err)
	}
	var many Group
	for i := range 10 {
		many = append(many, within(100, .3+.01*float64(i), .5))
	}
	if _, err := RootRiskInsiders(many, []ValueSet{True}, 20); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
