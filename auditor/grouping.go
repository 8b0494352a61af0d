package auditor

import "tacit/auditor/internal/history"

// A grouping is groups of units: the blocks of a plan, or the cells of a workload.
type grouping struct {
	groups []group
	of     func(*unit) int32 // the group that a unit is in, or -1
	stamp  int               // of the question under way
}

type group struct {
	people       int
	stamp, asked int // people of the question with that stamp
}

// whole reports whether lists of units have all people of each group that they have people of, and returns these groups.
func (g *grouping) whole(m *model, lists ...[]int32) (touched []int, ok bool) {
	g.stamp++
	wanted := 0
	for _, units := range lists {
		for _, u := range units {
			people := m.history.People(u)
			if people == 0 {
				continue
			}
			i := g.of(&m.units[u])
			if i < 0 {
				return nil, false
			}
			group := &g.groups[i]
			if group.stamp != g.stamp {
				group.stamp, group.asked = g.stamp, 0
				wanted += group.people
				touched = append(touched, int(i))
			}
			group.asked += people
			wanted -= people
		}
	}
	return touched, wanted == 0
}

// openUnits are the units of the open pieces.
func openUnits(sh *history.Shape) [][]int32 {
	lists := make([][]int32, len(sh.Open))
	for i := range sh.Open {
		lists[i] = sh.Open[i].Units
	}
	return lists
}

// refine divides cells by bins, and returns how many cells there are. Cells are numbered in the order of units.
func refine(cells, bins []int32) int32 {
	type pair struct{ cell, bin int32 }
	number := make(map[pair]int32)
	for u := range cells {
		key := pair{cells[u], bins[u]}
		n, ok := number[key]
		if !ok {
			n = int32(len(number))
			number[key] = n
		}
		cells[u] = n
	}
	return int32(len(number))
}
