package accountant

import (
	"context"
	_ "embed"
	"fmt"
)

// Versions of the ledger before this one, all of them in SQLite. Version 1 did not count releases without a guarantee, because there were
// none, and version 2 had no auditors. None of them had a chain: what they promise is looked at before they are brought up.

const secondVersion = 2

var (
	//go:embed migrate2.sql
	toSecond string
	//go:embed migrate3.sql
	toThird string
	//go:embed migrate4.sql
	toFourth string
)

// asFirst and asSecond make queries, which follow them, read a ledger of those versions as one of version 3: its tables have no column of
// releases or of risk yet, and some are missing. The names of the WITH queries hide the tables.
const (
	asFirst = `WITH entry AS (SELECT *, 0 AS releases, 0 AS risk FROM main.entry), charge AS (SELECT *, 0 AS releases FROM main.charge),
		balance AS (SELECT *, 0 AS releases, 0 AS risk FROM main.balance), ` + noAudits
	asSecond = `WITH entry AS (SELECT *, 0 AS risk FROM main.entry), balance AS (SELECT *, 0 AS risk FROM main.balance), ` + noAudits

	noAudits = `audit_event AS (SELECT 0 AS id, 0 AS entry, '' AS table_schema, '' AS table_name, 0 AS sequence, '' AS kind, x'' AS payload WHERE 0),
		audit_answer AS (SELECT 0 AS id, 0 AS event, 0 AS at, x'' AS payload WHERE 0) `
)

// asThird is what stands before a query of version 3, so that it reads a ledger of a version up to that.
func asThird(version int) string {
	switch version {
	case firstVersion:
		return asFirst
	case secondVersion:
		return asSecond
	}
	return ""
}

// formerSequence counts what was ever written: it grew with every commit, because nothing is deleted.
const formerSequence = `SELECT (SELECT coalesce(max(id), 0) FROM entry) + (SELECT coalesce(max(id), 0) FROM release)
	+ (SELECT coalesce(max(id), 0) FROM audit_answer)`

// formerInvariants are queries whose every row is a contradiction in a ledger of a former version.
var formerInvariants = []struct{ broken, query string }{
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

// checkFormer reads a whole ledger of a former version, and returns ErrUnavailable if it contradicts itself.
func (r *sqliteReader) checkFormer(ctx context.Context, version int) error {
	problem, err := r.integrity(ctx)
	if err != nil {
		return r.unavailable("it cannot be read", err)
	}
	if problem != "" {
		return r.contradicts(problem)
	}
	if found, err := r.anyRow(ctx, `SELECT 1 FROM pragma_foreign_key_check`); err != nil || found {
		return r.contradiction("a reference leads nowhere", err)
	}
	for _, invariant := range formerInvariants {
		if found, err := r.anyRow(ctx, asThird(version)+fmt.Sprintf(`SELECT 1 WHERE EXISTS (%s)`, invariant.query)); err != nil || found {
			return r.contradiction(invariant.broken, err)
		}
	}
	return nil
}

func (r *sqliteReader) anyRow(ctx context.Context, query string) (bool, error) {
	_, found, err := one(ctx, r, scanNumber, query)
	return found, err
}

func (r *sqliteReader) contradiction(broken string, err error) error {
	if err != nil {
		return r.unavailable("it cannot be read", err)
	}
	return r.contradicts(broken)
}

func (r *sqliteReader) contradicts(what string) error {
	return &UnavailableError{Path: r.path, Problem: "it contradicts itself: " + what, Remedy: "put the newest sound copy back"}
}

// admitFormer compares a ledger of a former version with its guard, and with itself.
func (s *sqlite) admitFormer(ctx context.Context, version int, remembered mark) error {
	found, _, err := one(ctx, s, func(row scanner) (m mark, err error) {
		m.former = true
		err = row.Scan(&m.id, &m.sequence)
		return m, err
	}, asThird(version)+`SELECT (SELECT id FROM ledger), (`+formerSequence+`)`)
	if err != nil {
		return s.unavailable("it cannot be read", err)
	}
	if err := s.guard.admit(s.path, found, remembered, nil); err != nil {
		return err
	}
	return s.checkFormer(ctx, version)
}
