package ledger

import (
	"context"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
)

// reload reads the state again, after one that may not have been written was given up.
func (l *Ledger) reload(ctx context.Context) error {
	l.mu.Lock()
	lost := l.state == nil
	l.mu.Unlock()
	if !lost {
		return nil
	}
	s, err := load(ctx, l.store)
	if err != nil {
		return l.unwritten(err)
	}
	missed, err := store.Collect(ctx, l.store, scanAnswered, answeredSince, l.committed)
	if err != nil {
		return l.unwritten(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range missed {
		l.note(a.EpochQuestion, a.release, a.at)
	}
	l.use(s)
	return nil
}

// A recordedQuestion is an answer that others have recorded.
type recordedQuestion struct {
	journal.EpochQuestion
	recordedAnswer
}

// answeredSince finds the answers that were recorded behind entry $1.
const answeredSince = `SELECT r.id, r.at, e.table_schema, e.table_name, e.epoch, c.question_key` + releaseJoin + `WHERE r.entry > $1 ORDER BY r.id`

func scanAnswered(rows store.Scanner) (a recordedQuestion, err error) {
	var key []byte
	err = rows.Scan(&a.release, &a.at, &a.Table.Schema, &a.Table.Name, &a.Epoch, &key)
	a.Key = journal.DigestOf(key)
	return a, err
}
