package noisy

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tacit/policy"
	"tacit/release/internal/sources"
	"tacit/rewrite/query"
)

func originsOf(passing ...int) (origins []Origin) {
	for i, n := range passing {
		origins = append(origins, Origin{Recorded: &sources.Recorded{ID: int64(i + 1)}, Passing: n})
	}
	return origins
}

// A release of one cell is not kept out by eight of six, whether it comes before them or after.
func TestChooseKeepsTheFewestCells(t *testing.T) {
	for _, passing := range [][]int{{1, 6, 6, 6, 6, 6, 6, 6, 6}, {6, 6, 6, 6, 6, 6, 6, 6, 1}} {
		if chosen := choose(originsOf(passing...)); len(chosen) != maxMapped || !slices.ContainsFunc(chosen, func(o Origin) bool { return o.Passing == 1 }) {
			t.Errorf("of %v: %v", passing, chosen)
		}
	}
}

// What is recorded later changes the releases that are chosen only if the mean of all is clearly better.
func TestChosenStay(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	changes := 0
	for range 200 {
		var passing []int
		var before []Origin
		for range 40 {
			passing = append(passing, 1+random.IntN(200))
			chosen := choose(originsOf(passing...))
			if len(before) == maxMapped && !slices.EqualFunc(before, chosen, func(a, b Origin) bool { return a.ID == b.ID }) {
				changes++
				if variance(chosen) >= 0.95*0.95*variance(before) {
					t.Fatalf("%v: the variance goes from %v to %v", passing, variance(before), variance(chosen))
				}
			}
			before = chosen
		}
	}
	if changes < 200 {
		t.Errorf("%d changes", changes)
	}
}

// Releases that do not follow after all do not keep out others, whatever is made of them, and no more than mostTried are tried.
func TestOriginsThatDoNotFollow(t *testing.T) {
	tried := 0
	from := func(follows func(id int64) bool) mapper {
		tried = 0
		return func(o Origin) (following, bool, error) {
			tried++
			return following{o, nil, []int{o.Passing}}, follows(o.ID), nil
		}
	}
	ids := func(found []following) (ids []int64) {
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		return ids
	}
	nine := originsOf(2, 2, 2, 2, 2, 2, 2, 2, 2)
	ninth := func(id int64) bool { return id == 9 }
	if found, err := from(ninth).chosen(nine); err != nil || !slices.Equal(ids(found), []int64{9}) {
		t.Errorf("for a mean: %v, error %v", ids(found), err)
	}
	if found, err := from(ninth).first(nine); err != nil || !slices.Equal(ids(found), []int64{9}) {
		t.Errorf("of one: %v, error %v", ids(found), err)
	}
	for _, find := range []func(mapper) ([]following, error){
		func(m mapper) ([]following, error) { return m.chosen(originsOf(slices.Repeat([]int{2}, 100)...)) },
		func(m mapper) ([]following, error) { return m.first(originsOf(slices.Repeat([]int{2}, 100)...)) },
	} {
		if found, err := find(from(func(int64) bool { return false })); err != nil || len(found) > 0 || tried != mostTried {
			t.Errorf("where none follows: %v, error %v, after %d", found, err, tried)
		}
		if found, err := find(from(func(id int64) bool { return id%3 == 0 })); err != nil || len(found) != maxMapped {
			t.Errorf("where each third follows: %v, error %v", ids(found), err)
		}
	}
}

// How many cells pass is told for each release by its own sizes, in whatever order they are looked at.
func TestPassingOfSizes(t *testing.T) {
	sized := func(n int) *sources.Recorded {
		return &sources.Recorded{Kept: &sources.Parsed{
			Derivable: sources.Derivable{Cells: 1000, Values: map[string]int{"age": n}},
			Shape:     &query.Shape{Keys: []query.ShapeKey{{Inputs: []string{"age"}, Stored: true}}},
		}}
	}
	p := &QueryPlan{Terms: &policy.Table{}}
	for _, sizes := range [][]int{{10, 100}, {100, 10}} {
		passing := p.Passing(&query.Shape{})
		for _, n := range sizes {
			if got := passing(sized(n)); got != n {
				t.Errorf("sizes %v: %d cells of %d pass", sizes, got, n)
			}
		}
	}
}

// variance is that of the mean with the least, in units of a cell's.
func variance(chosen []Origin) float64 {
	sum := 0.0
	for _, o := range chosen {
		sum += 1 / float64(o.Passing)
	}
	return 1 / sum
}
