package curator

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tacit/internal/stopwatch"
	"tacit/policy"
)

// maxCurators bounds how many count queries run at once.
const maxCurators = 8

// maxEvaluators bounds how many statements about constants run at once, and evaluationTime how long one may take. They cost nothing, so that they
// have connections of their own.
const (
	maxEvaluators  = 4
	evaluationTime = 15 * time.Second
)

// keptCurators stay connected, so that analysts who take all connections of the server cannot keep the curator out.
const keptCurators = 2

// A Curator runs SQL that this program deparsed itself under the role that may read protected tables.
// Nothing that the server says on these connections is shown to an analyst.
type Curator struct {
	policy             *policy.Policy
	pool, evaluators   *pgxpool.Pool
	counts, evaluation *places
	standbys           *standbys // nil if the policy prefers none
	computed           evaluated
}

// curatorSettings are sent in the start-up packet of every curator connection and so outrank what is stored for the role.
// Index plans are off because index counters and timing otherwise give exact answers away; formats are fixed so
// that the text of a key does not depend on the server's configuration.
func curatorSettings(timeout time.Duration) map[string]string {
	return map[string]string{
		"application_name":                    "tacit curator",
		"bytea_output":                        "hex",
		"client_encoding":                     "UTF8",
		"client_min_messages":                 "error",
		"datestyle":                           "ISO, MDY",
		"default_transaction_isolation":       "repeatable read", // never serializable: predicate locks are public
		"default_transaction_read_only":       "on",
		"enable_bitmapscan":                   "off",
		"enable_indexonlyscan":                "off",
		"enable_indexscan":                    "off",
		"extra_float_digits":                  "1",
		"idle_in_transaction_session_timeout": "60000",
		"intervalstyle":                       "postgres",
		"jit":                                 "off",
		"max_parallel_workers_per_gather":     "2",
		"row_security":                        "off",
		"search_path":                         "pg_catalog",
		"standard_conforming_strings":         "on",
		"statement_timeout":                   strconv.FormatInt(timeout.Milliseconds(), 10),
		"timezone":                            "UTC",
		"timezone_abbreviations":              "Default",
	}
}

// New prepares a pool; it does not connect yet.
func New(ctx context.Context, p *policy.Policy) (*Curator, error) {
	return newCurator(ctx, p, maxCurators, keptCurators)
}

// apartCurators are enough for one who looks at a table alone: a snapshot, and what is asked beside it.
const apartCurators = 3

// NewApart is New for a steward's look at a table, beside proxies: it has few connections of its own, and keeps none.
func NewApart(ctx context.Context, p *policy.Policy) (*Curator, error) {
	return newCurator(ctx, p, apartCurators, 0)
}

func newCurator(ctx context.Context, p *policy.Policy, most, kept int32) (*Curator, error) {
	timeout := p.Limits.CountTimeout
	pool, err := newPool(ctx, p, timeout, most, kept)
	if err != nil {
		return nil, err
	}
	evaluators, err := newPool(ctx, p, min(timeout, evaluationTime), maxEvaluators, 0)
	if err != nil {
		pool.Close()
		return nil, err
	}
	others, err := newStandbys(ctx, p)
	if err != nil {
		pool.Close()
		evaluators.Close()
		return nil, err
	}
	return &Curator{policy: p, pool: pool, evaluators: evaluators, standbys: others, counts: newPlaces(int(most)), evaluation: newPlaces(maxEvaluators)}, nil
}

func newPool(ctx context.Context, p *policy.Policy, timeout time.Duration, most, kept int32) (*pgxpool.Pool, error) {
	config, err := poolConfig(primary(p), timeout)
	if err != nil {
		return nil, err
	}
	config.MaxConns = most
	config.MinConns = kept
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("upstream.curator: %w", err)
	}
	return pool, nil
}

func poolConfig(connection string, timeout time.Duration) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(connection)
	if err != nil {
		return nil, fmt.Errorf("upstream.curator: %w", err)
	}
	config.ConnConfig.RuntimeParams = curatorSettings(timeout)
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.AfterConnect = verifyCurator
	boundSilence(config, timeout)
	return config, nil
}

// The major versions of PostgreSQL that the tests are run against. Another one may tell analysts what CheckSeparation does not look for.
const oldestVersion, newestVersion = 14, 18

// checkVersion refuses servers that this program was not tried with. An older one no longer gets corrections either.
func checkVersion(versionNum string) error {
	version, err := strconv.Atoi(versionNum)
	if err != nil {
		return fmt.Errorf("server_version_num: %w", err)
	}
	if major := version / 10000; major < oldestVersion || major > newestVersion {
		return fmt.Errorf("the server is PostgreSQL %d, and only %d to %d can be protected by this version of tacit: what others tell everybody is not known to it",
			major, oldestVersion, newestVersion)
	}
	return nil
}

// checkFork refuses a server that says that it is PostgreSQL and has catalogs of its own.
func checkFork(version string) error {
	if strings.Contains(version, "-YB-") {
		return fmt.Errorf("the server is YugabyteDB (%s), of which it is not known what it tells everybody", version)
	}
	return nil
}

