package proxy

import "sync"

// seats bound the sessions of all analysts together and, so that one cannot keep the others out, those of each: nobody may take more
// than half of them, unless she is the only analyst.
type seats struct {
	mu    sync.Mutex // protects taken and of
	taken int
	of    map[string]int
	most  int
}

func newSeats(most int) *seats { return &seats{of: make(map[string]int), most: most} }

// take takes a seat for an analyst, one of so many; ok=false if there is none for her.
func (s *seats) take(analyst string, analysts int) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	share := s.most
	if analysts > 1 {
		share = (s.most + 1) / 2
	}
	if s.taken >= s.most || s.of[analyst] >= share {
		return false
	}
	s.taken++
	s.of[analyst]++
	return true
}

func (s *seats) giveBack(analyst string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken--
	if s.of[analyst]--; s.of[analyst] == 0 {
		delete(s.of, analyst)
	}
}

// count is the number of seats that are taken.
func (s *seats) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}
