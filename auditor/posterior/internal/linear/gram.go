package linear

import "math"

// A Gram is the covariance matrix of sums under a tilted prior, and its Cholesky factor. The first sums, the family, are over disjoint
// atoms and so uncorrelated (the cells of a margin): their block is diagonal, and what is factored densely is only the Schur complement
// of the rest.
//
//	H = | D  N' |     S = R - N D^-1 N'
//	    | N  R  |
type Gram struct {
	Family, Rest int
	Diagonal     []float64 // D
	Start        []int32   // by member of the family: its entries of N
	With         []int32   // the other sum of an entry of N
	Cross        []float64 // the entries of N
	Dense        []float64 // R, then the lower Cholesky factor of S
	work         []float64
	lower        []float64 // the inverse of the factor

	Inverse      []float64 // S^-1
	InverseCross []float64 // -D^-1 N' S^-1, family by rest
	InverseDiag  []float64 // the diagonal of the family's block of H^-1
}

// leastPivot is the part of a sum's variance, given the other sums, below which they count as dependent.
const leastPivot = 1e-12

// Clear makes all covariances 0.
func (g *Gram) Clear() {
	clear(g.Diagonal)
	clear(g.Cross)
	clear(g.Dense)
}

// Factor replaces R by the factor of S. It fails if H is not clearly positive definite.
func (g *Gram) Factor() bool {
	k := g.Rest
	if g.work == nil {
		g.work = make([]float64, k)
	}
	for j := range k {
		g.work[j] = g.Dense[j*k+j]
	}
	for i := range g.Family {
		if g.Diagonal[i] < leastPivot {
			return false
		}
		g.eliminate(i)
	}
	return g.cholesky()
}

// eliminate subtracts the outer product of a member of the family.
func (g *Gram) eliminate(i int) {
	with, cross := g.With[g.Start[i]:g.Start[i+1]], g.Cross[g.Start[i]:g.Start[i+1]]
	for s, j := range with {
		factor := cross[s] / g.Diagonal[i]
		line := g.Dense[int(j)*g.Rest:]
		for t, l := range with[:s+1] {
			line[l] -= factor * cross[t]
		}
	}
}

func (g *Gram) cholesky() bool {
	k := g.Rest
	for i := range k {
		line := g.Dense[i*k : i*k+i+1]
		for j := range i {
			other := g.Dense[j*k : j*k+j+1]
			line[j] = (line[j] - Dot(line[:j], other)) / other[j]
		}
		pivot := line[i] - Dot(line[:i], line)
		if !(pivot > leastPivot*(1+g.work[i])) {
			return false
		}
		line[i] = math.Sqrt(pivot)
	}
	return true
}

// Dot multiplies a by the beginning of b.
func Dot(a, b []float64) float64 {
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

// Axpy adds f times x to the beginning of y.
func Axpy(f float64, x, y []float64) {
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

// Solve replaces b by H^-1 b.
func (g *Gram) Solve(b []float64) {
	first, second := b[:g.Family], b[g.Family:]
	for i := range first {
		x := first[i] / g.Diagonal[i]
		for s := g.Start[i]; s < g.Start[i+1]; s++ {
			second[g.With[s]] -= g.Cross[s] * x
		}
	}
	g.solveRest(second)
	for i := range first {
		x := first[i]
		for s := g.Start[i]; s < g.Start[i+1]; s++ {
			x -= g.Cross[s] * second[g.With[s]]
		}
		first[i] = x / g.Diagonal[i]
	}
}

func (g *Gram) solveRest(b []float64) {
	k := g.Rest
	for i := range k {
		line := g.Dense[i*k : i*k+i+1]
		b[i] = (b[i] - Dot(line[:i], b)) / line[i]
	}
	for i := k - 1; i >= 0; i-- {
		line := g.Dense[i*k : i*k+i+1]
		b[i] /= line[i]
		Axpy(-b[i], line[:i], b)
	}
}

// LogDet is the logarithm of the determinant of H.
func (g *Gram) LogDet() float64 {
	sum := 0.0
	for _, d := range g.Diagonal {
		sum += math.Log(d)
	}
	for i := range g.Rest {
		sum += 2 * math.Log(g.Dense[i*g.Rest+i])
	}
	return sum
}

// Invert computes the parts of H^-1 that atoms need: an atom is in one sum of the family at most.
func (g *Gram) Invert() {
	k := g.Rest
	if g.Inverse == nil {
		g.Inverse = make([]float64, k*k)
		g.InverseCross = make([]float64, g.Family*k)
		g.InverseDiag = make([]float64, g.Family)
	}
	g.invertRest()
	for i := range g.Family {
		line := g.InverseCross[i*k : i*k+k]
		clear(line)
		for s := g.Start[i]; s < g.Start[i+1]; s++ {
			Axpy(-g.Cross[s]/g.Diagonal[i], g.Inverse[int(g.With[s])*k:][:k], line)
		}
		d := 1.0
		for s := g.Start[i]; s < g.Start[i+1]; s++ {
			d -= g.Cross[s] * line[g.With[s]]
		}
		g.InverseDiag[i] = d / g.Diagonal[i]
	}
}

// invertRest forms S^-1 = (L^-1)' L^-1, adding up the outer products of the rows of L^-1.
func (g *Gram) invertRest() {
	k := g.Rest
	if g.lower == nil {
		g.lower = make([]float64, k*k)
	}
	lower := g.lower
	clear(lower)
	for i := range k {
		line, factor := lower[i*k:i*k+i+1], g.Dense[i*k:i*k+i+1]
		for t := range i {
			Axpy(factor[t], lower[t*k:t*k+t+1], line)
		}
		f := 1 / factor[i]
		for j := range i {
			line[j] *= -f
		}
		line[i] = f
	}
	clear(g.Inverse)
	for i := range k {
		line := lower[i*k : i*k+i+1]
		for j, x := range line {
			Axpy(x, line[:j+1], g.Inverse[j*k:])
		}
	}
	for i := range k {
		for j := range i {
			g.Inverse[j*k+i] = g.Inverse[i*k+j]
		}
	}
}

// Between is an entry of H^-1 of two sums of which not two different ones are in the family.
func (g *Gram) Between(c, d int) float64 {
	if c > d {
		c, d = d, c
	}
	switch {
	case d < g.Family:
		return g.InverseDiag[c]
	case c < g.Family:
		return g.InverseCross[c*g.Rest+d-g.Family]
	}
	return g.Inverse[(c-g.Family)*g.Rest+d-g.Family]
}
