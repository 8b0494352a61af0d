package sources

import (
	"slices"

	"tacit/policy"
	"tacit/release/internal/passing"
	"tacit/rewrite/query"
)

// Passing tells how many cells of a release pass the conditions of a question, at most.
func Passing(t *policy.Table, asked *query.Shape) func(*Recorded) int {
	type sized struct {
		column string
		size   int
	}
	known := make(map[sized]int)
	return func(r *Recorded) int {
		most := 1
		var inputs []string
		for _, k := range r.Kept.Shape.Keys {
			for _, name := range k.Inputs {
				if slices.Contains(inputs, name) {
					continue
				}
				inputs = append(inputs, name)
				size, ok := r.Kept.Values[name]
				if !ok {
					return r.Kept.Cells
				}
				column := sized{name, size}
				if _, ok := known[column]; !ok {
					known[column] = passing.Conditions(t, name, asked, size)
				}
				if most *= known[column]; most >= r.Kept.Cells {
					return r.Kept.Cells
				}
			}
		}
		return most
	}
}
