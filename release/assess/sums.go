package assess

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/release/internal/noisy"
	"tacit/rewrite"
	"tacit/rewrite/pgerror"
	"tacit/rewrite/query"
)

// Sums, averages and deviations are assessed as what they are, parts of one joint release: how exact each of them is in the cells that there
// are, and what the declared range of its number leaves out. They have no disclosure risk of their own: a sum tells of a person what she adds to it, and
// not in which cell she is.
//
// Each kind has its own steps of a number, since Gaussian noise is made for smaller sensitivities. So the statement is bound anew for each.

// A Joint is a joint release: that of a query with sums.
type Joint struct {
	// Declared, Threshold and Refusal are those of a [Question].
	Declared  bool   `json:"declared"`
	Threshold bool   `json:"threshold"`
	Refusal   string `json:"refusal,omitempty"`
	Cells     int    `json:"cells"`
	// Parts share the loss equally.
	Parts      []JointPart      `json:"parts"`
	Mechanisms []JointMechanism `json:"mechanisms"`
}

// A JointPart is a count, or what is released of one number.
type JointPart struct {
	Question string `json:"question"`
	// Rows are those that are counted, or that have a number, by cell.
	Rows Spread `json:"rows"`
	// Number is nil of a count.
	Number *Number `json:"number,omitempty"`
}

// A Number is one whose sums are released, with what is done to it. Averages are of the cells that have rows, and so are Deviations, which are
// nil where they do not follow from the release.
type Number struct {
	Text       string  `json:"text"`
	Least      string  `json:"least"`
	Greatest   string  `json:"greatest"`
	Averages   Spread  `json:"averages"`
	Deviations *Spread `json:"deviations,omitempty"`
	// Beyond is the share of rows whose number lies beyond the range. Dropped says that these are left out; otherwise they count as its end.
	Beyond  float64 `json:"share_beyond_range"`
	Dropped bool    `json:"dropped"`
	// LeftOut is the share of rows that the bounds of a person leave out; nil if each row is a person.
	LeftOut *float64 `json:"share_left_out,omitempty"`
}

// A Spread has the smallest, the median and the largest of some figures; all are 0 if there are none.
type Spread struct {
	Smallest float64 `json:"smallest"`
	Median   float64 `json:"median"`
	Largest  float64 `json:"largest"`
}

// A JointMechanism is one mechanism with one epsilon.
type JointMechanism struct {
	Kind    policy.Kind `json:"mechanism"`
	Epsilon float64     `json:"epsilon"`
	Today   bool        `json:"today"`
	// Problem says why there are no figures; "" otherwise.
	Problem string `json:"problem,omitempty"`
	// Parts has the errors of the release's parts, in their order.
	Parts []PartError `json:"parts,omitempty"`
}

// A PartError bounds errors with probability 0.95.
type PartError struct {
	// Count bounds the noise of a count, and Sum that of a sum; the other one is 0.
	Count int64   `json:"count,omitempty"`
	Sum   float64 `json:"sum,omitempty"`
	// Average and Deviation bound those of cells with as many rows as the Spread of the part's rows has, but never by more than the width of the range.
	// Deviation is to first order, and that of a cell with the median deviation.
	Average   *Spread  `json:"average,omitempty"`
	Deviation *float64 `json:"deviation,omitempty"`
	// Grid is what numbers are rounded to; Rounded says that it is coarser than they are known to be.
	Grid    string `json:"grid,omitempty"`
	Rounded bool   `json:"rounded,omitempty"`
}

// under is the same look at a policy in which a table has other terms.
func (w inspecting) under(t *policy.Table) (of inspecting, err error) {
	c := w.state.Catalog
	table := *c.Tables[t.Name]
	table.Policy = t
	tables := maps.Clone(c.Tables)
	tables[t.Name] = &table
	changed := &rewrite.Catalog{Version: c.Version, Tables: tables, Public: c.Public, Related: c.Related, Masks: c.Masks, Barrier: c.Barrier}
	state, err := live.StewardState(w.state.Policy, changed, rand.Reader).WithTerms(t)
	return inspecting{w.curator, w.inspection, state}, err
}

