package posterior

import (
	"fmt"
	"math"

	"tacit/auditor/posterior/internal/law"
)

// A Group is the people of a block, or of a piece of one. Its atoms of equal prior without a spread count as one atom with the limits of
// both: their posteriors are the same. An atom with a spread is never merged: it has a rate of its own, and no atom is ever cut.
type Group []Atom

// people counts the people of groups.
func people(groups ...Group) int {
	n := 0
	for _, g := range groups {
		for i := range g {
			n += g[i].People
		}
	}
	return n
}

// values is the number of values that the private attribute of all people has, 0 of no atoms.
func values(groups ...Group) (int, error) {
	n := 0
	for _, g := range groups {
		for i := range g {
			k := len(g[i].Prior)
			if n != 0 && k != n || k < 2 || k > MaxValues {
				return 0, fmt.Errorf("%w: a prior of %d values", errInvalid, k)
			}
			n = k
		}
	}
	return n, nil
}

// A part is the people of a group whose chance to be in the class of a question is the same.
type part struct {
	people int
	odds   float64 // of being in the class against not being in it
	rate   float64 // the probability of being in it
	// shared is the sum of the shapes of the beta law of a rate that the people share; 0 if they are independent.
	shared float64
	// within is where rate lies, if it is not known; turned says that the number in question falls as it rises.
	within *Interval
	turned bool
	// low and high are the safe posteriors of being in the class: the strictest of its values, because inside a class values keep the
	// proportions of the prior. They are infinite if every posterior is safe.
	low, high float64
}

func (p *part) sameLaw(q *part) bool {
	return p.odds == q.odds && p.shared == q.shared && p.within == q.within
}

func (p *part) exempt() bool { return math.IsInf(p.low, -1) && math.IsInf(p.high, 1) }

// limits are the safe posteriors with the tolerance of ties: those whose [Limit.excess] is at most 1+tie.
func (p *part) limits() (low, high float64) {
	return p.low - tie*(p.rate-p.low), p.high + tie*(p.high-p.rate)
}

func (p *part) safe(q float64) bool {
	low, high := p.limits()
	return q >= low && q <= high
}

// span is the least and the most people of the part that may be in the class when their number is known.
func (p *part) span() (low, high int) {
	if p.exempt() {
		return 0, p.people
	}
	from, to := p.limits()
	n := float64(p.people)
	from, to = max(0, math.Ceil(n*from)), min(n, math.Floor(n*to))
	if !(from <= to) {
		return 1, 0
	}
	return int(from), int(to)
}

func (p *part) beta() law.Beta {
	return law.Beta{Yes: p.shared * p.rate, No: p.shared * p.rate / p.odds}
}

// window is the law of how many people of the part are in the class, tilted by exp(tilt v).
func (p *part) window(tilt float64) law.Window {
	if p.shared > 0 {
		return p.beta().Window(p.people, tilt)
	}
	r := law.Binomial(p.people, p.odds*math.Exp(tilt))
	return r.Window(law.Floor)
}

// parts appends the uncertain people of a group, as the question sees them, and counts those who are certain to be in its class.
func (q *question) parts(buf []part, g Group) (parts []part, sure int, err error) {
	for i := range g {
		p, err := q.part(&g[i])
		if err != nil {
			return nil, 0, err
		}
		switch {
		case p.people == 0 || p.odds == 0:
		case math.IsInf(p.odds, 1):
			sure += p.people
		default:
			buf = merge(buf, &p)
		}
	}
	return buf, sure, nil
}

// merge adds people to those of the same law. Those who share a rate stay apart, because others have another rate.
func merge(parts []part, p *part) []part {
	if p.shared > 0 {
		return append(parts, *p)
	}
	for i := range parts {
		if o := &parts[i]; o.sameLaw(p) {
			o.people += p.people
			o.low, o.high = max(o.low, p.low), min(o.high, p.high)
			return parts
		}
	}
	return append(parts, *p)
}

// part is an atom as the question sees it.
func (q *question) part(a *Atom) (part, error) {
	p := part{people: a.People, low: math.Inf(-1), high: math.Inf(1)}
	in, out := 0.0, 0.0
	for v, prior := range a.Prior {
		switch {
		case !(prior >= 0):
			return p, fmt.Errorf("%w: a prior of %v", errInvalid, prior)
		case q.in.Has(v):
			in += prior
		default:
			out += prior
		}
	}
	if math.Abs(in+out-1) > 1e-9 || a.People < 0 || a.Limits != nil && len(a.Limits) != len(a.Prior) {
		return p, fmt.Errorf("%w: %d people, %d limits, a prior that sums to %v", errInvalid, a.People, len(a.Limits), in+out)
	}
	if w := a.Interval; w != nil && !(a.Boolean() && 0 < w.Low && w.Low <= a.Prior[1] && a.Prior[1] <= w.High) {
		return p, fmt.Errorf("%w: an interval from %v to %v around %v", errInvalid, w.Low, w.High, a.Prior[1])
	}
	p.odds, p.rate, p.within = in/out, in, a.Interval
	if in == 0 || out == 0 {
		return p, nil
	}
	if a.Limits != nil {
		p.low, p.high = a.strictest(q.in, in)
		if q.both {
			low, high := a.strictest(q.out, out)
			p.low, p.high = max(p.low, 1-high), min(p.high, 1-low)
		}
	}
	var err error
	p.shared, err = a.concentration()
	return p, err
}

// strictest is the safe posteriors of the values of a set together, which has the given prior probability.
func (a *Atom) strictest(set ValueSet, of float64) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	for v, prior := range a.Prior {
		if set.Has(v) && prior > 0 {
			low, high = max(low, a.Limits[v].Low*(of/prior)), min(high, a.Limits[v].High*(of/prior))
		}
	}
	return low, high
}

// release makes every posterior safe.
func (p *part) release() { p.low, p.high = math.Inf(-1), math.Inf(1) }
