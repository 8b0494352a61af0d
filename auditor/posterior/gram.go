package posterior

import "math"

// A gram is the covariance matrix of sums under a tilted prior, and its Cholesky factor. The first sums, the family, are over disjoint
// atoms and so uncorrelated (the cells of a margin): their block is diagonal, and what is factored densely is only the Schur complement
// of the rest.
//
//	H = | D  N' |     S = R - N D^-1 N'
//	    | N  R  |
type gram struct {
	family, rest int
	diagonal     []float64 // D
	start        []int32   // by member of the family: its entries of N
	with         []int32   // the other sum of an entry of N
	cross        []float64 // the entries of N
	dense        []float64 // R, then the lower Cholesky factor of S
	work         []float64

	inverse      []float64 // S^-1
	inverseCross []float64 // -D^-1 N' S^-1, family by rest
	inverseDiag  []float64 // the diagonal of the family's block of H^-1
}

// leastPivot is the part of a sum's variance, given the other sums, below which they count as dependent.
const leastPivot = 1e-12

func (g *gram) clear() {
	clear(g.diagonal)
	clear(g.cross)
	clear(g.dense)
}

// factor replaces R by the factor of S. It fails if H is not clearly positive definite.
func (g *gram) factor() bool {
	k := g.rest
	for j := range k {
		g.work[j] = g.dense[j*k+j]
	}
	for i := range g.family {
		if g.diagonal[i] < leastPivot {
			return false
		}
		g.eliminate(i)
	}
	return g.cholesky()
}

// eliminate subtracts the outer product of a member of the family.
func (g *gram) eliminate(i int) {
	with, cross := g.with[g.start[i]:g.start[i+1]], g.cross[g.start[i]:g.start[i+1]]
	for s, j := range with {
		factor := cross[s] / g.diagonal[i]
		line := g.dense[int(j)*g.rest:]
		for t, l := range with[:s+1] {
			line[l] -= factor * cross[t]
		}
	}
}

func (g *gram) cholesky() bool {
	k := g.rest
	for i := range k {
		line := g.dense[i*k : i*k+i+1]
		for j := range i {
			other := g.dense[j*k : j*k+j+1]
			line[j] = (line[j] - dot(line[:j], other)) / other[j]
		}
		pivot := line[i] - dot(line[:i], line)
		if !(pivot > leastPivot*(1+g.work[i])) {
			return false
		}
		line[i] = math.Sqrt(pivot)
	}
	return true
}

// dot multiplies a by the beginning of b.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + (s2 + s3)
}

// axpy adds f times x to the beginning of y.
func axpy(f float64, x, y []float64) {
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a, b := x[i:i+4:i+4], y[i:i+4:i+4]
		b[0] += f * a[0]
		b[1] += f * a[1]
		b[2] += f * a[2]
		b[3] += f * a[3]
	}
	for ; i < len(x); i++ {
		y[i] += f * x[i]
	}
}

// solve replaces b by H^-1 b.
func (g *gram) solve(b []float64) {
	first, second := b[:g.family], b[g.family:]
	for i := range first {
		x := first[i] / g.diagonal[i]
		for s := g.start[i]; s < g.start[i+1]; s++ {
			second[g.with[s]] -= g.cross[s] * x
		}
	}
	g.solveRest(second)
	for i := range first {
		x := first[i]
		for s := g.start[i]; s < g.start[i+1]; s++ {
			x -= g.cross[s] * second[g.with[s]]
		}
		first[i] = x / g.diagonal[i]
	}
}

func (g *gram) solveRest(b []float64) {
	k := g.rest
	for i := range k {
		line := g.dense[i*k : i*k+i+1]
		b[i] = (b[i] - dot(line[:i], b)) / line[i]
	}
	for i := k - 1; i >= 0; i-- {
		line := g.dense[i*k : i*k+i+1]
		b[i] /= line[i]
		axpy(-b[i], line[:i], b)
	}
}

// logDet is the logarithm of the determinant of H.
func (g *gram) logDet() float64 {
	sum := 0.0
	for _, d := range g.diagonal {
		sum += math.Log(d)
	}
	for i := range g.rest {
		sum += 2 * math.Log(g.dense[i*g.rest+i])
	}
	return sum
}

// invert computes the parts of H^-1 that atoms need: an atom is in one sum of the family at most.
func (g *gram) invert() {
	k := g.rest
	if g.inverse == nil {
		g.inverse = make([]float64, k*k)
		g.inverseCross = make([]float64, g.family*k)
		g.inverseDiag = make([]float64, g.family)
	}
	g.invertRest()
	for i := range g.family {
		line := g.inverseCross[i*k : i*k+k]
		clear(line)
		for s := g.start[i]; s < g.start[i+1]; s++ {
			axpy(-g.cross[s]/g.diagonal[i], g.inverse[int(g.with[s])*k:][:k], line)
		}
		d := 1.0
		for s := g.start[i]; s < g.start[i+1]; s++ {
			d -= g.cross[s] * line[g.with[s]]
		}
		g.inverseDiag[i] = d / g.diagonal[i]
	}
}

// invertRest forms S^-1 = (L^-1)' L^-1, adding up the outer products of the rows of L^-1.
func (g *gram) invertRest() {
	k := g.rest
	lower := make([]float64, k*k)
	for i := range k {
		line, factor := lower[i*k:i*k+i+1], g.dense[i*k:i*k+i+1]
		for t := range i {
			axpy(factor[t], lower[t*k:t*k+t+1], line)
		}
		f := 1 / factor[i]
		for j := range i {
			line[j] *= -f
		}
		line[i] = f
	}
	clear(g.inverse)
	for i := range k {
		line := lower[i*k : i*k+i+1]
		for j, x := range line {
			axpy(x, line[:j+1], g.inverse[j*k:])
		}
	}
	for i := range k {
		for j := range i {
			g.inverse[j*k+i] = g.inverse[i*k+j]
		}
	}
}

// between is an entry of H^-1 of two sums of which not two different ones are in the family.
func (g *gram) between(c, d int) float64 {
	if c > d {
		c, d = d, c
	}
	switch {
	case d < g.family:
		return g.inverseDiag[c]
	case c < g.family:
		return g.inverseCross[c*g.rest+d-g.family]
	}
	return g.inverse[(c-g.family)*g.rest+d-g.family]
}
