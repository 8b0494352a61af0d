package disclosure

import (
	"math/rand/v2"
	"os"
	"testing"

	"tacit/examples/papers/internal/utility"
)

// village is a small made-up excerpt: 400 persons, most of them of race 1, and some without an income.
func village(t testing.TB) *table {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	people := make([]person, 400)
	for i := range people {
		people[i] = person{race: min(rng.IntN(9), rng.IntN(9), rng.IntN(9)), sex: rng.IntN(2), tenure: rng.IntN(3), income: rng.IntN(100_000)}
		if i%7 == 0 {
			people[i].decile = none
		}
	}
	cells, err := newTable(people, raceFeature, sexFeature, tenureFeature, earnerFeature(asRich))
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// study of an excerpt, if the files are there.
func realStudy(t testing.TB, e excerpt) *study {
	t.Helper()
	dir := os.Getenv("DATA")
	if dir == "" {
		t.Skip("needs the excerpts: set DATA to the directory that has acs_excerpt_ma2019.csv")
	}
	s, err := newStudy(e, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// counted is a table with given counts of race by sex.
func counted(t testing.TB, counts ...int64) *table {
	t.Helper()
	var people []person
	for cell, n := range counts {
		for range n {
			people = append(people, person{race: cell / 2, sex: cell % 2})
		}
	}
	races := feature{utility.Variable{Name: race, Levels: numbered(1, len(counts)/2)}, raceFeature.level}
	cells, err := newTable(people, races, sexFeature)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}
