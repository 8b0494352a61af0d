package assess

import (
	"context"
	"slices"
	"strings"

	"tacit/release/internal/cells"
	"tacit/release/internal/noisy"
	"tacit/rewrite/query"
)

// assessedCells are the cells that a query is assessed on, with the true counts of all questions.
//
// They are those of declared values, or else the groups that a threshold would be asked about. A query that analysts are refused has
// neither: its cells are, as if the values that occur were declared, those of each combination of the other keys that somebody has, with
// every label of the target. They are those of package risk's tables (see [Homogeneity]), so that the same attack has the same risk.
type assessedCells struct {
	keys        [][]query.Value
	counts      [][]int64 // by question
	undeclared  []int64   // by question: counts of groups that are none of the cells
	leftOut     [][]int64 // by question: what the bounds of a person keep out of each cell; nil if each row is a person
	allLeftOut  []int64   // by question: what they keep out of all groups; nil likewise
	byThreshold bool
	labelsSeen  bool // of the target
}

// mostAssessedCells bounds the cells that are found in the data, in memory. It is more than limits.cells: what is beyond that, analysts can ask for
// in parts, or a threshold shows less of.
const mostAssessedCells = 1_000_000

func (w *assessing) errManyCells() error {
	return requestErrorf("the combinations that somebody has make more than %d cells; take coarser keys", w.request.MostCells)
}

// count finds the cells, and counts them in one statement.
func (w *assessing) count(ctx context.Context, p *noisy.QueryPlan, t *target) (*assessedCells, error) {
	counts := make([]query.Count, len(p.Questions))
	for i, q := range p.Questions {
		counts[i] = q.Count
	}
	look := func(ctx context.Context, group func([]query.Value, []int64) error) error {
		return w.inspection.Count(ctx, p.Query, counts, group)
	}
	c := &assessedCells{undeclared: make([]int64, len(p.Questions)), counts: make([][]int64, len(p.Questions))}
	if !p.ByThreshold {
		if p.Cells > w.request.MostCells {
			return nil, w.errManyCells()
		}
		var err error
		c.keys = p.Keys
		if c.counts, err = (&noisy.Task{Plan: p, Questions: p.Questions}).CountCells(ctx, look, p.Keys, p.Cells, c.leave); err != nil {
			return c, err
		}
		return c, w.countBeyond(ctx, p, counts, c)
	}
	c.byThreshold = w.refusal == "" || w.withDelta
	accept, err := w.accepts(ctx, p, c.byThreshold)
	if err != nil {
		return nil, err
	}
	c.keys = make([][]query.Value, len(p.Query.Keys))
	err = look(ctx, func(group []query.Value, n []int64) error {
		if !accept(group) {
			c.leave(n)
			return nil
		}
		if len(c.counts[0]) == w.request.MostCells {
			return w.errManyCells()
		}
		c.add(group, n)
		return nil
	})
	if err == nil && !c.byThreshold {
		err = w.complete(ctx, p, t, c)
	}
	if err != nil {
		return nil, err
	}
	return c, w.countBeyond(ctx, p, counts, c)
}

// countBeyond counts the cells as if a person counted for all her rows, and keeps the differences.
func (w *assessing) countBeyond(ctx context.Context, p *noisy.QueryPlan, counts []query.Count, c *assessedCells) error {
	if p.Query.Table.Person == nil {
		return nil
	}
	c.allLeftOut = make([]int64, len(counts))
	for i, counted := range c.counts {
		c.allLeftOut[i] = -c.undeclared[i]
		for _, n := range counted {
			c.allLeftOut[i] -= n
		}
	}
	all, err := (&noisy.Task{Plan: p, Questions: p.Questions}).CountCells(ctx, func(ctx context.Context, group func([]query.Value, []int64) error) error {
		return w.inspection.Count(ctx, p.Query.Unbounded(), counts, func(keys []query.Value, n []int64) error {
			for i := range n {
				c.allLeftOut[i] += n[i]
			}
			return group(keys, n)
		})
	}, c.keys, len(c.counts[0]), func([]int64) {})
	for i := range all {
		for j := range all[i] {
			all[i][j] -= c.counts[i][j]
		}
	}
	c.leftOut = all
	return err
}

// leave counts a group that is none of the cells.
func (c *assessedCells) leave(n []int64) {
	for i := range n {
		c.undeclared[i] += n[i]
	}
}

func (c *assessedCells) add(cell []query.Value, n []int64) {
	for i, v := range cell {
		c.keys[i] = append(c.keys[i], v)
	}
	for i := range c.counts {
		c.counts[i] = append(c.counts[i], n[i])
	}
}

// accepts says of a group whether its values are declared, where they are declared at all. A threshold decides about whatever values a
// computed key has.
func (w *assessing) accepts(ctx context.Context, p *noisy.QueryPlan, byThreshold bool) (func(group []query.Value) bool, error) {
	type declared struct {
		keys   []int
		values map[string]bool
	}
	var all []declared
	var b strings.Builder
	for _, g := range p.Query.KeyGroups() {
		if byThreshold && p.Query.Keys[g.Keys[0]].Domain == nil {
			continue
		}
		values, ok, err := w.declaredTogether(ctx, p, g)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		d := declared{g.Keys, make(map[string]bool, len(values[0]))}
		together := make([]query.Value, len(values))
		for i := range values[0] {
			for k := range values {
				together[k] = values[k][i]
			}
			d.values[cells.CellKey(&b, together)] = true
		}
		all = append(all, d)
	}
	return func(group []query.Value) bool {
		return !slices.ContainsFunc(all, func(d declared) bool {
			together := make([]query.Value, len(d.keys))
			for i, k := range d.keys {
				together[i] = group[k]
			}
			return !d.values[cells.CellKey(&b, together)]
		})
	}, nil
}

// complete adds the cells that nobody is in: of each combination of the other keys, those of the labels that it lacks.
func (w *assessing) complete(ctx context.Context, p *noisy.QueryPlan, t *target, c *assessedCells) error {
	if len(c.counts[0]) == 0 {
		return nil
	}
	labels, err := w.labels(ctx, p, t, c)
	if err != nil {
		return err
	}
	zeros := make([]int64, len(c.counts))
	for _, group := range groupsBut(t.key, c.keys, len(c.counts[0])) {
		has := make(map[query.Value]bool, len(group))
		cell := make([]query.Value, len(c.keys))
		for _, i := range group {
			has[c.keys[t.key][i]] = true
		}
		for k := range c.keys {
			cell[k] = c.keys[k][group[0]]
		}
		for _, label := range labels {
			if cell[t.key] = label; !has[label] {
				c.add(cell, zeros)
			}
		}
		if len(c.counts[0]) > w.request.MostCells {
			return w.errManyCells()
		}
	}
	return nil
}

// labels are the values that the target can have, or that occur if they are not declared; none if other keys decide about it.
func (w *assessing) labels(ctx context.Context, p *noisy.QueryPlan, t *target, c *assessedCells) ([]query.Value, error) {
	for _, g := range p.Query.KeyGroups() {
		if !slices.Contains(g.Keys, t.key) {
			continue
		}
		if len(g.Keys) > 1 {
			return nil, nil
		}
		values, ok, err := w.declaredTogether(ctx, p, g)
		if err != nil || ok {
			return slices.Concat(values...), err
		}
	}
	c.labelsSeen = true
	var labels []query.Value
	seen := make(map[query.Value]bool)
	for _, v := range c.keys[t.key] {
		if !seen[v] {
			seen[v], labels = true, append(labels, v)
		}
	}
	return labels, nil
}
