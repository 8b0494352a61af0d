package auditor

import (
	"slices"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
)

// A linkedSystem is a question about linked sums as a system of atoms.
type linkedSystem struct {
	posterior.System
	inside []int // atoms that the question is about
}

// system makes the system of the blocks that some pieces are linked to. Blocks are cut where a question cuts them.
func (m *model) system(pieces []history.Piece, c corner) linkedSystem {
	var e linkedSystem
	atoms := make(map[*history.Block][]int)
	add := func(b *history.Block, units []int32, asked bool) {
		for _, a := range m.group(units, c) {
			if asked {
				e.inside = append(e.inside, len(e.Atoms))
			}
			atoms[b] = append(atoms[b], len(e.Atoms))
			e.Atoms = append(e.Atoms, a)
		}
	}
	parts := m.addPieces(pieces, add)
	for _, p := range parts {
		for _, b := range p.Blocks {
			if len(atoms[b]) == 0 {
				add(b, m.history.Members(b), false)
			}
		}
		for i := range p.Sums {
			e.sum(p.Sums[i].Blocks, p.Sums[i].Set, p.Sums[i].Value, atoms)
		}
	}
	for i := range pieces {
		b := pieces[i].Block
		for j, set := range b.Known.Sets {
			e.sum([]*history.Block{b}, set, b.Known.Sums[j], atoms)
		}
	}
	return e
}

// addPieces adds the people of pieces and those whom they are cut from, and returns the parts that are touched.
func (m *model) addPieces(pieces []history.Piece, add func(*history.Block, []int32, bool)) []*history.Part {
	var parts []*history.Part
	seen := make(map[*history.Part]bool)
	for i := range pieces {
		p := &pieces[i]
		add(p.Block, p.Units, true)
		if !m.history.Fresh(p.Block) && !p.Whole() {
			add(p.Block, m.history.Outside(p), false)
		}
		if own := p.Block.Part; own != nil && !seen[own] {
			seen[own] = true
			parts = append(parts, own)
		}
	}
	return parts
}

func (e *linkedSystem) sum(blocks []*history.Block, set posterior.ValueSet, value int, atoms map[*history.Block][]int) {
	sum := posterior.Sum{Set: posterior.Set{Values: set}, Value: value}
	for _, b := range blocks {
		sum.Atoms = append(sum.Atoms, atoms[b]...)
	}
	slices.Sort(sum.Atoms)
	e.Sums = append(e.Sums, sum)
}

// linkedRisk is the risk of one count of a question over linked sums.
func (m *model) linkedRisk(sh *history.Shape, set posterior.ValueSet) (risk float64, engine posterior.Engine, err error) {
	if m.Config.Insiders > 0 {
		return 1, "", errInsiders
	}
	units := m.linkedUnits(sh.Open)
	if slices.ContainsFunc(units, m.never) {
		return 1, "", errNever
	}
	risk, err = m.worst(func(c corner) (float64, error) {
		e := m.system(sh.Open, c)
		d, err := e.Decide(posterior.Set{Atoms: e.inside, Values: set})
		if err != nil {
			return 1, err
		}
		engine = d.Engine
		return d.Risk, nil
	}, units...)
	return risk, engine, err
}

// unsafe reports whether somebody of a block of known classes is out of her limits, for some corner of intervals.
func (m *model) unsafe(b *history.Block) bool {
	if b.Known.Sets == nil {
		return false
	}
	return slices.ContainsFunc(m.ends(m.history.Members(b)), func(c corner) bool {
		g := m.group(m.history.Members(b), c)
		q, err := posterior.BlockPosterior(g, b.Known)
		return err != nil && m.unsafeSystem(b, c) || err == nil && exceeded(g, q)
	})
}

// unsafePart says the same of linked blocks.
func (m *model) unsafePart(p *history.Part) bool {
	b := p.Blocks[0]
	corners := m.ends(m.linkedUnits([]history.Piece{{Block: b}})...)
	return slices.ContainsFunc(corners, func(c corner) bool { return m.unsafeSystem(b, c) })
}

// unsafeSystem looks at all that is linked to a block. Where no engine knows the posteriors, none decides further questions about them.
func (m *model) unsafeSystem(b *history.Block, c corner) bool {
	e := m.system([]history.Piece{{Block: b, Units: m.history.Members(b), People: b.People}}, c)
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
