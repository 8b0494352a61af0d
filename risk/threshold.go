package risk

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sort"

	"gonum.org/v1/gonum/integrate/quad"

	"tacit/mechanisms"
)

// An Attack says what is concluded from the counts that are shown of a cell: those that are 1 or more. None are if all are below.
type Attack string

const (
	// OneLabel is the homogeneity attack: a label is concluded if no other is shown.
	OneLabel Attack = "homogeneity"
	// HardThreshold guesses the label with the largest count that is shown: the plurality rule. Of labels with equal counts each
	// is as likely to be guessed.
	HardThreshold Attack = "hard threshold"
	// SoftThreshold believes each label in proportion to its count.
	SoftThreshold Attack = "soft threshold"
)

// Attacks are all of them.
var Attacks = []Attack{OneLabel, HardThreshold, SoftThreshold}

// conclude is the value of the conclusion from the counts that are shown, none of which is negative, given what each label is worth.
func (a Attack) conclude(shown []int64, worth []float64) float64 {
	var sum, most int64
	labels := 0
	for _, x := range shown {
		sum += x
		most = max(most, x)
		if x > 0 {
			labels++
		}
	}
	if sum == 0 || a == OneLabel && labels > 1 {
		return 0
	}
	value, ties := 0.0, 0
	for k, x := range shown {
		switch {
		case a == SoftThreshold:
			value += worth[k] * (float64(x) / float64(sum))
		case x == most:
			value += worth[k]
			ties++
		}
	}
	if a == SoftThreshold {
		return value
	}
	return value / float64(ties)
}

// Threshold is the local risk of cells under an attack that concludes something from heterogeneous ones, too (Liu, Zhao and Zhang 2021,
// appendix E; Liu and Zhao 2023, supplement S5, both by simulation), averaged over the cells. What a label is worth is what it is for
// [Local]: under [Event] 1 if the cell has records of it, under [Records] the share of the cell's records that have it. So with Records
// it is the probability that the attacker is right about a person (hard), or what she believes of the person's label on average (soft).
//
// As noise vanishes, hard thresholds tend to the share of a cell's largest label and soft ones to the sum of the squared shares; both
// are 1 in homogeneous cells.
//
// It is computed from the law of the noise, for any number of labels, but for an absolute error below 1e-14.
func (t *Table) Threshold(law mechanisms.Law, v Version, a Attack) (Average, error) {
	if err := errors.Join(t.Check(), v.check()); err != nil {
		return Average{}, err
	}
	if a == OneLabel {
		return t.Local(law.Survival(), v), nil
	}
	z, err := tabulate(law, t.largest())
	if err != nil {
		return Average{}, err
	}
	switch a {
	case HardThreshold:
		h := newHard(z, t.Labels)
		return t.average(func(p Pattern, n int64) float64 { return h.risk(v, p.Counts, n) }), nil
	case SoftThreshold:
		s := newSoft(z, t)
		return t.average(func(p Pattern, n int64) float64 { return s.risk(v, p.Counts, n) }), nil
	}
	return Average{}, fmt.Errorf("risk: unknown attack %q", a)
}

// tabulated noise: what is beyond reach has a probability below beyondReach on each side.
type tabulated struct {
	largest, reach int64
	// exactly and below have P(Z = y) and P(Z < y), from y = -largest on.
	exactly, below []float64
}

const (
	beyondReach = 1e-16
	mostReach   = 1 << 22
)

// tabulate is for counts up to largest.
func tabulate(law mechanisms.Law, largest int64) (tabulated, error) {
	reach := int64(sort.Search(mostReach, func(y int) bool { return law.AtLeast(int64(y)+1) <= beyondReach }))
	if reach+largest > mostReach {
		return tabulated{}, fmt.Errorf("risk: noise or counts of more than %d are too much for thresholds: take less noise; as it grows, the risk tends to a limit", mostReach)
	}
	z := tabulated{largest: largest, reach: reach}
	for y := -largest; y <= reach; y++ {
		z.exactly = append(z.exactly, law.Probability(y))
		z.below = append(z.below, law.AtLeast(1-y))
	}
	for range largest {
		z.exactly = append(z.exactly, 0)
		z.below = append(z.below, 1)
	}
	return z, nil
}

// hard computes
//
//	sum over x >= 1, over k of worth_k P(n_k + Z = x) E[1/(1 + number of others equal to x); no other above x]
//
// where the expectation is the integral over u from 0 to 1 of the product over j other than k of P(n_j + Z < x) + u P(n_j + Z = x),
// since that of u^ties is 1/(1+ties). The integrand is a polynomial in u of degree K-1: Gauss's formula is exact.
type hard struct {
	noise          tabulated
	labels         int
	nodes, weights []float64
}

