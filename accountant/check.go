package accountant

import (
	"context"
	"database/sql"
	"fmt"
)

// invariants are queries whose every row is a contradiction. They hold after every commit.
var invariants = []struct{ broken, query string }{
	{"there is not exactly one ledger", `SELECT 1 WHERE (SELECT count(*) FROM ledger) <> 1`},

	// Identifiers are given in order and nothing is deleted, so there are no gaps; charges follow their entries' order.
	{"an entry is missing", `SELECT 1 WHERE (SELECT count(*) <> max(id) FROM entry)`},
	{"a charge is missing", `SELECT 1 WHERE (SELECT count(*) <> max(id) FROM charge)`},
	{"a release is missing", `SELECT 1 WHERE (SELECT count(*) <> max(id) FROM release)`},
	{"charges are out of order", `SELECT 1 FROM (SELECT entry, lag(entry) OVER (ORDER BY id) AS previous FROM charge) WHERE entry < previous`},

	{"an event of an auditor is missing", `SELECT 1 WHERE (SELECT count(*) <> max(id) FROM audit_event)`},
	{"an answer of an auditor is missing", `SELECT 1 WHERE (SELECT count(*) <> max(id) FROM audit_answer)`},
	{"the events of an auditor are not numbered in order", `SELECT 1 FROM (
			SELECT sequence, row_number() OVER (PARTITION BY table_schema, table_name ORDER BY id) AS place, entry, lag(entry) OVER (ORDER BY id) AS previous
			FROM audit_event) WHERE sequence <> place OR entry <= previous`},

	{"an amount is negative", `SELECT 1 FROM (SELECT epsilon, delta, releases, risk FROM entry UNION ALL SELECT epsilon, delta, releases, 0 FROM charge
		UNION ALL SELECT epsilon, delta, releases, risk FROM balance) WHERE epsilon < 0 OR delta < 0 OR releases < 0 OR risk < 0`},

	{"a release has no reservation", `SELECT 1 FROM release r LEFT JOIN charge c ON c.id = r.charge LEFT JOIN entry e ON e.id = c.entry
		WHERE e.verdict IS NOT 'charged'`},
	{"a charge has no reservation", `SELECT 1 FROM charge c LEFT JOIN entry e ON e.id = c.entry WHERE e.verdict IS NOT 'charged' OR e.adjacency = ''`},
	{"a reservation is not the sum of its charges", `SELECT 1 FROM entry e LEFT JOIN charge c ON c.entry = e.id
		WHERE e.verdict = 'charged' AND e.adjacency <> '' GROUP BY e.id, e.epsilon, e.delta, e.releases
		HAVING count(c.id) = 0 OR sum(c.epsilon) <> e.epsilon OR sum(c.delta) <> e.delta OR sum(c.releases) <> e.releases`},

	{"an event of an auditor and its entry do not agree", `SELECT 1 FROM audit_event a LEFT JOIN entry e ON e.id = a.entry
		WHERE (e.table_schema, e.table_name) IS NOT (a.table_schema, a.table_name) OR e.adjacency IS NOT ''
			OR e.verdict IS NOT CASE WHEN e.risk > 0 THEN 'charged' ELSE 'decided' END`},
	{"an entry is of no event of an auditor", `SELECT 1 FROM entry e WHERE (verdict = 'decided' OR risk > 0)
		AND NOT EXISTS (SELECT 1 FROM audit_event a WHERE a.entry = e.id)`},

	{"a balance is not the sum of its reservations", `WITH charged AS (
			SELECT table_schema, table_name, analyst, max(adjacency), sum(epsilon), sum(delta), sum(releases), sum(risk) FROM entry
			WHERE verdict = 'charged' GROUP BY 1, 2, 3),
		kept AS (SELECT table_schema, table_name, analyst, adjacency, epsilon, delta, releases, risk FROM balance)
		SELECT 1 FROM (SELECT * FROM charged EXCEPT SELECT * FROM kept)
		UNION ALL SELECT 1 FROM (SELECT * FROM kept EXCEPT SELECT * FROM charged)`},
	{"a table has losses under two adjacencies", `SELECT 1 FROM entry WHERE adjacency <> ''
		GROUP BY table_schema, table_name HAVING count(DISTINCT adjacency) > 1`},
}

// Check reads the whole ledger and returns ErrUnavailable if it contradicts itself: SQLite's own consistency, references, and that
// every sum is the sum of its parts, every release has a reservation, every auditor's events are numbered without gaps, no amount is
// negative and nothing is missing.
func (r *Reader) Check(ctx context.Context) error {
	// One transaction sees one state, whoever writes meanwhile.
	tx, err := r.db.BeginTx(ctx, nil)
	if err != nil {
		return r.readError(ctx, err)
	}
	defer tx.Rollback()
	var verdict string
	if err := tx.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return r.readError(ctx, err)
	}
	if verdict != "ok" {
		return r.inconsistent(verdict)
	}
	if found, err := anyRow(ctx, tx, "", "SELECT 1 FROM pragma_foreign_key_check"); err != nil || found {
		return r.contradiction(ctx, "a reference leads nowhere", err)
	}
	former := r.former(ctx, tx)
	for _, invariant := range invariants {
		if found, err := anyRow(ctx, tx, former, invariant.query); err != nil || found {
			return r.contradiction(ctx, invariant.broken, err)
		}
	}
	return nil
}

func anyRow(ctx context.Context, tx *sql.Tx, former, query string) (bool, error) {
	var found bool
	err := tx.QueryRowContext(ctx, fmt.Sprintf("%sSELECT EXISTS (%s)", former, query)).Scan(&found)
	return found, err
}

func (r *Reader) contradiction(ctx context.Context, broken string, err error) error {
	if err != nil {
		return r.readError(ctx, err)
	}
	return r.inconsistent(broken)
}

func (r *Reader) inconsistent(what string) error {
	return &UnavailableError{Path: r.path, Problem: "it contradicts itself: " + what, Remedy: "put the newest sound copy back"}
}