// planUnder plans the query that the statement has at a place, under other terms.
func (w *assessing) planUnder(ctx context.Context, place int, m policy.Mechanism) (*noisy.QueryPlan, error) {
	t := *w.query.Table.Policy
	t.Mechanism = m
	of, err := w.under(&t)
	if err != nil {
		return nil, err
	}
	queries, err := of.bind(ctx, w.request.SQL)
	if err != nil {
		return nil, err
	}
	p, err := noisy.NewQueryPlan(ctx, w.curator, queries[place], of.state)
	var refusal *pgerror.Refusal
	if errors.As(err, &refusal) {
		return nil, stewardError(refusal)
	}
	return p, err
}

// joint assesses the joint release that is the query at a place.
func (w *assessing) joint(ctx context.Context, place int) (j Joint, err error) {
	if w.refusal, err = w.refusalOf(ctx, w.query); err != nil {
		return j, err
	}
	p, err := w.planUnder(ctx, place, policy.Mechanism{Kind: policy.Geometric, Epsilon: 1e9, Delta: 1e12})
	if err != nil {
		return j, err
	}
	if err := p.FixCells(ctx, w.curator); err != nil {
		return j, err
	}
	j = Joint{Declared: !p.ByThreshold, Threshold: p.ByThreshold, Refusal: w.refusal}
	all, count, err := w.countParts(ctx, p)
	if err != nil {
		return j, err
	}
	j.Cells = count
	for _, part := range all {
		j.Parts = append(j.Parts, part.described())
	}
	for _, epsilon := range w.request.Epsilons {
		for _, kind := range policy.Kinds {
			if kind.AddsNoise() {
				made, err := w.jointMechanism(ctx, place, w.mechanism(kind, epsilon), all)
				if err != nil {
					return j, err
				}
				j.Mechanisms = append(j.Mechanisms, made)
			}
		}
	}
	return j, nil
}

// jointMechanism says how exact the parts are under a mechanism.
func (w *assessing) jointMechanism(ctx context.Context, place int, m policy.Mechanism, all []*truePart) (JointMechanism, error) {
	made := JointMechanism{Kind: m.Kind, Epsilon: m.Epsilon.Float()}
	p, err := w.planUnder(ctx, place, m)
	if ctx.Err() != nil {
		return made, ctx.Err()
	}
	if err != nil {
		made.Problem = err.Error()
		return made, nil
	}
	made.Today = w.today(m, p.ByThreshold)
	questions := shownQuestions(p)
	if len(questions) != len(all) {
		return made, errors.New("release: internal error: a statement has other parts under another mechanism")
	}
	for i, q := range questions {
		made.Parts = append(made.Parts, all[i].error(q))
	}
	return made, nil
}

// shownQuestions are those that the statement shows, each once.
func shownQuestions(p *noisy.QueryPlan) (questions []*noisy.Question) {
	for i, q := range p.Questions {
		if slices.Contains(p.Shown, i) {
			questions = append(questions, q)
		}
	}
	return questions
}

// A truePart is what is true of one part.
type truePart struct {
	question *noisy.Question
	// sums are those that would be released of each cell that has rows.
	sums [][]int64
	// kept are the rows of all cells with a number that is released, other those if numbers beyond the range were treated the other way, and
	// unbounded those without the bounds of a person.
	kept, other, unbounded float64
	bounded                bool
}

