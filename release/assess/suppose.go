package assess

import (
	"context"
	"fmt"
	"math"
	"strings"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/release/internal/live"
	"tacit/rewrite/query"
)

// This file compares mechanisms on cells that nobody counted: how many are in each is supposed by a steward, or was released before. No row is read
// and no server is asked, so that whoever may know the policy may see the figures. Start at Suppose.

// A Supposition is a question with counts that a steward supposes.
type Supposition struct {
	// Table is a protected table that is not audited. Required.
	Table *policy.Table
	// Keys are what the cells are by. None: one cell.
	Keys []SupposedKey
	// Cells has the labels of each cell. Default: all combinations of the keys' labels, that of the last key changing first.
	Cells [][]string
	// Counts has a number for each cell. Required, none below 0.
	Counts []int64
	// ByPersons says that persons are counted, and not rows.
	ByPersons bool
}

// A SupposedKey is a key with the values that it has.
type SupposedKey struct {
	Name   string
	Labels []string
	// Declared says that the policy declares the values, so that all cells are shown. Otherwise a threshold decides about those that have rows.
	Declared bool
}

// MostSupposedCells bounds the cells of a supposition.
const MostSupposedCells = 5000

// SupposedCounts divides a number of rows among cells: alike, or with the i-th largest cell having a share in proportion to 1/i.
func SupposedCounts(rows int64, cellCount int, skewed bool) []int64 {
	counts := make([]int64, cellCount)
	whole := 0.0
	share := func(i int) float64 {
		if skewed {
			return 1 / float64(i+1)
		}
		return 1
	}
	for i := range counts {
		whole += share(i)
	}
	// What is divided up to here is rounded, so that the parts add up.
	upTo, before := 0.0, int64(0)
	for i := range counts {
		upTo += share(i)
		now := min(rows, int64(math.Round(float64(rows)*upTo/whole)))
		counts[i], before = max(0, now-before), max(now, before)
	}
	return counts
}

// check says what is wrong with a supposition.
func (s *Supposition) check() error {
	cellCount := 1
	for _, k := range s.Keys {
		if s.Cells != nil {
			break
		}
		if len(k.Labels) == 0 {
			return requestErrorf("the key %s has no values", k.Name)
		}
		if cellCount *= len(k.Labels); cellCount > MostSupposedCells {
			return requestErrorf("these keys have more than %d cells; take coarser ones", MostSupposedCells)
		}
	}
	if s.Cells != nil {
		cellCount = len(s.Cells)
	}
	if len(s.Counts) != cellCount {
		return requestErrorf("there are %d counts for %d cells", len(s.Counts), cellCount)
	}
	for _, n := range s.Counts {
		if n < 0 || n > 1e12 {
			return requestErrorf("a count of %d is supposed; write one from 0 to 1e12", n)
		}
	}
	if s.Table.Mechanism.Kind == policy.Audit {
		return errAssessAudited(s.Table)
	}
	return nil
}

// labels are those of a cell.
func (s *Supposition) labels(cell int) []string {
	if s.Cells != nil {
		return s.Cells[cell]
	}
	labels := make([]string, len(s.Keys))
	for k := len(s.Keys) - 1; k >= 0; k-- {
		n := len(s.Keys[k].Labels)
		labels[k], cell = s.Keys[k].Labels[cell%n], cell/n
	}
	return labels
}

// byThreshold reports whether a threshold decides which cells are shown.
func (s *Supposition) byThreshold() bool {
	for _, k := range s.Keys {
		if !k.Declared {
			return true
		}
	}
	return false
}

func (s *Supposition) bound() *query.BoundQuery {
	q := &query.BoundQuery{Table: &query.Table{Policy: s.Table}}
	for _, k := range s.Keys {
		q.Keys = append(q.Keys, &query.Column{Name: k.Name})
	}
	return q
}

