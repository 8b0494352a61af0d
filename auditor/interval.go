package auditor

import (
	"errors"
	"fmt"
	"slices"
)

// Where priors are only known to lie in intervals, a risk is the largest of those for all corners of the box that the intervals of the types
// concerned span, and for its middle. People are concerned if the question is about them, or if released sums link them with it.
//
// What that proves, for independent people whose question is about one sum (people in no sum, or a piece of a block whose sum is known):
//   - Whether an answer is safe for all priors of the box is decided at the corners. Given a sum, the number of one type rises with that type's
//     prior and falls with every other (Efron 1965: independent counts with log-concave laws are negatively associated given their sum), so
//     that a type's posterior is largest where its own prior is high and all others are low, and least where it is the other way round.
//   - The probability of a fixed set of answers beyond two limits, as a function of one type's prior, falls and then rises, and so is
//     largest at a corner: numbers of people are sums of Bernoulli variables, whose laws are totally positive of every order in the number
//     and the logit, and a kernel that is keeps the changes of sign of 1 - (indicator of what is safe) - c at most two, in their order
//     (Karlin, Total Positivity, chapter 5).
//
// For people of one type the unsafe answers are the same for all priors, so that the risk is the maximum over the interval. For several
// types each corner has unsafe answers of its own, and what is proved is the maximum over the corners and the middle: a prior inside of
// the box can have a larger risk (by a hundredth, in the tests' enumerations), though no larger than what some corner's law gives to the
// union of all corners' unsafe answers. For linked sums,
// certificates and shared rates only the corners and the middle are looked at, and nothing is proved of what lies between.

// mostIntervals bounds the types with intervals whose corners are all tried: 16 of them, and the middle.
const mostIntervals = 4

var errIntervals = errors.New("the question concerns people of more types whose priors are intervals than are tried together: " +
	fmt.Sprint(mostIntervals))

// A corner is one choice of priors: of each listed type the low end of its interval, or the high one if its bit is set, and of others the
// middle.
type corner struct {
	types []int
	high  uint
}

// middle is the declared prior of every type.
var middle = corner{}

// end is which of its priors a type has.
func (c corner) end(t int) int {
	i := slices.Index(c.types, t)
	switch {
	case i < 0:
		return 0
	case c.high>>i&1 == 1:
		return 2
	}
	return 1
}

var onlyMiddle = []corner{middle}

// corners are the middle and the corners of the people of some units.
func (s *State) corners(units ...[]int32) ([]corner, error) {
	if !s.intervals {
		return onlyMiddle, nil
	}
	var types []int
	for _, list := range units {
		for _, u := range list {
			t := s.units[u].Type
			if s.units[u].People == 0 || len(s.types[t].priors) == 1 || slices.Contains(types, t) {
				continue
			}
			if types = append(types, t); len(types) > mostIntervals {
				return nil, errIntervals
			}
		}
	}
	corners := slices.Clone(onlyMiddle)
	for high := range uint(1) << len(types) {
		if len(types) > 0 {
			corners = append(corners, corner{types, high})
		}
	}
	return corners, nil
}

// worst is the largest result for all corners of some units.
func (s *State) worst(risk func(corner) (float64, error), units ...[]int32) (float64, error) {
	corners, err := s.corners(units...)
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

// never says whether some type of the units cannot be safe.
func (s *State) never(units []int32) bool {
	return s.intervals && slices.ContainsFunc(units, func(u int32) bool { return s.types[s.units[u].Type].never && s.units[u].People > 0 })
}

// concerned are the units that some pieces are about, or are linked with.
func (s *State) concerned(pieces []piece) [][]int32 {
	if !s.intervals {
		return nil
	}
	var units [][]int32
	var seen []*part
	for i := range pieces {
		p := &pieces[i]
		units = append(units, p.units)
		switch own := p.block.part; {
		case p.block == s.root:
		case own == nil:
			units = append(units, s.members(p.block))
		case !slices.Contains(seen, own):
			seen = append(seen, own)
			for _, b := range own.blocks {
				units = append(units, s.members(b))
			}
		}
	}
	return units
}
