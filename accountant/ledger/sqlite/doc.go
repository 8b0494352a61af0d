// Package sqlite keeps a ledger in a file, for one proxy and the steward's commands beside it.
//
// It guarantees that a batch is committed with fsync before Write returns, that the processes of one machine exclude one another by the lock of
// the guard, and that a ledger, its log or its guard which was removed or replaced while in use takes no more charges. After a commit that failed
// the ledger is done with until it is opened anew, since nobody knows what is on disk.
//
// Start at [Open]; sqlite.go has the writes, reader.go the reads, schema.sql and version2.sql the tables. It assumes a local file system with working fsync and
// flock.
package sqlite
