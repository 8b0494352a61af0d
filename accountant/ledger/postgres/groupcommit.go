package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

const beginWrite = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"

const syncWrite = `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit', true) NOT IN ('on', 'remote_apply')`

const lockHead = "SELECT entry, hash FROM head WHERE singleton = 1 FOR UPDATE"

// underLock asks for the server's time, which ledger it is, and the hashes of two entries.
const underLock = `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint), coalesce((SELECT id FROM ledger LIMIT 1), ''),
	(SELECT hash FROM entry WHERE id = $1), (SELECT hash FROM entry WHERE id = $2)`

const moveLockedHead = "UPDATE head SET entry = $1, hash = $2 WHERE singleton = 1"

const commit = "COMMIT"

const writeHeartbeat = `INSERT INTO proxy (` + journal.ProxyColumns + `) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET started = excluded.started, seen = excluded.seen, digest = excluded.digest`

// Lock locks the head in a single exchange with the server. Where another process has written since, a second one reads what.
func (s *Store) Lock(ctx context.Context, after, uncertain int64) (*store.Locked, error) {
	if err := s.Usable(); err != nil {
		return nil, err
	}
	if s.conn == nil {
		if err := s.connect(ctx); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, ExchangePatience)
	defer cancel()
	t, err := s.lockHead(ctx, uncertain)
	if err == nil && t.Head.Entry != after {
		err = s.readMissed(ctx, &t, after)
	}
	if err != nil {
		s.giveUp(err)
		return nil, s.failed(err)
	}
	if err := s.checkDescent(t); err != nil {
		s.rollBack()
		s.unproven.Store(true)
		return nil, err
	}
	s.unproven.Store(false)
	if err := s.prepare(ctx); err != nil {
		s.giveUp(err)
		return nil, s.failed(err)
	}
	s.sent = 0
	s.ticking.tick(t.micros)
	s.known.Store(&journal.Witness{ID: t.id, Entry: t.Head.Entry, Hash: t.Head.Hash})
	return &t.Locked, nil
}

// A lockedServer is what is found under the lock on the server.
type lockedServer struct {
	store.Locked
	micros int64 // the server's time
	id     string
	old    journal.Digest // of the entry that was the last one known; zero if it is not there
}

// lockHead locks the head and looks whether it is that of the ledger that is known. Each statement sees what was committed before it, so that
// those behind the lock see all.
func (s *Store) lockHead(ctx context.Context, uncertain int64) (t lockedServer, err error) {
	batch := &pgx.Batch{}
	s.queue(batch, beginWrite)
	s.queue(batch, syncWrite)
	s.queue(batch, lockHead)
	s.queue(batch, underLock, s.known.Load().Entry, uncertain)
	s.queue(batch, store.ProxiesQuery)
	results := s.conn.SendBatch(ctx, batch)
	r := &batchReader{results: results}
	r.skip()
	r.skip()
	t.Head, _ = firstOf(r, store.ScanHead)
	found, _ := firstOf(r, scanUnderLock)
	t.micros, t.id, t.old, t.Uncertain = found.micros, found.id, found.old, found.Uncertain
	t.Proxies = allOf(r, store.ScanProxy)
	return t, errors.Join(r.err, results.Close())
}

// scanUnderLock reads the row of underLock.
func scanUnderLock(row store.Scanner) (t lockedServer, err error) {
	var old, uncertain []byte
	err = row.Scan(&t.micros, &t.id, &old, &uncertain)
	t.old, t.Uncertain = journal.DigestOf(old), journal.DigestOf(uncertain)
	return t, err
}

// readMissed reads what lies behind an entry, as much as goes into a page.
func (s *Store) readMissed(ctx context.Context, t *lockedServer, after int64) error {
	page := []any{after + 1, after + store.ScanPage}
	batch := &pgx.Batch{}
	for _, query := range append([]string{store.EntriesQuery, store.ChargesQuery}, store.PayloadPages[:]...) {
		batch.Queue(query, page...)
	}
	results := s.conn.SendBatch(ctx, batch)
	r := &batchReader{results: results}
	t.Newer = allOf(r, store.ScanEntry)
	charges := allOf(r, store.ScanCharge)
	p := store.Payloads{Releases: allOf(r, store.ScanRelease), Events: allOf(r, store.ScanAuditEvent), Answers: allOf(r, store.ScanAuditAnswer)}
	t.Keep(after, p.Whole(after+store.ScanPage))
	store.JoinChildren(store.ByNumber(t.Newer), charges, p)
	return errors.Join(r.err, results.Close())
}

