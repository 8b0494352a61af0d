package auditor

import (
	"fmt"

	"tacit/auditor/internal/history"
	"tacit/policy"
)

// ErrContradiction is returned when an answer cannot be one together with those released before: the table was changed within an epoch.
// The answer is not to be shown, and the state must be restored from the log.
var ErrContradiction = history.ErrContradiction

// A State is what the auditor of a table knows: the public facts and all that was released. It holds no count that was not released.
// It is for one goroutine at a time.
type State struct {
	knowledge
	raised policy.Risk // of Replay: by how much the log's delta was raised since the opening
	// earlierCharges is how many events were charged by the rule before boxRule.
	earlierCharges int
	applying       *Statement // the statement whose rounds are being applied from the log
}

// newState makes the state of a table from its public facts.
func newState(o Opening) (*State, error) {
	k, err := newKnowledge(&o)
	if err != nil {
		return nil, err
	}
	s := &State{knowledge: k}
	s.noteRule(k.planCharge)
	s.earlier = false
	return s, nil
}

// Event is the event of the opening, with its charge: the risks of the certified plan and of the workload.
func (o Opening) Event() (Event, policy.Risk, error) {
	k, err := newKnowledge(&o)
	if err != nil {
		return Event{}, 0, err
	}
	charge := k.planCharge + k.workloadCharge
	if charge > o.Delta {
		return Event{}, 0, fmt.Errorf("%w: %v of %v", ErrDelta, charge, o.Delta)
	}
	if o.Workload != nil {
		w := *o.Workload
		w.Charge, o.Workload = k.workloadCharge, &w
	}
	return Event{Kind: EventOpened, Payload: encodeOpening(&o)}, charge, nil
}

// Begin starts a statement. left bounds what it may spend; seed is the randomness of policy.PaperRule, which no other rule uses: it must
// not depend on data, and is recorded. Nothing is decided yet, and nothing changes until an answer.
func (s *State) Begin(queries []Query, left Left, seed [32]byte) (*Statement, error) {
	return newStatement(&s.knowledge, &request{queries, left, seed})
}

// Alarm says why the model is in doubt, in words that hold released facts only; "" while it is not. While there is an alarm nothing new is
// released: only what is free.
func (s *State) Alarm() string { return s.alarm }

// Charged is the risk of all events so far.
func (s *State) Charged() policy.Risk { return s.account.charged }

// EarlierCharges is how many events were charged by an earlier version, which charged too little where a question concerns people of several
// types whose priors lie in intervals.
func (s *State) EarlierCharges() int { return s.earlierCharges }

// DecisionsLeft is how many decisions may still be made, and whether that is bounded.
func (s *State) DecisionsLeft() (left int, bounded bool) { return s.account.decisionsLeft(&s.Config) }

// Units returns how many units there are, of all epochs.
func (s *State) Units() int { return len(s.units) }

// Unit returns a unit. Gone units are those whose people left the table.
func (s *State) Unit(i int) (u Unit, gone bool) {
	return Unit{s.units[i].kind, s.history.People(int32(i))}, s.units[i].gone
}
