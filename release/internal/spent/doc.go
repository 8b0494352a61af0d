// Package spent adds up charges under a table's rule, for a steward who asks what other charges would have come to.
//
// It guarantees that charges which were made add up to what the ledger says of them, but for windows and grants, which it leaves out: it is about
// questions that could have been asked, and the ledger alone decides about those that are. Start at On.
package spent
