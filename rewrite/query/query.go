package query

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A CountQuery is what is computed of a protected table for one sub-select of a statement: counts of its rows, by keys.
type CountQuery struct {
	Table *expr.Table
	// Counts are the different counts that the sub-select mentions, at least one.
	Counts []Count
	// Totals says that the sub-select has grouping sets, and adds up the cells.
	Totals bool
	// GroupingSets are the different grouping sets of the sub-select, each as the sorted indexes of its keys, in the order in which GROUP BY
	// first has them: nil if it has none, or more than maxGroupingSets.
	GroupingSets [][]int
	// ChoosesByCount says that the statement may choose or order cells by their counts. It has no part in the question.
	ChoosesByCount bool
	// Intervals are those that the statement shows of counts. They have no part in the question.
	Intervals []Interval
	// Margins are the grouping sets, without Totals, of a sub-select that wants the cells of each: those of an audited table.
	Margins []Margin

	Keys  []expr.Expression // of GROUP BY, without repetition; none for one cell of all rows
	Joins []*expr.Join
	// partner is the one among joins with a second protected table, nil if there is none.
	Partner *expr.Join
	// Lead, if not nil, makes the rows those of the persons whom it finds in the table, one for each.
	Lead  *expr.PersonValue
	Where expr.Predicate // nil: all rows
	Types map[int]pgvalue.OID
	// Beside is what the statement makes of the cells beside rows of its own; nil if the analyst wrote the query herself. It has no part in the question.
	Beside *Beside
	// WithoutCount is what is refused of a query without Counts if values of its keys are not known; nil if it has Counts.
	WithoutCount *pgerror.Refusal
	// MaxAtoms bounds what the conditions come to with the values of parameters.
	maxAtoms int
}

// A Count is a number of rows, or of persons. The zero Count counts every row of WHERE; others have a FILTER besides.
type Count struct {
	// persons counts those who have rows, where a row is not a person.
	Persons bool
	Filter  expr.Predicate
	// distinct, if not nil, is the value whose different values are counted, NULL excepted, instead of the rows.
	Distinct expr.Expression
	// Measure, if not nil, is the number whose sums are released, instead of the number of rows.
	Measure *Measure
	// measured is what the measure is of, with the values of parameters.
	measured *expr.Column
	// Ordered, if not nil, makes it no number of rows but a value that they have, see ordered.go.
	Ordered *Ordered
	// beyond is of a count of what is left out, see BeyondBounds.
	beyond beyond
	// bound is what filter is with the values of parameters: nil means every row.
	bound expr.Formula
	// distinctColumn is what distinct is with the values of parameters.
	distinctColumn *expr.Column
}

// A BoundQuery is a count query with the values of its parameters.
type BoundQuery struct {
	Table *expr.Table
	// Keys are the columns of GROUP BY, stored or computed, without repetition, sorted by their texts.
	Keys   []*expr.Column
	Counts []Count // in the order of CountQuery.Counts
	// Totals, ChoosesByCount and Intervals are those of the CountQuery.
	Totals         bool
	ChoosesByCount bool
	Intervals      []Interval
	// GroupingSets are those of the CountQuery, as indexes of Keys.
	GroupingSets [][]int
	Margins      []Margin // with indexes of Keys

	joins   []*expr.Join
	partner *expr.Join
	// lead has the rows of persons that the query is about; nil if it is about rows of the table.
	lead  *expr.Join
	Where expr.Formula
	// order tells for each key of the CountQuery which of Keys it is.
	order   []int
	Digests *DomainDigests
	// Checks are to pass on the curator's connection before anything is charged.
	Checks       []ServerCheck
	withoutCount *pgerror.Refusal
	// Beside is that of the CountQuery.
	Beside *Beside
	// cut are the keys whose groups are bounded, of a query of BeyondBounds.
	cut []*expr.Column
	// origin is from what it was bound.
	origin Origin
}

