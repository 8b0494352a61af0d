package payments

import (
	"cmp"

	"tacit/accountant"
	"tacit/policy"
)

// Everywhere stands for all blocks of a table.
const Everywhere = ""

// Payments are what blocks of a table were charged, by name, and under Everywhere what all of them were. What one block pays costs the others
// nothing, so that a row bears no more than what the most charged one paid.
type Payments map[string]accountant.Loss

// Add adds a loss of some blocks, none for all of them.
func (p Payments) Add(blocks []string, loss accountant.Loss) Payments {
	if p == nil {
		p = make(Payments)
	}
	if len(blocks) == 0 {
		blocks = []string{Everywhere}
	}
	for _, name := range blocks {
		p[name] = p[name].Add(loss)
	}
	return p
}

// Most is what the most charged block paid; uneven says that others paid less.
func (p Payments) Most() (most accountant.Loss, uneven bool) {
	all, first := p[Everywhere], true
	most = all
	for name, loss := range p {
		if name == Everywhere {
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

// Blocks are a set of blocks, in the order in which they were added. No Names, once something was added, are all blocks.
type Blocks struct {
	Names []string
	all   bool
	seen  map[string]bool
}

// Empty says that nothing was added.
func (s *Blocks) Empty() bool { return !s.all && len(s.Names) == 0 }

// Add adds blocks, none for all of them.
func (s *Blocks) Add(names []string) {
	if s.all = s.all || len(names) == 0; s.all {
		s.Names = nil
		return
	}
	if s.seen == nil {
		s.seen = make(map[string]bool, len(names))
	}
	for _, name := range names {
		if !s.seen[name] {
			s.seen[name] = true
			s.Names = append(s.Names, name)
		}
	}
}

// Composes says whether a charge that the budgets cover is more than what is left, if losses just added up: of the table, or of a block by what
// falls on it.
func Composes(s *accountant.Balance, items []accountant.Item) bool {
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
