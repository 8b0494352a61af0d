// Package sums adds up, by day, table and analyst, what a ledger's log says: how many statements were charged, free and refused, and what the charges
// cost, each by itself. Pages show these sums, so that none of them reads the log from its beginning.
//
// It guarantees that the sums are those of the entries up to [Sums.Position], each taken once: it reads forward, some entries at a time, and begins anew
// if another ledger was put in the place of the first. Sums of epsilon are plain sums of single charges. They are no bound of what all charges tell
// together: that is accountant.Balance.
//
// It holds nothing of statements and nothing that was counted. Start at CatchUp.
package sums
