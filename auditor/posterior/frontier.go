package posterior

import (
	"fmt"
	"math"
)

// A link is a sum in an elimination: a released one, or the question.
type link struct {
	values    []ValueSet // counted of each atom; empty where the atom is not in the sum
	low, high int        // what the complete sum may be
	question  bool
	offset    int // by which the question's answer is more than this sum
}

// links lists the released sums, and the question last.
func (s System) links(q Set) []link {
	var links []link
	add := func(set Set, l link) {
		l.values = make([]ValueSet, len(s.Atoms))
		for _, atom := range set.Atoms {
			l.values[atom] = set.Values
		}
		links = append(links, l)
	}
	for _, sum := range s.Sums {
		add(sum.Set, link{low: sum.Value, high: sum.Value})
	}
	people := 0
	for _, atom := range q.Atoms {
		people += s.Atoms[atom].People
	}
	add(q, link{high: people, question: true})
	return links
}

// disentangle takes from each sum those that it contains, as long as there are any: nested sums become disjoint, and the elimination has fewer of
// them open at a time.
func disentangle(links []link) {
	for changed := true; changed; {
		changed = false
		for i := range links {
			for j := range links {
				if i != j && !links[i].question && links[j].contains(&links[i]) {
					links[j].take(&links[i])
					changed = true
				}
			}
		}
	}
}

// contains says whether all that a sum counts is counted by l, and the sum counts anything.
func (l *link) contains(sum *link) bool {
	any := false
	for atom, values := range sum.values {
		if values&^l.values[atom] != 0 {
			return false
		}
		any = any || values != 0
	}
	return any
}

func (l *link) take(sum *link) {
	for atom, values := range sum.values {
		l.values[atom] &^= values
	}
	if l.question {
		l.offset += sum.low
	} else {
		l.low, l.high = l.low-sum.low, l.high-sum.low
	}
}

// span is the first and the last place of the link's atoms in the order; last is negative if it has none.
func (l *link) span(order []int) (first, last int) {
	first, last = len(order), -1
	for place, atom := range order {
		if l.values[atom] != 0 {
			first, last = min(first, place), place
		}
	}
	return first, last
}

// adds is what an atom can add to a sum.
func (l *link) adds(a *Atom, atom int) (least, most int) {
	in, out := false, false
	for value, p := range a.Prior {
		if p > 0 && l.values[atom].Has(value) {
			in = true
		} else if p > 0 {
			out = true
		}
	}
	if in {
		most = a.People
	}
	if !out {
		least = a.People
	}
	return least, most
}

// arrange orders the atoms greedily so that few partial sums are open: next comes the atom after which the product of the ranges of
// the open sums is least.
func arrange(atoms []Atom, links []link) []int {
	left, reach := make([]int, len(links)), make([]int, len(links)) // atoms not taken, people taken
	for i := range links {
		for _, values := range links[i].values {
			if values != 0 {
				left[i]++
			}
		}
	}
	taken, order := make([]bool, len(atoms)), make([]int, 0, len(atoms))
	for range atoms {
		best, least := -1, math.Inf(1)
		for atom := range atoms {
			if taken[atom] {
				continue
			}
			if width := widthAfter(atoms[atom].People, atom, links, left, reach); width < least {
				best, least = atom, width
			}
		}
		taken[best] = true
		order = append(order, best)
		for i := range links {
			if links[i].values[best] != 0 {
				left[i]--
				reach[i] += atoms[best].People
			}
		}
	}
	return order
}

func widthAfter(people, atom int, links []link, left, reach []int) float64 {
	width := 0.0
	for i := range links {
		open, range_ := left[i], reach[i]
		if links[i].values[atom] != 0 {
			open, range_ = open-1, range_+people
		}
		if range_ > 0 && (open > 0 || links[i].question) {
			width += math.Log(float64(1 + min(range_, links[i].high)))
		}
	}
	return width
}

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
