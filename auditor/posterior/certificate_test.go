package posterior

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"tacit/auditor/posterior/internal/law"
)

// A game is an adversary who asks for sums of unions of blocks, each chosen by the answers before, to make a posterior unsafe once.
type game struct {
	atoms  []Atom
	block  []int // of each atom
	blocks int
}

// A state of the game is the sums of blocks that are still possible: a weight, and the mean number of people of each atom with the value.
type state struct {
	sums   []int
	weight float64
	means  []float64
}

func (g *game) states(given func(world) bool) []state {
	found := map[string]*state{}
	worlds(g.atoms, func(w world, p float64) {
		if given != nil && !given(w) {
			return
		}
		sums := make([]int, g.blocks)
		for a := range w {
			sums[g.block[a]] += w[a][1]
		}
		key := fmt.Sprint(sums)
		if found[key] == nil {
			found[key] = &state{sums: sums, means: make([]float64, len(w))}
		}
		s := found[key]
		s.weight += p
		for a := range w {
			s.means[a] += p * float64(w[a][1])
		}
	})
	var all []state
	for _, s := range found {
		all = append(all, *s)
	}
	return all
}

func (g *game) unsafe(states []state) bool {
	weight := 0.0
	means := make([]float64, len(g.atoms))
	for _, s := range states {
		weight += s.weight
		for a, m := range s.means {
			means[a] += m
		}
	}
	r := riddle{atoms: g.atoms}
	for a, m := range means {
		if r.out(a, 1, m/weight/float64(g.atoms[a].People)) {
			return true
		}
	}
	return false
}

// value is the weight of what the best adversary makes unsafe, by trying every question after every answer.
func (g *game) value(states []state, asked int) float64 {
	if g.unsafe(states) {
		total := 0.0
		for _, s := range states {
			total += s.weight
		}
		return total
	}
	best := 0.0
	for union := 1; union < 1<<g.blocks && len(states) > 1; union++ {
		if asked>>union&1 == 1 {
			continue
		}
		answers := map[int][]state{}
		for _, s := range states {
			v := 0
			for b, n := range s.sums {
				if union>>b&1 == 1 {
					v += n
				}
			}
			answers[v] = append(answers[v], s)
		}
		if len(answers) == 1 {
			continue
		}
		value := 0.0
		for _, some := range answers {
			value += g.value(some, asked|1<<union)
		}
		best = max(best, value)
	}
	return best
}

// TestCertificateAgainstBestAdversary: no order of questions about unions of blocks beats the certificate. The adversary is exact, so that
// nothing depends on chance.
func TestCertificateAgainstBestAdversary(t *testing.T) {
	informative := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		g := &generator{Rand: r, values: 2, types: 1 + int(seed%3), plain: true}
		x := game{blocks: 2 + int(seed%2)}
		var groups []Group
		for b := range x.blocks {
			group := g.group(2+r.IntN(4), .97)
			for range group {
				x.block = append(x.block, b)
			}
			groups, x.atoms = append(groups, group), append(x.atoms, group...)
		}
		bound, once := 0.0, 0.0
		for _, group := range groups {
			b, err := Certificate(group, []ValueSet{True})
			u, err2 := RootRisk(group, []ValueSet{True})
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			bound, once = bound+b, max(once, u)
		}
		value := x.value(x.states(nil), 0)
		if value > bound+1e-12 || value < once-1e-12 {
			t.Errorf("seed %d: the adversary reaches %v, the certificate is %v, one answer %v", seed, value, bound, once)
		}
		if bound < 1 && value > once+1e-6 {
			informative++
		}
	}
	if informative < 5 {
		t.Errorf("orders mattered in %d systems only", informative)
	}
}

// TestEndings: the least of E(Y-k)^+/(c-k) over a fine grid of k is no less, and hardly more.
func TestEndings(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 8))
		var e law.Ending
		at, total := 0.0, 0.0
		for at < 1 && len(e.At) < 20 {
			e.At, e.Weight = append(e.At, at), append(e.Weight, r.Float64())
			total += e.Weight[len(e.Weight)-1]
			at += r.Float64() * .2
		}
		c := .4 + .5*r.Float64()
		best := 1.0
		for k := 0.0; k < c-1e-6; k += 1e-5 {
			gain := 0.0
			for i, y := range e.At {
				gain += e.Weight[i] / total * max(0, y-k)
			}
			best = min(best, gain/(c-k))
		}
		got := e.Reaches(c)
		if got > best+1e-12 || got < best-1e-3 {
			t.Errorf("seed %d: %v, grid %v", seed, got, best)
		}
	}
}

// TestOneSided: where only the upper limit is kept, nothing is paid for the lower.
func TestOneSided(t *testing.T) {
	both, up, down := within(80, .3, .5), within(80, .3, .5), within(80, .3, .5)
	up.Limits[1].Low, down.Limits[1].High = 0, 1
	sets := []ValueSet{True}
	b, err := Certificate(Group{both}, sets)
	u, err2 := Certificate(Group{up}, sets)
	d, err3 := Certificate(Group{down}, sets)
	if err := errors.Join(err, err2, err3); err != nil || u == 0 || d == 0 {
		t.Fatal(u, d, err)
	}
	agree(t, "both sides", u+d, b, 1e-15)
	few := within(2, .5, .5)
	few.Limits[1] = Limit{0, 1}
	if c, err := Certificate(Group{few}, sets); err != nil || c != 0 {
		t.Errorf("what cannot become unsafe costs %v, error %v", c, err)
	}
}

// TestCertificateOfVectors adds up classes, and insiders cost people.
func TestCertificateOfVectors(t *testing.T) {
	a := withinEach(500, .5, .4, .3, .3)
	vector, err := Certificate(Group{a}, []ValueSet{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, p := range a.Prior {
		b, err := Certificate(Group{within(500, p, .5)}, []ValueSet{True})
		if err != nil {
			t.Fatal(err)
		}
		sum += b
	}
	agree(t, "vector", vector, sum, 1e-12*sum)

	g := Group{within(100, .3, .5)}
	worst := 0.0
	for n := 96; n <= 100; n++ {
		b, err := Certificate(Group{within(n, .3, .5)}, []ValueSet{True})
		if err != nil {
			t.Fatal(err)
		}
		worst = max(worst, b)
	}
	got, err := CertificateInsiders(g, []ValueSet{True}, 4)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "insiders", got, worst, 1e-15)
	mixed := Group{a, withinEach(500, .5, .3, .4, .3)}
	if _, err := Certificate(mixed, []ValueSet{1, 2}); !errors.Is(err, ErrTypes) {
		t.Error(err)
	}
}
