package auditor

import (
	"slices"

	"tacit/auditor/internal/history"
)

// Where priors are only known to lie in intervals, a risk is that of the whole box that the intervals span, by package posterior: it has
// the proof, and refuses what it has none for.
//
// Until rule 1 (see boxRule) a risk was the largest of those for all corners of the box and for its middle, each with its own unsafe answers.
// For people of one type that is the same. For several types a prior inside of the box can have a larger risk, up to twice as large in the
// tests' enumerations. What was decided by that rule is made again by it, so that a log of it can be replayed; nothing new is.
//
// Whether people are out of their limits after an answer is looked at at the corners, under both rules. For a block with one sum that
// is the whole box: a posterior is largest where the type's own prior is high and all others are low.

// boxRule marks events of tables with intervals that were charged for the whole box. Events of earlier versions have no mark.
const boxRule = 1

// A corner is one choice of priors: of each listed type the low end of its interval, or the high one if its bit is set, and of others the
// middle. The box is no choice: package posterior takes all.
type corner struct {
	types []int
	high  uint
	box   bool
}

// middle is the declared prior of every type.
var middle = corner{}

// end is which of its priors a type has.
func (c corner) end(t int) int {
	i := slices.Index(c.types, t)
	switch {
	case i < 0:
		return 0
	case c.high>>min(i, 63)&1 == 1:
		return 2
	}
	return 1
}

var (
	onlyMiddle = []corner{middle}
	onlyBox    = []corner{{box: true}}
)

// corners are what the risk of a question about some units is the largest of.
func (m *model) corners(units ...[]int32) ([]corner, error) {
	switch {
	case !m.intervals:
		return onlyMiddle, nil
	case !m.earlier:
		return onlyBox, nil
	}
	types := m.uncertain(units...)
	if len(types) > mostIntervals {
		return nil, errIntervals
	}
	return allCorners(types), nil
}

// ends are the priors for which people of some units are looked at after an answer: the middle, and all corners or, of many types, those
// where one of them is at one end and all others are at the other one.
func (m *model) ends(units ...[]int32) []corner {
	types := m.uncertain(units...)
	if len(types) <= mostIntervals {
		return allCorners(types)
	}
	if m.earlier {
		return nil
	}
	corners := slices.Clone(onlyMiddle)
	for i := range types {
		one := append([]int{types[i]}, slices.Delete(slices.Clone(types), i, i+1)...)
		corners = append(corners, corner{types: one, high: 1}, corner{types: one, high: ^uint(1)})
	}
	return corners
}

// uncertain are the types of people of some units whose priors have intervals.
func (m *model) uncertain(units ...[]int32) []int {
	if !m.intervals {
		return nil
	}
	var types []int
	for _, list := range units {
		for _, u := range list {
			if t := m.units[u].kind; m.history.People(u) > 0 && m.priors[t].within != nil && !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	return types
}

// allCorners are the middle and all corners of some types.
func allCorners(types []int) []corner {
	corners := slices.Clone(onlyMiddle)
	for high := range uint(1) << len(types) {
		if len(types) > 0 {
			corners = append(corners, corner{types: types, high: high})
		}
	}
	return corners
}

// worst is the largest result for all corners of some units.
func (m *model) worst(risk func(corner) (float64, error), units ...[]int32) (float64, error) {
	corners, err := m.corners(units...)
	if err != nil {
		return 1, err
	}
	most := 0.0
	for _, c := range corners {
		r, err := risk(c)
		if err != nil {
			return 1, err
		}
		most = max(most, r)
	}
	return most, nil
}

// never reports whether some type of the units cannot be safe.
func (m *model) never(units []int32) bool {
	return m.intervals && slices.ContainsFunc(units, func(u int32) bool { return m.priors[m.units[u].kind].never && m.history.People(u) > 0 })
}

// linkedUnits are the units that some pieces are about, or are linked with.
func (m *model) linkedUnits(pieces []history.Piece) [][]int32 {
	if !m.intervals {
		return nil
	}
	var units [][]int32
	var seen []*history.Part
	for i := range pieces {
		p := &pieces[i]
		units = append(units, p.Units)
		switch own := p.Block.Part; {
		case m.history.Fresh(p.Block):
		case own == nil:
			units = append(units, m.history.Members(p.Block))
		case !slices.Contains(seen, own):
			seen = append(seen, own)
			for _, b := range own.Blocks {
				units = append(units, m.history.Members(b))
			}
		}
	}
	return units
}
