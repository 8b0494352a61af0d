package publish

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/rewrite"
)

// A Request says what is published.
type Request struct {
	// Name is that of a publication of the policy. Required.
	Name policy.TableName
	// Replace says that a table of that name that was published before is dropped.
	Replace bool
	// Random yields uniform, independent bytes: crypto/rand.Reader, except in tests. Required.
	Random io.Reader
	// Progress is told when a step begins, "reading", "sanitizing" or "writing", and at times how many rows it is about. Of a
	// publication with a guarantee it hears of steps only, and once of each: their numbers of rows, and how often it hears of them,
	// are what the guarantee does not cover. Default: nobody is told.
	Progress func(step string, rows int64)
	// Price is what the steward was told that it costs. If it costs something else by now, the error is a *PriceError, and nothing is charged. Default:
	// whatever it costs.
	Price *accountant.Loss
	// Reason is written down with the charge. Default: none.
	Reason string
}

// A PriceError is returned when a publication does not cost what the steward was told. Nothing was charged.
type PriceError struct {
	Name      policy.TableName
	Told, Now accountant.Loss
}

func (e *PriceError) Error() string {
	return fmt.Sprintf("%v costs %v now, and not %v as it was shown; nothing was charged", e.Name, e.Now, e.Told)
}

// A Published is a publication that was made. It is for the steward.
type Published struct {
	Provenance
	// RowsRead is the number of rows of the protected table; 0 if the publication has a guarantee, which that number does not keep.
	RowsRead int64
	// Charged is what it cost, and Left what is left of the table's budget.
	Charged, Left accountant.Loss
	// Aside is the name of the table that was replaced, if it was kept because something depends on it; else empty.
	Aside string
	// ExactDelta is the smallest delta at the epsilon that was charged, where what is charged is a bound and the smallest is known; else 0.
	ExactDelta float64
}

