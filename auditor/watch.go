package auditor

import (
	"fmt"
	"math"
	"slices"

	"tacit/auditor/internal/history"
	"tacit/auditor/posterior"
)

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
func (w *watch) observe(m *model, sh *history.Shape, sums []int) {
	if kind := m.history.Kind(sh); kind != history.Fresh && kind != history.Cut {
		return
	}
	set := sh.Sets[0]
	p := &sh.Open[0]
	mean, variance := moments(m.group(p.Units, middle), set)
	if !m.history.Fresh(p.Block) {
		i := slices.Index(p.Block.Known.Sets, set)
		if i < 0 {
			return
		}
		others, spread := moments(m.group(m.history.Members(p.Block), middle), set)
		others, spread = others-mean, spread-variance
		// Both sides are nearly normal, and their sum is known.
		share := variance / (variance + spread)
		mean += share * (float64(p.Block.Known.Sums[i]) - mean - others)
		variance *= 1 - share
	}
	if deviation := math.Sqrt(variance); deviation >= leastDeviation {
		z := (float64(sums[0]) - mean) / deviation
		w.answers++
		w.squares += z * z
	}
}

// moments are the mean and the variance of the number of people of a group with a value of the set.
func moments(g posterior.Group, set posterior.ValueSet) (mean, variance float64) {
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

// alarm says what is wrong with the answers so far; "" if nothing is.
func (w *watch) alarm() string {
	n := float64(w.answers)
	if n > 0 && (math.Cbrt(w.squares/n)-1+2/(9*n))/math.Sqrt(2/(9*n)) > alarmDeviations {
		return fmt.Sprintf("%d released answers lie %.2g times as far from what the prior expects as they should", w.answers, math.Sqrt(w.squares/n))
	}
	return ""
}
