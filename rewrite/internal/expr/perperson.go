package expr

import (
	"fmt"

	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/pgerror"
)

// A PersonValue is whether the person of a row has rows of a protected table that meet a condition: NULL if she has none. It is found in a sub-select
// with one row for each person who has. Her row of it depends on her own rows alone: a person more or less leaves those of others as they
// were, however many rows she has. So no bound on rows is needed there. Rows without a person are in no group.
type PersonValue struct {
	Table *Table
	Joins []*Join // with public tables
	Where Predicate
	Outer *Column // the person of the row
}

func (v *PersonValue) TypeOf() pgvalue.OID { return pgvalue.Bool }

// Bind makes one column of sub-selects that are alike. Its name is their canonical text.
func (v *PersonValue) Bind(b *Binding) *Column {
	where, text := b.Formula(v.Where), fmt.Sprintf("EXISTS (%s PER %s", v.Table.Policy.Name, pgvalue.QuoteIdentifier(v.Table.Person.Column.Name))
	for _, j := range v.Joins {
		text += j.String()
	}
	if where != Truth(true) {
		text += " WHERE " + FormulaText(where)
	}
	if text += ")"; len(text) > maxComputedBytes {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("a sub-select of a protected table comes to more than %d bytes", maxComputedBytes)))
	}
	for _, known := range b.persons {
		if known.Name == text && known.Joined.Persons.Outer == v.Outer {
			return known
		}
	}
	j := &Join{Protected: v.Table, Persons: v, PersonsWhere: where, Text: text, Alias: fmt.Sprintf("g%d", len(b.persons)+1), Left: true}
	c := &Column{Name: text, TypeOID: pgvalue.Bool, TypeName: "pg_catalog.bool", Typmod: -1, Formatted: "boolean", Joined: j}
	b.persons = append(b.persons, c)
	return c
}

// IsOfPersons reports whether a column is a PersonValue.
func (c *Column) IsOfPersons() bool { return c.Joined != nil && c.Joined.Persons != nil }

// AmongPersons is EXISTS, or person IN (SELECT person ...), which a row without a person makes unknown where it is not true: Unknown is refused then.
type AmongPersons struct {
	Row     *PersonValue
	Unknown *pgerror.Refusal
}

func (p AmongPersons) when(is bool, b *Binding) Formula {
	if !is && p.Unknown != nil {
		b.fail(-1, p.Unknown)
	}
	return Nullness{b.Column(p.Row), !is}
}
