package marginals

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"sync"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/mechanisms/residual"
	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite"
	"tacit/rewrite/query"
)

// A Workload is what is measured together of one table, as it is now. Its methods may be called concurrently.
type Workload struct {
	// Query counts the rows of each cell of the full table, of all columns of the workload.
	Query *query.BoundQuery
	// Question is under what a measurement is charged, recorded and found again. Its key tells by what it is made: another workload, other declared
	// values and another loss are other questions.
	Question accountant.Question
	// Loss and Term are those of one measurement.
	Loss accountant.Loss
	Term composition.Term

	shape     *query.Shape
	columns   []column
	written   map[string]int // the place of each column, as the policy writes it
	marginals [][]int        // places of columns, rising
	fit       bool           // what follows is fitted so that no count is below 0, which is no part of the question
	joint     string         // the mechanism of the counts that are measured jointly; "" of a workload of the policy

	mu        sync.Mutex // protects what follows
	mechanism *residual.Mechanism
	failed    bool
}

// A column is a key of the full table with its declared values, NULL included.
type column struct {
	name   string
	values []query.Value
	// others says that rows with other values are in one more cell, the last, so that they count in what other columns tell.
	others bool
}

// size is how many cells the column alone has.
func (c column) size() int {
	if c.others {
		return len(c.values) + 1
	}
	return len(c.values)
}

// Kind is the mechanism of a measurement, as it is told and recorded.
const Kind = "workload by " + string(policy.DiscreteGaussian)

// maxNumbers bounds what is recorded of one measurement.
const maxNumbers = 1 << 21

// New is the workload of a table that has one. An error says why nothing can be measured: it is for the steward.
func New(catalog *rewrite.Catalog, limits policy.Limits, t *policy.Table, random io.Reader) (*Workload, error) {
	w := &Workload{Loss: accountant.Loss{Epsilon: t.Workload.Epsilon, Delta: t.Workload.Delta}}
	if err := w.bind(catalog, limits, t); err != nil {
		return nil, fmt.Errorf("the workload of %v: %w", t.Name, err)
	}
	if err := w.calibrate(t, limits, random); err != nil {
		return nil, fmt.Errorf("the workload of %v: %w", t.Name, err)
	}
	w.identify(t)
	return w, nil
}

// bind makes the query that counts, and finds the values of its keys.
func (w *Workload) bind(catalog *rewrite.Catalog, limits policy.Limits, t *policy.Table) error {
	var names []string
	for _, m := range t.Workload.Marginals {
		for _, c := range m.Columns {
			if !slices.Contains(names, c) {
				names = append(names, c)
			}
		}
	}
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	spelled := make(map[string]policy.Computed)
	for _, c := range t.Workload.Computed {
		text, err := checkComputed(catalog, limits, t, c)
		if first, twice := spelled[text]; err == nil && twice {
			err = fmt.Errorf("it is the expression of line %d, %s; write it in one way", first.Line, first.Text)
		}
		if err != nil {
			return fmt.Errorf("line %d, %s: %w", c.Line, c.Text, err)
		}
		spelled[text] = c
		keys[slices.Index(names, c.Text)] = c.Text
	}
	q, err := rewrite.CountBy(catalog, limits, t.Name, keys)
	if err != nil {
		return err
	}
	w.Query = q
	w.shape, _ = q.CountShape(q.Counts[0])
	for _, k := range q.Keys {
		values := k.DeclaredValues()
		if !k.Stored() {
			values = slices.Clone(catalog.Computed[t.Name][k.Text()].Values)
			slices.SortFunc(values, func(a, b query.Value) int { return cells.CompareValues(k.TypeOID, a, b) })
		}
		if k.Stored() && k.Domain == nil || len(values) == 0 {
			return fmt.Errorf("the values of %s are not known without its rows; declare them", k.Text())
		}
		w.columns = append(w.columns, column{name: nameOf(k), values: values})
	}
	w.written = make(map[string]int, len(names))
	for i, place := range q.KeyOrder() {
		w.written[names[i]] = place
	}
	return nil
}

// nameOf is the name of a stored column, and the canonical text of one that is computed.
func nameOf(k *query.Column) string {
	if k.Stored() {
		return k.Name
	}
	return k.Text()
}

