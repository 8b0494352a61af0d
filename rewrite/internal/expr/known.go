package expr

import (
	"slices"
	"strconv"

	"tacit/rewrite/internal/extent"
	"tacit/rewrite/internal/pgvalue"
	"tacit/rewrite/internal/scan"
	"tacit/rewrite/internal/timetext"
)

// Some values that a column can have are known though nobody declared them: those of a type (boolean), of a function (the days of the week), of a
// CASE whose results are constants, and those to which WHERE restricts a column. They follow from the catalog, the statement and the policy alone.
//
// Values may be named that no row can have, whose cells are then noise. None is left out that a row can have, but for a NULL that a function
// yields of a value beyond the guards (see bounds.go) of a column that is never NULL: such a row is in no cell.

// Known lists values that hold all those a column has in rows that meet a condition; ok is false if they are not known. It looks at what the
// column is, not at what it is computed of, see [Column.Parts].
func (c *Column) Known(where Formula) (values []pgvalue.Value, ok bool) {
	texts, ok := c.listed(where)
	if !ok {
		texts, ok = c.typed(where)
	}
	if !ok {
		return nil, false
	}
	for _, text := range texts {
		values = append(values, pgvalue.Value{Text: text})
	}
	if c.maybeNull(where) {
		values = append(values, pgvalue.Value{Null: true})
	}
	return values, true
}

// typed are the values, but NULL, that follow from a column's type or from how it is computed.
func (c *Column) typed(where Formula) (texts []string, ok bool) {
	switch {
	case c.Stored():
		return booleans, c.TypeOID == pgvalue.Bool
	case c.computation.void:
		return nil, true
	case c.computation.results != nil:
		return c.resulting(where)
	case c.TypeOID == pgvalue.Bool:
		return booleans, true
	}
	if c.computation.texts == nil {
		if texts, ok := c.stepped(); ok {
			return texts, true
		}
		return c.ofCounts()
	}
	return c.computation.texts, true
}

var booleans = []string{"f", "t"}

// resulting are the results of a CASE, if all of them are known.
func (c *Column) resulting(where Formula) (texts []string, ok bool) {
	texts = []string{}
	for _, r := range c.computation.results {
		switch {
		case r.isVoid():
		case r.column == nil && r.untold:
			return nil, false
		case r.column == nil:
			texts = append(texts, r.constant.Text)
		default:
			values, ok := r.column.Known(where)
			if !ok {
				return nil, false
			}
			for _, v := range values {
				if !v.Null {
					texts = append(texts, v.Text)
				}
			}
		}
	}
	return extent.SortedTexts(texts), true
}

// maybeNull reports whether a column can be NULL in a row that meets a condition. Functions are strict.
func (c *Column) maybeNull(where Formula) bool {
	switch {
	case c.Stored() && c.NotNull, !ExtentOf(where, c).Null:
		return false
	case c.Stored() || c.computation.void:
		return true
	case c.computation.neverNull:
		return false
	case c.computation.missing:
		return true
	case c.computation.results != nil:
		return slices.ContainsFunc(c.computation.results, func(r argument) bool {
			return r.isVoid() || r.untold || r.column != nil && r.column.maybeNull(where)
		})
	}
	return slices.ContainsFunc(c.computation.parts, func(p *Column) bool { return p.maybeNull(where) })
}

// listed are the values, but NULL, to which a condition restricts a column, if they can be listed.
func (c *Column) listed(where Formula) (texts []string, ok bool) {
	if slices.ContainsFunc(c.Inputs(), func(input *Column) bool { return input.Collation != "" }) {
		return nil, false
	}
	e := c.reach(where).Intersection(c.counted())
	switch {
	case e.Any || e.Except:
		return nil, false
	case TellsTexts(c.TypeOID):
		return slices.Clone(e.Texts), len(e.Texts) <= extent.MaxKnown
	case extent.StepOf(c.TypeOID) > 0:
		return extent.Steps(c.TypeOID, e.Spans)
	}
	for _, s := range e.Spans {
		text, ok := extent.Only(c.TypeOID, s)
		if !ok || len(texts) == extent.MaxKnown {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, true
}

// fields are the values of those fields of a time that repeat: the least and the greatest.
var fields = map[string][2]int64{
	"dow": {0, 6}, "isodow": {1, 7}, "day": {1, 31}, "week": {1, 53}, "doy": {1, 366}, "month": {1, 12}, "quarter": {1, 4}, "hour": {0, 23}, "minute": {0, 59},
}

// results are the values of a function that are few, whatever its arguments are; nil of others.
func (c *Call) results(args []argument) []string {
	between := func(least, greatest int64) []string {
		texts := make([]string, 0, greatest-least+1)
		for n := least; n <= greatest; n++ {
			texts = append(texts, strconv.FormatInt(n, 10))
		}
		return texts
	}
	switch c.Function.Name {
	case "extract", "date_part":
		if f, ok := fields[scan.LowerASCII(args[0].constant.Text)]; ok && pgvalue.IsTime(args[1].oid) {
			return between(f[0], f[1])
		}
	case "width_bucket":
		if len(args) == 4 && !args[3].untold && !args[3].null {
			return between(0, integerOf(args[3])+1)
		}
	case "sign":
		return between(-1, 1)
	case "to_char":
		return timetext.Texts(args[1].constant.Text)
	}
	return nil
}
