package journal

import (
	"maps"
	"math"
	"slices"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// A Priced is what one answered question costs: its term, and its loss as it was stated.
type Priced struct {
	term composition.Term
	Loss accountant.Loss
}

// private says whether it counts against epsilon and delta: what has only releases without a guarantee does not.
func (p Priced) private() bool { return p.Loss.IsPrivate() }

// counts say how often something of each price was charged.
type counts map[Priced]int64

func (c counts) add(other counts) {
	for p, n := range other {
		c[p] += n
	}
}

// plus is the sum of both.
func (c counts) plus(other counts) counts {
	sum := maps.Clone(c)
	if sum == nil {
		sum = make(counts, len(other))
	}
	sum.add(other)
	return sum
}

// minus is c without the counts of a part of it.
func (c counts) minus(part counts) counts {
	rest := make(counts, len(c))
	for p, n := range c {
		if n -= part[p]; n > 0 {
			rest[p] = n
		}
	}
	return rest
}

// atLeast raises each count to that of other.
func (c counts) atLeast(other counts) {
	for p, n := range other {
		c[p] = max(c[p], n)
	}
}

// sum is the sum of the losses: basic composition.
func (c counts) sum() (total accountant.Loss) {
	for p, n := range c {
		total = total.Add(p.Loss.Times(n))
	}
	return total
}

// tally is what a rule composes. Advanced composition is of pure and approximate losses only, as they were stated.
func (c counts) tally(rule policy.Composition) composition.Tally {
	t := make(composition.Tally, len(c))
	for p, n := range c {
		if !p.private() || p == (Priced{}) {
			continue
		}
		term := p.term
		if rule == policy.AdvancedComposition {
			term = composition.Approximate(p.Loss.Epsilon, p.Loss.Delta)
		}
		t[term] += n
	}
	return t
}

// A tally is what was charged in some time: each charge once, and by blocks.
type tally struct {
	once counts
	// named are the charges among them that name blocks of a partition, each once.
	named map[string]counts
	// blocks are these charges in every block that they name.
	blocks map[string]map[string]counts
}

func newTally() *tally {
	return &tally{once: make(counts), named: make(map[string]counts), blocks: make(map[string]map[string]counts)}
}

// charge counts one charge, in the blocks of the partition; without any, in all.
func (t *tally) charge(p Priced, partition string, blocks []string) {
	t.once[p]++
	if len(blocks) == 0 || partition == "" {
		return
	}
	into(t.named, partition)[p]++
	inBlocks := t.blocks[partition]
	if inBlocks == nil {
		inBlocks = make(map[string]counts)
		t.blocks[partition] = inBlocks
	}
	for _, block := range blocks {
		into(inBlocks, block)[p]++
	}
}

func into(m map[string]counts, key string) counts {
	c := m[key]
	if c == nil {
		c = make(counts)
		m[key] = c
	}
	return c
}

// add counts all that other has.
func (t *tally) add(other *tally) {
	t.once.add(other.once)
	for partition, c := range other.named {
		into(t.named, partition).add(c)
	}
	for partition, blocks := range other.blocks {
		if t.blocks[partition] == nil {
			t.blocks[partition] = make(map[string]counts)
		}
		for block, c := range blocks {
			into(t.blocks[partition], block).add(c)
		}
	}
}

// everywhere are the charges that count in all blocks of a partition: those that name none of it, were made under no partition, or under
// another one, whose blocks lie across these.
func (t *tally) everywhere(partition string) counts {
	if partition == "" {
		return t.once
	}
	return t.once.minus(t.named[partition])
}

// block are the charges that count in one block of a partition.
func (t *tally) block(partition, block string) counts {
	return t.everywhere(partition).plus(t.blocks[partition][block])
}

// A day is a day of Coordinated Universal Time, numbered from 1970-01-01.
const nanosecondsPerDay = 24 * 60 * 60 * 1_000_000_000

func DayOf(at int64) int64 {
	day := at / nanosecondsPerDay
	if at%nanosecondsPerDay < 0 {
		day--
	}
	return day
}

// A scope is what was charged in an epoch, by all analysts of a table or by one of them.
type scope struct {
	Days map[int64]*tally
	Risk policy.Risk
	// recent is the sum of the days from since on; nil if it is not known. It makes most charges cheap.
	recent *tally
	since  int64
}

func newScope() *scope { return &scope{Days: make(map[int64]*tally)} }

// charge counts one charge of a day.
func (s *scope) charge(day int64, p Priced, partition string, blocks []string) {
	if s.Days[day] == nil {
		s.Days[day] = newTally()
	}
	s.Days[day].charge(p, partition, blocks)
	if s.recent != nil && day >= s.since {
		s.recent.charge(p, partition, blocks)
	}
}

// addRisk counts a risk.
func (s *scope) addRisk(r policy.Risk) {
	s.Risk = accountant.Loss{Risk: s.Risk}.Add(accountant.Loss{Risk: r}).Risk
}

// From is the sum of the days from one on. It must not be changed.
func (s *scope) From(since int64) *tally {
	if s.recent == nil || s.since != since {
		s.recent, s.since = s.sumFrom(since), since
	}
	return s.recent
}

func (s *scope) sumFrom(since int64) *tally {
	sum := newTally()
	for day, t := range s.Days {
		if day >= since {
			sum.add(t)
		}
	}
	return sum
}

// always is a day before all others.
const always = math.MinInt64

// Since is the first day of which charges count at a time. A charge counts from the day in which it was made, and its answer may come a day
// later; a day leaves the window as a whole, when its last moment does. So a loss counts for the whole of the window, and up to two days
// longer.
//
// At is what the clock says, not the time of the last entry: where the clock was ahead once, entries stay dated then, and whatever the
// clock says now, what was charged before and after counts, for too long rather than too short.
func Since(a accountant.Accounting, at int64) int64 {
	if a.Window == 0 {
		return always
	}
	return DayOf(at) - int64(a.Window)/nanosecondsPerDay - 1
}

// SortedKeys are the keys of a map in order.
func SortedKeys[K interface{ ~string | ~int64 }, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
