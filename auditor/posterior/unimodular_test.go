package posterior

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tacit/auditor/posterior/internal/linear"
)

// determinant by expansion: matrices are tiny.
func determinant(m [][]int) int {
	if len(m) == 0 {
		return 1
	}
	sum, sign := 0, 1
	for j, x := range m[0] {
		if x != 0 {
			var minor [][]int
			for _, line := range m[1:] {
				minor = append(minor, slices.Concat(line[:j], line[j+1:]))
			}
			sum += sign * x * determinant(minor)
		}
		sign = -sign
	}
	return sum
}

// choices are the subsets of 0..n-1 of a size.
func choices(n, size int) (out [][]int) {
	for mask := range 1 << n {
		var c []int
		for i := range n {
			if mask>>i&1 == 1 {
				c = append(c, i)
			}
		}
		if len(c) == size {
			out = append(out, c)
		}
	}
	return out
}

// unimodularByMinors computes all subdeterminants.
func unimodularByMinors(m [][]int) bool {
	for size := 2; size <= min(len(m), len(m[0])); size++ {
		for _, rows := range choices(len(m), size) {
			for _, columns := range choices(len(m[0]), size) {
				var minor [][]int
				for _, i := range rows {
					var line []int
					for _, j := range columns {
						line = append(line, m[i][j])
					}
					minor = append(minor, line)
				}
				if d := determinant(minor); d < -1 || d > 1 {
					return false
				}
			}
		}
	}
	return true
}

func TestTwoLaminarIsUnimodular(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	found, missed, not := 0, 0, 0
	for range 2000 {
		rows, columns := 3+r.IntN(3), 3+r.IntN(3)
		m := make([][]int, rows)
		sets := linear.NewBitsets(rows, columns)
		for i := range m {
			m[i] = make([]int, columns)
			for j := range columns {
				if r.IntN(2) == 1 {
					m[i][j] = 1
					sets[i].Add(j)
				}
			}
		}
		switch two, unimodular := linear.TwoLaminar(sets), unimodularByMinors(m); {
		case two && !unimodular:
			t.Fatalf("not unimodular: %v", m)
		case two:
			found++
		case unimodular:
			missed++
		default:
			not++
		}
	}
	t.Logf("%d recognised, %d missed, %d not unimodular", found, missed, not)
	if found < 500 || not < 200 {
		t.Errorf("%d recognised, %d not unimodular", found, not)
	}
}

func TestTotallyUnimodular(t *testing.T) {
	bare := func(values, atoms int) System {
		var s System
		for range atoms {
			prior := make([]float64, values)
			for v := range prior {
				prior[v] = 1 / float64(values)
			}
			s.Atoms = append(s.Atoms, withinEach(1000, .5, prior...))
		}
		return s
	}
	sum := func(value int, values ValueSet, atoms ...int) Sum { return Sum{Set{atoms, values}, value} }
	for _, c := range []struct {
		name   string
		values int
		sums   []Sum
		q      Set
		want   bool
	}{
		{"nothing", 2, nil, Set{[]int{0, 1}, True}, true},
		{"margins and a cell", 2, []Sum{sum(1500, True, 0, 1, 2), sum(1500, True, 3, 4, 5), sum(1000, True, 0, 3), sum(500, True, 1)},
			Set{[]int{2, 5}, True}, true},
		{"a hierarchy", 2, []Sum{sum(3000, True, 0, 1, 2, 3, 4, 5), sum(2000, True, 0, 1, 2, 3), sum(1000, True, 0, 1)}, Set{[]int{0}, True}, true},
		{"an odd cycle", 2, []Sum{sum(1000, True, 0, 1), sum(1000, True, 1, 2)}, Set{[]int{0, 2}, True}, false},
		{"an odd cycle of another value", 2, []Sum{sum(1000, 1, 0, 1), sum(1000, True, 1, 2)}, Set{[]int{0, 2}, True}, false},
		{"an even cycle", 2, []Sum{sum(1000, True, 0, 1), sum(1000, True, 1, 2), sum(1000, True, 2, 3)}, Set{[]int{0, 3}, True}, true},
		{"one value of three", 3, []Sum{sum(600, 2, 0, 1), sum(600, 2, 1, 2)}, Set{[]int{1}, 2}, true},
		{"values in turn", 3, []Sum{sum(600, 2, 0, 1), sum(600, 4, 0, 1)}, Set{[]int{0}, 2}, true},
		{"values that cross", 3, []Sum{sum(1200, 6, 0, 1), sum(600, 3, 0)}, Set{[]int{0}, 1}, false},
	} {
		s := bare(c.values, 6)
		s.Sums = c.sums
		k, err := s.contrast(c.q)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if k.unimodular != c.want {
			t.Errorf("%s: %v, want %v", c.name, k.unimodular, c.want)
		}
	}
}
