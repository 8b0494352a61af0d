package combine

import (
	"context"
	"math/big"
	"slices"

	"tacit/mechanisms"
)

// An Estimate is what one recorded release gives for the counts of a question: each is the sum of some of its noisy cells.
type Estimate struct {
	Counts []int64 // of each cell of the question
	Added  []int   // how many noisy cells each adds up, 1 or more
	// Of is set of a coarser release, whose Counts are noisy cells themselves: which cells of the question each of them adds up. Added is then nil.
	Of [][]int
}

const (
	// weightOfBest is the weight of the estimate of a count that adds up the fewest cells. The others have that part of it, rounded, which these cells
	// are of theirs: with 16, the variance of a mean is at most some parts in a thousand above the least. An estimate of more than 32 times as many
	// cells has none.
	weightOfBest = 16
	// maxKinds bounds the counts of a question that differ in how many cells are added up: the error of each kind is computed by itself.
	maxKinds = 8
	// mostCounted bounds counts that a mean is made of, so that no sum of maxPooled of them with their weights is beyond an int64.
	mostCounted = 1 << 54
	maxPooled   = 1 << 4
)

// A Mean is the answer to a question: of one estimate, or the weighted means of several.
type Mean struct {
	// Sources are the estimates that it is made of, as indexes, rising.
	Sources []int
	// Counts are those of the cells; nil of one estimate, whose counts it has.
	Counts []int64

	noise   *mechanisms.Mechanism
	members []int // the finer estimates that have weights, which may be 0
	// fit is what coarser ones change of the mean of these, whose kinds are base; nil without any.
	fit    *fit
	base   []kind
	baseOf []int
	kinds  []kind
	of     []int // the kind of each cell
	error  int64 // of the least exact count, with a probability of 0.95
}

// A kind are counts that add up as many noisy cells of each estimate: the weight of each, the parts of the weighted sum, and the sum of all weights.
type kind struct {
	weights []int // one for each member
	parts   []mechanisms.Weighted
	divisor int64
}

// Best is the answer that estimates give which are in the order in which they were recorded. Their cells have a noise that adds up (see
// [mechanisms.Mechanism.SumError]); nil if there are no estimates.
//
// Let each estimate come after the other. It alone, the mean of it and of what the answer was made of, or the mean of all that have come, whichever is
// the most exact, takes the place of the answer that there was if the error is less by more than one part in twenty, or if goal is not 0 and only the new
// one's error is at most that. So what is recorded later changes an answer only for a better one. The error is that of the least exact count, with
// a probability of 0.95.
//
// Of counts that keep negative ones the mean of all is the most exact. Where they are shown as 0, estimates of many cells are too high, and so is a mean
// that they have a part in.
//
// A coarser estimate is no answer by itself: it comes to those that have come, and to the answer that there is.
//
// The bounds of many kinds of counts take a while: the error is that of the context once it is done.
func Best(ctx context.Context, noise *mechanisms.Mechanism, estimates []Estimate, goal int64) (*Mean, error) {
	var best *Mean
	var all []int
	for i, e := range estimates {
		var next *Mean
		if e.Of == nil {
			next = alone(noise, i, e)
		}
		candidates := [][]int{append(slices.Clone(all), i)}
		if best != nil && len(best.Sources) < len(all) {
			candidates = append(candidates, append(slices.Clone(best.Sources), i))
		}
		for k, sources := range candidates {
			if !slices.ContainsFunc(sources, func(i int) bool { return estimates[i].Of == nil }) {
				all = sources
				continue
			}
			mean, ok := meanOf(ctx, noise, estimates, sources)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !ok {
				continue
			}
			if k == 0 {
				all = sources
			}
			if len(mean.Sources) > 1 && (next == nil || mean.error < next.error) {
				next = mean
			}
		}
		if next == nil {
			continue
		}
		if best == nil || 100*next.error < 95*best.error || goal > 0 && best.error > goal && next.error <= goal {
			best = next
		}
	}
	if best != nil && best.fit != nil {
		best.addUpFitted(estimates)
	} else if best != nil && len(best.Sources) > 1 {
		best.addUp(estimates)
	}
	return best, nil
}

// alone is one estimate as an answer. A sum of fewer cells has no larger error.
func alone(noise *mechanisms.Mechanism, i int, e Estimate) *Mean {
	w, _ := noise.SumsWithin95(slices.Max(append([]int{1}, e.Added...)), 1)
	return &Mean{Sources: []int{i}, error: w}
}

