package ledger

import (
	"time"

	"tacit/accountant/journal"
	"tacit/policy"
)

// A Mark stands for the answers that the ledger has of a table: as long as it is the same, no answer was recorded, and no epoch has begun.
type Mark struct{ epoch, recorded int64 }

// Marks are those of tables. What other processes record is taken in a little later, as it is by [Ledger.Lookup]. That the ledger is where it was
// may have been seen as long ago as is said: nothing is written on the strength of a mark, and an answer that was recorded stays one.
func (l *Ledger) Marks(tables []policy.TableName, seen time.Duration) ([]Mark, error) {
	if err := l.seenUsable(seen); err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return nil, l.rebuilding()
	}
	marks := make([]Mark, len(tables))
	for i, table := range tables {
		epoch := int64(1)
		if t := l.state.Tables[table]; t != nil {
			epoch = t.Epoch
		}
		marks[i] = Mark{epoch, l.marked[table]}
	}
	return marks, nil
}

// seenUsable is usable, or was some time ago.
func (l *Ledger) seenUsable(within time.Duration) error {
	if failure := l.failure.Load(); failure != nil {
		return failure
	}
	now := time.Now()
	if last := l.looked.Load(); last != nil && now.Sub(*last) < within {
		return nil
	}
	err := l.usable()
	if err == nil && within > 0 {
		l.looked.Store(&now)
	}
	return err
}

// mark notes that an answer was recorded. The caller holds mu.
func (l *Ledger) mark(key journal.EpochQuestion) {
	if l.marked == nil {
		l.marked = make(map[policy.TableName]int64)
	}
	l.marked[key.Table]++
}
