package main

import (
	"context"
	"path/filepath"

	"tacit/accountant"
	"tacit/policy"
)

// ledger opens the site's ledger beside the proxy. It must be sound.
func (s *site) ledger() *accountant.Reader {
	s.t.Helper()
	ctx := context.Background()
	ledger, err := accountant.OpenReadOnly(ctx, policy.LedgerLocation{SQLite: filepath.Join(filepath.Dir(s.policy), "tacit.db")})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { ledger.Close() })
	found, err := ledger.Verify(ctx, nil)
	if err != nil || len(found.Problems) > 0 {
		s.t.Fatalf("the ledger: %+v, %v", found, err)
	}
	return ledger
}

// charged is the sum of the losses that were charged, each by itself.
func (s *site) charged() (sum accountant.Loss) {
	s.t.Helper()
	ledger := s.ledger()
	defer ledger.Close()
	entries, err := ledger.Log(context.Background(), accountant.LogFilter{Verdict: accountant.Charged})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, e := range entries {
		sum = sum.Add(e.Loss)
	}
	return sum
}
