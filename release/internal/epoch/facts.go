package epoch

import (
	"fmt"
	"slices"
	"strings"

	"tacit/policy"
	"tacit/release/internal/cells"
	"tacit/rewrite/query"
)

// PublicFacts are what is public of an audited table in an epoch: which combinations of the public columns there are, how many people have
// each, and what the private column can be. They are the same for everybody until the next epoch is sealed, whatever is written into
// the table meanwhile.
type PublicFacts struct {
	// columns are the public columns, in the policy's order when the epoch was sealed.
	Columns []string
	// values are what the private column can be, in the order of the declared domain, NULL last. The set of a count has bit j for value j.
	Values []query.Value
	// tuples are the combinations, each with a value for each column in canonical form.
	Tuples [][]query.Value
	Units  []Unit
	// seals are those of the epochs so far, as texts of type xid8.
	Seals []string
	// by are the columns that tell types apart, and promise what the auditor was to protect, when the first epoch was sealed.
	By      []string
	Promise string
	// types are the values of by of each type that the auditor knows, in his order.
	Types [][]query.Value
	// place is where the rows were when the epoch was sealed.
	Place Place
}

// A Unit are the people of one tuple who came with one epoch. The auditor knows them by the unit's index.
type Unit struct {
	Tuple  int
	People int64
	// first and last are the seals that the rows are between, as query.UnitsSQL numbers them.
	First, Last int
	// gone people are no longer in the table, and in no later count.
	Gone bool
}

// LastSeal is that of the epoch.
func (f *PublicFacts) LastSeal() string { return f.Seals[len(f.Seals)-1] }

// A Projection has the tuples as far as some columns are concerned.
type Projection struct {
	// values of each column; the facts of a question.
	Values [][]query.Value
	// units of each combination, rising, and how many people they are.
	Units  [][]int32
	People []int64
}

// Project merges tuples that agree in the given columns.
func (f *PublicFacts) Project(columns []*query.Column) (*Projection, bool) {
	places := make([]int, len(columns))
	for i, c := range columns {
		if places[i] = slices.Index(f.Columns, c.Name); places[i] < 0 {
			return nil, false
		}
	}
	p := &Projection{Values: make([][]query.Value, len(columns))}
	index := make(map[string]int)
	var b strings.Builder
	key := make([]query.Value, len(columns))
	for u, unit := range f.Units {
		if unit.Gone || unit.People == 0 { // a combination that nobody has any more is none
			continue
		}
		for i, place := range places {
			key[i] = f.Tuples[unit.Tuple][place]
		}
		text := cells.CellKey(&b, key)
		fact, ok := index[text]
		if !ok {
			fact = len(p.Units)
			index[text] = fact
			p.Units, p.People = append(p.Units, nil), append(p.People, 0)
			for i := range key {
				p.Values[i] = append(p.Values[i], key[i])
			}
		}
		p.Units[fact] = append(p.Units[fact], int32(u))
		p.People[fact] += unit.People
	}
	return p, true
}

// PeopleOfTypes are how many people of each type there are.
func (f *PublicFacts) PeopleOfTypes() []int64 {
	people := make([]int64, len(f.Types))
	index := TypeIndex(f.Types)
	places := make([]int, len(f.By))
	for i, name := range f.By {
		places[i] = slices.Index(f.Columns, name)
	}
	var b strings.Builder
	by := make([]query.Value, len(places))
	for _, u := range f.Units {
		for i, place := range places {
			by[i] = f.Tuples[u.Tuple][place]
		}
		if typ, ok := index[cells.CellKey(&b, by)]; ok && !u.Gone {
			people[typ] += u.People
		}
	}
	return people
}

// Gone are all who went, before whichever epoch: whoever comes later may be one of them.
func (f *PublicFacts) Gone() (people int64) {
	for _, u := range f.Units {
		if u.Gone {
			people += u.People
		}
	}
	return people
}

// TypeIndex finds a type by the values that tell it apart. Names do not: NULL and 'NULL' have the same.
func TypeIndex(types [][]query.Value) map[string]int {
	index := make(map[string]int, len(types))
	var b strings.Builder
	for i, t := range types {
		index[cells.CellKey(&b, t)] = i
	}
	return index
}

// Clone is a copy whose units and seals can be changed.
func (f *PublicFacts) Clone() *PublicFacts {
	c := *f
	c.Units, c.Seals, c.Tuples = slices.Clone(f.Units), slices.Clone(f.Seals), slices.Clone(f.Tuples)
	return &c
}

// SealedValues are what the private column can be: NULL, if the column can be NULL, unless declared probabilities leave nothing for it.
func SealedValues(t *query.Table, prior policy.Prior) []query.Value {
	values := t.PrivateColumn().DeclaredValues()
	possible := func(t policy.PriorType) bool { return t.Null > 0 }
	if last := len(values) - 1; prior.Kind == policy.DeclaredPrior && values[last].Null && !slices.ContainsFunc(prior.Types, possible) {
		return values[:last]
	}
	return values
}

// Groups are the units with each combination of values of some columns, in the order in which these first appear.
func (f *PublicFacts) Groups(columns []string) ([][]int32, error) {
	places := make([]int, len(columns))
	for i, name := range columns {
		if places[i] = slices.Index(f.Columns, name); places[i] < 0 {
			return nil, fmt.Errorf("workload: column %q is not public", name)
		}
	}
	var sets [][]int32
	index := make(map[string]int)
	key := make([]query.Value, len(columns))
	for u, unit := range f.Units {
		for i, place := range places {
			key[i] = f.Tuples[unit.Tuple][place]
		}
		var b strings.Builder
		text := cells.CellKey(&b, key)
		set, ok := index[text]
		if !ok {
			set = len(sets)
			index[text] = set
			sets = append(sets, nil)
		}
		sets[set] = append(sets[set], int32(u))
	}
	return sets, nil
}
