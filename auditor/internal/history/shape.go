package history

import (
	"slices"

	"tacit/auditor/posterior"
)

// A Shape is how a question relates to what was released.
type Shape struct {
	Units []int32              // whom it is about, rising
	Sets  []posterior.ValueSet // what is counted of them: disjoint sets of values
	// Value is, of each set, what is known of it already. The rest of the answer is about the open pieces alone.
	Value []int
	Open  []Piece
}

// Shape finds what is known of a question, and what is open.
func (h *History) Shape(units []int32, sets []posterior.ValueSet) Shape {
	sh := Shape{Units: units, Sets: sets, Value: make([]int, len(sets))}
	h.Fill(&sh)
	return sh
}

// Fill finds the same for a shape whose values are 0, and which may bring the memory for its pieces.
func (h *History) Fill(sh *Shape) {
	if p, ok := h.onePiece(sh.Units); ok && (p.People == 0 || p.Block.Part == nil) {
		if p.People > 0 && !sh.known(&p, h.all()) {
			sh.Open = append(sh.Open, p)
		}
		return
	}
	var linked []Piece
	for _, p := range h.piecesOf(sh.Units) {
		switch {
		case p.Block.Part != nil:
			linked = append(linked, p)
		case !sh.known(&p, h.all()):
			sh.Open = append(sh.Open, p)
		}
	}
	for _, mine := range byPart(linked) {
		if !sh.follows(mine[0].Block.Part, mine) {
			sh.Open = append(sh.Open, mine...)
		}
	}
}

// piecesOf are the blocks that some units are in, in the order of their first units. Nobody is in pieces of no people.
func (h *History) piecesOf(units []int32) []Piece {
	h.stamp++
	pieces := h.pieces[:0]
	for _, u := range units {
		b := h.blocks[u]
		if b.stamp != h.stamp {
			b.stamp, b.at = h.stamp, len(pieces)
			pieces = append(pieces, Piece{Block: b})
		}
		p := &pieces[b.at]
		p.Units = append(p.Units, u)
		p.People += h.people[u]
	}
	h.pieces = pieces
	return slices.DeleteFunc(slices.Clone(pieces), func(p Piece) bool { return p.People == 0 })
}

// onePiece is the case of units of one block: the piece of it, of no people if there are none.
func (h *History) onePiece(units []int32) (Piece, bool) {
	if len(units) == 0 {
		return Piece{}, true
	}
	p := Piece{Block: h.blocks[units[0]], Units: units}
	for _, u := range units {
		if h.blocks[u] != p.Block {
			return Piece{}, false
		}
		p.People += h.people[u]
	}
	return p, true
}

// byPart groups pieces by their parts, in the order of first pieces.
func byPart(pieces []Piece) [][]Piece {
	if len(pieces) == 0 {
		return nil
	}
	place := make(map[*Part]int)
	var groups [][]Piece
	for _, p := range pieces {
		i, ok := place[p.Block.Part]
		if !ok {
			i = len(groups)
			place[p.Block.Part] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// known adds a piece of a block that is in no linked sums to the value, if that is known.
func (sh *Shape) known(p *Piece, all posterior.ValueSet) bool {
	if p.Block.Known.Sets == nil {
		return false
	}
	if len(sh.Value) == 1 && !p.Whole() {
		// The usual piece of a grouping is open without anything to add up.
		if _, uniform := p.Block.uniform(sh.Sets[0], all); !uniform {
			return false
		}
	}
	return sh.add(func(set posterior.ValueSet) (int, bool) {
		everybody, uniform := p.Block.uniform(set, all)
		sum, ok := p.Block.classSum(set, all)
		switch {
		case uniform && everybody:
			return p.People, true
		case uniform:
			return 0, true
		}
		return sum, ok && p.Whole()
	})
}

// follows adds whole blocks of linked sums to the value, if that follows from the sums.
func (sh *Shape) follows(p *Part, pieces []Piece) bool {
	blocks := make([]*Block, len(pieces))
	for i := range pieces {
		if !pieces[i].Whole() {
			return false
		}
		blocks[i] = pieces[i].Block
	}
	return sh.add(func(set posterior.ValueSet) (int, bool) { return p.follows(blocks, set) })
}

// add adds to the value if something is known of every set.
func (sh *Shape) add(known func(posterior.ValueSet) (int, bool)) bool {
	add := make([]int, len(sh.Value))
	for j, set := range sh.Sets {
		n, ok := known(set)
		if !ok {
			return false
		}
		add[j] = n
	}
	for j, n := range add {
		sh.Value[j] += n
	}
	return true
}

// A Kind of shape says which engine can decide a question.
type Kind int

const (
	Free   Kind = iota // nothing is open
	Fresh              // only people in no released sum are open
	Cut                // a piece of one block of known classes is open, and the question is about these classes
	Linked             // anything else
)

// Kind is that of a shape.
func (h *History) Kind(sh *Shape) Kind {
	switch {
	case len(sh.Open) == 0:
		return Free
	case len(sh.Open) > 1 || sh.Open[0].Block.Part != nil:
		return Linked
	case sh.Open[0].Block.Known.Sets == nil:
		return Fresh
	case !sh.Open[0].Whole() && sameClasses(sh.Open[0].Block.Known.Sets, sh.Sets, h.all()):
		return Cut
	}
	return Linked
}

// sameClasses reports whether two lists of disjoint sets, each with the remaining values as one more, are the same partition.
func sameClasses(a, b []posterior.ValueSet, all posterior.ValueSet) bool {
	return slices.Equal(a, b) || slices.Equal(cover(a, all), cover(b, all))
}

// cover is the partition of all values, sorted.
func cover(sets []posterior.ValueSet, all posterior.ValueSet) []posterior.ValueSet {
	rest := all
	covered := slices.Clone(sets)
	for _, set := range sets {
		rest &^= set
	}
	if rest != 0 {
		covered = append(covered, rest)
	}
	slices.Sort(covered)
	return covered
}

// People is how many people the open pieces have.
func (sh *Shape) People() int {
	n := 0
	for i := range sh.Open {
		n += sh.Open[i].People
	}
	return n
}

// Marks are those of all blocks with open pieces.
func (sh *Shape) Marks() Marks {
	marks := Marks(0)
	for i := range sh.Open {
		marks |= sh.Open[i].Block.Marks
	}
	return marks
}
