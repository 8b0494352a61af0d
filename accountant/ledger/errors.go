package ledger

import (
	"errors"
	"fmt"

	"tacit/accountant"
)

// An InFlightError is returned when somebody alive is about to answer the same question. Nothing was charged: the caller waits with
// Ledger.Await, and then looks for the answer.
type InFlightError struct {
	Question accountant.Question
	charge   int64 // the row
	owner    int64 // the entry whose reservation is to answer it
}

func (e *InFlightError) Error() string {
	return fmt.Sprintf("the question about %v is being answered", e.Question.Table)
}

// A RecordedError is returned when the question has been answered since the caller looked. Nothing was charged: the caller looks again.
type RecordedError struct {
	Question accountant.Question
	Release  int64
}

func (e *RecordedError) Error() string {
	return fmt.Sprintf("the question about %v was answered by release %d meanwhile", e.Question.Table, e.Release)
}

// ErrLost is returned when a reservation is recorded of which others have taken over something, because its process was not seen alive for
// too long, or whose epoch has ended. What the caller has counted must not be shown.
var ErrLost = errors.New("the reservation was taken over by another process, or its epoch has ended")
