package advice

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// naiveFiner tries every base and every set of columns.
func naiveFiner(s *finerSearch) (answers, cells int) {
	for b := range 1 << len(s.conditions) {
		var base []int
		for c := range s.conditions {
			if b>>c&1 == 1 {
				base = append(base, c)
			}
		}
		for columns := columnSet(0); columns < 1<<len(s.sizes); columns++ {
			n := 1
			for c, size := range s.sizes {
				if columns>>c&1 == 1 {
					n *= size
				}
			}
			if n > s.limit {
				continue
			}
			sum := 0
			for i := range s.counts {
				if naiveFollows(s, &s.counts[i], base, columns) {
					sum += s.counts[i].times
				}
			}
			if sum > answers || sum == answers && sum > 0 && n < cells {
				answers, cells = sum, n
			}
		}
	}
	return answers, cells
}

func naiveFollows(s *finerSearch, count *wantedCount, base []int, columns columnSet) bool {
	for _, c := range base {
		if !slices.Contains(count.conditions, c) {
			return false
		}
	}
	for _, c := range count.conditions {
		if !slices.Contains(base, c) && (s.conditions[c].opaque || s.conditions[c].columns&^columns != 0) {
			return false
		}
	}
	return count.keys&^columns == 0
}

func randomSearch(r *rand.Rand, columns, conditions, counts int) *finerSearch {
	s := &finerSearch{limit: 1 + r.IntN(60)}
	for range columns {
		s.sizes = append(s.sizes, 1+r.IntN(6))
	}
	someColumns := func() (set columnSet) {
		for range r.IntN(3) {
			set |= 1 << r.IntN(columns)
		}
		return set
	}
	for range conditions {
		s.conditions = append(s.conditions, wantedCondition{columns: someColumns(), opaque: r.IntN(6) == 0})
	}
	for range counts {
		count := wantedCount{keys: someColumns(), times: 1 + r.IntN(2)}
		for c := range s.conditions {
			if r.IntN(4) == 0 {
				count.conditions = append(count.conditions, c)
			}
		}
		s.counts = append(s.counts, count)
	}
	return s
}

func TestFinerSearchFindsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 400 {
		s := randomSearch(r, 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(12))
		s.run()
		answers, cells := naiveFiner(s)
		if answers < 2 && s.best.answers < 2 {
			continue
		}
		if !s.complete || s.best.answers != answers || s.best.cells != cells {
			t.Fatalf("round %d: the search finds %d answers with %d cells (complete: %t), there are %d with %d", round, s.best.answers, s.best.cells, s.complete, answers, cells)
		}
		found, added := s.answered(func(count, column int) int { return s.sizes[column] })
		sum := 0
		for i, n := range found {
			sum += s.counts[n].times
			if !naiveFollows(s, &s.counts[n], s.best.base, s.best.columns) || added[i] != s.best.cells {
				t.Fatalf("round %d: count %d does not follow, or adds up %d cells of %d", round, n, added[i], s.best.cells)
			}
		}
		if sum != answers {
			t.Fatalf("round %d: %d answers are listed of %d", round, sum, answers)
		}
	}
}

// Where not everything is tried, what is found still answers what it says, and says that it may not be the best.
func TestFinerSearchOfManyColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := randomSearch(r, 40, 30, 3000)
	s.limit = 5000
	s.run()
	if n := len(s.tried); n > maxTriedBases {
		t.Errorf("%d bases were tried", n)
	}
	if s.complete || s.best.answers < 2 || s.cells(s.best.columns) > s.limit || s.best.cells != s.cells(s.best.columns) {
		t.Errorf("the search finds %+v, complete: %t", s.best, s.complete)
	}
	found, _ := s.answered(func(int, int) int { return 1 })
	sum := 0
	for _, n := range found {
		sum += s.counts[n].times
	}
	if sum != s.best.answers {
		t.Errorf("%d answers are listed of %d", sum, s.best.answers)
	}
	again := *s
	again.run()
	if again.best.columns != s.best.columns || !slices.Equal(again.best.base, s.best.base) {
		t.Error("the same search has two results")
	}
}

// The questions of a dashboard, over years: thousands of constants, few columns.
func TestFinerSearchOfManyConstants(t *testing.T) {
	s := &finerSearch{sizes: []int{12, 3, 120, 30}, limit: 10_000}
	for c := range 4000 { // of the third column, but for the first, which all have, and which is of no column that can be a key
		s.conditions = append(s.conditions, wantedCondition{columns: 1 << 2, opaque: c == 0})
		if c > 0 {
			s.counts = append(s.counts, wantedCount{conditions: []int{0, c}, keys: columnSet(1) << (c % 2), times: 1})
		}
	}
	s.run()
	if n := len(s.tried); n > 10 { // of 4000, nearly all are passed over
		t.Errorf("%d bases were tried", n)
	}
	if want := columnSet(0b111); !s.complete || s.best.answers != 3999 || s.best.columns != want || !slices.Equal(s.best.base, []int{0}) {
		t.Errorf("the search finds %+v, complete: %t", s.best, s.complete)
	}
	if n := bits.OnesCount64(uint64(s.best.columns)); n != 3 {
		t.Errorf("%d columns", n)
	}
}

func TestFinerSearchOfNothing(t *testing.T) {
	s := &finerSearch{limit: 10}
	s.run()
	if s.best.answers != 0 || !s.complete {
		t.Errorf("nothing is answered by %+v", s.best)
	}
}
