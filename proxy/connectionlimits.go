package proxy

import "sync"

// This file bounds the connections: handshakes.go those that are not logged in, connectionLimits the sessions. The invariant: whatever is taken is
// given back once, by whoever took it.

// connectionLimits bound the sessions of all analysts together and, so that one cannot keep the others out, those of each: nobody may
// have more than half of them, unless she is the only analyst.
type connectionLimits struct {
	mu        sync.Mutex // protects open and byAnalyst
	open      int
	byAnalyst map[string]int
	most      int
}

func newConnectionLimits(most int) *connectionLimits {
	return &connectionLimits{byAnalyst: make(map[string]int), most: most}
}

// take counts a session of an analyst, one of so many; ok=false if she may have no other.
func (c *connectionLimits) take(analyst string, analysts int) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	share := c.most
	if analysts > 1 {
		share = (c.most + 1) / 2
	}
	if c.open >= c.most || c.byAnalyst[analyst] >= share {
		return false
	}
	c.open++
	c.byAnalyst[analyst]++
	return true
}

func (c *connectionLimits) giveBack(analyst string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if c.byAnalyst[analyst]--; c.byAnalyst[analyst] == 0 {
		delete(c.byAnalyst, analyst)
	}
}
