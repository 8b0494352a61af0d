// Package release is the only door between protected rows and an analyst.
//
// [Door.Answer] takes the count queries of one statement and returns sanitized cells. It guarantees, against an analyst who
// chooses statements adaptively and may crash or disconnect at any moment:
//
//   - a question for which a release was made is answered from the ledger, word for word and free of charge (replay);
//   - one that follows from releases of others is computed of these, free of charge, and is the same again until there is a release of
//     which fewer cells have to be added up;
//   - otherwise its loss is durably reserved before any protected row is read, and stays spent whatever happens next;
//   - the cells that come back were decided by declared domains or by a private threshold, their counts are noisy, and
//     they are durably recorded before they are returned;
//   - nothing else computed from protected rows comes back: errors of the curator's connection become one fixed refusal.
//
// Counts of an audited table (policy.Audit) are not noisy but exact, or suppressed. Of these it guarantees, under the assumptions that
// package auditor states, of the prior and of what is public:
//
//   - what is shown is decided from public facts and from what was shown before, by code that has no count in reach: who has these can
//     make each decision again (ReplayAudit), so that a suppression says nothing;
//   - a decision is durably recorded with its risk, behind the history that it was made on, before a protected row is read, and
//     the risk stays spent; a count is opened only with the record of its own decision in hand, once;
//   - what was opened is durably recorded before it is returned, and is part of the history of all analysts from then on;
//   - all risks of a table together, its certified plan's included, are no more than its delta.
//
// [Publish] makes a sanitized copy of a table for the steward, with the same order of things: charged, read, recorded, shown.
//
// The door opens only while [CheckSeparation] finds the analysts' roles and the curator's role apart on the live
// catalog. What a question is stands in package rewrite, what it costs in mechanisms and accountant. How long a count takes
// is not hidden (docs/privacy.md).
package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"tacit/accountant"
	"tacit/mechanisms"
	"tacit/policy"
	"tacit/rewrite"
)

// A Config says what a Door is made of.
type Config struct {
	Policy *policy.Policy // Required.
	Random io.Reader      // Required: crypto/rand.Reader, or a seeded source in tests. It is read by one goroutine at a time.
}

const (
	// establishTimeout bounds a check of the server's catalogs.
	establishTimeout = time.Minute
	// confirmedFor is how long the door stays open after the last check that could be made.
	confirmedFor = 5 * time.Minute
)

// A Door answers the count queries of all analysts. Its methods may be called concurrently.
type Door struct {
	random  io.Reader
	curator *curator
	asking  keyedLocks
	sizes   releaseSizes

	establishing sync.Mutex // held while a regime is confirmed and entered, so that an older one cannot follow a newer one

	mu sync.Mutex // protects what follows; held for moments only, since every statement of every session asks
	// regime is the newest that could be confirmed. It stays in use for telling protected names while the door is closed.
	regime    *regime
	confirmed time.Time // when it was
	// closed says why protected tables are refused; nil while the door is open.
	closed error
	// apart is when the ledger was last found to be out of analysts' reach.
	apart time.Time
	// ledger is nil while it could not be opened, for the reason shut.
	ledger *accountant.Ledger
	shut   error
	// failed are the tables of which a count failed in a way that could tell of a row, until the policy is reloaded.
	failed map[policy.TableName]bool
	// ended is set by Close.
	ended bool
	// books are those of audited tables, each of which is used under the table's lock.
	books map[policy.TableName]*auditBook
	// over has the last seal of tables of whose epoch rows were found to be gone.
	over map[policy.TableName]string
	// derivables are what answers can be derived from.
	derivables derivables
}

// A regime is what answers are made under: the policy, and the tables as the server has them. It is immutable, but for what it
// remembers.
type regime struct {
	policy     *policy.Policy
	mechanisms map[policy.TableName]map[sensitivity]*mechanisms.Mechanism // by sensitivity
	accounting map[policy.TableName]accountant.Accounting
	calibrated mechanismCache // all others
	catalog    *rewrite.Catalog
	domains    map[policy.ColumnName][32]byte
	cells      *cellCache
	// unfitted leaves cells as they are counted, whatever the policy says of totals: for the steward, who compares mechanisms on them.
	unfitted bool
}

