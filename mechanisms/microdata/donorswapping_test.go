package microdata

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"tacit/internal/battery"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// chosenBySubsets is McKenna and Sheldon's closed form: candidate c is chosen with probability p(c) * sum over subsets S of the
// others of (-1)^|S|/(|S|+1) * product of p over S.
func chosenBySubsets(p []float64) []float64 {
	chosen := make([]float64, len(p))
	for c := range p {
		for s := range 1 << len(p) {
			if s>>c&1 == 1 {
				continue
			}
			term := p[c] / float64(bits.OnesCount(uint(s))+1)
			for i := range p {
				if s>>i&1 == 1 {
					term *= -p[i]
				}
			}
			chosen[c] += term
		}
	}
	return chosen
}

// TestPermuteAndFlip compares frequencies with the closed form, for epsilons whose coins take one trial and several.
func TestPermuteAndFlip(t *testing.T) {
	distances := []uint64{30, 7, 7, 60, 100, 12}
	for _, e := range []policy.Epsilon{half, 3 * perEpsilon, 11*perEpsilon + 3} {
		p := make([]float64, len(distances))
		for i, d := range distances {
			p[i] = math.Exp(-float64(e) / perEpsilon * float64(d-7) / 200)
		}
		f := newPermuteAndFlip(e, 100, sampling.NewBits(battery.Seeded(5)))
		observed := make([]int, len(distances))
		for range 200_000 {
			observed[f.choose(6, 7, func(c uint64) uint64 { return distances[c] })]++
		}
		if f.bits.Err() != nil {
			t.Fatal(f.bits.Err())
		}
		chiSquared(t, observed, chosenBySubsets(p))
	}
}

// TestDonorSwapping compares the donors of every row of a small table with gamma and the closed form.
func TestDonorSwapping(t *testing.T) {
	columns := []Column{quasiOf(category("a", 3)), number("b", 0, 10)}
	table := tableOf(t, columns, []Cell{0, 1}, []Cell{0, 1}, []Cell{0, 9}, []Cell{1, 1}, []Cell{2, 4}, []Cell{1, 10})
	for _, donors := range []Donors{AnyRecord, OtherQuasi} {
		m, err := NewDonorSwapping(DonorSwappingConfig{Columns: columns, Keep: policy.OneShare / 4, Epsilon: 4 * perEpsilon, Donors: donors, Random: battery.Seeded(6)})
		if err != nil {
			t.Fatal(err)
		}
		observed := make([][]int, table.rows)
		for row := range observed {
			observed[row] = make([]int, table.rows)
		}
		for range 40_000 {
			sources, err := m.Swap(table)
			if err != nil {
				t.Fatal(err)
			}
			for row, source := range sources {
				observed[row][source]++
			}
		}
		for row := range table.rows {
			chiSquared(t, observed[row], donorsOf(m, table, row))
		}
	}
}

// donorsOf are the probabilities with which each row is the source of one.
func donorsOf(m *DonorSwapping, t *Table, row int) []float64 {
	var candidates []int
	least := uint64(math.MaxUint64)
	for other := range t.rows {
		if other == row || m.config.Donors == OtherQuasi && t.Cell(other, 0) == t.Cell(row, 0) {
			continue
		}
		candidates = append(candidates, other)
		least = min(least, m.distance.between(t, row, other))
	}
	var p []float64
	for _, other := range candidates {
		d := float64(m.distance.between(t, row, other) - least)
		p = append(p, math.Exp(-float64(m.config.Epsilon)/perEpsilon*d/(2*float64(m.distance.most()))))
	}
	probabilities := make([]float64, t.rows)
	probabilities[row] = m.config.Keep.Float()
	for i, chosen := range chosenBySubsets(p) {
		probabilities[candidates[i]] += (1 - m.config.Keep.Float()) * chosen
	}
	return probabilities
}

// TestLeastIsBruteForce compares the distances from the nearest donors with those found by looking at all rows.
func TestLeastIsBruteForce(t *testing.T) {
	for name, columns := range mixtures() {
		rng := rand.New(rand.NewPCG(3, 4))
		for _, donors := range []Donors{AnyRecord, OtherQuasi} {
			table := randomTable(t, columns, 300, rng)
			m, err := NewDonorSwapping(DonorSwappingConfig{Columns: columns, Epsilon: 1, Donors: donors, Random: battery.Seeded(0)})
			if err != nil {
				t.Fatal(err)
			}
			groups, _ := table.groups(table.Quasi())
			rows := identity(table.rows)
			for row, got := range m.least(newNeighbours(table, m.distance, rows, groups), groups, rows) {
				want := uint64(math.MaxUint64)
				for other := range table.rows {
					if other != row && (donors == AnyRecord || groups[other] != groups[row]) {
						want = min(want, m.distance.between(table, row, other))
					}
				}
				if got != want {
					t.Fatalf("%s, %s: row %d is at %d from its nearest donor, want %d", name, donors, row, got, want)
				}
			}
		}
	}
}

// TestDonorsRunOut: without a possible donor, rows keep their own.
func TestDonorsRunOut(t *testing.T) {
	columns := []Column{quasiOf(category("a", 3)), number("b", 0, 10)}
	for _, rows := range [][][]Cell{nil, {{1, 1}}, {{1, 1}, {1, 2}, {1, 3}}} {
		table := tableOf(t, columns, rows...)
		m, err := NewDonorSwapping(DonorSwappingConfig{Columns: columns, Epsilon: 1, Donors: OtherQuasi, Random: battery.Seeded(6)})
		if err != nil {
			t.Fatal(err)
		}
		sources, err := m.Swap(table)
		if err != nil || len(sources) != len(rows) {
			t.Fatalf("%v, %v", sources, err)
		}
		for row, source := range sources {
			if source != int32(row) {
				t.Errorf("of %d rows alike, %d takes from %d", len(rows), row, source)
			}
		}
	}
}

// TestDonorSwappingKeepsGamma is the lower bound on delta, on two tables of two rows that differ in a quasi-identifier: see theorem
// 3's erratum. x has rows 0 and 1, y has 0 and 2; the value 1 is published with probability gamma + ... from x, never from y.
func TestDonorSwappingKeepsGamma(t *testing.T) {
	published := func(a, b int, gamma float64) map[[2]int]float64 {
		p := map[[2]int]float64{}
		for _, first := range []struct {
			v int
			p float64
		}{{a, gamma}, {b, 1 - gamma}} {
			p[[2]int{first.v, b}] += first.p * gamma
			p[[2]int{first.v, a}] += first.p * (1 - gamma)
		}
		return p
	}
	const gamma = 0.05
	exact := hockeyStick(1, published(0, 1, gamma), published(0, 2, gamma))
	closeTo(t, "exact delta", exact, 0.9525, 1e-12)
	if publishedDonorSwappingDelta(policy.OneShare/20, perEpsilon, 2) >= exact {
		t.Error("Theorem 3 holds after all")
	}
	if exact < gamma {
		t.Error("the lower bound does not hold")
	}
}
