package query

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"sync"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// A Shape says of a recorded count what must be known to tell whether another count follows from its cells: which rows it counts, by
// which keys, and what the columns were that both are made of. It is kept with the release, as JSON, and read again with another catalog,
// perhaps by another version of this package; so it has texts and no pointers, and whatever in it is not as this package writes it is
// no shape.
type Shape struct {
	Version int `json:"shape"`
	// Aggregate is the function of the count without its FILTER.
	Aggregate string `json:"aggregate"`
	// Source is the protected table.
	Source string `json:"source"`
	// Where has the conditions on the rows that make cells, Filter those on the rows that are counted besides: all of them hold together.
	Where  []ShapeCondition `json:"where,omitempty"`
	Filter []ShapeCondition `json:"filter,omitempty"`
	Keys   []ShapeKey       `json:"keys,omitempty"`
	// Columns are the stored columns that any of these is made of, by name.
	Columns []ShapeColumn `json:"columns,omitempty"`
}

// A ShapeCondition is one part of an AND.
type ShapeCondition struct {
	// Text is canonical: equal texts over equal columns are equal conditions.
	Text string `json:"text,omitempty"`
	// Columns are the names of the stored columns that it is made of.
	Columns []string `json:"columns,omitempty"`
	// Atom is the condition itself if it is about one stored column; nil of others.
	Atom *ShapeAtom `json:"atom,omitempty"`
}

// A ShapeAtom compares the one column of its condition with constants.
type ShapeAtom struct {
	// Test is an operator, or one of the words for membership and NULL.
	Test string `json:"test"`
	// Type is that of Values, in which they are compared.
	Type   uint32   `json:"type,omitempty"`
	Values []string `json:"values,omitempty"`
}

const (
	testIn      = "in"
	testNotIn   = "not in"
	testNull    = "null"
	testNotNull = "not null"
)

// A ShapeKey is a key of the cells.
type ShapeKey struct {
	Text   string `json:"text,omitempty"`
	Type   uint32 `json:"type,omitempty"`
	Stored bool   `json:"stored,omitempty"`
	// Inputs are the names of the stored columns that it is made of.
	Inputs []string `json:"inputs,omitempty"`
}

// A ShapeColumn is what a stored column was. Were any of it another, a text could mean something else: a comparison of another type, a
// computation with other guards, cells of other values.
type ShapeColumn struct {
	Name      string `json:"name"`
	Type      uint32 `json:"type"`
	Typmod    int32  `json:"typmod"`
	Collation string `json:"collation,omitempty"`
	NotNull   bool   `json:"not_null,omitempty"`
	// Domain identifies the declared values, "" if there are none.
	Domain string `json:"domain,omitempty"`
}

// Faithful reports whether what is computed of the column can be computed of the keys of cells, too, see [Derivation].
func (c ShapeColumn) Faithful() bool { return faithful(c.Type) }

const shapeVersion = 1

// Shape is the shape of a count of the query as JSON; ok is false if no other count is ever derived from it. That is so
//
//   - of tables in which several rows of a person count, since which of them do depends on WHERE and keys;
//   - of audited tables, whose auditor takes every answer into account by itself;
//   - of counts of different values, and of values, which do not add up over cells;
//   - of joins, since public tables change while an epoch lasts, and a second protected table has rows of its own, as those of sub-selects have;
//   - of a WHERE that no row meets.
func (q *BoundQuery) Shape(c Count) (text string, ok bool) {
	s, ok := q.CountShape(c)
	if !ok {
		return "", false
	}
	return s.Text()
}

// CountShape is what [BoundQuery.Shape] prints.
func (q *BoundQuery) CountShape(c Count) (*Shape, bool) {
	if !q.hasShape(c) {
		return nil, false
	}
	s := &Shape{Version: shapeVersion, Aggregate: q.shapeAggregate(c), Source: q.Table.Policy.Name.String()}
	where, filter := q.conditions(c)
	s.Where, s.Filter = shapeConditions(where), shapeConditions(filter)
	if len(q.Keys) == 0 { // WHERE and FILTER are one
		s.Where, s.Filter = slices.Concat(s.Where, s.Filter), nil
	}
	used := expr.ColumnsOfAll(slices.Concat(where, filter))
	if c.measured != nil {
		used = append(used, c.measured)
	}
	for _, k := range q.Keys {
		s.Keys = append(s.Keys, ShapeKey{Text: k.Text(), Type: k.TypeOID, Stored: k.Stored(), Inputs: inputNames(k)})
	}
	for _, input := range expr.MergeInputs(append(used, q.Keys...)...) {
		s.Columns = append(s.Columns, q.shapeColumn(input))
	}
	slices.SortFunc(s.Columns, func(a, b ShapeColumn) int { return strings.Compare(a.Name, b.Name) })
	return s, true
}

// shapeAggregate tells a count of one row of each person from one of all rows.
func (q *BoundQuery) shapeAggregate(c Count) string {
	if q.oneRow() {
		return q.Aggregate(c) + " PER " + pgvalue.QuoteIdentifier(q.Table.Person.Column.Name)
	}
	return q.Aggregate(c)
}

