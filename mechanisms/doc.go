// Package mechanisms sanitizes counts.
//
// It guarantees that what its mechanisms return is differentially private, but for the kinds that promise nothing and say so, with
// the loss they state, under the adjacency they were built for, against anybody who sees any number of their results and knows
// everything else: the policy, this code and all other persons' rows. Start at [New].
//
// # Words
//
// Two histograms are neighbours under add-remove if one has one person more; and under replace-one if one person's rows are exchanged
// for another's. A person who is one row is in at most one cell, which she changes by 1. One who has several rows changes all
// cells together by at most the sensitivity that the mechanism was built for: whoever counts makes sure of that.
//
// A mechanism M is (epsilon, delta)-differentially private if for all neighbours x and y and every set S of outputs
// P(M(x) in S) <= exp(epsilon) P(M(y) in S) + delta (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006). The smallest such delta is the
// hockey-stick divergence, the sum over outputs of max(0, P(M(x) = o) - exp(epsilon) P(M(y) = o)).
//
// # Numbers for people who compare
//
// [Mechanism.Guarantee] is what a release costs, [Mechanism.Expect] what becomes of each count, [Law] how the noise is distributed, and
// [Survival] how likely a cell is shown at all, of which package risk makes what an attacker learns. No release depends on them.
//
// # What it leaves out
//
// Which cells there are, what is asked and what it has cost so far are other packages' business. So is time: a draw takes tens to
// hundreds of nanoseconds more when its noise is large or was drawn again. That says nothing about the count directly, but noise known from the time of
// an answer would be noise removed; who must withstand an observer that precise quantises the times of answers.
package mechanisms
