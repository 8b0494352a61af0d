package live

import (
	"context"
	"errors"

	"tacit/release/curator"
	"tacit/release/internal/memory"
	"tacit/release/internal/reply"
)

// This file says what becomes of a count that has been charged when its analyst no longer waits. The invariant: an analyst who has seen how a count
// ended, or that it took long, has had what she was charged for. Start at Counting.

// Counting is a context for what has been charged. It ends with ctx, unless ctx ended because the analyst waits no longer for an answer that she can
// have later: then only the end of the monitor ends it.
func (m *Monitor) Counting(ctx context.Context) (counting context.Context, end func()) {
	counting, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	shutDown := context.AfterFunc(m.running, func() { cancel(reply.ErrGone) })
	gone := context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); !errors.Is(cause, reply.ErrUnawaited) {
			cancel(cause)
		}
	})
	return counting, func() {
		gone()
		shutDown()
		cancel(nil)
	}
}

// Unevaluated is what the analyst sees of an error of a statement about constants, for which nothing was charged.
func Unevaluated(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, memory.ErrTooLarge):
		return reply.RefuseLargeCells.With()
	case errors.Is(err, memory.ErrFull):
		return reply.RefuseFullMemory.With()
	case curator.TimedOut(err):
		return reply.Failure(ctx, reply.RefuseSlowCells.With(), err)
	}
	return reply.Failure(ctx, reply.RefuseUnavailable.With(), err)
}

// Unseen reports whether nobody has seen how a count ended that failed: her session was over, or the server was gone, which no analyst
// can bring about by what she asks.
func Unseen(counting context.Context, err error) bool {
	if counting.Err() != nil {
		return errors.Is(context.Cause(counting), reply.ErrGone)
	}
	return curator.ServerGone(err)
}
