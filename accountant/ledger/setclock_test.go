package ledger

import "time"

// setClock replaces the time by which entries are dated.
func (l *Ledger) setClock(now func() time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = now
}
