package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tacit/accountant/journal"
	"tacit/accountant/ledger/store"
	"tacit/internal/stopwatch"
)

// Group commit. A change of the ledger is queued as a pendingWrite. One goroutine takes all that are queued, locks the head, applies what other
// processes have written, decides on each write in its order, and commits all their rows at once: the wait for the disk, or for the server, is
// shared.
//
// The invariant: the state in memory is that of the last committed entry whenever mu is free, or nil. A batch changes the state when it is
// decided; if its commit fails, the state is dropped and read again. If it is not known whether a commit succeeded, nothing else is written
// before the next lock has found out, see wasWritten.

const (
	maxGroup      = 512      // in one group
	maxBatchBytes = 16 << 20 // of payloads, about, in one group
	// checkpointEvery is after how many entries a checkpoint is written. Opening a ledger reads at most about so many entries. Where what is
	// known has grown large, so that checkpoints would take more room than so many bytes for each entry, they are written less often.
	checkpointEvery = 10_000
	checkpointShare = 100
	// followEvery is how long, at most about, what other processes have written goes unnoticed while this one writes nothing.
	followEvery = 100 * time.Millisecond
	// decideTime bounds the time in which a group is decided, while other processes wait for the head. A server ends a transaction that takes too long.
	decideTime = time.Second
	// decidedAtOnce is how many writes are decided on before their rows go ahead to the store.
	decidedAtOnce = 32
	// retryPause is the time between two attempts at a commit that failed.
	retryPause = 50 * time.Millisecond
)

// do queues f and waits until its group is committed. It returns f's error, or ErrUnavailable if nothing could be written.
func (l *Ledger) do(ctx context.Context, f func(*batch) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := l.usable(); err != nil {
		return err
	}
	defer stopwatch.Time(ctx, stopwatch.Ledger)()
	w := &pendingWrite{ctx: ctx, decide: f, done: make(chan error, 1), queued: time.Now()}
	select {
	case l.queue <- w:
	case <-ctx.Done():
		return ctx.Err()
	case <-l.halt:
		return l.closedError()
	}
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		if w.stage.CompareAndSwap(waiting, left) {
			return ctx.Err()
		}
	case <-l.ended:
	}
	select {
	case err := <-w.done:
		return err
	case <-l.ended: // it was queued too late
		select {
		case err := <-w.done:
			return err
		default:
			return l.closedError()
		}
	}
}

// run commits groups until the ledger is closed.
func (l *Ledger) run() {
	defer close(l.ended)
	beat, follow := time.NewTicker(l.lease/4), time.NewTicker(awaitPause)
	defer beat.Stop()
	defer follow.Stop()
	for {
		select {
		case w := <-l.queue:
			l.commitAll(l.gather([]*pendingWrite{w}))
		case <-beat.C:
			if l.hasOpenCharges() {
				l.commitAll(nil)
			}
		case <-follow.C:
			if l.awaited.Load() == 0 && time.Since(l.followed) < followEvery {
				continue
			}
			l.followed = time.Now()
			if l.leaseCheckDue() || l.behind(context.Background()) {
				l.commitAll(nil)
			}
		case <-l.halt:
			l.finalise()
			return
		}
	}
}

// gather adds the queued writes to others.
func (l *Ledger) gather(writes []*pendingWrite) []*pendingWrite {
	for len(writes) < maxGroup {
		select {
		case w := <-l.queue:
			writes = append(writes, w)
		default:
			return writes
		}
	}
	return writes
}

// finalise serves what is left, and takes leave, so that charges which wait for this process's answers can be adopted at once.
func (l *Ledger) finalise() {
	for {
		select {
		case w := <-l.queue:
			l.commitAll(l.gather([]*pendingWrite{w}))
			continue
		default:
		}
		break
	}
	l.leaving = true
	if l.hasOpenCharges() {
		l.commitUntilEmpty(nil, alone) // a charge that came now could not be recorded
	}
}

// commitAll commits all writes and answers their callers. A commit that fails is tried again, with all that are queued by then, until the first of
// them has waited for the store's patience. Where the rows are refused, each write is tried alone, so that those which cannot be written do not
// fail the others. Without writes it commits once, for heartbeats and orphans, and to apply what others have written.
func (l *Ledger) commitAll(writes []*pendingWrite) { l.commitUntilEmpty(writes, l.gather) }

// alone is for writes that no others may join.
func alone(writes []*pendingWrite) []*pendingWrite { return writes }

// commitUntilEmpty is commitAll. Others join each group by join.
func (l *Ledger) commitUntilEmpty(writes []*pendingWrite, join func([]*pendingWrite) []*pendingWrite) {
	for {
		var n int
		var err error
		writes, n, err = l.commitGroup(writes, join)
		switch {
		case err == nil:
			answer(writes[:n])
			writes = writes[n:]
		case l.usable() != nil:
			refuse(writes, err)
			return
		case errors.Is(err, store.ErrRows) && n == 1:
			refuse(writes[:n], err)
			writes = writes[n:]
		case errors.Is(err, store.ErrRows):
			for _, w := range writes[:n] {
				l.commitUntilEmpty([]*pendingWrite{w}, alone)
			}
			writes = writes[n:]
		default:
			writes = l.expire(writes, err)
		}
		if len(writes) == 0 {
			return
		}
		if err != nil {
			time.Sleep(retryPause)
			writes = join(writes)
		}
	}
}

