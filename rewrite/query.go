package rewrite

import (
	"fmt"
	"slices"
	"strings"
)

// A CountQuery is what is computed of a protected table for one sub-select of a statement: counts of its rows, by keys.
type CountQuery struct {
	Table *Table
	// Keys are the columns of GROUP BY without repetition, sorted by name; none for one cell of all rows.
	Keys []*Column
	// Counts are the different counts that the sub-select mentions, at least one.
	Counts []Count

	where predicate // nil: all rows
	types map[int]typeOID
}

// A Count is a number of rows. The zero Count counts every row of WHERE; others have a FILTER besides.
type Count struct {
	filter predicate
	// bound is what filter is with the values of parameters: nil means every row.
	bound formula
}

// A BoundQuery is a count query with the values of its parameters.
type BoundQuery struct {
	Table  *Table
	Keys   []*Column
	Counts []Count // in the order of CountQuery.Counts

	where formula
}

// Params are the numbers of the parameters that the query uses, in order.
func (q *CountQuery) Params() []int {
	var numbers []int
	for n := range q.types {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

// Bind gives the parameters their values, params[0] that of $1. It refuses a value that PostgreSQL would not read as
// the parameter's type. Only the parameters that the query uses are looked at.
func (q *CountQuery) Bind(params []Value) (*BoundQuery, *Refusal) {
	for _, n := range q.Params() {
		if n > len(params) {
			return nil, &Refusal{Code: "42P02", Message: fmt.Sprintf("there is no parameter $%d", n)}
		}
	}
	return q.bind(&binding{types: q.types, values: params})
}

// check looks at the constants before the values of parameters are known.
func (q *CountQuery) check() *Refusal {
	_, refusal := q.bind(&binding{types: q.types, untold: true})
	return refusal
}

func (q *CountQuery) bind(b *binding) (*BoundQuery, *Refusal) {
	bound := &BoundQuery{Table: q.Table, Keys: q.Keys, where: truth(true), Counts: make([]Count, len(q.Counts))}
	if q.where != nil {
		bound.where = simplify(q.where.when(true, b))
	}
	for i, c := range q.Counts {
		if c.filter != nil {
			bound.Counts[i] = boundCount(simplify(c.filter.when(true, b)))
		}
	}
	return bound, b.refusal
}

func boundCount(f formula) Count {
	if f == truth(true) {
		return Count{}
	}
	return Count{bound: f}
}

// filter is the formula of a bound count.
func (c Count) formula() formula {
	if c.bound == nil {
		return truth(true)
	}
	return c.bound
}

// Question is the canonical form of one count of the query, for people and for hashing: equal texts are equal counts over equal
// cells. Names of the statement, its order and its way to give constants leave no trace. Without keys a FILTER is a
// WHERE; with keys it is not, since WHERE says which cells there are.
func (q *BoundQuery) Question(c Count) string {
	where, filter := q.where, c.formula()
	if len(q.Keys) == 0 {
		where, filter = simplify(all{where, filter}), truth(true)
	}
	var b strings.Builder
	b.WriteString("count(*)")
	if filter != truth(true) {
		fmt.Fprintf(&b, " FILTER (WHERE %s)", formulaText(filter))
	}
	fmt.Fprintf(&b, " FROM %s", q.Table.Policy.Name)
	if where != truth(true) {
		fmt.Fprintf(&b, " WHERE %s", formulaText(where))
	}
	for i, k := range q.Keys {
		b.WriteString([]string{" GROUP BY ", ", "}[min(i, 1)])
		b.WriteString(quoteIdentifier(k.Name))
	}
	return b.String()
}

// Cells are what a query is answered with, column by column: the keys of each cell, and its counts.
type Cells struct {
	Keys   [][]Value
	Counts [][]int64
}
