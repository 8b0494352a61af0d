// Package posterior computes what released sums of a private attribute tell about each person, and how likely the answer to a further
// question would tell too much. It is the inference of a simulatable auditor for exact counts (Nabar and Mishra, "Releasing Private
// Contingency Tables"), with engines that decide in microseconds to milliseconds where the paper samples.
//
// The model: the private value of each person is drawn independently from the prior of her type. People of one type who stand in
// exactly the same released sums are exchangeable and make up an [Atom]; no engine ever looks at individuals. A value of the private
// attribute is safe for an atom while its posterior probability stays in the atom's limits (Definition 1 of the paper).
//
// What it guarantees, against whoever knows the priors and all released sums: nothing in it can see a count that was not released. A
// [System] holds public sizes, priors and released sums alone, and a question has no answer to look at. So every result is a function of
// what an attacker knows already. A risk is never below that of the model, but for the errors that each engine states; an engine outside of
// the range in which its error is known returns an error, and mass that it does not follow counts as unsafe.
//
// Where to start:
//   - People in no sum, and pieces of a block whose own sums are known: [RootRiskInsiders], [SplitRiskInsiders] and [NewBlock] are exact.
//   - Everything about unions of blocks, for ever: [CertificateInsiders].
//   - Sums that overlap: [System.Decide], which takes exact variable elimination ([System.Eliminate]) or the certified saddlepoint
//     approximation. [System.Posterior] is what released sums tell now.
//
// What it leaves out: which answers to release, in what order and for how much, which is package auditor; and priors that are not certain,
// but for rates that are drawn ([Atom].Spread).
package posterior
