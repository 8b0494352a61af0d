package accountant

import (
	"context"
	"fmt"
	"slices"

	"tacit/policy"
)

// Reserve charges all items durably, or none: afterwards the caller may read protected rows, and the loss is never given back.
// Everything charged, answered or not, is compared with the budgets in the same turn that adds to it, so that no interleaving of callers
// or processes can exceed them. The error is an *OverBudgetError, an *AdjacencyError, a *FrozenError, an *InFlightError, a *RecordedError,
// ErrUnavailable, or a fault of the caller's.
//
// An item that was charged for a process which is gone, and was never answered, is adopted, if it is the very same: it is not charged again.
//
// ctx is looked at before the turn begins; from then on it runs to its end, and so does Record.
func (l *Ledger) Reserve(ctx context.Context, c Charge) (*Reservation, error) {
	reservations, err := l.ReserveAll(ctx, []Charge{c})
	if err != nil {
		return nil, err
	}
	return reservations[0], nil
}

// ReserveAll is Reserve for a statement about several tables: it makes a reservation for each charge, or none at all. The charges are of
// different tables.
func (l *Ledger) ReserveAll(ctx context.Context, charges []Charge) ([]*Reservation, error) {
	wishes, err := newWishes(charges)
	if err != nil {
		return nil, err
	}
	var reservations []*Reservation
	err = l.do(ctx, func(p *plan) error {
		reservations = nil
		for i := range wishes {
			if err := p.examine(&wishes[i]); err != nil {
				return err
			}
		}
		for i := range wishes {
			reservations = append(reservations, p.reserve(&wishes[i]))
		}
		return nil
	})
	if err != nil {
		l.release(reservations...)
		return nil, err
	}
	return reservations, nil
}

// hold notes that somebody has a reservation in his hand. The caller holds mu.
func (l *Ledger) hold(r *Reservation) {
	for _, entry := range r.entries {
		l.held[entry] = r
	}
}

// release notes that nobody has. Of a plan that was not written the entries may be others' by now.
func (l *Ledger) release(reservations ...*Reservation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range reservations {
		for _, entry := range r.entries {
			if l.held[entry] == r {
				delete(l.held, entry)
			}
		}
	}
}

// Afford says whether ReserveAll would find that budgets, adjacencies and stewards allow the charges, and charges nothing. What is being
// answered, or was, costs nothing.
func (l *Ledger) Afford(ctx context.Context, charges []Charge) error {
	wishes, err := newWishes(charges)
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
	p := l.newPlan()
	p.asking = true
	for i := range wishes {
		if err := p.examine(&wishes[i]); err != nil {
			return err
		}
	}
	return nil
}

// A wish is a charge that is to be made.
type wish struct {
	*Charge
	demand demand // for what is not adopted
	rows   []chargeRow
	// adopts has the charge that each item adopts; 0: none.
	adopts []int64
	// made is the reservation, if the operation was done before.
	made *Reservation
}

func newWishes(charges []Charge) ([]wish, error) {
	wishes := make([]wish, len(charges))
	tables := make(map[policy.TableName]bool, len(charges))
	for i := range charges {
		c := &charges[i]
		if _, err := c.total(); err != nil {
			return nil, err
		}
		if tables[c.Table] {
			return nil, fmt.Errorf("accountant: two charges on %v at once", c.Table)
		}
		tables[c.Table] = true
		wishes[i] = wish{Charge: c, rows: make([]chargeRow, len(c.Items))}
		for j := range c.Items {
			wishes[i].rows[j] = c.Items[j].row()
		}
	}
	return wishes, nil
}

// examine says whether a wish can be fulfilled now, and what it takes. It changes nothing.
func (p *plan) examine(w *wish) error {
	if err := p.findOperation(w); err != nil || w.made != nil {
		return err
	}
	t := p.state.table(w.Table)
	if err := t.frozenFor(w.Table, w.Analyst); err != nil {
		return err
	}
	if err := oneAdjacency(w.Table, t.adjacency, w.Adjacency); err != nil {
		return err
	}
	w.adopts, w.demand = make([]int64, len(w.Items)), demand{}
	for i := range w.Items {
		if err := p.examineItem(w, i, t); err != nil {
			return err
		}
	}
	if len(w.demand.items) == 0 {
		return nil
	}
	since := w.since(p.now)
	return t.budgets(w.Accounting, w.Analyst, w.Cap).cover(p.composer, w.demand, t.all.from(since), t.analyst(w.Analyst).from(since))
}

