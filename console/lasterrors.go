package console

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tacit/internal/terminal"
)

// This file keeps the newest warnings and errors of a log, for the page about the ledger: what a proxy or the console could not do shows there, too.

const (
	keptErrors   = 20
	maxErrorText = 500
)

// A loggedError is the newest line of the log with its message, and the error in it. Other fields are not kept. So a flood of lines takes one place.
type loggedError struct {
	At         time.Time
	Text, More string
	Times      int64 // how many lines had this message
}

// lastErrors are the newest of a log and of the logs that are made from it.
type lastErrors struct {
	mu   sync.Mutex // protects last
	last []loggedError
}

// newest are those that are kept, the newest first.
func (e *lastErrors) newest() []loggedError {
	e.mu.Lock()
	defer e.mu.Unlock()
	last := slices.Clone(e.last)
	slices.Reverse(last)
	return last
}

func (e *lastErrors) add(one loggedError) {
	e.mu.Lock()
	defer e.mu.Unlock()
	one.Times = 1
	if i := slices.IndexFunc(e.last, func(other loggedError) bool { return other.Text == one.Text }); i >= 0 {
		one.Times += e.last[i].Times
		e.last = slices.Delete(e.last, i, i+1)
	}
	if e.last = append(e.last, one); len(e.last) > keptErrors {
		e.last = slices.Delete(e.last, 0, 1)
	}
}

// A keepingHandler writes as another one does, and keeps errors.
type keepingHandler struct {
	slog.Handler
	kept *lastErrors
}

// KeepErrors is a log that keeps its newest errors for a console that is given it.
func KeepErrors(log *slog.Logger) *slog.Logger {
	return slog.New(keepingHandler{log.Handler(), &lastErrors{}})
}

// errorsOf are those that a log keeps, and the log, which keeps them from now on if it did not.
func errorsOf(log *slog.Logger) (*slog.Logger, *lastErrors) {
	if _, keeps := log.Handler().(keepingHandler); !keeps {
		log = KeepErrors(log)
	}
	return log, log.Handler().(keepingHandler).kept
}

func (h keepingHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		one := loggedError{At: r.Time.UTC(), Text: cut(r.Message)}
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "error" {
				one.More = cut(a.Value.String())
			}
			return true
		})
		h.kept.add(one)
	}
	return h.Handler.Handle(ctx, r)
}

func (h keepingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return keepingHandler{h.Handler.WithAttrs(attrs), h.kept}
}

func (h keepingHandler) WithGroup(name string) slog.Handler {
	return keepingHandler{h.Handler.WithGroup(name), h.kept}
}

// cut is a text in one line, and not a long one.
func cut(text string) string {
	text = terminal.OneLine(text)
	if runes := []rune(text); len(runes) > maxErrorText {
		text = string(runes[:maxErrorText]) + "..."
	}
	return text
}
