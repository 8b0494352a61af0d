package query

import (
	"slices"

	"tacit/rewrite/internal/expr"
)

// Uses are the finer keys, by their places, that the cells of the query are told by: its keys and the rest are functions of these alone. Of the
// others nothing need be known.
func (d *Derivation) Uses() []int {
	var places []int
	for _, c := range slices.Concat(d.query.Keys, expr.ColumnsOf(d.Rest)) {
		if place, ok := d.places[c]; ok && d.keys[c] != "" {
			places = append(places, place)
			continue
		}
		for _, input := range c.Inputs() {
			places = append(places, d.places[input])
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// Among is the shape of a count by some of its keys, as it would be recorded.
func (s *Shape) Among(keys []int) *Shape {
	among := *s
	among.Keys, among.Columns = nil, nil
	for _, k := range keys {
		among.Keys = append(among.Keys, s.Keys[k])
	}
	for _, c := range s.Columns {
		ofKey := slices.ContainsFunc(among.Keys, func(k ShapeKey) bool { return slices.Contains(k.Inputs, c.Name) })
		if ofKey || slices.ContainsFunc(slices.Concat(s.Where, s.Filter), func(f ShapeCondition) bool { return slices.Contains(f.Columns, c.Name) }) {
			among.Columns = append(among.Columns, c)
		}
	}
	return &among
}
