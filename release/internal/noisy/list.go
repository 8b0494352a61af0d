package noisy

import (
	"context"

	"tacit/release/curator"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// List answers a query that shows values of keys without counts, such as SELECT DISTINCT region: with those that are declared, or known from
// types and the statement, as far as its conditions let them pass. It reads no protected table, so that it costs nothing and says nothing of
// rows. Conditions on other columns, which would have to be asked of rows, are refused.
func (n *Answerer) List(ctx context.Context, analyst string, q *query.BoundQuery) (*query.Cells, error) {
	state, _, err := n.monitor.Open()
	if err != nil {
		return nil, err
	}
	if _, ok := state.Policy.Analyst(analyst); !ok {
		return nil, reply.RefuseStranger.With(analyst)
	}
	if q.Table.Version != state.Catalog.Version {
		return nil, reply.RefuseChanged.With(q.Table.Policy.Name)
	}
	p := &QueryPlan{Query: q, tables: curator.ProtectedTables(q), state: state, Limit: state.Policy.Limits.Cells}
	if refusal := n.monitor.ClosedTable(p.tables); refusal != nil {
		return nil, refusal
	}
	if refusal := q.CheckListed(); refusal != nil {
		return nil, refusal
	}
	if err := p.decideCells(ctx, n.monitor.Curator, state); err != nil {
		return nil, err
	}
	if p.ByThreshold {
		return nil, reply.RefuseTooManyCells(q, p.Limit)
	}
	if err := p.fixCellsNow(ctx, n.monitor.Curator); err != nil {
		return nil, err
	}
	return &query.Cells{Keys: q.Arrange(p.Keys)}, nil
}
