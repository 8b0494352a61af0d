package proxy

import (
	"context"
	"time"
)

// This file has what can be timed happen at ticks: the multiples of the policy's answer_every by the clock. At a tick a statement begins to look at what was
// recorded, what is said of it is sent, and a cancel request or statement_timeout ends it. How long a count takes tells of the rows that it reads; whoever asks
// often, or in many sessions at once, sees how it stood at ticks alone. Start at interceptor.pace.

// tickAfter is the first tick after a moment; the moment itself if there are none.
func tickAfter(at time.Time, every time.Duration) time.Time {
	if every <= 0 {
		return at
	}
	return at.Truncate(every).Add(every)
}

// pace waits for the next tick.
func (in *interceptor) pace(ctx context.Context) error {
	every := in.releaser.Policy().AnswerEvery
	if every <= 0 {
		return nil
	}
	return in.until(ctx, tickAfter(time.Now(), every))
}

// atTick calls f at the first tick after so much time. Until then stop prevents that.
func (in *interceptor) atTick(after time.Duration, f func()) (stop func()) {
	now := time.Now()
	at := tickAfter(now.Add(after), in.releaser.Policy().AnswerEvery)
	if !at.After(now) {
		f()
		return func() {}
	}
	timer := time.AfterFunc(at.Sub(now), f)
	return func() { timer.Stop() }
}
