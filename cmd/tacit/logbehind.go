package main

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// A line of the log is written for each statement. To write each by itself took a tenth of the time of an answer from the ledger.

const (
	// behindFor is how long a line may wait for others. A process that dies by itself loses no more of its log.
	behindFor = 10 * time.Millisecond
	// mostBehind is how many bytes may wait. Who writes more waits until they are written.
	mostBehind = 64 << 10
)

// A behindWriter writes to another writer in the background, in order. It may be used by many goroutines.
type behindWriter struct {
	out io.Writer

	writing sync.Mutex // held by the one who writes to out
	spare   []byte     // protected by writing

	mu      sync.Mutex // protects what follows
	pending []byte
	due     bool // a flush will come
}

// Write never fails: what out returns is known too late to be told.
func (b *behindWriter) Write(text []byte) (int, error) {
	b.mu.Lock()
	b.pending = append(b.pending, text...)
	full := len(b.pending) > mostBehind
	if !b.due {
		b.due = true
		time.AfterFunc(behindFor, b.Flush)
	}
	b.mu.Unlock()
	if full {
		b.Flush()
	}
	return len(text), nil
}

// Flush writes all that waits.
func (b *behindWriter) Flush() {
	b.writing.Lock()
	defer b.writing.Unlock()
	b.mu.Lock()
	text := b.pending
	b.pending, b.due = b.spare[:0], false
	b.mu.Unlock()
	if len(text) > 0 {
		_, _ = b.out.Write(text)
	}
	b.spare = text
}

// A warner is a handler whose warnings and errors are written at once, with all that was before them.
type warner struct {
	slog.Handler
	behind *behindWriter
}

// atOnceFromWarnings logs to a handler, which writes to w.
func atOnceFromWarnings(h slog.Handler, w io.Writer) *slog.Logger {
	if behind, ok := w.(*behindWriter); ok {
		return slog.New(warner{h, behind})
	}
	return slog.New(h)
}

func (w warner) Handle(ctx context.Context, r slog.Record) error {
	err := w.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		w.behind.Flush()
	}
	return err
}

func (w warner) WithAttrs(attrs []slog.Attr) slog.Handler {
	return warner{w.Handler.WithAttrs(attrs), w.behind}
}

func (w warner) WithGroup(name string) slog.Handler {
	return warner{w.Handler.WithGroup(name), w.behind}
}