// Open connects the curator, checks that the roles are separate, reads the catalog and opens the ledger. Roles that are not
// separate (a *SeparationError), a catalog that cannot be read, and a table of another kind than its answers in the ledger (a *KindError)
// are errors. A ledger that cannot be used is not: protected
// tables are refused until [Door.Refresh] can open it, and other statements go on.
func Open(ctx context.Context, c Config) (*Door, error) {
	if c.Policy == nil || c.Random == nil {
		return nil, errors.New("release: Config.Policy and Config.Random are required")
	}
	d := &Door{random: &lockedReader{reader: c.Random}}
	var err error
	if d.curator, err = newCurator(ctx, c.Policy.Upstream.Curator, c.Policy.Limits.CountTimeout); err != nil {
		return nil, err
	}
	if err := d.Reload(ctx, c.Policy); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// A lockedReader is shared by the mechanisms of all tables.
type lockedReader struct {
	mu     sync.Mutex // protects reader
	reader io.Reader
}

func (r *lockedReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reader.Read(p)
}

// Close gives back the curator's connections and the ledger.
func (d *Door) Close() error {
	d.mu.Lock()
	ledger := d.ledger
	d.ended = true
	d.closed = errors.New("the proxy is shutting down")
	d.ledger, d.shut = nil, d.closed
	d.mu.Unlock()
	d.curator.close()
	if ledger == nil {
		return nil
	}
	return ledger.Close()
}

// Reload puts another policy in force for statements that come from now on. If it cannot be put in force the old one stays,
// and the error says why. The addresses, the upstream and the ledger cannot change while the proxy runs.
func (d *Door) Reload(ctx context.Context, p *policy.Policy) error {
	d.establishing.Lock()
	defer d.establishing.Unlock()
	if running := d.current(); running != nil {
		old := running.policy
		for _, t := range p.Tables {
			if before, ok := old.Table(t.Name); ok && before.Adjacency != t.Adjacency {
				return fmt.Errorf("the adjacency of %s cannot change: losses under different adjacencies do not add up", t.Name)
			}
			if before, ok := old.Table(t.Name); ok && personColumn(before) != personColumn(t) {
				return fmt.Errorf("the person of %s cannot change: losses of rows and of persons do not add up", t.Name)
			}
		}
		if p.Listen != old.Listen || p.Upstream != old.Upstream || p.Ledger != old.Ledger ||
			p.Limits.CountTimeout != old.Limits.CountTimeout || p.Limits.Connections != old.Limits.Connections {
			return errors.New("listen, upstream, ledger, limits.count_timeout and limits.connections cannot change while the proxy runs; restart it")
		}
	}
	next, err := d.establish(ctx, p)
	if err != nil {
		return err
	}
	if err := d.enter(ctx, next); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failed = nil
	return nil
}

// Refresh checks the separation of the roles again, reads the catalog anew, and opens the ledger if it cannot be used. It is to be
// called every minute or so: what a superuser changed since then is found here. After an error the door is closed until a
// later Refresh succeeds, and it closes by itself when no Refresh has succeeded for some minutes.
func (d *Door) Refresh(ctx context.Context) error {
	d.establishing.Lock()
	defer d.establishing.Unlock()
	next, err := d.establish(ctx, d.Policy())
	if err == nil {
		err = d.enter(ctx, next)
	}
	if err != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.closed = err
	}
	return err
}

