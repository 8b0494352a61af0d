package noisy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/payments"
	"tacit/release/internal/reply"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// Of a table with blocks, a query that groups by the blocks' column is answered in parts if some of its cells follow from recorded releases and
// others do not: those of each source are derived, and the rest is asked as a query of its own, which is charged to its own blocks alone. So
// the counts of thirty days cost no more than those of the one day that nobody has asked for yet.
//
// A part is a query like others: it is replayed, derived, charged and recorded as if an analyst had asked it. Each cell of the whole is in one
// part, and has the same count there, since its key tells which. Which parts there are depends on the ledger, the clock, the policy and the
// statement alone.
//
// Rows of a day may arrive until it is over. So what was counted before a day was over is not derived from afterwards for its cells, nor what was
// counted before it began while it lasts; and neither for a sum over days of which it is one. A count is as old as the statement that it was made for,
// and not as its record: it may be recorded after midnight. The very same question is repeated all the same.

// maxParts bounds the parts of a query. One that would have more is asked as a whole.
const maxParts = 64

// maxValues bounds the values of the blocks' column in a query that is divided: each is compared with many releases.
const maxValues = 1000

// fromRecords answers what it can from the ledger.
func (a *Statement) fromRecords(ctx context.Context) error {
	if err := a.replayOrDerive(ctx); err != nil {
		return err
	}
	return a.deriveValues(ctx)
}

