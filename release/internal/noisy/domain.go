package noisy

import (
	"context"
	"fmt"
	"slices"

	"tacit/release/curator"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// The cells of keys that are computed of columns with declared domains, or that are columns of public tables, are known before any
// protected row is read: the server evaluates the keys over the declared values, and over the rows of public tables. So are those of keys whose
// values follow from the statement and the types of columns (known.go in package query).

// maxInputs bounds the combinations of declared values over which a group of keys is evaluated.
const maxInputs = 1_000_000

// derive sets the cells of a plan some of whose keys are computed, or not declared, or leaves it to the threshold: if the values of a column that a key
// is computed of are not known, or there are too many cells. Nothing here depends on protected rows.
func (p *QueryPlan) derive(ctx context.Context, c *curator.Curator, r *live.State) error {
	cells := [][]query.Value{make([]query.Value, len(p.Query.Keys))}
	groups := p.Query.KeyGroups()
	if p.ByThreshold = slices.ContainsFunc(groups, func(g *query.KeyGroup) bool { return !g.Declared() }); p.ByThreshold {
		return nil
	}
	for _, g := range groups {
		combinations, ok, err := p.Combinations(ctx, c, r, g)
		if err != nil {
			return err
		}
		if !ok || len(combinations) > 0 && len(cells) > p.Limit/len(combinations) {
			p.ByThreshold, p.tooMany = true, true
			return nil
		}
		product := make([][]query.Value, 0, len(cells)*len(combinations))
		for _, cell := range cells {
			for _, values := range combinations {
				wider := slices.Clone(cell)
				for i, k := range g.Keys {
					wider[k] = values[i]
				}
				product = append(product, wider)
			}
		}
		cells = product
	}
	slices.SortFunc(cells, p.compareCells)
	p.fixed, p.Cells = true, len(cells)
	p.known = slices.ContainsFunc(groups, (*query.KeyGroup).KnownKeys)
	p.Keys = make([][]query.Value, len(p.Query.Keys))
	for k := range p.Keys {
		p.Keys[k] = make([]query.Value, len(cells))
		for i, cell := range cells {
			p.Keys[k][i] = cell[k]
		}
	}
	return nil
}

// Combinations are the values that the keys of a group have together; ok is false if they are not declared, or too many.
func (p *QueryPlan) Combinations(ctx context.Context, c *curator.Curator, r *live.State, g *query.KeyGroup) (combinations [][]query.Value, ok bool, err error) {
	if !g.Declared() {
		return nil, false, nil
	}
	if g.Combinations(maxInputs) > maxInputs {
		return nil, false, nil
	}
	sql, args := p.Query.CellsSQL(g, p.Limit+1)
	remembering := r
	if g.ReadsPublic() { // whose rows change
		remembering = nil
	}
	combinations, err = live.Constant(ctx, remembering, live.Beginning(c), sql, args)
	switch {
	case err != nil:
		return nil, false, live.Unevaluated(ctx, err)
	case len(combinations) > 0 && len(combinations[0]) != len(g.Keys):
		return nil, false, fmt.Errorf("release: internal error: %d columns instead of %d", len(combinations[0]), len(g.Keys))
	}
	return combinations, len(combinations) <= p.Limit, nil
}
