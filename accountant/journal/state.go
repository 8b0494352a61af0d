package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"tacit/accountant"
	"tacit/accountant/composition"
	"tacit/policy"
)

// A State is what the entries up to one of them say: all that is needed to decide what may follow. It is never written but as a
// checkpoint, which must say the same as the entries before it.
type State struct {
	Ledger   string // its identity; empty before the first entry
	Position int64  // the last entry
	Hash     Digest
	At       int64
	Last     rowNumbers
	Format   Format
	Notes    Notes
	// checkpoint is the last entry that is one, or the first entry.
	Checkpoint int64
	// weight is the size of that checkpoint.
	Weight int64
	// owners are the processes whose charges or audit events the entries that were read are.
	Owners map[string]bool
	Tables map[policy.TableName]*Table
	// open are charges that were neither recorded nor abandoned, by their row.
	Open map[int64]*OpenCharge
	// asked finds the open charge that is to answer a question.
	Asked map[EpochQuestion]int64

	// Requests are the last ones of each analyst, the oldest first.
	Requests map[string][]Request

	// OnRecorded, if there is one, is told of each answer that is taken in.
	OnRecorded func(key EpochQuestion, release, at int64)

	Linker *linker
	terms  map[string]composition.Term // what was parsed already
	// charged is the last body of a charge that was read, and body its text: it changes with the process and with the accounting alone.
	body    string
	charged ChargedBody
}

// A Format is the version of the ledger's format, and the entry since which it has it.
type Format struct {
	Version int   `json:"version"`
	Since   int64 `json:"since"`
}

// rowNumbers are the identifiers of the last rows of tables.
type rowNumbers struct{ Charge, Release, Event, Answer int64 }

// An EpochQuestion is a question about the rows of an epoch.
type EpochQuestion struct {
	Table policy.TableName
	Epoch int64
	Key   Digest
}

// An OpenCharge waits for its answer.
type OpenCharge struct {
	EpochQuestion
	Owner   int64  // the entry that charged it, or the last one that adopted it
	Proxy   string // who is to answer it
	Day     int64  // when it was charged
	Promise Digest // of all that was asked and charged: who adopts the charge asks exactly that
}

// A Table is what happened to a protected table.
type Table struct {
	Adjacency policy.Adjacency // of its losses; empty if there are none
	Version   int64            // another whenever something is charged or done to it, in any state
	Epoch     int64            // from 1
	began     int64            // when the epoch did; 0: with the ledger
	Frozen    map[string]string
	Granted   map[string]accountant.Loss // in this epoch, by analyst; the table's own under ""
	All       *scope
	Analysts  map[string]*scope
	Stated    map[string]statement // by analyst
	Latest    StatedAccounting     // the last that was stated
	Earlier   []epochTotal
	Events    int64  // the number of the auditor's last event
	Answers   int64  // how many of them have their answers; not in checkpoints
	Event     int64  // the row of the last one
	Answered  bool   // it has its answer
	Auditor   string // the process that appended it
	decided   int64  // when
}

// A statement is the accounting that an analyst's charges are made under, and the entry that says so.
type statement struct {
	Entry      int64
	Accounting StatedAccounting
}

// An epochTotal is what was charged in an epoch that is over.
type epochTotal struct {
	epoch, began, ended int64
	reason              string
	charged             counts
	risk                policy.Risk
}

func NewState() *State {
	return &State{
		Tables: make(map[policy.TableName]*Table), Open: make(map[int64]*OpenCharge), Asked: make(map[EpochQuestion]int64),
		Owners: make(map[string]bool), Requests: make(map[string][]Request), Linker: NewLinker(), terms: make(map[string]composition.Term),
		Format: Format{Version: firstVersion},
	}
}

// versions are numbers that are used once, whatever becomes of states.
var versions atomic.Int64

func newTable() *Table {
	return &Table{
		Version: versions.Add(1), Epoch: 1, Frozen: make(map[string]string), Granted: make(map[string]accountant.Loss),
		All: newScope(), Analysts: make(map[string]*scope), Stated: make(map[string]statement),
	}
}

