package limits

import (
	"io"
	"os"
	"sync"
)

// Spares are descriptors that are held for nothing, so that one can be given up when there is none left: a client that cannot be accepted waits
// without being told why.
type Spares struct {
	open func() (io.Closer, error)
	most int

	mu   sync.Mutex // protects held
	held []io.Closer
}

// NewSpares holds so many descriptors, as far as there are any.
func NewSpares(most int) *Spares {
	s := &Spares{most: most, open: func() (io.Closer, error) { return os.Open(os.DevNull) }}
	s.Restore()
	return s
}

// Lend gives one up, ok=false if none is held.
func (s *Spares) Lend() (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.held) - 1
	if last < 0 {
		return false
	}
	s.held[last].Close()
	s.held = s.held[:last]
	return true
}

// Restore takes back what was given up, ok=false if there are not enough descriptors for that.
func (s *Spares) Restore() (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.held) < s.most {
		file, err := s.open()
		if err != nil {
			return false
		}
		s.held = append(s.held, file)
	}
	return true
}

// Close gives all of them up.
func (s *Spares) Close() {
	for s.Lend() {
	}
}