// checkComputed says what is wrong with an expression by itself, or its canonical text.
func checkComputed(catalog *rewrite.Catalog, limits policy.Limits, t *policy.Table, c policy.Computed) (text string, err error) {
	q, err := rewrite.CountBy(catalog, limits, t.Name, []string{c.Text})
	if err != nil {
		return "", err
	}
	for _, input := range q.Keys[0].Inputs() {
		i := slices.IndexFunc(t.Columns, func(c policy.Column) bool { return c.Name == input.Name })
		if i >= 0 && t.Columns[i].Domain.Range != nil && t.Columns[i].Domain.Range.Today {
			return "", fmt.Errorf("the values of column %q are others every day, and so would be the workload", input.Name)
		}
	}
	if q.Keys[0].Stored() {
		return "", errors.New("it is a column; write its name alone")
	}
	text = q.Keys[0].Text()
	if why := catalog.Computed[t.Name][text].Unknown; why != "" {
		return "", errors.New(why)
	}
	return text, nil
}

// calibrate finds the strategy and the noise.
func (w *Workload) calibrate(t *policy.Table, limits policy.Limits, random io.Reader) error {
	sizes := make([]int, len(w.columns))
	for i, c := range w.columns {
		if sizes[i] = len(c.values); sizes[i] == 0 {
			return fmt.Errorf("column %q has no declared values", c.name)
		}
	}
	wanted, ranges := make([]residual.Marginal, len(t.Workload.Marginals)), make([][]int, len(t.Workload.Marginals))
	numbers, fitted := 0.0, 0.0
	w.fit = t.Workload.Nonnegative
	for i, m := range t.Workload.Marginals {
		places := w.places(m.Columns)
		cells, all := 1.0, 1.0
		for _, p := range places {
			cells, all = cells*float64(sizes[p]), all*float64(sizes[p]+1)
		}
		if cells > float64(limits.Cells) {
			return fmt.Errorf("the marginal of (%s) has %.0f cells, more than limits.cells, %d", strings.Join(m.Columns, ", "), cells, limits.Cells)
		}
		if numbers += all; numbers > maxNumbers {
			return fmt.Errorf("its marginals have more than %d cells together, with those of their totals", maxNumbers)
		}
		if fitted += cells; w.fit && fitted > residual.MostFitted {
			return fmt.Errorf("its marginals have more than %d cells together, which are too many to fit them; write negative: mechanism under workload", residual.MostFitted)
		}
		wanted[i] = residual.Marginal{Columns: places, Weight: float64(m.Weight) / policy.WeightOne}
		w.marginals = append(w.marginals, places)
		ranges[i] = w.places(m.Ranges)
		for _, p := range ranges[i] {
			if sizes[p] > residual.MostRanged {
				return fmt.Errorf("column %q is asked in ranges, and has %d values; ranges are of at most %d", w.columns[p].name, sizes[p], residual.MostRanged)
			}
		}
	}
	made, err := residual.NewRangeWorkload(sizes, wanted, ranges)
	if err != nil {
		return err
	}
	strategy := made.LeastTotal()
	if t.Workload.Greatest {
		if strategy, _, err = made.LeastGreatest(); err != nil {
			return err
		}
	}
	rho := composition.RhoWithin(w.Loss.Epsilon, w.Loss.Delta)
	w.mechanism, err = strategy.Mechanism(residual.Config{Rho: new(big.Rat).SetFloat64(rho), Adjacency: t.Adjacency, Random: random})
	if err != nil {
		return err
	}
	w.Term = w.mechanism.Term()
	return nil
}

// places are those of columns, rising.
func (w *Workload) places(names []string) []int {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = w.written[name]
	}
	slices.Sort(places)
	return places
}

