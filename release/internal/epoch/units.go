package epoch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// LastBands is for each tuple the last seal up to which its people were taken in; 0 for none.
func (f *PublicFacts) LastBands() []int {
	last := make([]int, len(f.Tuples))
	for _, u := range f.Units {
		last[u.Tuple] = max(last[u.Tuple], u.Last)
	}
	return last
}

// Divide tells how many people of each unit there are still, and how many of each tuple have not been taken in.
func (f *PublicFacts) Divide(rows []UnitRow) (here, came []int64) {
	here, came = make([]int64, len(f.Units)), make([]int64, len(f.Tuples))
	r, index := newUnitReader(f), f.TupleIndex()
	var b strings.Builder
	for _, u := range rows {
		tuple := index[cells.CellKey(&b, u.Tuple)]
		if unit, ok := r.units[unitBand{tuple, u.Band}]; ok {
			here[unit] += u.N
		} else {
			came[tuple] += u.N
		}
	}
	return here, came
}

// CheckValues refuses values that the private column was not declared to have.
func (f *PublicFacts) CheckValues(rows []UnitRow) error {
	for _, u := range rows {
		if !slices.Contains(f.Values, u.Value) {
			return errors.New("the private column has values that the policy does not declare; declare all of them, NULL by the probability of null")
		}
	}
	return nil
}

// Anchor forgets former seals, where each tuple has one unit of people who are there: then the newest seal tells them from whoever comes
// later as well as the former ones do, and it is the youngest.
func (f *PublicFacts) Anchor() {
	seen := make(map[int]bool)
	for _, u := range f.Units {
		if u.Gone {
			continue
		}
		if seen[u.Tuple] {
			return
		}
		seen[u.Tuple] = true
	}
	f.Seals = f.Seals[len(f.Seals)-1:]
	for i := range f.Units {
		f.Units[i].First, f.Units[i].Last = 1, 1
	}
}

// AddTuples adds the combinations that are new, in the order of their values.
func (f *PublicFacts) AddTuples(rows []UnitRow, limit int) error {
	index := f.TupleIndex()
	var b strings.Builder
	var found [][]query.Value
	for _, u := range rows {
		key := cells.CellKey(&b, u.Tuple)
		if _, ok := index[key]; ok {
			continue
		}
		index[key] = len(index)
		found = append(found, u.Tuple)
		if len(index) > limit {
			return fmt.Errorf("the public columns have more than limits.cells = %d combinations; raise the limit, or list fewer columns", limit)
		}
	}
	slices.SortFunc(found, func(a, b []query.Value) int {
		return slices.CompareFunc(a, b, func(v, w query.Value) int {
			return cmp.Or(cmp.Compare(cells.BoolInt(v.Null), cells.BoolInt(w.Null)), strings.Compare(v.Text, w.Text))
		})
	})
	f.Tuples = append(f.Tuples, found...)
	return nil
}

func (f *PublicFacts) TupleIndex() map[string]int {
	index := make(map[string]int, len(f.Tuples))
	var b strings.Builder
	for i, t := range f.Tuples {
		index[cells.CellKey(&b, t)] = i
	}
	return index
}

// Count are the true counts of the units. Values that the private column was not declared to have cannot be counted.
func (f *PublicFacts) Count(rows []UnitRow) (UnitCounts, error) {
	if err := f.CheckValues(rows); err != nil {
		return nil, err
	}
	r := newUnitReader(f)
	for _, u := range rows {
		if err := r.Take(u); err != nil {
			return nil, err
		}
	}
	return r.Counts, nil
}