func (q *BoundQuery) hasShape(c Count) bool {
	if q.Table.Person != nil && !q.oneRow() || q.Table.Audited() || len(q.joins) > 0 || len(q.personGroups()) > 0 || len(q.Margins) > 0 || c.Persons || c.distinctColumn != nil || c.Ordered != nil {
		return false
	}
	return q.Where != expr.Truth(false) && c.formula() != expr.Truth(false)
}

// conditions are the parts of WHERE and of a count's FILTER that say something besides the others.
func (q *BoundQuery) conditions(c Count) (where, filter []expr.Formula) {
	where = essential(conjunctsOf(q.Where), nil)
	return where, essential(conjunctsOf(c.formula()), where)
}

// maxEssential is of how many conditions it is looked which ones follow from the others: for that, all are compared with each other.
const maxEssential = 64

// essential leaves out what follows from other parts of an AND and from what is given, so that sex = 'F' AND sex IS NOT NULL is sex = 'F'.
func essential(parts, given []expr.Formula) []expr.Formula {
	if len(parts)+len(given) > maxEssential {
		return parts
	}
	kept := slices.Clone(parts)
	for i := 0; i < len(kept); {
		if others := slices.Concat(kept[:i], kept[i+1:], given); implied(kept[i], others) {
			kept = slices.Delete(kept, i, i+1)
		} else {
			i++
		}
	}
	return kept
}

// implied reports whether a condition on a stored column is true of all values that this can have where others are.
func implied(f expr.Formula, others []expr.Formula) bool {
	columns := expr.ColumnsOf(f)
	if len(columns) != 1 || !columns[0].Stored() {
		return false
	}
	values, exact := expr.ExtentOfAtom(f, columns[0])
	return exact && expr.ExtentOf(expr.All(others), columns[0]).Within(values)
}

// shapeConditions writes the parts of an AND.
func shapeConditions(parts []expr.Formula) []ShapeCondition {
	var conditions []ShapeCondition
	for _, part := range parts {
		conditions = append(conditions, ShapeCondition{Text: expr.FormulaText(part), Columns: inputNames(expr.ColumnsOf(part)...), Atom: shapeAtom(part)})
	}
	return conditions
}

// conjunctsOf are the parts of a formula that all hold: none of what is always true.
func conjunctsOf(f expr.Formula) []expr.Formula {
	switch f := f.(type) {
	case expr.All:
		return f
	case expr.Truth:
		if f {
			return nil
		}
	}
	return []expr.Formula{f}
}

func inputNames(columns ...*expr.Column) []string {
	var names []string
	for _, c := range expr.MergeInputs(columns...) {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// shapeAtom is a condition on one stored column, nil for others.
func shapeAtom(f expr.Formula) *ShapeAtom {
	var column *expr.Column
	var a ShapeAtom
	switch f := f.(type) {
	case expr.Comparison:
		column, a = f.Column, ShapeAtom{Test: string(f.Op), Type: f.Value.OID, Values: []string{f.Value.Text}}
	case expr.Membership:
		column, a = f.Column, ShapeAtom{Test: testNotIn, Type: f.Values[0].OID}
		if f.In {
			a.Test = testIn
		}
		for _, v := range f.Values {
			a.Values = append(a.Values, v.Text)
		}
	case expr.Nullness:
		column, a = f.Column, ShapeAtom{Test: testNotNull}
		if f.Null {
			a.Test = testNull
		}
	default:
		return nil
	}
	if !column.Stored() {
		return nil
	}
	return &a
}

// formula is the condition that an atom was made of, given its column. ok is false if this package would not write it so.
func (a ShapeAtom) formula(c *expr.Column) (f expr.Formula, ok bool) {
	values := make([]pgvalue.Datum, len(a.Values))
	for i, text := range a.Values {
		d, refusal := pgvalue.ReadDatum(a.Type, text)
		if refusal != nil || d.Text != text {
			return nil, false
		}
		values[i] = d
	}
	switch op := expr.Operator(a.Test); {
	case a.Test == testNull || a.Test == testNotNull:
		return expr.Nullness{Column: c, Null: a.Test == testNull}, len(values) == 0
	case a.Test == testIn || a.Test == testNotIn:
		return expr.Membership{Column: c, In: a.Test == testIn, Values: values}, len(values) > 1
	case len(values) == 1 && op.Negated() != "":
		return expr.Comparison{Column: c, Op: op, Value: values[0]}, true
	}
	return nil, false
}

func (q *BoundQuery) shapeColumn(c *expr.Column) ShapeColumn {
	return ShapeColumn{Name: c.Name, Type: c.TypeOID, Typmod: c.Typmod, Collation: c.Collation, NotNull: c.NotNull, Domain: q.Digests.of(c)}
}

// DomainDigests remembers what identifies the declared domains of a query's columns: of a long domain that takes a while, and one query
// is compared with many shapes.
type DomainDigests struct {
	mu    sync.Mutex // protects what follows
	known map[*expr.Column]string
}

func (d *DomainDigests) of(c *expr.Column) string {
	if !c.Declared() {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if digest, ok := d.known[c]; ok {
		return digest
	}
	h := sha256.New()
	c.WriteDomain(h)
	if d.known == nil {
		d.known = make(map[*expr.Column]string)
	}
	d.known[c] = base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:16]) // the steward alone chooses domains
	return d.known[c]
}
