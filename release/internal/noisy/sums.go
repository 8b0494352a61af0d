package noisy

import (
	"context"
	"math/big"
	"slices"
	"strings"

	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// Sums, averages and variances of a number follow from recorded counts by it, for free: each value adds its terms as often as the noisy count of
// its rows says. See query.Measure for the sums P_i that are released, whose terms w_i(v) lie between 0 and D^d.
//
// How exact: let e be the errors of the counts by value, in the order of the values. The error of P_i is the sum of w_i(v) e(v). As a sum by parts it is that
// of (w_i(v) - w_i(v-1)) times the sum of e from v on, and so at most the variation of w_i over the values, from 0 before the first one, times the
// largest of these sums. For degree 1 the variation is D: one w rises from 0 to D, and for the other one, which falls, the sums of e up to v are taken. For
// degree 2 it is D^2, that of the ends as before, and that of 2X(D-X), which rises to D^2/2 and falls, twice this. So with a bound of all sums of e up to v and
// from v on, see foundWithin, each P_i is within D^d times the bound.

// deriveSum answers one question about sums, if the counts by its number are recorded or follow from recorded ones.
func (a *Statement) deriveSum(ctx context.Context, p *QueryPlan, q *Question) error {
	if !p.Query.FollowsFromCounts(q.Count) {
		return nil
	}
	h, err := a.histogram(ctx, p.Query, q.Count)
	if h == nil && err == nil {
		filtered, count := p.Query.Filtered(q.Count) // a FILTER on the number leaves cells without rows, unless WHERE has it
		h, err = a.histogram(ctx, filtered, count)
	}
	if h == nil || err != nil {
		return err
	}
	if err := a.fixedCells(ctx, p); err != nil || q.Released != nil { // there are no cells
		return err
	}
	released, added := sumUp(h, p, q.Count)
	if released == nil {
		return nil
	}
	d := &derivedFrom{recorded: []cells.Recording{h.recorded}, found: h.question.Mechanism}
	each := 1
	if before := h.question.derived; before != nil {
		each, d.leftOut = before.added, slices.Clone(before.leftOut)
	}
	if p.Query.LacksUndeclared(q.Count) {
		d.leftOut = append(d.leftOut, q.Count.MeasureText())
	}
	d.added = each * added
	q.Released, q.derived = released, d
	return nil
}

// sumUp makes the sums of the cells of a plan, and says how many counts one of them adds up at most; nil if a sum is no int64, or if a cell has no counts.
func sumUp(h *histogram, p *QueryPlan, count query.Count) (sums *cells.Released, most int) {
	columns, released := count.Columns(), h.question.Released
	index, group := cells.Index(p.Keys, p.Cells), make([]query.Value, len(h.places))
	totals, added := make([]big.Int, p.Cells*columns), make([]int, p.Cells)
	var product big.Int
	var b strings.Builder
	for i, n := range released.Counts {
		for k, place := range h.places {
			group[k] = released.Keys[place][i]
		}
		cell, ok := index[cells.CellKey(&b, group)]
		terms, declared := count.Terms(released.Keys[h.value][i])
		if !ok || !declared {
			continue
		}
		added[cell]++
		for column, term := range terms {
			total := &totals[column*p.Cells+cell]
			total.Add(total, product.Mul(term, big.NewInt(n)))
		}
	}
	sums = &cells.Released{Keys: p.Keys, Counts: make([]int64, len(totals)), Columns: columns, Recording: h.recorded}
	for i := range totals {
		if !totals[i].IsInt64() || added[i%p.Cells] == 0 {
			return nil, 0
		}
		sums.Counts[i] = totals[i].Int64()
	}
	return sums, slices.Max(append([]int{1}, added...))
}

// foundWithin bounds each sum of a derived question that adds up counts by value, but with a probability of miss: all columns of a cell at once.
func (q *Question) foundWithin(miss *big.Rat) (w *big.Int, ok bool) {
	of, ok := q.derived.found.SumWithin(q.derived.added, new(big.Rat).Quo(miss, big.NewRat(4, 1)))
	return new(big.Int).Mul(big.NewInt(of), big.NewInt(q.Count.Measure.Total())), ok
}