// expire fails the writes that have waited for too long, after a commit that failed, and returns the others. Those of a batch that may have been
// written are failed together or not at all.
func (l *Ledger) expire(writes []*pendingWrite, err error) (others []*pendingWrite) {
	overdue := func(w *pendingWrite) bool { return time.Since(w.queued) >= l.store.Patience() }
	if n := l.uncertainWrites; l.uncertain.Entry != 0 {
		if n > 0 && !overdue(writes[0]) {
			return writes
		}
		l.uncertain = journal.Head{}
		refuse(writes[:n], err)
		writes = writes[n:]
	}
	for _, w := range writes {
		switch {
		case w.ctx.Err() != nil:
			refuse([]*pendingWrite{w}, w.ctx.Err())
		case overdue(w):
			refuse([]*pendingWrite{w}, err)
		default:
			w.stage.CompareAndSwap(decided, waiting)
			others = append(others, w)
		}
	}
	return others
}

func refuse(writes []*pendingWrite, err error) {
	for _, w := range writes {
		w.err = err
	}
	answer(writes)
}

func answer(writes []*pendingWrite) {
	for _, w := range writes {
		w.done <- w.err
	}
}

// readPatience is how long a commit may take to read what others have written.
const readPatience = time.Minute

// commitGroup tries once to commit the first writes, as many as fit into a batch. It returns how many these are, and all writes. Others join
// once the head is locked: whoever was answered by the last group asks again while the lock is waited for, and would otherwise wait for the
// next group.
func (l *Ledger) commitGroup(writes []*pendingWrite, join func([]*pendingWrite) []*pendingWrite) (all []*pendingWrite, n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readPatience)
	defer cancel()
	if err := l.reload(ctx); err != nil {
		return writes, len(writes), err
	}
	p, err := l.lockHead(ctx)
	if err != nil {
		return writes, len(writes), err
	}
	if n, landed := l.wasWritten(p); landed {
		return writes, n, l.store.Rollback()
	}
	writes = join(writes)
	began := time.Now()
	writes, n = l.decideAll(p, writes, join)
	return writes, n, l.commitDecided(p, writes[:n], began)
}

// commitDecided commits what was decided on under the lock.
func (l *Ledger) commitDecided(p *batch, writes []*pendingWrite, began time.Time) error {
	n := len(writes)
	if len(p.Entries) == 0 && p.Heartbeat == nil {
		l.written(p)
		if err := l.store.Rollback(); err != nil {
			return l.discard(nil, n, err)
		}
		return nil
	}
	if err := l.store.Write(&p.Batch); err != nil {
		err = l.discard(&p.Batch, n, err)
		l.activity.failed.Store(&failedCommit{time.Now(), err})
		return err
	}
	if len(p.Entries) > 0 { // a heartbeat takes no room on a disk
		l.activity.failed.Store(nil)
	}
	l.activity.commits.Add(time.Since(began))
	for _, w := range writes {
		l.activity.queued.Add(max(0, began.Sub(w.queued))) // who joined while others were decided on did not wait
	}
	l.written(p)
	return nil
}

// lockHead locks the head and applies what others have written since. If that is much, it is read before, without the lock that all others wait for.
func (l *Ledger) lockHead(ctx context.Context) (*batch, error) {
	for {
		t, err := l.store.Lock(ctx, l.position(), l.uncertain.Entry)
		if err != nil {
			return nil, l.unwritten(err)
		}
		if !t.More {
			return l.startBatch(t)
		}
		if err := l.store.Rollback(); err != nil {
			return nil, l.unwritten(err)
		}
		if err := l.readMissed(ctx); err != nil {
			return nil, err
		}
	}
}

// position is the last entry that was applied. Only the goroutine that commits moves it.
func (l *Ledger) position() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.Position
}

// startBatch begins a batch behind the head that was locked.
func (l *Ledger) startBatch(t *store.Locked) (*batch, error) {
	err := l.applyMissed(t.Newer)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && (t.Head.Entry != l.state.Position || t.Head.Hash != l.state.Hash) {
		err = fmt.Errorf("its head is entry %d, and its last entry %d is another one", t.Head.Entry, l.state.Position)
	}
	if err != nil {
		return nil, errors.Join(l.contradicted(err), l.store.Rollback())
	}
	l.seen, l.leasesRead = make(map[string]int64, len(t.Proxies)), time.Now()
	for _, row := range t.Proxies {
		l.seen[row.ID] = row.Seen
	}
	p := l.newBatch()
	p.uncertain = t.Uncertain
	return p, nil
}

