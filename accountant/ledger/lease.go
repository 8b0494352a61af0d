package ledger

import (
	"slices"
	"strings"
	"time"

	"tacit/accountant/journal"
	"tacit/policy"
)

// Leases. A process that has open charges, which are charges without answers, writes the time into its row of the table proxy: a heartbeat. If that
// is older than the lease, the process has crashed or hangs. Then whoever asks the same question adopts its charge, pays nothing, and answers. If
// the process was alive after all, it finds that it no longer owns the charge when it records its answer, and shows nothing.
//
// The invariant: nothing that the ledger promises depends on a heartbeat. A wrong guess costs a count, and no budget.

// hasOpenCharges reports whether this process has charges without answers.
func (l *Ledger) hasOpenCharges() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state != nil && l.state.HasOpenCharges(l.proxy, l.now().UnixNano())
}

// heartbeat is the row that says when this process was last alive, or that it has ended; nil if it need not be written now.
func (l *Ledger) heartbeat(b *batch) *journal.Proxy {
	seen := l.store.Clock().UnixNano()
	switch {
	case !b.reserved && !b.State.HasOpenCharges(l.proxy, b.Now):
		return nil
	case l.leaving:
		seen = 0
	case seen >= l.lastHeartbeat && seen-l.lastHeartbeat < int64(l.lease/4): // else it is due, or the clock was set back
		return nil
	}
	row := &journal.Proxy{ID: l.proxy, Started: l.started, Seen: seen}
	row.Digest = b.State.Linker.Proxy(row)
	return row
}

// mayAnswer reports whether the process that owns an open charge may still answer it. For a charge of this process that is so while its reservation is
// held. None is held where the commit was uncertain and the caller was told that it failed.
func (b *batch) mayAnswer(c *journal.OpenCharge) bool {
	if c.Proxy == b.ledger.proxy {
		return b.ledger.held.has(c.Owner)
	}
	return b.isAlive(c.Proxy)
}

// abandonOrphans gives up the open charges of this process that have no reservation, after a lease's time: they could not be abandoned, or their
// caller was told that the charge failed, while the ledger was away. An orphan is owned by nobody from then on, and is adopted by whoever asks the
// same. The time is for callers who try an operation again.
func (b *batch) abandonOrphans() {
	l, now := b.ledger, time.Now()
	orphans := make(map[int64]time.Time)
	left := make(map[policy.TableName][]int64)
	for id, c := range b.State.Open {
		if c.Proxy != l.proxy || l.held.has(c.Owner) {
			continue
		}
		since, known := l.orphans[id]
		if !known {
			since = now
		}
		orphans[id] = since
		if now.Sub(since) >= l.lease && b.State.Table(c.Table).FrozenFor(c.Table, "") == nil {
			left[c.Table] = append(left[c.Table], id)
		}
	}
	l.orphans = orphans
	for _, name := range journal.SortedTables(left) {
		e := journal.NewEntry(journal.KindAdopted, name, "")
		slices.Sort(left[name])
		e.Body = journal.Marshal(journal.AdoptedBody{Charges: left[name]}) // by nobody
		b.Add(e)
	}
}

// isAlive reports whether a process may still answer, by the lease that was read with the last lock. One that was seen in the future is not alive: the clock was
// set back since, and who lives says so again soon.
func (b *batch) isAlive(proxy string) bool {
	switch {
	case proxy == b.ledger.proxy:
		return true
	case proxy == "" || b.ledger.alone && strings.HasPrefix(proxy, servePrefix):
		return false
	}
	seen := b.ledger.seen[proxy]
	since := time.Duration(b.ledger.store.Clock().UnixNano() - seen)
	return seen > 0 && since.Abs() <= b.ledger.lease
}

// leaseCheckDue reports whether another process's lease must be read again, because a caller may wait for its answer.
func (l *Ledger) leaseCheckDue() bool {
	if time.Since(l.leasesRead) < l.lease/8 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return false
	}
	b := l.newBatch()
	for _, c := range l.state.Open {
		if c.Proxy != l.proxy && b.isAlive(c.Proxy) {
			return true
		}
	}
	for _, t := range l.state.Tables {
		if t.Auditor != "" && t.Auditor != l.proxy && !t.Answered && b.isAlive(t.Auditor) {
			return true
		}
	}
	return false
}

const servePrefix = "serve-"