// enter opens the door under a regime that was confirmed just now, unless the ledger has a table's answers of another kind, a *KindError, or
// is not apart from the analysts, a *SeparationError.
// The caller holds establishing.
func (d *Door) enter(ctx context.Context, next *regime) error {
	ledger, shut := d.usableLedger(ctx, next.policy.Ledger)
	var kinds *KindError
	var holes *SeparationError
	if ledger != nil {
		errors.As(checkKinds(ctx, next.policy, ledger), &kinds)
		if err := d.ledgerApart(ctx, next.policy); err != nil && !errors.As(err, &holes) {
			ledger.Close()
			ledger, shut = nil, err
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ended {
		if ledger != nil {
			ledger.Close()
		}
		return nil
	}
	d.ledger, d.shut = ledger, shut
	switch {
	case kinds != nil:
		return kinds
	case holes != nil:
		return holes
	}
	d.closed, d.confirmed = nil, time.Now()
	if d.regime == nil || d.regime.catalog.Version != next.catalog.Version {
		d.regime = next
	}
	return nil
}

// ledgerApart is a *SeparationError if analysts could reach the ledger, or says why that could not be found out, unless it was found out for
// this policy some minutes ago: that the ledger's server is away does not open it to anybody, and nothing is charged meanwhile.
func (d *Door) ledgerApart(ctx context.Context, p *policy.Policy) error {
	err := ledgerApart(ctx, p)
	var holes *SeparationError
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case err == nil:
		d.apart = time.Now()
	case errors.As(err, &holes):
		d.apart = time.Time{}
	case d.regime != nil && d.regime.policy == p && time.Since(d.apart) <= confirmedFor:
		return nil
	}
	return err
}

// usableLedger returns the open ledger, or opens it anew if there is none or it failed.
func (d *Door) usableLedger(ctx context.Context, location policy.LedgerLocation) (*accountant.Ledger, error) {
	d.mu.Lock()
	ledger := d.ledger
	d.mu.Unlock()
	if ledger != nil {
		if ledger.Usable() == nil {
			return ledger, nil
		}
		ledger.Close()
	}
	return accountant.Open(ctx, accountant.Options{Location: location, Role: accountant.Serve})
}

// establish confirms on the live catalog that a policy can be in force.
func (d *Door) establish(ctx context.Context, p *policy.Policy) (*regime, error) {
	r := &regime{
		policy: p, mechanisms: make(map[policy.TableName]map[sensitivity]*mechanisms.Mechanism),
		accounting: make(map[policy.TableName]accountant.Accounting), cells: &cellCache{},
	}
	for _, t := range p.Tables {
		m, err := newMechanisms(t, d.random)
		if err != nil {
			return nil, err
		}
		r.mechanisms[t.Name], r.accounting[t.Name] = m, accountingOf(t, mainTerm(m))
	}
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	s, err := d.curator.beginApart(ctx)
	if err != nil {
		return nil, fmt.Errorf("curator: %w", err)
	}
	defer s.end()
	findings, err := CheckSeparation(ctx, s.conn, p)
	if err != nil {
		return nil, fmt.Errorf("separation check: %w", err)
	}
	if len(findings) > 0 {
		return nil, &SeparationError{Findings: findings}
	}
	if r.catalog, err = loadCatalog(ctx, s, p); err != nil {
		return nil, err
	}
	r.domains = digestDomains(r.catalog)
	return r, nil
}

// A SeparationError is returned when analysts could reach protected rows otherwise than through the door.
type SeparationError struct {
	Findings []Finding
}

func (e *SeparationError) Error() string {
	return fmt.Sprintf("the roles of analysts and curator are not separate (findings: %d; the first: %s: %s)",
		len(e.Findings), e.Findings[0].What, e.Findings[0].Detail)
}

// Policy returns the policy in force.
func (d *Door) Policy() *policy.Policy { return d.current().policy }

// Catalog returns the newest snapshot of the protected tables.
func (d *Door) Catalog() *rewrite.Catalog { return d.current().catalog }

func (d *Door) current() *regime {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.regime
}

// LedgerError says why the ledger cannot be used, nil if it can.
func (d *Door) LedgerError() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ledger != nil {
		return d.ledger.Usable()
	}
	return d.shut
}

// LedgerWarnings are what the steward should know of where the ledger is kept, though it can be used.
func (d *Door) LedgerWarnings() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ledger == nil {
		return nil
	}
	return d.ledger.Warnings()
}

// open returns what answers are made with, or why protected tables are refused.
func (d *Door) open() (*regime, *accountant.Ledger, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed != nil:
		return nil, nil, errors.Join(refuseClosed(), d.closed)
	case time.Since(d.confirmed) > confirmedFor:
		return nil, nil, errors.Join(refuseClosed(), fmt.Errorf("the separation of the roles was last confirmed at %v", d.confirmed))
	case d.ledger == nil:
		return nil, nil, errors.Join(refuseLedger(), d.shut)
	}
	return d.regime, d.ledger, nil
}

// Refused notes in the log that an analyst's statement was refused before it came to the door.
func (d *Door) Refused(analyst, sql string, r *rewrite.Refusal) {
	d.note(accountant.Event{Analyst: analyst, Verdict: accountant.Refused, SQL: sql, SQLState: r.Code})
}

// note logs an event, if there is a ledger.
func (d *Door) note(e accountant.Event) {
	d.mu.Lock()
	ledger := d.ledger
	d.mu.Unlock()
	if ledger != nil {
		ledger.Note(e)
	}
}
