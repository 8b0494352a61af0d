// Package ledger keeps the books of privacy: what every release cost, what it answered, and what is left.
//
// It guarantees, against crashes at any moment, concurrent callers in any number of processes, and the loss or exchange of its files, that the
// losses it knows of are never fewer than those that happened: in the order
//
//	Reserve (durable) -> read protected rows -> Record (durable) -> answer
//
// every answer's loss was on disk before the rows it came from were read, nobody was ever charged beyond a budget, and an answer that was
// given can be given again, byte for byte. A reservation that no Record follows stays spent for ever. No charge, answer or act is
// ever deleted; what notes say of statements that cost nothing may be, see [Ledger.Thin].
// A ledger that cannot promise this refuses: see [tacit/accountant.ErrUnavailable].
//
// Exact counts are charged in risk, and keep the same order with a decision in place of the question: see [Ledger.AppendAudit].
//
// # Where to start
//
// [Open] opens a ledger for a proxy or for a steward's command beside it, and [OpenReadOnly] looks at a ledger in use, or at a backup. reserve.go and
// record.go are the path of a charge; groupcommit.go commits writes in groups; lease.go tells which processes may still answer what they
// have charged; load.go and reload.go read the state; verify.go reads everything, and compares; thin.go drops what old notes say.
//
// Who asks what another live process is about to answer is told so, and waits ([InFlightError], [Ledger.Await]). What was charged for a process
// that is gone is adopted by the next one that asks the same, and is not charged again.
//
// # Files
//
// A ledger of one proxy is an SQLite database, at path; while it is open, path-wal and path-shm belong to it. path.guard remembers which
// ledger it was, how far it had come and the hash of that entry, and is locked by whoever writes; path.lock is locked while a
// proxy runs. A backup is made with "sqlite3 path .backup" or VACUUM INTO, while the ledger is in use or not; a copy of the file alone, made
// while it is in use, is not one. A backup that lacks charges is refused in place of the ledger: what happened since it was made cannot be
// made not to have happened.
//
// A ledger that many proxies share is a schema of a PostgreSQL database, with a guard file for each machine; see package postgres.
//
// It leaves out an adversary who can write the files or the server's tables: he can compute all hashes anew, and only a guard out of
// his reach, or a [tacit/accountant/journal.Mark] that was noted elsewhere, shows that. It assumes a local file system with working fsync and
// flock, and a server that keeps what it has said it has committed.
package ledger