// meanOf is the weighted mean of some estimates, fitted to those of them that are coarser, without its counts. ok is false if there are too many kinds of counts, or
// counts that are too large, or if the context is done. Estimates that have no weight anywhere are left out.
func meanOf(ctx context.Context, noise *mechanisms.Mechanism, estimates []Estimate, sources []int) (m *Mean, ok bool) {
	if len(sources) > maxPooled {
		return nil, false
	}
	var coarser []int
	m = &Mean{noise: noise}
	for _, i := range sources {
		if estimates[i].Of != nil {
			coarser = append(coarser, i)
		} else {
			m.members = append(m.members, i)
		}
	}
	m.of = make([]int, len(estimates[m.members[0]].Added))
	added := [][]int{nil} // of each kind, how many cells of each member are added up
	for _, i := range m.members {
		if slices.ContainsFunc(estimates[i].Counts, func(n int64) bool { return n > mostCounted || n < -mostCounted }) {
			return nil, false
		}
		if added, ok = m.refine(added, estimates[i].Added); !ok {
			return nil, false
		}
	}
	for _, cells := range added {
		m.kinds = append(m.kinds, kindOf(cells))
	}
	for j, i := range m.members {
		if slices.ContainsFunc(m.kinds, func(k kind) bool { return k.weights[j] > 0 }) {
			m.Sources = append(m.Sources, i)
		}
	}
	if len(coarser) > 0 {
		finer := m.Sources
		if m, ok = m.fitted(estimates, coarser); !ok {
			return nil, false
		}
		m.Sources = append(slices.Clone(finer), m.fit.used(estimates)...)
		slices.Sort(m.Sources)
	}
	for _, k := range m.kinds {
		w, known := m.within(k, 1, m.missOf(big.NewRat(1, 20)))
		if !known || ctx.Err() != nil {
			return nil, false
		}
		m.error = max(m.error, w)
	}
	return m, true
}

// refine tells the counts of each kind apart by how many cells another member adds up.
func (m *Mean) refine(kinds [][]int, added []int) (refined [][]int, ok bool) {
	known := make(map[[2]int]int)
	for cell, n := range added {
		k, found := known[[2]int{m.of[cell], n}]
		if !found {
			if k = len(refined); k == maxKinds {
				return nil, false
			}
			known[[2]int{m.of[cell], n}] = k
			refined = append(refined, append(slices.Clone(kinds[m.of[cell]]), n))
		}
		m.of[cell] = k
	}
	return refined, true
}

// kindOf finds the weights of estimates that add up so many cells.
func kindOf(added []int) kind {
	least := slices.Min(added)
	k := kind{weights: make([]int, len(added))}
	common := 0
	for j, n := range added {
		k.weights[j] = (2*weightOfBest*least + n) / (2 * n)
		common = divisorOf(common, k.weights[j])
	}
	cells := make(map[int]int)
	for j, n := range added {
		k.weights[j] /= common
		k.divisor += int64(k.weights[j])
		if k.weights[j] > 0 {
			cells[k.weights[j]] += n
		}
	}
	for weight := weightOfBest; weight > 0; weight-- {
		if n := cells[weight]; n > 0 {
			k.parts = append(k.parts, mechanisms.Weighted{Weight: weight, Cells: n})
		}
	}
	return k
}

// divisorOf is the greatest common divisor.
func divisorOf(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// addUp makes the counts of a mean.
func (m *Mean) addUp(estimates []Estimate) {
	m.Counts = make([]int64, len(m.of))
	for cell, of := range m.of {
		k, sum := &m.kinds[of], int64(0)
		for j, i := range m.members {
			sum += int64(k.weights[j]) * estimates[i].Counts[cell]
		}
		m.Counts[cell] = nearest(sum, k.divisor)
	}
}

// nearest is the integer nearest to a quotient, and of two the even one: so rounding does not lift counts on average. The divisor is positive.
func nearest(n, divisor int64) int64 {
	whole, rest := n/divisor, n%divisor
	if rest < 0 {
		whole, rest = whole-1, rest+divisor
	}
	if 2*rest > divisor || 2*rest == divisor && whole%2 != 0 {
		whole++
	}
	return whole
}
