package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A Derivation computes the cells of a count from those of a finer one.
//
// Let the finer count be of the rows that meet conditions A, by keys K, and the other of the rows that meet B, by keys L. It is derived if
//
//  1. each condition of A is one of B, or follows from B;
//  2. each condition of B that is not one of A, the rest, is a function of K; and so is each key in L.
//
// By 1, the rows that meet B are those that meet A and the rest. By 2, whether a row that meets A meets the rest, and which values its keys in
// L have, can be told from the finer cell that it lies in. So the true count of a cell of L is the sum of the true counts of those
// finer cells that meet the rest and have its keys. (Cells that the finer release does not have must be known to be empty: declared
// cells are all there but for those that WHERE keeps out, those that pass a threshold are not.)
//
// What is a function of K is narrower than what is computed of it. The key of a cell is a canonical value, which looks alike for all that
// the type's equality does not tell apart. A comparison only sees what equality sees. But a function may see more: the digits of 1.50,
// the blanks of character(n), the sign of -0. Of columns of such types nothing is computed here.
type Derivation struct {
	query *BoundQuery
	shape *Shape
	// conditions are all that rows meet which are counted.
	conditions []expr.Formula
	// types are those of the finer keys, by name.
	types []string
	// keys are the columns of the query that are finer keys, by name in SQL, and places the indexes of these.
	keys   map[*expr.Column]string
	places map[*expr.Column]int
	Rest   expr.Formula
	// selects says that the rest is what WHERE of the query has besides that of the finer count.
	selects bool
}

// Derive tells whether a count of the query follows from one whose shape was recorded. It never says so wrongly, and sometimes does
// not see it. That both are of one epoch, and that their cells are of one kind, is for the caller to know.
func (s *Shape) Derive(q *BoundQuery, c Count) (*Derivation, bool) {
	if !q.hasShape(c) || s.Aggregate != q.shapeAggregate(c) || s.Source != q.Table.Policy.Name.String() || !q.sameColumns(s.Columns) {
		return nil, false
	}
	where, filter := q.conditions(c)
	conditions := slices.Concat(where, filter)
	finer := slices.Concat(s.Where, s.Filter)
	rest := besides(conditions, finer)
	d := &Derivation{query: q, shape: s, conditions: conditions, Rest: expr.Truth(true), keys: make(map[*expr.Column]string), places: make(map[*expr.Column]int)}
	columns := slices.Concat(q.Keys, expr.ColumnsOfAll(conditions))
	if !d.takeKeys(s.Keys, columns) || !d.tell(q.Keys) || !d.tell(expr.ColumnsOfAll(rest)) || !follow(finer, q, conditions) {
		return nil, false
	}
	if len(rest) > 0 {
		d.Rest = expr.All(rest)
	}
	d.selects = sameTexts(rest, besides(where, s.Where)) && follow(s.Where, q, where)
	return d, true
}

// sameColumns reports whether the columns of a shape still are what they were.
func (q *BoundQuery) sameColumns(columns []ShapeColumn) bool {
	return !slices.ContainsFunc(columns, func(was ShapeColumn) bool {
		c := q.Table.Column(was.Name)
		return c == nil || q.shapeColumn(c) != was
	})
}

// besides are the formulas that are none of the conditions.
func besides(formulas []expr.Formula, conditions []ShapeCondition) []expr.Formula {
	known := make(map[string]bool, len(conditions))
	for _, c := range conditions {
		known[c.Text] = true
	}
	return slices.DeleteFunc(slices.Clone(formulas), func(f expr.Formula) bool { return known[expr.FormulaText(f)] })
}

func sameTexts(a, b []expr.Formula) bool {
	return slices.EqualFunc(a, b, func(f, g expr.Formula) bool { return expr.FormulaText(f) == expr.FormulaText(g) })
}

// takeKeys finds the finer keys among the columns that a query uses, and those that these are computed of. Only keys of columns that are
// still there have a type.
func (d *Derivation) takeKeys(keys []ShapeKey, used []*expr.Column) bool {
	candidates := append(expr.MergeInputs(used...), used...)
	for i, k := range keys {
		typeName, ok := d.typeOf(k)
		if !ok {
			return false
		}
		d.types = append(d.types, typeName)
		for _, c := range candidates {
			if c.Text() == k.Text && c.TypeOID == k.Type && c.Stored() == k.Stored {
				d.keys[c], d.places[c] = fmt.Sprintf("u.k%d", i+1), i
			}
		}
	}
	// What is computed of a column that is itself computed would else read its canonical value from the key.
	maps.DeleteFunc(d.keys, func(c *expr.Column, _ string) bool { return !c.Stored() && !faithful(c.TypeOID) && d.computable(c) })
	return true
}

