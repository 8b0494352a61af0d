package auditor

import (
	"cmp"
	"math"
	"slices"

	"tacit/auditor/internal/history"
)

// A candidate is a query that cuts one block, with its risk given what was released before the round.
type candidate struct {
	query int
	risk  float64
	err   error
	plan  *cutPlan // of a piece of a block
	piece int      // its index in the plan
}

// cutPlan is the queries that cut pieces of one block of known sums.
type cutPlan struct {
	block   *history.Block
	queries []int    // of the pieces, in order
	joint   cutBlock // nil of a single piece, whose risk includes that of the rest
	chosen  []int    // indexes of pieces that are released, lowest risk first
}

// byRisk is the order in which candidates are considered, as indexes: lowest risk first, and of equal risk in the order of the statement.
//
// A grouping has thousands of them, which a radix sort takes a fifth of the time of a comparing one for. The bits of floats that are
// not negative are in the order of the floats. The memory is for the next time.
func byRisk(candidates []candidate, memory *[]ranked) []int32 {
	*memory = slices.Grow((*memory)[:0], 2*len(candidates))[:2*len(candidates)]
	from, to := (*memory)[:len(candidates)], (*memory)[len(candidates):]
	for i := range candidates {
		from[i] = ranked{math.Float64bits(candidates[i].risk), int32(i)}
	}
	byQuery := func(a, b ranked) int { return cmp.Compare(candidates[a.index].query, candidates[b.index].query) }
	if !slices.IsSortedFunc(from, byQuery) {
		slices.SortFunc(from, byQuery)
	}
	for shift := 0; shift < 64; shift += radixBits {
		if sortDigit(from, to, shift) {
			from, to = to, from
		}
	}
	order := make([]int32, len(from))
	for i := range from {
		order[i] = from[i].index
	}
	return order
}

// A ranked is a candidate with its risk as a sortable number.
type ranked struct {
	key   uint64
	index int32
}

const radixBits = 11

// sortDigit copies in the order of one digit, stably. It returns false, and does nothing, if all have the same.
func sortDigit(from, to []ranked, shift int) bool {
	const mask = 1<<radixBits - 1
	var place [1 << radixBits]int32
	for i := range from {
		place[from[i].key>>shift&mask]++
	}
	if len(from) == 0 || int(place[from[0].key>>shift&mask]) == len(from) {
		return false
	}
	next := int32(0)
	for d, n := range place {
		place[d] = next
		next += n
	}
	for i := range from {
		d := from[i].key >> shift & mask
		to[place[d]] = from[i]
		place[d]++
	}
	return true
}
