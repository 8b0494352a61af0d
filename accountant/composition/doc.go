// Package composition bounds what many releases tell together about one person.
//
// It guarantees that what a [Filter] allows is (Epsilon, Delta)-differentially private under the adjacency of its terms, all of it
// together, for an analyst who chooses every release in view of all earlier answers and stops when she likes; and that whatever is
// rounded is rounded against her. It leaves to others which term a release has (package mechanisms proves them), which releases are about
// the same people, and that terms of different adjacencies are kept apart. Start at [Term], [Filter] and [Composer]; [Epsilon] and [Delta]
// are mathematics for reports.
//
// # Words
//
// A pair of distributions (P, Q) dominates a release if, for neighbours x and y in either order, no hockey-stick divergence of
// M(x) from M(y) exceeds that of P from Q (Zhu, Dong and Wang 2022, "Optimal accounting of differential privacy via characteristic function",
// Definition 7). By Blackwell's theorem what is released of x and of y can then be made from P and from Q by one random rule that does not
// know which of the two it is given (Kairouz, Oh and Viswanath 2015, Theorem 2.5; Dong, Roth and Su 2022, Theorem 2.10). The privacy loss
// is ln P/Q under P, and its distribution tells delta at every epsilon: the expectation of max(0, 1 - exp(epsilon - L)).
//
// # The trap
//
// The losses of independent releases add up, so that the distribution of their sum, which one transform computes, is the exact bound of
// a fixed multiset of them. It is no bound for a budget: "allow a release if the multiset so far is within the budget" lets an analyst
// who may ask for A or for B take the one that is worse given what she has seen. Each path ends in a multiset that alone is within
// the budget, and delta is exceeded all the same; the tests have an adversary who exceeds it by a third with two kinds of releases. (Rogers,
// Roth, Ullman and Vadhan 2016, "Privacy odometers and filters", named the problem.)
//
// # Filters that hold
//
// These do not depend on how releases are chosen:
//
//   - the sum of pure epsilons (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006): on every path the ratio of probabilities is a product;
//   - the bound of Whitehouse, Ramdas, Rogers and Wu 2023, "Fully adaptive composition in differential privacy", Theorem 1, see
//     advancedEpsilon;
//   - zero-concentrated privacy: rhos that sum up to at most a bound on every path (Feldman and Zrnic 2021, "Individual privacy accounting via a
//     Renyi filter", Theorem 3.1), see zcdpEpsilon;
//   - copies of one pair, at most k on every path: the rest up to k is drawn and not shown, so that all is made from k independent
//     copies, see [Filter.Main] and copiesOf;
//   - Gaussian noise of any scales, by the sum of D^2/sigma^2 (Smith and Thakurta 2022, "Fully adaptive composition for Gaussian
//     differential privacy"), see gaussianEpsilon.
//
// Filters with the same epsilon can be united. Let filter b hold with delta_b, and let a sequence of releases be allowed as long as at least
// one filter allows all of it. Each filter that allows a tally allows every smaller one. For a set S of outcomes let S_b be those that end in a
// tally that b is the first to allow. The sequence that is cut off where b would be left has the same probability of S_b under both
// neighbours, since no path to S_b is cut off, and is within b: so P(S_b) <= exp(epsilon) Q(S_b) + delta_b, and P(S) <= exp(epsilon) Q(S) +
// the sum of all delta_b. This is why the least of several bounds may be used, each at its own share of delta, and why the shares must
// be fixed beforehand: at one delta for all of them they would be a bound at their number times delta. Under pld 99/100 of the delta for
// composition are the main class's, 1/100 is zCDP's, for mixtures; sums of pure epsilons need none.
//
// # Thresholds
//
// With a term's Delta everything is told. Let the Deltas of a path sum up to at most T. Draw beforehand, independently of the data, at which
// releases everything is told: the probability that it is told at any of them is at most T (the expected sum of conditional probabilities).
// The outcomes with nothing told have the probabilities of the sequence without Deltas times a factor in [0, 1] that is the same under P
// and Q, and a hockey-stick divergence bounds differences weighted by such factors. So T is added to delta, and is kept apart as the filter's
// Thresholds: one sum shared by thresholds and composition would leave the split to the analyst.
//
// # Rounding
//
// Amounts are integers; sums of them saturate at infinity. Floating point is used with margins that are stated where they are taken, all
// in one direction: epsilon and rho up, delta of a budget down, errors of lattices, truncation and transforms added to delta (see tilted).
// A sum in floating point is made in one order, so that the same tally has the same result each time.
package composition
