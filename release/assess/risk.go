package assess

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacit/release/internal/cells"
	"tacit/rewrite/query"
	"tacit/risk"
)

// An Attack is the homogeneity attack on the cells of a question, as package risk has it: an attacker knows all keys of a person but
// one, the sensitive attribute, whose labels are its values. Records are what the question counts.
type Attack struct {
	// None says why there is no such attack; nothing else is meant then.
	None string
	// Sensitive is the key as the question has it, and Quasi are the others.
	Sensitive string
	Quasi     []string
	// Default says that nobody named it, and it is the last key of the statement.
	Default bool
	// LabelsSeen says that its values are not declared, so that the labels are those that occur.
	LabelsSeen bool
	// Cells has as many labels as a combination of quasi-identifiers has cells, at most.
	Cells risk.Description
}

// A target is the key that an attacker is after.
type target struct {
	Attack
	query *query.BoundQuery
	key   int // of query.Keys
}

// target finds the sensitive key of the query.
func (w *assessing) target(ctx context.Context) (*target, error) {
	order := w.query.KeyOrder()
	t := &target{query: w.query, Attack: Attack{Default: w.request.Sensitive == ""}}
	if !t.Default {
		var err error
		if t.key, err = w.sensitiveKey(ctx); err != nil {
			return nil, err
		}
	} else if len(order) > 0 {
		t.key = order[len(order)-1]
	}
	switch len(w.query.Keys) {
	case 0:
		t.None = "the question has no key, by which persons could be found"
		return t, nil
	case 1:
		t.None = "the question has one key, and an attacker needs another, which she knows of a person"
		return t, nil
	}
	sensitive := w.query.Keys[t.key]
	t.Sensitive = sensitive.Text()
	for i, k := range w.query.Keys {
		if i == t.key {
			continue
		}
		t.Quasi = append(t.Quasi, k.Text())
		for _, origin := range k.Origins() {
			if slices.Contains(sensitive.Origins(), origin) {
				t.None = errKnown(sensitive.Text(), k.Text()).Error()
			}
		}
	}
	return t, nil
}

// sensitiveKey finds the key that the request names: as the question or the statement writes it.
func (w *assessing) sensitiveKey(ctx context.Context) (int, error) {
	name := w.request.Sensitive
	find := func(text string) int {
		return slices.IndexFunc(w.query.Keys, func(k *query.Column) bool { return k.Text() == text || k.Name == text })
	}
	if i := find(name); i >= 0 {
		return i, nil
	}
	if !query.IsExpression(name) {
		return 0, requestErrorf("sensitive %q is not one column or expression", name)
	}
	same, err := w.bind(ctx, fmt.Sprintf("SELECT pg_catalog.count(*) FROM %s GROUP BY (%s)", w.query.Table.Policy.Name, name))
	if err == nil && len(same) == 1 && len(same[0].Keys) == 1 {
		if i := find(same[0].Keys[0].Text()); i >= 0 {
			return i, nil
		}
	}
	var keys []string
	for _, k := range w.query.Keys {
		keys = append(keys, k.Text())
	}
	if keys == nil {
		return 0, requestErrorf("sensitive %q is not a key of the statement, which has none", name)
	}
	return 0, requestErrorf("sensitive %q is not a key of the statement, whose keys are %s", name, strings.Join(keys, "; "))
}

// An attack is one on the true counts of a question.
type attack struct {
	Attack
	// groups are the cells of each combination of quasi-identifiers that somebody has.
	groups [][]int
	// tables have the groups by their number of labels, which differs where a filter leaves some out.
	tables []describedTable
}

type describedTable struct {
	*risk.Table
	risk.Description
}

// on sorts the cells into groups.
func (t *target) on(all *assessedCells, c *trueCells) *attack {
	a := &attack{Attack: t.Attack}
	switch {
	case a.None != "":
		return a
	case c.byThreshold && !c.selects:
		a.None = "these counts are shown where the number of persons passes a threshold; the risk is that of the count of persons"
		return a
	}
	labels := 0 // as many as the group has cells
	if a.LabelsSeen = all.labelsSeen; c.byThreshold {
		labels, a.LabelsSeen = t.labels(all.keys)
	}
	byLabels := make(map[int][][]int64)
	for _, group := range groupsBut(t.key, all.keys, len(c.Counts)) {
		counts, records := make([]int64, max(labels, len(group))), int64(0)
		for i, cell := range group {
			counts[i] = c.Counts[cell]
			records += counts[i]
		}
		if records > 0 {
			a.groups = append(a.groups, group)
			byLabels[len(counts)] = append(byLabels[len(counts)], counts)
		}
	}
	for labels, cells := range byLabels {
		table, err := risk.NewTable(labels, cells)
		if err != nil {
			a.None = err.Error()
			return a
		}
		a.tables = append(a.tables, describedTable{table, table.Describe()})
	}
	slices.SortFunc(a.tables, func(x, y describedTable) int { return x.Table.Labels - y.Table.Labels })
	a.Cells = describeAll(a.tables)
	return a
}

