package release

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tacit/mechanisms"
	"tacit/rewrite"
)

// run counts and sanitizes. The true counts live in this call alone.
func (t *task) run(ctx context.Context, s *snapshot) error {
	if t.questions[0].selects {
		return t.runSelecting(ctx, s)
	}
	return t.runFixed(ctx, s)
}

// runFixed counts over cells that are fixed already: by declaration, or by an earlier selection. A group that is none of
// them is passed over, and a cell without rows counts zero.
func (t *task) runFixed(ctx context.Context, s *snapshot) error {
	keys, cells := t.plan.keys, t.plan.cells
	if first := t.plan.questions[0]; first.selects {
		keys, cells = first.released.keys, len(first.released.counts)
	}
	counts, err := t.countFixed(ctx, s, keys, cells)
	if err != nil {
		return err
	}
	return t.sanitize(keys, t.questions, counts)
}

// countFixed returns the true counts of the task's questions over given cells.
func (t *task) countFixed(ctx context.Context, s *snapshot, keys [][]rewrite.Value, cells int) ([][]int64, error) {
	return t.countCells(ctx, s, keys, cells, func([]int64) {})
}

// countCells is countFixed, and hands over the counts of each group that is none of the cells.
func (t *task) countCells(ctx context.Context, s *snapshot, keys [][]rewrite.Value, cells int, none func(counts []int64)) ([][]int64, error) {
	index := make(map[string]int, cells)
	var b strings.Builder
	cell := make([]rewrite.Value, len(keys))
	for i := range cells {
		for k := range keys {
			cell[k] = keys[k][i]
		}
		index[cellKey(&b, cell)] = i
	}
	counts := make([][]int64, len(t.questions))
	for i := range counts {
		counts[i] = make([]int64, cells)
	}
	err := t.count(ctx, s, func(group []rewrite.Value, n []int64) error {
		i, ok := index[cellKey(&b, group)]
		if !ok {
			none(n)
			return nil
		}
		for j := range n {
			counts[j][i] = n[j]
		}
		return nil
	})
	return counts, err
}

// sanitize turns the true counts of each question into what is released.
func (t *task) sanitize(keys [][]rewrite.Value, questions []*question, counts [][]int64) error {
	var blocks [][]int
	if len(counts) > 0 {
		blocks = blocksOf(t.plan.terms, t.plan.query, keys, len(counts[0]))
	}
	for j, q := range questions {
		cells, err := q.mechanism.Sanitize(mechanisms.Histogram{Counts: counts[j], Blocks: blocks})
		if err != nil {
			return err
		}
		q.released = &released{keys: keys, counts: cells.Counts, suppressed: cells.Suppressed}
	}
	return nil
}

// A selectedCell passed the threshold.
type selectedCell struct {
	keys  []rewrite.Value
	shown int64   // the noisy number of persons that passed
	rest  []int64 // true counts of the task's other questions
}

// runSelecting draws for each group that exists whether it is shown, and forgets the others at once, so that memory is
// bounded by what is shown. Cells come in key order, never in the order in which the server found them.
func (t *task) runSelecting(ctx context.Context, s *snapshot) error {
	limit, declared := t.plan.limit, t.plan.declaredKeys()
	var cells []selectedCell
	err := t.count(ctx, s, func(group []rewrite.Value, n []int64) error {
		for i, values := range declared {
			if values != nil && !values[group[i]] {
				return nil // a row outside a declared domain is in no cell
			}
		}
		shown, ok, err := t.questions[0].mechanism.Select(n[0])
		if err != nil || !ok {
			return err
		}
		if len(cells) == limit {
			return refuseTooManySelected(limit)
		}
		cells = append(cells, selectedCell{slices.Clone(group), shown, slices.Clone(n[1:])})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(cells, func(a, b selectedCell) int { return t.plan.compareCells(a.keys, b.keys) })
	keys := make([][]rewrite.Value, len(t.plan.query.Keys))
	selected := &released{keys: keys, counts: make([]int64, len(cells))}
	rest := make([][]int64, len(t.questions)-1)
	for i, c := range cells {
		selected.counts[i] = c.shown
		for k, v := range c.keys {
			keys[k] = append(keys[k], v)
		}
		for j, n := range c.rest {
			rest[j] = append(rest[j], n)
		}
	}
	t.questions[0].released = selected
	return t.sanitize(keys, t.questions[1:], rest)
}

// declaredKeys has the values that each key with a declared domain may take, nil for the others.
func (p *plan) declaredKeys() []map[rewrite.Value]bool {
	declared := make([]map[rewrite.Value]bool, len(p.query.Keys))
	for i, k := range p.query.Keys {
		if k.Domain == nil {
			continue
		}
		declared[i] = make(map[rewrite.Value]bool)
		for _, v := range domainValues(k) {
			declared[i][v] = true
		}
	}
	return declared
}

// compareCells is the order of cells whose keys were found in the data: by the keys one after the other, integers by value, others by bytes, NULL
// last. The order of rows says nothing then.
func (p *plan) compareCells(a, b []rewrite.Value) int {
	for i, k := range p.query.Keys {
		if c := compareValues(k.TypeOID, a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

func compareValues(typeOID uint32, a, b rewrite.Value) int {
	switch {
	case a.Null || b.Null:
		return cmp.Compare(boolInt(a.Null), boolInt(b.Null))
	case rewrite.IsInteger(typeOID):
		x, _ := strconv.ParseInt(a.Text, 10, 64)
		y, _ := strconv.ParseInt(b.Text, 10, 64)
		return cmp.Compare(x, y)
	}
	return strings.Compare(a.Text, b.Text)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// count runs the count query for the task's questions and hands over the groups one by one.
func (t *task) count(ctx context.Context, s *snapshot, group func([]rewrite.Value, []int64) error) error {
	counts := make([]rewrite.Count, len(t.questions))
	for i, q := range t.questions {
		counts[i] = q.count
	}
	sql, args := t.plan.query.CountSQL(counts)
	keys := make([]rewrite.Value, len(t.plan.query.Keys))
	n := make([]int64, len(counts))
	return s.query(ctx, sql, args, func(row [][]byte) error {
		if len(row) != len(keys)+len(n) {
			return fmt.Errorf("release: internal error: %d columns instead of %d", len(row), len(keys)+len(n))
		}
		for i := range keys {
			keys[i] = rewrite.Value{Text: string(row[i]), Null: row[i] == nil}
		}
		for i := range n {
			var err error
			if n[i], err = strconv.ParseInt(string(row[len(keys)+i]), 10, 64); err != nil {
				return err
			}
		}
		return group(keys, n)
	})
}
