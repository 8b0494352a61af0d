// Package sources knows the recorded releases from which other answers may follow: what is kept with a charge for that, and an index of the releases of
// each table.
//
// It guarantees that a question is compared with few releases, however many are recorded, and that what is held of them is bounded. It reads the
// ledger alone. Whether a question follows from a release is decided in package query, and what several give together in package combine. Begin with [Known.Of], and
// with [Wanted] for coarser releases.
package sources
