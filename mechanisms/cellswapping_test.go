package mechanisms

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tacit/internal/battery"
	"tacit/policy"
)

// swapped enumerates where the cells of a block go: what is released, with its probability.
func swapped(epsilon float64, counts []int64) map[string]float64 {
	q := len(counts)
	gamma := math.Exp(epsilon) / (math.Exp(epsilon) + float64(q) - 1)
	outcomes := make(map[string]float64)
	assignments := int(math.Pow(float64(q), float64(q)))
	for code := range assignments {
		released := make([]int64, q)
		probability := 1.0
		for from, rest := 0, code; from < q; from, rest = from+1, rest/q {
			to := rest % q
			released[to] += counts[from]
			if to == from {
				probability *= gamma
			} else {
				probability *= (1 - gamma) / float64(q-1)
			}
		}
		outcomes[fmt.Sprint(released)] += probability
	}
	return outcomes
}

// For neighbours in one block the delta is that of Theorem 3 with its sign corrected, at every epsilon, if counts tell which cells came
// together; otherwise it is less.
func TestSwappingDelta(t *testing.T) {
	for _, counts := range [][]int64{{100, 1000}, {100, 1000, 10000}, {100, 1000, 10000, 100000}} {
		for _, e := range []float64{0.1, 0.5, 2, 4} {
			neighbour := slices.Clone(counts)
			neighbour[0]++
			neighbour[1]--
			p, q := swapped(e, counts), swapped(e, neighbour)
			for _, at := range []float64{0, 0.1, e, 5} {
				var delta float64
				for o, x := range p {
					delta += max(0, x-math.Exp(at)*q[o])
				}
				if want := SwappingDelta(e, len(counts)); !near(delta, want, 1e-12) {
					t.Errorf("%v, epsilon %v: delta(%v) is %v, want %v", counts, e, at, delta, want)
				}
			}
		}
	}
	// Small counts, of which sums may agree.
	for _, counts := range [][]int64{{1, 0}, {2, 1, 0}, {1, 1, 1}, {3, 1, 1, 0}} {
		neighbour := slices.Clone(counts)
		neighbour[0]--
		neighbour[1]++
		p, q := swapped(0.5, counts), swapped(0.5, neighbour)
		var delta float64
		for o, x := range p {
			delta += max(0, x-q[o])
		}
		if want := SwappingDelta(0.5, len(counts)); delta > want+1e-12 {
			t.Errorf("%v: delta is %v, more than %v", counts, delta, want)
		}
	}
}

// The number of persons of a block is released as it is: delta is 1 if it differs.
func TestSwappingShowsBlocks(t *testing.T) {
	p, q := swapped(0.5, []int64{3, 1, 0}), swapped(0.5, []int64{4, 1, 0})
	for o := range p {
		if q[o] != 0 {
			t.Errorf("%s is released of both", o)
		}
	}
	m := newMechanism(t, kindConfig(policy.DPSwapping))
	for _, adjacency := range bothAdjacencies {
		if g := m.Guarantee(adjacency); g.Delta(0) != 1 || g.Delta(50) != 1 || !g.Exact {
			t.Errorf("%s: %+v", adjacency, g)
		}
	}
	cells, err := m.Sanitize(Histogram{Counts: []int64{5, 6, 7, 8, 9}, Blocks: [][]int{{0, 2}, {1, 4}, {3}}})
	if c := cells.Counts; err != nil || c[0]+c[2] != 12 || c[1]+c[4] != 15 || c[3] != 8 || cells.Suppressed != nil {
		t.Errorf("released %v, error %v", cells, err)
	}
}

func TestSwappingWithoutBlocks(t *testing.T) {
	m := newMechanism(t, kindConfig(policy.DPSwapping))
	for _, blocks := range [][][]int{nil, {{0}}, {{0, 1}, {1}}, {{0, 1, 2}}, {{0}, {-1, 1}}} {
		if cells, err := m.Sanitize(Histogram{Counts: []int64{1, 2}, Blocks: blocks}); err == nil || cells.Counts != nil {
			t.Errorf("blocks %v: released %v", blocks, cells)
		}
	}
}

