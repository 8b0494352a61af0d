package cells

import (
	"crypto/sha256"
	"slices"

	"tacit/rewrite/query"
)

// This file says by what a release is found that a question may follow from, and adds up its cells.

// KeyInputs are the columns that the keys of a shape are made of, sorted.
func KeyInputs(s *query.Shape) []string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Inputs...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// ConditionsBeyond are the conditions of a shape that are made of other columns than the given ones, too, as one text.
func ConditionsBeyond(columns []string, s *query.Shape) string {
	var texts []string
	for _, conditions := range [][]query.ShapeCondition{s.Where, s.Filter} {
		for _, c := range conditions {
			if slices.ContainsFunc(c.Columns, func(name string) bool { return !slices.Contains(columns, name) }) {
				texts = append(texts, c.Text)
			}
		}
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) == 0 {
		return ""
	}
	sum := sha256.Sum256([]byte(SetText(texts)))
	return string(sum[:])
}

// AddCell adds a cell of a finer release to one of the sums. It reports whether these are int64.
func (r *Released) AddCell(i int, finer *Released, from int) (ok bool) {
	for column := range max(1, finer.Columns) {
		to := r.Column(column)
		if to[i], ok = add(to[i], finer.Column(column)[from]); !ok {
			return false
		}
	}
	return true
}

// add says whether the sum is an int64.
func add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (a^sum)&(b^sum) >= 0 // or it has the sign that both lack
}
