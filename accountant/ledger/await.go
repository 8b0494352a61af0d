package ledger

import (
	"context"
	"time"
)

// Await waits until a question is no longer being answered by whom it was: it was recorded or abandoned, or who was to answer it is gone.
// Then the caller looks for the answer, and if there is none, reserves again.
func (l *Ledger) Await(ctx context.Context, e *InFlightError) error {
	l.awaited.Add(1) // so that the ledger is followed more closely
	defer l.awaited.Add(-1)
	tick := time.NewTicker(awaitPause)
	defer tick.Stop()
	for looked := false; ; {
		if err := l.usable(); err != nil {
			return err
		}
		waits, alive, moved := l.waits(e)
		switch {
		case !waits || !alive && looked:
			return nil
		case !alive: // by what the last lock has read, which may be some time ago
			looked = true
			if err := l.Follow(ctx); err != nil {
				return err
			}
			continue
		}
		looked = false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		case <-tick.C: // a process may end without a word
		}
	}
}

// Follow applies all that other processes have written up to now, which is otherwise done some time later.
func (l *Ledger) Follow(ctx context.Context) error {
	return l.do(ctx, func(*batch) error { return nil })
}

// waits says whether a charge still waits for the answer of who was to answer it, and whether he can, and what is closed when that may change.
func (l *Ledger) waits(e *InFlightError) (waits, alive bool, moved <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return true, true, l.moved
	}
	open := l.state.Open[e.charge]
	if open == nil || open.Owner != e.owner {
		return false, false, nil
	}
	return true, l.newBatch().mayAnswer(open), l.moved
}
