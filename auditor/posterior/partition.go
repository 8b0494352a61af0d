package posterior

import "fmt"

// The laws of a laminar history are exact and one-dimensional. Released sets of which any two are nested or disjoint are equivalent to
// disjoint blocks with known sums, each released set less the released sets inside it, and people in no sum yet, whose sum is unknown.
// Given the sums, blocks are independent. A question that cuts one block, or joins people in no block, needs the law of one number.
//
// Two classes of values are decided exactly. More are decided for people of one type, by the sum of the risks of each class, each of
// which is exact: an upper bound of the risk that any of them is unsafe.

// RootRisk is the probability that the numbers of people with values in the given sets are unsafe, of people in no sum yet.
// The sets are disjoint; of a Boolean attribute they are {True}.
func RootRisk(g Group, sets []ValueSet) (float64, error) {
	return RootRiskInsiders(g, sets, 0)
}

// SplitRisk is the probability that the sums of the people inside are unsafe, for them or for those outside, where the sums of all of
// them are known. The classes of the question are those of the known sums.
func SplitRisk(inside, outside Group, known Classes) (float64, error) {
	return SplitRiskInsiders(inside, outside, known, 0)
}

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
		return nil, fmt.Errorf("%w: a split of people whose sum is not known", ErrInvalid)
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

// rootRisk is the risk of one question about people in no sum yet.
func rootRisk(parts []part) (float64, error) {
	switch len(parts) {
	case 0:
		return 0, nil
	case 1:
		return parts[0].outside(), nil
	}
	s, err := sumOf(parts, 0)
	if err != nil {
		return 0, err
	}
	out, total := s.cut, 0.0
	for i, unsafe := range s.unsafe() {
		total += s.mass[i]
		if unsafe {
			out += s.mass[i]
		}
	}
	return min(1, out/total), nil
}

// outside is the probability that the number of the part's people in the class is unsafe.
func (p *part) outside() float64 {
	low, high := p.span()
	if p.shared > 0 {
		return p.beta().outside(p.people, low, high)
	}
	r := binomial(p.people, p.odds)
	return r.outside(low, high)
}

// A cut is one question about a block: how many of the sum of its uncertain people are inside.
type cut struct {
	inside, outside []part
	sum             int
}

func (c *cut) people() (inside, outside int) {
	return count(c.inside), count(c.outside)
}

func count(parts []part) int {
	n := 0
	for i := range parts {
		n += parts[i].people
	}
	return n
}

// oneType says whether all people are independent and have the same prior, so that given the sum every choice is equally likely.
func (c *cut) oneType() bool {
	var first *part
	for _, side := range [2][]part{c.inside, c.outside} {
		for i := range side {
			if first == nil {
				first = &side[i]
			}
			if side[i].shared > 0 || !side[i].sameLaw(first) {
				return false
			}
		}
	}
	return true
}

// risk is the probability that the number inside is unsafe, for people inside or outside.
func (c *cut) risk() (float64, error) {
	n1, n2 := c.people()
	if c.sum < 0 || c.sum > n1+n2 {
		return 0, fmt.Errorf("%w: %d of %d uncertain people", ErrImpossible, c.sum, n1+n2)
	}
	if c.oneType() {
		low, high := 0, n1
		if n1 > 0 {
			low, high = c.inside[0].span()
		}
		if n2 > 0 {
			least, most := c.outside[0].span()
			low, high = max(low, c.sum-most), min(high, c.sum-least)
		}
		r := hypergeometric(n1, n2, c.sum)
		return r.outside(low, high), nil
	}
	return c.mixedRisk()
}

// mixedRisk is the risk of people of several types: the number inside has the law f(v) g(sum-v), by the laws of both sides.
func (c *cut) mixedRisk() (float64, error) {
	s, err := c.sides()
	if err != nil {
		return 0, err
	}
	if s == nil {
		return c.extremeRisk(), nil
	}
	f, g := s[0].unsafe(), s[1].unsafe()
	out, total := 0.0, 0.0
	for i, x := range s[0].mass {
		j := c.sum - s[0].first - i - s[1].first
		if j < 0 || j >= len(g) {
			continue
		}
		w := x * s[1].mass[j]
		total += w
		if f[i] || g[j] {
			out += w
		}
	}
	return s.bound(out, total), nil
}

