package query

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"tacit/rewrite/internal/expr"
	"tacit/rewrite/internal/pgvalue"
)

// MaxShapeBytes bounds the text of a shape. From longer conditions nothing is derived.
const MaxShapeBytes = 1 << 16

// Text prints a shape, if it is not too long. A ledger keeps a million of them, so what the rest tells is left out, above all the values of
// a list in the text of its condition.
func (s *Shape) Text() (string, bool) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s.short()); err != nil {
		panic("rewrite: internal error: " + err.Error())
	}
	text := strings.TrimSuffix(b.String(), "\n")
	// JSON would replace what is not UTF-8, so that different conditions could have one text.
	return text, len(text) <= MaxShapeBytes && s.isUTF8()
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
	if len(text) > MaxShapeBytes {
		return nil, false
	}
	var s Shape
	if err := json.Unmarshal([]byte(text), &s); err != nil || s.Version != shapeVersion || !s.complete() {
		return nil, false
	}
	again, ok := s.Text()
	return &s, ok && again == text
}

// short is a shape without what complete adds: texts and types of stored keys, and of conditions on one stored column.
func (s *Shape) short() *Shape {
	short := *s
	short.Where, short.Filter, short.Keys = s.shortConditions(s.Where), s.shortConditions(s.Filter), slices.Clone(s.Keys)
	for i := range short.Keys {
		k := &short.Keys[i]
		if c, ok := s.column(k.Inputs); ok && k.Stored && k.Text == pgvalue.QuoteIdentifier(c.Name) && k.Type == c.Type {
			k.Text, k.Type = "", 0
		}
	}
	return &short
}

func (s *Shape) shortConditions(conditions []ShapeCondition) []ShapeCondition {
	short := slices.Clone(conditions)
	for i := range short {
		c := &short[i]
		column, ok := s.column(c.Columns)
		if !ok || c.Atom == nil {
			continue
		}
		if text, ok := c.Atom.text(column); ok && text == c.Text {
			c.Text = ""
		}
		if c.Atom.Type == column.Type {
			atom := *c.Atom
			atom.Type = 0
			c.Atom = &atom
		}
	}
	return short
}

// complete adds what short has left out, if it can be.
func (s *Shape) complete() bool {
	for i := range s.Keys {
		k := &s.Keys[i]
		if c, ok := s.column(k.Inputs); ok && k.Stored && k.Text == "" {
			k.Text, k.Type = pgvalue.QuoteIdentifier(c.Name), c.Type
		}
	}
	for _, conditions := range [][]ShapeCondition{s.Where, s.Filter} {
		for i := range conditions {
			if !s.completeCondition(&conditions[i]) {
				return false
			}
		}
	}
	return true
}

func (s *Shape) completeCondition(c *ShapeCondition) bool {
	column, ok := s.column(c.Columns)
	if c.Atom == nil || !ok {
		return c.Text != ""
	}
	if c.Atom.Type == 0 && len(c.Atom.Values) > 0 {
		c.Atom.Type = column.Type
	}
	if c.Text == "" {
		c.Text, ok = c.Atom.text(column)
	}
	return ok
}

// column is the one column that something is made of.
func (s *Shape) column(names []string) (ShapeColumn, bool) {
	if len(names) != 1 {
		return ShapeColumn{}, false
	}
	i := slices.IndexFunc(s.Columns, func(c ShapeColumn) bool { return c.Name == names[0] })
	if i < 0 {
		return ShapeColumn{}, false
	}
	return s.Columns[i], true
}

// text is that of the condition on a column.
func (a ShapeAtom) text(c ShapeColumn) (string, bool) {
	f, ok := a.formula(&expr.Column{Name: c.Name, TypeOID: c.Type, Typmod: c.Typmod, Collation: c.Collation, NotNull: c.NotNull})
	if !ok {
		return "", false
	}
	return expr.FormulaText(f), true
}
