package auditor

import (
	"errors"
	"slices"

	"tacit/auditor/posterior"
)

// ErrContradiction is returned when an answer cannot be one together with those released before: the table was changed within an epoch.
// The answer is not to be shown, and the state must be restored from the log.
var ErrContradiction = errors.New("auditor: an answer contradicts those released before")

// A family is the blocks that a question could have changed: what becomes tainted together.
type families map[*block][]*block

// release adds the answer to a query to what is known.
func (s *State) release(q *Query, values []int64, f families) error {
	sh := s.shape(q)
	rest := make([]int, len(values))
	total := 0
	for j, v := range values {
		rest[j] = int(v) - sh.value[j]
		if total += rest[j]; rest[j] < 0 {
			return ErrContradiction
		}
	}
	if total > sh.people() {
		return ErrContradiction
	}
	lapsed := s.lapses(&sh)
	switch sh.kind(s.all()) {
	case free:
		return nil // people and all that is open are 0
	case fresh:
		s.observe(&sh, rest)
		b := s.split(s.root, sh.open[0].units)
		b.lapsed = lapsed
		b.known = posterior.Classes{Sets: q.Values, Sums: rest}
		f[b] = append(f[b], b)
	case cut:
		s.observe(&sh, rest)
		return s.releaseCut(&sh, rest, f)
	default:
		return s.releaseLinked(&sh, rest, f)
	}
	return nil
}

// releaseCut divides the sums of a block between a piece of it and the rest.
func (s *State) releaseCut(sh *shape, sums []int, f families) error {
	p := &sh.open[0]
	inside, outside := divide(p.block.known, sh, sums)
	lapsed := s.lapses(sh)
	c := s.split(p.block, p.units)
	c.known, p.block.known = inside, outside
	c.lapsed, p.block.lapsed = c.lapsed|lapsed, p.block.lapsed|lapsed
	f[p.block] = append(f[p.block], c, p.block)
	if !possible(&c.known, c.people) || !possible(&p.block.known, p.block.people) {
		return ErrContradiction
	}
	return nil
}

// divide takes the sums of a piece off those of a block. The question has the classes of the block, but for one that follows from the others.
func divide(known posterior.Classes, sh *shape, sums []int) (inside, outside posterior.Classes) {
	left := sh.people()
	for _, n := range sums {
		left -= n
	}
	inside.Sets, outside.Sets = known.Sets, known.Sets
	for i, class := range known.Sets {
		n := left
		if j := slices.Index(sh.query.Values, class); j >= 0 {
			n = sums[j]
		}
		inside.Sums, outside.Sums = append(inside.Sums, n), append(outside.Sums, known.Sums[i]-n)
	}
	return inside, outside
}

// possible says whether so many people can have the sums.
func possible(known *posterior.Classes, people int) bool {
	for _, n := range known.Sums {
		people -= n
		if n < 0 {
			return false
		}
	}
	return people >= 0
}

// releaseLinked adds a sum that links blocks, and takes apart what it determines.
func (s *State) releaseLinked(sh *shape, sums []int, f families) error {
	lapsed := s.lapses(sh)
	asked, all := s.gather(sh)
	taint := false
	for _, b := range all.blocks {
		lapsed, taint = lapsed|b.lapsed, taint || b.tainted
	}
	for _, b := range all.blocks {
		b.lapsed, b.tainted = lapsed, taint
	}
	family := slices.Clone(all.blocks)
	f[family[0]] = append(f[family[0]], family...)
	for j, set := range sh.query.Values {
		if !all.add(linkedSum{asked, set, sums[j]}) {
			return ErrContradiction
		}
	}
	if !s.decompose(all) {
		return ErrContradiction
	}
	return nil
}

// gather makes one part of all that a question touches, and returns the blocks that the question is about.
func (s *State) gather(sh *shape) (asked []*block, all *part) {
	var others []*block
	var parts []*part
	for i := range sh.open {
		p := &sh.open[i]
		b, own := p.block, p.block
		switch {
		case b == s.root:
			own = s.split(b, p.units)
		case !p.whole() && b.part == nil:
			own = s.split(b, p.units)
			s.joinKnown(b, own)
		case !p.whole():
			own = s.split(b, p.units)
		}
		asked = append(asked, own)
		switch {
		case own.part == nil:
			others = append(others, own)
		case !slices.Contains(parts, own.part):
			parts = append(parts, own.part)
		}
	}
	return asked, s.join(parts, others)
}

// joinKnown makes a part of a block of known classes and a piece that was just split off it: what is known of the whole is a sum over both.
func (s *State) joinKnown(b, c *block) {
	p := &part{space: newEchelon(), values: s.Config.Values, blocks: []*block{b, c}}
	for i, set := range b.known.Sets {
		p.add(linkedSum{[]*block{b, c}, set, b.known.Sums[i]})
	}
	b.known, c.known = posterior.Classes{}, posterior.Classes{}
	b.part, c.part = p, p
}
