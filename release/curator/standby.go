package curator

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/policy"
	"tacit/rewrite/query"
)

// This file has counts made on a standby of the server that analysts use. The invariant: a standby counts only once it has all that was committed on the
// primary when the count had been charged, and while its catalog is, object by object, the one that was checked there. A physical standby has the same catalogs byte for byte, so that digests can be compared. What
// the policy calls the curator's server is the primary in everything else: checks, audited tables, and the steward's commands.
// Start at Curator.BeginCount.

const serverAttribute, orderAttribute = "target_session_attrs", "load_balance_hosts"

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

// withServer says which of the servers of a connection string is meant, where it says anything of that. In which order they are asked is not for pgx, which
// would take it for a setting of the session.
func withServer(connection, which string) string {
	u, err := url.Parse(connection)
	if err != nil || !u.Query().Has(serverAttribute) && !u.Query().Has(orderAttribute) {
		return connection
	}
	query := u.Query()
	if query.Has(serverAttribute) {
		query.Set(serverAttribute, which)
	}
	query.Del(orderAttribute)
	u.RawQuery = query.Encode()
	return u.String()
}

// balances reports whether each connection to a standby begins with another of the servers.
func balances(connection string) bool {
	u, err := url.Parse(connection)
	return err == nil && u.Query().Get(orderAttribute) == "random"
}

// shuffle brings the servers of a connection into a random order. The ways to encrypt that are tried at one of them keep theirs.
func shuffle(_ context.Context, c *pgx.ConnConfig) error {
	servers := append([]*pgconn.FallbackConfig{{Host: c.Host, Port: c.Port, TLSConfig: c.TLSConfig}}, c.Fallbacks...)
	place := make(map[string]string)
	for _, s := range servers {
		place[net.JoinHostPort(s.Host, strconv.Itoa(int(s.Port)))] = rand.Text()
	}
	slices.SortStableFunc(servers, func(a, b *pgconn.FallbackConfig) int {
		return strings.Compare(place[net.JoinHostPort(a.Host, strconv.Itoa(int(a.Port)))], place[net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))])
	})
	c.Host, c.Port, c.TLSConfig, c.Fallbacks = servers[0].Host, servers[0].Port, servers[0].TLSConfig, servers[1:]
	return nil
}

const (
	// standbyTime and standbyLag are the bounds of standbys.connecting and standbys.lag.
	standbyTime, standbyLag = 10 * time.Second, 3 * time.Second
	// standbyPause is how long the primary counts after a standby could not be reached, was too far behind, or ended a count.
	standbyPause = 30 * time.Second
	// standbyLife is how long a connection is used before the settings of its server are looked at again.
	standbyLife = time.Minute
)

// standbys are the connections to standbys. A nil pointer has none.
type standbys struct {
	pool   *pgxpool.Pool
	policy *policy.Policy
	// connecting bounds how long a count waits for a connection, and lag how long for the standby to have what was committed.
	connecting, lag time.Duration

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
	if balances(p.Upstream.Curator) {
		config.BeforeConnect = shuffle
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("upstream.curator: %w", err)
	}
	return &standbys{pool: pool, policy: p, connecting: standbyTime, lag: standbyLag}, nil
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

// acquire takes a connection to a standby, on which nothing is begun; nil if there is none.
func (s *standbys) acquire(ctx context.Context, checked Digest) *pgxpool.Conn {
	if s == nil || checked.Others == "" || s.paused() {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.connecting)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		s.pause()
		return nil
	}
	return conn
}