// question says what is counted, in words that are no statement's.
func (s *Supposition) question() string {
	what := "rows"
	if s.ByPersons || s.Table.Person == nil {
		what = "persons"
	}
	text := fmt.Sprintf("%s of %v", what, s.Table.Name)
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	if len(names) > 0 {
		text += " by " + strings.Join(names, ", ")
	}
	return text + ", with supposed counts"
}

// sensitivities are those of the counts, and of the persons that a threshold decides by.
func (s *Supposition) sensitivities() (counts, selection live.Sensitivity) {
	groups, rows := 1, 1
	if p := s.Table.Person; p != nil {
		rows = p.Rows
		if len(s.Keys) > 0 {
			groups = p.Groups
		}
	}
	selection = live.Sensitivity{Cells: groups, PerCell: 1}
	if s.ByPersons || s.Table.Person == nil {
		return selection, selection
	}
	return live.Sensitivity{Cells: rows, PerCell: rows}, selection
}

// Suppose compares mechanisms on supposed counts, by the code of Assess. What bounds of a person leave out is not in it.
func Suppose(ctx context.Context, s Supposition, request Request) (*Assessment, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	w := &assessing{query: s.bound(), request: request.withDefaults(s.Table.Mechanism)}
	all, trueOf := s.cells()
	t := &target{query: w.query}
	switch last := len(s.Keys) - 1; {
	case last < 0:
		t.None = "the question has no key, by which persons could be found"
	case last == 0:
		t.None = "the question has one key, and an attacker needs another, which she knows of a person"
	default:
		t.key, t.Default, t.Sensitive = last, true, s.Keys[last].Name
		for _, k := range s.Keys[:last] {
			t.Quasi = append(t.Quasi, k.Name)
		}
	}
	trueOf.attack = t.on(all, trueOf)
	question := describeCounts(trueOf.Counts)
	question.Question, question.Declared, question.Threshold = s.question(), !trueOf.byThreshold, trueOf.byThreshold
	question.Counted, question.Attack = countedBy(trueOf.sensitivity), trueOf.attack.Attack
	var err error
	if question.Mechanisms, err = w.compare(ctx, trueOf); err != nil {
		return nil, err
	}
	if request.Curves {
		if question.Curves, err = w.curves(ctx, trueOf); err != nil {
			return nil, err
		}
	}
	return &Assessment{Supposed: true, Table: s.Table.Name, Adjacency: s.Table.Adjacency, Own: s.Table.Mechanism, Questions: []Question{question}}, nil
}

// cells are those of a supposition, as an assessment has them: where a threshold decides, those alone that have rows.
func (s *Supposition) cells() (*assessedCells, *trueCells) {
	all := &assessedCells{keys: make([][]query.Value, len(s.Keys)), counts: make([][]int64, 1), byThreshold: s.byThreshold()}
	for i, n := range s.Counts {
		if all.byThreshold && n == 0 {
			continue
		}
		values := make([]query.Value, len(s.Keys))
		for k, label := range s.labels(i) {
			values[k] = query.Value{Text: label}
		}
		all.add(values, []int64{n})
	}
	block := make([]int, len(all.counts[0]))
	for i := range block {
		block[i] = i
	}
	counts, selection := s.sensitivities()
	c := newTrueCells(all.counts[0], [][]int{block}, counts)
	if all.byThreshold {
		c.byThreshold, c.selects, c.persons, c.bySelection = true, counts == selection, c.Counts, selection
	}
	return all, c
}

// A Drawn is a table as an analyst would see it if the counts were the supposed ones: noise is drawn anew, and nobody is charged.
type Drawn struct {
	Cells []DrawnCell
	// HalfWidth95 bounds the noise of a count with probability 0.95.
	HalfWidth95 int64
	// Threshold is the least count of persons with which a key is shown; 0 if none decides.
	Threshold int64
	// Lost is the expected number of the cells that are withheld or not shown.
	Lost float64
	Loss string
}

// A DrawnCell is a cell with what was supposed of it, and what was drawn.
type DrawnCell struct {
	Labels          []string
	Supposed, Shown int64
	// Withheld says that it is suppressed, and Absent that a threshold does not show it.
	Withheld, Absent bool
	// Low and High are the interval that EXPLAIN promises; Bounded is false if there is none.
	Low, High int64
	Bounded   bool
	// Lost is the probability that the cell is withheld, or not shown.
	Lost float64
}

