package noisy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tacit/accountant/ledger"
	"tacit/mechanisms"
	"tacit/mechanisms/sampling"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/marginals"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A question can be about a value that rows have, the median say, instead of a count. It is drawn by the exponential mechanism among the values that are
// declared: its grid, which is fixed before any row is read. It has the epsilon of a count, whatever noise counts have, and is charged,
// recorded and replayed like one. Which cells there are is decided as for counts: by declared keys, or by the threshold of a question that is charged
// besides.

// A choice is how the value of a question is chosen.
type choice struct {
	mechanism *mechanisms.Exponential
	column    *query.Column
	fraction  query.Fraction
	grid      []query.Value
	places    map[query.Value]int // in the grid
}

// chooses makes the choice of a count that is a value; nil for others.
func (p *QueryPlan) chooses(ctx context.Context, c *curator.Curator, r *live.State, count query.Count) (*choice, error) {
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
	made := &choice{mechanism: m, column: column, fraction: count.Ordered.Fraction, grid: grid, places: make(map[query.Value]int)}
	for i, v := range grid {
		made.places[v] = i
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
		return nil, reply.RefuseUndeclaredValues(p.Query, column)
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

func (c *choice) ratio() sampling.Ratio { return sampling.Ratio(c.fraction) }

func (c *choice) isMode() bool { return c.fraction == (query.Fraction{}) }

// writeIdentity takes in what the distribution of a value depends on besides what its question says.
func (c *choice) writeIdentity(w io.Writer, p *QueryPlan, r *live.State) {
	for _, input := range c.column.Inputs() {
		p.writeColumn(w, r, "ordered by", input)
		if input.Until != "" { // the values to choose among end at this day, and tomorrow at another
			fmt.Fprintf(w, "until %q\n", input.Until)
		}
	}
}

// draw chooses the value of one cell.
func (c *choice) draw(s mechanisms.Sample) (v query.Value, err error) {
	var place int
	if c.isMode() {
		place, err = c.mechanism.Mode(s)
	} else {
		place, err = c.mechanism.Quantile(s, c.ratio())
	}
	if err != nil {
		return v, err
	}
	return c.grid[place], nil
}

// within95 bounds by how many ranks, or rows, what is drawn is off.
func (c *choice) within95() int64 {
	if c.isMode() {
		return c.mechanism.ModeWithin95(len(c.grid))
	}
	return c.mechanism.QuantileWithin95(len(c.grid), c.ratio())
}

// kind is the mechanism of a question, as it is told and recorded.
func (q *Question) kind() string {
	switch {
	case q.choice != nil:
		return mechanisms.ExponentialKind
	case q.workload != nil:
		return marginals.Kind
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
	samples := &samples{choice: q.choice, index: cells.Index(keys, cellCount), values: make([]query.Value, cellCount), drawn: make([]bool, cellCount), cell: -1}
	samples.begin(-1)
	if err := s.Sample(ctx, paid, t.Plan.Query, curator.Counted{Count: q.Count, Question: q.Ledger}, samples.add); err != nil {
		return err
	}
	if err := samples.end(); err != nil {
		return err
	}
	for i, drawn := range samples.drawn {
		if !drawn {
			samples.begin(i)
			if err := samples.end(); err != nil {
				return err
			}
		}
	}
	q.Released = &cells.Released{Keys: keys, Counts: make([]int64, cellCount), Values: samples.values}
	return nil
}

// samples draws the values of cells, whose rows come cell by cell, so that those of one are held at a time.
type samples struct {
	choice *choice
	index  map[string]int
	values []query.Value
	drawn  []bool
	// cell is the one whose rows are coming, -1 for one that is not shown, and counts are its rows by place in the grid.
	cell   int
	group  string
	counts map[int]int64
}

func (s *samples) begin(cell int) { s.cell, s.counts = cell, make(map[int]int64) }

// add takes in how many rows of a group have a value.
func (s *samples) add(group []query.Value, value query.Value, n int64) error {
	if key := cellKeyOf(group); key != s.group || s.cell < 0 {
		if err := s.end(); err != nil {
			return err
		}
		cell, ok := s.index[key]
		if !ok {
			cell = -1
		} else if s.drawn[cell] {
			return errors.New("release: internal error: a group whose rows do not come together")
		}
		s.group = key
		s.begin(cell)
	}
	if place, ok := s.choice.places[value]; ok && s.cell >= 0 && n > 0 {
		s.counts[place] += n
	}
	return nil
}

// end draws the value of the cell whose rows have come.
func (s *samples) end() (err error) {
	if s.cell < 0 {
		return nil
	}
	sample := mechanisms.Sample{Grid: len(s.choice.grid)}
	for place := range s.counts {
		sample.At = append(sample.At, place)
	}
	slices.Sort(sample.At)
	for _, place := range sample.At {
		sample.Counts = append(sample.Counts, s.counts[place])
	}
	s.values[s.cell], err = s.choice.draw(sample)
	s.drawn[s.cell] = true
	return err
}

// valueWithin95 bounds by how many ranks, or rows, the value of a cell is off.
func (q *Question) valueWithin95() int64 {
	if q.derived != nil {
		return q.derived.error.HalfWidth95
	}
	return q.choice.within95()
}

// describeValue tells in a phrase what a value is, and how exact.
func (q *Question) describeValue() string {
	c := q.choice
	within, how := q.valueWithin95(), fmt.Sprintf("drawn by the exponential mechanism among %d values", len(c.grid))
	if q.derived != nil {
		how = "found by noisy counts"
	}
	text := fmt.Sprintf("percentile_disc(%v) of %s is %s, within ±%d ranks with probability 95%%", c.fraction, c.column.Text(), how, within)
	if c.isMode() {
		text = fmt.Sprintf("mode of %s is %s, which at most %d rows fewer have than the most frequent one with probability 95%%", c.column.Text(), how, within)
	}
	return text + "; rows with undeclared values of it have no part in it"
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
	q.Released = q.choice.findAll(h, p)
	added := 1
	if d := h.question.derived; d != nil {
		added = d.added
	}
	q.derived = &derivedFrom{recorded: []cells.Recording{h.recorded}, added: added}
	q.derived.error.HalfWidth95 = q.choice.foundWithin95(h.question.Mechanism, added)
	return nil
}

// findAll finds the values of the cells of a plan.
func (c *choice) findAll(h *histogram, p *QueryPlan) *cells.Released {
	index, counts := cells.Index(p.Keys, p.Cells), make([][]cells.Placed, p.Cells)
	released, group := h.question.Released, make([]query.Value, len(h.places))
	for i, n := range released.Counts {
		for k, place := range h.places {
			group[k] = released.Keys[place][i]
		}
		cell, ok := index[cellKeyOf(group)]
		place, declared := c.places[released.Keys[h.value][i]]
		if ok && declared {
			counts[cell] = append(counts[cell], cells.Placed{Place: place, Count: n})
		}
	}
	found := &cells.Released{Keys: p.Keys, Counts: make([]int64, p.Cells), Values: make([]query.Value, p.Cells), Recording: h.recorded}
	for i := range counts {
		found.Values[i] = c.find(counts[i])
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

// find is the value that noisy counts of all values tell: NULL if they tell that there are no rows.
func (c *choice) find(counts []cells.Placed) query.Value {
	place, ok := cells.PlaceOf(counts, c.fraction)
	if !ok {
		return query.Value{Null: true}
	}
	return c.grid[place]
}

// foundWithin95 bounds by how many ranks, or rows, a value is off that was found by noisy counts, each a sum of so many cells.
//
// Let e be the errors of the counts of g values, and the value found the first one up to which the noisy counts are at least the fraction f of their
// sum. Its rank is off by no more than the largest |(1-f) (e up to v) - f (e after v)| over all v, and so by no more than the larger one of the largest
// |e up to v| and the largest |e after v|. An error is between the noise Z of the cells and max(Z, 0). So a sum up to v is at most that of max(Z, 0) over all
// cells, and falls below -w with at most twice the probability that the sum of Z over all cells does (Levy's inequality, Z being symmetric and independent).
// SumsWithin95 of all cells bounds P(sum of Z > w) + P(sum of max(Z, 0) > w) by 0.05/4 for four sums, so that the sums up to v exceed w with at most
// twice that, and so do those after v.
//
// Of a mode, all counts are within w at once, so that the one that is found has at most 2w rows fewer than any other.
func (c *choice) foundWithin95(m *mechanisms.Mechanism, added int) int64 {
	if c.isMode() {
		w, _ := m.SumsWithin95(added, len(c.grid))
		return 2 * w
	}
	w, _ := m.SumsWithin95(added*len(c.grid), 4)
	return w
}

// take makes a question one about a value.
func (q *Question) take(c *choice) {
	if c != nil {
		q.choice, q.loss, q.term = c, c.mechanism.Loss(), c.mechanism.Term()
	}
}

func cellKeyOf(group []query.Value) string { return cells.CellKey(new(strings.Builder), group) }
