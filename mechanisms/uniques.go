package mechanisms

import (
	"math"

	"tacit/policy"
)

// ExpectUniques is how many of the persons who are alone in their cell are expected to be shown so: in a cell that is shown as 1, and as 1
// or more. A cell that is withheld is not shown, and any fill value of 1 or more is: these are the published measures, which look at numbers and
// know no k, unlike [Survival]. It is exact, but for fitted cells (see [fitted]).
//
// It is for people who compare mechanisms, and for the steward alone: it is computed from the true counts. No release depends on it.
func (m *Mechanism) ExpectUniques(h Histogram) (asOne, oneOrMore float64) {
	if s, ok := m.method.(cellSwapping); ok {
		return s.expectUniques(h)
	}
	// What is shown of a cell depends on no other cell.
	uniques := 0.0
	for _, n := range h.Counts {
		if n == 1 {
			uniques++
		}
	}
	one, more := m.unique()
	return uniques * one, uniques * more
}

// unique are the probabilities for one cell. Shown counts are integers, so that those up to 3/4 are the ones below 1. Expect takes a cell
// that is withheld for one of k/2.
func (m *Mechanism) unique() (asOne, oneOrMore float64) {
	cell := m.method.expect(Histogram{Counts: []int64{1}})[0]
	if _, ok := m.method.(fitted); ok {
		below := cell.Distribution(0.5)
		return cell.Distribution(1.5) - below, 1 - below
	}
	below, upToOne := cell.Distribution(0.75), cell.Distribution(1)
	asOne, oneOrMore = upToOne-below, 1-below
	if m.config.Kind.Suppresses() && m.config.Fill.Kind == policy.FillNull {
		half := fillValue(m.config.Fill, m.config.K)
		if half == 1 {
			asOne -= cell.Suppressed
		}
		if half >= 1 {
			oneOrMore -= cell.Suppressed
		}
	}
	return max(0, asOne), max(0, oneOrMore)
}

// expectUniques: a unique cell in a block with m other non-empty cells, of which u are unique, is shown as 1 if it stays and none of the m
// comes, or it moves and of them only one of the u comes; and as 0 if it moves and none of the m comes. Each of them comes with
// probability p (see expect).
func (s cellSwapping) expectUniques(h Histogram) (asOne, oneOrMore float64) {
	for _, block := range h.Blocks {
		occupied, uniques := -1.0, -1.0 // but for one unique cell itself
		for _, i := range block {
			if h.Counts[i] > 0 {
				occupied++
			}
			if h.Counts[i] == 1 {
				uniques++
			}
		}
		if uniques < 0 {
			continue
		}
		gamma, p := s.probabilities(len(block))
		none := math.Pow(1-p, occupied)
		one := gamma * none
		if uniques > 0 {
			one += (1 - gamma) * uniques * p * math.Pow(1-p, occupied-1)
		}
		asOne += (uniques + 1) * one
		oneOrMore += (uniques + 1) * (1 - (1-gamma)*none)
	}
	return asOne, oneOrMore
}
