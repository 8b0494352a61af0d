package stopwatch

import (
	"context"
	"sync/atomic"
	"time"
)

// A Phase is a part of the work on a statement.
type Phase int

const (
	Ledger  Phase = iota // waiting for commits of the ledger
	Curator              // waiting for the curator's connection, and reading with it
	phases
)

// A Watch measures one statement. It may be used by many goroutines, and be nil.
type Watch struct {
	began time.Time
	spent [phases]atomic.Int64
}

// Start begins to measure a statement.
func Start() *Watch { return &Watch{began: time.Now()} }

type key struct{}

// With has the work under a context measured by w.
func With(ctx context.Context, w *Watch) context.Context {
	if w == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, w)
}

// Time measures a phase until the returned function is called.
func Time(ctx context.Context, p Phase) (end func()) {
	w, _ := ctx.Value(key{}).(*Watch)
	if w == nil {
		return func() {}
	}
	began := time.Now()
	return func() { w.spent[p].Add(int64(time.Since(began))) }
}

// Spent is what a phase has taken so far.
func (w *Watch) Spent(p Phase) time.Duration {
	if w == nil {
		return 0
	}
	return time.Duration(w.spent[p].Load())
}

// Whole is the time since the statement began.
func (w *Watch) Whole() time.Duration {
	if w == nil {
		return 0
	}
	return time.Since(w.began)
}

// Bounds are those that times of counts are rounded up to.
var Bounds = []time.Duration{
	10 * time.Millisecond, 50 * time.Millisecond, 250 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second, 5 * time.Minute,
}

// Beyond stands for everything above the last of the Bounds.
const Beyond = time.Hour

// Coarse rounds a time up to the next of the Bounds. No time at all stays so: that nothing was counted is no secret.
func Coarse(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	for _, bound := range Bounds {
		if d <= bound {
			return bound
		}
	}
	return Beyond
}
