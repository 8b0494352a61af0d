// Package ledgertest has what tests of the ledger and of its stores share: PostgreSQL servers with empty databases for ledgers, entries whose every
// column is filled, and [Conform], which every store has to pass. Nothing but tests imports it.
package ledgertest
