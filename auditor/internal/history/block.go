package history

import (
	"tacit/auditor/modular"
	"tacit/auditor/posterior"
)

// A Block is people in exactly the same released sums, of any types. It is split when the answer to a question about some of its units
// is released, and only then: suppressed questions leave no trace, so blocks are as coarse as the released sums allow.
//
// There are three kinds of blocks: the root is in no sum; a block that only sums of its own speak of has known classes, and is
// independent of all others given these; and any other is in a part of linked sums.
type Block struct {
	People int
	Known  posterior.Classes
	Part   *Part // nil unless linked sums hold the block
	// Marks are notes of the caller about the block and all that its sums link it with.
	Marks Marks

	name  int // rising in order of creation
	units []int32
	stale bool // some of units have moved to other blocks
	// stamp and at are where the block stands in the question under way.
	stamp, at int
}

// Marks go to each block that is split off a marked one. Where a release links blocks, each has the marks of all.
type Marks uint8

// A Part is blocks that released sums link: no sum that follows from them splits into sums of fewer blocks. Parts are independent of one
// another given the released sums, and so of all other blocks.
type Part struct {
	Blocks []*Block
	Sums   []Sum // independent

	equations *modular.Echelon
	values    int // of the private attribute
}

// A Sum is a released sum, less what is known of it otherwise.
type Sum struct {
	Blocks []*Block
	Set    posterior.ValueSet
	Value  int
}

// A Piece is the people of a block that a question is about.
type Piece struct {
	Block  *Block
	Units  []int32 // rising
	People int
}

// Whole reports whether the piece is all of its block.
func (p *Piece) Whole() bool { return p.People == p.Block.People }

// Compare orders blocks by their creation.
func Compare(a, b *Block) int { return a.name - b.name }

// People counts the people of blocks.
func People(blocks []*Block) int {
	n := 0
	for _, b := range blocks {
		n += b.People
	}
	return n
}

// classSum is the number of people of a block of known classes who have one of the values, if the classes say so.
func (b *Block) classSum(set, all posterior.ValueSet) (int, bool) {
	sum, ok := 0, true
	b.classes(all, func(class posterior.ValueSet, n int) {
		switch {
		case class&set == 0:
		case class&^set == 0:
			sum += n
		default:
			ok = false
		}
	})
	return sum, ok
}

// uniform reports whether all people of the block have the same class of values, so that every sum about them is known: how many of them
// have one of the values is 0, or everybody.
func (b *Block) uniform(set, all posterior.ValueSet) (everybody, ok bool) {
	if b.Known.Sets == nil {
		return false, b.People == 0
	}
	inside, outside := true, true // all classes that somebody has, are
	b.classes(all, func(class posterior.ValueSet, _ int) {
		inside = inside && class&^set == 0
		outside = outside && class&set == 0
	})
	return inside && b.People > 0, inside || outside
}

// classes visits the classes of a block that somebody has, the remaining values included.
func (b *Block) classes(all posterior.ValueSet, visit func(class posterior.ValueSet, n int)) {
	rest, covered := b.People, posterior.ValueSet(0)
	for i, class := range b.Known.Sets {
		covered |= class
		rest -= b.Known.Sums[i]
		if b.Known.Sums[i] > 0 {
			visit(class, b.Known.Sums[i])
		}
	}
	if rest > 0 {
		visit(all&^covered, rest)
	}
}