// replayOrDerive answers what was recorded itself, or follows from one recorded release of the same kind.
func (a *Statement) replayOrDerive(ctx context.Context) error {
	if err := a.replay(ctx); err != nil {
		return reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	if err := a.fromWorkload(ctx); err != nil {
		return err
	}
	return a.derive(ctx)
}

// divide puts parts in the place of plans of which some cells follow from the ledger, and answers these.
func (a *Statement) divide(ctx context.Context) error {
	if a.Request.Fresh {
		return nil
	}
	var plans []*QueryPlan
	for _, whole := range a.Plans {
		parts, err := a.partsOf(ctx, whole)
		if err != nil {
			return err
		}
		if parts == nil {
			plans = append(plans, whole)
			continue
		}
		known := *a
		known.Plans = parts
		if err := known.fromRecords(ctx); err != nil {
			return err
		}
		if dearer(whole, parts) {
			plans = append(plans, whole)
			continue
		}
		a.parts[whole] = parts
		plans = append(plans, parts...)
	}
	a.Plans = plans
	return nil
}

// partsOf are the parts of a plan: nil if it is answered as a whole. What has an answer keeps it: asked in parts, it might get another.
func (a *Statement) partsOf(ctx context.Context, whole *QueryPlan) ([]*QueryPlan, error) {
	key := whole.blockKey()
	if key < 0 || slices.ContainsFunc(whole.Questions, func(q *Question) bool { return q.Released != nil }) {
		return nil, nil
	}
	if err := whole.fixCellsNow(ctx, a.answerer.monitor.Curator); err != nil {
		return nil, err
	}
	values := cells.DistinctValues(whole.Keys[key])
	if len(values) > maxValues {
		return nil, nil
	}
	groups, err := a.groupBySource(ctx, whole, whole.Query.Keys[key], values)
	if err != nil || groups == nil {
		return nil, err
	}
	parts := make([]*QueryPlan, len(groups))
	for i, group := range groups {
		q, ok := whole.Query.Among(whole.Query.Keys[key], group)
		if !ok {
			return nil, nil
		}
		if parts[i], err = a.plan(ctx, q); err != nil {
			return nil, err
		}
		if parts[i].ByThreshold || parts[i].Margins != nil {
			return nil, nil
		}
		parts[i].noOlderThan(a.daysCount(q.Keys[key], group), a.now)
		if err := parts[i].fixCellsNow(ctx, a.answerer.monitor.Curator); err != nil {
			return nil, err
		}
	}
	if !divides(whole, parts) {
		return nil, nil
	}
	return parts, nil
}

// blockKey is the key by which a plan can be divided: the column of the table's blocks. It is -1 if there is none.
func (p *QueryPlan) blockKey() int {
	blocks := p.Query.Table.Policy.Blocks
	if blocks == nil || !p.Terms.Derive || p.ByThreshold || p.Margins != nil || p.Query.Totals || p.Query.Measured() || p.Query.HasOrdered() || len(p.tables) > 1 {
		return -1
	}
	return slices.IndexFunc(p.Query.Keys, func(k *query.Column) bool { return k.Stored() && !k.Public() && k.Name == blocks.Column })
}

// groupBySource groups values of a key by the releases that the counts of their cells follow from; nil if they follow from none, if a value is
// NULL, or if the groups would be too many.
func (a *Statement) groupBySource(ctx context.Context, p *QueryPlan, key *query.Column, values []query.Value) ([][]query.Value, error) {
	if slices.ContainsFunc(values, func(v query.Value) bool { return v.Null }) {
		return nil, nil
	}
	index, err := a.answerer.Derivables.Of(ctx, a.ledger, p.Terms.Name)
	if err != nil {
		return nil, reply.Failure(ctx, reply.RefuseLedger.With(), err)
	}
	labels, found := make([]strings.Builder, len(values)), false
	for _, q := range p.Questions {
		sources := a.newestSources(ctx, index, p, q, key, values)
		if ctx.Err() != nil {
			return nil, reply.Failure(ctx, reply.RefuseLedger.With(), ctx.Err())
		}
		for i, release := range sources {
			fmt.Fprintf(&labels[i], "%d ", release)
			found = found || release != 0
		}
	}
	if !found {
		return nil, nil
	}
	var groups [][]query.Value
	places := make(map[string]int)
	for i, v := range values {
		place, ok := places[labels[i].String()]
		if !ok {
			place = len(groups)
			places[labels[i].String()] = place
			groups = append(groups, nil)
		}
		groups[place] = append(groups[place], v)
	}
	if len(groups) > maxParts {
		return nil, nil
	}
	return groups, nil
}

// newestSources are, for each value of a key, the newest release from which the counts of its cells follow; 0 if there is none.
func (a *Statement) newestSources(ctx context.Context, x *sources.Index, p *QueryPlan, q *Question, key *query.Column, values []query.Value) []int64 {
	sources := make([]int64, len(values))
	kind, asked, ok := p.Sought(q)
	if !ok {
		return sources
	}
	left := len(values)
	for _, r := range x.Newest(kind, asked, p.since) {
		if ctx.Err() != nil {
			return sources // of which the caller makes nothing
		}
		var places []int
		var admitted []query.Value
		for i, v := range values {
			if sources[i] == 0 && !r.Counted.Before(a.dayCounts(key, v)) && r.Kept.Shape.Admits(key, v) {
				places, admitted = append(places, i), append(admitted, v)
			}
		}
		if len(places) == 0 {
			continue
		}
		part, ok := p.Query.Among(key, admitted)
		if !ok {
			continue
		}
		if _, ok := r.Kept.Shape.Derive(part, q.Count); !ok {
			continue
		}
		for _, i := range places {
			sources[i] = r.ID
		}
		if left -= len(places); left == 0 {
			break
		}
	}
	return sources
}

// dayCounts is the time from which on what was recorded may be used for the cells of a value: of a day its end, or its beginning while it lasts;
// zero of a day that has not begun, and of what is no day.
func (a *Statement) dayCounts(key *query.Column, v query.Value) time.Time {
	begin, end, ok := query.Day(key, v, a.zone())
	switch {
	case !ok || begin.After(a.now):
		return time.Time{}
	case end.After(a.now):
		return begin
	}
	return end
}

// daysCount is the time from which on what was recorded may be used for the cells of all these values.
func (a *Statement) daysCount(key *query.Column, values []query.Value) (since time.Time) {
	for _, v := range values {
		if at := a.dayCounts(key, v); at.After(since) {
			since = at
		}
	}
	return since
}

// cellsCount is the same for all cells of a question, which are fixed where the day is a key. Where it is none, the days are those that the
// question's conditions let pass.
func (a *Statement) cellsCount(p *QueryPlan, q *Question) time.Time {
	key := p.blockKey()
	if key < 0 {
		return p.Query.FinalSince(q.Count, a.now, a.zone())
	}
	return a.daysCount(p.Query.Keys[key], cells.DistinctValues(p.Keys[key]))
}

// zone is where days end.
func (a *Statement) zone() *time.Location {
	if a.Request.Zone == nil {
		return time.UTC
	}
	return a.Request.Zone
}

// noOlderThan keeps a plan from answers that were counted before a time, unless that is zero. None of them was recorded before it either.
func (p *QueryPlan) noOlderThan(at, now time.Time) {
	if at.IsZero() {
		return
	}
	p.final = at
	p.maxAge = live.Shorter(p.maxAge, max(now.Sub(at), 1)) // 0 would be any age
	p.since = now.Add(-p.maxAge)
}

// divides reports whether each cell of a plan is in one of the parts, and no other is.
func divides(whole *QueryPlan, parts []*QueryPlan) bool {
	left := whole.cellIndex()
	for _, p := range parts {
		for cell := range p.cellIndex() {
			if _, ok := left[cell]; !ok {
				return false
			}
			delete(left, cell)
		}
	}
	return len(left) == 0
}

// cellIndex finds the fixed cells of a plan by their keys.
func (p *QueryPlan) cellIndex() map[string]int { return cells.Index(p.Keys, p.Cells) }

// shown are the cells that answer one of the request's queries, put together of its parts if it was divided.
func (a *Statement) shown(whole *QueryPlan) *query.Cells {
	parts, ok := a.parts[whole]
	if !ok {
		return whole.shownCells()
	}
	shown := &query.Cells{
		Keys: whole.Query.Arrange(whole.Keys), Counts: make([][]int64, len(whole.Shown)), Suppressed: make([][]bool, len(whole.Shown)),
	}
	index := whole.cellIndex()
	for i := range whole.Shown {
		shown.Counts[i] = make([]int64, whole.Cells)
		for _, p := range parts {
			released := p.Questions[p.Shown[i]].Released
			for cell, from := range p.cellIndex() {
				to := index[cell]
				shown.Counts[i][to] = p.Questions[p.Shown[i]].shownCounts()[from]
				if released.Suppressed != nil && released.Suppressed[from] {
					if shown.Suppressed[i] == nil {
						shown.Suppressed[i] = make([]bool, whole.Cells)
					}
					shown.Suppressed[i][to] = true
				}
			}
		}
	}
	return shown
}

// dearer reports whether parts cost some block more than their whole does, as losses add up at the worst.
func dearer(whole *QueryPlan, parts []*QueryPlan) bool {
	most, sums := costs(whole), costs(parts...)
	for block, loss := range sums {
		limit := most[block]
		if block != payments.Everywhere {
			loss, limit = loss.Add(sums[payments.Everywhere]), limit.Add(most[payments.Everywhere])
		}
		if loss.Exceeds(policy.Budget(limit)) {
			return true
		}
	}
	return false
}

// costs is what the questions of plans that have no answer cost each block.
func costs(plans ...*QueryPlan) map[string]accountant.Loss {
	sums := make(map[string]accountant.Loss)
	for _, p := range plans {
		for _, q := range p.Questions {
			if q.Released != nil || p.empty() {
				continue
			}
			blocks := p.blocks(q, p.tables[0])
			if len(blocks) == 0 {
				blocks = []string{payments.Everywhere}
			}
			for _, block := range blocks {
				sums[block] = sums[block].Add(q.loss)
			}
		}
	}
	return sums
}