// checkDescent says what is wrong with the ledger that was locked, if it is not the one of the lock before or its continuation.
func (s *Store) checkDescent(t lockedServer) *accountant.UnavailableError {
	found := journal.Witness{ID: t.id, Entry: t.Head.Entry, Hash: t.Head.Hash}
	if t.Head.Entry == 0 || t.id == "" {
		return s.unavailable("it has no head", "put the newest ledger back", nil)
	}
	return s.descends(found, *s.known.Load(), t.old)
}

// Write commits in a single exchange with the server, unless notes are thinned.
func (s *Store) Write(b *journal.Batch) error {
	err := s.prelude(b)
	if err == nil {
		err = s.sendBatch(b)
	}
	switch {
	case err == nil:
	case concernsRows(err):
		s.rollBack()
		return fmt.Errorf("%w: %w", store.ErrRows, s.unavailable("it cannot be written", remedyOf(err), err))
	case refused(err):
		s.giveUp(err)
		return s.unavailable("it cannot be written", remedyOf(err), err)
	default:
		s.disconnect()
		return fmt.Errorf("%w: %w", store.ErrUncertain, s.failed(err))
	}
	if len(b.Entries) == 0 {
		return nil
	}
	newest := journal.Witness{ID: s.known.Load().ID, Entry: b.Head.Entry, Hash: b.Head.Hash}
	s.known.Store(&newest)
	if err := s.remember(newest); err != nil {
		// What was charged stays charged, but nobody would know a server that was set back.
		s.failure.CompareAndSwap(nil, err)
		return err
	}
	return nil
}

// prelude does what comes before the rows.
func (s *Store) prelude(b *journal.Batch) (err error) {
	if !b.Upgrade && len(b.Thinned) == 0 {
		return nil
	}
	if s.flight != nil {
		_, err = s.land()
	}
	ctx, cancel := context.WithTimeout(context.Background(), ExchangePatience)
	defer cancel()
	if err == nil && b.Upgrade {
		err = s.upgrade(ctx)
	}
	if err == nil {
		err = s.thin(ctx, b.Thinned)
	}
	return err
}

// sendBatch sends the rows and the COMMIT behind them, which the server passes over if a statement before it fails.
func (s *Store) sendBatch(b *journal.Batch) error {
	s.takeOff()
	if len(b.Entries) > 0 {
		s.sendRows(b.Entries)
		s.send(moveLockedHead, b.Head.Entry, b.Head.Hash[:])
	}
	if b.Heartbeat != nil {
		s.send(writeHeartbeat, b.Heartbeat.Values()...)
	}
	s.send(commit)
	tag, err := s.land()
	if err == nil {
		err = committed(tag)
	}
	return err
}

const thinNotes = `UPDATE entry e SET ` + store.ThinNote + `, body = n.body FROM unnest($1::bigint[], $2::text[]) AS n (id, body)
	WHERE e.id = n.id AND e.id BETWEEN $3 AND $4`

// thin drops what notes say, before anything that says so is sent.
func (s *Store) thin(ctx context.Context, notes []*journal.Entry) error {
	if len(notes) == 0 {
		return nil
	}
	ids, bodies := make([]int64, len(notes)), make([]string, len(notes))
	for i, note := range notes {
		ids[i], bodies[i] = note.ID, note.Body
	}
	// With bounds, the server reads no more of the table than it must, whatever it knows of it.
	tag, err := s.conn.Exec(ctx, thinNotes, ids, bodies, slices.Min(ids), slices.Max(ids))
	if err == nil && tag.RowsAffected() != int64(len(notes)) {
		err = fmt.Errorf("%w: of %d there are %d", errNotes, len(notes), tag.RowsAffected())
	}
	return err
}

func (s *Store) Rollback() error {
	s.rollBack()
	return nil
}

// giveUp ends the transaction after a statement that failed.
func (s *Store) giveUp(err error) {
	if forgotten(err) {
		s.disconnect()
		return
	}
	s.rollBack()
}

// rollBack rolls the transaction back, or closes the connection, and the server rolls it back.
func (s *Store) rollBack() {
	if s.conn == nil {
		return
	}
	if s.flight != nil { // of which nobody has heard the end
		s.disconnect()
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	if _, err := s.conn.Exec(ctx, "ROLLBACK"); err != nil {
		s.disconnect()
	}
}
