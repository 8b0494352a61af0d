package mechanisms

import (
	"math"

	"tacit/policy"
)

// An Interval holds the true count that a shown one stands for, with a probability of 0.95 or more over the noise (before a release is
// drawn). Both ends are included.
type Interval struct{ Low, High int64 }

// Interval95 is the interval for a count that is shown, or for one that is withheld. A fill value is shown like a count, and may stand for
// either. There is none for swapped counts, which may have
// come from anywhere: ok is false.
func (m *Mechanism) Interval95(shown int64, suppressed bool) (interval Interval, ok bool) {
	switch method := m.method.(type) {
	case additive:
		w := method.halfWidth()
		switch {
		case suppressed:
			return Interval{0, addSaturating(method.k-1, w)}, true
		case method.k > 0 && isFill(method.fill, shown, method.k): // for a count that was withheld, or for itself
			return Interval{0, addSaturating(max(method.k-1, shown), w)}, true
		}
		return Interval{max(0, addSaturating(shown, -w)), max(0, addSaturating(shown, w))}, true
	case fitted:
		w := method.halfWidth95()
		return Interval{max(0, addSaturating(shown, -w)), max(0, addSaturating(shown, w))}, true
	case publishedSuppression:
		switch {
		case suppressed:
			return Interval{0, method.mostWithheld()}, true
		case method.noisyFill(): // floor(k~/2), for a count up to floor(k~)
			return Interval{0, addSaturating(addSaturating(shown, shown), 1)}, true
		case isFill(method.fill, shown, method.k):
			return Interval{0, max(method.mostWithheld(), shown)}, true
		}
		return Interval{shown, shown}, true
	}
	return Interval{}, false
}

// isFill says whether a count that is shown may be the fill value.
func isFill(f policy.Fill, shown, k int64) bool {
	return f.Kind != policy.FillNull && float64(shown) == fillValue(f, k)
}

// mostWithheld is the largest count that is withheld with probability 0.05 or more: s(x) >= 0.05.
func (p publishedSuppression) mostWithheld() int64 {
	if p.kind == policy.Suppression {
		return p.k - 1
	}
	scale := 1 / p.noise.rate()
	return addSaturating(p.k, int64(math.Floor(scale*math.Ln10)))
}

// HalfWidth95 is the smallest w with P(|Z| <= w) >= 0.95: the noise of 95% of cells is at most that. It is 0 without noise, and a
// bound where cells are fitted.
func (m *Mechanism) HalfWidth95() int64 {
	switch method := m.method.(type) {
	case additive:
		return method.halfWidth()
	case fitted:
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
	return m.sums.halfWidth(sumKey{1, counts}, func() int64 { return halfWidthOfAll95(a.noise, counts) }), true
}

// SelectedWithin bounds the noise of all counts that Select shows, however many keys there are, for certain: that of truncated noise. ok is
// false for other thresholds. There a key is shown the more probably the larger its noise is, and how many keys there are to choose from
// nobody is told.
func (m *Mechanism) SelectedWithin() (w int64, ok bool) {
	t, ok := m.selection().(truncatedThreshold)
	return t.k, ok
}
