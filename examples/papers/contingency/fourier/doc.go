// Package fourier is the release of margins by Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar, "Privacy, Accuracy, and Consistency Too:
// A Holistic Solution to Contingency Table Release" (PODS 2007), to compare with: no policy names it. Start at [New].
//
// The table is over binary attributes; one with c categories is as many bits as it takes to number them from 0, and combinations that
// number no category are structural zeros, which hold nobody. Of each wanted margin it takes the Fourier (Walsh) coefficients, in this
// package's scale
//
//	s_b = sum over cells a of (-1)^<a,b> x_a, for b among the subsets of the margin's bits,
//
// which are whole numbers (they are usually divided by 2^(k/2), k being the number of bits, which changes nothing but the unit). It adds
// noise to each, finds the table without negative cells whose coefficients are nearest to the noisy ones in the largest difference, by a
// linear program, and rounds its cells. All margins of that table agree with one another.
//
// # Guarantee
//
// Adjacency: add-remove or replace-one, as in Config; a person is in one cell. Sensitivity, in the l1 norm: add-remove, |B|, the number of coefficients,
// since one person changes each by 1. Replace-one: a person who goes from cell a to cell a' changes s_b by 2 if <a xor a', b> is odd, and not
// at all otherwise, so that it is twice the largest number of b in B for which that is odd; at most 2(|B|-1), and exactly |B| if all 2^k
// coefficients are taken. This is derived here, not copied: noise of scale |B|/epsilon is for one person more or less.
//
// Noise: discrete Laplace of scale sensitivity/epsilon on each coefficient, drawn exactly (package sampling). For integers at distance d the
// probabilities of an outcome differ by a factor of at most exp(d epsilon/sensitivity), so that the coefficients together are epsilon-differentially private,
// with delta 0. The linear program and the rounding see nothing but them: what they make of them costs nothing.
//
// Accuracy: the true table is one of those that the program chooses from, so that the chosen one is no farther from the noisy coefficients than the
// largest noise, and each of its coefficients no farther than twice that from the true one.
//
// # What it leaves out
//
// The program is solved in floating point, after the privacy is settled. How near the result is to the best is proved afterwards in exact
// arithmetic ([Release].Gap); a result that is not near is an error.
package fourier
