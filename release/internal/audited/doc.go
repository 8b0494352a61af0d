// Package audited answers count queries about audited tables: counts are exact, or suppressed.
//
// Under the assumptions that package auditor states, of the prior and of what is public, it guarantees:
//
//   - what is shown is decided from public facts and from what was shown before, by code that has no count in reach;
//   - a decision is recorded durably with its risk, behind the history that it was made on, before a protected row is read;
//   - a count is opened only with the record of its own decision in hand, once;
//   - what was opened is recorded durably before it is returned, and is part of the history of all analysts from then on.
//
// Begin with [Statement] in statement.go, then round.go and open.go. membership.go finds whom a count counts, book.go and follow.go read the
// history from the ledger. The decisions are made in package auditor; epochs are opened by package seal.
package audited
