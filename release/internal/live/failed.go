package live

import (
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/reply"
	"tacit/rewrite/pgerror"
)

// No count can fail because of a row: package rewrite proves it of every expression. Should it be wrong, the failure is one bit about a
// row, which an analyst could ask for again and again with other conditions. So the first failure closes the table, for everybody, until
// the steward has looked at it and reloads the policy.

// CloseTables closes the tables of a count that failed, unless for a reason that no row can give.
func (m *Monitor) CloseTables(tables []*policy.Table, err error) {
	if !curator.CouldTell(err) {
		return
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	if m.Failed == nil {
		m.Failed = make(map[policy.TableName]bool)
	}
	for _, t := range tables {
		m.Failed[t.Name] = true
	}
}

// ClosedTable refuses if one of the tables is closed.
func (m *Monitor) ClosedTable(tables []*policy.Table) *pgerror.Refusal {
	m.Mu.Lock()
	defer m.Mu.Unlock()
	for _, t := range tables {
		if m.Failed[t.Name] {
			return reply.RefuseClosedTable.With(t.Name)
		}
	}
	return nil
}
