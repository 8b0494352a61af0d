package accountant

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// Group commit. Whoever wants to change the ledger puts what it wants into a queue. One goroutine takes all that wait, locks the head, takes
// in what other processes have written, decides on each wish in the light of those before it, and writes all rows at once: the wait for the
// disk, or for the server, is shared. A wish that is refused has no part in the others' lot.

// A work is a wish to change the ledger, that waits for its turn.
type work struct {
	ctx context.Context // looked at until it is decided
	// plan decides, and adds entries to the plan. If it returns an error, it has added none. It may be called again, when a turn has failed.
	plan   func(*plan) error
	err    error
	done   chan error
	queued time.Time
	stage  atomic.Int32
}

// The stages of a work. Who has queued it may leave while it waits; once it is decided, what comes of it is known soon.
const (
	waiting int32 = iota
	decided
	left
)

// decide says whether a work is still wanted.
func (w *work) decide() bool {
	return w.stage.CompareAndSwap(waiting, decided) || w.stage.Load() == decided
}

const (
	maxWorks      = 512      // in one turn
	maxBatchBytes = 16 << 20 // of payloads, about, in one turn
	// checkpointEvery is after how many entries a checkpoint is written. Opening a ledger reads at most about so many entries. Where what is
	// known has grown large, so that checkpoints would take more room than so many bytes for each entry, they are written less often.
	checkpointEvery = 10_000
	checkpointShare = 100
	// followEvery is how long, at most about, what other processes have written goes unnoticed while this one writes nothing.
	followEvery = 100 * time.Millisecond
	// decideTime is how long is decided in one turn, while others wait for the head. A server ends a turn that takes too long.
	decideTime = time.Second
	// retryPause is the time between two attempts at a turn that failed.
	retryPause = 50 * time.Millisecond
)

// do waits for the turn in which f was decided, and returns f's error, or ErrUnavailable if nothing could be written.
func (l *Ledger) do(ctx context.Context, f func(*plan) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := l.usable(); err != nil {
		return err
	}
	w := &work{ctx: ctx, plan: f, done: make(chan error, 1), queued: time.Now()}
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

// run takes turns until the ledger is closed.
func (l *Ledger) run() {
	defer close(l.ended)
	beat, follow := time.NewTicker(l.lease/4), time.NewTicker(awaitPause)
	defer beat.Stop()
	defer follow.Stop()
	for {
		select {
		case w := <-l.queue:
			l.serve(l.gather([]*work{w}))
		case <-beat.C:
			if l.owes() {
				l.serve(nil)
			}
		case <-follow.C:
			if l.awaited.Load() == 0 && time.Since(l.followed) < followEvery {
				continue
			}
			l.followed = time.Now()
			if l.wonders() || l.behind(context.Background()) {
				l.serve(nil)
			}
		case <-l.halt:
			l.drain()
			return
		}
	}
}

// gather adds those that wait to works.
func (l *Ledger) gather(works []*work) []*work {
	for len(works) < maxWorks {
		select {
		case w := <-l.queue:
			works = append(works, w)
		default:
			return works
		}
	}
	return works
}

// drain serves what is left, and takes leave, so that charges which wait for this process's answers can be adopted at once.
func (l *Ledger) drain() {
	for {
		select {
		case w := <-l.queue:
			l.serve(l.gather([]*work{w}))
			continue
		default:
		}
		break
	}
	l.leaving = true
	if l.owes() {
		l.serve(nil)
	}
}

// serve answers all works. A turn that fails is tried again, with all who wait by then, for as long as the store has patience with the one who
// waits for the longest. Only where it is rows that are refused each work is tried alone, so that those which cannot be written do not keep
// others from it. Without works it takes one turn for the ledger's own sake.
func (l *Ledger) serve(works []*work) {
	for {
		n, err := l.turn(works)
		switch {
		case err == nil:
			answer(works[:n])
			works = works[n:]
		case l.usable() != nil:
			refuse(works, err)
			return
		case errors.Is(err, errRows) && n == 1:
			refuse(works[:n], err)
			works = works[n:]
		case errors.Is(err, errRows):
			for _, w := range works[:n] {
				l.serve([]*work{w})
			}
			works = works[n:]
		default:
			works = l.dismiss(works, err)
		}
		if len(works) == 0 {
			return
		}
		if err != nil {
			time.Sleep(retryPause)
			works = l.gather(works)
		}
	}
}

// dismiss tells those who have waited for too long why, after a turn that failed, and returns the others. Works that may have been written share one lot.
func (l *Ledger) dismiss(works []*work, err error) (others []*work) {
	overdue := func(w *work) bool { return time.Since(w.queued) >= l.store.patience() }
	if n := l.uncertainWorks; l.uncertain.entry != 0 {
		if n > 0 && !overdue(works[0]) {
			return works
		}
		l.uncertain = head{}
		refuse(works[:n], err)
		works = works[n:]
	}
	for _, w := range works {
		switch {
		case w.ctx.Err() != nil:
			refuse([]*work{w}, w.ctx.Err())
		case overdue(w):
			refuse([]*work{w}, err)
		default:
			w.stage.CompareAndSwap(decided, waiting)
			others = append(others, w)
		}
	}
	return others
}

func refuse(works []*work, err error) {
	for _, w := range works {
		w.err = err
	}
	answer(works)
}

func answer(works []*work) {
	for _, w := range works {
		w.done <- w.err
	}
}

// readPatience is how long a turn may take to read what it does not know yet.
const readPatience = time.Minute

// turn is one attempt at the first works, as many as go into a batch, which is their number.
func (l *Ledger) turn(works []*work) (n int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), readPatience)
	defer cancel()
	if err := l.reload(ctx); err != nil {
		return len(works), err
	}
	p, err := l.begin(ctx)
	if err != nil {
		return len(works), err
	}
	if n, landed := l.landed(p); landed {
		return n, l.store.pass()
	}
	n = l.decide(p, works)
	if len(p.batch.entries) == 0 && p.batch.beat == nil {
		l.written(p)
		if err := l.store.pass(); err != nil {
			return n, l.lose(nil, n, err)
		}
		return n, nil
	}
	if err := l.store.write(&p.batch); err != nil {
		return n, l.lose(&p.batch, n, err)
	}
	l.written(p)
	return n, nil
}

