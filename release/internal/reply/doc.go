// Package reply has what goes in and out of an answer besides the cells: the [Request], the [Receipt] that tells what was charged, the
// [Explanation] of EXPLAIN, and the refusals with their SQLSTATE, detail and hint.
//
// No text of this package depends on a protected row but through what was released: it is made of the statement, the policy, public facts and
// the ledger. Amounts are rounded against the reader's hope: up if they are spent, down if they are left.
//
// The packages noisy and audited fill these types in; this one only prints them. Begin with [Receipt] and [Explanation].
package reply
