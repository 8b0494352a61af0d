package limits

import (
	"net/netip"
	"slices"
	"sync"

	"tacit/policy"
)

// Sessions counts those of all analysts together, of each analyst, and of each address.
type Sessions struct {
	mu        sync.Mutex // protects what follows
	open      int
	byAnalyst map[string]int
	byAddress map[netip.Prefix]int
	most      int
}

// A Client is who asks for a session.
type Client struct {
	Analyst string
	From    netip.Prefix
}

// A Bound is what a session would go beyond.
type Bound int

const (
	None      Bound = iota
	All             // there are as many as there may be
	Reserved        // those that are left are for others
	OfAnalyst       // she has as many as she may
	OfAddress       // as many come from there as may
)

// NewSessions has no session yet, and at most so many.
func NewSessions(most int) *Sessions {
	return &Sessions{byAnalyst: make(map[string]int), byAddress: make(map[netip.Prefix]int), most: most}
}

// Take counts a session of an analyst, one of so many analysts. If there is a bound in the way it counts none, and returns how many that bound allows.
func (s *Sessions) Take(c Client, analysts int, rules policy.Sessions) (in Bound, allowed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	share := s.most
	switch {
	case rules.PerAnalyst > 0:
		share = rules.PerAnalyst
	case analysts > 1:
		share = (s.most + 1) / 2
	}
	switch {
	case s.byAnalyst[c.Analyst] >= share:
		return OfAnalyst, share
	case rules.PerAddress > 0 && s.byAddress[c.From] >= rules.PerAddress:
		return OfAddress, rules.PerAddress
	case s.open >= s.most:
		return All, s.most
	case s.open >= s.most-rules.Reserved && !slices.Contains(rules.ReservedFor, c.Analyst):
		return Reserved, s.most - rules.Reserved
	}
	s.open++
	s.byAnalyst[c.Analyst]++
	s.byAddress[c.From]++
	return None, 0
}

// GiveBack ends a session that was taken.
func (s *Sessions) GiveBack(c Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.byAnalyst[c.Analyst]--; s.byAnalyst[c.Analyst] == 0 {
		delete(s.byAnalyst, c.Analyst)
	}
	if s.byAddress[c.From]--; s.byAddress[c.From] == 0 {
		delete(s.byAddress, c.From)
	}
}

// Open is how many there are.
func (s *Sessions) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

// Most is how many there may be.
func (s *Sessions) Most() int { return s.most }