// sides are the laws of the inside and the outside of a cut, tilted to the sum.
type sides [2]sumLaw

// sides is nil if the sum leaves no choice.
func (c *cut) sides() (*sides, error) {
	n1, n2 := c.people()
	if c.sum == 0 || c.sum == n1+n2 {
		return nil, nil
	}
	all := append(append(make([]part, 0, len(c.inside)+len(c.outside)), c.inside...), c.outside...)
	tilt, err := solve(all, c.sum)
	if err != nil {
		return nil, err
	}
	var s sides
	for i, parts := range [2][]part{c.inside, c.outside} {
		if s[i], err = sumOf(parts, tilt); err != nil {
			return nil, err
		}
	}
	return &s, nil
}

// bound is the probability of something that has the weight out in the windows, of total. What was cut from either side could weigh as
// much as the cut times the most that the other side gives to one number, and counts as unsafe.
func (s *sides) bound(out, total float64) float64 {
	missing := s[0].cut*(s[1].most()+s[1].cut) + s[1].cut*s[0].most()
	if !(total > 0) {
		return 1
	}
	return min(1, (out+missing)/total)
}

// extremeRisk is that of a block where nobody, or everybody, is in the class: known already.
func (c *cut) extremeRisk() float64 {
	q := 0.0
	if c.sum > 0 {
		q = 1
	}
	for _, side := range [2][]part{c.inside, c.outside} {
		for i := range side {
			if !side[i].safe(q) {
				return 1
			}
		}
	}
	return 0
}

// BlockPosterior is the posterior probability of each value of each atom of a block.
func BlockPosterior(g Group, known Classes) ([][]float64, error) {
	q := make([][]float64, len(g))
	for i := range g {
		q[i] = append(q[i], g[i].Prior...)
	}
	if known.Sets == nil {
		_, err := values(g)
		return q, err
	}
	qs, err := known.split(nil, g)
	if err != nil {
		return nil, err
	}
	for c := range qs {
		if err := qs[c].update(q, g); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// update sets the posteriors of the values that the question is about: inside a class they keep the proportions of the prior.
func (q *question) update(posterior [][]float64, g Group) error {
	parts, sure, err := q.parts(nil, g)
	if err != nil {
		return err
	}
	means, err := rates(parts, q.sum-sure)
	if err != nil {
		return err
	}
	taken := make([]bool, len(parts)) // by an atom that shares a rate
	for i := range g {
		p, _ := q.part(&g[i])
		t := 0
		for t < len(parts) && (taken[t] || !parts[t].sameLaw(&p)) {
			t++
		}
		if t == len(parts) || p.people == 0 && p.shared > 0 {
			continue
		}
		taken[t] = p.shared > 0
		for v, prior := range g[i].Prior {
			switch {
			case q.in.Has(v):
				posterior[i][v] = prior * means[t] / p.rate
			case len(g[i].Prior) == 2 || q.both:
				posterior[i][v] = prior * (1 - means[t]) / (p.rate / p.odds)
			}
		}
	}
	return nil
}

// rates are the posterior probabilities of the class for the parts of a block with a known sum.
func rates(parts []part, sum int) ([]float64, error) {
	n := count(parts)
	if sum < 0 || sum > n {
		return nil, fmt.Errorf("%w: %d of %d uncertain people", ErrImpossible, sum, n)
	}
	q := make([]float64, len(parts))
	if len(parts) <= 1 || sum == 0 || sum == n {
		for t := range q {
			q[t] = float64(sum) / float64(n)
		}
		return q, nil
	}
	tilt, err := solve(parts, sum)
	if err != nil {
		return nil, err
	}
	return q, meansAt(q, parts, tilt, sum)
}
