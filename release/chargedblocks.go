package release

import (
	"fmt"
	"strings"

	"tacit/accountant"
	"tacit/policy"
)

// ChargedBlocks says which blocks of a table a statement is charged to; if all of it is free, to which it would have been.
type ChargedBlocks struct {
	// Names are those of the blocks; nil: all of them.
	Names []string
	// Fullest is the one of which least is left; empty if as much is left of every block.
	Fullest string
}

// blocks are those of a table that a statement is charged to; nil if the table has none.
func (a *answer) blocks(table *policy.Table) *ChargedBlocks {
	if table.Blocks == nil {
		return nil
	}
	var charged, asked blockSet
	for _, p := range a.plans {
		if p.empty() || !p.asks(table) {
			continue
		}
		for _, q := range p.questions {
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
	return &ChargedBlocks{Names: charged.names}
}

// asks says whether a plan is about a table.
func (p *plan) asks(table *policy.Table) bool {
	for _, t := range p.tables {
		if t.Name == table.Name {
			return true
		}
	}
	return false
}

// free says that the answer to a question costs nothing.
func (q *question) free() bool { return q.replayed || q.derived != nil }

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

// shownBlocks is how many blocks people are shown by name.
const shownBlocks = 3

// list names the blocks, the first of them if there are many.
func (b *ChargedBlocks) list() string {
	switch more := len(b.Names) - shownBlocks; {
	case len(b.Names) == 0:
		return "all"
	case more > 1:
		return fmt.Sprintf("%s and %d others", strings.Join(b.Names[:shownBlocks], ", "), more)
	}
	return strings.Join(b.Names, ", ")
}

// String says which blocks they are, within a sentence.
func (b *ChargedBlocks) String() string {
	switch len(b.Names) {
	case 0:
		return "all blocks"
	case 1:
		return "block " + b.list()
	}
	return "blocks " + b.list()
}

// fullest says of what so much is left as is told, within a sentence.
func (b *ChargedBlocks) fullest() string {
	switch {
	case len(b.Names) == 1:
		return "block " + b.Names[0]
	case len(b.Names) > 1:
		return "the fullest of them, " + b.Fullest
	case b.Fullest != "":
		return "the fullest block, " + b.Fullest
	}
	return "every block"
}

// composes says whether a charge that the budgets cover is more than what is left, if losses just added up: of the table, or of a block by what
// falls on it.
func composes(s *accountant.Standing, items []accountant.Item) bool {
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