func newHard(z tabulated, labels int) hard {
	h := hard{noise: z, labels: labels, nodes: make([]float64, (labels+1)/2), weights: make([]float64, (labels+1)/2)}
	quad.Legendre{}.FixedLocations(h.nodes, h.weights, 0, 1)
	return h
}

func (h hard) risk(v Version, counts []int64, n int64) float64 {
	most, least, sum := int64(0), int64(1), 0.0
	for _, count := range counts {
		most, least = max(most, count), max(least, count-h.noise.reach)
	}
	for x := least; x <= most+h.noise.reach; x++ { // the largest count that is shown is hardly ever below, or above
		for i, u := range h.nodes {
			sum += h.weights[i] * h.guessed(v, counts, n, x, u)
		}
	}
	return sum
}

// guessed is the term of x at u.
func (h hard) guessed(v Version, counts []int64, n, x int64, u float64) float64 {
	none, one := 1.0, 0.0
	for _, count := range counts {
		at := x - count + h.noise.largest
		p := h.noise.exactly[at]
		g := h.noise.below[at] + u*p
		one = one*g + none*p*v.share(count, n)
		none *= g
	}
	switch at := x + h.noise.largest; h.labels - len(counts) {
	case 0:
		return one
	case 1:
		return one * (h.noise.below[at] + u*h.noise.exactly[at])
	default:
		return one * power(h.noise.below[at]+u*h.noise.exactly[at], h.labels-len(counts))
	}
}

// soft computes
//
//	sum over k of worth_k E[X_k/sum of X_j] = integral over u from 0 to 1 of sum over k of worth_k G_k'(u) product over j other than k of G_j(u)
//
// with X_j = max(0, n_j + Z) and G_j(u) = E[u^X_j], since that of m u^(m-1) is 1.
//
// The integrand is a power series in u with positive coefficients. It is integrated over [0, 1/2], [1/2, 3/4], ... and a last interval
// that is shorter than one over the largest exponent, by Gauss's formula of 16 nodes each: of no power of u is the relative error
// above 1e-17, as the remainder of the formula shows.
type soft struct {
	labels int
	// at is the place of a count in the rows below.
	at      map[int64]int
	weights []float64
	// value and slope are G and its derivative, by node and place.
	value, slope [][]float64
}

const nodesOfInterval = 16

func newSoft(z tabulated, t *Table) soft {
	s := soft{labels: t.Labels, at: map[int64]int{0: 0}}
	for _, p := range t.Patterns {
		for _, count := range p.Counts {
			if _, known := s.at[count]; !known {
				s.at[count] = len(s.at)
			}
		}
	}
	nodes, weights := make([]float64, nodesOfInterval), make([]float64, nodesOfInterval)
	intervals := bits.Len64(uint64(z.largest+z.reach)) + 1
	for i := range intervals {
		low, high := 1-math.Ldexp(1, -i), 1-math.Ldexp(1, -i-1)
		if i == intervals-1 {
			high = 1
		}
		quad.Legendre{}.FixedLocations(nodes, weights, low, high)
		for j, u := range nodes {
			s.weights = append(s.weights, weights[j])
			s.generate(z, u)
		}
	}
	return s
}

// generate adds G_n(u) = E[u^max(0, n+Z)] and its derivative, for all counts n. With T_n the sum over x >= 1 of P(Z = x-n) u^x,
//
//	T_n = u (P(Z = n-1) + T_(n-1)),   G_n = P(Z <= -n) + T_n.
func (s *soft) generate(z tabulated, u float64) {
	value, slope := make([]float64, len(s.at)), make([]float64, len(s.at))
	var t, dt float64
	for _, p := range slices.Backward(z.exactly[z.largest+1:]) { // Horner's rule for T_0/u
		t, dt = t*u+p, dt*u+t
	}
	t, dt = t*u, dt*u+t
	for n := range z.largest + 1 {
		if n > 0 {
			p := z.exactly[z.largest+1-n]
			t, dt = u*(p+t), p+t+u*dt
		}
		if at, wanted := s.at[n]; wanted {
			value[at], slope[at] = z.below[z.largest+1-n]+t, dt
		}
	}
	s.value, s.slope = append(s.value, value), append(s.slope, slope)
}

func (s soft) risk(v Version, counts []int64, n int64) float64 {
	sum := 0.0
	for i, weight := range s.weights {
		none, one := 1.0, 0.0
		for _, count := range counts {
			at := s.at[count]
			g := s.value[i][at]
			one = one*g + none*s.slope[i][at]*v.share(count, n)
			none *= g
		}
		sum += weight * one * power(s.value[i][0], s.labels-len(counts))
	}
	return sum
}