// Table is what happened to a table; it must not be changed.
func (s *State) Table(name policy.TableName) *Table {
	if t := s.Tables[name]; t != nil {
		return t
	}
	return newTable()
}

// changed is the table, to be changed.
func (s *State) changed(name policy.TableName) *Table {
	t := s.Tables[name]
	if t == nil {
		t = newTable()
		s.Tables[name] = t
	}
	t.Version = versions.Add(1)
	return t
}

// Analyst is what one analyst was charged; it must not be changed.
func (t *Table) Analyst(name string) *scope {
	if s := t.Analysts[name]; s != nil {
		return s
	}
	return newScope()
}

func (t *Table) changedAnalyst(name string) *scope {
	s := t.Analysts[name]
	if s == nil {
		s = newScope()
		t.Analysts[name] = s
	}
	return s
}

// FrozenFor is a *FrozenError if charges of an analyst are frozen.
func (t *Table) FrozenFor(name policy.TableName, analyst string) error {
	if reason, ok := t.Frozen[""]; ok {
		return &accountant.FrozenError{Table: name, Reason: reason}
	}
	if reason, ok := t.Frozen[analyst]; ok {
		return &accountant.FrozenError{Table: name, Analyst: analyst, Reason: reason}
	}
	return nil
}

// TableName is the table that an entry is about; zero if it is about none.
func (e *Entry) TableName() policy.TableName {
	return policy.TableName{Schema: e.Schema, Name: e.Name}
}

// Price is what a charge costs. A loss without a term is approximate differential privacy.
func (s *State) Price(c *Charge) (Priced, error) {
	p := Priced{Loss: accountant.Loss{Epsilon: policy.Epsilon(c.Epsilon), Delta: policy.Delta(c.Delta), Releases: c.Releases}}
	if c.Term == "" {
		p.term = composition.Approximate(p.Loss.Epsilon, min(p.Loss.Delta, policy.OneDelta))
		return p, nil
	}
	term, known := s.terms[c.Term]
	if !known {
		var err error
		if term, err = composition.Parse(c.Term); err != nil {
			return p, fmt.Errorf("charge %d: %w", c.ID, err)
		}
		if len(s.terms) < maxTerms {
			s.terms[c.Term] = term
		}
	}
	p.term = term
	return p, nil
}

// maxTerms are more than a policy's mechanisms make, so that the terms of odd sensitivities do not fill the memory.
const maxTerms = 10_000

// Promise is a digest of what a charge is for, wherever it stands, and whenever it was asked.
func Promise(c Charge) Digest {
	c.ID, c.Entry = 0, 0
	c.Shape, _, _ = strings.Cut(c.Shape, "\n")
	l := NewLinker()
	l.charge(&c)
	return l.sum()
}

// auditTime is how long an auditor may take to answer what he has decided, and be waited for: longer than a count may take by default. What he
// gives up before he says, see Ledger.AbandonAudit.
const auditTime = 10 * time.Minute

func (s *State) HasOpenCharges(proxy string, now int64) bool {
	for _, t := range s.Tables {
		if t.Auditor == proxy && !t.Answered && now-t.decided < int64(auditTime) {
			return true
		}
	}
	for _, c := range s.Open {
		if c.Proxy == proxy {
			return true
		}
	}
	return false
}

// TableNames are the tables that something has happened to, by name.
func (s *State) TableNames() []policy.TableName { return SortedTables(s.Tables) }

// SortedTables are the keys of a map by name.
func SortedTables[V any](m map[policy.TableName]V) []policy.TableName {
	names := slices.Collect(maps.Keys(m))
	slices.SortFunc(names, func(a, b policy.TableName) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	return names
}

// close ends the wait for the answer to a charge.
func (s *State) close(id int64) {
	if c := s.Open[id]; c != nil {
		delete(s.Open, id)
		if s.Asked[c.EpochQuestion] == id {
			delete(s.Asked, c.EpochQuestion)
		}
	}
}
