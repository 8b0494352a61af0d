package accountant

import (
	"errors"
	"fmt"

	"tacit/policy"
)

// ErrUnavailable is returned when the ledger cannot be trusted or cannot be written: it is missing although it existed, locked by
// another process, older than its guard says, exchanged, inconsistent, or not writable. Protected tables must be refused. Every such
// error is an *UnavailableError.
var ErrUnavailable = errors.New("the ledger is unavailable")

// An UnavailableError says what is wrong with a ledger and what the steward can do. It is for the steward: it names files.
type UnavailableError struct {
	Path    string // of the ledger
	Problem string
	Remedy  string // may be empty
	Err     error  // what the system said, or nil
	// NeverMade says that there has been no ledger at Path yet. Then Problem is empty.
	NeverMade bool
}

func (e *UnavailableError) Error() string {
	if e.NeverMade {
		return fmt.Sprintf("there is no ledger yet at %s; `tacit serve` makes it", e.Path)
	}
	s := fmt.Sprintf("ledger %s: %s", e.Path, e.Problem)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Remedy != "" {
		s += "; " + e.Remedy
	}
	return s
}

// Is makes every UnavailableError an ErrUnavailable.
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

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