// Draw releases supposed counts under a mechanism, and says how.
func Draw(s Supposition, m policy.Mechanism) (*Drawn, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	t := *s.Table
	t.Mechanism = m
	t.Mechanism.FitTotals = false
	_, c := s.cells()
	made, err := c.makeFor(&t)
	if err != nil {
		return nil, &RequestError{err.Error()}
	}
	d := &Drawn{HalfWidth95: made.counts.HalfWidth95(), Loss: made.counts.Loss().String()}
	if made.selection != nil {
		d.Threshold = made.selection.Threshold()
	}
	shown, err := made.counts.Sanitize(c.Histogram)
	if err != nil {
		return nil, err
	}
	expected := c.expect(made)
	at := 0
	for i, n := range s.Counts {
		if c.byThreshold && n == 0 {
			continue
		}
		cell := DrawnCell{Labels: s.labels(i), Supposed: n, Shown: shown.Counts[at], Lost: expected[at].Suppressed}
		cell.Withheld = shown.Suppressed != nil && shown.Suppressed[at]
		if made.selection != nil {
			if err := cell.pass(made, c); err != nil {
				return nil, err
			}
		}
		if interval, ok := made.counts.Interval95(cell.Shown, cell.Withheld); ok && !cell.Absent {
			cell.Low, cell.High, cell.Bounded = interval.Low, interval.High, true
		}
		d.Lost += cell.Lost
		d.Cells = append(d.Cells, cell)
		at++
	}
	return d, nil
}

// pass has a threshold decide about a cell, and show it where the threshold is of its own count.
func (cell *DrawnCell) pass(made madeMechanisms, c *trueCells) error {
	n, ok, err := made.selection.Select(cell.Supposed)
	if err != nil {
		return err
	}
	if c.selects {
		cell.Shown = n
	}
	if !ok {
		cell.Absent, cell.Shown = true, 0
	}
	survival, known := made.selection.SelectionSurvival()
	if known {
		cell.Lost = 1 - survival.Survives(cell.Supposed)
	}
	return nil
}

// LeftOutOf is the share of rows that a bound on the rows of a person leaves out, if persons have so many on average and the number is geometric: a
// person with a row has another one with the same probability, however many there are. With mean m it is (1-1/m)^bound.
func LeftOutOf(mean float64, bound int) float64 {
	if !(mean > 1) {
		return 0
	}
	return math.Pow(1-1/mean, float64(bound))
}

// mostReleasedKeys bounds the keys of a recorded answer that a supposition is made of.
const mostReleasedKeys = 8

// ReleasedCells reads a recorded answer for a supposition: the labels of its cells and its counts, those below 0 or withheld taken as 0. It has the noise
// with which it was shown, and nothing else of the rows.
func ReleasedCells(ctx context.Context, l *ledger.Reader, release int64) (labels [][]string, counts []int64, err error) {
	payload, err := l.Payload(ctx, release)
	if err != nil {
		return nil, nil, err
	}
	for keys := range mostReleasedKeys + 1 {
		r, err := cells.DecodeRelease(&accountant.Release{ID: release, Payload: payload}, keys, 1)
		if err != nil || r.Values != nil || r.Stored != nil {
			continue
		}
		if len(r.Counts) > MostSupposedCells {
			return nil, nil, requestErrorf("this answer has %d cells, and at most %d are taken", len(r.Counts), MostSupposedCells)
		}
		for i, n := range r.Counts {
			cell := make([]string, keys)
			for k, column := range r.Keys {
				if cell[k] = column[i].Text; column[i].Null {
					cell[k] = "NULL"
				}
			}
			labels, counts = append(labels, cell), append(counts, max(0, n))
		}
		return labels, counts, nil
	}
	return nil, nil, requestErrorf("answer %d has no counts of cells", release)
}
