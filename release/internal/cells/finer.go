package cells

import (
	"crypto/sha256"
	"slices"
	"strings"

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

// A Part is a cell of a finer release that counts, with the keys of the cell that it is a part of.
type Part struct {
	Finer int
	Keys  []query.Value
}

// Group finds the parts of each of so many cells with these keys; nil unless each has some, and each part has a cell.
func Group(parts []Part, keys [][]query.Value, cellCount int) [][]int {
	index := Index(keys, cellCount)
	groups := make([][]int, cellCount)
	var b strings.Builder
	for _, c := range parts {
		i, ok := index[CellKey(&b, c.Keys)]
		if !ok {
			return nil
		}
		groups[i] = append(groups[i], c.Finer)
	}
	if slices.ContainsFunc(groups, func(group []int) bool { return len(group) == 0 }) {
		return nil
	}
	return groups
}

// AddUp adds up the cells of a finer release by groups, each to a cell of these keys, and says how many make each. It returns nil if there are no
// groups, or if a sum is no int64.
func AddUp(finer *Released, keys [][]query.Value, groups [][]int) (sums *Released, added []int) {
	sums = &Released{Keys: keys, Counts: make([]int64, len(groups)*max(1, finer.Columns)), Columns: finer.Columns}
	for i, group := range groups {
		for _, from := range group {
			if !sums.AddCell(i, finer, from) {
				return nil, nil
			}
		}
		added = append(added, len(group))
	}
	if len(added) == 0 {
		return nil, nil
	}
	return sums, added
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
