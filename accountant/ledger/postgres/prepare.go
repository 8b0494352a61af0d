package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

var (
	insertEntries  = insertion[journal.Entry]("entry", journal.EntryColumns)
	insertCharges  = insertion[journal.Charge]("charge", journal.ChargeColumns)
	insertReleases = insertion[journal.Release]("release", journal.ReleaseColumns)
	insertEvents   = insertion[journal.Event]("audit_event", journal.EventColumns)
	insertAnswers  = insertion[journal.Answer]("audit_answer", journal.AnswerColumns)
)

// writerStatements are those of each turn. The server parses and plans them once for a connection.
var writerStatements = []string{
	beginWrite, syncWrite, lockHead, underLock, store.ProxiesQuery,
	insertEntries, insertCharges, insertReleases, insertEvents, insertAnswers, moveLockedHead, writeHeartbeat, commit,
}

// prepare has the server prepare what this connection does in each turn. The head is locked: the server looks at the tables, and nobody brings them up
// to a new format meanwhile, who would wait for this one while this one waits for him.
//
// Names are those of this connection alone: behind a pooler the session may be one that another connection has left.
func (s *Store) prepare(ctx context.Context) error {
	if s.prepared != nil {
		return nil
	}
	prepared, mark := make(map[string]string, len(writerStatements)), store.NewLedgerID()
	for i, text := range writerStatements {
		name := fmt.Sprintf("tacit_%s_%d", mark, i)
		if _, err := s.conn.Prepare(ctx, name, text); err != nil {
			return err
		}
		prepared[text] = name
	}
	s.prepared = prepared
	return nil
}

// queue queues a statement of the connection that writes, by its name if it is prepared.
func (s *Store) queue(to *pgx.Batch, text string, args ...any) *pgx.QueuedQuery {
	if name, ok := s.prepared[text]; ok {
		text = name
	}
	return to.Queue(text, args...)
}

// forgotten says whether the server has lost what was prepared, or can no longer do it since the tables are others. A new connection can.
func forgotten(err error) bool {
	var answer *pgconn.PgError
	return errors.As(err, &answer) && (answer.Code == "26000" || answer.Code == "0A000")
}
