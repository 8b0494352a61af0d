package curator

import (
	"context"
	"slices"
	"sync"
)

// This file shares the curator's connections among analysts. The invariant: of those who wait, the next is one who has the fewest, and nobody
// has all of them while others could come. Start at turns.take.

// turns are the places at connections of one kind.
type turns struct {
	mu   sync.Mutex // protects what follows
	free int
	// share is how many one analyst may have at most.
	share   int
	held    map[string]int
	waiting []*turn // in the order in which they came
}

// A turn is waited for.
type turn struct {
	analyst string
	granted chan struct{} // closed when a place is given
}

// newTurns has so many places, of which one analyst leaves a quarter to others.
func newTurns(places int) *turns {
	return &turns{free: places, share: max(1, places-places/4), held: make(map[string]int)}
}

// take waits for a place. The error is ctx's.
func (t *turns) take(ctx context.Context, analyst string) error {
	t.mu.Lock()
	w := &turn{analyst, make(chan struct{})}
	t.waiting = append(t.waiting, w)
	t.grant()
	t.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.waiting, w); i >= 0 {
		t.waiting = slices.Delete(t.waiting, i, i+1)
	} else {
		t.leave(analyst)
	}
	return ctx.Err()
}

// giveBack frees a place.
func (t *turns) giveBack(analyst string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leave(analyst)
}

// leave is giveBack. The caller holds mu.
func (t *turns) leave(analyst string) {
	t.free++
	if t.held[analyst]--; t.held[analyst] == 0 {
		delete(t.held, analyst)
	}
	t.grant()
}

// grant gives free places to those who wait. The caller holds mu.
func (t *turns) grant() {
	for t.free > 0 {
		next := -1
		for i, w := range t.waiting {
			held := t.held[w.analyst]
			if (held < t.share || w.analyst == "") && (next < 0 || held < t.held[t.waiting[next].analyst]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := t.waiting[next]
		t.waiting = slices.Delete(t.waiting, next, next+1)
		t.free--
		t.held[w.analyst]++
		close(w.granted)
	}
}

type analystKey struct{}

// For says for which analyst the curator works under a context. Without that it works for the steward.
func For(ctx context.Context, analyst string) context.Context {
	return context.WithValue(ctx, analystKey{}, analyst)
}

func analystOf(ctx context.Context) string {
	analyst, _ := ctx.Value(analystKey{}).(string)
	return analyst
}
