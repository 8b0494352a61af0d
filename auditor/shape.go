package auditor

import (
	"slices"

	"tacit/auditor/posterior"
)

// A shape is how a question stands to what was released.
type shape struct {
	query *Query
	// value is, of each set, what is known of it already. The rest of the answer is about the open pieces alone.
	value []int
	open  []piece
}

// A piece is the people of a block that a question is about.
type piece struct {
	block  *block
	units  []int32 // rising
	people int
}

func (p *piece) whole() bool { return p.people == p.block.people }

// scratch is memory that questions share.
type scratch struct {
	stamp  int
	units  []int   // by unit: the stamp of the question that claimed it
	people []int   // by type
	types  []int   // with people
	pieces []piece // of the question under way

	candidates []candidate
	ranked     []ranked
	atoms      posterior.Group
	groups     []posterior.Group
}

// pieces are the blocks that some units are in, in the order of their first units. Nobody is in pieces of no people.
func (s *State) pieces(units []int32) []piece {
	s.scratch.stamp++
	stamp := s.scratch.stamp
	pieces := s.scratch.pieces[:0]
	for _, u := range units {
		b := s.units[u].block
		if b.mark != stamp {
			b.mark, b.at = stamp, len(pieces)
			pieces = append(pieces, piece{block: b})
		}
		p := &pieces[b.at]
		p.units = append(p.units, u)
		p.people += s.units[u].People
	}
	s.scratch.pieces = pieces
	return slices.DeleteFunc(slices.Clone(pieces), func(p piece) bool { return p.people == 0 })
}

// onePiece is the case of units of one block: the piece of it, of no people if there are none.
func (s *State) onePiece(units []int32) (piece, bool) {
	if len(units) == 0 {
		return piece{}, true
	}
	p := piece{block: s.units[units[0]].block, units: units}
	for _, u := range units {
		if s.units[u].block != p.block {
			return piece{}, false
		}
		p.people += s.units[u].People
	}
	return p, true
}

// shape finds what is known of a question, and what is open.
func (s *State) shape(q *Query) shape {
	sh := shape{query: q, value: make([]int, len(q.Values))}
	s.fill(&sh)
	return sh
}

// fill finds the same for a shape whose values are 0, and which may bring the memory for its pieces.
func (s *State) fill(sh *shape) {
	if p, ok := s.onePiece(sh.query.Units); ok && (p.people == 0 || p.block.part == nil) {
		if p.people > 0 && !sh.known(&p, s.all()) {
			sh.open = append(sh.open, p)
		}
		return
	}
	var linked []piece
	for _, p := range s.pieces(sh.query.Units) {
		switch {
		case p.block.part != nil:
			linked = append(linked, p)
		case !sh.known(&p, s.all()):
			sh.open = append(sh.open, p)
		}
	}
	for _, mine := range byPart(linked) {
		if !sh.follows(mine[0].block.part, mine) {
			sh.open = append(sh.open, mine...)
		}
	}
}

// byPart groups pieces by their parts, in the order of first pieces.
func byPart(pieces []piece) [][]piece {
	if len(pieces) == 0 {
		return nil
	}
	place := make(map[*part]int)
	var groups [][]piece
	for _, p := range pieces {
		i, ok := place[p.block.part]
		if !ok {
			i = len(groups)
			place[p.block.part] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], p)
	}
	return groups
}

// known adds a piece of a block that is in no linked sums to the value, if that is known.
func (sh *shape) known(p *piece, all posterior.ValueSet) bool {
	if p.block.known.Sets == nil {
		return false
	}
	if len(sh.value) == 1 && !p.whole() {
		// The usual piece of a grouping is open without anything to add up.
		if _, settled := p.block.settled(sh.query.Values[0], all); !settled {
			return false
		}
	}
	add := make([]int, len(sh.value))
	for j, set := range sh.query.Values {
		everybody, settled := p.block.settled(set, all)
		sum, ok := p.block.classSum(set, all)
		switch {
		case settled && everybody:
			add[j] = p.people
		case settled:
		case ok && p.whole():
			add[j] = sum
		default:
			return false
		}
	}
	for j, n := range add {
		sh.value[j] += n
	}
	return true
}

// follows adds whole blocks of linked sums to the value, if that follows from the sums.
func (sh *shape) follows(p *part, pieces []piece) bool {
	blocks := make([]*block, len(pieces))
	for i := range pieces {
		if !pieces[i].whole() {
			return false
		}
		blocks[i] = pieces[i].block
	}
	add := make([]int, len(sh.value))
	for j, set := range sh.query.Values {
		sum, ok := p.follows(blocks, set)
		if !ok {
			return false
		}
		add[j] = sum
	}
	for j, n := range add {
		sh.value[j] += n
	}
	return true
}

// A kind of shape says which engine can decide a question.
type kind int

const (
	free     kind = iota // nothing is open
	fresh                // only people in no released sum are open
	cut                  // a piece of one block of known classes is open, and the question is about these classes
	entwined             // anything else
)

func (sh *shape) kind(all posterior.ValueSet) kind {
	switch {
	case len(sh.open) == 0:
		return free
	case len(sh.open) > 1 || sh.open[0].block.part != nil:
		return entwined
	case sh.open[0].block.known.Sets == nil:
		return fresh
	case !sh.open[0].whole() && sameClasses(sh.open[0].block.known.Sets, sh.query.Values, all):
		return cut
	}
	return entwined
}

// sameClasses says whether two lists of disjoint sets, each with the remaining values as one more, are the same partition.
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

// people is how many people the open pieces have.
func (sh *shape) people() int {
	n := 0
	for i := range sh.open {
		n += sh.open[i].people
	}
	return n
}

// tainted says whether somebody linked to the open pieces is exposed already.
func (sh *shape) tainted() bool {
	return slices.ContainsFunc(sh.open, func(p piece) bool { return p.block.tainted })
}
