package journal

import (
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// An Extract is what a balance is made of, taken out of the state: composing may take long.
type Extract struct {
	budgets          budgets
	balance          accountant.Balance
	all, own         *tally
	lifetime, hers   *tally // all since the epoch began
	allRisk, ownRisk policy.Risk
	earlier          []epochTotal
}

func (s *State) Extract(a accountant.Accounting, analyst string, limit *policy.Budget, now int64) Extract {
	t := s.Table(a.Table)
	v := Extract{
		budgets: t.Budgets(a, analyst, limit), balance: accountant.Balance{Epoch: t.Epoch}, earlier: t.Earlier,
		allRisk: t.All.Risk, ownRisk: t.Analyst(analyst).Risk,
	}
	if t.began != 0 {
		v.balance.Began = time.Unix(0, t.began).UTC()
	}
	if err, ok := t.FrozenFor(a.Table, analyst).(*accountant.FrozenError); ok {
		v.balance.Frozen = err.Reason
	}
	from := Since(a, now)
	v.all, v.own = t.All.sumFrom(from), t.Analyst(analyst).sumFrom(from)
	v.lifetime, v.hers = t.All.sumFrom(always), t.Analyst(analyst).sumFrom(always)
	return v
}

// Balance composes.
func (v Extract) Balance(c *composition.Composer) accountant.Balance {
	s, whole := v.balance, v.budgets.ofTable()
	s.Budget = v.budgets.accounting.Budget
	s.Spent, s.Block = whole.most(c, v.all)
	s.Lifetime, _ = whole.most(c, v.lifetime)
	s.Spent.Risk, s.Lifetime.Risk = v.allRisk, v.allRisk
	s.Left = whole.left(s.Spent)
	for _, name := range SortedKeys(v.all.blocks[whole.partition]) {
		s.Blocks = append(s.Blocks, v.balanceIn(c, name))
	}
	s.Elsewhere = v.balanceIn(c, "")
	own := whole
	if v.budgets.cap != nil {
		own = v.budgets.ofAnalyst()
	}
	s.Own, _ = own.most(c, v.own)
	s.OwnLifetime, _ = own.most(c, v.hers)
	s.Own.Risk, s.OwnLifetime.Risk = v.ownRisk, v.ownRisk
	if s.Cap = v.budgets.cap; s.Cap != nil {
		left := accountant.LeftOfCap(*s.Cap, s.Own, s.Left)
		s.OwnLeft = &left
	}
	for _, e := range v.earlier {
		s.Earlier = append(s.Earlier, e.total(c, whole))
	}
	return s
}

// balanceIn composes what was charged in one block.
func (v Extract) balanceIn(c *composition.Composer, name string) accountant.BlockBalance {
	whole := v.budgets.ofTable()
	b := accountant.BlockBalance{Name: name, Spent: whole.spentIn(c, v.all, name)}
	b.Left = whole.left(b.Spent)
	if v.budgets.cap != nil {
		own := accountant.LeftOfCap(*v.budgets.cap, v.budgets.ofAnalyst().spentIn(c, v.own, name), b.Left)
		b.OwnLeft = &own
	}
	return b
}

func (e epochTotal) total(c *composition.Composer, l limit) accountant.EpochTotal {
	l.partition = "" // what was kept of an epoch that is over is not by blocks
	t := accountant.EpochTotal{Epoch: e.epoch, Ended: time.Unix(0, e.ended).UTC(), Reason: e.reason, Spent: l.spent(c, e.charged)}
	t.Spent.Risk = e.risk
	if e.began != 0 {
		t.Began = time.Unix(0, e.began).UTC()
	}
	return t
}
