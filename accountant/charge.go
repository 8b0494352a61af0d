package accountant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tacit/policy"
)

// A Question is one count, over one protected table, in canonical form: two statements that ask the same have equal questions.
type Question struct {
	Table policy.TableName
	// Key is the SHA-256 of the canonical form.
	Key [32]byte
	// Text is the canonical form, for people.
	Text string
}

// An Item is a question to be paid for.
type Item struct {
	Question
	Loss      Loss
	Mechanism string
}

// A Charge asks for a reservation.
type Charge struct {
	Analyst string // Required.
	Table   policy.TableName
	// Adjacency is what the losses are stated under. Required. A table keeps the adjacency of its first charge for ever.
	Adjacency policy.Adjacency
	// TableBudget is for all analysts together.
	TableBudget policy.Budget
	// Cap is the most that the analyst may spend on this table. Default nil: no cap of her own.
	Cap *policy.Budget
	// Items are reserved together or not at all. At least one, all of them about Table.
	Items []Item
	// SQL is the analyst's statement, for the log.
	SQL string
}

// A Reservation is a charge that is on disk. Only Reserve makes one, and Record takes it once.
type Reservation struct {
	ledger   *Ledger
	entry    int64
	items    []Item
	charges  []int64 // the rows of items
	recorded bool    // under ledger.mu
}

// A Release is an answer that is on disk: it may be given, now and whenever the question is asked again.
type Release struct {
	ID int64
	At time.Time
	Question
	Payload   []byte
	Loss      Loss // what it cost when it was reserved
	Mechanism string
}

// An OverBudgetError is returned when a charge is more than what is left. Nothing was charged.
type OverBudgetError struct {
	Table     policy.TableName
	Of        string // "table", or "analyst" for her cap on the table
	Needed    Loss
	Remaining Loss // of an amount that the analyst's cap does not name, what is left of the table's budget
}

func (e *OverBudgetError) Error() string {
	return fmt.Sprintf("the %s's budget does not cover it: needed: %v; left: %v", e.Of, e.Needed, e.Remaining.Only(e.Needed))
}

// An AdjacencyError is returned when a charge states its loss under another adjacency than the table's earlier ones: the two
// kinds of loss do not add up. Nothing was charged.
type AdjacencyError struct {
	Table           policy.TableName
	Recorded, Asked policy.Adjacency
}

func (e *AdjacencyError) Error() string {
	return fmt.Sprintf("the ledger holds losses of %v under %s adjacency; losses under %s cannot be added to them", e.Table, e.Recorded, e.Asked)
}

// total is the composition of the items' losses, or says what is wrong with the charge.
func (c *Charge) total() (Loss, error) {
	var total Loss
	switch {
	case c.Analyst == "":
		return total, errors.New("accountant: a charge without an analyst")
	case c.Adjacency != policy.AddRemove && c.Adjacency != policy.ReplaceOne:
		return total, fmt.Errorf("accountant: a charge under adjacency %q", c.Adjacency)
	case len(c.Items) == 0:
		return total, errors.New("accountant: a charge for nothing")
	}
	for _, item := range c.Items {
		if item.Table != c.Table {
			return total, fmt.Errorf("accountant: a charge on %v for a question about %v", c.Table, item.Table)
		}
		if !item.Loss.valid() {
			return total, fmt.Errorf("accountant: a loss of %v cannot be charged", item.Loss)
		}
		if item.Loss.Risk > 0 {
			return total, errors.New("accountant: a risk is charged by AppendAudit")
		}
		total = total.Add(item.Loss)
	}
	return total, nil
}

// Reserve charges all items durably, or none: afterwards the caller may read protected rows, and the loss is never given back.
// The sum of everything charged, answered or not, is compared with the budgets in the same transaction that adds to it, so that no
// interleaving of callers can exceed them. The error is an *OverBudgetError, an *AdjacencyError, ErrUnavailable, or a fault of the caller's.
//
// ctx is looked at before the transaction begins; from then on it runs to its end, and so does Record.
func (l *Ledger) Reserve(ctx context.Context, c Charge) (*Reservation, error) {
	reservations, err := l.ReserveAll(ctx, []Charge{c})
	if err != nil {
		return nil, err
	}
	return reservations[0], nil
}

