package noisy

import (
	"slices"

	"tacit/release/internal/passing"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

// Sources are releases that a question follows from: those first of which the fewest cells would be added up, and of equally many the oldest. Where there
// are very many, the index leaves out those with the most cells.
func (p *QueryPlan) Sources(x *sources.Index, q *Question) []sources.Origin {
	kind, asked, ok := p.Sought(q)
	if !ok {
		return nil
	}
	passing := p.Passing(asked)
	var origins []sources.Origin
	for _, r := range x.Find(kind, asked, p.since, passing) {
		if derivation, ok := p.Follows(q, r); ok {
			origins = append(origins, sources.Origin{Recorded: r, Derivation: derivation, Passing: passing(r)})
		}
	}
	return origins
}

// Passing tells how many cells of a release pass the conditions of a question, at most.
func (p *QueryPlan) Passing(asked *query.Shape) func(*sources.Recorded) int {
	type sized struct {
		column string
		size   int
	}
	known := make(map[sized]int)
	return func(r *sources.Recorded) int {
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
					known[column] = passing.Conditions(p.Terms, name, asked, size)
				}
				if most *= known[column]; most >= r.Kept.Cells {
					return r.Kept.Cells
				}
			}
		}
		return most
	}
}
