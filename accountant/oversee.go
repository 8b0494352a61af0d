package accountant

import (
	"tacit/accountant/composition"
	"tacit/policy"
)

// An overseer finds out whether budgets were kept, from the entries alone. Charges that follow one another under one accounting are a
// stretch. Within it what is spent only grows, and so it is enough to look at its end; where there is a window, at the end of each day, for a
// day leaves the window as a whole. Grants and epochs end stretches, too.
type overseer struct {
	composer *composition.Composer
	tables   map[policy.TableName]*stretch
	analysts map[analystOf]*stretch
}

type analystOf struct {
	table   policy.TableName
	analyst string
}

// A stretch is a sequence of charges under one accounting, of a table or of one analyst on it.
type stretch struct {
	accounting accounting // of a table, without the cap
	analyst    string
	at         int64 // of its last charge
	entry      int64
	// What was charged in it. Under an accounting that has changed, what was spent before may be more than a budget.
	private, releases, risk bool
	// blocks are those that were charged by name, and all says that all were.
	blocks map[string]bool
	all    bool
}

func newOverseer(r *Reader) *overseer {
	return &overseer{composer: r.composer, tables: make(map[policy.TableName]*stretch), analysts: make(map[analystOf]*stretch)}
}

// report is told what is wrong, and where.
type report func(entry int64, format string, args ...any)

// before looks at the stretches that an entry ends. The state does not know the entry yet.
func (o *overseer) before(s *state, e *entryRow, tell report) {
	name := e.tableName()
	switch e.kind {
	case kindGranted, kindEpoch:
		o.endTable(s, name, tell)
	case kindCharged:
		if a, ok := s.accountingOf(e); ok {
			whole := a
			whole.Capped, whole.Cap = false, amounts{}
			o.continues(s, o.tables[name], whole, e, tell)
			o.continues(s, o.analysts[analystOf{name, e.analyst}], a, e, tell)
		}
	}
}

// accountingOf is the accounting of a charged entry that follows. Of former versions' there is none.
func (s *state) accountingOf(e *entryRow) (accounting, bool) {
	var body chargedBody
	if s.migrating || unmarshal(e.body, &body) != nil {
		return accounting{}, false
	}
	if body.Accounting != nil {
		return *body.Accounting, true
	}
	before, ok := s.table(e.tableName()).stated[e.analyst]
	return before.accounting, ok
}

// continues ends a stretch if the entry is not of it.
func (o *overseer) continues(s *state, st *stretch, a accounting, e *entryRow, tell report) {
	if st != nil && (st.accounting != a || a.WindowDays > 0 && dayOf(st.at) != dayOf(e.at)) {
		o.look(s, e.tableName(), st, tell)
		*st = stretch{accounting: a, analyst: st.analyst}
	}
}

// after takes an entry into its stretches.
func (o *overseer) after(s *state, e *entryRow) {
	if e.kind != kindCharged || s.migrating {
		return
	}
	name := e.tableName()
	a := s.table(name).stated[e.analyst].accounting
	hers := analystOf{name, e.analyst}
	if o.analysts[hers] == nil {
		o.analysts[hers] = &stretch{accounting: a, analyst: e.analyst}
	}
	whole := a
	whole.Capped, whole.Cap = false, amounts{}
	if o.tables[name] == nil {
		o.tables[name] = &stretch{accounting: whole}
	}
	for _, st := range []*stretch{o.tables[name], o.analysts[hers]} {
		st.at, st.entry = s.at, e.id
		st.private = st.private || Loss{Epsilon: policy.Epsilon(e.epsilon), Delta: policy.Delta(e.delta), Releases: e.releases, Risk: policy.Risk(e.risk)}.private()
		st.releases = st.releases || e.releases > 0
		st.risk = st.risk || e.risk > 0
		st.charge(e)
	}
}

// charge notes which blocks an entry was charged to.
func (st *stretch) charge(e *entryRow) {
	for _, c := range e.charged {
		blocks, err := parseBlocks(c.blocks)
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

// endTable ends all stretches of a table.
func (o *overseer) endTable(s *state, name policy.TableName, tell report) {
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

// end ends all stretches.
func (o *overseer) end(s *state, tell report) {
	for name := range s.tables {
		o.endTable(s, name, tell)
	}
}

// look compares what was charged up to the end of a stretch with its budget.
func (o *overseer) look(s *state, name policy.TableName, st *stretch, tell report) {
	a, limit, err := st.accounting.of(name)
	if err != nil {
		tell(st.entry, "how it was accounted for cannot be read: %v", err)
		return
	}
	t := s.table(name)
	if sum := Loss(a.Budget).Add(t.granted[""]); st.analyst == "" && t.granted[""].Delta > 0 && sum.Delta > policy.MaxDelta {
		tell(st.entry, "the budget of %v has delta %v with what was granted, and one above %v promises nothing useful: no more than that is used",
			name, sum.Delta, policy.MaxDelta)
	}
	b, charged, of := t.budgets(a, st.analyst, limit), t.all, "the table's"
	whole := b.ofTable()
	if st.analyst != "" {
		if b.cap == nil {
			return
		}
		whole, charged, of = b.ofAnalyst(), t.analyst(st.analyst), st.analyst+"'s"
	}
	if st.risk && (Loss{Risk: charged.risk}).Exceeds(policy.Budget{Risk: whole.budget.Risk}) {
		tell(st.entry, "more risk was charged on %v than %s budget holds", name, of)
	}
	if !whole.holds(o.composer, charged.from(a.since(st.at)), st) {
		tell(st.entry, "more was charged on %v than %s budget holds", name, of)
	}
}

// composedSlack is by how much, in units of 1e-9, two computations of the same composition may differ on different processors.
const composedSlack = 10

// holds says whether the sides of a budget that a stretch has charged hold what was charged.
func (l limit) holds(c *composition.Composer, charged *tally, st *stretch) bool {
	if st.releases && (Loss{Releases: charged.once.sum().Releases}).Exceeds(policy.Budget{Releases: l.budget.Releases}) {
		return false
	}
	if !st.private {
		return true
	}
	d := demand{items: []demanded{{blocks: sortedKeys(st.blocks)}}} // nothing, in the blocks that were charged
	if _, ok := l.covers(c, charged, d); ok || l.basic() {
		return ok
	}
	l.filter.Epsilon += composedSlack
	_, ok := l.covers(c, charged, d)
	return ok
}
