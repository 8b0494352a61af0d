package auditor

import (
	"slices"

	"tacit/auditor/posterior"
)

// Risks of laminar sums, which are nested or disjoint. What the engines of package posterior get is made of public facts and released sums.

// The names of their exact engines, for logs and explanations.
const (
	engineFresh = "people in no sum"
	engineCut   = "split of a known sum"
)

// A freshUnit is all that the risk of one unit in no sum depends on, but for the configuration and the priors, which stay.
type freshUnit struct {
	kind, people       int
	set                posterior.ValueSet
	intervals, earlier bool // what the model has at the time
}

// mostFresh bounds the risks that are kept.
const mostFresh = 1 << 12

// freshRisk is that of people in no sum. Of the groups of a GROUP BY many are alike.
func (m *model) freshRisk(units []int32, sets []posterior.ValueSet) (float64, error) {
	if len(units) != 1 || len(sets) != 1 {
		return m.computeFreshRisk(units, sets)
	}
	like := freshUnit{m.units[units[0]].kind, m.history.People(units[0]), sets[0], m.intervals, m.earlier}
	if risk, known := m.scratch.fresh[like]; known {
		return risk, nil
	}
	risk, err := m.computeFreshRisk(units, sets)
	if err != nil {
		return risk, err
	}
	if m.scratch.fresh == nil || len(m.scratch.fresh) >= mostFresh {
		m.scratch.fresh = make(map[freshUnit]float64)
	}
	m.scratch.fresh[like] = risk
	return risk, nil
}

func (m *model) computeFreshRisk(units []int32, sets []posterior.ValueSet) (float64, error) {
	if m.never(units) {
		return 1, errNever
	}
	return m.worst(func(c corner) (float64, error) {
		g := m.appendGroup(m.scratch.atoms[:0], units, c)
		m.scratch.atoms = g[:0]
		return posterior.RootRiskInsiders(g, sets, m.Config.Insiders)
	}, units)
}

// cutRisk is that of one piece of a block, for it and for the rest.
func (m *model) cutRisk(inside, outside []int32, known posterior.Classes) (float64, error) {
	if m.never(inside) || m.never(outside) {
		return 1, errNever
	}
	return m.worst(func(c corner) (float64, error) {
		return posterior.SplitRiskInsiders(m.group(inside, c), m.group(outside, c), known, m.Config.Insiders)
	}, inside, outside)
}

// A cutBlock is the joint decision of pieces of a block, for each corner of intervals.
type cutBlock []*posterior.Block

func (m *model) cutBlock(pieces [][]int32, rest []int32, known posterior.Classes) (cutBlock, error) {
	if m.never(rest) || slices.ContainsFunc(pieces, m.never) {
		return nil, errNever
	}
	corners, err := m.corners(append(slices.Clip(pieces), rest)...)
	if err != nil {
		return nil, err
	}
	var joint cutBlock
	for _, c := range corners {
		split := posterior.Split{Rest: m.group(rest, c), Known: known, Insiders: m.Config.Insiders}
		atoms := slices.Grow(m.scratch.atoms[:0], len(pieces))
		split.Pieces = slices.Grow(m.scratch.groups[:0], len(pieces))
		for _, units := range pieces {
			first := len(atoms)
			atoms = m.appendGroup(atoms, units, c)
			split.Pieces = append(split.Pieces, atoms[first:len(atoms):len(atoms)])
		}
		m.scratch.atoms, m.scratch.groups = atoms[:0], split.Pieces[:0] // a Block keeps neither
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
