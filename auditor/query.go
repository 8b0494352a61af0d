package auditor

import "tacit/auditor/posterior"

// A Query asks how many people of some units have a value of each of some sets: one count if there is one set, a vector of counts if
// the private attribute is a key of the grouping.
type Query struct {
	// Units are rising indexes of units. A query of no units has the answer 0.
	Units []int32
	// Values are disjoint and not empty. Of a Boolean attribute {posterior.True}.
	Values []posterior.ValueSet
}

func (s *State) validateQuery(q *Query) error {
	for i, u := range q.Units {
		switch {
		case u < 0 || int(u) >= len(s.units) || i > 0 && u <= q.Units[i-1]:
			return invalid("units of a question do not rise")
		case s.units[u].gone:
			return invalid("unit %d is gone", u)
		}
	}
	union := posterior.ValueSet(0)
	for _, set := range q.Values {
		if set == 0 || set&union != 0 || set&^s.all() != 0 {
			return invalid("sets of values of a question")
		}
		union |= set
	}
	if len(q.Values) == 0 || s.Config.Values == 2 && (len(q.Values) != 1 || q.Values[0] != posterior.True) {
		return invalid("a question about no values, or about false")
	}
	return nil
}

// all is the set of all values.
func (s *State) all() posterior.ValueSet { return 1<<s.Config.Values - 1 }
