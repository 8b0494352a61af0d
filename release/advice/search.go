package advice

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"
)

// A finerSearch looks for the one release of cells from which most of the wanted counts follow.
//
// A release has a base, conditions that all its rows meet, and columns as keys, one cell for each combination of their values. A count
// follows if the base is among its conditions, and all else that it is made of, the keys and the other conditions, is computed of the
// release's columns. So a base is worth trying only if it is closed: all conditions that the counts which have it have in common. The
// bases are tried depth first, and those that fewer counts have than the best release answers are passed over with all that contain
// them. For each, the best columns are found by trying all sets, if they are few enough, or greedily.
//
// The result is the best there is if complete is true at the end, unless that answers one count only, which is not looked for. It depends on the counts and on the order of columns and conditions alone.
type finerSearch struct {
	// sizes are the numbers of values of the columns, each at least 1.
	sizes []int
	// limit is the largest number of cells.
	limit      int
	conditions []wantedCondition
	counts     []wantedCount

	best     finerRelease
	complete bool
	tried    map[string]bool // bases
}

// A columnSet has a bit for each column.
type columnSet uint64

// maxAdvisedColumns is how many columns a columnSet has room for.
const maxAdvisedColumns = 64

// A wantedCondition is one of those that counts have.
type wantedCondition struct {
	columns columnSet
	// opaque says that it is not computed of columns that can be keys, so that a release must have it in its base.
	opaque bool
}

// A wantedCount is what a count is made of.
type wantedCount struct {
	conditions []int // numbers, rising, without repetition
	keys       columnSet
	times      int // how often it was charged
}

// A finerRelease is the best so far.
type finerRelease struct {
	base    []int // conditions
	columns columnSet
	cells   int
	answers int
}

const (
	// maxTriedBases bounds the search: each takes a millisecond at most, and most are passed over.
	maxTriedBases = 1000
	// maxTriedColumns is how many columns all sets of are tried.
	maxTriedColumns = 16
	// maxSeeds bounds the sets of columns that the greedy search puts together.
	maxSeeds = 200
)

func (s *finerSearch) run() {
	s.complete, s.tried, s.best = true, make(map[string]bool), finerRelease{}
	all := make([]int, len(s.counts))
	for i := range all {
		all[i] = i
	}
	s.visit(nil, all)
}

// visit tries the base that some counts have, closed, and those that contain it.
func (s *finerSearch) visit(base, counts []int) {
	having := s.having(counts)
	base = s.closed(base, counts, having)
	name := fmt.Sprint(base)
	if s.tried[name] {
		return
	}
	if len(s.tried) == maxTriedBases {
		s.complete = false
		return
	}
	s.tried[name] = true
	s.consider(base, counts)
	for _, c := range s.byUse(having) {
		if slices.Contains(base, c) || having[c] < max(2, s.best.answers) {
			continue
		}
		narrower := slices.DeleteFunc(slices.Clone(counts), func(i int) bool { return !has(s.counts[i].conditions, c) })
		s.visit(append(slices.Clone(base), c), narrower)
	}
}

func has(sorted []int, n int) bool {
	_, ok := slices.BinarySearch(sorted, n)
	return ok
}

// having tells how many counts have each condition.
func (s *finerSearch) having(counts []int) map[int]int {
	having := make(map[int]int)
	for _, i := range counts {
		for _, c := range s.counts[i].conditions {
			having[c] += s.counts[i].times
		}
	}
	return having
}

// byUse lists conditions, those that most counts have first.
func (s *finerSearch) byUse(having map[int]int) []int {
	list := make([]int, 0, len(having))
	for c := range having {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(cmp.Compare(having[b], having[a]), cmp.Compare(a, b)) })
	return list
}

// closed adds to a base what all counts that have it have.
func (s *finerSearch) closed(base, counts []int, having map[int]int) []int {
	closed := slices.Clone(base)
	for c, n := range having {
		if n == s.times(counts) {
			closed = append(closed, c)
		}
	}
	slices.Sort(closed)
	return slices.Compact(closed)
}

func (s *finerSearch) times(counts []int) int {
	n := 0
	for _, i := range counts {
		n += s.counts[i].times
	}
	return n
}

// needs are the columns of which everything about a count is computed that is not in a base; ok is false if something is not.
func (s *finerSearch) needs(count *wantedCount, base []int) (columns columnSet, ok bool) {
	columns = count.keys
	for _, c := range count.conditions {
		if has(base, c) {
			continue
		}
		if s.conditions[c].opaque {
			return 0, false
		}
		columns |= s.conditions[c].columns
	}
	return columns, true
}

// consider looks for the best columns with a base.
func (s *finerSearch) consider(base, counts []int) {
	wanted := make(map[columnSet]int)
	for _, i := range counts {
		if columns, ok := s.needs(&s.counts[i], base); ok && s.cells(columns) <= s.limit {
			wanted[columns] += s.counts[i].times
		}
	}
	found := s.columnsFor(wanted)
	found.base = base
	s.best = s.best.orBetter(found)
}

