package mechanisms

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"sync"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/mechanisms/sampling"
	"tacit/policy"
)

// An Exponential is the exponential mechanism (McSherry and Talwar 2007) over a grid of values that is known without the data: it draws a value v with
// a probability proportional to exp(-r c(v)), where c(v) is what is wrong with v. It yields a value and no count.
//
// Adjacency: add-remove or replace-one, as configured. Let s be Config.Sensitivity, and D = s under add-remove and 2s under replace-one: the rows of a
// person, in all cells of a question together, are at most s, so that neighbours differ by at most D rows that come or go.
//
// Costs and their sensitivity. Let n rows of a cell have values of the grid, L(v) of them values before v, and E(v) values up to v.
//
//   - Of a quantile of the fraction a/b, 0 < a < b: c(v) = max(0, b L(v) - a n + 1, a n - b E(v)), which is b times the distance of the rank a n/b
//     from the ranks that v has. It is 0 for the least v with E(v) >= n a/b, and for no other if there are rows: for what PostgreSQL's percentile_disc
//     returns. One row more changes b L(v) - a n by b-a or -a, and a n - b E(v) by a or a-b. So each of the three under max moves by at
//     most m = max(a, b-a), and c with them: the changes of c(v) for different v are at most 2m apart.
//   - Of a mode: c(v) = (largest count) - (count of v), in which the first term is the same for all v and makes no difference. One row more changes one
//     count by 1 and no other: the changes are at most 1 apart.
//
// Guarantee: (epsilon, 0) for all cells of a question together, with r = epsilon/(D w), w being 2m or 1. Let a row that comes or goes change the
// costs of its cell by amounts between l and h, h - l <= w. Then the weight of every value changes by a factor between exp(-r h) and
// exp(-r l), and so does the sum of weights, so that no probability changes by a factor of more than exp(r (h-l)) <= exp(epsilon/D), in either
// direction. The cells are drawn independently: D rows make exp(epsilon), whatever cells they are in.
//
// The draw is exact: costs are integers, and sampling.Bits.ExponentialChoice compares integers. Values between two that are there have equal
// costs, so that the time grows with the number of values that are there, and not with that of the grid.
//
// How exact: some v of a grid of g values has a cost of 0, the others together at most g-1 times the weight exp(-r c) of a cost c. So the cost
// exceeds c with a probability of at most (g-1) exp(-r c) (McSherry and Talwar 2007, Theorem 6).
//
// Failure: as of [Mechanism].
type Exponential struct {
	config Config

	mu    sync.Mutex // protects what follows
	bits  *sampling.Bits
	rates map[int64]*sampling.Rate // by width
}

// A Sample is what is known of the rows of a cell: how many have which value of a grid.
type Sample struct {
	// Grid is how many values the grid has: at least one.
	Grid int
	// At are the places in the grid of the values that rows have, rising, and Counts the numbers of these rows: at least 1 each.
	At     []int
	Counts []int64
}

// mostParts bounds the denominator of a fraction.
const mostParts = 1_000_000

// NewExponential returns the mechanism, or says what is wrong with the configuration. Of that it takes Kind, which is one that adds noise, Epsilon,
// Adjacency, Sensitivity and Random.
func NewExponential(c Config) (*Exponential, error) {
	c = Config{Kind: c.Kind, Epsilon: c.Epsilon, Adjacency: c.Adjacency, Sensitivity: c.Sensitivity, PerCell: c.Sensitivity, Random: c.Random}
	if !c.Kind.AddsNoise() {
		return nil, fmt.Errorf("mechanisms: %s: no values are drawn where counts have no noise, or are withheld", c.Kind)
	}
	if c.Sensitivity > policy.MaxRows {
		return nil, fmt.Errorf("mechanisms: exponential: sensitivity is %d, must be at most %d", c.Sensitivity, policy.MaxRows)
	}
	checked := c
	checked.Kind = policy.Geometric // which needs no delta: neither does the draw of a value
	if err := checked.check(); err != nil {
		return nil, fmt.Errorf("mechanisms: exponential: %w", err)
	}
	return &Exponential{config: c, bits: sampling.NewBits(c.Random), rates: make(map[int64]*sampling.Rate)}, nil
}

// Identity is a text that differs between two mechanisms if the distribution of what they draw does, as [Mechanism.Identity].
func (e *Exponential) Identity() string {
	return fmt.Sprintf("value drawn by the exponential mechanism epsilon %d adjacency %s sensitivity %d\n", e.config.Epsilon, e.config.Adjacency, e.config.Sensitivity)
}

// ExponentialKind is how reports and the ledger name the mechanism.
const ExponentialKind = "exponential"

// Loss is what the values of all cells of a question cost together.
func (e *Exponential) Loss() accountant.Loss { return accountant.Loss{Epsilon: e.config.Epsilon} }

// Term is what is known of that loss.
func (e *Exponential) Term() composition.Term { return composition.Approximate(e.config.Epsilon, 0) }

// Quantile draws a value near that of a fraction, and returns its place in the grid.
func (e *Exponential) Quantile(s Sample, f sampling.Ratio) (place int, err error) {
	if err := checkFraction(f); err != nil {
		return 0, err
	}
	return e.draw(s, quantileWidth(f), func(before, upTo, all uint64) uint64 { return quantileCost(before, upTo, all, f) })
}

