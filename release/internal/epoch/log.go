package epoch

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"tacit/accountant"
	"tacit/auditor"
	"tacit/policy"
)

// An Log is where the events of audited tables are: a ledger, or a reader of one.
type Log interface {
	AuditEvents(ctx context.Context, table policy.TableName, after int64) ([]accountant.AuditEvent, error)
	LastAudit(ctx context.Context, table policy.TableName) (int64, error)
}

// Events are the events as the auditor wrote them, and the facts of the last epoch as they are stored.
func Events(events []accountant.AuditEvent) (steps []auditor.Event, facts []byte, err error) {
	for _, e := range events {
		step := auditor.Event{Kind: e.Kind, Payload: e.Payload, Answer: e.Answer}
		if OpensEpoch(e.Kind) {
			if step.Payload, facts, err = Unwrap(e.Payload); err != nil {
				return nil, nil, fmt.Errorf("event %d: %w", e.Sequence, err)
			}
		}
		steps = append(steps, step)
	}
	return steps, facts, nil
}

// OpensEpoch reports whether events of a kind have facts beside what the auditor wrote.
func OpensEpoch(kind string) bool { return kind == auditor.EventOpened || kind == auditor.EventSealed }

// Wrap puts the auditor's payload and the facts into one.
func Wrap(payload, facts []byte) []byte {
	wrapped := binary.AppendUvarint(nil, uint64(len(payload)))
	return append(append(wrapped, payload...), facts...)
}

func Unwrap(wrapped []byte) (payload, facts []byte, err error) {
	length, n := binary.Uvarint(wrapped)
	if n <= 0 || length > uint64(len(wrapped)-n) {
		return nil, nil, errors.New("the epoch is damaged")
	}
	rest := wrapped[n:]
	return rest[:length], rest[length:], nil
}
