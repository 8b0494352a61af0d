package main

import (
	"context"
	"fmt"
	"path/filepath"

	"tacit/accountant"
	"tacit/accountant/ledger"
	"tacit/policy"
)

// ledger opens the site's ledger beside the proxy. It must be sound.
func (s *site) ledger() *ledger.Reader {
	s.t.Helper()
	ctx := context.Background()
	l, err := ledger.OpenReadOnly(ctx, policy.LedgerLocation{SQLite: filepath.Join(filepath.Dir(s.policy), "tacit.db")})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { l.Close() })
	found, err := l.Verify(ctx, nil)
	if err != nil || len(found.Problems) > 0 {
		s.t.Fatalf("the ledger: %+v, %v", found, err)
	}
	return l
}

// awaitEntries waits until the log has so many entries. Replays and refusals are written in the background.
func (s *site) awaitEntries(n int) {
	s.t.Helper()
	l := s.ledger()
	defer l.Close()
	var seen string
	eventually(s.t, &seen, func() bool {
		entries, err := l.Log(context.Background(), ledger.LogFilter{})
		seen = fmt.Sprintf("%v, %v", entries, err)
		return err == nil && len(entries) == n
	})
}

// charged is the sum of the losses that were charged, each by itself.
func (s *site) charged() (sum accountant.Loss) {
	s.t.Helper()
	l := s.ledger()
	defer l.Close()
	entries, err := l.Log(context.Background(), ledger.LogFilter{Verdict: ledger.Charged})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		sum = sum.Add(e.Loss)
	}
	return sum
}
