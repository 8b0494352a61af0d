package ledger

import (
	"testing"
	"time"

	"tacit/accountant"
)

// Who was answered lets go of his reservation while writes are decided on, and keeps none of them waiting.
func TestLetsGoWhileOthersAreDecided(t *testing.T) {
	l := open(t, newPath(t))
	r := reserve(t, l, charge("ana", "held", accountant.Loss{Epsilon: 1}))
	done := make(chan struct{})
	l.mu.Lock()
	go func() {
		l.held.forget(r)
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("it waits for those who decide")
	}
	l.mu.Unlock()
	if l.held.has(r.entries[0]) {
		t.Error("it is still held")
	}
}
