package postgres

import "time"

// How long the ledger's server may take. Whoever waits longer for it gives the connection up, and asks on a new one what came of it.
const (
	connectPatience   = 4 * time.Second
	statementPatience = 15 * time.Second
	ExchangePatience  = 7 * time.Second // with each of the two exchanges of a write, less than ledgerPatience, so that another attempt is made
	closePatience     = time.Second
)
