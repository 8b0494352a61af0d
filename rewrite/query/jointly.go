package query

import (
	"slices"
	"strings"

	"tacit/rewrite/internal/expr"
)

// A CountOf is one count of a query.
type CountOf struct {
	*BoundQuery
	Count
}

// Jointly is the query of which counts follow that count the same rows by different keys: it has the keys of all of them. sets are the indexes of their
// keys, each set once. ok is false if they count different rows, or something else than rows, or if nothing follows from such counts.
func Jointly(counts []CountOf) (joint *BoundQuery, sets [][]int, ok bool) {
	first := counts[0]
	joint = &BoundQuery{Table: first.Table, Counts: []Count{{}}, Where: expr.Simplify(expr.All{first.Where, first.formula()}), Digests: first.Digests}
	rows := first.rowsCounted()
	for _, c := range counts {
		if !c.hasShape(c.Count) || c.shapeAggregate(c.Count) != "count(*)" || c.Table != first.Table || c.rowsCounted() != rows {
			return nil, nil, false
		}
		for _, k := range c.Keys {
			if joint.keyLike(k) < 0 {
				joint.Keys = append(joint.Keys, k)
			}
		}
	}
	slices.SortFunc(joint.Keys, func(a, b *expr.Column) int { return strings.Compare(a.Text(), b.Text()) })
	for _, c := range counts {
		set := make([]int, len(c.Keys))
		for i, k := range c.Keys {
			set[i] = joint.keyLike(k)
		}
		slices.Sort(set)
		if !slices.ContainsFunc(sets, func(other []int) bool { return slices.Equal(other, set) }) {
			sets = append(sets, set)
		}
	}
	slices.SortFunc(sets, slices.Compare[[]int])
	return joint, sets, true
}

// rowsCounted are the conditions on the rows that are counted, as one text.
func (c CountOf) rowsCounted() string {
	where, filter := c.conditions(c.Count)
	var texts []string
	for _, f := range slices.Concat(where, filter) {
		texts = append(texts, expr.FormulaText(f))
	}
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), "\x00")
}

// keyLike is the index of the key with the text of a column, -1 if there is none.
func (q *BoundQuery) keyLike(c *expr.Column) int {
	return slices.IndexFunc(q.Keys, func(k *expr.Column) bool { return k.Text() == c.Text() })
}