// begin locks the head and takes in what others have written since. If that is much, it is read before the lock, for which all others wait.
func (l *Ledger) begin(ctx context.Context) (*plan, error) {
	for {
		t, err := l.store.lock(ctx, l.position(), l.uncertain.entry)
		if err != nil {
			return nil, l.unwritten(err)
		}
		if !t.more {
			return l.enter(t)
		}
		if err := l.store.pass(); err != nil {
			return nil, l.unwritten(err)
		}
		if err := l.pursue(ctx); err != nil {
			return nil, err
		}
	}
}

// position is the last entry that was taken in. Only turns move it.
func (l *Ledger) position() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state.position
}

// enter begins a plan in a turn that has begun.
func (l *Ledger) enter(t *turnStart) (*plan, error) {
	err := l.takeIn(t.newer)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && (t.head.entry != l.state.position || t.head.hash != l.state.hash) {
		err = fmt.Errorf("its head is entry %d, and its last entry %d is another one", t.head.entry, l.state.position)
	}
	if err != nil {
		return nil, errors.Join(l.contradicted(err), l.store.pass())
	}
	l.seen, l.looked = make(map[string]int64, len(t.proxies)), time.Now()
	for _, row := range t.proxies {
		l.seen[row.id] = row.seen
	}
	p := l.newPlan()
	p.witness = t.witness
	return p, nil
}

// pursue takes in what others have written, page by page.
func (l *Ledger) pursue(ctx context.Context) error {
	snap, err := l.store.snapshot(ctx)
	if err != nil {
		return l.unwritten(err)
	}
	defer snap.close()
	for begun := l.position(); ; {
		after := l.position()
		page, err := readEntries(ctx, snap, after+1, after+scanPage)
		if err != nil {
			return l.unwritten(err)
		}
		if err = l.takeIn(page); err == nil && len(page) == 0 && after == begun {
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

// takeIn takes in entries that others have written.
func (l *Ledger) takeIn(entries []*entryRow) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		if err := l.state.apply(e); err != nil {
			return err
		}
	}
	l.committed = l.state.position
	if len(entries) > 0 {
		l.tell()
	}
	return nil
}

// contradicted gives the ledger up: what others have written does not follow from what was known. The caller holds mu.
func (l *Ledger) contradicted(err error) error {
	l.state = nil
	return l.fail("another program has written it", err)
}

// decide decides on works in their order, until the batch is full, and returns how many.
func (l *Ledger) decide(p *plan, works []*work) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = make(map[asked]recordedAnswer)
	began := time.Now()
	for _, w := range works {
		if p.size > maxBatchBytes || n > 0 && time.Since(began) > decideTime {
			break
		}
		n++
		if w.err = w.ctx.Err(); w.err == nil && w.decide() {
			w.err = w.plan(p)
		}
	}
	p.leave()
	if len(p.batch.entries) > 0 && p.state.position-p.state.checkpoint >= max(l.sealEvery, p.state.weight/checkpointShare) {
		p.add(&entryRow{kind: kindCheckpoint, body: p.state.checkpointBody()})
	}
	p.batch.beat = l.beat(p)
	return n
}

// written is what there is to do after a turn was written.
func (l *Ledger) written(p *plan) {
	if p.batch.beat != nil {
		l.beaten = p.batch.beat.seen
		l.leaving = l.leaving && p.batch.beat.seen != 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.committed = l.state.position
	l.settle(true)
	l.tell()
}

// tell wakes all who wait for the ledger to move on. The caller holds mu.
func (l *Ledger) tell() {
	close(l.moved)
	l.moved = make(chan struct{})
}

// lose forgets a state that was not written, and remembers a batch of which that is not known.
func (l *Ledger) lose(b *batch, n int, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.state = nil
	l.settle(false)
	if b != nil && len(b.entries) > 0 && errors.Is(err, errUncertain) {
		l.uncertain, l.uncertainWorks = b.head, n
	}
	if failure := l.store.usable(); failure != nil {
		return failure
	}
	return l.unwritten(err)
}

// unwritten is the error of a turn.
func (l *Ledger) unwritten(err error) error {
	var known *UnavailableError
	switch {
	case errors.As(err, &known) && errors.Is(err, errRows):
		return fmt.Errorf("%w: %w", known, errRows)
	case errors.As(err, &known):
		return known
	}
	return l.unavailable("it cannot be written", err)
}

// landed says whether a batch of which it was not known was written after all, and of how many works it was. What was decided then is
// what was written. The caller is in a turn: nothing is on its way any more.
func (l *Ledger) landed(p *plan) (works int, landed bool) {
	h := l.uncertain
	l.uncertain = head{}
	return l.uncertainWorks, h.entry != 0 && p.witness == h.hash
}
