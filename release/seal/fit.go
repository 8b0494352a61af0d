package seal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tacit/auditor"
	"tacit/auditor/posterior"
	"tacit/policy"
	"tacit/release/internal/epoch"
)

// Whether a prior fits is asked of the table itself, before the first epoch, for the steward alone: the auditor is started in memory,
// one grouping by public columns is asked of it, and what it releases is answered with the true counts. If that raises the alarm, so will the
// first analyst who asks for the grouping, and the table is closed for good. Nothing of it is recorded, charged or shown to analysts. What the
// steward's choice of a prior tells them stands in docs/auditor.md.

// A Fit is what becomes of groupings under a prior.
type Fit struct {
	// By are the prior's columns, and Types how many types these make, the smallest of so many people.
	By       []string
	Types    int
	Smallest int64
	// Tried are the groupings by one and by two public columns, as far as they have at most mostGroups groups.
	Tried int
	// Alarms are the columns of those whose answers raise the alarm, those of one column first, and Alarm what the first says.
	Alarms [][]string
	Alarm  string
	// Suppressed is how many of all counts are suppressed.
	Suppressed, Counts int
}

// mostGroups bounds the groups of a grouping that is tried: finer ones would take long, and are suppressed for the most part.
const mostGroups = 150

// mostColumns bounds the columns of a prior that is proposed.
const mostColumns = 3

// String is one sentence.
func (f *Fit) String() string {
	by := "by: [" + strings.Join(f.By, ", ") + "]"
	if len(f.Alarms) == 0 {
		return fmt.Sprintf("%s fits: none of %d groupings by one or two columns raises an alarm", by, f.Tried)
	}
	return fmt.Sprintf("an alarm is nearly certain with %s: %d of %d groupings raise it, GROUP BY %s for one", by, len(f.Alarms), f.Tried,
		strings.Join(f.Alarms[0], ", "))
}

// A MisfitError is returned when a table is to be sealed with a prior that does not fit it. It is for the steward alone.
type MisfitError struct {
	Table policy.TableName
	Fit   *Fit
}

func (e *MisfitError) Error() string {
	return fmt.Sprintf("sealing %v: %v. An alarm closes the table for good; `tacit plan` looks for a prior that fits, and --despite-misfit seals all the same", e.Table, e.Fit)
}

// groupings are those by one public column and by two, with their sets of units.
func groupings(f *epoch.PublicFacts) (columns [][]string, sets [][][]int32, err error) {
	for size := 1; size <= 2; size++ {
		for _, by := range subsets(f.Columns, size) {
			groups, err := f.Groups(by)
			if err != nil {
				return nil, nil, err
			}
			if len(groups) > 1 && len(groups) <= mostGroups {
				columns, sets = append(columns, by), append(sets, groups)
			}
		}
	}
	return columns, sets, nil
}

// subsets are those of a size, in the order of the columns.
func subsets(columns []string, size int) (all [][]string) {
	if size == 0 {
		return [][]string{nil}
	}
	for i := range columns {
		for _, rest := range subsets(columns[i+1:], size-1) {
			all = append(all, append([]string{columns[i]}, rest...))
		}
	}
	return all
}

// fit tries all groupings under an opening. From more than most alarms on it stops: then the prior is worse than another.
func fit(ctx context.Context, o auditor.Opening, f *epoch.PublicFacts, counts epoch.UnitCounts, most int) (*Fit, error) {
	o.Plan, o.Workload = nil, nil
	event, _, err := o.Event()
	if err != nil {
		return nil, err
	}
	columns, sets, err := groupings(f)
	if err != nil {
		return nil, err
	}
	result := &Fit{By: f.By, Types: len(o.Types), Tried: len(columns)}
	people := make([]int64, len(o.Types))
	for _, u := range o.Units {
		people[u.Type] += int64(u.People)
	}
	result.Smallest = slices.Min(people)
	for i, groups := range sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		alarm, err := result.try(event, &o, groups, counts)
		if err != nil {
			return nil, err
		}
		if alarm == "" {
			continue
		}
		result.Alarms, result.Alarm = append(result.Alarms, columns[i]), cmp.Or(result.Alarm, alarm)
		if len(result.Alarms) > most {
			break
		}
	}
	return result, nil
}

