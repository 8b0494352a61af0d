package seal

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tacit/accountant/ledger"
	"tacit/auditor"
	"tacit/policy"
	"tacit/release/curator"
	"tacit/release/internal/epoch"
	"tacit/release/internal/live"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// A Plan is a certified plan that was found for an audited table. It is made of public facts alone, but for what says whether the prior fits.
type Plan struct {
	Table  policy.TableName
	People int64
	// Columns are divided, each as the policy would say it; those that are not divided are left out.
	Columns []PlannedColumn
	// Blocks of the plan, and the people of the smallest.
	Blocks   int
	Smallest int64
	// Risk is what sealing the table would charge for it, and Share the most that it may be.
	Risk, Share policy.Risk
	// Workload is about what sealing charges for the groupings that the policy declares, out of the same share; the plan has the rest of it.
	Workload  policy.Risk
	Groupings [][]string
	// Fit says whether the prior fits the table, and Instead is a prior that fits better; nil if none was found. They are for the steward alone.
	Fit, Instead *Fit
}

// A PlannedColumn is a column with its parts.
type PlannedColumn struct {
	Name string
	// YAML is the value of the column's key under certified.
	YAML string
	// Parts tells the parts in words.
	Parts string
}

// Certified is the plan as the policy has it under mechanism.certified; empty if no column is divided.
func (p *Plan) Certified() string {
	parts := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		parts[i] = yamlName(c.Name) + ": " + c.YAML
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

var plainName = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

func yamlName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return strconv.Quote(name)
}

// FindPlan finds a plan for a table of which no epoch was sealed: it has to be fixed before anything is released. Beside auditor.ErrNoPlan
// it returns what it found out about the prior.
func FindPlan(ctx context.Context, p *policy.Policy, name policy.TableName) (*Plan, error) {
	t, ok := p.Table(name)
	if !ok || t.Mechanism.Audit == nil {
		return nil, fmt.Errorf("release: %v is no audited table of the policy", name)
	}
	if t.Mechanism.Audit.Prior.Kind == policy.EstimatedPrior {
		return nil, errors.New("a plan needs priors that do not depend on noise that is yet to be drawn: publish totals, or declare probabilities")
	}
	if reader, err := ledger.OpenReadOnly(ctx, p.Ledger); err == nil {
		sealed := live.HasEpoch(ctx, reader, name)
		reader.Close()
		if sealed {
			return nil, fmt.Errorf("%v has an epoch already, and a plan has to be fixed before anything is released", name)
		}
	}
	w, err := lookAt(ctx, p, t)
	if err != nil {
		return nil, err
	}
	defer w.curator.Close()
	return w.plan(ctx)
}

// lookAt is for reading a table without a ledger. Its curator is to be closed.
func lookAt(ctx context.Context, p *policy.Policy, t *policy.Table) (*Sealing, error) {
	w := &Sealing{policy: p, Table: t}
	var err error
	if w.curator, err = curator.New(ctx, p); err != nil {
		return nil, err
	}
	if err := w.prove(ctx); err != nil {
		w.curator.Close()
		return nil, err
	}
	return w, nil
}

// plan chooses how finely each column is divided.
func (w *Sealing) plan(ctx context.Context) (*Plan, error) {
	f, counts, err := w.read(ctx)
	if err != nil {
		return nil, err
	}
	a := w.Table.Mechanism.Audit
	opening, types, err := w.opening(f)
	if err != nil {
		return nil, err
	}
	if err := w.priors(&opening, types, f, counts); err != nil {
		return nil, err
	}
	made := &Plan{Table: w.Table.Name, Share: a.Plan}
	if err := made.addFit(ctx, w, opening, f, counts); err != nil {
		return nil, err
	}
	if made.Share == 0 {
		made.Share = a.Delta / 2
	}
	if err := made.addWorkload(opening, f, a); err != nil {
		return nil, err
	}
	divisions := w.divisions(f, opening.Units)
	planning := auditor.Planning{Opening: opening, Share: made.Share - made.Workload}
	for _, d := range divisions {
		planning.Columns = append(planning.Columns, d.column)
	}
	chosen, err := planning.Choose()
	if err != nil {
		return made, err
	}
	made.describe(f, divisions, chosen)
	return made, nil
}

// addFit finds out whether the prior fits, and what would.
func (p *Plan) addFit(ctx context.Context, w *Sealing, o auditor.Opening, f *epoch.PublicFacts, counts epoch.UnitCounts) (err error) {
	if p.Fit, err = w.checkFit(ctx, o, f, counts); err == nil {
		p.Instead, err = w.instead(ctx, p.Fit, f, counts)
	}
	return err
}

// describe tells of the plan that was chosen.
func (p *Plan) describe(f *epoch.PublicFacts, divisions []division, chosen auditor.Plan) {
	p.Risk = chosen.Charge
	for i, d := range divisions {
		if how := d.how[chosen.Levels[i]]; how.YAML != "" {
			p.Columns = append(p.Columns, how)
		}
	}
	people := make(map[int32]int64)
	for u, block := range chosen.Blocks {
		people[block] += f.Units[u].People
		p.People += f.Units[u].People
	}
	p.Blocks = len(people)
	for _, n := range people {
		if p.Smallest == 0 || n < p.Smallest {
			p.Smallest = n
		}
	}
}

