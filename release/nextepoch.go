package release

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tacit/auditor"
	"tacit/policy"
	"tacit/rewrite"
)

// next opens a further epoch. People who went stay in the model, as units that no count can name: whoever has an old and a new answer
// knows the sum of them. People who came are taken in group by group, where there are enough of them.
func (w *sealing) next(ctx context.Context, book *auditBook) (*Sealed, error) {
	name := w.table.Name
	switch {
	case !book.facts.fits(w.columns):
		return nil, fmt.Errorf("sealing %v: the policy lists other columns than when its last epoch was sealed; restore them", name)
	case book.facts.promise != promiseOf(w.table.Mechanism.Audit):
		return nil, fmt.Errorf("sealing %v: the policy's mechanism is another than when its first epoch was sealed; restore it", name)
	case len(book.facts.seals) == maxEpochs:
		return nil, fmt.Errorf("sealing %v: it has %d epochs that cannot be told apart from one, which is the most", name, maxEpochs)
	}
	if err := w.checkAlarm(book); err != nil {
		return nil, err
	}
	sealed, err := sealTable(ctx, w.curator, w.columns, book.facts)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	change, err := newChange(book, sealed, w.policy.Limits.Cells)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	if gone := change.facts.gone(); gone > 0 && change.came() > 0 && !w.request.Distinct {
		return nil, fmt.Errorf("sealing %v: %d people went, now or before earlier epochs, and %d came; if these are updates of the same people, what was released of them would "+
			"no longer hold; use --distinct if they are different people", name, gone, change.came())
	}
	change.epoch.Distinct = w.request.Distinct
	change.admit(book.state, w.table.Mechanism.Audit.Decision)
	event, risk, err := book.state.SealEvent(change.epoch)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	made := &Sealed{Table: name, Epoch: len(change.facts.seals), Combinations: len(change.facts.tuples), Pending: change.pending, Untyped: change.untyped, Risk: risk}
	if made.Epoch = book.epochs + 1; change.pending == 0 {
		change.facts.anchor()
	}
	if err := w.acknowledge(ctx, book); err != nil {
		return nil, err
	}
	if made.Left, err = w.append(ctx, event, change.facts, risk, book); err != nil {
		return nil, err
	}
	made.describeState(change.facts, book.state.Config)
	return made, nil
}

// describeState tells of the people and of what is believed of them.
func (s *Sealed) describeState(f *facts, c auditor.Config) {
	people := f.peopleOfTypes()
	for i, t := range c.Types {
		sealed := SealedType{Name: t.Name, Prior: t.Prior, People: people[i]}
		s.People += people[i]
		for _, value := range f.values {
			sealed.Values = append(sealed.Values, shownValue(value))
		}
		s.Types = append(s.Types, sealed)
	}
}

func shownValue(v rewrite.Value) string {
	if v.Null {
		return "NULL"
	}
	return v.Text
}

// errMoreRows is returned when a unit has more rows than it had, all of them written before its seal.
var errMoreRows = errors.New("there are more rows from before the last epoch than it had: they came from elsewhere with their transactions (a restored file or partition), " +
	"or their numbers came round; insert such rows anew, and keep them out until then")

// A change is what happened to a table since its last epoch.
type change struct {
	facts   *facts // of the new epoch
	epoch   auditor.Epoch
	batches []pendingBatch
	// pending people came and are not taken in.
	pending int64
	// untyped people are those among them of whose type nobody was when the first epoch was sealed, so that there is no prior for them.
	untyped int64
}

// A pendingBatch are people of one tuple who came; typ is -1 if there is no prior for them.
type pendingBatch struct {
	tuple, typ int
	people     int64
}

// newChange compares the rows that there are with the units of the last epoch.
func newChange(book *auditBook, sealed *sealedTable, limit int) (*change, error) {
	f := book.facts.clone()
	f.seals, f.place = append(f.seals, sealed.seal), sealed.place
	if err := f.addTuples(sealed.rows, limit); err != nil {
		return nil, err
	}
	if err := f.checkValues(sealed.rows); err != nil {
		return nil, err
	}
	c := &change{facts: f}
	here, came := f.divide(sealed.rows)
	for i, u := range book.facts.units {
		switch {
		case u.gone || here[i] == u.people:
			continue
		case here[i] > u.people:
			return nil, errMoreRows
		}
		gone := factUnit{tuple: u.tuple, people: u.people - here[i], first: u.first, last: u.last, gone: true}
		f.units[i].people = here[i]
		f.units = append(f.units, gone)
		c.epoch.Gone = append(c.epoch.Gone, auditor.Departure{Unit: int32(i), People: int(gone.people)})
	}
	types, err := typePeople(f, policy.Prior{By: f.by})
	if err != nil {
		return nil, err
	}
	known := typeIndex(f.types)
	var b strings.Builder
	for tuple, people := range came {
		if people > 0 {
			typ, ok := known[cellKey(&b, types.by[types.of[tuple]])]
			if !ok {
				typ = -1
			}
			c.batches = append(c.batches, pendingBatch{tuple, typ, people})
		}
	}
	return c, nil
}

