package auditor

import "tacit/auditor/posterior"

// decompose takes a part apart: what is determined becomes blocks of known classes, and what the reduced equations do not link any more
// becomes parts of their own. The sums of a part are those of the whole restricted to its blocks. That each restriction follows from the
// released sums is what taking apart means: the equations are a direct sum.
//
// It returns false if the released sums contradict each other.
func (s *State) decompose(p *part) bool {
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
		ok = s.detach(p, blocks) && ok
	}
	return ok
}

// components are the blocks that rows of the reduced equations link, in the order of blocks.
func (p *part) components() [][]*block {
	index := make(map[int32]int, len(p.blocks))
	leader := make([]int, len(p.blocks))
	for i, b := range p.blocks {
		index[b.name], leader[i] = i, i
	}
	find := func(i int) int {
		for leader[i] != i {
			leader[i] = leader[leader[i]]
			i = leader[i]
		}
		return i
	}
	for _, q := range p.space.rows {
		first := find(index[int32(q.terms[0].column/(p.values-1))])
		for _, t := range q.terms[1:] {
			leader[find(index[int32(t.column/(p.values-1))])] = first
		}
	}
	place := make(map[int]int)
	var groups [][]*block
	for i, b := range p.blocks {
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
func (p *part) close(b *block) bool {
	alone := []*block{b}
	classes := []posterior.ValueSet{1<<p.values - 1}
	for i := range p.sums {
		if _, ok := p.follows(alone, p.sums[i].set); ok {
			classes = refine(classes, p.sums[i].set)
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
	b.known, b.part = known, nil
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

// detach makes a part of some blocks of another.
func (s *State) detach(p *part, blocks []*block) bool {
	d := &part{space: newEchelon(), values: p.values, blocks: blocks}
	inside := make(map[*block]bool, len(blocks))
	for _, b := range blocks {
		b.part, inside[b] = d, true
	}
	ok := true
	release := func(blocks []*block, set posterior.ValueSet) {
		value, follows := p.follows(blocks, set)
		ok = ok && follows && d.add(linkedSum{blocks, set, value})
	}
	for i := range p.sums {
		var rest []*block
		for _, b := range p.sums[i].blocks {
			if inside[b] {
				rest = append(rest, b)
			}
		}
		if len(rest) > 0 {
			release(rest, p.sums[i].set)
		}
	}
	for _, b := range blocks {
		for v := 1; v < p.values; v++ {
			if i, found := p.space.first[p.column(b, v)]; found && len(p.space.rows[i].terms) == 1 {
				release([]*block{b}, 1<<v)
			}
		}
	}
	return ok
}
