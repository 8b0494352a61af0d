package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tacit/accountant/ledger/store"
)

// A pool is a queryer of connections that are made when they are needed. They can break, and they can fall silent: a machine that loses its
// power and a firewall that drops a flow say nothing. Who has heard nothing for a while gives the connection up, and with it all that are
// as old.
type pool struct {
	*sql.DB
	// silence is when nothing was heard on a connection, in nanoseconds since began.
	silence atomic.Int64
	began   time.Time
}

// How long it may take until a query's first or next row comes. Outside of a snapshot all queries are quick; within one they may sort
// a whole ledger.
const (
	SilencePatience  = 4 * time.Second
	SnapshotPatience = 6 * SilencePatience
)

var errSilent = errors.New("nothing was heard for too long")

func newPool(config *pgx.ConnConfig) *pool {
	p := &pool{began: time.Now()}
	p.DB = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(p.admit), stdlib.OptionShouldPing(func(_ context.Context, c stdlib.ShouldPingParams) bool {
		return c.IdleDuration > time.Second && !p.suspects(c.Conn)
	}), stdlib.OptionResetSession(p.reuse))
	p.SetMaxOpenConns(store.Readers)
	p.SetMaxIdleConns(store.Readers)
	p.SetConnMaxIdleTime(time.Minute)
	return p
}

// madeAt is where a connection keeps when it was made.
const madeAt = "tacit made at"

func (p *pool) admit(ctx context.Context, conn *pgx.Conn) error {
	conn.PgConn().CustomData()[madeAt] = int64(time.Since(p.began))
	return setUpSession(ctx, conn, readerSettings)
}

// suspects says whether a connection is as old as one that has fallen silent.
func (p *pool) suspects(conn *pgx.Conn) bool {
	made, _ := conn.PgConn().CustomData()[madeAt].(int64)
	return made <= p.silence.Load()
}

// reuse gives up what is suspect, without waiting for its answer to a farewell.
func (p *pool) reuse(_ context.Context, conn *pgx.Conn) error {
	if !p.suspects(conn) {
		return nil
	}
	_ = conn.PgConn().Conn().Close() // what cannot be closed is gone
	return driver.ErrBadConn
}

func (p *pool) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	found, err := ask(ctx, p, func(ctx context.Context) (*sql.Rows, error) { return p.QueryContext(ctx, query, args...) })
	if err != nil {
		return nil, err
	}
	return &pooledRows{Rows: found.answer, silent: found.silent, timer: found.timer, patience: SilencePatience, release: found.cancel}, nil
}

// A heard is what a connection has answered, which lasts as long as its context.
type heard[T any] struct {
	answer T
	cancel context.CancelFunc
	timer  *time.Timer // cancels
	silent *atomic.Bool
}

// ask calls f until a connection has answered: all that wait in the pool may have been cut off, or have fallen silent.
func ask[T any](ctx context.Context, p *pool, f func(context.Context) (T, error)) (*heard[T], error) {
	silences := 0
	for attempt := 1; ; attempt++ {
		asking, cancel := context.WithCancel(ctx)
		a := &heard[T]{cancel: cancel, silent: &atomic.Bool{}}
		a.timer = time.AfterFunc(SilencePatience, func() {
			a.silent.Store(true)
			p.silence.Store(int64(time.Since(p.began)))
			cancel()
		})
		var err error
		a.answer, err = f(asking)
		a.timer.Stop()
		if err == nil {
			return a, nil
		}
		cancel()
		if a.silent.Load() {
			silences++
			err = errSilent
		}
		if ctx.Err() != nil || refused(err) || silences > 1 || attempt > store.Readers {
			return nil, err
		}
	}
}

// pooledRows listen for each next row.
type pooledRows struct {
	*sql.Rows
	silent   *atomic.Bool
	timer    *time.Timer
	patience time.Duration
	release  func() // frees what the connection is watched with
}

func (r *pooledRows) Next() bool {
	r.timer.Reset(r.patience)
	defer r.timer.Stop()
	return r.Rows.Next()
}

func (r *pooledRows) Err() error {
	if err := r.Rows.Err(); err == nil || !r.silent.Load() {
		return err
	}
	return errSilent
}

func (r *pooledRows) Close() error {
	r.timer.Reset(r.patience)
	defer r.release()
	defer r.timer.Stop()
	return r.Rows.Close()
}

// A snapshot is a transaction that reads one state. Its queries may read a whole ledger, as long as their rows keep coming.
type snapshot struct{ *heard[*sql.Tx] }

func (p *pool) Snapshot(ctx context.Context) (store.Snapshot, error) {
	tx, err := ask(ctx, p, func(ctx context.Context) (*sql.Tx, error) {
		return p.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	})
	if err != nil {
		return nil, err
	}
	return snapshot{tx}, nil
}

func (s snapshot) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	s.timer.Reset(SnapshotPatience)
	defer s.timer.Stop()
	rows, err := s.answer.QueryContext(ctx, query, args...)
	switch {
	case err == nil:
		return &pooledRows{Rows: rows, silent: s.silent, timer: s.timer, patience: SnapshotPatience, release: func() {}}, nil
	case s.silent.Load():
		return nil, errSilent
	default:
		return nil, err
	}
}

func (s snapshot) Close() error {
	s.timer.Reset(closePatience)
	defer s.cancel()
	defer s.timer.Stop()
	if err := s.answer.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		return err
	}
	return nil
}
