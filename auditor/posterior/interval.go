package posterior

import (
	"errors"
	"math"
	"slices"

	"tacit/auditor/posterior/internal/law"
)

// The probability p of a type may only be known to lie in an interval. The intervals of all types span a box, and a risk then bounds that of
// every point of the box:
//
//	max over corners c of P_c(U), where U is the union over all corners of the answers that are unsafe there.
//
// Proof, for independent people and one sum S = sum of the numbers M_t of each type, which are sums of Bernoulli variables:
//
//  1. Given S = s the mean of M_t rises with the prior of t, falls with that of any other type, and rises with s (Efron 1965: laws of
//     such sums are log-concave). So for all priors of the box the posterior of t is at most that where t is high and all others are low,
//     and at least that where t is low and all others are high. The answers that are safe for all priors are an interval a..b.
//  2. As a function of one prior with the others fixed, P(S not in a..b) falls and then rises, and so is largest at an end. For with
//     S = M_t + R, the law of R log-concave, g(m) = P(a-m <= R <= b-m) is log-concave in m, so that g - c changes its sign at most
//     twice, from - to + to -. The law of M_t is totally positive in m and the logit of p, so that E g(M_t) - c does so in p (Karlin,
//     Total Positivity, chapter 5). One prior after another is moved to an end.
//
// A piece of a block: given that the numbers V inside and W outside add up to the known sum, V has the weight f(v) g(sum-v). Give each
// type a prior of its own inside, and another one outside; that only enlarges the box. What an answer tells those inside depends on v
// alone, and those outside on sum - v, so that 1 holds of each side, and safe answers are an interval again. For 2 take a type inside:
// given M_t = m, V has the weight r(v-m) g(sum-v), where r is the law of the others inside. It is totally positive in v and m, since the
// laws of sums of Bernoulli variables are Polya frequency sequences, and given the sum M_t has the law of an exponential family in
// the logit. The composition is totally positive, so that P(V in a..b) rises and then falls. For a type outside it is the same with W.
// Where all people of the block are of one type, no prior matters given the sum.
//
// Where there are many corners the bound is P(S < a) where all priors are low, and P(S > b) where all are high: S rises with each.
// (V rises with the priors inside, and falls with those outside.)
//
// All of this holds of every box within the box, so that the bound is taken of small ones, and the largest counts: the union of unsafe answers
// is that of nearby priors then, and a type has nearly the same prior inside and outside. For one type without others nothing is to be gained.
//
// A certificate (see CertificateInsiders) takes, above a limit c, a bound E(y(S)-k)^+ / (c-k) where y is the posterior of t with its own
// prior high and all others low. By 1 that is above her posterior for all priors of the box, and rises with S; so the mean is largest
// where all priors are high. Below a limit it is the other way round. Both sides are added.
//
// Insiders: whoever they are, the rest are people of the same model, so that the bound is taken for each placement.
//
// Linked sums: nothing is proved but where the released sums determine, of each type with an interval, how many of the linked people have
// the value. The weight of a data set has p only as a factor with that number as power, so that given the sums no prior matters.
//
// People who share a rate ([Atom].Spread) have no place in the proof: a question about them and people of an interval is refused.

// An Interval is where the probability of value 1 of a Boolean attribute lies. Atoms that point to the same Interval have the same one.
type Interval struct{ Low, High float64 }

// ErrInterval is returned where nothing is proved of priors that are only known to lie in intervals.
var ErrInterval = errors.New("posterior: nothing is proved of priors in intervals for this question")

// mostFree bounds the priors all whose corners are looked at: 16 of them.
const mostFree = 4

// bounded reports whether some part's prior is only known to lie in an interval.
func bounded(parts []part) bool {
	return slices.ContainsFunc(parts, func(p part) bool { return p.within != nil })
}

// box refuses a question of which nothing is proved.
func (c *cut) box() error {
	for _, side := range [2][]part{c.inside, c.outside} {
		if slices.ContainsFunc(side, func(p part) bool { return p.shared > 0 }) {
			return ErrInterval
		}
	}
	return nil
}

