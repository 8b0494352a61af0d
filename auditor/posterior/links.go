package posterior

import "math"

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

// contains reports whether all that a sum counts is counted by l, and the sum counts anything.
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
