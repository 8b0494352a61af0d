package noisy

import (
	"tacit/policy"
	"tacit/release/internal/payments"
	"tacit/release/internal/reply"
)

// blocks are those of a table that a statement is charged to; nil if the table has none.
func (a *Statement) blocks(table *policy.Table) *reply.ChargedBlocks {
	if table.Blocks == nil {
		return nil
	}
	var charged, asked payments.Blocks
	for _, p := range a.Plans {
		if p.empty() || !p.asks(table) {
			continue
		}
		for _, q := range p.Questions {
			names := p.blocks(q, table)
			asked.Add(names)
			if !q.free() {
				charged.Add(names)
			}
		}
	}
	if charged.Empty() {
		charged = asked
	}
	return &reply.ChargedBlocks{Names: charged.Names}
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
