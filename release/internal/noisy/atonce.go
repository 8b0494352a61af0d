package noisy

import (
	"cmp"
	"math/big"
	"slices"

	"tacit/release/internal/cells"
	"tacit/release/internal/reply"
	"tacit/rewrite/query"
)

// What is said of a count by itself does not hold for one that was chosen for its size, nor for a total. Here it is found what holds for all
// counts of a statement at once, and for its totals. Nothing in it depends on rows but through what was released: the cells that passed a
// threshold.

// atOnce bounds the errors of all counts of a statement at once; nil if the statement does not choose by counts, or has one.
func (a *Statement) atOnce(questions []*Question) *reply.AtOnce {
	counts, chooses := 0, false
	for _, p := range a.Plans {
		if p.beyondOf != nil {
			continue
		}
		chooses = chooses || p.Query.ChoosesByCount
		counts += len(p.shownCountQuestions()) * p.cellsShown()
	}
	if !chooses || counts < 2 {
		return nil
	}
	all := &reply.AtOnce{Counts: counts, Known: true}
	for _, q := range questions {
		if !q.counts() {
			continue
		}
		w, ok := q.within(counts)
		if q.selects {
			w, ok = q.Mechanism.SelectedWithin()
		}
		all.HalfWidth95, all.Known = max(all.HalfWidth95, w), all.Known && ok
	}
	return all
}

// cellsShown is how many cells there are, at most before they are settled; of those that a threshold selects, 0 before it was drawn.
func (p *QueryPlan) cellsShown() int {
	if r := p.Questions[0].Released; r != nil {
		return r.Cells()
	}
	return p.Cells
}

// valuesShown is how many values a key has in the cells, at most before they are settled.
func (p *QueryPlan) valuesShown(k int) int {
	keys := p.Keys
	if r := p.Questions[0].Released; r != nil {
		keys = r.Keys
	}
	if keys == nil {
		return cells.DomainSize(p.Query.Keys[k])
	}
	seen := make(map[query.Value]bool)
	for _, v := range keys[k] {
		seen[v] = true
	}
	return len(seen)
}

// shownQuestions are those whose counts the statement has.
func (p *QueryPlan) shownQuestions() []*Question {
	var shown []*Question
	for _, i := range p.Shown {
		shown = append(shown, p.Questions[i])
	}
	return shown
}

// counts says that a question is about numbers of rows or persons.
func (q *Question) counts() bool { return q.Count.Measure == nil && q.choice == nil }

// shownCountQuestions are those of them that are neither sums of numbers nor values.
func (p *QueryPlan) shownCountQuestions() []*Question {
	return slices.DeleteFunc(p.shownQuestions(), func(q *Question) bool { return !q.counts() })
}

// within bounds the errors of so many counts of a question at once, each a noisy one or a sum of such.
func (q *Question) within(counts int) (w int64, ok bool) {
	if q.derived != nil && q.derived.rowsOf != nil {
		return q.rowsWithin(big.NewRat(1, 20*int64(counts)))
	}
	if d := cmp.Or(q.derived, q.expected); d != nil && d.measured != nil {
		return d.measured.MostWithin(0.05/float64(counts)) + d.measured.Moved, !d.measured.Fitted || q.derived != nil
	}
	if q.derived != nil && q.derived.mean != nil {
		return q.derived.mean.MostWithin(big.NewRat(1, 20*int64(counts)))
	}
	if d := cmp.Or(q.derived, q.expected); d != nil {
		return q.Mechanism.SumsWithin95(d.added, counts)
	}
	w, ok = q.Mechanism.AllWithin95(counts)
	return q.clippedWidth(w), ok
}

// totals say how exact the totals of a plan are that add up cells; nil if it has none. Where cells are missing from them nothing bounds the error.
func (p *QueryPlan) totals() *reply.Totals {
	if !p.Query.Totals || p.Margins != nil {
		return nil
	}
	t := &reply.Totals{Missing: p.ByThreshold}
	if t.Missing || p.Query.GroupingSets == nil {
		return t
	}
	most, totals := p.addedUp()
	if !p.Query.ChoosesByCount {
		totals = 1
	}
	for _, q := range p.shownCountQuestions() {
		if d := cmp.Or(q.derived, q.expected); d != nil && d.measured != nil {
			return &reply.Totals{} // cells of one measurement have errors that are not independent
		}
		added := most
		if d := cmp.Or(q.derived, q.expected); d != nil {
			added *= d.added
		}
		w, ok := q.Mechanism.SumsWithin95(added, totals)
		if q.derived != nil && q.derived.mean != nil {
			w, ok = q.derived.mean.TotalWithin(most, big.NewRat(1, 20*int64(totals)))
		}
		if !ok {
			return &reply.Totals{}
		}
		t.Cells, t.HalfWidth95 = max(t.Cells, added), max(t.HalfWidth95, w)
	}
	return t
}

// addedUp is how many cells a total adds up at most, and how many totals there are: of a grouping set, no more cells agree in its keys than the
// other keys have combinations of values, and there are no more totals than its keys have.
func (p *QueryPlan) addedUp() (added, totals int) {
	values := make([]int, len(p.Query.Keys))
	for k := range values {
		values[k] = max(1, p.valuesShown(k))
	}
	product := func(in func(k int) bool) int {
		n := 1
		for k := range values {
			if in(k) {
				n = min(p.cellsShown(), n*values[k])
			}
		}
		return n
	}
	for _, set := range p.Query.GroupingSets {
		kept := make(map[int]bool, len(set))
		for _, k := range set {
			kept[k] = true
		}
		added = max(added, product(func(k int) bool { return !kept[k] }))
		totals += product(func(k int) bool { return kept[k] })
	}
	return max(1, added), max(1, totals)
}
