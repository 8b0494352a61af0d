package posterior

import (
	"fmt"

	"tacit/auditor/posterior/internal/law"
)

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

// oneType reports whether all people are independent and have the same prior, so that given the sum every choice is equally likely.
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
		return 0, fmt.Errorf("%w: %d of %d uncertain people", errImpossible, c.sum, n1+n2)
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
		r := law.Hypergeometric(n1, n2, c.sum)
		return r.Outside(low, high), nil
	}
	if bounded(c.inside) || bounded(c.outside) {
		return c.boxRisk()
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
	for i, x := range s[0].Mass {
		j := c.sum - s[0].First - i - s[1].First
		if j < 0 || j >= len(g) {
			continue
		}
		w := x * s[1].Mass[j]
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
	missing := s[0].Cut*(s[1].Most()+s[1].Cut) + s[1].Cut*s[0].Most()
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

// rootRisk is the risk of one question about people in no sum yet.
func rootRisk(parts []part) (float64, error) {
	if bounded(parts) {
		return boxRisk(parts)
	}
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
	out, total := s.Cut, 0.0
	for i, unsafe := range s.unsafe() {
		total += s.Mass[i]
		if unsafe {
			out += s.Mass[i]
		}
	}
	return min(1, out/total), nil
}

// outside is the probability that the number of the part's people in the class is unsafe.
func (p *part) outside() float64 {
	low, high := p.span()
	if p.shared > 0 {
		return p.beta().Outside(p.people, low, high)
	}
	r := law.Binomial(p.people, p.odds)
	return r.Outside(low, high)
}

// cut is a question about a split.
func (q *question) cut(buf1, buf2 []part, inside, outside Group) (cut, error) {
	in, sure1, err := q.parts(buf1, inside)
	if err != nil {
		return cut{}, err
	}
	out, sure2, err := q.parts(buf2, outside)
	return cut{in, out, q.sum - sure1 - sure2}, err
}

// work estimates how many multiplications a cut of several types takes.
func (c *cut) work() float64 {
	if c.oneType() {
		return 0
	}
	total := work(c.inside, 0) + work(c.outside, 0)
	if bounded(c.inside) || bounded(c.outside) {
		total *= mostBoxes * (1<<mostFree + 2*float64(len(c.inside)+len(c.outside)))
	}
	return total
}

// present are the parts that have people.
func present(parts []part) []part {
	for i := range parts {
		if parts[i].people == 0 {
			kept := append([]part(nil), parts[:i]...)
			for _, p := range parts[i+1:] {
				if p.people > 0 {
					kept = append(kept, p)
				}
			}
			return kept
		}
	}
	return parts
}
