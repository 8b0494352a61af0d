package sources

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func originsOf(passing ...int) (origins []Origin) {
	for i, n := range passing {
		origins = append(origins, Origin{Recorded: &Recorded{ID: int64(i + 1)}, Passing: n})
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
	from := func(follows func(id int64) bool) Mapper {
		tried = 0
		return func(o Origin) (Following, bool, error) {
			tried++
			return Following{o, nil, []int{o.Passing}}, follows(o.ID), nil
		}
	}
	ids := func(found []Following) (ids []int64) {
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		return ids
	}
	nine := originsOf(2, 2, 2, 2, 2, 2, 2, 2, 2)
	ninth := func(id int64) bool { return id == 9 }
	if found, err := from(ninth).Chosen(nine); err != nil || !slices.Equal(ids(found), []int64{9}) {
		t.Errorf("for a mean: %v, error %v", ids(found), err)
	}
	if found, err := from(ninth).First(nine); err != nil || !slices.Equal(ids(found), []int64{9}) {
		t.Errorf("of one: %v, error %v", ids(found), err)
	}
	for _, find := range []func(Mapper) ([]Following, error){
		func(m Mapper) ([]Following, error) { return m.Chosen(originsOf(slices.Repeat([]int{2}, 100)...)) },
		func(m Mapper) ([]Following, error) { return m.First(originsOf(slices.Repeat([]int{2}, 100)...)) },
	} {
		if found, err := find(from(func(int64) bool { return false })); err != nil || len(found) > 0 || tried != mostTried {
			t.Errorf("where none follows: %v, error %v, after %d", found, err, tried)
		}
		if found, err := find(from(func(id int64) bool { return id%3 == 0 })); err != nil || len(found) != maxMapped {
			t.Errorf("where each third follows: %v, error %v", ids(found), err)
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
