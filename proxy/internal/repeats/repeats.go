package repeats

import (
	"sync"
	"time"
)

const (
	// Every is how often a count is written.
	Every = time.Minute
	// most bounds the lines that are remembered at one time.
	most = 256
)

// A Log counts equal lines. The zero value is ready.
type Log struct {
	mu    sync.Mutex // protects known and ended
	known map[string]*line
	ended bool
}

// A line was written, and came again so many times.
type line struct {
	again int
	count func(again int)
	timer *time.Timer
}

// Write calls first if no equal line was written within the last minute. Otherwise the line is counted, and count is called in time with how many there
// were.
func (l *Log) Write(key string, first func(), count func(again int)) {
	if l.repeats(key, count) {
		return
	}
	first()
}

// repeats counts a line, ok=false if it is to be written.
func (l *Log) repeats(key string, count func(again int)) (ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.known[key]; known != nil {
		known.again++
		known.count = count
		return true
	}
	if len(l.known) >= most || l.ended {
		return false
	}
	if l.known == nil {
		l.known = make(map[string]*line)
	}
	kept := &line{}
	kept.timer = time.AfterFunc(Every, func() { l.minute(key) })
	l.known[key] = kept
	return false
}

// minute writes the count of a line, and forgets a line that did not come again.
func (l *Log) minute(key string) {
	l.mu.Lock()
	kept := l.known[key]
	if kept == nil {
		l.mu.Unlock()
		return
	}
	again, count := kept.again, kept.count
	if kept.again = 0; again == 0 {
		delete(l.known, key)
	} else {
		kept.timer.Reset(Every)
	}
	l.mu.Unlock()
	if again > 0 {
		count(again)
	}
}

// End writes what was counted and not yet written.
func (l *Log) End() {
	l.mu.Lock()
	left := l.known
	l.known, l.ended = nil, true
	l.mu.Unlock()
	for _, kept := range left {
		kept.timer.Stop()
		if kept.again > 0 {
			kept.count(kept.again)
		}
	}
}
