package auditor

import (
	"errors"
	"slices"

	"tacit/auditor/posterior"
)

// The only file that calls the engines of package posterior. What they get is made of public facts and released sums.

// The names of exact engines of laminar sums, for logs and explanations.
const (
	engineFresh = "people in no sum"
	engineCut   = "split of a known sum"
)

// Errors of linked questions that no engine takes.
var (
	errInsiders = errors.New("insiders are allowed for, which is not done where released sums are linked")
	errNever    = errors.New("the interval of the prior is too wide for epsilon")
)

// group makes atoms of units, one for each type, in the order of types first met, and then one for each rate of types with a spread. The
// corner says which prior of an interval they have.
func (s *State) group(units []int32, c corner) posterior.Group { return s.appendGroup(nil, units, c) }

// appendGroup appends the atoms of units to others.
func (s *State) appendGroup(g posterior.Group, units []int32, c corner) posterior.Group {
	if len(units) == 1 {
		if u := &s.units[units[0]]; u.People > 0 {
			g = append(g, s.types[u.Type].atom(u.People, c.end(u.Type)))
		}
		return g
	}
	if s.scratch.people == nil {
		s.scratch.people = make([]int, len(s.types))
	}
	people, types := s.scratch.people, s.scratch.types[:0]
	var spread []int32
	for _, u := range units {
		unit := &s.units[u]
		if s.types[unit.Type].spread > 0 && unit.People > 0 {
			spread = append(spread, u)
			continue
		}
		if people[unit.Type] == 0 && unit.People > 0 {
			types = append(types, unit.Type)
		}
		people[unit.Type] += unit.People
	}
	g = slices.Grow(g, len(types))
	for _, t := range types {
		g = append(g, s.types[t].atom(people[t], c.end(t)))
		people[t] = 0
	}
	s.scratch.types = types
	return s.addRates(g, spread, c)
}

// addRates adds the people of each rate.
func (s *State) addRates(g posterior.Group, units []int32, c corner) posterior.Group {
	if len(units) == 0 {
		return g
	}
	place := make(map[int32]int, len(units))
	for _, u := range units {
		unit := &s.units[u]
		i, met := place[unit.rate]
		if !met {
			i = len(g)
			place[unit.rate] = i
			g = append(g, s.types[unit.Type].atom(0, c.end(unit.Type)))
		}
		g[i].People += unit.People
	}
	return g
}

// torn says whether people of the open pieces share a rate with some who left.
func (s *State) torn(sh *shape) bool {
	return slices.ContainsFunc(sh.open, func(p piece) bool {
		return p.block != s.root && slices.ContainsFunc(p.units, func(u int32) bool { return s.units[u].torn })
	})
}

func (e *ends) atom(people, end int) posterior.Atom {
	return posterior.Atom{People: people, Prior: e.priors[end], Spread: e.spread, Limits: e.limits}
}

func (s *State) freshRisk(units []int32, sets []posterior.ValueSet) (float64, error) {
	if s.never(units) {
		return 1, errNever
	}
	return s.worst(func(c corner) (float64, error) {
		g := s.appendGroup(s.scratch.atoms[:0], units, c)
		s.scratch.atoms = g[:0]
		return posterior.RootRiskInsiders(g, sets, s.Config.Insiders)
	}, units)
}

// cutRisk is that of one piece of a block, for it and for the rest.
func (s *State) cutRisk(inside, outside []int32, known posterior.Classes) (float64, error) {
	if s.never(inside) || s.never(outside) {
		return 1, errNever
	}
	return s.worst(func(c corner) (float64, error) {
		return posterior.SplitRiskInsiders(s.group(inside, c), s.group(outside, c), known, s.Config.Insiders)
	}, inside, outside)
}

// A cutBlock is the joint decision of pieces of a block, for each corner of intervals.
type cutBlock []*posterior.Block

func (s *State) cutBlock(pieces [][]int32, rest []int32, known posterior.Classes) (cutBlock, error) {
	if s.never(rest) || slices.ContainsFunc(pieces, s.never) {
		return nil, errNever
	}
	corners, err := s.corners(append(slices.Clip(pieces), rest)...)
	if err != nil {
		return nil, err
	}
	var joint cutBlock
	for _, c := range corners {
		split := posterior.Split{Rest: s.group(rest, c), Known: known, Insiders: s.Config.Insiders}
		atoms := slices.Grow(s.scratch.atoms[:0], len(pieces))
		split.Pieces = slices.Grow(s.scratch.groups[:0], len(pieces))
		for _, units := range pieces {
			first := len(atoms)
			atoms = s.appendGroup(atoms, units, c)
			split.Pieces = append(split.Pieces, atoms[first:len(atoms):len(atoms)])
		}
		s.scratch.atoms, s.scratch.groups = atoms[:0], split.Pieces[:0] // a Block keeps neither
		b, err := posterior.NewBlock(split)
		if err != nil {
			return nil, err
		}
		joint = append(joint, b)
	}
	return joint, nil
}

func (c cutBlock) pieceRisk(i int) float64 {
	most := 0.0
	for _, b := range c {
		most = max(most, b.PieceRisk(i))
	}
	return most
}

func (c cutBlock) restRisk(selected []int) float64 {
	most := 0.0
	for _, b := range c {
		r, err := b.RestRisk(selected)
		if err != nil {
			return 1
		}
		most = max(most, r)
	}
	return most
}