// checkFraction says why the quantile of a fraction cannot be drawn: those of 0 and 1 are the values of one row.
func checkFraction(f sampling.Ratio) error {
	if f.Of < 1 || f.Of >= f.All || f.All > mostParts {
		return fmt.Errorf("mechanisms: a fraction of %d/%d is not between 0 and 1, or has too many digits", f.Of, f.All)
	}
	return nil
}

// Mode draws a value that about as many rows have as the most frequent one, and returns its place in the grid.
func (e *Exponential) Mode(s Sample) (place int, err error) {
	var most uint64
	for _, n := range s.Counts {
		most = max(most, uint64(n))
	}
	return e.draw(s, 1, func(before, upTo, _ uint64) uint64 { return most - (upTo - before) })
}

// quantileWidth is 2m.
func quantileWidth(f sampling.Ratio) int64 { return 2 * int64(max(f.Of, f.All-f.Of)) }

// quantileCost is c(v) of a quantile. What exceeds mostCost counts as that, which moves no cost by more than it moved before.
func quantileCost(before, upTo, all uint64, f sampling.Ratio) uint64 {
	if ahead, ok := excess(f.All, before, f.Of, all); ok {
		return ahead + 1
	}
	behind, _ := excess(f.Of, all, f.All, upTo)
	return behind
}

const mostCost = 1 << 62

// excess is a x - b y, or mostCost if it is more; ok is false if it is less than 0.
func excess(a, x, b, y uint64) (cost uint64, ok bool) {
	hi, lo := bits.Mul64(a, x)
	otherHi, otherLo := bits.Mul64(b, y)
	lo, borrow := bits.Sub64(lo, otherLo, 0)
	hi, borrow = bits.Sub64(hi, otherHi, borrow)
	switch {
	case borrow != 0:
		return 0, false
	case hi > 0:
		return mostCost, true
	}
	return min(lo, mostCost), true
}

// draw draws a value by its cost, a function of how many rows have values before it, up to it, and at all.
func (e *Exponential) draw(s Sample, width int64, cost func(before, upTo, all uint64) uint64) (place int, err error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	ties, starts := s.ties(cost)
	e.mu.Lock()
	defer e.mu.Unlock()
	group, outcome := e.bits.ExponentialChoice(ties, e.rate(width))
	if err := e.bits.Err(); err != nil {
		return 0, fmt.Errorf("mechanisms: exponential: %w", err)
	}
	return starts[group] + int(outcome), nil
}

// rate is r for a width.
func (e *Exponential) rate(width int64) *sampling.Rate {
	if e.rates[width] == nil {
		r := big.NewRat(int64(e.config.Epsilon), 1_000_000_000)
		r.Quo(r, new(big.Rat).SetInt64(e.config.distance()))
		e.rates[width] = sampling.NewRate(r.Quo(r, new(big.Rat).SetInt64(width)))
	}
	return e.rates[width]
}

func (s Sample) check() error {
	last := -1
	if len(s.At) != len(s.Counts) {
		return errors.New("mechanisms: internal error: a sample of values without counts")
	}
	for i, at := range s.At {
		if at <= last || s.Counts[i] < 1 {
			return errors.New("mechanisms: internal error: a sample whose values do not rise, or without rows")
		}
		last = at
	}
	if last >= s.Grid || s.Grid < 1 {
		return errors.New("mechanisms: internal error: a sample outside of its grid")
	}
	return nil
}

// ties groups the values of the grid, in its order: those that rows have, each by itself, and those between them. starts are the places of the first of
// each group.
func (s Sample) ties(cost func(before, upTo, all uint64) uint64) (ties []sampling.Tied, starts []int) {
	var all, before uint64
	for _, n := range s.Counts {
		all += uint64(n)
	}
	add := func(start, end int, upTo uint64) {
		if start < end {
			ties, starts = append(ties, sampling.Tied{Outcomes: uint64(end - start), Cost: cost(before, upTo, all)}), append(starts, start)
		}
	}
	next := 0
	for i, at := range s.At {
		add(next, at, before)
		upTo := before + uint64(s.Counts[i])
		add(at, at+1, upTo)
		before, next = upTo, at+1
	}
	add(next, s.Grid, before)
	return ties, starts
}

// QuantileWithin95 bounds how many ranks a quantile over a grid is off, with a probability of 0.95 or more: it is the value of a rank no farther than
// that from the one that was asked for.
func (e *Exponential) QuantileWithin95(grid int, f sampling.Ratio) int64 {
	return int64(math.Ceil(e.within95(grid, quantileWidth(f)) / float64(f.All)))
}

// ModeWithin95 bounds how many rows fewer than the most frequent value the value has that is drawn, with a probability of 0.95 or more.
func (e *Exponential) ModeWithin95(grid int) int64 { return int64(math.Ceil(e.within95(grid, 1))) }

// within95 is the c with (g-1) exp(-r c) = 0.05.
func (e *Exponential) within95(grid int, width int64) float64 {
	if grid <= 1 {
		return 0
	}
	r := float64(e.config.Epsilon) / 1e9 / float64(e.config.distance()) / float64(width)
	return math.Log(float64(grid-1)/0.05) / r
}
