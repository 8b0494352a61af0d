package curator

import (
	"context"
	"slices"
	"sync"
)

// This file shares the curator's connections among analysts. The invariant: of those who wait, the next is one who has the fewest, and nobody
// has all of them while others could come. Start at places.take.

// places are those at connections of one kind.
type places struct {
	mu   sync.Mutex // protects what follows
	free int
	// share is how many one analyst may have at most.
	share   int
	held    map[string]int
	waiting []*waiter // in the order in which they came
}

// A waiter waits for a place.
type waiter struct {
	analyst string
	granted chan struct{} // closed when a place is given
}

// newPlaces has so many places, of which one analyst leaves a quarter to others.
func newPlaces(most int) *places {
	return &places{free: most, share: max(1, most-most/4), held: make(map[string]int)}
}

// take waits for a place. The error is ctx's.
func (p *places) take(ctx context.Context, analyst string) error {
	p.mu.Lock()
	w := &waiter{analyst, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.grant()
	p.mu.Unlock()
	select {
	case <-w.granted:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
	} else {
		p.leave(analyst)
	}
	return ctx.Err()
}

// giveBack frees a place.
func (p *places) giveBack(analyst string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave(analyst)
}

// leave is giveBack. The caller holds mu.
func (p *places) leave(analyst string) {
	p.free++
	if p.held[analyst]--; p.held[analyst] == 0 {
		delete(p.held, analyst)
	}
	p.grant()
}

// grant gives free places to those who wait. The caller holds mu.
func (p *places) grant() {
	for p.free > 0 {
		next := -1
		for i, w := range p.waiting {
			held := p.held[w.analyst]
			if (held < p.share || w.analyst == "") && (next < 0 || held < p.held[p.waiting[next].analyst]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		w := p.waiting[next]
		p.waiting = slices.Delete(p.waiting, next, next+1)
		p.free--
		p.held[w.analyst]++
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
