package proxy

import (
	"context"
	"errors"
	"sync"
	"time"

	"tacit/internal/stopwatch"
	"tacit/proxy/internal/relay"
	"tacit/release"
	"tacit/rewrite/pgerror"
)

// This file waits for the releaser on behalf of a session. Four things end the wait: the answer, a cancel request, the analyst's own
// statement_timeout, and the end of the session, which is also noticed while nobody reads from the client. The invariant: what has been
// charged when her time is over is counted to its end, so that she finds the answer when she asks again. Start at await.

// clientCheck is how often it is looked whether the client is still there. PostgreSQL does that by client_connection_check_interval.
const clientCheck = 500 * time.Millisecond

// A waitLimit says how long a session waits.
type waitLimit struct {
	limit time.Duration // 0: as long as it takes
	// paced says that the call looks at what is recorded, which it does at a tick.
	paced bool
	// goesOn says that the work ends by itself when nobody waits for it any more; late is what the analyst is told then.
	goesOn bool
	late   *pgerror.Refusal
}

// free is how long a session waits for what is not charged.
func (in *interceptor) free() waitLimit {
	return waitLimit{limit: in.timeout, paced: true, late: errTimedOut}
}

// charged is how long it waits for counts.
func (in *interceptor) charged() waitLimit {
	return waitLimit{limit: in.timeout, paced: true, goesOn: true, late: errTimedOutCounting}
}

// An outcome is what a call of the releaser returns.
type outcome[T any] struct {
	value T
	err   error
}

// await waits for the releaser.
func await[T any](in *interceptor, w waitLimit, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithCancelCause(stopwatch.With(context.WithoutCancel(in.ctx), in.watch))
	unend := context.AfterFunc(in.ctx, func() { cancel(release.ErrGone) })
	defer unend()
	defer cancel(nil)
	defer in.watchClient()()
	end := in.pending.begin(func() { in.atTick(0, func() { cancel(context.Canceled) }) })
	var got outcome[T]
	if w.paced {
		got.err = in.pace(ctx)
	}
	if w.limit > 0 {
		defer in.atTick(w.limit, func() { cancel(release.ErrUnawaited) })()
	}
	switch {
	case got.err != nil:
	case w.limit > 0 && w.goesOn:
		got = waitFor(ctx, ask)
	default:
		got.value, got.err = ask(ctx)
	}
	cause := context.Cause(ctx)
	end()
	if got.err == nil {
		return got.value, nil
	}
	var none T
	return none, in.failure(got.err, cause, w)
}

// waitFor waits until the call returns, or is not awaited any more.
func waitFor[T any](ctx context.Context, ask func(context.Context) (T, error)) outcome[T] {
	done := make(chan outcome[T], 1)
	go func() {
		value, err := ask(ctx)
		done <- outcome[T]{value, err}
	}()
	select {
	case got := <-done:
		return got
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), release.ErrUnawaited) {
		return outcome[T]{err: release.ErrUnawaited}
	}
	return <-done
}

// failure is what the analyst sees of an error of the releaser; cause is why she no longer waits, nil if she does.
func (in *interceptor) failure(err, cause error, w waitLimit) error {
	if in.ctx.Err() != nil {
		return relay.ErrEnded
	}
	var r *pgerror.Refusal
	isRefusal := errors.As(err, &r)
	switch {
	case errors.Is(cause, release.ErrUnawaited) && (!isRefusal || r.Code == errTimedOut.Code):
		return w.late
	case isRefusal && error(r) != err && cause != nil && r.Code == errCancelled.Code:
		in.log.Info("answer cancelled", "error", err) // the analyst wanted it so
	case isRefusal && error(r) != err:
		in.logClosed(r.Code, err)
	case isRefusal:
	case cause != nil:
		r = errCancelled
	default:
		in.log.Error("answer failed", "error", err)
		r = errInternal
	}
	return r
}

// logClosed writes why answers are refused to whoever asks: once, and then how often.
func (in *interceptor) logClosed(code string, err error) {
	log := in.shared
	in.closed.Write(code+" "+err.Error(),
		func() { in.log.Error("answer refused", "code", code, "error", err) },
		func(again int) {
			log.Error("answers refused for the same reason", "times", again, "code", code, "error", err)
		})
}

// watchClient ends the session if its client goes away, until the returned function is called.
func (in *interceptor) watchClient() (stop func()) {
	if in.clientGone == nil {
		return func() {}
	}
	var mu sync.Mutex // protects stopped, and watch while it is made
	stopped := false
	var watch *time.Timer
	mu.Lock()
	defer mu.Unlock()
	watch = time.AfterFunc(clientCheck, func() {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case stopped:
		case in.clientGone():
			in.leave(relay.ErrClient)
		default:
			watch.Reset(clientCheck)
		}
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		watch.Stop()
	}
}