// verifyCurator refuses a server of an unknown version, and a connection on which a count could move an activity counter.
func verifyCurator(ctx context.Context, conn *pgx.Conn) error {
	const query = `SELECT name, setting
		FROM (SELECT name, pg_catalog.current_setting(name) FROM (VALUES ('track_counts'), ('server_encoding'), ('server_version'), ('server_version_num')) AS asked(name)) AS s(name, setting)
		WHERE (name, setting) IN (('track_counts', 'on'), ('server_encoding', 'SQL_ASCII')) OR name IN ('server_version', 'server_version_num')`
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, setting string
		if err := rows.Scan(&name, &setting); err != nil {
			return err
		}
		switch name {
		case "server_version_num":
			err = checkVersion(setting)
		case "server_version":
			err = checkFork(setting)
		default:
			err = fmt.Errorf("curator connection: %s is %q; run the SQL of `tacit check`", name, setting)
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// Reached says whether the server answers now, on a connection that counts do not wait for.
func (c *Curator) Reached(ctx context.Context) bool {
	use := c.evaluators.Stat()
	return use.AcquiredConns() == use.MaxConns() || c.evaluators.Ping(ctx) == nil // where all are at work, it does
}

func (c *Curator) Close() {
	c.pool.Close()
	c.evaluators.Close()
	c.standbys.close()
}

// A Snapshot is one read-only transaction of the curator, so that all counts of a statement see the same rows.
type Snapshot struct {
	Conn *pgx.Conn
	give func() // gives the connection back
}

// Begin takes a connection for counts, waiting while all of them count.
func (c *Curator) Begin(ctx context.Context) (*Snapshot, error) { return begin(ctx, c.pool, c.counts) }

// BeginEvaluation takes a connection for statements that read no protected row and are not charged. They end after a short time, so that those
// who wait for one wait no longer than that.
func (c *Curator) BeginEvaluation(ctx context.Context) (*Snapshot, error) {
	return begin(ctx, c.evaluators, c.evaluation)
}

// begin waits for a place, and begins.
func begin(ctx context.Context, pool *pgxpool.Pool, of *places) (*Snapshot, error) {
	defer stopwatch.Time(ctx, stopwatch.Curator)()
	analyst := analystOf(ctx)
	if err := of.take(ctx, analyst); err != nil {
		return nil, err
	}
	s, err := beginFrom(ctx, pool)
	return of.hold(s, err, analyst)
}

// hold has the end of a snapshot give back the place that was taken for it; where there is none, it is given back at once.
func (p *places) hold(s *Snapshot, err error, analyst string) (*Snapshot, error) {
	if err != nil {
		p.giveBack(analyst)
		return nil, err
	}
	give := s.give
	s.give = func() {
		give()
		p.giveBack(analyst)
	}
	return s, nil
}

// beginFrom begins on a connection that works: those which the server has ended while nobody used them are left, since nothing was begun on them.
func beginFrom(ctx context.Context, pool *pgxpool.Pool) (*Snapshot, error) {
	for left := pool.Config().MaxConns; ; left-- {
		conn, err := pool.Acquire(ctx)
		var s *Snapshot
		if err == nil {
			s, err = beginOn(ctx, conn.Conn(), conn.Release)
		}
		switch {
		case err == nil:
			return s, nil
		case conn == nil || left == 0 || ctx.Err() != nil || !ServerGone(err):
			return nil, err
		}
	}
}

// Inspect makes a connection of its own, so that nothing that analysts do can keep the steward's checks waiting.
func (c *Curator) Inspect(ctx context.Context) (*Inspection, error) {
	conn, err := pgx.ConnectConfig(ctx, c.pool.Config().ConnConfig)
	if err != nil {
		return nil, &LoginError{c.policy, err}
	}
	closeConn := func() {
		ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
		defer cancel()
		_ = conn.Close(ctx)
	}
	if err := verifyCurator(ctx, conn); err != nil {
		closeConn()
		return nil, fmt.Errorf("curator: %w", err)
	}
	s, err := beginOn(ctx, conn, closeConn)
	if err != nil {
		return nil, fmt.Errorf("curator: %w", err)
	}
	return &Inspection{Snapshot: s}, nil
}

// beginSQL takes no snapshot yet: the first statement does.
const beginSQL = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

func beginOn(ctx context.Context, conn *pgx.Conn, give func()) (*Snapshot, error) {
	s := &Snapshot{conn, give}
	if err := s.exec(ctx, beginSQL); err != nil {
		s.End()
		return nil, err
	}
	return s, nil
}

func (s *Snapshot) exec(ctx context.Context, sql string) error {
	_, err := s.Conn.PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// CloseTimeout is how long the end of a transaction or connection may take.
const CloseTimeout = 5 * time.Second

// End gives the connection back. The pool destroys one that is still in a transaction after a failed COMMIT. It is no ROLLBACK: after that, what reading
// has written to the log (hint bits, pruned pages) may not be on disk for long, so that standbys do not have it.
func (s *Snapshot) End() {
	ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
	defer cancel()
	if !s.Conn.IsClosed() && s.Conn.PgConn().TxStatus() != 'I' {
		_ = s.exec(ctx, "COMMIT")
	}
	s.give()
}

// Query runs a statement that reads no protected row: about catalogs, constants and public tables. It calls row with the text of each result column, nil for NULL. The slices are valid only during the call.
func (s *Snapshot) Query(ctx context.Context, sql string, args []string, row func([][]byte) error) error {
	defer stopwatch.Time(ctx, stopwatch.Curator)()
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	result := s.Conn.PgConn().ExecParams(ctx, sql, params, nil, nil, nil)
	for result.NextRow() {
		if err := row(result.Values()); err != nil {
			// There may be many more rows, which nobody wants.
			ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
			defer cancel()
			_ = s.Conn.Close(ctx)
			return err
		}
	}
	_, err := result.Close()
	return err
}

// QueryRow is query for one row of catalogs.
func (s *Snapshot) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return s.Conn.QueryRow(ctx, sql, args...)
}