func (d *Derivation) typeOf(k ShapeKey) (name string, ok bool) {
	if !k.Stored {
		b, ok := pgvalue.BuiltinType(k.Type)
		return "pg_catalog." + b.Name, ok
	}
	if len(k.Inputs) != 1 {
		return "", false
	}
	c := d.query.Table.Column(k.Inputs[0])
	if c == nil || c.Text() != k.Text || c.TypeOID != k.Type {
		return "", false
	}
	return c.TypeName, true
}

// tell reports whether the finer keys tell the values of columns.
func (d *Derivation) tell(columns []*expr.Column) bool {
	return !slices.ContainsFunc(columns, func(c *expr.Column) bool { return d.keys[c] == "" && !d.computable(c) })
}

// computable reports whether a column can be computed of stored columns that are finer keys.
func (d *Derivation) computable(c *expr.Column) bool {
	return !c.Stored() && !slices.ContainsFunc(c.Inputs(), func(input *expr.Column) bool { return d.keys[input] == "" || !faithful(input.TypeOID) })
}

// faithful reports whether the canonical value of a key is the very value of each row in its cell, so that every function of it is that
// of the row.
func faithful(oid pgvalue.OID) bool {
	switch pgvalue.FamilyOf(oid) {
	case pgvalue.Booleans, pgvalue.Texts, pgvalue.Dates, pgvalue.Instants, pgvalue.UUIDs:
		return true
	}
	return pgvalue.IsInteger(oid)
}

// follow reports whether each condition is among the formulas, or true wherever all of these are.
func follow(conditions []ShapeCondition, q *BoundQuery, formulas []expr.Formula) bool {
	known := make(map[string]bool, len(formulas))
	for _, f := range formulas {
		known[expr.FormulaText(f)] = true
	}
	return !slices.ContainsFunc(conditions, func(c ShapeCondition) bool { return !known[c.Text] && !c.follows(q, formulas) })
}

// follows reports whether a condition on one column is true of all values that this can have where formulas are true.
func (s ShapeCondition) follows(q *BoundQuery, formulas []expr.Formula) bool {
	if s.Atom == nil || len(s.Columns) != 1 {
		return false
	}
	c := q.Table.Column(s.Columns[0])
	if c == nil {
		return false
	}
	f, ok := s.Atom.formula(c)
	if !ok || expr.FormulaText(f) != s.Text {
		return false
	}
	return implied(f, formulas)
}

// SQL is a statement, for the curator, that says which finer cells, column by column, make which cells of the query: it yields for each
// finer cell that counts its ordinal, from 1, and then the keys of its cell in the order of [BoundQuery.Keys]. It reads no table, only
// what was released.
func (d *Derivation) SQL(finer [][]pgvalue.Value) (sql string, args []string) {
	w := expr.SQLWriter{Keys: d.keys}
	arrays, names := make([]string, len(d.types)), make([]string, len(d.types))
	for i, t := range d.types {
		arrays[i] = "pg_catalog.unnest(" + w.Arg(pgvalue.ArrayOfValues(finer[i]), t+"[]") + ")"
		names[i] = fmt.Sprintf("k%d", i+1)
	}
	outputs := []string{"u.o"}
	for i, k := range d.query.Keys {
		outputs = append(outputs, fmt.Sprintf("%s AS c%d", w.Key(k), i+1))
	}
	if len(arrays) == 0 {
		arrays = []string{"pg_catalog.unnest('{NULL}'::pg_catalog.bool[])"}
		names = []string{"none"}
	}
	sql = fmt.Sprintf("SELECT %s FROM ROWS FROM (%s) WITH ORDINALITY AS u(%s, o)", strings.Join(outputs, ", "), strings.Join(arrays, ", "), strings.Join(names, ", "))
	if d.Rest != expr.Truth(true) {
		sql += " WHERE " + w.Formula(d.Rest)
	}
	return sql + " ORDER BY u.o", w.Args
}

// Projection tells for each key of the query which finer key it is. ok is false if cells are computed or dropped, for which SQL is needed.
func (d *Derivation) Projection() (places []int, ok bool) {
	if d.Rest != expr.Truth(true) {
		return nil, false
	}
	places = make([]int, len(d.query.Keys))
	for i, k := range d.query.Keys {
		if places[i], ok = d.places[k]; !ok {
			return nil, false
		}
	}
	return places, true
}

// OneToOne reports whether no two finer cells make one cell of the query: all finer keys are among its own.
func (d *Derivation) OneToOne() bool {
	kept := make(map[int]bool)
	for _, k := range d.query.Keys {
		if place, ok := d.places[k]; ok {
			kept[place] = true
		}
	}
	return len(kept) == len(d.types)
}

// Selects reports whether the groups of the query are those finer groups that SQL keeps: WHERE of the query is that of the finer count with
// conditions on its keys, and FILTER has no others. Otherwise a group that the query has can be dropped, or one kept that it has not.
func (d *Derivation) Selects() bool { return d.selects }
