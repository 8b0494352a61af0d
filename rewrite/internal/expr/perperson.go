package expr

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"tacit/rewrite/internal/bounds"
	"tacit/rewrite/internal/extent"
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
	Outer *Column // the person of the row; nil of rows that are one for each person themselves
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
	if v.Outer == nil {
		j.Alias = "t"
	}
	c := &Column{Name: text, TypeOID: pgvalue.Bool, TypeName: "pg_catalog.bool", Typmod: -1, Formatted: "boolean", Joined: j}
	b.persons = append(b.persons, c)
	return c
}

// IsOfPersons reports whether a column is a PersonValue or a PersonAggregate.
func (c *Column) IsOfPersons() bool { return c.Joined != nil && c.Joined.Persons != nil }

// A PersonAggregate is what an aggregate yields of those rows of a person that a PersonValue finds. A count of a person who has none is 0, and all
// others are NULL. It depends on her own rows alone, as that does.
type PersonAggregate struct {
	Of       *PersonValue
	Name     string     // count, sum, avg, min, max, bool_and, bool_or
	Arg      Expression // nil: count(*)
	Distinct bool
	Filter   Predicate // nil: all rows
}

// A BoundAggregate is a PersonAggregate with the values of parameters.
type BoundAggregate struct {
	Name     string
	Arg      *Column // nil: count(*)
	Distinct bool
	Filter   Formula
	// From and To hold the values that are added up, of sum and avg; Drops leaves them out beyond these instead.
	From, To *big.Rat
	Drops    bool
	// all are the bounds of a count, a sum or an average, and usual those of a person who has no more rows than count for her: it is held
	// between these where it is added up in turn.
	all, usual bounds.Bounds
}

// MostCounted is what a count for each person is held at. No person has so many rows.
const MostCounted = math.MaxInt32

func (a *PersonAggregate) TypeOf() pgvalue.OID {
	switch a.Name {
	case "count":
		return pgvalue.Int8
	case "bool_and", "bool_or":
		return pgvalue.Bool
	case "sum", "avg":
		if t := a.Arg.TypeOf(); a.Name == "sum" && (t == pgvalue.Int2 || t == pgvalue.Int4) {
			return pgvalue.Int8
		}
		return pgvalue.Numeric
	}
	return a.Arg.TypeOf()
}

// bind finds the bounds of a count, a sum or an average; ok is false if the values that are added up have none.
func (a *BoundAggregate) bind(of *PersonValue) (ok bool) {
	rows, most := big.NewRat(int64(of.Table.Person.Rows), 1), big.NewRat(MostCounted, 1)
	switch a.Name {
	case "count":
		least := int64(0)
		if of.Outer == nil && a.Arg == nil && a.Filter == Truth(true) {
			least = 1
		}
		a.all, a.usual = bounds.Integers(least, MostCounted), bounds.Integers(0, int64(of.Table.Person.Rows))
	case "sum", "avg":
		if a.From, a.To, ok = a.Arg.Span(); !ok {
			return false
		}
		a.Drops = a.Arg.DropsOutside()
		a.all, a.usual = bounds.Between(a.From, a.To), bounds.Between(a.From, a.To)
		if a.Name == "sum" {
			zero := new(big.Rat)
			of := func(n *big.Rat) bounds.Bounds {
				return bounds.Between(new(big.Rat).Mul(n, bounds.Min(a.From, zero)), new(big.Rat).Mul(n, bounds.Max(a.To, zero)))
			}
			a.all, a.usual = of(most), of(rows)
		}
	}
	return true
}

