package ledger

import (
	"context"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// operationQuery says what the index of operations is of, without which servers may not use it.
const operationQuery = `SELECT id FROM entry WHERE operation = $1 AND length(operation) = 16 ORDER BY id`

// findOperation finds the reservation of a charge that names an operation which was done before.
func (b *batch) findOperation(w *pendingCharge) error {
	if w.Operation == (accountant.Operation{}) || w.made != nil {
		return nil
	}
	ctx := context.Background()
	ids, err := store.Collect(ctx, b.ledger.store, store.ScanNumber, operationQuery, w.Operation[:])
	if err != nil || len(ids) == 0 {
		return b.ledger.readError(ctx, err)
	}
	r := &Reservation{
		proxy: b.ledger.proxy, operation: w.Operation, items: w.Items,
		charges: make([]int64, len(w.Items)), owners: make([]int64, len(w.Items)), adopted: make([]bool, len(w.Items)),
	}
	for _, id := range ids {
		entries, err := store.ReadEntries(ctx, b.ledger.store, id, id)
		if err != nil || len(entries) != 1 {
			return b.ledger.readError(ctx, errors.Join(err, fmt.Errorf("entry %d was not found", id)))
		}
		if err := b.claim(r, entries[0]); err != nil {
			return err
		}
	}
	for i, id := range r.charges {
		if id == 0 || r.items[i].Table != w.Table {
			return fmt.Errorf("accountant: operation %v was another one", w.Operation)
		}
		release, found, err := store.One(ctx, b.ledger.store, store.ScanNumber, `SELECT id FROM release WHERE charge = $1`, id)
		if err != nil {
			return b.ledger.readError(ctx, err)
		}
		if found {
			return &RecordedError{Question: r.items[i].Question, Release: release}
		}
	}
	w.made = r
	return nil
}

// claim gives a reservation the charges that one of its entries made or adopted.
func (b *batch) claim(r *Reservation, e *journal.Entry) error {
	charges := e.Charged
	if e.Kind == journal.KindAdopted {
		var body journal.AdoptedBody
		if err := journal.Unmarshal(e.Body, &body); err != nil {
			return b.ledger.readError(context.Background(), &contradiction{err})
		}
		for _, id := range body.Charges {
			row, _, err := store.One(context.Background(), b.ledger.store, store.ScanCharge, `SELECT `+journal.ChargeColumns+` FROM charge WHERE id = $1`, id)
			if err != nil {
				return b.ledger.readError(context.Background(), err)
			}
			charges = append(charges, row)
		}
	}
	r.entries = append(r.entries, e.ID)
	for _, c := range charges {
		for i := range r.items {
			if journal.Promise(journal.ChargeOf(&r.items[i])) == journal.Promise(c) {
				r.charges[i], r.owners[i], r.adopted[i] = c.ID, e.ID, e.Kind == journal.KindAdopted
			}
		}
	}
	return nil
}
