package accountant

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Statements of a turn. A commit that the server acknowledges must be on its disk, and on its synchronous standbys' if there are
// any, whatever the server's, the database's or the role's setting is; who has chosen more than that keeps it.
const (
	beginTurn      = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
	syncTurn       = `SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit', true) NOT IN ('on', 'remote_apply')`
	lockHead       = "SELECT entry, hash FROM head WHERE singleton = 1 FOR UPDATE"
	serverTime     = "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"
	whichLedger    = "SELECT id FROM ledger"
	moveLockedHead = "UPDATE head SET entry = $1, hash = $2 WHERE singleton = 1"
	writeBeat      = `INSERT INTO proxy (` + proxyColumns + `) VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO UPDATE SET started = excluded.started, seen = excluded.seen, digest = excluded.digest`
)

// lock begins a turn in a single exchange with the server.
func (s *postgresStore) lock(ctx context.Context, after, witness int64) (*turnStart, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if s.conn == nil {
		if err := s.connect(ctx); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, turnPatience)
	defer cancel()
	t, err := s.readTurn(ctx, after, witness)
	if err != nil {
		s.giveUp()
		return nil, s.failed(err)
	}
	if err := s.recognise(t); err != nil {
		s.giveUp()
		s.doubt.Store(true)
		return nil, err
	}
	s.doubt.Store(false)
	s.ticking.tick(t.micros)
	s.known.Store(&mark{id: t.id, entry: t.head.entry, hash: t.head.hash})
	return &t.turnStart, nil
}

// A postgresTurn is what a turn finds on the server.
type postgresTurn struct {
	turnStart
	micros int64 // the server's time
	id     string
	old    digest // of the entry that was the last one known; zero if it is not there
}

// readTurn locks the head and reads what lies behind an entry, as much as goes into a page. Each statement sees what was committed before
// it, so that those behind the lock see all.
func (s *postgresStore) readTurn(ctx context.Context, after, witness int64) (t postgresTurn, err error) {
	page := []any{after + 1, after + scanPage}
	batch := &pgx.Batch{}
	batch.Queue(beginTurn)
	batch.Queue(syncTurn)
	batch.Queue(lockHead)
	batch.Queue(serverTime)
	batch.Queue(whichLedger)
	batch.Queue(hashQuery, s.known.Load().entry)
	batch.Queue(hashQuery, witness)
	batch.Queue(proxiesQuery)
	for _, query := range append([]string{entriesQuery, chargesQuery}, payloadPages[:]...) {
		batch.Queue(query, page...)
	}
	results := s.conn.SendBatch(ctx, batch)
	r := &batchReader{results: results}
	r.skip()
	r.skip()
	t.head, _ = firstOf(r, scanHead)
	t.micros, _ = firstOf(r, scanNumber)
	t.id, _ = firstOf(r, scanText)
	old, _ := firstOf(r, scanBytes)
	t.old = digestOf(old)
	seen, _ := firstOf(r, scanBytes)
	t.witness = digestOf(seen)
	t.proxies = allOf(r, scanProxy)
	t.newer = allOf(r, scanEntry)
	charges := allOf(r, scanCharge)
	p := payloads{releases: allOf(r, scanRelease), events: allOf(r, scanAuditEvent), answers: allOf(r, scanAuditAnswer)}
	t.keep(after, p.whole(after+scanPage))
	joinChildren(byNumber(t.newer), charges, p)
	return t, errors.Join(r.err, results.Close())
}

// keep leaves out the entries behind the last one that was read as a whole.
func (t *turnStart) keep(after, last int64) {
	whole := 0
	for whole < len(t.newer) && t.newer[whole].id <= last {
		whole++
	}
	t.newer = t.newer[:whole]
	t.more = t.head.entry > max(after+int64(whole), last)
}

// recognise says what is wrong with the ledger that a turn found, if it is not the one of the turn before or its continuation.
func (s *postgresStore) recognise(t postgresTurn) *UnavailableError {
	found := mark{id: t.id, entry: t.head.entry, hash: t.head.hash}
	if t.head.entry == 0 || t.id == "" {
		return s.unavailable("it has no head", "put the newest ledger back", nil)
	}
	return s.descends(found, *s.known.Load(), t.old)
}

// write ends the turn in a single exchange with the server.
func (s *postgresStore) write(b *batch) error {
	ctx, cancel := context.WithTimeout(context.Background(), turnPatience)
	defer cancel()
	err := s.sendTurn(ctx, b)
	switch {
	case err == nil:
	case blamesRows(err):
		s.giveUp()
		return fmt.Errorf("%w: %w", errRows, s.unavailable("it cannot be written", remedyOf(err), err))
	case refused(err):
		s.giveUp()
		return s.unavailable("it cannot be written", remedyOf(err), err)
	default:
		s.hangUp()
		return fmt.Errorf("%w: %w", errUncertain, s.failed(err))
	}
	if len(b.entries) == 0 {
		return nil
	}
	newest := mark{id: s.known.Load().id, entry: b.head.entry, hash: b.head.hash}
	s.known.Store(&newest)
	if err := s.remember(newest); err != nil {
		// What was charged stays charged, but nobody would know a server that was set back.
		s.failure.CompareAndSwap(nil, err)
		return err
	}
	return nil
}

// sendTurn sends the rows and the COMMIT behind them, which the server passes over if a statement before it fails.
func (s *postgresStore) sendTurn(ctx context.Context, b *batch) error {
	batch := &pgx.Batch{}
	if len(b.entries) > 0 {
		queueRows(batch, b.entries)
		batch.Queue(moveLockedHead, b.head.entry, b.head.hash[:])
	}
	if b.beat != nil {
		batch.Queue(writeBeat, b.beat.values()...)
	}
	batch.Queue("COMMIT").Exec(committed)
	return s.conn.SendBatch(ctx, batch).Close()
}

// committed checks the answer to a COMMIT: of a transaction in which something failed the server rolls back, and says so here only.
func committed(tag pgconn.CommandTag) error {
	if tag.String() != "COMMIT" {
		return errRolledBack
	}
	return nil
}

var errRolledBack = errors.New("the server has rolled it back")

// queueRows queues an INSERT for each table that gets rows.
func queueRows(to *pgx.Batch, all []*entryRow) {
	var entries []entryRow
	var charges []chargeRow
	var releases []releaseRow
	var events []eventRow
	var answers []answerRow
	for _, e := range all {
		entries = append(entries, *e)
		charges, releases = append(charges, e.charged...), append(releases, e.released...)
		events, answers = append(events, e.events...), append(answers, e.answers...)
	}
	queueInsertion(to, "entry", entryColumns, entries)
	queueInsertion(to, "charge", chargeColumns, charges)
	queueInsertion(to, "release", releaseColumns, releases)
	queueInsertion(to, "audit_event", eventColumns, events)
	queueInsertion(to, "audit_answer", answerColumns, answers)
}

func (s *postgresStore) pass() error {
	s.giveUp()
	return nil
}

// giveUp rolls the turn back, or cuts it off, and the server rolls it back.
func (s *postgresStore) giveUp() {
	if s.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewellPatience)
	defer cancel()
	if _, err := s.conn.Exec(ctx, "ROLLBACK"); err != nil {
		s.hangUp()
	}
}
