package ledger

import (
	"sync/atomic"

	"tacit/accountant"
)

// A Reservation is a charge that is on disk. Only Reserve makes one, and Record takes it once. Whoever counts protected rows for a question
// has one in his hand, and asks it: see Covers.
type Reservation struct {
	proxy     string // the process that reserved
	operation accountant.Operation
	entries   []int64 // that charged or adopted: who they say owns the charges is this reservation
	items     []accountant.Item
	charges   []int64 // the rows of items
	owners    []int64 // of charges, one of entries each
	adopted   []bool
	ended     atomic.Bool // recorded or abandoned
}

// Adopted says of an item whether it was charged before, for a process that was gone before it could record the answer.
func (r *Reservation) Adopted(item int) bool { return r.adopted[item] }

// Covers reports whether the reservation pays for a question, and was neither recorded nor abandoned. A reservation that no ledger made covers
// nothing.
func (r *Reservation) Covers(q accountant.Question) bool {
	if r == nil || r.proxy == "" || r.ended.Load() {
		return false
	}
	for i := range r.items {
		if r.items[i].Table == q.Table && r.items[i].Key == q.Key {
			return r.charges[i] != 0
		}
	}
	return false
}
