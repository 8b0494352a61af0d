package accountant

import (
	"errors"
	"fmt"
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
