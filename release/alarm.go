package release

import (
	"context"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/policy"
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
func (w *sealing) checkAlarm(book *auditBook) error {
	alarm := book.state.Alarm()
	switch {
	case alarm == "" && w.acknowledged:
		return nil
	case alarm == "" && w.request.AcknowledgeAlarm:
		return fmt.Errorf("sealing %v: there is no alarm to be acknowledged", w.table.Name)
	case alarm == "":
		return nil
	case !w.request.AcknowledgeAlarm:
		return &AlarmError{Table: w.table.Name, Alarm: alarm}
	case w.request.Reason == "":
		return errors.New("an alarm is acknowledged for a reason, which is recorded: give --reason")
	}
	return nil
}

// acknowledge writes down that the steward knows of the alarm, if there is one.
func (w *sealing) acknowledge(ctx context.Context, book *auditBook) error {
	if book.state.Alarm() == "" {
		return nil
	}
	event := book.state.AcknowledgeEvent()
	r, err := w.ledger.AppendAudit(ctx, accountant.AuditEntry{
		Analyst: Steward, SQL: "-- alarm acknowledged: " + w.request.Reason, Table: w.table.Name, Kind: event.Kind, TableBudget: w.table.Budget,
		Follows: book.last, Answers: book.answers, Payload: event.Payload,
	})
	if err != nil {
		return err
	}
	book.last, w.acknowledged = r.Sequence, true
	return nil
}