// orBetter prefers more answers, then fewer cells, whose sums have less noise, and then the release that was found first.
func (r finerRelease) orBetter(other finerRelease) finerRelease {
	if other.answers > r.answers || other.answers == r.answers && other.cells < r.cells {
		return other
	}
	return r
}

// cells is how many there are, or some number above the limit.
func (s *finerSearch) cells(columns columnSet) int {
	cells := 1
	for ; columns != 0; columns &= columns - 1 {
		size := s.sizes[bits.TrailingZeros64(uint64(columns))]
		if cells > s.limit/size {
			return s.limit + 1
		}
		cells *= size
	}
	return cells
}

// columnsFor finds columns that contain most of the wanted sets.
func (s *finerSearch) columnsFor(wanted map[columnSet]int) finerRelease {
	sets := make([]columnSet, 0, len(wanted))
	var all columnSet
	for set := range wanted {
		sets = append(sets, set)
		all |= set
	}
	slices.SortFunc(sets, func(a, b columnSet) int { return cmp.Or(cmp.Compare(wanted[b], wanted[a]), cmp.Compare(a, b)) })
	switch {
	case len(sets) == 0:
		return finerRelease{}
	case s.cells(all) <= s.limit:
		return s.evaluate(all, sets, wanted)
	case bits.OnesCount64(uint64(all)) <= maxTriedColumns:
		return s.exhaustive(all, wanted)
	}
	s.complete = false
	return s.evaluate(s.greedy(sets[:min(len(sets), maxSeeds)], wanted), sets, wanted)
}

func (s *finerSearch) evaluate(columns columnSet, sets []columnSet, wanted map[columnSet]int) finerRelease {
	r := finerRelease{columns: columns, cells: s.cells(columns)}
	for _, set := range sets {
		if set&^columns == 0 {
			r.answers += wanted[set]
		}
	}
	return r
}

// exhaustive tries all sets of columns. How many counts each answers is the sum over its subsets, which are summed up one column after
// the other.
func (s *finerSearch) exhaustive(all columnSet, wanted map[columnSet]int) finerRelease {
	var columns []int // by place in the small sets below
	for rest := all; rest != 0; rest &= rest - 1 {
		columns = append(columns, bits.TrailingZeros64(uint64(rest)))
	}
	answers := make([]int, 1<<len(columns))
	for set, n := range wanted {
		small := 0
		for place, c := range columns {
			small |= int(set>>c&1) << place
		}
		answers[small] += n
	}
	for place := range columns {
		for set := range answers {
			if set>>place&1 == 1 {
				answers[set] += answers[set&^(1<<place)]
			}
		}
	}
	var best finerRelease
	for set, n := range answers {
		if n < max(1, best.answers) {
			continue
		}
		var large columnSet
		for place, c := range columns {
			large |= columnSet(set>>place&1) << c
		}
		if cells := s.cells(large); cells <= s.limit {
			best = best.orBetter(finerRelease{columns: large, cells: cells, answers: n})
		}
	}
	return best
}

// greedy puts sets together, beginning with each of them, and taking each time that which answers most of what is left.
func (s *finerSearch) greedy(sets []columnSet, wanted map[columnSet]int) columnSet {
	var best finerRelease
	for _, seed := range sets[:min(len(sets), 16)] {
		r := s.evaluate(seed, sets, wanted)
		for {
			var next finerRelease
			for _, set := range sets {
				if set&^r.columns != 0 && s.cells(r.columns|set) <= s.limit {
					next = next.orBetter(s.evaluate(r.columns|set, sets, wanted))
				}
			}
			if next.answers == 0 {
				break
			}
			r = next
		}
		best = best.orBetter(r)
	}
	return best.columns
}

// answered are the counts that follow from the best release, and how many of its cells each of them adds up at most: all combinations of
// the values of columns that are no keys of the count, as far as its conditions let them pass.
func (s *finerSearch) answered(within func(count, column int) int) (counts []int, added []int) {
	for i := range s.counts {
		columns, ok := s.needs(&s.counts[i], s.best.base)
		if !ok || columns&^s.best.columns != 0 || !containsAll(s.counts[i].conditions, s.best.base) {
			continue
		}
		counts = append(counts, i)
		sum := 1
		for rest := s.best.columns; rest != 0; rest &= rest - 1 {
			sum *= within(i, bits.TrailingZeros64(uint64(rest)))
		}
		added = append(added, sum)
	}
	return counts, added
}

func containsAll(sorted, others []int) bool {
	return !slices.ContainsFunc(others, func(n int) bool { return !has(sorted, n) })
}

// median is the middle one, the lower of two.
func median(numbers []int) int {
	sorted := slices.Clone(numbers)
	sort.Ints(sorted)
	return sorted[(len(sorted)-1)/2]
}
