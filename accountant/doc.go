// Package accountant keeps the books of privacy: what every release cost, what it answered, and what is left.
//
// It guarantees, against crashes at any moment, concurrent callers in any number of processes, and the loss or exchange of its files, that the
// losses it knows of are never fewer than those that happened: in the order
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
// # Entries
//
// Whatever happens is an entry of one sequence: a charge, an answer, a refusal, a steward's act. Entries are only added. Each has the hash
// of its own columns, of the rows of other tables that were written with it, and of the hash of the entry before it, so that one that is
// edited, removed, added or moved is found by [Reader.Verify]. All sums are kept in memory and follow from the entries; a checkpoint, which is an
// entry too, has them now and then, so that opening need not read all. Every writer takes in what the others have written before it
// decides, and holds the head until what it has decided is durable: see turn.go.
//
// Who asks what somebody alive is about to answer is told so, and waits ([InFlightError], [Ledger.Await]). What was charged for a process
// that is gone is adopted by the next one that asks the same, and is not charged again.
//
// # Composition
//
// A [Loss] is what a release costs as it was stated, and its term what is known of it beyond that. How they add up is the table's rule, in
// package composition; the [Accounting] under which a charge was compared with the budget is in the ledger, so that [Reader.Verify] can
// compare it again. Losses under different adjacencies, releases that no epsilon describes, and risks are never summed into one another.
// A window lets a loss no longer count against the budget; it happened all the same, and Standing.Lifetime has it. Blocks have a budget
// each; what was charged under another partition than the present one counts in all of them.
//
// # Files
//
// A ledger of one proxy is an SQLite database, at path; while it is open, path-wal and path-shm belong to it. path.guard remembers which
// ledger it was, how far it had come and the hash of that entry, and its lock is what writers take turns at; path.lock is locked while a
// proxy runs. A backup is made with "sqlite3 path .backup" or VACUUM INTO, while the ledger is in use or not; a copy of the file alone, made
// while it is in use, is not one. A backup that lacks charges is refused in place of the ledger: what happened since it was made cannot be
// made not to have happened.
//
// A ledger that many proxies share is a schema of a PostgreSQL database, with a guard file for each machine; see postgres.go.
//
// # Use
//
// Start at [Open], as a proxy or as a steward's command beside it. [OpenReadOnly] looks at a ledger in use, or at a backup.
//
// It leaves out what a mechanism costs (the mechanism says so), whether a question is the same as an earlier one (the caller's
// [Question] says so), and an adversary who can write the files or the server's tables: he can compute all hashes anew, and only a guard out of
// his reach, or a [Mark] that was noted elsewhere, shows that. It assumes a local file system with working fsync and flock, and a server
// that keeps what it has said it has committed.
package accountant
