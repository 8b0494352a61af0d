package ledger

import (
	"context"
	"slices"

	"tacit/accountant"
	"tacit/accountant/journal"
)

// Reserve charges all items durably, or none: afterwards the caller may read protected rows, and the loss is never given back.
// Everything charged, answered or not, is compared with the budgets in the same batch that adds to it, so that no interleaving of callers
// or processes can exceed them. The error is an *OverBudgetError, an *AdjacencyError, a *FrozenError, an *InFlightError, a *RecordedError,
// ErrUnavailable, or a fault of the caller's.
//
// An item that was charged for a process which is gone, and was never answered, is adopted, if it is the very same: it is not charged again.
//
// ctx is looked at before it is decided; from then on the commit runs to its end, and so does Record.
func (l *Ledger) Reserve(ctx context.Context, c accountant.Charge) (*Reservation, error) {
	reservations, err := l.ReserveAll(ctx, []accountant.Charge{c})
	if err != nil {
		return nil, err
	}
	return reservations[0], nil
}

// ReserveAll is Reserve for a statement about several tables: it makes a reservation for each charge, or none at all. The charges are of
// different tables.
func (l *Ledger) ReserveAll(ctx context.Context, charges []accountant.Charge) ([]*Reservation, error) {
	pending, err := newPendingCharges(charges)
	if err != nil {
		return nil, err
	}
	var reservations []*Reservation
	err = l.do(ctx, func(b *batch) error {
		reservations = nil
		for i := range pending {
			if err := b.examine(&pending[i]); err != nil {
				return err
			}
		}
		for i := range pending {
			reservations = append(reservations, b.reserve(&pending[i]))
		}
		return nil
	})
	if err != nil {
		l.held.forget(reservations...)
		return nil, err
	}
	return reservations, nil
}

// Afford says whether ReserveAll would find that budgets, adjacencies and stewards allow the charges, and charges nothing. What is being
// answered, or was, costs nothing.
func (l *Ledger) Afford(ctx context.Context, charges []accountant.Charge) error {
	pending, err := newPendingCharges(charges)
	if err != nil {
		return err
	}
	if err := l.usable(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return l.rebuilding()
	}
	b := l.newBatch()
	b.asking = true
	for i := range pending {
		if err := b.examine(&pending[i]); err != nil {
			return err
		}
	}
	return nil
}

// examine says whether a charge can be made now, and what it demands. It changes nothing.
func (b *batch) examine(w *pendingCharge) error {
	if err := b.findOperation(w); err != nil || w.made != nil {
		return err
	}
	t := b.State.Table(w.Table)
	if err := t.FrozenFor(w.Table, w.Analyst); err != nil {
		return err
	}
	if err := journal.OneAdjacency(w.Table, t.Adjacency, w.Adjacency); err != nil {
		return err
	}
	w.adopts, w.demand = make([]int64, len(w.Items)), journal.Demand{}
	for i := range w.Items {
		if err := b.examineItem(w, i, t); err != nil {
			return err
		}
	}
	if len(w.demand.Items) == 0 {
		return nil
	}
	from := journal.Since(w.Accounting, b.Now)
	return t.Budgets(w.Accounting, w.Analyst, w.Cap).Cover(b.composer, w.demand, t.All.From(from), t.Analyst(w.Analyst).From(from))
}

