package risk

import (
	"math"
	"slices"
)

// expectedByPolynomials draws the labels' counts as independent Poisson variables of means n p_k, which are multinomial given that
// their sum is n. So the risk is, with w(x) for the probabilities of such a variable, the coefficient of z^n in
//
//	sum over k of A_k(z) product over j other than k of G_j(z), divided by P(Poisson(n) = n),
//	G_j(z) = sum over x >= 0 of w_j(x) b(x) z^x,  A_k(z) = sum over x >= 1 of w_k(x) a(x) z^x,
//
// with a(x) x/n in A_k for the record version. All terms are positive and at most 1: nothing cancels or overflows. As for one cell, the sum of
// products is gone through with the polynomial of none shown so far, and of one.
func expectedByPolynomials(m *memo, v Version, p []float64, n int64) float64 {
	slices.Sort(p) // of the largest one, no product is needed
	last := len(p) - 1
	if last == 0 {
		a, _ := m.at(n)
		return a
	}
	none, one := m.weigh(p[0], v, n)
	for _, probability := range p[1:last] {
		g, a := m.weigh(probability, v, n)
		one = m.scratch.products(n, one, g, none, a)
		none = m.scratch.products(n, none, g, polynomial{}, polynomial{})
	}
	g, a := m.weigh(p[last], v, n)
	return (one.coefficient(g, n) + none.coefficient(a, n)) / poissonNearMean(n, float64(n))
}

// weigh are G and A of a label.
func (m *memo) weigh(probability float64, v Version, n int64) (g, a polynomial) {
	w := m.scratch.poissonWeights(float64(n)*probability, n)
	a = polynomial{low: w.low, c: m.scratch.take(len(w.c))}
	for i, weight := range w.c {
		x := w.low + int64(i)
		survives, vanishes := m.at(x)
		w.c[i] = weight * vanishes
		a.c[i] = weight * survives * v.share(x, n)
	}
	if w.low == 0 {
		a.c[0] = 0 // a label that does not occur discloses nobody
	}
	return w.trim(), a.trim()
}

// A polynomial has the coefficient c[i] at z^(low+i).
type polynomial struct {
	low int64
	c   []float64
}

// end is the power after the last.
func (p polynomial) end() int64 { return p.low + int64(len(p.c)) }

// negligible is what is left out, of weights and of terms: what they add up to is multiplied by sqrt(2 pi n) in the end.
const negligible = 1e-40

// trim leaves out terms at both ends that add up to nothing that matters.
func (p polynomial) trim() polynomial {
	first, end := 0, len(p.c)
	for end > 0 && p.c[end-1] < negligible {
		end--
	}
	for first < end && p.c[first] < negligible {
		first++
	}
	return polynomial{low: p.low + int64(first), c: p.c[first:end]}
}

// coefficient is that of z^n in the product.
func (p polynomial) coefficient(q polynomial, n int64) float64 {
	var sum float64
	for i := max(0, n-p.low-q.end()+1); i < int64(len(p.c)) && i <= n-p.low-q.low; i++ {
		sum += p.c[i] * q.c[n-p.low-q.low-i]
	}
	return sum
}

// A scratch lends memory until it is reset.
type scratch struct{ free, all []float64 }

func (s *scratch) reset() { s.free = s.all }

// take lends n zeros.
func (s *scratch) take(n int) []float64 {
	if n > len(s.free) {
		s.all = make([]float64, 2*len(s.all)+n)
		s.free = s.all
	}
	lent := s.free[:n:n]
	s.free = s.free[n:]
	clear(lent)
	return lent
}

// products is p q + u w up to z^n.
func (s *scratch) products(n int64, p, q, u, w polynomial) polynomial {
	low, end := n+1, int64(0)
	for _, factors := range [...][2]polynomial{{p, q}, {u, w}} {
		if f, g := factors[0], factors[1]; len(f.c) > 0 && len(g.c) > 0 {
			low, end = min(low, f.low+g.low), max(end, min(n+1, f.end()+g.end()-1))
		}
	}
	if low >= end {
		return polynomial{}
	}
	sum := polynomial{low: low, c: s.take(int(end - low))}
	sum.addProduct(p, q)
	sum.addProduct(u, w)
	return sum.trim()
}

// addProduct adds p q up to the last power that the sum holds.
func (sum polynomial) addProduct(p, q polynomial) {
	offset := p.low + q.low - sum.low
	for i, x := range p.c {
		at := offset + int64(i)
		if at >= int64(len(sum.c)) || len(q.c) == 0 {
			return
		}
		row := sum.c[at:]
		for j, y := range q.c[:min(len(q.c), len(row))] {
			row[j] += x * y
		}
	}
}

// poissonWeights are P(X = x) for a Poisson variable of this mean and all x up to n but those with less than 1e-40 of the probability on
// either side, by Bernstein's inequality: it is exp(-t^2/(2 mean)) at most for mean - t, and exp(-t^2/(2 mean + 2t/3)) for mean + t. They
// are computed by the ratio of neighbours from the largest one, which keeps 13 digits for means of thousands.
func (s *scratch) poissonWeights(mean float64, n int64) polynomial {
	mode := min(int64(mean), n)
	reach := 14 * math.Sqrt(mean)
	low, high := max(0, mode-int64(reach)-1), min(n, mode+int64(reach)+62)
	w := polynomial{low: low, c: s.take(int(high - low + 1))}
	w.c[mode-low] = poissonNearMean(mode, mean)
	for x := mode; x > low; x-- {
		w.c[x-1-low] = w.c[x-low] * (float64(x) / mean)
	}
	for x := mode; x < high; x++ {
		w.c[x+1-low] = w.c[x-low] * (mean / float64(x+1))
	}
	return w
}

// poissonNearMean is exp(-mean) mean^x/x! for x <= mean < x+1, or up to rounding. From 16 on, x! is taken by Stirling's series, which has 16
// digits there, and the powers together: exp(-mean) underflows.
func poissonNearMean(x int64, mean float64) float64 {
	if x < 16 {
		p := math.Exp(-mean)
		for i := 1.0; i <= float64(x); i++ {
			p *= mean / i
		}
		return p
	}
	at := float64(x)
	u := 1 / (at * at)
	series := (1./12 - u*(1./360-u*(1./1260-u*(1./1680-u/1188)))) / at
	distance := (mean - at) / at
	return math.Exp(at*(math.Log1p(distance)-distance)-series) / math.Sqrt(2*math.Pi*at)
}
