package release

import (
	"slices"
	"strings"

	"tacit/rewrite"
)

// facts are what is public of an audited table in an epoch: which combinations of the public columns there are, how many people have
// each, and what the private column can be. They are the same for everybody until the next epoch is sealed, whatever is written into
// the table meanwhile.
type facts struct {
	// columns are the public columns, in the policy's order when the epoch was sealed.
	columns []string
	// values are what the private column can be, in the order of the declared domain, NULL last. The set of a count has bit j for value j.
	values []rewrite.Value
	// tuples are the combinations, each with a value for each column in canonical form.
	tuples [][]rewrite.Value
	units  []factUnit
	// seals are those of the epochs so far, as texts of type xid8.
	seals []string
	// by are the columns that tell types apart, and promise what the auditor was to protect, when the first epoch was sealed.
	by      []string
	promise string
	// types are the values of by of each type that the auditor knows, in his order.
	types [][]rewrite.Value
	// place is where the rows were when the epoch was sealed.
	place place
}

// A factUnit are the people of one tuple who came with one epoch. The auditor knows them by the unit's index.
type factUnit struct {
	tuple  int
	people int64
	// first and last are the seals that the rows are between, as rewrite.Table.UnitsSQL numbers them.
	first, last int
	// gone people are no longer in the table, and in no later count.
	gone bool
}

// lastSeal is that of the epoch.
func (f *facts) lastSeal() string { return f.seals[len(f.seals)-1] }

// A projection are the tuples as far as some columns are concerned.
type projection struct {
	// values of each column; the facts of a question.
	values [][]rewrite.Value
	// units of each combination, rising, and how many people they are.
	units  [][]int32
	people []int64
}

// project merges tuples that agree in the given columns.
func (f *facts) project(columns []*rewrite.Column) (*projection, bool) {
	places := make([]int, len(columns))
	for i, c := range columns {
		if places[i] = slices.Index(f.columns, c.Name); places[i] < 0 {
			return nil, false
		}
	}
	p := &projection{values: make([][]rewrite.Value, len(columns))}
	index := make(map[string]int)
	var b strings.Builder
	key := make([]rewrite.Value, len(columns))
	for u, unit := range f.units {
		if unit.gone || unit.people == 0 { // a combination that nobody has any more is none
			continue
		}
		for i, place := range places {
			key[i] = f.tuples[unit.tuple][place]
		}
		text := cellKey(&b, key)
		fact, ok := index[text]
		if !ok {
			fact = len(p.units)
			index[text] = fact
			p.units, p.people = append(p.units, nil), append(p.people, 0)
			for i := range key {
				p.values[i] = append(p.values[i], key[i])
			}
		}
		p.units[fact] = append(p.units[fact], int32(u))
		p.people[fact] += unit.people
	}
	return p, true
}

// peopleOfTypes are how many people of each type there are.
func (f *facts) peopleOfTypes() []int64 {
	people := make([]int64, len(f.types))
	index := typeIndex(f.types)
	places := make([]int, len(f.by))
	for i, name := range f.by {
		places[i] = slices.Index(f.columns, name)
	}
	var b strings.Builder
	by := make([]rewrite.Value, len(places))
	for _, u := range f.units {
		for i, place := range places {
			by[i] = f.tuples[u.tuple][place]
		}
		if typ, ok := index[cellKey(&b, by)]; ok && !u.gone {
			people[typ] += u.people
		}
	}
	return people
}