// begin begins a transaction once the standby has what the primary had at a position of its log, if the catalog is the one that was checked; nil if it
// cannot.
func (s *standbys) begin(ctx context.Context, conn *pgxpool.Conn, position string, checked Digest) *Snapshot {
	if !s.reaches(ctx, conn.Conn(), position) {
		s.pause()
		conn.Release()
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

// reaches waits until the standby has replayed the log up to a position.
func (s *standbys) reaches(ctx context.Context, conn *pgx.Conn, position string) bool {
	ctx, cancel := context.WithTimeout(ctx, s.lag)
	defer cancel()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		var reached bool
		err := conn.QueryRow(ctx, "SELECT pg_catalog.pg_last_wal_replay_lsn() OPERATOR(pg_catalog.>=) $1::text::pg_catalog.pg_lsn", position).Scan(&reached)
		if err != nil || reached {
			return reached
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(pause):
		}
	}
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

// Counts are the connections on which one answer is counted. A transaction of the primary is open from the beginning, so that most of what could fail
// fails before the answer is charged. Which rows are seen is decided at the first Run.
type Counts struct {
	primary  *Snapshot
	standbys *standbys
	waiting  *pgxpool.Conn // to a standby, before the first Run; nil if the primary counts
	standby  *Snapshot     // nil if the primary counts
	checked  Digest
	ending   sync.Once
}

// BeginCount takes connections for the counts of an answer. A standby counts if the policy prefers one and its catalog is the one that was checked, and
// else the primary. So it is of a standby whose files of time zones are others, and which makes something else of the queries' constants.
func (c *Curator) BeginCount(ctx context.Context, checked Digest, queries []*query.BoundQuery) (*Counts, error) {
	s, err := c.Begin(ctx)
	if err != nil {
		return nil, err
	}
	counts := &Counts{primary: s, standbys: c.standbys, waiting: c.standbys.acquire(ctx, checked), checked: checked}
	if err := counts.compare(ctx, queries); err != nil {
		counts.End()
		return nil, err
	}
	return counts, nil
}

// compare leaves a standby on which a constant of the queries is not what it is on the primary, where it was looked at.
func (c *Counts) compare(ctx context.Context, queries []*query.BoundQuery) error {
	for _, q := range queries {
		for _, check := range q.Checks {
			if c.waiting == nil {
				return nil
			}
			var here, there string
			if err := c.primary.QueryRow(ctx, check.SQL, check.Constant).Scan(&here); err != nil {
				return err
			}
			if err := c.waiting.QueryRow(ctx, check.SQL, check.Constant).Scan(&there); err != nil || there != here {
				c.waiting.Release()
				c.waiting = nil
			}
		}
	}
	return nil
}

// Run makes a count that has been charged. It sees all that was committed on the primary before the first Run, also on a standby: else rows of a former
// epoch would be counted for the budget of the new one. If the standby ends the count, count is called once more, for the primary.
func (c *Counts) Run(ctx context.Context, count func(*Snapshot) error) error {
	if c.waiting != nil {
		if err := c.choose(ctx); err != nil {
			return err
		}
	}
	if c.standby == nil {
		return count(c.primary)
	}
	err := count(c.standby)
	if err == nil || !ServerGone(err) || ctx.Err() != nil {
		return err
	}
	c.standbys.pause()
	if err := c.leaveStandby(ctx); err != nil {
		return err
	}
	return count(c.primary)
}

// choose begins on the standby, if that keeps up. The primary then has no transaction open, which would keep VACUUM from its work there.
func (c *Counts) choose(ctx context.Context) error {
	conn := c.waiting
	c.waiting = nil
	position, unknown := c.primary.position(ctx)
	err := c.primary.exec(ctx, "COMMIT")
	if err != nil || unknown != nil {
		conn.Release()
	} else if c.standby = c.standbys.begin(ctx, conn, position, c.checked); c.standby != nil {
		return nil
	}
	return errors.Join(err, c.leaveStandby(ctx))
}

func (c *Counts) leaveStandby(ctx context.Context) error {
	if c.standby != nil {
		c.standby.End()
		c.standby = nil
	}
	return c.primary.exec(ctx, beginSQL)
}

// positionSQL is where the log of a primary ends, written to disk or not: whatever anybody can see is committed before it. At the beginning of a page it is
// behind the page's header, which a standby has not replayed before there is something behind it; so there it is the beginning itself. A header has 24 bytes,
// and that of the first page of a segment 40, as in XLogPageHeaderData and XLogLongPageHeaderData of PostgreSQL.
const positionSQL = `SELECT (at - CASE WHEN file_offset = 40 THEN 40 WHEN file_offset % pg_catalog.current_setting('wal_block_size')::integer = 24 THEN 24 ELSE 0 END)::text
	FROM pg_catalog.pg_current_wal_insert_lsn() AS at, pg_catalog.pg_walfile_name_offset(at)`

func (s *Snapshot) position(ctx context.Context) (position string, err error) {
	err = s.QueryRow(ctx, positionSQL).Scan(&position)
	return position, err
}

// End gives the connections back, once.
func (c *Counts) End() {
	c.ending.Do(func() {
		if c.waiting != nil {
			c.waiting.Release()
		}
		if c.standby != nil {
			c.standby.End()
		}
		c.primary.End()
	})
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
