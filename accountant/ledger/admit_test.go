package ledger

import (
	"fmt"
	"testing"

	"tacit/accountant"
	"tacit/accountant/ledger/ledgertest"
	"tacit/accountant/ledger/store"
	"tacit/policy"
)

// A busyStore has somebody else do something once it has rolled back.
type busyStore struct {
	store.Store
	then func()
}

func (s *busyStore) Rollback() error {
	err := s.Store.Rollback()
	if then := s.then; then != nil {
		s.then = nil
		then()
	}
	return err
}

// Whoever opens a ledger does not take it for an older one because another process goes on at this moment.
func TestOpeningBesideAProxy(t *testing.T) {
	for name, location := range map[string]policy.LedgerLocation{"sqlite": {SQLite: newPath(t)}, "postgres": ledgertest.NewPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			l, err := Open(t.Context(), Options{Location: location, Role: Serve})
			do(t, err)
			defer l.Close()
			o := Options{Location: location, Role: Steward}
			s, err := openStore(t.Context(), o)
			do(t, err)
			busy := &busyStore{Store: s, then: func() {
				for n := range 3 {
					record(t, l, reserve(t, l, charge("ana", fmt.Sprint(n), accountant.Loss{Epsilon: 1})), nil)
				}
			}}
			beside, err := newLedger(t.Context(), busy, o)
			if err != nil {
				t.Fatal(err)
			}
			reserve(t, beside, charge("root", "q", accountant.Loss{Epsilon: 1}))
			do(t, beside.Close())
		})
	}
}
