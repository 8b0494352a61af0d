package sources

import (
	"testing"

	"tacit/policy"
	"tacit/rewrite/query"
)

// How many cells pass is told for each release by its own sizes, in whatever order they are looked at.
func TestPassingOfSizes(t *testing.T) {
	sized := func(n int) *Recorded {
		return &Recorded{Kept: &Parsed{
			Derivable: Derivable{Cells: 1000, Values: map[string]int{"age": n}},
			Shape:     &query.Shape{Keys: []query.ShapeKey{{Inputs: []string{"age"}, Stored: true}}},
		}}
	}
	table := &policy.Table{}
	for _, sizes := range [][]int{{10, 100}, {100, 10}} {
		passing := Passing(table, &query.Shape{})
		for _, n := range sizes {
			if got := passing(sized(n)); got != n {
				t.Errorf("sizes %v: %d cells of %d pass", sizes, got, n)
			}
		}
	}
}
