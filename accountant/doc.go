// Package accountant keeps the books of privacy: what every release cost, what it answered, and what is left.
//
// It guarantees, against crashes at any moment, concurrent callers and the loss or exchange of its files, that the losses it knows
// of are never fewer than those that happened: in the order
//
//	Reserve (durable) -> read protected rows -> Record (durable) -> answer
//
// every answer's loss was on disk before the rows it came from were read, nobody was ever charged beyond a budget, and an answer that was
// given can be given again, byte for byte. A reservation that no Record follows stays spent for ever. Nothing is ever deleted.
// A ledger that cannot promise this refuses: see [ErrUnavailable].
//
// Exact counts are charged in risk, and keep the same order with a decision in place of the question: the log of an audited table's
// auditor is here, too, and no decision is made on a history that others have gone on from. See [Ledger.AppendAudit].
//
// # Files
//
// The ledger is an SQLite database, at path; while it is open, path-wal and path-shm belong to it. path.guard is locked by the
// process that writes it, and remembers which ledger it was and how far it had come. A backup is made with "sqlite3 path .backup" or
// VACUUM INTO, while the ledger is in use or not; a copy of the file alone, made while it is in use, is not one. A backup that lacks
// charges is refused in place of the ledger: what happened since it was made cannot be made not to have happened.
//
// # Use
//
// Start at [Open]; [Loss] is the currency, added up by basic composition; releases that no epsilon describes are counted in it on their
// own. [OpenReadOnly] looks at a ledger in use.
//
// It leaves out what a mechanism costs (the mechanism says so), whether a question is the same as an earlier one (the caller's
// [Question] says so), and tampering: who can write the files can write anything into them. It assumes a local file system with
// working fsync and flock.
package accountant
