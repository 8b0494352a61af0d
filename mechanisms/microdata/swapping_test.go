package microdata

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tacit/internal/battery"
	"tacit/policy"
)

// mixtures are columns of all kinds; tables of few values have many equal distances and records, tables of many have few.
func mixtures() map[string][]Column {
	return map[string][]Column{
		"categories":     {quasiOf(category("a", 3)), quasiOf(nullableOf(category("b", 2))), category("c", 4)},
		"one quasi":      {quasiOf(category("a", 2)), number("b", 0, 5), nullableOf(number("c", -3, 3))},
		"numbers":        {quasiOf(number("a", 10, 1000)), quasiOf(nullableOf(number("b", 0, 77))), number("c", 5, 5)},
		"large unit":     {quasiOf(number("a", 0, 1_000_003)), number("b", 0, 999_983), number("c", 0, 1_000_033)},
		"rarely another": {quasiOf(category("a", 1)), quasiOf(nullableOf(number("b", 0, 0))), category("c", 9)},
	}
}

// TestSwapIsBruteForce compares every choice with Algorithm 3 on the table in a random order, read literally.
func TestSwapIsBruteForce(t *testing.T) {
	for name, columns := range mixtures() {
		for _, donors := range []Donors{OtherQuasi, AnyRecord} {
			for _, on := range [][]int{nil, {2}, {0, 1}} {
				t.Run(name+" "+string(donors), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(1, 2))
					for range 30 {
						table := randomTable(t, columns, rng.IntN(150), rng)
						s, err := NewSwapping(SwappingConfig{Columns: columns, Rate: policy.Share(1 + rng.Int64N(int64(policy.OneShare))), Donors: donors, CompareOn: on, Random: battery.Seeded(0)})
						if err != nil {
							t.Fatal(err)
						}
						order, targets := shuffle(table.rows, s.random), shuffle(table.rows, s.random)
						if diff := cmp.Diff(bruteForce(s, table, order, targets), s.swap(table, order, targets)); diff != "" {
							t.Fatalf("on columns %v (-brute force +index)\n%s", on, diff)
						}
					}
				})
			}
		}
	}
}

func bruteForce(s *Swapping, t *Table, order, targets []int32) []int32 {
	groups, _ := t.groups(t.Quasi())
	taken, sources := make([]bool, t.rows), identity(t.rows)
	left := int64(s.config.Rate) * int64(t.rows) / 2e9
	for _, row := range targets {
		if taken[row] || left == 0 {
			continue
		}
		best := int32(-1)
		for _, other := range order {
			if other == row || taken[other] || s.config.Donors == OtherQuasi && groups[other] == groups[row] {
				continue
			}
			if best < 0 || s.distance.between(t, int(row), int(other)) < s.distance.between(t, int(row), int(best)) {
				best = other
			}
		}
		if best < 0 {
			continue
		}
		taken[row], taken[best] = true, true
		sources[row], sources[best] = best, row
		left--
	}
	return sources
}

// TestIndexInvariants: whatever was taken, a node knows its first row and covers its points, and points know theirs.
func TestIndexInvariants(t *testing.T) {
	for name, columns := range mixtures() {
		rng := rand.New(rand.NewPCG(5, 6))
		table := randomTable(t, columns, 400, rng)
		d, err := newDistance(columns, nil)
		if err != nil {
			t.Fatal(err)
		}
		groups, _ := table.groups(table.Quasi())
		x := newNeighbours(table, d, identity(400), groups)
		for _, row := range rng.Perm(400) {
			x.take(int32(row))
			if row%40 == 0 {
				checkIndex(t, name, x, table)
			}
		}
		checkIndex(t, name, x, table)
	}
}

func checkIndex(t *testing.T, name string, x *neighbours, table *Table) {
	t.Helper()
	for at, n := range x.nodes {
		first := int32(noRow)
		for row := range table.rows {
			p := x.pointOf[row]
			if p < n.begin || p >= n.end {
				continue
			}
			if !x.taken[row] {
				first = min(first, x.order[row])
			}
			for i, m := range x.distance.columns {
				if v := table.Cell(row, m.column); v < x.bounds[2*(at*x.width+i)] || v > x.bounds[2*(at*x.width+i)+1] {
					t.Fatalf("%s: row %d is not within its node", name, row)
				}
			}
		}
		if n.first != first {
			t.Fatalf("%s: the first row of node %d is %d, stated %d", name, at, first, n.first)
		}
	}
}
