// Package combine makes one answer of what several recorded releases give for the same counts.
//
// It guarantees that an answer is a function of what was recorded, of the noise of the policy, and of the order of the releases in the ledger. It
// reads nothing else: no row, no clock, no random number. So it costs nothing (postprocessing), and every proxy of a ledger gives the same answer. It also
// guarantees that the error which it states holds whatever the true counts are, as long as the noises of the releases are independent and their rows are
// the same.
//
// Of each count it takes the mean, weighted by the inverse of the number of noisy cells that each estimate adds up. That is the least squares
// solution for one count, and the most exact of all means. Weights are integers, so that nothing is rounded but the mean, to the nearest integer.
//
// A mean takes the place of an answer only if its error is less by more than one part in twenty. So an answer stays what it is while releases are
// recorded that tell little more. Begin with [Best].
//
// Coarser releases, whose cells add up counts of the question, make these more exact: they are fitted to both by generalised least squares, see coarser.go. It
// leaves out releases that are neither finer nor coarser, of which only some sums are those of the question, and questions of more than [MostFitted] counts.
package combine