// countParts counts all parts in one statement, and once more without the bounds of a person.
func (w *assessing) countParts(ctx context.Context, p *noisy.QueryPlan) (all []*truePart, cellCount int, err error) {
	var counts []query.Count
	for _, q := range shownQuestions(p) {
		all = append(all, &truePart{question: q, bounded: p.Query.Table.Person != nil})
		counts = append(counts, q.Count)
		if q.Count.Measure != nil {
			counts = append(counts, q.Count.OtherwiseTreated())
		}
	}
	accept, err := w.acceptsCells(ctx, p)
	if err != nil {
		return nil, 0, err
	}
	err = w.inspection.Count(ctx, p.Query, counts, func(group []query.Value, n []int64) error {
		if !accept(group) {
			return nil
		}
		if cellCount++; cellCount > w.request.MostCells {
			return w.errManyCells()
		}
		for _, part := range all {
			n = part.add(n)
		}
		return nil
	})
	if err != nil || p.Query.Table.Person == nil {
		return all, max(cellCount, p.Cells), err
	}
	err = w.inspection.Count(ctx, p.Query.Unbounded(), counts, func(group []query.Value, n []int64) error {
		if accept(group) {
			for _, part := range all {
				n = part.addUnbounded(n)
			}
		}
		return nil
	})
	return all, max(cellCount, p.Cells), err
}

// acceptsCells tells the groups that are cells: those that are fixed, or those that a threshold would be asked about.
func (w *assessing) acceptsCells(ctx context.Context, p *noisy.QueryPlan) (func(group []query.Value) bool, error) {
	if p.ByThreshold {
		return w.accepts(ctx, p, true)
	}
	var b strings.Builder
	known, cell := make(map[string]bool, p.Cells), make([]query.Value, len(p.Keys))
	for i := range p.Cells {
		for k, column := range p.Keys {
			cell[k] = column[i]
		}
		known[cells.CellKey(&b, cell)] = true
	}
	return func(group []query.Value) bool { return known[cells.CellKey(&b, group)] }, nil
}

// columns are how many numbers a part has of those that a count yields.
func (t *truePart) columns() int { return t.question.Count.Columns() }

// add takes in a cell, and returns the numbers of the parts that follow.
func (t *truePart) add(n []int64) []int64 {
	columns := t.columns()
	t.sums = append(t.sums, slices.Clone(n[:columns]))
	t.kept += t.rowsOf(n[:columns])
	if n = n[columns:]; t.question.Count.Measure != nil {
		t.other += t.rowsOf(n[:columns])
		n = n[columns:]
	}
	return n
}

func (t *truePart) addUnbounded(n []int64) []int64 {
	columns := t.columns()
	t.unbounded += t.rowsOf(n[:columns])
	if n = n[columns:]; t.question.Count.Measure != nil {
		n = n[columns:]
	}
	return n
}

// rowsOf is the number of rows that sums are of: all polynomials together have D^d for each of them.
func (t *truePart) rowsOf(sums []int64) float64 {
	if t.question.Count.Measure == nil {
		return float64(sums[0])
	}
	total := 0.0
	for _, s := range sums {
		total += float64(s)
	}
	return total / float64(t.question.Count.Measure.Total())
}

// described says what is true of the part.
func (t *truePart) described() JointPart {
	c := t.question.Count
	part := JointPart{Question: t.question.Ledger.Text, Rows: spreadOf(t.sums, t.rowsOf)}
	m := c.Measure
	if m == nil {
		return part
	}
	withRows := slices.DeleteFunc(slices.Clone(t.sums), func(sums []int64) bool { return t.rowsOf(sums) == 0 })
	n := &Number{
		Text: c.MeasureText(), Least: query.Decimal(m.Least), Greatest: query.Decimal(m.Greatest()), Dropped: m.DropOutside,
		Averages: spreadOf(withRows, func(sums []int64) float64 { return momentsOf(m, sums).average() }),
	}
	if m.Degree == 2 {
		deviations := spreadOf(withRows, func(sums []int64) float64 { return momentsOf(m, sums).deviation() })
		n.Deviations = &deviations
	}
	if all := max(t.kept, t.other); all > 0 {
		n.Beyond = math.Abs(t.kept-t.other) / all
	}
	if t.bounded && t.unbounded > 0 {
		left := 1 - t.kept/t.unbounded
		n.LeftOut = &left
	}
	part.Number = n
	return part
}

