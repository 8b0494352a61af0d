// Package payments adds up what a statement was charged for the blocks of a table.
//
// It guarantees that what is said to be paid is no less than what falls on any row: a row is in one block, and bears what that block paid and what all
// blocks paid. It charges nothing itself, and knows neither the ledger nor the rule by which losses compose. Start at Payments.
package payments
