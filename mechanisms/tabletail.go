package mechanisms

import "math"

// tailWindow is how many tails are kept on either side of one that is asked for: those that the same delta asks for next.
const tailWindow = 4

// A tableTail is discrete Gaussian noise whose tails are those of the table, to the last bit, without the table: a search for a variance
// makes a table for each step and reads two tails of it.
//
// The table sums up from 39 sigma. Most of these terms are lost when the sum is rounded. What they add up to before some k lies between 0
// and a bound. Rounded addition never turns an order round: of three sums that begin with 0, with the true one and with the bound, the true one
// stays between the others, and where these two have become the same number it is that number. From there on there is one sum.
type tableTail struct {
	*gaussian
	first int64     // of the tails that are kept
	kept  []float64 // tails at first, first+1, ...
}

func byTable(z *gaussian) noise { return &tableTail{gaussian: z} }

func (t *tableTail) upperTail(k int64) float64 {
	last := lastTabled(t.sigma)
	switch {
	case t.sigma < 2, t.sigma > smooth: // few terms, or none
		return t.gaussian.upperTail(k)
	case k > last:
		return 0
	case t.kept == nil || k < t.first || k >= t.first+int64(len(t.kept)):
		t.keep(max(1, k-tailWindow), min(last, k+tailWindow))
	}
	if t.kept == nil {
		return t.gaussian.upperTail(k)
	}
	return t.kept[k-t.first]
}

func (t *tableTail) logUpperTail(k int64) float64 { return math.Log(t.upperTail(k)) }

// lost is the share, as a power of 2, of which the terms that are not added up are of the first tail that is kept: a number has 53 bits, there are fewer than
// 2^16 terms, and the rest is room for the two sums to meet.
const lost = 90

// keep computes the tails from first to last. It keeps none if the two sums do not meet before.
func (t *tableTail) keep(first, last int64) {
	v := 2 * t.sigma * t.sigma
	from := min(int64(math.Sqrt(float64(last)*float64(last)+v*lost*math.Ln2))+1, lastTabled(t.sigma))
	low, high := 0.0, 0.0
	if terms := lastTabled(t.sigma) - from; terms > 0 {
		high = 2 * float64(terms) * t.weightOf(from) // twice: each of the terms and of their sums is rounded
	}
	k := from
	for ; k > last && low != high; k-- {
		term := t.weightOf(k)
		low, high = low+term, high+term
	}
	if t.kept = nil; low != high {
		return
	}
	t.first, t.kept = first, make([]float64, last-first+1)
	for sum := low; k >= 1; k-- {
		sum += t.weightOf(k)
		if k >= first && k <= last {
			t.kept[k-first] = sum
		}
		low = sum
	}
	total := 1 + 2*low
	for i := range t.kept {
		t.kept[i] /= total
	}
}
