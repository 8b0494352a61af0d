// Package suppressor is the cell suppressor of Nabar and Mishra, "Releasing Private Contingency Tables", as it was published, to compare
// with: nothing that answers questions uses it.
//
// It has the three algorithms of section 5.1 ([Table.Safe], [Suppressor.SafeToSplit] and [Suppressor.Suppress]) over any [Sampler]; the
// dynamic program of section 5.2.1 ([Counter], with an extension that the paper held to be impossible); the Markov chain that practice uses
// instead ([Chain]); the bounds of section 6 ([Claim]); and the least perturbation ([Noise.Cells]). Start at [Suppressor].
//
// Its guarantee is the paper's: with probability at least 1-delta over the data and its own coins, what [Suppressor.Suppress] releases
// satisfies Definition 1 with epsilon. The proof of Theorem 2 has a gap: a question that is unsafe with probability delta/T exactly is
// released with much more than the probability delta/T that the proof states, because the Chernoff bound gives (delta/T)^0.153. The theorem
// holds nevertheless for T/delta >= e^2, since a breach takes the unsafe value besides: p P(release) <= delta/T.
//
// Left out: the perfect matchings of section 5.2.2, whose chains are slow beyond use for five people already, and which are not needed, since
// different priors in a cell only change the weights of the dynamic program. The attack of section 3 on suppression that looks at the data
// is in package attack, and the perturbation that section 6 compares with in package fourier.
package suppressor
