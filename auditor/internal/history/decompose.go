package history

import "tacit/auditor/posterior"

// decompose takes a part apart: what is determined becomes blocks of known classes, and what the reduced equations do not link any more
// becomes parts of their own. The sums of a part are those of the whole restricted to its blocks. That each restriction follows from the
// released sums is what taking apart means: the equations are a direct sum.
//
// It returns false if the released sums contradict each other.
func (p *Part) decompose() bool {
	if !p.determine() {
		return false
	}
	groups := p.components()
	if len(groups) == 1 && len(groups[0]) > 1 {
		return true
	}
	ok := true
	for _, blocks := range groups {
		if len(blocks) == 1 && p.close(blocks[0]) {
			continue
		}
		ok = p.detach(blocks) && ok
	}
	return ok
}

// components are the blocks that rows of the reduced equations link, in the order of blocks.
func (p *Part) components() [][]*Block {
	index := make(map[int]int, len(p.Blocks))
	leader := make([]int, len(p.Blocks))
	for i, b := range p.Blocks {
		index[b.name], leader[i] = i, i
	}
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	for _, terms := range p.equations.Rows() {
		first := find(index[p.blockOf(terms[0].Column)])
		for _, t := range terms[1:] {
			leader[find(index[p.blockOf(t.Column)])] = first
		}
	}
	place := make(map[int]int)
	var groups [][]*Block
	for i, b := range p.Blocks {
		l := find(i)
		if _, ok := place[l]; !ok {
			place[l] = len(groups)
			groups = append(groups, nil)
		}
		groups[place[l]] = append(groups[place[l]], b)
	}
	return groups
}

// close makes a block that nothing links one of known classes, if what is known of it are the sums of disjoint sets of values.
func (p *Part) close(b *Block) bool {
	alone := []*Block{b}
	classes := []posterior.ValueSet{1<<p.values - 1}
	for i := range p.Sums {
		if _, ok := p.follows(alone, p.Sums[i].Set); ok {
			classes = refine(classes, p.Sums[i].Set)
		}
	}
	for v := 1; v < p.values; v++ {
		if _, ok := p.follows(alone, 1<<v); ok {
			classes = refine(classes, 1<<v)
		}
	}
	known := posterior.Classes{}
	for _, class := range classes {
		if p.values == 2 && class != posterior.True {
			continue
		}
		sum, ok := p.follows(alone, class)
		if !ok {
			return false
		}
		known.Sets, known.Sums = append(known.Sets, class), append(known.Sums, sum)
	}
	if len(classes) < 2 {
		return false
	}
	b.Known, b.Part = known, nil
	return true
}

// refine splits classes by a set.
func refine(classes []posterior.ValueSet, set posterior.ValueSet) []posterior.ValueSet {
	var refined []posterior.ValueSet
	for _, c := range classes {
		for _, piece := range [2]posterior.ValueSet{c & set, c &^ set} {
			if piece != 0 {
				refined = append(refined, piece)
			}
		}
	}
	return refined
}

// detach makes a part of some blocks of the part.
func (p *Part) detach(blocks []*Block) bool {
	d := newPart(p.values, blocks...)
	ok := true
	release := func(blocks []*Block, set posterior.ValueSet) {
		value, follows := p.follows(blocks, set)
		ok = ok && follows && d.add(Sum{blocks, set, value})
	}
	for i := range p.Sums {
		var rest []*Block
		for _, b := range p.Sums[i].Blocks {
			if b.Part == d {
				rest = append(rest, b)
			}
		}
		if len(rest) > 0 {
			release(rest, p.Sums[i].Set)
		}
	}
	for _, b := range blocks {
		for v := 1; v < p.values; v++ {
			if p.equations.Determined(p.column(b, v)) {
				release([]*Block{b}, 1<<v)
			}
		}
	}
	return ok
}
