package noisy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/chosen"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A question can be about a value that rows have, the median say, instead of a count. It is drawn by the exponential mechanism among the values that are
// declared: its grid, which is fixed before any row is read. It has the epsilon of a count, whatever noise counts have, and is charged,
// recorded and replayed like one. Which cells there are is decided as for counts: by declared keys, or by the threshold of a question that is charged
// besides.

// chooses makes the choice of a count that is a value; nil for others.
func (p *QueryPlan) chooses(ctx context.Context, c *curator.Curator, r *live.State, count query.Count) (*chosen.Choice, error) {
	if count.Ordered == nil {
		return nil, nil
	}
	column := count.OrderedBy()
	grid, err := p.gridOf(ctx, c, r, count)
	if err != nil {
		return nil, err
	}
	m, err := r.Exponential(p.Terms, live.SensitivityOf(p.Query, count))
	if err != nil {
		return nil, errors.Join(reply.RefuseNoiseOfJoin(p.Query, p.Terms), err)
	}
	made := &chosen.Choice{Mechanism: m, Column: column, Fraction: count.Ordered.Fraction, Grid: grid, Places: make(map[query.Value]int)}
	for i, v := range grid {
		made.Places[v] = i
	}
	return made, nil
}

// gridOf are the values that a value is chosen among, in their order.
func (p *QueryPlan) gridOf(ctx context.Context, c *curator.Curator, r *live.State, count query.Count) ([]query.Value, error) {
	column := count.OrderedBy()
	g := &QueryPlan{Query: p.Query.Grid(count), tables: p.tables, Terms: p.Terms, state: p.state, Limit: p.Limit}
	if err := g.decideCells(ctx, c, r); err != nil {
		return nil, err
	}
	if g.ByThreshold {
		return nil, reply.RefuseUndeclaredValues(p.Query, column, p.Limit)
	}
	if err := g.fixCellsNow(ctx, c); err != nil {
		return nil, err
	}
	sorted, ok := query.SortValues(column, g.Keys[0])
	switch {
	case !ok && count.Ordered.Fraction != (query.Fraction{}):
		return nil, fmt.Errorf("release: internal error: values of %s have no order", column.Text())
	case len(sorted) == 0:
		return nil, reply.RefuseNoValues(p.Query, column)
	}
	return sorted, nil
}

// writeChoice takes in what the distribution of a value depends on besides what its question says.
func (p *QueryPlan) writeChoice(w io.Writer, r *live.State, c *chosen.Choice) {
	for _, input := range c.Column.Inputs() {
		p.writeColumn(w, r, "ordered by", input)
		if input.Until != "" { // the values to choose among end at this day, and tomorrow at another
			fmt.Fprintf(w, "until %q\n", input.Until)
		}
	}
}

// kind is the mechanism of a question, as it is told and recorded.
func (q *Question) kind() string {
	switch {
	case q.choice != nil:
		return mechanisms.ExponentialKind
	case q.workload != nil:
		return q.workload.Kind()
	}
	return string(q.Mechanism.Kind())
}

// runPaid runs a task that the reservations pay for.
func (t *Task) runPaid(ctx context.Context, s *curator.Snapshot, paid []*ledger.Reservation) error {
	switch q := t.Questions[0]; {
	case q.choice != nil:
		return t.runValue(ctx, s, paid)
	case q.workload != nil:
		return t.Measure(ctx, t.PaidGroups(s, paid))
	}
	return t.Run(ctx, t.PaidGroups(s, paid))
}

// runValue draws the value of each cell for the one question of a task.
func (t *Task) runValue(ctx context.Context, s *curator.Snapshot, paid []*ledger.Reservation) error {
	q, keys, cellCount := t.Questions[0], t.Plan.Keys, t.Plan.Cells
	if first := t.Plan.Questions[0]; first.selects {
		keys, cellCount = first.Released.Keys, len(first.Released.Counts)
	}
	samples := q.choice.NewSamples(keys, cellCount)
	if err := s.Sample(ctx, paid, t.Plan.Query, curator.Counted{Count: q.Count, Question: q.Ledger}, samples.Add); err != nil {
		return err
	}
	values, err := samples.Values()
	if err != nil {
		return err
	}
	q.Released = &cells.Released{Keys: keys, Counts: make([]int64, cellCount), Values: values}
	return nil
}

// valueWithin95 bounds by how many ranks, or rows, the value of a cell is off.
func (q *Question) valueWithin95() int64 {
	if q.derived != nil {
		return q.derived.error.HalfWidth95
	}
	return q.choice.Within95()
}

// describeValue tells in a phrase what a value is, and how exact.
func (q *Question) describeValue() string {
	return q.choice.Describe(q.valueWithin95(), q.derived != nil)
}