// Each cell goes where equation 4 says, with the offsets drawn by any number of doublings.
func TestSwappingFollowsItsDefinition(t *testing.T) {
	const releases = 60_000
	for seed, c := range []struct {
		epsilon float64
		places  int
	}{{0.3, 2}, {2, 2}, {0.3, 3}, {1, 3}, {1.5, 4}, {3, 5}, {2, 9}, {2.5, 20}} {
		if testing.Short() && seed%3 != 0 {
			continue
		}
		m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(c.epsilon), Random: battery.Seeded(byte(80 + seed))})
		gamma := math.Exp(c.epsilon) / (math.Exp(c.epsilon) + float64(c.places) - 1)
		h := oneBlock(make([]int64, c.places))
		h.Counts[1] = 1
		places := make([]int64, releases)
		for i := range places {
			cells, err := m.Sanitize(h)
			if err != nil {
				t.Fatal(err)
			}
			places[i] = int64(slices.Index(cells.Counts, 1))
		}
		requireFit(t, func(place int64) float64 {
			switch {
			case place < 0 || place >= int64(c.places):
				return 0
			case place == 1:
				return gamma
			}
			return (1 - gamma) / float64(c.places-1)
		}, int64(c.places), places)
	}
}

// A block of any size, with any epsilon, is released: a draw needs few bits, although both ways that it can end may be rare.
func TestSwappingOfLargeBlocks(t *testing.T) {
	for _, e := range []float64{0.001, 1, 5, 9, 12, 20, 700, 9e9} {
		m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(e), Random: battery.Seeded(99)})
		counts := make([]int64, 20_000)
		for i := range counts {
			counts[i] = 1
		}
		cells, err := m.Sanitize(oneBlock(counts))
		if err != nil {
			t.Fatalf("epsilon %v: %v", e, err)
		}
		var total int64
		for _, n := range cells.Counts {
			total += n
		}
		if total != int64(len(counts)) {
			t.Errorf("epsilon %v: %d persons of %d", e, total, len(counts))
		}
	}
}

// Expectations against all assignments, and the bias of Proposition 1.
func TestSwappingExpectations(t *testing.T) {
	for _, counts := range [][]int64{{7}, {4, 9}, {0, 3, 3}, {1, 2, 30, 5}, {0, 0, 0, 8}} {
		for _, e := range []float64{0.1, 1, 4, 800} {
			m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: epsilonOf(e)})
			q := float64(len(counts))
			gamma := 1 / (1 + (q-1)*math.Exp(-e))
			for i, x := range m.Expect(oneBlock(counts)) {
				mass := map[float64]float64{0: 1}
				for j, n := range counts {
					chance := gamma
					if j != i {
						chance = (1 - gamma) / (q - 1)
					}
					next := make(map[float64]float64)
					for v, p := range mass {
						next[v] += p * (1 - chance)
						next[v+float64(n)] += p * chance
					}
					mass = next
				}
				checkExpectation(t, fmt.Sprintf("%v, epsilon %v, cell %d", counts, e, i), x, counts[i], mass)
				var sum float64
				for _, n := range counts {
					sum += float64(n)
				}
				if e < 700 {
					if want := (sum - q*float64(counts[i])) / (math.Exp(e) + q - 1); math.Abs(x.Bias-want) > 1e-12*sum {
						t.Errorf("%v, epsilon %v, cell %d: bias is %v, by Proposition 1 %v", counts, e, i, x.Bias, want)
					}
				}
			}
		}
	}
}

// Distributions of large blocks and of large counts are had in bounded memory, and are within half a grid step per cell.
func TestSwappingDistributionOfLargeBlocks(t *testing.T) {
	m := newMechanism(t, Config{Kind: policy.DPSwapping, Epsilon: 3e9})
	counts := make([]int64, 500)
	for i := range counts {
		counts[i] = int64(i) * 1_000_003
	}
	x := m.Expect(oneBlock(counts))[499]
	if p := x.Distribution(-1); p != 0 {
		t.Errorf("P(shown < 0) = %v", p)
	}
	if p := x.Distribution(1e18); math.Abs(p-1) > 1e-9 {
		t.Errorf("P(shown <= 1e18) = %v", p)
	}
	last := 0.0
	for v := 0.0; v < 1e9; v += 1e7 {
		p := x.Distribution(v)
		if p < last-1e-12 {
			t.Errorf("P(shown <= %v) = %v, less than before", v, p)
		}
		last = p
	}
}