// Bind makes one column of aggregates that are alike, whose name is their canonical text.
func (a *PersonAggregate) Bind(b *Binding) *Column {
	j := b.Column(a.Of).Joined
	bound := &BoundAggregate{Name: a.Name, Distinct: a.Distinct, Filter: Truth(true)}
	if a.Filter != nil {
		bound.Filter = b.Formula(a.Filter)
	}
	if a.Arg != nil {
		bound.Arg = b.Column(a.Arg)
	}
	if b.Refusal != nil {
		return noColumn
	}
	if !bound.bind(a.Of) {
		b.fail(-1, pgerror.Form{Code: pgerror.CodeNotSupported, Message: "the bounds of what is added up for each person depend on a parameter"}.With())
		return noColumn
	}
	text := bound.text() + " OF " + strings.TrimPrefix(j.Text, "EXISTS ")
	if len(text) > maxComputedBytes {
		b.fail(-1, RefuseTooLarge(fmt.Sprintf("an aggregate for each person comes to more than %d bytes", maxComputedBytes)))
		return noColumn
	}
	for _, known := range j.Aggregates {
		if known.Name == text && known.TypeOID == a.TypeOf() {
			return known
		}
	}
	t, _ := pgvalue.BuiltinType(a.TypeOf())
	c := &Column{Name: text, TypeOID: t.OID, TypeName: "pg_catalog." + t.Name, Typmod: -1, Formatted: t.Shown, NotNull: a.Name == "count", Joined: j, Aggregate: bound}
	if a.Name == "min" || a.Name == "max" {
		c.Domain, c.Range, c.Step, c.Until, c.DropOutside = bound.Arg.Domain, bound.Arg.Range, bound.Arg.Step, bound.Arg.Until, bound.Arg.DropOutside
	}
	j.Aggregates = append(j.Aggregates, c)
	return c
}

func (a *BoundAggregate) text() string {
	arg := "*"
	if a.Arg != nil {
		arg = a.Arg.Text()
	}
	if a.Distinct {
		arg = "DISTINCT " + arg
	}
	if a.From != nil {
		arg += " FROM " + a.From.RatString() + " TO " + a.To.RatString()
	}
	if a.Drops {
		arg += " ELSE NULL"
	}
	text := a.Name + "(" + arg + ")"
	if a.Filter != Truth(true) {
		text += " FILTER (WHERE " + FormulaText(a.Filter) + ")"
	}
	return text
}

// counted has the values that a count can have, everything of what is no count.
func (c *Column) counted() extent.Extent {
	if c.Aggregate == nil || c.Aggregate.Name != "count" {
		return extent.Everything()
	}
	return whole(c.Aggregate.all.Least, c.Aggregate.all.Greatest)
}

// whole has the numbers from one to another.
func whole(least, greatest *big.Rat) extent.Extent {
	from, to := extent.Point{Rank: extent.Finite, Value: least}, extent.Point{Rank: extent.Finite, Value: greatest}
	return extent.Extent{Spans: []extent.Span{{From: extent.Cut{At: from}, To: extent.Cut{At: to, After: true}}}}
}

// ofCounts are the values of a whole number that is computed of counts for each person, if its bounds leave few: LEAST(n, 10).
func (c *Column) ofCounts() (texts []string, ok bool) {
	inputs := c.Inputs()
	isOther := func(input *Column) bool { return input.Aggregate == nil || input.Aggregate.Name != "count" }
	wide := c.computation.wide
	if !pgvalue.IsInteger(c.TypeOID) || len(inputs) == 0 || slices.ContainsFunc(inputs, isOther) || !wide.Known() {
		return nil, false
	}
	return extent.Steps(c.TypeOID, whole(wide.Least, wide.Greatest).Spans)
}

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

// usualSpan is what a count, a sum or an average is held between where it is added up, and within which arithmetic relies on it, as on declared values.
func (a *BoundAggregate) usualSpan(oid pgvalue.OID) (least, greatest pgvalue.Datum, tiny int, ok bool) {
	wide := bounds.OfType(oid)
	read := func(n *big.Rat) pgvalue.Datum {
		digits, exact := n.FloatPrec()
		d, refusal := pgvalue.ReadDatum(oid, n.FloatString(digits))
		ok = ok && exact && refusal == nil
		return d
	}
	ok = a.usual.Within(wide.Least, wide.Greatest)
	least, greatest = read(a.usual.Least), read(a.usual.Greatest)
	return least, greatest, wide.Tiny, ok
}
