package live

import (
	"context"
	"errors"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
)

func OtherAdjacency(ctx context.Context, p *policy.Policy, l *ledger.Reader) []policy.TableName {
	var names []policy.TableName
	for _, t := range p.Tables {
		var other *accountant.AdjacencyError
		if t.Mechanism.Kind != policy.Audit && errors.As(l.CheckAdjacency(ctx, t.Name, t.Adjacency), &other) {
			names = append(names, t.Name)
		}
	}
	return names
}