// certificate bounds the risk of everything about unions of blocks, for one block of people in no sum.
func (s *State) certificate(units []int32, sets []posterior.ValueSet) (float64, error) {
	if s.never(units) {
		return 1, errNever
	}
	return s.worst(func(c corner) (float64, error) {
		return posterior.CertificateInsiders(s.group(units, c), sets, s.Config.Insiders)
	}, units)
}

// An entanglement is a question about linked sums as a system of atoms.
type entanglement struct {
	posterior.System
	inside []int    // atoms that the question is about
	blocks []*block // of each atom
}

// entangle makes the system of the blocks that some pieces are linked to. Blocks are cut where a question cuts them.
func (s *State) entangle(pieces []piece, c corner) entanglement {
	var e entanglement
	atoms := make(map[*block][]int)
	add := func(b *block, units []int32, asked bool) {
		for _, a := range s.group(units, c) {
			if asked {
				e.inside = append(e.inside, len(e.Atoms))
			}
			atoms[b] = append(atoms[b], len(e.Atoms))
			e.Atoms = append(e.Atoms, a)
			e.blocks = append(e.blocks, b)
		}
	}
	parts := s.addPieces(pieces, add)
	for _, p := range parts {
		for _, b := range p.blocks {
			if len(atoms[b]) == 0 {
				add(b, s.members(b), false)
			}
		}
		for i := range p.sums {
			e.sum(p.sums[i].blocks, p.sums[i].set, p.sums[i].value, atoms)
		}
	}
	for i := range pieces {
		b := pieces[i].block
		for j, set := range b.known.Sets {
			e.sum([]*block{b}, set, b.known.Sums[j], atoms)
		}
	}
	return e
}

// addPieces adds the people of pieces and those whom they are cut from, and returns the parts that are touched.
func (s *State) addPieces(pieces []piece, add func(b *block, units []int32, asked bool)) []*part {
	var parts []*part
	seen := make(map[*part]bool)
	for i := range pieces {
		p := &pieces[i]
		add(p.block, p.units, true)
		if p.block != s.root && !p.whole() {
			add(p.block, s.outside(p), false)
		}
		if own := p.block.part; own != nil && !seen[own] {
			seen[own] = true
			parts = append(parts, own)
		}
	}
	return parts
}

func (e *entanglement) sum(blocks []*block, set posterior.ValueSet, value int, atoms map[*block][]int) {
	sum := posterior.Sum{Set: posterior.Set{Values: set}, Value: value}
	for _, b := range blocks {
		sum.Atoms = append(sum.Atoms, atoms[b]...)
	}
	slices.Sort(sum.Atoms)
	e.Sums = append(e.Sums, sum)
}

// outside are the units of a piece's block that are not in the piece.
func (s *State) outside(p *piece) []int32 {
	var rest []int32
	i := 0
	for _, u := range s.members(p.block) {
		for i < len(p.units) && p.units[i] < u {
			i++
		}
		if i == len(p.units) || p.units[i] != u {
			rest = append(rest, u)
		}
	}
	return rest
}

// linkedRisk is the risk of one count of an entwined question.
func (s *State) linkedRisk(sh *shape, set posterior.ValueSet) (risk float64, engine posterior.Engine, err error) {
	if s.Config.Insiders > 0 {
		return 1, "", errInsiders
	}
	units := s.concerned(sh.open)
	if slices.ContainsFunc(units, s.never) {
		return 1, "", errNever
	}
	risk, err = s.worst(func(c corner) (float64, error) {
		e := s.entangle(sh.open, c)
		d, err := e.Decide(posterior.Set{Atoms: e.inside, Values: set})
		if err != nil {
			return 1, err
		}
		engine = d.Engine
		return d.Risk, nil
	}, units...)
	return risk, engine, err
}

// unsafe says whether somebody of a block of known classes is out of her limits, for some corner of intervals. Where there are too many
// corners nothing was released of the block, and nothing will be.
func (s *State) unsafe(b *block) bool {
	if b.known.Sets == nil {
		return false
	}
	corners, err := s.corners(s.members(b))
	return err == nil && slices.ContainsFunc(corners, func(c corner) bool {
		g := s.group(s.members(b), c)
		q, err := posterior.BlockPosterior(g, b.known)
		return err != nil && s.unsafeSystem(b, c) || err == nil && exceeded(g, q)
	})
}

// unsafePart says the same of linked blocks.
func (s *State) unsafePart(p *part) bool {
	b := p.blocks[0]
	corners, err := s.corners(s.concerned([]piece{{block: b}})...)
	return err == nil && slices.ContainsFunc(corners, func(c corner) bool { return s.unsafeSystem(b, c) })
}

// unsafeSystem looks at all that is linked to a block. Where no engine knows the posteriors, none decides further questions about them.
func (s *State) unsafeSystem(b *block, c corner) bool {
	e := s.entangle([]piece{{block: b, units: s.members(b), people: b.people}}, c)
	q, _, err := e.Posterior()
	return err == nil && exceeded(e.Atoms, q)
}

// tie is the tolerance of a posterior on its limit, as in package posterior.
const tie = 1e-9

func exceeded(g posterior.Group, q [][]float64) bool {
	for i := range g {
		for v, l := range g[i].Limits {
			if g[i].Boolean() && v == 0 {
				continue
			}
			prior := g[i].Prior[v]
			if q[i][v] > l.High+tie*(l.High-prior) || q[i][v] < l.Low-tie*(prior-l.Low) {
				return true
			}
		}
	}
	return false
}
