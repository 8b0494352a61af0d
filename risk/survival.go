package risk

import (
	"fmt"
	"math"
	"slices"
)

// A Survival says how likely a count of n >= 0 is shown as 1 or more. mechanisms.Survival is one.
//
// The measures are sums of products of these probabilities, without a difference: they have as many digits.
type Survival interface {
	// Survives is the probability that n is shown as 1 or more.
	Survives(n int64) float64
	// Vanishes is 1 - Survives(n), without cancellation.
	Vanishes(n int64) float64
}

// A Version says what of a disclosed cell counts.
type Version string

const (
	// Event is that the cell is disclosed at all: exactly one label is shown, and the cell has persons of it (Liu and Zhao 2023,
	// equation 6, which they bound).
	Event Version = "event"
	// Records is the share of the cell's persons whose label is the one that is shown: their equation 7 as it was meant. (As printed, the
	// label is not bound.) It is at most Event, and equal to it in homogeneous cells.
	Records Version = "records"
)

// Versions are both.
var Versions = []Version{Event, Records}

// check refuses what is neither.
func (v Version) check() error {
	if !slices.Contains(Versions, v) {
		return fmt.Errorf("risk: unknown version %q: take %q or %q", v, Event, Records)
	}
	return nil
}

// share is what a label counts that is shown alone, which has count of the cell's n records.
func (v Version) share(count, n int64) float64 {
	switch v {
	case Event:
		return 1
	case Records:
		return float64(count) / float64(n)
	}
	return math.NaN()
}

// A memo computes a survival of small counts once, and lends memory for one cell.
type memo struct {
	of      Survival
	small   []probabilities
	scratch scratch
}

type probabilities struct{ survives, vanishes float64 }

// memoSize is the number of counts that a memo holds.
const memoSize = 1 << 12

// remember returns a memo for counts up to largest. Its survival must not change, and it is for one goroutine.
func remember(s Survival, largest int64) *memo {
	m := &memo{of: s, small: make([]probabilities, min(largest, memoSize-1)+1)}
	for n := range m.small {
		m.small[n].survives = math.NaN()
	}
	return m
}

func (m *memo) at(n int64) (survives, vanishes float64) {
	if n >= int64(len(m.small)) {
		return m.of.Survives(n), m.of.Vanishes(n)
	}
	p := &m.small[n]
	if math.IsNaN(p.survives) {
		p.survives, p.vanishes = m.of.Survives(n), m.of.Vanishes(n)
	}
	return p.survives, p.vanishes
}
