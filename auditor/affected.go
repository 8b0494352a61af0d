package auditor

import (
	"slices"

	"tacit/auditor/internal/history"
)

// unitSet is a set of units, such as those that queries of a round are about. Making another one empties it.
type unitSet struct {
	stamps []int // by unit
	stamp  int
}

func (m *model) unitSet() unitSet {
	m.scratch.stamp++
	if len(m.scratch.units) < len(m.units) {
		m.scratch.units = make([]int, len(m.units))
	}
	return unitSet{m.scratch.units, m.scratch.stamp}
}

func (s unitSet) has(u int32) bool { return s.stamps[u] == s.stamp }

// add adds units unless some of them are in the set.
func (s unitSet) add(units []int32) bool {
	if slices.ContainsFunc(units, s.has) {
		return false
	}
	for _, u := range units {
		s.stamps[u] = s.stamp
	}
	return true
}

// affected is the blocks and parts that answers to queries of a round tell something about.
type affected struct {
	m      *model
	blocks map[*history.Block]bool
	parts  map[*history.Part]bool
	units  unitSet // in no sum
}

func (m *model) affected() affected {
	return affected{m, make(map[*history.Block]bool), make(map[*history.Part]bool), m.unitSet()}
}

// has reports whether some of what a query is linked to is affected.
func (a *affected) has(sh *history.Shape) bool {
	return slices.ContainsFunc(sh.Open, func(p history.Piece) bool {
		if a.m.history.Fresh(p.Block) {
			return slices.ContainsFunc(p.Units, a.units.has)
		}
		return a.blocks[p.Block] || p.Block.Part != nil && a.parts[p.Block.Part]
	})
}

// add adds what a query is linked to, unless some of it is affected.
func (a *affected) add(sh *history.Shape) bool {
	if a.has(sh) {
		return false
	}
	for i := range sh.Open {
		b := sh.Open[i].Block
		switch {
		case a.m.history.Fresh(b):
			a.units.add(sh.Open[i].Units)
		case b.Part != nil:
			a.parts[b.Part] = true
		default:
			a.blocks[b] = true
		}
	}
	return true
}
