package history

import (
	"errors"
	"slices"

	"tacit/auditor/posterior"
)

// ErrContradiction is returned when an answer cannot be one together with those released before: the table was changed within an epoch.
// The answer is not to be shown, and the state must be restored from the log.
var ErrContradiction = errors.New("auditor: an answer contradicts those released before")

// Rest is what an answer says of the open pieces of a question.
func (sh *Shape) Rest(values []int64) ([]int, error) {
	rest := make([]int, len(values))
	total := 0
	for j, v := range values {
		rest[j] = int(v) - sh.Value[j]
		if total += rest[j]; rest[j] < 0 {
			return nil, ErrContradiction
		}
	}
	if total > sh.People() {
		return nil, ErrContradiction
	}
	return rest, nil
}

// Release adds what an answer says of the open pieces of a question, and returns the blocks that it tells something about, the one that
// the question split or linked first. They have the marks besides their own.
func (h *History) Release(sh *Shape, rest []int, marks Marks) ([]*Block, error) {
	switch h.Kind(sh) {
	case Free:
		return nil, nil // people and all that is open are 0
	case Fresh:
		b := h.Condition(sh.Open[0].Units, posterior.Classes{Sets: sh.Sets, Sums: rest})
		b.Marks = marks
		return []*Block{b}, nil
	case Cut:
		return h.releaseCut(sh, rest, marks)
	default:
		return h.releaseLinked(sh, rest, marks)
	}
}

// releaseCut divides the sums of a block between a piece of it and the rest.
func (h *History) releaseCut(sh *Shape, sums []int, marks Marks) ([]*Block, error) {
	p := &sh.Open[0]
	inside, outside := divide(p.Block.Known, sh, sums)
	c := h.split(p.Block, p.Units)
	c.Known, p.Block.Known = inside, outside
	c.Marks, p.Block.Marks = c.Marks|marks, p.Block.Marks|marks
	if !possible(&c.Known, c.People) || !possible(&p.Block.Known, p.Block.People) {
		return nil, ErrContradiction
	}
	return []*Block{p.Block, c}, nil
}

// divide takes the sums of a piece off those of a block. The question has the classes of the block, but for one that follows from the others.
func divide(known posterior.Classes, sh *Shape, sums []int) (inside, outside posterior.Classes) {
	left := sh.People()
	for _, n := range sums {
		left -= n
	}
	inside.Sets, outside.Sets = known.Sets, known.Sets
	for i, class := range known.Sets {
		n := left
		if j := slices.Index(sh.Sets, class); j >= 0 {
			n = sums[j]
		}
		inside.Sums, outside.Sums = append(inside.Sums, n), append(outside.Sums, known.Sums[i]-n)
	}
	return inside, outside
}

// possible reports whether so many people can have the sums.
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
func (h *History) releaseLinked(sh *Shape, sums []int, marks Marks) ([]*Block, error) {
	asked, all := h.gather(sh)
	for _, b := range all.Blocks {
		marks |= b.Marks
	}
	for _, b := range all.Blocks {
		b.Marks = marks
	}
	changed := slices.Clone(all.Blocks)
	for j, set := range sh.Sets {
		if !all.add(Sum{asked, set, sums[j]}) {
			return nil, ErrContradiction
		}
	}
	if !all.decompose() {
		return nil, ErrContradiction
	}
	return changed, nil
}

// gather makes one part of all that a question touches, and returns the blocks that the question is about.
func (h *History) gather(sh *Shape) (asked []*Block, all *Part) {
	var others []*Block
	var parts []*Part
	for i := range sh.Open {
		p := &sh.Open[i]
		b, own := p.Block, p.Block
		switch {
		case b == h.root:
			own = h.split(b, p.Units)
		case !p.Whole() && b.Part == nil:
			own = h.split(b, p.Units)
			// What is known of the whole is a sum over both.
			newPart(h.values, b, own).addClasses(b, b, own)
		case !p.Whole():
			own = h.split(b, p.Units)
		}
		asked = append(asked, own)
		switch {
		case own.Part == nil:
			others = append(others, own)
		case !slices.Contains(parts, own.Part):
			parts = append(parts, own.Part)
		}
	}
	return asked, join(h.values, parts, others)
}
