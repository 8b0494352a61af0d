package posterior

import (
	"fmt"
)

// A front lists the sums that are open between two atoms, with the range that their partial sums can have.
type front struct {
	axes   []axis
	states int
}

type axis struct{ link, low, length, stride int }

// partial sets the partial sums of a state; those of sums that are not open are 0.
func (f *front) partial(state int, partial []int) {
	clear(partial)
	for i := range f.axes {
		a := &f.axes[i]
		partial[a.link] = a.low + state/a.stride%a.length
	}
}

// A step is what an atom does to the partial sums.
type step struct{ moves []move }

// A move is what an atom does to one partial sum: it adds one of the outcome's sums, and must lead into the range of the next front.
type move struct{ link, add, low, high, stride int }

func (s *step) next(partial []int, o *atomOutcome) (int, bool) {
	next := 0
	for i := range s.moves {
		m := &s.moves[i]
		sum := partial[m.link]
		if m.add >= 0 {
			sum += o.adds[m.add]
		}
		if sum < m.low || sum > m.high {
			return 0, false
		}
		next += (sum - m.low) * m.stride
	}
	return next, true
}

// lay lays out the fronts and the steps between them, unless they are too many.
func (e *elimination) lay() error {
	answers := 1.0
	states, operations := 1.0, 0.0
	e.fronts = make([]front, len(e.order)+1)
	for place := range e.fronts {
		volume := e.frontAt(place)
		if states += volume; states > float64(e.limit.States) {
			return fmt.Errorf("%w of %d states", ErrTooLarge, e.limit.States)
		}
	}
	answers += float64(e.fronts[len(e.order)].states)
	for place, atom := range e.order {
		law := classify(&e.atoms[atom], e.setsOf(atom))
		operations += float64(e.fronts[place].states) * law.count(e.atoms[atom].People) * answers
		if operations > float64(e.limit.Operations) {
			return fmt.Errorf("%w of %d operations", ErrTooLarge, e.limit.Operations)
		}
		e.drawn = append(e.drawn, law)
	}
	for place, atom := range e.order {
		if e.drawn[place].enumerate(&e.atoms[atom]) {
			e.underflow = true
		}
		e.steps = append(e.steps, e.stepAt(place))
	}
	return nil
}

// setsOf are the values that each sum of an atom counts.
func (e *elimination) setsOf(atom int) []ValueSet {
	var sets []ValueSet
	for i := range e.links {
		if v := e.links[i].values[atom]; v != 0 {
			sets = append(sets, v)
		}
	}
	return sets
}

// frontAt lays out the front before a place and returns its volume, as a float because it may be beyond an int; then it is not laid out.
func (e *elimination) frontAt(place int) float64 {
	f := front{states: 1}
	volume := 1.0
	for i := range e.links {
		l := &e.links[i]
		first, last := l.span(e.order)
		if !l.question && (place <= first || place > last) {
			continue
		}
		low, high := e.reach(l, place)
		length := max(0, high-low+1)
		volume *= float64(length)
		if volume > float64(e.limit.States) {
			return volume
		}
		a := axis{link: i, low: low, length: length, stride: f.states}
		f.axes = append(f.axes, a)
		f.states *= length
	}
	e.fronts[place] = f
	return volume
}

// reach is the range of a partial sum before a place: what the atoms before it can add, and what those from it on can complete.
func (e *elimination) reach(l *link, place int) (low, high int) {
	toLow, toHigh := l.low, l.high
	for i, atom := range e.order {
		if l.values[atom] == 0 {
			continue
		}
		least, most := l.adds(&e.atoms[atom], atom)
		if i < place {
			low, high = low+least, high+most
		} else {
			toLow, toHigh = toLow-most, toHigh-least
		}
	}
	return max(low, toLow), min(high, toHigh)
}

func (e *elimination) stepAt(place int) step {
	var s step
	atom, added := e.order[place], 0
	strides := map[int]int{}
	for _, a := range e.fronts[place+1].axes {
		strides[a.link] = a.stride
	}
	for i := range e.links {
		l := &e.links[i]
		stride, open := strides[i]
		m := move{link: i, add: -1, stride: stride}
		if l.values[atom] != 0 {
			m.add = added
			added++
		}
		if m.add < 0 && !open {
			continue
		}
		m.low, m.high = e.reach(l, place+1)
		s.moves = append(s.moves, m)
	}
	return s
}

// An elimination takes the atoms in an order. ahead[i][state] is the probability that the first i atoms have the partial sums of the state
// and complete the sums that end among them.
type elimination struct {
	atoms     []Atom
	order     []int
	links     []link
	drawn     []atomLaw // in order
	fronts    []front   // before each atom and after the last
	steps     []step
	ahead     [][]float64
	limit     EliminationLimit
	underflow bool
}

// An EliminationLimit bounds the work of an exact elimination.
type EliminationLimit struct {
	// States bounds the partial sums kept at once. 0: 200,000.
	States int
	// Operations bounds the steps from one partial sum to the next. 0: 50 million.
	Operations int
}

func (l EliminationLimit) orDefault() EliminationLimit {
	if l.States == 0 {
		l.States = 200_000
	}
	if l.Operations == 0 {
		l.Operations = 50_000_000
	}
	return l
}
