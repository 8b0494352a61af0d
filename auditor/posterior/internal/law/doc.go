// Package law has the laws of counts that exact engines are made of: binomial, hypergeometric and beta-binomial, and sums of independent
// counts.
//
// It guarantees that each probability has a relative error of a few units in the last place, and that nothing is left out uncounted: a tail
// that is not walked to, or is cut off a window, counts as the most that it can be. Start at [Ratios]. Left out are laws that are not on a
// range of integers, and Fourier transforms, whose error is absolute.
package law
