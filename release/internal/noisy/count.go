package noisy

import (
	"context"
	"slices"
	"strings"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// Run counts and sanitizes. The true counts live in this call alone.
func (t *Task) Run(ctx context.Context, count groups) error {
	if t.Questions[0].selects {
		return t.runSelecting(ctx, count)
	}
	return t.runFixed(ctx, count)
}

// runFixed counts over cells that are fixed already: by declaration, or by an earlier selection. A group that is none of
// them is passed over, and a cell without rows counts zero.
func (t *Task) runFixed(ctx context.Context, count groups) error {
	keys, cells := t.Plan.Keys, t.Plan.Cells
	if first := t.Plan.Questions[0]; first.selects {
		keys, cells = first.Released.Keys, len(first.Released.Counts)
	}
	counts, err := t.CountCells(ctx, count, keys, cells, func([]int64) {})
	if err != nil {
		return err
	}
	return t.sanitize(keys, t.Questions, counts)
}

// CountCells returns the true counts of the task's questions over given cells, and hands over those of each group that is none of them.
func (t *Task) CountCells(ctx context.Context, count groups, keys [][]query.Value, cellCount int, none func(counts []int64)) ([][]int64, error) {
	index := cells.Index(keys, cellCount)
	var b strings.Builder
	counts := make([][]int64, len(t.Questions))
	for i, q := range t.Questions {
		counts[i] = make([]int64, cellCount*q.Count.Columns())
	}
	err := count(ctx, func(group []query.Value, n []int64) error {
		i, ok := index[cells.CellKey(&b, group)]
		if !ok {
			none(n)
			return nil
		}
		for j, q := range t.Questions {
			for column := range q.Count.Columns() {
				counts[j][column*cellCount+i] += n[column] // if ever two groups had the keys of one cell, its count would still be that of all its rows
			}
			n = n[q.Count.Columns():]
		}
		return nil
	})
	return counts, err
}

// sanitize turns the true counts of each question into what is released.
func (t *Task) sanitize(keys [][]query.Value, questions []*Question, counts [][]int64) error {
	var blocks [][]int
	if len(counts) > 0 {
		blocks = live.BlocksOf(t.Plan.Terms, t.Plan.Query, keys, len(counts[0]))
	}
	for j, q := range questions {
		c, err := q.Mechanism.Sanitize(mechanisms.Histogram{Counts: counts[j], Blocks: blocks})
		if err != nil {
			return err
		}
		q.Released = q.release(keys, c.Counts)
		q.Released.Suppressed = c.Suppressed
	}
	return nil
}

// release is what is released of a question, of some cells.
func (q *Question) release(keys [][]query.Value, counts []int64) *cells.Released {
	r := &cells.Released{Keys: keys, Counts: counts}
	if columns := q.Count.Columns(); columns > 1 {
		r.Columns = columns
	}
	return r
}

// A selectedCell passed the threshold.
type selectedCell struct {
	keys  []query.Value
	shown int64   // the noisy number of persons that passed
	rest  []int64 // true counts of the task's other questions
}

// runSelecting draws for each group that exists whether it is shown, and forgets the others at once, so that memory is
// bounded by what is shown. Cells come in key order, never in the order in which the server found them.
func (t *Task) runSelecting(ctx context.Context, count groups) error {
	limit, declared := t.Plan.Limit, t.Plan.declaredKeys()
	var passed []selectedCell
	err := count(ctx, func(group []query.Value, n []int64) error {
		for i, values := range declared {
			if values != nil && !values[group[i]] {
				return nil // a row outside a declared domain is in no cell
			}
		}
		shown, ok, err := t.Questions[0].Mechanism.Select(n[0])
		if err != nil || !ok {
			return err
		}
		if len(passed) == limit {
			return reply.RefuseTooManySelected.With(limit)
		}
		passed = append(passed, selectedCell{slices.Clone(group), shown, slices.Clone(n[1:])})
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(passed, func(a, b selectedCell) int { return t.Plan.compareCells(a.keys, b.keys) })
	keys := make([][]query.Value, len(t.Plan.Query.Keys))
	selected := &cells.Released{Keys: keys, Counts: make([]int64, len(passed))}
	for i, c := range passed {
		selected.Counts[i] = c.shown
		for k, v := range c.keys {
			keys[k] = append(keys[k], v)
		}
	}
	t.Questions[0].Released = selected
	return t.sanitize(keys, t.Questions[1:], t.restOf(passed))
}

// restOf are the true counts of the task's other questions in the cells that passed.
func (t *Task) restOf(passed []selectedCell) [][]int64 {
	rest, first := make([][]int64, len(t.Questions)-1), 0
	for j, q := range t.Questions[1:] {
		for column := range q.Count.Columns() {
			for _, c := range passed {
				rest[j] = append(rest[j], c.rest[first+column])
			}
		}
		first += q.Count.Columns()
	}
	return rest
}

// declaredKeys has the values that each key with a declared domain may take, nil for the others.
func (p *QueryPlan) declaredKeys() []map[query.Value]bool {
	declared := make([]map[query.Value]bool, len(p.Query.Keys))
	for i, k := range p.Query.Keys {
		if k.Domain == nil {
			continue
		}
		declared[i] = make(map[query.Value]bool)
		for _, v := range k.DeclaredValues() {
			declared[i][v] = true
		}
	}
	return declared
}

// compareCells is the order of cells whose keys were found in the data: by the keys one after the other, integers by value, others by bytes, NULL
// last. The order of rows says nothing then.
func (p *QueryPlan) compareCells(a, b []query.Value) int {
	for i, k := range p.Query.Keys {
		if c := cells.CompareValues(k.TypeOID, a[i], b[i]); c != 0 {
			return c
		}
	}
	return 0
}

// groups hands over the groups of a count query, with the counts of a task's questions, one by one.
type groups func(ctx context.Context, group func([]query.Value, []int64) error) error

// PaidGroups counts the task's questions, which the reservations pay for.
func (t *Task) PaidGroups(s *curator.Snapshot, paid []*ledger.Reservation) groups {
	asked := make([]curator.Counted, len(t.Questions))
	for i, q := range t.Questions {
		asked[i] = curator.Counted{Count: q.Count, Question: q.Ledger}
	}
	return func(ctx context.Context, group func([]query.Value, []int64) error) error {
		return s.Count(ctx, paid, t.Plan.Query, asked, group)
	}
}
