package auditor

import (
	"slices"

	"tacit/auditor/internal/history"
	"tacit/auditor/modular"
	"tacit/auditor/posterior"
)

// A workloadCover tells which questions follow from a workload. Its groups are cells: the people of one type in the same sets.
type workloadCover struct {
	grouping
	kinds []int           // the type of each cell
	sets  [][]int         // rising cells of each set; of each type's, too, where totals are released
	sums  modular.Echelon // of the sets
}

// newWorkloadCover numbers the cells in the order of units. Units of nobody are in none.
func newWorkloadCover(m *model, w *Workload) *workloadCover {
	c := &workloadCover{grouping: grouping{of: func(u *unit) int32 { return u.cell }}, sums: *modular.NewEchelon()}
	cells := make([]int32, len(m.units))
	for u := range m.units {
		cells[u] = int32(m.units[u].kind)
	}
	in := make([]int32, len(m.units))
	for _, grouping := range w.Groupings {
		for _, units := range grouping {
			clear(in)
			for _, u := range units {
				in[u] = 1
			}
			refine(cells, in)
		}
	}
	number := make(map[int32]int32)
	for u := range m.units {
		people := m.history.People(int32(u))
		if people == 0 {
			continue
		}
		n, ok := number[cells[u]]
		if !ok {
			n = int32(len(c.groups))
			number[cells[u]] = n
			c.groups = append(c.groups, group{})
			c.kinds = append(c.kinds, m.units[u].kind)
		}
		m.units[u].cell = n
		c.groups[n].people += people
	}
	c.addSets(m, w)
	return c
}

func (c *workloadCover) addSets(m *model, w *Workload) {
	add := func(cells []int) {
		slices.Sort(cells)
		if cells = slices.Compact(cells); len(cells) > 0 {
			if independent, _ := c.sums.Insert(termsOf(cells), 0); independent {
				c.sets = append(c.sets, cells)
			}
		}
	}
	if m.totals {
		byType := make([][]int, len(m.priors))
		for i, kind := range c.kinds {
			byType[kind] = append(byType[kind], i)
		}
		for _, cells := range byType {
			add(cells)
		}
	}
	for _, grouping := range w.Groupings {
		for _, units := range grouping {
			var cells []int
			for _, u := range units {
				if m.history.People(u) > 0 {
					cells = append(cells, int(m.units[u].cell))
				}
			}
			add(cells)
		}
	}
}

func termsOf(cells []int) []modular.Term {
	terms := make([]modular.Term, len(cells))
	for i, c := range cells {
		terms[i] = modular.Term{Column: c, Factor: 1}
	}
	return terms
}

// follows reports whether the sum of some units follows from the sums of the workload.
func (c *workloadCover) follows(m *model, lists ...[]int32) bool {
	cells, ok := c.whole(m, lists...)
	if !ok {
		return false
	}
	slices.Sort(cells)
	_, ok = c.sums.Follows(termsOf(cells))
	return ok
}

// covers reports whether what is open of a query follows from the workload's sums: by itself, or because the whole query does and
// what is known of the rest of it comes from these sums, too.
func (c *workloadCover) covers(m *model, sh *history.Shape) bool {
	if c.follows(m, openUnits(sh)...) {
		return true
	}
	return c.follows(m, sh.Units) && !slices.ContainsFunc(sh.Units, func(u int32) bool {
		return m.history.Block(u).Marks&workloadLapsed != 0
	})
}

// sumsOf are the workload's for a table with some people of each cell having the value.
func (c *workloadCover) sumsOf(counts []int) []posterior.Sum {
	sums := make([]posterior.Sum, len(c.sets))
	for i, cells := range c.sets {
		sums[i].Set = posterior.Set{Atoms: cells, Values: posterior.True}
		for _, cell := range cells {
			sums[i].Value += counts[cell]
		}
	}
	return sums
}