func (p *plan) examineItem(w *wish, i int, t *table) error {
	item, row := &w.Items[i], &w.rows[i]
	key := asked{table: w.Table, epoch: t.epoch, key: item.Key}
	if known, ok := p.ledger.newestRecorded(key); ok && !item.Fresh && (item.MaxAge == 0 || p.now-known.at <= int64(item.MaxAge)) {
		if p.asking {
			return nil
		}
		return &RecordedError{Question: item.Question, Release: known.release}
	}
	if id := p.state.asked[key]; id != 0 {
		open := p.state.open[id]
		if p.answers(open) {
			if p.asking {
				return nil
			}
			return &InFlightError{Question: item.Question, charge: id, owner: open.owner}
		}
		// Under a window a charge counts from its own day on: what is released today must not leave the window before today does.
		if open.promise == promise(*row) && (w.Window == 0 || open.day == dayOf(max(p.now, p.state.at))) {
			w.adopts[i] = id
			return nil
		}
	}
	price, err := p.state.price(row)
	if err != nil {
		return err
	}
	w.demand.items = append(w.demand.items, demanded{price, item.Blocks})
	w.demand.total = w.demand.total.Add(item.Loss)
	return nil
}

// reserve writes a wish down that was examined.
func (p *plan) reserve(w *wish) *Reservation {
	if w.made != nil {
		p.ledger.hold(w.made)
		return w.made
	}
	operation := w.Operation
	if operation == (Operation{}) {
		operation = NewOperation()
	}
	r := &Reservation{
		ledger: p.ledger, operation: operation, items: slices.Clone(w.Items),
		charges: slices.Clone(w.adopts), owners: make([]int64, len(w.Items)), adopted: make([]bool, len(w.Items)),
	}
	p.adopt(w, r)
	p.charge(w, r)
	p.owes = true
	p.ledger.hold(r)
	return r
}

// adopt takes over what was charged before.
func (p *plan) adopt(w *wish, r *Reservation) {
	body := adoptedBody{Owner: p.ledger.proxy}
	for _, id := range w.adopts {
		if id != 0 {
			body.Charges = append(body.Charges, id)
		}
	}
	if len(body.Charges) == 0 {
		return
	}
	e := about(kindAdopted, w.Table, w.Analyst)
	e.statement, e.operation, e.body = logText(w.SQL), r.operation.bytes(), marshal(body)
	p.add(e)
	r.entries = append(r.entries, e.id)
	for i, id := range w.adopts {
		if id != 0 {
			r.owners[i], r.adopted[i] = e.id, true
		}
	}
}

// charge writes down what is charged anew.
func (p *plan) charge(w *wish, r *Reservation) {
	if len(w.demand.items) == 0 {
		return
	}
	e := about(kindCharged, w.Table, w.Analyst)
	total := w.demand.total
	e.statement, e.operation, e.adjacency = logText(w.SQL), r.operation.bytes(), string(w.Adjacency)
	e.epsilon, e.delta, e.releases = int64(total.Epsilon), int64(total.Delta), total.Releases
	e.body = p.stateAccounting(e, w.Accounting.stated(w.Cap), p.ledger.proxy)
	for i, row := range w.rows {
		if w.adopts[i] == 0 {
			e.charged = append(e.charged, row)
		}
	}
	p.add(e)
	r.entries = append(r.entries, e.id)
	next := 0
	for i := range w.rows {
		if w.adopts[i] == 0 {
			r.charges[i], r.owners[i] = e.charged[next].id, e.id
			next++
		}
	}
}

// stateAccounting is the body of a charged entry: it says how it was accounted for, unless the analyst's last charge on the table says
// the same, to which it then refers.
func (p *plan) stateAccounting(e *entryRow, a accounting, owner string) string {
	body := chargedBody{Owner: owner}
	if before, ok := p.state.table(e.tableName()).stated[e.analyst]; ok && before.accounting == a {
		e.refers = before.entry
	} else {
		body.Accounting = &a
	}
	return marshal(body)
}
