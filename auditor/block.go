package auditor

import "tacit/auditor/posterior"

// A block is people in exactly the same released sums, of any types. It is split when the answer to a question about some of its units
// is released, and only then: suppressed questions leave no trace, so blocks are as coarse as the released sums allow.
//
// A block stands in one of three ways: the root is in no sum; a block that only sums of its own speak of has known classes, and is
// independent of all others given these; and any other is part of linked sums.
type block struct {
	name   int32 // rising in order of creation
	units  []int32
	stale  bool // some of units have moved to other blocks
	people int
	known  posterior.Classes
	part   *part
	// mark and at are where the block stands in the question under way.
	mark, at int
	// tainted: a posterior in the linked sums of the block left its limits. Nothing new is released of them.
	tainted bool
	// lapsed are the certificates that do not hold any more in the linked sums of the block.
	lapsed certificates
}

func (s *State) newBlock() *block {
	s.named++
	return &block{name: s.named - 1}
}

// classSum is the number of people of a known block who have one of the values, if its classes say.
func (b *block) classSum(set, all posterior.ValueSet) (int, bool) {
	sum, rest, covered := 0, b.people, posterior.ValueSet(0)
	ok := true
	add := func(class posterior.ValueSet, n int) {
		switch {
		case n == 0 || class&set == 0:
		case class&^set == 0:
			sum += n
		default:
			ok = false
		}
	}
	for i, class := range b.known.Sets {
		covered |= class
		rest -= b.known.Sums[i]
		add(class, b.known.Sums[i])
	}
	add(all&^covered, rest)
	return sum, ok
}

// split moves units of a block into a new one, and returns that. All sums that hold the one hold the other.
func (s *State) split(b *block, inside []int32) *block {
	c := s.newBlock()
	c.units, c.tainted, c.lapsed = inside, b.tainted, b.lapsed
	for _, u := range inside {
		s.units[u].block = c
		c.people += s.units[u].People
	}
	b.people -= c.people
	b.stale = true
	if b.part != nil {
		b.part.split(b, c)
	}
	return c
}

// members are the units of a block, rising. The root's are not kept.
func (s *State) members(b *block) []int32 {
	if !b.stale {
		return b.units
	}
	kept := b.units[:0:0]
	for _, u := range b.units {
		if s.units[u].block == b {
			kept = append(kept, u)
		}
	}
	b.units, b.stale = kept, false
	return kept
}

// settled says that all people of the block have the same class of values, so that every sum about them is known: how many of them have
// one of the values is 0, or everybody.
func (b *block) settled(set, all posterior.ValueSet) (everybody, ok bool) {
	if b.known.Sets == nil {
		return false, b.people == 0
	}
	rest, covered := b.people, posterior.ValueSet(0)
	inside, outside := true, true // all classes that somebody has, are
	judge := func(class posterior.ValueSet) {
		inside = inside && class&^set == 0
		outside = outside && class&set == 0
	}
	for i, class := range b.known.Sets {
		covered |= class
		rest -= b.known.Sums[i]
		if b.known.Sums[i] > 0 {
			judge(class)
		}
	}
	if rest > 0 {
		judge(all &^ covered)
	}
	return inside && b.people > 0, inside || outside
}
