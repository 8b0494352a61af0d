package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant"
	"tacit/accountant/journal"
)

// Record writes down the answers to the items of a reservation, in their order, and returns the releases that may now be shown. A
// reservation can be recorded once, on the ledger that made it.
//
// ErrLost: another process has taken over some of it, or the epoch has ended. Then nothing may be shown; what was still the reservation's
// own is recorded, so that the caller finds it when it looks again.
func (l *Ledger) Record(ctx context.Context, r *Reservation, payloads [][]byte) ([]*accountant.Release, error) {
	if err := l.recordable(r, payloads); err != nil {
		return nil, err
	}
	var made []*accountant.Release
	err := l.end(ctx, []*Reservation{r}, func(b *batch, own [][]int) {
		made = b.record(r, own[0], payloads)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// RecordAll is Record for all reservations of a statement: either all of their answers are on disk afterwards, or none. An answer about two
// tables is paid for by both, and recorded of one alone it could be repeated while the other's payment is taken over for another answer.
//
// ErrLost: some of it was lost, and so the rest was given up, too: nothing was recorded.
func (l *Ledger) RecordAll(ctx context.Context, reservations []*Reservation, payloads [][][]byte) error {
	if len(payloads) != len(reservations) {
		return fmt.Errorf("accountant: payloads for %d of %d reservations", len(payloads), len(reservations))
	}
	for i, r := range reservations {
		if err := l.recordable(r, payloads[i]); err != nil {
			return err
		}
	}
	switch len(reservations) {
	case 0:
		return nil
	case 1:
		_, err := l.Record(ctx, reservations[0], payloads[0])
		return err
	}
	return l.end(ctx, reservations, func(b *batch, own [][]int) {
		whole := true
		for i, r := range reservations {
			whole = whole && len(own[i]) == len(r.charges)
		}
		for i, r := range reservations {
			if whole {
				b.record(r, own[i], payloads[i])
			} else {
				b.abandon(r, own[i])
			}
		}
	})
}

// recordable says what is wrong with answers to a reservation.
func (l *Ledger) recordable(r *Reservation, payloads [][]byte) error {
	if r == nil || r.proxy != l.proxy {
		return errors.New("accountant: a release without a reservation in this ledger")
	}
	if len(payloads) != len(r.items) {
		return fmt.Errorf("accountant: %d payloads for %d items", len(payloads), len(r.items))
	}
	return nil
}

// record writes down the answers to some items of a reservation; nil if there are none.
func (b *batch) record(r *Reservation, items []int, payloads [][]byte) []*accountant.Release {
	if len(items) == 0 {
		return nil
	}
	e := r.entry(journal.KindRecorded)
	for _, i := range items {
		e.Released = append(e.Released, journal.Release{Charge: r.charges[i], Payload: append([]byte{}, payloads[i]...)})
	}
	b.Add(e)
	made := r.releases(e, items)
	for i, n := range items {
		if !r.adopted[n] { // the ledger has the shape of the first charge
			b.released = append(b.released, made[i])
		}
	}
	return made
}

// Abandon says that a reservation will not be answered, because the analyst gave up or the count failed: its loss stays spent, and others
// who ask the same no longer wait for it. It does not wait for the ledger. What cannot be abandoned because the ledger is away is left, when it
// is back, to whoever asks the same, see batch.abandonOrphans.
func (l *Ledger) Abandon(r *Reservation) {
	if r == nil || r.proxy != l.proxy {
		return
	}
	l.giveUp(r, func(b *batch, own []int) { b.abandon(r, own) })
}

// Leave is Abandon for a count of which nobody has seen how it ended: the analyst was gone, or the server. Whoever asks the same takes the charge over,
// as that of a process which is gone, and is not charged again. That is so once: what was taken over before is abandoned, so that nobody
// can have a question counted again and again for one charge.
func (l *Ledger) Leave(r *Reservation) {
	if r == nil || r.proxy != l.proxy {
		return
	}
	l.giveUp(r, func(b *batch, own []int) {
		var first, again []int
		frozen := b.State.Table(r.items[0].Table).FrozenFor(r.items[0].Table, "") != nil // nothing is taken over then
		for _, i := range own {
			if r.adopted[i] || frozen {
				again = append(again, i)
			} else {
				first = append(first, i)
			}
		}
		b.abandon(r, again)
		b.leave(r, first)
	})
}

// giveUp ends a reservation in the background.
func (l *Ledger) giveUp(r *Reservation, how func(b *batch, own []int)) {
	l.background.Go(func() {
		err := l.end(context.Background(), []*Reservation{r}, func(b *batch, own [][]int) { how(b, own[0]) })
		if err != nil {
			l.held.forget(r)
		}
	})
}

// leave writes down that some items of a reservation are nobody's, until somebody asks for them.
func (b *batch) leave(r *Reservation, items []int) {
	if len(items) == 0 {
		return
	}
	var body journal.AdoptedBody
	for _, i := range items {
		body.Charges = append(body.Charges, r.charges[i])
	}
	e := journal.NewEntry(journal.KindAdopted, r.items[0].Table, "")
	e.Body = journal.Marshal(body)
	b.Add(e)
}

// abandon writes down that some items of a reservation will not be answered.
func (b *batch) abandon(r *Reservation, items []int) {
	if len(items) == 0 {
		return
	}
	var body journal.AbandonedBody
	for _, i := range items {
		body.Charges = append(body.Charges, r.charges[i])
	}
	e := r.entry(journal.KindAbandoned)
	e.Body = journal.Marshal(body)
	b.Add(e)
}

// entry is one that ends a reservation.
func (r *Reservation) entry(kind journal.Kind) *journal.Entry {
	e := journal.NewEntry(kind, r.items[0].Table, "")
	e.Refers = r.entries[len(r.entries)-1]
	return e
}

// end runs f on those items of reservations that are still their own; the error is ErrLost if these are not all.
func (l *Ledger) end(ctx context.Context, reservations []*Reservation, f func(b *batch, own [][]int)) error {
	ending, lost := false, false
	err := l.do(ctx, func(b *batch) error {
		own := make([][]int, len(reservations))
		lost = false
		for i, r := range reservations {
			if r.ended.Load() && !ending {
				return errors.New("accountant: a reservation was recorded or abandoned before")
			}
			own[i] = b.own(r)
			lost = lost || len(own[i]) < len(r.charges)
		}
		for _, r := range reservations {
			r.ended.Store(true)
		}
		ending = true
		f(b, own)
		return nil
	})
	if err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, r := range reservations {
			if ending {
				r.ended.Store(false)
			}
		}
		return err
	}
	l.held.forget(reservations...)
	if lost {
		return ErrLost
	}
	return nil
}

// own are the items of a reservation that are still its own to answer.
func (b *batch) own(r *Reservation) (items []int) {
	for i, id := range r.charges {
		if open := b.State.Open[id]; open != nil && open.Owner == r.owners[i] {
			items = append(items, i)
		}
	}
	return items
}

// shortened is a question as the ledger has it.
func shortened(q accountant.Question) accountant.Question {
	q.Text = journal.Shorten(q.Text)
	return q
}

// releases are those of some items that an entry has recorded.
func (r *Reservation) releases(e *journal.Entry, items []int) []*accountant.Release {
	releases := make([]*accountant.Release, len(items))
	for i, n := range items {
		row, item := e.Released[i], r.items[n]
		releases[i] = &accountant.Release{
			ID: row.ID, Entry: e.ID, At: time.Unix(0, row.At).UTC(), Question: shortened(item.Question), Epoch: e.Epoch, Payload: row.Payload,
			Loss: item.Loss, Mechanism: item.Mechanism, Term: item.Term, Shape: item.Shape,
		}
	}
	return releases
}

// keepOwn keeps a release of this process at hand, which is written. The caller holds mu.
func (l *Ledger) keepOwn(r *accountant.Release) {
	l.keep(journal.EpochQuestion{Table: r.Table, Epoch: r.Epoch, Key: r.Key}, r)
	bare := *r
	bare.Payload = nil
	l.recent[r.ID%maxRecent] = &bare
}