// at is the part with an end of its interval for its prior.
func (p *part) at(high bool) part {
	if p.within == nil {
		return *p
	}
	o := *p
	rate := p.within.Low
	if high {
		rate = math.Nextafter(min(1, p.within.High), 0)
	}
	o.odds, o.within = rate/(1-rate), nil
	return o
}

// ends are the parts at a corner: that of place t has the one end, and all others have the other one. t = -1: all have the other one.
func ends(parts []part, t int, high bool) []part {
	at := make([]part, len(parts))
	for i := range parts {
		at[i] = parts[i].at(high == (i == t))
	}
	return at
}

// only are the parts of which all but one are always safe.
func only(parts []part, t int) []part {
	for i := range parts {
		if i != t {
			parts[i].release()
		}
	}
	return parts
}

// safeSums are the least and the most people in the class that are safe for all priors; the least is above the most if none are.
func safeSums(parts []part) (low, high int, err error) {
	if len(parts) == 1 {
		low, high = parts[0].span()
		return low, high, nil
	}
	high = count(parts)
	for t := range parts {
		if parts[t].exempt() {
			continue
		}
		from, to := parts[t].limits()
		if !(from <= to) {
			return 1, 0, nil
		}
		most, err := crossing(parts, t, to, true)
		if err != nil {
			return 0, 0, err
		}
		least, err := crossing(parts, t, from, false)
		if err != nil {
			return 0, 0, err
		}
		low, high = max(low, least), min(high, most)
	}
	return low, high, nil
}

// crossing is the most people in the class such that the posterior of a part is not above a limit at any corner, or the least such that
// it is not below one. The law is tilted to where that is, as posteriors do not depend on the tilt. What the law does not tell is unsafe.
func crossing(parts []part, t int, limit float64, above bool) (int, error) {
	all := count(parts)
	switch {
	case above && limit >= 1:
		return all, nil
	case !above && limit <= 0:
		return 0, nil
	case above && limit <= 0:
		return -1, nil
	case !above && limit >= 1:
		return all + 1, nil
	}
	corner := only(ends(parts, t, above), t)
	s, err := sumOf(corner, math.Log(limit/(1-limit)/corner[t].odds))
	if err != nil {
		return 0, err
	}
	return s.outermost(t, limit, above), nil
}

// outermost is the last number, from below if above is set and else from above, at which the posterior of a part is within a limit.
func (s *sumLaw) outermost(t int, limit float64, above bool) int {
	last := len(s.Mass) - 1
	outermost, sign := -1, 1.0
	if !above {
		outermost, sign = count(s.parts)+1, -1
	}
	for k, q := range s.posteriors[t] {
		i := k
		if !above {
			i = last - k
			q = s.posteriors[t][i]
		}
		if s.Mass[i] < leastTrusted*s.Cut {
			continue
		}
		if !(sign*q <= sign*limit) {
			break
		}
		outermost = s.First + i
	}
	return outermost
}

// slices of each interval, by how many there are: a box has 8 to 16 small ones.
var slicesOf = [...]int{1, 8, 4, 2, 2}

// mostBoxes is how many small boxes there are at most.
const mostBoxes = 16

// everyBox is the largest risk of all small boxes; of the box as it is, where these would take too long.
func everyBox(parts []part, risk func([]part) (float64, error)) (float64, error) {
	var intervals []*Interval
	for i := range parts {
		if w := parts[i].within; w != nil && !slices.Contains(intervals, w) {
			intervals = append(intervals, w)
		}
	}
	if len(parts) == 1 || len(intervals) >= len(slicesOf) || mostBoxes*work(parts, 0) > maxWork/100 {
		return risk(parts)
	}
	each, boxes := slicesOf[len(intervals)], 1
	for range intervals {
		boxes *= each
	}
	worst := 0.0
	for box := range boxes {
		small := make(map[*Interval]*Interval, len(intervals))
		for _, w := range intervals {
			small[w] = w.slice(box%each, each)
			box /= each
		}
		chosen := slices.Clone(parts)
		for i := range chosen {
			if w := chosen[i].within; w != nil {
				chosen[i].within = small[w]
			}
		}
		r, err := risk(chosen)
		if err != nil {
			return 0, err
		}
		worst = max(worst, r)
	}
	return worst, nil
}

