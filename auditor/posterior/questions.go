package posterior

import "fmt"

// asked are the questions of some sets about people in no sum.
func asked(buf []question, g Group, sets []ValueSet) ([]question, error) {
	n, err := values(g)
	if err != nil || n == 0 {
		return nil, err
	}
	qs, err := Classes{Sets: sets}.questions(buf, n, 0)
	if err == nil && len(qs) > 2 {
		err = uniform(qs, false, g)
	}
	return qs, err
}

// split are the questions of the known classes about the pieces of a block.
func (k Classes) split(buf []question, pieces ...Group) ([]question, error) {
	n, err := values(pieces...)
	if err != nil || n == 0 {
		return nil, err
	}
	if k.Sums == nil {
		return nil, fmt.Errorf("%w: a split of people whose sum is not known", errInvalid)
	}
	qs, err := k.questions(buf, n, people(pieces...))
	if err == nil && len(qs) > 2 {
		err = uniform(qs, true, pieces...)
	}
	return qs, err
}

// uniform refuses questions about more than two classes unless all people whose class is uncertain have the same prior of classes: only
// then is a person's posterior, given all sums, the share of each class. Nor may there be several rates, which make the law of one class
// depend on the others: people who share a rate must be all there are, and of a known block nobody may.
func uniform(qs []question, split bool, groups ...Group) error {
	first := make([]part, len(qs))
	seen := false
	for _, g := range groups {
		for i := range g {
			own, sure := make([]part, len(qs)), false
			for c := range qs {
				p, err := qs[c].part(&g[i])
				if err != nil {
					return err
				}
				own[c], sure = p, sure || p.odds > 1e300
			}
			if sure || g[i].People == 0 {
				continue
			}
			again := seen
			if !seen {
				first, seen = own, true
			}
			for c := range qs {
				if !own[c].sameLaw(&first[c]) || own[c].shared > 0 && (split || again) {
					return fmt.Errorf("%w: a question about %d classes", ErrTypes, len(qs))
				}
			}
		}
	}
	return nil
}
