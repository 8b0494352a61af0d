package modular

import "math/bits"

// Prime is 2^61-1.
const Prime = 1<<61 - 1

// residue is x modulo the prime.
func residue(x int) uint64 {
	x %= Prime
	if x < 0 {
		x += Prime
	}
	return uint64(x)
}

// centred is the representative of a residue of least size.
func centred(x uint64) int {
	if x > Prime/2 {
		return int(x) - Prime
	}
	return int(x)
}

// add is a+b, of residues.
func add(a, b uint64) uint64 {
	s := a + b
	if s >= Prime {
		s -= Prime
	}
	return s
}

// multiply is a*b, of residues.
func multiply(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return add(high<<3|low>>61, low&Prime)
}

// inverse is 1/x of a residue that is not 0: x^(Prime-2), by Fermat.
func inverse(x uint64) uint64 {
	y := uint64(1)
	for e := uint64(Prime - 2); e > 0; e >>= 1 {
		if e&1 == 1 {
			y = multiply(y, x)
		}
		x = multiply(x, x)
	}
	return y
}
