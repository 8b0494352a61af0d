package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tacit/policy"
)

// A gate is a writer that waits until it is opened.
type gate struct {
	open    chan struct{}
	waiting atomic.Int64 // the bytes that came last
	mu      sync.Mutex   // protects what follows
	written bytes.Buffer
	most    int // the most bytes that came at once
}

func (g *gate) Write(text []byte) (int, error) {
	g.waiting.Store(int64(len(text)))
	<-g.open
	g.mu.Lock()
	defer g.mu.Unlock()
	g.most = max(g.most, len(text))
	return g.written.Write(text)
}

func (g *gate) text() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.written.String()
}

// All lines are written, whole, those of one goroutine in their order, without anybody who asks for it.
func TestLogIsWrittenBehind(t *testing.T) {
	out := &gate{open: make(chan struct{})}
	close(out.open)
	b := &behindWriter{out: out}
	const writers, lines = 8, 500
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range lines {
				fmt.Fprintf(b, "%d %d %s\n", w, i, strings.Repeat("x", 100))
			}
		})
	}
	all.Wait()
	for deadline := time.Now().Add(time.Minute); strings.Count(out.text(), "\n") < writers*lines; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d lines of %d were written", strings.Count(out.text(), "\n"), writers*lines)
		}
	}
	next := make(map[int]int)
	for line := range strings.Lines(out.text()) {
		var w, i int
		var rest string
		if n, err := fmt.Sscanf(line, "%d %d %s", &w, &i, &rest); n != 3 || err != nil || i != next[w] || len(rest) != 100 {
			t.Fatalf("the line %q stands where line %d of %d was to", line, next[w], w)
		}
		next[w]++
	}
}

// A warning is written before the call returns, and what was before it, first.
func TestWarningsAreWrittenAtOnce(t *testing.T) {
	for _, json := range []bool{false, true} {
		var out bytes.Buffer
		log := newLogger(&behindWriter{out: &out}, policy.Operations{LogJSON: json}, false).With("session", 1).WithGroup("of")
		log.Info("before")
		log.Warn("now")
		if before, now := strings.Index(out.String(), "before"), strings.Index(out.String(), "now"); before < 0 || now < before {
			t.Errorf("written at once: %q", out.String())
		}
	}
}

// Where nobody reads the log, no more waits than a bound, and a line of each who logs; then they wait, as they would without.
func TestLogBehindIsBounded(t *testing.T) {
	out := &gate{open: make(chan struct{})}
	b := &behindWriter{out: out}
	log := slog.New(slog.NewTextHandler(b, nil))
	line := strings.Repeat("y", 100)
	done := make(chan struct{})
	const lines = 10_000
	go func() {
		defer close(done)
		for range lines {
			log.Info(line)
		}
	}()
	full := func() bool { // what waits, or what is being written
		b.mu.Lock()
		defer b.mu.Unlock()
		return len(b.pending) > mostBehind || out.waiting.Load() > mostBehind
	}
	for deadline := time.Now().Add(time.Minute); !full(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nobody waits")
		}
	}
	close(out.open)
	<-done
	b.Flush()
	if n := strings.Count(out.text(), "\n"); n != lines {
		t.Errorf("%d lines of %d were written", n, lines)
	}
	if most := mostBehind + 2*len(line); out.most > most {
		t.Errorf("%d bytes waited, more than %d", out.most, most)
	}
}
