package attack

import (
	"cmp"
	"fmt"
	"slices"
)

// Hidden is the value of a cell that is not shown.
const Hidden = -1

// A Shown is what a [Rule] has published: the sums of rows and columns, and the cells, row by row, some of them Hidden.
type Shown struct{ Rows, Columns, Cells []int }

// Figure1 is the maximally suppressed table of the paper's figure 1. Rows are blue eyes and others; columns are blonde, brown and black hair.
func Figure1() (Rule, Shown) {
	h := Hidden
	return Rule{Rows: 2, Columns: 3, Threshold: 5, Secondary: true}, Shown{[]int{110, 105}, []int{55, 105, 55}, []int{h, h, h, h, h, h}}
}

// A Prior has the probability of each value of each cell before anything is shown; cells are independent. Values that are not there have
// probability 0. nil: all tables are equally likely.
type Prior [][]float64

func (p Prior) validate() error {
	for i, law := range p {
		for v, q := range law {
			if !(q >= 0 && q <= 1) {
				return fmt.Errorf("%w: cell %d is %d with probability %v", ErrMalformed, i+1, v, q)
			}
		}
	}
	return nil
}

func (p Prior) of(table []int) float64 {
	if p == nil {
		return 1
	}
	q := 1.0
	for i, v := range table {
		if v >= len(p[i]) {
			return 0
		}
		q *= p[i][v]
	}
	return q
}

// An Inference is what follows of a shown table, over all tables that it may be and that have a positive probability.
type Inference struct {
	Tables    int
	Likeliest []int
	Cells     []Belief  // row by row
	Findings  []Finding // the likeliest first
}

// A Belief is the exact range of a cell, and its probabilities.
type Belief struct {
	Low, High int
	// law has the probabilities of least, least+1, ...
	least int
	law   []float64
}

// Probability is that of a value.
func (b Belief) Probability(v int) float64 {
	if v < b.least || v-b.least >= len(b.law) {
		return 0
	}
	return b.law[v-b.least]
}

// Mean is the expected value; over the number of people in the cell, it is the probability of each to have the attribute, if they were
// equally likely to before.
func (b Belief) Mean() float64 {
	mean := 0.0
	for v := b.Low; v <= b.High; v++ {
		mean += float64(v) * b.Probability(v)
	}
	return mean
}

// A Finding is what the attacker believes of one set of sensitive cells.
type Finding struct {
	Sensitive   Hiding
	Tables      int
	Probability float64
}

// maxTables is how many tables are gone through: some seconds' worth.
const maxTables = 20_000_000

// Infer goes through all tables that would be shown like that. Without the rule, any may be the true one. With it, only those are left of which the
// rule may hide just the cells that are hidden, each with the probability that it does.
//
// Ranges are exact. Probabilities are sums of positive terms in floating point, with relative errors of about 1e-15 for each factor.
func (r Rule) Infer(shown Shown, prior Prior) (without, with Inference, err error) {
	hidden, err := r.admits(shown, prior)
	if err != nil {
		return without, with, err
	}
	type kind struct{ sensitive, positive Hiding }
	likelihoods := map[kind]float64{}
	a, b := newTally(shown), newTally(shown)
	walk := walk{shown: shown, columns: len(shown.Columns), left: maxTables, table: make([]int, r.cells()),
		rows: slices.Clone(shown.Rows), sums: slices.Clone(shown.Columns)}
	walk.visit = func(table []int) {
		k := kind{r.Sensitive(table), positive(table)}
		likelihood, known := likelihoods[k]
		if !known {
			likelihood = r.likelihood(hidden, k.sensitive, k.positive)
			likelihoods[k] = likelihood
		}
		p := prior.of(table)
		a.add(table, k.sensitive, p)
		b.add(table, k.sensitive, p*likelihood)
	}
	if !walk.from(0) {
		return without, with, fmt.Errorf("%w: more than %d tables have these numbers", ErrTooLarge, maxTables)
	}
	if a.total == 0 {
		return without, with, ErrInconsistent
	}
	if b.total == 0 {
		return without, with, fmt.Errorf("%w: of no table the rule hides these cells", ErrInconsistent)
	}
	return a.inference(), b.inference(), nil
}

// admits checks that a table may be one of the rule's, and returns its hidden cells.
func (r Rule) admits(shown Shown, prior Prior) (Hiding, error) {
	if err := r.validate(); err != nil {
		return 0, err
	}
	if len(shown.Rows) != r.Rows || len(shown.Columns) != r.Columns || len(shown.Cells) != r.cells() || prior != nil && len(prior) != r.cells() {
		return 0, fmt.Errorf("%w: the rule is for %d by %d cells", ErrMalformed, r.Rows, r.Columns)
	}
	if err := prior.validate(); err != nil {
		return 0, err
	}
	if err := shown.validate(); err != nil {
		return 0, err
	}
	rows, columns := total(shown.Rows), total(shown.Columns)
	if rows != columns {
		return 0, fmt.Errorf("%w: the rows sum up to %d and the columns to %d", ErrInconsistent, rows, columns)
	}
	var hidden Hiding
	for i, v := range shown.Cells {
		if v == Hidden {
			hidden |= 1 << i
		}
	}
	return hidden, nil
}

