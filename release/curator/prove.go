package curator

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tacit/policy"
	"tacit/rewrite"
)

// Prove makes sure that the roles are separate, and then hands over the catalog as the server has it now.
func (c *Curator) Prove(ctx context.Context, p *policy.Policy, then func(*Inspection, *rewrite.Catalog) error) error {
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	s, err := c.Inspect(ctx)
	if err != nil {
		return err
	}
	defer s.End()
	if s.Digest, err = s.checkSeparation(ctx, p); err != nil {
		return err
	}
	catalog, err := c.loadCatalog(ctx, s.Snapshot, p)
	if err != nil {
		return err
	}
	return then(s, catalog)
}

// Catalog makes sure that the roles are separate, and returns the catalog as the server has it now, with the digest of what was checked.
func (c *Curator) Catalog(ctx context.Context, p *policy.Policy) (catalog *rewrite.Catalog, checked Digest, err error) {
	err = c.Prove(ctx, p, func(i *Inspection, live *rewrite.Catalog) error {
		catalog, checked = live, i.Digest
		return nil
	})
	return catalog, checked, err
}

// Separate makes sure that the roles are separate, and returns the digest of the catalog of which it is so.
func (c *Curator) Separate(ctx context.Context, p *policy.Policy) (Digest, error) {
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	s, err := c.Inspect(ctx)
	if err != nil {
		return Digest{}, err
	}
	defer s.End()
	return s.checkSeparation(ctx, p)
}

// checkSeparation digests first, so that what changes during the check is a change.
func (s *Inspection) checkSeparation(ctx context.Context, p *policy.Policy) (Digest, error) {
	d, err := digest(ctx, s.Conn, p, Digest{}, pgx.QueryExecModeExec)
	if err != nil {
		return Digest{}, fmt.Errorf("separation check: %w", err)
	}
	findings, err := CheckSeparation(ctx, s.Conn, p)
	if err != nil {
		return Digest{}, fmt.Errorf("separation check: %w", err)
	}
	if len(findings) == 0 {
		return d, nil
	}
	barrier, err := loadBarrier(ctx, s.Conn, p, findings)
	if err != nil {
		return Digest{}, fmt.Errorf("separation check: %w", err)
	}
	return d, &SeparationError{Findings: findings, Barrier: barrier, Digest: d}
}

// establishTimeout bounds a check of the server's catalogs.
const establishTimeout = time.Minute

// A SeparationError is returned when analysts could reach protected rows otherwise than by answers.
type SeparationError struct {
	Findings []Finding
	// Barrier is what a running proxy refuses meanwhile; nil for nothing but answers.
	Barrier *rewrite.Barrier
	// Digest is of the catalog that was checked; zero if it was that of a ledger.
	Digest Digest
}

func (e *SeparationError) Error() string {
	return fmt.Sprintf("the roles of analysts and curator are not separate (findings: %d; the first: %s: %s)",
		len(e.Findings), e.Findings[0].What, e.Findings[0].Detail)
}
