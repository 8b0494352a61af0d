package query

import (
	"slices"

	"tacit/rewrite/internal/expr"
)

// LeftOut names the columns whose rows may be missing from a derived count though the count itself would have them: those whose value is not
// among the declared ones lie in no cell of the finer release, and so in no sum of its cells. It is empty if there can be none: if
// each cell of the query is one finer cell, if WHERE and FILTER let no other values pass, or if the type has no others.
//
// A row that has an undeclared value in a key of the query itself is in no cell of either.
func (d *Derivation) LeftOut() []string {
	var names []string
	for place, k := range d.shape.Keys {
		if d.isKey(place) {
			continue
		}
		for _, name := range k.Inputs {
			c := d.query.Table.Column(name)
			if !slices.Contains(names, name) && !slices.Contains(d.query.Keys, c) && !d.holds(k, c) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// holds reports whether the finer cells have all rows that count, whatever their values of a column are from which a finer key is computed. Of a
// column without declared values the cells have those that can be, and NULL unless it is never NULL. As NULL count values beyond the guards of
// functions.
func (d *Derivation) holds(k ShapeKey, c *expr.Column) bool {
	switch {
	case c.Declared():
		return c.Declares(expr.ExtentOf(expr.All(d.conditions), c))
	case k.Stored:
		_, known := c.Known(expr.All(d.conditions))
		return known
	}
	return !c.NotNull
}

// isKey reports whether a finer key is one of the query's.
func (d *Derivation) isKey(place int) bool {
	return slices.ContainsFunc(d.query.Keys, func(k *expr.Column) bool {
		at, ok := d.places[k]
		return ok && at == place
	})
}
