package composition

import (
	"maps"
	"sync"

	"tacit/policy"
)

// A Composer computes what tallies have spent, and remembers it. The zero Composer is ready. It may be used by many goroutines.
type Composer struct {
	mu         sync.Mutex // protects the maps, not what is in them
	filters    map[Filter]*covers
	classes    map[classKey]policy.Epsilon
	transforms transforms
}

// maxFilters and maxClasses bound what is remembered; beyond that all is forgotten. A filter belongs to a table and an analyst, and changes
// with grants.
const (
	maxFilters = 10_000
	maxClasses = 100_000
)

// Spent is the smallest bound that the filter proves of a tally. Nothing is spent of an empty one. The amounts are rounded up, and
// the same on every call; on another kind of processor the last digit may differ.
//
// Delta is what is kept for composition, from the first release on, and the deltas of terms: so spent and left add up to the budget, and
// what is left of delta can be used for thresholds. Under basic it is the sum of all deltas.
func (c *Composer) Spent(f Filter, t Tally) Spent { return c.spent(f, t) }

// Covers says whether Spent is within the filter's Epsilon and Delta.
//
// It remembers tallies that are covered, for whatever is less is covered, too, and looks ahead for tallies that are larger. So nearly all
// calls of a growing tally compare some integers.
func (c *Composer) Covers(f Filter, t Tally) bool {
	known := c.covers(f)
	known.mu.Lock()
	defer known.mu.Unlock()
	switch {
	case known.covered.above(t):
		return true
	case known.refused.below(t):
		return false
	case !f.within(c.spent(f, t)):
		known.refused.add(t)
		return false
	}
	known.covered.add(c.lookAhead(f, t))
	return true
}

func (c *Composer) covers(f Filter) *covers {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.filters[f]
	if known != nil {
		return known
	}
	if c.filters == nil || len(c.filters) >= maxFilters {
		c.filters = make(map[Filter]*covers)
	}
	known = new(covers)
	c.filters[f] = known
	return known
}

// lookAhead returns a tally of at least t that is covered, as t is: of all counts twice, or as much more as half of what can be added to
// all of them.
func (c *Composer) lookAhead(f Filter, t Tally) Tally {
	for share := int64(1); share <= 1<<20; share *= 4 {
		more := make(Tally, len(t))
		grown := false
		for term, n := range t {
			more[term] = addSaturating(n, n/share)
			grown = grown || n/share > 0
		}
		if !grown {
			break
		}
		if f.within(c.spent(f, more)) {
			return more
		}
	}
	return maps.Clone(t)
}

// covers are tallies that are covered, and some that are not.
type covers struct {
	mu      sync.Mutex // protects all of it
	covered recent
	refused recent
}

// recent holds the tallies that were added last.
type recent []Tally

// maxRecent is more than there are mixtures of terms at one time.
const maxRecent = 8

func (r *recent) add(t Tally) {
	if len(*r) == maxRecent {
		*r = (*r)[1:]
	}
	*r = append(*r, maps.Clone(t))
}

// above says whether one of them has at least the counts of t.
func (r recent) above(t Tally) bool {
	for i := len(r) - 1; i >= 0; i-- {
		if includes(r[i], t) {
			return true
		}
	}
	return false
}

// below says whether t has at least the counts of one of them.
func (r recent) below(t Tally) bool {
	for i := len(r) - 1; i >= 0; i-- {
		if includes(t, r[i]) {
			return true
		}
	}
	return false
}

// includes says whether larger has at least the counts of t.
func includes(larger, t Tally) bool {
	for term, n := range t {
		if n > larger[term] {
			return false
		}
	}
	return true
}
