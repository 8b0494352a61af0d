package journal

import (
	"crypto/sha256"
	"maps"

	"tacit/accountant"
	"tacit/policy"
)

// Acts is a digest of what stewards have done to a table, as far as it still counts. Each charge of theirs makes another.
func (t *Table) Acts() Digest {
	granted := make(map[string]Amounts, len(t.Granted))
	for analyst, loss := range t.Granted {
		granted[analyst] = AmountsOf(loss)
	}
	charged := make(map[int64]int64) // by day
	if own := t.Analysts[accountant.Steward]; own != nil {
		for day, tally := range own.Days {
			for _, n := range tally.once {
				charged[day] += n
			}
		}
	}
	return sha256.Sum256([]byte(Marshal(struct {
		Epoch   int64
		Frozen  map[string]string
		Granted map[string]Amounts
		Charged map[int64]int64
	}{t.Epoch, t.Frozen, granted, charged}))) // encoding/json sorts keys
}

// ExtractGranted is Extract as it would be after a grant: to the analyst whose cap limit is, and without one to the table.
func (s *State) ExtractGranted(a accountant.Accounting, analyst string, limit *policy.Budget, now int64, granted accountant.Loss) Extract {
	v := s.Extract(a, analyst, limit, now)
	raised := *s.Table(a.Table)
	raised.Granted = maps.Clone(raised.Granted)
	to := ""
	if limit != nil {
		to = analyst
	}
	raised.Granted[to] = raised.Granted[to].Add(granted)
	v.budgets = raised.Budgets(a, analyst, limit)
	return v
}
