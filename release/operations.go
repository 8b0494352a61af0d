package release

import (
	"context"
	"errors"
	"time"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/curator"
)

// This file tells operators how the gateway stands. The invariant: nothing of it is read from protected tables, and the ledger's state is looked at
// in memory alone. Start at Gateway.Status.

// A Status is how a gateway stands.
type Status struct {
	// Separate says that analysts can reach protected rows in no other way than by answers, as far as the last check told, and LedgerUsable that the
	// ledger can be used. Protected tables are open if both are so.
	Separate, LedgerUsable bool
	// Findings are how many reasons there are, by severity, why the roles are not separate.
	Findings map[string]int
	// Balances are those of the policy's tables; none while the ledger cannot be used.
	Balances []TableBalance
	// Ledger is what the ledger has done since it was opened; nothing while it cannot be used.
	Ledger ledger.Activity
	// Recalled are statements whose whole answer was in memory.
	Recalled int64
	// MemoryUsed is what statements have been admitted, of MemoryMost, in bytes.
	MemoryUsed, MemoryMost int64
}

// Thin drops what old notes in the ledger say, as the policy in force says, and returns what was dropped. It is to be called every hour or so. Without an open ledger there is
// nothing to do.
func (g *Gateway) Thin(ctx context.Context) (ledger.Thinning, error) {
	state, l, _ := g.monitor.Present()
	keep := state.Policy.Keep
	if l == nil || keep == (policy.Keep{}) {
		return ledger.Thinning{}, nil
	}
	return l.Thin(ctx, keep)
}

// A TableBalance is how a table stands, whoever asks.
type TableBalance struct {
	accountant.Accounting
	accountant.Balance
}

// Status is how the gateway stands now.
func (g *Gateway) Status(ctx context.Context) Status {
	closed := g.monitor.NotSeparate()
	state, l, _ := g.monitor.Present()
	s := Status{Separate: closed == nil, LedgerUsable: g.LedgerError() == nil, Findings: map[string]int{"HIGH": 0, "MED": 0}}
	s.Recalled = g.noisy.Recalled.Load()
	s.MemoryUsed, _ = g.monitor.Memory.InUse()
	s.MemoryMost = state.Policy.Limits.Memory
	var holes *curator.SeparationError
	if errors.As(closed, &holes) {
		for _, f := range holes.Findings {
			s.Findings[f.Severity]++
		}
	}
	if l == nil {
		return s
	}
	s.LedgerUsable = s.LedgerUsable && l.Unwritten() == nil
	s.Ledger = l.Activity()
	for _, t := range state.Policy.Tables {
		b, err := l.Balance(ctx, state.Accounting[t.Name], "", nil)
		if err != nil {
			break
		}
		s.Balances = append(s.Balances, TableBalance{state.Accounting[t.Name], b})
	}
	return s
}

// reachPatience is how long the server may take to show that it is there.
const reachPatience = 2 * time.Second

// Reached says whether the server of protected tables answers.
func (g *Gateway) Reached(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	return g.monitor.Curator.Reached(ctx)
}
