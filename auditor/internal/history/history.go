package history

import "tacit/auditor/posterior"

// A History is the people of a table, by units whose people are in the same sums, and the sums that were released about them.
type History struct {
	values int // of the private attribute
	root   *Block
	people []int    // by unit
	blocks []*Block // by unit
	made   int      // blocks so far
	stamp  int
	pieces []Piece // memory of the question under way
}

// New has no people. The private attribute has so many values.
func New(values int) *History {
	h := &History{values: values}
	h.root = h.newBlock()
	return h
}

func (h *History) newBlock() *Block {
	h.made++
	return &Block{name: h.made - 1}
}

// all is the set of all values.
func (h *History) all() posterior.ValueSet { return 1<<h.values - 1 }

// Add adds a unit of people who are in no sum.
func (h *History) Add(people int) {
	h.people = append(h.people, people)
	h.blocks = append(h.blocks, h.root)
	h.root.People += people
}

// Divide moves people of a unit to a new one, the last. Both stay in the same sums.
func (h *History) Divide(unit int32, people int) {
	b := h.blocks[unit]
	if b != h.root {
		b.units = append(h.Members(b), int32(len(h.blocks)))
	}
	h.people[unit] -= people
	h.people = append(h.people, people)
	h.blocks = append(h.blocks, b)
}

// Condition makes the people of some units, who are in no sum, a block of known classes.
func (h *History) Condition(units []int32, known posterior.Classes) *Block {
	b := h.split(h.root, units)
	b.Known = known
	return b
}

// Units is how many units there are.
func (h *History) Units() int { return len(h.people) }

// People is how many people a unit has.
func (h *History) People(unit int32) int { return h.people[unit] }

// Block is the block that a unit is in.
func (h *History) Block(unit int32) *Block { return h.blocks[unit] }

// Fresh reports whether the people of a block are in no sum.
func (h *History) Fresh(b *Block) bool { return b == h.root }

// Members are the units of a block, rising. The root's are not kept.
func (h *History) Members(b *Block) []int32 {
	if !b.stale {
		return b.units
	}
	kept := b.units[:0:0]
	for _, u := range b.units {
		if h.blocks[u] == b {
			kept = append(kept, u)
		}
	}
	b.units, b.stale = kept, false
	return kept
}

// Outside are the units of a piece's block that are not in the piece.
func (h *History) Outside(p *Piece) []int32 {
	var rest []int32
	i := 0
	for _, u := range h.Members(p.Block) {
		for i < len(p.Units) && p.Units[i] < u {
			i++
		}
		if i == len(p.Units) || p.Units[i] != u {
			rest = append(rest, u)
		}
	}
	return rest
}

// split moves units of a block into a new one, and returns that. All sums that hold the one hold the other.
func (h *History) split(b *Block, inside []int32) *Block {
	c := h.newBlock()
	c.units, c.Marks = inside, b.Marks
	for _, u := range inside {
		h.blocks[u] = c
		c.People += h.people[u]
	}
	b.People -= c.People
	b.stale = true
	if b.Part != nil {
		b.Part.split(b, c)
	}
	return c
}