// try asks for one grouping, and returns the alarm that comes of it.
func (r *Fit) try(opened auditor.Event, o *auditor.Opening, groups [][]int32, counts epoch.UnitCounts) (alarm string, err error) {
	state, err := auditor.Restore([]auditor.Event{opened})
	if err != nil {
		return "", err
	}
	queries := make([]auditor.Query, len(groups))
	for i, units := range groups {
		queries[i] = auditor.Query{Units: units, Values: askedValues(o.Values)}
	}
	decisions, err := simulate(state, queries, auditor.Left{Table: o.Delta, Analyst: o.Delta}, counts)
	for _, d := range decisions {
		r.Counts++
		if d.Outcome == auditor.Suppressed {
			r.Suppressed++
		}
	}
	return state.Alarm(), err
}

// askedValues are all values but the first, whose count follows from the size of the group.
func askedValues(values int) []posterior.ValueSet {
	var sets []posterior.ValueSet
	for v := 1; v < values; v++ {
		sets = append(sets, 1<<v)
	}
	return sets
}

// simulate asks a statement of a state that nothing else uses, with the true counts, and returns what became of each query.
func simulate(state *auditor.State, queries []auditor.Query, left auditor.Left, counts epoch.UnitCounts) ([]auditor.Decision, error) {
	statement, err := state.Begin(queries, left, [32]byte{})
	if err != nil {
		return nil, err
	}
	decisions := make([]auditor.Decision, len(queries))
	for round, ok := statement.Next(); ok; round, ok = statement.Next() {
		for _, d := range round.Decisions {
			decisions[d.Query] = d
		}
		answers := make([]int64, len(round.Open))
		for i, opened := range round.Open {
			answers[i] = counts.Sum(queries[opened.Query].Units, queries[opened.Query].Values[opened.Set])
		}
		if _, err := statement.Answer(answers); err != nil {
			return nil, err
		}
	}
	return decisions, nil
}

// checkFit tries the groupings under the prior that the policy has.
func (w *Sealing) checkFit(ctx context.Context, o auditor.Opening, f *epoch.PublicFacts, counts epoch.UnitCounts) (*Fit, error) {
	return fit(ctx, o, f, counts, len(f.Columns)*len(f.Columns))
}

// instead is the prior with published totals that raises the fewest alarms, the coarsest of these, among those by at most mostColumns columns
// whose types have at least as many people as the policy says. nil if none raises fewer than the policy's own.
func (w *Sealing) instead(ctx context.Context, own *Fit, f *epoch.PublicFacts, counts epoch.UnitCounts) (*Fit, error) {
	prior := w.Table.Mechanism.Audit.Prior
	if prior.Kind != policy.TotalsPrior || len(own.Alarms) == 0 {
		return nil, nil
	}
	candidates, err := w.candidates(f)
	if err != nil {
		return nil, err
	}
	var best *Fit
	least := len(own.Alarms)
	for _, c := range candidates {
		if slices.Equal(c.facts.By, own.By) {
			continue
		}
		o := auditor.Opening{Config: auditorConfig(w.Table.Mechanism.Audit, len(f.Values)), Units: c.types.units(f), Totals: c.types.totals(f, counts)}
		o.Types = c.types.types
		for i := range o.Types {
			o.Types[i].Prior = uniform(len(f.Values))
		}
		tried, err := fit(ctx, o, c.facts, counts, least-1)
		if err != nil {
			return nil, err
		}
		if len(tried.Alarms) < least {
			best, least = tried, len(tried.Alarms)
		}
		if least == 0 {
			break
		}
	}
	return best, nil
}

// A candidate is another choice of the prior's columns.
type candidate struct {
	facts *epoch.PublicFacts
	types *personTypes
}

// candidates are in the order of how many types they make.
func (w *Sealing) candidates(f *epoch.PublicFacts) ([]candidate, error) {
	var all []candidate
	for size := 0; size <= mostColumns; size++ {
		for _, by := range subsets(f.Columns, size) {
			types, err := typePeople(f, policy.Prior{By: by})
			if err != nil {
				return nil, err
			}
			if slices.Min(types.people(f)) < int64(w.Table.Mechanism.Audit.Prior.Least) {
				continue
			}
			facts := *f
			facts.By = by
			all = append(all, candidate{&facts, types})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return len(a.types.types) - len(b.types.types) })
	return all, nil
}
