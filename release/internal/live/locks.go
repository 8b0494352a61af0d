package live

import (
	"bytes"
	"context"
	"slices"
	"sync"
)

// Locks lets one goroutine at a time work on a question. The zero value is ready.
type Locks struct {
	Mu   sync.Mutex // protects held
	Held map[[32]byte]chan struct{}
}

// Lock takes all keys, in an order that is the same for everybody so that no two callers wait for each other.
func (l *Locks) Lock(ctx context.Context, keys [][32]byte) (unlock func(), err error) {
	keys = slices.Clone(keys)
	slices.SortFunc(keys, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	keys = slices.Compact(keys)
	taken := 0
	unlock = func() {
		l.Mu.Lock()
		defer l.Mu.Unlock()
		for _, k := range keys[:taken] {
			close(l.Held[k])
			delete(l.Held, k)
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
func (l *Locks) try(key [32]byte) <-chan struct{} {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	if holder, ok := l.Held[key]; ok {
		return holder
	}
	if l.Held == nil {
		l.Held = make(map[[32]byte]chan struct{})
	}
	l.Held[key] = make(chan struct{})
	return nil
}
