package paper

import (
	"fmt"
	"testing"
)

// genes is who is in figure 1: of the brown-haired people a hundred are not blue-eyed.
func genes() Table {
	return Table{2, 3, []Cell{
		{{60, 0.8}}, {{110, 0.1}}, {{60, 0.8}},
		{{60, 0.2}}, {{100, 0.5}}, {{60, 0.2}},
	}}
}

// The paper's argument, by enumeration: only {1,3,5} and {2,4,6} can be the sensitive cells.
func TestAttackFindsTheSensitiveCells(t *testing.T) {
	a := Figure1()
	if n := len(a.Tables()); n != 56*56-15 {
		t.Errorf("%d tables, want %d", n, 56*56-15) // two free cells, which add up to 5 or more
	}
	found := map[string]int{}
	for _, table := range a.Consistent() {
		found[fmt.Sprint(a.Primary(table))]++
	}
	if len(found) != 2 || found["[1 3 5]"] == 0 || found["[2 4 6]"] == 0 {
		t.Errorf("sensitive cells and their tables: %v", found)
	}
	t.Logf("sensitive cells and their tables: %v", found)
}

// What section 3 concludes: if the gene is likelier in blue-eyed blondes, {2,4,6} is likelier, and if exactly a hundred brown-haired people
// are not blue-eyed, all of them have the gene then.
func TestAttackExposesPeople(t *testing.T) {
	a := Figure1()
	people := genes()
	var of246 float64
	for _, f := range a.Findings(people) {
		if fmt.Sprint(f.Primary) == "[2 4 6]" {
			of246 = f.Probability
		}
	}
	if of246 < 0.99 {
		t.Errorf("probability of {2,4,6}: %v", of246)
	}
	if q := a.Posterior(people)[4]; q < 0.99 {
		t.Errorf("a brown-haired person without blue eyes has the gene with probability %v", q)
	}
	for _, table := range a.Consistent() {
		if fmt.Sprint(a.Primary(table)) == "[2 4 6]" && people.Probability(table) > 0 && table[4] != 100 {
			t.Errorf("a table of a hundred people with %d", table[4])
		}
	}
}
