package seal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/rewrite/query"
)

// personTypes divide the people of an audited table by what is believed of them: by the public columns that the prior names.
type personTypes struct {
	types []auditor.Type
	of    []int // type of each tuple
	// by are the values of the prior's columns of each type.
	by [][]query.Value
}

// typePeople finds the type of each tuple. Priors are still to be set.
func typePeople(f *epoch.PublicFacts, prior policy.Prior) (*personTypes, error) {
	places := make([]int, len(prior.By))
	for i, name := range prior.By {
		if places[i] = slices.Index(f.Columns, name); places[i] < 0 {
			return nil, fmt.Errorf("prior: column %q is not public", name)
		}
	}
	p := &personTypes{of: make([]int, len(f.Tuples))}
	index := make(map[string]int)
	var b strings.Builder
	for i, tuple := range f.Tuples {
		by := make([]query.Value, len(places))
		for j, place := range places {
			by[j] = tuple[place]
		}
		key := cells.CellKey(&b, by)
		t, ok := index[key]
		if !ok {
			t = len(p.types)
			index[key] = t
			p.types = append(p.types, auditor.Type{Name: typeName(prior.By, by)})
			p.by = append(p.by, by)
		}
		p.of[i] = t
	}
	return p, nil
}

// TypeName tells a steward which people are of a type.
func typeName(columns []string, values []query.Value) string {
	parts := make([]string, len(columns))
	for i, v := range values {
		text := v.Text
		if v.Null {
			text = "NULL"
		}
		parts[i] = columns[i] + "=" + text
	}
	if len(parts) == 0 {
		return "everybody"
	}
	return strings.Join(parts, ", ")
}

// declare sets the priors that the policy declares. labels has for each of the prior's columns what the policy's spelling of a value is in
// canonical form.
func (p *personTypes) declare(prior policy.Prior, labels []map[string]string, values int) error {
	if prior.Interval > 0 && prior.Spread > 0 {
		return errors.New("prior: nothing is proved of an interval of rates that scatter besides, so that nothing would be answered; write an interval or a spread")
	}
	spelled := prior
	spelled.Types = make([]policy.PriorType, len(prior.Types))
	for i, t := range prior.Types {
		spelled.Types[i] = t
		spelled.Types[i].Keys = slices.Clone(t.Keys)
		for j, key := range t.Keys {
			if key != policy.AnyValue {
				spelled.Types[i].Keys[j] = labels[j][key]
			}
		}
	}
	for i := range p.types {
		declared, ok := spelled.Type(epoch.StoredValues(p.by[i]))
		if !ok {
			return fmt.Errorf("prior: there are people of type %s, for whom the policy declares no probabilities; declare them, or those of %q", p.types[i].Name, policy.AnyValue)
		}
		t := &p.types[i]
		for _, share := range declared.Probabilities {
			t.Prior = append(t.Prior, share.Float())
		}
		if len(t.Prior) < values {
			t.Prior = append(t.Prior, declared.Null.Float())
		}
		if len(t.Prior) != values {
			return fmt.Errorf("prior: %d probabilities of %d values", len(t.Prior), values)
		}
		normalise(t.Prior)
		t.Interval, t.Spread = prior.Interval.Float(), prior.Spread.Float()
	}
	return nil
}

// normalise makes up for the rounding of shares to floating point.
func normalise(prior []float64) {
	sum := 0.0
	for _, p := range prior[1:] {
		sum += p
	}
	prior[0] = max(0, 1-sum)
}

// labelsOf has the server read the spellings of a declared prior as values of its columns.
func labelsOf(ctx context.Context, s *curator.Snapshot, table *query.Table, prior policy.Prior) ([]map[string]string, error) {
	labels := make([]map[string]string, len(prior.By))
	for i, name := range prior.By {
		labels[i] = make(map[string]string)
		var written []string
		for _, t := range prior.Types {
			if key := t.Keys[i]; key != policy.AnyValue && !slices.Contains(written, key) {
				written = append(written, key)
			}
		}
		column := table.PublicColumns()[slices.IndexFunc(table.PublicColumns(), func(c *query.Column) bool { return c.Name == name })]
		canonical, err := curator.CanonicalValues(ctx, s, *column, written)
		if err != nil {
			return nil, fmt.Errorf("prior: column %q: %w", name, err)
		}
		for j, text := range written {
			labels[i][text] = canonical[j]
		}
	}
	return labels, nil
}

// totals are the numbers of people of each type with each value.
func (p *personTypes) totals(f *epoch.PublicFacts, counts epoch.UnitCounts) [][]int64 {
	totals := make([][]int64, len(p.types))
	for i := range totals {
		totals[i] = make([]int64, len(f.Values))
	}
	for u, unit := range f.Units {
		for v, n := range counts[u] {
			totals[p.of[unit.Tuple]][v] += n
		}
	}
	return totals
}

// checkLeast refuses to publish totals of types with fewer people than the policy says: of a type of one person they are her value.
func (p *personTypes) checkLeast(f *epoch.PublicFacts, least int) error {
	people := p.people(f)
	var small []string
	for i, n := range people {
		if n < int64(least) {
			small = append(small, fmt.Sprintf("%s (%d)", p.types[i].Name, n))
		}
	}
	if len(small) == 0 {
		return nil
	}
	return fmt.Errorf("prior: the totals of types that have fewer than %d people would be published, which tells much of each of them: %s; name fewer columns under by, "+
		"declare values instead, or accept types so small by least: %d", least, someOf(small), slices.Min(people))
}

// maxNamed is how many things a message lists.
const maxNamed = 10

func someOf(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return strings.Join(names[:maxNamed], "; ") + fmt.Sprintf("; and %d more", more)
	}
	return strings.Join(names, "; ")
}

// people are how many of each type there are.
func (p *personTypes) people(f *epoch.PublicFacts) []int64 {
	people := make([]int64, len(p.types))
	for _, u := range f.Units {
		people[p.of[u.Tuple]] += u.People
	}
	return people
}

// units are the auditor's.
func (p *personTypes) units(f *epoch.PublicFacts) []auditor.Unit {
	units := make([]auditor.Unit, len(f.Units))
	for i, u := range f.Units {
		units[i] = auditor.Unit{Type: p.of[u.Tuple], People: int(u.People)}
	}
	return units
}
