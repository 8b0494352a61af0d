package noisy

import (
	"context"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/reply"
)

// balance asks how the analyst and a table stand, after what the statement was charged.
func (a *Statement) balance(ctx context.Context, table *policy.Table) (reply.Balance, error) {
	s, err := a.ledger.Balance(ctx, a.State.Accounting[table.Name], a.Request.Analyst, a.cap)
	if err != nil {
		return reply.Balance{}, err
	}
	return a.balanceOf(&s, table), nil
}

func (a *Statement) balanceOf(s *accountant.Balance, table *policy.Table) reply.Balance {
	b := reply.Balance{
		Composition: table.Composition, Blocks: a.blocks(table), Budget: s.Budget, Window: table.Window, Lifetime: s.Lifetime, Frozen: s.Frozen,
	}
	left := s.Among(nil)
	if b.Blocks != nil {
		left = s.Among(b.Blocks.Names)
		b.Blocks.Fullest = left.Name
	}
	b.TableLeft = left.Left
	if s.Cap == nil {
		return b
	}
	if b.Capped = reply.InBoth(accountant.Named(*s.Cap), accountant.Loss(s.Budget)); b.Capped != (accountant.Loss{}) {
		b.AnalystLeft = left.OwnLeft
	}
	return b
}
