package auditor

import (
	"slices"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
)

// group makes atoms of units, one for each type, in the order of types first met, and then one for each rate of types with a spread. The
// corner says which prior of an interval they have.
func (m *model) group(units []int32, c corner) posterior.Group { return m.appendGroup(nil, units, c) }

// appendGroup appends the atoms of units to others.
func (m *model) appendGroup(g posterior.Group, units []int32, c corner) posterior.Group {
	if len(units) == 1 {
		if people := m.history.People(units[0]); people > 0 {
			g = append(g, m.atom(m.units[units[0]].kind, people, c))
		}
		return g
	}
	if m.scratch.people == nil {
		m.scratch.people = make([]int, len(m.priors))
	}
	people, types := m.scratch.people, m.scratch.types[:0]
	var spread []int32
	for _, u := range units {
		n, t := m.history.People(u), m.units[u].kind
		switch {
		case n == 0:
			continue
		case m.priors[t].spread > 0:
			spread = append(spread, u)
			continue
		case people[t] == 0:
			types = append(types, t)
		}
		people[t] += n
	}
	g = slices.Grow(g, len(types))
	for _, t := range types {
		g = append(g, m.atom(t, people[t], c))
		people[t] = 0
	}
	m.scratch.types = types
	return m.addRates(g, spread, c)
}

func (m *model) atom(kind, people int, c corner) posterior.Atom {
	a := m.priors[kind].atom(people, c.end(kind))
	if c.box {
		a.Interval = m.priors[kind].within
	}
	return a
}

// addRates adds the people of each rate.
func (m *model) addRates(g posterior.Group, units []int32, c corner) posterior.Group {
	if len(units) == 0 {
		return g
	}
	place := make(map[int32]int, len(units))
	for _, u := range units {
		unit := &m.units[u]
		i, met := place[unit.rate]
		if !met {
			i = len(g)
			place[unit.rate] = i
			g = append(g, m.atom(unit.kind, 0, c))
		}
		g[i].People += m.history.People(u)
	}
	return g
}

// torn reports whether people of the open pieces share a rate with some who left.
func (m *model) torn(sh *history.Shape) bool {
	return slices.ContainsFunc(sh.Open, func(p history.Piece) bool {
		return !m.history.Fresh(p.Block) && slices.ContainsFunc(p.Units, func(u int32) bool { return m.units[u].torn })
	})
}
