package proxy

import "sync"

// This file lets a cancel request end a count that a session waits for.

// A pendingCount is a call of the releaser that the proxy waits for on behalf of a session. Other goroutines may cancel it.
type pendingCount struct {
	mu     sync.Mutex // protects cancel
	cancel func()     // ends the call under way, now or soon; nil if there is none
}

// begin says that a call can be cancelled until the returned function is called.
func (p *pendingCount) begin(cancel func()) (end func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cancel = cancel
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.cancel = nil
	}
}

// stop cancels the call under way, ok=false if there is none.
func (p *pendingCount) stop() (ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cancel == nil {
		return false
	}
	p.cancel()
	return true
}