// error bounds the errors of the part, of which q is the same one under some mechanism.
func (t *truePart) error(q *noisy.Question) PartError {
	m := q.Count.Measure
	if m == nil {
		return PartError{Count: q.Mechanism.HalfWidth95()}
	}
	e := q.SumError()
	width, _ := new(big.Rat).Sub(m.Greatest(), m.Least).Float64()
	of := PartError{Grid: e.Grid, Rounded: e.Rounded}
	of.Sum, _ = e.Sum.Float64()
	within, _ := e.Average.Float64()
	average := spreadOf(t.sums, func(sums []int64) float64 { return min(width, within/max(1, t.rowsOf(sums))) })
	of.Average = &average
	if m.Degree == 2 {
		sums, _ := q.Mechanism.SumsWithin95(1, m.Degree+1)
		if cell := t.medianDeviation(); cell != nil {
			d := min(width, momentsOf(t.question.Count.Measure, cell).deviationWithin(float64(sums)/float64(m.Total())))
			of.Deviation = &d
		}
	}
	return of
}

// medianDeviation are the sums of the cell with the median deviation; nil if no cell has one.
func (t *truePart) medianDeviation() []int64 {
	m := t.question.Count.Measure
	deviation := func(sums []int64) float64 { return momentsOf(m, sums).deviation() }
	some := slices.DeleteFunc(slices.Clone(t.sums), func(sums []int64) bool { return t.rowsOf(sums) == 0 || deviation(sums) == 0 })
	if len(some) == 0 {
		return nil
	}
	slices.SortFunc(some, func(a, b []int64) int { return cmp.Compare(deviation(a), deviation(b)) })
	return some[len(some)/2]
}

// moments are the number of rows, and the sums of Y and of its square, where Y = (X/D) lies between 0 and 1 and is the number's place in its range,
// which is as wide as width.
type moments struct {
	rows, sum, squares float64
	least, width       float64
}

func momentsOf(m *query.Measure, sums []int64) moments {
	total := float64(m.Total())
	of := moments{}
	for i, s := range sums {
		share := float64(i) / float64(m.Degree)
		of.rows += float64(s) / total
		of.sum += share * float64(s) / total
	}
	of.squares = float64(sums[len(sums)-1]) / total
	of.least, _ = m.Least.Float64()
	greatest, _ := m.Greatest().Float64()
	of.width = greatest - of.least
	return of
}

func (m moments) average() float64 { return m.least + m.width*m.sum/m.rows }

// deviation is that of the rows as a population.
func (m moments) deviation() float64 {
	return m.width * math.Sqrt(max(0, m.squares/m.rows-m.sum/m.rows*m.sum/m.rows))
}

// deviationWithin bounds the error of a deviation to first order, if each of the three sums P_i/D^2 is within e. With V = squares/rows - (sum/rows)^2, its
// derivative by P_i/D^2 is that of squares, which is 1 for i = 2, over rows, less (squares/rows)/rows, less 2 (sum/rows) (i/2 - sum/rows)/rows;
// that of the deviation is 1/(2 deviation) of it.
func (m moments) deviationWithin(e float64) float64 {
	mean, square := m.sum/m.rows, m.squares/m.rows
	slope := 0.0
	for i, ofSquares := range []float64{0, 0, 1} {
		slope += math.Abs(ofSquares-square-2*mean*(float64(i)/2-mean)) / m.rows
	}
	return m.width * e * slope / (2 * math.Sqrt(square-mean*mean))
}

// spreadOf is the spread of what a function is of cells.
func spreadOf(sums [][]int64, f func(sums []int64) float64) (s Spread) {
	if len(sums) == 0 {
		return s
	}
	figures := make([]float64, len(sums))
	for i, cell := range sums {
		figures[i] = f(cell)
	}
	slices.Sort(figures)
	return Spread{figures[0], figures[len(figures)/2], figures[len(figures)-1]}
}
