package release

import (
	"context"
	"fmt"

	"tacit/policy"
	"tacit/rewrite"
)

// prove makes sure that the roles are separate, and then hands over the catalog as the server has it now. It is for the steward's commands,
// which read protected rows without a door.
func (c *curator) prove(ctx context.Context, p *policy.Policy, then func(*snapshot, *rewrite.Catalog) error) error {
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	s, err := c.beginApart(ctx)
	if err != nil {
		return fmt.Errorf("curator: %w", err)
	}
	defer s.end()
	findings, err := CheckSeparation(ctx, s.conn, p)
	if err != nil {
		return fmt.Errorf("separation check: %w", err)
	}
	if len(findings) > 0 {
		return &SeparationError{Findings: findings}
	}
	catalog, err := loadCatalog(ctx, s, p)
	if err != nil {
		return err
	}
	return then(s, catalog)
}
