package posterior

import "fmt"

// Classes says how many people of a block have values of each of some sets. The sets are disjoint; values in none of them are one more
// class, whose sum follows. Of a Boolean attribute {True} and {{0}, {1}} both will do. A block whose sums are not known has no sets.
type Classes struct {
	Sets []ValueSet
	Sums []int
}

// A question is about how many people have values of one class and not of another. Two classes make one question, which is that of a
// Boolean attribute; more make one question each, and their risks are added up.
type question struct {
	in, out ValueSet
	// both says that the values outside of the class have limits to keep, too: where no other question looks at them.
	both bool
	// sum is the number of people in the class, where it is known.
	sum int
}

// cover adds the class of the remaining values.
func (k Classes) cover(values, people int) (Classes, error) {
	all := ValueSet(1)<<values - 1 // of 64 values, too: the shift gives 0
	known := k.Sums != nil
	if known && len(k.Sums) != len(k.Sets) {
		return k, fmt.Errorf("%w: %d sums of %d sets", errInvalid, len(k.Sums), len(k.Sets))
	}
	union := ValueSet(0)
	for i, set := range k.Sets {
		if set == 0 || set&union != 0 || set&^all != 0 {
			return k, fmt.Errorf("%w: set %x of %d values", errInvalid, uint64(set), values)
		}
		union |= set
		if known {
			if k.Sums[i] < 0 || k.Sums[i] > people {
				return k, fmt.Errorf("%w: a sum is %d of %d people", errImpossible, k.Sums[i], people)
			}
			people -= k.Sums[i]
		}
	}
	if union != all {
		k.Sets = append(k.Sets[:len(k.Sets):len(k.Sets)], all&^union)
		if known {
			k.Sums = append(k.Sums[:len(k.Sums):len(k.Sums)], people)
		}
	} else if known && people != 0 {
		return k, fmt.Errorf("%w: sums of all values leave %d people over", errImpossible, people)
	}
	if len(k.Sets) < 2 {
		return k, fmt.Errorf("%w: a question about all values at once", errInvalid)
	}
	return k, nil
}

// questions are what the classes ask of people who have some number of values. A Boolean's is always about the value 1.
func (k Classes) questions(buf []question, values, people int) ([]question, error) {
	if values == 2 && len(k.Sets) == 1 && k.Sets[0] == True {
		q := question{in: True, out: 1}
		if k.Sums == nil {
			return append(buf, q), nil
		}
		if q.sum = k.Sums[0]; q.sum >= 0 && q.sum <= people {
			return append(buf, q), nil
		}
	}
	k, err := k.cover(values, people)
	if err != nil {
		return nil, err
	}
	for i, set := range k.Sets {
		if len(k.Sets) == 2 && (i > 0) != (values == 2 && k.Sets[0] != True) {
			continue
		}
		q := question{in: set, both: values > 2 && len(k.Sets) == 2}
		for j, other := range k.Sets {
			if j != i {
				q.out |= other
			}
		}
		if k.Sums != nil {
			q.sum = k.Sums[i]
		}
		buf = append(buf, q)
	}
	return buf, nil
}
