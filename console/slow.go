package console

import (
	"context"
	"sync"
	"time"

	"tacit/policy"
	"tacit/release/assess"
	"tacit/release/books"
	"tacit/release/seal"
)

// slowFacts are what takes long to find out on a large ledger: how long budgets last, alarms of audited tables, and columns that nobody uses. A page shows what was found last, and has
// it found anew in the background when that was a while ago.
type slowFacts struct {
	mu      sync.Mutex // protects what follows
	of      string     // the policy that they are of
	found   time.Time
	running bool
	rates   map[policy.TableName]assess.Rate
	alarms  []seal.Alarm
	used    map[policy.TableName]map[string]bool // columns
}

// staleAfter is how old slow facts may be.
const staleAfter = 5 * time.Minute

// slowly returns what was found last, and waits a moment for what was never found yet.
func (v *visit) slowly() (rates map[policy.TableName]assess.Rate, alarms []seal.Alarm) {
	s := &v.slow
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepOnlyOf(v.policy.Version)
	if s.running || !s.found.IsZero() && v.now.Sub(s.found) < staleAfter {
		return s.rates, s.alarms
	}
	s.running = true
	p, done := v.policy, make(chan struct{})
	v.background(func(ctx context.Context) {
		defer close(done)
		rates, err := assess.Rates(ctx, p)
		alarms := seal.Alarms(ctx, p)
		used, usedErr := books.UsedColumns(ctx, p)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running = false
		if s.of != p.Version { // the policy was changed meanwhile: the next page has them found anew
			return
		}
		if err == nil {
			s.found, s.rates, s.alarms = v.now, rates, alarms
		}
		if usedErr == nil {
			s.used = used
		}
	})
	if !s.found.IsZero() {
		return s.rates, s.alarms
	}
	s.mu.Unlock()
	select {
	case <-done:
	case <-time.After(firstFacts):
	case <-v.r.Context().Done():
	}
	s.mu.Lock()
	return s.rates, s.alarms
}

// keepOnlyOf forgets what was found by another policy: it may have other tables, columns and budgets, and another ledger.
func (s *slowFacts) keepOnlyOf(version string) {
	if s.of != version {
		s.of, s.found, s.rates, s.alarms, s.used = version, time.Time{}, nil, nil, nil
	}
}

// firstFacts is how long the first page waits for them.
const firstFacts = 100 * time.Millisecond
