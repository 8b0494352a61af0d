// Package sampling draws from distributions over the integers exactly.
//
// It guarantees that a draw has the distribution that is stated, to the last bit, if the bits that it is made of are uniform and
// independent: every probability is decided by comparing integers, in as many bits as the comparison needs. There is no floating
// point, so that the known attacks on the low bits of noise (Mironov 2012) have no hold. Start at [NewBits].
//
// The distributions are those of Canonne, Kamath and Steinke 2020 (arXiv:2004.00010), "The discrete Gaussian for differential
// privacy", and what is made of them; each method names its algorithm and proves it where it differs.
//
// # What it leaves out
//
// What the noise is good for is package mechanisms' business. How long a draw takes depends on what is drawn, by hundreds of
// nanoseconds, and seldom by microseconds, when a comparison needs more places; no method is told a count, so that the time says nothing
// about one but through the noise.
package sampling
