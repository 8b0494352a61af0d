// Package modular computes modulo the prime 2^61-1.
//
// Which counts follow from released ones is a question of linear algebra over the rationals. Elimination modulo a large prime answers it
// without fractions that grow: what is linearly independent modulo the prime is so over the rationals, and the converse fails only if the
// prime divides a minor of the matrix, which its users guard against by what they compute besides. The prime is fixed so that a decision can be
// made again from its log.
package modular

import "math/bits"

// Prime is 2^61-1.
const Prime = 1<<61 - 1

// Residue is x modulo the prime.
func Residue(x int) uint64 {
	x %= Prime
	if x < 0 {
		x += Prime
	}
	return uint64(x)
}

// Centred is the representative of a residue of least size.
func Centred(x uint64) int {
	if x > Prime/2 {
		return int(x) - Prime
	}
	return int(x)
}

// Add is a+b, of residues.
func Add(a, b uint64) uint64 {
	s := a + b
	if s >= Prime {
		s -= Prime
	}
	return s
}

// Multiply is a*b, of residues.
func Multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return Add(high<<3|low>>61, low&Prime)
}

// Inverse is 1/x of a residue that is not 0: x^(Prime-2), by Fermat.
func Inverse(x uint64) uint64 {
	y := uint64(1)
	for e := uint64(Prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			y = Multiply(y, x)
		}
		x = Multiply(x, x)
	}
	return y
}
