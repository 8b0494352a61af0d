package accountant

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"tacit/policy"
)

// A Reader looks at a ledger, also while another process writes it. It locks nobody out, and sees what was committed.
type Reader struct {
	path string
	db   *sql.DB
	// version of the ledger when it was last looked at. It may be brought up while it is read.
	version atomic.Int64
}

// OpenReadOnly opens an existing ledger, of this version or a former one. It does not ask the ledger's guard: a backup can be looked at, too. Before the first
// ledger has been made, with neither a file nor a guard that remembers one, the error says so (NeverMade).
func OpenReadOnly(path string) (*Reader, error) {
	if err := existing(path); err != nil {
		return nil, err
	}
	r, err := openReader(path)
	if err != nil {
		return nil, err
	}
	version, err := r.identify(context.Background())
	if err == nil && version == 0 {
		err = r.unavailable("it is empty", nil)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// existing tells a ledger that was never made from one that is gone.
func existing(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil // SQLite will say what is wrong with it
	}
	if _, err := os.Stat(guardPath(path)); errors.Is(err, fs.ErrNotExist) {
		return &UnavailableError{Path: path, NeverMade: true}
	}
	return &UnavailableError{Path: path, Problem: "it is missing, although there was one", Remedy: "put the ledger back"}
}

// readers is how many goroutines may read at once; more wait.
const readers = 4

func openReader(path string) (*Reader, error) {
	db, err := openDatabase(path, readOnly, readers)
	if err != nil {
		return nil, err
	}
	return &Reader{path: path, db: db}, nil
}

// Close closes the reader's files.
func (r *Reader) Close() error { return r.db.Close() }

func (r *Reader) unavailable(problem string, err error) *UnavailableError {
	return &UnavailableError{Path: r.path, Problem: problem, Err: err}
}

// readError keeps the caller's own cancellation apart from a ledger that cannot be read.
func (r *Reader) readError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.unavailable("it cannot be read", err)
}

// query is a query that gives all rows, of a ledger of whichever version.
func (r *Reader) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return r.db.QueryContext(ctx, r.former(ctx, r.db)+query, args...)
}

// A TableBalance is what was charged for one table, answered or not.
type TableBalance struct {
	Table     policy.TableName
	Adjacency policy.Adjacency // of the losses; empty if only risks were charged, which are under none
	Spent     Loss             // by all analysts
	Analysts  []AnalystBalance
}

// An AnalystBalance is one analyst's part of a TableBalance.
type AnalystBalance struct {
	Analyst string
	Spent   Loss
}

// Balances lists what was charged, by table and within it by analyst, in alphabetical order. Tables and analysts that were never
// charged are not in it.
func (r *Reader) Balances(ctx context.Context) ([]TableBalance, error) {
	rows, err := r.query(ctx, `SELECT table_schema, table_name, adjacency, analyst, epsilon, delta, releases, risk FROM balance ORDER BY 1, 2, 4`)
	if err != nil {
		return nil, r.readError(ctx, err)
	}
	defer rows.Close()
	var balances []TableBalance
	for rows.Next() {
		var table TableBalance
		var analyst AnalystBalance
		if err := rows.Scan(&table.Table.Schema, &table.Table.Name, &table.Adjacency, &analyst.Analyst,
			&analyst.Spent.Epsilon, &analyst.Spent.Delta, &analyst.Spent.Releases, &analyst.Spent.Risk); err != nil {
			return nil, r.readError(ctx, err)
		}
		if n := len(balances); n == 0 || balances[n-1].Table != table.Table {
			balances = append(balances, table)
		}
		last := &balances[len(balances)-1]
		last.Adjacency = max(last.Adjacency, table.Adjacency)
		last.Spent = last.Spent.Add(analyst.Spent)
		last.Analysts = append(last.Analysts, analyst)
	}
	return balances, r.readError(ctx, rows.Err())
}

// Balance returns what was charged for the table, by all analysts and by this one.
func (r *Reader) Balance(ctx context.Context, table policy.TableName, analyst string) (all, own Loss, err error) {
	rows, err := r.query(ctx, spentQuery, table.Schema, table.Name)
	if err != nil {
		return Loss{}, Loss{}, r.readError(ctx, err)
	}
	all, own, _, err = sumSpent(rows, analyst)
	return all, own, r.readError(ctx, err)
}

// CheckAdjacency returns an *AdjacencyError if the table has losses that those under an adjacency cannot be added to: Reserve would refuse
// whatever is to be charged for it.
func (r *Reader) CheckAdjacency(ctx context.Context, table policy.TableName, asked policy.Adjacency) error {
	rows, err := r.query(ctx, spentQuery, table.Schema, table.Name)
	if err != nil {
		return r.readError(ctx, err)
	}
	_, _, recorded, err := sumSpent(rows, "")
	if err != nil {
		return r.readError(ctx, err)
	}
	return oneAdjacency(table, recorded, asked)
}

// spent is Balance as a transaction sees it, and the adjacency of the table's losses, if it has any.
func (t *transaction) spent(table policy.TableName, analyst string) (all, own Loss, adjacency policy.Adjacency, err error) {
	if rows := t.query(spentQuery, table.Schema, table.Name); t.err == nil {
		all, own, adjacency, t.err = sumSpent(rows, analyst)
	}
	return all, own, adjacency, t.err
}

const spentQuery = `SELECT analyst, adjacency, epsilon, delta, releases, risk FROM balance WHERE table_schema = ? AND table_name = ?`

func sumSpent(rows *sql.Rows, analyst string) (all, own Loss, adjacency policy.Adjacency, err error) {
	defer rows.Close()
	for rows.Next() {
		var name string
		var under policy.Adjacency
		var loss Loss
		if err := rows.Scan(&name, &under, &loss.Epsilon, &loss.Delta, &loss.Releases, &loss.Risk); err != nil {
			return Loss{}, Loss{}, "", err
		}
		adjacency = max(adjacency, under) // empty of those who were charged risks only
		all = all.Add(loss)
		if name == analyst {
			own = loss
		}
	}
	return all, own, adjacency, rows.Err()
}

const newestRelease = `
	SELECT r.id, r.at, r.payload, c.question, c.mechanism, c.epsilon, c.delta, c.releases
	FROM release r JOIN charge c ON c.id = r.charge
	WHERE r.id = (
		SELECT max(r.id)
		FROM charge c JOIN release r ON r.charge = c.id JOIN entry e ON e.id = c.entry
		WHERE c.question_key = ? AND e.table_schema = ? AND e.table_name = ? AND r.at >= ?)`

// newest returns the newest release of the question that was recorded at oldest or later.
func (r *Reader) newest(ctx context.Context, q Question, oldest int64) (*Release, bool, error) {
	release := &Release{Question: q}
	var at int64
	err := r.db.QueryRowContext(ctx, r.former(ctx, r.db)+newestRelease, q.Key[:], q.Table.Schema, q.Table.Name, oldest).Scan(&release.ID, &at,
		&release.Payload, &release.Text, &release.Mechanism, &release.Loss.Epsilon, &release.Loss.Delta, &release.Loss.Releases)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, r.readError(ctx, err)
	}
	release.At = time.Unix(0, at).UTC()
	return release, true, nil
}
