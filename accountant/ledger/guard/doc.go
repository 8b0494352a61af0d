// Package guard keeps a file beside a ledger that remembers it: its identity, its last entry, and the hash of that.
//
// It guarantees that a ledger which was deleted, exchanged for another one, put back from a backup or rewritten is known for what it is, and
// refused, instead of handing out the same budget twice. Start at [File.Compare]. It does not help against whoever can write the guard as well.
package guard
