package mechanisms

import "math"

// tailBlock is the number of terms that are computed from the first one of them, by ratios: their error is of some tailBlock^2/2 roundings.
const tailBlock = 64

// terms sets terms to exp(-x^2/(2 sigma^2)), for x from an integer >= 0 on. The ratio of neighbours, exp(-(2x+1)/(2 sigma^2)), has a constant
// ratio itself.
func (g *gaussian) terms(from int64, terms []float64) {
	v := g.sigma * g.sigma
	steeper := math.Exp(-1 / v)
	for start := 0; start < len(terms); start += tailBlock {
		x := float64(from) + float64(start)
		term, ratio := math.Exp(-x*x/(2*v)), math.Exp(-(2*x+1)/(2*v))
		for i := start; i < min(start+tailBlock, len(terms)); i++ {
			terms[i] = term
			term *= ratio
			ratio *= steeper
		}
	}
}

// A summation is how tails of discrete Gaussian noise are summed up.
type summation func(z *gaussian) noise

func tabled(z *gaussian) noise   { return z }
func byBlocks(z *gaussian) noise { return &summedTail{gaussian: z} }

// A summedTail is discrete Gaussian noise of which few tails are asked for, as by a search for a variance: each is summed up by itself,
// which takes a small share of the time of a table of all. A delta asks for tails that are one or two apart, so that one sum serves them.
type summedTail struct {
	*gaussian
	first int64
	kept  [3]float64 // tails at first, first+1 and first+2
	held  bool
}

func (s *summedTail) upperTail(k int64) float64 {
	if s.sigma < 2 || s.sigma > smooth {
		return s.gaussian.upperTail(k)
	}
	if !s.held || k < s.first || k >= s.first+int64(len(s.kept)) {
		s.keep(max(1, k))
	}
	return s.kept[k-s.first]
}

// keep computes the tails from first on.
func (s *summedTail) keep(first int64) {
	last := len(s.kept) - 1
	sum := s.sumFrom(first + int64(last))
	weight := s.sigma * math.Sqrt(2*math.Pi) // see [gaussian.weight]
	s.kept[last] = sum / weight
	for i := last - 1; i >= 0; i-- {
		sum += s.weightOf(first + int64(i))
		s.kept[i] = sum / weight
	}
	s.first, s.held = first, true
}

// sumFrom adds blocks up until one no longer counts; from there on each is less than a constant share of the one before.
func (s *summedTail) sumFrom(k int64) float64 {
	var terms [tailBlock]float64
	sum := 0.0
	for ; ; k += tailBlock {
		s.terms(k, terms[:])
		block := 0.0
		for _, term := range terms {
			block += term
		}
		sum += block
		if block <= 1e-18*sum {
			return sum
		}
	}
}

func (s *summedTail) logUpperTail(k int64) float64 { return math.Log(s.upperTail(k)) }
