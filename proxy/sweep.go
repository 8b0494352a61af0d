package proxy

import (
	"time"

	"tacit/policy"
	"tacit/proxy/internal/relay"
	"tacit/rewrite/pgerror"
)

// This file ends sessions that do nothing: for too long by the policy, or while the proxy is about to end. The invariant: a session for which
// anybody works is left alone. Start at Proxy.sweep.

const (
	// sweepEvery is how often it is looked whether sessions have been idle for too long, and drainEvery the same while the proxy is about to end.
	sweepEvery = time.Second
	drainEvery = 20 * time.Millisecond
)

// Drain has no more clients accepted, and ends each session as soon as nothing runs for it. Serve returns when all are gone; Close ends those that
// are left.
func (p *Proxy) Drain() { p.drain() }

// Draining says whether the proxy is about to end.
func (p *Proxy) Draining() bool { return p.draining.Err() != nil }

// sweep looks at all sessions now and then, until the returned function is called.
func (p *Proxy) sweep() (end func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick, draining := time.NewTicker(sweepEvery), p.draining.Done()
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-draining:
				tick.Reset(drainEvery)
				draining = nil
			case <-tick.C:
			}
			p.sweepAt(time.Now())
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// A quiet session was seen with nothing going on since some time.
type quiet struct {
	since    time.Time
	standing relay.Standing
	activity uint64
}

// tooLong says why a session is to end that is seen as it is now, nil if it may go on.
func (q *quiet) tooLong(now time.Time, standing relay.Standing, activity uint64, rules policy.Sessions) *pgerror.Refusal {
	if q.since.IsZero() || standing != q.standing || activity != q.activity {
		*q = quiet{now, standing, activity}
	}
	for _, limit := range []struct {
		of      relay.Standing
		most    time.Duration
		refusal pgerror.Form
	}{{relay.Idle, rules.Idle, idleTooLong}, {relay.InTransaction, rules.IdleInTransaction, idleTransaction}} {
		if standing == limit.of && limit.most > 0 && now.Sub(q.since) >= limit.most {
			return limit.refusal.With()
		}
	}
	return nil
}

// sweepAt ends the sessions that have done nothing for too long.
func (p *Proxy) sweepAt(now time.Time) {
	rules := p.releaser.Policy().Sessions
	for _, s := range p.keys.all() {
		standing, activity := s.relay.Standing()
		refusal := s.quiet.tooLong(now, standing, activity, rules)
		if p.Draining() && standing != relay.Active {
			refusal = endsNow.With()
		}
		if refusal != nil {
			s.end(fatal(refusal))
		}
	}
}

// Sessions is how many analysts' sessions are open.
func (p *Proxy) Sessions() int { return p.connections.Open() }

// Connections are how many there are in each state, and how many sessions there may be.
func (p *Proxy) Connections() (byState map[string]int, most int) {
	byState = map[string]int{"logging in": p.handshakes.count(), "active": 0, "idle": 0, "idle in transaction": 0}
	for _, s := range p.keys.all() {
		switch standing, _ := s.relay.Standing(); standing {
		case relay.Idle:
			byState["idle"]++
		case relay.InTransaction:
			byState["idle in transaction"]++
		default:
			byState["active"]++
		}
	}
	return byState, p.connections.Most()
}
