package curator

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
)

//go:embed ledgerseparation.sql
var LedgerSeparationSQL string

// CheckLedgerSeparation asks the server that holds the ledger whether analysts are separate from it: none of them, nor a role that one
// could become, may own, read or write what the ledger keeps. It logs in as the ledger's user, and changes nothing. Roles of the names of
// analysts count wherever the ledger is, also on another server than the people's. A ledger in a file is kept by the file system's
// privileges, which are the steward's affair. No findings: separate.
func CheckLedgerSeparation(ctx context.Context, p *policy.Policy) ([]Finding, error) {
	if p.Ledger.Postgres == "" {
		return nil, nil
	}
	conn, err := pgx.Connect(ctx, p.Ledger.Postgres)
	if err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	findings, err := findLedgerHoles(ctx, conn, p)
	if err != nil {
		return nil, fmt.Errorf("checking the separation of the ledger: %w", err)
	}
	return findings, nil
}

// LedgerApart is a *SeparationError if analysts could reach the ledger, or says why that could not be found out.
func LedgerApart(ctx context.Context, p *policy.Policy) error {
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	findings, err := CheckLedgerSeparation(ctx, p)
	if err == nil && len(findings) > 0 {
		return &SeparationError{Findings: findings}
	}
	return err
}

func findLedgerHoles(ctx context.Context, conn *pgx.Conn, p *policy.Policy) (findings []Finding, err error) {
	if err := Execute(ctx, conn, "BEGIN READ ONLY; SET LOCAL search_path = pg_catalog; SET LOCAL jit = off"); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, Execute(ctx, conn, "ROLLBACK")) }()
	names := make([]string, len(p.Analysts))
	for i, a := range p.Analysts {
		names[i] = a.Name
	}
	rows, err := conn.Query(ctx, LedgerSeparationSQL, pgx.QueryExecModeExec, names)
	if err != nil {
		return nil, err
	}
	findings, err = pgx.CollectRows(rows, pgx.RowToStructByNameLax[Finding])
	for i := range findings {
		findings[i].Name = findingNames[findings[i].What]
		findings[i].Detail, findings[i].Remedy = printable(findings[i].Detail), printable(findings[i].Remedy)
	}
	return findings, err
}
