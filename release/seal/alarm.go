package seal

import (
	"context"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/policy"
	"tacit/release/internal/audited"
	"tacit/release/internal/live"
)

// An AlarmError is returned when a table is to be sealed whose released answers refute its prior. What was released stays, and another
// prior would not have allowed it: history cannot be priced anew.
type AlarmError struct {
	Table policy.TableName
	// Alarm is the auditor's, in words that hold released facts only.
	Alarm string
}

func (e *AlarmError) Error() string {
	return fmt.Sprintf("sealing %v: nothing new is answered since %s: the prior is refuted, and with it the guarantee of what was released; a new epoch does not mend "+
		"that. Seal with --acknowledge-alarm and a --reason to go on knowing it, or leave the table as it is: what was released stays answered", e.Table, e.Alarm)
}

// checkAlarm refuses to seal over an alarm of which nobody says that he knows.
func (w *Sealing) checkAlarm(book *audited.Book) error {
	alarm := book.State.Alarm()
	switch {
	case alarm == "" && w.acknowledged:
		return nil
	case alarm == "" && w.request.AcknowledgeAlarm:
		return fmt.Errorf("sealing %v: there is no alarm to be acknowledged", w.Table.Name)
	case alarm == "":
		return nil
	case !w.request.AcknowledgeAlarm:
		return &AlarmError{Table: w.Table.Name, Alarm: alarm}
	case w.request.Reason == "":
		return errors.New("an alarm is acknowledged for a reason, which is recorded: give --reason")
	}
	return nil
}

// acknowledge writes down that the steward knows of the alarm, if there is one.
func (w *Sealing) acknowledge(ctx context.Context, book *audited.Book) error {
	if book.State.Alarm() == "" {
		return nil
	}
	event := book.State.AcknowledgeEvent()
	r, err := w.ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: live.Steward, SQL: "-- alarm acknowledged: " + w.request.Reason, Table: w.Table.Name, Kind: event.Kind, TableBudget: w.Table.Budget,
		Follows: book.Last, Answers: book.Answers, Payload: event.Payload,
	})
	if err != nil {
		return err
	}
	book.Last, w.acknowledged = r.Sequence, true
	return nil
}
