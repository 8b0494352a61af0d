package history

import (
	"slices"

	"tacit/auditor/modular"
	"tacit/auditor/posterior"
)

// newPart has no sums yet.
func newPart(values int, blocks ...*Block) *Part {
	p := &Part{equations: modular.NewEchelon(), values: values, Blocks: blocks}
	for _, b := range blocks {
		b.Part = p
	}
	return p
}

// column is the unknown number of people of a block who have a value other than 0; of value 0 it is the rest.
func (p *Part) column(b *Block, value int) int { return b.name*(p.values-1) + value - 1 }

// blockOf is the name of the block that a column is of.
func (p *Part) blockOf(column int) int { return column / (p.values - 1) }

// terms are the left side of the sum of some blocks, and a constant that goes to the left, too: a sum with value 0 in it is the number of
// people less the sum of the other values.
func (p *Part) terms(blocks []*Block, set posterior.ValueSet) (terms []modular.Term, constant int) {
	factor := uint64(1)
	counted := set
	if set.Has(0) {
		factor, counted = modular.Prime-1, ^set
	}
	for _, b := range blocks {
		if set.Has(0) {
			constant += b.People
		}
		for v := 1; v < p.values; v++ {
			if counted.Has(v) {
				terms = append(terms, modular.Term{Column: p.column(b, v), Factor: factor})
			}
		}
	}
	slices.SortFunc(terms, func(a, b modular.Term) int { return a.Column - b.Column })
	return terms, constant
}

// follows reports whether the sum of some blocks follows from those released, and its value. A value that no sum can have does not.
func (p *Part) follows(blocks []*Block, set posterior.ValueSet) (int, bool) {
	terms, constant := p.terms(blocks, set)
	value, ok := p.equations.Follows(terms)
	value += constant
	return value, ok && value >= 0 && value <= People(blocks)
}

// add releases a sum. It returns whether the others do not contradict it.
func (p *Part) add(s Sum) bool {
	terms, constant := p.terms(s.Blocks, s.Set)
	independent, agrees := p.equations.Insert(terms, s.Value-constant)
	if independent {
		p.Sums = append(p.Sums, s)
	}
	return agrees && s.Value >= 0 && s.Value <= People(s.Blocks)
}

// addClasses releases the known classes of a block as sums over some blocks of the part, of which it is one.
func (p *Part) addClasses(b *Block, blocks ...*Block) {
	for i, set := range b.Known.Sets {
		p.add(Sum{blocks, set, b.Known.Sums[i]})
	}
	b.Known = posterior.Classes{}
}

// split puts a block that was split off another into its sums.
func (p *Part) split(b, c *Block) {
	c.Part = p
	p.Blocks = append(p.Blocks, c)
	for i := range p.Sums {
		if slices.Contains(p.Sums[i].Blocks, b) {
			p.Sums[i].Blocks = append(p.Sums[i].Blocks, c)
		}
	}
	for v := 1; v < p.values; v++ {
		p.equations.Double(p.column(b, v), p.column(c, v))
	}
}

// join makes one part of several and of further blocks, which have known classes or no sums at all.
func join(values int, parts []*Part, others []*Block) *Part {
	p := newPart(values)
	for _, o := range parts {
		p.Blocks = append(p.Blocks, o.Blocks...)
		p.Sums = append(p.Sums, o.Sums...)
		p.equations.Append(o.equations)
	}
	p.Blocks = append(p.Blocks, others...)
	for _, b := range others {
		p.addClasses(b, b)
	}
	for _, b := range p.Blocks {
		b.Part = p
	}
	return p
}
