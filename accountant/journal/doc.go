// Package journal is the pure part of the ledger: entries, the hash chain through them, and the state that they add up to. It does no I/O, and reads
// no clock.
//
// It guarantees, against whoever edits a stored ledger without computing hashes anew, that an entry which is edited, removed, added or moved is
// found: [State.Apply] takes an entry only if it follows from the one before. And it guarantees that a charge is compared with the budgets
// in the light of all entries before it: [Batch.Add] applies an entry to the state at once.
//
// Start at entry.go, which has the rows, then state.go and apply.go. A checkpoint (checkpoint.go) is a state written as an entry, so that opening a
// ledger need not read all of it. budgetcheck.go finds from the entries alone whether a budget was ever exceeded. limit.go and tally.go compare
// sums with budgets; how losses compose is in package composition. A loss that has left its window no longer counts against the budget, and
// counts in the lifetime balance. What was charged under another partition than the present one counts in all blocks.
//
// The format is version 2 (version.go); version 1 is read, too. Names of columns, JSON keys of bodies, and the order of values in a hash never change
// within a version. What cost nothing is noted, and what a note says can be dropped without breaking the chain (note.go).
//
// It leaves out where entries are stored (ledger/store and its drivers), and who may write when (ledger). An adversary who can rewrite all hashes is
// found by a [Witness] or a [Mark] alone.
package journal
