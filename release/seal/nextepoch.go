package seal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tacit/auditor"
	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/internal/cells"
	"tacit/release/internal/epoch"
	"tacit/rewrite/query"
)

// An ExchangeError is returned if people went and others came, and the steward has not said that these are different people.
type ExchangeError struct {
	Table      policy.TableName
	Gone, Came int64
}

func (e *ExchangeError) Error() string {
	return fmt.Sprintf("sealing %v: %d people went, now or before earlier epochs, and %d came; if these are updates of the same people, what was released of them would "+
		"no longer hold; use --distinct if they are different people", e.Table, e.Gone, e.Came)
}

// next opens a further epoch. People who went stay in the model, as units that no count can name: whoever has an old and a new answer
// knows the sum of them. People who came are taken in group by group, where there are enough of them.
func (w *Sealing) next(ctx context.Context, book *audited.Book) (*Epoch, error) {
	name := w.Table.Name
	switch {
	case !book.Facts.Fits(w.columns):
		return nil, fmt.Errorf("sealing %v: the policy lists other columns than when its last epoch was sealed; restore them", name)
	case book.Facts.Promise != epoch.PromiseOf(w.Table.Mechanism.Audit):
		return nil, fmt.Errorf("sealing %v: the policy's mechanism is another than when its first epoch was sealed; restore it", name)
	case len(book.Facts.Seals) == epoch.MaxEpochs:
		return nil, fmt.Errorf("sealing %v: it has %d epochs that cannot be told apart from one, which is the most", name, epoch.MaxEpochs)
	}
	if err := w.checkAlarm(book); err != nil {
		return nil, err
	}
	w.enter("reading")
	sealed, err := sealTable(ctx, w.curator, w.columns, book.Facts)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	change, err := NewChange(book, sealed, w.policy.Limits.Cells)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	if gone := change.facts.Gone(); gone > 0 && change.came() > 0 && !w.request.Distinct {
		return nil, &ExchangeError{name, gone, change.came()}
	}
	change.epoch.Distinct = w.request.Distinct
	change.admit(book.State, w.Table.Mechanism.Audit.Decision)
	event, risk, err := book.State.SealEvent(change.epoch)
	if err != nil {
		return nil, fmt.Errorf("sealing %v: %w", name, err)
	}
	made := &Epoch{Table: name, Epoch: len(change.facts.Seals), Combinations: len(change.facts.Tuples), Pending: change.pending, Untyped: change.untyped, Risk: risk}
	if made.Epoch = book.Epochs + 1; change.pending == 0 {
		change.facts.Anchor()
	}
	if err := w.acknowledge(ctx, book); err != nil {
		return nil, err
	}
	if made.Left, err = w.append(ctx, event, change.facts, risk, book); err != nil {
		return nil, err
	}
	made.describeState(change.facts, book.State.Config)
	return made, nil
}

// describeState tells of the people and of what is believed of them.
func (s *Epoch) describeState(f *epoch.PublicFacts, c auditor.Config) {
	people := f.PeopleOfTypes()
	for i, t := range c.Types {
		sealed := EpochType{Name: t.Name, Prior: t.Prior, People: people[i]}
		s.People += people[i]
		for _, value := range f.Values {
			sealed.Values = append(sealed.Values, shownValue(value))
		}
		s.Types = append(s.Types, sealed)
	}
}

func shownValue(v query.Value) string {
	if v.Null {
		return "NULL"
	}
	return v.Text
}

// ErrMoreRows is returned when a unit has more rows than it had, all of them written before its seal.
var ErrMoreRows = errors.New("there are more rows from before the last epoch than it had: they came from elsewhere with their transactions (a restored file or partition), " +
	"or their numbers came round; insert such rows anew, and keep them out until then")

// A change is what happened to a table since its last epoch.
type change struct {
	facts   *epoch.PublicFacts // of the new epoch
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

// NewChange compares the rows that there are with the units of the last epoch.
func NewChange(book *audited.Book, sealed *SealedTable, limit int) (*change, error) {
	f := book.Facts.Clone()
	f.Seals, f.Place = append(f.Seals, sealed.Seal), sealed.place
	if err := f.AddTuples(sealed.Rows, limit); err != nil {
		return nil, err
	}
	if err := f.CheckValues(sealed.Rows); err != nil {
		return nil, err
	}
	c := &change{facts: f}
	here, came := f.Divide(sealed.Rows)
	for i, u := range book.Facts.Units {
		switch {
		case u.Gone || here[i] == u.People:
			continue
		case here[i] > u.People:
			return nil, ErrMoreRows
		}
		gone := epoch.Unit{Tuple: u.Tuple, People: u.People - here[i], First: u.First, Last: u.Last, Gone: true}
		f.Units[i].People = here[i]
		f.Units = append(f.Units, gone)
		c.epoch.Gone = append(c.epoch.Gone, auditor.Departure{Unit: int32(i), People: int(gone.People)})
	}
	types, err := typePeople(f, policy.Prior{By: f.By})
	if err != nil {
		return nil, err
	}
	known := epoch.TypeIndex(f.Types)
	var b strings.Builder
	for tuple, people := range came {
		if people > 0 {
			typ, ok := known[cells.CellKey(&b, types.by[types.of[tuple]])]
			if !ok {
				typ = -1
			}
			c.batches = append(c.batches, pendingBatch{tuple, typ, people})
		}
	}
	return c, nil
}

func (c *change) came() (people int64) {
	for _, b := range c.batches {
		people += b.people
	}
	return people
}

// admit takes in the batches that are large enough, by themselves or together with all others of their type.
func (c *change) admit(state *auditor.State, most policy.Risk) {
	var asked []auditor.Movement
	var of []int
	for i, b := range c.batches {
		if b.typ >= 0 {
			asked = append(asked, auditor.Movement{Units: []auditor.Unit{{Type: b.typ, People: int(b.people)}}, Merge: b.typ})
			of = append(of, i)
		}
	}
	admitted := make([]bool, len(c.batches))
	for i, ok := range state.PendingBatches(asked, most) {
		admitted[of[i]] = ok
	}
	last := c.facts.LastBands()
	for i, b := range c.batches {
		if !admitted[i] {
			if c.pending += b.people; b.typ < 0 {
				c.untyped += b.people
			}
			continue
		}
		c.epoch.Added = append(c.epoch.Added, auditor.Unit{Type: b.typ, People: int(b.people)})
		c.facts.Units = append(c.facts.Units, epoch.Unit{Tuple: b.tuple, People: b.people, First: last[b.tuple] + 1, Last: len(c.facts.Seals)})
	}
}