func (b *batch) examineItem(w *pendingCharge, i int, t *journal.Table) error {
	item, row := &w.Items[i], &w.rows[i]
	key := journal.EpochQuestion{Table: w.Table, Epoch: t.Epoch, Key: item.Key}
	if known, ok := b.ledger.newestRecorded(key); ok && !item.Fresh && (item.MaxAge == 0 || b.Now-known.at <= int64(item.MaxAge)) {
		if b.asking {
			return nil
		}
		return &RecordedError{Question: item.Question, Release: known.release}
	}
	if id := b.State.Asked[key]; id != 0 {
		open := b.State.Open[id]
		if b.mayAnswer(open) {
			if b.asking {
				return nil
			}
			return &InFlightError{Question: item.Question, charge: id, owner: open.Owner}
		}
		// Under a window a charge counts from its own day on: what is released today must not leave the window before today does.
		if open.Promise == journal.Promise(*row) && (w.Window == 0 || open.Day == journal.DayOf(max(b.Now, b.State.At))) {
			w.adopts[i] = id
			return nil
		}
	}
	price, err := b.State.Price(row)
	if err != nil {
		return err
	}
	w.demand.Items = append(w.demand.Items, journal.DemandedItem{Priced: price, Blocks: item.Blocks})
	w.demand.Total = w.demand.Total.Add(item.Loss)
	return nil
}

// reserve adds the entries of a charge that was examined.
func (b *batch) reserve(w *pendingCharge) *Reservation {
	if w.made != nil {
		b.ledger.held.keep(w.made)
		return w.made
	}
	operation := w.Operation
	if operation == (accountant.Operation{}) {
		operation = accountant.OperationOf(w.Request)
	}
	r := &Reservation{
		proxy: b.ledger.proxy, operation: operation, items: slices.Clone(w.Items),
		charges: slices.Clone(w.adopts), owners: make([]int64, len(w.Items)), adopted: make([]bool, len(w.Items)),
	}
	b.adopt(w, r)
	b.charge(w, r)
	b.reserved = true
	b.ledger.held.keep(r)
	return r
}

// adopt takes over what was charged before.
func (b *batch) adopt(w *pendingCharge, r *Reservation) {
	body := journal.AdoptedBody{Owner: b.ledger.proxy}
	for _, id := range w.adopts {
		if id != 0 {
			body.Charges = append(body.Charges, id)
		}
	}
	if len(body.Charges) == 0 {
		return
	}
	e := journal.NewEntry(journal.KindAdopted, w.Table, w.Analyst)
	e.Statement, e.Operation, e.Body = journal.Shorten(w.SQL), r.operation.Bytes(), journal.Marshal(body)
	b.Add(e)
	r.entries = append(r.entries, e.ID)
	for i, id := range w.adopts {
		if id != 0 {
			r.owners[i], r.adopted[i] = e.ID, true
		}
	}
}

// charge writes down what is charged anew.
func (b *batch) charge(w *pendingCharge, r *Reservation) {
	if len(w.demand.Items) == 0 {
		return
	}
	e := journal.NewEntry(journal.KindCharged, w.Table, w.Analyst)
	total := w.demand.Total
	e.Statement, e.Operation, e.Adjacency = journal.Shorten(w.SQL), r.operation.Bytes(), string(w.Adjacency)
	e.Epsilon, e.Delta, e.Releases = int64(total.Epsilon), int64(total.Delta), total.Releases
	e.Body = b.stateAccounting(e, journal.Stated(w.Accounting, w.Cap), b.ledger.proxy)
	for i, row := range w.rows {
		if w.adopts[i] == 0 {
			e.Charged = append(e.Charged, row)
		}
	}
	b.Add(e)
	r.entries = append(r.entries, e.ID)
	next := 0
	for i := range w.rows {
		if w.adopts[i] == 0 {
			r.charges[i], r.owners[i] = e.Charged[next].ID, e.ID
			next++
		}
	}
}

// stateAccounting is the body of a charged entry: it says how it was accounted for, unless the analyst's last charge on the table says
// the same, to which it then refers.
func (b *batch) stateAccounting(e *journal.Entry, a journal.StatedAccounting, owner string) string {
	body := journal.ChargedBody{Owner: owner}
	if before, ok := b.State.Table(e.TableName()).Stated[e.Analyst]; ok && before.Accounting == a {
		e.Refers = before.Entry
	} else {
		body.Accounting = &a
	}
	return journal.Marshal(body)
}
