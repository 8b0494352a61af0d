package accountant

import (
	"crypto/sha256"
	"fmt"
	"sync/atomic"

	"tacit/accountant/composition"
	"tacit/policy"
)

// A state is what the entries up to one of them say: all that is needed to decide what may follow. It is never written but as a
// checkpoint, which must say the same as the entries before it.
type state struct {
	ledger string // its identity; empty before the first entry
	// migrating: the entries are those of a former version, until the entry that says so.
	migrating bool
	position  int64 // the last entry
	hash      digest
	at        int64
	last      rowNumbers
	// checkpoint is the last entry that is one, or the first entry.
	checkpoint int64
	// weight is the size of that checkpoint.
	weight int64
	// owners are the processes whose charges or audit events the entries that were read are.
	owners map[string]bool
	tables map[policy.TableName]*table
	// open are charges that were neither recorded nor abandoned, by their row.
	open map[int64]*openCharge
	// asked finds the open charge that is to answer a question.
	asked map[asked]int64

	// onRecorded, if there is one, is told of each answer that is taken in.
	onRecorded func(key asked, release, at int64)

	linker *linker
	terms  map[string]composition.Term // what was parsed already
}

// rowNumbers are the identifiers of the last rows of tables.
type rowNumbers struct{ charge, release, event, answer int64 }

// An asked is a question about the rows of an epoch.
type asked struct {
	table policy.TableName
	epoch int64
	key   digest
}

// An openCharge waits for its answer.
type openCharge struct {
	asked
	owner   int64  // the entry that charged it, or the last one that adopted it
	proxy   string // who is to answer it
	day     int64  // when it was charged
	promise digest // of all that was asked and charged: who adopts the charge asks exactly that
}

// A table is what happened to a protected table.
type table struct {
	adjacency policy.Adjacency // of its losses; empty if there are none
	version   int64            // another whenever something is charged or done to it, in any state
	epoch     int64            // from 1
	began     int64            // when the epoch did; 0: with the ledger
	frozen    map[string]string
	granted   map[string]Loss // in this epoch, by analyst; the table's own under ""
	all       *scope
	analysts  map[string]*scope
	stated    map[string]statement // by analyst
	latest    accounting           // the last that was stated
	earlier   []epochTotal
	events    int64  // the number of the auditor's last event
	answers   int64  // how many of them have their answers; not in checkpoints
	event     int64  // the row of the last one
	answered  bool   // it has its answer
	auditor   string // the process that appended it
	decided   int64  // when
}

// A statement is the accounting that an analyst's charges are made under, and the entry that says so.
type statement struct {
	entry      int64
	accounting accounting
}

// An epochTotal is what was charged in an epoch that is over.
type epochTotal struct {
	epoch, began, ended int64
	reason              string
	charged             counts
	risk                policy.Risk
}

func newState() *state {
	return &state{
		tables: make(map[policy.TableName]*table), open: make(map[int64]*openCharge), asked: make(map[asked]int64),
		owners: make(map[string]bool), linker: newLinker(), terms: make(map[string]composition.Term),
	}
}

// versions are numbers that are used once, whatever becomes of states.
var versions atomic.Int64

func newTable() *table {
	return &table{
		version: versions.Add(1), epoch: 1, frozen: make(map[string]string), granted: make(map[string]Loss),
		all: newScope(), analysts: make(map[string]*scope), stated: make(map[string]statement),
	}
}

// table is what happened to a table; it must not be changed.
func (s *state) table(name policy.TableName) *table {
	if t := s.tables[name]; t != nil {
		return t
	}
	return newTable()
}

// changed is the table, to be changed.
func (s *state) changed(name policy.TableName) *table {
	t := s.tables[name]
	if t == nil {
		t = newTable()
		s.tables[name] = t
	}
	t.version = versions.Add(1)
	return t
}

// analyst is what one analyst was charged; it must not be changed.
func (t *table) analyst(name string) *scope {
	if s := t.analysts[name]; s != nil {
		return s
	}
	return newScope()
}

func (t *table) changedAnalyst(name string) *scope {
	s := t.analysts[name]
	if s == nil {
		s = newScope()
		t.analysts[name] = s
	}
	return s
}

// frozenFor is a *FrozenError if charges of an analyst are frozen.
func (t *table) frozenFor(name policy.TableName, analyst string) error {
	if reason, ok := t.frozen[""]; ok {
		return &FrozenError{Table: name, Reason: reason}
	}
	if reason, ok := t.frozen[analyst]; ok {
		return &FrozenError{Table: name, Analyst: analyst, Reason: reason}
	}
	return nil
}

// budgets are the table's and the analyst's, with what was granted on top.
func (t *table) budgets(a Accounting, analyst string, limit *policy.Budget) budgets {
	b := budgets{of: a.Table, accounting: a.raised(t.granted[""])}
	if limit != nil {
		raised := policy.Budget(Loss(*limit).Add(t.granted[analyst]))
		b.cap = &raised
	}
	return b
}

// tableName is the table that an entry is about; zero if it is about none.
func (e *entryRow) tableName() policy.TableName {
	return policy.TableName{Schema: e.schema, Name: e.name}
}

// price is what a charge costs. A loss without a term is approximate differential privacy.
func (s *state) price(c *chargeRow) (priced, error) {
	p := priced{loss: Loss{Epsilon: policy.Epsilon(c.epsilon), Delta: policy.Delta(c.delta), Releases: c.releases}}
	if c.term == "" {
		p.term = composition.Approximate(p.loss.Epsilon, min(p.loss.Delta, policy.OneDelta))
		return p, nil
	}
	term, known := s.terms[c.term]
	if !known {
		var err error
		if term, err = composition.Parse(c.term); err != nil {
			return p, fmt.Errorf("charge %d: %w", c.id, err)
		}
		if len(s.terms) < maxTerms {
			s.terms[c.term] = term
		}
	}
	p.term = term
	return p, nil
}

// maxTerms are more than a policy's mechanisms make, so that the terms of odd sensitivities do not fill the memory.
const maxTerms = 10_000

// promise is a digest of what a charge is for, wherever it stands.
func promise(c chargeRow) digest {
	c.id, c.entry = 0, 0
	l := linker{hash: sha256.New()}
	l.charge(&c)
	return l.sum()
}
