package live

import (
	"context"

	"tacit/policy"
	"tacit/release/internal/epoch"
)

func Unsealed(ctx context.Context, p *policy.Policy, log epoch.Log) []policy.TableName {
	var names []policy.TableName
	for _, t := range p.Tables {
		if t.Mechanism.Kind == policy.Audit && !HasEpoch(ctx, log, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

func HasEpoch(ctx context.Context, log epoch.Log, name policy.TableName) bool {
	if log == nil {
		return false
	}
	last, err := log.LastAudit(ctx, name)
	return err == nil && last > 0
}
