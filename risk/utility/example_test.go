package utility_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"tacit/mechanisms"
	"tacit/policy"
	"tacit/risk/utility"
)

// Counts below 6 are shown as 3, as in the papers.
func Example() {
	h, err := utility.NewHistogram(utility.Domain{
		{Name: "hair", Levels: []string{"black", "brown", "blond"}},
		{Name: "eye", Levels: []string{"brown", "blue"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range []struct {
		hair, eye string
		persons   float64
	}{{"black", "brown", 7}, {"black", "blue", 1}, {"brown", "brown", 11}, {"brown", "blue", 8}, {"blond", "brown", 1}, {"blond", "blue", 9}} {
		if err := h.Add(row.persons, row.hair, row.eye); err != nil {
			log.Fatal(err)
		}
	}
	counts, err := h.Integers()
	if err != nil {
		log.Fatal(err)
	}
	m, err := mechanisms.New(mechanisms.Config{Kind: policy.Suppression, K: 6, Fill: policy.Fill{Kind: policy.FillHalf}, Adjacency: policy.AddRemove, Sensitivity: 1, PerCell: 1, Random: rand.Reader})
	if err != nil {
		log.Fatal(err)
	}
	cells, err := m.Sanitize(mechanisms.Histogram{Counts: counts})
	if err != nil {
		log.Fatal(err)
	}
	shown, err := h.Sanitized(cells, 0) // none is withheld: 6/2 is shown instead
	if err != nil {
		log.Fatal(err)
	}

	errors, err := utility.Compare(h.Counts, shown.Counts)
	if err != nil {
		log.Fatal(err)
	}
	tvd, err := utility.MarginalTVDs(h, shown, 2)
	if err != nil {
		log.Fatal(err)
	}
	uniques, err := utility.CountUniqueMatches(counts, cells)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("l1 error: %v persons\n", errors.L1)
	fmt.Printf("distance of hair, eye, and both: %.3f, %.3f, %.3f\n", tvd[0][0].TVD, tvd[0][1].TVD, tvd[1][0].TVD)
	fmt.Printf("of %v uniques, shown as 1: %v, as 1 or more: %v\n", uniques.Uniques, uniques.AsOne, uniques.OneOrMore)
	// Output:
	// l1 error: 4 persons
	// distance of hair, eye, and both: 0.050, 0.001, 0.092
	// of 2 uniques, shown as 1: 0, as 1 or more: 2
}
