package curator

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/policy"
)

// This file has counts made on a standby of the server that analysts use. The invariant: a standby counts only while its catalog is, object by
// object, the one that was checked on the primary. A physical standby has the same catalogs byte for byte, so that digests can be compared. What
// the policy calls the curator's server is the primary in everything else: checks, audited tables, and the steward's commands.
// Start at Curator.BeginCount.

const serverAttribute = "target_session_attrs"

// primary is the connection string of the curator on the server where analysts are.
func primary(p *policy.Policy) string { return withServer(p.Upstream.Curator, "primary") }

// standby is the connection string of the curator on a standby; empty if the policy prefers none.
func standby(p *policy.Policy) string {
	u, err := url.Parse(p.Upstream.Curator)
	if err != nil || u.Query().Get(serverAttribute) != "prefer-standby" {
		return ""
	}
	return withServer(p.Upstream.Curator, "standby")
}

// withServer says which of the servers of a connection string is meant, where it says anything of that.
func withServer(connection, which string) string {
	u, err := url.Parse(connection)
	if err != nil || !u.Query().Has(serverAttribute) {
		return connection
	}
	query := u.Query()
	query.Set(serverAttribute, which)
	u.RawQuery = query.Encode()
	return u.String()
}

const (
	// standbyTime bounds how long a count waits for a connection to a standby.
	standbyTime = 10 * time.Second
	// standbyPause is how long the primary counts after a standby could not be reached.
	standbyPause = 30 * time.Second
	// standbyLife is how long a connection is used before the settings of its server are looked at again.
	standbyLife = time.Minute
)

// standbys are the connections to standbys. A nil pointer has none.
type standbys struct {
	pool   *pgxpool.Pool
	policy *policy.Policy

	mu    sync.Mutex // protects until
	until time.Time  // the primary counts; zero for no such time
}

func newStandbys(ctx context.Context, p *policy.Policy) (*standbys, error) {
	connection := standby(p)
	if connection == "" {
		return nil, nil
	}
	config, err := poolConfig(connection, p.Limits.CountTimeout)
	if err != nil {
		return nil, err
	}
	config.MaxConns, config.MaxConnLifetime = maxCurators, standbyLife
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if err := verifyCurator(ctx, conn); err != nil {
			return err
		}
		return separateThere(ctx, conn, p)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("upstream.curator: %w", err)
	}
	return &standbys{pool: pool, policy: p}, nil
}

// errUnlogged is why a standby cannot count: it has no rows of such a table, and a count of them would fail after it was charged.
var errUnlogged = errors.New("the database has unlogged tables, which a standby cannot read")

// separateThere makes the check on a standby, whose settings may be others.
func separateThere(ctx context.Context, conn *pgx.Conn, p *policy.Policy) error {
	findings, err := CheckSeparation(ctx, conn, p)
	switch {
	case err != nil:
		return err
	case len(findings) > 0:
		return &SeparationError{Findings: findings}
	}
	var unlogged bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relpersistence OPERATOR(pg_catalog.=) 'u' AND relkind OPERATOR(pg_catalog.=) 'r')").Scan(&unlogged)
	if err == nil && unlogged {
		err = errUnlogged
	}
	return err
}

func (s *standbys) close() {
	if s != nil {
		s.pool.Close()
	}
}

// begin begins a transaction on a standby whose catalog is the one that was checked; nil if there is none.
func (s *standbys) begin(ctx context.Context, checked Digest) *Snapshot {
	if s == nil || checked.Others == "" || s.paused() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, standbyTime)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		s.pause()
		return nil
	}
	snapshot, err := beginOn(ctx, conn.Conn(), conn.Release)
	if err != nil {
		return nil
	}
	there, err := digest(ctx, snapshot.Conn, s.policy, Digest{}, pgx.QueryExecModeExec)
	if err != nil || there.Others != checked.Others {
		snapshot.End()
		return nil
	}
	return snapshot
}

func (s *standbys) paused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Before(s.until)
}

func (s *standbys) pause() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Now().Add(standbyPause)
}

// BeginCount takes a connection for counts that may be some seconds behind: on a standby, if the policy prefers one and its catalog is the one that
// was checked, and else on the primary.
func (c *Curator) BeginCount(ctx context.Context, checked Digest) (*Snapshot, error) {
	if c.standbys == nil {
		return c.Begin(ctx)
	}
	analyst := analystOf(ctx)
	if err := c.counts.take(ctx, analyst); err != nil {
		return nil, err
	}
	s, err := c.standbys.begin(ctx, checked), error(nil)
	if s == nil {
		s, err = beginFrom(ctx, c.pool)
	}
	return c.counts.hold(s, err, analyst)
}

// checkStandby says why counts are not made on a standby; empty if they are, or need not be.
func checkStandby(ctx context.Context, p *policy.Policy) string {
	connection := standby(p)
	if connection == "" {
		return ""
	}
	conn, err := pgx.Connect(ctx, connection)
	if err == nil {
		defer conn.Close(context.WithoutCancel(ctx))
		if err = verifyCurator(ctx, conn); err == nil {
			err = separateThere(ctx, conn, p)
		}
	}
	if err != nil {
		return printable(err.Error())
	}
	return ""
}
