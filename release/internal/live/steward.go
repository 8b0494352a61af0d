package live

import (
	"context"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
)

// Steward is the name under which the ledger has publications. It is no role's name.
const Steward = accountant.Steward

// OpenLedger opens the ledger for one act of the steward's, beside the proxies that run.
func OpenLedger(ctx context.Context, p *policy.Policy) (*ledger.Ledger, error) {
	return ledger.Open(ctx, ledger.Options{Location: p.Ledger, Role: ledger.Steward})
}