// ReserveAll is Reserve for a statement about several tables: it makes a reservation for each charge, or none at all.
func (l *Ledger) ReserveAll(ctx context.Context, charges []Charge) ([]*Reservation, error) {
	totals := make([]Loss, len(charges))
	for i := range charges {
		var err error
		if totals[i], err = charges[i].total(); err != nil {
			return nil, err
		}
	}
	var reservations []*Reservation
	err := l.write(ctx, func(t *transaction) error {
		for i := range charges {
			r, err := t.reserve(l, &charges[i], totals[i])
			if err != nil {
				return err
			}
			reservations = append(reservations, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reservations, nil
}

func (t *transaction) reserve(l *Ledger, c *Charge, total Loss) (*Reservation, error) {
	if err := t.afford(c, total); err != nil {
		return nil, err
	}
	r := &Reservation{ledger: l, items: slices.Clone(c.Items)}
	r.entry = t.insert(insertEntry, l.now().UnixNano(), c.Analyst, c.Table.Schema, c.Table.Name,
		string(Charged), logText(c.SQL), "", string(c.Adjacency), int64(total.Epsilon), int64(total.Delta), total.Releases, 0)
	for _, item := range c.Items {
		r.charges = append(r.charges, t.insert(insertCharge, r.entry, item.Key[:], item.Text, item.Mechanism,
			int64(item.Loss.Epsilon), int64(item.Loss.Delta), item.Loss.Releases))
	}
	t.insert(addToBalance, c.Table.Schema, c.Table.Name, c.Analyst, string(c.Adjacency),
		int64(total.Epsilon), int64(total.Delta), total.Releases, 0)
	return r, t.err
}

const (
	insertEntry = `INSERT INTO entry (at, analyst, table_schema, table_name, verdict, statement, sqlstate, adjacency, epsilon, delta, releases, risk)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	insertCharge = `INSERT INTO charge (entry, question_key, question, mechanism, epsilon, delta, releases) VALUES (?, ?, ?, ?, ?, ?, ?)`
	// Integer overflow cannot happen here: afford keeps sums below the largest integer.
	addToBalance = `INSERT INTO balance (table_schema, table_name, analyst, adjacency, epsilon, delta, releases, risk) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET adjacency = max(adjacency, excluded.adjacency), epsilon = epsilon + excluded.epsilon,
			delta = delta + excluded.delta, releases = releases + excluded.releases, risk = risk + excluded.risk`
	insertRelease = `INSERT INTO release (charge, at, payload) VALUES (?, ?, ?)`
)

// afford says whether the budgets cover a charge of total, as far as this transaction sees: everything charged before.
func (t *transaction) afford(c *Charge, total Loss) error {
	table, analyst, adjacency, err := t.spent(c.Table, c.Analyst)
	if err != nil {
		return err
	}
	if err := oneAdjacency(c.Table, adjacency, c.Adjacency); err != nil {
		return err
	}
	return budgets{c.Table, c.TableBudget, c.Cap}.cover(total, table, analyst)
}

// oneAdjacency returns an *AdjacencyError if losses are recorded, and under another adjacency.
func oneAdjacency(table policy.TableName, recorded, asked policy.Adjacency) error {
	if recorded != "" && recorded != asked {
		return &AdjacencyError{Table: table, Recorded: recorded, Asked: asked}
	}
	return nil
}

// budgets are what a charge on a table is compared with.
type budgets struct {
	of    policy.TableName
	table policy.Budget
	cap   *policy.Budget // the analyst's; may be nil
}

// cover returns an *OverBudgetError unless both budgets cover a charge on top of what all, and the analyst, have spent.
func (b budgets) cover(charge, all, analyst Loss) error {
	left := all.Remaining(b.table)
	if overspends(charge, all, b.table) {
		return &OverBudgetError{Table: b.of, Of: "table", Needed: charge, Remaining: left}
	}
	if b.cap != nil && overspends(charge, analyst, *b.cap) {
		return &OverBudgetError{Table: b.of, Of: "analyst", Needed: charge, Remaining: LeftOfCap(*b.cap, analyst, left)}
	}
	return nil
}

// overspends says whether a charge on top of what was spent is more than a budget. A budget has three sides, what answers with a guarantee
// may tell together, how many there may be without one, and what exact counts may risk; and a charge is held against those that it
// needs: where the policy has changed a table's mechanism and taken one side away, what was spent of it does not stop the others.
func overspends(charge, spent Loss, b policy.Budget) bool {
	after := spent.Add(charge)
	if charge.Releases == 0 {
		after.Releases = 0
	}
	if charge.Risk == 0 {
		after.Risk = 0
	}
	if charge.Epsilon == 0 && charge.Delta == 0 && (charge.Releases > 0 || charge.Risk > 0) {
		after.Epsilon, after.Delta = 0, 0
	}
	return after.Exceeds(b)
}

// Record writes down the answers to the items of a reservation, in their order, and returns the releases that may now be shown. A
// reservation can be recorded once, on the ledger that made it.
func (l *Ledger) Record(ctx context.Context, r *Reservation, payloads [][]byte) ([]*Release, error) {
	if r == nil || r.ledger != l {
		return nil, errors.New("accountant: a release without a reservation in this ledger")
	}
	if len(payloads) != len(r.items) {
		return nil, fmt.Errorf("accountant: %d payloads for %d items", len(payloads), len(r.items))
	}
	var releases []*Release
	err := l.write(ctx, func(t *transaction) error {
		if r.recorded {
			return errors.New("accountant: a reservation was recorded before")
		}
		at := l.now()
		for i, item := range r.items {
			payload := append([]byte{}, payloads[i]...) // never nil, which would be NULL
			id := t.insert(insertRelease, r.charges[i], at.UnixNano(), payload)
			releases = append(releases, &Release{
				ID: id, At: at, Question: item.Question, Payload: payload, Loss: item.Loss, Mechanism: item.Mechanism,
			})
		}
		r.recorded = t.err == nil
		return t.err
	})
	if err != nil {
		return nil, err
	}
	return releases, nil
}

// Lookup returns the newest release of the question that is no older than maxAge, if there is one. A maxAge of 0 is any age.
func (l *Ledger) Lookup(ctx context.Context, q Question, maxAge time.Duration) (*Release, bool, error) {
	if err := l.usable(); err != nil {
		return nil, false, err
	}
	oldest := int64(0)
	if maxAge > 0 {
		oldest = l.now().Add(-maxAge).UnixNano()
	}
	return l.newest(ctx, q, oldest)
}
