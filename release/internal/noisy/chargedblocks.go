package noisy

import (
	"cmp"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/reply"
)

// blocks are those of a table that a statement is charged to; nil if the table has none.
func (a *Statement) blocks(table *policy.Table) *reply.ChargedBlocks {
	if table.Blocks == nil {
		return nil
	}
	var charged, asked blockSet
	for _, p := range a.Plans {
		if p.empty() || !p.asks(table) {
			continue
		}
		for _, q := range p.Questions {
			names := p.blocks(q, table)
			asked.add(names)
			if !q.free() {
				charged.add(names)
			}
		}
	}
	if charged.empty() {
		charged = asked
	}
	return &reply.ChargedBlocks{Names: charged.names}
}

// payments are what blocks of a table were charged, by name, and under everyBlock what all of them were. What one block pays costs the others
// nothing, so that a row bears no more than what the most charged one paid.
type payments map[string]accountant.Loss

func (p payments) add(blocks []string, loss accountant.Loss) payments {
	if p == nil {
		p = make(payments)
	}
	if len(blocks) == 0 {
		blocks = []string{everyBlock}
	}
	for _, name := range blocks {
		p[name] = p[name].Add(loss)
	}
	return p
}

// most is what the most charged block paid; uneven says that others paid less.
func (p payments) most() (most accountant.Loss, uneven bool) {
	all, first := p[everyBlock], true
	most = all
	for name, loss := range p {
		if name == everyBlock {
			continue
		}
		loss = all.Add(loss)
		uneven = uneven || !first && loss != most
		if first || cmp.Or(cmp.Compare(loss.Epsilon, most.Epsilon), cmp.Compare(loss.Delta, most.Delta)) > 0 {
			most = loss
		}
		first = false
	}
	return most, uneven || !first && all != (accountant.Loss{})
}

// asks says whether a plan is about a table.
func (p *QueryPlan) asks(table *policy.Table) bool {
	for _, t := range p.tables {
		if t.Name == table.Name {
			return true
		}
	}
	return false
}

// free says that the answer to a question costs nothing.
func (q *Question) free() bool { return q.replayed || q.derived != nil }

// A blockSet is a set of blocks, in the order in which they were added. No names, once something was added, are all blocks.
type blockSet struct {
	names []string
	all   bool
	seen  map[string]bool
}

func (s *blockSet) empty() bool { return !s.all && len(s.names) == 0 }

func (s *blockSet) add(names []string) {
	if s.all = s.all || len(names) == 0; s.all {
		s.names = nil
		return
	}
	if s.seen == nil {
		s.seen = make(map[string]bool, len(names))
	}
	for _, name := range names {
		if !s.seen[name] {
			s.seen[name] = true
			s.names = append(s.names, name)
		}
	}
}

// composes says whether a charge that the budgets cover is more than what is left, if losses just added up: of the table, or of a block by what
// falls on it.
func composes(s *accountant.Balance, items []accountant.Item) bool {
	var everywhere accountant.Loss
	named := make(map[string]accountant.Loss)
	for _, item := range items {
		if len(item.Blocks) == 0 {
			everywhere = everywhere.Add(item.Loss)
		}
		for _, name := range item.Blocks {
			named[name] = named[name].Add(item.Loss)
		}
	}
	exceeds := func(name string) bool {
		needed, block := everywhere.Add(named[name]), s.In(name)
		return needed.Exceeds(policy.Budget(block.Left)) || block.OwnLeft != nil && needed.Exceeds(policy.Budget(*block.OwnLeft))
	}
	for name := range named {
		if exceeds(name) {
			return true
		}
	}
	for _, block := range s.Blocks {
		if exceeds(block.Name) {
			return true
		}
	}
	return exceeds("")
}
