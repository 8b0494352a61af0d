package auditor

import (
	"cmp"
	"errors"
	"slices"

	"tacit/auditor/posterior"
	"tacit/policy"
)

// A Workload is groupings that are declared before anything about their people is released: all one-way margins of a table, say. They
// may overlap. Its certificate bounds the risk of answering any of their sets of units, and all that follows from these by sums and
// differences, in any order; it is charged once, at the opening, and these questions are then answered for ever.
//
// That holds in the parts of the table where nothing else was released: an answer that does not follow from the workload's says more of
// the people that it is linked with than the certificate reckons with. There the certificate lapses, and its charge stays. The rest goes on:
// people whom released sums do not link are independent given these, so that as far as the rest is concerned the other people might
// have been drawn anew from what the workload's answers say of them.
type Workload struct {
	// Groupings are lists of sets of units, each rising.
	Groupings [][][]int32
	// Samples is how many tables are drawn. Required. The margin for their randomness is some hundreds/Samples.
	Samples int
	// Failure is the probability that the drawn tables mislead, which is added to the risk. Required, such as 1e-6.
	Failure float64
	// Seed is the randomness of the tables. It is no secret, and must not depend on data.
	Seed [32]byte
	// Charge is the certificate in an event, so that reading a log takes no time; [Replay] computes it again. 0: it is to be computed.
	Charge policy.Risk
}

// ErrWorkload is returned when a workload is not of a Boolean attribute with declared priors that are single numbers, or totals.
var ErrWorkload = errors.New("auditor: a workload needs a Boolean attribute with declared priors or totals, without intervals, spreads and insiders")

const (
	maxSamples = 1 << 20
	// maxWorkloadSets bounds the sets: linked sums of more have no engine.
	maxWorkloadSets = 1 << 14
)

func (w *Workload) validate(o *Opening) error {
	if w.Samples < 2 || w.Samples > maxSamples || !(w.Failure > 0 && w.Failure < 1) || w.Charge < 0 || w.Charge > policy.OneRisk {
		return invalid("a workload of %d samples, with failure %v", w.Samples, w.Failure)
	}
	if o.Values != 2 || o.Insiders > 0 || o.Totals == nil &&
		slices.ContainsFunc(o.Types, func(t Type) bool { return t.Spread > 0 || t.Interval > 0 }) {
		return ErrWorkload
	}
	sets := 0
	for _, grouping := range w.Groupings {
		for _, units := range grouping {
			if sets++; sets > maxWorkloadSets {
				return invalid("a workload of more than %d sets", maxWorkloadSets)
			}
			for i, u := range units {
				if u < 0 || int(u) >= len(o.Units) || i > 0 && u <= units[i-1] {
					return invalid("units of a workload do not rise")
				}
			}
		}
	}
	if sets == 0 {
		return invalid("a workload of no sets")
	}
	return nil
}

// A cell is the people of one type in the same sets of a workload.
type cell struct {
	kind, people int // of the type kind
	mark, seen   int // people of the question under way
}

// A workloadCover says which questions follow from a workload.
type workloadCover struct {
	cells []cell
	sets  [][]int  // rising cells of each set; of each type's, too, where totals are released
	space *echelon // of the sets
}

// openWorkload finds the cells of the workload and its charge.
func (s *State) openWorkload(o *Opening) error {
	w := o.Workload
	if w == nil {
		return nil
	}
	s.workload = &workloadCover{space: newEchelon()}
	s.workload.divide(s, w)
	charge := w.Charge
	if charge == 0 {
		risk, err := s.workloadRisk(w)
		if err != nil {
			return err
		}
		charge = (&estimate{risk: risk, exact: true}).charge()
	}
	s.workloadCharge = min(charge, policy.OneRisk)
	s.charged += s.workloadCharge
	return nil
}

// divide numbers the cells in the order of units. Units of nobody are in none.
func (c *workloadCover) divide(s *State, w *Workload) {
	cells := make([]int32, len(s.units))
	for u := range s.units {
		cells[u] = int32(s.units[u].Type)
	}
	in := make([]int32, len(s.units))
	for _, grouping := range w.Groupings {
		for _, units := range grouping {
			clear(in)
			for _, u := range units {
				in[u] = 1
			}
			combine(cells, in)
		}
	}
	number := make(map[int32]int32)
	for u := range s.units {
		if s.units[u].People == 0 {
			continue
		}
		n, ok := number[cells[u]]
		if !ok {
			n = int32(len(c.cells))
			number[cells[u]] = n
			c.cells = append(c.cells, cell{kind: s.units[u].Type})
		}
		s.units[u].cell = n
		c.cells[n].people += s.units[u].People
	}
	c.addSets(s, w)
}

func (c *workloadCover) addSets(s *State, w *Workload) {
	add := func(cells []int) {
		slices.Sort(cells)
		if cells = slices.Compact(cells); len(cells) > 0 {
			if independent, _ := c.space.insert(termsOf(cells), 0); independent {
				c.sets = append(c.sets, cells)
			}
		}
	}
	if s.totals {
		byType := make([][]int, len(s.types))
		for i := range c.cells {
			byType[c.cells[i].kind] = append(byType[c.cells[i].kind], i)
		}
		for _, cells := range byType {
			add(cells)
		}
	}
	for _, grouping := range w.Groupings {
		for _, units := range grouping {
			var cells []int
			for _, u := range units {
				if s.units[u].People > 0 {
					cells = append(cells, int(s.units[u].cell))
				}
			}
			add(cells)
		}
	}
}

func termsOf(cells []int) []term {
	terms := make([]term, len(cells))
	for i, c := range cells {
		terms[i] = term{c, 1}
	}
	return terms
}

// follows says whether the sum of some units follows from the sums of the workload.
func (c *workloadCover) follows(s *State, lists ...[]int32) bool {
	s.scratch.stamp++
	stamp, wanted := s.scratch.stamp, 0
	var touched []int
	for _, units := range lists {
		for _, u := range units {
			unit := &s.units[u]
			if unit.People == 0 {
				continue
			}
			if unit.cell < 0 {
				return false
			}
			cell := &c.cells[unit.cell]
			if cell.mark != stamp {
				cell.mark, cell.seen = stamp, 0
				wanted += cell.people
				touched = append(touched, int(unit.cell))
			}
			cell.seen += unit.People
			wanted -= unit.People
		}
	}
	if wanted != 0 {
		return false
	}
	slices.SortFunc(touched, cmp.Compare)
	_, ok := c.space.follows(termsOf(touched))
	return ok
}

// workloadCovers says whether what is open of a query follows from the workload's sums: by itself, or because the whole query does and
// what is known of the rest of it comes from these sums, too.
func (s *State) workloadCovers(sh *shape) bool {
	lists := make([][]int32, len(sh.open))
	for i := range sh.open {
		lists[i] = sh.open[i].units
	}
	if s.workload.follows(s, lists...) {
		return true
	}
	return s.workload.follows(s, sh.query.Units) && !slices.ContainsFunc(sh.query.Units, func(u int32) bool {
		return s.units[u].block.lapsed&workloadCertificate != 0
	})
}

// sums are the workload's for a table with some people of each cell having the value.
func (c *workloadCover) sums(counts []int) []posterior.Sum {
	sums := make([]posterior.Sum, len(c.sets))
	for i, cells := range c.sets {
		sums[i].Set = posterior.Set{Atoms: cells, Values: posterior.True}
		for _, cell := range cells {
			sums[i].Value += counts[cell]
		}
	}
	return sums
}
