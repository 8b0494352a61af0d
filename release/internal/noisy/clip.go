package noisy

import "tacit/rewrite/query"

// Noise can lift a count of different values above the number of values that are declared. What is shown is no more than that. It is done where
// releases are shown: it looks at the released count alone, so that it costs nothing, and recorded answers are shown so, too.

// mostOf is what counts of a question are clipped to; 0 if they are not.
func (p *QueryPlan) mostOf(c query.Count) int64 {
	if most, ok := p.Query.MostDistinct(c); ok && p.Terms.Mechanism.Kind.AddsNoise() {
		return most
	}
	return 0
}

// clippedWidth bounds errors that noise of a half width has after clipping. If negative counts are shown as 0, truth and count are both
// within 0 and the most.
func (q *Question) clippedWidth(w int64) int64 {
	if q.most > 0 && q.fromZero {
		return min(w, q.most)
	}
	return w
}

// shownCounts are the counts of a question as they are shown.
func (q *Question) shownCounts() []int64 {
	counts := q.Released.Counts
	if q.most == 0 {
		return counts
	}
	clipped := make([]int64, len(counts))
	for i, n := range counts {
		clipped[i] = min(n, q.most)
	}
	return clipped
}
