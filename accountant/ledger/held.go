package ledger

import "sync"

// heldReservations are reservations that somebody in this process may still record, by their entries. They have a lock of their own: who has been answered
// lets go of his, and does not keep the writes waiting that are decided on meanwhile.
type heldReservations struct {
	mu      sync.Mutex
	byEntry map[int64]*Reservation
}

// keep notes that somebody has a reservation in his hand.
func (h *heldReservations) keep(r *Reservation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, entry := range r.entries {
		h.byEntry[entry] = r
	}
}

// forget notes that nobody has. Of a batch that was not written the entries may be others' by now.
func (h *heldReservations) forget(reservations ...*Reservation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range reservations {
		for _, entry := range r.entries {
			if h.byEntry[entry] == r {
				delete(h.byEntry, entry)
			}
		}
	}
}

// has says whether somebody has the reservation that an entry made.
func (h *heldReservations) has(entry int64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byEntry[entry] != nil
}
