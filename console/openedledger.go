package console

import (
	"context"
	"sync"

	"tacit/accountant/ledger"
	"tacit/policy"
)

// An openedLedger is opened when a page needs it, and again when it could not be read: the ledger may be made, restored or moved while the console runs.
type openedLedger struct {
	mu       sync.Mutex // protects what follows
	location policy.LedgerLocation
	reader   *ledger.Reader
}

func (s *openedLedger) open(ctx context.Context, location policy.LedgerLocation) (*ledger.Reader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader != nil && s.location == location {
		return s.reader, nil
	}
	reader, err := ledger.OpenReadOnly(ctx, location)
	if err != nil {
		return nil, err
	}
	s.drop()
	s.reader, s.location = reader, location
	return reader, nil
}

// forget has the ledger opened anew, unless that was done meanwhile.
func (s *openedLedger) forget(reader *ledger.Reader) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reader == reader {
		s.drop()
	}
}

func (s *openedLedger) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func (s *openedLedger) drop() {
	if s.reader != nil {
		s.reader.Close()
	}
	s.reader = nil
}
