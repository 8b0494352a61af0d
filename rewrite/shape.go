package rewrite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
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
	Text string `json:"text"`
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
	Text   string `json:"text"`
	Type   uint32 `json:"type"`
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

const (
	shapeVersion = 1
	// maxShapeBytes bounds the text of a shape. From longer conditions nothing is derived.
	maxShapeBytes = 1 << 16
)

// Shape is the shape of a count of the query as JSON; ok is false if no other count is ever derived from it. That is so
//
//   - of tables whose rows are not persons, since the bounds of a person's rows and groups depend on WHERE and keys;
//   - of audited tables, whose auditor takes every answer into account by itself;
//   - of counts of different values, which do not add up over cells;
//   - of joins, since public tables change while an epoch lasts, and a second protected table has rows of its own;
//   - of a WHERE that no row meets.
func (q *BoundQuery) Shape(c Count) (text string, ok bool) {
	s, ok := q.shape(c)
	if !ok {
		return "", false
	}
	return s.text()
}

func (q *BoundQuery) shape(c Count) (*Shape, bool) {
	if q.Table.Person != nil || q.Table.Audited() || len(q.joins) > 0 || len(q.Margins) > 0 || c.persons || c.distinctColumn != nil {
		return nil, false
	}
	if q.where == truth(false) || c.formula() == truth(false) {
		return nil, false
	}
	s := &Shape{Version: shapeVersion, Aggregate: q.aggregate(c), Source: q.Table.Policy.Name.String()}
	s.Where, s.Filter = shapeConditions(q.where), shapeConditions(c.formula())
	if len(q.Keys) == 0 { // WHERE and FILTER are one
		s.Where, s.Filter = slices.Concat(s.Where, s.Filter), nil
	}
	used := append(columnsOf(q.where), columnsOf(c.formula())...)
	for _, k := range q.Keys {
		s.Keys = append(s.Keys, ShapeKey{Text: k.Text(), Type: k.TypeOID, Stored: k.Stored(), Inputs: inputNames(k)})
	}
	for _, input := range mergeInputs(append(used, q.Keys...)...) {
		s.Columns = append(s.Columns, q.shapeColumn(input))
	}
	slices.SortFunc(s.Columns, func(a, b ShapeColumn) int { return strings.Compare(a.Name, b.Name) })
	return s, true
}

// text prints a shape, if it is not too long.
func (s *Shape) text() (string, bool) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	text := strings.TrimSuffix(b.String(), "\n")
	// JSON would replace what is not UTF-8, so that different conditions could have one text.
	return text, len(text) <= maxShapeBytes && s.isUTF8()
}

func (s *Shape) isUTF8() bool {
	for _, c := range slices.Concat(s.Where, s.Filter) {
		if !utf8.ValidString(c.Text) || c.Atom != nil && slices.ContainsFunc(c.Atom.Values, func(v string) bool { return !utf8.ValidString(v) }) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Keys, func(k ShapeKey) bool { return !utf8.ValidString(k.Text) })
}

// ParseShape reads what [BoundQuery.Shape] wrote, and nothing else.
func ParseShape(text string) (*Shape, bool) {
	if len(text) > maxShapeBytes {
		return nil, false
	}
	var s Shape
	if err := json.Unmarshal([]byte(text), &s); err != nil || s.Version != shapeVersion {
		return nil, false
	}
	again, ok := s.text()
	return &s, ok && again == text
}

// shapeConditions are the parts of a canonical formula that all hold.
func shapeConditions(f formula) []ShapeCondition {
	var conditions []ShapeCondition
	for _, part := range conjunctsOf(f) {
		conditions = append(conditions, ShapeCondition{Text: formulaText(part), Columns: inputNames(columnsOf(part)...), Atom: shapeAtom(part)})
	}
	return conditions
}

// conjunctsOf are the parts of a formula that all hold: none of what is always true.
func conjunctsOf(f formula) []formula {
	switch f := f.(type) {
	case all:
		return f
	case truth:
		if f {
			return nil
		}
	}
	return []formula{f}
}

func inputNames(columns ...*Column) []string {
	var names []string
	for _, c := range mergeInputs(columns...) {
		names = append(names, c.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// shapeAtom is a condition on one stored column, nil for others.
func shapeAtom(f formula) *ShapeAtom {
	var column *Column
	var a ShapeAtom
	switch f := f.(type) {
	case comparison:
		column, a = f.column, ShapeAtom{Test: string(f.op), Type: f.value.oid, Values: []string{f.value.text}}
	case membership:
		column, a = f.column, ShapeAtom{Test: testNotIn, Type: f.values[0].oid}
		if f.in {
			a.Test = testIn
		}
		for _, v := range f.values {
			a.Values = append(a.Values, v.text)
		}
	case nullness:
		column, a = f.column, ShapeAtom{Test: testNotNull}
		if f.null {
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
func (a ShapeAtom) formula(c *Column) (f formula, ok bool) {
	values := make([]datum, len(a.Values))
	for i, text := range a.Values {
		d, refusal := readDatum(a.Type, text)
		if refusal != nil || d.text != text {
			return nil, false
		}
		values[i] = d
	}
	switch op := operator(a.Test); {
	case a.Test == testNull || a.Test == testNotNull:
		return nullness{c, a.Test == testNull}, len(values) == 0
	case a.Test == testIn || a.Test == testNotIn:
		return membership{c, a.Test == testIn, values}, len(values) > 1
	case len(values) == 1 && op.negated() != "":
		return comparison{c, op, values[0]}, true
	}
	return nil, false
}

func (q *BoundQuery) shapeColumn(c *Column) ShapeColumn {
	return ShapeColumn{Name: c.Name, Type: c.TypeOID, Typmod: c.Typmod, Collation: c.Collation, NotNull: c.NotNull, Domain: q.digests.of(c)}
}

// domainDigests remembers what identifies the declared domains of a query's columns: of a long domain that takes a while, and one query
// is compared with many shapes.
type domainDigests struct {
	mu    sync.Mutex // protects what follows
	known map[*Column]string
}

func (d *domainDigests) of(c *Column) string {
	if c.Domain == nil {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if digest, ok := d.known[c]; ok {
		return digest
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q", c.Domain)
	if d.known == nil {
		d.known = make(map[*Column]string)
	}
	d.known[c] = hex.EncodeToString(h.Sum(nil))
	return d.known[c]
}
