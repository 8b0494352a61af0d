// Package accountant defines what a release costs and what a charge asks for: [Loss], [Accounting], [Charge], [Question], the balance of a table,
// and the errors by which a charge is refused.
//
// It guarantees the arithmetic: amounts are integers, a sum never wraps round, and an infinite loss exceeds every budget. Losses under different
// adjacencies, releases that no epsilon describes, and risks are never summed into one another. How losses compose is in package composition.
//
// The packages below it keep the books:
//
//   - journal has the entries, their hash chain, and the state that they add up to; it does no I/O.
//   - ledger opens the books of a policy, reserves and records: start at ledger.Open.
//   - ledger/sqlite and ledger/postgres store the entries, and ledger/guard remembers the newest one outside of them.
//
// It leaves out what a mechanism costs (the mechanism says so), and whether a question is the same as an earlier one (the caller's [Question] says
// so).
package accountant
