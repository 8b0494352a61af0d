package mechanisms

import (
	"math"
	"math/big"

	"tacit/policy"
)

// An Interval holds the true count that a shown one stands for, with a probability of 0.95 or more over the noise (before a release is
// drawn). Both ends are included.
type Interval struct{ Low, High int64 }

// Interval95 is the interval for a count that is shown, or for one that is withheld. A fill value is shown like a count, and may stand for
// either. There is none for swapped counts, which may have
// come from anywhere: ok is false.
func (m *Mechanism) Interval95(shown int64, suppressed bool) (interval Interval, ok bool) {
	return m.Interval(shown, suppressed, big.NewRat(1, 20))
}

// Interval is Interval95 with another probability than 0.05 of missing the true count, above 0 and below 1.
func (m *Mechanism) Interval(shown int64, suppressed bool, miss *big.Rat) (interval Interval, ok bool) {
	switch method := m.method.(type) {
	case additive:
		w := m.within(method.noise, miss)
		switch {
		case suppressed:
			return Interval{0, addSaturating(method.k-1, w)}, true
		case method.k > 0 && isFill(method.fill, shown, method.k): // for a count that was withheld, or for itself
			return Interval{0, addSaturating(max(method.k-1, shown), w)}, true
		}
		return Around(shown, w), true
	case fitted:
		return Around(shown, method.within(miss)), true
	case together:
		p, _ := miss.Float64()
		return Around(shown, method.within(0, p*(1-1e-12))), true
	case publishedSuppression:
		switch {
		case suppressed:
			return Interval{0, method.mostWithheld(miss)}, true
		case method.noisyFill(): // floor(k~/2), for a count up to floor(k~)
			return Interval{0, addSaturating(addSaturating(shown, shown), 1)}, true
		case isFill(method.fill, shown, method.k):
			return Interval{0, max(method.mostWithheld(miss), shown)}, true
		}
		return Interval{shown, shown}, true
	}
	return Interval{}, false
}

// Around is what is within w of a count and not below 0, as no true count is.
func Around(shown, w int64) Interval {
	return Interval{max(0, addSaturating(shown, -w)), max(0, addSaturating(shown, w))}
}

// within is halfWidthBeyond, remembered.
func (m *Mechanism) within(z noise, miss *big.Rat) int64 {
	return m.sums.halfWidth(sumKey{cells: 1, miss: miss.String()}, func() int64 { return halfWidthBeyond(z, miss) })
}

// SelectedInterval is the interval for a count that Select shows: it holds the true count with a probability of 1 - miss or more given that
// the key is shown, whatever the count is. ok is false without a threshold.
//
// The count is n + X with independent noise X, and is shown if it is tau or more. Let n be rejected from below where
// P(n + X >= shown | n + X >= tau) <= miss/2, which happens with that probability at most. As X is log-concave, the probability does not
// fall with n, so that the rejected n are those below Low. For High, P(X < -w | X >= tau - n) <= P(X < -w), since the one event is a lower
// set of X and the other an upper set (Chebyshev's inequality for monotone functions), and w is that of miss/2. Truncated noise has no
// larger tail there than the noise that is truncated. This is the inversion of a conditional test (Fithian, Sun and Taylor 2014,
// "Optimal inference after model selection", section 2).
func (m *Mechanism) SelectedInterval(shown int64, miss *big.Rat) (interval Interval, ok bool) {
	s, ok := m.selection().(conditional)
	if !ok {
		_, published := m.method.(publishedSuppression)
		return Interval{shown, shown}, published // of which the counts that are shown are exact
	}
	limit, _ := miss.Float64()
	limit = limit / 2 * (1 - 100*marginOfFloats)
	tau := s.threshold()
	rejected := func(n int64) bool {
		given := s.atLeast(tau - n)
		return given == 0 || s.atLeast(shown-n)/given <= limit
	}
	low, high := int64(1), max(1, shown) // no key is found without rows
	for low < high {
		if middle := low + (high-low)/2; rejected(middle) {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return Interval{low, max(low, addSaturating(shown, m.within(s.noiseOf(), miss)))}, true
}

// conditional is a threshold on a count with noise.
type conditional interface {
	threshold() int64
	// noiseOf is the noise, perhaps before it is truncated, and atLeast the probability that what is added is at least j.
	noiseOf() noise
	atLeast(j int64) float64
}

func (t noisyThreshold) noiseOf() noise          { return t.noise }
func (t noisyThreshold) atLeast(j int64) float64 { return tail(t.noise, j) }

func (t truncatedThreshold) noiseOf() noise { return t.noise }

// isFill says whether a count that is shown may be the fill value.
func isFill(f policy.Fill, shown, k int64) bool {
	return f.Kind != policy.FillNull && float64(shown) == fillValue(f, k)
}

// mostWithheld is the largest count that is withheld with probability miss or more: s(x) >= miss, where s(k + x) is at most exp(-x/scale)/2.
func (p publishedSuppression) mostWithheld(miss *big.Rat) int64 {
	if p.kind == policy.Suppression {
		return p.k - 1
	}
	scale := 1 / p.noise.rate()
	often, _ := miss.Float64()
	return addSaturating(p.k, int64(math.Floor(scale*max(0, math.Log(0.5/often)))))
}

// HalfWidth95 is the smallest w with P(|Z| <= w) >= 0.95: the noise of 95% of cells is at most that. It is 0 without noise, and a
// bound where cells are fitted.
func (m *Mechanism) HalfWidth95() int64 {
	switch method := m.method.(type) {
	case additive:
		return method.halfWidth()
	case fitted:
		return method.halfWidth95()
	case together:
		return method.halfWidth95()
	}
	return 0
}

// AllWithin95 is a w for which the noise of all of so many counts is at most w, with a probability of 0.95 or more: it holds for those,
// too, that are chosen among them by what is shown, the largest say, of which HalfWidth95 promises nothing. ok is false for kinds that
// do not add independent noise to what they show, and where cells are fitted, whose tails are known at one level alone.
func (m *Mechanism) AllWithin95(counts int) (w int64, ok bool) {
	a, ok := m.method.(additive)
	if !ok || counts < 1 {
		return 0, false
	}
	return m.within(a.noise, big.NewRat(1, 20*int64(counts))), true
}

// SelectedWithin bounds the noise of all counts that Select shows, however many keys there are, for certain: that of truncated noise. ok is
// false for other thresholds. There a key is shown the more probably the larger its noise is, and how many keys there are to choose from
// nobody is told.
func (m *Mechanism) SelectedWithin() (w int64, ok bool) {
	t, ok := m.selection().(truncatedThreshold)
	return t.k, ok
}
