package ledger

import (
	"sync/atomic"
	"time"

	"tacit/internal/stopwatch"
)

// This file counts, for operators, what a ledger has done since it was opened. Nothing that is counted depends on protected rows: that a question was
// answered before is told to whoever asks it.

// An Activity is what a ledger has done since it was opened, and what waits.
type Activity struct {
	// Writes wait for a commit, and Awaited are statements that wait for an answer of another process.
	Writes, Awaited int
	// Dropped are events that Note was given and that are not in the log.
	Dropped int64
	// Commits are the times that commits took once the ledger was locked. Queued are those that changes waited before, for others and for the lock.
	Commits, Queued stopwatch.Counted
	// Kept are answers that were at hand when they were looked up, Read those that were read from the ledger, and Missing those that it did not have.
	Kept, Read, Missing int64
}

// activity is what is counted of it.
type activity struct {
	commits, queued     stopwatch.Times
	kept, read, missing atomic.Int64
	failed              atomic.Pointer[failedCommit]
}

// A failedCommit is a commit that could not be made, behind which none was.
type failedCommit struct {
	at  time.Time
	err error
}

// failureStands is how long a commit that failed says that the next one would, too. Nobody may ask for another.
const failureStands = time.Minute

// Unwritten says why nothing can be written, as far as the last commit tells; nil if it was made, or is longer than a minute ago. After a commit that failed the
// ledger is read again, and is usable until the next one: a server whose disk is full can still be read.
func (l *Ledger) Unwritten() error {
	if f := l.activity.failed.Load(); f != nil && time.Since(f.at) < failureStands {
		return f.err
	}
	return nil
}

// Activity is what the ledger has done.
func (l *Ledger) Activity() Activity {
	return Activity{
		Writes: len(l.queue), Awaited: int(l.awaited.Load()), Dropped: l.Dropped(), Commits: l.activity.commits.Counted(), Queued: l.activity.queued.Counted(),
		Kept: l.activity.kept.Load(), Read: l.activity.read.Load(), Missing: l.activity.missing.Load(),
	}
}
