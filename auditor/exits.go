package auditor

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"tacit/auditor/posterior"
)

// check looks whether released answers made somebody unsafe. Then the family of the blocks is tainted: the risk of that was charged, and
// nothing more is promised of its people, but nothing new is said about them either. Blocks that share no sum with them go on.
func (s *State) check(f families) {
	parts := make(map[*part]bool)
	origins := slices.SortedFunc(maps.Keys(f), func(a, b *block) int { return cmp.Compare(a.name, b.name) })
	for _, origin := range origins {
		family, out := f[origin], false
		for _, b := range family {
			unsafe, seen := parts[b.part]
			switch {
			case b.part == nil:
				unsafe = s.unsafe(b)
			case !seen:
				unsafe = s.unsafePart(b.part)
				parts[b.part] = unsafe
			}
			out = out || unsafe
		}
		if !out {
			continue
		}
		s.exited = true
		for _, b := range family {
			b.tainted = true
		}
		s.alarm = fmt.Sprintf("an answer about %d people came out beyond epsilon, which the model gives at most the probability delta", peopleOf(family))
	}
	s.watch.judge(s)
}

// A watch sums the squares of how far answers fell from what was expected of them given those before, in standard deviations. Under the
// model that has nearly a chi squared law with as many degrees of freedom as there were answers.
type watch struct {
	answers int
	squares float64
}

// leastDeviation is where a count is near enough to normal for a square of it to be judged. A count of a rare value has the longest tail, that
// of Poisson's law: from this deviation on one answer alone raises the alarm with a probability below 1e-9.
const leastDeviation = 8

// observe notes how an answer to be added to the history compares with what was expected. Linked sums are not judged.
func (s *State) observe(sh *shape, sums []int) {
	set := sh.query.Values[0]
	p := &sh.open[0]
	mean, variance := s.moments(s.group(p.units, middle), set)
	if p.block != s.root {
		total := 0
		for i, class := range p.block.known.Sets {
			if class == set {
				total = p.block.known.Sums[i]
			}
		}
		if !slices.Contains(p.block.known.Sets, set) {
			return
		}
		others, spread := s.moments(s.group(s.members(p.block), middle), set)
		others, spread = others-mean, spread-variance
		// Both sides are nearly normal, and their sum is known.
		share := variance / (variance + spread)
		mean += share * (float64(total) - mean - others)
		variance *= 1 - share
	}
	if deviation := math.Sqrt(variance); deviation >= leastDeviation {
		z := (float64(sums[0]) - mean) / deviation
		s.watch.answers++
		s.watch.squares += z * z
	}
}

// moments are the mean and the variance of the number of people of a group with a value of the set.
func (s *State) moments(g posterior.Group, set posterior.ValueSet) (mean, variance float64) {
	for i := range g {
		n, p := float64(g[i].People), 0.0
		for v, prior := range g[i].Prior {
			if set.Has(v) {
				p += prior
			}
		}
		mean += n * p
		variance += n*p*(1-p) + n*(n-1)*p*p*g[i].Spread*g[i].Spread
	}
	return mean, variance
}

// alarmDeviations is where the sum of squares is too large: 6 standard deviations of a normal variable, which the cube root of a chi
// squared nearly is (Wilson and Hilferty). A normal variable is beyond with probability 1e-9.
const alarmDeviations = 6

func (w *watch) judge(s *State) {
	if w.answers == 0 || s.alarm != "" {
		return
	}
	n := float64(w.answers)
	if z := (math.Cbrt(w.squares/n) - 1 + 2/(9*n)) / math.Sqrt(2/(9*n)); z > alarmDeviations {
		s.alarm = fmt.Sprintf("%d released answers lie %.2g times as far from what the prior expects as they should", w.answers, math.Sqrt(w.squares/n))
	}
}
