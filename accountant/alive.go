package accountant

import (
	"context"
	"slices"
	"strings"
	"time"

	"tacit/policy"
)

// Processes that have unanswered charges are seen alive: they write the time into their row of the table proxy. One that is not seen for
// the lease has crashed, or hangs; then whoever asks the same question adopts its charge, pays nothing, and answers. If it was not dead after
// all, it finds the charge in other hands when it wants to record its answer, and shows nothing. So a wrong guess costs work, and nothing else.

// owes says whether charges wait for this process's answers.
func (l *Ledger) owes() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state != nil && l.state.owedBy(l.proxy, l.now().UnixNano())
}

// auditTime is how long an auditor may take to answer what he has decided, and be waited for: longer than a count may take by default. What he
// gives up before he says, see Ledger.AbandonAudit.
const auditTime = 10 * time.Minute

func (s *state) owedBy(proxy string, now int64) bool {
	for _, t := range s.tables {
		if t.auditor == proxy && !t.answered && now-t.decided < int64(auditTime) {
			return true
		}
	}
	for _, c := range s.open {
		if c.proxy == proxy {
			return true
		}
	}
	return false
}

// beat is the row that shows that this process is alive, or has left, if it is time to write it.
func (l *Ledger) beat(p *plan) *proxyRow {
	seen := l.store.clock().UnixNano()
	switch {
	case !p.owes && !p.state.owedBy(l.proxy, p.now):
		return nil
	case l.leaving:
		seen = 0
	case seen-l.beaten < int64(l.lease/4):
		return nil
	}
	row := &proxyRow{id: l.proxy, started: l.started, seen: seen}
	row.digest = p.state.linker.proxy(row)
	return row
}

// answers says whether a charge may still be answered by whom it waits for. One of this process's own is, as long as somebody has its
// reservation: where it was not known whether a charge was written, nobody has.
func (p *plan) answers(c *openCharge) bool {
	if c.proxy == p.ledger.proxy {
		return p.ledger.held[c.owner] != nil
	}
	return p.lives(c.proxy)
}

// leave gives up what this process has charged and nobody in it can answer any more: it could not be abandoned, or the caller was told that it
// could not be charged, while the ledger was away. It is left to whoever asks the same, as if this process were gone. A caller may
// still try an operation again, and so it has a lease's time for that.
func (p *plan) leave() {
	l, now := p.ledger, time.Now()
	stray := make(map[int64]time.Time)
	left := make(map[policy.TableName][]int64)
	for id, c := range p.state.open {
		if c.proxy != l.proxy || l.held[c.owner] != nil {
			continue
		}
		since, known := l.stray[id]
		if !known {
			since = now
		}
		stray[id] = since
		if now.Sub(since) >= l.lease && p.state.table(c.table).frozenFor(c.table, "") == nil {
			left[c.table] = append(left[c.table], id)
		}
	}
	l.stray = stray
	for _, name := range sortedTables(left) {
		e := about(kindAdopted, name, "")
		slices.Sort(left[name])
		e.body = marshal(adoptedBody{Charges: left[name]}) // by nobody
		p.add(e)
	}
}

// lives says whether a process may still answer, by what the last turn has seen of it.
func (p *plan) lives(proxy string) bool {
	switch {
	case proxy == p.ledger.proxy:
		return true
	case proxy == "" || p.ledger.alone && strings.HasPrefix(proxy, servePrefix):
		return false
	}
	seen := p.ledger.seen[proxy]
	return seen > 0 && p.ledger.store.clock().UnixNano()-seen <= int64(p.ledger.lease)
}

// wonders says whether somebody may wait for another process of which it is time to see again whether it lives.
func (l *Ledger) wonders() bool {
	if time.Since(l.looked) < l.lease/8 {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return false
	}
	p := l.newPlan()
	for _, c := range l.state.open {
		if c.proxy != l.proxy && p.lives(c.proxy) {
			return true
		}
	}
	for _, t := range l.state.tables {
		if t.auditor != "" && t.auditor != l.proxy && !t.answered && p.lives(t.auditor) {
			return true
		}
	}
	return false
}

// awaitPause is how often it is looked, by one for all, what other processes do, while somebody waits for it.
const awaitPause = 25 * time.Millisecond

// Await waits until a question is no longer being answered by whom it was: it was recorded or abandoned, or who was to answer it is gone.
// Then the caller looks for the answer, and if there is none, reserves again.
func (l *Ledger) Await(ctx context.Context, e *InFlightError) error {
	l.awaited.Add(1) // so that the ledger is followed more closely
	defer l.awaited.Add(-1)
	tick := time.NewTicker(awaitPause)
	defer tick.Stop()
	for looked := false; ; {
		if err := l.usable(); err != nil {
			return err
		}
		waits, alive, moved := l.waits(e)
		switch {
		case !waits || !alive && looked:
			return nil
		case !alive: // by what the last turn has seen, which may be some time ago
			looked = true
			if err := l.Follow(ctx); err != nil {
				return err
			}
			continue
		}
		looked = false
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-moved:
		case <-tick.C: // lives end without a word
		}
	}
}

// Follow takes in all that other processes have written up to now, which is otherwise done some time later.
func (l *Ledger) Follow(ctx context.Context) error {
	return l.do(ctx, func(*plan) error { return nil })
}

// waits says whether a charge still waits for the answer of who was to answer it, and whether he can, and what is closed when that may change.
func (l *Ledger) waits(e *InFlightError) (waits, alive bool, moved <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.state == nil {
		return true, true, l.moved
	}
	open := l.state.open[e.charge]
	if open == nil || open.owner != e.owner {
		return false, false, nil
	}
	return true, l.newPlan().answers(open), l.moved
}

// followPatience is how long it is looked whether other processes have written. Turns wait for it: with the time that one may take on a
// connection that has fallen silent, too, it is less than ledgerPatience, so that another attempt is made for whoever waits.
const followPatience = 2 * time.Second

// behind says whether other processes have written something that was not taken in. If that cannot be found out the next turn will.
func (l *Ledger) behind(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, followPatience)
	defer cancel()
	h, found, err := one(ctx, l.store, scanHead, headQuery)
	if err != nil || !found {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.state == nil || h.entry > l.state.position
}