// labels are how many values the sensitive key can have, where a threshold decides about cells: those that are declared, or that occur.
func (t *target) labels(keys [][]query.Value) (labels int, seen bool) {
	if k := t.query.Keys[t.key]; k.Domain != nil {
		return cells.DomainSize(k), false
	}
	occur := make(map[query.Value]bool)
	for _, v := range keys[t.key] {
		occur[v] = true
	}
	return len(occur), true
}

// groupsBut are the cells that agree in all keys but one, in the order of their first cells.
func groupsBut(but int, keys [][]query.Value, cellCount int) [][]int {
	var groups [][]int
	var b strings.Builder
	index := make(map[string]int)
	values := make([]query.Value, 0, len(keys))
	for cell := range cellCount {
		values = values[:0]
		for k, column := range keys {
			if k != but {
				values = append(values, column[cell])
			}
		}
		key := cells.CellKey(&b, values)
		group, known := index[key]
		if !known {
			group = len(groups)
			index[key], groups = group, append(groups, nil)
		}
		groups[group] = append(groups[group], cell)
	}
	return groups
}

// describeAll describes several tables as one.
func describeAll(tables []describedTable) risk.Description {
	var all risk.Description
	for i, t := range tables {
		d := t.Description
		for _, pair := range []struct{ sum, part *risk.Group }{
			{&all.All, &d.All}, {&all.Homogeneous, &d.Homogeneous}, {&all.Heterogeneous, &d.Heterogeneous}, {&all.Unique, &d.Unique},
		} {
			pair.sum.Cells += pair.part.Cells
			pair.sum.Records += pair.part.Records
		}
		if i == 0 || d.Smallest < all.Smallest {
			all.Smallest = d.Smallest
		}
		all.Labels, all.Largest = max(all.Labels, d.Labels), max(all.Largest, d.Largest)
	}
	if all.All.Cells > 0 {
		all.Mean = float64(all.All.Records) / float64(all.All.Cells)
	}
	return all
}

// risk is that of a mechanism; nil if there is no attack, or nobody to attack.
func (a *attack) risk(m madeMechanisms, c *trueCells) *Risk {
	if a.None != "" || len(a.groups) == 0 {
		return nil
	}
	survival, ok := m.counts.Survival()
	if c.selects {
		survival, ok = m.selection.SelectionSurvival()
	}
	if ok {
		return a.independent(survival)
	}
	alone, _ := m.counts.Alone(c.Histogram, a.groups)
	return a.dependent(alone, c.Counts)
}

// independent is the risk if each cell survives by itself.
func (a *attack) independent(s risk.Survival) *Risk {
	local := func(v risk.Version) (all risk.Average) {
		for _, t := range a.tables {
			of := t.Local(s, v)
			all.Unweighted += of.Unweighted * float64(t.All.Cells) / float64(a.Cells.All.Cells)
			all.Weighted += of.Weighted * float64(t.All.Records) / float64(a.Cells.All.Records)
		}
		return all
	}
	return &Risk{Event: local(risk.Event), Records: local(risk.Records)}
}

// dependent is the risk by the probabilities that each cell is shown alone of its group. It is disclosed if that cell has records.
func (a *attack) dependent(alone [][]float64, counts []int64) *Risk {
	var r Risk
	cells, records := float64(a.Cells.All.Cells), float64(a.Cells.All.Records)
	for g, group := range a.groups {
		var size, event, disclosed float64
		for i, cell := range group {
			if n := float64(counts[cell]); n > 0 {
				size += n
				event += alone[g][i]
				disclosed += n * alone[g][i]
			}
		}
		r.Event.Unweighted += event / cells
		r.Event.Weighted += event * size / records
		r.Records.Unweighted += disclosed / size / cells
		r.Records.Weighted += disclosed / records
	}
	return &r
}
