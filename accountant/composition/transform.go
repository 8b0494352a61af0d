package composition

import (
	"math"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"
)

// maxTransform bounds the length of a transform: two of this length take a second or less.
const maxTransform = 1 << 20

// transforms are fast Fourier transforms by the logarithm of their length. They hold tables and are made once for each length and
// processor.
type transforms [32]sync.Pool

func (t *transforms) take(length int) *fourier.FFT {
	if fft, ok := t[bits.Len(uint(length))].Get().(*fourier.FFT); ok {
		return fft
	}
	return fourier.NewFFT(length)
}

func (t *transforms) put(length int, fft *fourier.FFT) { t[bits.Len(uint(length))].Put(fft) }

// A window is where the tilted sum of losses has nearly all of its mass: length points from the start-th above the lowest.
type window struct {
	start  float64
	length int
	// above bounds the tilted mass above it.
	above float64
}

// logOutside is about the logarithm of the tilted mass on either side of a window.
const logOutside = -25

// window is that of the sum tilted by lambda, by Chernoff's bounds. Masses below it are folded to its upper end by the transform, where they
// make delta larger, not smaller.
func (c composed) window(lambda float64) (window, bool) {
	k := c.cumulants(lambda)
	low, step, spread := c.low(), c[0].step, math.Sqrt(k.variance)
	start, end := 0.0, c.span()
	above := 0.0
	for _, sigmas := range []float64{3.5, 5, 7, 10, 14} {
		s := sigmas / max(spread, step/8)
		bottom := (k.log - c.cumulants(lambda-s).log + logOutside) / s
		top := (c.cumulants(lambda+s).log - k.log - logOutside) / s
		start = max(start, math.Floor((bottom-low)/step)-1)
		if t := math.Ceil((top-low)/step) + 1; t < end {
			end, above = t, math.Exp(logOutside)*(1+1e-6)
		}
	}
	if !(end >= start) { // not a number, as numbers overflowed
		return window{}, false
	}
	length := 1 << bits.Len(uint(min(end-start, 2*maxTransform)))
	for _, p := range c {
		for length < len(p.mass) {
			length *= 2
		}
	}
	return window{start, length, above}, length <= maxTransform
}

// tilted is the distribution of the sum tilted by lambda, by a cyclic convolution; ok is false if it takes too long a transform, or if
// rounding errors might have drowned it.
//
// Stated errors: what is above the window; what was dropped of atoms; and roundings, as follows. Let u = 2^-53, N be the length and
// x a tilted distribution, of sum 1. A transform of x has an error of at most a sqrt(N) |x| in the l2 norm, a = 32 u log2 N (Higham 2002,
// Theorem 24.2, with a factor of more than 2 to spare for the sines). No coefficient is above 1, so that the error of the product of k
// coefficients is at most the sum of k errors, and 4 k u of it for k multiplications; both are at most doubled by second-order terms if the
// sum is below 1/2. The transform back has sqrt(N) times a smaller error norm, and adds one of a |y|, |y| <= 1. N entries with an error
// norm of e have errors that sum up to at most sqrt(N) e.
func (c composed) tilted(lambda float64, t *transforms) (d lattice, ok bool) {
	w, ok := c.window(lambda)
	if !ok {
		return lattice{}, false
	}
	fft := t.take(w.length)
	defer t.put(w.length, fft)
	d = lattice{step: c[0].step, tilt: lambda, low: c.low() + w.start*c[0].step}
	product := make([]complex128, w.length/2+1)
	for i := range product {
		product[i] = 1
	}
	sequence, coefficients := make([]float64, w.length), make([]complex128, w.length/2+1)
	var copies float64
	for _, p := range c {
		log := p.tiltInto(sequence, lambda)
		d.log += float64(p.n) * log
		fft.Coefficients(coefficients, sequence)
		for i, z := range coefficients {
			product[i] *= power(z, p.n)
		}
		copies += float64(p.n)
		d.lost += float64(p.n) * p.dropped
		d.margin += float64(p.n) * (p.margin + slack*(2+math.Abs(lambda*p.loss(0))+math.Abs(lambda*p.loss(len(p.mass)-1))))
	}
	d.mass = rotate(fft.Sequence(sequence, product), w.start)
	root, a := math.Sqrt(float64(w.length)), 32*0x1p-53*float64(bits.Len(uint(w.length)))
	d.missing = w.above + 2*root*(copies*(a+4*0x1p-53)+a)
	d.margin = math.Expm1(d.margin)
	return d, copies*root*a < 0.5
}

// tiltInto writes the atoms tilted by lambda and normalised, from the first on, and returns the logarithm of what they were divided by.
func (u atoms) tiltInto(sequence []float64, lambda float64) float64 {
	clear(sequence)
	high := u.loss(len(u.mass) - 1)
	var sum float64
	for i, p := range u.mass {
		sequence[i] = p * math.Exp(lambda*(u.loss(i)-high))
		sum += sequence[i]
	}
	for i := range u.mass {
		sequence[i] /= sum
	}
	return math.Log(sum) + lambda*high
}

// rotate returns the entries from start on, cyclically, each divided by their number as the transform back demands. Entries below 0 are
// errors: at 0 they are nearer to the truth.
func rotate(sequence []float64, start float64) []float64 {
	n := len(sequence)
	shift := int(math.Mod(start, float64(n)))
	out := make([]float64, n)
	for i := range out {
		out[i] = max(0, sequence[(i+shift)%n]) / float64(n)
	}
	return out
}

// power is z^n, for n >= 1, by squaring.
func power(z complex128, n int64) complex128 {
	out := complex(1, 0)
	for ; n > 0; n >>= 1 {
		if n&1 != 0 {
			out *= z
		}
		z *= z
	}
	return out
}