// identify names what is measured.
func (w *Workload) identify(t *policy.Table) {
	shape, _ := w.shape.Text()
	var texts []string
	var values strings.Builder
	h := sha256.New()
	fmt.Fprintf(h, "workload 1 of %q\nshape %q\nloss %d %d\ngreatest %t\nadjacency %q\n",
		t.Name.String(), shape, w.Loss.Epsilon, w.Loss.Delta, t.Workload.Greatest, t.Adjacency)
	for _, c := range w.columns {
		fmt.Fprintf(h, "column %q values %q\n", c.name, cells.CellKey(&values, c.values))
	}
	for i, m := range t.Workload.Marginals {
		fmt.Fprintf(h, "marginal %v weight %d\n", w.marginals[i], m.Weight)
		if len(m.Ranges) > 0 {
			fmt.Fprintf(h, "ranges %v\n", w.places(m.Ranges))
		}
		texts = append(texts, "("+strings.Join(namesOf(m), ", ")+")")
	}
	if others := len(texts) - mostNamed; others > 0 {
		texts = append(texts[:mostNamed], fmt.Sprintf("and %d others", others))
	}
	w.Question = accountant.Question{Table: t.Name, Text: fmt.Sprintf("the workload of %v: %s", t.Name, strings.Join(texts, ", "))}
	h.Sum(w.Question.Key[:0])
}

// namesOf are the columns of a marginal, with what is asked of them.
func namesOf(m policy.Marginal) []string {
	names := slices.Clone(m.Columns)
	for i, name := range names {
		if slices.Contains(m.Ranges, name) {
			names[i] += " in ranges"
		}
	}
	return names
}

// mostNamed are as many marginals as a question names.
const mostNamed = 20

// Measure counts, and returns what is to be recorded. count hands over the number of rows of each cell of Query that has any.
func (w *Workload) Measure(ctx context.Context, count func(ctx context.Context, group func([]query.Value, []int64) error) error) ([]byte, error) {
	tables, add := w.tables()
	if err := count(ctx, add); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	m, err := w.mechanism.Measure(tables)
	if err != nil {
		return nil, err
	}
	return w.encode(m)
}

// tables are those of the marginals, and add counts the rows of a cell of Query in each of them. A row with a value that is not declared is in no cell of
// any marginal, unless its column has a cell for others. So each row is in one cell of the full table or in none, as residual.Mechanism wants it.
func (w *Workload) tables() (tables [][]int64, add func(group []query.Value, n []int64) error) {
	index := make([]map[query.Value]int, len(w.columns))
	for i, c := range w.columns {
		index[i] = make(map[query.Value]int, len(c.values))
		for j, v := range c.values {
			index[i][v] = j
		}
	}
	tables = make([][]int64, len(w.marginals))
	for k, places := range w.marginals {
		tables[k] = make([]int64, w.cellCount(places))
	}
	at := make([]int, len(w.columns))
	return tables, func(group []query.Value, n []int64) error {
		for i, v := range group {
			var declared bool
			if at[i], declared = index[i][v]; !declared && !w.columns[i].others {
				return nil
			} else if !declared {
				at[i] = len(w.columns[i].values)
			}
		}
		for k, places := range w.marginals {
			cell := 0
			for _, p := range places {
				cell = cell*w.columns[p].size() + at[p]
			}
			tables[k][cell] += n[0]
		}
		return nil
	}
}

// Fail notes that a measurement which was charged came to nothing.
func (w *Workload) Fail() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = true
}

// Failed reports whether a measurement came to nothing, which would be charged again.
func (w *Workload) Failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

func (w *Workload) cellCount(places []int) int { return cellCount(w.columns, places) }

func cellCount(columns []column, places []int) int {
	n := 1
	for _, p := range places {
		n *= columns[p].size()
	}
	return n
}

// finerCells are the cells of declared values of the table over some columns, in row-major order, with counts that nobody looks at. whole are their places among all
// cells of that table; nil if these are all.
func finerCells(columns []column, places []int) (r *cells.Released, whole []int) {
	n, others := 1, false
	for _, p := range places {
		n, others = n*len(columns[p].values), others || columns[p].others
	}
	r = &cells.Released{Keys: make([][]query.Value, len(places)), Counts: make([]int64, n)}
	if others {
		whole = make([]int, n)
	}
	repeat := n
	for i, p := range places {
		values := columns[p].values
		repeat /= max(1, len(values))
		r.Keys[i] = make([]query.Value, n)
		for cell := range n {
			value := cell / repeat % len(values)
			r.Keys[i][cell] = values[value]
			if others {
				whole[cell] = whole[cell]*columns[p].size() + value
			}
		}
	}
	return r, whole
}
