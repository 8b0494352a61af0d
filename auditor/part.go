package auditor

import (
	"slices"

	"tacit/auditor/modular"
	"tacit/auditor/posterior"
)

// A part is blocks that released sums link: no sum that follows from them splits into sums of fewer blocks. Parts are independent of one
// another given the released sums, and so of all other blocks.
type part struct {
	blocks []*block
	sums   []linkedSum
	space  *echelon
	values int // of the private attribute
}

// A linkedSum is a released sum, less what is known of it otherwise.
type linkedSum struct {
	blocks []*block
	set    posterior.ValueSet
	value  int
}

// column is the unknown number of people of a block who have a value other than 0; of value 0 it is the rest.
func (p *part) column(b *block, value int) int { return int(b.name)*(p.values-1) + value - 1 }

// terms are the left side of the sum of some blocks, and a constant that goes to the left, too: a sum with value 0 in it is the number of
// people less the sum of the other values.
func (p *part) terms(blocks []*block, set posterior.ValueSet) (terms []term, constant int) {
	factor := uint64(1)
	counted := set
	if set.Has(0) {
		factor, counted = modular.Prime-1, ^set
	}
	for _, b := range blocks {
		if set.Has(0) {
			constant += b.people
		}
		for v := 1; v < p.values; v++ {
			if counted.Has(v) {
				terms = append(terms, term{p.column(b, v), factor})
			}
		}
	}
	slices.SortFunc(terms, func(a, b term) int { return a.column - b.column })
	return terms, constant
}

// follows says whether the sum of some blocks follows from those released, and its value. A value that no sum can have does not.
func (p *part) follows(blocks []*block, set posterior.ValueSet) (int, bool) {
	terms, constant := p.terms(blocks, set)
	value, ok := p.space.follows(terms)
	value += constant
	return value, ok && value >= 0 && value <= peopleOf(blocks)
}

// add releases a sum. It returns whether the others do not contradict it.
func (p *part) add(s linkedSum) bool {
	terms, constant := p.terms(s.blocks, s.set)
	independent, agrees := p.space.insert(terms, s.value-constant)
	if independent {
		p.sums = append(p.sums, s)
	}
	return agrees && s.value >= 0 && s.value <= peopleOf(s.blocks)
}

// split puts a block that was split off another into its sums.
func (p *part) split(b, c *block) {
	c.part = p
	p.blocks = append(p.blocks, c)
	for i := range p.sums {
		if slices.Contains(p.sums[i].blocks, b) {
			p.sums[i].blocks = append(p.sums[i].blocks, c)
		}
	}
	for v := 1; v < p.values; v++ {
		p.space.double(p.column(b, v), p.column(c, v))
	}
}

func peopleOf(blocks []*block) int {
	n := 0
	for _, b := range blocks {
		n += b.people
	}
	return n
}

// join makes one part of several and of further blocks, which have known classes or no sums at all.
func (s *State) join(parts []*part, others []*block) *part {
	p := &part{space: newEchelon(), values: s.Config.Values}
	for _, o := range parts {
		p.blocks = append(p.blocks, o.blocks...)
		p.sums = append(p.sums, o.sums...)
		for _, q := range o.space.rows {
			p.space.first[q.terms[0].column] = len(p.space.rows)
			p.space.rows = append(p.space.rows, q)
		}
	}
	p.blocks = append(p.blocks, others...)
	for _, b := range others {
		for i, set := range b.known.Sets {
			p.add(linkedSum{[]*block{b}, set, b.known.Sums[i]})
		}
		b.known = posterior.Classes{}
	}
	for _, b := range p.blocks {
		b.part = p
	}
	return p
}