// gone are all who went, before whichever epoch: whoever comes later may be one of them.
func (f *facts) gone() (people int64) {
	for _, u := range f.units {
		if u.gone {
			people += u.people
		}
	}
	return people
}

// typeIndex finds a type by the values that tell it apart. Names do not: NULL and 'NULL' have the same.
func typeIndex(types [][]rewrite.Value) map[string]int {
	index := make(map[string]int, len(types))
	var b strings.Builder
	for i, t := range types {
		index[cellKey(&b, t)] = i
	}
	return index
}

func (c *change) came() (people int64) {
	for _, b := range c.batches {
		people += b.people
	}
	return people
}

// admit takes in the batches that are large enough, by themselves or together with all others of their type.
func (c *change) admit(state *auditor.State, most policy.Risk) {
	var asked []auditor.Batch
	var of []int
	for i, b := range c.batches {
		if b.typ >= 0 {
			asked = append(asked, auditor.Batch{Units: []auditor.Unit{{Type: b.typ, People: int(b.people)}}, Merge: b.typ})
			of = append(of, i)
		}
	}
	admitted := make([]bool, len(c.batches))
	for i, ok := range state.PendingBatches(asked, most) {
		admitted[of[i]] = ok
	}
	last := c.facts.lastBands()
	for i, b := range c.batches {
		if !admitted[i] {
			if c.pending += b.people; b.typ < 0 {
				c.untyped += b.people
			}
			continue
		}
		c.epoch.Added = append(c.epoch.Added, auditor.Unit{Type: b.typ, People: int(b.people)})
		c.facts.units = append(c.facts.units, factUnit{tuple: b.tuple, people: b.people, first: last[b.tuple] + 1, last: len(c.facts.seals)})
	}
}

// clone is a copy whose units and seals can be changed.
func (f *facts) clone() *facts {
	c := *f
	c.units, c.seals, c.tuples = slices.Clone(f.units), slices.Clone(f.seals), slices.Clone(f.tuples)
	return &c
}

// lastBands is for each tuple the last seal up to which its people were taken in; 0 for none.
func (f *facts) lastBands() []int {
	last := make([]int, len(f.tuples))
	for _, u := range f.units {
		last[u.tuple] = max(last[u.tuple], u.last)
	}
	return last
}

// divide tells how many people of each unit there are still, and how many of each tuple have not been taken in.
func (f *facts) divide(rows []unitRow) (here, came []int64) {
	here, came = make([]int64, len(f.units)), make([]int64, len(f.tuples))
	r, index := newUnitReader(f), f.tupleIndex()
	var b strings.Builder
	for _, u := range rows {
		tuple := index[cellKey(&b, u.tuple)]
		if unit, ok := r.units[unitBand{tuple, u.band}]; ok {
			here[unit] += u.n
		} else {
			came[tuple] += u.n
		}
	}
	return here, came
}

// checkValues refuses values that the private column was not declared to have.
func (f *facts) checkValues(rows []unitRow) error {
	for _, u := range rows {
		if !slices.Contains(f.values, u.value) {
			return errors.New("the private column has values that the policy does not declare; declare all of them, NULL by the probability of null")
		}
	}
	return nil
}

// anchor forgets former seals, where each tuple has one unit of people who are there: then the newest seal tells them from whoever comes
// later as well as the former ones do, and it is the youngest.
func (f *facts) anchor() {
	seen := make(map[int]bool)
	for _, u := range f.units {
		if u.gone {
			continue
		}
		if seen[u.tuple] {
			return
		}
		seen[u.tuple] = true
	}
	f.seals = f.seals[len(f.seals)-1:]
	for i := range f.units {
		f.units[i].first, f.units[i].last = 1, 1
	}
}