// deriveValues answers questions about values and sums from recorded counts by that value: they follow from these, for free.
func (a *Statement) deriveValues(ctx context.Context) error {
	if a.Request.Fresh {
		return nil
	}
	for _, p := range a.Plans {
		if p.ByThreshold || !p.Terms.Derive || len(p.tables) > 1 || p.within > 0 {
			continue
		}
		for _, q := range p.Questions {
			var err error
			switch {
			case q.Released != nil:
			case q.choice != nil:
				err = a.deriveValue(ctx, p, q)
			default:
				err = a.deriveBeside(ctx, p, q)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// deriveValue answers one question, if the counts by its value are recorded or follow from recorded ones.
func (a *Statement) deriveValue(ctx context.Context, p *QueryPlan, q *Question) error {
	h, err := a.histogram(ctx, p.Query, q.Count)
	if h == nil || err != nil {
		return err
	}
	if err := a.fixedCells(ctx, p); err != nil || q.Released != nil { // there are no cells
		return err
	}
	q.Released = h.findAll(p, q.choice)
	added := 1
	if d := h.question.derived; d != nil {
		added = d.added
	}
	q.derived = &derivedFrom{recorded: []cells.Recording{h.recorded}, added: added}
	q.derived.error.HalfWidth95 = q.choice.FoundWithin95(h.question.Mechanism, added)
	return nil
}

// findAll finds the values of the cells of a plan.
func (h *histogram) findAll(p *QueryPlan, c *chosen.Choice) *cells.Released {
	index, counts := cells.Index(p.Keys, p.Cells), make([][]cells.Placed, p.Cells)
	released, group := h.question.Released, make([]query.Value, len(h.places))
	var b strings.Builder
	for i, n := range released.Counts {
		for k, place := range h.places {
			group[k] = released.Keys[place][i]
		}
		cell, ok := index[cells.CellKey(&b, group)]
		place, declared := c.Places[released.Keys[h.value][i]]
		if ok && declared {
			counts[cell] = append(counts[cell], cells.Placed{Place: place, Count: n})
		}
	}
	found := &cells.Released{Keys: p.Keys, Counts: make([]int64, p.Cells), Values: make([]query.Value, p.Cells), Recording: h.recorded}
	for i := range counts {
		found.Values[i] = c.Find(counts[i])
	}
	return found
}

// A histogram are noisy counts by the keys of a query and a value.
type histogram struct {
	question *Question
	recorded cells.Recording
	value    int
	places   []int
}

// histogram finds the counts from which a value follows; nil if there are none.
func (a *Statement) histogram(ctx context.Context, q *query.BoundQuery, c query.Count) (*histogram, error) {
	counts, value, places := q.Histogram(c)
	if _, ok := counts.CountShape(counts.Counts[0]); !ok {
		return nil, nil
	}
	of, err := a.recordedCount(ctx, counts)
	if of == nil || err != nil {
		return nil, err
	}
	return &histogram{of, of.recordings()[0], value, places}, nil
}

// recordedCount answers a query of one count, of which other answers may follow, from the ledger; nil if it is not recorded, nor follows itself.
func (a *Statement) recordedCount(ctx context.Context, counts *query.BoundQuery) (*Question, error) {
	return a.recordedPart(ctx, counts, 1)
}

// recordedPart is recordedCount of what was one of so many parts of a release with sums.
func (a *Statement) recordedPart(ctx context.Context, counts *query.BoundQuery, parts int) (*Question, error) {
	plan, err := a.plan(ctx, counts)
	if err != nil || plan.ByThreshold {
		return nil, reply.UnlessRefused(err)
	}
	if err := plan.sharedAmong(parts, a.State); err != nil {
		return nil, reply.UnlessRefused(err)
	}
	if err := plan.fixCellsNow(ctx, a.answerer.monitor.Curator); err != nil {
		return nil, err
	}
	plan.noOlderThan(a.cellsCount(plan, plan.Questions[0]), a.now)
	known := *a
	known.Plans, known.ofOne = []*QueryPlan{plan}, true
	if err := known.replayOrDerive(ctx); err != nil || !plan.answered() {
		return nil, err
	}
	of := plan.Questions[0]
	if of.derived != nil && of.derived.measured != nil {
		return nil, nil // what follows would be as exact as the workload is, and not as counts of the table are
	}
	if len(of.recordings()) != 1 || !cells.SameKeys(of.Released.Keys, plan.Keys) {
		return nil, nil
	}
	return of, nil
}

// take makes a question one about a value.
func (q *Question) take(c *chosen.Choice) {
	if c != nil {
		q.choice, q.loss, q.term = c, c.Mechanism.Loss(), c.Mechanism.Term()
	}
}
