package release

import (
	"context"

	"tacit/accountant"
	"tacit/policy"
)

// Unsealed are the audited tables of the policy in force that have no epoch, so that their counts are refused. Without a ledger that can
// be read it is all of them.
func (d *Door) Unsealed(ctx context.Context) []policy.TableName {
	d.mu.Lock()
	p, ledger := d.regime.policy, d.ledger
	d.mu.Unlock()
	if ledger == nil {
		return unsealed(ctx, p, nil)
	}
	return unsealed(ctx, p, ledger)
}

// UnsealedTables is Door.Unsealed for a policy whose proxy need not run.
func UnsealedTables(ctx context.Context, p *policy.Policy) []policy.TableName {
	reader, err := accountant.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return unsealed(ctx, p, nil)
	}
	defer reader.Close()
	return unsealed(ctx, p, reader)
}

func unsealed(ctx context.Context, p *policy.Policy, log auditLog) []policy.TableName {
	var names []policy.TableName
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit && !hasEpoch(ctx, log, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

func hasEpoch(ctx context.Context, log auditLog, name policy.TableName) bool {
	if log == nil {
		return false
	}
	last, err := log.LastAudit(ctx, name)
	return err == nil && last > 0
}