// slice is part i of n. Neighbours share an end.
func (w *Interval) slice(i, n int) *Interval {
	at := func(i int) float64 {
		if i == n {
			return w.High
		}
		return w.Low + (w.High-w.Low)*float64(i)/float64(n)
	}
	return &Interval{at(i), at(i + 1)}
}

// boxRisk is the largest probability, for all priors, that the number of people with no sum is unsafe.
func boxRisk(parts []part) (float64, error) {
	c := cut{inside: parts}
	if err := c.box(); err != nil {
		return 0, err
	}
	return everyBox(parts, smallRisk)
}

// smallRisk is that for all priors of one box, with one set of unsafe answers.
func smallRisk(parts []part) (float64, error) {
	low, high, err := safeSums(parts)
	if err != nil {
		return 0, err
	}
	return worstOutside(parts, low, high, func(at []part, low, high int) (float64, error) {
		if len(at) == 1 {
			r := law.Binomial(at[0].people, at[0].odds)
			return r.Outside(low, high), nil
		}
		if w := work(at, 0); w > maxWork {
			return 0, ErrTooLarge
		}
		sum := law.Sum(windows(at, 0))
		out, total := sum.Outside(low, high)
		return min(1, (out+sum.Cut)/total), nil
	})
}

// boxRisk is the largest probability, for all priors, that the number inside is unsafe, for people inside or outside.
func (c *cut) boxRisk() (float64, error) {
	if err := c.box(); err != nil {
		return 0, err
	}
	n1, n2 := c.people()
	if c.sum == 0 || c.sum == n1+n2 {
		return c.extremeRisk(), nil
	}
	n := len(c.inside)
	return everyBox(append(slices.Clone(c.inside), c.outside...), func(parts []part) (float64, error) {
		small := cut{parts[:n:n], parts[n:], c.sum}
		return small.smallRisk()
	})
}

// smallRisk is that for all priors of one box.
func (c *cut) smallRisk() (float64, error) {
	low, high, err := safeSums(c.inside)
	if err != nil {
		return 0, err
	}
	least, most, err := safeSums(c.outside)
	if err != nil {
		return 0, err
	}
	low, high = max(low, c.sum-most), min(high, c.sum-least)
	// An end outside is turned round, so that the number inside rises with all of them.
	all := append(slices.Clone(c.inside), c.outside...)
	for i := len(c.inside); i < len(all); i++ {
		all[i].turned = true
	}
	return worstOutside(all, low, high, func(at []part, low, high int) (float64, error) {
		return knownOutside(at[:len(c.inside)], at[len(c.inside):], c.sum, low, high)
	})
}

// knownOutside is the probability that the number inside is not in low..high, given the sum.
func knownOutside(inside, others []part, sum, low, high int) (float64, error) {
	all := append(slices.Clone(inside), others...)
	tilt, err := solve(all, sum)
	if err != nil {
		return 0, err
	}
	if w := work(inside, tilt) + work(others, tilt); w > maxWork {
		return 0, ErrTooLarge
	}
	s := sides{sumLaw{Window: law.Sum(windows(inside, tilt))}, sumLaw{Window: law.Sum(windows(others, tilt))}}
	given := s[0].Given(&s[1].Window, sum)
	return s.bound(given.Outside(low, high)), nil
}