// An Error is returned when a publication failed after it was charged. Nothing was published, and what was charged stays charged.
type Error struct {
	Name    policy.TableName
	Charged accountant.Loss
	Err     error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s was not published, and stays charged (%v): %v", e.Name, e.Charged, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Publish makes a sanitized copy of a protected table, which analysts may then query freely. It guarantees what an answer does: the
// loss is durably reserved before any protected row is read, and stays spent whatever happens next; and the release is durably
// recorded before the table can be seen. A publication is a release of its own each time: it is never replayed.
//
// Whatever can be found out without reading a row (roles, names, privileges, domains, the guarantee) is found out before anything
// is charged. Errors are for the steward, not for analysts.
func Publish(ctx context.Context, p *policy.Policy, request Request) (*Published, error) {
	w, target, err := begin(ctx, p, request)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if request.Price != nil && *request.Price != w.Guarantee {
		return nil, &PriceError{request.Name, *request.Price, w.Guarantee}
	}
	return w.publish(ctx, target)
}

// Price is what a publication would cost now. It finds out what Publish does before it charges, and whether the budget covers it, and charges nothing.
func Price(ctx context.Context, p *policy.Policy, request Request) (accountant.Loss, error) {
	w, _, err := begin(ctx, p, request)
	if err != nil {
		return accountant.Loss{}, err
	}
	defer w.close()
	c, err := w.charge()
	if err != nil {
		return accountant.Loss{}, err
	}
	w.publisher.close() // readers need not wait for the ledger
	return w.Guarantee, w.ledger.Afford(ctx, []accountant.Charge{c})
}

// begin finds out all that can be found out without a row.
func begin(ctx context.Context, p *policy.Policy, request Request) (*Publishing, publishedTable, error) {
	c, ok := p.Publication(request.Name)
	if !ok || request.Random == nil {
		return nil, publishedTable{}, fmt.Errorf("release: a request to publish %v, which the policy does not have, or without randomness", request.Name)
	}
	t, _ := p.Table(c.Of)
	w := &Publishing{policy: p, publication: c, table: t, accounting: live.Accounting(t), random: request.Random, Told: request.Progress, reason: request.Reason}
	target, err := w.prepare(ctx, request.Replace)
	if err != nil {
		w.close()
		return nil, target, err
	}
	return w, target, nil
}

// prepare opens the ledger and the sessions of both roles, and tries what can be tried.
func (w *Publishing) prepare(ctx context.Context, replace bool) (target publishedTable, err error) {
	if w.ledger, err = live.OpenLedger(ctx, w.policy); err != nil {
		return target, err
	}
	if err = live.CheckKinds(ctx, w.policy, w.ledger); err != nil {
		return target, err
	}
	if w.curator, err = curator.New(ctx, w.policy); err != nil {
		return target, err
	}
	if err = w.prove(ctx); err != nil {
		return target, err
	}
	if w.publisher, err = connectPublisher(ctx, w.policy.Upstream.Publisher); err != nil {
		return target, err
	}
	target = w.target(replace)
	return target, w.publisher.preflight(ctx, target)
}

// close ends what was opened.
func (w *Publishing) close() {
	if w.publisher != nil {
		w.publisher.close()
	}
	if w.curator != nil {
		w.curator.Close()
	}
	if w.ledger != nil {
		w.ledger.Close()
	}
}

// A Publishing is a publication in the making.
type Publishing struct {
	policy      *policy.Policy
	publication *policy.Publication
	table       *policy.Table
	accounting  accountant.Accounting
	ledger      *ledger.Ledger
	curator     *curator.Curator
	publisher   *publisher
	random      io.Reader
	Told        func(step string, rows int64) // nil: nobody
	reason      string

	rows      *microRows
	Guarantee accountant.Loss // what is charged
}

// prove makes sure that the roles are separate and that the catalog fits, and finds out what the publication costs.
func (w *Publishing) prove(ctx context.Context) error {
	return w.curator.Prove(ctx, w.policy, func(s *curator.Inspection, catalog *rewrite.Catalog) (err error) {
		if w.rows, err = newMicroRows(ctx, s.Snapshot, w.publication, catalog.Tables[w.table.Name]); err != nil {
			return fmt.Errorf("%v: %w", w.publication.Name, err)
		}
		if w.Guarantee, err = publicationLoss(w.publication, w.table, w.rows); err != nil {
			return fmt.Errorf("%v: %w", w.publication.Name, err)
		}
		return nil
	})
}

// enter tells that a step begins.
func (w *Publishing) enter(step string) {
	if w.Told != nil {
		w.Told(step, 0)
	}
}

// Progress tells how many rows a step is about, unless there is a guarantee, which no number of protected rows keeps.
func (w *Publishing) Progress(step string, rows int64) {
	if w.Told != nil && w.Guarantee.Releases > 0 {
		w.Told(step, rows)
	}
}

// publish charges, and does what was charged.
func (w *Publishing) publish(ctx context.Context, target publishedTable) (*Published, error) {
	reservation, err := w.reserve(ctx)
	if err != nil {
		return nil, err
	}
	made, err := w.make(ctx, reservation, target)
	if err != nil {
		w.ledger.Abandon(reservation)
		return nil, &Error{Name: w.publication.Name, Charged: w.Guarantee, Err: err}
	}
	return made, nil
}

// make reads, sanitizes, writes, records and commits. What it leaves uncommitted the publisher's session takes back.
func (w *Publishing) make(ctx context.Context, reservation *ledger.Reservation, target publishedTable) (*Published, error) {
	if err := w.read(ctx); err != nil {
		return nil, fmt.Errorf("reading %v: %w", w.table.Name, err)
	}
	w.enter("sanitizing")
	w.Progress("sanitizing", int64(w.rows.count))
	sanitized, err := w.sanitize()
	if err != nil {
		return nil, err
	}
	provenance := w.provenance(sanitized)
	if target.comment, err = provenance.comment(); err != nil {
		return nil, err
	}
	payload, err := provenance.payload()
	if err != nil {
		return nil, err
	}
	w.enter("writing")
	target.charged = true
	aside, err := w.publisher.write(ctx, target, func(out *copyWriter) error { return w.writeRows(out, sanitized) })
	if err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	if _, err := w.ledger.Record(ctx, reservation, [][]byte{payload}); err != nil {
		return nil, err
	}
	if err := w.publisher.commit(ctx); err != nil {
		return nil, fmt.Errorf("the commit failed, look whether the table is there: %w", err)
	}
	made := &Published{Provenance: *provenance, Charged: w.Guarantee, Aside: aside, ExactDelta: exactDelta(w.publication, w.table, w.Guarantee)}
	if w.Guarantee.Releases > 0 {
		made.RowsRead = int64(w.rows.count)
	}
	standing, err := w.ledger.Balance(ctx, w.accounting, live.Steward, nil)
	made.Left = standing.Left
	return made, err
}

// publicationPrefix keeps the mechanisms of publications apart from those of counts, some of which have the same names: a
// publication is no answer to a question that analysts could ask.
const publicationPrefix = "publication by "

// reserve charges the publication durably.
func (w *Publishing) reserve(ctx context.Context) (*ledger.Reservation, error) {
	c, err := w.charge()
	if err != nil {
		return nil, err
	}
	return w.ledger.Reserve(ctx, c)
}

// charge is that of the publication. Each is a question of its own, which nobody asks again.
func (w *Publishing) charge() (c accountant.Charge, err error) {
	unique := make([]byte, 32)
	if _, err := io.ReadFull(rand.Reader, unique); err != nil {
		return c, err
	}
	text := questionText(w.publication)
	sql := "tacit publish --table " + w.publication.Name.String()
	if w.reason != "" {
		sql += " -- " + w.reason
	}
	return accountant.Charge{
		Analyst: live.Steward, Accounting: w.accounting,
		Items: []accountant.Item{{
			Question:  accountant.Question{Table: w.table.Name, Key: sha256.Sum256(append([]byte(text), unique...)), Text: text},
			Loss:      w.Guarantee,
			Mechanism: publicationPrefix + string(w.publication.Kind),
		}},
		SQL: sql,
	}, nil
}

// read loads the rows in a snapshot of their own, begun after the reservation.
func (w *Publishing) read(ctx context.Context) error {
	s, err := w.curator.Inspect(ctx)
	if err != nil {
		return err
	}
	defer s.End()
	w.enter("reading")
	return w.rows.read(ctx, s, w.Progress)
}
