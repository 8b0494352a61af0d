package ledger

import (
	"github.com/hashicorp/golang-lru/v2"

	"tacit/accountant"
	"tacit/accountant/journal"
	"tacit/policy"
)

// balanceCache keeps how tables and analysts stand, until something happens to the table: every answer that is replayed tells its analyst, and
// composing all that was charged, block by block, takes longer than finding the answer.
type balanceCache struct {
	kept *lru.Cache[balanceKey, accountant.Balance]
}

// A balanceKey is all that a balance depends on.
type balanceKey struct {
	version    int64 // of the table
	since      int64 // the day from which charges count
	accounting accountant.Accounting
	analyst    string
	capped     bool
	cap        policy.Budget
}

// maxBalances is more than there are analysts of a busy hour, each with some tables.
const maxBalances = 4096

func newBalanceCache() balanceCache {
	kept, err := lru.New[balanceKey, accountant.Balance](maxBalances)
	if err != nil {
		panic("accountant: internal error: " + err.Error()) // only for a size below one
	}
	return balanceCache{kept}
}

// balanceKeyOf is what the balance of a table is kept under. Of a table that nothing has happened to there is nothing to keep.
func balanceKeyOf(s *journal.State, a accountant.Accounting, analyst string, limit *policy.Budget, now int64) (key balanceKey, ok bool) {
	t := s.Tables[a.Table]
	if t == nil {
		return balanceKey{}, false
	}
	key = balanceKey{version: t.Version, since: journal.Since(a, now), accounting: a, analyst: analyst, capped: limit != nil}
	if limit != nil {
		key.cap = *limit
	}
	return key, true
}
