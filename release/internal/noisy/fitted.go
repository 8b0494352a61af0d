package noisy

import (
	"context"

	"tacit/mechanisms"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
)

// fitTotals decides whether the cells of a query with grouping sets are fitted to noisy margins, and if so, puts the mechanisms that do
// that in the place of the table's. The decision follows from the statement, the policy, declared domains and public rows, like the cells.
//
// Margins cost noise: with m of them each cell of each is m times as noisy as a cell that is measured alone. Where the closed form does not
// apply (cells that are no product, such as those of keys that are computed of one column), where cells are decided by a threshold, or
// where there would be more margins than a mechanism takes, and beside sums of numbers, totals stay sums of the cells.
func (p *QueryPlan) fitTotals(ctx context.Context, c *curator.Curator, r *live.State) error {
	if !p.Terms.Mechanism.FitTotals || r.Unfitted || p.ByThreshold || p.Query.Measured() || len(p.Query.GroupingSets) == 0 {
		return nil
	}
	if err := p.fixCellsNow(ctx, c); err != nil {
		return err
	}
	if margins, made := p.Fitted(r); margins != nil {
		p.Margins, p.mechanisms = margins, made
	}
	return nil
}

// Fitted are the margins to which cells that are settled can be fitted, and the mechanisms that do it; nil if totals are sums.
func (p *QueryPlan) Fitted(r *live.State) (*mechanisms.Margins, map[live.Sensitivity]*mechanisms.Mechanism) {
	sizes, ok := cells.ProductOf(p.Keys, p.Cells)
	if !ok {
		return nil, nil
	}
	margins, err := mechanisms.NewMargins(sizes, p.Query.GroupingSets)
	if err != nil || margins.Len() == 1 {
		return nil, nil // too many; or none besides the cells
	}
	if p.Terms.Mechanism.OptimalTotals {
		margins = margins.Together(p.Query.GroupingSets)
	}
	var needed []live.Sensitivity
	for _, c := range p.Query.Counts {
		needed = append(needed, live.SensitivityOf(p.Query, c))
	}
	made, err := r.Calibrate(p.Terms, needed, margins)
	if err != nil {
		return nil, nil // the bounds of a person times the margins are more than the noise is made for; the table's own mechanisms could be made
	}
	return margins, made
}

// fixCellsNow makes the cells before the questions are named, which depend on whether these are a product. It asks the server about
// constants alone.
func (p *QueryPlan) fixCellsNow(ctx context.Context, c *curator.Curator) error {
	if p.fixed {
		return nil
	}
	p.declareCells()
	if err := p.restrict(ctx, live.Beginning(c)); err != nil {
		return live.Unevaluated(ctx, err)
	}
	p.fixed = true
	return nil
}

// fittedTo are the words in a question for the margins that its cells are fitted to; none if totals are sums.
func (p *QueryPlan) fittedTo() string {
	if p.Margins == nil {
		return ""
	}
	if p.Margins.AreTogether() {
		return " MEASURED TOGETHER AS " + p.Query.Groupings(p.Margins.Asked())
	}
	return " FITTED BY LEAST SQUARES TO " + p.Query.Groupings(p.Margins.Sets())
}
