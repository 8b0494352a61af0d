package posterior

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// blocks makes a block in pieces, the last of which is the rest, and the indexes of their atoms.
func (g *generator) blocks(pieces int, epsilon float64) (groups []Group, atoms []Atom, of [][]int) {
	for range pieces {
		group := g.group(1+g.IntN(3), epsilon)
		var index []int
		for i := range group {
			index = append(index, len(atoms)+i)
		}
		groups, of = append(groups, group), append(of, index)
		atoms = append(atoms, group...)
	}
	return groups, atoms, of
}

// TestBlockAgainstAllDataSets: the risk of each piece and that of what is left of any selection.
func TestBlockAgainstAllDataSets(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := &generator{Rand: r, values: 2 + int(seed%4)/3, types: 1 + int(seed/4%3), spread: seed%3 == 0}
		groups, atoms, of := g.blocks(2+r.IntN(3), []float64{.5, .8, .95}[r.IntN(3)])
		if people(atoms) > 10 || g.values == 3 && people(atoms) > 7 {
			continue
		}
		if r.IntN(2) == 0 {
			groups, of = append(groups, nil), append(of, nil) // no rest
		}
		set := []ValueSet{True}
		pieces, rest := groups[:len(groups)-1], groups[len(groups)-1]
		known := Classes{set, g.some(atoms, set)}
		all := make([]int, len(atoms))
		for i := range all {
			all[i] = i
		}
		given := func(w world) bool { return w.in(True, all...) == known.Sums[0] }
		exact := func(index []int) float64 {
			x := riddle{
				atoms: atoms, given: given, tested: func(a, _ int) bool { return slices.Contains(index, a) },
				answer: func(w world) string { return fmt.Sprint(w.in(True, index...)) },
			}
			return x.solve().unsafe
		}
		b, err := NewBlock(Split{Pieces: pieces, Rest: rest, Known: known})
		if err != nil {
			t.Fatal(seed, err)
		}
		for i := range pieces {
			agree(t, fmt.Sprint("piece ", i, " of seed ", seed), b.PieceRisk(i), exact(of[i]), 1e-11)
		}
		for chosen := range 1 << len(pieces) {
			var selected, left []int
			for i := range pieces {
				if chosen>>i&1 == 1 {
					selected = append(selected, i)
				} else {
					left = append(left, of[i]...)
				}
			}
			left = append(left, of[len(pieces)]...)
			got, err := b.RestRisk(selected)
			if err != nil {
				t.Fatal(seed, err)
			}
			agree(t, fmt.Sprint("rest of ", selected, " of seed ", seed), got, exact(left), 1e-11)
		}
		if t.Failed() {
			t.Fatalf("%+v known %v", groups, known)
		}
	}
}

// TestBlockBoundsJoint: the sum of the risks is no less than the probability that any sum of a joint answer is unsafe for anybody.
func TestBlockBoundsJoint(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 4))
		g := &generator{Rand: r, values: 2, types: 1 + int(seed%3)}
		groups, atoms, of := g.blocks(3, .9)
		all := append(append(slices.Clone(of[0]), of[1]...), of[2]...)
		known := Classes{[]ValueSet{True}, g.some(atoms, []ValueSet{True})}
		each, rest, err := SplitManyRisk(groups[:2], groups[2], known)
		if err != nil {
			t.Fatal(err)
		}
		joint := riddle{
			atoms:  atoms,
			given:  func(w world) bool { return w.in(True, all...) == known.Sums[0] },
			answer: func(w world) string { return fmt.Sprint(w.in(True, of[0]...), " ", w.in(True, of[1]...)) },
		}
		if exact := joint.solve().unsafe; each[0]+each[1]+rest < exact-1e-12 {
			t.Errorf("seed %d: %v and %v are below the exact %v", seed, each, rest, exact)
		}
	}
}

// TestTreeAgainstSplits: hundreds of pieces of three types, where every piece is also decided by itself.
func TestTreeAgainstSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var pieces []Group
	var all Group
	for range 60 {
		g := Group{within(5+r.IntN(30), .3, .6), within(5+r.IntN(30), .45, .6)}
		pieces, all = append(pieces, g), append(all, g...)
	}
	known := Classes{[]ValueSet{True}, []int{people(all)*4/10 + 7}}
	each, rest, err := SplitManyRisk(pieces, nil, known)
	if err != nil || rest != 0 {
		t.Fatal(rest, err)
	}
	for i := range pieces {
		var others Group
		for j, g := range pieces {
			for _, a := range g {
				if j != i {
					a.Limits = nil
					others = append(others, a)
				}
			}
		}
		want, err := SplitRisk(pieces[i], others, known)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint("piece ", i), each[i], want, 1e-11*want)
	}
}

func TestBlockTooLarge(t *testing.T) {
	var pieces []Group
	for range 5000 {
		pieces = append(pieces, Group{within(200, .3, .5), within(200, .4, .5)})
	}
	if _, err := NewBlock(Split{Pieces: pieces, Known: Classes{[]ValueSet{True}, []int{700_000}}}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// TestRatesOfPieces: pieces of equal spread have rates of their own, also when they are left over together.
func TestRatesOfPieces(t *testing.T) {
	var atoms []Atom
	var pieces []Group
	for _, n := range []int{3, 2, 3} {
		a := within(n, .5, .9)
		a.Spread = .5
		atoms, pieces = append(atoms, a), append(pieces, Group{a})
	}
	known := Classes{[]ValueSet{True}, []int{4}}
	b, err := NewBlock(Split{Pieces: pieces, Known: known})
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.RestRisk([]int{0})
	x := riddle{
		atoms:  atoms,
		given:  func(w world) bool { return w.in(True, 0, 1, 2) == 4 },
		answer: func(w world) string { return fmt.Sprint(w.in(True, 1, 2)) },
		tested: func(a, _ int) bool { return a > 0 },
	}
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "rest", got, x.solve().unsafe, 1e-12)
}

// TestBlockOfVectors adds up the classes.
func TestBlockOfVectors(t *testing.T) {
	kind := func(n int) Atom { return withinEach(n, .8, .5, .3, .2) }
	pieces := []Group{{kind(40)}, {kind(60)}, {kind(40)}}
	known := Classes{[]ValueSet{1, 2}, []int{70, 45}}
	each, rest, err := SplitManyRisk(pieces, Group{kind(10)}, known)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range append(each, rest) {
		inside := append(slices.Clone(pieces), Group{kind(10)})[i]
		others := kind(150 - people(inside))
		others.Limits = nil
		want, err := SplitRisk(inside, Group{others}, known)
		if err != nil {
			t.Fatal(err)
		}
		agree(t, fmt.Sprint("piece ", i), got, want, 1e-14)
	}
}
