package publish

import (
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"tacit/mechanisms/microdata"
)

// cellField is the value of a quasi-identifier, as text of the source's type.
func (m *microRows) cellField(t *microdata.Table, column int, cell microdata.Cell) field {
	if cell == microdata.Null {
		return field{null: true}
	}
	c := &t.Columns()[column]
	if c.Numeric {
		return field{text: numberText(c.Int(cell), m.columns[column].Source.TypeOID)}
	}
	return field{text: c.Text(cell)}
}

// generalisedField is what is published for a class: a value as itself, an interval of numbers or dates as [20,29], categories by their
// label, or as {F,M}, and NULL among others as {F,M,NULL} or {"[20,29]",NULL}. Braces are read by PostgreSQL as an array.
func (m *microRows) generalisedField(t *microdata.Table, column int, g microdata.Generalised) field {
	if g.Low == microdata.Null {
		return field{null: true}
	}
	elements := m.elements(&t.Columns()[column], column, g)
	if len(elements) == 1 && !g.Null {
		return field{text: elements[0]}
	}
	var b strings.Builder
	b.WriteByte('{')
	for i, e := range elements {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(QuoteElement(e))
	}
	if g.Null {
		b.WriteString(",NULL")
	}
	b.WriteByte('}')
	return field{text: b.String()}
}

// elements are what a generalised value stands for besides NULL: a value, an interval or a label, or else a list of values.
func (m *microRows) elements(c *microdata.Column, column int, g microdata.Generalised) []string {
	oid := m.columns[column].Source.TypeOID
	switch label, ok := c.Label(g); {
	case c.Numeric && g.Low == g.High:
		return []string{numberText(c.Int(g.Low), oid)}
	case c.Numeric:
		return []string{"[" + numberText(c.Int(g.Low), oid) + "," + numberText(c.Int(g.High), oid) + "]"}
	case ok:
		return []string{spelledOut(label, oid)}
	}
	var values []string
	for cell := g.Low; cell <= g.High; cell++ {
		values = append(values, spelledOut(c.Text(cell), oid))
	}
	return values
}

// spelledOut is a value as PostgreSQL casts it to text, which is another form only for booleans.
func spelledOut(text string, oid uint32) string {
	switch {
	case oid == pgtype.BoolOID && text == "t":
		return "true"
	case oid == pgtype.BoolOID && text == "f":
		return "false"
	}
	return text
}

// QuoteElement quotes an element of an array literal where that is needed.
func QuoteElement(s string) string {
	if s != "" && !strings.EqualFold(s, "NULL") && !strings.ContainsAny(s, "{},\"\\ \t\n\r\v\f") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
