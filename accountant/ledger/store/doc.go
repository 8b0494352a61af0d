// Package store is the interface between the ledger and the databases that keep its rows, and the queries that are the same in all of them.
//
// A [Store] guarantees that writers exclude one another, that what it has written is durable, and that it says which of three things
// happened to a batch: written, not written, or uncertain ([ErrUncertain]). It knows nothing of what rows mean: identifiers and hashes are given
// to them before they come here.
//
// Start at store.go; rows.go reads entries with all rows that belong to them, and payloads.go bounds how many bytes are read at once. ledgertest.Conform
// is what every store has to pass. Left out are the budgets (journal) and when to write (ledger).
package store
