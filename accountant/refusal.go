package accountant

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// An OverBudgetError is returned when a charge is more than what is left. Nothing was charged.
//
// Needed is the sum of the charge's own losses. Under a rule other than basic composition losses do not simply add up: a charge may fit
// although Needed is more than Remaining, or not although it is less, and it is the rule that decides: by Takes.
type OverBudgetError struct {
	Table  policy.TableName
	Of     string // "table", or "analyst" for her cap on the table
	Needed Loss
	// Takes is by how much the charge would raise what is spent, where losses do not simply add up; an infinite amount is one that the rule does
	// not bound. It is zero where they do.
	Takes     Loss
	Remaining Loss   // of an amount that the analyst's cap does not name, what is left of the table's budget
	Block     string // the block whose budget it is; empty if the table is not charged by blocks
}

func (e *OverBudgetError) Error() string {
	of := "the " + e.Of + "'s budget"
	if e.Block != "" {
		of += " for " + e.Block
	}
	return fmt.Sprintf("%s does not cover it: needed: %v; left: %v", of, e.Needed, e.Remaining.Only(e.Needed))
}

// An AdjacencyError is returned when a charge states its loss under another adjacency than the table's earlier ones: the two
// kinds of loss do not add up. Nothing was charged.
type AdjacencyError struct {
	Table           policy.TableName
	Recorded, Asked policy.Adjacency
}

func (e *AdjacencyError) Error() string {
	return fmt.Sprintf("the ledger holds losses of %v under %s adjacency; losses under %s cannot be added to them", e.Table, e.Recorded, e.Asked)
}

// A FrozenError is returned when a steward has stopped charges on a table, or those of one analyst on it. Nothing was charged.
type FrozenError struct {
	Table   policy.TableName
	Analyst string // empty: everybody's
	Reason  string
}

func (e *FrozenError) Error() string {
	if e.Analyst != "" {
		return fmt.Sprintf("charges of %s on %v are frozen: %s", e.Analyst, e.Table, e.Reason)
	}
	return fmt.Sprintf("charges on %v are frozen: %s", e.Table, e.Reason)
}

// An InFlightError is returned when somebody alive is about to answer the same question. Nothing was charged: the caller waits with
// Ledger.Await, and then looks for the answer.
type InFlightError struct {
	Question Question
	charge   int64 // the row
	owner    int64 // the entry whose reservation is to answer it
}

func (e *InFlightError) Error() string {
	return fmt.Sprintf("the question about %v is being answered", e.Question.Table)
}

// A RecordedError is returned when the question has been answered since the caller looked. Nothing was charged: the caller looks again.
type RecordedError struct {
	Question Question
	Release  int64
}

func (e *RecordedError) Error() string {
	return fmt.Sprintf("the question about %v was answered by release %d meanwhile", e.Question.Table, e.Release)
}

// ErrLost is returned when a reservation is recorded of which others have taken over something, because its process was not seen alive for
// too long, or whose epoch has ended. What the caller has counted must not be shown.
var ErrLost = errors.New("the reservation was taken over by another process, or its epoch has ended")
