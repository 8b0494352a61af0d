package journal

import (
	"math/bits"
	"slices"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// budgets are what charges of an analyst on a table are compared with, with all that was granted.
type budgets struct {
	of         policy.TableName
	accounting accountant.Accounting
	cap        *policy.Budget // the analyst's; may be nil
}

// A Demand is what a charge asks for.
type Demand struct {
	Items []DemandedItem
	Total accountant.Loss
}

type DemandedItem struct {
	Priced
	Blocks []string // empty: all
}

// Cover returns an *OverBudgetError unless both budgets cover a demand on top of what all, and the analyst, were charged.
func (b budgets) Cover(c *composition.Composer, d Demand, all, own *tally) error {
	whole := b.ofTable()
	if block, ok := whole.covers(c, all, d); !ok {
		left := whole.left(whole.spentIn(c, all, block))
		return &accountant.OverBudgetError{Table: b.of, Of: "table", Needed: d.Total, Takes: whole.takes(c, all, d, block), Remaining: left, Block: block}
	}
	if b.cap == nil {
		return nil
	}
	hers := b.ofAnalyst()
	if block, ok := hers.covers(c, own, d); !ok {
		left := accountant.LeftOfCap(*b.cap, hers.spentIn(c, own, block), whole.left(whole.spentIn(c, all, block)))
		return &accountant.OverBudgetError{Table: b.of, Of: "analyst", Needed: d.Total, Takes: hers.takes(c, own, d, block), Remaining: left, Block: block}
	}
	return nil
}

// coverRisk is cover for a risk, which adds up, and only to other risks.
func (b budgets) coverRisk(risk, all, own policy.Risk) error {
	needed, left := accountant.Loss{Risk: risk}, accountant.Loss{Risk: all}.Remaining(b.accounting.Budget)
	if (accountant.Loss{Risk: all}).Add(needed).Exceeds(policy.Budget{Risk: b.accounting.Budget.Risk}) {
		return &accountant.OverBudgetError{Table: b.of, Of: "table", Needed: needed, Remaining: left}
	}
	if b.cap != nil && (accountant.Loss{Risk: own}).Add(needed).Exceeds(policy.Budget{Risk: b.cap.Risk}) {
		return &accountant.OverBudgetError{Table: b.of, Of: "analyst", Needed: needed, Remaining: accountant.LeftOfCap(*b.cap, accountant.Loss{Risk: own}, left)}
	}
	return nil
}

// A limit is one budget with the rule by which losses add up to it. A budget has sides: what answers with a guarantee may tell together,
// how many there may be without one, and what exact counts may risk; and a charge is held against those that it needs: where the policy has changed a
// table's mechanism and taken one side away, what was spent of it does not stop the others.
type limit struct {
	budget    policy.Budget
	filter    composition.Filter
	partition string
}

func (b budgets) ofTable() limit {
	return limit{budget: b.accounting.Budget, filter: b.accounting.Filter(), partition: b.accounting.Partition}
}

// ofAnalyst is her cap, under the table's rule, on her own releases. Where the cap names no delta, the table's is that at which her
// epsilon is bounded; where it names one, thresholds keep the same share of it.
func (b budgets) ofAnalyst() limit {
	l := limit{budget: *b.cap, filter: b.accounting.Filter(), partition: b.accounting.Partition}
	l.filter.Epsilon = b.cap.Epsilon
	if of := b.accounting.Budget.Delta; b.cap.Delta < of {
		l.filter.Delta = b.cap.Delta
		l.filter.Thresholds = share(l.filter.Thresholds, max(0, b.cap.Delta), of)
	}
	return l
}

// raised is the accounting with what was granted to the table's budget. Thresholds keep the policy's share of delta, so that the delta for
// composition grows, too, and whatever was covered still is. Of delta no more than policy.MaxDelta counts, whoever granted it: the
// smaller delta is the stronger promise, and beyond it there is none.
func raised(a accountant.Accounting, granted accountant.Loss) accountant.Accounting {
	delta := a.Budget.Delta
	a.Budget = policy.Budget(accountant.Loss(a.Budget).Add(granted))
	a.Budget.Delta = min(a.Budget.Delta, policy.MaxDelta)
	if delta > 0 && a.Budget.Delta > delta {
		a.Thresholds += share(a.Thresholds, a.Budget.Delta-delta, delta)
	}
	return a
}

// share is amount/whole of a part, rounded down, and at most all of it.
func share(amount, part, whole policy.Delta) policy.Delta {
	if amount >= whole {
		return part
	}
	hi, lo := bits.Mul64(uint64(max(0, amount)), uint64(part))
	quotient, _ := bits.Div64(hi, lo, uint64(whole)) // fits, since amount is less than whole
	return policy.Delta(quotient)
}

// basic says whether losses are summed as they were stated.
func (l limit) basic() bool { return l.filter.Rule == policy.BasicComposition || l.filter.Rule == "" }

// unbounded says whether the limit names neither epsilon nor delta.
func (l limit) unbounded() bool {
	return l.budget.Epsilon == policy.NoEpsilonCap && l.budget.Delta == policy.NoDeltaCap
}

// covers says whether a demand fits on top of what was charged, or else the block in which it does not.
func (l limit) covers(c *composition.Composer, charged *tally, d Demand) (block string, ok bool) {
	if d.Total.Releases > 0 {
		if (accountant.Loss{Releases: charged.once.sum().Releases}).Add(accountant.Loss{Releases: d.Total.Releases}).Exceeds(policy.Budget{Releases: l.budget.Releases}) {
			return "", false
		}
	}
	if !d.Total.IsPrivate() {
		return "", true
	}
	everywhere := charged.everywhere(l.partition)
	if l.partition == "" {
		return "", l.fits(c, everywhere.plus(d.in("")))
	}
	inBlocks := charged.blocks[l.partition]
	names := d.blocks(inBlocks)
	// Most often no block comes near the budget: then one look at more than each of them has is enough.
	most, demands := make(counts), make(counts)
	for _, name := range names {
		most.atLeast(inBlocks[name])
		demands.atLeast(d.in(name))
	}
	if l.fits(c, everywhere.plus(most).plus(demands)) {
		return "", true
	}
	for _, name := range names {
		if !l.fits(c, everywhere.plus(inBlocks[name]).plus(d.in(name))) {
			return name, false
		}
	}
	return "", true
}

// fits says whether counts are within the epsilon and delta of the budget.
func (l limit) fits(c *composition.Composer, all counts) bool {
	if l.basic() {
		sum := all.sum()
		return !accountant.Loss{Epsilon: sum.Epsilon, Delta: sum.Delta}.Exceeds(policy.Budget{Epsilon: l.budget.Epsilon, Delta: l.budget.Delta})
	}
	return l.unbounded() || c.Covers(l.filter, all.tally(l.filter.Rule))
}

// in is what is demanded of a block.
func (d Demand) in(block string) counts {
	all := make(counts, len(d.Items))
	for _, item := range d.Items {
		if len(item.Blocks) == 0 || slices.Contains(item.Blocks, block) {
			all[item.Priced]++
		}
	}
	return all
}

// blocks are those that a demand is made of: if an item names none, all that were ever charged, and one that was not.
func (d Demand) blocks(charged map[string]counts) []string {
	names := make(map[string]bool)
	for _, item := range d.Items {
		if len(item.Blocks) == 0 {
			names[""] = true
			for name := range charged {
				names[name] = true
			}
		}
		for _, name := range item.Blocks {
			names[name] = true
		}
	}
	return SortedKeys(names)
}

// spent is what counts add up to.
func (l limit) spent(c *composition.Composer, all counts) accountant.Loss {
	total := all.sum()
	if !l.basic() {
		composed := c.Spent(l.filter, all.tally(l.filter.Rule))
		total.Epsilon, total.Delta = composed.Epsilon, composed.Delta
	}
	return total
}

// spentIn is what was spent of the budget in a block; of releases without a guarantee, what was spent at all.
func (l limit) spentIn(c *composition.Composer, charged *tally, block string) accountant.Loss {
	spent := l.spent(c, charged.block(l.partition, block))
	spent.Releases = charged.once.sum().Releases
	return spent
}

// takes is by how much a demand would raise what is spent in a block; nothing where losses simply add up.
func (l limit) takes(c *composition.Composer, charged *tally, d Demand, block string) accountant.Loss {
	if l.basic() || !d.Total.IsPrivate() {
		return accountant.Loss{}
	}
	before, after := l.spentIn(c, charged, block), l.spent(c, charged.block(l.partition, block).plus(d.in(block)))
	return before.Remaining(policy.Budget{Epsilon: after.Epsilon, Delta: after.Delta})
}

// most is what was spent in the blocks of which most was, and the block of which most epsilon was; empty if that is any that was not named.
func (l limit) most(c *composition.Composer, charged *tally) (most accountant.Loss, block string) {
	most = l.spentIn(c, charged, "")
	for _, name := range SortedKeys(charged.blocks[l.partition]) {
		spent := l.spentIn(c, charged, name)
		if spent.Epsilon > most.Epsilon {
			block = name
		}
		most.Epsilon, most.Delta = max(most.Epsilon, spent.Epsilon), max(most.Delta, spent.Delta)
	}
	return most, block
}

// left is what a budget has left after spent was.
func (l limit) left(spent accountant.Loss) accountant.Loss { return spent.Remaining(l.budget) }

// AffordsRisk says whether the budgets cover an event's risk. One of 0 is covered always.
func (t *Table) AffordsRisk(e *accountant.AuditEntry) error {
	if err := t.FrozenFor(e.Table, e.Analyst); err != nil || e.Risk == 0 {
		return err
	}
	return t.Budgets(e.Accounting(), e.Analyst, e.Cap).coverRisk(e.Risk, t.All.Risk, t.Analyst(e.Analyst).Risk)
}

// Budgets are the table's and the analyst's, with what was granted on top.
func (t *Table) Budgets(a accountant.Accounting, analyst string, limit *policy.Budget) budgets {
	b := budgets{of: a.Table, accounting: raised(a, t.Granted[""])}
	if limit != nil {
		raised := policy.Budget(accountant.Loss(*limit).Add(t.Granted[analyst]))
		b.cap = &raised
	}
	return b
}