// readMissed applies what others have written, page by page.
func (l *Ledger) readMissed(ctx context.Context) error {
	snap, err := l.store.Snapshot(ctx)
	if err != nil {
		return l.unwritten(err)
	}
	defer snap.Close()
	for begun := l.position(); ; {
		after := l.position()
		page, err := store.ReadEntries(ctx, snap, after+1, after+store.ScanPage)
		if err != nil {
			return l.unwritten(err)
		}
		if err = l.applyMissed(page); err == nil && len(page) == 0 && after == begun {
			err = fmt.Errorf("nothing is behind entry %d, which is not its head", after)
		}
		if err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			return l.contradicted(err)
		}
		if len(page) == 0 {
			return nil
		}
	}
}

// applyMissed applies entries that others have written.
func (l *Ledger) applyMissed(entries []*journal.Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		if err := l.state.Apply(e); err != nil {
			return err
		}
	}
	l.committed, l.through = l.state.Position, l.state.Last.Release
	if len(entries) > 0 {
		l.announce()
	}
	return nil
}

// contradicted gives the ledger up: what others have written does not follow from what was known. The caller holds mu.
func (l *Ledger) contradicted(err error) error {
	l.state = nil
	return l.fail("another program has written it", err)
}

// decideAll decides on writes in their order, until the batch is full, and returns all writes, and how many were decided on. Where these are many, the rows of the first
// go ahead to the store, and others join, before it decides on the last.
func (l *Ledger) decideAll(p *batch, writes []*pendingWrite, join func([]*pendingWrite) []*pendingWrite) (all []*pendingWrite, n int) {
	l.mu.Lock()
	l.pending = make(map[journal.EpochQuestion]recordedAnswer)
	l.mu.Unlock()
	for began := time.Now(); n < len(writes) && p.Size <= maxBatchBytes && (n == 0 || time.Since(began) <= decideTime); {
		if n > 0 {
			l.store.Ahead(&p.Batch)
			writes = join(writes)
		}
		n += l.decide(p, writes[n:min(n+decidedAtOnce, len(writes))], began)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	p.abandonOrphans()
	if len(p.Entries) > 0 && p.State.Position-p.State.Checkpoint >= max(l.sealEvery, p.State.Weight/checkpointShare) {
		p.Add(&journal.Entry{Kind: journal.KindCheckpoint, Body: p.State.CheckpointBody()})
	}
	p.Heartbeat = l.heartbeat(p)
	return writes, n
}

// decide decides on writes, until the batch is full, and returns how many these are. The first one has its turn however long others took.
func (l *Ledger) decide(p *batch, writes []*pendingWrite, began time.Time) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, w := range writes {
		if p.Size > maxBatchBytes || n > 0 && time.Since(began) > decideTime {
			break
		}
		n++
		if w.err = w.ctx.Err(); w.err == nil && w.claim() {
			w.err = w.decide(p)
		}
	}
	return n
}

// written finalises a batch that was committed.
func (l *Ledger) written(p *batch) {
	if p.Heartbeat != nil {
		l.lastHeartbeat = p.Heartbeat.Seen
		l.leaving = l.leaving && p.Heartbeat.Seen != 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed, l.through = l.state.Position, l.state.Last.Release
	l.finaliseAnswers(true)
	for _, r := range p.released {
		l.keepOwn(r)
	}
	l.announce()
}

// announce wakes all callers that wait for new entries. The caller holds mu.
func (l *Ledger) announce() {
	close(l.moved)
	l.moved = make(chan struct{})
}

// discard forgets a state that was not written, and remembers a batch whose commit is uncertain.
func (l *Ledger) discard(b *journal.Batch, n int, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = nil
	l.finaliseAnswers(false)
	if b != nil && len(b.Entries) > 0 && errors.Is(err, store.ErrUncertain) {
		l.uncertain, l.uncertainWrites = b.Head, n
	}
	if failure := l.store.Usable(); failure != nil {
		return failure
	}
	return l.unwritten(err)
}

// wasWritten reports whether the batch whose commit was uncertain is in the ledger after all, and how many writes were in it. The head is locked,
// so that no commit is on its way any more.
func (l *Ledger) wasWritten(p *batch) (writes int, landed bool) {
	h := l.uncertain
	l.uncertain = journal.Head{}
	return l.uncertainWrites, h.Entry != 0 && p.uncertain == h.Hash
}

// awaitPause is how often it is looked, by one for all, what other processes do, while somebody waits for it.
const awaitPause = 25 * time.Millisecond

// followPatience bounds the look at what other processes have written. Commits wait for it: with the time that one may take on a
// connection that has fallen silent, too, it is less than ledgerPatience, so that another attempt is made for whoever waits.
const followPatience = 2 * time.Second

// behind reports whether other processes have written something that was not applied. If that cannot be found out, the next commit will.
func (l *Ledger) behind(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, followPatience)
	defer cancel()
	h, found, err := store.One(ctx, l.store, store.ScanHead, store.HeadQuery)
	if err != nil || !found {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == nil || h.Entry > l.state.Position
}