// worstOutside is the largest probability at all corners of a number that is not in low..high, or a bound of it where there are too many.
func worstOutside(parts []part, low, high int, at func(parts []part, low, high int) (float64, error)) (float64, error) {
	if low > high {
		return 1, nil
	}
	var free []int
	for i := range parts {
		if parts[i].within != nil {
			free = append(free, i)
		}
	}
	if len(free) > mostFree {
		below, err := at(end(parts, false), low, math.MaxInt)
		if err != nil {
			return 0, err
		}
		above, err := at(end(parts, true), math.MinInt, high)
		return min(1, below+above), err
	}
	worst := 0.0
	for corner := range 1 << len(free) {
		chosen := slices.Clone(parts)
		for k, i := range free {
			chosen[i] = parts[i].at(corner>>k&1 == 1)
		}
		r, err := at(chosen, low, high)
		if err != nil {
			return 0, err
		}
		worst = max(worst, r)
	}
	return worst, nil
}

// end is the corner where the number is least, or largest.
func end(parts []part, high bool) []part {
	at := make([]part, len(parts))
	for i := range parts {
		at[i] = parts[i].at(high != parts[i].turned)
	}
	return at
}

// boxBound is the certificate of people with no sum, for all priors.
func boxBound(parts []part) (float64, error) {
	c := cut{inside: parts}
	if err := c.box(); err != nil {
		return 0, err
	}
	total := 0.0
	for t := range parts {
		if parts[t].exempt() {
			continue
		}
		for _, high := range [2]bool{true, false} {
			bound, err := boxSide(parts, t, high)
			if err != nil {
				return 0, err
			}
			total += bound
		}
	}
	return min(1, total), nil
}

// boxSide bounds the probability that a part's posterior is ever beyond its one limit.
func boxSide(parts []part, t int, high bool) (float64, error) {
	all := end(parts, high)
	if work(all, 0) > maxWork {
		return 0, ErrTooLarge
	}
	weights := law.Sum(windows(all, 0))
	tilt := 0.0
	if len(parts) > 1 {
		mean := min(max(1, int(weights.Mean())), count(parts)-1)
		var err error
		if tilt, err = solve(ends(parts, t, high), mean); err != nil {
			return 0, err
		}
	}
	s, err := sumOf(only(ends(parts, t, high), t), tilt)
	if err != nil {
		return 0, err
	}
	at, cut := weights.Between(s.First, len(s.Mass)) // of other numbers the law of posteriors tells nothing
	above, below := s.sidesOf(t, at, cut)
	if high {
		return above, nil
	}
	return below, nil
}

// settled refuses linked sums that do not determine how many people of each interval have the value: those of which no disjoint released
// sums are about just these people.
func (s System) settled() error {
	byInterval := make(map[*Interval]map[int]bool)
	for a := range s.Atoms {
		if w := s.Atoms[a].Interval; w != nil && s.Atoms[a].People > 0 {
			if byInterval[w] == nil {
				byInterval[w] = make(map[int]bool)
			}
			byInterval[w][a] = true
		}
	}
	for _, open := range byInterval {
		if !s.determines(open) {
			return ErrInterval
		}
	}
	return nil
}

// determines reports whether disjoint sums make up the number of people with the value of some atoms. The largest are tried first.
func (s System) determines(atoms map[int]bool) bool {
	own := make([]*Sum, 0, len(s.Sums))
	for i := range s.Sums {
		if sum := &s.Sums[i]; sum.Values == True && !slices.ContainsFunc(sum.Atoms, func(a int) bool { return !atoms[a] && s.Atoms[a].People > 0 }) {
			own = append(own, sum)
		}
	}
	slices.SortStableFunc(own, func(a, b *Sum) int { return len(b.Atoms) - len(a.Atoms) })
	left := len(atoms)
	taken := make(map[int]bool, left)
	for _, sum := range own {
		if slices.ContainsFunc(sum.Atoms, func(a int) bool { return taken[a] }) {
			continue
		}
		for _, a := range sum.Atoms {
			taken[a] = true
			if atoms[a] {
				left--
			}
		}
	}
	return left == 0
}
