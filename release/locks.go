package release

import (
	"bytes"
	"context"
	"slices"
	"sync"
)

// keyedLocks lets one goroutine at a time work on a question. The zero value is ready.
type keyedLocks struct {
	mu   sync.Mutex // protects held
	held map[[32]byte]chan struct{}
}

// lock takes all keys, in an order that is the same for everybody so that no two callers wait for each other.
func (l *keyedLocks) lock(ctx context.Context, keys [][32]byte) (unlock func(), err error) {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	keys = slices.Compact(keys)
	taken := 0
	unlock = func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, k := range keys[:taken] {
			close(l.held[k])
			delete(l.held, k)
		}
	}
	for taken < len(keys) {
		holder := l.try(keys[taken])
		if holder == nil {
			taken++
			continue
		}
		select {
		case <-holder:
		case <-ctx.Done():
			unlock()
			return nil, ctx.Err()
		}
	}
	return unlock, nil
}

// try takes a free key, or returns the channel that is closed when its holder is done.
func (l *keyedLocks) try(key [32]byte) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if holder, ok := l.held[key]; ok {
		return holder
	}
	if l.held == nil {
		l.held = make(map[[32]byte]chan struct{})
	}
	l.held[key] = make(chan struct{})
	return nil
}
