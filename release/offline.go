package release

import (
	"context"

	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/live"
)

// CheckKinds says which table of the policy, if any, has another kind of mechanism than its answers in the ledger: a *KindError. It is for
// a policy whose proxy need not run. A ledger that cannot be read says nothing.
func CheckKinds(ctx context.Context, p *policy.Policy) error {
	reader, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil
	}
	defer reader.Close()
	return live.CheckKinds(ctx, p, reader)
}

// TablesOfOtherAdjacency is Gateway.OtherAdjacency for a policy whose proxy need not run.
func TablesOfOtherAdjacency(ctx context.Context, p *policy.Policy) []policy.TableName {
	reader, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return nil
	}
	defer reader.Close()
	return live.OtherAdjacency(ctx, p, reader)
}

// UnsealedTables is Gateway.Unsealed for a policy whose proxy need not run.
func UnsealedTables(ctx context.Context, p *policy.Policy) []policy.TableName {
	reader, err := ledger.OpenReadOnly(ctx, p.Ledger)
	if err != nil {
		return live.Unsealed(ctx, p, nil)
	}
	defer reader.Close()
	return live.Unsealed(ctx, p, reader)
}