// Params are the numbers of the parameters that the query uses, in order.
func (q *CountQuery) Params() []int {
	var numbers []int
	for n := range q.Types {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

// Bind gives the parameters their values, params[0] that of $1. It refuses a value that PostgreSQL would not read as
// the parameter's type. Only the parameters that the query uses are looked at. Refusals have no position: the text that is
// executed is another than that of the query.
//
// constants are the values that [Answer.Constants] yields, as far as it is not empty.
func (q *CountQuery) Bind(params []pgvalue.Value, constants ...pgvalue.Value) (*BoundQuery, *pgerror.Refusal) {
	values := slices.Clone(params)
	for _, n := range q.Params() {
		if n > len(params) {
			return nil, &pgerror.Refusal{Code: "42P02", Message: fmt.Sprintf("there is no parameter $%d", n)}
		}
		var refusal *pgerror.Refusal
		if values[n-1], refusal = Assign(n, params[n-1], q.Types[n]); refusal != nil {
			return nil, refusal
		}
	}
	bound, refusal := q.bind(&expr.Binding{Types: q.Types, Values: values, Constants: constants, MaxAtoms: q.maxAtoms})
	if refusal != nil {
		return nil, unplaced(refusal)
	}
	bound.origin = originOf(q, values, constants)
	return bound, nil
}

// CheckAll looks at the constants of the queries of one statement, before the values of parameters are known, and at
// what their conditions come to.
func CheckAll(queries []*CountQuery) *pgerror.Refusal {
	left := expr.MaxAtoms
	for _, q := range queries {
		b := &expr.Binding{Types: q.Types, Untold: true, MaxAtoms: left}
		bound, refusal := q.bind(b)
		if refusal != nil {
			return refusal
		}
		if bound.checkListed() != nil {
			return q.WithoutCount
		}
		if refusal := bound.checkBeside(); refusal != nil {
			return refusal
		}
		q.maxAtoms = b.Atoms
		left -= b.Atoms
	}
	for _, q := range queries { // what is left is for arrays given as parameters
		q.maxAtoms += left / len(queries)
	}
	return nil
}

func (q *CountQuery) bind(b *expr.Binding) (*BoundQuery, *pgerror.Refusal) {
	bound := &BoundQuery{Table: q.Table, Where: expr.Truth(true), joins: q.Joins, partner: q.Partner, Counts: make([]Count, len(q.Counts)), Totals: q.Totals,
		ChoosesByCount: q.ChoosesByCount, Intervals: q.Intervals, withoutCount: q.WithoutCount, Beside: q.Beside, Digests: &DomainDigests{}}
	if q.Lead != nil {
		bound.lead = b.Column(q.Lead).Joined
	}
	if q.Where != nil {
		bound.Where = b.Formula(q.Where)
		b.Repeat(len(q.Counts) - 1) // in the question of each count
	}
	for i, c := range q.Counts {
		if c.Filter != nil {
			bound.Counts[i] = boundCount(b.Formula(c.Filter))
		}
		if c.Distinct != nil {
			bound.Counts[i].distinctColumn = b.Column(c.Distinct)
		}
		if c.Measure != nil {
			bound.Counts[i].Measure, bound.Counts[i].measured = c.Measure, b.Column(c.Measure.Value)
		}
		bound.Counts[i].Ordered = c.Ordered.bind(b)
		bound.Counts[i].Persons = c.Persons && !bound.oneRow()
	}
	bound.bindKeys(q.Keys, b)
	bound.endToday()
	bound.bindGroupingSets(q.GroupingSets)
	bound.bindMargins(q.Margins)
	if b.Refusal == nil {
		b.Refusal = bound.checkSources()
	}
	bound.Checks = checksOf(b)
	return bound, b.Refusal
}

func (q *BoundQuery) bindKeys(keys []expr.Expression, b *expr.Binding) {
	columns := make([]*expr.Column, len(keys))
	for i, k := range keys {
		columns[i] = b.Column(k)
		if !slices.Contains(q.Keys, columns[i]) {
			q.Keys = append(q.Keys, columns[i])
		}
	}
	slices.SortFunc(q.Keys, func(a, b *expr.Column) int { return strings.Compare(a.Text(), b.Text()) })
	for _, c := range columns {
		q.order = append(q.order, slices.Index(q.Keys, c))
	}
}

// bindGroupingSets takes over sets of keys, of which some may have become one.
func (q *BoundQuery) bindGroupingSets(sets [][]int) {
	for _, keys := range sets {
		var set KeySet
		for _, k := range keys {
			set |= 1 << q.order[k]
		}
		if list := set.List(); !slices.ContainsFunc(q.GroupingSets, func(s []int) bool { return slices.Equal(s, list) }) {
			q.GroupingSets = append(q.GroupingSets, list)
		}
	}
}

// Computed lists the stored columns that a count's condition or value is computed of, by functions and not by comparison alone: their
// declared domains have a part in what is counted, since values outside of them can count as NULL.
func (q *BoundQuery) Computed(c Count) []*expr.Column {
	used := append(expr.ColumnsOf(q.Where), expr.ColumnsOf(c.formula())...)
	if v := c.valueColumn(); v != nil {
		used = append(used, v)
	}
	if by := c.OrderedBy(); by != nil {
		used = append(used, by)
	}
	used = slices.DeleteFunc(used, func(c *expr.Column) bool { return c.Stored() })
	inputs := expr.MergeInputs(used...)
	slices.SortFunc(inputs, func(a, b *expr.Column) int { return strings.Compare(a.Text(), b.Text()) })
	return inputs
}

// Arrange gives the keys of cells the order that the statement has them in.
func (q *BoundQuery) Arrange(keys [][]pgvalue.Value) [][]pgvalue.Value {
	arranged := make([][]pgvalue.Value, len(q.order))
	for i, k := range q.order {
		arranged[i] = keys[k]
	}
	return arranged
}

// KeyOrder tells for each key of the statement which of Keys it is.
func (q *BoundQuery) KeyOrder() []int { return slices.Clone(q.order) }

func boundCount(f expr.Formula) Count {
	if f == expr.Truth(true) {
		return Count{}
	}
	return Count{bound: f}
}

// formula is the FILTER of a bound count.
func (c Count) formula() expr.Formula {
	if c.bound == nil {
		return expr.Truth(true)
	}
	return c.bound
}

// valueColumn is the value that a bound count is of, nil of a number of rows or persons.
func (c Count) valueColumn() *expr.Column {
	if c.measured != nil {
		return c.measured
	}
	return c.distinctColumn
}

// Measured reports whether sums of a number are released among the counts.
func (q *BoundQuery) Measured() bool {
	return slices.ContainsFunc(q.Counts, func(c Count) bool { return c.Measure != nil })
}

// Columns is how many numbers of each cell the counts have together.
func (q *BoundQuery) Columns() int { return ColumnsOf(q.Counts) }

// Columns is how many numbers of each cell the counts have together.
func (q *CountQuery) Columns() int { return ColumnsOf(q.Counts) }

// ColumnsOf is how many numbers of each cell some counts have together.
func ColumnsOf(counts []Count) (columns int) {
	for _, c := range counts {
		columns += c.Columns()
	}
	return columns
}

// Question is the canonical form of one count of the query, for people and for hashing: equal texts are equal counts over equal
// cells. Names of the statement, its order and its way to give constants leave no trace. Without keys a FILTER is a
// WHERE (but see filterIsWhere); with keys it is not, since WHERE says which cells there are.
func (q *BoundQuery) Question(c Count) string {
	if c.beyond != within {
		return q.beyondQuestion(c)
	}
	where, filter := q.Where, c.formula()
	if q.filterIsWhere(c) {
		where, filter = expr.Simplify(expr.All{where, filter}), expr.Truth(true)
	}
	var b strings.Builder
	aggregate := q.Aggregate(c)
	b.WriteString(aggregate)
	if filter != expr.Truth(true) {
		fmt.Fprintf(&b, " FILTER (WHERE %s)", expr.FormulaText(filter))
	}
	if q.lead != nil {
		b.WriteString(" FROM " + rowsOf(q.lead))
	} else {
		fmt.Fprintf(&b, " FROM %s%s", q.Table.Policy.Name, q.bounds(c))
	}
	for _, j := range q.joins {
		b.WriteString(j.String())
	}
	if where != expr.Truth(true) {
		fmt.Fprintf(&b, " WHERE %s", expr.FormulaText(where))
	}
	for i, k := range q.Keys {
		b.WriteString([]string{" GROUP BY ", ", "}[min(i, 1)])
		b.WriteString(k.Text())
	}
	return b.String()
}

// Cells are what a query is answered with, column by column: the keys of each cell, and its counts.
type Cells struct {
	Keys [][]pgvalue.Value
	// Counts has as many columns for each count as that has (see [Count.Columns]).
	Counts [][]int64
	// Values are those of counts that are values of rows, in place of Counts; nil for others, or altogether if there are none.
	Values [][]pgvalue.Value
	// Suppressed marks for each of Counts the cells whose count is withheld, and NULL to the analyst, whatever stands in Counts.
	// Nil for a count of which none is; nil altogether if no count has any.
	Suppressed [][]bool
	// Sets are the numbers of the margins that cells belong to, if the query has Margins.
	Sets []int64
	// Ends are those of the query's Intervals; none of cells that nobody will see.
	Ends []Ends
}

// An Interval is asked for of one of the counts of a query: it misses the true count with a probability of Miss at most.
type Interval struct {
	Count int
	// Column is that of the count, which has several if it is of sums.
	Column int
	Miss   *big.Rat
}

// Ends are those of the intervals of a count's cells. Of a query with Totals, which adds up cells, they are of totals instead: High[n-1] is the
// error of a total of n cells, and Low is not used.
type Ends struct {
	Low, High []int64
	Unknown   []bool // where no interval is known; nil: all are
}