// addWorkload finds out what the declared groupings take of the share. The tables that are drawn when the table is sealed are others.
func (p *Plan) addWorkload(o auditor.Opening, f *epoch.PublicFacts, a *policy.Auditor) error {
	var err error
	if o.Workload, err = workloadOf(f, a, nil); err != nil || o.Workload == nil {
		return err
	}
	if _, p.Workload, err = o.Event(); errors.Is(err, auditor.ErrDelta) {
		p.Workload = policy.OneRisk
	} else if err != nil {
		return err
	}
	if p.Groupings = a.Workload; p.Workload >= p.Share {
		return fmt.Errorf("the workload risks %v, all of the %v that it and the plan may take: declare fewer groupings, or raise plan",
			p.Workload.RoundUp(reply.ShownDigits), p.Share)
	}
	return nil
}

// A division is the levels of a column, and how the policy says each.
type division struct {
	column auditor.PlanColumn
	how    []PlannedColumn
}

// divisions are the ways to divide each public column, from the coarsest to the finest.
func (w *Sealing) divisions(f *epoch.PublicFacts, units []auditor.Unit) []division {
	a := w.Table.Mechanism.Audit
	var all []division
	for place, name := range f.Columns {
		values := make([]query.Value, len(f.Units))
		for u, unit := range f.Units {
			values[u] = f.Tuples[unit.Tuple][place]
		}
		d := division{column: auditor.PlanColumn{Name: name}}
		// Where totals are published, a block with people of several types cannot be certified.
		if a.Prior.Kind != policy.TotalsPrior || !slices.Contains(a.Prior.By, name) {
			d.add(make([]int32, len(values)), PlannedColumn{Name: name})
			d.addLevels(name, a, values)
			if starts := d.addRanges(name, w.columns.PublicColumns()[place], values, units); starts {
				all = append(all, d)
				continue
			}
		}
		d.add(binsOf(values), PlannedColumn{Name: name, YAML: "values", Parts: "each value"})
		all = append(all, d)
	}
	return all
}

func (d *division) add(bins []int32, how PlannedColumn) {
	d.column.Levels = append(d.column.Levels, auditor.PlanLevel{Name: how.YAML, Bins: bins})
	d.how = append(d.how, how)
}

// addLevels adds the levels of a declared hierarchy.
func (d *division) addLevels(name string, a *policy.Auditor, values []query.Value) {
	h, ok := a.Hierarchies[name]
	if !ok {
		return
	}
	for level := 1; level <= h.Depth(); level++ {
		parts := make([]query.Value, len(values))
		for i, v := range values {
			parts[i], _ = certifiedPart(policy.Certified{Hierarchy: true, Level: level}, h, v) // fails for ranges only
		}
		d.add(binsOf(parts), PlannedColumn{Name: name, YAML: strconv.Itoa(level), Parts: fmt.Sprintf("level %d of its hierarchy", level)})
	}
}

// maxHalvings bounds how often the values of a column are divided.
const maxHalvings = 12

// addRanges adds ranges of numbers or dates; false if the column has others.
func (d *division) addRanges(name string, c *query.Column, values []query.Value, units []auditor.Unit) bool {
	dates := c.Formatted == "date"
	if !dates && !query.IsInteger(c.TypeOID) {
		return false
	}
	numbers := make([]int64, len(values))
	for i, v := range values {
		if v.Null {
			continue
		}
		n, err := ordinalOf(v.Text, dates)
		if err != nil {
			return false
		}
		numbers[i] = n
	}
	levels, starts := auditor.Halvings(numbers, units, maxHalvings)
	for i := 1; i < len(levels); i++ {
		bins := levels[i].Bins
		for u, v := range values {
			if v.Null { // a part by itself
				bins[u] = int32(len(starts[i]))
			}
		}
		d.add(bins, rangesFrom(name, starts[i], dates))
	}
	return true
}

// rangesFrom is how the policy says ranges.
func rangesFrom(name string, starts []int64, dates bool) PlannedColumn {
	texts := make([]string, len(starts))
	for i, s := range starts {
		texts[i] = strconv.FormatInt(s, 10)
		if dates {
			texts[i] = time.Unix(s*86400, 0).UTC().Format(time.DateOnly)
		}
	}
	list := strings.Join(texts, ", ")
	return PlannedColumn{Name: name, YAML: "[" + list + "]", Parts: fmt.Sprintf("%d ranges, from %s", len(starts), list)}
}

// binsOf numbers equal values alike.
func binsOf(values []query.Value) []int32 {
	index := make(map[query.Value]int32)
	bins := make([]int32, len(values))
	for i, v := range values {
		bin, ok := index[v]
		if !ok {
			bin = int32(len(index))
			index[v] = bin
		}
		bins[i] = bin
	}
	return bins
}
