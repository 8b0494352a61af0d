package journal

import (
	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// A BudgetCheck finds whether budgets were kept, from the entries alone. Charges that follow one another under one accounting are a
// run. Within it what is spent only grows, and so it is enough to look at its end; where there is a window, at the end of each day, for a
// day leaves the window as a whole. Grants and epochs end runs, too.
type BudgetCheck struct {
	composer *composition.Composer
	tables   map[policy.TableName]*run
	analysts map[analystOf]*run
}

type analystOf struct {
	table   policy.TableName
	analyst string
}

// A run is a sequence of charges under one accounting, of a table or of one analyst on it.
type run struct {
	accounting StatedAccounting // of a table, without the cap
	analyst    string
	at         int64 // of its last charge
	entry      int64
	// What was charged in it. Under an accounting that has changed, what was spent before may be more than a budget.
	private, releases, risk bool
	// blocks are those that were charged by name, and all says that all were.
	blocks map[string]bool
	all    bool
}

func NewBudgetCheck(c *composition.Composer) *BudgetCheck {
	return &BudgetCheck{composer: c, tables: make(map[policy.TableName]*run), analysts: make(map[analystOf]*run)}
}

// report is told what is wrong, and where.
type report func(entry int64, format string, args ...any)

// Before looks at the runs that an entry ends. The state does not know the entry yet.
func (o *BudgetCheck) Before(s *State, e *Entry, tell report) {
	name := e.TableName()
	switch e.Kind {
	default: // no end of a run
	case KindGranted, KindEpoch:
		o.endTable(s, name, tell)
	case KindCharged:
		if a, ok := s.accountingOf(e); ok {
			whole := a
			whole.Capped, whole.Cap = false, Amounts{}
			o.continues(s, o.tables[name], whole, e, tell)
			o.continues(s, o.analysts[analystOf{name, e.Analyst}], a, e, tell)
		}
	}
}

// accountingOf is the accounting of a charged entry that follows.
func (s *State) accountingOf(e *Entry) (StatedAccounting, bool) {
	body, err := s.chargedBody(e.Body)
	if err != nil {
		return StatedAccounting{}, false
	}
	if body.Accounting != nil {
		return *body.Accounting, true
	}
	before, ok := s.Table(e.TableName()).Stated[e.Analyst]
	return before.Accounting, ok
}

// continues ends a run if the entry is not of it.
func (o *BudgetCheck) continues(s *State, st *run, a StatedAccounting, e *Entry, tell report) {
	if st != nil && (st.accounting != a || a.WindowDays > 0 && DayOf(st.at) != DayOf(e.At)) {
		o.look(s, e.TableName(), st, tell)
		*st = run{accounting: a, analyst: st.analyst}
	}
}

// After adds an entry to its runs.
func (o *BudgetCheck) After(s *State, e *Entry) {
	if e.Kind != KindCharged {
		return
	}
	name := e.TableName()
	a := s.Table(name).Stated[e.Analyst].Accounting
	hers := analystOf{name, e.Analyst}
	if o.analysts[hers] == nil {
		o.analysts[hers] = &run{accounting: a, analyst: e.Analyst}
	}
	whole := a
	whole.Capped, whole.Cap = false, Amounts{}
	if o.tables[name] == nil {
		o.tables[name] = &run{accounting: whole}
	}
	for _, st := range []*run{o.tables[name], o.analysts[hers]} {
		st.at, st.entry = s.At, e.ID
		st.private = st.private || accountant.Loss{Epsilon: policy.Epsilon(e.Epsilon), Delta: policy.Delta(e.Delta), Releases: e.Releases, Risk: policy.Risk(e.Risk)}.IsPrivate()
		st.releases = st.releases || e.Releases > 0
		st.risk = st.risk || e.Risk > 0
		st.charge(e)
	}
}

// charge notes which blocks an entry was charged to.
func (st *run) charge(e *Entry) {
	for _, c := range e.Charged {
		blocks, err := ParseBlocks(c.Blocks)
		if st.all = st.all || err != nil || len(blocks) == 0; st.all {
			st.blocks = nil
			return
		}
		if st.blocks == nil {
			st.blocks = make(map[string]bool)
		}
		for _, block := range blocks {
			st.blocks[block] = true
		}
	}
}

// endTable ends all runs of a table.
func (o *BudgetCheck) endTable(s *State, name policy.TableName, tell report) {
	if st := o.tables[name]; st != nil {
		o.look(s, name, st, tell)
		delete(o.tables, name)
	}
	for of, st := range o.analysts {
		if of.table == name {
			o.look(s, name, st, tell)
			delete(o.analysts, of)
		}
	}
}

// End ends all runs.
func (o *BudgetCheck) End(s *State, tell report) {
	for name := range s.Tables {
		o.endTable(s, name, tell)
	}
}

// look compares what was charged up to the end of a run with its budget.
func (o *BudgetCheck) look(s *State, name policy.TableName, st *run, tell report) {
	a, limit, err := st.accounting.Of(name)
	if err != nil {
		tell(st.entry, "how it was accounted for cannot be read: %v", err)
		return
	}
	t := s.Table(name)
	if sum := accountant.Loss(a.Budget).Add(t.Granted[""]); st.analyst == "" && t.Granted[""].Delta > 0 && sum.Delta > policy.MaxDelta {
		tell(st.entry, "the budget of %v has delta %v with what was granted, and one above %v promises nothing useful: no more than that is used",
			name, sum.Delta, policy.MaxDelta)
	}
	b, charged, of := t.Budgets(a, st.analyst, limit), t.All, "the table's"
	whole := b.ofTable()
	if st.analyst != "" {
		if b.cap == nil {
			return
		}
		whole, charged, of = b.ofAnalyst(), t.Analyst(st.analyst), st.analyst+"'s"
	}
	if st.risk && (accountant.Loss{Risk: charged.Risk}).Exceeds(policy.Budget{Risk: whole.budget.Risk}) {
		tell(st.entry, "more risk was charged on %v than %s budget holds", name, of)
	}
	if !whole.holds(o.composer, charged.From(Since(a, st.at)), st) {
		tell(st.entry, "more was charged on %v than %s budget holds", name, of)
	}
}

// composedSlack is by how much, in units of 1e-9, two computations of the same composition may differ on different processors.
const composedSlack = 10

// holds says whether the sides of a budget that a run has charged hold what was charged.
func (l limit) holds(c *composition.Composer, charged *tally, st *run) bool {
	if st.releases && (accountant.Loss{Releases: charged.once.sum().Releases}).Exceeds(policy.Budget{Releases: l.budget.Releases}) {
		return false
	}
	if !st.private {
		return true
	}
	d := Demand{Items: []DemandedItem{{Blocks: SortedKeys(st.blocks)}}} // nothing, in the blocks that were charged
	if _, ok := l.covers(c, charged, d); ok || l.basic() {
		return ok
	}
	l.filter.Epsilon += composedSlack
	_, ok := l.covers(c, charged, d)
	return ok
}