func total(numbers []int) int {
	sum := 0
	for _, v := range numbers {
		sum += v
	}
	return sum
}

// validate keeps sums of numbers within int64, and the values that hidden cells may have within memory.
func (s Shown) validate() error {
	for _, v := range slices.Concat(s.Rows, s.Columns, s.Cells) {
		switch {
		case v < 0 && v != Hidden:
			return fmt.Errorf("%w: a number is %d; counts are not negative", ErrMalformed, v)
		case int64(v) > maxNumber:
			return fmt.Errorf("%w: %d is more than 2^40; divide all numbers by a common unit", ErrMalformed, v)
		}
	}
	if slices.Contains(s.Rows, Hidden) || slices.Contains(s.Columns, Hidden) {
		return fmt.Errorf("%w: the sum of a row or a column is hidden; the rule shows all", ErrMalformed)
	}
	values := 0
	for i := range s.Cells {
		least, most := s.reach(i)
		if values += most - least; values > maxTables {
			return fmt.Errorf("%w: hidden cells may have more than %d values", ErrTooLarge, maxTables)
		}
	}
	return nil
}

// reach is between what a cell is, as far as its row and its column tell.
func (s Shown) reach(i int) (least, most int) {
	if v := s.Cells[i]; v != Hidden {
		return v, v
	}
	row, column := i/len(s.Columns), i%len(s.Columns)
	left, below := s.Rows[row], s.Columns[column]
	for other, v := range s.Cells {
		if v == Hidden {
			continue
		}
		if other/len(s.Columns) == row {
			left -= v
		}
		if other%len(s.Columns) == column {
			below -= v
		}
	}
	return 0, max(0, min(left, below))
}

// likelihood is the probability that the rule hides just some cells of a table.
func (r Rule) likelihood(hidden, sensitive, positive Hiding) float64 {
	if hidden&sensitive != sensitive || (hidden == 0) != (sensitive == 0) || !r.Secondary && hidden != sensitive {
		return 0
	}
	sets := r.hide(sensitive, positive)
	if !slices.Contains(sets, hidden) {
		return 0
	}
	return 1 / float64(len(sets))
}

// A walk goes through the tables with shown sums and cells.
type walk struct {
	shown      Shown
	columns    int
	table      []int
	rows, sums []int // what is left of each row and column
	left       int   // tables and dead ends that may still be met
	visit      func(table []int)
}

// from fills the cells from the i-th in all ways. It says whether it went through all.
func (w *walk) from(i int) bool {
	if i == len(w.table) {
		w.left--
		w.visit(w.table)
		return w.left >= 0
	}
	row, column := i/w.columns, i%w.columns
	low, high := w.reach(i, row, column)
	if low > high {
		w.left--
	}
	for v := low; v <= high && w.left >= 0; v++ {
		w.table[i] = v
		w.rows[row] -= v
		w.sums[column] -= v
		w.from(i + 1)
		w.rows[row] += v
		w.sums[column] += v
	}
	return w.left >= 0
}

// reach is what a cell may be, given the cells before it.
func (w *walk) reach(i, row, column int) (low, high int) {
	low, high = 0, min(w.rows[row], w.sums[column])
	if column == w.columns-1 {
		low = max(low, w.rows[row])
	}
	if row == len(w.rows)-1 {
		low = max(low, w.sums[column])
	}
	if v := w.shown.Cells[i]; v != Hidden {
		low, high = max(low, v), min(high, v)
	}
	return low, high
}

// A tally adds tables up.
type tally struct {
	inferred Inference
	most     float64 // of the likeliest table
	total    float64
	findings map[Hiding]*Finding
}

func newTally(shown Shown) *tally {
	t := &tally{findings: map[Hiding]*Finding{}, inferred: Inference{Cells: make([]Belief, len(shown.Cells))}}
	for i := range t.inferred.Cells {
		least, most := shown.reach(i)
		t.inferred.Cells[i].least, t.inferred.Cells[i].law = least, make([]float64, most-least+1)
	}
	return t
}

func (t *tally) add(table []int, sensitive Hiding, p float64) {
	if p == 0 {
		return
	}
	for i, v := range table {
		b := &t.inferred.Cells[i]
		if b.law[v-b.least] += p; t.inferred.Tables == 0 {
			b.Low, b.High = v, v
		}
		b.Low, b.High = min(b.Low, v), max(b.High, v)
	}
	t.inferred.Tables++
	if t.total += p; p > t.most {
		t.most, t.inferred.Likeliest = p, slices.Clone(table)
	}
	f := t.findings[sensitive]
	if f == nil {
		f = &Finding{Sensitive: sensitive}
		t.findings[sensitive] = f
	}
	f.Tables++
	f.Probability += p
}

func (t *tally) inference() Inference {
	for _, b := range t.inferred.Cells {
		for v := range b.law {
			b.law[v] /= t.total
		}
	}
	for _, f := range t.findings {
		f.Probability /= t.total
		t.inferred.Findings = append(t.inferred.Findings, *f)
	}
	slices.SortFunc(t.inferred.Findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(y.Probability, x.Probability), cmp.Compare(x.Sensitive, y.Sensitive))
	})
	return t.inferred
}
