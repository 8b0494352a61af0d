package release

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"tacit/accountant/ledger"
	"tacit/release/internal/cells"
)

// releaseSizes remembers how many cells releases have, which takes reading them. The zero value is ready.
type releaseSizes struct {
	mu     sync.Mutex     // protects what follows
	ledger *ledger.Ledger // the one that they are of
	cells  map[int64]int
}

func (s *releaseSizes) of(ctx context.Context, l *ledger.Ledger, id int64) (int, error) {
	if n, ok := s.known(l, id); ok {
		return n, nil
	}
	data, err := l.Payload(ctx, id)
	if err != nil {
		return 0, err
	}
	var p struct {
		Counts cells.StoredCounts `json:"counts"`
		Values []*string          `json:"values"`
		// Measured is of a workload.
		Measured struct {
			Residuals []struct {
				Noisy []int64 `json:"noisy"`
			} `json:"residuals"`
		} `json:"measured"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return 0, fmt.Errorf("release %d in the ledger is damaged: %w", id, err)
	}
	n := max(len(p.Counts.Counts), len(p.Values)) // suppressed ones, too
	for _, r := range p.Measured.Residuals {
		n += len(r.Noisy)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger == l {
		s.cells[id] = n
	}
	return n, nil
}

// known forgets everything when another ledger is asked about.
func (s *releaseSizes) known(l *ledger.Ledger, id int64) (n int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ledger != l {
		s.ledger, s.cells = l, make(map[int64]int)
	}
	n, ok = s.cells[id]
	return n, ok
}
