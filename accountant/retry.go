package accountant

import (
	"context"
	"errors"
	"fmt"
)

// operationQuery says what the index of operations is of, without which servers may not use it.
const operationQuery = `SELECT id FROM entry WHERE operation = $1 AND length(operation) = 16 ORDER BY id`

// findOperation finds the reservation of a wish that names an operation which was done before.
func (p *plan) findOperation(w *wish) error {
	if w.Operation == (Operation{}) || w.made != nil {
		return nil
	}
	ctx := context.Background()
	ids, err := collect(ctx, p.ledger.store, scanNumber, operationQuery, w.Operation[:])
	if err != nil || len(ids) == 0 {
		return p.ledger.readError(ctx, err)
	}
	r := &Reservation{
		ledger: p.ledger, operation: w.Operation, items: w.Items,
		charges: make([]int64, len(w.Items)), owners: make([]int64, len(w.Items)), adopted: make([]bool, len(w.Items)),
	}
	for _, id := range ids {
		entries, err := readEntries(ctx, p.ledger.store, id, id)
		if err != nil || len(entries) != 1 {
			return p.ledger.readError(ctx, errors.Join(err, fmt.Errorf("entry %d was not found", id)))
		}
		if err := p.claim(r, entries[0]); err != nil {
			return err
		}
	}
	for i, id := range r.charges {
		if id == 0 || r.items[i].Table != w.Table {
			return fmt.Errorf("accountant: operation %v was another one", w.Operation)
		}
		release, found, err := one(ctx, p.ledger.store, scanNumber, `SELECT id FROM release WHERE charge = $1`, id)
		if err != nil {
			return p.ledger.readError(ctx, err)
		}
		if found {
			return &RecordedError{Question: r.items[i].Question, Release: release}
		}
	}
	w.made = r
	return nil
}

// claim gives a reservation the charges that one of its entries made or adopted.
func (p *plan) claim(r *Reservation, e *entryRow) error {
	charges := e.charged
	if e.kind == kindAdopted {
		var body adoptedBody
		if err := unmarshal(e.body, &body); err != nil {
			return p.ledger.readError(context.Background(), &contradiction{err})
		}
		for _, id := range body.Charges {
			row, _, err := one(context.Background(), p.ledger.store, scanCharge, `SELECT `+chargeColumns+` FROM charge WHERE id = $1`, id)
			if err != nil {
				return p.ledger.readError(context.Background(), err)
			}
			charges = append(charges, row)
		}
	}
	r.entries = append(r.entries, e.id)
	for _, c := range charges {
		for i := range r.items {
			if promise(r.items[i].row()) == promise(c) {
				r.charges[i], r.owners[i], r.adopted[i] = c.id, e.id, e.kind == kindAdopted
			}
		}
	}
	return nil
}
