package accountant

import (
	"errors"
	"fmt"
	"time"

	"tacit/policy"
)

// An AuditEvent is what happened to an audited table.
type AuditEvent struct {
	Sequence int64
	At       time.Time
	// Kind and Payload are the auditor's.
	Kind    string
	Payload []byte
	// Answer is what the event let out; nil if that was not recorded.
	Answer    []byte
	Analyst   string
	Statement string // the beginning of it, at most 2,000 bytes
	// Risk is what was charged for it.
	Risk policy.Risk
}

// An AuditEntry asks for an event.
type AuditEntry struct {
	Analyst string  // Required.
	SQL     string  // her statement, for the log
	Request Request // which of them it is, if it is one
	Table   policy.TableName
	Kind    string // Required.
	// TableBudget and Cap are those of a Charge, of which the risk counts.
	TableBudget policy.Budget
	Cap         *policy.Budget
	// Risk is charged. 0: the event costs nothing.
	Risk policy.Risk
	// Continues: the statement has let something out already, for which it was charged or which a plan had paid for, and is not to be refused
	// for the size of what is to be written down besides.
	Continues bool
	// Follows is the number of the last event that the auditor has seen; 0 if there was none.
	Follows int64
	// Answers is how many events, up to that one, had their answers when the auditor saw them.
	Answers int64
	Payload []byte
}

// Check says what is wrong with an entry.
func (e *AuditEntry) Check() error {
	switch {
	case e.Analyst == "":
		return errors.New("accountant: an event without an analyst")
	case e.Kind == "":
		return errors.New("accountant: an event without a kind")
	case CheckText(e.Analyst, e.Table.Schema, e.Table.Name, e.Kind) != nil:
		return CheckText(e.Analyst, e.Table.Schema, e.Table.Name, e.Kind)
	case !finite(int64(e.Risk)):
		return fmt.Errorf("accountant: a risk of %v cannot be charged", e.Risk)
	case e.Follows < 0:
		return fmt.Errorf("accountant: no event has the number %d", e.Follows)
	}
	return nil
}

// Accounting is that of risks, which add up.
func (e *AuditEntry) Accounting() Accounting {
	return Accounting{Table: e.Table, Budget: e.TableBudget, Composition: policy.BasicComposition}
}
