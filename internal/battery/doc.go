// Package battery tells whether draws come from a stated distribution over the integers, and how private a stated pair of
// distributions is. It is for tests.
//
// Its verdicts are wrong about a right sampler with a probability of at most [FalseFailure] each, for a seed chosen blindly. With the
// fixed seeds of [Seeded], a run gives the same verdict every time.
//
// Start at [ChiSquared] with [Limit], [Hoeffding] and [HockeyStick]. Left out: what distribution a mechanism should have, which its own tests
// state.
package battery
