package release

import (
	"context"
	"errors"

	"tacit/accountant"
	"tacit/policy"
)

// OtherAdjacency are the tables of the policy in force that were counted under another adjacency, so that further counts of them are refused.
// Without a ledger that can be read it is none.
func (d *Door) OtherAdjacency(ctx context.Context) []policy.TableName {
	d.mu.Lock()
	p, ledger := d.regime.policy, d.ledger
	d.mu.Unlock()
	if ledger == nil {
		return nil
	}
	return otherAdjacency(ctx, p, ledger.Reader)
}

// TablesOfOtherAdjacency is Door.OtherAdjacency for a policy whose proxy need not run.
func TablesOfOtherAdjacency(ctx context.Context, p *policy.Policy) []policy.TableName {
	reader, err := accountant.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil
	}
	defer reader.Close()
	return otherAdjacency(ctx, p, reader)
}

func otherAdjacency(ctx context.Context, p *policy.Policy, ledger *accountant.Reader) []policy.TableName {
	var names []policy.TableName
	for _, t := range p.Tables {
		var other *accountant.AdjacencyError
		if t.Mechanism.Kind != policy.Audit && errors.As(ledger.CheckAdjacency(ctx, t.Name, t.Adjacency), &other) {
			names = append(names, t.Name)
		}
	}
	return names
}
