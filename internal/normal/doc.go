// Package normal has functions of the normal distribution that the privacy of Gaussian noise depends on.
//
// It guarantees the errors that each function states, so that a caller can round against whoever asks: [Margin] bounds both terms of
// [Delta]. Start at [Delta], the exact privacy of Gaussian noise (Balle and Wang 2018, Theorem 8).
//
// Left out: how much noise that is for a table, which package mechanisms says, and how releases add up, which is composition's.
package normal
