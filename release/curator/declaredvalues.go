package curator

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/policy"
)

const columnTypeQuery = `SELECT pg_catalog.format_type(a.atttypid, NULL), pg_catalog.format_type(a.atttypid, a.atttypmod)
	FROM pg_catalog.pg_attribute AS a
	JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
	JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
	JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid AND (t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace OR t.typtype = 'e')
	WHERE n.nspname = $1 AND c.relname = $2 AND a.attname = $3 AND a.attnum > 0 AND NOT a.attisdropped`

// checkValues finds declared values that their column can never hold, which would be cells of nothing but noise.
func checkValues(ctx context.Context, conn *pgx.Conn, p *policy.Policy) ([]Finding, error) {
	var findings []Finding
	for _, t := range p.Tables {
		for _, c := range t.Columns {
			if c.Domain.Values == nil {
				continue
			}
			var base, full string
			err := conn.QueryRow(ctx, columnTypeQuery, pgx.QueryExecModeExec, t.Name.Schema, t.Name.Name, c.Name).Scan(&base, &full)
			if errors.Is(err, pgx.ErrNoRows) {
				continue // found already: no such column, or not a type of PostgreSQL's own
			}
			if err != nil {
				return nil, err
			}
			bad, err := impossibleValues(ctx, conn, c.Domain.Values, base, full)
			if err != nil {
				return nil, err
			}
			if len(bad) > 0 {
				findings = append(findings, Finding{
					Severity: "HIGH",
					What:     ImpossibleValueFinding,
					Detail:   fmt.Sprintf("%s.%s is %s: %q", t.Name, pgx.Identifier{c.Name}.Sanitize(), full, bad),
					Remedy:   "correct the values or take them out",
				})
			}
		}
	}
	return findings, nil
}

const ImpossibleValueFinding = "declared value is one that the column cannot hold"

// impossibleValues returns the values that are not of the type, or that its modifier (a length, a precision) would change.
// All are asked at once first, since that is the common case; a server before version 16 can only try one by one.
func impossibleValues(ctx context.Context, conn *pgx.Conn, values []string, base, full string) ([]string, error) {
	ok, err := holds(ctx, conn, values, base, full)
	if ok || err != nil {
		return nil, err
	}
	var bad []string
	for _, v := range values {
		ok, err := holds(ctx, conn, []string{v}, base, full)
		if err != nil {
			return nil, err
		}
		if !ok {
			bad = append(bad, v)
		}
	}
	return bad, nil
}

func holds(ctx context.Context, conn *pgx.Conn, values []string, base, full string) (bool, error) {
	if err := Execute(ctx, conn, "SAVEPOINT tacit_value"); err != nil {
		return false, err
	}
	// format_type prints its own quoting; the names are of pg_catalog, which is the search path here. A cast to bpchar, not to
	// character, keeps the length of the value.
	if base == "character" {
		base = "bpchar"
	}
	var all bool
	sql := fmt.Sprintf("SELECT coalesce(bool_and(u.v::%s = u.v::%s), true) FROM unnest($1::text[]) AS u(v)", base, full)
	err := conn.QueryRow(ctx, sql, pgx.QueryExecModeExec, values).Scan(&all)
	var server *pgconn.PgError
	if err != nil && !errors.As(err, &server) {
		return false, err
	}
	if err := Execute(ctx, conn, "ROLLBACK TO SAVEPOINT tacit_value; RELEASE SAVEPOINT tacit_value"); err != nil {
		return false, err
	}
	if server != nil && !strings.HasPrefix(server.Code, "22") { // data exception: the value is not of the type
		return false, server
	}
	return all && server == nil, nil
}
